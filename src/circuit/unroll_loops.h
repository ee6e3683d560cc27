/* The circuit without fixpoint blocks and without very wide gates: what tables
 * can say. A block of n members is written out layer upon layer, from "none
 * holds" on; after n layers (or when a layer changes nothing) it is complete,
 * since a member that holds at all holds by a derivation of at most n steps. */
#ifndef CIRCUIT_UNROLL_LOOPS_H
#define CIRCUIT_UNROLL_LOOPS_H

#include "base/clock.h"
#include "circuit/circuit.h"

#define UNROLL_WIDEST 24 /* inputs of a gate */

/* False: more than max_inputs gate inputs, or out of time; `to` is empty then. */
bool unroll_loops(struct circuit *to, const struct circuit *from, size_t max_inputs, const struct limit *limit);

#endif
