"""A client of `macaw web` for tests: starts the server, asks, and reads streams of events."""

import http.client
import json
import os
import signal
import socket
import subprocess
import time
import urllib.parse

PROGRAM = os.environ.get("MACAW", "build/macaw")
PATIENCE = float(os.environ.get("MACAW_TEST_PATIENCE", "120"))  # seconds; the machine may be busy


class Failure(Exception):
    """An answer of status 400 or above."""

    def __init__(self, status, error):
        super().__init__(f"{status} {error.get('code')}: {error.get('message')}")
        self.status, self.error, self.code = status, error, error.get("code")


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen(
            [PROGRAM, "web", "--listen", "127.0.0.1:0", "--no-open", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.url = self.process.stdout.readline().strip()
        address, _, self.token = self.url.partition("/#token=")
        self.address = address.removeprefix("http://")

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.stop()

    def stop(self):
        """Ends it as Ctrl-C does; returns its status and what it said on standard error."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said

    def connect(self):
        host, port = self.address.rsplit(":", 1)
        return http.client.HTTPConnection(host, int(port), timeout=PATIENCE)

    def raw(self, method, path, body=None, headers=None):
        """Any request: (status, headers, bytes)."""
        c = self.connect()
        try:
            c.request(method, path, body, headers or {})
            r = c.getresponse()
            return r.status, dict(r.getheaders()), r.read()
        finally:
            c.close()

    def ask(self, method, path, body=None, key=None, token=True, headers=None):
        """A request of the interface; its answer as data, or a Failure."""
        status, _, text = self.answer(method, path, body, key, token, headers)
        data = json.loads(text)
        if status >= 400:
            raise Failure(status, data["error"])
        return data

    def answer(self, method, path, body=None, key=None, token=True, headers=None):
        all_headers = {"Content-Type": "application/json", **(headers or {})}
        if token and not key:
            all_headers["X-Macaw-Token"] = self.token
        if key:
            all_headers["X-Macaw-Key"] = key
        text = None if body is None else body if isinstance(body, (bytes, str)) else json.dumps(body)
        return self.raw(method, "/api/" + path, text, all_headers)

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.ask("POST", path, {} if body is None else body, **more)

    def delete(self, path, **more):
        return self.ask("DELETE", path, **more)

    def events(self, path, key=None):
        return Events(self, path, key)

    def fails(self, method, path, body=None, **more):
        """The Failure that the request must be answered with."""
        try:
            self.ask(method, path, body, **more)
        except Failure as f:
            return f
        raise AssertionError(f"{method} {path} was not refused")


class Events:
    """A stream of server-sent events: pairs (name, data)."""

    def __init__(self, server, path, key=None):
        self.connection = server.connect()
        headers = {"X-Macaw-Key": key} if key else {"X-Macaw-Token": server.token}
        self.connection.request("GET", "/api/" + path, None, headers)
        self.response = self.connection.getresponse()
        self.text = []  # all that came, as it came
        if self.response.status != 200:
            raise Failure(self.response.status, json.loads(self.response.read())["error"])

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        """As a page that vanishes."""
        try:
            self.connection.sock and self.connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.connection.close()

    def __iter__(self):
        name, data = None, []
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            line = self.response.readline().decode()
            if not line:
                return
            self.text.append(line)
            line = line.rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                data.append(line[6:])
            elif not line and name:
                yield name, json.loads("\n".join(data))
                name, data = None, []
        raise AssertionError("no event for too long")

    def until(self, name, test=lambda data: True):
        """The data of the first event of that name that passes the test."""
        for got, data in self:
            if got == name and test(data):
                return data
        raise AssertionError(f"the stream ended without {name}")


def quote(text):
    return urllib.parse.quote(text, safe="")


def wait_for(test, what):
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if test():
            return
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")
