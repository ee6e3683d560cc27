/* The average strategy of the regret minimisation, told by information sets: what the role has seen and done, and how
 * often it makes each of its moves. For games whose whole tree is written down (mccfr.h). */
#ifndef PLAY_HIDDEN_STRATEGY_H
#define PLAY_HIDDEN_STRATEGY_H

#include "base/arena.h"
#include "play/hidden/mccfr.h"

struct strategy_set {
	uint32_t role, count;
	uint64_t view;
	const char *knows;
	const uint32_t *moves;
	double *shares;
	double reach;
};

struct strategy {
	struct seat seat;
	struct mccfr *mccfr;
	uint64_t iterations;
	VEC(struct strategy_set) sets;
	struct arena arena;
};

/* False with a message: the game is open, or its tree is too large. */
bool strategy_make(struct strategy *s, struct game *g, uint64_t seed, struct text *error);
void strategy_improve(struct strategy *s, const struct budget *b);
void strategy_free(struct strategy *s);

#endif
