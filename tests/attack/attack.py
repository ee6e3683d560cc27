#!/usr/bin/env python3
"""attack.py [--seconds N | --rounds N] [--seed S] [--keep FOLDER] [PART…]

Attacks the program for N seconds (60), divided among the parts, or with N inputs for each part, and prints what was
tried as a table. Input that breaks something is written to the folder (build/attack). Exit status 1: something broke.

MACAW is the program, MACAW_SOURCE the folder of the project.
"""
import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "net", "peers")]

import kif
import program
import random_games
import random_networks
import rules

MACAW = os.path.abspath(program.MACAW)
MB = 1 << 20
FACTOR = 8 if program.SAMPLE else 1  # what a sanitizer adds to time and memory


def slowness():
    """How many times as much processor time as usual some work takes here, at least one."""
    begun, x = time.process_time(), 0
    for i in range(2000000):
        x ^= i * 3
    return max(1.0, (time.process_time() - begun) / 0.2)


class Effort:
    """How long to go on: until a moment, or for a number of inputs."""

    def __init__(self, seconds, rounds):
        self.until, self.left = time.monotonic() + seconds, rounds or None

    def more(self):
        """Whether one more is to be tried."""
        if self.left is None:
            return time.monotonic() < self.until
        self.left -= 1
        return self.left >= 0


class Run:
    """A command of the program that has ended."""

    def __init__(self, *words, timeout=600):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            begun = time.monotonic()
            child = subprocess.Popen([MACAW] + [str(w) for w in words], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            timer = threading.Timer(timeout, child.kill)
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            self.code, self.wall = child.returncode, time.monotonic() - begun
            self.cpu, self.rss = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
            out.seek(0)
            err.seek(0)
            self.out, self.err = out.read().decode("utf-8", "replace"), err.read().decode("utf-8", "replace")

    @property
    def crashed(self):
        return self.code not in (0, 1, 2, 3)


class Part:
    """Counts what was tried, and keeps what broke."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.counts, self.broken = {}, []

    def count(self, what, n=1):
        self.counts[what] = self.counts.get(what, 0) + n

    def fault(self, kind, text, detail):
        """One more; the input goes to a file."""
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, "%s-%d" % (self.name, len(self.broken)))
        with open(path, "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        self.broken.append("%s: %s (%s)" % (kind, detail[:300], path))
        print("%s: %s" % (self.name, self.broken[-1]), flush=True)


# ---- games against another interpreter ----

def walk(game, rng, trace, match):
    """A random match, as lines of a trace."""
    state, step = game.initial, 0
    while True:
        legal, terminal = game.legal(state), game.terminal(state)
        goals = game.goals(state)
        joint = {role: rng.choice(moves) for role, moves in legal.items() if moves}
        line = {"match": match, "step": step, "state": [kif.write(f) for f in state],
                "legal": {r: [kif.write(m) for m in ms] for r, ms in legal.items()}, "terminal": terminal,
                "goals": {r: goals[r] for r in game.roles if r in goals} if terminal else None, "move": None}
        if not terminal and len(joint) == len(game.roles):
            line["move"] = {r: kif.write(m) for r, m in joint.items()}
            if game.hidden:
                line["sees"] = {r: [kif.write(p) for p in ps] for r, ps in game.sees(state, joint).items()}
        trace.append(json.dumps(line))
        step += 1
        if not line["move"]:
            return step
        state = game.next(state, joint)


def games(part, rng, effort, work):
    """Random rulesheets: both engines against an interpreter in Python."""
    path, trace_path = os.path.join(work, "game.kif"), os.path.join(work, "trace.jsonl")
    while effort.more():
        text = random_games.sheet(rng, rng.random() < 0.5)
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        check = Run("check", path)
        part.count("rulesheets")
        if check.code != 0:
            part.fault("check refuses it", text, check.err)
            continue
        game, trace = rules.Game(text), []
        part.count("steps", sum(walk(game, rng, trace, m) for m in range(3)))
        with open(trace_path, "w", encoding="ascii") as f:
            f.write("\n".join(trace) + "\n")
        for engine in ("circuit", "interpreter"):
            run = Run("verify", path, trace_path, "--engine", engine)
            part.count("runs")
            if run.code != 0:
                part.fault("verify, " + engine, text + "\n; " + "\n; ".join(trace), run.err + run.out)


# ---- networks against brute force ----

ALGORITHMS = ("mac", "bt", "fc", "cbj", "fc-cbj", "mac-cbj", "learn", "components")


def networks(part, rng, effort, work):
    """Random networks: numbers of solutions and best costs against all assignments."""
    path = os.path.join(work, "network.xml")
    while effort.more():
        net = random_networks.Network(rng, rng.random() < 0.4)
        with open(path, "w", encoding="ascii") as f:
            f.write(net.text())
        part.count("networks")
        if net.objective:
            run = Run("solve", path)
            costs = [int(line[2:]) for line in run.out.splitlines() if line.startswith("o ")]
            wrong = run.code not in (0, 1) or (costs[-1] if costs else None) != net.best()
            part.count("runs")
            if wrong:
                part.fault("best", net.text(), "%s instead of %s; %s" % (costs, net.best(), run.err))
            continue
        count = len(net.solutions())
        for algorithm in rng.sample(ALGORITHMS, 3):
            run = Run("solve", path, "--count", "-a", algorithm)
            part.count("runs")
            if run.crashed or "d FOUND SOLUTIONS %d\n" % count not in run.out:
                part.fault("count, " + algorithm, net.text(), "not %d; %s%s" % (count, run.out, run.err))


# ---- rules that do harm ----

FRAME = "(role x) (init (n z)) (legal x go) (legal x stay) (<= terminal (true (n end))) (goal x 50) %s\n"


def nested(levels, inner="?x"):
    return "(s " * levels + inner + ")" * levels


def joined(n, inside="%s"):
    facts = " ".join("(d %d)" % i for i in range(n - 1))
    body = " ".join(inside % ("(d ?x%d)" % i) for i in range(n))
    return facts, body, " ".join("(distinct ?x%d ?x%d)" % (i, k) for i in range(n) for k in range(i))


def hostile_sheets():
    facts, body, apart = joined(21)
    true = joined(21, "(true %s)")[1]
    wide = " ".join("?x%d" % i for i in range(21))
    yield "deep", FRAME % ("(<= (next (n %s)) (true (n ?x)))" % nested(900))
    yield "too deep", FRAME % ("(<= (next (n %s)) (true (n ?x)))" % nested(9000))
    yield "deep match", FRAME % ("(<= (next (n ?x)) (true (n %s)))" % nested(900))
    yield "deep formula", FRAME % ("(<= (next (n z)) %s)" % ("(or (and " * 490 + "(true (n z))" + "))" * 490))
    yield "doubling", FRAME % "(<= (next (n (s ?x ?x))) (true (n ?x)))"
    yield "counting", FRAME % "(<= (next (n (s ?x))) (true (n ?x)))"
    yield "squares", FRAME % "(<= (next (n (f ?x ?y))) (true (n ?x)) (true (n ?y))) (<= (next (n (g ?x ?y))) (true (n ?x)) (true (n ?y)))"
    yield "join, legal", FRAME % ("%s (<= (legal x w) %s %s)" % (facts, body, apart))
    yield "join, init", FRAME % ("%s (<= (init w) %s %s)" % (facts, body, apart))
    yield "join, next", FRAME % ("%s (<= (next w) (true (n z)) %s %s)" % (facts, body, apart))
    yield "join, goal", FRAME % ("%s (<= (goal x 100) %s %s)" % (facts, body, apart))
    yield "join, state", FRAME % ("%s (<= (next (d ?x)) (true (d ?x))) (<= (legal x w) %s %s)" % (
        facts.replace("(d", "(init (d").replace(")", "))"), true, apart))
    yield "cross", FRAME % ("%s (<= (next (c %s)) %s)" % (facts, wide, body))
    yield "cross, static", FRAME % ("%s (<= (c %s) %s) (<= (next (n ?x0)) (c %s))" % (facts, wide, body, wide))
    yield "conditions", FRAME % ("(<= (next (n z)) %s)" % ("(true (n z)) " * 100000))
    yield "conditions with variables", FRAME % ("%s (<= (next (n z)) %s)" % (
        facts, " ".join("(d ?v%d)" % (i % 60) for i in range(20000))))
    yield "chain", FRAME % ("p0 %s (<= (next (n z)) p100000)" % " ".join("(<= p%d p%d)" % (i + 1, i) for i in range(100000)))
    yield "chain of states", FRAME % ("(<= p0 (true (n z))) %s (<= (next (n z)) p100000)" % " ".join(
        "(<= p%d p%d)" % (i + 1, i) for i in range(100000)))
    yield "ring", FRAME % ("%s (<= (q7 ?x) (true (n ?x))) (<= (next (n ?x)) (q0 ?x))" % " ".join(
        "(<= (q%d ?x) (q%d ?x))" % (i, (i + 1) % 20000) for i in range(20000)))
    yield "choices", FRAME % ("(<= (next (n z)) %s)" % " ".join("(or (true (n a%d)) (true (n b%d)))" % (i, i) for i in range(40)))
    yield "roles", " ".join("(role r%d)" % i for i in range(70000)) + \
        "(init (n z)) (<= (legal ?r go) (role ?r)) (<= (next (n z)) (true (n z))) (<= terminal (true (n end))) (<= (goal ?r 50) (role ?r))\n"


COMMANDS = (("check", (), 2.0, None), ("info", ("--timeout", "1"), 1.0, None),
            ("simulate", ("-t", "1", "--max-steps", "50", "--timeout", "1", "--engine", "interpreter", "--memory", "100"), 2.0, 100),
            ("simulate", ("-t", "1", "--max-steps", "50", "--timeout", "1", "--memory", "100"), 2.0, 100))


def sheets(part, rng, effort, work):
    """Rules that do harm: limits of time and memory. At least one round."""
    path, first, slow = os.path.join(work, "sheet.kif"), True, 1.5 * slowness()
    while effort.more() or first:
        for name, text in hostile_sheets():
            with open(path, "w", encoding="ascii") as f:
                f.write(text)
            commands = COMMANDS
            if program.SAMPLE and len(text) > MB / 4 or first and len(text) > MB:
                commands = COMMANDS[:2]
            elif program.SAMPLE:  # one engine
                commands = COMMANDS[:2] + (COMMANDS[2 + part.counts.get("rulesheets", 0) % 2],)
            for command, words, seconds, memory in commands:
                run = Run(command, path, *words)
                part.count("runs")
                start = 0.5 + len(text) / (10 * MB)  # to begin and to read
                if run.crashed:
                    part.fault(name, text, "%s ends with %d" % (command, run.code))
                elif run.cpu > (1.1 * seconds + 0.2 + start) * FACTOR * slow:
                    part.fault(name, text, "%s takes %.1f s of processor time" % (command, run.cpu))
                elif memory and run.rss > ((1.2 * memory + 50) * MB + 12 * len(text)) * FACTOR:
                    part.fault(name, text, "%s takes %d MB" % (command, run.rss // MB))
            part.count("rulesheets")
            if not first and not effort.more():
                return
        first = False


# ---- malformed files ----

def mutate(rng, data, words):
    data = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0:
            data[at:at] = rng.choice(words)
        elif kind == 1:
            del data[at:at + rng.randint(1, 40)]
        elif kind == 2 and data:
            data[rng.randrange(len(data))] = rng.randrange(256)
        elif kind == 3:
            other = rng.randrange(len(data) + 1)
            data[at:at] = data[other:other + rng.randint(1, 200)]
        else:
            data = data[:at] if rng.random() < 0.1 else data
    return bytes(data)


KIF_WORDS = [b"(", b")", b"?x", b"(not ", b"(or ", b"(true ", b"(does ", b"(distinct ", b"(<= ", b"role", b"next", b"\0", b"\xff", b";", b"random "]
XML_WORDS = [b"<", b">", b"&", b"&#0;", b"<!DOCTYPE a>", b"..", b"99999999999999", b"-1", b"(", b"x0", b"<list>", b"</list>", b" 0..1 ", b"\xff"]


def malformed(part, rng, effort, work):
    """Rulesheets and networks with mistakes in them: a message, never more."""
    folder = os.path.join(program.SOURCE, "games")
    names = sorted(n for n in os.listdir(folder) if n.endswith(".kif") and os.path.getsize(os.path.join(folder, n)) < 20000)
    while effort.more():
        xml = rng.random() < 0.4
        if xml:
            data = mutate(rng, random_networks.Network(rng, rng.random() < 0.5).text().encode(), XML_WORDS)
            commands = [("solve", "-t", "1")]
        else:
            with open(os.path.join(folder, rng.choice(names)), "rb") as f:
                data = mutate(rng, f.read(), KIF_WORDS)
            commands = [("check",), ("simulate", "-n", "2", "-t", "1", "--max-steps", "20", "--timeout", "1", "--engine",
                                     rng.choice(["auto", "interpreter"]))]
        path = os.path.join(work, "bad.xml" if xml else "bad.kif")
        with open(path, "wb") as f:
            f.write(data)
        part.count("files")
        for command in commands:
            run = Run(command[0], path, *command[1:])
            part.count("runs")
            if run.crashed or run.cpu > 20 * FACTOR:
                part.fault(command[0], data, "ends with %d after %.1f s" % (run.code, run.cpu))


# ---- the protocol ----

def random_message(rng, game, number):
    match = "m%d" % rng.randint(0, 2)
    moves = rng.choice(["nil", "(noop noop)", "((mark 1 1) noop)", "(%d)" % number, "((mark 9 9) (mark 9 9))", "(" * 50 + ")" * 50])
    good = rng.choice([program.start_text(game, match=match, role=rng.choice(game.roles), start=0.3, play=0.3),
                       "(play %s %s)" % (match, moves), "(play %s %d noop %s)" % (match, number % 5, moves),
                       "(stop %s %s)" % (match, moves), "(abort %s)" % match, "(info)", "(preview ((role a)))"])
    return mutate(rng, good.encode(), KIF_WORDS) if rng.random() < 0.3 else good.encode()


def protocol(part, rng, effort, work):
    """Sessions of good and bad messages, many at once: nothing is left behind."""
    game = program.game("tictactoe")
    import socket
    while effort.more():
        with program.Serve("--player", rng.choice(["random", "macaw", "uct"]), "--matches", "2") as serve:
            before = serve.threads(), serve.descriptors()
            part.count("servers")
            for number in range(60):
                try:
                    s = socket.create_connection(serve.address, timeout=program.PATIENCE)
                    body = random_message(rng, game, number)
                    length = len(body) + (rng.choice([-1, 0, 0, 0, 0, 3]) if rng.random() < 0.3 else 0)
                    s.sendall(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % length + body)
                    if rng.random() < 0.6:
                        s.settimeout(2)
                        s.recv(4096)
                    s.close()
                except OSError:
                    pass
                part.count("messages")
            for i in range(3):
                serve.ask("(abort m%d)" % i)
            still = program.wait_until(lambda: serve.threads() <= before[0] and serve.descriptors() <= before[1] + 1)
            if not still:
                part.fault("left behind", b"", "threads %d, descriptors %d; before %s" % (serve.threads(), serve.descriptors(), before))
            if serve.memory() > (300 << 10) * FACTOR:
                part.fault("memory", b"", "%d KiB" % serve.memory())
            if serve.terminate() != 0:
                part.fault("end", b"", serve.said()[-500:])


# ---- tournaments that are killed ----

def tournaments(part, rng, effort, work):
    """kill -9 at random moments, and again until it is done: nothing lost, nothing doubled."""
    while effort.more():
        path = os.path.join(work, "store-%d.sqlite" % rng.randrange(1 << 30))
        words = [MACAW, "tournament", "--games", os.path.join(program.SOURCE, "games", "tictactoe.kif"), "--players",
                 "random,legal,mc", "--playouts", "20", "--rounds", "20", "--db", path, "--jobs", "2"]
        for _ in range(12):
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                child.wait(rng.uniform(0.01, 0.4))
                break
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
                child.wait()
                part.count("kills")
        code = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode
        with sqlite3.connect(path) as db:
            matches = db.execute("SELECT count(*) FROM matches").fetchone()[0]
            scores = db.execute("SELECT count(*) FROM scores").fetchone()[0]
        part.count("matches", matches)
        if code != 0 or matches != 120 or scores != 240:
            part.fault("store", b"", "status %d, %d matches, %d scores" % (code, matches, scores))
        os.remove(path)


PARTS = {"sheets": sheets, "games": games, "networks": networks, "malformed": malformed, "protocol": protocol, "tournaments": tournaments}


def table(parts):
    print("\n| part | tried | broken |\n| --- | --- | --- |")
    for part in parts:
        tried = ", ".join("%s %s" % (format(n, ","), what) for what, n in part.counts.items())
        print("| %s | %s | %d |" % (part.name, tried, len(part.broken)))


def main():
    options = argparse.ArgumentParser(description="Attacks the program with generated input.")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--rounds", type=int, default=0, help="so many inputs instead of a time")
    options.add_argument("--seed", type=int, default=0, help="0: from the clock")
    options.add_argument("--keep", default="build/attack")
    options.add_argument("parts", nargs="*", default=[], metavar="PART", help=", ".join(PARTS))
    o = options.parse_args()
    seed = o.seed or int(time.time())
    names = o.parts or list(PARTS)
    print("seed %d, %s" % (seed, ", ".join(names)), flush=True)
    done = []
    for i, name in enumerate(names):
        part = Part(name, o.keep)
        with tempfile.TemporaryDirectory() as work:
            PARTS[name](part, random.Random("%d %s" % (seed, name)), Effort(o.seconds / len(names), o.rounds), work)
        done.append(part)
    table(done)
    return 1 if any(p.broken for p in done) else 0


if __name__ == "__main__":
    sys.exit(main())
