"""What all papers share: the program, the published facts, cells of work and where their results are kept.

An item is a table or figure of a paper. It has cells, each a piece of work with a result of its own file in the
folder of results, so that a run can be stopped anywhere and goes on with what is missing. A report turns the results
of an item into rows, each with a verdict.
"""
import datetime
import json
import os
import re
import shlex
import signal
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Row:
    """A line of a table on the page."""

    def __init__(self, what, theirs, ours, verdict, setting="", matches=None, game=None):
        self.what, self.theirs, self.ours, self.verdict = what, theirs, ours, verdict
        self.setting, self.matches, self.game = setting, matches, game


class Report:
    """What the page says of an item: rows, plots as {file name: SVG text}, sentences, commands."""

    def __init__(self, rows, plots=None, notes=(), commands=()):
        self.rows, self.plots, self.notes, self.commands = rows, plots or {}, list(notes), list(commands)


class Item:
    def __init__(self, name, title, source, cells, report, weight=1.0):
        """`report(results)` with results by key of cell (None: not run) gives a Report."""
        self.name, self.title, self.source, self.cells = name, title, source, cells
        self.report, self.weight = report, weight

    @property
    def paper(self):
        return self.name.split("-")[0]


class Env:
    """The program under measurement, its games and its options; the published facts."""

    def __init__(self, folder, macaw=None, jobs=1, sancho=None):
        self.folder, self.jobs, self.sancho = folder, jobs, sancho
        self.macaw = macaw or os.path.join(ROOT, "build", "macaw")
        self.games_folder = os.environ.get("MACAW_GAMES", os.path.join(ROOT, "games"))
        with open(os.path.join(HERE, "published.json"), encoding="utf-8") as f:
            self.published = json.load(f)
        self.help, self.lengths = {}, None
        self.source = {}

    def has_game(self, game):
        return os.path.exists(os.path.join(self.games_folder, game + ".kif"))

    def rules(self, game):
        if game not in self.source:
            path = os.path.join(self.games_folder, game + ".kif")
            with open(path, encoding="utf-8") as f:
                self.source[game] = f.read()
        return self.source[game]

    def own_rules(self, game):
        """The file says on its second line that its rules are ours, because the papers do not give them."""
        return self.has_game(game) and bool(re.search(r"^;\s*rules:\s*own\b", self.rules(game), re.M | re.I))

    def roles(self, game):
        """How many roles players take."""
        found = {r for r in re.findall(r"^\(role\s+([^\s()]+)\s*\)", self.rules(game), re.M | re.I) if r.lower() != "random"}
        return len(found)

    def length(self, game):
        """Steps of a random match, as the list of games says; 100 where it does not."""
        if self.lengths is None:
            try:
                with open(os.path.join(self.games_folder, "README.md"), encoding="utf-8") as f:
                    rows = [[c.strip() for c in line.split("|")] for line in f if line.startswith("| `")]
                self.lengths = {r[1].strip("`").removesuffix(".kif"): float(r[6]) for r in rows if len(r) > 7 and r[6]}
            except (OSError, ValueError):
                self.lengths = {}
        return self.lengths.get(game, 100.0)

    def has(self, command, option=None):
        """Does the program know this subcommand (and this option of it)?"""
        if command not in self.help:
            done = subprocess.run([self.macaw, "help", command], capture_output=True, text=True)
            self.help[command] = done.stdout if done.returncode == 0 else ""
        return bool(self.help[command]) and (option is None or re.search(rf"{re.escape(option)}\b",
                self.help[command]) is not None)

    def plain(self, words):
        """A message without the places of this machine."""
        return words.replace(self.folder, os.path.join("build", "reproduce")).replace(ROOT + "/", "")

    def commit(self):
        done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.strip() or "unknown"


def shown(words):
    """A command as a reader would type it in the project's folder."""
    out = []
    for w in words:
        w = w.replace(os.path.join(ROOT, ""), "")
        out.append("macaw" if w == "build/macaw" else w)
    return shlex.join(out)


def finish(process, patience=20.0):
    """Ends a child that we started: first politely, so that it keeps what it has."""
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        process.send_signal(how)
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            continue


def run(words, seconds, env=None):
    """(exit status or None for out of time, output, errors, processor seconds of the command)"""
    began = os.times()
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
                               start_new_session=True)
    try:
        out, err = process.communicate(timeout=seconds)
        status = process.returncode
    except subprocess.TimeoutExpired:
        finish(process)
        out, err = process.communicate()
        status = None
    except BaseException:
        finish(process, 5.0)
        raise
    ended = os.times()
    cpu = ended.children_user + ended.children_system - began.children_user - began.children_system
    return status, out, err, cpu


class Cell:
    """A piece of work. `missing` says why it cannot be done at all ("" when it can)."""

    def __init__(self, item, key, missing=""):
        self.item, self.key, self.missing = item, key, missing

    def path(self, env, suffix=".json"):
        return os.path.join(env.folder, self.item, re.sub(r"[^A-Za-z0-9._-]", "_", self.key) + suffix)

    def load(self, env):
        try:
            with open(self.path(env), encoding="utf-8") as f:
                found = json.load(f)
        except (OSError, ValueError):
            return None
        return found if found.get("command") == self.command(env) else None

    def save(self, env, result):
        result.update(command=self.command(env), commit=env.commit(),
                      date=datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"))
        path = self.path(env)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w", encoding="utf-8") as f:
            json.dump(result, f, indent=1)
        os.replace(path + ".new", path)  # whole or not at all


class CommandCell(Cell):
    """Commands run once, one after the other; `parse` makes the result of their outputs.

    `{folder}` in a word is a folder for files between the commands. A result that `parse` cannot make, or a command
    that fails, is kept with the reason, and tried again in another run.
    """

    def __init__(self, item, key, commands, parse, seconds=120.0, missing="", python=False):
        super().__init__(item, key, missing)
        self.commands, self.parse, self.seconds, self.python = commands, parse, seconds, python

    def words(self, env, command):
        name = {"macaw": [env.macaw], "python": ["/usr/bin/python3" if os.path.exists("/usr/bin/python3") else "python3"]}
        return name.get(command[0], [command[0]]) + [
            w.replace("{folder}", os.path.join(env.folder, self.item)) for w in command[1:]]

    def command(self, env):
        shorter = lambda c: [w.replace("{folder}", os.path.join("build", "reproduce", self.item)) for w in c]
        return " && ".join(shown(shorter(c)) for c in self.commands)

    def done(self, env):
        found = self.load(env)
        return found is not None and not found.get("failed")

    def work(self, env, _seconds):
        os.makedirs(os.path.join(env.folder, self.item), exist_ok=True)
        surroundings = dict(os.environ, MACAW_GAMES=env.games_folder, PYTHONDONTWRITEBYTECODE="1")
        surroundings["PYTHONPATH"] = os.path.join(os.path.dirname(env.macaw), "python")
        outputs, began, result = [], time.monotonic(), {}
        for command in self.commands:
            status, out, err, cpu = run(self.words(env, command), self.seconds, surroundings)
            outputs.append(out)
            result.update(cpu=round(cpu, 3), wall=round(time.monotonic() - began, 3))
            if status is None:
                result.update(failed=f"no answer within {self.seconds:g} s", late=True)
                break
            if status and not (status == 1 and command[0] == "macaw"):  # 1 is an answer of macaw: no, unsatisfiable
                last = (err.strip().splitlines() or ["no message"])[-1]
                result["failed"] = env.plain(f"exit status {status}: {last}")
                break
        else:
            try:
                result["value"] = self.parse(*outputs)
            except (ValueError, KeyError, IndexError, AttributeError, TypeError) as e:
                last = (err.strip().splitlines() or [f"the output could not be read ({type(e).__name__}: {e})"])[-1]
                result["failed"] = env.plain(last)
        self.save(env, result)
        return result

    def told(self, env):
        found = self.load(env) or {}
        return found.get("failed") or f"{found.get('cpu', 0):.2f} s"


def last_json(out):
    """The JSON object on the last line that has one."""
    for line in reversed(out.splitlines()):
        if line.startswith("{"):
            return json.loads(line)
    raise ValueError("no JSON")


def value(result):
    """(value, "") or (None, why there is none)"""
    if result is None:
        return None, "the time was over before its turn"
    if result.get("failed"):
        return None, result["failed"]
    return result.get("value"), ""
