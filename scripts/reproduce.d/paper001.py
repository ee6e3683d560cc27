"""Strategic Constraint Satisfaction Problems: Table 1, and tic-tac-toe by two models; each by both methods."""
from core import CommandCell, Item, Report, Row, last_json, value
from verdicts import NOT, REPRODUCED, Verdict, missing, same, solved

PAPER = "001"
METHODS = ("general", "positional")
ANSWERS = {"SATISFIABLE": "T", "UNSATISFIABLE": "F"}
LIMIT = 30  # seconds for an instance: the paper's largest that it solved took 98 s, on a processor of 1.6 GHz


def answer(_model, count, out):
    found = last_json(out)
    sizes = dict(line.split() for line in count.splitlines() if len(line.split()) == 2)
    return {"answer": ANSWERS.get(found["status"]), "nodes": found["nodes"], "variables": int(sizes["variables"]),
            "constraints": int(sizes["constraints"])}


def instance(item, key, model, method):
    net = "{folder}/" + key + ".xml"
    return CommandCell(item, key, [["macaw", "model", *model, "-o", net], ["macaw", "model", *model, "--count"],
                                   ["macaw", "solve", net, "--method", method, "--json", "-t", str(LIMIT)]], answer, LIMIT + 20)


def row(what, answer_, seconds, result, method, theirs):
    found, why = value(result)
    if not found:
        return Row(what, theirs, "", missing(why), method)
    ours = f"{found['answer'] or 'no answer'} in {result['cpu']:.2f} s, {found['nodes']:,} nodes"
    return Row(what, theirs, ours, solved(answer_, seconds, found["answer"], result["cpu"], LIMIT), method)


def table1(env):
    facts = env.published[PAPER]["table1"]
    cells = {(r["k"], r["c"], m): instance("001-table1", f"connect4-{r['k']}-{r['c']}-{m}",
                                           ["connect4", "--size", str(r["k"]), "--line", str(r["c"])], m)
             for r in facts["rows"] for m in METHODS}

    def report(results):
        rows = []
        for r in facts["rows"]:
            what = f"k = {r['k']}, c = {r['c']}"
            seconds = "-" if r["seconds"] is None else f"{r['seconds']:.2f} s"
            for method in METHODS:
                rows.append(row(what, r["answer"], r["seconds"], results[cells[r["k"], r["c"], method].key], method,
                                f"{r['answer'] or '-'} in {seconds}"))
            found, why = value(results[cells[r["k"], r["c"], METHODS[0]].key])
            theirs = f"{r['variables']} variables, {r['constraints']:,} constraints"
            mine = f"{found['variables']} variables, {found['constraints']:,} constraints" if found else None
            rows.append(Row(what + ", the network", theirs, mine or "", same(theirs, mine) if found else missing(why)))
        return Report(rows, notes=[
            f"T: the first player wins; -: no answer within {facts['cutoff']} s in the paper (1.6 GHz), {LIMIT} s here. Time is processor "
            "time from file to answer. *general* reasons on the network like the paper's solver; *positional* recognises "
            "a game of connected lines and searches its board (`macaw solve` takes it by itself)."])

    return Item("001-table1", "Table 1: Connect Four as a strategic network", facts["source"], list(cells.values()), report)


def tictactoe(env):
    facts = env.published[PAPER]["tictactoe"]
    cells = {(m, how): instance("001-tictactoe", f"model{m}-{how}", ["tictactoe", "--model", m], how)
             for m in facts["seconds"] for how in METHODS}

    def report(results):
        rows = [row(f"model {m}", "F", facts["seconds"][m], results[cells[m, how].key], how, f"{facts['seconds'][m]} s")
                for m, how in cells]
        for how in METHODS:
            one, two = (results[cells[m, how].key] for m in ("1", "2"))
            (a, why), (b, why2) = value(one), value(two)
            if not a or not b:
                rows.append(Row("model 2 needs less work than model 1", "faster", "", missing(why or why2), how))
                continue
            fine = b["nodes"] < a["nodes"] or (b["nodes"] == a["nodes"] and two["cpu"] < one["cpu"])
            rows.append(Row("model 2 needs less work than model 1", "faster", f"{b['nodes']:,} nodes to {a['nodes']:,}",
                            Verdict(REPRODUCED, "fewer nodes") if fine else Verdict(NOT, "no fewer nodes"), how))
        return Report(rows, notes=["The first player does not win (F) by either model."])

    return Item("001-tictactoe", "Tic-tac-toe by two models", facts["source"], list(cells.values()), report)


def items(env):
    return [table1(env), tictactoe(env)]
