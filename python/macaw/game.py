"""Games and positions: load rules, look at positions one by one or by the thousand, run playouts."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._library import NONE, Error, InputError, OutOfMemory, Stop, checked, encode, fail, ffi, interruptible, lib, new_error, taken, text

Move = Union[str, int]
Moves = Union[Mapping[str, Move], Sequence[Move], Move]


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong or doubtful in rules. Lines and columns count from 1."""

    severity: str  # "error" or "warning"
    code: str  # short and stable: "unsafe-variable"
    message: str
    help: Optional[str]
    line: int
    column: int
    end_line: int
    end_column: int


class RulesError(InputError):
    """Rules with errors. Prints as `macaw check` does; `diagnostics` has them one by one."""

    def __init__(self, report: str, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(report)
        self.diagnostics = list(diagnostics)


def _diagnostics(rules: Any) -> List[Diagnostic]:
    found = []
    for i in range(lib.macaw_rules_diagnostics(rules)):
        d = lib.macaw_rules_diagnostic(rules, i)
        found.append(Diagnostic("error" if d.severity == lib.MACAW_ERROR else "warning", text(d.code) or "", text(d.message) or "",
                                text(d.help), d.at.line, d.at.column, d.at.end_line, d.at.end_column))
    return found


def _read(source: Union[str, os.PathLike]) -> Any:
    """Rules from text, a file, or the name of a game of the library."""
    error = new_error()
    word = os.fspath(source)
    if isinstance(source, str) and ("(" in word or "\n" in word):
        data = encode(word)
        return checked(lib.macaw_rules_parse(data, len(data), b"rules", error), error)
    return checked(lib.macaw_rules_load(encode(word), error), error)


def check(source: Union[str, os.PathLike]) -> List[Diagnostic]:
    """All errors and warnings about rules: text, a path, or the name of a game.

    >>> [d.code for d in macaw.check("(role x) (<= terminal (true ?f))")][:1]
    ['no-init']
    """
    rules = ffi.gc(_read(source), lib.macaw_rules_free)
    return _diagnostics(rules)


def load(source: Union[str, os.PathLike], *, engine: str = "auto", timeout: float = 60.0, memory: int = 0) -> "Game":
    """A game from the name of a rulesheet (`"connect_four"`), a path, or the text of rules.

    engine   "circuit", "interpreter", or "auto": the circuit where it fits the bounds
    timeout  seconds that building the circuit may take; 0: no bound
    memory   bytes that the ground program may take; 0: half of the machine's

    Rules with errors raise RulesError, which prints what `macaw check` prints."""
    engines = {"auto": lib.MACAW_ENGINE_AUTO, "circuit": lib.MACAW_ENGINE_CIRCUIT, "interpreter": lib.MACAW_ENGINE_INTERPRETER}
    if engine not in engines:
        raise ValueError(f"engine is one of {', '.join(engines)}, not {engine!r}")
    rules = _read(source)
    if lib.macaw_rules_errors(rules) > 0:
        rules = ffi.gc(rules, lib.macaw_rules_free)
        raise RulesError(taken(lib.macaw_rules_report(rules, lib.MACAW_REPORT_ERRORS, 20, False)).rstrip(), _diagnostics(rules))
    stop, error = Stop(), new_error()
    options = ffi.new("macaw_game_options *", {"engine": engines[engine], "memory": memory,
                                               "limit": {"seconds": timeout, "stop": stop._flag}})
    pointer = interruptible(lambda: lib.macaw_game_make(rules, options, error), stop)
    return Game(checked(pointer, error, lib.macaw_game_free))


class Game:
    """Rules made ready to be played. Roles, fluents, moves and percepts are numbers, and have texts.

    A game never changes and may be used by any number of threads."""

    def __init__(self, pointer: Any, owner: Any = None) -> None:
        self._pointer = pointer
        self._owner = owner  # what the game belongs to, when it is not its own
        self._threads = threading.local()
        self.name: str = text(lib.macaw_game_name(pointer)) or ""
        self._words: int = lib.macaw_position_words(pointer)
        random = lib.macaw_game_random(pointer)
        self.roles: Tuple[str, ...] = tuple(text(lib.macaw_game_role(pointer, r)) or "" for r in range(lib.macaw_game_roles(pointer)))
        self.random: Optional[int] = None if random == NONE else random
        self.players: Tuple[int, ...] = tuple(r for r in range(len(self.roles)) if r != random)
        self.hidden: bool = lib.macaw_game_hidden(pointer)
        self.engine: str = "circuit" if lib.macaw_game_engine(pointer) == lib.MACAW_ENGINE_CIRCUIT else "interpreter"
        self._initial = bytes(ffi.buffer(lib.macaw_position_initial(pointer), 8 * self._words))

    @property
    def initial(self) -> "Position":
        """The position in which every match begins."""
        return Position(self, self._initial)

    # ---- names ----

    @property
    def fluents(self) -> int:
        """How many fluents there are (of the interpreter: the most there can be)."""
        return lib.macaw_game_fluents(self._pointer)

    @property
    def moves(self) -> int:
        """How many moves there are, of all roles together."""
        return lib.macaw_game_moves(self._pointer)

    def fluent(self, number: int) -> Optional[str]:
        return text(lib.macaw_game_fluent(self._pointer, number))

    def move(self, number: int) -> Optional[str]:
        return text(lib.macaw_game_move(self._pointer, number))

    def percept(self, number: int) -> Optional[str]:
        return text(lib.macaw_game_percept(self._pointer, number))

    def fluent_names(self) -> List[Optional[str]]:
        """The texts of all fluents: names of the columns of `bits`."""
        return [self.fluent(i) for i in range(self.fluents)]

    def move_names(self) -> List[Optional[str]]:
        """The texts of all moves: names of the columns of `legal_mask`."""
        return [self.move(i) for i in range(self.moves)]

    def role(self, role: Union[str, int]) -> int:
        """The number of a role given by its number or name."""
        if isinstance(role, str):
            found = lib.macaw_game_find_role(self._pointer, encode(role))
            if found == NONE:
                raise InputError(f"{self.name} has no role {role!r}; its roles are {', '.join(self.roles)}")
            return found
        if not 0 <= role < len(self.roles):
            raise InputError(f"{self.name} has roles 0 to {len(self.roles) - 1}, not {role}")
        return int(role)

    def find_move(self, role: Union[str, int], move: Move) -> int:
        """The number of a move of a role given by its number or text."""
        r = self.role(role)
        if isinstance(move, str):
            found = lib.macaw_game_find_move(self._pointer, r, encode(move))
            if found == NONE:
                raise InputError(f"{self.roles[r]} has no move {move!r}")
            return found
        if lib.macaw_game_role_of(self._pointer, int(move)) != r:
            raise InputError(f"move {move} is none of {self.roles[r]}")
        return int(move)

    def position(self, fluents: Union[str, Iterable[str]]) -> "Position":
        """The position in which exactly these fluents hold: a text or a list of texts."""
        words = ffi.new("uint64_t[]", self._words)
        error = new_error()
        line = fluents if isinstance(fluents, str) else " ".join(fluents)
        if not lib.macaw_position_parse(self._pointer, encode(line), words, error):
            raise fail(error)
        return Position(self, bytes(ffi.buffer(words)))

    def info(self) -> dict:
        """What the rules became, in numbers: fluents, moves, gates, seconds, …"""
        i = lib.macaw_game_information(self._pointer)
        return {name: getattr(i, name) for name, _ in ffi.typeof("macaw_game_info").fields}

    @property
    def rules(self) -> str:
        """The rules as they were written."""
        length = ffi.new("size_t *")
        source = lib.macaw_rules_source(lib.macaw_game_rules(self._pointer), length)
        return ffi.unpack(source, length[0]).decode("utf-8", "replace")

    def __repr__(self) -> str:
        return f"<macaw.Game {self.name}: {', '.join(self.roles)}>"

    def __reduce__(self) -> tuple:
        return (_load_again, (self.rules, self.name))

    # ---- one position ----

    def _worker(self) -> Any:
        """The scratch memory of this thread."""
        worker = getattr(self._threads, "worker", None)
        if worker is None:
            error = new_error()
            worker = checked(lib.macaw_worker_new(self._pointer, error), error, lib.macaw_worker_free, self._pointer)
            self._threads.worker = worker
            self._threads.view = ffi.new("macaw_view *")
        return worker

    def _look(self, position: "Position") -> Any:
        worker = self._worker()
        view = self._threads.view
        if not lib.macaw_look(worker, position._pointer(), view):
            raise fail(lib.macaw_worker_error(worker))
        return view

    def _joint(self, position: "Position", moves: Moves) -> Any:
        """A joint move as an array of numbers, checked against the legal moves."""
        view = self._look(position)
        if view.terminal:
            raise InputError("the match is over here: no moves")
        wanted: dict = {}
        if isinstance(moves, Mapping):
            wanted = {self.role(role): move for role, move in moves.items()}
        elif isinstance(moves, (str, int)) or not hasattr(moves, "__len__"):
            open_roles = [r for r in range(len(self.roles)) if view.start[r + 1] - view.start[r] > 1] or [self.players[0]]
            if len(open_roles) > 1:
                raise InputError(f"{', '.join(self.roles[r] for r in open_roles)} have a choice here: give a move for each")
            wanted = {open_roles[0]: moves}
        else:
            if len(moves) != len(self.roles):
                raise InputError(f"{len(moves)} moves for the roles {', '.join(self.roles)}")
            wanted = dict(enumerate(moves))
        joint = ffi.new("uint32_t[]", len(self.roles))
        for r in range(len(self.roles)):
            legal = ffi.unpack(view.legal + view.start[r], view.start[r + 1] - view.start[r])
            if r in wanted:
                joint[r] = self.find_move(r, wanted[r])
                if joint[r] not in legal:
                    raise InputError(f"{self.move(joint[r])} is not legal for {self.roles[r]} here")
            elif len(legal) == 1:
                joint[r] = legal[0]
            else:
                raise InputError(f"{self.roles[r]} has {len(legal)} moves here: say which")
        return joint

    # ---- many positions: NumPy arrays ----

    def _rows(self, positions: Any) -> Any:
        """Positions as an array of rows of words. An array is used as it is."""
        import numpy

        if isinstance(positions, numpy.ndarray):
            rows = positions if positions.ndim == 2 else positions.reshape(1, -1)
            if rows.dtype != numpy.uint64 or rows.shape[1] != self._words:
                raise ValueError(f"positions of {self.name} are rows of {self._words} numbers of type uint64")
            return numpy.ascontiguousarray(rows)
        if isinstance(positions, Position):
            positions = [positions]
        rows = numpy.frombuffer(b"".join(p.words for p in positions), dtype=numpy.uint64)
        return rows.reshape(-1, self._words)

    def positions(self, positions: "Iterable[Position]") -> Any:
        """Positions as an array, one row of words each: what `step`, `legal_mask`, `bits` and `playouts` take."""
        return self._rows(list(positions)).copy()

    def initial_positions(self, count: int) -> Any:
        """`count` rows, each the initial position."""
        import numpy

        return numpy.tile(numpy.frombuffer(self._initial, dtype=numpy.uint64), (count, 1))

    def _many(self, rows: Any, joint_moves: Any, **outputs: Any) -> None:
        worker = self._worker()
        batch = ffi.new("macaw_batch *")
        batch.positions = ffi.cast("const uint64_t *", rows.ctypes.data)
        batch.count = len(rows)
        if joint_moves is not None:
            batch.moves = ffi.cast("const uint32_t *", joint_moves.ctypes.data)
        types = {"next": "uint64_t *", "terminal": "uint8_t *", "goals": "int *", "legal": "uint64_t *", "seen": "uint64_t *"}
        for name, array in outputs.items():
            setattr(batch, name, ffi.cast(types[name], array.ctypes.data))
        if not lib.macaw_look_many(worker, batch):
            raise fail(lib.macaw_worker_error(worker))

    def step(self, positions: Any, joint_moves: Any, *, out: Any = None) -> Any:
        """The positions after joint moves: one row of move numbers (one per role) for each position. They must be legal;
        that is not checked. `out` is written instead of a new array when it is given (and may be `positions`)."""
        import numpy

        rows = self._rows(positions)
        joint = numpy.ascontiguousarray(joint_moves, dtype=numpy.uint32).reshape(-1, len(self.roles))
        if len(joint) != len(rows):
            raise ValueError(f"{len(joint)} joint moves for {len(rows)} positions")
        if joint.size and int(joint.max()) >= self.moves:
            raise ValueError(f"moves are numbers from 0 to {self.moves - 1}")
        if out is None:
            out = numpy.empty_like(rows)
        elif out.shape != rows.shape or out.dtype != rows.dtype or not out.flags.c_contiguous:
            raise ValueError("out must have the shape and type of the positions")
        self._many(rows, joint, next=out)
        return out

    def terminal(self, positions: Any) -> Any:
        """Which positions are ends, as an array of bool."""
        import numpy

        rows = self._rows(positions)
        ends = numpy.empty(len(rows), dtype=numpy.uint8)
        self._many(rows, None, terminal=ends)
        return ends.view(numpy.bool_)

    def goals(self, positions: Any) -> Any:
        """The scores of all roles, one row per position; -1: none."""
        import numpy

        rows = self._rows(positions)
        goals = numpy.empty((len(rows), len(self.roles)), dtype=numpy.int32)
        self._many(rows, None, goals=goals)
        return goals

    def legal_words(self, positions: Any) -> Any:
        """Legal moves as the engine gives them: one bit per move, 64 to a word."""
        import numpy

        rows = self._rows(positions)
        words = numpy.empty((len(rows), lib.macaw_legal_words(self._pointer)), dtype=numpy.uint64)
        self._many(rows, None, legal=words)
        return words

    def legal_mask(self, positions: Any) -> Any:
        """Legal moves as an array of bool, one row per position and one column per move (`move_names`)."""
        return self._bits(self.legal_words(positions), self.moves)

    def bits(self, positions: Any) -> Any:
        """Positions as an array of 0 and 1, one column per fluent (`fluent_names`): input for learning."""
        import numpy

        return self._bits(self._rows(positions), self.fluents).view(numpy.uint8)

    def _bits(self, words: Any, columns: int) -> Any:
        import numpy

        bits = numpy.empty((len(words), columns), dtype=numpy.uint8)
        lib.set_bits(ffi.cast("const uint64_t *", words.ctypes.data), len(words), words.shape[1],
                     ffi.cast("uint8_t *", bits.ctypes.data), columns)
        return bits.view(numpy.bool_)

    # ---- playouts ----

    def _job(self, rows: Any, n: int, seconds: float, threads: int, seed: int, max_steps: int, decisive: bool, stop: Stop) -> Any:
        job = ffi.new("macaw_playout_job *")
        if rows is not None:
            job.starts = ffi.cast("const uint64_t *", rows.ctypes.data)
            job.start_count = len(rows)
        job.playouts, job.threads, job.seed, job.max_steps, job.decisive = n, threads, seed, max_steps, decisive
        job.limit.seconds, job.limit.stop = seconds, stop._flag
        return job

    def playouts(self, positions: Any = None, n: int = 0, *, seconds: float = 0.0, threads: int = 1, seed: int = 1,
                 max_steps: int = 0, decisive: bool = False) -> "Playouts":
        """Random playouts: `n` in all, or for `seconds`; from the initial position, or dealt to `positions` in turn.

        threads   how many work at it; equal numbers and seeds give equal results
        decisive  who can win at once does, and who need not lose at once does not"""
        stop, error = Stop(), new_error()
        rows = None if positions is None else self._rows(positions)
        if n <= 0 and seconds <= 0:
            n = 10000 * (1 if rows is None else len(rows))
        job = self._job(rows, n, seconds, threads, seed, max_steps, decisive, stop)
        result = interruptible(lambda: lib.macaw_playouts(self._pointer, job, error), stop)
        return Playouts(self, checked(result, error, lib.macaw_playout_result_free, self._pointer), 1 if rows is None else len(rows))

    def random_matches(self, n: int, positions: Any = None, *, threads: int = 1, seed: int = 1, max_steps: int = 0,
                       decisive: bool = False) -> "Trajectories":
        """`n` random matches with all their moves, as arrays."""
        stop, error = Stop(), new_error()
        rows = None if positions is None else self._rows(positions)
        collected = ffi.gc(lib.trajectories_new(len(self.roles)), lib.trajectories_free)
        if collected == ffi.NULL:
            raise OutOfMemory("out of memory")
        job = self._job(rows, n, 0.0, threads, seed, max_steps, decisive, stop)
        job.report, job.context = ffi.addressof(lib, "trajectories_report"), collected
        result = interruptible(lambda: lib.macaw_playouts(self._pointer, job, error), stop)
        checked(result, error, lib.macaw_playout_result_free, self._pointer)
        if lib.trajectories_failed(collected):
            raise OutOfMemory(f"no memory for the moves of {n} matches")
        return Trajectories(self, collected, rows)


def _load_again(rules: str, name: str) -> Game:
    game = load(rules)
    game.name = name
    return game


class Position:
    """A position of a game: immutable, hashable, cheap to copy, picklable.

    >>> p = macaw.load("tictactoe").initial
    >>> p = p.apply("(mark 2 2)")
    >>> p.legal("o")[:2]
    ['(mark 1 1)', '(mark 1 2)']
    """

    __slots__ = ("game", "words")

    def __init__(self, game: Game, words: bytes) -> None:
        self.game = game
        self.words = words

    def _pointer(self) -> Any:
        return ffi.from_buffer("uint64_t[]", self.words)

    @property
    def terminal(self) -> bool:
        """The match is over here."""
        return bool(self.game._look(self).terminal)

    def legal(self, role: Union[str, int, None] = None) -> Union[List[str], dict]:
        """The legal moves of a role as texts; without a role, of all roles by name."""
        view = self.game._look(self)
        if role is None:
            numbers = {name: ffi.unpack(view.legal + view.start[r], view.start[r + 1] - view.start[r])
                       for r, name in enumerate(self.game.roles)}
            return {name: [self.game.move(m) or "" for m in moves] for name, moves in numbers.items()}
        return [self.game.move(m) or "" for m in self.legal_numbers(role)]

    def legal_numbers(self, role: Union[str, int]) -> List[int]:
        """The legal moves of a role as numbers."""
        r = self.game.role(role)
        view = self.game._look(self)
        return ffi.unpack(view.legal + view.start[r], view.start[r + 1] - view.start[r])

    def to_move(self) -> List[str]:
        """The roles that have a choice here (chance included); the roles with any move when nobody has."""
        view = self.game._look(self)
        if view.terminal:
            return []
        counts = [view.start[r + 1] - view.start[r] for r in range(len(self.game.roles))]
        least = 2 if max(counts) > 1 else 1
        return [name for name, count in zip(self.game.roles, counts) if count >= least]

    def apply(self, moves: Moves, *, check: bool = True) -> "Position":
        """The position after a joint move: a mapping from role to move, a list with one move per role, or the one move of
        the only role that has a choice. Moves are texts or numbers. Roles with a single legal move may be left out.

        check=False  takes a list of numbers, one per role, without looking whether they are legal: several times as fast"""
        game = self.game
        if check:
            joint = game._joint(self, moves)
        else:
            joint = ffi.new("uint32_t[]", moves)  # type: ignore[arg-type]
        after = ffi.new("uint64_t[]", game._words)
        worker = game._worker()
        if not lib.macaw_next(worker, self._pointer(), joint, after):
            raise fail(lib.macaw_worker_error(worker))
        return Position(game, bytes(ffi.buffer(after)))

    def random_moves(self, seed: int) -> List[int]:
        """A random joint move, as numbers."""
        view = self.game._look(self)
        joint = ffi.new("uint32_t[]", len(self.game.roles))
        if view.terminal or not lib.macaw_random_moves(self.game._pointer, view, ffi.new("uint64_t *", seed), joint):
            raise InputError("the match is over here: no moves")
        return ffi.unpack(joint, len(self.game.roles))

    def percepts(self, moves: Moves, role: Union[str, int]) -> List[str]:
        """What a role sees when a joint move is made here (GDL-II)."""
        joint, r = self.game._joint(self, moves), self.game.role(role)
        worker = self.game._worker()
        seen = ffi.new("macaw_seen *")
        if not lib.macaw_sees(worker, self._pointer(), joint, seen):
            raise fail(lib.macaw_worker_error(worker))
        return [self.game.percept(seen.percepts[i]) or "" for i in range(seen.start[r], seen.start[r + 1])]

    def goals(self) -> dict:
        """Scores by role, 0 to 100; None where the rules give none here."""
        view = self.game._look(self)
        return {name: None if view.goals[r] < 0 else view.goals[r] for r, name in enumerate(self.game.roles)}

    def fluents(self) -> List[str]:
        """The fluents that hold."""
        words = self._pointer()
        return [self.game.fluent(i) or "" for i in range(self.game.fluents) if words[i // 64] >> (i % 64) & 1]

    def __contains__(self, fluent: str) -> bool:
        number = lib.macaw_game_find_fluent(self.game._pointer, encode(fluent))
        return number != NONE and bool(self._pointer()[number // 64] >> (number % 64) & 1)

    def draw(self) -> str:
        """Boards as text, as `macaw match --watch` shows them."""
        from .drawing import text_of

        return text_of(self)

    def _repr_svg_(self) -> str:
        from .drawing import svg_of

        return svg_of(self)

    def __str__(self) -> str:
        return self.draw()

    def __repr__(self) -> str:
        return f"<macaw.Position of {self.game.name}: {taken(lib.macaw_position_text(self.game._pointer, self._pointer()))}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.words == other.words and (
            self.game is other.game or self.game.rules == other.game.rules)

    def __hash__(self) -> int:
        return hash(self.words)

    def __reduce__(self) -> tuple:
        if self.game.engine == "interpreter":  # numbers of fluents differ between games made apart
            return (_position_again, (self.game, self.fluents()))
        return (Position, (self.game, self.words))


def _position_again(game: Game, fluents: List[str]) -> Position:
    return game.position(fluents)


@dataclass(frozen=True)
class Score:
    """Scores of one role over playouts."""

    playouts: int
    mean: float
    deviation: float
    low: float  # 95% interval of the mean
    high: float
    wins: int  # playouts with 100


class Playouts:
    """The result of playouts."""

    def __init__(self, game: Game, pointer: Any, starts: int) -> None:
        self.game = game
        self._pointer = pointer
        self.starts = starts
        total = lib.macaw_playout_sum(pointer)
        self.playouts: int = total.playouts
        self.unfinished: int = total.unfinished
        self.stuck: int = total.stuck
        self.undefined: int = total.undefined
        self.steps: int = total.steps
        self.shortest: int = total.shortest
        self.longest: int = total.longest
        self.seconds: float = total.seconds
        trouble = text(lib.macaw_playout_trouble(pointer))
        if trouble is not None and self.playouts == 0:
            raise Error(trouble)
        self.trouble: Optional[str] = trouble

    @property
    def per_second(self) -> float:
        return self.playouts / self.seconds if self.seconds > 0 else 0.0

    def score(self, role: Union[str, int], start: int = 0) -> Score:
        """The scores of a role from one of the starts."""
        s = lib.macaw_playout_score(self._pointer, start, self.game.role(role))
        return Score(s.playouts, s.mean, s.deviation, s.low, s.high, s.wins)

    def means(self) -> Any:
        """Mean scores as an array, one row per start and one column per role."""
        import numpy

        return numpy.array([[lib.macaw_playout_score(self._pointer, s, r).mean for r in range(len(self.game.roles))]
                            for s in range(self.starts)])

    def values(self, role: Union[str, int]) -> Any:
        """How many playouts gave the role 0, 1, …, 100, over all starts."""
        import numpy

        r = self.game.role(role)
        return numpy.array([lib.macaw_playout_values(self._pointer, r, v) for v in range(101)], dtype=numpy.uint64)

    def lengths(self) -> Any:
        """How many playouts had 0, 1, 2, … steps; the last cell counts longer ones, too."""
        import numpy

        cells = ffi.new("size_t *")
        counts = lib.macaw_playout_lengths(self._pointer, cells)
        return numpy.array(ffi.unpack(counts, cells[0]), dtype=numpy.uint64)

    def __repr__(self) -> str:
        scores = ", ".join(f"{self.game.roles[r]} {self.score(r).mean:.1f}" for r in self.game.players) if self.starts == 1 else \
            f"{self.starts} starts"
        return f"<macaw.Playouts {self.game.name}: {self.playouts} playouts, {scores}>"


class Trajectories:
    """Whole random matches as arrays: match i has the joint moves `moves[offsets[i]:offsets[i + 1]]`.

    offsets  len(self) + 1 numbers
    starts   which of the given positions a match began in
    moves    joint moves, one row of move numbers (one per role) each
    goals    scores at the end, one row per match; -1: none"""

    def __init__(self, game: Game, collected: Any, starts: Any) -> None:
        import numpy

        matches, moves = lib.trajectories_matches(collected), lib.trajectories_moves(collected)
        self.game = game
        self.offsets = numpy.empty(matches + 1, dtype=numpy.uint64)
        self.starts = numpy.empty(matches, dtype=numpy.uint64)
        self.moves = numpy.empty((moves, len(game.roles)), dtype=numpy.uint32)
        self.goals = numpy.empty((matches, len(game.roles)), dtype=numpy.int32)
        lib.trajectories_copy(collected, *(ffi.cast(t, a.ctypes.data) for t, a in (
            ("uint64_t *", self.offsets), ("uint64_t *", self.starts), ("uint32_t *", self.moves), ("int32_t *", self.goals))))
        self._rows = game.initial_positions(1) if starts is None else starts

    def __len__(self) -> int:
        return len(self.starts)

    def positions(self) -> Tuple[Any, Any]:
        """All positions in which a joint move was made, as rows in the order of `moves`, and the match of each."""
        import numpy

        lengths = numpy.diff(self.offsets).astype(numpy.int64)
        match_of = numpy.repeat(numpy.arange(len(self)), lengths)
        rows = numpy.empty((len(self.moves), self.game._words), dtype=numpy.uint64)
        alive = numpy.arange(len(self))[lengths > 0]
        now = self._rows[self.starts.astype(numpy.int64)[alive]]
        step = 0
        while len(alive):
            at = self.offsets.astype(numpy.int64)[alive] + step
            rows[at] = now
            after = self.game.step(now, self.moves[at])
            step += 1
            on = lengths[alive] > step
            alive, now = alive[on], after[on]
        return rows, match_of

    def __iter__(self) -> Iterator[Tuple[Any, Any]]:
        """Match by match: its joint moves and its goals."""
        for i in range(len(self)):
            yield self.moves[int(self.offsets[i]):int(self.offsets[i + 1])], self.goals[i]
