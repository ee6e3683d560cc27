/* Plain minimax: every joint move, by iterative deepening, chance as an opponent. */
#include "play/alphabeta/search.h"

static const struct opt options[] = {SEARCH_OPTIONS(CHANCE_WORST, ESTIMATE_PLAYOUTS),
                                     EVALUATION_TUNING(TUNING_ROW, struct search_options, learn.){0}};

const struct player_kind player_minimax = {
	.name = "minimax",
	.what = "minimax by iterative deepening, chance counted as an opponent",
	.options = options,
	.options_size = sizeof(struct search_options),
	.make = search_make,
	.start = search_start,
	.move = search_move,
	.free = search_release,
	.values = search_values,
	.line = search_line,
};
