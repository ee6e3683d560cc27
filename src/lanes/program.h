/* A circuit as straight-line code over slots.
 *
 * A slot holds one bit per lane. Slots [0, fluents) are the state; others receive
 * the legal moves and, after the choice, hold the moves done; then come the other
 * outputs, then temporaries, reused as soon as a value is dead.
 *
 * Code is a stream of 32-bit words, one operation after another:
 *
 *     header                       dst  src ... (positive ones, then negated ones)
 *     kind:4 | pos:14 | neg:14
 *
 * A fixpoint block is OP_LOOP with two sweeps over its members, one forward and
 * one backward, which the evaluator repeats until no lane changes. */
#ifndef LANES_PROGRAM_H
#define LANES_PROGRAM_H

#include "circuit/circuit.h"

enum op_kind {
	OP_AND,
	OP_OR,
	OP_GROW, /* dst |= src (one, negated or not); notes whether anything changed */
	OP_LOOP, /* header, forward length, backward length; the sweeps follow */
	OP_AND2,
	OP_ANDN,
	OP_OR2,
	OP_AND3,
	OP_OR3 /* frequent shapes, same layout */
};

#define OP_WIDEST 8000 /* sources of one operation; wider gates are split */

static inline uint32_t op_header(enum op_kind kind, uint32_t pos, uint32_t neg)
{
	return (uint32_t)kind | pos << 4 | neg << 18;
}
static inline uint32_t op_pos(uint32_t header)
{
	return header >> 4 & 0x3fff;
}
static inline uint32_t op_neg(uint32_t header)
{
	return header >> 18;
}

struct program_output {
	lit_t value;
	uint32_t slot;
};

struct program {
	VEC(uint32_t) code;
	uint32_t second;       /* code before it needs the state only, code after it the moves too */
	uint32_t slots, fixed; /* fixed: slots below it belong to the caller */
	size_t operations, operands;
};

struct program_plan {
	uint32_t fixed;             /* slots below it belong to the caller (inputs and outputs) */
	const uint32_t *move_slots; /* by move; NULL: fluents + move */
	/* Outputs of the first part are ready when it ends; their slots may then be
	 * overwritten. */
	const struct program_output *first, *second;
	size_t first_count, second_count;
};

void program_make(struct program *p, const struct circuit *c, const struct program_plan *plan);
void program_free(struct program *p);
void program_check(const struct program *p); /* asserts that no slot is read before it is written (base/check.h) */

#endif
