#!/usr/bin/env python3
"""Too much at once for `macaw serve`: connections that wait, bodies without end, and the end in the middle of it.

MACAW_TEST_BYTES is the number of bytes sent to it in all (64 MB by default).
"""
import os
import selectors
import socket
import time
import unittest

import kif
import program

BYTES = int(os.environ.get("MACAW_TEST_BYTES") or (16 << 20 if program.SAMPLE else 64 << 20))
CONNECTIONS = 300 if program.SAMPLE else 1000
FACTOR = 8 if program.SAMPLE else 1  # what a sanitizer adds to memory
MEMORY = 300 << 10                   # KiB, for the whole of it


def post(body, length=True):
    size = "Content-Length: %d\r\n" % len(body) if length else ""
    return ("POST / HTTP/1.0\r\nHost: here\r\n%s\r\n" % size).encode() + body


def crowd(serve, count, data):
    """Connections that have sent it, and wait."""
    sockets = []
    for _ in range(count):
        s = socket.create_connection(serve.address, timeout=program.PATIENCE)
        try:
            s.sendall(data)
        except OSError:  # turned away before it had said all
            pass
        sockets.append(s)
    return sockets


def answers(sockets):
    """What each of them got, b"" being a connection that was closed."""
    selector = selectors.DefaultSelector()
    for s in sockets:
        selector.register(s, selectors.EVENT_READ)
    until, got, open_ = time.monotonic() + program.PATIENCE, {s: b"" for s in sockets}, set(sockets)
    while open_ and time.monotonic() < until:
        for key, _ in selector.select(0.2):
            s = key.fileobj
            try:
                piece = s.recv(4096)
            except OSError:
                piece = b""
            got[s] += piece
            if not piece:
                open_.discard(s)
                selector.unregister(s)
    for s in sockets:
        s.close()
    return list(got.values()), len(open_)


class Crowd(unittest.TestCase):
    def begin(self, *options, play):
        serve = program.Serve("--player", "uct", *options)
        self.addCleanup(serve.kill)
        serve.begin(program.game("breakthrough"), start=1, play=play)
        return serve

    def test_many_wait(self):
        """More of them than there is room for: each is answered or turned away, and nobody else is kept out."""
        for length in (True, False):
            def attempt(factor):
                play = 4 * factor
                serve = self.begin(play=play)
                begun = time.monotonic()
                sockets = crowd(serve, CONNECTIONS, post(b"(play m1 nil)", length))
                self.assertIn(serve.info(), ("busy", "available"))
                self.assertIsInstance(serve.status(), dict)
                self.assertLess(serve.descriptors(), 700)
                got, silent = answers(sockets)
                self.assertEqual(silent, 0)
                moves = [g for g in got if g.startswith(b"HTTP/1.") and b" 200 " in g.split(b"\r\n")[0]]
                turns = 1 + (time.monotonic() - begun) // play  # the system may hold a connection back until the first ones have their move
                self.assertEqual(serve.say("(abort m1)").lower(), "aborted")
                self.assertEqual(serve.terminate(), 0)
                self.assertGreater(len(moves), 0)
                self.assertLessEqual(len(moves), 16 * turns)
            program.on_time(attempt)

    def test_ends_while_many_wait(self):
        def attempt(factor):
            serve = self.begin(play=1000)
            sockets = crowd(serve, CONNECTIONS, post(b"(play m1 nil)"))
            begun = time.monotonic()
            self.assertEqual(serve.terminate(), 0)
            seconds = time.monotonic() - begun
            for s in sockets:
                s.close()
            self.assertLess(seconds, factor)
        program.on_time(attempt)

    def flood(self, serve, bodies):
        """Sends them all, several at a time; whatever is answered is right. The most memory it took on the way."""
        most, sockets = 0, []
        for i, body in enumerate(bodies):
            sockets += crowd(serve, 1, post(body))
            if len(sockets) >= 12 or i + 1 == len(bodies):
                most = max(most, serve.memory())
                for s in sockets:
                    s.close()
                sockets = []
        return max(most, serve.memory())

    def test_bodies_without_end(self):
        """Plays as long as they may be, each another one, while the first is being thought about."""
        size = (10 << 20) - 100
        serve = program.Serve("--player", "random")
        self.addCleanup(serve.kill)
        self.assertEqual(serve.say(program.start_text(program.game("tictactoe"), start=1, play=1000)).lower(), "ready")
        lists = b"() " * ((size - 40) // 3)
        bodies = [b"(play m1 (%d " % i + lists + b"))" for i in range(max(3, BYTES // 2 // size))]
        spaces = b" " * (size - 40)
        bodies += [b"(play m1 (%d" % i + spaces + b"))" for i in range(max(3, BYTES // 2 // size))]
        most = self.flood(serve, bodies)
        self.assertLess(most, MEMORY * FACTOR)
        self.assertIn(serve.info(), ("busy", "available"))
        self.assertEqual(serve.say("(abort m1)").lower(), "aborted")

    def test_rules_without_end(self):
        """START after START, each with rules as long as they may be."""
        size = (10 << 20) - 200
        serve = program.Serve("--player", "random")
        self.addCleanup(serve.kill)
        most = 0
        for i in range(max(2, BYTES // 4 // size)):
            rules = "(role a) " + "(p q) " * (size // 6 - 20)
            serve.ask("(start m%d a (%s) 1 1)" % (i, rules))
            most = max(most, serve.rss())
        self.assertLess(most, MEMORY * FACTOR)

    def test_many_requests(self):
        serve = self.begin(play=1000)
        for i in range(10 if program.SAMPLE else 40):
            sockets = crowd(serve, 100, post(b"(play m1 (%d))" % i))
            for s in sockets:
                s.close()
        self.assertIn(serve.info(), ("busy", "available"))
        self.assertTrue(program.wait_until(lambda: serve.descriptors() < 60), serve.descriptors())
        self.assertLess(serve.memory(), MEMORY * FACTOR)

    def test_clocks_that_are_too_long(self):
        with program.Serve() as serve:
            text = kif.write(("start", "m1", "a", ("role", "a"), "2000000", "1"))
            self.assertIn("longer than 1000000 seconds", str(serve.ask(text).error))

    def test_conflicting_lengths(self):
        with program.Serve() as serve:
            for head in ("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 6\r\nContent-Length: 7\r\n"):
                s = socket.create_connection(serve.address, timeout=program.PATIENCE)
                s.sendall(("POST / HTTP/1.1\r\nHost: here\r\n%s\r\n(info)" % head).encode())
                self.assertIn(b" 400 ", s.recv(4096).split(b"\r\n")[0])
                s.close()


if __name__ == "__main__":
    program.main()
