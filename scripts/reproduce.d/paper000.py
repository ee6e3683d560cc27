"""General Game Playing with Stochastic CSP: Tables 2, 3 and 4, Fig. 5 and 6, Orchard."""
from functools import lru_cache

import svg
from core import CommandCell, Item, Report, Row, last_json, value
from lines import COOPERATIVE, TeamCell, even_share, match_row, stronger, team_row
from matches import PUBLISHED, SETTINGS, SHIPPED, MatchCell, one_program
from verdicts import LEAST, NOT, REPRODUCED, Verdict, alone, interval, missing, optimum, same, sizes, trend

PAPER = "000"
SHARES = [10, 30, 50, 70, 80, 90, 95]  # of the clock for solving, in percent


def names(env):
    return {r["game"]: r["name"] for r in env.published[PAPER]["table4"]["rows"]}


def full_size(env):
    """The board of the paper has 121 holes; the small one stands in where there is no other."""
    for table in ("table2", "table4"):
        for r in env.published[PAPER][table]["rows"]:
            if r["game"] == "chinese_checkers" and env.has_game("chinese_checkers_121"):
                r["game"] = "chinese_checkers_121"


# ---- Table 2: sizes of the networks ----

def table2(env):
    facts = env.published[PAPER]["table2"]
    cells = {r["game"]: CommandCell("000-table2", r["game"], [["macaw", "network", r["game"], "--json"]], last_json,
                                    missing="" if env.has_game(r["game"]) else f"there is no game {r['game']}")
             for r in facts["rows"]}

    def report(results):
        rows = []
        for r in facts["rows"]:
            theirs = {k: r[k] for k in ("variables", "domain", "constraints")}
            text = f"{r['variables']:,} / {r['domain']:,} / {r['constraints']:,} in {r['seconds']} s"
            found, why = value(results[r["game"]])
            why = cells[r["game"]].missing or why
            for setting, keys in ((PUBLISHED, ("relations", "max_relation", "rules")),
                                  (SHIPPED, ("variables", "max_domain", "constraints"))):
                if not found:
                    rows.append(Row(r["name"], text, "", missing(why), setting, game=r["game"]))
                    continue
                mine = dict(zip(theirs, (found[k] for k in keys)))
                shown = " / ".join(f"{v:,}" for v in mine.values()) + f" in {found['cpu_seconds']:.2f} s"
                rows.append(Row(r["name"], text, shown, sizes(theirs, mine), setting, game=r["game"]))
        return Report(rows, notes=[
            "Variables / largest domain / constraints, and the time to build them. As published: the relations of our "
            "rulesheets, their instances and their rules, which is what the paper counts. As shipped: the network that "
            "`macaw` solves, where a variable holds one value at a time. Rulesheets differ, so do sizes; Table 2 is not a claim "
            "that anything is small."])

    return Item("000-table2", "Table 2: games as networks", facts["source"], list(cells.values()), report)


# ---- Table 3: three pairings ----

def pairing(env, game, first, second, setting, clock=30):
    """Cells of a pairing: one, or two teams where everybody has the same score."""
    if game in COOPERATIVE:
        return [TeamCell(env, PAPER, game, first, setting, clock), TeamCell(env, PAPER, game, second, setting, clock)]
    return [MatchCell(env, PAPER, game, first, second, setting, clock)]


def table3(env):
    facts, games = env.published[PAPER]["table3"], names(env)
    column = env.published[PAPER]["table4"]["clocks"].index(30)
    theirs = {r["game"]: r["shares"][column] for r in env.published[PAPER]["table4"]["rows"]}
    pairs = [("mac-ucb", "uct"), ("mac-ucb", "fc-ucb"), ("fc-ucb", "uct")]
    cells = {(g, p, s): pairing(env, g, *p, s) for p in pairs for s in SETTINGS for g in games if (p, s) != (pairs[1],
            PUBLISHED)}

    def report(results):
        rows = [Row("all games, mac-ucb against fc-ucb", "above even", "", missing(
            "with the same number of simulations both solve the same rounds to the same solutions: they differ in time only"),
            PUBLISHED)]
        for (game, pair, setting), mine in cells.items():
            what = f"{games[game]}, {pair[0]} against {pair[1]}"
            if len(mine) == 2:
                if pair[1] == "uct" and pair[0] == "mac-ucb":
                    rows.append(match_row(env, f"{games[game]}, {pair[0]} together", mine[0], results[mine[0].key],
                            theirs[game]))
                else:
                    rows.append(team_row(env, what, mine, results, 50))
                continue
            found = results[mine[0].key]
            if pair == pairs[0]:
                rows.append(match_row(env, what, mine[0], found, theirs[game]))
            elif pair == pairs[1]:
                judge = stronger(True, even_share(env, game))
                if found and one_program(found, mine[0]):
                    judge = lambda _points, _n: missing("void: the circuit solved all rounds of both, so they are one program")
                rows.append(match_row(env, what, mine[0], found, "above even", judge))
            else:
                rows.append(match_row(env, what, mine[0], found, "mostly below even", stronger(False, even_share(env, game))))
        return Report(rows, notes=[facts["note"]], commands=commands(env, cells))

    return Item("000-table3", "Table 3: three pairings at 30 s a move", facts["source"],
                [c for found in cells.values() for c in found], report, weight=4)


def commands(env, cells):
    """One command of each setting."""
    flat = [c for found in cells.values() for c in found]
    return [c.command(env) for s in SETTINGS for c in [c for c in flat if c.setting == s][:1]]


# ---- Table 4: eight clocks ----

def table4(env):
    facts, games = env.published[PAPER]["table4"], names(env)
    cells = {(r["game"], s, c): pairing(env, r["game"], "mac-ucb", "uct", s, c)
             for c in facts["clocks"] for s in SETTINGS for r in facts["rows"]}

    def points(results, game, setting):
        found = [(c, results[cells[game, setting, c][0].key]) for c in facts["clocks"]]
        return [(c, f["points"], f["n"]) for c, f in found if f and f["n"]]

    def report(results):
        rows = []
        for r in facts["rows"]:
            for setting in SETTINGS:
                for clock, share in zip(facts["clocks"], r["shares"]):
                    mine = cells[r["game"], setting, clock][0]
                    rows.append(match_row(env, f"{r['name']}, {clock} s", mine, results[mine.key], share))
                measured = points(results, r["game"], setting)
                rows.append(Row(f"{r['name']}, the share grows with the clock", f"{r['shares'][0]:g} to {r['shares'][-1]:g}",
                                " ".join(f"{100 * p / n:.0f}" for _, p, n in measured), trend(measured), setting,
                                sum(n for _, _, n in measured), r["game"]))
        return Report(rows, plots=clock_plots(facts, games, lambda g, s: points(results, g, s)), commands=commands(env, cells))

    return Item("000-table4", "Table 4: mac-ucb against uct as the clock grows", facts["source"],
                [c for found in cells.values() for c in found[:1]], report, weight=3)


def clock_plots(facts, games, points):
    """The mean over the games, theirs and ours."""
    theirs = [(c, sum(r["shares"][i] for r in facts["rows"]) / len(facts["rows"])) for i, c in enumerate(facts["clocks"])]
    series = [svg.Series("paper, mean of 15", theirs, True)]
    for setting in SETTINGS:
        mean = []
        for c in facts["clocks"]:
            found = [(p, n) for g in games for clock, p, n in points(g, setting) if clock == c]
            if found:
                p, n = sum(x for x, _ in found), sum(x for _, x in found)
                mean.append((c, 100 * p / n) + interval(p, n))
        series.append(svg.Series(setting, mean))
    return {"000-table4.svg": svg.plot("Share of wins of mac-ucb against uct", "seconds a move in the paper", "percent", series,
            even=50)}


# ---- Fig. 5: the share as matches add up ----

def curve(points):
    total, found = 0.0, []
    for n, p in enumerate(points, 1):
        total += p
        if n >= 5:
            found.append((n, 100 * total / n))
    return found


def fig5(env):
    facts, games = env.published[PAPER]["fig5"], names(env)
    cells = {(g, s): pairing(env, g, "mac-ucb", "uct", s)[0] for s in SETTINGS for g in games}

    def report(results):
        plots, rows = {}, []
        for setting in SETTINGS:
            series = [svg.Series(games[g], curve((results[cells[g, setting].key] or {}).get("curve", []))) for g in games]
            plots[f"000-fig5-{setting.split()[1]}.svg"] = svg.plot(
                f"mac-ucb against uct, {setting}", "matches", "share of wins, percent", series, even=50)
            for game, claim in ((facts["constant"], "almost constant"), (facts["rising"], "grows with the matches")):
                found = results[cells[game, setting].key] or {}
                points = found.get("curve", [])
                half = len(points) // 2
                mean = lambda part: f"{100 * sum(part) / len(part):.1f}"
                text = f"first half {mean(points[:half])}, second {mean(points[half:])}" if half else ""
                rows.append(Row(f"{games[game]}, {claim}", claim, text,
                                change(points, claim == "almost constant"), setting, len(points), game))
        return Report(rows, plots, notes=[
            "The paper explains growth by a cache that is kept from match to match. Players here begin every match anew, so "
            "nothing can grow with the number of matches; the curves show how fast a share settles."])

    return Item("000-fig5", "Fig. 5: victories against the number of matches", facts["source"], list(cells.values()), report,
            weight=0)


def change(points, constant):
    """Does the second half differ from the first?"""
    half = len(points) // 2
    if half < LEAST:
        return missing(f"{len(points)} matches (at least {2 * LEAST})")
    first, second = interval(sum(points[:half]), half), interval(sum(points[half:]), len(points) - half)
    differs = first[1] < second[0] or second[1] < first[0]
    if constant:
        return Verdict(NOT, "the halves differ") if differs else Verdict(REPRODUCED, "the halves do not differ")
    return Verdict(REPRODUCED, "the second half is higher") if first[1] < second[0] else Verdict(NOT,
            "the second half is not higher")


# ---- Fig. 6: the share of the clock for solving ----

def fig6(env):
    facts, games = env.published[PAPER]["fig6"], names(env)
    cells = {(g, s): MatchCell(env, PAPER, g, f"mac-ucb:solve={s / 100:g}", "uct", SHIPPED) for s in SHARES for g in games
             if g not in COOPERATIVE}

    def report(results):
        rows, series, sums = [], [], {s: [0.0, 0] for s in SHARES}
        for game in games:
            measured = [(s, f["points"], f["n"]) for s in SHARES if (game, s) in cells
                        for f in [results[cells[game, s].key]] if f and f["n"] and not f["alone"]]
            for s, p, n in measured:
                sums[s][0] += p
                sums[s][1] += n
            if game not in COOPERATIVE:
                rows.append(Row(games[game], f"best at {facts['optimum'][0]} to {facts['optimum'][1]}%",
                                " ".join(f"{s}%: {100 * p / n:.0f}" for s, p, n in measured),
                                optimum(facts["optimum"], measured), SHIPPED, sum(n for _, _, n in measured), game))
            series.append(svg.Series(games[game], [(s, 100 * p / n) for s, p, n in measured]))
        mean = [(s, p, n) for s, (p, n) in sums.items() if n]
        rows.append(Row("all games together", f"best at {facts['optimum'][0]} to {facts['optimum'][1]}%",
                        " ".join(f"{s}%: {100 * p / n:.0f}" for s, p, n in mean), optimum(facts["optimum"], mean), SHIPPED,
                        sum(n for _, _, n in mean)))
        series = [svg.Series("all games", [(s, 100 * p / n) + interval(p, n) for s, p, n in mean])] + series
        plots = {"000-fig6.svg": svg.plot("mac-ucb against uct, by the share of the clock for solving",
                "percent of the clock for solving",
                                          "share of wins, percent", series, xs=(0, 100), even=50, marked=(*facts["optimum"],
                                          "paper's optimum"))}
        return Report(rows, plots, notes=["A share of the clock has a meaning by the clock only, so this is as shipped."])

    return Item("000-fig6", "Fig. 6: how much of the clock is for solving", facts["source"], list(cells.values()), report,
            weight=2)


# ---- Orchard ----

@lru_cache(maxsize=None)
def orchard(trees, raven):
    """The chance that all fruits are picked before the raven is complete, by backward induction over all choices."""
    if not trees:
        return 1.0
    if not raven:
        return 0.0
    less = lambda ts, i: tuple(sorted(t for t in ts[:i] + (ts[i] - 1,) + ts[i + 1:] if t))
    stay = 4 - len(trees)  # faces of trees that are bare: nothing happens
    total = orchard(trees, raven - 1)
    for i in range(len(trees)):
        total += orchard(less(trees, i), raven)
    once = {less(trees, i) for i in range(len(trees))}
    twice = {less(t, i) for t in once for i in range(len(t))} or once
    total += max(orchard(t, raven) for t in twice)
    return total / (6 - stay)


def orchard_item(env):
    facts = env.published[PAPER]["orchard"]
    cells = {(p, s): TeamCell(env, PAPER, "orchard", p, s) for p in ("mac-ucb", "uct") for s in SETTINGS}

    def report(results):
        best = 100 * orchard((10, 10, 10, 10), 9)
        rows = [Row("the optimum of the rules, by backward induction", f"{facts['optimum']}", f"{best:.1f}",
                    same(facts["optimum"], round(best, 1)), game="orchard")]
        for (player, setting), cell in cells.items():
            rows.append(match_row(env, f"{player} in all roles", cell, results[cell.key], facts["share"],
                                  lambda p, n: alone(facts["share"], p, n)))
        return Report(rows, notes=[facts["note"] + "."])

    return Item("000-orchard", "Orchard at its optimum", facts["source"], list(cells.values()), report, weight=0.5)


def items(env):
    full_size(env)
    return [table2(env), table3(env), table4(env), fig5(env), fig6(env), orchard_item(env)]
