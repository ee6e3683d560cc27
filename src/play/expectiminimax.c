/* Expectiminimax (Michie 1966): minimax with the mean over the moves of chance. */
#include "play/search.h"

static const struct opt options[] = {SEARCH_OPTIONS(CHANCE_EXPECT, ESTIMATE_PLAYOUTS), {0}};

static void *make(struct seat *s)
{
	return search_new(s, s->options);
}

static void release(void *self)
{
	search_free(self);
}

const struct player_kind player_expectiminimax = {
	.name = "expectiminimax",
	.what = "minimax with the mean over the moves of chance",
	.options = options,
	.options_size = sizeof(struct search_options),
	.make = make,
	.start = search_start,
	.move = search_move,
	.free = release,
};
