"""Which wins can a role be sure of that does not see everything? The three checkmates of Kriegspiel, in any small game.

    belief_mate.py examples/trees/kriegspiel.kif --role white

A belief is the set of all positions that nothing the role has seen excludes. Three kinds of win from a belief:

  guaranteed     some strategy wins in every position of the belief, whatever the others do;
  probabilistic  a strategy that draws its moves at random wins in every position with probability 1, in the long run;
  accidental     a single move wins at once in some positions of the belief, but not in all of them.
"""
import argparse
import itertools
import json
import os
import sys
from functools import lru_cache

import macaw

TREES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "trees")

MOST = 4000  # beliefs


class Beliefs:
    """The beliefs of a role as states of a search. A choice is a move in a belief; its outcome is what the role sees."""

    def __init__(self, game, role):
        self.game, self.role = game, role
        self.others = [r for r in game.roles if r != role]

    @lru_cache(maxsize=None)
    def moves(self, position):
        return tuple(position.legal(self.role))

    @lru_cache(maxsize=None)
    def won(self, position):
        return position.terminal and position.goals()[self.role] == 100

    @lru_cache(maxsize=None)
    def after(self, position, move):
        """All (percepts, position) that can follow when the role makes this move: the others, chance too, do anything."""
        found = set()
        for joint in itertools.product(*[position.legal(r) for r in self.others]):
            moves = dict(zip(self.others, joint), **{self.role: move})
            found.add((tuple(sorted(position.percepts(moves, self.role))), position.apply(moves)))
        return tuple(found)

    @lru_cache(maxsize=None)
    def choices(self, belief):
        """Moves that are legal in every position: the role knows what it may do."""
        return tuple(sorted(set.intersection(*[set(self.moves(p)) for p in belief])))

    @lru_cache(maxsize=None)
    def outcomes(self, belief, move):
        """By what is seen (and by the moves there are then): lost for good (None), or the belief that is left, won
        positions taken out; an empty one means that it is won."""
        groups = {}
        for p in belief:
            for seen, q in self.after(p, move):
                groups.setdefault((seen, () if q.terminal else self.moves(q)), set()).add(q)
        found = []
        for group in groups.values():
            if any(q.terminal and not self.won(q) for q in group):
                found.append(None)
            else:
                found.append(frozenset(q for q in group if not q.terminal))
        return tuple(found)

    def acts(self, belief):
        return len(self.choices(belief)) > 1

    # ---- guaranteed ----

    def guaranteed(self, belief):
        """(number of moves, first move) of the shortest strategy that wins for certain; None: there is none."""
        ranks, first, open_ = {}, {}, self.reachable(belief)
        while open_ and belief not in ranks:
            new = {}
            for b in open_:
                for move in self.choices(b):
                    if all(c is not None and (not c or c in ranks) for c in self.outcomes(b, move)):
                        new[b] = move
                        break
            if not new:
                return None
            for b, move in new.items():
                below = [ranks[c] for c in self.outcomes(b, move) if c]
                ranks[b], first[b] = self.acts(b) + max(below, default=0), move
            open_ = open_ - set(new)
        return ranks[belief], first[belief]

    # ---- probabilistic ----

    @lru_cache(maxsize=None)
    def reachable(self, belief):
        found, todo = {belief}, [belief]
        while todo:
            b = todo.pop()
            for move in self.choices(b):
                for c in self.outcomes(b, move):
                    if c and c not in found:
                        found.add(c)
                        todo.append(c)
            if len(found) > MOST:
                sys.exit(f"belief_mate: more than {MOST} beliefs")
        return frozenset(found)

    def answers(self, belief, position, moves):
        """For each joint move of the others, which they choose without knowing ours: where our moves would lead, as
        pairs of belief and true position, None for a win."""
        outcomes = {m: [b for b in self.outcomes(belief, m) if b] for m in moves}
        for joint in itertools.product(*[position.legal(r) for r in self.others]):
            found = []
            for m in moves:
                q = position.apply(dict(zip(self.others, joint), **{self.role: m}))
                found.append(None if q.terminal else next((b, q) for b in outcomes[m] if q in b))
            yield tuple(found)

    def probabilistic(self, belief):
        """Is there a strategy that wins almost surely? The largest set of beliefs in which one can stay, and from each
        position of which some move that stays inside leads on to a win, whatever the others do (a fixpoint in a
        fixpoint)."""
        inside = self.reachable(belief)
        while belief in inside:
            ways = {}
            for b in inside:
                allowed = [m for m in self.choices(b) if all(c is not None and (not c or c in inside) for c in self.outcomes(b,
                        m))]
                for p in b:
                    ways[b, p] = list(self.answers(b, p, allowed))
            good, grown = set(), True
            while grown:
                new = [pair for pair, answers in ways.items() if pair not in good and
                       all(any(x is None or x in good for x in found) for found in answers)]
                good.update(new)
                grown = bool(new)
            smaller = frozenset(b for b in inside if all((b, p) in good for p in b))
            if smaller == inside:
                return True
            inside = smaller
        return False

    # ---- accidental ----

    def at_once(self, belief):
        """{move: in how many positions of the belief it wins at once, whatever the others do}"""
        return {m: sum(all(self.won(q) for _, q in self.after(p, m)) for p in belief) for m in self.choices(belief)}


def kinds(beliefs, belief):
    shots = beliefs.at_once(belief)
    best = max(shots, key=shots.get)
    found = beliefs.guaranteed(belief)
    return {"positions": len(belief), "guaranteed": {"moves": found[0], "first": found[1]} if found else None,
            "probabilistic": beliefs.probabilistic(belief),
            "accidental": {"move": best, "wins": shots[best]} if 0 < shots[best] < len(belief) else None}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("game", nargs="?", default=os.path.join(TREES, "kriegspiel.kif"), help="a file or the name of a game")
    p.add_argument("--role", default="white")
    p.add_argument("--only", help="of the first belief only positions with one of these fluents, separated by ;")
    p.add_argument("--json", action="store_true")
    o = p.parse_args()
    try:
        game = macaw.load(o.game)
        beliefs = Beliefs(game, game.roles[game.role(o.role)])
    except (macaw.Error, OSError) as e:
        sys.exit(f"belief_mate: {e}")
    belief = frozenset([game.initial])
    while not beliefs.acts(belief):  # up to the first choice
        belief = frozenset().union(*[b or () for b in beliefs.outcomes(belief, beliefs.choices(belief)[0])])
        if not belief:
            sys.exit(f"belief_mate: {o.role} never has a choice")
    if o.only:
        belief = frozenset(q for q in belief if any(f.strip() in q for f in o.only.split(";")))
        if not belief:
            sys.exit("belief_mate: no position of the first belief has any of these fluents")
    found = kinds(beliefs, belief)
    if o.json:
        print(json.dumps(found))
        return
    print(f"{found['positions']} positions are possible")
    g, a = found["guaranteed"], found["accidental"]
    print("guaranteed: " + (f"within {g['moves']} moves, first {g['first']}" if g else "none"))
    print("probabilistic: " + ("yes" if found["probabilistic"] else "no"))
    print("accidental: " + (f"{a['move']} wins at once in {a['wins']} of {found['positions']}" if a else "none"))


if __name__ == "__main__":
    main()
