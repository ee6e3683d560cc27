/* ordered: list[i] + lengths[i] r list[i+1]. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

struct ordered {
	enum csp_relation relation;
	int64_t lengths[]; /* one less than variables */
};

uint32_t csp_add_ordered(struct csp *n, const uint32_t *list, size_t count, const int64_t *lengths, enum csp_relation r)
{
	if (r == CSP_NE || r == CSP_EQ)
		return net_refuse(n, "ordered takes lt, le, ge or gt");
	if (!net_scope_ok(n, list, count))
		return CSP_NONE;
	struct ordered *d = arena_alloc(&n->records, sizeof *d + count * sizeof *d->lengths);
	d->relation = r;
	for (size_t i = 0; i + 1 < count; i++) {
		if (lengths && (lengths[i] > INT32_MAX || lengths[i] < INT32_MIN))
			return net_refuse(n, "ordered: length out of range");
		d->lengths[i] = lengths ? lengths[i] : 0;
	}
	return net_add(n, CSP_ORDERED, list, count, d);
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct ordered *d = c->record;
	const uint32_t *s = con_scope(n, c);
	bool up = d->relation == CSP_LT || d->relation == CSP_LE;
	int64_t strict = d->relation == CSP_LT || d->relation == CSP_GT;
	for (uint32_t i = 0; i + 1 < c->arity; i++) {
		int64_t l = d->lengths[i];
		if (up ? !dom_at_least(n, s[i + 1], dom_min(n, s[i]) + l + strict)
		       : !dom_at_most(n, s[i + 1], dom_max(n, s[i]) + l - strict))
			return false;
	}
	for (uint32_t i = c->arity - 1; i--;) {
		int64_t l = d->lengths[i];
		if (up ? !dom_at_most(n, s[i], dom_max(n, s[i + 1]) - l - strict)
		       : !dom_at_least(n, s[i], dom_min(n, s[i + 1]) - l + strict))
			return false;
	}
	return true;
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct ordered *d = c->record;
	for (uint32_t p = 0; p + 1 < c->arity; p++)
		if (!compare_values(value_at(n, c, at, p) + d->lengths[p], d->relation, value_at(n, c, at, p + 1)))
			return false;
	return true;
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct ordered *d = c->record;
	xml_list(n, "list", con_scope(n, c), c->arity, out);
	xml_numbers("lengths", d->lengths, c->arity - 1, out);
	xml_operator(d->relation, out);
}

/* list[i] + lengths[i] r list[i+1], the lengths being variables */
static void post_by_variables(struct xcsp *r, enum csp_relation rel)
{
	for (size_t i = 0; i + 1 < r->vars.n; i++) {
		uint32_t end = x_bool(r, CSP_OP_ADD, csp_expr_var(r->n, r->vars.at[i]), csp_expr_var(r->n, r->more.at[i]));
		uint32_t next = csp_expr_var(r->n, r->vars.at[i + 1]);
		x_posted(r, csp_add_intension(r->n, x_bool(r, CSP_OP_LT + (enum csp_operator)rel, end, next)));
	}
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *lengths = x_child(e, "lengths");
	enum csp_relation rel = x_operator(r, e);
	x_list_of(r, e, &r->vars);
	const char *s = lengths ? x_text(r, lengths) : "";
	bool variables = x_names_variables(r, s);
	size_t count = r->vars.n - 1;
	if (variables)
		x_refs(r, s, &r->more);
	else if (lengths)
		x_ints(r, s, &r->ints);
	if (lengths)
		count = variables ? r->more.n : r->ints.n;
	if (count + 1 != r->vars.n)
		x_fail(r, "ordered: %zu variables need %zu lengths", r->vars.n, r->vars.n - 1);
	if (variables)
		post_by_variables(r, rel);
	else
		x_posted(r, csp_add_ordered(r->n, r->vars.at, r->vars.n, lengths ? r->ints.at : NULL, rel));
}

const struct kind kind_ordered = {.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml};
