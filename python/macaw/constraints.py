"""Constraint networks: build them with Python expressions, solve, enumerate; also with chance and with an opponent.

    n = macaw.Network()
    x, y = n.var("x", range(10)), n.var("y", range(10))
    n.add(x + y == 7, x < y)
    for solution in n.solutions():
        print(solution["x"], solution["y"])
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._library import NONE, Error, InputError, Stop, checked, encode, fail, ffi, interruptible, lib, new_error, released, taken, text
from .game import Game, Position

Value = Union[int, str]

_STATUS = {lib.MACAW_CSP_UNKNOWN: "unknown", lib.MACAW_CSP_SAT: "satisfiable", lib.MACAW_CSP_UNSAT: "unsatisfiable",
           lib.MACAW_CSP_OPTIMUM: "optimum"}


def _named(names: Callable[[int], Any]) -> Dict[str, int]:
    found: Dict[str, int] = {}
    while names(len(found)) != ffi.NULL:
        found[text(names(len(found))) or ""] = len(found)
    return found


_ALGORITHMS = _named(lib.macaw_csp_algorithm_name)
_CONSISTENCIES = _named(lib.macaw_csp_consistency_name)
_ORDERS = _named(lib.macaw_csp_order_name)
_VALUE_ORDERS = _named(lib.macaw_csp_value_order_name)
_OPERATORS = {"neg": lib.MACAW_CSP_OP_NEG, "abs": lib.MACAW_CSP_OP_ABS, "add": lib.MACAW_CSP_OP_ADD, "sub": lib.MACAW_CSP_OP_SUB,
              "mul": lib.MACAW_CSP_OP_MUL, "div": lib.MACAW_CSP_OP_DIV, "mod": lib.MACAW_CSP_OP_MOD, "pow": lib.MACAW_CSP_OP_POW,
              "dist": lib.MACAW_CSP_OP_DIST, "min": lib.MACAW_CSP_OP_MIN, "max": lib.MACAW_CSP_OP_MAX, "lt": lib.MACAW_CSP_OP_LT,
              "le": lib.MACAW_CSP_OP_LE, "ge": lib.MACAW_CSP_OP_GE, "gt": lib.MACAW_CSP_OP_GT, "ne": lib.MACAW_CSP_OP_NE,
              "eq": lib.MACAW_CSP_OP_EQ, "not": lib.MACAW_CSP_OP_NOT, "and": lib.MACAW_CSP_OP_AND, "or": lib.MACAW_CSP_OP_OR,
              "xor": lib.MACAW_CSP_OP_XOR, "iff": lib.MACAW_CSP_OP_IFF, "imp": lib.MACAW_CSP_OP_IMP, "if": lib.MACAW_CSP_OP_IF}
_RELATIONS = {"<": lib.MACAW_CSP_LT, "<=": lib.MACAW_CSP_LE, ">=": lib.MACAW_CSP_GE, ">": lib.MACAW_CSP_GT, "!=": lib.MACAW_CSP_NE,
              "==": lib.MACAW_CSP_EQ}


def _choice(table: Mapping[str, int], word: str, what: str) -> int:
    if word not in table:
        raise ValueError(f"{what} is one of {', '.join(table)}, not {word!r}")
    return table[word]


class Expr:
    """An expression over variables: + - * // % ** abs(), comparisons, & | ^ ~ for and, or, xor, not.

    Division rounds towards zero, as in XCSP3. `min_of`, `max_of`, `dist`, `implies`, `iff` and `if_else` make the others."""

    __slots__ = ("op", "arguments")

    def __init__(self, op: str, *arguments: "Union[Expr, int]") -> None:
        self.op, self.arguments = op, arguments

    def _with(self, op: str, other: Any, swapped: bool = False) -> "Expr":
        if not isinstance(other, (Expr, int)):
            return NotImplemented
        return Expr(op, other, self) if swapped else Expr(op, self, other)

    def __add__(self, other: Any) -> "Expr": return self._with("add", other)
    def __radd__(self, other: Any) -> "Expr": return self._with("add", other, True)
    def __sub__(self, other: Any) -> "Expr": return self._with("sub", other)
    def __rsub__(self, other: Any) -> "Expr": return self._with("sub", other, True)
    def __mul__(self, other: Any) -> "Expr": return self._with("mul", other)
    def __rmul__(self, other: Any) -> "Expr": return self._with("mul", other, True)
    def __floordiv__(self, other: Any) -> "Expr": return self._with("div", other)
    def __rfloordiv__(self, other: Any) -> "Expr": return self._with("div", other, True)
    def __mod__(self, other: Any) -> "Expr": return self._with("mod", other)
    def __pow__(self, other: Any) -> "Expr": return self._with("pow", other)
    def __neg__(self) -> "Expr": return Expr("neg", self)
    def __abs__(self) -> "Expr": return Expr("abs", self)
    def __lt__(self, other: Any) -> "Expr": return self._with("lt", other)
    def __le__(self, other: Any) -> "Expr": return self._with("le", other)
    def __gt__(self, other: Any) -> "Expr": return self._with("gt", other)
    def __ge__(self, other: Any) -> "Expr": return self._with("ge", other)
    def __eq__(self, other: Any) -> "Expr": return self._with("eq", other)  # type: ignore[override]
    def __ne__(self, other: Any) -> "Expr": return self._with("ne", other)  # type: ignore[override]
    def __and__(self, other: Any) -> "Expr": return self._with("and", other)
    def __or__(self, other: Any) -> "Expr": return self._with("or", other)
    def __xor__(self, other: Any) -> "Expr": return self._with("xor", other)
    def __invert__(self) -> "Expr": return Expr("not", self)
    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError("an expression is neither true nor false before the network is solved; use & | ~ instead of and, or, not, "
                        "and write a < b and b < c as two constraints")

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.arguments))})"


def min_of(*arguments: Union[Expr, int]) -> Expr:
    return Expr("min", *arguments)


def max_of(*arguments: Union[Expr, int]) -> Expr:
    return Expr("max", *arguments)


def dist(a: Union[Expr, int], b: Union[Expr, int]) -> Expr:
    """|a - b|"""
    return Expr("dist", a, b)


def implies(a: Expr, b: Expr) -> Expr:
    return Expr("imp", a, b)


def iff(a: Expr, b: Expr) -> Expr:
    return Expr("iff", a, b)


def if_else(condition: Expr, then: Union[Expr, int], otherwise: Union[Expr, int]) -> Expr:
    return Expr("if", condition, then, otherwise)


class Var(Expr):
    """A variable of a network."""

    __slots__ = ("network", "number", "name")

    def __init__(self, network: "Network", number: int, name: str) -> None:
        super().__init__("var")
        self.network, self.number, self.name = network, number, name

    def __repr__(self) -> str:
        return self.name

    __hash__ = object.__hash__

    def domain(self) -> List[Value]:
        """The values that are left."""
        n, x = self.network._pointer, self.number
        values = []
        at = lib.macaw_csp_next_at(n, x, 0)
        while at != NONE:
            values.append(self.network._shown(x, lib.macaw_csp_value(n, x, at)))
            at = lib.macaw_csp_next_at(n, x, at + 1)
        return values


class Result:
    """The answer of a search: status, counters, and the best or first solution."""

    def __init__(self, status: int, solution: Optional[Dict[str, Value]], stats: Any) -> None:
        self.status: str = _STATUS[status]
        self.solution = solution
        self.counters: Dict[str, int] = {}
        while lib.macaw_csp_counter_name(len(self.counters)) != ffi.NULL:
            i = len(self.counters)
            self.counters[text(lib.macaw_csp_counter_name(i)) or ""] = lib.macaw_csp_counter(stats, i)
        self.seconds: float = stats.seconds
        self.complete: bool = stats.complete
        self.best: Optional[int] = stats.best if stats.has_best else None

    def __bool__(self) -> bool:
        return self.solution is not None

    def __getitem__(self, name: str) -> Value:
        if self.solution is None:
            raise KeyError(f"there is no solution ({self.status})")
        return self.solution[name]

    def __repr__(self) -> str:
        return f"<macaw.Result {self.status}: {self.solution}>"


class Network:
    """A finite-domain constraint network."""

    def __init__(self, pointer: Any = None, owner: Any = None) -> None:
        if pointer is None:
            error = new_error()
            pointer = checked(lib.macaw_csp_new(error), error, lib.macaw_csp_free)
        self._pointer = pointer
        self._owner = owner  # what the network belongs to, when it is not its own

    @staticmethod
    def load(path: Union[str, os.PathLike]) -> "Network":
        """A network from an XCSP3 file."""
        error = new_error()
        return Network(checked(lib.macaw_csp_load(encode(os.fspath(path)), error), error, lib.macaw_csp_free))

    @staticmethod
    def parse(xml: str) -> "Network":
        """A network from the text of an XCSP3 file."""
        error, data = new_error(), encode(xml)
        return Network(checked(lib.macaw_csp_parse(data, len(data), b"network", error), error, lib.macaw_csp_free))

    def xcsp3(self) -> str:
        """The network as XCSP3."""
        return taken(lib.macaw_csp_write(self._pointer))

    # ---- variables ----

    def var(self, name: str, values: Union[range, Iterable[Value]]) -> Var:
        """A variable with these values: a range, numbers, or symbols (texts)."""
        if isinstance(values, range) and values.step == 1 and len(values):
            number = lib.macaw_csp_var_range(self._pointer, encode(name), values.start, values.stop - 1)
        else:
            listed = list(values)
            if listed and all(isinstance(v, str) for v in listed):
                symbols = [ffi.new("char[]", encode(v)) for v in listed]
                number = lib.macaw_csp_var_symbols(self._pointer, encode(name), ffi.new("const char *[]", symbols), len(symbols))
            else:
                number = lib.macaw_csp_var_values(self._pointer, encode(name), [int(v) for v in listed], len(listed))
        return Var(self, self._number(number), name)

    def array(self, name: str, count: int, values: Union[range, Iterable[Value]]) -> List[Var]:
        """`count` variables name[0], name[1], … with the same values."""
        values = values if isinstance(values, range) else list(values)
        return [self.var(f"{name}[{i}]", values) for i in range(count)]

    @property
    def variables(self) -> List[Var]:
        return [Var(self, i, text(lib.macaw_csp_name(self._pointer, i)) or "") for i in range(lib.macaw_csp_variables(self._pointer))]

    def __getitem__(self, name: str) -> Var:
        number = lib.macaw_csp_find(self._pointer, encode(name))
        if number == NONE:
            raise KeyError(f"the network has no variable {name!r}")
        return Var(self, number, name)

    @property
    def constraints(self) -> int:
        return lib.macaw_csp_constraints(self._pointer)

    # ---- constraints ----

    def add(self, *expressions: Expr) -> None:
        """Constraints given by expressions."""
        for e in expressions:
            if not isinstance(e, Expr):
                raise TypeError(f"{e!r} is no expression over variables")
            linear = _linear(e)
            if linear is not None:
                terms, relation, k = linear
                self._number(lib.macaw_csp_add_sum(self._pointer, [x.number for x in terms], list(terms.values()), len(terms),
                                                   _RELATIONS[relation], k))
            else:
                self._number(lib.macaw_csp_add_intension(self._pointer, self._expression(e)))

    def all_different(self, variables: Sequence[Var], excepting: Sequence[int] = ()) -> None:
        self._number(lib.macaw_csp_add_alldiff(self._pointer, _numbers(variables), len(variables), list(excepting), len(excepting)))

    def table(self, variables: Sequence[Var], rows: Iterable[Sequence[Optional[Value]]], *, allowed: bool = True) -> None:
        """The tuples that the variables may (or, not allowed, must not) take; None stands for any value."""
        flat: List[int] = []
        count = 0
        for row in rows:
            if len(row) != len(variables):
                raise ValueError(f"the row {tuple(row)} is for {len(row)} variables, not {len(variables)}")
            flat += [lib.MACAW_CSP_ANY if v is None else self._value(v) for v in row]
            count += 1
        self._number(lib.macaw_csp_add_table(self._pointer, _numbers(variables), len(variables), flat, count, allowed))

    def element(self, variables: Sequence[Var], index: Var, value: Var, *, start: int = 0) -> None:
        """variables[index - start] == value"""
        self._number(lib.macaw_csp_add_element(self._pointer, _numbers(variables), len(variables), start, index.number, value.number))

    def count(self, variables: Sequence[Var], values: Sequence[Value], relation: str, k: Union[int, Var]) -> None:
        """How many of the variables take one of the values: relation is "<", "<=", "==", "!=", ">=" or ">"."""
        kx = k.number if isinstance(k, Var) else NONE
        self._number(lib.macaw_csp_add_count(self._pointer, _numbers(variables), len(variables), [self._value(v) for v in values],
                                             len(values), _choice(_RELATIONS, relation, "relation"), 0 if kx != NONE else k, kx))

    def no_overlap(self, origins: Sequence[Var], lengths: Sequence[int]) -> None:
        """Tasks on one machine."""
        self._number(lib.macaw_csp_add_no_overlap(self._pointer, _numbers(origins), list(lengths), len(origins)))

    def lex(self, a: Sequence[Var], b: Sequence[Var], relation: str = "<=") -> None:
        if len(a) != len(b):
            raise ValueError("the two lists have different lengths")
        self._number(lib.macaw_csp_add_lex(self._pointer, _numbers(a), _numbers(b), len(a), _choice(_RELATIONS, relation, "relation")))

    def minimise(self, expression: Expr) -> None:
        self._objective(expression, False)

    def maximise(self, expression: Expr) -> None:
        self._objective(expression, True)

    def _objective(self, expression: Expr, maximise: bool) -> None:
        lib.macaw_csp_forget_objective(self._pointer)
        terms: Dict[Var, int] = {}
        constant = _collect(expression, 1, terms)
        if constant == 0 and terms:
            fine = lib.macaw_csp_objective_sum(self._pointer, [x.number for x in terms], list(terms.values()), len(terms), maximise)
        else:
            fine = lib.macaw_csp_objective_expr(self._pointer, self._expression(expression), maximise)
        if not fine:
            raise self._error()

    # ---- search ----

    def solve(self, *, algorithm: str = "mac", consistency: str = "default", order: str = "default", values: str = "min",
              seconds: float = 0.0, nodes: int = 0, seed: int = 0, restarts: bool = False, nogoods: bool = False) -> Result:
        """One solution, or the best one where there is an objective."""
        last: List[Dict[str, Value]] = []

        def keep(solution: Dict[str, Value]) -> bool:
            last[:] = [solution]
            return True

        return self._search(keep, last, algorithm, consistency, order, values, seconds, nodes, seed, restarts, nogoods, False)

    def solutions(self, limit: int = 0, **options: Any) -> List[Dict[str, Value]]:
        """All solutions, or the first `limit`."""
        found: List[Dict[str, Value]] = []

        def keep(solution: Dict[str, Value]) -> bool:
            found.append(solution)
            return not limit or len(found) < limit

        self._search(keep, found, **{**_SEARCH, **options}, all=True)
        return found

    def count_solutions(self, **options: Any) -> int:
        """How many solutions there are."""
        return self._search(None, [], **{**_SEARCH, **options}, all=True).counters["solutions"]

    def _search(self, keep: Optional[Callable], last: list, algorithm: str, consistency: str, order: str, values: str, seconds: float,
                nodes: int, seed: int, restarts: bool, nogoods: bool, all: bool) -> Result:
        stop = Stop()
        context = {"network": self, "keep": keep, "error": None,
                   "shown": [(x, x.name) for x in self.variables if not lib.macaw_csp_hidden(self._pointer, x.number)]}
        handle = ffi.new_handle(context)
        options = ffi.new("macaw_csp_options *", {
            "algorithm": _choice(_ALGORITHMS, algorithm, "algorithm"), "consistency": _choice(_CONSISTENCIES, consistency, "consistency"),
            "order": _choice(_ORDERS, order, "order"), "values": _choice(_VALUE_ORDERS, values, "values"),
            "limit": {"seconds": seconds, "stop": stop._flag}, "max_nodes": nodes, "seed": seed, "all": all, "any": all,
            "restarts": lib.MACAW_CSP_RESTART_LUBY if restarts else lib.MACAW_CSP_RESTART_NONE, "nogoods": nogoods})
        if keep is not None:
            options.solution, options.context = lib.py_solution, handle
        stats = ffi.new("macaw_csp_stats *")
        status = interruptible(lambda: lib.macaw_csp_solve(self._pointer, options, stats), stop)
        if context["error"] is not None:
            raise context["error"]  # type: ignore[misc]
        if stats.refused != ffi.NULL:
            raise InputError(text(stats.refused))
        failure = lib.macaw_csp_error(self._pointer)
        if status == lib.MACAW_CSP_UNKNOWN and failure != ffi.NULL and failure.status == lib.MACAW_MEMORY:
            raise fail(failure)
        return Result(status, last[-1] if last else None, stats)

    def propagate(self) -> bool:
        """Removes values that cannot be part of a solution, as far as propagation sees it. False: there is no solution."""
        return bool(lib.macaw_csp_prepare(self._pointer) and lib.macaw_csp_propagate(self._pointer))

    # ---- inside ----

    def _number(self, number: int) -> int:
        if number == NONE:
            raise self._error()
        return number

    def _error(self) -> Exception:
        return fail(lib.macaw_csp_error(self._pointer))

    def _value(self, value: Value) -> int:
        return lib.macaw_csp_symbol(self._pointer, encode(value)) if isinstance(value, str) else int(value)

    def _shown(self, x: int, value: int) -> Value:
        return text(lib.macaw_csp_symbol_text(self._pointer, value)) or "" if lib.macaw_csp_symbolic(self._pointer, x) else value

    def _expression(self, e: Union[Expr, int]) -> int:
        if isinstance(e, Var):
            if e.network._pointer != self._pointer:
                raise ValueError(f"{e.name} is a variable of another network")
            return self._number(lib.macaw_csp_expr_var(self._pointer, e.number))
        if isinstance(e, int):
            return self._number(lib.macaw_csp_expr_const(self._pointer, int(e)))
        arguments = [self._expression(a) for a in e.arguments]
        return self._number(lib.macaw_csp_expr(self._pointer, _OPERATORS[e.op], arguments, len(arguments)))

    def __repr__(self) -> str:
        return f"<macaw.Network: {lib.macaw_csp_variables(self._pointer)} variables, {self.constraints} constraints>"


_SEARCH = {"algorithm": "mac", "consistency": "default", "order": "default", "values": "min", "seconds": 0.0, "nodes": 0, "seed": 0,
           "restarts": False, "nogoods": False}


@ffi.def_extern(error=False)
def py_solution(context: Any, n: Any, values: Any) -> bool:
    search = ffi.from_handle(context)
    try:
        network = search["network"]
        return bool(search["keep"]({name: network._shown(x.number, values[x.number]) for x, name in search["shown"]}))
    except BaseException as error:
        search["error"] = error
        return False


def _numbers(variables: Sequence[Var]) -> List[int]:
    return [x.number for x in variables]


def _collect(e: Union[Expr, int], factor: int, terms: Dict[Var, int]) -> Optional[int]:
    """Adds factor * e to the terms of a sum and returns its constant; None: e is not linear."""
    if isinstance(e, Var):
        known = next((x for x in terms if x.number == e.number), e)
        terms[known] = terms.get(known, 0) + factor
        return 0
    if isinstance(e, int):
        return factor * int(e)
    if e.op in ("add", "sub"):
        a = _collect(e.arguments[0], factor, terms)
        b = _collect(e.arguments[1], factor if e.op == "add" else -factor, terms)
        return None if a is None or b is None else a + b
    if e.op == "neg":
        return _collect(e.arguments[0], -factor, terms)
    if e.op == "mul":
        a, b = e.arguments
        if isinstance(a, int):
            return _collect(b, factor * int(a), terms)
        if isinstance(b, int):
            return _collect(a, factor * int(b), terms)
    return None


def _linear(e: Expr) -> Optional[Tuple[Dict[Var, int], str, int]]:
    """A comparison of sums as terms, relation and constant; None: it is something else."""
    relations = {"lt": "<", "le": "<=", "ge": ">=", "gt": ">", "ne": "!=", "eq": "=="}
    if e.op not in relations:
        return None
    terms: Dict[Var, int] = {}
    left = _collect(e.arguments[0], 1, terms)
    right = _collect(e.arguments[1], -1, terms) if left is not None else None
    if left is None or right is None:
        return None
    terms = {x: c for x, c in terms.items() if c}
    return (terms, relations[e.op], -(left + right)) if terms else None


# ---- chance and opponents -----------------------------------------------------------------------------------------------


class Policy:
    """A policy: what to decide for every draw. A tree of (variable, {value: subtree or None})."""

    def __init__(self, problem: "Stochastic", result: Any, number: int) -> None:
        players = lib.macaw_scsp_players(problem._pointer)
        self.expected: List[float] = ffi.unpack(lib.macaw_scsp_expected(result, number), players)
        self.text: str = taken(lib.macaw_scsp_print(result, number)).rstrip("\n")
        self.tree = self._tree(problem, result, lib.macaw_scsp_root(result, number))

    def _tree(self, problem: "Stochastic", result: Any, node: int) -> Any:
        if node == lib.MACAW_SCSP_LEAF:
            return None
        n = lib.macaw_scsp_node_of(result, node)
        arcs = [lib.macaw_scsp_arc_of(result, node, i) for i in range(n.arcs)]
        hard = problem.hard
        return (text(lib.macaw_csp_name(hard._pointer, n.variable)),
                {hard._shown(n.variable, lib.macaw_csp_value(hard._pointer, n.variable, arc.at)): self._tree(problem, result, arc.child)
                 for arc in arcs})

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<macaw.Policy worth {', '.join(f'{w:g}' for w in self.expected)}>"


class Stochastic:
    """A stochastic constraint problem: some variables are decided, some are drawn at random.

    hard    every leaf of positive probability must satisfy these constraints
    chance  a leaf that violates one of these is worth nothing
    players for how many players policies are worth something

    Variables are decided in the order in which they were made. Pass a network with its variables; it belongs to the problem
    afterwards, as `hard`."""

    def __init__(self, network: Optional[Network] = None, players: int = 1, *, _pointer: Any = None) -> None:
        if _pointer is None:
            if network is None:
                raise TypeError("Stochastic needs a network with its variables")
            error = new_error()
            pointer = lib.macaw_scsp_new(released(network._pointer), players, error)
            _pointer = checked(pointer, error, lib.macaw_scsp_free)
        self._pointer = _pointer
        self.hard = Network(lib.macaw_scsp_hard(_pointer), owner=_pointer)
        self.chance = Network(lib.macaw_scsp_chance(_pointer), owner=_pointer)
        if network is not None:
            network._pointer, network._owner = self.hard._pointer, _pointer

    @staticmethod
    def load(path: Union[str, os.PathLike]) -> "Stochastic":
        """A problem from an XCSP3 file of type SCSP."""
        error = new_error()
        return Stochastic(_pointer=checked(lib.macaw_scsp_load(encode(os.fspath(path)), error), error, lib.macaw_scsp_free))

    def draw(self, variable: Var, probabilities: Sequence[Union[float, Tuple[int, int]]]) -> None:
        """The variable is drawn: a probability for each of its values, as a number or a fraction (1, 3)."""
        rows = ffi.new("macaw_probability[]", [{"num": p[0], "den": p[1], "value": p[0] / p[1]} if isinstance(p, tuple) else
                                               {"num": 0, "den": 0, "value": float(p)} for p in probabilities])
        if len(probabilities) != lib.macaw_csp_count(self.hard._pointer, variable.number):
            raise ValueError(f"{variable.name} has {lib.macaw_csp_count(self.hard._pointer, variable.number)} values")
        self._fine(lib.macaw_scsp_draw(self._pointer, variable.number, rows))

    def soft(self, variables: Sequence[Var], utilities: Mapping[Tuple[Value, ...], Union[float, Sequence[float]]]) -> None:
        """What tuples are worth, in 0 to 1, to each player; others are worth 0."""
        flat = [self.hard._value(v) for row in utilities for v in row]
        worth = [w for u in utilities.values() for w in (u if isinstance(u, (list, tuple)) else [u])]
        self._fine(lib.macaw_scsp_soft(self._pointer, _numbers(variables), len(variables), flat, len(utilities), worth))

    def threshold(self, theta: float, player: int = 0) -> None:
        """What a policy must be worth at least to be a solution."""
        self._fine(lib.macaw_scsp_threshold(self._pointer, player, theta))

    def solve(self, aim: str = "best", *, method: str = "mac", seconds: float = 0.0, limit: int = 0) -> List[Policy]:
        """Policies: "best" (of the worst-off player), "any" solution, or "all" of them. None found: an empty list."""
        aims = {"any": lib.MACAW_SCSP_ANY_SOLUTION, "all": lib.MACAW_SCSP_ALL_SOLUTIONS, "best": lib.MACAW_SCSP_BEST}
        stop, error = Stop(), new_error()
        options = ffi.new("macaw_scsp_options *", {"method": _choice(_named(lib.macaw_scsp_method_name), method, "method"),
                                                   "aim": _choice(aims, aim, "aim"), "max_policies": limit,
                                                   "limit": {"seconds": seconds, "stop": stop._flag}})
        pointer = interruptible(lambda: lib.macaw_scsp_solve(self._pointer, options, error), stop)
        result = checked(pointer, error, lib.macaw_scsp_result_free, self._pointer)
        return [Policy(self, result, i) for i in range(lib.macaw_scsp_policies(result))]

    def xcsp3(self) -> str:
        return taken(lib.macaw_scsp_write(self._pointer))

    def _fine(self, fine: bool) -> None:
        if not fine:
            raise fail(lib.macaw_scsp_error(self._pointer))


class Strategic:
    """A quantified problem: variables are chosen in turn, by us (there is) and by an opponent (for all).

    Variables that are not quantified are state variables. The network belongs to the problem afterwards."""

    def __init__(self, network: Optional[Network] = None, *, strategic: bool = True, _pointer: Any = None) -> None:
        if _pointer is None:
            if network is None:
                raise TypeError("Strategic needs a network with its variables")
            error = new_error()
            pointer = lib.macaw_qcsp_new(released(network._pointer), strategic, error)
            _pointer = checked(pointer, error, lib.macaw_qcsp_free)
        self._pointer = _pointer
        self.network = Network(lib.macaw_qcsp_network(_pointer), owner=_pointer)
        if network is not None:
            network._pointer, network._owner = self.network._pointer, _pointer

    @staticmethod
    def load(path: Union[str, os.PathLike]) -> "Strategic":
        """A problem from an XCSP3 file of type QCSP."""
        error = new_error()
        return Strategic(_pointer=checked(lib.macaw_qcsp_load(encode(os.fspath(path)), error), error, lib.macaw_qcsp_free))

    def there_is(self, variable: Var) -> None:
        self._quantify(variable, False)

    def for_all(self, variable: Var) -> None:
        self._quantify(variable, True)

    def _quantify(self, variable: Var, forall: bool) -> None:
        if not lib.macaw_qcsp_quantify(self._pointer, variable.number, forall):
            raise InputError(f"{variable.name} is quantified already")

    def solve(self, *, method: str = "auto", seconds: float = 0.0) -> "Strategy":
        """Is there a winning strategy? The answer is true or false, and prints the first moves of the strategy."""
        stop, error = Stop(), new_error()
        options = ffi.new("macaw_qcsp_options *", {"method": _choice(_named(lib.macaw_qcsp_method_name), method, "method"),
                                                   "limit": {"seconds": seconds, "stop": stop._flag}})
        pointer = interruptible(lambda: lib.macaw_qcsp_solve(self._pointer, options, error), stop)
        return Strategy(self, checked(pointer, error, lib.macaw_qcsp_result_free, self._pointer))

    def xcsp3(self) -> str:
        return taken(lib.macaw_qcsp_write(self._pointer))


class Strategy:
    """The answer to a quantified problem."""

    def __init__(self, problem: Strategic, result: Any) -> None:
        self._problem, self._pointer = problem, result
        self.status: str = _STATUS[lib.macaw_qcsp_status(result)]
        stats = lib.macaw_qcsp_statistics(result)
        self.method: str = text(stats.method) or ""
        self.nodes: int = stats.nodes
        self.seconds: float = stats.seconds
        refused = text(stats.refused)
        if refused is not None:
            raise InputError(refused)

    def __bool__(self) -> bool:
        if self.status == "unknown":
            raise Error("a limit was reached: not known")
        return self.status == "satisfiable"

    def show(self, depth: int = 3) -> str:
        """The first moves of the strategy."""
        if not lib.macaw_qcsp_has_strategy(self._pointer):
            return ""
        return taken(lib.macaw_qcsp_print(self._pointer, depth)).rstrip("\n")

    def __repr__(self) -> str:
        return f"<macaw.Strategy {self.status} by {self.method}, {self.nodes} nodes>"


class Round:
    """The solutions of one round of a game: joint moves by role with the positions they lead to."""

    def __init__(self, terminal: bool, solutions: List[Tuple[Dict[str, str], Position]], nodes: int) -> None:
        self.terminal, self.solutions, self.nodes = terminal, solutions, nodes

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[Tuple[Dict[str, str], Position]]:
        return iter(self.solutions)


class GameNetwork:
    """A game as a constraint network of one round (µSCSP); see docs/network.md."""

    def __init__(self, game: Game, *, seconds: float = 0.0) -> None:
        stop, error = Stop(), new_error()
        self.game = game
        options = ffi.new("macaw_network_options *", {"limit": {"seconds": seconds, "stop": stop._flag}})
        pointer = interruptible(lambda: lib.macaw_network_make(game._pointer, options, error), stop)
        self._pointer = checked(pointer, error, lib.macaw_network_free, game._pointer)

    def stats(self) -> dict:
        s = lib.macaw_network_statistics(self._pointer)
        return {name: getattr(s, name) for name, _ in ffi.typeof("macaw_network_stats").fields}

    @property
    def network(self) -> Network:
        """The constraints themselves."""
        return Network(lib.macaw_network_csp(self._pointer), owner=self)

    def round(self, position: Optional[Position] = None, method: str = "mac") -> Round:
        """Solves the round of a position."""
        position = position or self.game.initial
        methods = {"mac": lib.MACAW_ROUND_MAC, "fc": lib.MACAW_ROUND_FC}
        out = ffi.new("macaw_round *")
        if not lib.macaw_network_solve(self._pointer, _choice(methods, method, "method"), position._pointer(), out):
            raise fail(lib.macaw_network_error(self._pointer))
        roles, words, game = len(self.game.roles), self.game._words, self.game
        solutions = [({name: game.move(out.moves[i * roles + r]) or "" for r, name in enumerate(game.roles)},
                      Position(game, bytes(ffi.buffer(out.next + i * words, 8 * words)))) for i in range(out.count)]
        return Round(out.terminal, solutions, out.nodes)

    def __str__(self) -> str:
        error = new_error()
        printed = lib.macaw_network_print(self._pointer, error)
        if printed == ffi.NULL:
            raise fail(error)
        return taken(printed).rstrip("\n")

    def __repr__(self) -> str:
        s = self.stats()
        return f"<macaw.GameNetwork of {self.game.name}: {s['variables']} variables, {s['constraints']} constraints>"
