"""What a browser sees at GET / of `macaw serve` and of `macaw manage --listen`; other programs get a line of text."""

import os
import signal
import subprocess
import unittest
import urllib.request

PROGRAM = os.environ.get("MACAW", "build/macaw")


def get(address, path="/", accept=None):
    ask = urllib.request.Request(f"http://{address}{path}", headers={"Accept": accept} if accept else {})
    with urllib.request.urlopen(ask, timeout=60) as r:
        return r.headers["Content-Type"], r.read().decode()


class Watch(unittest.TestCase):
    def start(self, *words):
        p = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(lambda: (p.send_signal(signal.SIGINT), p.communicate(timeout=60)))
        return p.stdout.readline().split()[-1]

    def look(self, address, follows):
        kind, text = get(address)
        self.assertEqual(kind, "text/plain")
        self.assertNotIn("<", text)
        kind, text = get(address, accept="text/html,application/xhtml+xml,*/*;q=0.8")
        self.assertEqual(kind, "text/html; charset=utf-8")
        self.assertTrue(text.startswith("<!doctype html>") and f"'{follows}'" in text)
        self.assertNotIn("innerHTML", text)

    def test_player(self):
        self.look(self.start("serve", "--listen", "127.0.0.1:0"), "/status")

    def test_manager(self):
        words = ("manage", "connect_four", "uct", "uct", "--start", "1", "--play", "60", "--listen", "127.0.0.1:0")
        self.look(self.start(*words), "/events")


if __name__ == "__main__":
    unittest.main()
