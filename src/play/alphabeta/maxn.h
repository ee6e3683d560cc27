/* max^n (Luckhardt and Irani 1986): search where every role wants the most for itself,
 * and nothing else. Values are vectors, one score per role, so there are no windows.
 *
 * Roles that choose at once are taken in turn, our own first, each knowing what those
 * before it chose; `random` comes last and is averaged. Of equal moves the first counts.
 * Horizons and estimates are as in search.h. */
#ifndef PLAY_ALPHABETA_MAXN_H
#define PLAY_ALPHABETA_MAXN_H

#include "play/alphabeta/search.h"

struct evaluation;

/* values: the scores by role that go with the result; roots: what the role's own moves are worth to
 * it; either may be NULL. `sound` is never set: the others may want something else. */
struct search_result maxn_run(struct seat *s, const struct search_options *o, const struct evaluation *e,
                              const uint64_t *state, const struct budget *b, double *values, struct root_values *roots);

#endif
