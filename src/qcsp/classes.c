/* Values that a constraint does not distinguish. In an expression a variable shows
 * only through the largest subexpressions that mention no other variable: two
 * values on which all of these agree are interchangeable there. "All odd" has
 * two classes of a variable with fifty values. In a table with wildcards the values
 * that no row names are alike. Other constraints get one class per value, which
 * is always sound. */
#include "qcsp/qcsp_internal.h"

#include <string.h>

/* Variables below a node: CSP_NONE: none; the position of the only one; UINT32_MAX - 1: several. */
#define SEVERAL (UINT32_MAX - 1)

static uint32_t only_variable(const struct csp *n, uint32_t e)
{
	const struct csp_node d = csp_expr_node(n, e);
	if (d.op == CSP_OP_VAR)
		return d.position;
	uint32_t seen = CSP_NONE;
	for (uint32_t i = 0; i < d.count; i++) {
		uint32_t k = only_variable(n, d.args[i]);
		if (k == SEVERAL || (k != CSP_NONE && seen != CSP_NONE && k != seen))
			return SEVERAL;
		if (k != CSP_NONE)
			seen = k;
	}
	return seen;
}

struct views {
	uint32_t position, node;
};
typedef VEC(struct views) view_list;

static void collect(const struct csp *n, uint32_t e, view_list *out)
{
	uint32_t only = only_variable(n, e);
	if (only == CSP_NONE)
		return;
	if (only != SEVERAL) {
		vec_push(out, (struct views){only, e});
		return;
	}
	const struct csp_node d = csp_expr_node(n, e);
	for (uint32_t i = 0; i < d.count; i++)
		collect(n, d.args[i], out);
}

static bool same_views(struct csp *n, const view_list *v, uint32_t p, int64_t *values, int64_t a, int64_t b)
{
	for (size_t i = 0; i < v->n; i++) {
		if (v->at[i].position != p)
			continue;
		int64_t x = 0, y = 0;
		values[p] = a;
		bool dx = csp_expr_eval(n, v->at[i].node, values, &x);
		values[p] = b;
		bool dy = csp_expr_eval(n, v->at[i].node, values, &y);
		if (dx != dy || (dx && x != y))
			return false;
	}
	return true;
}

static void of_expression(struct classes *k, struct csp *n, uint32_t c)
{
	view_list views = {0};
	uint32_t arity = csp_arity(n, c);
	int64_t *values = NEW_ARRAY(int64_t, arity);
	collect(n, csp_root(n, c), &views);
	for (uint32_t p = 0; p < arity; p++) {
		uint32_t x = csp_scope(n, c)[p], *of = k->of + k->at[k->start[c] + p];
		VEC(uint32_t) first = {0};
		for (uint32_t i = 0; i < csp_count(n, x); i++) {
			uint32_t g = 0;
			while (g < first.n && !same_views(n, &views, p, values, csp_value(n, x, first.at[g]), csp_value(n, x, i)))
				g++;
			if (g == first.n)
				vec_push(&first, i);
			of[i] = g;
		}
		vec_free(&first);
	}
	mem_free(values);
	vec_free(&views);
}

/* In a table with wildcards all values that no row names are alike. */
static void of_table(struct classes *k, struct csp *n, uint32_t c)
{
	const struct csp_table t = csp_table(n, c);
	for (uint32_t p = 0; t.any && p < t.arity; p++) {
		uint32_t x = csp_scope(n, c)[p], count = csp_count(n, x), *of = k->of + k->at[k->start[c] + p];
		uint32_t next = 1; /* 0: not named */
		memset(of, 0, count * sizeof *of);
		for (uint32_t r = 0; r < t.rows; r++) {
			uint32_t cell = t.cells[(size_t)r * t.arity + p];
			if (cell != CSP_CELL_ANY && !of[cell])
				of[cell] = next++;
		}
	}
}

/* Bare variables make every value its own class: do not compare all pairs then. */
static bool bare(const struct csp *n, uint32_t c)
{
	const struct csp_node d = csp_expr_node(n, csp_root(n, c));
	for (uint32_t i = 0; i < d.count; i++)
		if (csp_expr_node(n, d.args[i]).op != CSP_OP_VAR)
			return false;
	return d.count > 0;
}

void classes_build(struct classes *k, struct csp *n)
{
	size_t positions = 0, values = 0;
	uint32_t cons = csp_constraints(n);
	for (uint32_t c = 0; c < cons; c++) {
		positions += csp_arity(n, c);
		for (uint32_t p = 0; p < csp_arity(n, c); p++)
			values += csp_count(n, csp_scope(n, c)[p]);
	}
	k->start = mem_alloc(cons + 1, sizeof *k->start);
	k->at = mem_alloc(positions + 1, sizeof *k->at);
	k->of = mem_alloc(values + 1, sizeof *k->of);
	positions = values = 0;
	for (uint32_t c = 0; c < cons; c++) {
		k->start[c] = (uint32_t)positions;
		for (uint32_t p = 0; p < csp_arity(n, c); p++) {
			k->at[positions++] = (uint32_t)values;
			for (uint32_t i = 0; i < csp_count(n, csp_scope(n, c)[p]); i++)
				k->of[values++] = i;
		}
		if (csp_kind(n, c) == CSP_INTENSION && !bare(n, c))
			of_expression(k, n, c);
		if (csp_kind(n, c) == CSP_TABLE)
			of_table(k, n, c);
	}
}

void classes_free(struct classes *k)
{
	mem_free(k->start);
	mem_free(k->at);
	mem_free(k->of);
}
