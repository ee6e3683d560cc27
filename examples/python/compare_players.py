# %% [markdown]
# # Compare two players
# A small tournament with a player written in Python, its table and its plots.

# %%
import sys
import tempfile
from pathlib import Path

import macaw


class Greedy:
    """Tries each of its moves with a hundred playouts and takes the best."""

    name = "greedy"

    def move(self, turn):
        if len(turn.legal) == 1:  # somebody else's turn
            return turn.legal[0]
        game, role = turn.game, turn.game.role(turn.role)
        children = [turn.position.apply({turn.role: move}) for move in turn.legal]
        means = game.playouts(children, n=100 * len(children)).means()[:, role]
        best = int(means.argmax())
        return turn.legal[best], f"mean {means[best]:.1f}"


# %%
folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
standings = macaw.tournament(["tictactoe", "connect_4x4_3"], ["uct", Greedy(), "random"], folder / "compare.db", rounds=4,
                             playouts=300)
print(standings)

# %% [markdown]
# The file is the one `macaw tournament` writes, so `macaw tournament --db compare.db` shows it, too. Pictures are SVG.

# %%
(folder / "cross.svg").write_text(standings.plot("cross"))
print(standings.by_game().round(1))
