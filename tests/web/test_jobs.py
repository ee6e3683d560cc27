"""Long work: analyses that grow and end, curves, playouts, networks, tournaments."""

import itertools
import os
import tempfile
import unittest

from client import Server, wait_for

QUEENS = """<instance format="XCSP3" type="CSP">
<variables><array id="q" size="[6]">0..5</array></variables>
<constraints><allDifferent>q[]</allDifferent>
<allDifferent>add(q[0],0) add(q[1],1) add(q[2],2) add(q[3],3) add(q[4],4) add(q[5],5)</allDifferent>
<allDifferent>sub(q[0],0) sub(q[1],1) sub(q[2],2) sub(q[3],3) sub(q[4],4) sub(q[5],5)</allDifferent></constraints></instance>"""


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        status, said = cls.server.stop()
        assert status == 0, said

    def run_job(self, path, body):
        """All events of a job, to its end."""
        job = self.server.post(path, body)["job"]
        with self.server.events(f"jobs/{job}/events") as e:
            return list(e)

    def test_analysis_grows_and_stops(self):
        s = self.server
        job = s.post("analyses", {"game": "connect_four", "moves": [["(drop 4)", "noop"]]})["job"]
        with s.events(f"jobs/{job}/events") as e:
            first = e.until("table")
            later = e.until("table", lambda t: t["visits"] > 2 * first["visits"])
            s.delete(f"jobs/{job}")
            self.assertEqual(e.until("end")["reason"], "cancelled")
        self.assertEqual((later["role"], len(later["moves"])), ("yellow", 7))
        best = later["moves"][0]
        self.assertEqual(best["text"], later["best"])
        self.assertLessEqual(best["low"], best["value"])
        self.assertLessEqual(best["value"], best["high"])
        self.assertEqual(later["line"][0][1], later["best"])
        orbits = {m["text"]: m["orbit"] for m in later["moves"]}
        self.assertEqual(orbits["(drop 1)"], orbits["(drop 7)"])
        self.assertNotEqual(orbits["(drop 1)"], orbits["(drop 2)"])

    def test_analysis_tells_its_tree(self):
        events = self.run_job("analyses", {"game": "connect_four", "seconds": 0.5, "tree": 50})
        tree = events[-2][1]["tree"]
        self.assertEqual(len(tree), 49)
        for i, node in enumerate(tree):
            self.assertLessEqual(node["parent"], i)
            self.assertEqual(len(node["moves"]), 2)
        self.assertIsNone(self.run_job("analyses", {"game": "connect_four", "seconds": 0.2})[-2][1]["tree"])
        self.assertIsNone(self.run_job("analyses", {"game": "connect_four", "seconds": 0.2, "tree": 9, "player": "mc"})[-2][1]["tree"])

    def test_analysis_by_players_that_begin_anew(self):
        for player in ("mc", "alphabeta", "uct", "grave"):
            events = self.run_job("analyses", {"game": "connect_four_7x7", "player": player, "seconds": 2})
            self.assertEqual(events[-1], ("end", {"reason": "done", "error": None}), player)
            self.assertTrue(events[0][1]["moves"], player)

    def test_analysis_ends_with_a_proof(self):
        moves = [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 2 2)", "noop"], ["noop", "(mark 1 2)"]]
        events = self.run_job("analyses", {"game": "tictactoe", "moves": moves})
        self.assertEqual(events[-1][1]["reason"], "done")
        self.assertEqual((events[-2][1]["best"], events[-2][1]["proved"]), ("(mark 3 3)", True))

    def test_analysis_of_a_match(self):
        s = self.server
        m = s.post("matches", {"game": "tictactoe", "seats": {"x": {"who": "me"}, "o": {"who": "me"}}})
        events = self.run_job("analyses", {"match": m["match"], "key": m["key"], "seconds": 0.2})
        self.assertEqual(len(events[0][1]["moves"]), 9)
        self.assertEqual(s.fails("POST", "analyses", {"match": m["match"], "key": "no"}).code, "bad-key")
        self.assertEqual(s.fails("POST", "analyses", {"match": "m99", "key": "no"}).code, "not-found")

    def test_stream_from_the_middle(self):
        s = self.server
        body = {"game": "tictactoe", "moves": [["(mark 1 1)", "noop"]], "playouts": 50}
        job = s.post("curves", body)["job"]
        with s.events(f"jobs/{job}/events") as e:
            whole = list(e)
        c = s.connect()
        c.request("GET", f"/api/jobs/{job}/events", None, {"X-Macaw-Token": s.token, "Last-Event-ID": "2"})
        self.assertEqual(c.getresponse().read().count(b"event: "), len(whole) - 2)
        c.close()

    def test_curve(self):
        moves = [["(mark 2 2)", "noop"], ["noop", "(mark 2 1)"], ["(mark 1 1)", "noop"], ["noop", "(mark 1 2)"], ["(mark 3 3)", "noop"]]
        events = self.run_job("curves", {"game": "tictactoe", "moves": moves, "playouts": 500})
        points = [d for n, d in events if n == "point"]
        self.assertEqual([p["step"] for p in points], list(range(6)))
        self.assertEqual(points[-1]["values"], {"x": 100, "o": 0})
        self.assertEqual(points[4]["values"]["x"] + points[4]["values"]["o"], 100)
        turning = [d for n, d in events if n == "turning"][0]["steps"]
        self.assertTrue(all(t["role"] == "o" for t in turning), turning)

    def test_playouts(self):
        events = self.run_job("playouts", {"game": "tictactoe", "playouts": 20000})
        table = events[-2][1]
        self.assertEqual(table["playouts"], 20000)
        self.assertEqual(sum(table["lengths"]), 20000)
        self.assertEqual(sum(table["scores"]["x"]["values"].values()), 20000)
        self.assertGreater(table["scores"]["x"]["mean"], table["scores"]["o"]["mean"])
        self.assertEqual(self.server.fails("POST", "playouts", {"game": "nim", "playouts": 0}).code, "bad-request")

    # ---- networks ----

    def solutions(self, events):
        return [tuple(v for _, v in d["solution"][:6]) for n, d in events if n == "node" and d["solution"]]

    def test_network_of_a_file(self):
        n = self.server.post("networks", {"xcsp3": QUEENS, "name": "queens"})
        self.assertEqual([v["name"] for v in n["variables"][:2]], ["q[0]", "q[1]"])
        self.assertEqual(n["variables"][0]["domain"], list(range(6)))
        self.assertEqual({c["kind"] for c in n["constraints"]}, {"allDifferent"} | {c["kind"] for c in n["constraints"]})
        expected = {p for p in itertools.permutations(range(6))
                    if len({p[i] + i for i in range(6)}) == 6 == len({p[i] - i for i in range(6)})}
        for order in ("dom", "dom-deg", "deg", "lex"):
            events = self.run_job(f"networks/{n['network']}/solve", {"solutions": 0, "delay": 0, "order": order})
            self.assertEqual(events[-1][1]["reason"], "done")
            found = self.solutions(events)
            self.assertEqual(len(found), len(set(found)), order)
            self.assertEqual(set(found), expected, order)
            self.check_tree([d for name, d in events if name == "node"], n)
        self.assertEqual(self.server.fails("POST", "networks", {"xcsp3": "<instance"}).code, "bad-network")
        self.assertEqual(self.server.fails("POST", "networks/n99/solve", {}).status, 404)
        self.assertEqual(self.server.fails("POST", f"networks/{n['network']}/solve", {"order": "x"}).code, "bad-request")

    def check_tree(self, nodes, network):
        """Parents come first, and what is left is what was there less what was removed."""
        left = {0: {v["id"]: v["size"] for v in network["variables"]}}
        seen = set()
        for d in nodes:
            self.assertTrue(d["kind"] == "root" or d["parent"] in seen, d)
            seen.add(d["node"])
            if d["failed"]:
                continue
            before = left[d["parent"]]
            if d["kind"] == "refutation":
                before = left[("before", d["depth"])]
            now = dict(before)
            for variable, values in d["removed"]:
                now[variable] -= len(values)
            for variable, size in d["left"]:
                self.assertEqual(now[variable], size, d)
            left[d["node"]] = now
            left[("before", d["depth"])] = now

    def test_network_of_a_game(self):
        n = self.server.post("networks", {"game": "tictactoe", "moves": [["(mark 2 2)", "noop"]]})
        groups = {v["group"] for v in n["variables"]}
        self.assertLessEqual({"now", "after", "action", "terminal"}, groups)
        events = self.run_job(f"networks/{n['network']}/solve", {"solutions": 0, "delay": 0})
        o = next(v["id"] for v in n["variables"] if v["name"] == "action_o")
        moves = {dict(map(tuple, d["solution"]))[o] for name, d in events if name == "node" and d["solution"]}
        self.assertEqual(len(moves), 8)

    def test_pace(self):
        s = self.server
        n = s.post("networks", {"xcsp3": QUEENS})
        job = s.post(f"networks/{n['network']}/solve", {"paused": True})["job"]
        self.assertEqual(s.fails("POST", f"networks/{n['network']}/solve", {}).code, "not-now")
        with s.events(f"jobs/{job}/events") as e:
            s.post(f"jobs/{job}/pace", {"paused": True, "step": 2})
            e.until("stats", lambda d: d["nodes"] == 2)
            s.post(f"jobs/{job}/pace", {"paused": False, "delay": 0})
            self.assertEqual(e.until("end")["reason"], "done")
        other = s.post("analyses", {"game": "nim"})["job"]
        self.assertEqual(s.fails("POST", f"jobs/{other}/pace", {}).code, "not-now")
        s.delete(f"jobs/{other}")

    # ---- tournaments ----

    def test_tournament(self):
        s = self.server
        body = {"name": "small", "games": ["nim", "tictactoe"], "players": ["uct", "random"], "playouts": 30, "rounds": 2}
        t = s.post("tournaments", body)
        with s.events(f"jobs/{t['job']}/events") as e:
            events = list(e)
        self.assertEqual(events[-1], ("end", {"reason": "done", "error": None}))
        standings = s.get(f"tournaments/{t['tournament']}")
        self.assertEqual((standings["matches"], standings["games"]), (8, ["nim", "tictactoe"]))
        self.assertEqual(sorted(p["name"] for p in standings["players"]), ["random", "uct"])
        self.assertEqual(standings["players"][0]["name"], "uct")
        self.assertIsNone(standings["versus"][0][0])
        page = s.get(f"tournaments/{t['tournament']}/matches?offset=2&count=3")
        self.assertEqual((page["total"], len(page["matches"])), (8, 3))
        match = page["matches"][0]
        self.assertTrue(match["replay"])
        opened = s.post(f"tournaments/{t['tournament']}/matches/{match['id']}")
        state = opened["state"]
        self.assertEqual((len(state["steps"]), state["over"]["reason"]), (match["steps"], "terminal"))
        self.assertEqual(list(state["over"]["goals"].values()), match["goals"])
        self.assertEqual([state["seats"][r]["player"] for r in state["roles"]], match["seats"])
        self.assertEqual(s.fails("POST", f"tournaments/{t['tournament']}/matches/999").status, 404)
        status, _, file = s.raw("GET", f"/api/tournaments/{t['tournament']}/file", headers={"X-Macaw-Token": s.token})
        self.assertEqual((status, file[:15]), (200, b"SQLite format 3"))
        self.assertEqual([x["matches"] for x in s.get("tournaments")["tournaments"] if x["name"] == "small.db"], [8])
        more = s.post("tournaments", {**body, "rounds": 3})
        self.assertEqual(more["tournament"], t["tournament"])
        with s.events(f"jobs/{more['job']}/events") as e:
            self.assertEqual(e.until("progress", lambda d: d["done"] == d["total"])["total"], 12)

    def test_tournament_is_refused(self):
        s = self.server
        good = {"name": "x", "games": ["nim"], "players": ["random", "legal"]}
        for bad, code in [({"games": []}, "bad-request"), ({"games": ["none"]}, "not-found"), ({"players": ["nobody"]}, "bad-player"),
                          ({"players": ["random", "random"]}, "bad-request"), ({"name": "a/b"}, "bad-request"),
                          ({"games": ["nim", "nim"]}, "bad-request"), ({"rounds": -1}, "bad-request")]:
            self.assertEqual(s.fails("POST", "tournaments", {**good, **bad}).code, code, bad)

    def test_tournament_dies_with_its_page(self):
        s = self.server
        body = {"name": "long", "games": ["connect_four"], "players": ["uct", "random"], "seconds": 1, "rounds": 1000}
        t = s.post("tournaments", body)
        with s.events(f"jobs/{t['job']}/events"):
            self.assertEqual(s.fails("POST", "tournaments", body).code, "not-now")
        wait_for(lambda: not any(j["job"] == t["job"] and j["running"] for j in s.get("jobs")["jobs"]), "the tournament to end")


class Folder(unittest.TestCase):
    def test_results_stay(self):
        with tempfile.TemporaryDirectory() as folder:
            body = {"name": "kept", "games": ["nim"], "players": ["random", "legal"], "playouts": 1, "rounds": 1}
            with Server("--results", folder) as s:
                job = s.post("tournaments", body)["job"]
                with s.events(f"jobs/{job}/events") as e:
                    e.until("end")
            self.assertEqual(os.listdir(folder), ["kept.db"])
            network, path = os.path.join(folder, "q.xml"), os.path.join(folder, "kept.db")
            with open(network, "w", encoding="utf-8") as f:
                f.write(QUEENS)
            with Server(path, network) as s:
                t = s.get("tournaments")["tournaments"][0]
                self.assertEqual((t["name"], t["matches"]), ("kept.db", 2))
                files = {f["kind"]: f["file"] for f in s.get("files")["files"]}
                self.assertEqual(s.post("networks", {"file": files["network"]})["name"], "q.xml")
                self.assertEqual(s.fails("POST", "networks", {"file": files["tournament"]}).status, 404)


if __name__ == "__main__":
    unittest.main()
