"""HTTP by bare sockets, in all the ways that managers and players were seen to speak it.

The library modules of Python are too polite for this: here a header line may end
with a bare LF, a length may be left out or lie, and a packet may come in pieces.
"""
import socket
import time
import urllib.parse

PATIENCE = 120.0  # seconds
STYLES = ("post", "post11", "get", "bare", "unsized")


class Broken(Exception):
    """The other side does not speak HTTP, or has gone."""


class Late(Exception):
    """The other side has not answered in time."""


class Reply:
    def __init__(self, status, headers, body, seconds):
        self.status, self.headers, self.body, self.seconds = status, headers, body, seconds

    @property
    def text(self):
        return self.body.decode("utf-8", "replace")

    def __repr__(self):
        return "Reply(%r, %r, %r)" % (self.status, self.headers, self.body[:200])


def head_and_rest(data):
    """Splits after the empty line, which may be made of LF alone; None if it has not come."""
    ends = [(data.find(mark) + len(mark), data.find(mark)) for mark in (b"\r\n\r\n", b"\n\n") if mark in data]
    if not ends:
        return None
    end, start = min(ends)
    return data[:start], data[end:]


def parse_head(head):
    """The first line and the headers, their names in lower case."""
    lines = head.decode("latin-1").replace("\r\n", "\n").split("\n")
    headers = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon:
            raise Broken("a header line without a colon: %r" % line)
        headers[name.strip().lower()] = value.strip()
    return lines[0], headers


def request_bytes(message, style="post", host="127.0.0.1", receiver="macaw", extra=()):
    """A message as a manager sends it. `style` is one of STYLES."""
    body = message if isinstance(message, bytes) else message.encode()
    if style == "get":
        return ("GET /%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                % (urllib.parse.quote(body, safe=""), host)).encode()
    lines = ["POST / HTTP/1.%d" % (style == "post11"), "Accept: text/delim", "Host: " + host, "Sender: GAMESERVER",
             "Receiver: " + receiver, "Content-Type: text/acl"]
    if style != "unsized":
        lines.append("Content-Length: %d" % len(body))
    end = "\n" if style == "bare" else "\r\n"
    return end.join(lines + list(extra) + ["", ""]).encode() + body


def read_reply(sock, deadline, begun, head=False):
    """Reads one reply up to its length, or up to the end if it states none."""
    data, limit = b"", 1 << 20
    while True:
        parts = head_and_rest(data)
        if parts:
            first, headers = parse_head(parts[0])
            size = headers.get("content-length")
            if head or (size is not None and len(parts[1]) >= int(size)):
                break
        left = deadline - time.monotonic()
        if left <= 0:
            raise Late(data[:200])
        sock.settimeout(left)
        try:
            piece = sock.recv(65536)
        except socket.timeout:
            raise Late(data[:200]) from None
        except OSError as e:
            raise Broken("%s after %r" % (e, data[:200])) from None
        if not piece:
            if not parts or (size is not None and len(parts[1]) < int(size)):
                raise Broken("the reply ends too early: %r" % data[:200])
            break
        data += piece
        if len(data) > limit:
            raise Broken("an endless reply")
    seconds = time.monotonic() - begun
    words = first.split(None, 2)
    if len(words) < 2 or not words[0].startswith("HTTP/") or not words[1].isdigit():
        raise Broken("a reply that begins with %r" % first[:200])
    body = parts[1] if size is None else parts[1][:int(size)]
    return Reply(int(words[1]), headers, body, seconds)


def exchange(address, data, timeout=PATIENCE, close_after=False, pieces=None, pause=0.0):
    """Sends bytes over a new connection and reads the reply.

    `close_after` ends the sending side, which is how a message without a length
    ends; `pieces` cuts the message into parts of that size, with a pause between."""
    begun = time.monotonic()
    try:
        sock = socket.create_connection(address, timeout=timeout)
    except OSError as e:
        raise Broken(str(e)) from None
    with sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            size = pieces or max(1, len(data))
            for i in range(0, len(data), size):
                sock.sendall(data[i:i + size])
                if pause:
                    time.sleep(pause)
            if close_after:
                sock.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it may have answered before it has read everything
        return read_reply(sock, begun + timeout, begun)


def ask(address, message, timeout=PATIENCE, style="post", **how):
    """One message as a manager sends it, and its reply."""
    return exchange(address, request_bytes(message, style, **how), timeout, close_after=style == "unsized")


def read_request(sock):
    """One request as a player reads it: (method, message, headers)."""
    data = b""
    while True:
        parts = head_and_rest(data)
        if parts:
            first, headers = parse_head(parts[0])
            words = first.split()
            if len(words) < 2:
                raise Broken(first)
            if words[0] != "POST":
                return words[0], urllib.parse.unquote(words[1][1:]), headers
            size = headers.get("content-length")
            if size is not None and len(parts[1]) >= int(size):
                return "POST", parts[1][:int(size)].decode("utf-8"), headers
        piece = sock.recv(65536)
        if not piece:
            if parts and size is None:
                return "POST", parts[1].decode("utf-8"), headers
            raise Broken("the request ends too early")
        data += piece


CORS = ("Access-Control-Allow-Origin: *", "Access-Control-Allow-Methods: POST, GET, OPTIONS",
        "Access-Control-Allow-Headers: Content-Type", "Access-Control-Allow-Age: 86400")


def reply_bytes(body, end="\r\n", length=None, status="200 OK"):
    """A reply as a player sends it; `length` if it shall lie."""
    body = body.encode()
    lines = ["HTTP/1.0 " + status, "Content-type: text/acl",
             "Content-length: %d" % (len(body) if length is None else length)] + list(CORS)
    return end.join(lines + ["", ""]).encode() + body
