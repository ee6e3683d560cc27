/* Symmetries for a search: which node stands for a state, and whose values may be
 * taken over (the hook of node.h).
 *
 * The symmetries of the rules that leave the initial state and the roles in place
 * lead from reachable states to reachable states: their smallest image stands for
 * all. What only a round has, is found round by round: mac_symmetry.c. */
#ifndef PLAY_MAC_SYMMETRY_TABLE_H
#define PLAY_MAC_SYMMETRY_TABLE_H

#include "symmetry/round.h"

struct symmetry_table;

/* Looks for the symmetries of the game within the limit. */
struct symmetry_table *symmetry_table_new(struct game *g, const struct limit *limit);
void symmetry_table_free(struct symmetry_table *x);
const struct symmetry *symmetry_table_of(const struct symmetry_table *x);
bool symmetry_table_useful(const struct symmetry_table *x); /* there is something to share by the rules */
/* From here on this state is the root: only symmetries that leave it as it is can make states below it equal, but for
 * rare ways round, and the others only cost time. */
void symmetry_table_root(struct symmetry_table *x, const uint64_t *state);
struct rounds *symmetry_table_rounds(const struct symmetry_table *x); /* NULL: no symmetries of rounds can be found */

const uint32_t *symmetry_table_canonical(void *context, const uint64_t *state, uint64_t *own, uint64_t *twin);

#endif
