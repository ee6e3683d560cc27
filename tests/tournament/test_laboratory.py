#!/usr/bin/env python3
"""The laboratory at the command line: clocks, settings, half-widths, minutes, formats, and matches shown again.
Needs MACAW and MACAW_SOURCE."""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import sqlite3
import subprocess
import tempfile
import unittest

MACAW = os.environ["MACAW"]


class Laboratory(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.db = os.path.join(self.folder.name, "results.db")

    def tearDown(self):
        self.folder.cleanup()

    def run_macaw(self, *words, status=0):
        done = subprocess.run([MACAW, *words], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def hold(self, *words):
        return json.loads(self.run_macaw("tournament", "--db", self.db, "--json", *words).stdout)

    def report(self):
        return json.loads(self.run_macaw("tournament", "--db", self.db, "--json", "--report").stdout)


class Clocks(Laboratory):
    def test_the_clock_is_written_down(self):
        told = self.hold("-g", "tictactoe", "-p", "random,legal", "-r", "1", "--clock-of", "cpu")
        self.assertEqual(told["clock_of"], "cpu")
        self.assertEqual(self.report()["clock_of"], "cpu")
        done = self.run_macaw("tournament", "--db", self.db, "-g", "tictactoe", "-p", "random,legal", "-r", "2", status=2)
        self.assertIn("clock-of cpu, not wall", done.stderr)
        record = json.loads(self.run_macaw("replay", self.db, "1", "--json").stdout)
        self.assertEqual(record["clock_of"], "cpu")
        match = json.loads(self.run_macaw("match", "tictactoe", "-p", "random,legal", "--clock-of", "cpu", "--json").stdout)
        self.assertEqual(match["clock_of"], "cpu")

    def test_cases(self):
        path = os.path.join(self.folder.name, "cases.jsonl")
        with open(path, "w") as f:
            f.write('{"game": "hanoi_3", "role": "robot", "good": ["(move 1 middle)", "(move 1 right)"]}\n')
        told = json.loads(self.run_macaw("cases", path, "--player", "legal", "--clock-of", "cpu", "--json").stdout)
        self.assertEqual(told["clock_of"], "cpu")


class Strength(Laboratory):
    """scripts/strength, without playing: what it would run, and what it makes of results."""

    def setUp(self):
        super().setUp()
        path = os.path.join(os.environ["MACAW_SOURCE"], "scripts", "strength")
        loader = importlib.machinery.SourceFileLoader("strength", path)
        self.script = importlib.util.module_from_spec(importlib.util.spec_from_loader("strength", loader))
        loader.exec_module(self.script)
        self.table = self.script.TABLES[0]

    def options(self, **changed):
        return argparse.Namespace(**{"rounds": 20, "until": None, "minutes": None, "jobs": 1, "clock_of": "wall",
                                     "setting": "shipped", "playouts": 10000, **changed})

    def test_commands(self):
        def words(**changed):
            return self.script.commands(self.table, "mac-ucb", "uct", self.options(**changed))[0]
        self.assertNotIn("--clock-of", words())
        cpu = words(clock_of="cpu", until=5)
        self.assertEqual(cpu[cpu.index("--clock-of") + 1], "cpu")
        self.assertEqual(cpu[cpu.index("--until") + 1], "5")
        published = words(setting="published")
        self.assertEqual(published[published.index("--setting") + 1], "published")
        self.assertNotIn("--clock", published)
        self.assertEqual(len({w[-1] for w in (words(), cpu, published)}), 3)  # files of their own

    def test_cells(self):
        self.hold("-g", "tictactoe", "-p", "mac-ucb,uct", "-r", "2", "-n", "30")
        cell = self.report()["cells"][0]
        text, value = self.script.share({("tictactoe", -30): cell}, {}, ("tictactoe", -30))
        self.assertEqual((value, text.endswith(", 4)")), (cell["share"], True))
        work = self.script.work_cell({("tictactoe", -30): cell}, ("tictactoe", -30))
        self.assertIn("100% network, tree", work)

    def test_places(self):
        page = "<!-- strength mac-ucb -->\n\nold\n\n<!-- end -->\nrest\n"
        made, at, stop = self.script.place_of(page, self.table, self.options(setting="published"))
        self.assertEqual(made[at:stop].strip(), "")
        self.assertIn("<!-- strength mac-ucb published -->", made)
        made, at, stop = self.script.place_of(page, self.table, self.options())
        self.assertEqual((made, made[at:stop].strip()), (page, "old"))


class Settings(Laboratory):
    def moves(self, players, *more):
        told = self.run_macaw("match", "connect_four", "-p", players, "-n", "300", "--seed", "3", "--json", *more)
        return json.loads(told.stdout)

    def test_the_reasoner_does_not_matter(self):
        """As published, mac-ucb is itself on the circuit: the same match, move by move, as on its network."""
        shipped = self.moves("mac-ucb,uct:batch=1:leaves=32")
        published = self.moves("mac-ucb,uct", "--setting", "published")
        self.assertEqual(shipped["moves"], published["moves"])
        self.assertGreater(shipped["counters"]["red"]["by_network"], 0)
        self.assertEqual(published["counters"]["red"]["by_network"], 0)
        self.assertEqual((shipped["setting"], published["setting"]), ("shipped", "published"))
        self.assertGreater(published["counters"]["red"]["by_circuit"], 0)
        self.assertNotEqual(self.moves("mac-ucb,uct")["moves"], published["moves"])

    def test_all_are_on_one_reasoner(self):
        """Nobody uses a network, and everybody has the number of simulations; less only where a move is proved."""
        told = self.hold("-g", "breakthrough_6x6", "-p", "uct,mac-ucb,grave,cfr,fc-ucb,mac-ucb-sym", "-r", "1", "-n", "320",
                         "--setting", "published", "--max-steps", "12")
        self.assertEqual((told["setting"], told["playouts"], told["clock_of"]), ("published", 320, None))
        for p in told["players"]:
            c = p["counters"]
            self.assertEqual(c["by_network"], 0, p["player"])
            self.assertGreaterEqual(c["playouts"], 0.9 * 320 * c["moves"], p["player"])
            self.assertLessEqual(c["playouts"], 352 * c["moves"], p["player"])

    def test_options_in_the_word_stay(self):
        told = self.moves("mac-ucb:network=yes,uct:batch=64:leaves=8", "--setting", "published")
        self.assertGreater(told["counters"]["red"]["by_network"], 0)

    def test_a_setting_is_kept(self):
        self.assertEqual(self.hold("-g", "tictactoe", "-p", "uct,random", "-r", "1", "--setting", "published")["playouts"], 10000)
        text = self.run_macaw("tournament", "--db", self.db, "--report").stdout
        self.assertIn("as published, 10000 simulations", text)
        done = self.run_macaw("tournament", "--db", self.db, "-g", "tictactoe", "-p", "uct,random", "-n", "10000", status=2)
        self.assertIn("setting published, not shipped", done.stderr)
        done = self.run_macaw("tournament", "-g", "tictactoe", "-p", "uct,random", "--setting", "published", "--clock", "1",
                              status=2)
        self.assertIn("--playouts", done.stderr)


class Enough(Laboratory):
    def test_until(self):
        words = ["-g", "tictactoe,hanoi_3", "-p", "uct,legal,random", "-n", "20", "--until", "12"]
        told = self.hold(*words)
        self.assertEqual((told["until"], told["planned"]), (12, None))
        counts = set()
        for cell in told["cells"]:
            self.assertLessEqual(cell["half_width"], 12)
            counts.add(cell["matches"])
            if len(cell["players"]) == 2:
                self.assertEqual(cell["matches"], cell["wins"] + cell["draws"] + cell["losses"])
                low, high = cell["share_interval"]
                self.assertAlmostEqual(cell["half_width"], 50 * (high - low), places=5)
        self.assertGreater(len(counts), 1)
        self.assertEqual(self.hold(*words)["played_now"], 0)
        self.assertEqual(self.report()["cells"], told["cells"])
        closer = self.hold(*words[:-1], "8")
        self.assertGreater(closer["matches"], told["matches"])
        self.assertEqual(closer["played_now"], closer["matches"] - told["matches"])

    def test_sprt_by_cell(self):
        told = self.hold("-g", "tictactoe", "-p", "uct,legal,random", "-n", "20", "--until", "1", "--sprt", "0,200", "-r", "200")
        first = [c for c in told["cells"] if c["players"][0] == "uct"]
        self.assertEqual(len(first), 2)
        for cell in first:
            self.assertGreater(cell["llr"], 2.9)
            self.assertLess(cell["matches"], 60)

    def test_minutes(self):
        words = ["-g", "tictactoe", "-p", "random,legal", "-n", "5", "-r", "1000000", "--minutes", "0.02"]
        told = self.hold(*words)
        self.assertTrue(told["out_of_time"])
        self.assertGreater(told["matches"], 0)
        again = self.hold(*words)
        self.assertEqual(again["matches"], told["matches"] + again["played_now"])

    def test_nonsense(self):
        for words, why in ((["--sprt", "0,20", "-p", "uct,legal,random"], "--until"),
                           (["--weights", "1", "-p", "uct,legal"], "--format swiss"),
                           (["--format", "swiss", "--weights", "1,2", "-p", "uct,legal"], "2 numbers for 1 games"),
                           (["--format", "swiss", "--matches", "x", "-p", "uct,legal"], "not x"),
                           (["--format", "swiss", "--until", "5", "-p", "uct,legal"], "half-width"),
                           (["--format", "knockout", "--final", "4", "-p", "uct,legal"], "follows a Swiss system"),
                           (["--format", "swis", "-p", "uct,legal"], "swiss")):
            done = self.run_macaw("tournament", "-g", "tictactoe", *words, status=2)
            self.assertIn(why, done.stderr)


class Formats(Laboratory):
    def test_swiss_with_a_final(self):
        words = ["-g", "tictactoe,hanoi_3", "-p", "uct,legal,random,mc,ucb", "-n", "30", "-f", "swiss", "--matches", "3,1",
                 "--weights", "0.5,2", "--final", "4", "--wins", "1"]
        told = self.hold(*words)
        self.assertEqual(sorted(told["ranks"]), ["legal", "mc", "random", "ucb", "uct"])
        self.assertEqual(len(told["swiss"]), 5)
        points = [row["points"] for row in told["swiss"]]
        self.assertEqual(points, sorted(points, reverse=True))
        for row in told["swiss"]:
            self.assertAlmostEqual(row["points"], sum(row["games"].values()))
        self.assertEqual(len(told["duels"]), 4)
        self.assertEqual(set(told["ranks"][:4]), {row["player"] for row in told["swiss"][:4]})
        self.assertEqual(told["ranks"][0], told["duels"][2]["winner"])
        self.assertEqual(self.hold(*words)["played_now"], 0)
        report = self.report()
        for key in ("swiss", "duels", "ranks", "format"):
            self.assertEqual(report[key], told[key])
        text = self.run_macaw("tournament", "--db", self.db, "--report").stdout
        self.assertIn("Swiss system", text)
        self.assertIn("third place", text)
        done = self.run_macaw("tournament", "--db", self.db, *words[:-2], "--wins", "2", status=2)
        self.assertIn("it was begun with", done.stderr)

    def test_gauntlet(self):
        told = self.hold("-g", "tictactoe", "-p", "uct,legal,random", "-n", "5", "-f", "gauntlet", "-r", "2")
        self.assertEqual([c["players"] for c in told["cells"]], [["uct", "legal"], ["uct", "random"]])


class Replay(Laboratory):
    def test_matches_are_kept_whole(self):
        self.hold("-g", "tictactoe,hanoi_3", "-p", "uct,random", "-n", "20", "-r", "1")
        told = json.loads(self.run_macaw("replay", self.db, "--json").stdout)["matches"]
        self.assertEqual([m["match"] for m in told], [1, 2, 3, 4])
        for m in told:
            self.assertRegex(m["date"], r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$")
            self.assertIn("-n 20", m["command"])
            self.assertTrue(m["host"] and m["version"])
            self.assertIn("commit", m)
            record = json.loads(self.run_macaw("replay", self.db, str(m["match"]), "--json").stdout)
            self.assertEqual(len(record["moves"]), m["steps"])
            self.assertEqual(list(record["goals"].values()), m["scores"])
            path = os.path.join(self.folder.name, "record.json")
            with open(path, "w") as f:
                json.dump(record, f)
            self.run_macaw("replay", path, "-q")
        self.assertIn("20 playouts", self.run_macaw("replay", self.db).stdout)
        self.assertIn("steps:", self.run_macaw("replay", self.db, "2").stdout)
        self.assertIn("there is no match 9", self.run_macaw("replay", self.db, "9", status=1).stderr)
        self.assertIn("is no number", self.run_macaw("replay", self.db, "first", status=2).stderr)

    def test_wrong_moves_are_told(self):
        self.hold("-g", "tictactoe", "-p", "legal,random", "-n", "20", "-r", "1")
        with sqlite3.connect(self.db) as db:
            db.execute("UPDATE matches SET moves = '((mark 1 1) noop) ((mark 1 1) noop)' WHERE id = 1")
            db.execute("UPDATE scores SET score = 1 WHERE match = 2")
        self.run_macaw("replay", self.db, "1", status=1)
        self.assertIn("scores", self.run_macaw("replay", self.db, "2", status=1).stderr)

    def test_other_rules_are_refused(self):
        path = os.path.join(self.folder.name, "small.kif")
        rules = "(role r) (init a) (legal r (go {0})) (<= (next b) (does r (go {0}))) (<= terminal (true b)) (goal r 100)"
        for word, status in (("1", 0), ("2", 2)):
            with open(path, "w") as f:
                f.write(rules.format(word))
            done = self.run_macaw("tournament", "--db", self.db, "-g", path, "-p", "legal", "-r", "2", "-n", "1", status=status)
        self.assertIn("other rules", done.stderr)


if __name__ == "__main__":
    unittest.main()
