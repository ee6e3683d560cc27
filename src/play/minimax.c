/* Plain minimax: every joint move to a growing horizon, chance as an enemy. */
#include "play/search.h"

static const struct opt options[] = {SEARCH_OPTIONS(CHANCE_WORST, ESTIMATE_PLAYOUTS), {0}};

static void *make(struct seat *s)
{
	return search_new(s, s->options);
}

static void release(void *self)
{
	search_free(self);
}

const struct player_kind player_minimax = {
	.name = "minimax",
	.what = "minimax to a growing horizon, chance counted as an enemy",
	.options = options,
	.options_size = sizeof(struct search_options),
	.make = make,
	.start = search_start,
	.move = search_move,
	.free = release,
};
