# %% [markdown]
# # First steps
# Load a game, look at positions, run playouts, ask a player, play a match. Run it as a program, or cell by cell in an
# editor that knows `# %%`.

# %%
import macaw

game = macaw.load("connect_four")
print(game, game.moves, "moves")
print(game.initial)

# %% [markdown]
# A position is immutable. `apply` gives the next one.

# %%
position = game.initial.apply("(drop 4)").apply("(drop 4)")
print(position)
print("to move:", position.to_move(), position.legal("red")[:3])

# %% [markdown]
# Who wins when everybody plays at random?

# %%
result = game.playouts(n=100_000)
print(f"{result.playouts} playouts, {result.steps / result.playouts:.1f} steps each")
for role in game.roles:
    score = result.score(role)
    print(f"{role:6} {score.mean:5.1f}  ({score.low:.1f} to {score.high:.1f})")

# %% [markdown]
# What does a player think of the start, and how does a match end?

# %%
thought = macaw.player("macaw").think(game.initial, playouts=20_000)
print(thought.move, thought.why)
for value in thought.values[:3]:
    print(f"  {value.move:10} {value.value:5.1f}  {value.visits} visits")

match = macaw.match(game, ["macaw", "uct"], playouts=2000)
print(match)
print(match.position())
