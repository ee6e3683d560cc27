#!/usr/bin/env python3
"""`macaw manage` with players that are not ours: it tells them what has happened and
nothing else, judges what they answer, and keeps a true record."""
import json
import os
import random
import re
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import kif
import player
import program


def replayed(case, game, record):
    """Replays a record by the interpreter; the states, the joint moves, and the percepts of every step."""
    states, joints, percepts = [game.initial], [], []
    for step in record["moves"]:
        joint = {role: kif.read(step[role]) for role in game.roles}
        legal = game.legal(states[-1])
        for role, move in joint.items():
            case.assertIn(move, legal[role], "step %d" % len(joints))
        case.assertFalse(game.terminal(states[-1]))
        percepts.append(game.sees(states[-1], joint))
        joints.append(joint)
        states.append(game.next(states[-1], joint))
    case.assertTrue(game.terminal(states[-1]))
    case.assertEqual({r: record["goals"][r] for r in game.roles}, game.goals(states[-1]))
    case.assertEqual(record["steps"], len(joints))
    if "states" in record:  # --json prints only what matters most
        case.assertEqual([frozenset(map(kif.read, s)) for s in record["states"]], states)
        case.assertEqual(len(record["times"]), len(joints))
    return states, joints, percepts


def errors_of(record, role):
    """How many errors the record counts for a role."""
    return record["errors"][role]


def messages(peer, verb):
    return [m for _, m in peer.log if m[0].lower() == verb]


class Case(unittest.TestCase):
    def play(self, name, faults=(None, None), since=0, options=(), start=60, play=30, grace=0.3, seed=3, think=0.0):
        """One match between peers: (exit code, record, peers by role)."""
        self.game = program.game(name)
        roles = [r for r in self.game.roles if r != "random"]
        peers = {r: player.Player("peer", f, since, random.Random(i), think=think) for i, (r, f) in enumerate(zip(roles, faults))}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "record.json")
            try:
                code, out, err = program.manage(
                    program.game_path(name), *(p.where for p in peers.values()), "--start", start, "--play", play, "--grace", grace,
                    "--seed", seed, "--json", "--record", path, *options)
            finally:
                for p in peers.values():
                    p.close()
            self.assertIn(code, (0, 1), err)
            with open(path, encoding="utf-8") as f:
                record = json.load(f)
            self.printed = json.loads(out.split("\n", 1)[1] if out.startswith("listening on") else out)
        return code, record, peers


class Good(Case):
    def check_told(self, peers, joints, percepts):
        """Every player was told what it should be, in order, in the form of the game."""
        for role, peer in peers.items():
            self.assertEqual(peer.troubles, [])
            verbs = [m[0].lower() for _, m in peer.log if m[0].lower() not in ("info", "preview")]
            self.assertEqual(verbs, ["start"] + ["play"] * len(joints) + ["stop"])
            start = messages(peer, "start")[0]
            self.assertEqual(start[2], role)
            self.assertEqual((float(start[4]), float(start[5])), (60, 30))
            told = messages(peer, "play")[1:] + messages(peer, "stop")
            self.assertEqual({m[1] for _, m in peer.log if m[0].lower() in ("start", "play", "stop")}, {start[1]})
            for turn, (message, joint, seen) in enumerate(zip(told, joints, percepts)):
                if self.game.hidden:
                    self.assertEqual(message[2:4], (str(turn + 1), joint[role]))
                    got = message[4] if isinstance(message[4], tuple) else ()
                    self.assertEqual(sorted(got, key=kif.write), seen[role], "percepts of turn %d" % turn)
                    if not seen[role]:
                        self.assertIn(message[4], ("nil", "NIL", ()))
                else:
                    self.assertEqual(message[2:], (tuple(joint[r] for r in self.game.roles),))
            first = messages(peer, "play")[0]
            self.assertEqual([str(x).lower() for x in first[2:]], ["0", "nil", "nil"] if self.game.hidden else ["nil"])

    def test_games(self):
        for name in ("tictactoe", "rock_paper_scissors", "monty_hall", "kuhn_poker"):
            with self.subTest(game=name):
                code, record, peers = self.play(name)
                self.assertEqual(code, 0)
                self.assertIn("states", record)
                _, joints, percepts = replayed(self, self.game, record)
                self.check_told(peers, joints, percepts)
                for role, peer in peers.items():
                    self.assertEqual(peer.answers, [j[role] for j in joints])
                    self.assertEqual(errors_of(record, role), 0)

    def test_rules_are_those_of_the_game(self):
        _, _, peers = self.play("tictactoe")
        for peer in peers.values():
            self.assertEqual(sorted(map(kif.write, messages(peer, "start")[0][3])), sorted(map(kif.write, self.game.terms)))

    def test_chance_is_by_lot(self):
        """`random` does not always play the same."""
        places = set()
        for seed in range(1, 9):
            _, record, _ = self.play("monty_hall", seed=seed)
            places.add(record["moves"][0]["random"])
        self.assertEqual(len(places), 3)

    def test_scrambled(self):
        for name in ("tictactoe", "monty_hall"):
            code, record, peers = self.play(name, options=("--scramble",))
            self.assertEqual(code, 0)
            replayed(self, self.game, record)  # the record has the names of the game
            theirs = set(kif.symbols(self.game.terms)) - kif.KEYWORDS
            theirs = {w for w in theirs if not w.isdigit()}
            for peer in peers.values():
                self.assertEqual(peer.troubles, [])
                sent = {w for _, m in peer.log for w in kif.symbols(m[2:])}
                self.assertEqual(sent & theirs - {"x", "o", "b"}, set())

    def test_asked_at_the_same_time(self):
        def attempt(factor):
            _, _, peers = self.play("rock_paper_scissors", think=0.5 * factor)
            for verb in ("start", "play", "stop"):
                times = [[t for t, m in p.log if m[0].lower() == verb] for p in peers.values()]
                for left, right in zip(*times):
                    self.assertLess(abs(left - right), 0.3 * factor, verb)
        program.on_time(attempt)

    def test_oddities_are_borne(self):
        for fault in ("bare", "split", "unsized", "wide"):
            with self.subTest(fault=fault):
                code, record, _ = self.play("rock_paper_scissors", (fault, None))
                self.assertEqual(code, 0)
                self.assertEqual(errors_of(record, "alice"), 0)

    def test_with_players_from_here(self):
        with player.Player() as peer:
            code, out, err = program.manage(program.game_path("tictactoe"), "random", peer.where, "--start", 60, "--play", 30, "--json")
            self.assertEqual(code, 0, err)
            self.assertEqual(peer.troubles, [])
            replayed(self, program.game("tictactoe"), json.loads(out)["matches"][0])

    def test_with_our_own_server(self):
        with program.Serve("--player", "uct") as left, program.Serve("--player", "random") as right:
            for name in ("tictactoe", "kuhn_poker"):
                def attempt(factor):
                    code, out, err = program.manage(program.game_path(name), left.where, right.where, "--start", 2 * factor,
                                                    "--play", 0.2 * factor, "--grace", 0.5, "--json", "--scramble")
                    self.assertEqual(code, 0, err + out[:3000])
                    replayed(self, program.game(name), json.loads(out)["matches"][0])
                program.on_time(attempt)


class Bad(Case):
    SLOW = {"slow", "silent", "half-open", "long", "flood", "drip", "vanish"}  # those that use up their clocks, or more

    def check(self, fault, since=0, game="rock_paper_scissors"):
        result = None

        def attempt(factor):
            nonlocal result
            play, grace = (0.3 * factor, 0.2 * factor) if fault in self.SLOW else (30, 1)
            begun = time.monotonic()
            code, record, peers = self.play(game, (fault, None), since, start=2 * factor, play=play, grace=grace)
            seconds = time.monotonic() - begun
            self.assertEqual(code, 1)
            _, joints, _ = replayed(self, self.game, record)
            role, other = list(peers)
            self.assertGreaterEqual(errors_of(record, role), 1)
            self.assertEqual(errors_of(record, other), 0)
            self.assertEqual(peers[other].troubles, [])
            if fault in self.SLOW:
                self.assertLess(seconds, 3 * factor + (len(joints) + 2) * (play + grace + 0.5 * factor))
            result = record, peers, joints
        program.on_time(attempt)
        return result

    def test_every_fault(self):
        for fault in sorted(set(player.FAULTS) - {"bare", "split", "unsized", "wide", "shout"}):
            with self.subTest(fault=fault):
                self.check(fault)

    def test_every_step_is_counted(self):
        """tic-tac-toe, all of x's moves illegal: each is replaced and counted, and `o` is told what was executed."""
        record, peers, joints = self.check("illegal", game="tictactoe")
        self.assertEqual(errors_of(record, "x"), len(joints))
        told = [m[2] for m in messages(peers["o"], "play")[1:] + messages(peers["o"], "stop")]
        self.assertEqual(told, [(j["x"], j["o"]) for j in joints])

    def test_last_move_tells_of_a_replaced_one(self):
        code, record, peers = self.play("monty_hall", ("illegal",))
        self.assertEqual(code, 1)
        _, joints, percepts = replayed(self, self.game, record)
        told = messages(peers["candidate"], "play")[1:] + messages(peers["candidate"], "stop")
        self.assertEqual([m[3] for m in told], [j["candidate"] for j in joints])
        self.assertEqual([sorted(m[4], key=kif.write) if isinstance(m[4], tuple) else [] for m in told],
                         [p["candidate"] for p in percepts])

    def test_vanishing(self):
        for since in (1, 2):
            self.check("vanish", since, "tictactoe")

    def test_bad_start(self):
        for fault in ("silent", "busy", "garbage", "vanish"):
            with self.subTest(fault=fault):
                def attempt(factor):
                    begun = time.monotonic()
                    code, record, _ = self.play("rock_paper_scissors", (fault, None), -1, start=2 * factor, play=factor)
                    seconds = time.monotonic() - begun
                    self.assertEqual(code, 1)
                    self.assertGreaterEqual(errors_of(record, "alice"), 1)
                    replayed(self, self.game, record)
                    self.assertLess(seconds, 7 * factor)
                program.on_time(attempt)

    def test_nobody_there(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            where = "127.0.0.1:%d" % free.getsockname()[1]
            code, out, err = program.manage(program.game_path("rock_paper_scissors"), where, "random", "--start", 1, "--play", 0.2,
                                            "--grace", 0.1, "--json")
        self.assertEqual(code, 1, err)
        self.assertGreaterEqual(errors_of(json.loads(out)["matches"][0], "alice"), 1)

    def test_usage(self):
        for words in ((), ("no-such-game", "random"), (program.game_path("tictactoe"), "random"),
                      (program.game_path("tictactoe"), "random", "no-such-player"),
                      (program.game_path("tictactoe"), "random", "127.0.0.1:99999"),
                      (program.game_path("tictactoe"), "random", "random", "--play", "x")):
            code, _, err = program.manage(*words)
            self.assertIn(code, (1, 2), words)
            self.assertTrue(err.strip())


class EventStream(Case):
    """GET /events: server-sent events for spectators."""

    def watch(self, address, out, hears):
        with socket.create_connection(address, timeout=program.PATIENCE) as sock:
            sock.sendall(b"GET /events HTTP/1.1\r\nHost: here\r\nAccept: text/event-stream\r\n\r\n")
            data = b""
            try:
                while True:
                    piece = sock.recv(4096)
                    if not piece:
                        break
                    if not data:
                        hears.release()
                    data += piece
            except OSError:
                pass
            out.append(data)

    def test_spectators(self):
        gate, hears = threading.Event(), threading.Semaphore(0)
        peers = [player.Player(think=0.02, gate=gate) for _ in range(2)]
        process = subprocess.Popen(
            [program.MACAW, "manage", program.game_path("tictactoe")] + [p.where for p in peers] +
            ["--start", "100", "--play", "100", "--listen", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            first = process.stdout.readline().decode().strip()
            self.assertRegex(first, r"^listening on 127\.0\.0\.1:\d+$")
            address = ("127.0.0.1", int(first.rpartition(":")[2]))
            lazy = socket.create_connection(address)  # one that asks and never reads
            lazy.sendall(b"GET /events HTTP/1.0\r\n\r\n")
            rude = socket.create_connection(address)
            rude.sendall(os.urandom(2000))
            seen = []
            threads = [threading.Thread(target=self.watch, args=(address, seen, hears)) for _ in range(3)]
            for thread in threads:
                thread.start()
            for path in (b"/", b"/nothing", b"/../../etc/passwd", b"/%00"):
                with socket.create_connection(address, timeout=program.PATIENCE) as sock:
                    sock.sendall(b"GET " + path + b" HTTP/1.0\r\n\r\n")
                    self.assertNotIn(b"root:", sock.recv(65536))
            with socket.create_connection(address, timeout=program.PATIENCE) as sock:  # it is read-only
                sock.sendall(b"POST /events HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}")
                self.assertNotIn(b" 200 ", sock.recv(65536).split(b"\n")[0])
            for _ in threads:
                self.assertTrue(hears.acquire(timeout=program.PATIENCE))
            gate.set()  # all of them watch: now the players may move
            process.stdout.read()
            self.assertEqual(process.wait(program.PATIENCE), 0)
            for thread in threads:
                thread.join(program.PATIENCE)
            lazy.close()
            rude.close()
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdout.close()
            for p in peers:
                p.close()
        self.assertEqual(len(seen), 3)
        for data in seen:
            self.check_stream(data, peers)

    def check_stream(self, data, peers):
        text = data.decode()
        head, _, body = text.partition("\r\n\r\n")
        self.assertIn(" 200 ", head.split("\n")[0])
        self.assertRegex(head.lower(), r"content-type: *text/event-stream")
        self.assertRegex(head.lower(), r"access-control-allow-origin: *\*")
        if "chunked" in head.lower():
            body = re.sub(r"(?:^|\r\n)[0-9a-f]+\r\n", "", body)
        found = [line[5:].strip() for line in body.replace("\r", "").split("\n") if line.startswith("data:")]
        self.assertGreaterEqual(len(found), 3)
        for line in found:
            json.loads(line)
        for peer in peers:  # every move can be seen
            for move in peer.answers[1:]:
                self.assertIn(kif.write(move), body)


class Many(Case):
    def test_schedule_and_rounds(self):
        with tempfile.TemporaryDirectory() as folder, player.Player() as left, player.Player() as right:
            path = os.path.join(folder, "schedule")
            with open(path, "w", encoding="utf-8") as f:
                f.write("%s %s %s\n%s %s random\n" % (program.game_path("rock_paper_scissors"), left.where, right.where,
                                                      program.game_path("tictactoe"), right.where))
            code, _, err = program.manage("--schedule", path, "--rounds", 2, "--start", 60, "--play", 30, "--record",
                                          os.path.join(folder, "records"))
            self.assertEqual(code, 0, err)
            self.assertEqual(left.troubles + right.troubles, [])
            with open(os.path.join(folder, "records"), encoding="utf-8") as f:
                records = [json.loads(line) for line in f]
            self.assertEqual(len(records), 4)
            for record in records:
                replayed(self, program.game("tictactoe" if "x" in record["goals"] else "rock_paper_scissors"), record)
            self.assertEqual(len({m[1] for p in (left, right) for m in messages(p, "start")}), 4, "matches of one name")


if __name__ == "__main__":
    program.main()
