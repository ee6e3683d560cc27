#!/usr/bin/env python3
"""games/README.md lists every rulesheet once, and marks the games whose rules are our own as their files do.

The folder of the project is the argument.
"""
import os
import re
import sys


def main(root):
    games = os.path.join(root, "games")
    with open(os.path.join(games, "README.md"), encoding="utf-8") as f:
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in f if line.startswith("| `")]
    listed = [row[0].strip("`") for row in rows]
    files = sorted(name for name in os.listdir(games) if name.endswith(".kif"))
    assert sorted(listed) == files, set(listed) ^ set(files)
    own = 0
    for row, name in zip(rows, listed):
        assert len(row) == 9, row
        with open(os.path.join(games, name), encoding="utf-8") as f:
            lines = f.read().split("\n")
        assert lines[0].startswith("; "), name + " does not begin with a title"
        marked = lines[1] == "; rules: own"
        assert marked == any(re.match(r";\s*rules:", line) for line in lines), name
        assert row[8] == ("own" if marked else ""), name
        assert float(row[5]) > 0 and float(row[6]) > 1, "run games/measure: " + name
        own += marked
    assert own, "no game is marked"
    with open(os.path.join(root, "README.md"), encoding="utf-8") as f:
        assert "| `games/` | %d games" % len(files) in f.read(), "README.md does not say %d games" % len(files)


if __name__ == "__main__":
    main(sys.argv[1])
