"""The language server as an editor meets it: MACAW, the program; MACAW_SOURCE, the root of the source tree."""
import json
import os
import random
import re
import subprocess
import unittest

MACAW = os.environ["MACAW"]
GAMES = os.path.join(os.environ["MACAW_SOURCE"], "games")
URI = "file:///tmp/game.kif"

TEXT = """; Two walkers.
(role alice)
(role bob)
(init (at alice 0))
(init (control alice))
; who is beside whom
(beside ?x ?y)
(<= (legal ?player step)
    (true (control ?player)))
(<= (next (control ?other))
    (true (control ?player))
    (other ?player ?other))
(other alice bob)
(other bob alice)
(<= terminal (true (contorl bob)))
(<= (goal ?p 50) (role ?p))
"""


class Server:
    def __init__(self):
        self.process = subprocess.Popen([MACAW, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.number = 0

    def send_bytes(self, content):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def send(self, message):
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read().decode()
            if line == b"\r\n":
                break
            name, value = line.decode().split(":")
            if name.lower() == "content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, **params):
        self.send({"method": method, "params": params})

    def ask(self, method, **params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        answer = self.receive()
        assert answer["id"] == self.number, answer
        return answer

    def begin(self):
        return self.ask("initialize", capabilities={})["result"]

    def open(self, text, uri=URI):
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "gdl", "version": 1, "text": text})
        message = self.receive()
        assert message["method"] == "textDocument/publishDiagnostics"
        return message["params"]["diagnostics"]

    def end(self):
        self.ask("shutdown")
        self.notify("exit")
        status = self.process.wait(timeout=60)
        self.close()
        return status

    def close(self):
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


def place(text, part, after=0):
    """Line and character of the first occurrence of a part."""
    at = text.index(part) + after
    line = text.count("\n", 0, at)
    begin = text.rfind("\n", 0, at) + 1
    return {"line": line, "character": len(text[begin:at].encode("utf-16-le")) // 2}


def words(text, locations):
    lines = text.split("\n")
    out = []
    for one in locations:
        span = one["range"]
        assert span["start"]["line"] == span["end"]["line"]
        units = lines[span["start"]["line"]].encode("utf-16-le")
        out.append(units[2 * span["start"]["character"]:2 * span["end"]["character"]].decode("utf-16-le"))
    return out


def apply(text, edits):
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        lines[start["line"]] = line[:start["character"]] + edit["newText"] + line[end["character"]:]
    return "\n".join(lines)


class Lsp(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.assertTrue(self.server.begin()["capabilities"]["hoverProvider"])

    def tearDown(self):
        if self.server.process.poll() is None:
            self.assertEqual(self.server.end(), 0)

    def at(self, method, part, after=0, text=TEXT, **more):
        return self.server.ask("textDocument/" + method, textDocument={"uri": URI}, position=place(text, part, after), **more)

    def result(self, *args, **more):
        answer = self.at(*args, **more)
        self.assertIn("result", answer, answer)
        return answer["result"]

    def test_diagnostics(self):
        found = self.server.open(TEXT)
        by_code = {one["code"]: one for one in reversed(found)}
        self.assertIn("unsafe-variable", by_code)
        self.assertEqual(by_code["unsafe-variable"]["severity"], 1)
        self.assertEqual(by_code["unsafe-variable"]["range"]["start"], place(TEXT, "?x"))
        mended = TEXT.replace("(beside ?x ?y)", "(beside 1 2)")
        self.server.notify("textDocument/didChange", textDocument={"uri": URI, "version": 2}, contentChanges=[{"text": mended}])
        found = self.server.receive()["params"]["diagnostics"]
        never = [one for one in found if one["code"] == "never-true"]
        self.assertEqual(len(never), 1)
        self.assertIn("did you mean `control`?", never[0]["message"])
        first = [one for one in found if one["code"] == "no-first-move"]
        self.assertEqual(first[0]["relatedInformation"][0]["location"]["range"]["start"], place(mended, "(legal ?player"))
        self.server.notify("textDocument/didClose", textDocument={"uri": URI})
        self.assertEqual(self.server.receive()["params"]["diagnostics"], [])
        self.assertEqual(self.at("hover", "role")["error"]["code"], -32602)

    def test_hover(self):
        self.server.open(TEXT)
        self.assertIn("(legal R M)", self.result("hover", "legal")["contents"]["value"])
        text = self.result("hover", "(other ?player", 2)["contents"]["value"]
        self.assertIn("relation `other/2`: 2 rules, asked 1 time", text)
        self.assertIn("who is beside whom", self.result("hover", "beside ?x")["contents"]["value"])
        self.assertIn("stands here: alice bob", self.result("hover", "other ?player ?other", 7)["contents"]["value"])
        self.assertIsNone(self.result("hover", "; Two"))

    def test_definition_and_references(self):
        self.server.open(TEXT)
        self.assertEqual(self.result("definition", "(other ?player", 1)[0]["range"]["start"], place(TEXT, "other alice"))
        self.assertEqual(len(self.result("definition", "(other ?player", 1)), 2)
        control = self.result("definition", "(true (control ?player)))", 8)  # the fluent: init and next
        self.assertEqual([one["range"]["start"]["line"] for one in control], [4, 9])
        self.assertEqual(self.result("definition", "?player)))")[0]["range"]["start"], place(TEXT, "?player step"))
        self.assertEqual(self.result("definition", "true"), [])
        refs = self.result("references", "control", context={"includeDeclaration": True})
        self.assertEqual(words(TEXT, refs), ["control"] * 4)
        refs = self.result("references", "?player step")
        self.assertEqual(words(TEXT, refs), ["?player"] * 2)  # of this rule only
        self.assertEqual(len(self.result("documentHighlight", "?player step")), 2)

    def test_rename(self):
        self.server.open(TEXT)
        edits = self.result("rename", "control", newName="turn")["changes"][URI]
        self.assertEqual(apply(TEXT, edits), TEXT.replace("control", "turn"))
        edits = self.result("rename", "?player step", newName="who")["changes"][URI]
        after = apply(TEXT, edits)
        self.assertIn("(<= (legal ?who step)\n    (true (control ?who)))", after)
        self.assertIn("(other ?player ?other)", after)
        self.assertEqual(self.result("rename", "?player step", newName="?who")["changes"][URI], edits)
        for name in ("", "a b", "(x)", "true", "contorl"):
            self.assertIn("error", self.at("rename", "control", newName=name), name)
        self.assertIn("error", self.at("rename", "true", newName="x"))
        self.assertIn("error", self.at("rename", "control"))
        self.assertEqual(self.result("prepareRename", "control")["start"], place(TEXT, "control"))
        self.server.open(TEXT + "(broken")
        self.assertIn("syntax", self.at("rename", "control", newName="turn")["error"]["message"])

    def test_completion(self):
        text = TEXT + "(<= (goal alice ?v) (true (at alice ?v)) (d"
        self.server.open(text)
        items = {one["label"]: one["detail"] for one in self.result("completion", "(d", 2, text=text)}
        self.assertEqual(items["does"], "(does R M)")
        self.assertEqual(items["other"], "relation with 2 arguments")
        self.assertEqual(items["alice"], "name")
        labels = [one["label"] for one in self.result("completion", "?player ?other", 3, text=text)]
        self.assertEqual(sorted(labels), ["?other", "?player"])
        self.assertEqual(len(labels), len(set(labels)))

    def test_symbols_and_layout(self):
        self.server.open("(role   a)\n(<= (p ?x)   (q ?x))\n(q 1)")
        symbols = self.server.ask("textDocument/documentSymbol", textDocument={"uri": URI})["result"]
        self.assertEqual([one["name"] for one in symbols], ["a", "p", "q"])
        options = {"tabSize": 4, "insertSpaces": True}
        edits = self.server.ask("textDocument/formatting", textDocument={"uri": URI}, options=options)["result"]
        self.assertEqual(edits[0]["newText"], "(role a)\n(<= (p ?x) (q ?x))\n(q 1)\n")
        self.server.open("(role a")
        self.assertIn("error", self.server.ask("textDocument/formatting", textDocument={"uri": URI}, options=options))

    def test_characters_beyond_ascii(self):
        text = "; 🂡 é\n(rôle 🂡 x)\n(<= (q ?z) (rôle 🂡 ?z))\n"
        self.server.open(text)
        refs = self.result("references", "🂡 x", text=text)
        self.assertEqual(words(text, refs), ["🂡", "🂡"])
        refs = self.result("references", "?z)", text=text)
        self.assertEqual(words(text, refs), ["?z", "?z"])

    def test_infix(self):
        text = "role(a).\nnext(f(X)) :- true(f(X)) & ~q(X).\nq('A-b') :- true(f(1)).\nq(1).\n"
        self.server.open(text)
        self.assertEqual(words(text, self.result("references", "q(X)", text=text)), ["q"] * 3)
        edits = self.result("rename", "X)) :-", text=text, newName="Y")["changes"][URI]
        self.assertEqual(apply(text, edits), text.replace("X", "Y"))
        self.assertIn("error", self.at("rename", "X)) :-", text=text, newName="y"))

    def test_a_rename_keeps_the_rules(self):
        """Every name of a game gets another one: what is left is the same game."""
        path = os.path.join(GAMES, "tictactoe.kif")
        with open(path, encoding="utf-8") as file:
            text = first = file.read()
        self.server.open(text)
        for name in ("cell", "index", "marked", "control", "line", "noop"):
            at = "(" + name if name != "noop" else "?player noop"
            answer = self.at("rename", at, len(at) - 1, text=text, newName=name + "_2")
            text = apply(text, answer["result"]["changes"][URI])
            self.server.open(text)
        self.assertNotEqual(text, first)

        def count(rules):
            done = subprocess.run([MACAW, "perft", "-", "4", "--json"], input=rules.encode(), capture_output=True)
            return [level["sequences"] for level in json.loads(done.stdout)["levels"]]

        self.assertEqual(count(text), count(first))

    def test_bad_messages(self):
        self.server.send_bytes(b"{no json")
        self.assertEqual(self.server.receive()["error"]["code"], -32700)
        self.server.send({"id": 5, "method": "nothing/known"})
        self.assertEqual(self.server.receive()["error"]["code"], -32601)
        self.server.send({"id": 6, "method": "textDocument/hover"})
        self.assertEqual(self.server.receive()["error"]["code"], -32602)
        self.server.send({"id": [], "method": "textDocument/hover"})
        self.assertEqual(self.server.receive()["error"]["code"], -32600)
        self.server.send_bytes(b"[]")
        self.assertEqual(self.server.receive()["error"]["code"], -32600)
        self.server.notify("textDocument/didOpen", textDocument=7)
        self.server.notify("textDocument/didChange", textDocument={"uri": URI}, contentChanges=3)
        self.assertEqual(self.server.open(TEXT)[0]["source"], "macaw")

    def test_begin_and_end(self):
        other = Server()
        self.assertEqual(other.ask("textDocument/hover")["error"]["code"], -32002)
        other.begin()
        other.ask("shutdown")
        self.assertEqual(other.ask("textDocument/hover")["error"]["code"], -32600)
        other.notify("exit")
        self.assertEqual(other.process.wait(timeout=60), 0)
        other.close()
        for content, status in ((b"", 1), (b"nonsense\r\n\r\n", 1), (b"Content-Length: 9999999999\r\n\r\n", 1)):
            done = subprocess.run([MACAW, "lsp"], input=content, capture_output=True, timeout=60)
            self.assertEqual(done.returncode, status, content)

    def test_torn_texts(self):
        """Pieces of games cut, doubled and mixed: the server answers everything, and ends well."""
        rng = random.Random(4)
        texts = []
        for name in ("tictactoe", "kuhn_poker", "nim"):
            with open(os.path.join(GAMES, name + ".kif"), encoding="utf-8") as file:
                texts.append(file.read())
        texts.append(TEXT)
        texts.append("role(a). next(f(X)) :- (true(f(X)) | true(g)), ~q(X), X != 1. % end\nq('A') :- /* x */ true(f(1)).\n")
        for _ in range(150):
            text = rng.choice(texts)
            for _ in range(rng.randrange(6)):
                a, b = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
                b = min(b, a + 60)
                junk = rng.choice(["", "(", ")", "?", ";", "<=", "'", "/*", "é🂡", "\r", text[a:b] * 2, "not", "(true", ".", ":-"])
                text = text[:a] + junk + text[b:]
            self.server.open(text)
            where = {"line": rng.randrange(80), "character": rng.randrange(60)}
            for method in ("hover", "definition", "references", "documentHighlight", "completion", "documentSymbol", "prepareRename",
                           "rename", "formatting"):
                answer = self.server.ask("textDocument/" + method, textDocument={"uri": URI}, position=where, newName="fresh_name",
                                         options={})
                self.assertTrue("result" in answer or answer["error"]["code"] == -32803, answer)


class Editors(unittest.TestCase):
    """The files in editors/ know the language that the program knows."""

    def keywords(self):
        with open(os.path.join(os.environ["MACAW_SOURCE"], "src", "gdl", "gdl.h"), encoding="utf-8") as file:
            words = re.findall(r'K\([A-Z]+, "([a-z]+)", -?[0-9]+\)', file.read())
        return set(words) - {"random"}

    def read(self, *path):
        with open(os.path.join(os.environ["MACAW_SOURCE"], "editors", *path), encoding="utf-8") as file:
            return file.read()

    def test_vscode(self):
        package = json.loads(self.read("vscode", "package.json"))
        grammar = json.loads(self.read("vscode", package["contributes"]["grammars"][0]["path"]))
        self.assertEqual(grammar["scopeName"], package["contributes"]["grammars"][0]["scopeName"])
        json.loads(self.read("vscode", package["contributes"]["languages"][0]["configuration"]))
        self.assertIn('["lsp"]', self.read("vscode", package["main"]))
        pattern = [one["match"] for one in grammar["patterns"] if one["name"] == "keyword.control.gdl"][0]
        self.assertEqual(set(re.search(r"\)\(([a-z|]+)\)\(", pattern).group(1).split("|")), self.keywords())

    def test_vim(self):
        line = re.search(r"^syntax keyword gdlKeyword (.*)$", self.read("vim", "syntax", "gdl.vim"), re.MULTILINE)
        self.assertEqual(set(line.group(1).split()), self.keywords())
        plugin = self.read("vim", "ftplugin", "gdl.vim")
        self.assertIn("macaw\\ format\\ -", plugin)
        self.assertIn("'macaw', 'lsp'", plugin)


if __name__ == "__main__":
    unittest.main()
