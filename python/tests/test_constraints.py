"""Constraint networks, with chance and with an opponent, and games as networks."""

import itertools
import os
from pathlib import Path

import pytest

import macaw

SOURCE = Path(os.environ["MACAW_SOURCE"])


def test_expressions_against_brute_force():
    tests = [
        lambda x, y, z: x + 2 * y - z == 4, lambda x, y, z: x * y > z, lambda x, y, z: abs(x - y) != z,
        lambda x, y, z: (x + y) % 3 == 1, lambda x, y, z: -x + 7 <= y * 2, lambda x, y, z: (x < y) | (y < z),
        lambda x, y, z: (x == 1) ^ (z == 2), lambda x, y, z: 10 // (y + 1) >= z, lambda x, y, z: x ** 2 > y + z,
        lambda x, y, z: 3 * x - 3 * x + y == z, lambda x, y, z: 5 - x < y,
    ]
    for test in tests:
        n = macaw.Network()
        x, y, z = n.var("x", range(5)), n.var("y", range(5)), n.var("z", [0, 2, 3])
        n.add(test(x, y, z))
        expected = {(a, b, c) for a, b, c in itertools.product(range(5), range(5), [0, 2, 3]) if test(a, b, c)}
        assert {(s["x"], s["y"], s["z"]) for s in n.solutions()} == expected
    n = macaw.Network()
    x, y = n.var("x", range(6)), n.var("y", range(6))
    n.add(macaw.min_of(x, y) == 2, macaw.max_of(x, y) - macaw.dist(x, y) == 2, macaw.implies(x > 3, y == 2), ~(x == y))
    expected = [(a, b) for a in range(6) for b in range(6)
                if min(a, b) == 2 and max(a, b) - abs(a - b) == 2 and (not a > 3 or b == 2) and a != b]
    assert sorted((s["x"], s["y"]) for s in n.solutions()) == expected


def test_queens_and_send_more_money():
    n = macaw.Network()
    q = n.array("q", 8, range(8))
    n.all_different(q)
    for i, j in itertools.combinations(range(8), 2):
        n.add(macaw.dist(q[i], q[j]) != j - i)
    assert n.count_solutions() == 92 and n.count_solutions(algorithm="fc") == 92
    assert len(n.solutions(limit=5)) == 5
    again = macaw.Network.parse(n.xcsp3())
    assert again.count_solutions() == 92
    m = macaw.Network()
    s, e, nn, d, mm, o, r, y = letters = [m.var(x, range(1 if x in "SM" else 0, 10)) for x in "SENDMORY"]
    m.all_different(letters)
    m.add(1000 * s + 100 * e + 10 * nn + d + 1000 * mm + 100 * o + 10 * r + e == 10000 * mm + 1000 * o + 100 * nn + 10 * e + y)
    assert [v for v in m.solve().solution.values()] == [9, 5, 6, 7, 1, 0, 8, 2]


def test_objectives_tables_symbols():
    n = macaw.Network()
    x, y = n.var("x", range(10)), n.var("y", range(10))
    n.add(x + y <= 12, x <= 8)
    n.maximise(3 * x + 2 * y)
    result = n.solve()
    assert result.status == "optimum" and result.best == 32 and result["x"] == 8
    n.minimise(macaw.dist(x, 5) + y)
    assert n.solve().best == 0
    c = macaw.Network()
    wa, nt = c.var("wa", ["red", "green"]), c.var("nt", ["red", "green"])
    c.table([wa, nt], [("red", "green"), ("green", None)])
    assert {(s["wa"], s["nt"]) for s in c.solutions()} == {("red", "green"), ("green", "red"), ("green", "green")}
    assert c["wa"].domain() == ["red", "green"]
    t = macaw.Network()
    a = t.array("a", 3, range(3))
    i, v = t.var("i", range(3)), t.var("v", range(3))
    t.element(a, i, v)
    t.count(a, [2], "==", 1)
    t.lex(a[:2], a[1:], "<")
    brute = [(p, j) for p in itertools.product(range(3), repeat=3) for j in range(3) if p.count(2) == 1 and p[:2] < p[1:]]
    assert t.count_solutions() == len(brute)


def test_mistakes():
    n = macaw.Network()
    x = n.var("x", range(3))
    with pytest.raises(TypeError, match="neither true nor false"):
        0 < x < 2
    with pytest.raises(macaw.Error):
        n.var("x", range(3))
    with pytest.raises(KeyError):
        n["y"]
    with pytest.raises(ValueError, match="algorithm"):
        n.solve(algorithm="magic")
    with pytest.raises(ValueError, match="row"):
        n.table([x], [(1, 2)])
    other = macaw.Network()
    y = other.var("y", range(3))
    with pytest.raises(ValueError, match="another network"):
        n.add(macaw.max_of(x, y) == 2)
    n.add(x > 5)
    result = n.solve()
    assert result.status == "unsatisfiable" and not result and n.propagate() is False
    with pytest.raises(macaw.InputError, match="error"):
        macaw.Network.parse("<instance></instance")


def test_chance():
    n = macaw.Network()
    x, y = n.var("x", range(3)), n.var("y", range(2))
    problem = macaw.Stochastic(n)
    problem.draw(y, [(1, 3), (2, 3)])
    problem.soft([x, y], {(0, 0): 1.0, (1, 1): 1.0, (2, 0): 0.5, (2, 1): 0.5})
    best = problem.solve()
    assert len(best) == 1 and abs(best[0].expected[0] - 2 / 3) < 1e-9
    assert best[0].tree[0] == "x" and list(best[0].tree[1]) == [1]
    problem.threshold(0.4)
    assert len(problem.solve("all")) == 2
    problem.threshold(0.9)
    assert problem.solve("any") == []
    with pytest.raises(macaw.Error):
        problem.draw(x, [0.5, 0.2, 0.1])
    for file in sorted((SOURCE / "examples" / "scsp").glob("*.xml"))[:3]:
        if "<instance" in file.read_text() and 'type="SCSP"' in file.read_text():
            assert macaw.Stochastic.load(file).xcsp3()


def test_opponents():
    # whoever takes the last of three tokens loses; one or two are taken in turn
    n = macaw.Network()
    a, b = n.var("a", [1, 2]), n.var("b", [1, 2])
    n.add(a + b <= 3)
    problem = macaw.Strategic(n, strategic=False)
    problem.there_is(a)
    problem.for_all(b)
    answer = problem.solve()
    assert bool(answer) and answer.status == "satisfiable"
    with pytest.raises(macaw.InputError, match="already"):
        problem.for_all(a)


def test_games_as_networks():
    game = macaw.load("tictactoe")
    network = macaw.GameNetwork(game)
    assert network.stats()["variables"] > 10
    position = game.initial
    while not position.terminal:
        for method in ("mac", "fc"):
            solved = network.round(position, method)
            assert len(solved) == len(position.legal("x")) * len(position.legal("o"))
            for moves, after in solved:
                assert position.apply(moves) == after
        position = position.apply(position.random_moves(5))
    assert network.round(position).terminal
    assert macaw.load("tictactoe").initial == game.initial
