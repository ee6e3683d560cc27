"""Rows of tables of matches."""
import sqlite3

from core import Row
from matches import MatchCell, ours, plain, solver, why_not
from verdicts import NOT, PARTLY, Verdict, against, alone, direction, interval, missing, too_few

# Everybody has the same score at the end: no player beats another, teams of one player are compared.
COOPERATIVE = {"orchard", "schnappt_hubi", "sheep_and_wolf"}


class TeamCell(MatchCell):
    """All roles by one player: the same under another name, since a tournament wants two."""

    def __init__(self, env, item, game, player, setting, clock=30):
        super().__init__(env, item, game, player, player + ":memory=256", setting, clock)

    def outcomes(self, env):
        versus, apart = super().outcomes(env)
        if versus:  # equal scores are no draw here: what counts is whether they won
            return [], {True: self.won(env), False: []}
        return versus, apart

    def won(self, env):
        db = sqlite3.connect(f"file:{self.store(env)}?mode=ro", uri=True)
        rows = db.execute("SELECT MIN(score) FROM scores GROUP BY match ORDER BY match").fetchall()
        db.close()
        return [1 if (s or 0) >= 100 else 0 for s, in rows]


def even_share(env, game):
    """What a player has against its equals."""
    return 100.0 / max(env.roles(game), 2) if env.has_game(game) else 50.0


def simulations(found, cell):
    told = {plain(p): t for p in (cell.second, cell.first) for t in [solver(found, p)] if t}  # a team has one line
    return "; ".join(f"{p}: {t}" for p, t in reversed(told.items()))


def match_row(env, what, cell, found, theirs, judge=None):
    """`theirs` in percent or a sentence; `judge(points, n)` where it is not a share against equals."""
    shown = f"{theirs:.4g}" if isinstance(theirs, (int, float)) else theirs
    if not found or not found["n"]:
        return Row(what, shown, "", missing(why_not(cell, found)), cell.setting, 0, cell.game)
    points, n = found["points"], found["n"]
    if judge:
        verdict = judge(points, n)
    elif found["alone"]:
        verdict = alone(theirs, points, n)
    else:
        verdict = against(theirs, points, n, even_share(env, cell.game))
    text = ours(found)
    if found["alone"] and found["second"][1]:
        low, high = interval(*found["second"])
        text += f"; {plain(cell.second)} {100 * found['second'][0] / found['second'][1]:.1f} ({low:.0f}..{high:.0f})"
    more = simulations(found, cell)
    return Row(what, shown, text + (f"; {more}" if more else ""), verdict, cell.setting, n, cell.game)


def team_row(env, what, cells, results, theirs):
    """Teams of two players in a cooperative game: is the first team's share the higher one?"""
    mine, other = cells
    a, b = results[mine.key], results[other.key]
    if not a or not a["n"] or not b or not b["n"]:
        bad, found = (mine, a) if not a or not a["n"] else (other, b)
        return Row(what, f"{theirs:g}", "", missing(why_not(bad, found)), mine.setting, 0, mine.game)
    text = f"together {plain(mine.first)} {ours(a)}, {plain(other.first)} {ours(b)}"
    first, second = interval(a["points"], a["n"]), interval(b["points"], b["n"])
    verdict = too_few(min(a["n"], b["n"]))
    if not verdict and first[0] > second[1]:
        verdict = Verdict(PARTLY, "the team is better; the paper's figure is of another kind")
    elif not verdict and first[1] < second[0]:
        verdict = Verdict(NOT, "the other team is better")
    elif not verdict:
        verdict = missing("a cooperative game: nobody beats anybody, and the teams' intervals overlap")
    return Row(what, f"{theirs:g}", text, verdict, mine.setting, a["n"] + b["n"], mine.game)


def stronger(above, even=50.0):
    return lambda points, n: direction(above, points, n, even)
