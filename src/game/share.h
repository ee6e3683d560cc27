/* Shared pairs: two literals that stand together in several gates of one kind
 * become a gate of their own, the most frequent pair first, again and again
 * (common-cube extraction, as in multi-level logic synthesis: Brayton, McMullen
 * 1982). Wide gates that overlap, like "somebody moved to another square" for every
 * square, shrink to trees with common branches. */
#ifndef GAME_SHARE_H
#define GAME_SHARE_H

#include "game/circuit.h"

/* Rewrites the gates that outputs need; the circuit computes the same. */
void circuit_share(struct circuit *c);

#endif
