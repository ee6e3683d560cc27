/* Cones of a circuit: what literals depend on inside one state, and the way back, what
 * depends on given inputs. A member of a fixpoint block brings the whole block. */
#ifndef CIRCUIT_CONE_H
#define CIRCUIT_CONE_H

#include "circuit/circuit.h"

/* The union of the cones of the literals added so far. */
struct cone {
	const struct circuit *c;
	uint8_t *in;         /* by node: it belongs to the cone */
	VEC(uint32_t) nodes; /* these nodes, in the order in which they were met */
	bool loops;          /* there is a member of a fixpoint block among them */
};

void cone_begin(struct cone *x, const struct circuit *c); /* empty; covers the nodes that the circuit has now */
void cone_free(struct cone *x);
void cone_clear(struct cone *x);

void cone_add(struct cone *x, lit_t l);
void cone_add_all(struct cone *x, const lit_t *l, size_t n);
void cone_add_outputs(struct cone *x); /* next, legal, goals, percepts, terminal */
/* False: the cone would have more than `most` nodes; it is incomplete then and can only be cleared. */
bool cone_add_within(struct cone *x, lit_t l, size_t most);

/* By node: on entry the fluents and moves that are marked, on return also the gates that depend on one of them. */
void circuit_dependents(const struct circuit *c, uint8_t *mark);

#endif
