"""coverage.py FOLDER: the share of the lines of src/ that the tests ran, room by room, from a build with b_coverage.

gcov writes one JSON file per object; a line of a file that is compiled several times counts as run when one copy ran."""
import collections
import gzip
import json
import os
import subprocess
import sys
import tempfile


def reports(folder):
    notes = [os.path.join(at, f) for at, _, files in os.walk(folder) for f in files if f.endswith(".gcda")]
    with tempfile.TemporaryDirectory() as scratch:
        for i in range(0, len(notes), 50):
            subprocess.run(["gcov", "--json-format", "--hash-filenames"] + [os.path.abspath(n) for n in notes[i:i + 50]],
                           cwd=scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            for name in os.listdir(scratch):
                path = os.path.join(scratch, name)
                with gzip.open(path) as f:
                    yield json.load(f)
                os.remove(path)


def main():
    folder, root = sys.argv[1], os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    ran = collections.defaultdict(dict)
    for report in reports(folder):
        for f in report["files"]:
            path = os.path.relpath(os.path.join(report["current_working_directory"], f["file"]), root)
            if path.startswith("src/"):
                for line in f["lines"]:
                    ran[path][line["line_number"]] = ran[path].get(line["line_number"], False) or line["count"] > 0
    rooms = collections.defaultdict(lambda: [0, 0])
    for path, lines in ran.items():
        for key in (path.split("/")[1], "all"):
            rooms[key][0] += sum(lines.values())
            rooms[key][1] += len(lines)
    if not rooms:
        sys.exit("coverage: no test has run in " + folder)
    for key in sorted(rooms, key=lambda k: (k == "all", k)):
        run, lines = rooms[key]
        print("%-11s %6d lines %5.1f%%" % (key, lines, 100 * run / lines))


main()
