/* Fluents that exclude one another: groups of which at most one member holds in every reachable
 * state. Candidates are fluents that differ in one argument; small proofs over one step decide,
 * without search worth the name: what they miss is not found (analysis/mutex_groups.h finds more,
 * and takes longer). */
#ifndef CIRCUIT_EXCLUSIVE_H
#define CIRCUIT_EXCLUSIVE_H

#include "circuit/circuit.h"

#define EXCLUSIVE_NONE UINT32_MAX

/* The group of each fluent, or EXCLUSIVE_NONE; to be freed by mem_free(). */
uint32_t *exclusive_find(const struct circuit *c, const struct ground *g);

#endif
