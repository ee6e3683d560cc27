"""WoodStock: Tables 9 and 10, a qualification and a final in the form of Tables 5 to 7, joint Connect Four."""
from core import CommandCell, Item, Report, Row, last_json, value
from lines import match_row
from matches import PUBLISHED, SETTINGS, SHIPPED, MatchCell
from verdicts import NOT, PARTLY, REPRODUCED, Verdict, against, alone, at_least, interval, missing, too_few

PAPER = "004"
CLOCK = 30
WOODSTOCK = "mac-ucb-sym"  # the player of the paper
FIELD = ["uct", "grave"]  # for programs that cannot be had: Monte Carlo players, as the paper's opponents were
OURS = ["macaw", WOODSTOCK, "mac-ucb", "grave", "uct", "cfr", "mc", "alphabeta", "random"]  # nine, as in Table 6


# ---- Table 9: puzzles ----

def puzzles(env):
    facts = env.published[PAPER]["table9"]
    rows_ = [r for r in facts["rows"] if r["players"] == 1]
    cells = {}
    for r in rows_:
        lack = "" if env.has_game(r["game"]) else f"there is no game {r['game']}"
        cells[r["game"], "solve"] = CommandCell(
            "004-puzzles", r["game"] + "-solve", [["macaw", "solve", r["game"], "--json", "-t", "120"]], last_json, 150, lack)
        cells[r["game"], "play"] = CommandCell("004-puzzles", r["game"] + "-play", [
            ["macaw", "match", r["game"], "--players", "macaw", "--start", "20", "--clock", "1",
             "--clock-of", "cpu", "--json"]],
            lambda out: list(last_json(out)["goals"].values())[0], 600, lack)

    def report(results):
        rows = []
        for r in rows_:
            for how, what in (("solve", "best score by solve"), ("play", "score in a match")):
                cell = cells[r["game"], how]
                found, why = value(results[cell.key])
                if how == "solve" and found:
                    text = f"{found['best']}{', proved' if found['proved'] else ''}, {found['seconds']:.1f} s"
                    found = found["best"]
                else:
                    text = "" if found is None else str(found)
                verdict = at_least(r["score"], found) if found is not None else missing(cell.missing or why)
                rows.append(Row(f"{r['name']}, {what}", r["score"], text, verdict, SHIPPED, game=r["game"]))
        return Report(rows, notes=["The paper's clocks: 120 s and 30 s; here 20 s and 1 s of processor time.",
                                   "A search is complete when it proves that no more can be had: 100 is the most."],
                      commands=[cells[rows_[1]["game"], how].command(env) for how in ("solve", "play")])

    return Item("004-puzzles", "Table 9: puzzles with 100 each", facts["source"], list(cells.values()), report)


# ---- Tables 9 and 10: matches ----

def duels(env, name, title, facts, entries, weight):
    """entries: [(what, game, theirs in percent)], each against every player of the field."""
    cells = {(what, o, s): MatchCell(env, PAPER, game, WOODSTOCK, o, s, CLOCK)
             for what, game, _ in entries for o in FIELD for s in SETTINGS}
    theirs = {what: share for what, _, share in entries}

    def judge(share):
        # A handful of matches against a program we do not have: only the side counts, and never more than "partly".
        def of(points, n):
            v = against(share if share != 50 else 50.001, points, n)
            return Verdict(PARTLY, v.reason + "; against another opponent") if v.word == REPRODUCED else v
        return of

    def report(results):
        rows = [match_row(env, f"{what}, here against {o}", cell, results[cell.key], theirs[what], judge(theirs[what]))
                for (what, o, s), cell in cells.items()]
        return Report(rows, notes=[
            "The opponents of the competition cannot be had; the field here are our own players. The paper has one to three "
            "matches a game, so no line can be more than *partly*."],
            commands=[c.command(env) for s in SETTINGS for c in [c for c in cells.values() if c.setting == s][:1]])

    return Item(name, title, facts["source"], list(cells.values()), report, weight=weight)


def table9(env):
    facts = env.published[PAPER]["table9"]
    entries = [(r["name"], r["game"], 100 * r["score"] / r["of"]) for r in facts["rows"] if r["players"] == 2]
    return duels(env, "004-table9", "Table 9: games for two", facts, entries, 1)


def table10(env):
    facts = env.published[PAPER]["table10"]
    entries = [(f"{r['name']} ({r['round']}, {r['opponent']})", r["game"], sum(r["scores"]) / len(r["scores"]))
               for r in facts["rows"]]
    return duels(env, "004-table10", "Table 10: the knock-out of the second day", facts, entries, 1)


# ---- Tables 5 to 7: a qualification and a final ----

# Our games in the place of the anonymous ones, by the number of their roles.
QUALIFICATION = {1: "eight_puzzle", 2: "breakthrough_6x6", 3: "lights_out_5x5", 4: "connect_four", 5: "sudoku_4x4",
                 6: "tictactoe", 7: "battlebrushes", 8: "quarto", 9: "shmup", 10: "connect_four_simultaneous"}


def swiss(env):
    facts = env.published[PAPER]
    used = [r for r in facts["table5"]["rows"] if env.has_game(QUALIFICATION[r["id"]])]
    lack = "" if env.has("tournament", "--format") else "this program has no tournament --format swiss"
    words = ["macaw", "tournament", "--format", "swiss", "--games", ",".join(QUALIFICATION[r["id"]] for r in used),
             "--players", ",".join(OURS), "--matches", ",".join(str(r["matches"]) for r in used),
             "--weights", ",".join(f"{r['weight']:g}" for r in used), "--final", "4", "--wins", "3",
             "--setting", "published", "--playouts", "200",
             "--db", "{folder}/open.db", "--json"]
    cell = CommandCell("004-swiss", "open", [words], last_json, 1500, lack)

    def report(results):
        found, why = value(results["open"])
        theirs = "; ".join(f"{i}. {n} {p:g}" for i, (n, p) in enumerate(facts["table6"]["rows"], 1))
        if not found:
            return Report([Row("qualification of nine, final of four", theirs, "", missing(lack or why))])
        points = sorted(found["swiss"], key=lambda s: -s["points"])
        rank = [s["player"] for s in points].index(WOODSTOCK) + 1
        rows = [Row("rank of " + WOODSTOCK + " after the qualification", "2 of 9", f"{rank} of {len(points)}: " +
                    "; ".join(f"{i}. {s['player']} {s['points']:g}" for i, s in enumerate(points, 1)),
                    Verdict(PARTLY, "as high, among other players") if rank <= 2 else
                    Verdict(NOT, f"rank {rank} among our players"), PUBLISHED)]
        ranks = found.get("ranks") or []
        rows.append(Row("rank in the final", "3 of 4", ", ".join(f"{i}. {p}" for i, p in enumerate(ranks[:4], 1)),
                        missing("one knock-out of a few matches says nothing about strength"), PUBLISHED))
        return Report(rows, notes=["One tournament in the form of Tables 5 to 7, with our games for the anonymous ones: "
                                   + ", ".join(QUALIFICATION[r["id"]] for r in used) + "."])

    return Item("004-swiss", "Tables 5 to 7: Swiss qualification and a final", "Tables 5, 6 and 7", [cell], report)


# ---- joint Connect Four ----

POSITIONS = range(1, 31)  # seeds of the random matches whose positions are searched
WORK = 20000  # simulations


def joint_cell(player, seed, moves, lack):
    record = f"{{folder}}/{seed}.json"
    return CommandCell("004-joint", f"{player}-{seed}", [
        ["macaw", "match", "joint_connect_four", "--players", "random,random", "--seed", str(seed), "--max-steps", str(moves),
         "--output", record, "--json"],
        ["macaw", "analyse", "joint_connect_four", "--record", record, "--player", player, "--playouts", str(WORK), "--json"]],
        exhausted, 300, lack)


def exhausted(match, thought):
    """Is the value of the position proved? None: the match is over before."""
    if last_json(match)["terminal"]:
        return {"proved": None}
    return {"proved": last_json(thought)["proved"]}


def joint(env):
    """In how many positions after thirty moves the whole tree is exhausted, with symmetries and without."""
    facts = env.published[PAPER]["joint"]
    lack = "" if env.has_game("joint_connect_four") else "there is no game joint_connect_four"
    players = (WOODSTOCK, "mac-ucb")
    cells = {(p, s): joint_cell(p, s, facts["moves"], lack) for s in POSITIONS for p in players}

    def report(results):
        found = {p: [r["proved"] for s in POSITIONS for r in [value(results[cells[p, s].key])[0]]
                     if r and r["proved"] is not None]
                 for p in players}
        counts = {p: (sum(found[p]), len(found[p])) for p in players}
        shown = {p: f"{k} of {n} positions" for p, (k, n) in counts.items()}
        mine, other = counts[WOODSTOCK], counts["mac-ucb"]
        rows = [Row(f"{WOODSTOCK} exhausts the tree after {facts['moves']} moves", "yes", shown[WOODSTOCK] if mine[1] else "",
                    missing(lack or "no position was searched") if not mine[1] else alone(100, *mine), PUBLISHED, mine[1],
                    "joint_connect_four")]
        fewer = too_few(min(mine[1], other[1])) or (
            Verdict(REPRODUCED, "intervals apart") if interval(*mine)[0] > interval(*other)[1] else
            Verdict(NOT, "intervals apart, the other way") if interval(*mine)[1] < interval(*other)[0] else
            missing("not decided: the intervals overlap"))
        rows.append(Row("without symmetries in fewer positions", "yes", shown["mac-ucb"] if other[1] else "",
                        missing(lack) if lack else fewer, PUBLISHED, other[1], "joint_connect_four"))
        return Report(rows, notes=[
            f"The same positions for both: {facts['moves']} random moves, then {WORK:,} simulations (the paper: 30 s, in its own "
            "match)."])

    return Item("004-joint", "Joint Connect Four, exhausted by symmetry", facts["source"], list(cells.values()), report)


def items(env):
    return [puzzles(env), table9(env), table10(env), swiss(env), joint(env)]
