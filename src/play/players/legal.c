/* The first legal move, as numbered by the game. */
#include "play/player.h"

#include <assert.h>

static uint32_t move(void *self, struct seat *s, const struct turn *t, const struct budget *b)
{
	assert(t->legal_count && t->legal);
	text_puts(&s->why, "the first");
	return t->legal[0];
}

const struct player_kind player_legal = {.name = "legal", .what = "the first legal move", .hidden = true, .move = move};
