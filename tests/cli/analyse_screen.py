"""macaw analyse and explain at a pseudo-terminal: drawn in place, and as wide as it is. MACAW: the program."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unittest

MACAW = os.environ["MACAW"]


def run(columns, rows, *words):
    """What the program writes to a terminal of this size."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    process = subprocess.Popen([MACAW, *words], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    output = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        output += part
    os.close(master)
    return process.wait(), output.decode().replace("\r\n", "\n")


class Screen(unittest.TestCase):
    def test_a_table_is_drawn_over(self):
        for columns in (60, 80, 120):
            status, output = run(columns, 50, "analyse", "tictactoe", "-p", "uct", "-n", "3000")
            self.assertEqual(status, 0)
            tables = re.split(r"\x1b\[(\d+)A\x1b\[J", output)
            self.assertEqual(len(tables), 13)  # seven tables and six ways back
            tables[0] = tables[0][tables[0].index("move "):]  # behind the board
            for table, lines in zip(tables[0::2], tables[1::2]):
                self.assertEqual(table.count("\n"), int(lines))
            for line in re.sub(r"\x1b\[[0-9;]*m", "", tables[-1]).split("\n"):
                self.assertLessEqual(len(line), columns)

    def test_a_table_that_does_not_fit_is_shown_once(self):
        status, output = run(80, 10, "analyse", "tictactoe", "-p", "uct", "-n", "3000")
        self.assertEqual(status, 0)
        self.assertNotIn("\x1b[J", output)
        self.assertEqual(output.count("95% interval"), 1)

    def test_explanations_fit(self):
        for columns in (60, 80, 120):
            for words in (("chess", "(legal white ?m)"), ("tictactoe", "terminal"), ("hex", "(next (control ?x))")):
                status, output = run(columns, 50, "explain", *words)
                self.assertEqual(status, 0)
                wide = [line for line in output.split("\n") if len(line) > columns]
                # a statement is never broken; what is said about it goes to the next line
                self.assertEqual([line for line in wide if "  " in line.strip(" │├└─")], [], columns)


if __name__ == "__main__":
    unittest.main()
