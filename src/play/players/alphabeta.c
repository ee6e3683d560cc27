/* Alpha-beta (Knuth and Moore 1975) by iterative deepening, with a table of states
 * and killer and history ordering. */
#include "play/alphabeta/search.h"

/* clang-format off: one row per line */
static const struct opt options[] = {
	SEARCH_OPTIONS(CHANCE_EXPECT, ESTIMATE_PLAYOUTS),
	{"prune", 0, OPT_FLAG, SEARCH_AT(prune), NULL, "cut with alpha-beta windows", .whole = 1},
	{"order", 0, OPT_FLAG, SEARCH_AT(order), NULL, "killer and history ordering", .whole = 1},
	{"multi", 0, OPT_CHOICE, SEARCH_AT(multi), "HOW", "more than two roles: all others are one enemy, or each wants its own", .choices = "paranoid|maxn"},
	{"quiet", 0, OPT_INT, SEARCH_AT(quiet), "N", "steps beyond the horizon while estimates after the moves lie far apart", .min = 0, .max = 20},
	{"forward", 0, OPT_INT, SEARCH_AT(forward), "N", "below the root look only at the N first moves (0: all)", .min = 0, .max = 1e6},
	{0}};
/* clang-format on */

const struct player_kind player_alphabeta = {
	.name = "alphabeta",
	.what = "alpha-beta by iterative deepening, with a table of states",
	.details =
		"More than two roles: all others are taken for one enemy, or with multi=maxn everybody for selfish (then "
		"without windows and the table). Roles that move at once: they are taken to know "
		"our move.",
	.options = options,
	.options_size = sizeof(struct search_options),
	.make = search_make,
	.start = search_start,
	.move = search_move,
	.free = search_release,
	.values = search_values,
	.line = search_line,
};
