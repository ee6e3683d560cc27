/* A turn with arrays of its own, for whoever thinks about it longer than it lasts. */
#ifndef MATCH_TURN_COPY_H
#define MATCH_TURN_COPY_H

#include "play/player.h"

struct kept_turn {
	struct turn turn;
	VEC(uint64_t) state;
	VEC(uint32_t) last, legal, seen;
};

void kept_turn_set(struct kept_turn *k, const struct game *g, const struct turn *t);
void kept_turn_free(struct kept_turn *k);

#endif
