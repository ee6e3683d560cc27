"""What the libraries show and need: only names of the public headers, and no library that they do without.

Reads LIBMACAW_SO, LIBMACAW_FULL_SO, LIBMACAW_A and LIBMACAW_FULL_A, the paths of the libraries, SANITIZED (1 in a build
with sanitizers) and MACAW_INCLUDE, the folder of the public headers."""
import os
import re
import shutil
import subprocess
import sys
import unittest

SANITIZED = os.environ.get("SANITIZED") == "1"
OF_SANITIZERS = re.compile(r"(__?(asan|ubsan|odr_asan|lsan|tsan|sanitizer)|\.L|DW\.ref)")
ALLOWED = {"MACAW_0"}


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def shown(*words):
    """Names that nm lists as defined and global."""
    names = set()
    for line in run("nm", "--defined-only", *words).splitlines():
        parts = line.split()
        if len(parts) == 3 and parts[1].isupper():
            names.add(parts[2].split("@")[0])
    return names


def declared():
    """Names of the functions in the public headers."""
    names = set()
    folder = os.environ["MACAW_INCLUDE"]
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as header:
            for declaration in re.findall(r"MACAW_API\b[^;{]*?\b(macaw_\w+)\s*\(", header.read()):
                names.add(declaration)
    return names


@unittest.skipUnless(shutil.which("nm") and shutil.which("readelf"), "nm or readelf is missing")
class Symbols(unittest.TestCase):
    def check(self, names, where):
        strange = {n for n in names if not n.startswith("macaw_")} - ALLOWED
        if SANITIZED:
            strange = {n for n in strange if not OF_SANITIZERS.match(n)}
        self.assertFalse(strange, f"{where} shows names that are not of the public headers")
        self.assertIn("macaw_game_load", names)

    def test_shared_libraries_show_public_names_only(self):
        for key in ("LIBMACAW_SO", "LIBMACAW_FULL_SO"):
            self.check(shown("-D", os.environ[key]), key)

    def test_static_libraries_show_public_names_only(self):
        for key in ("LIBMACAW_A", "LIBMACAW_FULL_A"):
            self.check(shown("-g", os.environ[key]), key)

    def test_every_shown_name_is_declared(self):
        names = shown("-D", os.environ["LIBMACAW_FULL_SO"])
        undeclared = {n for n in names if n.startswith("macaw_")} - declared()
        self.assertFalse(undeclared, "names that no public header declares")

    def test_the_small_library_needs_no_json_database_or_http(self):
        needed = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", os.environ["LIBMACAW_SO"]))
        self.assertTrue(needed)
        for name in needed:
            self.assertNotRegex(name, "jansson|sqlite3|microhttpd|curl")


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(77 if result.skipped and result.wasSuccessful() else not result.wasSuccessful())
