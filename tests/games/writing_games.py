#!/usr/bin/env python3
"""docs/writing-games.md tells the truth.

Its blocks marked `kif`, put together, are games/chomp.kif but for comments; the
block marked `kif second` is a rulesheet of its own; and what it says `macaw
check` prints about each block marked `kif wrong` is what it prints.

MACAW is the program; the folder of the project is the argument.
"""
import os
import re
import subprocess
import sys
import tempfile

MACAW = os.path.abspath(os.environ["MACAW"])


def blocks(text):
    """(mark, content) of every fenced block."""
    return re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.M | re.S)


def rules(text):
    """The words of a rulesheet, without comments."""
    text = re.sub(r";[^\n]*", "", text)
    return re.findall(r"[()]|[^\s()]+", text)


def check(text):
    """What `macaw check` says about a file chomp.kif with this text: (code, stderr)."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "chomp.kif"), "w", encoding="utf-8") as f:
            f.write(text)
        run = subprocess.run([MACAW, "check", "chomp.kif"], cwd=folder, capture_output=True, text=True)
    return run.returncode, run.stderr


def main(root):
    with open(os.path.join(root, "docs", "writing-games.md"), encoding="utf-8") as f:
        found = blocks(f.read())
    with open(os.path.join(root, "games", "chomp.kif"), encoding="utf-8") as f:
        chomp = f.read()
    failed = []

    walk = "".join(content for mark, content in found if mark == "kif")
    if rules(walk) != rules(chomp):
        failed.append("the blocks of the walk are not games/chomp.kif")
    for name, text in (("the walk", walk),) + tuple(
            ("the second game", content) for mark, content in found if mark == "kif second"):
        if check(text) != (0, ""):
            failed.append("%s: %s" % (name, check(text)[1]))

    wrong = 0
    for (mark, content), (_, told) in zip(found, found[1:]):
        if mark == "kif wrong":
            wrong += 1
            said = check(chomp + content)[1]
            if said != told:
                failed.append("about\n%sit says\n%sand the page\n%s" % (content, said, told))
    if wrong == 0:
        failed.append("no block is marked as wrong")

    for message in failed:
        print("docs/writing-games.md: " + message, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "."))
