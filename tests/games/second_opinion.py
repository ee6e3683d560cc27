#!/usr/bin/env python3
"""Games of games/ beside plain programs of the same games, written without GDL.

    second_opinion.py [NAME...]     (all when not given)

Random matches played by macaw are played again by the program of tests/games/plain:
every move must be one of its moves, the number of legal moves must be the same in
every step, and the match must end in the same step with the same scores. All
sequences of a few moves from the beginning are counted by both. Puzzles are solved
by macaw, and the solution is worth what macaw says.

Where there is a public rulesheet of the same game, sequences, states and ends from the
beginning are those of that one.

MACAW is the program, MACAW_SOURCE the folder of the project; the public rulesheets are
in MACAW_CORPUS, or in ../shared/games beside the project.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "plain"))

import at_once  # noqa: E402
import boards  # noqa: E402

MACAW = os.environ["MACAW"]
GAMES = {**boards.GAMES, **at_once.GAMES}
SAMPLE = os.environ.get("MACAW_TEST_SAMPLE") == "1"  # slow builds look at less
STEPS, MATCHES = (30, 3) if SAMPLE else (200, 12)
SEQUENCES = 2000 if SAMPLE else 10000
PUZZLES = {"hunter_big": 100, "untwisty_complex": 100, "vectorracer_6": 100}

PUBLIC = {"free_for_all_2p": ("2pffa", 5), "tictac_chess_2p": ("2pttc", 5), "ttcc4_2p": ("ttcc4_2player", 4),
          "copolymer_pie": ("copolymer_4_pie", 3), "shmup": ("shmup", 2), "battlebrushes": ("battlebrushes", 2),
          "connect_four_simultaneous": ("connectFourSimultaneous", 3)}
CORPUS = os.environ.get("MACAW_CORPUS") or os.path.join(os.environ.get("MACAW_SOURCE", "."), "..", "shared", "games")


def macaw(*arguments):
    run = subprocess.run([MACAW, *arguments], capture_output=True, text=True, timeout=250)
    assert run.returncode == 0, "macaw %s: %s" % (" ".join(arguments), run.stderr)
    return run.stdout


def replay(name, game, seed):
    """One match; an error says where the two part."""
    players = ",".join("random" for role in game.roles if role != "random")
    match = json.loads(macaw("match", name, "--players", players, "--seed", str(seed), "--clock", "60", "--json"))
    state = game.start
    for step, (moves, why) in enumerate(zip(match["moves"], match["why"]), 1):
        where = "%s, seed %d, step %d" % (name, seed, step)
        assert not game.over(state), where + ": the game is over before"
        for role in game.roles:
            legal = game.legal(state, role)
            assert moves[role] in legal, "%s: %s cannot %s" % (where, role, moves[role])
            if role in why:
                words = why[role].split()
                counted = int(words[2]) if words[:2] == ["one", "of"] else 1
                assert counted == len(legal), "%s: %s has %d moves, not %d" % (where, role, len(legal), counted)
        state = game.after(state, moves)
    where = "%s, seed %d, after step %d" % (name, seed, match["steps"])
    assert game.over(state), where + ": the game goes on"
    assert game.goals(state) == match["goals"], "%s: %s, not %s" % (where, game.goals(state), match["goals"])
    return match["steps"]


def joint_moves(game, state):
    """All joint moves of a state, by role."""
    found = [{}]
    for role in game.roles:
        found = [{**m, role: move} for m in found for move in game.legal(state, role)]
    return found


def levels(game):
    """Sequences of 1, 2, ... moves, until there are many."""
    states, counts = {game.start: 1}, []
    while True:
        live = {s: n for s, n in states.items() if not game.over(s)}
        if not live or sum(n * width(game, s) for s, n in live.items()) > SEQUENCES:
            return counts
        states = {}
        for state, n in live.items():
            for moves in joint_moves(game, state):
                then = game.after(state, moves)
                states[then] = states.get(then, 0) + n
        counts.append(sum(states.values()))


def width(game, state):
    n = 1
    for role in game.roles:
        n *= len(game.legal(state, role))
    return n


def solved(name, game):
    """The value of the solution that macaw finds, played here."""
    lines = macaw("solve", name, "-t", "120").split("\n")
    state, role = game.start, game.roles[0]
    for line in lines:
        if line.startswith("v "):
            move = line[2:].strip()
            assert move in game.legal(state, role), "%s: %s" % (name, move)
            state = game.after(state, {role: move})
    assert game.over(state), name + ": the solution is not complete"
    return game.goals(state)[role]


def tree(game, depth):
    """What perft counts, level by level."""
    said = json.loads(macaw("perft", game, str(depth), "--json"))["levels"]
    return [(level["sequences"], level["states"], level["terminal"]) for level in said]


def compare_with_public(name):
    public, depth = PUBLIC[name]
    path = os.path.join(CORPUS, public + ".kif")
    if not os.path.exists(path):
        print("%s: not compared with %s.kif, which is not there" % (name, public))
        return
    ours, theirs = tree(name, depth), tree(path, depth)
    assert ours == theirs, "%s: %s, not %s" % (name, ours, theirs)


def main(names):
    for name in names or GAMES:
        game = GAMES[name]
        steps, matches = 0, 0
        while steps < STEPS and matches < MATCHES:
            matches += 1
            steps += replay(name, game, matches)
        counts = levels(game)
        if counts:
            said = [sequences for sequences, _, _ in tree(name, len(counts))[1:]]
            assert said == counts, "%s: %s, not %s" % (name, counts, said)
        if name in PUBLIC:
            compare_with_public(name)
        if name in PUZZLES:
            assert solved(name, game) == PUZZLES[name], name
        print("%s: %d steps of %d matches and %s sequences are the same" % (name, steps, matches, counts))


if __name__ == "__main__":
    main(sys.argv[1:])
