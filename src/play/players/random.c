/* Any legal move, chosen uniformly. */
#include "play/player.h"

#include <assert.h>

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	text_printf(&s->why, "one of %u", t->legal_count);
	return t->legal[rng_below(&s->rng, t->legal_count)];
}

static bool values(void *self, struct seat *s, const struct turn *t, struct move_value *out)
{
	assert(t->legal_count && t->legal);
	for (uint32_t i = 0; i < t->legal_count; i++)
		out[i].share = 1.0 / t->legal_count;
	return true;
}

const struct player_kind player_random = {
	.name = "random",
	.what = "any legal move, chosen uniformly",
	.hidden = true,
	.move = move,
	.values = values,
};
