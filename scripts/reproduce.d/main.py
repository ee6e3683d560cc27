"""The command: what to measure, for how long, and writing the page."""
import argparse
import os
import shutil
import signal
import sys
import time

import page
import paper000
import paper001
import paper002
import paper003
import paper004
from core import ROOT, Env
from matches import MatchCell

PAPERS = {"000": paper000, "001": paper001, "002": paper002, "003": paper003, "004": paper004}
SLICE = 6.0  # seconds that a cell of matches has at a time, at least
LONGEST = 60.0  # and at most, unless it had no match in as long
PATIENCE = 60.0  # seconds after which a match under way is given up, at least
GRACE = 20.0  # seconds that the last match may take beyond the time

ABOUT = """Measures the tables and figures of the papers again with the program's own commands, and writes
docs/results.md and docs/results/*.svg: theirs beside ours, the commands, the number of matches with intervals, and a
verdict a line. What is measured is kept in build/reproduce/: stopped by Ctrl-C, the same command goes on, and with
more minutes the intervals grow narrower."""


def options(words):
    p = argparse.ArgumentParser(prog="scripts/reproduce", description=ABOUT)
    p.add_argument("--paper", action="append", choices=sorted(PAPERS), help="only this paper; given again, more of them")
    p.add_argument("--only", action="append", metavar="ID",
            help="only this table or figure (see --list), or those that begin so")
    p.add_argument("--minutes", type=float, default=20.0, metavar="N",
            help="time for the matches; those that soonest say something come first (20)")
    p.add_argument("--list", action="store_true", help="list the tables and figures, and what is measured of each")
    p.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
            help="matches at the same time (one per processor)")
    p.add_argument("--keep", default=os.path.join(ROOT, "build", "reproduce"), metavar="FOLDER", help="where results are kept")
    p.add_argument("--page", default=os.path.join(ROOT, "docs", "results.md"), metavar="FILE",
            help="the page to write; its plots go into a folder beside it")
    p.add_argument("--macaw", metavar="FILE", help="the program (build/macaw)")
    p.add_argument("--sancho", metavar="HOST:PORT", help="the address of a running Sancho, an opponent of 003's Table 2")
    p.add_argument("--quiet", action="store_true", help="no progress")
    o = p.parse_args(words)
    if not 0 <= o.minutes < 1e6:
        p.error("--minutes must be 0 (only what takes no matches) or more")
    if o.jobs < 1:
        p.error("--jobs must be at least 1")
    return p, o


def chosen(p, o, env):
    """The items asked for, in the order of the papers."""
    found = [i for name, module in sorted(PAPERS.items()) for i in module.items(env) if not o.paper or name in o.paper]
    if o.only:
        wrong = [w for w in o.only if not any(i.name.startswith(w) for i in found)]
        if wrong:
            p.error(f"there is no table or figure {wrong[0]}; there are " + ", ".join(i.name for i in found))
        found = [i for i in found if any(i.name.startswith(w) for w in o.only)]
    return found


class Progress:
    def __init__(self, quiet, minutes):
        self.quiet, self.end = quiet, time.monotonic() + 60 * minutes

    def left(self):
        return max(0.0, self.end - time.monotonic())

    def say(self, words):
        if self.quiet:
            return
        left = self.left()
        line = f"{int(left // 60):4d}:{int(left % 60):02d} left  {words}"
        if sys.stdout.isatty():
            line = line[: max(shutil.get_terminal_size().columns - 1, 40)]
        print(line, flush=True)


def commands_first(env, items, progress):
    """Everything that is measured once: no share of the minutes, but it counts."""
    todo = [c for i in items for c in i.cells if not isinstance(c, MatchCell) and not c.missing and not c.done(env)]
    for n, cell in enumerate(todo, 1):
        cell.work(env, 0)
        progress.say(f"{n}/{len(todo)} {cell.item} {cell.key}: {cell.told(env)}")


def play_matches(env, items, progress):
    """The cell whose next verdict has the lowest price for its weight goes next, until the time is over: as many lines as
    possible say something, those of the main tables first."""
    weights, cells = {}, {}
    for i in items:
        for c in i.cells:
            if isinstance(c, MatchCell) and not c.missing:
                cells[c.path(env)] = c
                weights[c.path(env)] = weights.get(c.path(env), 0) + i.weight
    todo = {k: c for k, c in cells.items() if not c.done(env)}
    price = {k: c.price(env) for k, c in todo.items()}
    while todo and progress.left() > 1:
        open_ = [k for k in todo if todo[k].tried(env) * 1.5 <= max(SLICE, progress.left())]
        if not open_:
            break
        k = min(open_, key=lambda name: price[name] / max(weights[name], 0.1))
        cell = todo[k]
        length = min(max(SLICE, min(price[k], LONGEST), 1.5 * cell.tried(env)), progress.left())
        cell.work(env, length, min(max(PATIENCE, 6 * length), progress.left() + GRACE))
        progress.say(f"{len(cells) - len(todo)}/{len(cells)} {cell.item} {cell.key}: {cell.told(env)}")
        found = cell.load(env)
        price[k] = cell.price(env)
        if cell.done(env) or (found or {}).get("failed"):
            del todo[k]


def show_list(env, items):
    for i in items:
        cells = [c for c in i.cells if not c.missing]
        matches = sum(isinstance(c, MatchCell) for c in cells)
        parts = [f"{matches} pairings" if matches else "", f"{len(cells) - matches} commands" if len(cells) > matches else "",
                 f"{len(i.cells) - len(cells)} not possible here" if len(cells) < len(i.cells) else ""]
        print(f"{i.name:18} {i.title} ({', '.join(x for x in parts if x) or 'from the results of others'})")


def main(words=None):
    p, o = options(words)
    env = Env(os.path.abspath(o.keep), os.path.abspath(o.macaw) if o.macaw else None, o.jobs, o.sancho)
    if not os.path.exists(env.macaw):
        print(f"scripts/reproduce: there is no program {os.path.relpath(env.macaw)}: build it first (make), or say --macaw FILE",
              file=sys.stderr)
        return 2
    items = chosen(p, o, env)
    if o.list:
        show_list(env, items)
        return 0
    os.makedirs(env.folder, exist_ok=True)
    progress, status = Progress(o.quiet, o.minutes), 0
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has its background jobs ignore it, and their children
    try:
        commands_first(env, items, progress)
        play_matches(env, items, progress)
    except KeyboardInterrupt:
        print("scripts/reproduce: stopped; the same command goes on from here", file=sys.stderr)
        status = 1
    # The page is about everything that was ever measured, not only about what was asked for now.
    everything = [i for name in sorted(PAPERS) for i in PAPERS[name].items(env)]
    page.write(env, everything, o.page, o.minutes)
    progress.say(f"written: {os.path.relpath(o.page)}")
    return status
