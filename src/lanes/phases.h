/* What is always so: fluents that never change, and fluents and moves that are
 * known from the number of the step alone.
 *
 * Most games give the turn in a fixed rotation: in even steps white is to move,
 * in odd steps black. With `period` phases, known[k * fluents + f] is what fluent f
 * is in every state reached after k, k + period, k + 2 period ... steps. Random
 * walks propose; induction over the circuit decides: whatever survives holds in
 * the initial state and is handed on from phase to phase whatever is played. */
#ifndef LANES_PHASES_H
#define LANES_PHASES_H

#include "circuit/circuit.h"

struct phases {
	uint32_t period;
	uint8_t *fluents; /* period * fluents: NO, YES, OPEN */
	uint8_t *moves;   /* period * moves */
};

/* Finds constants (a single phase) and specialises the circuit to them. Then
 * looks for the rotation; p->period is 1 when there is none worth having. Returns
 * the number of constant fluents. */
uint32_t phases_find(struct phases *p, struct circuit *c, const uint32_t *first_move, uint32_t roles,
                     const uint64_t *initial);
void phases_free(struct phases *p);

/* Do random walks come upon one of these? One byte per fluent (holds), then one byte per
 * move (is legal). */
bool phases_reach(const struct circuit *c, const uint32_t *first_move, uint32_t roles, const uint64_t *initial,
                  const uint8_t *strays);

#endif
