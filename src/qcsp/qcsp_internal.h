/* The inside of a quantified problem, for the files of this room only. */
#ifndef QCSP_QCSP_INTERNAL_H
#define QCSP_QCSP_INTERNAL_H

#include "base/bits.h"
#include "base/hash.h"
#include "base/vec.h"
#include "csp/inspect.h"
#include "qcsp/qcsp.h"

struct qcsp {
	struct csp *n;
	bool strategic;
	VEC(uint32_t) sequence;
	VEC(bool) forall;
	uint32_t *place; /* in the sequence, or CSP_NONE: a state variable */
};

/* ---- classes.c: values that a constraint does not distinguish ---- */
struct classes {
	uint32_t *start; /* offset into `at`, by constraint */
	uint32_t *at;    /* per constraint and position: of its values in `of` */
	uint32_t *of;    /* class of a value index */
};
void classes_build(struct classes *k, struct csp *n);
void classes_free(struct classes *k);
static inline const uint32_t *classes_of(const struct classes *k, uint32_t c, uint32_t p)
{
	return k->of + k->at[k->start[c] + p];
}

/* Quantified variables that must be set before a constraint takes part, by constraint; parts of one constraint wait for
 * each other. *late (may be NULL): some constraint waits although its own variables are set. The caller frees it. */
uint32_t *qcsp_depths(const struct qcsp *q, bool *late);
uint32_t qcsp_own_depth(const struct qcsp *q, uint32_t c); /* without waiting for other parts */

struct compiled;

/* ---- position.c: a position in the sequence, by the definition ---- */
struct position {
	struct qcsp *q;
	struct csp *n;
	uint32_t depth;             /* quantified variables set */
	uint32_t base;              /* level of the network at depth 0 */
	const struct compiled *d;   /* what it was made from, or NULL */
	uint32_t cons;              /* constraints of the problem itself */
	uint32_t *depth_of;         /* of constraints */
	uint32_t *by_depth, *first; /* constraints propagated from depth d on: by_depth[first[d]..first[d+1]) */
	uint32_t *woken, *woken_at; /* the same for the constraints of the problem itself */
	VEC(uint32_t) state;        /* state variables of the problem itself */
	uint32_t *witness;          /* a solution of what is awake, as value indices */
	VEC(uint32_t) changes;      /* of the witness in this step: variable, value before */
	int32_t *found;
	size_t *support_at;   /* by constraint that wakes: where its words in `supports` start, */
	uint32_t *support_of; /* and the other variable; CSP_NONE: not two variables, or too many values */
	uint64_t *supports;
	uint64_t searches;
	struct limit limit; /* of a search */
	bool stopped;       /* it was reached: what was found not to be possible may be so */
};
/* The problem q itself, or a compiled one. False: the constraints on the state alone have no solution. */
bool position_start(struct position *p, struct qcsp *q, const struct compiled *d, const struct limit *l);
bool position_set(struct position *p,
                  uint32_t at); /* the next variable; true: possible. position_undo follows either way */
/* Values of the next variable that every constraint on it and one other variable supports, without setting any. */
uint32_t position_values(struct position *p, uint32_t *list);
void position_undo(struct position *p);
void position_free(struct position *p); /* everything awake again, but what is replaced */

/* ---- the solvers ---- */
struct search_state {
	struct qcsp *q;
	const struct qcsp_options *o;
	struct qcsp_result *r;
	uint64_t polls;
	bool stop;
};
bool qcsp_limit(struct search_state *s); /* polls; true: stop */
bool qcsp_general(struct search_state *s);
/* False: the network has no positional form (s->r->refused says why). */
bool qcsp_positional(struct search_state *s, bool *answer);
bool qcsp_brute(struct search_state *s);

#endif
