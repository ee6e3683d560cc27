/* An evaluation of states learnt from random play: for each role a weight for each
 * fluent, fitted so that their sum foretells the score. */
#ifndef PLAY_EVALUATE_H
#define PLAY_EVALUATE_H

#include "play/player.h"

struct evaluation;

/* Uses at most the budget. NULL: nothing could be learnt (no time, or rules that
 * the interpreter has to run). */
struct evaluation *evaluation_learn(struct game *g, uint64_t seed, const struct budget *b);
double evaluation_of(const struct evaluation *e, const uint64_t *state, uint32_t role); /* 1..99 */
void evaluation_free(struct evaluation *e);

#endif
