#!/usr/bin/env python3
"""The program at a terminal: a pseudo-terminal of 60, 80 and 120 columns, keys, signals.

Every second game is begun by `macaw play`; no line of what it shows may be wider than the screen. Then what a person
does with keys: completion, history, Ctrl-C and Ctrl-D, a record gone through step by step.
"""
import errno
import fcntl
import glob
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor

MACAW = os.environ["MACAW"]
GAMES = os.environ["MACAW_GAMES"]
SAMPLE = os.environ.get("MACAW_TEST_SAMPLE") == "1"
WIDTHS = (60, 80, 120)
PATIENCE = 120  # seconds until something that must come is given up

TOKEN = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b[=>()][0-9A-Z]?|[\s\S]")


def screen(text):
    """The lines that a very wide terminal shows in the end: no line is broken, so that each has its own length."""
    lines, row, column = [[]], 0, 0
    for token in TOKEN.finditer(text):
        number, letter = token.group(1), token.group(2)
        c = token.group()
        if letter == "G":
            column = int(number or 1) - 1
        elif letter in ("C", "D"):
            column = max(0, column + (1 if letter == "C" else -1) * int(number or 1))
        elif letter == "A":
            row = max(0, row - int(number or 1))
        elif letter == "K":
            del lines[row][column:]
        elif c == "\n":
            row += 1
            if row == len(lines):
                lines.append([])
        elif c == "\r":
            column = 0
        elif c == "\b":
            column = max(0, column - 1)
        elif c >= " ":
            line = lines[row]
            line.extend(" " * (column + 1 - len(line)))
            line[column] = c
            column += 1
    return "\n".join("".join(line) for line in lines)


class Terminal:
    """The program in a pseudo-terminal."""

    def __init__(self, *words, columns=80, rows=50):
        self.text = ""
        self.status = None
        pid, self.file = pty.fork()
        if pid == 0:
            for name in ("COLUMNS", "LINES", "NO_COLOR"):
                os.environ.pop(name, None)
            os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
            os.execv(MACAW, [MACAW, *words])
        self.pid = pid
        self.resize(columns, rows)

    def resize(self, columns, rows=50):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self.file, keys.encode())

    def read(self):
        """More of what it says; False at its end."""
        ready, _, _ = select.select([self.file], [], [], 0.2)
        if not ready:
            return True
        try:
            data = os.read(self.file, 65536)
        except OSError as e:
            if e.errno != errno.EIO:
                raise
            data = b""
        self.text += data.decode(errors="replace")
        return bool(data)

    def until(self, pattern, since=0):
        """Waits for the pattern, with something new after `since`, in the lines from there on; returns the new place."""
        end = time.monotonic() + PATIENCE
        line = self.text.rfind("\n", 0, since) + 1
        while True:
            if len(self.text) > since and re.search(pattern, screen(self.text[line:])):
                return len(self.text)
            if not self.read() or time.monotonic() > end:
                raise AssertionError(f"no {pattern!r} in\n{screen(self.text[line:])}")

    def end(self):
        """Waits for the end of the program; its exit status."""
        end = time.monotonic() + PATIENCE
        while self.read():
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"it does not end:\n{self.text}")
        _, status = os.waitpid(self.pid, 0)
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)


def columns_of(line):
    return sum(0 if unicodedata.combining(c) else 1 for c in line)


def too_wide(text, width):
    # A single word that is longer than the screen cannot be broken.
    return [line for line in map(str.rstrip, screen(text).split("\n")) if columns_of(line) > width and " " in line.strip()]


# ---- every game ----


def play_at_all_widths(path):
    faults = []
    name = os.path.basename(path)
    t = Terminal("play", path, "--playouts", "1", columns=WIDTHS[0])
    at = 0
    for i, width in enumerate(WIDTHS):
        if i:
            t.resize(width)
            t.type("board\n")
        t.until(r"(?m)^\S+> $|Seed \d+", at)
        shown = t.text[at:]
        at = len(t.text)
        for line in too_wide(shown, width):
            faults.append(f"{name} at {width} columns: {columns_of(line)}: {line}")
        if "Seed" in shown:
            break
    else:
        t.type("quit\n")
    if t.end() != 0:
        faults.append(f"{name}: does not leave well")
    return faults


def games_fit():
    games = sorted(glob.glob(os.path.join(GAMES, "*.kif")))
    assert len(games) > 50, games
    with ThreadPoolExecutor(2) as pool:
        faults = [f for fs in pool.map(play_at_all_widths, games[:: 9 if SAMPLE else 2]) for f in fs]
    assert not faults, "\n".join(faults)


# ---- texts ----


def run(*words, columns=80, **more):
    environment = dict(os.environ, COLUMNS=str(columns), LC_ALL="C.UTF-8")
    return subprocess.run([MACAW, *words], env=environment, capture_output=True, text=True, check=False, **more)


def commands():
    return re.findall(r"(?m)^  ([a-z]+) ", run("help").stdout.split("Commands:")[1])


def help_fits():
    faults = []
    topics = re.findall(r"(?m)^  ([a-z]+) ", run("help", "topics").stdout)
    assert len(topics) >= 6, topics
    for width in WIDTHS:
        for name in [None, "topics", *topics, *commands()]:
            shown = run("help", *([name] if name else []), columns=width)
            assert shown.returncode == 0, (name, shown)
            for line in shown.stdout.splitlines():
                literal = line.startswith("  ") and width < 80  # examples and tables stand as they are
                if columns_of(line) > width and not literal:
                    faults.append(f"help {name} at {width}: {line}")
        for line in run("players", columns=width).stdout.splitlines() + run("games", columns=width).stdout.splitlines():
            if columns_of(line) > width:
                faults.append(f"at {width}: {line}")
    assert not faults, "\n".join(faults)


def answers_fit():
    faults = []
    for words in ("info yahtzee --time 0.2", "symmetries tictactoe", "simulate tictactoe -n 100", "solve tictactoe",
                  "perft tictactoe 3", "analyse tictactoe --playouts 500 --text"):
        for width in WIDTHS:
            t = Terminal(*words.split(), columns=width)
            assert t.end() == 0, t.text
            faults += [f"{words} at {width}: {line}" for line in too_wide(t.text, width)]
    assert not faults, "\n".join(faults)


def every_command_has_an_example():
    for name in commands():
        shown = run("help", name).stdout
        assert re.search(rf"\nExample:\n  macaw {name}", shown), f"no example in\n{shown}"


# ---- keys ----


def a_line_is_edited():
    t = Terminal("play", "tictactoe", "--playouts", "10")
    at = t.until(r"x> $")
    t.type("ma\t")  # completes to what all moves share
    at = t.until(r"x> mark $", at)
    t.type("\t")  # and then lists them
    at = t.until(r"mark 1 1 +mark 1 2", at)
    t.type("2 3\n")
    at = t.until(r"x \(mark 2 3\)[\s\S]*x> $", at)
    t.type("\x1b[A")  # the line before
    at = t.until(r"x> mark 2 3$", at)
    t.type("\x15hist\t\n")
    t.until(r"1  x \(mark 2 3\)[\s\S]*x> $", at)
    t.type("\x04")
    assert t.end() == 0
    assert t.text.endswith("\r\n"), repr(t.text[-80:])
    assert "You left after 2 steps" in t.text


def interrupts_leave_well():
    t = Terminal("play", "connect_four", "--clock", "60")
    at = t.until(r"red> $")
    t.type("4\n")
    t.until(r"yellow is thinking", at)
    t.type("\x03")
    assert t.end() == 0
    assert re.search(r"You left after 1 step\.", t.text), t.text
    t = Terminal("play", "connect_four", "--clock", "60")
    t.until(r"red> $")
    t.type("dro\x03")
    assert t.end() == 0
    assert t.text.endswith("\r\n"), repr(t.text[-80:])


def auto_gives_way():
    t = Terminal("play", "connect_four", "--clock", "0.3")
    at = t.until(r"red> $")
    t.type("auto\n")
    at = t.until(r"yellow \(drop", at)
    t.type("\x03")
    at = t.until(r"red> $", at)
    t.type("quit\n")
    assert t.end() == 0


def records_are_gone_through():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "match.json")
        run("match", "tictactoe", "-p", "random,random", "-n", "1", "-o", path)
        with open(path, encoding="utf8") as f:
            steps = len(json.load(f)["moves"])
        t = Terminal("replay", path, columns=60)
        at = t.until(rf"\[0 of {steps}\]")
        for keys, step in ((" ", 1), ("\x1b[C", 2), ("\x1b[D", 1), ("G", steps), ("g", 0), ("n", 1)):
            t.type(keys)
            at = t.until(rf"\[{step} of {steps}\]", at)
        assert not too_wide(t.text, 60), too_wide(t.text, 60)
        t.type("q")
        assert t.end() == 0


def matches_tell_their_progress_and_keep_what_was_played():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "match.json")
        t = Terminal("match", "chess", "-p", "random,random", "--clock", "0.2", "-n", "1", "-o", path)
        assert t.end() == 0
        t = Terminal("match", "connect_four", "-p", "macaw,macaw", "--clock", "0.5", "-o", path)
        t.until(r"step 2")
        t.type("\x03")
        assert t.end() == 1
        assert "interrupted" in t.text, t.text
        with open(path, encoding="utf8") as f:
            record = json.load(f)
        assert len(record["moves"]) >= 2 and not record["terminal"], record["moves"]
        assert run("replay", path, "--quiet").returncode == 0


TESTS = [
    help_fits,
    answers_fit,
    every_command_has_an_example,
    a_line_is_edited,
    interrupts_leave_well,
    auto_gives_way,
    records_are_gone_through,
    matches_tell_their_progress_and_keep_what_was_played,
    games_fit,
]

if __name__ == "__main__":
    wanted = sys.argv[1:]
    for test in TESTS:
        if not wanted or test.__name__ in wanted:
            began = time.monotonic()
            test()
            print(f"ok {test.__name__} ({time.monotonic() - began:.1f} s)", flush=True)
