/* Flat Monte Carlo: the same number of playouts for each legal move. */
#include "play/mcts/flat.h"

#include <assert.h>

/* clang-format off: one row per line */
static const struct opt options[] = {{"batch", 0, OPT_INT, offsetof(struct flat_options, batch), "N",
                                      "playouts per round", .whole = 1024, .min = 1, .max = 1e9},
                                     {0}};
/* clang-format on */

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	struct flat_options o = *(const struct flat_options *)s->options;
	o.c = -1;
	return flat_move(self, s, &o, t, b);
}

const struct player_kind player_mc = {
	.name = "mc",
	.what = "flat Monte Carlo: the same number of playouts for each move",
	.options = options,
	.options_size = sizeof(struct flat_options),
	.make = flat_make,
	.move = move,
	.free = flat_release,
	.values = flat_values,
};
