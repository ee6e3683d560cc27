/* lex: one list is lexicographically before another. Scope: the first list, the second. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

struct lex {
	enum csp_relation relation; /* LT, LE, GE or GT */
};

uint32_t csp_add_lex(struct csp *n, const uint32_t *a, const uint32_t *b, size_t count, enum csp_relation r)
{
	if (r == CSP_NE || r == CSP_EQ)
		return net_refuse(n, "lex takes lt, le, ge or gt");
	struct lex *d = arena_alloc(&n->records, sizeof *d);
	d->relation = r;
	return add_joined(n, CSP_LEX, a, count, b, count, d);
}

/* Can a[from..] still be lexicographically below b[from..]? */
static bool possible(const struct csp *n, const uint32_t *a, const uint32_t *b, uint32_t from, uint32_t count,
                     bool strict)
{
	for (uint32_t i = from; i < count; i++) {
		int32_t low = dom_min(n, a[i]), high = dom_max(n, b[i]);
		if (low != high)
			return low < high;
	}
	return !strict;
}

/* The first undecided pair carries all there is to infer (Frisch et al. 2002). */
static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct lex *d = c->record;
	const uint32_t *s = con_scope(n, c);
	enum csp_relation r = d->relation;
	uint32_t count = c->arity / 2;
	bool strict = r == CSP_LT || r == CSP_GT;
	const uint32_t *a = r == CSP_LT || r == CSP_LE ? s : s + count, *b = a == s ? s + count : s;
	for (uint32_t i = 0; i < count; i++) {
		int64_t gap = possible(n, a, b, i + 1, count, strict) ? 0 : 1;
		if (!dom_at_most(n, a[i], dom_max(n, b[i]) - gap) || !dom_at_least(n, b[i], dom_min(n, a[i]) + gap))
			return false;
		if (dom_size(n, a[i]) > 1 || dom_size(n, b[i]) > 1 || dom_min(n, a[i]) != dom_min(n, b[i]))
			return true;
	}
	return !strict;
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct lex *d = c->record;
	uint32_t count = c->arity / 2;
	for (uint32_t p = 0; p < count; p++) {
		int64_t a = value_at(n, c, at, p), b = value_at(n, c, at, count + p);
		if (a != b)
			return compare_values(a, d->relation, b);
	}
	return d->relation == CSP_LE || d->relation == CSP_GE;
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct lex *d = c->record;
	uint32_t count = c->arity / 2;
	xml_list(n, "list", con_scope(n, c), count, out);
	xml_list(n, "list", con_scope(n, c) + count, count, out);
	xml_operator(d->relation, out);
}

/* Each row of the matrix in r->vars is before the next, and so is each column. */
static void post_matrix(struct xcsp *r, size_t rows, size_t columns, enum csp_relation rel)
{
	for (size_t k = 0; k + 1 < rows; k++)
		x_posted(r, csp_add_lex(r->n, r->vars.at + k * columns, r->vars.at + (k + 1) * columns, columns, rel));
	uint32_t *column = arena_alloc(&r->text, 2 * rows * sizeof *column);
	for (size_t k = 0; k + 1 < columns; k++) {
		for (size_t i = 0; i < rows; i++) {
			column[i] = r->vars.at[i * columns + k];
			column[rows + i] = r->vars.at[i * columns + k + 1];
		}
		x_posted(r, csp_add_lex(r->n, column, column + rows, rows, rel));
	}
}

/* With more than two lists, each is before the next. */
static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	enum csp_relation rel = x_operator(r, e);
	size_t length = 0, lists = 0;
	xmlNode *matrix = x_child(e, "matrix");
	if (matrix) {
		if (x_child(e, "list"))
			x_fail(r, "lex with both <list> and <matrix>");
		x_matrix(r, matrix, &r->vars, &lists, &length);
		if (lists < 2 && length < 2)
			x_fail(r, "lex needs two rows or columns");
		post_matrix(r, lists, length, rel);
		return;
	}
	vec_clear(&r->vars);
	X_EACH(k, e)
	{
		if (!x_is(k, "list"))
			continue;
		x_refs(r, x_text(r, k), &r->more);
		if (lists++ && r->more.n != length)
			x_fail(r, "lex: lists of different lengths");
		length = r->more.n;
		for (size_t i = 0; i < length; i++)
			vec_push(&r->vars, r->more.at[i]);
	}
	if (lists < 2 || !length)
		x_fail(r, "lex needs two lists");
	for (size_t k = 0; k + 1 < lists; k++)
		x_posted(r, csp_add_lex(r->n, r->vars.at + k * length, r->vars.at + (k + 1) * length, length, rel));
}

const struct kind kind_lex = {.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml};
