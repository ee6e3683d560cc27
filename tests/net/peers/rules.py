"""A very small interpreter of GDL and GDL-II, for games as small as tic-tac-toe.

It shares nothing with the C code: relations are computed bottom-up, predicate by
predicate as they are asked for, each with those it is mutually recursive with,
again and again until nothing is new. The literals of a body are joined in the
order written by looking up what is already known in a table, but a negation or a
`distinct` waits until its variables are bound.
"""
import itertools

import kif


def is_variable(term):
    return isinstance(term, str) and term[0] == "?"


def variables(term):
    return {s for s in kif.symbols(term) if is_variable(s)}


def as_tuple(atom):
    """A proposition is a predicate without arguments."""
    return (atom,) if isinstance(atom, str) else atom


def substitute(term, env):
    if isinstance(term, str):
        return env[term] if term[0] == "?" else term
    return tuple(substitute(t, env) for t in term)


def shape(term):
    """The term with None for its leaves."""
    return None if isinstance(term, str) else tuple(shape(t) for t in term)


def leaves(term, form, out):
    """Adds to `out` what stands at the leaves of a form; False if the term has another."""
    if form is None:
        out.append(term)
        return True
    return (isinstance(term, tuple) and len(term) == len(form)
            and all(leaves(t, f, out) for t, f in zip(term, form)))


class Relation:
    """The facts of a predicate, and tables to find them by some of their leaves."""

    def __init__(self, facts=()):
        self.facts = set(facts)
        self.tables = {}

    def add(self, facts):
        fresh = facts - self.facts
        if fresh:
            self.facts |= fresh
            self.tables = {}
        return bool(fresh)

    def find(self, form, known, key):
        table = self.tables.get((form, known))
        if table is None:
            table = self.tables[form, known] = {}
            for fact in self.facts:
                out = []
                if leaves(fact, form, out):
                    table.setdefault(tuple(out[i] for i in known), []).append(out)
        return table.get(key, ())


class Positive:
    def __init__(self, atom, bound):
        self.predicate, self.form, out = atom[0], shape(atom), []
        leaves(atom, self.form, out)
        self.known = tuple(i for i, leaf in enumerate(out) if not is_variable(leaf) or leaf in bound)
        self.key = tuple(out[i] for i in self.known)
        self.free = [(i, leaf) for i, leaf in enumerate(out) if i not in self.known]

    def solve(self, world, env):
        relation = world.relation(self.predicate)
        for found in list(relation.find(self.form, self.known, substitute(self.key, env))):
            inner = dict(env)
            if all(inner.setdefault(name, found[i]) == found[i] for i, name in self.free):
                yield inner


class Negative:
    def __init__(self, atom):
        self.atom = atom

    def solve(self, world, env):
        fact = substitute(self.atom, env)
        if fact not in world.relation(fact[0]).facts:
            yield env


class Distinct:
    def __init__(self, pair):
        self.pair = pair

    def solve(self, world, env):
        left, right = substitute(self.pair, env)
        if left != right:
            yield env


class Rule:
    """head <- body, the body as steps that each extend an assignment."""

    def __init__(self, head, body):
        self.head, self.steps, self.reads = head, [], set()
        bound, waiting = set(), []
        for literal in sorted(body, key=lambda l: l[0] in ("not", "distinct")):
            if literal[0] not in ("not", "distinct"):
                self.reads.add(literal[0])
                self.steps.append(Positive(literal, bound))
                bound |= variables(literal)
            else:
                waiting.append(literal)
        if not variables(head) <= bound or not all(variables(l) <= bound for l in waiting):
            raise ValueError("unsafe: %s" % kif.write(head))
        for literal in waiting:
            if literal[0] == "distinct":
                self.steps.append(Distinct(literal[1:]))
            else:
                atom = as_tuple(literal[1])
                self.reads.add(atom[0])
                self.steps.append(Negative(atom))

    def facts(self, world):
        found = [{}]
        for step in self.steps:
            found = [inner for env in found for inner in step.solve(world, env)]
        return {substitute(self.head, env) for env in found}


class World:
    """What holds in one state, and after one joint move if it is given."""

    def __init__(self, game, known):
        self.game, self.known = game, known

    def relation(self, predicate):
        if predicate not in self.known:
            if predicate in ("true", "does"):
                raise ValueError("%s is asked where it has no meaning" % predicate)
            knot = self.game.knot(predicate)
            for p in knot:
                self.known[p] = Relation()
            changed = True
            while changed:
                changed = False
                for p in knot:
                    for rule in self.game.rules.get(p, ()):
                        changed |= self.known[p].add(rule.facts(self))
        return self.known[predicate]

    def facts(self, predicate):
        return self.relation(predicate).facts


def expand(body):
    """A body without `or`: the list of its alternatives."""
    choices = []
    for literal in map(as_tuple, body):
        if literal[0] == "or":
            choices.append([rest for part in literal[1:] for rest in expand([part])])
        else:
            choices.append([[literal]])
    return [sum(parts, []) for parts in itertools.product(*choices)]


class Game:
    """States are frozensets of fluents, joint moves are dicts from roles to moves."""

    def __init__(self, terms):
        if isinstance(terms, str):
            terms = kif.read_all(terms)
        self.terms, self.rules = tuple(terms), {}
        for term in map(as_tuple, self.terms):
            head, bodies = (as_tuple(term[1]), expand(term[2:])) if term[0] == "<=" else (term, [[]])
            for body in bodies:
                self.rules.setdefault(head[0], []).append(Rule(head, body))
        self.reads = {p: set().union(*(r.reads for r in rules)) for p, rules in self.rules.items()}
        self.needs = {p: self.closure(p) for p in self.rules}
        self.lasting = {}
        world = World(self, self.lasting)
        for p in self.rules:
            if not self.needs[p] & {"true", "does"}:
                world.relation(p)
        self.roles = [t[1] for t in map(as_tuple, self.terms) if t[0] == "role"]
        self.hidden = "sees" in self.rules or "random" in self.roles
        self.initial = frozenset(f[1] for f in world.facts("init"))
        self.cache = {}

    def closure(self, predicate):
        seen, todo = set(), [predicate]
        while todo:
            for p in self.reads.get(todo.pop(), ()):
                if p not in seen:
                    seen.add(p)
                    todo.append(p)
        return seen

    def knot(self, predicate):
        """The predicate and those it is mutually recursive with."""
        return [predicate] + sorted(p for p in self.needs.get(predicate, ())
                                    if p != predicate and predicate in self.needs.get(p, ()))

    def world(self, state, joint=None):
        if state not in self.cache:
            if len(self.cache) > 2000:
                self.cache.clear()
            known = dict(self.lasting)
            known["true"] = Relation(("true", f) for f in state)
            self.cache[state] = World(self, known)
        world = self.cache[state]
        if joint is not None:
            known = dict(world.known)
            known["does"] = Relation(("does", role, move) for role, move in joint.items())
            world = World(self, known)
        return world

    def legal(self, state):
        """The legal moves of every role, sorted."""
        moves = {role: [] for role in self.roles}
        for _, role, move in self.world(state).facts("legal"):
            moves[role].append(move)
        return {role: sorted(found, key=kif.write) for role, found in moves.items()}

    def joints(self, state):
        """All legal joint moves."""
        legal = self.legal(state)
        for moves in itertools.product(*(legal[role] for role in self.roles)):
            yield dict(zip(self.roles, moves))

    def next(self, state, joint):
        return frozenset(f[1] for f in self.world(state, joint).facts("next"))

    def sees(self, state, joint):
        """The percepts of every role, sorted."""
        seen = {role: [] for role in self.roles}
        for _, role, percept in self.world(state, joint).facts("sees"):
            seen[role].append(percept)
        return {role: sorted(found, key=kif.write) for role, found in seen.items()}

    def terminal(self, state):
        return bool(self.world(state).facts("terminal"))

    def goals(self, state):
        return {role: int(value) for _, role, value in self.world(state).facts("goal")}


def told(game):
    """The game as a GDL-II game where everyone sees every move."""
    return Game(game.terms + kif.read("((<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m)))"))
