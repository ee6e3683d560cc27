"""The tree of a small game: values, alpha-beta step by step, the plays of a turn, and the four steps of Monte Carlo tree search.

    game_tree.py examples/trees/two_ply.kif                          # the value of every node
    game_tree.py examples/trees/two_ply.kif --method alphabeta       # what is known after each leaf, and the leaves never seen
    game_tree.py backgammon --method plays --state examples/trees/backgammon_6_5.txt
    game_tree.py examples/trees/four_steps.kif --method mcts --counts examples/trees/four_steps.json --c 1.4

Nodes are named by the moves that lead to them. Roles move in turn; chance is the role `random`, and counts by its mean.
"""
import argparse
import json
import math
import os
import random
import sys

import macaw

TREES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "trees")


def mover(position):
    """The one role that moves here."""
    roles = position.to_move()
    if len(roles) > 1 and all(len(position.legal(r)) == 1 for r in roles):  # nobody has a choice
        return next((r for r in roles if position.legal(r) != ["noop"]), roles[0])
    if len(roles) != 1:
        sys.exit(f"game_tree: {' and '.join(roles)} move at once; this is for games in which roles move in turn")
    return roles[0]


def children(position):
    role = mover(position)
    return [(move, position.apply({role: move})) for move in position.legal(role)]


def name(path):
    return " ".join(path) or "root"


# ---- minimax, its vectors for more than two, and expectiminimax ----

def values(position, players, path=(), out=None, limit=10000):
    """{node: value of each player}, children before parents: the mover takes what is best for it, chance the mean."""
    out = {} if out is None else out
    if len(out) >= limit:
        sys.exit(f"game_tree: more than {limit} nodes")
    if position.terminal:
        goals = position.goals()
        out[name(path)] = [goals[p] for p in players]
        return out
    below = []
    for move, after in children(position):
        values(after, players, path + (move,), out, limit)
        below.append(out[name(path + (move,))])
    role = mover(position)
    if role == "random":
        out[name(path)] = [round(sum(v[i] for v in below) / len(below), 6) for i in range(len(players))]
    else:
        out[name(path)] = max(below, key=lambda v: v[players.index(role)])
    return out


# ---- alpha-beta ----

class AlphaBeta:
    """Every node has an interval that its value lies in; each leaf seen makes some of them narrower."""

    def __init__(self, game):
        self.players = [r for r in game.roles if r != "random"]
        if len(self.players) != 2 or "random" in game.roles:
            sys.exit("game_tree: alpha-beta is for two players without chance")
        self.steps, self.unseen, self.interval = [], [], {}

    def search(self, position, path=(), alpha=-math.inf, beta=math.inf, above=()):
        if position.terminal:
            v = position.goals()[self.players[0]]
            self.interval[name(path)] = (v, v)
            self.seen = v
            return v
        maximise = mover(position) == self.players[0]
        moves = children(position)
        best = -math.inf if maximise else math.inf
        self.interval[name(path)] = (-math.inf, math.inf)
        for i, (move, after) in enumerate(moves):
            v = self.search(after, path + (move,), alpha, beta, above + ((path, maximise, moves),))
            best = max(best, v) if maximise else min(best, v)
            alpha, beta = (max(alpha, best), beta) if maximise else (alpha, min(beta, best))
            self.narrow(path, maximise, moves)
            cut = alpha >= beta and i + 1 < len(moves)
            if after.terminal:
                for node in reversed(above):
                    self.narrow(*node)
                self.note(path)
            if cut:
                self.unseen += [leaf for m, p in moves[i + 1:] for leaf in self.leaves(p, path + (m,))]
                break
        return best

    def narrow(self, path, maximise, moves):
        """The interval of a node from those of its children; children not yet looked at may have any value."""
        known = [self.interval.get(name(path + (m,)), (-math.inf, math.inf)) for m, _ in moves]
        pick = max if maximise else min
        self.interval[name(path)] = (pick(k[0] for k in known), pick(k[1] for k in known))

    def note(self, path):
        self.steps.append({"leaf": self.seen, "node": name(path), "interval": list(self.interval[name(path)]),
                "root": list(self.interval["root"])})

    def leaves(self, position, path):
        if position.terminal:
            return [name(path)]
        return [leaf for m, p in children(position) for leaf in self.leaves(p, path + (m,))]


# ---- the plays of a turn ----

def plays(position):
    """All ways to move on until another role moves, as lists of moves."""
    role, found = mover(position), []
    for move, after in children(position):
        rest = plays(after) if not after.terminal and mover(after) == role else [[]]
        found += [[move] + more for more in rest]
    return found


# ---- Monte Carlo tree search ----

class Node:
    """Wins count for the role that moved into the node."""

    def __init__(self, wins=0.0, visits=0):
        self.wins, self.visits, self.below = wins, visits, {}

    @staticmethod
    def read(record):
        wins, visits = record["count"].split("/")
        node = Node(float(wins), int(visits))
        node.below = {move: Node.read(r) for move, r in record.get("moves", {}).items()}
        return node

    def count(self):
        return f"{self.wins:g}/{self.visits}"


def ucb1(node, parent, c):
    return node.wins / node.visits + c * math.sqrt(math.log(parent.visits) / node.visits) if node.visits else math.inf


def step(game, root, c, rng):
    """Selection, expansion, simulation, back-propagation; what happened, in words and counts."""
    players = [r for r in game.roles if r != "random"]
    position, node, path, told = game.initial, root, [(players[-1], root)], {"selection": []}
    while node.below and not position.terminal:
        scores = {m: ucb1(n, node, c) for m, n in node.below.items()}
        move = max(scores, key=scores.get)
        told["selection"].append({"move": move, "count": node.below[move].count(),
                                  "ucb1": {f"{m} {node.below[m].count()}": round(s, 4) for m, s in scores.items()}})
        role, position, node = mover(position), position.apply({mover(position): move}), node.below[move]
        path.append((role, node))
    if not position.terminal:
        role, open_ = mover(position), [m for m, _ in children(position) if m not in node.below]
        move = open_[0]
        node.below[move] = Node()
        position, node = position.apply({role: move}), node.below[move]
        path.append((role, node))
        told["expansion"] = f"{move} 0/0"
    moves = []
    while not position.terminal:
        move, position = rng.choice(children(position))
        moves.append(move)
    goals = position.goals()
    told["simulation"] = {"moves": moves, "goals": goals}
    told["back-propagation"] = []
    for role, node in path:
        before = node.count()
        node.wins += (goals[role] or 0) / 100 if role != "random" else 0
        node.visits += 1
        told["back-propagation"].append(f"{before} becomes {node.count()}")
    return told


def run_mcts(game, o):
    root = Node()
    if o.counts:
        with open(o.counts, encoding="utf-8") as f:
            root = Node.read(json.load(f))
    rng = random.Random(o.seed)
    return {"steps": [step(game, root, o.c, rng) for _ in range(o.steps)], "root": root.count(),
            "moves": {m: n.count() for m, n in root.below.items()}}


# ---- the program ----

def finite(v):
    """JSON has no infinity."""
    return [None if isinstance(x, float) and math.isinf(x) else x for x in v]


def shown(v):
    low, high = ("-∞" if v[0] is None else f"{v[0]:g}"), ("∞" if v[1] is None else f"{v[1]:g}")
    return f"[{low}, {high}]"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("game", nargs="?", default=os.path.join(TREES, "two_ply.kif"), help="a file or the name of a game")
    p.add_argument("--method", choices=["values", "alphabeta", "plays", "mcts"], default="values")
    p.add_argument("--state", help="values, plays: begin in the position of a file, a list of fluents")
    p.add_argument("--counts", help="mcts: a JSON file with the tree to begin with")
    p.add_argument("--c", type=float, default=1.4, help="mcts: exploration constant (1.4)")
    p.add_argument("--steps", type=int, default=1, help="mcts: how often the four steps are made (1)")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--json", action="store_true")
    o = p.parse_args()
    try:
        game = macaw.load(o.game)
    except (macaw.Error, OSError) as e:
        sys.exit(f"game_tree: {e}")
    players, start = [r for r in game.roles if r != "random"], game.initial
    if o.state:
        with open(o.state, encoding="utf-8") as f:
            start = game.position("".join(line for line in f if not line.startswith(";")))
    if o.method == "plays":
        found = {"role": mover(start), "plays": plays(start)}
        lines = [" ".join(play) for play in found["plays"]]
    elif o.method == "values":
        found = {"players": players, "values": values(start, players)}
        lines = [f"{n:30} {' '.join(f'{x:g}' for x in v)}" for n, v in found["values"].items()]
    elif o.method == "alphabeta":
        ab = AlphaBeta(game)
        value = ab.search(game.initial)
        for s in ab.steps:
            s["interval"], s["root"] = finite(s["interval"]), finite(s["root"])
        found = {"value": value, "steps": ab.steps, "unseen": ab.unseen}
        lines = [f"leaf {s['leaf']:3g}   {s['node']:12} in {shown(s['interval']):12} root in {shown(s['root'])}" for s in ab.steps]
        lines += [f"never seen: {', '.join(ab.unseen) or 'none'}", f"value: {value:g}"]
    else:
        found = run_mcts(game, o)
        lines = [f"{k}: {v}" for s in found["steps"] for k, v in s.items()] + [f"root {found['root']}, {found['moves']}"]
    print(json.dumps(found) if o.json else "\n".join(lines))


if __name__ == "__main__":
    main()
