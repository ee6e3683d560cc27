/* noOverlap: tasks on one machine, each from its origin on for its length; those
 * of length 0 are free. */
#include "csp/globals/edge_finding.h"
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <string.h>

struct no_overlap {
	uint32_t count;
	int64_t lengths[]; /* one per variable */
};

uint32_t csp_add_no_overlap(struct csp *n, const uint32_t *origins, const int64_t *lengths, size_t count)
{
	if (!net_scope_ok(n, origins, count))
		return CSP_NONE;
	struct no_overlap *d = arena_alloc(&n->records, sizeof *d + count * sizeof *d->lengths);
	d->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		if (lengths[i] < 0 || lengths[i] > INT32_MAX)
			return net_refuse(n, "noOverlap: length %lld out of range", (long long)lengths[i]);
		d->lengths[i] = lengths[i];
	}
	return net_add(n, CSP_NO_OVERLAP, origins, count, d);
}

static bool before(struct csp *n, uint32_t x, int64_t length, uint32_t y)
{
	assert(x < n->vars.n);
	assert(y < n->vars.n);
	return dom_at_most(n, x, dom_max(n, y) - length) && dom_at_least(n, y, dom_min(n, x) + length);
}

/* The task `fixed` stays where it is: the values of `x` that overlap it are lost. */
static bool avoid(struct csp *n, uint32_t x, int64_t length, uint32_t fixed, int64_t fixed_length)
{
	assert(x < n->vars.n);
	if (csp_wide(n, x)) /* the bounds have been moved already */
		return true;
	DOM_EACH (k, n, x) {
		int64_t v = csp_value(n, x, (uint32_t)k), w = dom_min(n, fixed);
		if (v + length > w && w + fixed_length > v && !dom_drop(n, x, (uint32_t)k))
			return false;
	}
	return true;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct no_overlap *d = c->record;
	const uint32_t *s = con_scope(n, c);
	const int64_t *l = d->lengths;
	for (uint32_t i = 0; i < d->count; i++)
		for (uint32_t j = 0; j < i; j++) {
			if (!l[i] || !l[j])
				continue;
			bool ij = dom_min(n, s[i]) + l[i] <= dom_max(n, s[j]);
			bool ji = dom_min(n, s[j]) + l[j] <= dom_max(n, s[i]);
			if (!ij && !ji)
				return false;
			if (!ji && !before(n, s[i], l[i], s[j]))
				return false;
			if (!ij && !before(n, s[j], l[j], s[i]))
				return false;
			uint32_t f = dom_size(n, s[i]) == 1 ? i : j, o = f == i ? j : i;
			if (dom_size(n, s[f]) == 1 && !avoid(n, s[o], l[o], s[f], l[f]))
				return false;
		}
	return d->count < 3 || edges_propagate(n, &(struct machine){s, l, d->count});
}

static enum prop attach(struct csp *n, uint32_t ci)
{
	n->cons.at[ci].costly = n->cons.at[ci].arity > 2;
	return PROP_OWN;
}

/* Some task was fixed closely enough to run when x would, too. */
static bool occupied(struct csp *n, const struct con *c, uint32_t x, int64_t value, uint32_t time)
{
	const struct no_overlap *d = c->record;
	const uint32_t *s = con_scope(n, c);
	int64_t length = 0;
	for (uint32_t p = 0; p < d->count; p++)
		length = s[p] == x ? d->lengths[p] : length;
	for (uint32_t p = 0; p < d->count; p++) {
		int64_t first = value - d->lengths[p] + 1, last = value + length - 1;
		if (s[p] == x || !d->lengths[p] || !length || csp_value(n, s[p], learn_low(n, s[p], time)) < first ||
		    csp_value(n, s[p], learn_high(n, s[p], time)) > last)
			continue;
		reason_at_least(n, s[p], first, time);
		reason_at_most(n, s[p], last, time);
		return true;
	}
	return false;
}

static bool explain(struct csp *n, const struct con *c, const struct question *q)
{
	const struct no_overlap *d = c->record;
	const uint32_t *s = con_scope(n, c);
	size_t mark = n->learn->reasons.n;
	for (uint32_t p = 0; p < d->count; p++)
		for (uint32_t r = 0; r < p; r++)
			if (s[p] == s[r])
				return false;
	if ((q->failure || atom_op(q->what) != ATOM_NE) && edges_explain(n, &(struct machine){s, d->lengths, d->count}, q))
		return true;
	n->learn->reasons.n = mark;
	return !q->failure && reason_values(n, c, q, occupied);
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct no_overlap *d = c->record;
	const int64_t *l = d->lengths;
	for (uint32_t i = 0; i < d->count; i++)
		for (uint32_t j = 0; j < i; j++) {
			int64_t a = value_at(n, c, at, i), b = value_at(n, c, at, j);
			if (l[i] && l[j] && a + l[i] > b && b + l[j] > a)
				return false;
		}
	return true;
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct no_overlap *d = c->record;
	xml_list(n, "origins", con_scope(n, c), c->arity, out);
	xml_numbers("lengths", d->lengths, d->count, out);
}

/* or(le(add(oi,li),oj), le(add(oj,lj),oi)) */
static void post_disjoint(struct xcsp *r, uint32_t oi, uint32_t li, uint32_t oj, uint32_t lj, bool zero_ignored)
{
	struct csp *n = r->n;
	uint32_t o[2] = {csp_expr_var(n, oi), csp_expr_var(n, oj)}, l[2] = {csp_expr_var(n, li), csp_expr_var(n, lj)};
	uint32_t any[4];
	for (int k = 0; k < 2; k++) {
		uint32_t end[2] = {o[k], l[k]}, le[2] = {csp_expr(n, CSP_OP_ADD, end, 2), o[!k]};
		uint32_t zero[2] = {l[k], csp_expr_const(n, 0)};
		any[k] = csp_expr(n, CSP_OP_LE, le, 2);
		any[2 + k] = csp_expr(n, CSP_OP_EQ, zero, 2);
	}
	x_posted(r, csp_add_intension(n, csp_expr(n, CSP_OP_OR, any, zero_ignored ? 4 : 2)));
}

static bool only_numbers(const char *s)
{
	return !s[strspn(s, "0123456789 \t\r\n")];
}

/* The lengths in r->ints, if each is a number that the constraint takes; else as variables in r->more. */
static bool read_lengths(struct xcsp *r, const char *s, bool zero_ignored)
{
	bool numbers = only_numbers(s);
	if (numbers)
		x_ints(r, s, &r->ints);
	for (size_t i = 0; numbers && i < r->ints.n; i++)
		numbers = zero_ignored || r->ints.at[i] > 0;
	if (numbers)
		return true;
	bool fixed = true;
	x_refs(r, s, &r->more);
	vec_clear(&r->ints);
	for (size_t i = 0; i < r->more.n; i++) {
		fixed = fixed && csp_count(r->n, r->more.at[i]) == 1;
		vec_push(&r->ints, csp_value(r->n, r->more.at[i], 0));
		fixed = fixed && (zero_ignored || vec_last(&r->ints) > 0);
	}
	return fixed;
}

/* Boxes: in some dimension one ends before the other begins; those without extent are free where zeros are ignored. */
static void post_boxes(struct xcsp *r, const uint32_t *o, const uint32_t *l, size_t dims, bool zero_ignored)
{
	struct csp *n = r->n;
	uint32_t *any = arena_alloc(&r->text, 4 * dims * sizeof *any), k = 0;
	for (size_t d = 0; d < dims; d++)
		for (size_t side = 0; side < 2; side++) {
			uint32_t from = csp_expr_var(n, o[side * dims + d]), length = csp_expr_var(n, l[side * dims + d]);
			uint32_t end = x_bool(r, CSP_OP_ADD, from, length), other = csp_expr_var(n, o[!side * dims + d]);
			any[k++] = x_bool(r, CSP_OP_LE, end, other);
			if (zero_ignored && csp_value(n, l[side * dims + d], 0) <= 0)
				any[k++] = x_bool(r, CSP_OP_EQ, length, csp_expr_const(n, 0));
		}
	x_posted(r, csp_add_intension(n, x_posted(r, csp_expr(n, CSP_OP_OR, any, k))));
}

static void read_boxes(struct xcsp *r, xmlNode *e, bool zero_ignored)
{
	assert(e->type == XML_ELEMENT_NODE);
	size_t boxes, dims, rows, columns;
	x_matrix(r, x_need(r, e, "origins"), &r->vars, &boxes, &dims);
	uint32_t *o = arena_copy(&r->text, r->vars.at, r->vars.n * sizeof *o);
	x_matrix(r, x_need(r, e, "lengths"), &r->vars, &rows, &columns);
	if (rows != boxes || columns != dims)
		x_fail(r, "noOverlap: %zu origins of %zu dimensions, %zu lengths of %zu", boxes, dims, rows, columns);
	uint32_t *l = arena_copy(&r->text, r->vars.at, r->vars.n * sizeof *l), pair[2][16];
	if (dims > 8)
		x_fail(r, "noOverlap in more than 8 dimensions");
	for (size_t i = 0; i < boxes; i++)
		for (size_t j = 0; j < i; j++) {
			for (size_t d = 0; d < 2 * dims; d++) {
				size_t at = (d < dims ? i : j) * dims + d % dims;
				pair[0][d] = o[at];
				pair[1][d] = l[at];
			}
			post_boxes(r, pair[0], pair[1], dims, zero_ignored);
		}
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	bool zero_ignored = x_flag(r, e, "zeroIgnored", true);
	const char *origins = x_text(r, x_need(r, e, "origins")), *lengths = x_text(r, x_need(r, e, "lengths"));
	if (origins[strspn(origins, " \t\r\n")] == '(' || lengths[strspn(lengths, " \t\r\n")] == '(') {
		read_boxes(r, e, zero_ignored);
		return;
	}
	x_refs(r, origins, &r->vars);
	bool fixed = read_lengths(r, lengths, zero_ignored);
	if (r->vars.n != r->ints.n || !r->vars.n)
		x_fail(r, "noOverlap: %zu origins, %zu lengths", r->vars.n, r->ints.n);
	if (fixed) {
		x_posted(r, csp_add_no_overlap(r->n, r->vars.at, r->ints.at, r->vars.n));
		return;
	}
	for (size_t i = 0; i < r->vars.n; i++)
		for (size_t j = 0; j < i; j++)
			post_disjoint(r, r->vars.at[i], r->more.at[i], r->vars.at[j], r->more.at[j], zero_ignored);
}

const struct kind kind_no_overlap = {
	.attach = attach, .explain = explain, .propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml};
