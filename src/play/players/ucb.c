/* Flat UCB: the legal moves are the arms of one bandit. */
#include "play/mcts/flat.h"

#include <assert.h>

/* clang-format off: one row per line */
static const struct opt options[] = {{"c", 'c', OPT_REAL, offsetof(struct flat_options, c), "X",
                                      "exploration constant, for scores in 0..1", .real = 1.414, .min = 0, .max = 100},
                                     {"batch", 0, OPT_INT, offsetof(struct flat_options, batch), "N",
                                      "playouts per round", .whole = 1024, .min = 1, .max = 1e9},
                                     {0}};
/* clang-format on */

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	return flat_move(self, s, s->options, t, b);
}

const struct player_kind player_ucb = {
	.name = "ucb",
	.what = "flat Monte Carlo with UCB1 over the legal moves",
	.options = options,
	.options_size = sizeof(struct flat_options),
	.make = flat_make,
	.move = move,
	.free = flat_release,
	.values = flat_values,
};
