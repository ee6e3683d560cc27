#!/usr/bin/env python3
"""`macaw serve` plays whole matches with a manager that is not ours: every form of
message, every way to send it, scrambled, two at once, and in time."""
import random
import threading
import time
import unittest

import kif
import manager
import program
import rules
import wire


def seats(game, address, ours=None):
    """The served player in one role (a peer of Python would be as good in the others:
    the manager moves by lot for roles that have no address), or in all."""
    return {r: address for r in game.roles if r != "random" and (ours is None or r == ours)}


class Overruling(manager.Match):
    """A manager that now and then executes another move than the one answered, as if
    that had come too late."""

    def choose(self, legal, answers):
        joint = super().choose(legal, answers)
        if self.turn % 2 == 0:
            joint = {role: self.rng.choice(legal[role]) for role in joint}
        return joint


class Mixed(manager.Match):
    """A manager that changes the form at every turn."""

    def message(self, verb, role):
        self.form = ("joint", "percepts")[self.turn % 2]
        return super().message(verb, role)


class Plays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.serve = program.Serve("--player", "random", "--matches", "4", "--seed", "1")
        cls.games = {name: program.game(name)
                     for name in ("tictactoe", "connect_four", "monty_hall", "rock_paper_scissors")}
        cls.number = 0

    @classmethod
    def tearDownClass(cls):
        cls.serve.finish()

    def run_match(self, game, ours=None, kind=manager.Match, **how):
        type(self).number += 1
        match = kind(game, seats(game, self.serve.address, ours or game.roles[0]), match="Local.g.%d" % self.number,
                     rng=random.Random(self.number), **how).run()
        self.assertEqual(match.errors, [])
        self.assertEqual(self.serve.info(), "available")
        return match

    def test_every_way_to_send(self):
        for style in wire.STYLES:
            for name in ("tictactoe", "monty_hall"):
                with self.subTest(style=style, game=name):
                    self.run_match(self.games[name], style=style)

    def test_every_game_and_role(self):
        for name, game in self.games.items():
            for role in game.roles:
                if role != "random":
                    with self.subTest(game=name, role=role):
                        self.run_match(game, role)

    def test_forms(self):
        told = rules.told(self.games["tictactoe"])
        monty = self.games["monty_hall"]
        for game, form in ((told, "percepts"), (told, "joint"), (monty, "percepts"), (monty, "joint"), (monty, "old"),
                           (told, "old")):
            names = kif.Shouting(game.terms) if form == "old" else kif.Plain
            with self.subTest(roles=game.roles, form=form):
                self.run_match(game, form=form, names=names)

    def test_form_changes_at_every_turn(self):
        self.run_match(rules.told(self.games["tictactoe"]), kind=Mixed)
        self.run_match(self.games["monty_hall"], kind=Mixed)

    def test_replaced_moves(self):
        for _ in range(3):
            self.run_match(self.games["tictactoe"], kind=Overruling)
            self.run_match(rules.told(self.games["tictactoe"]), kind=Overruling, form="percepts")
            self.run_match(self.games["monty_hall"], kind=Overruling)

    def test_scrambled(self):
        for name, game in self.games.items():
            with self.subTest(game=name):
                self.run_match(game, names=kif.Scrambler(game.terms, random.Random(self.number)))

    def test_hidden_information(self):
        for name in ("kuhn_poker", "phantom_tictactoe", "mastermind", "guess_dice"):
            game = program.game(name)
            for role in game.roles:
                if role != "random":
                    with self.subTest(game=name, role=role):
                        self.run_match(game, role, names=kif.Scrambler(game.terms, random.Random(self.number)))
                        self.run_match(game, role, kind=Overruling)

    def test_arguments_after_the_clocks(self):
        self.run_match(self.games["rock_paper_scissors"], extra=("0", ("more", "(words)"), "nil"))

    def test_narrow_and_wide(self):
        for wide in (False, True):
            self.run_match(self.games["rock_paper_scissors"], wide=wide)

    def test_verbs_in_any_case(self):
        game = self.games["rock_paper_scissors"]
        text = program.start_text(game, "cAsE")
        self.assertEqual(self.serve.say(text.replace("start", "StArT", 1)).lower(), "ready")
        move = self.serve.ask("(pLaY cAsE NIL)").term
        self.assertIn(move, game.legal(game.initial)["alice"])
        self.assertEqual(self.serve.say("(STop cAsE (%s (show rock)))" % kif.write(move)).lower(), "done")

    def test_header_of_replies(self):
        for style in wire.STYLES:
            reply = wire.ask(self.serve.address, "( INFO )", style=style)
            self.assertEqual(reply.status, 200)
            self.assertEqual(reply.headers["content-type"].split(";")[0], "text/acl")
            self.assertEqual(int(reply.headers["content-length"]), len(reply.body))
            self.check_cors(reply)
        reply = wire.exchange(self.serve.address, b"OPTIONS / HTTP/1.1\r\nHost: here\r\nOrigin: http://a.example\r\n"
                              b"Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n")
        self.assertIn(reply.status, (200, 204))
        self.check_cors(reply)

    def check_cors(self, reply):
        for line in wire.CORS:
            name, _, value = line.partition(": ")
            self.assertEqual(reply.headers.get(name.lower()), value)

    def test_info(self):
        answer = self.serve.ask("(info)")
        self.assertEqual(dict(answer.term), {"name": "macaw", "status": "available"})

    def test_preview(self):
        game = self.games["tictactoe"]
        self.assertEqual(self.serve.say(kif.write(("preview", game.terms, "2"))).lower(), "ready")
        self.assertEqual(self.serve.info(), "available")

    def test_status(self):
        status = self.serve.status()
        self.assertIsInstance(status, dict)
        self.assertTrue(status)

    def test_two_managers_at_once(self):
        results = []

        def one(number):
            game = program.game(("tictactoe", "connect_four", "monty_hall", "rock_paper_scissors")[number])
            match = manager.Match(game, seats(game, self.serve.address, game.roles[0]), match="at.once.%d" % number,
                                  rng=random.Random(number)).run()
            results.append(match.errors)
        threads = [threading.Thread(target=one, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [[]] * 4)

    def test_plays_all_roles_of_one_match(self):
        """Two players at the same address in the same match: each START is a seat of its own,
        or the second is told `busy`; neither may disturb the other."""
        game = self.games["rock_paper_scissors"]
        first = self.serve.say(program.start_text(game, "both", "alice")).lower()
        self.assertEqual(first, "ready")
        self.serve.say(program.start_text(game, "both", "bob"))
        self.serve.say("(abort both)")
        self.serve.say("(abort both)")
        self.assertEqual(self.serve.info(), "available")


class Thinks(unittest.TestCase):
    """With a player that uses its clock."""

    def setUp(self):
        self.serve = program.Serve("--player", "uct", "--margin", "0.3")
        self.game = program.game("connect_four")

    def tearDown(self):
        self.serve.finish()

    def thinks(self, clock, patience):
        """A thread that asks for a move, and its answers."""
        self.serve.begin(self.game, "m", play=clock)
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.serve.ask("(play m nil)", patience)))
        thread.start()
        return thread, answers

    def test_info_while_thinking(self):
        def attempt(factor):
            clock = 1.5 * factor
            thread, answers = self.thinks(clock, program.PATIENCE)
            program.wait_until(lambda: self.serve.thinking() or not thread.is_alive())
            for _ in range(5):
                begun = time.monotonic()
                self.assertEqual(self.serve.info(), "busy")
                self.assertLess(time.monotonic() - begun, 0.3 * factor)
                self.assertEqual(self.serve.say(program.start_text(self.game, "other")).lower(), "busy")
                self.assertIsInstance(self.serve.status(), dict)
            early = not thread.is_alive()
            thread.join()
            self.assertEqual(self.serve.say("(abort m)").lower(), "aborted")
            self.assertEqual(self.serve.info(), "available")
            self.assertFalse(early, "it did not use its time")
            self.assertIn(answers[0].term, self.game.legal(self.game.initial)["red"])
            self.assertLess(answers[0].seconds, clock)
        program.on_time(attempt)

    def test_short_clocks(self):
        for name, clock in (("tictactoe", 0.2), ("connect_four", 0.1)):
            game = program.game(name)

            def attempt(factor):
                match = manager.Match(game, seats(game, self.serve.address, game.roles[1]), clocks=(0.5 * factor, clock * factor)).run()
                self.assertEqual(match.errors, [], name)
            if name == "tictactoe" or not program.SAMPLE:
                program.on_time(attempt)

    def test_abort_while_thinking(self):
        thread, _ = self.thinks(1000, 500)
        self.assertTrue(program.wait_until(self.serve.thinking), self.serve.status())
        self.assertEqual(self.serve.say("(abort m)").lower(), "aborted")
        self.assertTrue(program.wait_until(lambda: self.serve.info() == "available"))
        thread.join(program.PATIENCE)
        self.assertFalse(thread.is_alive(), "PLAY of an aborted match is still unanswered")


if __name__ == "__main__":
    program.main()
