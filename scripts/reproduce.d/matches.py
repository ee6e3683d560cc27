"""Cells of matches: one pairing in one game, by `macaw tournament`, as many matches as the time allows.

Two settings. *As published*: all players on the same reasoner with the same number of simulations a move. *As shipped*: each
by its own means, by a clock that counts processor time.
"""
import os
import re
import signal
import sqlite3
import subprocess
import time
import zlib

from core import ROOT, Cell, finish, shown
from verdicts import HALF_WIDTH, LEAST, enough, interval

PUBLISHED, SHIPPED = "as published", "as shipped"
SETTINGS = (PUBLISHED, SHIPPED)
SIMULATIONS = 8  # a move, as published, for each second of the paper's clock
SECONDS = 0.004  # a move, as shipped, for each second of the paper's clock
START = 4  # seconds before the first move
MOST = 2000  # matches of a cell


class MatchCell(Cell):
    """`first` against `second` in `game` at `clock` seconds of the paper."""

    def __init__(self, env, item, game, first, second, setting, clock=30, suffix=""):
        key = f"{game}-{first}-{second}-{setting.split()[1]}-{clock:g}{suffix}"
        super().__init__(item, key, self.obstacle(env, game, first, second, setting))
        self.game, self.first, self.second, self.setting, self.clock = game, first, second, setting, clock

    @staticmethod
    def obstacle(env, game, first, second, setting):
        if not env.has_game(game):
            return f"there is no game {game}"
        if setting == PUBLISHED and not env.has("tournament", "--setting"):
            return "this program has no tournament --setting published"
        if any(p.startswith("gcl:") for p in (first, second)) and not env.has("tournament", "gcl:"):
            return "this program seats no players of other machines in a tournament"
        return ""

    def words(self, env):
        """Without the amount of work."""
        base = ["tournament", "--games", self.game, "--players", f"{self.first},{self.second}", "--start", str(START)]
        if self.setting == PUBLISHED:
            base += ["--setting", "published", "--playouts", str(round(self.clock * SIMULATIONS))]
        else:
            base += ["--clock", f"{self.clock * SECONDS:g}", "--clock-of", "cpu"]
        return base

    def command(self, env):
        return shown(["macaw"] + self.words(env) + ["--until", f"{HALF_WIDTH:g}"])

    def store(self, env):
        """The file of results: another one for another command, since a tournament goes on only as it was begun."""
        return self.path(env, f"-{zlib.crc32(self.command(env).encode()):08x}.db")

    # ---- results ----

    def outcomes(self, env):
        """Points of `first`, match by match; {of first: solved, of second: solved} of games for one or all together."""
        path = self.store(env)
        versus, alone = [], {True: [], False: []}
        if not os.path.exists(path):
            return versus, alone
        together = {}
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            rows = db.execute("SELECT match, player, score FROM scores JOIN matches ON match = id ORDER BY match").fetchall()
        except sqlite3.Error:
            rows = []
        db.close()
        for number, player, score in rows:
            together.setdefault(number, []).append((player == self.first, max(score or 0, 0)))
        for seats in together.values():
            mine = [s for first, s in seats if first]
            theirs = [s for first, s in seats if not first]
            if not mine or not theirs:
                alone[bool(mine)].append(1 if (mine or theirs)[0] >= 100 else 0)
            elif len(mine) == 1:  # with three roles: one against two
                best = max(theirs)
                versus.append(1 if mine[0] > best else 0 if mine[0] < best else 1 / (1 + sum(s == best for s in theirs)))
        return versus, alone

    def counters(self, env):
        """Who solved the rounds, and how many playouts a move had: {player: {counter: sum}}, where the file knows."""
        path, found = self.store(env), {}
        names = ["moves", "chosen", "late", "playouts", "nodes", "rounds", "by_network", "by_circuit"]
        if os.path.exists(path):
            db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
            try:
                there = {r[1] for r in db.execute("PRAGMA table_info(scores)")}
                names = [n for n in names if n in there]
                sums = ", ".join(f"SUM({n})" for n in names)
                for row in db.execute(f"SELECT player, {sums} FROM scores GROUP BY player"):
                    found[row[0]] = dict(zip(names, row[1:]))
            except sqlite3.Error:
                pass
            db.close()
        return found

    def result(self, env):
        versus, alone = self.outcomes(env)
        mine = alone[True]
        points = versus or mine
        return {"points": sum(points), "n": len(points), "curve": points, "second": [sum(alone[False]), len(alone[False])],
                "alone": bool(mine) and not versus, "counters": self.counters(env)}

    def load(self, env):
        found = super().load(env)
        if found is None:
            return None
        found.update(self.result(env))
        return found

    def done(self, env):
        found = self.load(env)
        return found is not None and (found["n"] >= MOST or enough(found["points"], found["n"]))

    def spent(self, env):
        found = super().load(env)
        return found["spent"] if found else 0.0

    def tried(self, env):
        """The longest slice that gave no match: the next must be longer."""
        found = super().load(env)
        return found.get("tried", 0.0) if found else 0.0

    def price(self, env):
        """Seconds until there are enough matches for a verdict, or half as many again: a guess until there are some, twice
        as much after every slice in a row that gave none, ten times as much where the verdict is there."""
        found = self.load(env) or {"n": 0, "spent": 0.0}
        n = found["n"]
        a_match = found["spent"] / n if n else env.length(self.game) * self.clock * SECONDS
        low, high = interval(found["points"], n) if n else (0, 100)
        known = n >= LEAST and (found["alone"] or not low <= 50 <= high)
        return max(LEAST - n, n / 2) * a_match * 2 ** found.get("empty", 0) * (10 if known else 1)

    # ---- work ----

    def work(self, env, seconds, patience):
        """Plays for about so many seconds; matches under way then are finished, unless `patience` seconds are over."""
        before = self.result(env)["n"]
        words = [env.macaw] + self.words(env) + ["--db", self.store(env), "--jobs", str(env.jobs)]
        if env.has("tournament", "--minutes"):
            words += ["--until", f"{HALF_WIDTH:g}", "--rounds", str(MOST), "--minutes", f"{seconds / 60:.4f}"]
        else:
            words += ["--rounds", str(MOST)]
        os.makedirs(os.path.dirname(self.path(env)), exist_ok=True)
        began = time.monotonic()
        failed = self.play(env, words, patience)
        spent = time.monotonic() - began
        result = {"spent": self.spent(env) + spent, "tried": self.tried(env), "empty": 0}
        if failed:
            result["failed"] = failed
        if self.result(env)["n"] == before:
            result["tried"] = max(result["tried"], spent)
            result["empty"] = (super().load(env) or {}).get("empty", 0) + 1
        self.save(env, result)
        return result

    def play(self, env, words, patience):
        surroundings = dict(os.environ, MACAW_GAMES=env.games_folder)
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env=surroundings, start_new_session=True)
        try:
            err = process.communicate(timeout=patience)[1]
        except subprocess.TimeoutExpired:
            finish(process)
            process.communicate()
            return ""
        except BaseException:
            finish(process, 5.0)
            raise
        if process.returncode in (0, 1, -signal.SIGINT):
            return ""
        last = (err.strip().splitlines() or ["no message"])[-1]
        return env.plain(f"exit status {process.returncode}: {last}")

    def told(self, env):
        found = self.load(env)
        if not found or not found["n"]:
            return (found or {}).get("failed") or "no match yet"
        return ours(found) + f", {found['n']} matches"


def ours(found):
    """As in 62.5 (48..75)"""
    low, high = interval(found["points"], found["n"])
    return f"{100 * found['points'] / found['n']:.1f} ({low:.0f}..{high:.0f})"


def why_not(cell, found):
    """Why there is no match: the reason of the cell, of the program, or of time."""
    if cell.missing:
        return cell.missing
    if found is None:
        return "the time was over before its turn"
    if found.get("failed"):
        return found["failed"]
    return f"no match ended within {found['tried']:.0f} s"


def solver(found, player):
    """Who solved the rounds of a player and how many simulations a move had, in words; "" when unknown."""
    c = found.get("counters", {}).get(player) or {}
    if not c.get("moves") or "playouts" not in c:
        return ""
    told = f"{(c['playouts'] or 0) / (c.get('chosen') or c['moves']):.0f} simulations a move"
    network, circuit = c.get("by_network") or 0, c.get("by_circuit") or 0
    if network + circuit:
        told += f", {100 * network / (network + circuit):.0f}% of the rounds by the network"
    if c.get("late"):
        told += f", {100 * c['late'] / c['moves']:.1f}% of the moves late"
    return told


def one_program(found, cell):
    """Neither player solved a round by its network: what tells them apart was not used."""
    c = [found.get("counters", {}).get(p) or {} for p in (cell.first, cell.second)]
    return all("by_network" in x and not x["by_network"] for x in c)


def plain(player):
    """The name without options."""
    return re.split(r":(?=[a-z]+=)", player)[0]
