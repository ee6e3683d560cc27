#!/usr/bin/env python3
"""Players from outside in tournaments: on the network, and in shared libraries. Whoever misbehaves loses moves, and the
tournament goes on. Needs MACAW, MACAW_SOURCE, and the shared libraries in PLUGINS."""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MACAW_SOURCE"], "tests", "net", "peers"))
import player  # noqa: E402

MACAW, PLUGINS = os.environ["MACAW"], os.environ["PLUGINS"]

# One step: whoever bids more wins. One way to be late, so that tests are short.
BIDDING = """
(role a) (role b) (init open) (bids 1) (bids 2) (bids 3) (more 2 1) (more 3 1) (more 3 2)
(<= (legal ?r (bid ?n)) (role ?r) (bids ?n) (true open))
(<= (next (made ?r ?n)) (does ?r (bid ?n)))
(<= terminal (true (made ?r ?n)))
(<= (won ?r) (true (made ?r ?x)) (true (made ?s ?y)) (distinct ?r ?s) (more ?x ?y))
(<= (goal ?r 100) (won ?r)) (<= (goal ?r 0) (role ?r) (not (won ?r)))
"""


def plugin(name):
    return os.path.join(PLUGINS, name + ".so")


class Outside(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.game = os.path.join(self.folder.name, "bidding.kif")
        self.db = os.path.join(self.folder.name, "results.db")
        with open(self.game, "w") as f:
            f.write(BIDDING)

    def tearDown(self):
        self.folder.cleanup()

    def words(self, players, *more):
        return [MACAW, "tournament", "-g", self.game, "-p", ",".join(players), "--json", "--db", self.db, *more]

    def hold(self, players, *more):
        done = subprocess.run(self.words(players, *more), capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        return told, {p["player"]: p for p in told["players"]}

    def refuse(self, players, status, why, *more):
        done = subprocess.run(self.words(players, *more), capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(why, done.stderr)

    def stored(self):
        try:
            with sqlite3.connect(f"file:{self.db}?mode=ro", uri=True) as db:
                return db.execute("SELECT count(*) FROM matches").fetchone()[0]
        except sqlite3.Error:
            return 0


class Network(Outside):
    def test_a_good_player(self):
        with player.Player() as peer:
            word = "gcl:" + peer.where
            told, by = self.hold([word, "legal"], "-r", "2", "--clock", "5", "--start", "5")
        self.assertEqual(peer.troubles, [])
        self.assertEqual(told["matches"], 4)
        self.assertEqual((by[word]["late"], by[word]["illegal"]), (0, 0))
        verbs = [m[0].lower() for _, m in peer.log]
        self.assertEqual(verbs, ["start", "play", "stop"] * 4)

    def test_by_playouts(self):
        """Who counts playouts gives the network a clock all the same, and a start clock."""
        with player.Player() as peer:
            told, by = self.hold(["gcl:" + peer.where, "uct"], "-r", "1", "--playouts", "20")
        start = [m for _, m in peer.log if m[0].lower() == "start"][0]
        self.assertEqual((float(start[4]), float(start[5])), (5, 1))
        self.assertEqual((told["matches"], by["gcl:" + peer.where]["late"]), (2, 0))

    def test_one_match_at_a_time(self):
        with player.Player() as peer:
            told, _ = self.hold(["gcl:" + peer.where, "legal", "random", "mc"], "-r", "2", "-j", "4", "--playouts", "5")
        self.assertEqual(told["matches"], 6 * 4)
        self.assertEqual([m[0].lower() for _, m in peer.log], ["start", "play", "stop"] * 12)

    def test_bad_players(self):
        for fault in ("illegal", "garbage", "unbalanced", "empty", "error", "reset", "cut", "busy", "nil", "vanish"):
            with self.subTest(fault=fault), player.Player(fault=fault) as peer:
                if os.path.exists(self.db):
                    os.unlink(self.db)
                word = "gcl:" + peer.where
                told, by = self.hold([word, "legal"], "-r", "1", "--clock", "1", "--start", "2")
                self.assertEqual(told["matches"], 2)
                self.assertEqual(by[word]["late"] + by[word]["illegal"], 2)
                self.assertEqual((by["legal"]["late"], by["legal"]["illegal"]), (0, 0))

    def test_silent_players(self):
        """Each loses its clock and the grace, and no more."""
        for fault in ("silent", "drip"):
            with self.subTest(fault=fault), player.Player(fault=fault) as peer:
                if os.path.exists(self.db):
                    os.unlink(self.db)
                word = "gcl:" + peer.where
                told, by = self.hold([word, "legal"], "-r", "1", "--clock", "0.2", "--start", "2")
                self.assertEqual((told["matches"], by[word]["late"] + by[word]["illegal"]), (2, 2))

    def test_nobody_there(self):
        told, by = self.hold(["gcl:127.0.0.1:1", "legal"], "-r", "2", "--clock", "0.2", "--start", "1")
        self.assertEqual((told["matches"], by["gcl:127.0.0.1:1"]["late"]), (4, 4))

    def test_no_address(self):
        self.refuse(["gcl:nowhere", "legal"], 1, "gcl:HOST:PORT")

    def test_kill_and_go_on(self):
        with player.Player(think=0.05) as peer:
            words = self.words(["gcl:" + peer.where, "legal", "random"], "-r", "8", "--clock", "5", "--start", "5")
            first = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + 60
            while self.stored() < 5 and first.poll() is None and time.monotonic() < until:
                time.sleep(0.01)
            first.send_signal(signal.SIGKILL)
            first.wait()
            before = self.stored()
            self.assertTrue(5 <= before < 48)
            told, _ = self.hold(["gcl:" + peer.where, "legal", "random"], "-r", "8", "--clock", "5", "--start", "5")
        self.assertEqual((told["matches"], told["played_now"]), (48, 48 - before))


class Library(Outside):
    def test_a_good_player(self):
        told, by = self.hold([plugin("faulty_none"), "legal", "random"], "-r", "2", "--playouts", "5")
        self.assertEqual(told["matches"], 12)
        self.assertEqual(sum(p["late"] + p["illegal"] for p in told["players"]), 0)

    def test_bad_players(self):
        for fault, late, illegal in (("crash", 0, 2), ("endless", 2, 0), ("illegal", 0, 2), ("silent", 2, 0)):
            with self.subTest(fault=fault):
                if os.path.exists(self.db):
                    os.unlink(self.db)
                word = plugin("faulty_" + fault)
                told, by = self.hold([word, "legal"], "-r", "1", "--clock", "0.3")
                self.assertEqual(told["matches"], 2)
                self.assertEqual((by[word]["late"], by[word]["illegal"]), (late, illegal))
                self.assertEqual((by["legal"]["late"], by["legal"]["illegal"]), (0, 0))

    def test_processor_time(self):
        """Who never stops is late by its own work, too."""
        word = plugin("faulty_endless")
        told, by = self.hold([word, "legal"], "-r", "1", "--clock", "0.2", "--clock-of", "cpu")
        self.assertEqual((told["clock_of"], by[word]["late"], by["legal"]["late"]), ("cpu", 2, 0))

    def test_no_players(self):
        self.refuse([plugin("no_such_file"), "legal"], 1, "no_such_file.so")
        self.refuse([plugin("faulty_nothing"), "legal"], 1, "does not define macaw_plugin_player")
        self.refuse([plugin("faulty_old"), "legal"], 1, "was made for version 2")
        self.refuse([plugin("faulty_no_move"), "legal"], 1, "no function that moves")
        self.refuse([plugin("faulty_sulks"), "legal"], 1, "not in the mood")
        self.refuse([self.game, "legal"], 1, "cannot load")
        self.assertEqual(self.stored(), 0)

    def test_a_match(self):
        done = subprocess.run([MACAW, "match", self.game, "-p", f"{plugin('faulty_crash')},{plugin('faulty_none')}", "-n", "5",
                               "--json"], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["illegal"], {"a": 1, "b": 0})


if __name__ == "__main__":
    unittest.main()
