#!/usr/bin/env python3
"""`macaw serve` bears whatever comes over the wire: connections that hang, bodies of
any size, lengths that lie, and bytes that are not HTTP."""
import os
import random
import socket
import struct
import threading
import time
import unittest

import kif
import manager
import program
import wire

LIMIT = 10 << 20  # the default of --max-body


def connect(address):
    return socket.create_connection(address, timeout=program.PATIENCE)


def reset(sock):
    """Closes with RST instead of FIN."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


class Wire(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.serve = program.Serve("--player", "random", "--matches", "2")
        cls.game = program.game("rock_paper_scissors")

    @classmethod
    def tearDownClass(cls):
        cls.serve.finish()

    def tearDown(self):
        self.check_alive()

    def check_alive(self):
        """It still plays."""
        self.assertIsNone(self.serve.process.poll(), self.serve.said())
        match = manager.Match(self.game, {"alice": self.serve.address}, match="alive").run()
        self.assertEqual(match.errors, [])

    def status_of(self, data, timeout=program.PATIENCE, **how):
        """The status of the reply, or None if it just closes."""
        try:
            return wire.exchange(self.serve.address, data, timeout, **how).status
        except wire.Broken:
            return None

    def post(self, body, length=None, first="POST / HTTP/1.0"):
        return ("%s\r\nContent-Type: text/acl\r\nContent-Length: %s\r\n\r\n"
                % (first, len(body) if length is None else length)).encode() + body

    # ---- connections that hang

    def test_slowloris(self):
        """Headers a byte at a time on many connections, while matches go on."""
        socks, stop = [connect(self.serve.address) for _ in range(60)], threading.Event()

        def drip():
            text = wire.request_bytes("(info)")
            for byte in text:
                for sock in socks:
                    try:
                        sock.send(bytes([byte]))
                    except OSError:
                        pass
                if stop.wait(0.1):
                    return
        thread = threading.Thread(target=drip)
        thread.start()
        try:
            for _ in range(10):
                self.check_alive()
        finally:
            stop.set()
            thread.join()
            for sock in socks:
                sock.close()

    def test_half_open(self):
        """Connections without a word, with half a header, with half a body."""
        half = [b"", b"POST / HTT", b"POST / HTTP/1.0\r\nContent-Length: 10\r\n", self.post(b"(info)", 500),
                b"POST / HTTP/1.0\r\nHost: a\r\n\r\n", b"POST / HTTP/1.0\r\n\r\n(start m1 ((", self.post(b"\xc3\xa9(", 2)]
        socks = []
        try:
            for i in range(120):
                socks.append(connect(self.serve.address))
                socks[-1].sendall(half[i % len(half)])
            for _ in range(5):
                self.check_alive()
        finally:
            for i, sock in enumerate(socks):
                if i % 2:
                    reset(sock)
                else:
                    sock.close()
        before = self.serve.descriptors()
        self.assertLess(before, 150)
        self.assertTrue(program.wait_until(lambda: self.serve.descriptors() < 40), self.serve.descriptors())

    def test_held_open(self):
        """Many more than it serves at once, that say nothing: newcomers are served all the same."""
        socks = []
        try:
            for _ in range(700):
                socks.append(socket.socket())
                socks[-1].settimeout(program.PATIENCE)
                socks[-1].connect(self.serve.address)
            self.check_alive()
            self.assertLess(self.serve.threads(), 100)
        finally:
            for sock in socks:
                sock.close()

    def test_gone_before_the_answer(self):
        for end in (socket.socket.close, reset):
            for _ in range(20):
                sock = connect(self.serve.address)
                sock.sendall(wire.request_bytes("(info)"))
                end(sock)

    def test_answer_never_read(self):
        socks = []
        try:
            for _ in range(50):
                socks.append(connect(self.serve.address))
                socks[-1].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
                socks[-1].sendall(wire.request_bytes("(info)"))
            self.check_alive()
        finally:
            for sock in socks:
                sock.close()

    # ---- sizes

    def test_bodies_of_nothing_and_one_byte(self):
        for body in (b"", b" ", b"(", b")", b"a", b"\0", b"\xff", b";"):
            reply = wire.exchange(self.serve.address, self.post(body))
            self.assertTrue(200 <= reply.status < 500, reply)
            self.assertTrue(reply.body, "no reason given for %r" % body)

    def test_ten_megabytes(self):
        """As long as the limit is still read; a byte more is not."""
        message = b"(info)" + b" " * (LIMIT - 6)
        reply = wire.exchange(self.serve.address, self.post(message))
        self.assertEqual(reply.status, 200)
        self.assertEqual(self.status_of(self.post(message + b" ")), 413)
        self.assertIn(self.status_of(self.post(message * 3)), (413, None))
        big = b"(" + b"a " * (LIMIT // 2 - 1) + b")"
        self.assertLess(self.status_of(self.post(big)), 500)
        self.assertLess(self.serve.rss(), 400000 if not program.SAMPLE else 1 << 30)

    def test_too_long_is_refused_before_it_is_sent(self):
        begun = time.monotonic()
        with connect(self.serve.address) as sock:
            sock.sendall(self.post(b"(info", 10 ** 12))
            try:
                self.assertEqual(wire.read_reply(sock, begun + program.PATIENCE, begun).status, 413)
            except wire.Broken:
                pass

    def test_endless_without_a_length(self):
        """A body that states no length is bounded all the same."""
        begun = time.monotonic()
        with connect(self.serve.address) as sock:
            try:
                sock.sendall(b"POST / HTTP/1.0\r\nHost: a\r\n\r\n(")
                for _ in range(3 * LIMIT // 65536):
                    sock.sendall(b"a " * 32768)
                self.assertEqual(wire.read_reply(sock, begun + program.PATIENCE, begun).status, 413)
            except (OSError, wire.Broken):
                pass

    def test_slow_body_without_a_length(self):
        """Many at once, a piece now and then; each is answered in the end."""
        data = [wire.request_bytes("(info)", style) for style in ("unsized", "post", "get", "bare")]
        socks = [connect(self.serve.address) for _ in range(40)]
        try:
            for i in range(0, max(map(len, data)), 20):
                for k, sock in enumerate(socks):
                    sock.sendall(data[k % 4][i:i + 20])
                time.sleep(0.02)
            self.check_alive()
            for k, sock in enumerate(socks):
                if k % 4 == 0:
                    sock.shutdown(socket.SHUT_WR)
                begun = time.monotonic()
                self.assertEqual(wire.read_reply(sock, begun + program.PATIENCE, begun).status, 200, k)
        finally:
            for sock in socks:
                sock.close()

    def test_lying_lengths(self):
        self.assertLess(self.status_of(self.post(b"(info)", 3)) or 400, 500)  # more than said
        with self.assertRaises((wire.Late, wire.Broken)):  # less than said
            wire.exchange(self.serve.address, self.post(b"(info)", 600), 0.5)
        try:  # less, and the end
            self.assertIn(self.status_of(self.post(b"(info)", 600), 0.5, close_after=True), (None, 200, 400, 408))
        except wire.Late:
            pass  # until its own patience ends
        for length in ("-1", "abc", "1e3", "0x10", "99999999999999999999999999", "", "6, 7", "+6", "6\r\nContent-Length: 7"):
            status = self.status_of(self.post(b"(info)", length), 2, close_after=True)
            self.assertIn(status, (None, 200, 400, 413), length)

    def test_length_in_characters(self):
        """The length counts characters, and the bytes are more."""
        game = kif.read_all("(role \u00e9\u00e9) (init a) (<= (legal \u00e9\u00e9 \u00fc) (true a)) (<= terminal (not (true a)))"
                            "(goal \u00e9\u00e9 100)")
        text = kif.write(("start", "\u00fcber", "\u00e9\u00e9", tuple(game), "60", "30"))
        self.assertLess(len(text), len(text.encode()))
        reply = wire.exchange(self.serve.address, self.post(text.encode(), len(text)))
        self.assertEqual(reply.text.lower(), "ready")
        self.assertEqual(self.serve.say("(play \u00fcber nil)"), "\u00fc")
        self.assertEqual(self.serve.say("(stop \u00fcber (\u00fc))").lower(), "done")

    # ---- ways to send

    def test_in_pieces(self):
        for style in wire.STYLES:
            data = wire.request_bytes(program.start_text(self.game, "pieces"), style)
            reply = wire.exchange(self.serve.address, data, pieces=97, pause=0.002, close_after=style == "unsized")
            self.assertEqual(reply.text.lower(), "ready", style)
            self.serve.say("(abort pieces)")
        data = wire.request_bytes("(info)", "bare")
        self.assertEqual(self.status_of(data, pieces=1, pause=0.001), 200)

    def test_chunked(self):
        text = program.start_text(self.game, "chunked").encode()
        body = b"".join(b"%x\r\n%s\r\n" % (len(text[i:i + 100]), text[i:i + 100]) for i in range(0, len(text), 100))
        head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        self.assertEqual(wire.exchange(self.serve.address, head + body + b"0\r\n\r\n").text.lower(), "ready")
        self.serve.say("(abort chunked)")
        for bad in (b"zz\r\n(info)\r\n", b"-1\r\n(info)", b"ffffffffffffffffff\r\n(info)\r\n0\r\n\r\n"):
            self.assertNotEqual(self.status_of(head + bad, 2, close_after=True), 500)

    def test_one_connection_twice(self):
        data = wire.request_bytes("(info)", "post11")
        with connect(self.serve.address) as sock:
            begun = time.monotonic()
            sock.sendall(data + data)
            self.assertEqual(wire.read_reply(sock, begun + program.PATIENCE, begun).status, 200)

    def test_lf_and_empty_receiver(self):
        data = b"POST / HTTP/1.0\nHost: 127.0.0.1\nReceiver: \nContent-Length: 6\n\n(info)"
        self.assertEqual(self.status_of(data), 200)
        self.assertEqual(self.status_of(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(info)"), 200)

    # ---- not what is expected

    def test_other_requests(self):
        for line in ("PUT / HTTP/1.0", "DELETE / HTTP/1.1", "BREW /pot HTTP/1.0", "HEAD / HTTP/1.0", "TRACE / HTTP/1.1",
                     "CONNECT a:1 HTTP/1.1", "GET / HTTP/1.0", "GET /favicon.ico HTTP/1.0", "GET /%zz HTTP/1.0",
                     "GET /%00%00 HTTP/1.0", "GET /..%2f..%2fetc/passwd HTTP/1.0", "GET /%28info HTTP/1.0",
                     "GET //etc/passwd HTTP/1.0", "GET /" + "a" * 100000 + " HTTP/1.0", "GET / HTTP/9.9", "GET",
                     "POST /elsewhere HTTP/1.0\r\nContent-Length: 0", "%s%n%s%n / HTTP/1.0"):
            data = (line + "\r\nHost: a\r\nConnection: close\r\n\r\n").encode()
            begun = time.monotonic()
            try:
                with connect(self.serve.address) as sock:
                    sock.sendall(data)
                    reply = wire.read_reply(sock, begun + program.PATIENCE, begun, head=True)
                    self.assertIn(reply.status, list(range(200, 500)) + [501, 505], line[:60])
                    self.assertNotIn(b"root:", reply.body)
            except (wire.Broken, OSError):
                pass

    def test_garbage(self):
        rng = random.Random(11)
        texts = [bytes(rng.randrange(256) for _ in range(rng.randrange(1, 3000))) for _ in range(60)]
        texts += [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500), b"\r\n" * 5000, b"\0" * 5000,
                  b"A" * 200000, b"POST / HTTP/1.0\r\n" + b"X-A: b\r\n" * 20000, b"POST / HTTP/1.0\r\nNo colon\r\n\r\n"]
        for text in texts:
            try:
                self.status_of(text, 0.3, close_after=True)
            except wire.Late:
                pass

    def test_many_connections(self):
        """More than it cares to serve at once: the rest may be refused, but not for ever."""
        socks = []
        try:
            for _ in range(400):
                sock = socket.socket()
                sock.settimeout(program.PATIENCE)
                sock.connect(self.serve.address)
                socks.append(sock)
        except OSError:
            pass
        finally:
            for sock in socks:
                sock.close()
        self.assertTrue(program.wait_until(lambda: not self.serve.ask("(info)").error))


class Ends(unittest.TestCase):
    def test_with_hanging_connections(self):
        """SIGTERM is not held up by those who do not finish."""
        with program.Serve("--player", "random") as serve:
            socks = [connect(serve.address) for _ in range(20)]
            for i, sock in enumerate(socks):
                sock.sendall((b"", b"POST / HT", b"POST / HTTP/1.0\r\nContent-Length: 90\r\n\r\n(info")[i % 3])
            self.assertEqual(serve.info(), "available")
            self.assertEqual(serve.terminate(20), 0, serve.said())
            for sock in socks:
                sock.close()


if __name__ == "__main__":
    program.main()
