"""Players, matches, records, tournaments, environments."""

import os
import sqlite3

import numpy
import pytest

import macaw
from macaw import environments


@pytest.fixture(scope="module")
def tictactoe():
    return macaw.load("tictactoe")


def winning(game):
    """x wins at once by (mark 1 3)."""
    p = game.initial
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        p = p.apply(move)
    return p


def first(turn):
    return turn.legal[0]


class Counting:
    name = "counting"

    def __init__(self):
        self.started, self.turns = None, []

    def start(self, game, role, seconds):
        self.started = (game.name, role)

    def move(self, turn):
        self.turns.append(turn)
        return turn.legal_numbers[-1], f"{len(turn.legal)} moves"


def test_think(tictactoe):
    for word in ("macaw", "uct:c=0.6", "alphabeta", "mac-ucb"):
        thought = macaw.player(word).think(winning(tictactoe), playouts=2000)
        assert thought.move == "(mark 1 3)", word
        assert thought.why
    thought = macaw.player("uct").think(tictactoe.initial, playouts=2000)
    assert {v.move for v in thought.values} == set(tictactoe.initial.legal("x"))
    assert thought.visits > 0 and thought.values[0].move == thought.move
    same = [macaw.player("uct", seed=9).think(tictactoe.initial, playouts=500).move for _ in range(2)]
    assert same[0] == same[1]


def test_a_player_follows_a_match(tictactoe):
    p = macaw.player("uct").sit(tictactoe, "x")
    thought = p.think(playouts=500)
    position = p.follow({"x": thought.move})
    position = p.follow({"o": position.legal("o")[0]})
    assert p.think(position, playouts=500).move in position.legal("x")
    assert p.counters()["moves"] == 2


def test_bad_players(tictactoe):
    with pytest.raises(macaw.InputError, match="did you mean 'uct'"):
        macaw.player("utc")
    with pytest.raises(macaw.Error, match="c"):
        macaw.player("uct:c=no").think(tictactoe.initial, playouts=10)
    with pytest.raises(macaw.InputError, match="seat"):
        macaw.player().think()
    with pytest.raises(ValueError):
        macaw.player().think(tictactoe.initial, seconds=-1)
    with pytest.raises(macaw.InputError, match="over"):
        macaw.player().think(winning(tictactoe).apply("(mark 1 3)"))


def test_players_are_listed():
    kinds = {k.name: k for k in macaw.players()}
    assert "macaw" in kinds and any(o.name == "c" for o in kinds["uct"].options)


def test_match_with_own_players(tictactoe):
    own = Counting()
    seen = []
    match = macaw.match(tictactoe, [own, first], start=0.01, playouts=0, clock=20, watch=lambda m: seen.append(len(m)))
    assert match.ending == "terminal" and own.started is None or own.started == ("tictactoe", "x")
    assert match.players == {"x": "counting", "o": "first"}
    assert seen == list(range(len(match) + 1))
    assert own.turns[0].position == tictactoe.initial and own.turns[0].last is None
    assert own.turns[0].role == "x" and match.made(0)["x"].why == "9 moves"
    assert sum(match.goals.values()) == 100
    p = tictactoe.initial
    for moves in match.moves():
        p = p.apply(moves)
    assert p == match.position() and p.terminal


def test_exceptions_of_own_players(tictactoe):
    def broken(turn):
        raise ZeroDivisionError("in the middle")

    with pytest.raises(ZeroDivisionError, match="in the middle"):
        macaw.match(tictactoe, [broken, "random"], clock=20)
    with pytest.raises(macaw.InputError, match="no move"):
        macaw.match(tictactoe, [lambda t: "(mark 9 9)", "random"], clock=20)
    with pytest.raises(TypeError, match="no player"):
        macaw.match(tictactoe, [3, "random"])
    with pytest.raises(macaw.UsageError, match="2 players"):
        macaw.match(tictactoe, ["random"])

    def watch(match):
        raise KeyError("watching")

    with pytest.raises(KeyError):
        macaw.match(tictactoe, ["random", "random"], clock=20, watch=watch)


def test_hidden_information_is_hidden():
    turns = []

    def player(turn):
        turns.append(turn)
        return turn.legal[0]

    game = macaw.load("kuhn_poker")
    macaw.match(game, [player, player], clock=20)
    assert turns and all(t.position is None and t.last is None for t in turns)


def test_records(tictactoe, tmp_path):
    match = macaw.match(tictactoe, ["random", "random"], seed=4, playouts=1)
    match.save(tmp_path / "match.json")
    for source in (tmp_path / "match.json", match.record()):
        record = macaw.Record(source)
        steps = list(record)
        assert len(steps) == len(record) == len(match)
        assert record.goals == match.goals and [m for m, _ in steps] == match.moves()
        assert steps[-1][1].fluents() == match.position().fluents()
    with pytest.raises(macaw.Error):
        macaw.Record(tmp_path / "nothing.json")
    with pytest.raises(macaw.Error):
        macaw.Record('{"moves": 1}')


def test_tournament_with_own_players(tictactoe, tmp_path):
    file = tmp_path / "t.db"
    steps = []
    standings = macaw.tournament([tictactoe, "connect_4x4_3"], ["random", first, Counting()], file, rounds=2, playouts=1, jobs=2,
                                 progress=lambda done, total: steps.append((done, total)))
    assert standings.matches == 2 * 2 * 6 and {p.name for p in standings.players} == {"random", "first", "counting"}
    assert standings.versus().shape == (3, 3) and standings.by_game().shape == (3, 2)
    assert "<svg" in standings.plot() and "player" in str(standings) and steps
    assert sqlite3.connect(file).execute("SELECT count(*) FROM matches").fetchone()[0] == 24
    again = macaw.tournament([tictactoe, "connect_4x4_3"], ["random", first, Counting()], file, rounds=2, playouts=1, jobs=1)
    assert again.matches == 24

    def broken(turn):
        raise ZeroDivisionError("in a tournament")

    with pytest.raises(ZeroDivisionError):
        macaw.tournament([tictactoe], ["random", broken], tmp_path / "b.db", rounds=1, playouts=1)
    with pytest.raises(macaw.Error):
        macaw.tournament([tictactoe], ["random", "utc"], tmp_path / "c.db", rounds=1, playouts=1)


def test_gymnasium_interface():
    env = environments.GymEnv("tictactoe", role="o", opponents="random", render_mode="ansi")
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            assert observation in env.observation_space
            action = int(numpy.flatnonzero(info["action_mask"])[0])
            assert env.action_name(action).startswith("(mark")
            observation, reward, over, truncated, info = env.step(action)
            total += reward
        assert total in (0.0, 0.5, 1.0) and not truncated
    env.reset(seed=1)
    illegal = int(numpy.flatnonzero(1 - env._observation()[1]["action_mask"])[0])
    assert env.step(illegal)[1:3] == (-1.0, True)
    assert env.render()
    with pytest.raises(ValueError, match="hidden"):
        environments.GymEnv("kuhn_poker")


@pytest.mark.parametrize("name", ["tictactoe", "connect_four_simultaneous", "kaseklau"])
def test_pettingzoo_interfaces(name):
    env = environments.AECEnv(name)
    env.reset(seed=3)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        rewards[agent] += reward
        env.step(None if terminated else int(numpy.flatnonzero(observation["action_mask"])[-1]))
    assert all(0 <= r <= 1 for r in rewards.values()) and env.agents == []
    env = environments.ParallelEnv(name)
    observations, infos = env.reset(seed=3)
    while env.agents:
        actions = {a: int(numpy.flatnonzero(observations[a]["action_mask"])[-1]) for a in env.agents}
        observations, rewards, terminations, truncations, infos = env.step(actions)
    assert all(terminations.values())


def test_openspiel_interface():
    state = environments.SpielState("tictactoe")
    assert state.current_player() == 0 and len(state.legal_actions()) == 9 and state.num_players() == 2
    child = state.clone()
    child.apply_action(child.legal_actions()[4])
    assert state.current_player() == 0 and child.current_player() == 1 and child.history() == [4]
    while not child.is_terminal():
        child.apply_action(child.legal_actions()[0])
    assert sum(child.returns()) == 100 and child.legal_actions() == []
    dice = environments.SpielState("kaseklau")
    while not dice.is_terminal():
        if dice.is_chance_node():
            assert abs(sum(p for _, p in dice.chance_outcomes()) - 1) < 1e-9
            dice.apply_action(dice.chance_outcomes()[0][0])
        elif dice.is_simultaneous_node():
            dice.apply_actions([dice.legal_actions(p)[0] for p in range(dice.num_players())])
        else:
            dice.apply_action(dice.legal_actions()[-1])
    assert len(dice.returns()) == dice.num_players()
