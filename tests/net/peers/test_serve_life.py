#!/usr/bin/env python3
"""The life of `macaw serve`: it ends when told to, does not grow over many matches, and
does not care about the clock of the day.

MACAW_TEST_MATCHES is the number of matches (a few hundred by default); CLOCK_JUMPS the
library that makes the clock of the day jump.
"""
import os
import random
import signal
import subprocess
import threading
import time
import unittest

import kif
import manager
import program

MATCHES = int(os.environ.get("MACAW_TEST_MATCHES") or (60 if program.SAMPLE else 240))


class Ends(unittest.TestCase):
    def ends(self, begin, *options, signal_=signal.SIGTERM):
        """A signal, after begin(it): it is gone within a second, whatever it was doing."""
        def attempt(factor):
            with program.Serve(*options) as serve:
                asking = begin(serve)
                begun = time.monotonic()
                serve.process.send_signal(signal_)
                try:
                    code = serve.process.wait(program.PATIENCE)
                except subprocess.TimeoutExpired:
                    self.fail("it does not end")
                seconds = time.monotonic() - begun
                self.assertEqual(code, 0, serve.said())
                if asking:
                    asking.join()
                self.assertLess(seconds, factor)
        program.on_time(attempt)

    def test_idle(self):
        for signal_ in (signal.SIGTERM, signal.SIGINT):
            self.ends(lambda serve: None, signal_=signal_)

    def test_after_a_match_began(self):
        def begin(serve):
            serve.begin(program.game("connect_four"))
        self.ends(begin, "--ponder")

    def asking(self, serve, text, doing):
        """A thread that sends the message and waits, once the match is at work on it."""
        thread = threading.Thread(target=lambda: serve.ask(text))
        thread.start()
        self.assertTrue(program.wait_until(lambda: doing in [m["doing"] for m in serve.status()["matches"]]))
        return thread

    def test_while_thinking(self):
        def begin(serve):
            serve.begin(program.game("connect_four"))
            return self.asking(serve, "(play m1 nil)", "thinking")
        self.ends(begin, "--player", "uct")

    def test_while_reading_rules(self):
        """START of a large game is still being worked on."""
        with open(program.game_path("amazons_torus_10x10"), encoding="utf-8") as f:
            terms = kif.read_all(f.read())
        role = next(t[1] for t in terms if t[0] == "role")
        text = kif.write(("start", "large", role, tuple(terms), "1000", "10"))
        self.ends(lambda serve: self.asking(serve, text, "reading rules"))

    def test_twice(self):
        """The port is free again at once."""
        with program.Serve() as serve:
            port = serve.address[1]
            self.assertEqual(serve.info(), "available")
            self.assertEqual(serve.terminate(), 0)
        with program.Serve("--listen", "127.0.0.1:%d" % port) as serve:
            self.assertEqual(serve.address[1], port)
            other = subprocess.run([program.MACAW, "serve", "--listen", serve.where], capture_output=True, timeout=program.PATIENCE, check=False)
            self.assertIn(other.returncode, (1, 2, 3))
            self.assertIn(b"%d" % port, other.stderr)


class Lasts(unittest.TestCase):
    def test_many_matches(self):
        """Memory, threads and descriptors after many matches are what they were after some."""
        games = [program.game("rock_paper_scissors"), program.game("monty_hall")]
        rng = random.Random(4)
        with program.Serve("--player", "random") as serve:
            def play(count):
                for number in range(count):
                    game = games[number % 2]
                    role = game.roles[0]
                    names = kif.Scrambler(game.terms, rng) if number % 3 == 0 else kif.Plain
                    match = manager.Match(game, {role: serve.address}, match="m.%d" % rng.randrange(10 ** 9), names=names, rng=rng)
                    if number % 10 == 7:
                        match.start()
                        match.abort()
                    else:
                        match.run()
                    self.assertEqual(match.errors, [])
            play(MATCHES // 4)
            before = serve.rss(), serve.threads(), serve.descriptors()
            play(MATCHES - MATCHES // 4)
            after = serve.rss(), serve.threads(), serve.descriptors()
            print("%d matches: %d KiB, then %d KiB" % (MATCHES, before[0], after[0]))
            grown = 20000 if program.SAMPLE else 3000  # KiB; the sanitizer keeps what was freed for a while
            self.assertLess(after[0] - before[0], grown)
            self.assertTrue(program.wait_until(lambda: serve.threads() <= before[1] + 1), (before, after))
            self.assertTrue(program.wait_until(lambda: serve.descriptors() <= before[2] + 1), (before, after))
            self.assertEqual(serve.terminate(), 0)

    def test_the_clock_of_the_day_jumps(self):
        jumps = os.environ.get("CLOCK_JUMPS")
        if not jumps or not os.path.exists(jumps) or program.SAMPLE:
            self.skipTest("no library to make the clock jump")
        os.environ["LD_PRELOAD"] = jumps
        try:
            check = subprocess.run(["date", "+%s"], capture_output=True, check=True)
            self.assertGreater(abs(int(check.stdout) - time.time()), 3600, "the clock does not jump")
            serve = program.Serve("--player", "uct")
        finally:
            del os.environ["LD_PRELOAD"]
        with serve:
            game = program.game("tictactoe")
            def attempt(factor):
                match = manager.Match(game, {"x": serve.address}, clocks=(factor, 0.4 * factor)).run()
                self.assertEqual(match.errors, [])
            program.on_time(attempt)
            self.assertEqual(serve.say(program.start_text(game, "gone", start=2)).lower(), "ready")
            self.assertEqual(serve.info(), "busy")  # not given up because of a jump
            time.sleep(1)
            self.assertEqual(serve.info(), "busy")
            self.assertEqual(serve.terminate(), 0)


if __name__ == "__main__":
    program.main()
