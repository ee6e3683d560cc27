"""Who is refused, and what cannot be done to the server."""

import json
import os
import socket
import tempfile
import threading
import unittest

from client import Failure, PATIENCE, Server, wait_for


class Abuse(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        status, said = cls.server.stop()
        assert status == 0, said

    def test_token(self):
        s = self.server
        for path in ["games", "limits", "jobs", "matches", "players", "files", "tournaments"]:
            f = s.fails("GET", path, token=False)
            self.assertEqual((f.status, f.code), (401, "bad-token"), path)
        for wrong in ["", "x", s.token[:-1], s.token + "0", s.token.upper() + "!", "ä" * 16]:
            status, _, _ = s.raw("GET", "/api/games", headers={"X-Macaw-Token": wrong.encode().decode("latin1")})
            self.assertEqual(status, 401, wrong)
        self.assertEqual(s.raw("GET", f"/api/limits?token={s.token}")[0], 200)
        for method in ["POST", "DELETE", "PUT"]:
            self.assertEqual(s.raw(method, "/api/rules", "{}")[0], 401)

    def test_key_opens_one_match_only(self):
        s = self.server
        one, two = (s.post("matches", {"game": "nim"}) for _ in range(2))
        self.assertEqual(s.fails("GET", f"matches/{two['match']}", key=one["key"]).code, "bad-key")
        self.assertEqual(s.fails("GET", "games", key=one["key"]).status, 401)
        self.assertEqual(s.fails("GET", "matches", key=one["key"]).status, 401)
        self.assertEqual(s.fails("POST", "matches", {"game": "nim"}, key=one["key"]).status, 401)
        self.assertEqual(len(s.get(f"matches/{one['match']}", key=one["key"])["state"]["you"]), 1)
        for m in (one, two):
            s.delete(f"matches/{m['match']}", key=m["key"])
        self.assertEqual(s.fails("GET", f"matches/{one['match']}", key=one["key"]).status, 404)

    def test_origin_and_host(self):
        s = self.server
        token = {"X-Macaw-Token": s.token}
        for host in ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::1", "1.2.3"]:
            status, _, text = s.raw("GET", "/api/limits", headers={**token, "Host": host})
            self.assertIn(status, (400, 403), host)
            self.assertEqual(s.raw("GET", "/", headers={"Host": host})[0] in (400, 403), True, host)
        for host in ["localhost", s.address, "127.0.0.1", "[::1]:80", "LOCALHOST:1"]:
            self.assertEqual(s.raw("GET", "/api/limits", headers={**token, "Host": host})[0], 200, host)
        for origin in ["http://evil.example", "null", "https://" + s.address, "http://127.0.0.1:1", f"http://{s.address}.evil"]:
            status, _, text = s.raw("POST", "/api/rules", '{"rules":""}', {**token, "Origin": origin})
            self.assertEqual((status, json.loads(text)["error"]["code"]), (403, "bad-origin"), origin)
        own = {**token, "Origin": "http://" + s.address}
        self.assertEqual(s.raw("POST", "/api/rules", '{"rules":""}', own)[0], 200)
        site = {**token, "Sec-Fetch-Site": "cross-site"}
        self.assertEqual(s.raw("GET", "/api/limits", headers=site)[0], 403)

    def test_headers(self):
        status, headers, _ = self.server.raw("GET", "/")
        self.assertEqual(status, 200 if "Content-Encoding" in headers else 404)
        for name in ["Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"]:
            self.assertIn(name, headers)
        self.assertNotIn("Access-Control-Allow-Origin", headers)
        self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
        self.assertNotIn("script-src 'unsafe", headers["Content-Security-Policy"])

    def test_bodies(self):
        s = self.server
        head = {"X-Macaw-Token": s.token}
        for body in ["{", "[]", '"x"', "nul", '{"game":1}', '{"game":"nim","moves":7}', '{"game":null}', "\x00", '{"game":"nim","game":"x"}']:
            status, _, text = s.raw("POST", "/api/positions", body, head)
            self.assertEqual(status, 400, body)
            self.assertIn(json.loads(text)["error"]["code"], ("bad-json", "bad-request"))
        deep = "[" * 100000 + "]" * 100000
        self.assertEqual(s.raw("POST", "/api/positions", '{"game":"nim","moves":' + deep + "}", head)[0], 400)
        long = '{"rules":"' + " " * (2 << 20) + '"}'
        status, _, text = s.raw("POST", "/api/rules", long, head)
        self.assertEqual((status, json.loads(text)["error"]["code"]), (413, "too-large"))
        # a stranger's body is not even read
        try:
            self.assertEqual(s.raw("POST", "/api/rules", long)[0], 401)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def test_chunked_body_is_bounded(self):
        s = self.server
        c = s.connect()
        c.putrequest("POST", "/api/rules")
        c.putheader("X-Macaw-Token", s.token)
        c.putheader("Transfer-Encoding", "chunked")
        c.endheaders()
        piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
        try:
            for _ in range(64):
                c.send(piece)
            c.send(b"0\r\n\r\n")
            self.assertEqual(c.getresponse().status, 413)
        except (BrokenPipeError, ConnectionResetError):
            pass
        c.close()
        self.assertEqual(s.get("limits")["body"], 2 << 20)

    def test_paths(self):
        s = self.server
        for path in ["", "nothing", "games/../../etc/passwd", "games/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "games/nim/x", "files/x/y",
                     "jobs/j999/events", "matches/m999", "tournaments/t99", "a/b/c/d/e/f/g/h", "positions/none"]:
            status, _, text = s.answer("GET", path)
            self.assertIn(status, (404, 405, 200 if path.startswith("files") else 404), path)
        for name in ["../README.md", "/etc/passwd", "README.md", "games/nim.kif", "./nim", "-", ""]:
            self.assertEqual(s.fails("POST", "positions", {"game": name}).status, 404, name)
        for method, path in [("PUT", "games"), ("DELETE", "rules"), ("POST", "games"), ("GET", "rules"), ("PATCH", "limits")]:
            self.assertIn(s.fails(method, path).status, (404, 405))
        self.assertEqual(s.fails("POST", "records", {"file": "/etc/passwd"}).status, 404)
        self.assertEqual(s.fails("POST", "networks", {"file": "f1"}).status, 404)
        self.assertEqual(s.fails("POST", "tournaments", {"name": "../x", "games": ["nim"], "players": ["random"]}).code, "bad-request")

    def test_bounds_of_numbers(self):
        s = self.server
        for body in [{"playouts": -1}, {"playouts": 1e99}, {"playouts": 1.5}, {"playouts": "1"}, {"playouts": 10001}]:
            self.assertEqual(s.fails("POST", "rules", {"rules": "", **body}).code, "bad-request", body)
        self.assertEqual(s.fails("POST", "thoughts", {"game": "nim", "seconds": 3}).code, "bad-request")
        self.assertEqual(s.fails("POST", "analyses", {"game": "nim", "player": "nobody"}).code, "bad-player")
        self.assertIn("macaw", s.fails("POST", "analyses", {"game": "nim", "player": "macav"}).error["message"])

    def test_too_many_jobs(self):
        s = self.server
        most = s.get("limits")["jobs"]
        jobs, f = [], None
        while not f and len(jobs) < 10 * most:  # those that have ended meanwhile make room
            try:
                jobs.append(s.post("analyses", {"game": "connect_four_20x20", "player": "uct"})["job"])
            except Failure as refused:
                f = refused
        self.assertGreaterEqual(len(jobs), most)
        self.assertEqual((f.status, f.code), (503, "busy"))
        for j in jobs:
            s.delete(f"jobs/{j}")
        wait_for(lambda: not any(j["running"] for j in s.get("jobs")["jobs"]), "all jobs to end")
        s.delete("jobs/" + s.post("analyses", {"game": "nim"})["job"])

    def test_too_many_matches(self):
        s = self.server
        most = s.get("limits")["matches"]
        made = []
        for _ in range(most):
            made.append(s.post("matches", {"game": "tictactoe_2x2", "paused": True}))
        self.assertEqual(s.fails("POST", "matches", {"game": "nim"}).code, "busy")
        for m in made:
            s.delete(f"matches/{m['match']}", key=m["key"])
        self.assertEqual(len(s.get("matches")["matches"]), 0)

    def test_too_many_listeners(self):
        s = self.server
        m = s.post("matches", {"game": "nim"})
        most = s.get("limits")["listeners"]
        open_ones = [s.events(f"matches/{m['match']}/events", key=m["key"]) for _ in range(most)]
        self.assertEqual(s.fails("GET", f"matches/{m['match']}/events", key=m["key"]).code, "busy")
        self.assertEqual(s.get("limits")["listeners"], most)  # still answers others
        for e in open_ones:
            e.close()
        wait_for(lambda: s.get("matches")["matches"][0]["listeners"] == 0, "listeners to be missed")
        s.delete(f"matches/{m['match']}", key=m["key"])

    def test_vanished_page(self):
        s = self.server
        job = s.post("analyses", {"game": "connect_four_20x20", "player": "uct"})["job"]
        with s.events(f"jobs/{job}/events") as e:
            e.until("table")
        wait_for(lambda: not any(j["job"] == job and j["running"] for j in s.get("jobs")["jobs"]), "the analysis to end")

    def test_half_a_request_holds_nobody_up(self):
        s = self.server
        host, port = s.address.rsplit(":", 1)
        silent = [socket.create_connection((host, int(port)), timeout=PATIENCE) for _ in range(20)]
        for c in silent:
            c.sendall(b"POST /api/rules HTTP/1.1\r\nHost: localhost\r\nX-Macaw-Token: ")
        self.assertEqual(s.get("limits")["body"], 2 << 20)
        for c in silent:  # turned away after a while
            c.settimeout(PATIENCE)
            try:
                while c.recv(4096):
                    pass
            except ConnectionResetError:
                pass
            c.close()

    def test_crowd(self):
        """Many pages at once ask for all kinds of things; every answer is a proper one."""
        s = self.server
        wrong = []

        def page(number):
            paths = ["games/nim", "games/tictactoe", "players", "limits", "games", "games/chomp"]
            for i in range(12):
                try:
                    s.get(paths[(i + number) % len(paths)])
                    s.post("positions", {"game": "tictactoe", "moves": [["(mark 1 1)", "noop"]]})
                except Exception as e:  # noqa: BLE001
                    wrong.append(e)

        threads = [threading.Thread(target=page, args=(i,)) for i in range(10)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])


class Command(unittest.TestCase):
    def run_with(self, *words):
        s = Server(*words)
        return s.stop()

    def test_bad_words(self):
        for words, status, said in [
            (["--token", "short"], 2, "16 letters"),
            (["/nowhere/x.kif"], 1, "cannot read"),
            (["--results", "/proc/x"], 3, "cannot write"),
            (["--listen", "nonsense"], 2, "HOST:PORT"),
        ]:
            got, text = self.run_with(*words)
            self.assertEqual(got, status, text)
            self.assertIn(said, text)

    def test_files_of_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.kif")
            with open(path, "w", encoding="utf-8") as f:
                f.write("(role a) (init p) (<= (legal a go) (true p)) (<= terminal (not (true p))) (goal a 100)")
            with Server(path) as s:
                self.assertEqual(s.get("files")["files"], [{"file": "f1", "name": "mine.kif", "kind": "rules"}])
                self.assertEqual(s.get("games/mine")["facts"]["roles"], ["a"])
                self.assertIn({"game": "mine", "title": "Mine", "source": "file"},
                              [{k: g[k] for k in ("game", "title", "source")} for g in s.get("games")["games"]])

    def test_ends_under_load(self):
        s = Server()
        thinker = {"who": "player", "seconds": 30}
        m = s.post("matches", {"game": "connect_four", "seats": {"red": thinker, "yellow": thinker}})
        s.post("analyses", {"game": "chess"})
        with s.events(f"matches/{m['match']}/events", key=m["key"]) as e:
            e.until("match")
            status, said = s.stop()
        self.assertEqual(status, 0, said)


if __name__ == "__main__":
    unittest.main()
