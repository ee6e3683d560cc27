/* States that would be worth reaching: ends with a given goal, whether or not a play
 * leads there, that differ little from the initial state. They guide a search where
 * marks are set one by one and only the whole counts; and where there is none, no play
 * has that goal. */
#ifndef PUZZLE_GOAL_STATES_H
#define PUZZLE_GOAL_STATES_H

#include "base/clock.h"
#include "circuit/circuit.h"

struct goal_states;
/* `c`: without blocks; it must stay, as must the limit. `any`: goals, one of which is to hold. */
struct goal_states *goal_states_new(const struct circuit *c, const uint64_t *initial, const lit_t *any, uint32_t n,
                                    const struct limit *limit);
/* Another one, unlike those before; false: there is none, or it is hard to find. */
bool goal_states_next(struct goal_states *t, uint64_t *state);
/* The first one was looked for, and it is proved that no state is such an end. */
bool goal_states_refuted(const struct goal_states *t);
void goal_states_free(struct goal_states *t);

#endif
