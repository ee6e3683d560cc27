"""The course on game playing and constraint satisfaction: its worked examples, by the program and its examples."""
import json
import os
import re

from core import ROOT, CommandCell, Item, Report, Row, last_json, value
from verdicts import missing, same

PAPER = "002"
TREE = ["python", "examples/python/game_tree.py"]


def whole(out):
    return json.loads(out)


def example(name, title, source, commands, rows, notes=(), parse=whole, needs=""):
    """An item of commands, each run once: {key: words}. `rows(values)` compares; any value may be None (then the row says why)."""
    cells = {k: CommandCell(name, k, [words] if isinstance(words[0], str) else words, parse if not isinstance(parse,
            dict) else parse[k], missing=needs)
             for k, words in commands.items()}

    def report(results):
        found, why = {}, {}
        for k in cells:
            found[k], why[k] = value(results[k])
            why[k] = needs or why[k]
        made = []
        for what, theirs, key, get in rows:
            ours = get(found[key]) if found[key] is not None else None
            made.append(Row(what, shown(theirs), shown(ours), same(theirs,
                    ours) if found[key] is not None else missing(why[key])))
        return Report(made, notes=notes, commands=[c.command(None) for c in cells.values()])

    return Item(name, title, source, list(cells.values()), report)


def shown(v):
    if v is None or isinstance(v, str):
        return v or ""
    if isinstance(v, dict):
        return " ".join(f"{k}={shown(x)}" for k, x in v.items())
    if isinstance(v, (list, tuple)):
        return ", ".join(shown(x) if x is not None else "∞" for x in v)
    return f"{v:,g}" if isinstance(v, float) else str(v)


# ---- games ----

def minimax(env):
    f = env.published[PAPER]["minimax"]
    rows = [(f"value of {n}", v, "values", lambda r, m=m: r["values"][m][0]) for (n, v), m in zip(f["nodes"].items(), ("a1",
            "a2", "a3"))]
    rows += [("value of the root", f["root"], "values", lambda r: r["values"]["root"][0]),
             ("best move, by the player minimax", f["move"], "player", lambda r: r["move"]),
             ("best reply to it", f["reply"], "values", lambda r: min((r["values"][f"a1 b{i}"][0], f"b{i}") for i in (1, 2,
             3))[1]),
             ("the player's value", float(f["root"]), "player", lambda r: r["value"])]
    return example("002-minimax", "Minimax on a tree of two plies", f["source"], {
        "values": TREE + ["examples/trees/two_ply.kif", "--json"],
        "player": ["macaw", "analyse", "examples/trees/two_ply.kif", "--player", "minimax", "--playouts", "1000", "--json"]},
                rows,
        parse={"values": whole, "player": last_json})


def three(env):
    f = env.published[PAPER]["three"]
    return example("002-three", "Minimax for three players", f["source"], {
        "values": TREE + ["examples/trees/three_players.kif", "--json"],
        "player": ["macaw", "analyse", "examples/trees/three_players.kif", "--player", "alphabeta:multi=maxn", "--playouts",
                "1000", "--json"]}, [
        ("vector of X", f["X"], "values", lambda r: r["values"]["a1 b11"]),
        ("vector of the root", f["X"], "values", lambda r: r["values"]["root"]),
        ("the player's value for A", float(f["X"][0]), "player", lambda r: r["value"])], parse={"values": whole,
                "player": last_json},
        notes=["The leaves beside those of X are not in the text; they are those of the figure's original."])


def alphabeta(env):
    f = env.published[PAPER]["alphabeta"]
    rows = []
    for i, (leaf, interval, root) in enumerate(f["steps"]):
        if interval is not None:
            node = lambda r, i=i: f["nodes"][r["steps"][i]["node"]]
            rows.append((f"after leaf {i + 1} ({leaf}): interval of the node above it", interval, "trace", lambda r,
                    i=i: r["steps"][i]["interval"]))
            rows.append((f"after leaf {i + 1} ({leaf}): interval of the root", root, "trace", lambda r,
                    i=i: r["steps"][i]["root"]))
            rows.append((f"leaf {i + 1} belongs to", "BBBCDDD"[i], "trace", node))
    rows += [("leaves that are never seen", f["unseen"], "trace", lambda r: len(r["unseen"])),
             ("they belong to", "C", "trace", lambda r: "".join(sorted({f["nodes"][u.split()[0]] for u in r["unseen"]}))),
             ("value of the root", f["root"], "trace", lambda r: r["value"])]
    return example("002-alphabeta", "Alpha-beta: intervals, and leaves that are never seen", f["source"],
                   {"trace": TREE + ["examples/trees/two_ply.kif", "--method", "alphabeta", "--json"]}, rows)


def mcts_words(c):
    return TREE + ["examples/trees/four_steps.kif", "--method", "mcts", "--counts", "examples/trees/four_steps.json", "--c", c,
            "--json"]


def ucb1(env):
    f = env.published[PAPER]["ucb1"]
    rows = [(f"with C = {c}", choice, c, lambda r: r["steps"][0]["selection"][0]["count"]) for c, choice in f["choice"].items()]
    return example("002-ucb1", "UCB1: 60/79 or 2/11", f["source"], {c: mcts_words(c) for c in f["choice"]}, rows)


def mcts(env):
    f = env.published[PAPER]["mcts"]
    rows = [("selection", f["selection"], "steps", lambda r: [s["count"] for s in r["steps"][0]["selection"]]),
            ("expansion", "0/0", "steps", lambda r: r["steps"][0]["expansion"].split()[-1]),
            ("simulation won by", "black", "steps", lambda r: max(r["steps"][0]["simulation"]["goals"].items(),
            key=lambda g: g[1])[0])]
    rows += [(f"back-propagation {i + 1}", c, "steps", lambda r, i=i: r["steps"][0]["back-propagation"][i])
             for i, c in enumerate(f["changes"])]
    return example("002-mcts", "The four steps of Monte Carlo tree search", f["source"], {"steps": mcts_words("1.4")}, rows,
            notes=[f["note"]])


def order(env):
    f = env.published[PAPER]["order"]
    rows, commands, parse = [], {}, {}
    for size in ("small", "large"):
        commands[size] = ["macaw", "solve", f"examples/scsp/order-{size}.xml", "--best", "--json"]
        commands["game-" + size] = ["macaw", "analyse", f"examples/trees/chance_{size}.kif", "--player", "expectiminimax",
                "--playouts", "1000", "--json"]
        parse[size] = parse["game-" + size] = last_json
        rows += [(f"leaves {f[size]['leaves']}: best move", f[size]["move"], size, lambda r: re.search(r"move=(\w+)",
                r["policies"][0][0]).group(1)),
                 (f"leaves {f[size]['leaves']}: its value", f[size]["value"], size, lambda r: round(1000 * r["expected"][0][0],
                 6)),
                 ("leaves in this order, as a game: best move of expectiminimax", f[size]["move"], "game-" + size,
                 lambda r: r["move"])]
    return example("002-order", "Expectiminimax, and a change that keeps the order of the leaves", f["source"], commands, rows,
            parse=parse,
                   notes=["As stochastic networks (in thousandths, since utilities are 0 to 1) and as games (goals are whole "
                          "numbers to 100)."])


def backgammon(env):
    f, rolls = env.published[PAPER]["backgammon"], env.published[PAPER]["rolls"]

    def plays(r):
        found = set()
        for play in r["plays"]:
            steps = [tuple(int(x) for x in re.findall(r"\d+", move)) for move in play]
            found.add(tuple(sorted((25 - i, 25 - i + d) for i, d in steps)))
        return sorted("(" + ",".join(f"{a}-{b}" for a, b in p) + ")" for p in found)

    wanted = sorted("(" + ",".join(sorted(p.strip("()").split(","),
            key=lambda m: [int(x) for x in m.split("-")])) + ")" for p in f["plays"])

    def faces(out):
        moves = [tuple(sorted(int(x) for x in re.findall(r"\d", m))) for m in re.findall(r"\(roll \d \d\)", out)]
        return {"distinct": len(set(moves)), "double": f"{moves.count((1, 1))}/{len(moves)}",
                "other": f"{moves.count((1, 2))}/{len(moves)}"}

    rows = [("legal plays, each as two moves", wanted, "plays", plays),
            ("distinct rolls", rolls["distinct"], "rolls", lambda r: r["distinct"]),
            ("probability of a double", rolls["double"], "rolls", lambda r: r["double"]),
            ("of another roll", "2/36", "rolls", lambda r: r["other"])]
    return example("002-backgammon", "Backgammon: the roll 6-5", f["source"], {
        "plays": TREE + ["backgammon", "--method", "plays", "--state", "examples/trees/backgammon_6_5.txt", "--json"],
        "rolls": ["python", "-c", "import macaw; print([m for m in macaw.load('backgammon').move_names() if m.startswith('(roll')])"]}, rows,
        parse={"plays": whole, "rolls": faces}, needs="" if env.has_game("backgammon") else "there is no game backgammon",
        notes=["The board of the figure is not in the text; the position is one with exactly these moves."])


def kriegspiel(env):
    f = env.published[PAPER]["kriegspiel"]
    mates = ["python", "examples/python/belief_mate.py"]
    return example("002-kriegspiel", "Kriegspiel: guaranteed, probabilistic and accidental mates", f["source"], {
        "rook": mates + ["examples/trees/kriegspiel.kif", "--json"], "kings": mates + ["examples/trees/kriegspiel_kings.kif",
                "--json"]}, [
        ("king and rook: a mate is guaranteed in every position of the belief", "yes", "rook",
                lambda r: "yes" if r["guaranteed"] else "no"),
        ("king and rook: a move mates by accident, in some positions only", "yes", "rook",
                lambda r: "yes" if r["accidental"] else "no"),
        ("two kings: nothing is guaranteed", "yes", "kings", lambda r: "no" if r["guaranteed"] else "yes"),
        ("two kings: found with probability 1 by random moves", "yes", "kings",
                lambda r: "yes" if r["probabilistic"] else "no")],
        notes=["The course defines the three kinds without an example; these are on boards of 3x3, with own rules, found by "
               "search over all beliefs."])


# ---- constraints ----

DOMAINS = ["build/examples/example_domains"]
LETTER = {"red": "R", "green": "G", "blue": "B"}


def domains(out):
    """Rows of {variable: values}, and what the last line says."""
    rows = [dict(re.findall(r"  (\w+):(\S*)", line)) for line in out.splitlines() if re.search(r"  \w+:", line)]
    return {"rows": rows, "inconsistent": "inconsistent" in out or "no value is left" in out}


def letters(values):
    return "".join(LETTER[v] for v in values.split(",") if v)


def forward(env):
    f = env.published[PAPER]["forward"]
    rows = [(["initial domains"] + ["after " + a for a in f["assign"]], f["rows"])]
    rows = [(what, dict(zip(f["variables"], wanted)), "table", lambda r,
            i=i: {v: letters(r["rows"][i][v]) for v in f["variables"]})
            for i, (what, wanted) in enumerate(zip(*rows[0]))]
    rows.append(("the assignment is found to be inconsistent", True, "table", lambda r: r["inconsistent"]))
    return example("002-forward", "Map colouring: the table of forward checking", f["source"],
                   {"table": DOMAINS + ["examples/csp/australia.xml", "fc", *f["assign"]]}, rows, parse=domains,
                   needs=built(env))


def built(_env):
    return "" if os.path.exists(os.path.join(ROOT, DOMAINS[0])) else "the examples are not built"


def solve(name, *words):
    return ["macaw", "solve", f"examples/csp/{name}.xml", "--json", *words]


def australia(env):
    f, values = env.published[PAPER]["australia"], env.published[PAPER]["values"]
    all_ = "all"
    return example("002-australia", "Map colouring", f["source"], {
        all_: solve("australia", "--all"), "symmetry": solve("australia", "--count", "--symmetry"),
        "dislikes": DOMAINS + ["examples/csp/australia_not_green.xml", "node"]}, [
        ("solutions", f["solutions"], all_, lambda r: r["solutions"]),
        ("the solution of the text is among them", True, all_, lambda r: f["solution"] in r["instantiations"]),
        ("colourings of the mainland: one, under the permutations of the colours", values["factor"], all_,
         lambda r: len({tuple(s[v] for v in sorted(s) if v != "T") for s in r["instantiations"]})),
        ("solutions left when symmetries are broken", 1, "symmetry", lambda r: r["solutions"]),
        ("South Australia dislikes green: domain of SA by node consistency", env.published[PAPER]["node"]["SA"], "dislikes",
                lambda r: letters(r["rows"][0]["SA"]))],
        parse={all_: last_json, "symmetry": last_json, "dislikes": domains}, needs=built(env))


def consistency(env):
    f, path = env.published[PAPER]["ac3"], env.published[PAPER]["path"]
    word = lambda r: "inconsistent" if r["inconsistent"] else "consistent"
    numbers = lambda v: [int(x) for x in v.split(",")]
    return example("002-consistency", "AC-3 and path consistency", "sections on arc and path consistency", {
        "square": DOMAINS + ["examples/csp/square.xml", "ac3"], "ac3": DOMAINS + ["examples/csp/australia_two_colours.xml",
                "ac3"],
        "path": DOMAINS + ["examples/csp/australia_two_colours.xml", "path"]}, [
        ("Y = X²: domain of X", f["X"], "square", lambda r: numbers(r["rows"][0]["X"])),
        ("Y = X²: domain of Y", f["Y"], "square", lambda r: numbers(r["rows"][0]["Y"])),
        ("Australia in two colours, by AC-3", path["ac3"], "ac3", word),
        ("Australia in two colours, by path consistency", path["path"], "path", word)], parse=domains, needs=built(env))


def cryptarithms(env):
    f = env.published[PAPER]["cryptarithms"]
    files = {"send": "send_more_money", "cross": "cross_roads_danger", "base": "base_ball_games"}
    rows = [(n.replace("_", " ").upper(), f[k], k, lambda r, k=k: {v: int(r["instantiations"][0][v]) for v in f[k]})
            for k, n in files.items()]
    rows += [(n.replace("_", " ").upper() + ": solutions", 1, k, lambda r: r["solutions"]) for k, n in files.items()]
    rows.append(("TWO TWO FOUR has a solution", True, "two", lambda r: bool(r["instantiations"])))
    return example("002-cryptarithms", "Cryptarithms", f["source"], {**{k: solve(n, "--all") for k, n in files.items()},
            "two": solve("two_two_four")},
                   rows, parse=last_json)


def car(env):
    f = env.published[PAPER]["jobs"]
    def in_order(r):
        s = {k: int(v) for k, v in r["instantiations"][-1].items()}
        wheels = ["RF", "LF", "RB", "LB"]
        return all(s["Axle" + w[1]] + 10 <= s["Wheel" + w] and s["Wheel" + w] + 1 <= s["Nuts" + w] and
                   s["Nuts" + w] + 2 <= s["Cap" + w] for w in wheels)
    return example("002-car", "Car assembly", f["source"], {"plan": solve("car_assembly")}, [
        ("tasks", f["tasks"], "plan", lambda r: len(r["instantiations"][-1])),
        ("axles before wheels before nuts before caps", True, "plan", in_order),
        ("a shortest plan is found and proved", "OPTIMUM FOUND", "plan", lambda r: r["status"])], parse=last_json)


def sudoku(env):
    f = env.published[PAPER]["sudoku"]
    grid = lambda r: ["".join(str(r["instantiations"][0][f"x[{i}][{j}]"]) for j in range(9)) for i in range(9)]
    return example("002-sudoku", "Sudoku", f["source"], {"grid": solve("sudoku")}, [
        (f"row {'ABCDEFGHI'[i]}", row, "grid", lambda r, i=i: grid(r)[i]) for i, row in enumerate(f["rows"])] + [
        ("by constraint propagation alone: nodes of the search", 1, "grid", lambda r: r["nodes"])], parse=last_json)


def structure(env):
    f = env.published[PAPER]
    fine = lambda r: r["status"] == "SATISFIABLE"
    return example("002-structure", "Min-conflicts, components, trees, cutset, tree decomposition",
            "sections on local search and structure", {
        "queens": solve("queens8", "-a", "min-conflicts"), "all": solve("queens8", "--count"), "parts": solve("australia", "-a",
                "components"),
        "tree": solve("tree", "-a", "tree"), "cutset": solve("australia", "-a", "cutset"), "decomposition": solve("australia",
                "-a", "decomposition")}, [
        ("eight queens by min-conflicts: solved", True, "queens", fine),
        ("eight queens: solutions", f["queens"]["solutions"], "all", lambda r: r["solutions"]),
        ("Australia: independent parts", f["components"]["parts"], "parts", lambda r: r["parts"]),
        ("a tree: backtracks", 0, "tree", lambda r: r["backtracks"]),
        ("Australia: size of the cutset", f["cutset"]["size"], "cutset", lambda r: r["width"]),
        ("Australia: tree width", f["decomposition"]["width"], "decomposition", lambda r: r["width"])], parse=last_json)


def items(env):
    return [make(env) for make in (minimax, three, alphabeta, ucb1, mcts, order, backgammon, kriegspiel, australia, forward,
            consistency, cryptarithms,
                                   car, sudoku, structure)]
