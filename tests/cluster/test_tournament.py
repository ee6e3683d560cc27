"""A tournament on several ranks: the results of a local one, whatever becomes of the ranks."""
import json
import os
import signal
import sqlite3
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from ranks import finish, main, mpirun, process_of, run, start, wait_for, without

SMALL = ("tournament", "-g", "tictactoe,connect_four", "-p", "uct,random,mc", "-n", 50, "-r", 2, "--seed", 4, "--json")
# sanitizers make it long enough with less
LONG = ("tournament", "-g", "connect_four", "-p", "uct,mc", "-n", 4000 if os.environ.get("MACAW_TEST_SAMPLE") == "1" else 20000,
        "-r", 12, "--seed", 4, "--json")


def played(file):
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
            return db.execute("select count(*) from matches").fetchone()[0]
    except sqlite3.Error:
        return 0


def timeless(value):
    """Without what depends on the machine: seconds, and how they add up."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k != "seconds"}
    return [timeless(v) for v in value] if isinstance(value, list) else value


def table(text):
    return timeless(without(json.loads(text), "played_now"))


class Tournament(unittest.TestCase):
    def test_the_same_results(self):
        here = table(run(*SMALL).stdout)
        r = mpirun(3, *SMALL)
        self.assertEqual(here, table(r.stdout))
        self.assertIn("matches played by rank 1:", r.stderr)
        self.assertEqual(here, table(mpirun(2, *SMALL, "--jobs", 2).stdout))
        self.assertEqual(here, table(mpirun(1, *SMALL).stdout))

    def test_a_rank_is_killed(self):
        here = table(run(*LONG).stdout)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "results.db")
            job = start(3, *LONG, "--db", file, "--patience", 2)
            victim = wait_for(lambda: process_of(job, 2), "rank 2")
            wait_for(lambda: played(file) >= 3, "three results")
            os.kill(victim, signal.SIGKILL)
            before = played(file)
            out, err = finish(job)
            self.assertLess(before, 24, "it was over before the rank was killed")
            self.assertEqual(here, table(out))
            self.assertRegex(err, r"rank 2: \d+ \(lost\)")

    def test_a_player_that_cannot_play(self):
        r = mpirun(2, "tournament", "-g", "tictactoe", "-p", "uct,no_such_player", "-n", 10, "-r", 1, check=False)
        self.assertNotEqual(r.returncode, 0)
        self.assertIn("no_such_player", r.stderr)


if __name__ == "__main__":
    main()
