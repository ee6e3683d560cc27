/* Inside of the room: the steps of symmetry_find(), for groups of rounds too. */
#ifndef SYMMETRY_SYMMETRY_INTERNAL_H
#define SYMMETRY_SYMMETRY_INTERNAL_H

#include "symmetry/graph.h"
#include "symmetry/symmetry.h"

struct symmetry *symmetry_trivial_new(struct game *g, const uint64_t *home); /* without elements yet */

/* Tries permutations along random games from `home` on; drops those that fail. These are automorphisms, so a few states
 * are enough to see that the graph says what the rules say. False: out of time before one state was seen to the end. */
bool symmetry_try(const struct symmetry *s, uint32_t *images, size_t *count, uint32_t checks,
                  const struct limit *limit);

/* By the graph: fluents that hold get a colour of their own; nogoods are vertices joined to their moves; `steady`:
 * every role stays where it is. */
bool symmetry_graph_stabiliser(const struct symmetry *s, const uint64_t *state, const uint32_t *nogoods, size_t count,
                               bool steady, const struct limit *limit, struct automorphisms *a);

/* The elements: where there is no room for all, first those that leave `home` and the roles as they are, since states
 * are stored by these; what moves no fluent cannot distinguish states. */
void symmetry_write(struct symmetry *s, const struct limit *limit);

#endif
