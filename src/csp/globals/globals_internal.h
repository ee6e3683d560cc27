/* A kind of constraint from within: the table of functions that every kind
 * provides, and what several of them share. list.inc says how to add a kind.
 *
 * What a constraint holds besides its scope is a record of its kind's own type
 * (struct count in count.c, for instance), known to that file alone. */
#ifndef CSP_GLOBALS_GLOBALS_INTERNAL_H
#define CSP_GLOBALS_GLOBALS_INTERNAL_H

#include "csp/csp_internal.h"

struct question;
struct symmetry_graph;
struct xcsp;
struct _xmlNode;

/* A propagator must be complete once all variables but one of the scope are
 * fixed, so that search never needs another check. */
struct kind {
	/* Chooses who propagates, when the constraint is indexed. NULL: `propagate` does. */
	enum prop (*attach)(struct csp *n, uint32_t c);
	bool (*propagate)(struct csp *n, uint32_t c); /* false: inconsistent */
	/* Do these value indices of the scope satisfy it? */
	bool (*holds)(struct csp *n, const struct con *c, const uint32_t *at);
	/* For constraints whose truth is a variable: is it known to hold, or not to? And propagation of its opposite. NULL,
	 * both: only known once all variables are fixed. */
	enum expr_truth (*truth)(struct csp *n, const struct con *c);
	bool (*deny)(struct csp *n, const struct con *c);
	/* Why was a change made, or does it fail? See csp/learn/learn.h. False, or NULL: because of all that the scope was.
	 */
	bool (*explain)(struct csp *n, const struct con *c, const struct question *q);
	/* XCSP3: the element's content, out and in. */
	void (*write)(const struct csp *n, const struct con *c, struct text *out);
	void (*read)(struct xcsp *r, struct _xmlNode *e);
	/* Is it the same constraint with the value indices a and b swapped everywhere? NULL: perhaps not. */
	bool (*swaps)(const struct csp *n, const struct con *c, uint32_t a, uint32_t b);
	/* Joins the symmetry graph without a list of tuples; once: no variable is named twice.
	 * False: it cannot. NULL: it never can. */
	bool (*graph)(struct symmetry_graph *m, const struct con *c, bool once);
	bool graph_first; /* even where the tuples are few enough to be listed */
};

#define X(id, name, functions) extern const struct kind kind_##functions;
#include "csp/globals/list.inc"

#include <assert.h>
#undef X
extern const struct kind *const csp_kinds[CSP_KIND_COUNT];

/* ---- building ---- */

/* A scope made of two lists. */
uint32_t add_joined(struct csp *n, enum csp_kind kind, const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
                    const void *record);

/* ---- values ---- */

static inline bool has_value(const struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	uint32_t i = csp_index(n, x, value);
	return i != CSP_NONE && dom_has(n, x, i);
}

static inline bool fix_value(struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	uint32_t i = csp_index(n, x, value);
	return i != CSP_NONE && dom_fix(n, x, i);
}

/* The integer at position p of a tuple of value indices. */
static inline int64_t value_at(const struct csp *n, const struct con *c, const uint32_t *at, uint32_t p)
{
	assert(c->scope + c->arity <= n->scopes.n);
	return csp_value(n, con_scope(n, c)[p], at[p]);
}

static inline bool compare_values(int64_t a, enum csp_relation r, int64_t b)
{
	switch (r) {
	case CSP_LT: return a < b;
	case CSP_LE: return a <= b;
	case CSP_GE: return a >= b;
	case CSP_GT: return a > b;
	case CSP_NE: return a != b;
	default: return a == b;
	}
}

static inline bool is_listed(const int64_t *values, size_t count, int64_t value)
{
	for (size_t i = 0; i < count; i++)
		if (values[i] == value)
			return true;
	return false;
}

/* ---- what kinds borrow from each other ---- */
struct sum;
/* The linear form of an intension constraint, or NULL when it has none. */
const struct sum *sum_of_intension(struct csp *n, uint32_t c);
bool sum_propagate(struct csp *n, const struct con *c, const struct sum *s);
void sum_graph(struct symmetry_graph *m, const struct con *c, const struct sum *s);
/* The kind of what is reified; its attribute (` reifiedBy="b"`) is added to the text. */
enum csp_kind reified_inside(const struct csp *n, const struct con *c, struct text *attribute);
/* As the kind's `explain`, for its opposite too. */
bool sum_explain(struct csp *n, const struct con *c, bool opposite, const struct question *q);
bool sum_explain_linear(struct csp *n, const struct con *c, const struct sum *s, const struct question *q);
bool relation_explain(struct csp *n, const struct con *c, const struct question *q);
bool cumulative_explain(struct csp *n, const struct con *c, const struct question *q);
bool relation_swaps(const struct relation *t, uint32_t a, uint32_t b);

#endif
