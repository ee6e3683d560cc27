"""docs/results.md: everything from the results, nothing by hand."""
import json
import os
import re

from verdicts import NONE, WORDS, tally

HEAD = """# The papers' results, measured again

Written by `scripts/reproduce`, which runs the commands named here and compares what comes out with what the papers
report. Every verdict is computed (`scripts/reproduce.d/verdicts.py`):

- *reproduced*: the published figure lies in our 95% interval (Wilson's, a draw is half), or ours is better; a worked
  example comes out equal;
- *partly*: the direction holds, the size does not, or the answer is the same and the time longer;
- *not reproduced*: the measurement contradicts the paper;
- *not measured*: nothing was run (the reason says why), or too few matches to say anything: below 20, or an interval
  wider than ±5 points that has the even share in it.

Two settings. *As published*: both players on the same reasoner with the same number of simulations a move, as the
papers' programs had; the claims of the papers are about this one. *As shipped*: each player by its own means, by a clock
that counts processor time. The papers' clocks are scaled: 1 second is {simulations} simulations as published, {seconds:g} s
as shipped. Games marked *own rules* are named in the papers without rules; those played here are ours (`games/README.md`).
"""


def spent(env):
    """Seconds of all results in the folder, and the commits and days they come from."""
    seconds, commits, days = 0.0, set(), set()
    for folder, _, files in os.walk(env.folder):
        for name in files:
            if not name.endswith(".json"):
                continue
            try:
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    found = json.load(f)
            except (OSError, ValueError):
                continue
            if isinstance(found, dict) and "command" in found:
                seconds += found.get("spent", found.get("wall", 0))
                commits.add(found.get("commit", ""))
                days.add(found.get("date", ""))
    return seconds, sorted(commits - {""}), sorted(days - {""})


def machine():
    """The processor's name, where the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            found = re.search(r"model name\s*:\s*(.*)", f.read())
    except OSError:
        found = None
    return found.group(1).strip() if found else "an unnamed processor"


def cell_text(words):
    return str(words).replace("|", "\\|").replace("\n", " ")


def row_text(env, row, columns):
    what = row.what + (" (own rules)" if row.game and env.own_rules(row.game) else "")
    cells = {"what": what, "setting": row.setting, "theirs": row.theirs, "ours": row.ours,
             "matches": "" if row.matches is None else f"{row.matches:,}",
             "verdict": f"*{row.verdict.word}*: {row.verdict.reason}"}
    return "| " + " | ".join(cell_text(cells[c]) for c in columns) + " |"


def table(env, rows):
    columns = ["what"] + (["setting"] if any(r.setting for r in rows) else []) + ["theirs", "ours"] + \
        (["matches"] if any(r.matches is not None for r in rows) else []) + ["verdict"]
    heads = {"what": "", "theirs": "paper", "ours": "here"}
    lines = ["| " + " | ".join(heads.get(c, c) for c in columns) + " |",
             "| " + " | ".join("---:" if c == "matches" else "---" for c in columns) + " |"]
    return lines + [row_text(env, r, columns) for r in rows]


def unmeasured(env, rows):
    """Lines of which there is nothing but a reason: together, by reason."""
    reasons = {}
    for r in rows:
        name = r.what + (" (own rules)" if r.game and env.own_rules(r.game) else "")
        reasons.setdefault((r.setting, r.verdict.reason), []).append(f"{name} (paper: {r.theirs})" if r.theirs != "" else name)
    return [f"- *not measured*{', ' + setting if setting else ''}: {reason}. {len(names)} line{'s' if len(names) > 1 else ''}: "
            f"{'; '.join(names)}." for (setting, reason), names in reasons.items()]


def tally_text(rows):
    found = tally(r.verdict for r in rows)
    return ", ".join(f"{found[w]} {w}" for w in WORDS if found[w]) or "nothing"


def commands_text(report, item, env):
    """One command of each kind; the others differ in the names of game and players only."""
    commands = report.commands or [c.command(env) for c in item.cells if not c.missing][:1]
    kinds = {}
    for c in commands:
        kinds.setdefault(re.sub(r"\S*[0-9]\S*|(?<=--games )\S+|(?<=--players )\S+", "*", c), c)
    several = "\nOthers differ in game, players and numbers only.\n" if len(item.cells) > len(kinds) else ""
    lines = [f"    {c}" for c in list(kinds.values())[:6]]
    return ["", f"`scripts/reproduce --only {item.name}` runs:",
            ""] + lines + ([several.rstrip("\n")] if several and lines else [])


def section(env, item, plots_folder):
    results = {c.key: c.load(env) for c in item.cells}
    report = item.report(results)
    lines = [f"### {item.title}", "", f"{item.source}. {tally_text(report.rows).capitalize()}.", ""]
    lines += [n + "\n" for n in report.notes]
    for name, text in report.plots.items():
        with open(os.path.join(plots_folder, name), "w", encoding="utf-8") as f:
            f.write(text)
        lines += [f"![{item.title}]({os.path.basename(plots_folder)}/{name})", ""]
    empty = [r for r in report.rows if r.verdict.word == NONE and not r.ours]
    if len(empty) < len(report.rows):
        lines += table(env, [r for r in report.rows if r not in empty]) + [""]
    lines += unmeasured(env, empty)
    if item.cells:
        lines += commands_text(report, item, env)
    return lines + [""], report.rows


def write(env, items, path, minutes):
    """The page, and its plots in the folder of the same name beside it."""
    from matches import SECONDS, SIMULATIONS
    plots = os.path.splitext(path)[0]
    os.makedirs(plots, exist_ok=True)
    seconds, commits, days = spent(env)
    body, summary, paper = [], [], None
    for item in items:
        if item.paper != paper:
            paper = item.paper
            about = env.published["papers"][paper]
            body += [f"## {paper}: {about['title']}", "", f"{about['authors']}.", ""]
        lines, rows = section(env, item, plots)
        body += lines
        found = tally(r.verdict for r in rows)
        summary.append(f"| {paper} | {item.title} | " + " | ".join(str(found[w] or "") for w in WORDS) + " |")
    when = f"between {days[0]} and {days[-1]}" if len(days) > 1 else f"on {days[0]}" if days else "never"
    head = [HEAD.format(simulations=SIMULATIONS, seconds=SECONDS).rstrip("\n"), "",
            f"Measured {when} in {seconds / 60:.0f} minutes altogether (the last call had `--minutes {minutes:g}`), on "
            f"{os.cpu_count()} processors ({machine()}), commit {', '.join(commits) or 'unknown'}. "
            "Where that is too short, the lines say so; the same command goes on from there.", "",
            "| paper | table or figure | " + " | ".join(WORDS) + " |", "| --- | --- |" + " ---: |" * len(WORDS)]
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write("\n".join(head + summary + [""] + body).rstrip("\n") + "\n")
    os.replace(path + ".new", path)


