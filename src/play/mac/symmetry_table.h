/* Symmetries for a search: which node stands for a state, and whose values may be
 * taken over (the hook of node.h).
 *
 * Two sources. The symmetries of the rules that leave the initial state and the roles
 * in place lead from reachable states to reachable states: their smallest image
 * stands for all. Where the group is too large to be written out, the stabiliser of
 * the present state is asked for at every move, and the states after equivalent
 * joint moves are stored together in a Zobrist table. */
#ifndef PLAY_MAC_SYMMETRY_TABLE_H
#define PLAY_MAC_SYMMETRY_TABLE_H

#include "symmetry/symmetry.h"

struct symmetry_table;

/* Looks for the symmetries of the game within the limit. */
struct symmetry_table *symmetry_table_new(struct game *g, const struct limit *limit);
void symmetry_table_free(struct symmetry_table *x);
const struct symmetry *symmetry_table_of(const struct symmetry_table *x);
bool symmetry_table_useful(const struct symmetry_table *x); /* there is something to share */

/* The present state of the match, and `count` joint moves (one number per role) that are not worth
 * it: symmetries of this round map these to one another. Returns how many joint moves were
 * found equivalent to another one. */
size_t symmetry_table_round(struct symmetry_table *x, struct worker *w, const uint64_t *state, const uint32_t *nogoods,
                       size_t count, const struct limit *limit);
bool symmetry_table_by_round(const struct symmetry_table *x); /* does symmetry_table_round look for anything? */

const uint32_t *symmetry_table_canonical(void *context, const uint64_t *state, uint64_t *own, uint64_t *twin);

#endif
