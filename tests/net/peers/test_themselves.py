#!/usr/bin/env python3
"""The peers themselves: the interpreter counts right, and manager and player of
Python get on with each other, in every form and with every fault."""
import random
import unittest

import kif
import manager
import player
import program
import rules
import wire


def perft(game, state, depth):
    if depth == 0 or game.terminal(state):
        return depth == 0
    return sum(perft(game, game.next(state, joint), depth - 1) for joint in game.joints(state))


class Kif(unittest.TestCase):
    def test_reads_and_writes(self):
        term = kif.read("( START Id.7 ; said\n (( ROLE a )(<= (Legal a ?x)(p ?x))) 1 )")
        self.assertEqual(kif.write(term), "(START Id.7 ((role a) (<= (legal a ?x) (p ?x))) 1)")
        self.assertEqual(kif.read(kif.write_wide(term)), term)
        for bad in ("(a", "a)", "", "a b", ")("):
            with self.assertRaises(kif.Bad):
                kif.read(bad)

    def test_scrambles_and_back(self):
        terms = program.game("monty_hall").terms
        names = kif.Scrambler(terms, random.Random(3))
        hidden = names.hide(terms)
        self.assertEqual(names.show(hidden), terms)
        words = set(kif.symbols(hidden)) & set(kif.symbols(terms))
        self.assertTrue(all(w in kif.KEYWORDS or w.isdigit() for w in words), words)


class Interpreter(unittest.TestCase):
    """Against numbers known from elsewhere."""

    def test_counts(self):
        known = {"tictactoe": [9, 72, 504], "connect_four": [7, 49], "monty_hall": [3, 9, 12, 24],
                 "rock_paper_scissors": [9]}
        for name, counts in known.items():
            game = program.game(name)
            self.assertEqual([perft(game, game.initial, d + 1) for d in range(len(counts))], counts, name)

    def test_switching_wins_two_times_of_three(self):
        game = program.game("monty_hall")

        def chance(state, choice):
            if game.terminal(state):
                return game.goals(state)["candidate"] / 100
            legal = game.legal(state)
            mine = [m for m in legal["candidate"] if m not in ("stay", "switch") or m == choice][0]
            return sum(chance(game.next(state, {"candidate": mine, "random": r}), choice)
                       for r in legal["random"]) / len(legal["random"])
        self.assertAlmostEqual(chance(game.initial, "switch"), 2 / 3)
        self.assertAlmostEqual(chance(game.initial, "stay"), 1 / 3)

    def test_percepts(self):
        game = program.game("monty_hall")
        state = game.initial
        for mine, chance, seen in (("noop", ("hide_car", "2"), []), (("point_at", "1"), "noop", []),
                                   ("noop", ("open", "3"), [("open_door", "3")]),
                                   ("switch", "noop", [("car_behind", "2")])):
            joint = {"candidate": mine, "random": chance}
            self.assertIn(chance, game.legal(state)["random"])
            self.assertEqual(game.sees(state, joint)["candidate"], seen)
            state = game.next(state, joint)
        self.assertEqual(game.goals(state)["candidate"], 100)

    def test_or_and_recursion(self):
        game = rules.Game("(role a) (edge 1 2) (edge 2 3) (edge 3 1) (edge 4 5)"
                          "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))"
                          "(<= (end ?x) (or (edge ?x 5) (edge 3 ?x)))"
                          "(<= (init (at ?x)) (path 1 ?x) (not (edge 1 ?x)) (distinct ?x 1))")
        self.assertEqual(game.initial, frozenset([("at", "3")]))
        self.assertEqual(len(game.lasting["path"].facts), 10)
        self.assertEqual({f[1] for f in game.lasting["end"].facts}, {"1", "4"})


class Together(unittest.TestCase):
    def run_match(self, name, game=None, faults=(None, None), since=0, clocks=(2, 2), **how):
        game = game or program.game(name)
        roles = [r for r in game.roles if r != "random"]
        players = {r: player.Player(fault=f, since=since, rng=random.Random(5)) for r, f in zip(roles, faults)}
        try:
            match = manager.Match(game, {r: p.address for r, p in players.items()}, clocks=clocks, **how).run()
        finally:
            for p in players.values():
                p.close()
        return match, players

    def assert_clean(self, match, players):
        self.assertEqual(match.errors, [])
        for p in players.values():
            self.assertEqual(p.troubles, [])
            self.assertEqual(p.seats, {})
        self.assertTrue(match.game.terminal(match.state))

    def test_every_game_and_style(self):
        for name in ("tictactoe", "rock_paper_scissors", "monty_hall"):
            for style in wire.STYLES:
                with self.subTest(game=name, style=style):
                    self.assert_clean(*self.run_match(name, style=style))

    def test_forms(self):
        tictactoe = program.game("tictactoe")
        monty = program.game("monty_hall")
        told = rules.told(tictactoe)
        for game, form in ((told, "percepts"), (told, "joint"), (monty, "joint"), (monty, "percepts"), (monty, "old")):
            names = kif.Shouting(game.terms) if form == "old" else kif.Plain
            with self.subTest(roles=game.roles, form=form):
                self.assert_clean(*self.run_match("", game, form=form, names=names))

    def test_scrambled(self):
        for name in ("tictactoe", "monty_hall"):
            game = program.game(name)
            match, players = self.run_match(name, game, names=kif.Scrambler(game.terms, random.Random(9)))
            self.assert_clean(match, players)

    def test_allowed_oddities(self):
        for fault in ("bare", "split", "unsized", "wide"):
            with self.subTest(fault=fault):
                self.assert_clean(*self.run_match("rock_paper_scissors", faults=(fault, None)))

    def test_faults_are_found(self):
        told = {"illegal": "illegal", "garbage": "broken", "unbalanced": "not closed", "empty": "0 terms",
                "error": "status 500", "cut": "broken", "short": "not closed", "flood": "broken", "reset": "broken",
                "vanish": "broken", "busy": "illegal", "nil": "illegal", "shout": "illegal",
                "slow": "late", "silent": "late", "half-open": "late", "long": "late", "drip": "late"}
        self.assertEqual(set(told) | {"bare", "split", "unsized", "wide"}, set(player.FAULTS))
        for fault, error in told.items():
            with self.subTest(fault=fault):
                match, _ = self.run_match("rock_paper_scissors", faults=(fault, None), clocks=(2, 0.2), grace=0.2)
                self.assertEqual(match.errors[0][:2], (0, "alice"))
                self.assertIn(error, match.errors[0][2])
                self.assertTrue(match.game.terminal(match.state))


if __name__ == "__main__":
    program.main()
