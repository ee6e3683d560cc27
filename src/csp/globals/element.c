/* element: list[index - start] = value. Scope: the list, the index, the value. */
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

struct element {
	int64_t start; /* index of the list's first variable */
};

uint32_t csp_add_element(struct csp *n, const uint32_t *list, size_t count, int32_t start, uint32_t index,
                         uint32_t value)
{
	if (!count)
		return net_refuse(n, "element of an empty list");
	struct element *e = arena_alloc(&n->records, sizeof *e);
	e->start = start;
	return add_joined(n, CSP_ELEMENT, list, count, (uint32_t[]){index, value}, 2, e);
}

static bool overlap(const struct csp *n, uint32_t x, uint32_t y)
{
	assert(x < n->vars.n);
	assert(y < n->vars.n);
	const struct var *v = &n->vars.at[x], *w = &n->vars.at[y];
	if (v->vals == CSP_NONE && w->vals == CSP_NONE && v->base == w->base) {
		for (uint32_t i = 0; i < v->words && i < w->words; i++)
			if (dom(n, v)[i] & dom(n, w)[i])
				return true;
		return false;
	}
	DOM_EACH (i, n, x) {
		uint32_t j = csp_index(n, y, var_value(n, v, (uint32_t)i));
		if (j != CSP_NONE && dom_has(n, y, j))
			return true;
	}
	return false;
}

/* Does some variable that the index can point to have the value? */
static bool reachable(const struct csp *n, const uint32_t *list, uint32_t index, int64_t start, int64_t value)
{
	DOM_EACH (i, n, index)
		if (has_value(n, list[csp_value(n, index, (uint32_t)i) - start], value))
			return true;
	return false;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct element *e = c->record;
	const uint32_t *s = con_scope(n, c);
	uint32_t count = c->arity - 2, ix = s[count], vx = s[count + 1];
	int64_t start = e->start;
	DOM_EACH (i, n, ix) {
		int64_t k = csp_value(n, ix, (uint32_t)i) - start;
		if ((k < 0 || k >= count || !overlap(n, s[k], vx)) && !dom_drop(n, ix, (uint32_t)i))
			return false;
	}
	DOM_EACH (j, n, vx)
		if (!reachable(n, s, ix, start, csp_value(n, vx, (uint32_t)j)) && !dom_drop(n, vx, (uint32_t)j))
			return false;
	if (dom_size(n, ix) > 1)
		return true;
	uint32_t x = s[dom_min(n, ix) - start];
	DOM_EACH (i, n, x)
		if (!has_value(n, vx, csp_value(n, x, (uint32_t)i)) && !dom_drop(n, x, (uint32_t)i))
			return false;
	return true;
}

/* ---- explanations ---- */

#define FEW_VALUES 64 /* of a variable, that are looked at one by one */

/* The element at k and the value had nothing in common. */
static bool apart(struct csp *n, uint32_t x, uint32_t vx, uint32_t time)
{
	if (n->vars.at[x].count > FEW_VALUES)
		return false;
	for (uint32_t i = 0; i < n->vars.at[x].count; i++) {
		int64_t v = csp_value(n, x, i);
		if (!reason_lacks(n, x, v, time) && !reason_lacks(n, vx, v, time))
			return false;
	}
	return true;
}

static bool why_not_index(struct csp *n, const struct con *c, uint32_t ix, int64_t index, uint32_t time)
{
	const struct element *e = c->record;
	int64_t k = index - e->start;
	(void)ix;
	return k < 0 || k >= c->arity - 2 || apart(n, con_scope(n, c)[k], con_scope(n, c)[c->arity - 1], time);
}

static bool why_not_value(struct csp *n, const struct con *c, uint32_t vx, int64_t value, uint32_t time)
{
	const struct element *e = c->record;
	const uint32_t *s = con_scope(n, c);
	(void)vx;
	for (uint32_t k = 0; k + 2 < c->arity; k++)
		if (!reason_lacks(n, s[k], value, time) && !reason_lacks(n, s[c->arity - 2], e->start + k, time))
			return false;
	return true;
}

/* Of the element that is chosen. */
static bool why_not_element(struct csp *n, const struct con *c, uint32_t x, int64_t value, uint32_t time)
{
	(void)x;
	return reason_lacks(n, con_scope(n, c)[c->arity - 1], value, time);
}

static bool explain(struct csp *n, const struct con *c, const struct question *q)
{
	const uint32_t *s = con_scope(n, c);
	uint32_t ix = s[c->arity - 2], vx = s[c->arity - 1], x = atom_var(q->what);
	for (uint32_t p = 0; p + 2 < c->arity; p++)
		if (s[p] == ix || s[p] == vx)
			return false;
	if (ix == vx)
		return false;
	if (q->failure) { /* each index is gone, or its element has nothing in common with the value */
		for (uint32_t i = 0; i < n->vars.at[ix].count; i++)
			if (!reason_lacks(n, ix, csp_value(n, ix, i), q->time) &&
			    !why_not_index(n, c, ix, csp_value(n, ix, i), q->time))
				return false;
		return true;
	}
	if (x == ix)
		return reason_values(n, c, q, why_not_index);
	if (x == vx)
		return reason_values(n, c, q, why_not_value);
	if (learn_low(n, ix, q->time) != learn_high(n, ix, q->time))
		return false;
	reason_fixed(n, ix, q->time);
	return reason_values(n, c, q, why_not_element);
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct element *e = c->record;
	int64_t i = value_at(n, c, at, c->arity - 2) - e->start;
	return i >= 0 && i < c->arity - 2 && value_at(n, c, at, (uint32_t)i) == value_at(n, c, at, c->arity - 1);
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct element *e = c->record;
	const uint32_t *s = con_scope(n, c);
	xml_list_from(n, e->start, s, c->arity - 2, out);
	xml_list(n, "index", s + c->arity - 2, 1, out);
	xml_list(n, "value", s + c->arity - 1, 1, out);
}

/* A hidden variable within the bounds of r->vars. */
static uint32_t hidden_value(struct xcsp *r)
{
	int32_t low = INT32_MAX, high = INT32_MIN;
	for (size_t i = 0; i < r->vars.n; i++) {
		uint32_t x = r->vars.at[i];
		int32_t a = csp_value(r->n, x, 0), b = csp_value(r->n, x, csp_count(r->n, x) - 1);
		low = a < low ? a : low;
		high = b > high ? b : high;
	}
	return x_hidden(r, low, high);
}

/* What the element must satisfy; <value> v is (eq,v). */
static struct condition read_target(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *value = x_child(e, "value");
	if (!value)
		return x_condition(r, e);
	if (x_child(e, "condition"))
		x_fail(r, "element with both <value> and <condition>");
	return (struct condition){.op = CSP_OP_EQ, .x = x_one_var(r, value)};
}

static uint32_t target_variable(struct xcsp *r, const struct condition *c)
{
	return c->x != CSP_NONE ? c->x : x_constant(r, c->k);
}

/* Some variable of the list satisfies the condition. */
static void post_some(struct xcsp *r, const struct condition *c)
{
	uint32_t *any = arena_alloc(&r->text, r->vars.n * sizeof *any);
	for (size_t i = 0; i < r->vars.n; i++)
		any[i] = x_condition_expr(r, csp_expr_var(r->n, r->vars.at[i]), c);
	x_posted(r, csp_add_intension(r->n, x_posted(r, csp_expr(r->n, CSP_OP_OR, any, r->vars.n))));
}

/* No variable before (behind) the index satisfies the condition. */
static void post_rank(struct xcsp *r, uint32_t index, int64_t start, enum x_rank rank, const struct condition *c)
{
	for (size_t i = 0; rank != RANK_ANY && i < r->vars.n; i++) {
		uint32_t no = x_condition_expr(r, csp_expr_var(r->n, r->vars.at[i]), c);
		no = x_posted(r, csp_expr(r->n, CSP_OP_NOT, &no, 1));
		uint32_t past = x_bool(r, rank == RANK_FIRST ? CSP_OP_LE : CSP_OP_GE, csp_expr_var(r->n, index),
		                       csp_expr_const(r->n, start + (int64_t)i));
		x_posted(r, csp_add_intension(r->n, x_bool(r, CSP_OP_OR, past, no)));
	}
}

/* The element at the index satisfies the condition: or over the places where a hidden variable would not always have a
 * value (reified), else by that variable. */
static void post_element(struct xcsp *r, uint32_t index, int32_t start, const struct condition *c)
{
	if (c->op == CSP_OP_EQ) {
		x_posted(r, csp_add_element(r->n, r->vars.at, r->vars.n, start, index, target_variable(r, c)));
		return;
	}
	if (r->reifying) {
		uint32_t *any = arena_alloc(&r->text, r->vars.n * sizeof *any);
		for (size_t i = 0; i < r->vars.n; i++) {
			uint32_t here = x_bool(r, CSP_OP_EQ, csp_expr_var(r->n, index), csp_expr_const(r->n, start + (int64_t)i));
			any[i] = x_bool(r, CSP_OP_AND, here, x_condition_expr(r, csp_expr_var(r->n, r->vars.at[i]), c));
		}
		x_posted(r, csp_add_intension(r->n, x_posted(r, csp_expr(r->n, CSP_OP_OR, any, r->vars.n))));
		return;
	}
	uint32_t target = hidden_value(r);
	x_posted(r, csp_add_element(r->n, r->vars.at, r->vars.n, start, index, target));
	x_post_condition(r, csp_expr_var(r->n, target), c);
}

/* ---- matrices ---- */

static int32_t start_of(struct xcsp *r, xmlNode *e, const char *name)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *s = x_attr(r, e, name);
	int64_t v = 0;
	if (s && (!x_int(&s, &v) || *s || v > INT32_MAX / 2 || v < -INT32_MAX / 2))
		x_fail(r, "a bad %s", name);
	return (int32_t)v;
}

/* An index within its bounds. */
static void post_bounds(struct xcsp *r, uint32_t x, int64_t start, size_t count)
{
	assert(x < r->n->vars.n);
	struct condition c = {.op = CSP_OP_IN, .k = start, .high = start + (int64_t)count - 1, .x = CSP_NONE};
	if (csp_value(r->n, x, 0) < c.k || csp_value(r->n, x, csp_count(r->n, x) - 1) > c.high)
		x_post_condition(r, csp_expr_var(r->n, x), &c);
}

static void read_matrix(struct xcsp *r, xmlNode *e, xmlNode *m, const struct condition *c)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *index = x_child(e, "index");
	size_t rows, columns;
	int32_t row_start = start_of(r, m, "startRowIndex"), column_start = start_of(r, m, "startColIndex");
	if (index && x_rank(r, index) != RANK_ANY)
		x_fail(r, "rank with a matrix");
	uint32_t at[2] = {0};
	if (index) {
		x_refs(r, x_text(r, index), &r->more);
		if (r->more.n != 2)
			x_fail(r, "element of a matrix needs two indices");
		at[0] = r->more.at[0];
		at[1] = r->more.at[1];
	}
	x_matrix(r, m, &r->vars, &rows, &columns);
	if (!index) {
		post_some(r, c);
		return;
	}
	struct csp *n = r->n;
	post_bounds(r, at[0], row_start, rows);
	post_bounds(r, at[1], column_start, columns);
	uint32_t row = x_bool(r, CSP_OP_SUB, csp_expr_var(n, at[0]), csp_expr_const(n, row_start));
	uint32_t column = x_bool(r, CSP_OP_SUB, csp_expr_var(n, at[1]), csp_expr_const(n, column_start));
	uint32_t flat = x_bool(r, CSP_OP_ADD, x_bool(r, CSP_OP_MUL, row, csp_expr_const(n, (int64_t)columns)), column);
	post_element(r, x_define(r, flat), 0, c);
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *list = x_child(e, "list"), *matrix = x_child(e, "matrix"), *index = x_child(e, "index");
	if (!list == !matrix)
		x_fail(r, "element needs either <list> or <matrix>");
	struct condition c = read_target(r, e);
	if (matrix) {
		read_matrix(r, e, matrix, &c);
		return;
	}
	uint32_t at = index ? x_one_var(r, index) : CSP_NONE;
	x_list_of(r, e, &r->vars);
	if (!index) {
		post_some(r, &c);
		return;
	}
	int32_t start = x_start_index(r, list);
	post_element(r, at, start, &c);
	post_rank(r, at, start, x_rank(r, index), &c);
}

const struct kind kind_element = {
	.propagate = propagate, .explain = explain, .holds = holds, .write = write_xml, .read = read_xml};
