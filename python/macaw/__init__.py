"""Macaw: games given by their rules (GDL, GDL-II), played, solved and analysed; constraint networks.

    import macaw

    game = macaw.load("connect_four")              # a name, a path, or the text of rules
    print(game.initial)                            # the board
    print(game.playouts(n=100_000))                # who wins at random
    print(macaw.player("macaw").think(game.initial, seconds=1))
    print(macaw.match(game, ["macaw", "uct"], clock=0.5))

Arrays: game.step, game.legal_mask, game.bits, game.playouts and game.random_matches take and give NumPy arrays.
Environments for learning are in macaw.environments. docs/python.md tells the rest."""

import os as _os

_games = _os.path.join(_os.path.dirname(__file__), "games")
if _os.path.isdir(_games):  # installed: the rulesheets lie beside the module
    _os.environ.setdefault("MACAW_GAMES", _games)

from ._library import Error, InputError, MachineError, OutOfMemory, Stop, UsageError, lib as _lib, text as _text
from .constraints import (Expr, GameNetwork, Network, Policy, Result, Stochastic, Strategic, Strategy, Var, dist, if_else, iff, implies,
                          max_of, min_of)
from .game import Diagnostic, Game, Playouts, Position, RulesError, Score, Trajectories, check, load
from .matches import Made, Match, Picture, Record, Standing, Standings, match, tournament
from .players import MoveValue, Player, PlayerKind, PlayerOption, Thought, Turn, player, players

__version__ = _text(_lib.macaw_version())

__all__ = [
    "Diagnostic", "Error", "Expr", "Game", "GameNetwork", "InputError", "MachineError", "Made", "Match", "MoveValue", "Network",
    "OutOfMemory", "Picture", "Player", "PlayerKind", "PlayerOption", "Playouts", "Policy", "Position", "Record", "Result",
    "RulesError", "Score", "Standing", "Standings", "Stochastic", "Stop", "Strategic", "Strategy", "Thought", "Trajectories", "Turn",
    "UsageError", "Var", "check", "dist", "if_else", "iff", "implies", "load", "match", "max_of", "min_of", "player", "players",
    "tournament",
]
