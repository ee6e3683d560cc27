/* The coloured graph whose automorphisms are symmetries, as the kinds of
 * constraints build it; symmetry_graph.c explains its vertices and edges. */
#ifndef CSP_SYMMETRY_SYMMETRY_GRAPH_H
#define CSP_SYMMETRY_SYMMETRY_GRAPH_H

#include "base/hash.h"
#include "csp/csp_internal.h"
#include "graph/automorphism.h"

struct key {
	int64_t of[3];
};

struct weighted {
	int64_t weight;
	uint32_t vertex; /* of a literal */
};
typedef VEC(struct weighted) weights;

struct symmetry_graph {
	struct csp *n;
	struct coloured_graph g;
	uint32_t *vertex;      /* by literal; CSP_NONE: its variable is fixed, or it is gone */
	VEC(uint32_t) literal; /* by vertex */
	VEC(uint64_t) edges;   /* smaller end first, may come twice */
	VEC(struct key) keys;  /* of the colours beyond the fixed ones */
	struct table table;
	VEC(uint32_t) open; /* positions of the constraint at hand whose variables are not fixed */
	uint32_t *seen;     /* by variable: the last constraint it was seen in, plus 1 */
	uint64_t checks;
	uint32_t held;
	bool large; /* too large: stop */
};

/* What a constraint says about the sum of the weights of the literals that hold. */
enum weighing { WEIGH_SUM, WEIGH_COUNT, WEIGH_OBJECTIVE };

uint32_t symmetry_graph_vertex(const struct symmetry_graph *m, uint32_t x, uint32_t i); /* of a literal */
void symmetry_graph_join(struct symmetry_graph *m, uint32_t a, uint32_t b);
uint32_t symmetry_graph_table(struct symmetry_graph *m); /* a vertex for a constraint whose allowed tuples follow */
/* The tuple `at` over the open positions, allowed by `table` or (CSP_NONE) forbidden; cells of CSP_CELL_ANY name
 * nothing. */
void symmetry_graph_tuple(struct symmetry_graph *m, const uint32_t *scope, const uint32_t *at, uint32_t table);
/* A constraint on a weighed sum of literals; frees w. */
void symmetry_graph_weights(struct symmetry_graph *m, weights *w, enum weighing what, int64_t relation, int64_t k);
/* The same for coefficients times variables. */
void symmetry_graph_sum(struct symmetry_graph *m, const uint32_t *scope, const int64_t *coeffs, size_t arity,
                        enum weighing what, int64_t relation, int64_t k);

#endif
