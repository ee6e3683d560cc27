/* How nearly a state ends the game with a given goal: the goal rule's conjuncts
 * that hold, counted through the circuit. An AND is worth the mean of its inputs, an
 * OR the best of them; so 1 is reached only where the literal holds, and every
 * conjunct won is a step up. A guide for searches, no bound. */
#ifndef PUZZLE_GOAL_HEURISTIC_H
#define PUZZLE_GOAL_HEURISTIC_H

#include "circuit/circuit.h"

struct goal_heuristic;
/* `c`: without blocks; it must stay. The literals are taken together. NULL: too large to be worth it. */
struct goal_heuristic *goal_heuristic_new(const struct circuit *c, const lit_t *all, uint32_t n);
float goal_heuristic_of(struct goal_heuristic *h, const uint64_t *state);
void goal_heuristic_free(struct goal_heuristic *h);

#endif
