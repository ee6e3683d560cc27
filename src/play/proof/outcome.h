/* Games of two roles solved by proof.h: what each role can be sure of, whatever the other one does, and the moves that
 * keep it. Where the scores of both always add up to the same, one proof tells the value for both; else each role has a
 * proof of its own, in which the other one is its enemy. */
#ifndef PLAY_PROOF_OUTCOME_H
#define PLAY_PROOF_OUTCOME_H

#include "play/proof/proof.h"

struct outcome;

/* Why a game cannot be solved in this way; NULL: it can. */
const char *outcome_refusal(struct game *g, struct worker *w);

/* `sum`: what the scores of both add up to at every end; below 0: nothing of the kind is known. The game must not be
 * refused. */
struct outcome *outcome_new(struct game *g, int sum, size_t bytes);
void outcome_free(struct outcome *o); /* NULL is nothing */

/* Works on a position until it is solved for both roles (true) or the limit is reached. */
bool outcome_run(struct outcome *o, const uint64_t *state, const struct limit *l);
/* Is it certain that more work brings nothing: a position comes back on its own path? After outcome_run(). */
bool outcome_in_vain(const struct outcome *o);
struct proof_bounds outcome_bounds(const struct outcome *o, const uint64_t *state, uint32_t role);
/* The move of `role`, whose turn it is, that keeps what it can be sure of: the shortest win known or the longest loss.
 * False: it was not found before the limit. */
bool outcome_move(struct outcome *o, const uint64_t *state, uint32_t role, const struct limit *l, uint32_t *move);
uint64_t outcome_positions(const struct outcome *o); /* made so far */

#endif
