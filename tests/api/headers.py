"""Each public header compiles alone, in C and in C++, without warnings. HEADERS: the folder above macaw/; CC and CXX: compilers."""
import os
import shlex
import shutil
import subprocess
import sys
import unittest

FOLDER = os.environ["HEADERS"]
COMPILERS = [
    (os.environ.get("CC", "cc"), ["-x", "c", "-std=c11", "-Wstrict-prototypes"]),
    (os.environ.get("CXX", "c++"), ["-x", "c++", "-std=c++11"]),
]
ALWAYS = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", FOLDER, "-"]


def is_whole():
    """macaw.h includes the others: are all of them there?"""
    with open(os.path.join(FOLDER, "macaw", "macaw.h"), encoding="utf-8") as header:
        included = [line.split('"')[1] for line in header if line.startswith('#include "')]
    return all(os.path.exists(os.path.join(FOLDER, name)) for name in included)


class Headers(unittest.TestCase):
    def compile_all(self, compiler, options):
        words = shlex.split(compiler)
        if not shutil.which(words[-1]):
            self.skipTest(f"{compiler} is missing")
        for name in sorted(os.listdir(os.path.join(FOLDER, "macaw"))):
            source = f"#include <macaw/{name}>\n#include <macaw/{name}>\nint main(void) {{ return 0; }}\n"
            if name == "macaw.h" and not is_whole():
                continue
            with self.subTest(header=name, compiler=compiler):
                done = subprocess.run([*words, *options, *ALWAYS], input=source, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_c(self):
        self.compile_all(*COMPILERS[0])

    def test_cplusplus(self):
        self.compile_all(*COMPILERS[1])


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(77 if result.skipped and result.wasSuccessful() else not result.wasSuccessful())
