"""MAC-UCB-SYM: Fig. 1, both plots of Fig. 2, Table 2 with its columns."""
import os
import re

import svg
from core import ROOT, CommandCell, Item, Report, Row, last_json, value
from lines import COOPERATIVE, TeamCell, match_row, team_row
from matches import PUBLISHED, SETTINGS, SHIPPED, MatchCell, why_not
from verdicts import NOT, PARTLY, REPRODUCED, Verdict, alone, interval, missing, optimum, same

PAPER = "003"
CLOCK = 15
OPPONENTS = ["mac-ucb", "uct", "cfr", "sancho", "grave"]
SOLO = "GDL-II for one, with sees"
# Fig. 2 is a mean over all games; these five stand for them: two large, one of few symmetries, two with chance.
SAMPLE = ["connect_four_20x20", "hex", "quarto", "kaseklau", "yahtzee"]
SOLVING = [15, 35, 55, 75, 90]
SYMMETRY = [5, 15, 25, 40, 60]
WORK = 120  # simulations a move for the columns about the search itself: 15 s, as published
POSITIONS = 4  # of a random match, for the same
STATES = 300  # of a level of the whole tree, at most
CHILDREN = 1000000  # nodes of a tree in which a state has a node for every way to it


# ---- Fig. 1 ----

def fig1(env):
    facts = env.published[PAPER]["fig1"]
    there = env.has_game("tictactoe_2x2")
    cell = CommandCell("003-fig1", "tree", [["macaw", "analyse", "tictactoe_2x2", "--player", "mac-ucb-sym", "--playouts",
            "1000", "--json"]],
                       lambda out: {"moves": {m["move"]: m["value"] for m in last_json(out)["moves"]},
                       "why": last_json(out)["why"]},
                       missing="" if there else "there is no game tictactoe_2x2")

    def report(results):
        found, why = value(results["tree"])
        rows = [Row(f"value of {move}", f"{theirs / 100:.2f}", f"{found['moves'].get(move, -1) / 100:.2f}" if found else "",
                    same(theirs, found["moves"].get(move)) if found else missing(cell.missing or why), game="tictactoe_2x2")
                for move, theirs in facts["values"].items()]
        number = re.search(r"(\d+) symmetries", found["why"]) if found else None
        rows.append(Row("(mark 1 2) and (mark 2 1) are symmetric", "1 permutation beside identity",
                        f"{number.group(1)} symmetries with identity" if number else "",
                        same("2", number.group(1)) if number else missing(why or "the player names no symmetries")))
        return Report(rows, notes=[found["why"] + "."] if found else [])

    return Item("003-fig1", "Fig. 1: the tree of tic-tac-toe on 2x2", facts["source"], [cell], report)


# ---- Fig. 2 ----

def sweep(env, name, title, facts, player, shares, option):
    """Shares of the clock against the mean share of wins over a sample of games and three opponents."""
    cells = {(s, g, o): MatchCell(env, PAPER, g, option(s), o, SHIPPED, CLOCK) for s in shares for g in SAMPLE for o in ("uct",
            "grave", "cfr")}

    def report(results):
        mean, lines = [], {}
        for (s, g, o), cell in cells.items():
            found = results[cell.key]
            if found and found["n"]:
                lines.setdefault(o, {}).setdefault(s, []).append((found["points"], found["n"]))
        for s in shares:
            pooled = [x for o in lines for x in lines[o].get(s, [])]
            if pooled:
                mean.append((s, sum(p for p, _ in pooled), sum(n for _, n in pooled)))
        series = [svg.Series("all", [(s, 100 * p / n) + interval(p, n) for s, p, n in mean])]
        for o in lines:
            series.append(svg.Series("against " + o, [(s, 100 * sum(p for p, _ in v) / sum(n for _, n in v))
                                                      for s, v in lines[o].items()]))
        wanted = facts["optimum"]
        row = Row(f"best share for {player}", f"{wanted[0]} to {wanted[1]}%",
                  " ".join(f"{s}%: {100 * p / n:.0f}" for s, p, n in mean), optimum(wanted, mean), SHIPPED, sum(n for _, _, n in mean))
        plot = svg.plot(title, "percent of the clock", "share of wins, percent", series, xs=(0, 100), even=50, marked=(*wanted,
                "paper's optimum"))
        return Report([row], {f"{name}.svg": plot}, notes=[
            f"The paper's mean is over all its games; here over {', '.join(SAMPLE)}, against uct, grave and cfr."])

    return Item(name, title, "Fig. 2", list(cells.values()), report, weight=1)


def fig2(env):
    facts = env.published[PAPER]["fig2"]
    return [
        sweep(env, "003-fig2-solving", "Fig. 2, first plot: how much of the clock mac-ucb solves", facts["mac-ucb"], "mac-ucb",
                SOLVING,
              lambda s: f"mac-ucb:solve={s / 100:g}"),
        # exploration keeps its quarter, as in the paper
        sweep(env, "003-fig2-symmetry", "Fig. 2, second plot: how much of the clock is for symmetries", facts["mac-ucb-sym"],
                "mac-ucb-sym",
              SYMMETRY, lambda s: f"mac-ucb-sym:solve={(75 - s) / 100:g}:symmetry={s / 100:g}")]


# ---- Table 2: the search itself ----

def search_cell(env, game):
    """Counted by a program of bench/, which searches the same positions with mac-ucb and mac-ucb-sym."""
    build = os.path.dirname(env.macaw)
    lack = "" if env.has_game(game) else f"there is no game {game}"
    if not lack and not os.path.exists(os.path.join(ROOT, "bench", "rounds.c")):
        lack = "there is no program that counts them (bench/rounds.c)"
    return CommandCell("003-table2-search", game, [
        ["ninja", "-C", build, "bench/bench-rounds"],
        [os.path.join(build, "bench", "bench-rounds"), os.path.join("games", game + ".kif"), str(WORK), str(POSITIONS),
                str(STATES), str(CHILDREN)]],
        lambda _, out: last_json(out), seconds=180, missing=lack)


def count_verdict(theirs, ours):
    if theirs == 0 or ours == 0:
        return Verdict(REPRODUCED, "none here, none there") if theirs == ours else \
            Verdict(PARTLY, "some here, none in the paper") if ours else Verdict(NOT, "none here")
    if 0.5 <= ours / theirs <= 2:
        return Verdict(REPRODUCED, "within a factor of 2")
    return Verdict(PARTLY, "more than in the paper" if ours > theirs else "found, but fewer than in the paper")


def smaller_verdict(theirs, ours):
    if ours >= theirs - 10:
        return Verdict(REPRODUCED, "as much, or more (within 10 points)")
    return Verdict(PARTLY, "smaller, but by less") if ours > 2 else Verdict(NOT, "the tree is not smaller")


def table2_search(env):
    facts = env.published[PAPER]["table2"]
    cells = {r["game"]: search_cell(env, r["game"]) for r in facts["rows"]}

    def report(results):
        rows = []
        for r in facts["rows"]:
            found, why = value(results[r["game"]])
            why = cells[r["game"]].missing or why
            for key, theirs, what, judge, unit in (
                    ("nogoods", "nogoods", "nogoods", count_verdict, ""), ("symmetries", "symmetries", "symmetries",
                    count_verdict, ""),
                    ("ame_budget", "improvement", "smaller tree by simulations", smaller_verdict, "%"),
                    ("ame_depth", "improvement", "smaller tree by depth", smaller_verdict, "%"),
                    ("ame_tree", "improvement", "smaller tree, ways counted", smaller_verdict, "%")):
                rows.append(Row(f"{r['name']}, {what}", f"{r[theirs]:,g}{unit}" if key != "nogoods" else f"{r[theirs]:,.2f}",
                                f"{found[key]:,.1f}{unit}" if found else "", judge(r[theirs],
                                found[key]) if found else missing(why), PUBLISHED, game=r["game"]))
        return Report(rows, notes=[
            f"Nogoods and symmetries are means a round, over {POSITIONS} positions of a random match with {WORK} simulations "
            "each (the paper: 15 s a move). *Smaller tree* (Ame): how many nodes fewer mac-ucb-sym stores than mac-ucb for the "
            "same simulations, and how many states "
            f"fewer the whole tree has down to a depth where a level has {STATES}; *ways counted*: states up to symmetry of the "
            f"rules against a tree in which a state has a node for every way to it, with up to {CHILDREN:,} nodes."])

    return Item("003-table2-search", "Table 2: nogoods, symmetries, and the size of the tree", facts["source"],
            list(cells.values()), report)


# ---- Table 2: wins ----

def cells_of(env, row, opponent, setting):
    """Cells of one entry of the table, and how to read them: "team", "first", or "second"."""
    player = f"gcl:{env.sancho}" if opponent == "sancho" else opponent
    if row["game"] in COOPERATIVE:
        return [TeamCell(env, PAPER, row["game"], p, setting, CLOCK) for p in ("mac-ucb-sym", player)]
    return [MatchCell(env, PAPER, row["game"], "mac-ucb-sym", player, setting, CLOCK)]


def solo_row(row, opponent, cell, found):
    """A game for one: how often the other player solves it."""
    theirs, what = row["shares"][opponent], f"{row['name']}, solved by {opponent}"
    points, n = (found or {}).get("second", [0, 0])
    if not n:
        return Row(what, f"{theirs:g}", "", missing(why_not(cell, found)), cell.setting, 0, cell.game)
    low, high = interval(points, n)
    return Row(what, f"{theirs:g}", f"{100 * points / n:.1f} ({low:.0f}..{high:.0f})", alone(theirs, points, n), cell.setting,
            n, cell.game)


def table2_wins(env):
    facts = env.published[PAPER]["table2"]
    cells = {}
    for row in facts["rows"]:
        for opponent in OPPONENTS:
            for setting in SETTINGS:
                if opponent in row["shares"] and not (opponent == "sancho" and (not env.sancho or setting == PUBLISHED)):
                    cells[row["game"], opponent, setting] = cells_of(env, row, opponent, setting)

    def report(results):
        rows, plain = [], {r["game"]: r for r in facts["rows"]}
        for (game, opponent, setting), mine in cells.items():
            row = plain[game]
            found = results[mine[0].key]
            if row["group"] == SOLO:
                if opponent == "mac-ucb":  # the player of the paper, from the same matches
                    rows.append(match_row(env, f"{row['name']}, solved by mac-ucb-sym", mine[0], found,
                            row["shares"]["mac-ucb-sym"],
                                          lambda p, n, t=row["shares"]["mac-ucb-sym"]: alone(t, p, n)))
                rows.append(solo_row(row, opponent, mine[0], found))
            elif len(mine) == 2:
                rows.append(team_row(env, f"{row['name']}, {opponent}", mine, results, row["shares"][opponent]))
            else:
                rows.append(match_row(env, f"{row['name']}, against {opponent}", mine[0], found, row["shares"][opponent]))
        if not env.sancho:
            rows.append(Row("all games, against Sancho", "47 to 100", "",
                    missing("no address of Sancho was given (--sancho HOST:PORT)")))
        flat = [c for found in cells.values() for c in found]
        commands = [c.command(env) for s in SETTINGS for c in [c for c in flat if c.setting == s][:1]]
        return Report(rows, commands=commands,
                notes=["Percent of matches won by mac-ucb-sym; in games for one, of games solved by the player named."])

    return Item("003-table2-wins", "Table 2: mac-ucb-sym against the others", facts["source"],
            [c for found in cells.values() for c in found], report, weight=4)


def items(env):
    return [fig1(env), *fig2(env), table2_search(env), table2_wins(env)]
