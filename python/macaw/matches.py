"""Matches, records and tournaments, with built-in players and players written in Python."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ._library import NONE, Stop, checked, encode, fail, ffi, interruptible, lib, new_error, taken, text
from .game import Game, Position, load
from .players import Player, Turn

# A word, a built-in player, a function that gets a Turn and returns a move, or an object with such a method `move` and
# perhaps `start(game, role, seconds)`.
Seat = Union[str, Player, Callable[[Turn], Union[str, int]], Any]

_ENDINGS = {lib.MACAW_UNDER_WAY: "under way", lib.MACAW_TERMINAL: "terminal", lib.MACAW_STUCK: "stuck", lib.MACAW_CUT: "cut",
            lib.MACAW_TROUBLE: "trouble"}


class _Own:
    """A player written in Python, as the library asks it, from threads of its own."""

    def __init__(self, who: Any, games: Dict[Any, Game], stop: Stop) -> None:
        self.who, self.games, self.stop = who, games, stop
        self.error: Optional[BaseException] = None
        self.name = _name(who)

    def start(self, game: Game, role: int, budget: Any) -> None:
        if hasattr(self.who, "start"):
            self.who.start(game, game.roles[role], budget.seconds)

    def move(self, game: Game, t: Any, budget: Any) -> Tuple[int, str]:
        position = None if t.position == ffi.NULL else Position(game, bytes(ffi.buffer(t.position, 8 * game._words)))
        numbers = ffi.unpack(t.legal, t.legal_count)
        turn = Turn(
            game, game.roles[t.role], t.step, position,
            None if t.last == ffi.NULL else {name: game.move(t.last[r]) or "" for r, name in enumerate(game.roles)},
            [game.move(m) or "" for m in numbers], numbers, None if t.own_last == NONE else game.move(t.own_last),
            [] if t.seen == ffi.NULL else [game.percept(p) or "" for p in ffi.unpack(t.seen, t.seen_count)],
            None if budget.playouts else budget.seconds, budget.playouts)
        answer = self.who.move(turn) if hasattr(self.who, "move") else self.who(turn)
        why = ""
        if isinstance(answer, tuple):
            answer, why = answer
        return (game.find_move(t.role, answer) if isinstance(answer, str) else int(answer)), why


def _name(who: Any) -> str:
    name = getattr(who, "name", None) or getattr(who, "__name__", None) or type(who).__name__
    return str(name).replace(",", ";")


@ffi.def_extern()
def py_seat_start(self: Any, g: Any, role: int, budget: Any) -> None:
    own: _Own = ffi.from_handle(self)
    try:
        own.start(own.games[g], role, budget)
    except BaseException as error:  # nothing may pass into C; the match ends and raises it
        own.error = own.error or error
        own.stop.now()


@ffi.def_extern(error=NONE)
def py_seat_move(self: Any, turn: Any, budget: Any, why: Any, room: int) -> int:
    own: _Own = ffi.from_handle(self)
    try:
        move, reason = own.move(own.games[turn.game], turn, budget)
        said = encode(reason)[:room - 1]
        ffi.memmove(why, said, len(said))
        why[len(said)] = b"\0"
        return move
    except BaseException as error:
        own.error = own.error or error
        own.stop.now()
        return NONE


@ffi.def_extern()
def py_watch(context: Any, m: Any) -> None:
    watching = ffi.from_handle(context)
    try:
        watching["watch"](Match(watching["game"], m))
    except BaseException as error:
        watching["error"] = watching["error"] or error
        watching["stop"].now()


def _seat(who: Seat, games: Dict[Any, Game], stop: Stop, keep: list) -> dict:
    """A seat as the library takes it; what must live as long is added to keep."""
    if isinstance(who, Player):
        who = who.word
    if isinstance(who, str):
        word = ffi.new("char[]", encode(who))
        keep.append(word)
        return {"word": word}
    if not callable(who) and not hasattr(who, "move"):
        raise TypeError(f"{who!r} is no player: neither a word, nor a function of a Turn, nor an object with a method `move`")
    own = _Own(who, games, stop)
    handle, name = ffi.new_handle(own), ffi.new("char[]", encode(own.name))
    keep += [own, handle, name]
    return {"name": name, "self": handle, "start": lib.py_seat_start, "move": lib.py_seat_move}


def _raise_first(keep: list) -> None:
    for own in keep:
        if isinstance(own, _Own) and own.error is not None:
            raise own.error


@dataclass(frozen=True)
class Made:
    """One role's move in a step of a match."""

    move: str
    seconds: float
    fault: Optional[str]  # "late", "illegal" or None
    why: Optional[str]


class Match:
    """A match: its course, its scores, and what the players said."""

    def __init__(self, game: Game, pointer: Any) -> None:
        self.game = game
        self._pointer = pointer

    def __len__(self) -> int:
        """Joint moves made."""
        return lib.macaw_match_steps(self._pointer)

    @property
    def goals(self) -> Dict[str, Optional[int]]:
        """Scores at the end by role; None: none. The role of chance is left out."""
        goals = {r: lib.macaw_match_goal(self._pointer, r) for r in self.game.players}
        return {self.game.roles[r]: None if goal < 0 else goal for r, goal in goals.items()}

    @property
    def ending(self) -> str:
        """"terminal", "stuck" (a role had no move), "cut" (a limit, or stopped), "trouble" or "under way"."""
        return _ENDINGS[lib.macaw_match_ending(self._pointer)]

    @property
    def players(self) -> Dict[str, str]:
        return {name: text(lib.macaw_match_player(self._pointer, r)) or "" for r, name in enumerate(self.game.roles)}

    def position(self, step: int = -1) -> Position:
        """Before a step; -1: the last one."""
        step = len(self) + 1 + step if step < 0 else step
        words = lib.macaw_match_position(self._pointer, step)
        if words == ffi.NULL:
            raise IndexError(f"the match has {len(self)} steps")
        return Position(self.game, bytes(ffi.buffer(words, 8 * self.game._words)))

    def made(self, step: int) -> Dict[str, Made]:
        """What the roles did in a step."""
        if not 0 <= step < len(self):
            raise IndexError(f"the match has {len(self)} steps")
        faults = {lib.MACAW_LATE: "late", lib.MACAW_ILLEGAL: "illegal"}
        made = {name: lib.macaw_match_made(self._pointer, step, r) for r, name in enumerate(self.game.roles)}
        return {name: Made(self.game.move(m.move) or "", m.seconds, faults.get(m.fault), text(m.why)) for name, m in made.items()}

    def moves(self) -> List[Dict[str, str]]:
        """All joint moves by role."""
        return [{name: m.move for name, m in self.made(i).items()} for i in range(len(self))]

    def counters(self, role: Union[str, int]) -> dict:
        c = lib.macaw_match_counters(self._pointer, self.game.role(role))
        return {name: getattr(c, name) for name, _ in ffi.typeof("macaw_counters").fields}

    def late(self, role: Union[str, int]) -> int:
        return lib.macaw_match_late(self._pointer, self.game.role(role))

    def illegal(self, role: Union[str, int]) -> int:
        return lib.macaw_match_illegal(self._pointer, self.game.role(role))

    def record(self) -> str:
        """The whole match as JSON, for `macaw replay` and macaw.Record."""
        return taken(lib.macaw_match_record(self._pointer, True))

    def save(self, path: Union[str, os.PathLike]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.record() + "\n")

    def __repr__(self) -> str:
        goals = ", ".join(f"{role} {goal}" for role, goal in self.goals.items()) if self.ending != "under way" else "under way"
        return f"<macaw.Match of {self.game.name}: {len(self)} steps, {goals}>"


def match(game: Union[Game, str], players: Sequence[Seat], *, clock: float = 1.0, start: float = 0.0, playouts: int = 0,
          seed: int = 1, max_steps: int = 0, processes: bool = False, processor_time: bool = False,
          watch: Optional[Callable[[Match], None]] = None) -> Match:
    """Plays one match. One player per role except `random`, in the order of the rules: a word ("uct:c=0.6"), a function that
    gets a Turn and returns a move, or an object with such a method `move`. An exception of a player ends the match and is
    raised here.

    clock, start  seconds per move, and before the first one
    playouts      per move, instead of the clock: equal seeds give equal matches
    watch         called before the first and after every step with the match as it stands"""
    game = game if isinstance(game, Game) else load(game)
    stop, error, keep = Stop(), new_error(), []  # type: Stop, Any, list
    seats = ffi.new("macaw_seat[]", [_seat(who, {game._pointer: game}, stop, keep) for who in players])
    watching = {"watch": watch, "game": game, "error": None, "stop": stop}
    handle = ffi.new_handle(watching)
    options = ffi.new("macaw_match_options *", {"start": start, "clock": clock, "playouts": playouts, "seed": seed,
                                                "max_steps": max_steps, "isolated": processes, "stop": stop._flag,
                                                "processor_time": processor_time})
    if watch is not None:
        options.watch, options.context = lib.py_watch, handle
    pointer = interruptible(lambda: lib.macaw_match_play(game._pointer, seats, len(players), options, error), stop)
    _raise_first(keep)
    if watching["error"] is not None:
        raise watching["error"]
    return Match(game, checked(pointer, error, lib.macaw_match_free, game._pointer))


class Record:
    """A recorded match, stepped through: a path, or the JSON text itself.

    >>> for moves, position in macaw.Record("match.json"): print(moves, position)
    """

    def __init__(self, source: Union[str, os.PathLike]) -> None:
        error = new_error()
        word = os.fspath(source)
        if isinstance(source, str) and word.lstrip()[:1] == "{":
            data = encode(word)
            pointer = lib.macaw_record_parse(data, len(data), error)
        else:
            pointer = lib.macaw_record_read(encode(word), error)
        self._pointer = checked(pointer, error, lib.macaw_record_free)
        self.game = Game(lib.macaw_record_game(self._pointer), owner=self._pointer)
        self.name = text(lib.macaw_record_name(self._pointer))

    def __len__(self) -> int:
        return lib.macaw_record_steps(self._pointer)

    @property
    def players(self) -> Dict[str, Optional[str]]:
        return {name: text(lib.macaw_record_player(self._pointer, r)) for r, name in enumerate(self.game.roles)}

    @property
    def goals(self) -> Dict[str, Optional[int]]:
        goals = {name: lib.macaw_record_goal(self._pointer, r) for r, name in enumerate(self.game.roles)}
        return {name: None if goal < 0 else goal for name, goal in goals.items() if self.game.role(name) in self.game.players}

    def __iter__(self) -> Iterator[Tuple[Dict[str, str], Position]]:
        """Joint moves by role and the position after each, once; raises where the record breaks the rules."""
        error = new_error()
        while lib.macaw_record_step(self._pointer, error):
            moves = lib.macaw_record_moves(self._pointer)
            words = lib.macaw_record_position(self._pointer)
            yield ({name: self.game.move(moves[r]) or "" for r, name in enumerate(self.game.roles)},
                   Position(self.game, bytes(ffi.buffer(words, 8 * self.game._words))))
        if error.status != lib.MACAW_OK or not lib.macaw_record_check(self._pointer, error):
            raise fail(error)


@dataclass(frozen=True)
class Standing:
    """How one player did in a tournament; see docs/tournaments.md."""

    name: str
    matches: float
    score: float
    score_low: float
    score_high: float
    wins: float
    draws: float
    losses: float
    share: float
    share_low: float
    share_high: float
    elo: float
    elo_error: float
    skill: float
    late: int
    illegal: int
    moves: int


class Standings:
    """The results of a tournament: players, best mean score first."""

    def __init__(self, path: Union[str, os.PathLike]) -> None:
        error = new_error()
        self._pointer = checked(lib.macaw_standings_read(encode(os.fspath(path)), error), error, lib.macaw_standings_free)
        self.matches: int = lib.macaw_standings_matches(self._pointer)
        self.players: List[Standing] = []
        for i in range(lib.macaw_standings_players(self._pointer)):
            s = lib.macaw_standings_player(self._pointer, i)
            self.players.append(Standing(text(s.name) or "", *(getattr(s, f.name) for f in fields(Standing)[1:])))
        self.games: List[str] = [text(lib.macaw_standings_game(self._pointer, i)) or ""
                                 for i in range(lib.macaw_standings_games(self._pointer))]

    def versus(self) -> Any:
        """Mean scores of each player (row) against each other (column); nan: never met."""
        import numpy

        n = range(len(self.players))
        return numpy.array([[lib.macaw_standings_versus(self._pointer, a, b) for b in n] for a in n])

    def by_game(self) -> Any:
        """Mean scores of each player (row) in each game (column); nan: never played."""
        import numpy

        return numpy.array([[lib.macaw_standings_by_game(self._pointer, p, g) for g in range(len(self.games))]
                            for p in range(len(self.players))])

    def plot(self, what: str = "cross") -> "Picture":
        """A picture as SVG: "cross" (heat map), "rounds" or "clocks"."""
        plots = {"cross": lib.MACAW_PLOT_CROSS, "rounds": lib.MACAW_PLOT_ROUNDS, "clocks": lib.MACAW_PLOT_CLOCKS}
        if what not in plots:
            raise ValueError(f"what is one of {', '.join(plots)}, not {what!r}")
        return Picture(taken(lib.macaw_standings_plot(self._pointer, plots[what])))

    def __str__(self) -> str:
        width = max([6] + [len(p.name) for p in self.players])
        lines = [f"{'player':{width}}  matches  score   95%           share    Elo"]
        for p in self.players:
            lines.append(f"{p.name:{width}}  {p.matches:7.0f}  {p.score:5.1f}   {p.score_low:5.1f}..{p.score_high:5.1f}  "
                         f"{100 * p.share:5.1f}%  {p.elo:+5.0f}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<macaw.Standings: {self.matches} matches of {', '.join(p.name for p in self.players)}>"


class Picture(str):
    """An SVG file as text; notebooks show it."""

    def _repr_svg_(self) -> str:
        return str(self)


def tournament(games: Sequence[Union[Game, str]], players: Sequence[Seat], file: Union[str, os.PathLike], *, rounds: int = 10,
               clock: Union[float, Sequence[float]] = 0.1, start: float = 0.0, playouts: int = 0, seed: int = 0, jobs: int = 0,
               max_steps: int = 0, processes: bool = False, processor_time: bool = False,
               progress: Optional[Callable[[float, float], None]] = None) -> Standings:
    """Every player against every other in several games, roles swapped; results go to an SQLite file as they come, the one that
    `macaw tournament` writes. The same call goes on after an interrupt.

    players   words, and players written in Python, which are known in the file by their `name`
    progress  called with the number of matches done and planned"""
    loaded = [g if isinstance(g, Game) else load(g) for g in games]
    stop, error, keep = Stop(), new_error(), []  # type: Stop, Any, list
    by_pointer = {g._pointer: g for g in loaded}
    seats = [_seat(who, by_pointer, stop, keep) for who in players]
    own = ffi.new("macaw_seat[]", [s for s in seats if "word" not in s])
    names = ffi.new("const char *[]", [s.get("word") or s["name"] for s in seats])
    pointers = ffi.new("macaw_game *[]", [g._pointer for g in loaded])
    clocks = ffi.new("double[]", [clock] if isinstance(clock, (int, float)) else list(clock))
    reporting = {"progress": progress, "error": None, "stop": stop}
    handle = ffi.new_handle(reporting)
    plan = ffi.new("macaw_tournament *", {
        "games": pointers, "game_count": len(loaded), "players": names, "player_count": len(seats), "own": own, "own_count": len(own),
        "clocks": clocks, "clock_count": len(clocks), "start": start, "playouts": playouts, "rounds": rounds, "seed": seed,
        "jobs": jobs, "max_steps": max_steps, "isolated": processes, "processor_time": processor_time, "stop": stop._flag})
    if progress is not None:
        plan.progress, plan.context = lib.py_progress, handle
    fine = interruptible(lambda: lib.macaw_tournament_run(plan, encode(os.fspath(file)), ffi.NULL, error), stop)
    _raise_first(keep)
    if reporting["error"] is not None:
        raise reporting["error"]
    if not fine:
        raise fail(error)
    return Standings(file)


@ffi.def_extern()
def py_progress(context: Any, what: Any, done: float, total: float) -> None:
    reporting = ffi.from_handle(context)
    try:
        reporting["progress"](done, total)
    except BaseException as error:
        reporting["error"] = reporting["error"] or error
        reporting["stop"].now()
