/* channel: a[i] = j iff b[j] = i. When the lists differ in length, the shorter is a
 * and only "a[i] = j implies b[j] = i" is asked. Scope: a, then b. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

struct channel {
	uint32_t na, nb;          /* variables of a, of b */
	int64_t start_a, start_b; /* indices of the first ones */
};

uint32_t csp_add_channel(struct csp *n, const uint32_t *a, size_t na, int32_t start_a, const uint32_t *b, size_t nb,
                         int32_t start_b)
{
	if (na > nb)
		return csp_add_channel(n, b, nb, start_b, a, na, start_a);
	struct channel *d = arena_alloc(&n->records, sizeof *d);
	*d = (struct channel){.na = (uint32_t)na, .nb = (uint32_t)nb, .start_a = start_a, .start_b = start_b};
	return add_joined(n, CSP_CHANNEL, a, na, b, nb, d);
}

struct side {
	const uint32_t *x;
	uint32_t count;
	int64_t start;
};

/* x[i] = j needs y[j] = i. With `both`, y[j] = i also forces it. */
static bool one_direction(struct csp *n, struct side x, struct side y, bool both)
{
	for (uint32_t i = 0; i < x.count; i++) {
		DOM_EACH (k, n, x.x[i]) {
			int64_t j = csp_value(n, x.x[i], (uint32_t)k) - y.start;
			bool ok = j >= 0 && j < y.count && has_value(n, y.x[j], i + x.start);
			if (!ok && !dom_drop(n, x.x[i], (uint32_t)k))
				return false;
		}
		if (dom_size(n, x.x[i]) == 1 && !fix_value(n, y.x[dom_min(n, x.x[i]) - y.start], i + x.start))
			return false;
	}
	for (uint32_t j = 0; both && j < y.count; j++)
		if (dom_size(n, y.x[j]) == 1) {
			int64_t i = dom_min(n, y.x[j]) - x.start;
			if (i >= 0 && i < x.count && !fix_value(n, x.x[i], j + y.start))
				return false;
		}
	return true;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct channel *d = c->record;
	struct side a = {con_scope(n, c), d->na, d->start_a}, b = {a.x + d->na, d->nb, d->start_b};
	bool both = d->na == d->nb;
	return one_direction(n, a, b, both) && (!both || one_direction(n, b, a, both));
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct channel *d = c->record;
	uint32_t na = d->na, nb = d->nb;
	for (uint32_t i = 0; i < na; i++) {
		int64_t j = value_at(n, c, at, i) - d->start_b;
		if (j < 0 || j >= nb || value_at(n, c, at, na + (uint32_t)j) != i + d->start_a)
			return false;
	}
	for (uint32_t j = 0; na == nb && j < nb; j++) {
		int64_t i = value_at(n, c, at, na + j) - d->start_a;
		if (i < 0 || i >= na || value_at(n, c, at, (uint32_t)i) != j + d->start_b)
			return false;
	}
	return true;
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct channel *d = c->record;
	xml_list_from(n, d->start_a, con_scope(n, c), d->na, out);
	xml_list_from(n, d->start_b, con_scope(n, c) + d->na, d->nb, out);
}

/* list[i] = 1 iff value = i */
static void read_one_hot(struct xcsp *r, uint32_t value, int32_t start)
{
	struct csp *n = r->n;
	for (size_t i = 0; i < r->vars.n; i++) {
		uint32_t a[2] = {csp_expr_var(n, r->vars.at[i]), csp_expr_const(n, 1)};
		uint32_t b[2] = {csp_expr_var(n, value), csp_expr_const(n, start + (int64_t)i)};
		uint32_t both[2] = {csp_expr(n, CSP_OP_EQ, a, 2), csp_expr(n, CSP_OP_EQ, b, 2)};
		x_posted(r, csp_add_intension(n, csp_expr(n, CSP_OP_IFF, both, 2)));
	}
	/* and there is such an i */
	struct condition within = {.op = CSP_OP_IN, .k = start, .high = start + (int64_t)r->vars.n - 1, .x = CSP_NONE};
	x_post_condition(r, csp_expr_var(n, value), &within);
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *a = x_child(e, "list"), *b = NULL, *value = x_child(e, "value");
	for (xmlNode *k = a ? a->next : NULL; k; k = k->next) {
		if (x_is(k, "list") && b)
			x_fail(r, "channel with three lists");
		if (x_is(k, "list"))
			b = k;
	}
	if (value && b)
		x_fail(r, "channel with two lists and a value");
	int32_t start = x_start_index(r, a ? a : e);
	uint32_t x = value ? x_one_var(r, value) : CSP_NONE;
	x_list_of(r, e, &r->vars);
	if (value) {
		read_one_hot(r, x, start);
	} else if (b) {
		x_refs(r, x_text(r, b), &r->more);
		if (!r->more.n)
			x_fail(r, "channel with an empty list");
		x_posted(r, csp_add_channel(r->n, r->vars.at, r->vars.n, start, r->more.at, r->more.n, x_start_index(r, b)));
	} else {
		x_posted(r, csp_add_channel(r->n, r->vars.at, r->vars.n, start, r->vars.at, r->vars.n, start));
	}
}

const struct kind kind_channel = {.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml};
