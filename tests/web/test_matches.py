"""Matches: people and players, taking back, records, clocks, watching."""

import json
import time
import unittest

from client import Server, wait_for

QUICK = {"who": "player", "player": "uct", "playouts": 50}


class Matches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        status, said = cls.server.stop()
        assert status == 0, said

    def state(self, m):
        return self.server.get(f"matches/{m['match']}", key=m["key"])["state"]

    def act(self, m, what, body=None):
        return self.server.post(f"matches/{m['match']}/{what}", body, key=m["key"])["match"]

    def until(self, m, test, what):
        wait_for(lambda: test(self.state(m)), what)
        return self.state(m)

    def begin(self, **body):
        m = self.server.post("matches", body)
        self.addCleanup(lambda: self.server.delete(f"matches/{m['match']}", key=m["key"]))
        return m

    def play_on(self, m, role):
        """The first legal move each time, to the end."""
        while True:
            s = self.until(m, lambda s: s["over"] or role in s["waiting"], "one's turn")
            if s["over"]:
                return s
            self.act(m, "move", {"role": role, "move": s["view"]["legal"][role][0]["text"], "step": s["view"]["step"]})

    def test_person_against_player(self):
        m = self.begin(game="tictactoe", seats={"x": {"who": "me"}, "o": QUICK})
        with self.server.events(f"matches/{m['match']}/events", key=m["key"]) as e:
            self.assertEqual(e.until("match")["you"], ["x"])
            s = self.play_on(m, "x")
            self.assertEqual((s["over"]["reason"], set(s["over"]["goals"])), ("terminal", {"x", "o"}))
            steps = []
            for name, data in e:
                self.assertIn(name, ("step", "thinking"))
                if name == "step":
                    steps.append(data)
                if data["over"]:
                    break
        self.assertEqual([d["step"] for d in steps], list(range(1, len(s["steps"]) + 1)))
        self.assertEqual(steps[-1]["view"], s["view"])
        self.assertTrue(any(d["made"]["why"] for d in steps))
        self.assertEqual(self.server.fails("POST", f"matches/{m['match']}/move", {"move": 0}, key=m["key"]).code, "not-now")

    def test_moves_are_looked_at(self):
        m = self.begin(game="tictactoe", seats={"x": {"who": "me"}, "o": {"who": "guest"}})
        path = f"matches/{m['match']}/move"
        fails = lambda body: self.server.fails("POST", path, body, key=m["key"])  # noqa: E731
        self.assertEqual(fails({"move": "(mark 9 9)"}).code, "not-legal")
        self.assertIn("(mark 1 1)", fails({"move": "nonsense"}).error["help"])
        self.assertEqual(fails({}).code, "not-legal")
        self.assertEqual(fails({"role": "o", "move": "noop"}).code, "not-yours")
        self.assertEqual(fails({"role": "z", "move": "noop"}).code, "bad-request")
        self.assertEqual(fails({"move": "(mark 1 1)", "step": 3}).code, "old")
        self.act(m, "move", {"move": {"id": 0}, "step": 0})
        self.until(m, lambda s: s["view"]["step"] == 1, "the step")

    def test_two_windows(self):
        m = self.begin(game="tictactoe", seats={"x": {"who": "me"}, "o": {"who": "guest"}})
        s, path = self.server, f"matches/{m['match']}"
        self.assertEqual(s.fails("POST", path + "/join", {"invite": "0" * 32}, token=False).code, "not-now")
        self.assertEqual(s.fails("POST", path + "/join", {}, token=False).status, 401)
        guest = s.post(path + "/join", {"invite": m["invitations"]["o"]}, token=False)
        self.assertEqual(guest["roles"], ["o"])
        self.assertEqual(s.fails("POST", path + "/join", {"invite": m["invitations"]["o"]}, token=False).code, "not-now")
        self.act(m, "move", {"move": "(mark 1 1)"})
        other = {"match": m["match"], "key": guest["key"]}
        self.until(other, lambda t: t["waiting"] == ["o"], "the guest's turn")
        self.assertEqual(self.state(other)["you"], ["o"])
        self.act(other, "move", {"role": "o", "move": "(mark 2 2)"})
        for what in ("swap", "pause", "speed", "seat", "step", "now"):
            body = {"role": "x", "who": "me"}
            self.assertEqual(s.fails("POST", f"{path}/{what}", body, key=guest["key"]).code, "not-yours", what)
        self.assertEqual(s.fails("POST", path + "/undo", {}, key=guest["key"]).code, "not-yours")
        self.assertEqual(self.act(m, "undo", {"to": 0})["view"]["step"], 0)
        watcher = s.post(path + "/join", {"watch": True})
        self.assertEqual(watcher["roles"], [])
        self.assertEqual(s.fails("POST", path + "/move", {"role": "x", "move": 0}, key=watcher["key"]).code, "not-yours")

    def test_undo(self):
        m = self.begin(game="tictactoe", seats={"x": {"who": "me"}, "o": QUICK})
        self.assertEqual(self.server.fails("POST", f"matches/{m['match']}/undo", {}, key=m["key"]).code, "not-now")
        self.act(m, "move", {"move": "(mark 2 2)"})
        s = self.until(m, lambda s: s["view"]["step"] == 2, "the answer")
        self.assertTrue(s["undo"])
        s = self.act(m, "undo")
        self.assertEqual((s["view"]["step"], s["steps"], s["waiting"]), (0, [], ["x"]))
        self.act(m, "move", {"move": "(mark 1 1)"})
        s = self.until(m, lambda s: s["view"]["step"] == 2, "another answer")
        self.assertEqual(s["steps"][0]["moves"]["x"], "(mark 1 1)")
        s = self.play_on(m, "x")
        s = self.act(m, "undo")
        self.assertIsNone(s["over"])

    def test_seats(self):
        m = self.begin(game="tictactoe", seats={"x": {"who": "me"}, "o": QUICK})
        self.act(m, "move", {"move": "(mark 2 2)"})
        self.until(m, lambda s: s["view"]["step"] == 2, "the answer")
        s = self.act(m, "swap")
        self.assertEqual((s["you"], s["seats"]["x"]["player"]), (["o"], "uct"))
        s = self.until(m, lambda s: s["waiting"] == ["o"], "the player of x")
        s = self.act(m, "seat", {"role": "x", "who": "me"})
        self.assertEqual(s["you"], ["x", "o"])
        s = self.act(m, "seat", {"role": "o", **QUICK})
        self.until(m, lambda s: s["waiting"] == ["x"], "the player of o")
        bad = self.server.fails("POST", f"matches/{m['match']}/seat", {"role": "o", "who": "player", "player": "x"}, key=m["key"])
        self.assertEqual(bad.code, "bad-player")
        self.assertEqual(self.state(m)["seats"]["o"]["player"], "uct")
        self.assertEqual(self.server.fails("POST", "matches", {"game": "nim", "seats": {"zz": {"who": "me"}}}).code, "bad-request")

    def test_hint(self):
        m = self.begin(game="tictactoe", seats={"x": {"who": "me"}, "o": {"who": "me"}})
        for role, move in [("x", "(mark 1 1)"), ("o", "(mark 2 1)"), ("x", "(mark 2 2)"), ("o", "(mark 1 2)")]:
            self.until(m, lambda s: s["waiting"] == [role], "the turn")
            self.act(m, "move", {"role": role, "move": move})
        self.until(m, lambda s: s["waiting"] == ["x"], "the turn")
        h = self.server.post(f"matches/{m['match']}/hint", {"role": "x", "playouts": 1000}, key=m["key"])
        self.assertEqual((h["move"]["text"], h["value"]), ("(mark 3 3)", 100))

    def test_watching(self):
        m = self.begin(game="connect_4x4_3", delay=0, paused=True, seats={r: QUICK for r in self.roles("connect_4x4_3")})
        self.assertEqual(self.state(m)["view"]["step"], 0)
        self.act(m, "step")
        self.until(m, lambda s: s["view"]["step"] == 1, "one step")
        self.act(m, "step")
        self.until(m, lambda s: s["view"]["step"] == 2, "another")
        self.act(m, "speed", {"delay": 0.01})
        self.act(m, "pause", {"paused": False})
        s = self.until(m, lambda s: s["over"], "the end")
        self.assertTrue(any(step["values"] for step in s["steps"]))
        view = self.server.get(f"matches/{m['match']}/steps/1", key=m["key"])
        self.assertEqual((view["view"]["step"], view["made"]), (1, s["steps"][0]))
        self.assertEqual(self.server.fails("GET", f"matches/{m['match']}/steps/999", key=m["key"]).status, 404)

    def roles(self, game):
        return self.server.get(f"games/{game}")["facts"]["roles"]

    def test_chance(self):
        roles = self.roles("backgammon")
        m = self.begin(game="backgammon", delay=0, seed=7, seats={r: QUICK for r in roles if r != "random"})
        self.until(m, lambda s: s["view"]["step"] > 4, "some dice")
        s = self.act(m, "pause", {"paused": True})
        self.assertEqual(s["seats"]["random"], {"who": "chance"})
        again = self.begin(game="backgammon", delay=0, seed=7, seats={r: QUICK for r in roles if r != "random"})
        t = self.until(again, lambda t: t["view"]["step"] > 4, "the same dice")
        self.assertEqual(t["steps"][0]["moves"]["random"], s["steps"][0]["moves"]["random"])

    def test_simultaneous_moves_are_not_told(self):
        m = self.begin(game="rock_paper_scissors", seats={r: {"who": "guest"} for r in self.roles("rock_paper_scissors")})
        a, b = ({"match": m["match"], "key": self.server.post(f"matches/{m['match']}/join", {"invite": i}, token=False)["key"]}
                for i in m["invitations"].values())
        before = self.state(b)
        role = self.state(a)["you"][0]
        self.act(a, "move", {"move": self.state(a)["view"]["legal"][role][0]["text"]})
        after = self.state(b)
        self.assertEqual(after["view"], before["view"])
        self.assertEqual(after["waiting"], self.state(b)["you"])
        self.assertEqual(self.server.fails("POST", f"matches/{m['match']}/move", {"move": 0}, key=a["key"]).code, "not-now")
        role = self.state(b)["you"][0]
        self.act(b, "move", {"move": self.state(b)["view"]["legal"][role][0]["text"]})
        self.until(a, lambda s: s["view"]["step"] == 1, "the step")

    def test_clock(self):
        m = self.begin(game="tictactoe", clock={"seconds": 0.5}, seats={"x": {"who": "me"}, "o": QUICK})
        s = self.until(m, lambda s: s["over"], "the clock to run out")
        self.assertEqual((s["over"]["reason"], s["over"]["role"], s["clock"]["x"]), ("time", "x", 0))
        m = self.begin(game="tictactoe", clock={"seconds": 300, "increment": 2}, seats={"x": {"who": "me"}, "o": QUICK})
        self.act(m, "move", {"move": "(mark 2 2)"})
        s = self.until(m, lambda s: s["view"]["step"] == 2, "the answer")
        self.assertGreater(s["clock"]["x"], 270)
        self.assertEqual(s["running"], ["x"])
        self.assertEqual(self.server.fails("POST", "matches", {"game": "nim", "clock": {"seconds": -1}}).code, "bad-request")

    def test_resign(self):
        m = self.begin(game="tictactoe", seats={"x": {"who": "me"}, "o": QUICK})
        s = self.act(m, "resign", {"role": "x"})
        self.assertEqual((s["over"]["reason"], s["over"]["role"]), ("resigned", "x"))

    def test_answer_now(self):
        thinker = {"who": "player", "player": "uct", "seconds": 500}
        m = self.begin(game="connect_four_20x20", seats={r: thinker for r in self.roles("connect_four_20x20")})
        self.until(m, lambda s: s["thinking"], "the player to think")
        self.act(m, "now")
        self.until(m, lambda s: s["view"]["step"] >= 1, "its answer")

    def test_records(self):
        m = self.begin(game="tictactoe", seats={"x": {"who": "me"}, "o": QUICK})
        s = self.play_on(m, "x")
        status, headers, record = self.server.raw("GET", f"/api/matches/{m['match']}/record", headers={"X-Macaw-Key": m["key"]})
        self.assertEqual(status, 200)
        self.assertIn("attachment", headers["Content-Disposition"])
        opened = self.server.post("records", {"record": record.decode()})
        t = opened["state"]
        self.assertIsNone(opened["disagrees"])
        self.assertEqual([x["moves"] for x in t["steps"]], [x["moves"] for x in s["steps"]])
        self.assertEqual((t["over"]["reason"], t["view"]["state"], t["record"]), ("terminal", s["view"]["state"], True))
        self.assertEqual(self.server.fails("POST", f"matches/{opened['match']}/undo", {}, key=opened["key"]).code, "not-now")
        data = json.loads(record)
        data["goals"]["x"] = 77
        self.assertIn("differ", self.server.post("records", {"record": json.dumps(data)})["disagrees"])
        on = self.begin(**{"from": {"match": opened["match"], "key": opened["key"], "step": 2}}, seats={"x": {"who": "me"}, "o": {"who": "me"}})
        self.assertEqual(on["state"]["view"]["step"], 2)
        for bad in ["", "{}", "[]", '{"moves":[]}', json.dumps({**data, "rules": "("}), json.dumps({**data, "moves": [{"x": "q"}]})]:
            self.assertIn(self.server.fails("POST", "records", {"record": bad}).status, (400, 422), bad[:40])

    def test_record_of_ggp_org(self):
        record = {"matchId": "base.ticTacToe.1", "gameMetaURL": "http://games.ggp.org/base/games/ticTacToe/v0/",
                  "moves": [["( mark 1 1 )", "noop"], ["noop", "( mark 2 2 )"]], "playerNamesFromHost": ["A", "B"]}
        f = self.server.fails("POST", "records", {"record": json.dumps(record)})
        self.assertEqual((f.code, "ticTacToe" in f.error["help"]), ("cannot", True))
        t = self.server.post("records", {"record": json.dumps(record), "game": "tictactoe"})["state"]
        self.assertEqual((t["seats"]["x"]["player"], len(t["steps"]), t["over"]["reason"]), ("A", 2, "record"))

    def test_rest(self):
        """Nobody looks: the players stop; when somebody comes back, they go on."""
        m = self.begin(game="connect_four_20x20", delay=0, seats={r: QUICK for r in self.roles("connect_four_20x20")})
        with self.server.events(f"matches/{m['match']}/events", key=m["key"]) as e:
            e.until("step")
        steps = lambda: next(x["step"] for x in self.server.get("matches")["matches"] if x["match"] == m["match"])  # noqa: E731

        def at_rest():
            before = steps()
            time.sleep(1)
            return steps() == before

        wait_for(at_rest, "the match to rest")
        before = steps()
        if not self.state(m)["over"]:
            wait_for(lambda: self.state(m)["view"]["step"] > before or self.state(m)["over"], "it to go on")


if __name__ == "__main__":
    unittest.main()
