/* Why a statement does not hold: the clauses that could have given it, each with the conditions of its longest
 * beginning that can be met and the first one after it that fails; the nearest clause first. */
#ifndef EXPLAIN_FAILURE_H
#define EXPLAIN_FAILURE_H

#include "explain/explainer.h"

struct failure {
	uint32_t clause;
	uint32_t met, conditions; /* how many of its conditions; in a clause with `or` the branches count */
	node_t failing;           /* the condition, with its `not` */
	uint32_t values;          /* failures->values: of its variables at that point */
};

struct failures {
	VEC(struct failure) all;
	VEC(term_t) values;
};

/* The statement may have gaps. */
void failures_find(struct explainer *x, term_t statement, struct failures *f);
void failures_free(struct failures *f);
/* The failing condition, or a part of it, with the values it has at that point. */
term_t failure_instance(struct explainer *x, const struct failures *f, const struct failure *one, node_t part);

#endif
