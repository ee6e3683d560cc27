"""perft, simulate and solve on several ranks give the numbers that one process gives."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from ranks import SOURCE, main, mpirun, run, without

CLOCK = ("seconds", "build_seconds", "playouts_per_second", "threads", "ranks")


def same(test, ranks, *words, alone=()):
    here = json.loads(run(*words, "--json", *alone).stdout)
    there = json.loads(mpirun(ranks, *words, "--json").stdout)
    test.assertEqual(without(here, *CLOCK), without(there, *CLOCK))
    return there


class Perft(unittest.TestCase):
    def test_counts(self):
        same(self, 3, "perft", "connect_four", 7)
        same(self, 2, "perft", "tictactoe", 20)  # to the end of the game

    def test_simultaneous_moves_and_symmetry(self):
        same(self, 3, "perft", "tictactoe", 9, "--symmetry")
        same(self, 3, "perft", "connect_four_simultaneous", 4)

    def test_more_ranks_than_states(self):
        same(self, 4, "perft", "tictactoe", 0)

    def test_interpreter_is_refused(self):
        r = mpirun(2, "perft", "tictactoe", 2, "--engine", "interpreter", check=False)
        self.assertNotEqual(r.returncode, 0)
        self.assertEqual(r.stderr.count("--mpi needs the circuit"), 1)


class Simulate(unittest.TestCase):
    def test_the_playouts_of_as_many_threads(self):
        there = same(self, 3, "simulate", "connect_four", "-n", 30001, "--seed", 5, alone=("--threads", 3))
        self.assertEqual((there["ranks"], there["playouts"]), (3, 30001))

    def test_threads_in_ranks(self):
        here = json.loads(run("simulate", "tictactoe", "-n", 5003, "--threads", 4, "--json").stdout)
        there = json.loads(mpirun(2, "simulate", "tictactoe", "-n", 5003, "--threads", 2, "--json").stdout)
        self.assertEqual(without(here, *CLOCK), without(there, *CLOCK))

    def test_what_is_wrong_is_said_once(self):
        r = mpirun(3, "simulate", "no_such_game", "-n", 1, check=False)
        self.assertEqual(r.returncode, 1)
        self.assertEqual(r.stderr.count("no_such_game"), 1)


class Solve(unittest.TestCase):
    def network(self, name):
        return os.path.join(SOURCE, "examples", "csp", name + ".xml")

    def numbers(self, ranks, name, *words):
        r = mpirun(ranks, "solve", self.network(name), "--json", *words)
        d = json.loads(r.stdout)
        return d["status"], d["solutions"], d["complete"], d.get("best")

    def test_counts(self):
        for name, any_ in (("queens8", []), ("golomb", ["--any"]), ("sudoku", [])):
            here = json.loads(run("solve", self.network(name), "--json", "--count", *any_).stdout)
            there = self.numbers(3, name, "--count", *any_)
            self.assertEqual(there[:3], (here["status"], here["solutions"], True), name)

    def test_optimum(self):
        for name in ("golomb", "knapsack", "travelling_salesman"):
            here = json.loads(run("solve", self.network(name), "--json").stdout)
            there = self.numbers(3, name, "--check")
            self.assertEqual((there[0], there[3]), ("OPTIMUM FOUND", here["best"]), name)

    def test_some_solutions(self):
        r = mpirun(3, "solve", self.network("queens8"), "-n", 5, "--check")
        lines = r.stdout.splitlines()
        found = [x for x in lines if x.startswith("v ")]
        self.assertEqual((len(found), len(set(found))), (5, 5))
        self.assertIn("d VERIFIED 5 solutions", lines)

    def test_all_solutions(self):
        r = mpirun(2, "solve", self.network("queens8"), "--all", "--check")
        found = [x for x in r.stdout.splitlines() if x.startswith("v ")]
        self.assertEqual((len(found), len(set(found))), (92, 92))

    def test_what_cannot_be_shared_is_refused(self):
        for words in (["solve", self.network("queens8"), "--symmetry"], ["solve", "lights_out_3x3"]):
            r = run(*words, "--mpi", check=False)
            self.assertEqual(r.returncode, 2, r.stderr)
            self.assertIn("--mpi does not", r.stderr)


if __name__ == "__main__":
    main()
