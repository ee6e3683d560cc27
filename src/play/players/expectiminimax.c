/* Expectiminimax (Michie 1966): minimax with the mean over the moves of chance. */
#include "play/alphabeta/search.h"

static const struct opt options[] = {SEARCH_OPTIONS(CHANCE_EXPECT, ESTIMATE_PLAYOUTS),
                                     EVALUATION_TUNING(TUNING_ROW, struct search_options, learn.){0}};

const struct player_kind player_expectiminimax = {
	.name = "expectiminimax",
	.what = "minimax with the mean over the moves of chance",
	.options = options,
	.options_size = sizeof(struct search_options),
	.make = search_make,
	.start = search_start,
	.move = search_move,
	.free = search_release,
	.values = search_values,
	.line = search_line,
};
