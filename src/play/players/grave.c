/* GRAVE (Cazenave 2015): UCT with statistics of moves anywhere in the playouts,
 * taken from the nearest ancestor that has seen enough of them. */
#include "play/mcts/tree.h"

/* clang-format off: one row per line */
static const struct opt options[] = {
	TREE_OPTIONS(0.2, 32, 1),
	TREE_OPTIONS_WIDE,
	{"bias", 0, OPT_REAL, TREE_AT(bias), "X",
     "bias of the all-moves-as-first statistics: the larger, the sooner the mean of the move takes over", .real = 0.1,
     .min = 1e-9, .max = 1e3},
	{"ref", 0, OPT_REAL, TREE_AT(ref), "N", "visits a node needs for statistics of its own", .real = 50, .min = 0,
     .max = 1e9},
	{"solve", 0, OPT_FLAG, TREE_AT(solve), NULL, "prove values from terminal states", .whole = 1},
	TREE_TUNING(TUNING_ROW, struct tree_options, tune.){0}};
/* clang-format on */

const struct player_kind player_grave = {
	.name = "grave",
	.what = "UCT with generalised rapid action values",
	.details = "Games run by the interpreter are played as by uct.",
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
