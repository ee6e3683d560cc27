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

struct compiled {
	struct qcsp *q;         /* a copy with further (hidden) state variables and constraints, or the problem itself */
	bool own;               /* it is a copy */
	uint32_t vars, cons;    /* of the problem: the same numbers in the copy, where ours come behind them */
	bool *replaced;         /* constraints that ours stand for */
	struct classes classes; /* of the constraints of the problem */
	struct shape *shapes;   /* the same */
};

void compiled_make(struct compiled *d, struct qcsp *q);
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

#endif
