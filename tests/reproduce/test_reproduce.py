"""scripts/reproduce: verdicts on made-up results, the page, stopping and going on."""
import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from types import SimpleNamespace

SOURCE = os.environ.get("MACAW_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MACAW = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 and os.path.exists(sys.argv[1]) else os.path.join(SOURCE, "build",
        "macaw")
SCRIPT = os.path.join(SOURCE, "scripts", "reproduce")
sys.path.insert(0, os.path.join(SOURCE, "scripts", "reproduce.d"))

import core  # noqa: E402
import matches  # noqa: E402
import page  # noqa: E402
import paper000  # noqa: E402
import paper003  # noqa: E402
import paper004  # noqa: E402
import lines  # noqa: E402
import svg  # noqa: E402
import verdicts  # noqa: E402
from verdicts import NONE, NOT, PARTLY, REPRODUCED  # noqa: E402


class Verdicts(unittest.TestCase):
    def test_interval_is_wilsons(self):
        # four wins of four, as `macaw tournament --json` prints them
        self.assertAlmostEqual(verdicts.interval(4, 4)[0], 51.01091635, 5)
        self.assertAlmostEqual(verdicts.interval(4, 4)[1], 100)
        self.assertEqual(verdicts.interval(0, 0), (0, 100))

    def test_shares_against_an_opponent(self):
        for theirs, points, n, word in (
                (70, 14, 19, NONE),          # too few
                (70, 14, 20, NONE),          # 50 is in the interval
                (70, 35, 50, REPRODUCED),
                (70, 95, 100, REPRODUCED),   # more than the paper's
                (90, 65, 100, PARTLY),       # above 50, but nearer
                (70, 20, 100, NOT),
                (70, 1000, 2000, NOT),       # narrow, and no difference
                (40, 10, 100, REPRODUCED),   # below, and further
                (40, 55, 100, NONE),
                (40, 90, 100, NOT)):
            self.assertEqual(verdicts.against(theirs, points, n).word, word, (theirs, points, n))

    def test_three_players_are_even_at_a_third(self):
        self.assertEqual(verdicts.against(55, 48, 100, 100 / 3).word, REPRODUCED)
        self.assertEqual(verdicts.against(55, 48, 100).word, NONE)

    def test_games_for_one(self):
        for theirs, points, n, word in ((70, 69, 100, REPRODUCED), (70, 95, 100, REPRODUCED), (70, 45, 100, PARTLY), (70, 10,
                100, NOT), (70, 5, 5, NONE)):
            self.assertEqual(verdicts.alone(theirs, points, n).word, word)

    def test_answers_and_times(self):
        for answer, seconds, ours, mine, word in (
                ("T", 1.0, "T", 0.5, REPRODUCED), ("T", 1.0, "T", 1.5, PARTLY), ("T", 1.0, "F", 0.5, NOT), ("T", 1.0, None, 30,
                NOT),
                (None, None, "T", 5, REPRODUCED), (None, None, None, 30, NONE), ("F", None, None, 30, NONE)):
            self.assertEqual(verdicts.solved(answer, seconds, ours, mine, 30).word, word)

    def test_examples(self):
        self.assertEqual(verdicts.same([1, 2], [1, 2]).word, REPRODUCED)
        self.assertEqual(verdicts.same(3, 4), verdicts.Verdict(NOT, "4 instead of 3"))
        self.assertEqual(verdicts.same(3, None).word, NONE)
        self.assertEqual(verdicts.at_least(100, 96).word, NOT)
        self.assertEqual(verdicts.at_least(100, 100).word, REPRODUCED)

    def test_sizes(self):
        theirs = {"variables": 10, "domain": 20}
        self.assertEqual(verdicts.sizes(theirs, {"variables": 11, "domain": 39}).word, REPRODUCED)
        self.assertEqual(verdicts.sizes(theirs, {"variables": 11, "domain": 400}).word, PARTLY)
        self.assertEqual(verdicts.sizes(theirs, {"variables": 1, "domain": 400}).word, NOT)

    def test_trend(self):
        rising = [(c, n * s / 100, n) for c, s, n in ((1, 30, 200), (5, 45, 200), (20, 60, 200), (60, 75, 200))]
        self.assertEqual(verdicts.trend(rising).word, REPRODUCED)
        self.assertEqual(verdicts.trend([(c, n - p, n) for c, p, n in rising]).word, NOT)
        self.assertEqual(verdicts.trend([(c, n / 2, n) for c, _, n in rising]).word, NONE)
        self.assertEqual(verdicts.trend([(c, p / 20, n / 20) for c, p, n in rising]).word, NONE)

    def test_optimum(self):
        cells = [(10, 40, 200), (50, 60, 200), (90, 150, 200), (95, 60, 200)]
        self.assertEqual(verdicts.optimum((86, 94), cells).word, REPRODUCED)
        self.assertEqual(verdicts.optimum((40, 60), cells).word, NOT)
        self.assertEqual(verdicts.optimum((86, 94), [(50, 99, 200), (90, 100, 200)]).word, PARTLY)
        self.assertEqual(verdicts.optimum((86, 94), [(50, 101, 200), (90, 100, 200)]).word, NONE)
        self.assertEqual(verdicts.optimum((86, 94), [(90, 100, 200)]).word, NONE)

    def test_tally_has_all_words(self):
        self.assertEqual(list(verdicts.tally([verdicts.missing("x")] * 2).values()), [0, 0, 0, 2])

    def test_halves_of_a_curve(self):
        self.assertEqual(paper000.change([1, 0] * 40, True).word, REPRODUCED)
        self.assertEqual(paper000.change([0] * 40 + [1] * 40, True).word, NOT)
        self.assertEqual(paper000.change([0] * 40 + [1] * 40, False).word, REPRODUCED)
        self.assertEqual(paper000.change([1, 0] * 5, True).word, NONE)

    def test_the_search_itself(self):
        self.assertEqual(paper003.count_verdict(0, 0).word, REPRODUCED)
        self.assertEqual(paper003.count_verdict(100, 0).word, NOT)
        self.assertEqual(paper003.count_verdict(100, 60).word, REPRODUCED)
        self.assertEqual(paper003.count_verdict(100, 5).word, PARTLY)
        self.assertEqual([paper003.smaller_verdict(80, x).word for x in (75, 30, 0)], [REPRODUCED, PARTLY, NOT])

    def test_orchard_by_backward_induction(self):
        self.assertAlmostEqual(paper000.orchard((), 3), 1)
        self.assertAlmostEqual(paper000.orchard((1,), 1), 2 / 3)  # tree, basket, or raven
        self.assertAlmostEqual(100 * paper000.orchard((10, 10, 10, 10), 9), 68.40, 2)

    def test_whether_a_tree_is_exhausted(self):
        over, going = '{"terminal":true}', '{"terminal":false}'
        self.assertEqual(paper004.exhausted(over, "no position to think about"), {"proved": None})
        self.assertEqual(paper004.exhausted(going, '{"proved":false}\n{"proved":true}'), {"proved": True})


class Fixture(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = self.place.name
        self.env = core.Env(os.path.join(self.folder, "keep"), MACAW)
        os.makedirs(self.env.folder)

    def path(self, name):
        return os.path.join(self.folder, name)


class Matches(Fixture):
    def store(self, cell, results):
        """results: [[(player, score), ...] a match]"""
        os.makedirs(os.path.dirname(cell.path(self.env)), exist_ok=True)
        db = sqlite3.connect(cell.store(self.env))
        db.execute("CREATE TABLE matches (id INTEGER PRIMARY KEY)")
        db.execute("CREATE TABLE scores (match INTEGER, seat INTEGER, player TEXT, score INTEGER)")
        for i, seats in enumerate(results, 1):
            db.execute("INSERT INTO matches VALUES (?)", (i,))
            for seat, (player, score) in enumerate(seats):
                db.execute("INSERT INTO scores VALUES (?, ?, ?, ?)", (i, seat, player, score))
        db.commit()
        db.close()
        cell.save(self.env, {"spent": 1.0, "tried": 0.0})
        return cell.load(self.env)

    def cell(self, game, first="mac-ucb", second="uct"):
        return matches.MatchCell(self.env, "test", game, first, second, matches.SHIPPED)

    def test_two_players(self):
        found = self.store(self.cell("tictactoe"), [[("mac-ucb", 100), ("uct", 0)], [("uct", 50), ("mac-ucb", 50)], [("uct",
                100), ("mac-ucb", 0)]])
        self.assertEqual((found["points"], found["n"], found["alone"]), (1.5, 3, False))
        self.assertEqual(found["curve"], [1, 0.5, 0])

    def test_one_against_two(self):
        found = self.store(self.cell("chinese_checkers"), [
            [("mac-ucb", 60), ("uct", 40), ("uct", 10)], [("mac-ucb", 60), ("mac-ucb", 40), ("uct", 10)], [("uct", 50),
            ("mac-ucb", 50), ("uct", 50)]])
        self.assertEqual(found["n"], 2)  # two against one is another question
        self.assertAlmostEqual(found["points"], 1 + 1 / 3)

    def test_games_for_one(self):
        found = self.store(self.cell("pacman"), [[("mac-ucb", 100)], [("uct", 20)], [("mac-ucb", 30)], [("uct", 100)]])
        self.assertEqual((found["points"], found["n"], found["alone"], found["second"]), (1, 2, True, [1, 2]))

    def test_the_price_of_a_verdict(self):
        cell = self.cell("tictactoe")
        first = cell.price(self.env)
        self.assertGreater(first, 0)
        cell.save(self.env, {"spent": 9.0, "tried": 9.0, "empty": 1})
        self.assertAlmostEqual(cell.price(self.env), 2 * first)  # nothing came of it
        won = [("mac-ucb", 100), ("uct", 0)]
        self.store(cell, [won] * 10)
        cell.save(self.env, {"spent": 5.0, "tried": 0.0, "empty": 0})
        self.assertAlmostEqual(cell.price(self.env), 5.0)  # ten more
        many = self.cell("othello")
        self.store(many, [won, won[::-1], [("mac-ucb", 0), ("uct", 100)], [("uct", 100), ("mac-ucb", 0)]] * 25)
        many.save(self.env, {"spent": 50.0, "tried": 0.0, "empty": 0})
        self.assertAlmostEqual(many.price(self.env), 25.0)  # half as many again
        clear = self.cell("hex")
        self.store(clear, [won] * 100)
        clear.save(self.env, {"spent": 50.0, "tried": 0.0, "empty": 0})
        self.assertAlmostEqual(clear.price(self.env), 250.0)  # it says something already

    def test_together(self):
        cell = lines.TeamCell(self.env, "test", "orchard", "mac-ucb", matches.SHIPPED)
        found = self.store(cell, [[("mac-ucb", 100), ("mac-ucb:memory=256", 100)], [("mac-ucb", 0), ("mac-ucb:memory=256", 0)]])
        self.assertEqual((found["points"], found["n"], found["alone"]), (1, 2, True))

    def test_what_is_absent_is_a_reason(self):
        cell = self.cell("no_such_game")
        row = lines.match_row(self.env, "x", cell, cell.load(self.env), 70)
        self.assertEqual((row.verdict.word, row.verdict.reason), (NONE, "there is no game no_such_game"))

    def test_results_of_another_command_are_not_used(self):
        cell = self.cell("tictactoe")
        self.store(cell, [[("mac-ucb", 100), ("uct", 0)]])
        other = self.cell("tictactoe", second="grave")
        os.rename(cell.path(self.env), other.path(self.env))
        self.assertIsNone(other.load(self.env))


    def test_another_clock_is_another_file(self):
        """A tournament refuses to go on with a file that was begun with other settings."""
        cell = self.cell("tictactoe")
        before = cell.store(self.env)
        scale = matches.SECONDS
        try:
            matches.SECONDS = scale * 2
            self.assertNotEqual(cell.store(self.env), before)
        finally:
            matches.SECONDS = scale
        self.assertEqual(cell.store(self.env), before)


class Plots(unittest.TestCase):
    def test_a_plot_is_svg_inside_its_frame(self):
        text = svg.plot("a & b", "x", "y", [svg.Series("one", [(1, 20), (2, 120, 90, 150)]), svg.Series("<two>", [(1, 50)],
                True)], even=50, marked=(1.2, 1.4, "here"))
        root = xml.fromstring(text)
        circles = [e for e in root.iter() if e.tag.endswith("circle")]
        self.assertEqual(len(circles), 3)
        for c in circles:
            self.assertTrue(svg.LEFT <= float(c.get("cx")) <= svg.WIDE - svg.RIGHT and svg.TOP <= float(c.get("cy")) <= svg.HIGH - svg.BOTTOM)
        self.assertIn("not measured", svg.plot("t", "x", "y", []))


class Page(Fixture):
    def item(self, rows, **more):
        cell = core.CommandCell("000-made", "one", [["macaw", "version"]], str.strip)
        return core.Item("000-made", "Table 9: made up", "Table 9", [cell], lambda results: core.Report(rows(results), **more))

    def test_page(self):
        rows = lambda results: [
            core.Row("Hex", "70", "71.0 (60..80)", verdicts.Verdict(REPRODUCED, "70 lies in the interval"), matches.SHIPPED,
            1234, "hex"),
            core.Row("Go | 9x9", "60", "", verdicts.missing("there is no game go"), matches.SHIPPED),
            core.Row("Nim", "55", "", verdicts.missing("there is no game go"), matches.SHIPPED)]
        out = self.path("results.md")
        page.write(self.env, [self.item(rows, plots={"made.svg": "<svg/>"}, notes=["A note."])], out, 7)
        with open(out, encoding="utf-8") as f:
            text = f.read()
        for wanted in ("`--minutes 7`", "| 000 | Table 9: made up | 1 |  |  | 2 |", "Table 9. 1 reproduced, 2 not measured.",
                "A note.",
                       "![Table 9: made up](results/made.svg)",
                       "| Hex | as shipped | 70 | 71.0 (60..80) | 1,234 | *reproduced*: 70 lies in the interval |",
                       "- *not measured*, as shipped: there is no game go. 2 lines: Go | 9x9 (paper: 60); Nim (paper: 55).",
                       "`scripts/reproduce --only 000-made` runs:\n\n    macaw version"):
            self.assertIn(wanted, text)
        with open(self.path("results/made.svg"), encoding="utf-8") as f:
            self.assertEqual(f.read(), "<svg/>")

    def test_own_rules_are_named(self):
        os.makedirs(self.path("games"))
        with open(self.path("games/odd.kif"), "w", encoding="utf-8") as f:
            f.write("; Odd.\n; rules: own\n(role a)\n")
        self.env.games_folder = self.path("games")
        row = core.Row("Odd", "1", "1", verdicts.Verdict(REPRODUCED, "equal"), game="odd")
        self.assertIn("Odd (own rules)", "\n".join(page.table(self.env, [row])))
        self.assertFalse(self.env.own_rules("absent"))

    def test_lengths_of_matches_come_from_the_list_of_games(self):
        self.assertTrue(5 < self.env.length("tictactoe") < 9)
        self.assertEqual(self.env.length("absent"), 100)

    def test_every_item_reports_without_results(self):
        """Nothing measured, no game, no option: reasons, not errors."""
        import main
        for games in (self.env.games_folder, self.path("nothing")):
            self.env.games_folder = games
            for module in main.PAPERS.values():
                for item in module.items(self.env):
                    report = item.report({c.key: None for c in item.cells})
                    self.assertTrue(report.rows, item.name)
                    self.assertTrue(all(r.verdict.reason for r in report.rows), item.name)


STUB = """#!/bin/sh
# stands in for macaw: notes its calls, and waits for ever in the call after those it is allowed
echo "$*" >>"{log}"
case $1 in
help) [ "$2" = tournament ] && echo "--setting --minutes"; exit 0 ;;
tournament) {tournament} ;;
model) case "$*" in *--count*) printf 'variables 1\\nconstraints 1\\n' ;; esac; exit 0 ;;
esac
if [ -e "{stop}" ] && [ "$(grep -c '^solve' "{log}")" -gt {allowed} ]; then touch "{waiting}"; exec sleep 600; fi
echo '{{"status":"SATISFIABLE","nodes":1}}'
"""


class Running(Fixture):
    def stub(self, allowed=5, tournament="exit 0"):
        path = self.path("stub")
        names = {k: self.path(k) for k in ("log", "stop", "waiting")}
        with open(path, "w", encoding="utf-8") as f:
            f.write(STUB.format(allowed=allowed, tournament=tournament.replace("{log}", names["log"]), **names))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def words(self, *more):
        return [sys.executable, "-B", SCRIPT, "--keep", self.path("kept"), "--page", self.path("results.md"), "--jobs", "1",
                *more]

    def solves(self):
        with open(self.path("log"), encoding="utf-8") as f:
            return [line for line in f if line.startswith("solve")]

    def stopped(self, how, before=None):
        """Stops a run in the sixth cell, goes on, and checks that no cell was run twice but that one."""
        stub = self.stub()
        open(self.path("stop"), "w").close()
        words = self.words("--only", "001-table1", "--minutes", "0", "--macaw", stub)
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                                   preexec_fn=before)
        for _ in range(600):
            if os.path.exists(self.path("waiting")):
                break
            time.sleep(0.1)
        self.assertTrue(os.path.exists(self.path("waiting")), "the run never came to its sixth cell")
        os.kill(process.pid, how)
        _, err = process.communicate(timeout=60)
        first = len(self.solves())
        os.remove(self.path("stop"))
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = self.solves()
        self.assertEqual(first, 6)
        self.assertEqual(len(calls), 24 + 1)
        self.assertEqual(len(set(calls)), 24)
        return process.returncode, err

    def test_going_on_after_a_kill(self):
        self.stopped(signal.SIGKILL)

    def test_going_on_after_an_interrupt(self):
        # as a shell starts its background jobs: what is ignored stays so for the children
        status, err = self.stopped(signal.SIGINT, lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.assertEqual(status, 1)
        self.assertIn("goes on from here", err)

    def test_minutes_are_spread(self):
        """A tournament that gives nothing: every cell has its turn, and the run ends in time."""
        stub = self.stub()
        words = self.words("--only", "000-orchard", "--minutes", "0.03", "--macaw", stub)
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("log"), encoding="utf-8") as f:
            calls = {line.split("--db")[0] for line in f if line.startswith("tournament")}
        self.assertEqual(len(calls), 4)

    def test_list(self):
        done = subprocess.run(self.words("--list", "--macaw", MACAW), capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("000-table2", "000-table3", "000-table4", "000-fig5", "000-fig6", "000-orchard", "001-table1",
                "001-tictactoe", "002-ucb1", "002-kriegspiel",
                     "003-fig1", "003-fig2-solving", "003-fig2-symmetry", "003-table2-search", "003-table2-wins", "004-puzzles",
                     "004-table9",
                     "004-table10", "004-swiss", "004-joint"):
            self.assertIn("\n" + name, "\n" + done.stdout)
        self.assertFalse(os.path.exists(self.path("results.md")))

    def test_mistakes(self):
        for words, wanted in ((["--only", "009"], "there is no table or figure 009"), (["--minutes", "-1"], "--minutes"),
                (["--jobs", "0"], "--jobs"),
                              (["--macaw", "/nowhere/macaw"], "there is no program")):
            done = subprocess.run(self.words(*words), capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2)
            self.assertIn(wanted, done.stderr)

    def test_a_cheap_item(self):
        done = subprocess.run(self.words("--only", "002-sudoku", "--minutes", "0", "--macaw", MACAW), capture_output=True,
                text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("results.md"), encoding="utf-8") as f:
            text = f.read()
        self.assertIn("| row A | 483921657 | 483921657 | *reproduced*: equal |", text)
        self.assertIn("| 002 | Sudoku | 10 |  |  |  |", text)
        self.assertNotIn(self.folder, text)

    def test_the_program_that_counts_rounds_is_called_as_it_wants(self):
        command = paper003.search_cell(SimpleNamespace(macaw=MACAW, has_game=lambda game: True), "monty_hall").commands[-1]
        if not os.path.exists(command[0]):
            self.skipTest("bench-rounds is not built beside the program")
        done = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        for name in ("nogoods", "symmetries", "ame_budget", "ame_depth", "ame_tree"):
            self.assertIn(name, found)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
