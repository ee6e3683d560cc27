"""Games, positions, arrays, playouts."""

import gc
import json
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy
import pytest

import macaw

SOURCE = Path(os.environ["MACAW_SOURCE"])
TRACES = SOURCE.parent / "shared" / "games" / "traces"


@pytest.fixture(scope="module")
def tictactoe():
    return macaw.load("tictactoe")


def test_load_by_name_path_and_text(tictactoe):
    path = SOURCE / "games" / "tictactoe.kif"
    for source in (path, str(path), path.read_text()):
        game = macaw.load(source)
        assert game.roles == tictactoe.roles == ("x", "o")
        assert game.moves == tictactoe.moves
    assert tictactoe.name == "tictactoe" and tictactoe.engine == "circuit"
    assert macaw.load("tictactoe", engine="interpreter").engine == "interpreter"
    assert macaw.load("backgammon").random is not None


def test_errors_print_like_check():
    with pytest.raises(macaw.RulesError) as caught:
        macaw.load("(role x) (<= (next (cell ?x ?y)) (true (cell ?x b)))")
    assert "variable ?y stands in the head" in str(caught.value)
    codes = {d.code: d for d in caught.value.diagnostics}
    assert codes["unsafe-variable"].line == 1 and codes["unsafe-variable"].help
    with pytest.raises(macaw.InputError, match="did you mean"):
        macaw.load("tictactoo")
    with pytest.raises(ValueError, match="engine"):
        macaw.load("tictactoe", engine="quick")
    assert [d for d in macaw.check("tictactoe") if d.severity == "error"] == []


def test_positions(tictactoe):
    p = tictactoe.initial
    assert p.to_move() == ["x"] and not p.terminal
    assert len(p.legal("x")) == 9 and p.legal("o") == ["noop"]
    assert set(p.legal()) == {"x", "o"}
    q = p.apply("(mark 2 2)")
    assert q == p.apply({"x": "(mark 2 2)"}) == p.apply(["(mark 2 2)", "noop"]) == p.apply({"x": "( mark  2 2 )", "o": "noop"})
    assert q != p and hash(q) == hash(p.apply("(mark 2 2)")) and len({p, q, p.apply("(mark 2 2)")}) == 2
    assert "(cell 2 2 x)" in q and "(cell 2 2 x)" not in p
    assert tictactoe.position(q.fluents()) == q
    assert q.goals()["x"] == p.goals()["x"]
    with pytest.raises(macaw.InputError, match="not legal"):
        q.apply({"x": "noop", "o": "(mark 2 2)"})
    with pytest.raises(macaw.InputError, match="no move"):
        p.apply("(mark 4 4)")
    with pytest.raises(macaw.InputError, match="no role"):
        p.legal("z")
    with pytest.raises(macaw.InputError):
        tictactoe.position(["(cell 9 9 x)"])


def test_a_match_to_its_end(tictactoe):
    p = tictactoe.initial
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"):
        p = p.apply(move)
    assert p.terminal and p.goals() == {"x": 100, "o": 0} and p.to_move() == []
    with pytest.raises(macaw.InputError, match="over"):
        p.apply("(mark 3 3)")


def test_pickle(tictactoe):
    p = tictactoe.initial.apply("(mark 2 2)")
    again = pickle.loads(pickle.dumps(p))
    assert again == p and again.legal("o") == p.legal("o") and again.game.name == "tictactoe"
    slow = macaw.load("tictactoe", engine="interpreter").initial.apply("(mark 2 2)")
    assert set(pickle.loads(pickle.dumps(slow)).fluents()) == set(slow.fluents())


def test_percepts():
    game = macaw.load("monty_hall")
    p = game.initial
    assert game.hidden
    moves = p.random_moves(3)
    seen = p.percepts(moves, game.players[0])
    assert isinstance(seen, list)


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "chess", "backgammon", "connect_four_simultaneous"])
def test_batches_agree_with_single_positions(name):
    game = macaw.load(name)
    matches = game.random_matches(4, seed=7)
    rows, match_of = matches.positions()
    assert len(rows) == len(matches.moves) == int(matches.offsets[-1])
    pick = numpy.linspace(0, len(rows) - 1, 40).astype(int)
    after = game.step(rows[pick], matches.moves[pick])
    mask, bits, ends, goals = game.legal_mask(rows[pick]), game.bits(rows[pick]), game.terminal(after), game.goals(after)
    for i, at in enumerate(pick):
        p = macaw.Position(game, rows[at].tobytes())
        q = p.apply([int(m) for m in matches.moves[at]])
        assert q.words == after[i].tobytes() and q.terminal == ends[i]
        assert [game.fluent(f) for f in numpy.flatnonzero(bits[i])] == p.fluents()
        legal = [m for r in range(len(game.roles)) for m in p.legal_numbers(r)]
        assert sorted(legal) == list(numpy.flatnonzero(mask[i]))
        assert [g if g >= 0 else None for g in goals[i]] == list(q.goals().values())
    last = matches.offsets[1:].astype(int) - 1
    assert game.terminal(game.step(rows[last], matches.moves[last])).all()
    assert (game.goals(game.step(rows[last], matches.moves[last])) == matches.goals).all()


def test_arrays_are_not_copied(tictactoe):
    rows = tictactoe.initial_positions(1000)
    joint = numpy.tile(numpy.array(list(tictactoe._joint(tictactoe.initial, "(mark 2 2)")), dtype=numpy.uint32), (1000, 1))
    out = numpy.empty_like(rows)
    assert tictactoe.step(rows, joint, out=out) is out
    assert tictactoe.step(rows, joint, out=rows) is rows and (rows == out).all()
    with pytest.raises(ValueError, match="joint moves"):
        tictactoe.step(rows, joint[:10])
    with pytest.raises(ValueError, match="uint64"):
        tictactoe.step(rows.astype(numpy.int32), joint)
    with pytest.raises(ValueError, match="moves are numbers"):
        tictactoe.step(rows, joint + 1000)


def test_playouts(tictactoe):
    a, b = tictactoe.playouts(n=20000, seed=5), tictactoe.playouts(n=20000, seed=5)
    assert a.playouts == 20000 and a.score("x").mean == b.score("x").mean
    assert abs(a.score("x").mean - 64.85) < 1.5  # of random matches 58.5% are won and 12.7% drawn
    assert a.values("x").sum() == 20000 and a.lengths().sum() == 20000 and a.shortest == 5 and a.longest == 9
    p = tictactoe.initial
    means = tictactoe.playouts([p.apply(m) for m in p.legal("x")], n=9 * 2000).means()
    assert means.shape == (9, 2) and means[:, 0].argmax() == p.legal("x").index("(mark 2 2)")
    with pytest.raises(macaw.UsageError):
        tictactoe.playouts(n=10, threads=5000)


@pytest.mark.skipif(not TRACES.is_dir(), reason="the public games are not beside the source")
@pytest.mark.parametrize("name", ["connectFour", "ticTacToe", "breakthrough", "nim3"])
def test_traces(name):
    trace = TRACES / f"{name}.jsonl"
    if not trace.exists():
        pytest.skip(f"no trace of {name}")
    game = macaw.load(SOURCE.parent / "shared" / "games" / f"{name}.kif")
    checked = 0
    for line in trace.read_text().splitlines()[:60]:
        step = json.loads(line)
        if "state" not in step:
            continue
        if step["step"] == 0:
            p = game.initial
        assert {f.lower() for f in p.fluents()} == set(step["state"])
        assert p.terminal == step["terminal"]
        if not p.terminal:
            for role, moves in p.legal().items():
                assert {m.lower() for m in moves} == set(step["legal"][role.lower()])
            # texts of the trace are in lower case; the rules need not be
            spelt = {role: {m.lower(): m for m in moves} for role, moves in p.legal().items()}
            p = p.apply({role: spelt[role][step["move"][role.lower()]] for role in spelt})
        checked += 1
    assert checked > 3


def test_threads(tictactoe):
    results = []

    def work(seed):
        p, n = tictactoe.initial, 0
        while not p.terminal:
            p = p.apply(p.random_moves(seed + n))
            n += 1
        results.append((p.goals(), tictactoe.playouts(n=1000, seed=seed).playouts))

    threads = [threading.Thread(target=work, args=(s,)) for s in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 8 and all(n == 1000 for _, n in results)


def test_drawings(tictactoe):
    p = tictactoe.initial.apply("(mark 2 2)")
    assert "x" in str(p)
    svg = p._repr_svg_()
    assert svg.startswith("<svg") and svg.endswith("</svg>")
    import xml.etree.ElementTree as tree

    for name in ("tictactoe", "chess", "hex", "backgammon", "kuhn_poker"):
        root = tree.fromstring(macaw.load(name).initial._repr_svg_())
        assert float(root.get("width")) > 10


def test_nothing_leaks(tictactoe):
    def memory():
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    def positions(count):
        p = tictactoe.initial
        joint = [int(m) for m in tictactoe._joint(p, "(mark 2 2)")]
        for _ in range(count):
            q = p.apply(joint, check=False)
            q.terminal
        for i in range(count // 2000):
            macaw.load("tictactoe").playouts(n=10)

    positions(20000)
    before = memory()
    positions(1_000_000 if os.environ.get("MACAW_TEST_ALL") else 60_000)
    assert memory() - before < 8 << 20


def test_ctrl_c_ends_long_work():
    program = "import macaw, sys; print('ready', flush=True); macaw.load('connect_four').playouts(seconds=600)"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline().strip() == "ready"
    for _ in range(300):  # the signal may arrive before the work has begun
        child.send_signal(signal.SIGINT)
        try:
            child.wait(1)
            break
        except subprocess.TimeoutExpired:
            pass
    out, err = child.communicate(timeout=60)
    assert child.returncode != 0 and "KeyboardInterrupt" in err
