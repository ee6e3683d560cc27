/* A turn with arrays of its own, for a player that thinks about it longer than it lasts. */
#ifndef MATCH_TURN_COPY_H
#define MATCH_TURN_COPY_H

#include "play/player.h"

struct turn_copy {
	struct turn turn;
	VEC(uint64_t) state;
	VEC(uint32_t) last, legal, seen;
};

void turn_copy_set(struct turn_copy *k, const struct game *g, const struct turn *t);
void turn_copy_free(struct turn_copy *k);

#endif
