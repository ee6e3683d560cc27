/* A quantified problem made ready for the general search. */
#ifndef QCSP_COMPILE_H
#define QCSP_COMPILE_H

#include "qcsp/qcsp_internal.h"

#define SHAPE_MOST_ARITY 12

struct shape {       /* a small constraint, by classes of values */
	uint32_t *sizes; /* classes at each position; NULL: not small */
	uint8_t *truth;  /* tuples of classes, the last position fastest */
	size_t tuples;
};

struct part { /* of a large expression, down to parts with one variable */
	enum { PART_AND, PART_OR, PART_VALUES, PART_OTHER } kind;
	uint32_t first, count; /* of the parts of a conjunction or disjunction */
	uint32_t x;            /* the only variable; or any other expression, CSP_NONE: not known where it is defined */
	uint64_t bad;          /* values of x that make it false */
};

struct compiled {
	struct qcsp *q;         /* a copy with further (hidden) state variables and constraints, or the problem itself */
	bool own;               /* it is a copy */
	uint32_t vars, cons;    /* of the problem: the same numbers in the copy, where ours come behind them */
	bool *replaced;         /* constraints that ours stand for */
	struct classes classes; /* of the constraints of the problem */
	struct shape *shapes;   /* the same */
	bool *defined;          /* the same: expressions without division */
	VEC(struct part) parts;
	uint32_t *part_of;   /* the root of an expression that is not small; CSP_NONE: it is small, or no expression */
	const bool *ignored; /* constraints that take no part; NULL: none, not owned */
};

/* Without the constraints `ignored` (NULL: with all); it must last as long. */
void compiled_make(struct compiled *d, struct qcsp *q, const bool *ignored);
void compiled_free(struct compiled *d);

/* Does a small constraint hold for these value indices of its scope? */
static inline bool shape_holds(const struct compiled *d, uint32_t c, uint32_t arity, const uint32_t *at)
{
	const struct shape *s = &d->shapes[c];
	size_t tuple = 0;
	for (uint32_t p = 0; p < arity; p++)
		tuple = tuple * s->sizes[p] + classes_of(&d->classes, c, p)[at[p]];
	return s->truth[tuple];
}

/* Can no value left to its variables violate c, an expression that is not small? False when that is not obvious. */
bool compiled_cannot_fail(const struct compiled *d, uint32_t c);
/* For all classes left to the other positions: does some class left at position `free` fit? free = arity: all must
 * hold. */
bool shape_always(const struct shape *s, uint32_t arity, uint32_t free, const uint64_t *left);

#endif
