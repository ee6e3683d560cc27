/* An evaluation of states learnt from random play: for each role a weight for each
 * fluent, fitted so that their sum foretells the score. */
#ifndef PLAY_LEARN_LINEAR_EVAL_H
#define PLAY_LEARN_LINEAR_EVAL_H

#include "play/player.h"

struct linear_eval;

/* Uses at most the budget. `from`: random play begins there (NULL: where the game does).
 * NULL: nothing could be learnt (no time, or rules that the interpreter has to run). */
struct linear_eval *linear_eval_learn(struct game *g, const uint64_t *from, uint64_t seed, const struct budget *b);
double linear_eval_of(const struct linear_eval *e, const uint64_t *state, uint32_t role); /* 1..99 */
/* How much of the spread of the scores it explains, for the role it explains least: 1 is
 * all, 0 or less nothing. Measured on playouts that it has not learnt from. */
double linear_eval_skill(const struct linear_eval *e);
void linear_eval_free(struct linear_eval *e);

#endif
