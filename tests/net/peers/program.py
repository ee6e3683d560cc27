"""Starting the program under test, and ending it whatever happens.

MACAW is the program, MACAW_SOURCE the folder of the project.
"""
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import kif
import manager
import rules
import wire

MACAW = os.environ.get("MACAW", "macaw")
SOURCE = os.environ.get("MACAW_SOURCE") or os.path.join(os.path.dirname(__file__), "..", "..", "..")
PATIENCE = 120.0  # seconds for what comes as soon as it can: the machine may be busy
SAMPLE = os.environ.get("MACAW_TEST_SAMPLE") == "1"  # under sanitizers: slower, so fewer rounds
if SAMPLE:  # what was freed shall not look like a leak for long
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=4"


def game_path(name):
    return os.path.join(SOURCE, "games", name + ".kif")


def game(name):
    with open(game_path(name), encoding="utf-8") as f:
        return rules.Game(f.read())


class Serve:
    """`macaw serve` on a free port, with what it has printed in `lines`."""

    def __init__(self, *options, cwd=None):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([MACAW, "serve", "--listen", "127.0.0.1:0"] + list(options), cwd=cwd,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors)
        self.lines, said = [], queue.Queue()

        def read():
            for line in self.process.stdout:
                self.lines.append(line.decode("utf-8", "replace").rstrip("\n"))
                said.put(True)
            said.put(False)
        self.reader = threading.Thread(target=read, daemon=True)
        self.reader.start()
        try:
            if not said.get(timeout=PATIENCE):
                raise AssertionError("macaw serve has ended: %s" % self.said())
            mark, _, where = self.lines[0].rpartition(" ")
            if mark != "listening on":
                raise AssertionError("macaw serve begins with %r" % self.lines[0])
        except (queue.Empty, AssertionError):
            self.kill()
            raise
        host, _, port = where.rpartition(":")
        self.address = (host, int(port))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    @property
    def where(self):
        return "%s:%d" % self.address

    def said(self):
        """Its standard error so far."""
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(PATIENCE)
        self.process.stdout.close()
        self.errors.close()

    def terminate(self, seconds=PATIENCE):
        """SIGTERM; the exit code, or None if it takes longer."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def finish(self):
        """Ends it; complains if it does not end well, as when a sanitizer has found something."""
        code = self.terminate()
        said = self.said()
        self.kill()
        if code != 0:
            raise AssertionError("macaw serve ends with %s: %s" % (code, said[-5000:]))

    def rss(self):
        """Resident memory in KiB."""
        with open("/proc/%d/status" % self.process.pid, encoding="ascii") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("VmRSS:"))

    def memory(self):
        """Resident memory in KiB, with that of the processes it has started."""
        total, children = 0, {self.process.pid}
        for name in os.listdir("/proc"):
            try:
                with open("/proc/%s/status" % name, encoding="utf-8") as f:
                    fields = dict(line.split(":", 1) for line in f if ":" in line)
            except OSError:
                continue
            if int(fields["Pid"]) in children or int(fields["PPid"]) in children:
                total += int(fields.get("VmRSS", "0").split()[0])
        return total

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process.pid))

    def threads(self):
        return len(os.listdir("/proc/%d/task" % self.process.pid))

    def ask(self, text, timeout=PATIENCE, style="post", **how):
        return manager.ask(self.address, text, timeout, style, **how)

    def say(self, text, timeout=PATIENCE, style="post"):
        """The answer as text, or what went wrong."""
        answer = self.ask(text, timeout, style)
        return answer.error or kif.write(answer.term)

    def status(self):
        """GET /status."""
        reply = wire.exchange(self.address, b"GET /status HTTP/1.0\r\nHost: here\r\n\r\n")
        return json.loads(reply.text)

    def begin(self, rules_of, match="m1", role=None, start=0.5, play=1000):
        """START for a player that uses its start clock up: one as short as the machine can keep."""
        while self.say(start_text(rules_of, match, role, start, play)).lower() != "ready":
            start *= 5
            if start > 200:
                raise AssertionError("START is not answered by ready: %s" % self.said())

    def thinking(self):
        """Whether a match thinks about its move."""
        return any(match["doing"] == "thinking" for match in self.status()["matches"])

    def info(self):
        """The status that `info` tells: available or busy."""
        answer = self.ask("(info)")
        if answer.error:
            raise AssertionError("info: %s" % answer.error)
        if isinstance(answer.term, str):
            return answer.term.lower()
        return dict(answer.term)["status"].lower()


def start_text(rules_of, match="m1", role=None, start=60, play=30):
    """The START message of a game. The clocks are long: a test that is not about time must not fail on a busy machine."""
    return kif.write(("start", match, role or rules_of.roles[0], rules_of.terms, str(start), str(play)))


def manage(*arguments, timeout=300, **how):
    """Runs `macaw manage`: (exit code, stdout, stderr)."""
    run = subprocess.run([MACAW, "manage"] + [str(a) for a in arguments], stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=timeout, check=False, **how)
    return run.returncode, run.stdout.decode("utf-8", "replace"), run.stderr.decode("utf-8", "replace")


def wait_until(condition, seconds=PATIENCE):
    """Whether the condition comes true in time."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def pressure():
    """Seconds so far in which something that could run had to wait for a processor; None if the machine does not tell."""
    try:
        with open("/proc/pressure/cpu", encoding="ascii") as f:
            return int(f.readline().rpartition("total=")[2]) / 1e6
    except (OSError, ValueError):
        return None


def on_time(attempt):
    """Promises about the clock on the wall, which nobody can keep while the processors are busy with something else:
    attempt(1) must not fail, unless the machine had other things to do meanwhile; then attempt(4) and attempt(16), whose
    clocks are as many times as long."""
    for factor in (2, 8, 32) if SAMPLE else (1, 4, 16):
        begun, before = time.monotonic(), pressure()
        try:
            return attempt(factor)
        except AssertionError:
            after = pressure()
            busy = os.getloadavg()[0] > os.cpu_count() / 2 if after is None else after - before > 0.1 * (time.monotonic() - begun)
            if factor >= 16 or not busy:
                raise
            print("tried again, since the machine is busy", flush=True)


def main():
    """Runs the tests of the module that is the program."""
    result = unittest.main(module="__main__", argv=sys.argv, verbosity=2, exit=False).result
    sys.stdout.flush()
    # Threads of peers that still nap must not hold the end up.
    os._exit(0 if result.wasSuccessful() else 1)
