#!/usr/bin/env python3
"""`macaw serve` and messages that should not come: malformed, out of order, repeated,
wrong, or with bad rules; and managers that go away."""
import os
import tempfile
import threading
import time
import unittest

import kif
import manager
import program
import wire


class Messages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.serve = program.Serve("--player", "random", "--seed", "5")
        cls.game = program.game("tictactoe")
        cls.small = program.game("rock_paper_scissors")

    @classmethod
    def tearDownClass(cls):
        cls.serve.finish()

    def tearDown(self):
        for match in ("m1", "m2"):
            self.serve.say("(abort %s)" % match)
        self.assertIsNone(self.serve.process.poll(), self.serve.said())
        self.assertEqual(self.serve.info(), "available")
        match = manager.Match(self.small, {"bob": self.serve.address}, match="after").run()
        self.assertEqual(match.errors, [])

    def start(self, match="m1", game=None, **how):
        self.assertEqual(self.serve.say(program.start_text(game or self.game, match, **how)).lower(), "ready")

    def answered(self, text, **how):
        """Some answer, soon, and never a fault of the server."""
        try:
            reply = wire.ask(self.serve.address, text, **how)
        except (wire.Late, wire.Broken) as e:
            self.fail("%r gets no answer: %s" % (text[:200], e))
        self.assertLess(reply.status, 500, reply)
        self.assertTrue(reply.body, text[:200])
        return reply.text.strip()

    # ---- malformed

    def test_malformed(self):
        for text in ("(", ")", "((((", "))))", "(info", "info)", "info", "(info) (info)", "()", "(())", "((info))", "nil", "?x",
                     "(?x)", "(nothing like this)", "(play)", "(play m1)", "(start)", "(start m1)", "(start m1 x)",
                     "(start m1 x ())", "(start m1 x () 1)", "(start m1 x () 1 1)", "(start (m1) x () 1 1)", "(stop)",
                     "(stop m1)", "(abort)", "(preview)", "(preview ())", "(preview () 1)", "(play (m1) nil)", "(play nil nil)",
                     "(start nil nil nil nil nil)", "(abort (a b))", "%s%s%s%n%n%n", "(%s %n)", "(info ;", ";", "\0", "(in\0fo)",
                     "(info)\0", "\ufeff(info)", "(start m1 x ((role x)) a b)", "(play m1 (", "\x1b[2J", "'", "\"", "|", "(|a b|)"):
            self.answered(text)
            if "\0" not in text:
                self.answered(text, style="get")

    def test_deep_and_long(self):
        for text in ("(" * 200000, "(" * 200000 + ")" * 200000, ")" * 100000, "(play " + "m" * 1000000 + " nil)",
                     "(start m1 x (" + "(p " * 100000 + "a" + ")" * 100000 + ") 1 1)", "(play m1 (" + "a " * 300000 + "))",
                     "(info " + "(a) " * 200000 + ")"):
            self.answered(text)

    def test_clocks(self):
        for start, play in (("-1", "1"), ("1", "-1"), ("nan", "nan"), ("inf", "inf"), ("1e999", "1"), ("0", "0"), ("a", "b"),
                            ("(1)", "1"), ("99999999999999999999", "99999999999999999999"), ("0x1p3", "1"), ("1", "1e-300")):
            text = "(start m1 x %s %s %s)" % (kif.write(self.game.terms), start, play)
            self.answered(text)
            self.answered("(play m1 nil)") if start not in ("inf", "99999999999999999999") else None
            self.serve.say("(abort m1)")

    # ---- order

    def test_unknown_match(self):
        for text in ("(play nowhere nil)", "(play nowhere ((mark 1 1) noop))", "(play nowhere 0 nil nil)",
                     "(play nowhere 3 noop ((a) b))"):
            self.assertEqual(self.answered(text).lower(), "busy")
        self.answered("(stop nowhere ((mark 1 1) noop))")
        self.answered("(abort nowhere)")

    def test_play_before_start(self):
        self.assertEqual(self.answered("(play m1 nil)").lower(), "busy")
        self.start()
        self.assertIn(kif.read(self.answered("(play m1 nil)")), self.game.legal(self.game.initial)["x"])

    def test_repeated_start(self):
        self.start()
        for _ in range(3):
            self.assertIn(self.answered(program.start_text(self.game, "m1")).lower(), ("ready", "busy"))
        self.assertIn(kif.read(self.answered("(play m1 nil)")), self.game.legal(self.game.initial)["x"])
        self.assertEqual(self.answered(program.start_text(self.game, "m2")).lower(), "busy")

    def test_repeated_play(self):
        self.start()
        legal = self.game.legal(self.game.initial)["x"]
        for _ in range(3):
            self.assertIn(kif.read(self.answered("(play m1 nil)")), legal)
        state = self.game.initial
        for joint in ({"x": ("mark", "2", "2"), "o": "noop"}, {"x": "noop", "o": ("mark", "1", "1")}):
            state = self.game.next(state, joint)
            text = kif.write(("play", "m1", (joint["x"], joint["o"])))
            for _ in range(3):
                self.assertIn(kif.read(self.answered(text)), self.game.legal(state)["x"], "PLAY again")

    def test_repeated_play_with_turns(self):
        game = program.game("monty_hall")
        self.start(game=game)
        match = manager.Match(game, {"candidate": self.serve.address}, match="m1")
        while not game.terminal(match.state):
            text = match.message("PLAY", "candidate")
            for _ in range(3):
                move = kif.read(self.answered(text))
                self.assertIn(move, game.legal(match.state)["candidate"])
            match.advance({"candidate": move, "random": game.legal(match.state)["random"][0]})
        text = match.message("STOP", "candidate")
        self.assertEqual(self.answered(text).lower(), "done")
        self.assertIn(self.answered(text).lower(), ("done", "busy"))

    def test_repeated_stop(self):
        self.start(game=self.small)
        self.answered("(play m1 nil)")
        text = "(stop m1 ((show rock) (show paper)))"
        self.assertEqual(self.answered(text).lower(), "done")
        for _ in range(3):
            self.assertIn(self.answered(text).lower(), ("done", "busy"))
        self.assertEqual(self.answered("(play m1 nil)").lower(), "busy")

    def test_stop_before_the_end(self):
        self.start()
        self.assertEqual(self.answered("(stop m1 nil)").lower(), "done")
        self.start()
        self.answered("(play m1 nil)")
        self.assertEqual(self.answered("(stop m1 ((mark 1 1) noop))").lower(), "done")

    def test_rules_outlast_the_start_clock(self):
        """Ready was said because the clock was over: the first move has its own clock, and is a legal one."""
        many = tuple(("many", str(i), str(i + 1)) for i in range(60000))
        terms = kif.write(self.game.terms + many)
        self.assertEqual(self.answered("(start m1 x %s 0.01 1000)" % terms).lower(), "ready")
        self.assertIn(kif.read(self.answered("(play m1 nil)")), self.game.legal(self.game.initial)["x"])

    # ---- wrong moves

    def test_wrong_joint_moves(self):
        """A PLAY that cannot be understood is answered, and the match goes on with the next that can."""
        for wrong in ("()", "((mark 1 1))", "((mark 1 1) noop noop)", "(noop noop)", "((mark 9 9) noop)", "((mark 1 1) (mark 1 2))",
                      "(() ())", "(nil nil)", "((mark 1 1 1) noop)", "((mark) noop)", "(((mark 1 1)) noop)", "nonsense",
                      "(?x ?y)", "((mark 1 1) noop) extra", "1 2 3 4 5", "-1 nil nil", "999 noop nil", "0 (mark 9 9) nil"):
            with self.subTest(wrong=wrong):
                self.start()
                self.answered("(play m1 nil)")
                self.answered("(play m1 %s)" % wrong)
                joint = {"x": ("mark", "3", "2"), "o": "noop"}
                move = kif.read(self.answered("(play m1 ((mark 3 2) noop))"))
                self.assertIn(move, self.game.legal(self.game.next(self.game.initial, joint))["x"])
                self.serve.say("(abort m1)")

    def test_play_after_the_end(self):
        self.start(game=self.small)
        self.answered("(play m1 nil)")
        self.answered("(play m1 ((show rock) (show paper)))")
        self.answered("(play m1 ((show rock) (show paper)))")
        self.assertEqual(self.answered("(stop m1 ((show rock) (show paper)))").lower(), "done")

    def test_extra_percepts(self):
        """Percepts that the rules do not give; what is answered is a move all the same."""
        game = program.game("monty_hall")
        self.start(game=game)
        self.assertEqual(self.answered("(play m1 0 nil nil)"), "noop")
        self.answered("(play m1 1 noop ((what is this) (open_door 2)))")
        self.answered("(play m1 2 (point_at 7) ())")
        self.answered("(play m1 7 stay (() ()))")

    # ---- rules

    def test_bad_rules(self):
        good = kif.write(self.small.terms)[1:-1]
        for name, text in {
                "nothing": "", "one word": "a", "no such role": good.replace("(role alice)", "(role zoe)"),
                "no role": good.replace("(role alice)", "").replace("(role bob)", ""),
                "unsafe": good + " (<= (p ?x) (not (q ?x)))", "unsafe head": good + " (<= (next ?x) (true start))",
                "negative cycle": good + " (<= p (not q)) (<= q (not p))",
                "growing terms": good + " (<= (n (s ?x)) (n ?x)) (n z)",
                "variable fact": good + " (p ?x)", "empty list": good + " ()", "empty rule": good + " (<=)",
                "rule without head": good + " (<= () (true start))", "arity": good + " (hand a b) (role)",
                "init of init": good + " (init)", "no legal move": "(role alice) (init a) (<= terminal (not (true a)))",
                "ends at once": "(role alice) (init a) (<= terminal (true a)) (legal alice b) (goal alice 100)",
                "no end": "(role alice) (init a) (legal alice b) (next a)",
                "head is a keyword": good + " (<= (true start) (true start)) (does alice b)",
                "deep": good + " (p " + "(f " * 3000 + "a" + ")" * 3000 + ")"}.items():
            with self.subTest(rules=name):
                self.answered("(start m1 alice (%s) 1 1)" % text)
                self.answered("(play m1 nil)")
                self.answered("(play m1 ((show rock) (show rock)))")
                self.answered("(stop m1 ((show rock) (show rock)))")
                self.serve.say("(abort m1)")
                self.assertEqual(self.serve.info(), "available")

    def test_bad_rules_are_not_ready(self):
        for text in ("(start m1 alice ((role alice)) 1 1)", "(start m1 zoe %s 1 1)" % kif.write(self.small.terms),
                     "(start m1 alice ((role alice) (<= (legal alice ?x) (not (p ?x)))) 1 1)", "(start m1 alice rules 1 1)"):
            self.assertNotEqual(self.answered(text).lower(), "ready", text)
            self.assertEqual(self.serve.info(), "available")

    def test_odd_but_good_rules(self):
        """Without base and input, in odd order, with `or` and a comment in the message."""
        text = ("((<= (goal me 100) won) (<= terminal won) (<= terminal (true (step 3))) ; said\n"
                "(<= (goal me 0) (not won)) (<= won (or (true lit) (not (true dark)))) (succ 1 2) (succ 2 3)"
                "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= (next dark) (not (does me (turn on))) (true dark))"
                "(<= (next lit) (does me (turn on))) (init dark) (init (step 1)) (legal me (turn on)) (legal me noop) (role me))")
        self.assertEqual(self.answered("(start m1 me %s 60 30)" % text).lower(), "ready")
        self.assertIn(self.answered("(play m1 nil)"), ("(turn on)", "noop"))
        self.assertIn(self.answered("(play m1 (noop))"), ("(turn on)", "noop"))
        self.assertEqual(self.answered("(stop m1 ((turn on)))").lower(), "done")


class Gone(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A manager leaves here; the other test passes the time until the player gives it up."""
        cls.left = program.Serve("--player", "random")
        cls.ready = cls.left.say(program.start_text(program.game("tictactoe"), "gone", play=0.1)).lower()
        cls.since = time.monotonic()  # before the last word it gets
        cls.left.ask("(play gone nil)")

    @classmethod
    def tearDownClass(cls):
        cls.left.finish()

    def test_a_manager_vanishes(self):
        """The match is not given up at once, and the slot stays taken."""
        self.assertEqual(self.ready, "ready")
        info, other = self.left.info(), self.left.say(program.start_text(program.game("tictactoe"), "next")).lower()
        if time.monotonic() - self.since < 4.5:  # or the machine was too slow to see it
            self.assertEqual((info, other), ("busy", "busy"))
        elif other == "ready":
            self.assertEqual(self.left.say("(abort next)").lower(), "aborted")

    def test_vanished_for_long(self):
        """It is given up after three play clocks and five seconds; another manager is welcome then."""
        info = self.left.info()
        if time.monotonic() - self.since < 4.5:
            self.assertEqual(info, "busy")
        self.assertTrue(program.wait_until(lambda: self.left.info() == "available"))
        self.assertEqual(self.left.say("(play gone ((mark 1 1) noop))").lower(), "busy")
        self.assertEqual(manager.Match(program.game("tictactoe"), {"o": self.left.address}).run().errors, [])

    def test_manager_closes_while_it_thinks(self):
        game = program.game("connect_four")
        with program.Serve("--player", "uct", "--matches", "3") as serve:
            for match in "abc":
                serve.begin(game, match)
                answer = serve.ask("(play %s nil)" % match, 0.2)
                self.assertEqual(answer.error, "late", answer.term)
            for match in "abc":
                self.assertEqual(serve.say("(abort %s)" % match).lower(), "aborted")
            self.assertEqual(serve.info(), "available")

            def attempt(factor):
                match = manager.Match(program.game("tictactoe"), {"x": serve.address}, clocks=(2 * factor, 0.4 * factor), match="z")
                self.assertEqual(match.run().errors, [])
            program.on_time(attempt)


class Names(unittest.TestCase):
    """Nothing that comes from the network becomes a name of a file, a command or a format."""

    IDS = ("../../escape", "/tmp/escape-zebra", "zebra", ".", "..", "zebra/zebra", "zebra\\zebra", "$zebra", "`zebra`",
           "%s%n%x-zebra", "-rf", "--help", "zebra" * 200, "zebra\u00e9", "a;touch", "|zebra", "nul", "~zebra", "*", "zebra.json")

    def test_ids(self):
        game = program.game("rock_paper_scissors")
        with tempfile.TemporaryDirectory() as root:
            inner = os.path.join(root, "a", "b", "records")
            os.makedirs(inner)
            log = os.path.join(root, "a", "log")
            with program.Serve("--player", "random", "--record", inner, "--log", log, cwd=os.path.join(root, "a", "b")) as serve:
                ids = [i for i in self.IDS if ";" not in i] + ["a;touch\n"]
                for name in ids:
                    match = manager.Match(game, {"alice": serve.address}, match=name).run()
                    if ";" not in name:
                        self.assertEqual(match.errors, [], name)
                self.assertEqual(serve.terminate(), 0)
            self.check_files(root, inner)
            with open(log, encoding="utf-8", errors="replace") as f:
                self.assertGreaterEqual(len(f.read().splitlines()), 3 * (len(ids) - 1))

    def check_files(self, root, inner):
        found = [os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names]
        outside = [path for path in found if not path.startswith(inner + os.sep) and path != os.path.join(root, "a", "log")]
        self.assertEqual(outside, [])
        self.assertFalse(os.path.exists("/tmp/escape-zebra"))
        self.assertEqual([path for path in found if "zebra" in path or "escape" in path or "touch" in path], [])
        self.assertGreaterEqual(len(found), len(self.IDS) - 1)

    def test_one_line_a_message(self):
        with tempfile.TemporaryDirectory() as root:
            log = os.path.join(root, "log")
            with program.Serve("--player", "random", "--log", log) as serve:
                for text in ("(info)", "(in\nfo\n\n)", "(a\r\nb)", "%n%s", "\x1b[31m\x07", "(play\n\n\nm\n\n1)", "\u2028\u0085", "("):
                    wire.ask(serve.address, text)
                self.assertEqual(serve.terminate(), 0)
            with open(log, "rb") as f:
                lines = f.read().split(b"\n")
            self.assertEqual(lines[-1], b"")
            self.assertEqual(len(lines) - 1, 8, lines)
            for line in lines:
                self.assertFalse(any(byte < 32 and byte != 9 for byte in line), line)


if __name__ == "__main__":
    program.main()
