"""Root-parallel search: rank 0 plays, the others assist, and nobody waits for them."""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from ranks import ENVIRONMENT, MACAW, TIMEOUT, command, finish, main, mpirun, process_of, run, start, wait_for


class Match(unittest.TestCase):
    def check(self, out):
        m = json.loads(out)
        self.assertTrue(m["terminal"])
        self.assertEqual(set(m["late"].values()) | set(m["illegal"].values()), {0})
        return m

    def test_a_match(self):
        r = mpirun(3, "match", "tictactoe", "-p", "macaw,macaw", "-c", 3, "--json")
        self.assertEqual(set(self.check(r.stdout)["goals"].values()), {50})
        self.assertRegex(r.stderr, r"3 ranks, each sent [\d.]+ to [\d.]+ kB")

    def test_a_rank_is_killed_and_one_is_stopped(self):
        job = start(4, "match", "connect_four", "-p", "macaw,random", "-c", 3, "--json", "--patience", 2)
        killed = wait_for(lambda: process_of(job, 3), "rank 3")
        stopped = wait_for(lambda: process_of(job, 2), "rank 2")
        time.sleep(1)
        os.kill(killed, signal.SIGKILL)
        os.kill(stopped, signal.SIGSTOP)
        line = job.stdout.readline()  # mpirun waits for the one that is stopped
        os.kill(stopped, signal.SIGKILL)
        finish(job)
        m = self.check(line)
        self.assertEqual(m["goals"]["red"], 100)

    def test_a_player_that_thinks_alone(self):
        r = mpirun(2, "match", "tictactoe", "-p", "mc,random", "-n", 50, "--json")
        self.assertIn("rank 0 plays alone", r.stderr)
        self.check(r.stdout)


class Serve(unittest.TestCase):
    def test_two_matches(self):
        job = subprocess.Popen(command(3, ["serve", "--listen", "0"]), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env=ENVIRONMENT)
        address = job.stdout.readline().split()[-1]
        try:
            for game in ("tictactoe", "nim"):
                r = run("manage", game, address, "random", "--start", 5, "--play", 5, "--json")
                self.assertEqual(json.loads(r.stdout)["errors"], 0, r.stdout)
        finally:
            job.send_signal(signal.SIGTERM)
            out, err = job.communicate(timeout=TIMEOUT)
        self.assertIn("3 ranks, each sent", err)


if __name__ == "__main__":
    main()
