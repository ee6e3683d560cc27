/* The ground program as gates: fluents and moves in; next, legal, terminal,
 * goal, sees out.
 *
 * A literal is a node number times two, plus one when negated. Node 0 is the
 * constant false. Then come the fluents, then the moves, then gates: AND and OR
 * of any width, each stored once. Inputs of a gate have smaller numbers, except
 * through LOOP nodes: members of a fixpoint block (recursion inside a state),
 * which start false and grow with their definitions until nothing changes. */
#ifndef CIRCUIT_CIRCUIT_H
#define CIRCUIT_CIRCUIT_H

#include "ground/ground.h"

typedef uint32_t lit_t;
#define LIT_FALSE 0u
#define LIT_TRUE 1u
#define LIT_NONE UINT32_MAX

enum gate_kind { GATE_FALSE, GATE_FLUENT, GATE_MOVE, GATE_AND, GATE_OR, GATE_LOOP };

struct gate {
	enum gate_kind kind;
	uint32_t n;  /* inputs; GATE_LOOP: the block it belongs to */
	uint32_t in; /* circuit->inputs */
};

struct loop_member {
	uint32_t node;
	lit_t definition;
};

struct circuit {
	VEC(struct gate) gates;
	VEC(lit_t) inputs;
	struct table index;
	VEC(uint32_t) loops; /* block b: members[loops[b] .. loops[b+1]) */
	VEC(struct loop_member) members;
	uint32_t fluents, moves;
	VEC(lit_t) next, legal, goals, percepts; /* by fluent, move, goal, percept of the ground program */
	lit_t terminal;
	VEC(lit_t) atoms; /* by atom of the ground program, to say what a gate is; LIT_NONE: it has no gate here */
};

static inline uint32_t circuit_fluent(const struct circuit *c, uint32_t f)
{
	(void)c;
	return 1 + f;
}

static inline uint32_t circuit_move(const struct circuit *c, uint32_t m)
{
	return 1 + c->fluents + m;
}

/* Building blocks for passes that write a circuit anew: an empty one with its
 * inputs, a gate (simplified and stored once; `l` is reordered), a LOOP node. */
void circuit_begin(struct circuit *c, uint32_t fluents, uint32_t moves);
lit_t circuit_gate(struct circuit *c, enum gate_kind kind, lit_t *l, uint32_t n);
lit_t circuit_loop_node(struct circuit *c, uint32_t block);
/* The OR of n ANDs, AND i of the literals [ends[i - 1], ends[i]) of `l`: what they have in common is taken out. */
lit_t circuit_sum(struct circuit *c, const lit_t *l, const uint32_t *ends, uint32_t n);

void circuit_make(struct circuit *c, const struct ground *g);
void circuit_make_plain(struct circuit *c,
                        const struct ground *g); /* sums of products as the rules have them, nothing factored out */
void circuit_free(struct circuit *c);
void circuit_check(const struct circuit *c); /* asserts that it has no circles and no gate twice (base/check.h) */

/* What is known of a fluent or a move. */
enum { NO, YES, OPEN };

/* The circuit with known fluents and moves (NULL: none) made constants and all
 * that follows from it folded. Only what outputs need is kept. */
void circuit_specialise(struct circuit *to, const struct circuit *from, const uint8_t *fluents, const uint8_t *moves);

/* Fluents that can influence legal, terminal or goal, now or later; the others
 * only stand in the state. One byte per fluent. */
void circuit_observable(const struct circuit *c, uint8_t *fluent);

size_t circuit_gates(const struct circuit *c); /* AND and OR gates that an output needs */

#endif
