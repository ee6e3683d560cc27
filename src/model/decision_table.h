/* From a piece of the circuit to a table with short tuples.
 *
 * The piece is the cone of some literals down to its leaves: nodes that are known
 * from one variable each (a fluent from its group, a move from its role's action,
 * a gate from its auxiliary variable). Most of what a cone asks a variable is
 * asked of it alone: values that answer all such questions alike form a class,
 * and the table is written over classes (`views` of the variables).
 *
 * The rows are the leaves of a decision tree: three-valued evaluation under the
 * views assigned so far, until the outcome is certain; then what is not assigned
 * does not matter and becomes `*`. Rows of one tree never overlap. */
#ifndef MODEL_DECISION_TABLE_H
#define MODEL_DECISION_TABLE_H

#include "circuit/circuit.h"

#define DECISION_NONE UINT32_MAX
#define DECISION_ANY UINT32_MAX

struct leaf {
	uint32_t var, at; /* true when the variable has this value; var DECISION_NONE: no leaf */
};

struct decision_job {
	const lit_t *out; /* literals of which the outcome is the one that holds: 0 .. outs-1, or outs for none */
	uint32_t outs;
	bool one;       /* at most one of them can hold (else two or more count as none) */
	bool exact;     /* and one always does */
	bool only_true; /* keep no row whose outcome is none */
	uint32_t max_rows, max_work;
};

struct decision_view {
	uint32_t var, classes;
	uint32_t *class_of; /* by value */
};

struct decision_table {
	/* set by the caller */
	const struct circuit *c;
	const struct leaf *leaf; /* by node */
	const uint32_t *count;   /* values, by variable */
	const uint8_t *prefer;   /* by variable: larger is branched on first */
	/* the result: rows of views.n + 1 cells, the last being the outcome */
	VEC(struct decision_view) views;
	VEC(uint32_t) cells;
	uint32_t rows;
	/* scratch */
	struct decision_scratch *s;
};

/* False: too many rows, or too much work; the result is empty then. */
bool decision_make(struct decision_table *t, const struct decision_job *job);
void decision_clear(struct decision_table *t); /* forget the result */
void decision_free(struct decision_table *t);

#endif
