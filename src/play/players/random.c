/* Any legal move, chosen uniformly. */
#include "play/player.h"

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	text_printf(&s->why, "one of %u", t->legal_count);
	return t->legal[rng_below(&s->rng, t->legal_count)];
}

static bool values(void *self, struct seat *s, const struct turn *t, struct move_value *out)
{
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
