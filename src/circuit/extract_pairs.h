/* Shared pairs: two literals that stand together in several gates of one kind
 * become a gate of their own, the most frequent pair first, again and again
 * (common-cube extraction, as in multi-level logic synthesis: Brayton, McMullen
 * 1982). Wide gates that overlap, like "somebody moved to another square" for every
 * square, shrink to trees with common branches. */
#ifndef CIRCUIT_EXTRACT_PAIRS_H
#define CIRCUIT_EXTRACT_PAIRS_H

#include "circuit/circuit.h"

/* Rewrites the gates that outputs need; the circuit computes the same. */
void circuit_extract_pairs(struct circuit *c);

#endif
