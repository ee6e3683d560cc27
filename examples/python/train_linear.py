# %% [markdown]
# # Train a linear player in a minute
# Random matches give positions and scores; ridge regression on the fluents gives an evaluation; a player that looks one
# move ahead uses it. All work on positions is done in batches.

# %%
import numpy

import macaw

game = macaw.load("breakthrough_6x6")
matches = game.random_matches(3000, seed=1)
rows, match_of = matches.positions()
features = game.bits(rows).astype(numpy.float32)
scores = matches.goals[match_of, 0] / 100.0
print(f"{len(matches)} matches, {len(rows)} positions, {features.shape[1]} fluents")

# %% [markdown]
# Solve (X'X + I) w = X'y on one half of the matches, and look how well the other half is predicted.

# %%
train = match_of % 2 == 0
x = numpy.hstack([features, numpy.ones((len(features), 1), dtype=numpy.float32)])
a = x[train].T @ x[train] + numpy.eye(x.shape[1], dtype=numpy.float32)
weights = numpy.linalg.solve(a, x[train].T @ (scores[train] - 0.5))
predicted = x[~train] @ weights
print(f"correlation with the score on held-back matches: {numpy.corrcoef(predicted, scores[~train])[0, 1]:.2f}")

# %% [markdown]
# The player: all positions after its moves in one call, evaluated in one product.


# %%
def linear(turn):
    if len(turn.legal) == 1:  # somebody else's turn
        return turn.legal[0]
    role = game.role(turn.role)
    after = game.positions(turn.position.apply({turn.role: move}) for move in turn.legal)
    values = game.bits(after).astype(numpy.float32) @ weights[:-1] * (1 if role == 0 else -1)
    values[game.terminal(after)] = 1000.0  # whoever moves last has won here
    return turn.legal[int(values.argmax())]


wins = 0
for seed in range(20):
    players = [linear, "random"] if seed % 2 == 0 else ["random", linear]
    goals = list(macaw.match(game, players, playouts=1, seed=seed).goals.values())
    wins += goals[seed % 2] == 100
print(f"{wins} of 20 matches against random won")
