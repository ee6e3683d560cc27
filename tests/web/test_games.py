"""Games, rules and positions."""

import os
import unittest

from client import Server, quote

SOURCE = os.environ.get("MACAW_SOURCE", os.path.join(os.path.dirname(__file__), "..", ".."))
SAMPLE = os.environ.get("MACAW_TEST_SAMPLE")

COUNTER = """
(role a) (init (count 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal a go) (true (count ?n)))
(<= (next (count ?m)) (true (count ?n)) (succ ?n ?m))
(<= terminal (true (count 3)))
(goal a 100)
"""
STUCK = """
(role a) (role b) (init (at 0)) (succ 0 1) (succ 1 2)
(<= (legal a left) (true (at ?n)))
(<= (legal a right) (true (at ?n)))
(<= (legal b wait) (true (at 0)))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
(<= terminal (true (at 2)))
(goal a 50) (goal b 50)
"""


class Games(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        status, said = cls.server.stop()
        assert status == 0, said

    def test_gallery(self):
        s = self.server
        names = [g["game"] for g in s.get("games")["games"] if g["source"] == "library"]
        self.assertGreater(len(names), 70)
        told = {}
        with s.events("games/events?want=hex,kuhn_poker") as e:
            for name, data in e:
                if name == "done":
                    break
                told[data["game"]] = data
                if SAMPLE and len(told) == 12:
                    break
        if not SAMPLE:
            self.assertEqual(sorted(told), sorted(names))
        self.assertLessEqual({"hex", "kuhn_poker"}, set(told))
        for game, data in told.items():
            self.assertIsNone(data["error"], game)
            self.assertTrue(data["scene"]["boards"] or any(data["scene"].values()), game)
            facts = data["facts"]
            self.assertEqual(len(facts["roles"]) - facts["chance"], facts["players"], game)
            self.assertEqual(facts["stuck"], 0, game)
        self.assertTrue(told["kuhn_poker"]["facts"]["hidden"] and told["kuhn_poker"]["facts"]["chance"])
        self.assertFalse(told["hex"]["facts"]["simultaneous"])
        again = {g["game"]: g["facts"] for g in s.get("games")["games"]}
        self.assertEqual(again["hex"], told["hex"]["facts"])

    def test_facts(self):
        s = self.server
        facts = s.get("games/tictactoe")["facts"]
        self.assertEqual((facts["players"], facts["length"]["min"], facts["length"]["max"]), (2, 5, 9))
        self.assertGreater(facts["branching"], 3)
        self.assertTrue(s.get("games/rock_paper_scissors")["facts"]["simultaneous"])
        found = s.get("games/tictactoe/symmetries")
        self.assertTrue(found["order"] == "16" or found["skipped"])  # skipped: there was no time

    def test_one_game(self):
        g = self.server.get("games/tictactoe")
        self.assertIn("(role x)", g["rules"])
        view = g["view"]
        self.assertEqual((view["turn"], len(view["legal"]["x"]), view["legal"]["o"][0]["text"]), (["x"], 9, "noop"))
        self.assertIn("(control x)", view["state"])
        self.assertEqual(len(view["scene"]["boards"][0]["cells"]), 9)
        f = self.server.fails("GET", "games/nothing")
        self.assertEqual((f.status, f.code), (404, "not-found"))

    def test_rules_with_errors(self):
        r = self.server.post("rules", {"rules": "(role a)\n(<= (legal a ?x) (true p))"})
        self.assertIsNone(r["game"])
        self.assertGreater(r["errors"], 0)
        unsafe = next(d for d in r["diagnostics"] if "?x" in d["message"])
        self.assertEqual((unsafe["line"], unsafe["severity"]), (2, "error"))
        self.assertGreater(unsafe["to"], unsafe["from"])
        self.assertIsNone(r["view"])
        for text in ["", "(", ")", "ü", "\x01", "(role a) (role a)", "(" * 5000]:
            self.assertIsNone(self.server.post("rules", {"rules": text})["game"], text[:20])

    def test_rules(self):
        s = self.server
        r = s.post("rules", {"rules": COUNTER, "name": "counter"})
        self.assertEqual((r["errors"], r["roles"], r["stuck"]), (0, ["a"], None))
        self.assertEqual(r["facts"]["length"], {"min": 3, "mean": 3.0, "max": 3})
        self.assertEqual(r["view"]["legal"]["a"][0]["text"], "go")
        view = s.post("positions", {"game": r["game"], "moves": [["go"]] * 3})["view"]
        self.assertEqual((view["terminal"], view["goals"]), (True, {"a": 100}))
        self.assertEqual(s.post("rules", {"rules": COUNTER})["game"], r["game"])
        self.assertEqual(s.get("games/" + quote(r["game"]))["title"], "Counter")
        self.assertNotIn("length", s.post("rules", {"rules": COUNTER, "playouts": 0})["facts"])

    def test_stuck_playouts(self):
        r = self.server.post("rules", {"rules": STUCK})
        self.assertGreater(r["facts"]["stuck"], 0)
        self.assertEqual((r["stuck"]["role"], len(r["stuck"]["moves"])), ("b", 1))
        self.assertEqual((r["stuck"]["view"]["stuck"], r["stuck"]["view"]["legal"]["b"]), (True, []))

    def test_many_rules_are_forgotten(self):
        s = self.server
        ids = [s.post("rules", {"rules": COUNTER.replace("100", str(i)), "playouts": 0})["game"] for i in range(40)]
        s.get("games/" + quote(ids[-1]))
        self.assertEqual(s.fails("GET", "games/" + quote(ids[0])).status, 404)

    def test_notation(self):
        infix = self.server.post("rules/print", {"rules": COUNTER})["rules"]
        self.assertIn("legal(a, go)", infix)
        self.assertIn("(legal a go)", self.server.post("rules/print", {"rules": infix, "infix": False})["rules"])
        self.assertEqual(self.server.fails("POST", "rules/print", {"rules": "("}).code, "bad-rules")

    def test_positions(self):
        s = self.server
        for move in ["(mark 2 2)", "mark(2,2)", 4, {"id": 4}, {"text": "(mark 2 2)"}]:
            r = s.post("positions", {"game": "tictactoe", "moves": [[move, "noop"]]})
            self.assertEqual((r["moves"][0][0]["text"], r["view"]["turn"], r["view"]["step"]), ("(mark 2 2)", ["o"], 1))
        text = " ".join(r["view"]["state"])
        self.assertEqual(s.post("positions", {"game": "tictactoe", "position": text})["view"]["state"], r["view"]["state"])
        f = s.fails("POST", "positions", {"game": "tictactoe", "moves": [["(mark 2 2)", "noop"], ["noop", "(mark 2 2)"]]})
        self.assertEqual((f.status, f.code), (400, "not-legal"))
        self.assertIn("(mark 1 1)", f.error["help"])
        self.assertEqual(s.fails("POST", "positions", {"game": "tictactoe", "position": "(cell 9 9 x)"}).code, "bad-position")
        line = [["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"]]
        views = s.post("positions/line", {"game": "tictactoe", "line": line})["views"]
        self.assertEqual([v["step"] for v in views], [1, 2])

    def test_symmetric_moves(self):
        if self.server.get("games/tictactoe/symmetries")["skipped"]:
            self.assertEqual(self.server.fails("POST", "positions/moves", {"game": "tictactoe"}).code, "cannot")
            return
        orbits = self.server.post("positions/moves", {"game": "tictactoe"})["orbits"]
        self.assertEqual(sorted(len(o) for o in orbits if o != ["noop"]), [1, 4, 4])

    def test_why(self):
        s = self.server
        why = s.post("positions/explain", {"game": "tictactoe", "statement": "(legal x (mark 1 1))"})
        self.assertTrue(why["holds"])
        self.assertIn("(true (control x))", [x["statement"] for x in why["steps"]])
        not_so = s.post("positions/explain", {"game": "tictactoe", "moves": [["(mark 1 1)", "noop"]], "statement": "legal(o, mark(1,1))"})
        self.assertFalse(not_so["holds"])
        self.assertTrue(any(x["reason"] == "rule-fails" and x["rule"]["line"] > 0 for x in not_so["steps"]))
        parts = {"game": "tictactoe", "of": "legal", "role": "x", "term": "(mark 1 1)"}
        self.assertEqual(s.post("positions/explain", parts)["statement"], "(legal x (mark 1 1))")
        after = {"game": "tictactoe", "statement": "(next (control o))", "joint": ["(mark 1 1)", "noop"]}
        self.assertTrue(s.post("positions/explain", after)["holds"])
        for bad in ["", "(", "(nonsense x)"]:
            self.assertEqual(s.fails("POST", "positions/explain", {"game": "tictactoe", "statement": bad}).code, "bad-request", bad)

    def test_thoughts(self):
        s = self.server
        moves = [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 2 2)", "noop"], ["noop", "(mark 1 2)"]]
        t = s.post("thoughts", {"game": "tictactoe", "moves": moves, "playouts": 2000})
        self.assertEqual((t["role"], t["best"], t["value"], t["proved"]), ("x", "(mark 3 3)", 100, True))
        self.assertEqual(len(t["moves"]), 5)
        for m in t["moves"]:
            if m["value"] is not None:
                self.assertLessEqual(m["low"], m["value"])
                self.assertLessEqual(m["value"], m["high"])
        self.assertEqual(s.fails("POST", "thoughts", {"game": "tictactoe", "moves": moves + [["(mark 3 3)", "noop"]]}).code, "not-now")
        self.assertEqual(s.fails("POST", "thoughts", {"game": "tictactoe", "role": "y"}).code, "bad-request")
        hidden = s.post("thoughts", {"game": "kuhn_poker", "moves": s_moves(s, "kuhn_poker", 2), "playouts": 200})
        self.assertIn(hidden["role"], ("alice", "bob"))

    def test_players(self):
        players = {p["name"]: p for p in self.server.get("players")["players"]}
        self.assertIn("macaw", players)
        self.assertTrue(any(o["name"] == "c" for o in players["uct"]["options"]))


def s_moves(server, game, steps):
    """The first legal moves of all roles, step by step."""
    moves = []
    for _ in range(steps):
        view = server.post("positions", {"game": game, "moves": moves})["view"]
        moves.append([view["legal"][r][0]["text"] for r in view["scene"]["roles"]])
    return moves


if __name__ == "__main__":
    unittest.main()
