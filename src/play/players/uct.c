/* UCT (Kocsis and Szepesvári 2006): upper confidence bounds in the tree, means of
 * playouts at its leaves. */
#include "play/mcts/tree.h"

/* clang-format off: one row per line */
static const struct opt options[] = {
	TREE_OPTIONS(0.1, 8, 64),
	{"solve", 0, OPT_FLAG, TREE_AT(solve), NULL, "prove values from terminal states", .whole = 1},
	{"spread", 0, OPT_FLAG, TREE_AT(spread), NULL, "play from all children of a new leaf"},
	{0}};
/* clang-format on */

const struct player_kind player_uct = {
	.name = "uct",
	.what = "Monte Carlo tree search with UCB1",
	.details = "Simultaneous moves: each role has its own confidence bounds. The tree is kept from move to move.",
	.options = options,
	.options_size = sizeof(struct tree_options),
	.make = tree_make,
	.start = tree_start,
	.move = tree_move,
	.free = tree_release,
	.values = tree_values,
	.line = tree_line,
	.children = tree_children,
};
