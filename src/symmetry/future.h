/* Inside of the room: what is certain from a state on, whatever is played. */
#ifndef SYMMETRY_FUTURE_H
#define SYMMETRY_FUTURE_H

#include "circuit/circuit.h"

/* A circuit in normal form, with what rests on each node. */
struct future {
	const struct circuit *c;
	uint32_t *first, *above; /* above[first[n] .. first[n + 1]): what node n is an input of */
	uint8_t *value;          /* by node: NO, YES or OPEN */
	uint32_t *blockers;      /* by gate: inputs that are false */
	VEC(struct opened {
		uint32_t node;
		uint8_t was;
	}) todo;
};

void future_begin(struct future *f, const struct circuit *c);
void future_free(struct future *f);

/* Fills fluents and moves (NO, YES, OPEN): the values that every state has which can follow; moves that cannot become
 * legal are NO. What is certain from a state on is certain from all its successors on. */
void future_look(struct future *f, const uint64_t *state, uint8_t *fluents, uint8_t *moves);

#endif
