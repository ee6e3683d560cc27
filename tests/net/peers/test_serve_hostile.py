#!/usr/bin/env python3
"""Rules that do harm to whoever runs them: each costs its own match at most, and `macaw serve` goes on.

Also what becomes of a match whose process is killed.
"""
import os
import signal
import threading
import time
import unittest

import kif
import program

FRAME = "(role x) (init (n z)) (legal x go) (legal x stay) (<= terminal (true (n end))) (goal x 50) %s"
COUNT = 21
FACTS = " ".join("(d %d)" % i for i in range(COUNT - 1))
JOIN = " ".join("(d ?x%d)" % i for i in range(COUNT))
APART = " ".join("(distinct ?x%d ?x%d)" % (i, k) for i in range(COUNT) for k in range(i))


def nested(levels):
    return "(s " * levels + "?x" + ")" * levels


HOSTILE = {
    "deep": FRAME % "(<= (next (n %s)) (true (n ?x)))" % nested(900),
    "doubling": FRAME % "(<= (next (n (s ?x ?x))) (true (n ?x)))",
    "counting": FRAME % "(<= (next (n (s ?x))) (true (n ?x)))",
    "legal": FRAME % "%s (<= (legal x w) %s %s)" % (FACTS, JOIN, APART),
    "init": FRAME % "%s (<= (init w) %s %s)" % (FACTS, JOIN, APART),
    "next": FRAME % "%s (<= (next w) (true (n z)) %s %s)" % (FACTS, JOIN, APART),
    "state": FRAME % "%s (<= (next (d ?x)) (true (d ?x))) (<= (legal x w) %s %s)" % (
        FACTS.replace("(d", "(init (d").replace(")", "))"), JOIN.replace("(d", "(true (d").replace(")", "))"), APART),
    "cross": FRAME % "%s (<= (next (c %s)) %s)" % (FACTS, " ".join("?x%d" % i for i in range(COUNT)), JOIN),
    "squares": FRAME % "(<= (next (n (f ?x ?y))) (true (n ?x)) (true (n ?y))) (<= (next (n (g ?x ?y))) (true (n ?x)) (true (n ?y)))",
    "long": FRAME % "(<= (next (n z)) %s)" % ("(true (n z)) " * 20000),
    "chain": FRAME % "p0 %s (<= (next (n z)) p20000)" % " ".join("(<= p%d p%d)" % (i + 1, i) for i in range(20000)),
}


class Hostile(unittest.TestCase):
    def children(self, serve):
        """Processes that it has started."""
        found = []
        for name in os.listdir("/proc"):
            try:
                with open("/proc/%s/stat" % name, encoding="utf-8") as f:
                    fields = f.read().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[1] == str(serve.process.pid) and fields[0] != "Z":
                found.append(int(name))
        return found

    def gone(self, serve):
        self.assertTrue(program.wait_until(lambda: not self.children(serve)))
        self.assertTrue(program.wait_until(lambda: serve.status()["matches_leaving"] == 0))
        self.assertEqual(serve.info(), "available")

    def test_one_after_another(self):
        with program.Serve("--memory", "512") as serve:
            before = serve.threads(), serve.descriptors()
            for name, rules in HOSTILE.items():
                with self.subTest(rules=name):
                    answer = serve.ask("(start m1 x (%s) 1 0.5)" % rules)
                    self.assertIsNotNone(answer.reply)
                    serve.ask("(play m1 nil)")
                    serve.ask("(play m1 (go))")
                    self.assertEqual(serve.say("(abort m1)").lower(), "aborted")
                    self.gone(serve)
            self.assertTrue(program.wait_until(lambda: serve.threads() <= before[0] and
                                               serve.descriptors() <= before[1] + 1))
            self.assertEqual(serve.terminate(), 0)

    def test_abandoned_in_a_row(self):
        """START and ABORT, often: what was abandoned ends at once, and a further START is not refused."""
        with program.Serve() as serve:
            for i in range(5 if program.SAMPLE else 12):
                text = "(start m%d x (%s) 10 10)" % (i, HOSTILE["legal"])
                thread = threading.Thread(target=serve.ask, args=(text,))
                thread.start()
                self.assertTrue(program.wait_until(lambda: serve.status()["matches"] or not thread.is_alive()))
                time.sleep(0.05)  # somewhere on its way
                serve.say("(abort m%d)" % i)
                thread.join()
            self.gone(serve)
            self.assertEqual(serve.say(program.start_text(program.game("tictactoe"), start=20, play=20)).lower(), "ready")

    def test_a_match_does_not_end_another(self):
        """Two matches: one of them takes all the memory it can get, the other one goes on."""
        with program.Serve("--matches", "2", "--memory", "256", "--player", "random") as serve:
            game = program.game("tictactoe")
            self.assertEqual(serve.say(program.start_text(game, match="good")).lower(), "ready")
            serve.ask("(start bad x (%s) 3 2)" % HOSTILE["cross"])
            bad = threading.Thread(target=serve.ask, args=("(play bad nil)",))
            bad.start()
            self.assertIn("mark", serve.say("(play good nil)"))
            bad.join()
            self.assertEqual(serve.say("(stop good nil)").lower(), "done")

    def kill_children(self, serve, signal_):
        for child in self.children(serve):
            os.kill(child, signal_)

    def play(self, serve, game, kills):
        """A match, whose process is killed before or while a turn is thought about."""
        state, last = game.initial, None
        for step in range(4 if kills == "within" else 20):
            if game.terminal(state):
                break
            if kills == "between":
                self.kill_children(serve, signal.SIGKILL)
            text = "(play m1 %s)" % ("nil" if last is None else kif.write(tuple(last)))
            if kills == "within":
                threading.Timer(0.15, self.kill_children, args=(serve, signal.SIGKILL)).start()
            answer = kif.read(serve.say(text))
            legal = game.legal(state)
            self.assertIn(answer, legal[game.roles[0]], "step %d" % step)
            last = [answer] + [sorted(legal[r], key=str)[0] for r in game.roles[1:]]
            state = game.next(state, dict(zip(game.roles, last)))

    def test_processes_that_are_killed(self):
        for kills in ("within", "between"):
            game = program.game("connect_four" if kills == "within" else "tictactoe")
            player = "uct" if kills == "within" else "random"

            def attempt(factor):
                with program.Serve("--player", player) as serve:
                    serve.begin(game, start=1, play=1.5 * factor)
                    self.play(serve, game, kills)
                    self.assertEqual(serve.say("(abort m1)").lower(), "aborted")
                    self.gone(serve)
            with self.subTest(kills=kills):
                program.on_time(attempt)

    def test_a_process_that_is_frozen(self):
        """It holds a legal move, which is answered in its place and on time; then another one takes over."""
        game = program.game("connect_four")

        def attempt(factor):
            clock = 1.5 * factor
            with program.Serve("--player", "uct") as serve:
                serve.begin(game, start=1, play=clock)
                frozen = self.children(serve)
                threading.Timer(0.3 * factor, self.kill_children, args=(serve, signal.SIGSTOP)).start()
                answer = serve.ask("(play m1 nil)")
                self.assertIn(answer.term, game.legal(game.initial)[game.roles[0]])
                self.assertLess(answer.seconds, clock)
                self.assertTrue(program.wait_until(lambda: self.children(serve) not in ([], frozen)))
                joint = {r: m[0] for r, m in game.legal(game.initial).items()}
                joint[game.roles[0]] = answer.term
                moves = kif.write(tuple(joint[r] for r in game.roles))
                second = kif.read(serve.say("(play m1 %s)" % moves))
                self.assertIn(second, game.legal(game.next(game.initial, joint))[game.roles[0]])
        program.on_time(attempt)

    def test_nobody_is_left_behind(self):
        """The server itself is killed: its processes end, too."""
        with program.Serve() as serve:
            serve.ask("(start m1 x (%s) 1 1)" % HOSTILE["legal"])
            children = self.children(serve)
            self.assertEqual(len(children), 1)
            serve.process.kill()
            self.assertTrue(program.wait_until(lambda: self.ended(children[0])))

    @staticmethod
    def ended(process):
        """Gone, or nobody has asked how it ended."""
        try:
            with open("/proc/%d/stat" % process, encoding="utf-8") as f:
                return f.read().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True


if __name__ == "__main__":
    program.main()
