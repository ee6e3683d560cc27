/* Alpha-beta (Knuth and Moore 1975) by iterative deepening, with a table of states
 * and killer and history ordering. */
#include "play/alphabeta/search.h"

/* clang-format off: one row per line */
static const struct opt options[] = {
	SEARCH_OPTIONS(CHANCE_EXPECT, ESTIMATE_PLAYOUTS),
	{"prune", 0, OPT_FLAG, SEARCH_AT(prune), NULL, "prune with alpha-beta windows", .whole = 1},
	{"order", 0, OPT_FLAG, SEARCH_AT(order), NULL, "order moves by killers and history", .whole = 1},
	{"multi", 0, OPT_CHOICE, SEARCH_AT(multi), "HOW",
     "more than two roles: all others are one opponent (paranoid), or each maximises its own score (maxn)",
     .choices = "paranoid|maxn"},
	{"quiet", 0, OPT_INT, SEARCH_AT(quiet), "N",
     "search up to N steps beyond the horizon where the estimates after the moves lie far apart", .min = 0, .max = 20},
	{"forward", 0, OPT_INT, SEARCH_AT(forward), "N", "below the root, search only the first N moves (0: all)", .min = 0,
     .max = 1e6},
	EVALUATION_TUNING(TUNING_ROW, struct search_options, learn.){0}};
/* clang-format on */

const struct player_kind player_alphabeta = {
	.name = "alphabeta",
	.what = "alpha-beta by iterative deepening, with a transposition table",
	.details = "More than two roles: all others count as one opponent, or with multi=maxn each role maximises its own "
			   "score (then "
			   "without windows and table). Simultaneous moves: the others are assumed to know our move.",
	.options = options,
	.options_size = sizeof(struct search_options),
	.make = search_make,
	.start = search_start,
	.move = search_move,
	.free = search_release,
	.values = search_values,
	.line = search_line,
};
