/* Any legal move, all alike. */
#include "play/player.h"

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	text_printf(&s->why, "one of %u", t->legal_count);
	return t->legal[rng_below(&s->rng, t->legal_count)];
}

const struct player_kind player_random = {
	.name = "random", .what = "any legal move, all alike", .blind = true, .move = move};
