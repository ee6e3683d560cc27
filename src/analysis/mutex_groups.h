/* Fluent groups: sets of fluents of which at most one holds in every reachable
 * state, so that a whole set is the value of one variable.
 *
 * Candidates come from the shape of the fluents (same symbol, all arguments equal
 * but some), and, for what is left, from fluents never seen together; random walks
 * sieve them, induction proves them (induction.h). Names and the order of
 * arguments play no part. */
#ifndef ANALYSIS_MUTEX_GROUPS_H
#define ANALYSIS_MUTEX_GROUPS_H

#include "analysis/induction.h"
#include "game/game.h"

#define GROUP_NONE UINT32_MAX

struct group {
	uint32_t first, n; /* groups->members */
	bool exact;        /* one of them always holds; else there is a value `none` */
};

struct mutex_groups {
	VEC(struct group) all; /* groups of one member are Boolean variables */
	VEC(uint32_t) members;
	uint32_t *group_of;     /* by fluent; GROUP_NONE: constant */
	uint8_t *known;         /* by fluent: NO, YES, OPEN */
	VEC(struct fact) facts; /* what was proved: the cover is made of these */
	size_t candidates;
	struct induction_result effort;
	uint64_t states; /* seen on walks */
};

/* The game must have a circuit. */
void mutex_groups_find(struct mutex_groups *g, struct game *game, const struct limit *limit);
void mutex_groups_free(struct mutex_groups *g);
/* The same, kept with the game (facts.h); NULL: out of time. */
const struct mutex_groups *mutex_groups_of(struct game *game, const struct limit *limit);

#endif
