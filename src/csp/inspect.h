/* What is in the constraints of a network: the tuples of tables, the trees of
 * expressions. For those who reason about constraints instead of running them. */
#ifndef CSP_INSPECT_H
#define CSP_INSPECT_H

#include "csp/csp.h"

#define CSP_CELL_ANY UINT32_MAX /* the cell of a tuple that any value fits */

struct csp_table {
	uint32_t arity, rows;
	bool positive;         /* the tuples are allowed, not forbidden */
	bool any;              /* some cell is CSP_CELL_ANY */
	const uint32_t *cells; /* rows * arity value indices, or CSP_CELL_ANY; until the next builder is called */
};
struct csp_table csp_table(const struct csp *n, uint32_t c); /* all zero: c is no table */

/* A node of an expression; pointers are good until the next one is built. */
struct csp_node {
	enum csp_operator op;
	int64_t value;     /* constant, or variable */
	uint32_t position; /* of a variable in the scope of its constraint */
	uint32_t count;
	const uint32_t *args;
};
struct csp_node csp_expr_node(const struct csp *n, uint32_t e);
uint32_t csp_root(const struct csp *n, uint32_t c); /* of an intension constraint */
/* values: one integer per position of the constraint's scope. False: undefined, such as a division by zero. */
bool csp_expr_eval(struct csp *n, uint32_t e, const int64_t *values, int64_t *out);

struct csp_bounds { /* low > high: undefined */
	int64_t low, high;
};
struct csp_bounds csp_expr_bounds(struct csp *n, uint32_t e); /* in the present domains */

#endif
