/* States to try a permutation on: some along random matches; mixtures of these that
 * nobody can reach; and, since goals that are worth something are rarely met, some made
 * to measure for every goal and for the end: a gate is made true by making its inputs
 * true, one of them at random where one is enough. */
#ifndef ANALYSIS_SAMPLE_STATES_H
#define ANALYSIS_SAMPLE_STATES_H

#include "base/vec.h"
#include "game/game.h"

struct sample_states {
	VEC(uint64_t) at; /* states one after another */
	size_t count;
};

/* The game must have a circuit. The same states in every run. False: out of time, there are
 * fewer than there should be. */
bool sample_states_make(struct sample_states *s, struct game *g, const struct limit *limit);

#endif
