/* instantiation: each variable of a list has a given value. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <string.h>

struct instantiation {
	uint32_t count;
	int64_t values[]; /* one per variable */
};

uint32_t csp_add_instantiation(struct csp *n, const uint32_t *list, size_t count, const int32_t *values)
{
	if (!net_scope_ok(n, list, count))
		return CSP_NONE;
	struct instantiation *d = arena_alloc(&n->records, sizeof *d + count * sizeof *d->values);
	d->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++)
		d->values[i] = values[i];
	return net_add(n, CSP_INSTANTIATION, list, count, d);
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct instantiation *d = c->record;
	for (uint32_t p = 0; p < d->count; p++)
		if (!fix_value(n, con_scope(n, c)[p], d->values[p]))
			return false;
	return true;
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct instantiation *d = c->record;
	for (uint32_t p = 0; p < d->count; p++)
		if (value_at(n, c, at, p) != d->values[p])
			return false;
	return true;
}

static bool swaps(const struct csp *n, const struct con *c, uint32_t a, uint32_t b)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct instantiation *d = c->record;
	const struct var *v = &n->vars.at[0];
	return !is_listed(d->values, d->count, var_value(n, v, a)) && !is_listed(d->values, d->count, var_value(n, v, b));
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct instantiation *d = c->record;
	const uint32_t *s = con_scope(n, c);
	xml_list(n, "list", s, c->arity, out);
	text_puts(out, "<values> ");
	for (uint32_t p = 0; p < d->count; p++) {
		csp_xml_value(n, s[p], d->values[p], out);
		text_putc(out, ' ');
	}
	text_puts(out, "</values>");
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	x_list_of(r, e, &r->vars);
	const char *s = x_text(r, x_need(r, e, "values")), *token;
	size_t count = 0, kept = 0;
	vec_clear(&r->tuples);
	for (; (token = x_token(r, &s)); count++) { /* 3x5 is 3 five times; * is any value */
		if (!strcmp(token, "*")) {
			vec_push(&r->tuples, CSP_ANY);
			continue;
		}
		if (csp_symbolic(r->n, r->vars.at[count < r->vars.n ? count : 0])) {
			vec_push(&r->tuples, (int32_t)x_value(r, token, r->vars.at[0]));
			continue;
		}
		x_ints(r, token, &r->ints);
		for (size_t i = 0; i < r->ints.n; i++)
			vec_push(&r->tuples, (int32_t)r->ints.at[i]);
		count += r->ints.n - 1;
	}
	if (count != r->vars.n)
		x_fail(r, "instantiation: %zu variables, %zu values", r->vars.n, count);
	for (size_t i = 0; i < count; i++)
		if (r->tuples.at[i] != CSP_ANY) {
			r->vars.at[kept] = r->vars.at[i];
			r->tuples.at[kept++] = r->tuples.at[i];
		}
	if (kept)
		x_posted(r, csp_add_instantiation(r->n, r->vars.at, kept, r->tuples.at));
	else if (r->reifying)
		x_fail(r, "an instantiation that says nothing cannot be reified");
}

const struct kind kind_instantiation = {
	.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml, .swaps = swaps};
