"""Games as environments for learning, with the interfaces of Gymnasium, PettingZoo and OpenSpiel.

None of these packages is needed; where Gymnasium or PettingZoo is installed, spaces are theirs and the classes are subclasses."""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .game import Game, Position, load
from .players import Player

try:  # pragma: no cover - depends on what is installed
    from gymnasium import Env as _Env
    from gymnasium import spaces as _spaces
except ImportError:
    _Env, _spaces = object, None
try:  # pragma: no cover
    from pettingzoo import AECEnv as _AECEnv
    from pettingzoo import ParallelEnv as _ParallelEnv
except ImportError:
    _AECEnv = _ParallelEnv = object


class Discrete:
    """Numbers from 0 to n - 1, when Gymnasium is not there."""

    def __init__(self, n: int) -> None:
        self.n = n
        self._random = random.Random()

    def seed(self, seed: Optional[int] = None) -> None:
        self._random.seed(seed)

    def sample(self, mask: Any = None) -> int:
        allowed = range(self.n) if mask is None else [i for i, m in enumerate(mask) if m]
        return self._random.choice(list(allowed))

    def contains(self, value: Any) -> bool:
        return 0 <= int(value) < self.n

    __contains__ = contains


class MultiBinary:
    """Arrays of 0 and 1, when Gymnasium is not there."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.shape = (n,)

    def contains(self, value: Any) -> bool:
        return getattr(value, "shape", None) == self.shape

    __contains__ = contains


def _discrete(n: int) -> Any:
    return _spaces.Discrete(n) if _spaces is not None else Discrete(n)


def _multi_binary(n: int) -> Any:
    return _spaces.MultiBinary(n) if _spaces is not None else MultiBinary(n)


class _Actions:
    """The moves of a role, numbered from 0 as actions."""

    def __init__(self, game: Game, role: int) -> None:
        self.moves: List[int] = [m for m in range(game.moves) if _role_of(game, m) == role]
        self.of_move: Dict[int, int] = {m: a for a, m in enumerate(self.moves)}

    def mask(self, legal: Sequence[int]) -> Any:
        import numpy

        mask = numpy.zeros(len(self.moves), dtype=numpy.int8)
        mask[[self.of_move[m] for m in legal]] = 1
        return mask


def _role_of(game: Game, move: int) -> int:
    from ._library import lib

    return lib.macaw_game_role_of(game._pointer, move)


def _reward(position: Position, role: str) -> float:
    goal = position.goals()[role]
    return (goal or 0) / 100.0


class _Table:
    """A match as the environments see it: one position, moves gathered until every role has one."""

    def __init__(self, game: Union[Game, str]) -> None:
        self.game = game if isinstance(game, Game) else load(game)
        if self.game.hidden:
            raise ValueError(f"{self.game.name} has hidden information: an observation of the whole position would give it away")
        if self.game.engine != "circuit":
            raise ValueError(f"{self.game.name} is interpreted, and its moves are not known beforehand")
        self.actions = {r: _Actions(self.game, r) for r in self.game.players}
        self.random = random.Random()
        self.position = self.game.initial

    def observe(self, role: int) -> Dict[str, Any]:
        legal = [] if self.position.terminal else self.position.legal_numbers(role)
        return {"observation": self.game.bits(self.position)[0], "action_mask": self.actions[role].mask(legal)}

    def draw(self) -> Optional[int]:
        """A move of chance, if there is such a role."""
        if self.game.random is None:
            return None
        return self.random.choice(self.position.legal_numbers(self.game.random))

    def play(self, chosen: Dict[int, int]) -> None:
        """Makes a joint move of move numbers; chance draws, roles with one move make it."""
        joint = []
        for r in range(len(self.game.roles)):
            if r in chosen:
                joint.append(chosen[r])
            elif r == self.game.random:
                joint.append(self.draw())
            else:
                joint.append(self.position.legal_numbers(r)[0])
        self.position = self.position.apply(joint, check=False)  # type: ignore[arg-type]

    def choosers(self) -> List[int]:
        """Players with more than one move."""
        return [] if self.position.terminal else [r for r in self.game.players if len(self.position.legal_numbers(r)) > 1]


class GymEnv(_Env):  # type: ignore[misc, valid-type]
    """One role of a game, the others played by built-in players; the interface of Gymnasium.

        env = macaw.environments.GymEnv("tictactoe", role="x", opponents="uct", playouts=200)
        observation, info = env.reset(seed=1)
        observation, reward, terminated, truncated, info = env.step(action)

    Observations are the fluents as 0 and 1 (`game.fluent_names()`); actions number the moves of the role (`env.action_name`);
    info["action_mask"] says which are legal. The reward is the score at the end, 0 to 1. An illegal action ends the match with
    reward -1."""

    metadata: Dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(self, game: Union[Game, str], role: Union[str, int, None] = None, opponents: str = "random", *, playouts: int = 1000,
                 render_mode: Optional[str] = None) -> None:
        self._table = _Table(game)
        self.game = self._table.game
        self.role = self.game.players[0] if role is None else self.game.role(role)
        self._word, self._playouts = opponents, playouts
        self.render_mode = render_mode
        self.action_space = _discrete(len(self._table.actions[self.role].moves))
        self.observation_space = _multi_binary(self.game.fluents)
        self._others: Dict[int, Player] = {}
        self._seed = 0

    def action_name(self, action: int) -> str:
        return self.game.move(self._table.actions[self.role].moves[action]) or ""

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None) -> Tuple[Any, dict]:
        self._seed = seed if seed is not None else self._seed + 1
        self._table.random.seed(self._seed)
        self._table.position = self.game.initial
        self._others = {r: Player(self._word, self._seed).sit(self.game, r) for r in self.game.players if r != self.role}
        self._go_on()
        return self._observation()

    def step(self, action: int) -> Tuple[Any, float, bool, bool, dict]:
        move = self._table.actions[self.role].moves[int(action)]
        if move not in self._table.position.legal_numbers(self.role):
            observation, info = self._observation()
            return observation, -1.0, True, False, {**info, "illegal": self.game.move(move)}
        self._play(move)
        self._go_on()
        observation, info = self._observation()
        over = self._table.position.terminal
        return observation, _reward(self._table.position, self.game.roles[self.role]) if over else 0.0, over, False, info

    def render(self) -> Optional[str]:
        return self._table.position.draw() if self.render_mode == "ansi" else None

    def close(self) -> None:
        self._others = {}

    def _play(self, own: int) -> None:
        position = self._table.position
        chosen = {self.role: own}
        for r in self.game.players:
            if r != self.role:
                legal = position.legal_numbers(r)
                if len(legal) > 1:
                    thought = self._others[r].think(position, playouts=self._playouts, role=r)
                    chosen[r] = self.game.find_move(r, thought.move)
                else:
                    chosen[r] = legal[0]
        self._table.play(chosen)

    def _go_on(self) -> None:
        """Until the role has a choice or the match is over."""
        while not self._table.position.terminal and self.role not in self._table.choosers():
            self._play(self._table.position.legal_numbers(self.role)[0])

    def _observation(self) -> Tuple[Any, dict]:
        seen = self._table.observe(self.role)
        return seen["observation"], {"action_mask": seen["action_mask"], "position": self._table.position}


class AECEnv(_AECEnv):  # type: ignore[misc, valid-type]
    """All roles in turn; the interface of PettingZoo's AEC environments. In steps where several roles have a choice they are
    asked one after another, and none sees what the others chose."""

    metadata: Dict[str, Any] = {"render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(self, game: Union[Game, str], *, render_mode: Optional[str] = None) -> None:
        self._table = _Table(game)
        self.game = self._table.game
        self.metadata = {**self.metadata, "name": self.game.name}
        self.render_mode = render_mode
        self.possible_agents = [self.game.roles[r] for r in self.game.players]
        self.agents: List[str] = []
        self._number = {self.game.roles[r]: r for r in self.game.players}

    def action_space(self, agent: str) -> Any:
        return _discrete(len(self._table.actions[self._number[agent]].moves))

    def observation_space(self, agent: str) -> Any:
        return _multi_binary(self.game.fluents)

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> None:
        self._table.random.seed(seed)
        self._table.position = self.game.initial
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, dict] = {agent: {} for agent in self.agents}
        self._chosen: Dict[int, int] = {}
        self._next()

    def observe(self, agent: str) -> Dict[str, Any]:
        return self._table.observe(self._number[agent])

    def last(self, observe: bool = True) -> Tuple[Any, float, bool, bool, dict]:
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError("the match is over: step(None)")
            self.agents.remove(agent)
            self._cumulative_rewards[agent] = 0.0
            if self.agents:
                self.agent_selection = self.agents[0]
            return
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        role = self._number[agent]
        move = self._table.actions[role].moves[int(action)]  # type: ignore[arg-type]
        if move not in self._table.position.legal_numbers(role):
            raise ValueError(f"{self.game.move(move)} is not legal for {agent} here")
        self._chosen[role] = move
        if self._waiting:
            self.agent_selection = self.game.roles[self._waiting.pop(0)]
            return
        self._table.play(self._chosen)
        self._next()

    def _next(self) -> None:
        """To the next step in which somebody has a choice, or to the end."""
        self._chosen = {}
        while not self._table.position.terminal and not self._table.choosers():
            self._table.play({})
        if self._table.position.terminal:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {agent: _reward(self._table.position, agent) for agent in self.agents}
            for agent, reward in self.rewards.items():
                self._cumulative_rewards[agent] += reward
            self.agent_selection = self.agents[0]
            self._waiting: List[int] = []
            return
        self._waiting = self._table.choosers()
        self.agent_selection = self.game.roles[self._waiting.pop(0)]

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        for _ in range(max_iter):
            if not self.agents:
                return
            yield self.agent_selection

    def render(self) -> Optional[str]:
        return self._table.position.draw() if self.render_mode == "ansi" else None

    def close(self) -> None:
        self.agents = []


class ParallelEnv(_ParallelEnv):  # type: ignore[misc, valid-type]
    """All roles at once; the interface of PettingZoo's parallel environments. A role without a choice still acts: its mask has
    one legal action."""

    metadata: Dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(self, game: Union[Game, str], *, render_mode: Optional[str] = None) -> None:
        self._table = _Table(game)
        self.game = self._table.game
        self.metadata = {**self.metadata, "name": self.game.name}
        self.render_mode = render_mode
        self.possible_agents = [self.game.roles[r] for r in self.game.players]
        self.agents: List[str] = []
        self._number = {self.game.roles[r]: r for r in self.game.players}

    action_space = AECEnv.action_space
    observation_space = AECEnv.observation_space
    render = AECEnv.render
    close = AECEnv.close

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> Tuple[Dict[str, Any], Dict[str, dict]]:
        self._table.random.seed(seed)
        self._table.position = self.game.initial
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Dict[str, int]) -> Tuple[dict, dict, dict, dict, dict]:
        chosen = {}
        for agent in self.agents:
            role = self._number[agent]
            move = self._table.actions[role].moves[int(actions[agent])]
            if move not in self._table.position.legal_numbers(role):
                raise ValueError(f"{self.game.move(move)} is not legal for {agent} here")
            chosen[role] = move
        self._table.play(chosen)
        over = self._table.position.terminal
        agents = self.agents
        result = (self._observations(), {a: _reward(self._table.position, a) if over else 0.0 for a in agents},
                  dict.fromkeys(agents, over), dict.fromkeys(agents, False), {a: {} for a in agents})
        if over:
            self.agents = []
        return result

    def _observations(self) -> Dict[str, Any]:
        return {agent: self._table.observe(self._number[agent]) for agent in self.agents}


# OpenSpiel's numbers for players that are none.
CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4


class SpielState:
    """A position with the methods of OpenSpiel's `State`: actions are numbers from 0, players are the roles without chance."""

    def __init__(self, game: Union[Game, str, "SpielState"]) -> None:
        if isinstance(game, SpielState):
            self._table = _Table.__new__(_Table)
            self._table.__dict__.update(game._table.__dict__)
            self._history = list(game._history)
            return
        self._table = _Table(game)
        self._history: List[Tuple[int, ...]] = []

    def clone(self) -> "SpielState":
        return SpielState(self)

    def current_player(self) -> int:
        position, game = self._table.position, self._table.game
        if position.terminal:
            return TERMINAL
        choosers = self._table.choosers()
        drawing = game.random is not None and len(position.legal_numbers(game.random)) > 1
        if len(choosers) + drawing > 1:
            return SIMULTANEOUS
        if drawing:
            return CHANCE
        return game.players.index(choosers[0]) if choosers else 0

    def is_terminal(self) -> bool:
        return self._table.position.terminal

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def is_simultaneous_node(self) -> bool:
        return self.current_player() == SIMULTANEOUS

    def num_players(self) -> int:
        return len(self._table.game.players)

    def num_distinct_actions(self) -> int:
        return max(len(a.moves) for a in self._table.actions.values())

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        player = self.current_player() if player is None else player
        if self.is_terminal():
            return []
        if player == CHANCE:
            return [a for a, _ in self.chance_outcomes()]
        role = self._table.game.players[player]
        return [self._table.actions[role].of_move[m] for m in self._table.position.legal_numbers(role)]

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        legal = set(self.legal_actions(player))
        return [int(a in legal) for a in range(self.num_distinct_actions())]

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        """Moves of chance, all equally probable."""
        legal = self._table.position.legal_numbers(self._table.game.random)  # type: ignore[arg-type]
        return [(m, 1.0 / len(legal)) for m in legal]

    def action_to_string(self, player: int, action: int) -> str:
        game = self._table.game
        move = action if player == CHANCE else self._table.actions[game.players[player]].moves[action]
        return game.move(move) or ""

    def apply_action(self, action: int) -> None:
        player = self.current_player()
        if action not in self.legal_actions(player):
            raise ValueError(f"action {action} is not legal here")
        game = self._table.game
        role, move = (game.random, action) if player == CHANCE else (game.players[player], None)
        if move is None:
            move = self._table.actions[role].moves[action]  # type: ignore[index]
        self._table.play({role: move})  # type: ignore[dict-item]
        self._history.append((action,))

    def apply_actions(self, actions: Sequence[int]) -> None:
        """A joint action of all players; chance draws for itself."""
        game = self._table.game
        self._table.play({role: self._table.actions[role].moves[a] for role, a in zip(game.players, actions)})
        self._history.append(tuple(actions))

    def returns(self) -> List[float]:
        """Scores, 0 to 100; all zero before the end."""
        game = self._table.game
        goals = self._table.position.goals() if self.is_terminal() else {}
        return [float(goals.get(game.roles[r]) or 0) for r in game.players]

    def rewards(self) -> List[float]:
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def history(self) -> List[int]:
        return [a for actions in self._history for a in actions]

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        return [float(b) for b in self._table.game.bits(self._table.position)[0]]

    def observation_string(self, player: Optional[int] = None) -> str:
        return str(self)

    def __str__(self) -> str:
        return self._table.position.draw()
