/* Gates that a single gate of their kind needs go into it: p.(q.r) becomes p.q.r where
 * nothing else needs q.r. What outputs do not need is left out. */
#ifndef CIRCUIT_ABSORB_H
#define CIRCUIT_ABSORB_H

#include "circuit/circuit.h"

/* The circuit computes the same. Its atoms are forgotten. */
void circuit_absorb(struct circuit *c);

#endif
