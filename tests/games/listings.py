#!/usr/bin/env python3
"""The two rulesheets that the papers print, as they are printed.

Both are called Fig. 1: the cooperative matching pennies of Koriche, Lagrue, Piette
and Tabary, with their built-in alleq, and the matching pennies of the WoodStock
article. Each has a rule with a variable that nothing binds, which must be said
clearly; mended there, and only there, they must play as the text describes.

MACAW is the program.
"""
import json
import os
import subprocess
import tempfile

MACAW = os.path.abspath(os.environ["MACAW"])

COOPERATIVE = """\
role(alice).
role(bob).
role(random).
side(tails).
side(heads).
init(coin(alice,unset)).
init(coin(bob,unset)).
init(coin(random,unset)).
init(control(alice)).
init(control(bob)).
legal(P, choose(X)) ← true(control(P)), side(X).
legal(P, noop) ← not(true(control(P))).
next(coin(P, X)) ← does(P, choose(X)), side(X).
next(coin(P, X)) ← does(P, noop), true(coin(P, X)).
next(control(random)) ← true(control(alice)).
terminal ← not(true(coin(alice,unset))), not(true(coin(random,unset))),
           not(true(coin(random,unset))).
has_won ← true(coin(alice,X)), true(coin(bob,Y)), true(coin(random,Z)),
          alleq(X,Y,Z).
goal(alice,1) ← has_won.
goal(alice,0) ← not(has_won).
goal(bob,1) ← has_won.
goal(bob,0) ← not(has_won)
"""

WOODSTOCK = """\
% roles
role(j1).
role(j2).
% base de Herbrand
base(piece(J,C)) ← role(J), cote(C).
base(piece(J,inconnue)) ← role(J).
% actions possibles
input(J,retourne(C)) ← role(J), cote(C).
% coté d’une pièce
cote(pile).
cote(face).
init(piece(j1,inconnue)).
init(piece(j2,inconnue)).
legal(J,retourne(C)) ← role(J), cote(C), true(piece(J,inconnue)).
next(piece(P,C)) ← does(P,retourne(C)).
terminal ← not(true(piece(P,inconnue))).
goal(J1,100) ← true(piece(J1,S)), true(piece(J2,S)).
goal(J1,0) ← true(piece(J1,S1)), true(piece(J2,S2)), distinct(S1,S2).
goal(J2,0) ← true(piece(J1,S)), true(piece(J2,S)).
goal(J2,100) ← true(piece(J1,S1)), true(piece(J2,S2)), distinct(S1,S2).
"""


def run(text, command, *arguments):
    """Code, standard output and messages of a command about a file with this text."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "fig1.gdl"), "w", encoding="utf-8") as f:
            f.write(text)
        done = subprocess.run([MACAW, command, "fig1.gdl", *arguments], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def expect_unsafe(text, line, words):
    code, _, said = run(text, "check")
    errors = [s for s in said.split("\n") if ": error: " in s]
    assert code == 1 and len(errors) == 1, said
    assert errors[0].startswith("fig1.gdl:%d:" % line) and errors[0].endswith("[unsafe-variable]"), said
    assert words in said, said
    return said


def replaced(text, old, new):
    assert text.count(old) == 1, old
    return text.replace(old, new)


def expect_play(text, sequences, means):
    code, _, said = run(text, "check")
    assert code == 0 and "error" not in said, said
    levels = json.loads(run(text, "perft", str(len(sequences)), "--json")[1])["levels"]
    assert [level["sequences"] for level in levels[1:]] == sequences, levels
    played = json.loads(run(text, "simulate", "-n", "20000", "--seed", "1", "--json")[1])
    for role, mean in means.items():
        assert abs(played["scores"][role] - mean) < 0.05 * max(mean, 1), played["scores"]


def main():
    # P of legal: nothing binds it. alleq is no error, and said to be no GDL.
    said = expect_unsafe(COOPERATIVE, 12, "such as role(P)")
    assert "fig1.gdl:19:11: warning: GDL has no `alleq`" in said and "defined nowhere" not in said, said
    mended = replaced(COOPERATIVE, "legal(P, noop) ← ", "legal(P, noop) ← role(P), ")
    # two coins at once, then chance's; a quarter of the ends has three alike, worth a point
    expect_play(mended, [4, 8], {"alice": 0.25, "bob": 0.25})
    # the same where alleq is defined by the rules, and the other way round
    expect_play(mended + "\nalleq(X,X,X) ← side(X).\n", [4, 8], {"alice": 0.25})
    expect_play(replaced(mended, "alleq(X,Y,Z)", "not(alleq(X,Y,Z))"), [4, 8], {"alice": 0.75})

    # P of terminal; and the goals are meant for j1 and j2, not for variables of that name
    expect_unsafe(WOODSTOCK, 16, "no positive condition binds it")
    mended = replaced(WOODSTOCK, "terminal ← ", "terminal ← role(P), ").replace("J1", "j1").replace("J2", "j2")
    expect_play(mended, [4], {"j1": 50, "j2": 50})


if __name__ == "__main__":
    main()
