"""Players: ask one for its move, or write one in Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Union

from ._library import NONE, InputError, Stop, checked, encode, fail, ffi, interruptible, lib, new_error, text
from .game import Game, Move, Moves, Position


@dataclass(frozen=True)
class MoveValue:
    """What a player knows of one move."""

    move: str
    value: Optional[float]  # expected score, 0 to 100
    low: float  # proved bounds of it
    high: float
    visits: int
    share: Optional[float]  # probability of being played


@dataclass(frozen=True)
class Thought:
    """What a player thinks of a position."""

    move: str
    why: str
    value: Optional[float]
    proved: bool
    values: List[MoveValue] = field(repr=False)  # of all legal moves, best first
    line: List[Dict[str, str]] = field(repr=False)  # expected course: joint moves by role

    @property
    def visits(self) -> int:
        return sum(v.visits for v in self.values)


@dataclass(frozen=True)
class PlayerOption:
    name: str
    default: str
    help: str
    choices: Optional[List[str]]


@dataclass(frozen=True)
class PlayerKind:
    name: str
    summary: str
    details: Optional[str]
    hidden: bool  # plays by what its role knows
    options: List[PlayerOption] = field(repr=False)


def players() -> List[PlayerKind]:
    """The kinds of players with their options."""
    kinds = []
    kind, option = ffi.new("macaw_player_kind *"), ffi.new("macaw_player_option *")
    while lib.macaw_player_kind_at(len(kinds), kind):
        options: List[PlayerOption] = []
        while lib.macaw_player_option_at(len(kinds), len(options), option):
            choices = text(option.choices)
            options.append(PlayerOption(text(option.name) or "", ffi.string(option.standard).decode(), text(option.help) or "",
                                        choices.split("|") if choices else None))
        kinds.append(PlayerKind(text(kind.name) or "", text(kind.summary) or "", text(kind.details), kind.hidden, options))
    return kinds


def _budget(seconds: Optional[float], playouts: int, stop: Stop, processor_time: bool, margin: float = 0.0) -> Any:
    if seconds is not None and seconds <= 0:
        raise ValueError("seconds must be more than 0")
    if playouts < 0:
        raise ValueError("playouts must be at least 0")
    return ffi.new("macaw_budget *", {"seconds": seconds or 0.0, "playouts": playouts, "stop": stop._flag, "margin": margin,
                                      "processor_time": processor_time})


def _thought(game: Game, t: Any) -> Thought:
    values = [MoveValue(game.move(v.move) or "", v.value if v.value >= 0 else None, v.low, v.high, v.visits,
                        v.share if v.share >= 0 else None) for v in (t.values[i] for i in range(t.value_count))]
    line = [{name: game.move(t.line[s * len(game.roles) + r]) or "" for r, name in enumerate(game.roles)}
            for s in range(t.line_steps)]
    return Thought(game.move(t.move) or "", text(t.why) or "", t.value if t.value >= 0 else None, t.proved, values, line)


class Player:
    """A built-in player, by the word the command line takes: `uct`, `uct:c=0.6`.

    It keeps what it has learnt while it is asked about one match: tell it the moves with `follow`, and the next `think` about
    the position that results goes on from there."""

    def __init__(self, word: str = "macaw", seed: int = 1) -> None:
        self.word, self.seed = word, seed
        self._pointer: Any = None
        self._game: Optional[Game] = None
        self._role = -1
        self._position: Optional[Position] = None
        self._step = 0

    def sit(self, game: Game, role: Union[str, int]) -> "Player":
        """Takes a role of a game, at its initial position. `think` does that by itself; games with hidden information need it."""
        r = game.role(role)
        error = new_error()
        pointer = lib.macaw_player_new(game._pointer, r, encode(self.word), self.seed, error)
        self._pointer = checked(pointer, error, lib.macaw_player_free, game._pointer)
        self._game, self._role, self._position, self._step = game, r, game.initial, 0
        return self

    def start(self, seconds: float) -> None:
        """Prepares for a match, for at most this long. After `sit`."""
        self._seated()
        stop = Stop()
        budget = _budget(seconds, 0, stop, False)
        if not interruptible(lambda: lib.macaw_player_start(self._pointer, budget), stop):
            raise self._error()

    def think(self, position: Optional[Position] = None, *, seconds: Optional[float] = None, playouts: int = 0,
              role: Union[str, int, None] = None, processor_time: bool = False) -> Thought:
        """The move for a role (default: the first that has a choice) by a clock (default: one second) or a number of
        playouts; equal seeds and playouts give equal moves."""
        if position is not None:
            self._go(position, role)
        self._seated()
        stop = Stop()
        budget = _budget(seconds, playouts, stop, processor_time)
        out = ffi.new("macaw_thought *")
        if not interruptible(lambda: lib.macaw_player_think(self._pointer, budget, out), stop):
            raise self._error()
        return _thought(self._game, out)  # type: ignore[arg-type]

    def follow(self, moves: Moves) -> Position:
        """The match goes on by this joint move; returns the position after it."""
        self._seated()
        game, position = self._game, self._position
        joint = game._joint(position, moves)  # type: ignore[union-attr, arg-type]
        if not lib.macaw_player_inform(self._pointer, joint):
            raise self._error()
        self._position = position.apply(ffi.unpack(joint, len(game.roles)), check=False)  # type: ignore[union-attr]
        self._step += 1
        return self._position

    def see(self, own_move: Move, percepts: Sequence[str], legal: Sequence[Move]) -> None:
        """The match of a game with hidden information goes on: the move made in the player's name, what its role sees, and
        which moves it now has (none: the end)."""
        self._seated()
        game, role = self._game, self._role
        seen = []
        for p in percepts:
            number = lib.macaw_game_find_percept(game._pointer, role, encode(p))  # type: ignore[union-attr]
            if number == NONE:
                raise InputError(f"{game.roles[role]} cannot see {p!r}")  # type: ignore[union-attr]
            seen.append(number)
        numbers = [game.find_move(role, m) for m in legal]  # type: ignore[union-attr]
        if not lib.macaw_player_inform_seen(self._pointer, game.find_move(role, own_move), seen, len(seen),  # type: ignore[union-attr]
                                            numbers, len(numbers)):
            raise self._error()

    def counters(self) -> dict:
        """What the player has done since it sat down: playouts, nodes, seconds, …"""
        self._seated()
        c = lib.macaw_player_counters(self._pointer)
        return {name: getattr(c, name) for name, _ in ffi.typeof("macaw_counters").fields}

    def _go(self, position: Position, role: Union[str, int, None]) -> None:
        game = position.game
        if role is None and game is self._game and position == self._position:
            role = self._role
        if role is None:
            open_roles = [r for r in position.to_move() if game.role(r) != game.random]
            if not open_roles:
                raise InputError("the match is over here" if position.terminal else "only chance moves here")
            role = open_roles[0]
        if self._pointer is None or game is not self._game or game.role(role) != self._role:
            self.sit(game, role)
        if position != self._position:
            if not lib.macaw_player_set(self._pointer, position._pointer(), self._step):
                raise self._error()
            self._position = position

    def _seated(self) -> None:
        if self._pointer is None:
            raise InputError("the player has no seat yet: give think() a position, or call sit(game, role)")

    def _error(self) -> Exception:
        return fail(lib.macaw_player_error(self._pointer))

    def __repr__(self) -> str:
        return f"<macaw.Player {self.word}>"


def player(word: str = "macaw", seed: int = 1) -> Player:
    """A built-in player by its word.

    >>> macaw.player("uct:c=0.6").think(macaw.load("tictactoe").initial, playouts=5000).move
    '(mark 2 2)'
    """
    name = word.split(":")[0]
    known = [k.name for k in players()]
    if name not in known:
        import difflib

        near = difflib.get_close_matches(name, known, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise InputError(f"unknown player {name!r}{hint}; known are {', '.join(known)}")
    return Player(word, seed)


@dataclass(frozen=True)
class Turn:
    """What somebody who is to move may know. In a game with hidden information `position` and `last` are None."""

    game: Game
    role: str
    step: int
    position: Optional[Position]
    last: Optional[Dict[str, str]]  # the joint move that led here, by role
    legal: List[str]
    legal_numbers: List[int]
    own_last: Optional[str]
    percepts: List[str]
    seconds: Optional[float]  # left for this move; None: by playouts
    playouts: int
