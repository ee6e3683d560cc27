/* nValues: how many different values a list has, some of which do not count. Scope: the list, the number. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <stdlib.h>

struct n_values {
	uint32_t except_count;
	int64_t except[];
};

uint32_t csp_add_nvalues(struct csp *n, const uint32_t *list, size_t count, const int32_t *except, size_t excepted,
                         uint32_t number)
{
	if (!count)
		return net_refuse(n, "nValues of an empty list");
	struct n_values *d = arena_alloc(&n->records, sizeof *d + excepted * sizeof *d->except);
	d->except_count = (uint32_t)excepted;
	for (size_t i = 0; i < excepted; i++)
		d->except[i] = except[i];
	return add_joined(n, CSP_NVALUES, list, count, &number, 1, d);
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Sorts, and drops twins; returns how many are left. */
static uint32_t distinct(int64_t *v, uint32_t count)
{
	uint32_t k = 0;
	qsort(v, count, sizeof *v, by_number);
	for (uint32_t i = 0; i < count; i++)
		if (!k || v[k - 1] != v[i])
			v[k++] = v[i];
	return k;
}

static bool counted(const struct n_values *d, int64_t v)
{
	return !is_listed(d->except, d->except_count, v);
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct n_values *d = c->record;
	uint32_t count = c->arity - 1, k = 0;
	int64_t *v = mem_alloc(count, sizeof *v);
	for (uint32_t p = 0; p < count; p++) {
		v[k] = value_at(n, c, at, p);
		k += counted(d, v[k]);
	}
	bool ok = distinct(v, k) == value_at(n, c, at, count);
	mem_free(v);
	return ok;
}

/* Undecided variables keep only values that are taken already, or do not count. */
static bool no_new_value(struct csp *n, const struct con *c, const int64_t *taken, uint32_t count)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct n_values *d = c->record;
	for (uint32_t p = 0; p + 1 < c->arity; p++) {
		uint32_t x = con_scope(n, c)[p];
		if (dom_size(n, x) == 1)
			continue;
		DOM_EACH (i, n, x) {
			int64_t v = csp_value(n, x, (uint32_t)i);
			if (counted(d, v) && !bsearch(&v, taken, count, sizeof *taken, by_number) && !dom_drop(n, x, (uint32_t)i))
				return false;
		}
	}
	return true;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct n_values *d = c->record;
	uint32_t count = c->arity - 1, number = con_scope(n, c)[count], taken = 0, open = 0;
	int64_t *v = (int64_t *)net_scratch(n, count);
	for (uint32_t p = 0; p < count; p++) {
		uint32_t x = con_scope(n, c)[p];
		if (dom_size(n, x) > 1) {
			open++;
			continue;
		}
		v[taken] = dom_min(n, x);
		taken += counted(d, v[taken]);
	}
	taken = distinct(v, taken);
	if (!dom_at_least(n, number, taken) || !dom_at_most(n, number, (int64_t)taken + open))
		return false;
	if (dom_max(n, number) == (int64_t)taken && !no_new_value(n, c, v, taken))
		return false;
	return csp_prop_check(n, ci);
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct n_values *d = c->record;
	const uint32_t *s = con_scope(n, c);
	xml_list(n, "list", s, c->arity - 1, out);
	if (d->except_count)
		xml_numbers("except", d->except, d->except_count, out);
	xml_condition(n, CSP_EQ, 0, s[c->arity - 1], out);
}

uint32_t x_nvalues(struct xcsp *r)
{
	uint32_t number = x_hidden(r, 0, (int32_t)r->vars.n);
	x_definition(r, csp_add_nvalues(r->n, r->vars.at, r->vars.n, r->tuples.at, r->tuples.n, number));
	return number;
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *except = x_child(e, "except");
	struct condition c = x_condition(r, e);
	x_list_of(r, e, &r->vars);
	vec_clear(&r->tuples);
	if (except)
		x_values(r, x_text(r, except), &r->vars);
	if (c.op == CSP_OP_EQ && c.x != CSP_NONE)
		x_posted(r, csp_add_nvalues(r->n, r->vars.at, r->vars.n, r->tuples.at, r->tuples.n, c.x));
	else
		x_post_condition(r, csp_expr_var(r->n, x_nvalues(r)), &c);
}

const struct kind kind_n_values = {.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml};
