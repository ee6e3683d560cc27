/* count: how many variables of a list take one of some values, compared with a
 * number or a variable. Scope: the list, then the variable if there is one. */
#include "csp/globals/globals_internal.h"
#include "csp/symmetry/symmetry_graph.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

struct count {
	enum csp_relation relation;
	bool by_variable; /* compared with the last variable of the scope instead of k */
	int64_t k;
	uint32_t value_count;
	int64_t values[];
};

uint32_t csp_add_count(struct csp *n, const uint32_t *list, size_t count, const int32_t *values, size_t value_count,
                       enum csp_relation r, int64_t k, uint32_t kx)
{
	struct count *d = arena_alloc(&n->records, sizeof *d + value_count * sizeof *d->values);
	*d = (struct count){.relation = r, .by_variable = kx != CSP_NONE, .k = k, .value_count = (uint32_t)value_count};
	for (size_t i = 0; i < value_count; i++)
		d->values[i] = values[i];
	return add_joined(n, CSP_COUNT, list, count, &kx, kx != CSP_NONE, d);
}

static bool among(const struct count *d, int64_t v)
{
	return is_listed(d->values, d->value_count, v);
}

static uint32_t listed_variables(const struct con *c)
{
	const struct count *d = c->record;
	return c->arity - d->by_variable;
}

/* ---- propagation ---- */

/* Values of x's domain that count. */
static uint32_t hits_of(const struct csp *n, const struct count *d, uint32_t x)
{
	assert(x < n->vars.n);
	uint32_t hits = 0;
	DOM_EACH (i, n, x)
		hits += among(d, csp_value(n, x, (uint32_t)i));
	return hits;
}

/* Make every undecided variable of the list take (or avoid) the values. */
static bool force(struct csp *n, const struct con *c, bool in)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct count *d = c->record;
	for (uint32_t p = 0; p < listed_variables(c); p++) {
		uint32_t x = con_scope(n, c)[p], hits = hits_of(n, d, x);
		if (hits == 0 || hits == dom_size(n, x))
			continue;
		DOM_EACH (i, n, x)
			if (among(d, csp_value(n, x, (uint32_t)i)) != in && !dom_drop(n, x, (uint32_t)i))
				return false;
	}
	return true;
}

/* The variable compared with keeps the values that some sum in sure..maybe permits. */
static bool filter_variable(struct csp *n, enum csp_relation r, uint32_t kx, int64_t sure, int64_t maybe)
{
	DOM_EACH (i, n, kx) {
		int64_t k = csp_value(n, kx, (uint32_t)i);
		bool ok = false;
		for (int64_t s = sure; s <= maybe && !ok; s++)
			ok = compare_values(s, r, k);
		if (!ok && !dom_drop(n, kx, (uint32_t)i))
			return false;
	}
	return true;
}

static bool permits(const struct csp *n, const struct count *d, uint32_t kx, int64_t sum)
{
	if (kx == CSP_NONE)
		return compare_values(sum, d->relation, d->k);
	DOM_EACH (i, n, kx)
		if (compare_values(sum, d->relation, csp_value(n, kx, (uint32_t)i)))
			return true;
	return false;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct count *d = c->record;
	uint32_t count = listed_variables(c), kx = d->by_variable ? con_scope(n, c)[count] : CSP_NONE;
	int64_t sure = 0, maybe = 0;
	for (uint32_t p = 0; p < count; p++) {
		uint32_t x = con_scope(n, c)[p], hits = hits_of(n, d, x);
		sure += hits == dom_size(n, x);
		maybe += hits > 0;
	}
	if (kx != CSP_NONE && !filter_variable(n, d->relation, kx, sure, maybe))
		return false;
	/* the least and the most that some allowed k permits */
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (int64_t s = sure; s <= maybe; s++)
		if (permits(n, d, kx, s)) {
			low = s < low ? s : low;
			high = s;
		}
	if (low > high)
		return false;
	if (sure == maybe)
		return true;
	if (high == sure)
		return force(n, c, false);
	if (low == maybe)
		return force(n, c, true);
	return true;
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct count *d = c->record;
	uint32_t count = listed_variables(c);
	int64_t hits = 0;
	for (uint32_t p = 0; p < count; p++)
		hits += among(d, value_at(n, c, at, p));
	return compare_values(hits, d->relation, d->by_variable ? value_at(n, c, at, count) : d->k);
}

/* ---- symmetry ---- */

static bool swaps(const struct csp *n, const struct con *c, uint32_t a, uint32_t b)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct count *d = c->record;
	const struct var *v = &n->vars.at[0];
	return !d->by_variable && among(d, var_value(n, v, a)) == among(d, var_value(n, v, b));
}

static bool graph(struct symmetry_graph *m, const struct con *c, bool once)
{
	assert(c->scope + c->arity <= m->n->scopes.n);
	const struct count *d = c->record;
	if (!once || d->by_variable)
		return false;
	struct csp *n = m->n;
	const uint32_t *scope = con_scope(n, c);
	int64_t k = d->k;
	weights w = {0};
	for (uint32_t p = 0; p < c->arity; p++)
		DOM_EACH (i, n, scope[p]) {
			if (!among(d, var_value(n, &n->vars.at[scope[p]], (uint32_t)i)))
				continue;
			if (dom_size(n, scope[p]) == 1)
				k--;
			else
				vec_push(&w, (struct weighted){1, symmetry_graph_vertex(m, scope[p], (uint32_t)i)});
		}
	symmetry_graph_weights(m, &w, WEIGH_COUNT, d->relation, k);
	return true;
}

/* ---- XCSP3 ---- */

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct count *d = c->record;
	const uint32_t *s = con_scope(n, c);
	uint32_t count = listed_variables(c);
	xml_list(n, "list", s, count, out);
	text_puts(out, "<values> ");
	for (uint32_t i = 0; i < d->value_count; i++) {
		csp_xml_value(n, s[0], d->values[i], out);
		text_putc(out, ' ');
	}
	text_puts(out, "</values>");
	xml_condition(n, d->relation, d->k, d->by_variable ? s[count] : CSP_NONE, out);
}

/* Values that are variables: hidden 0/1 variables say whether one of them is hit. */
static void read_by_variables(struct xcsp *r, const char *values, const struct condition *c)
{
	x_refs(r, values, &r->more);
	size_t count = r->more.n;
	uint32_t *v = arena_copy(&r->text, r->more.at, count * sizeof *v);
	uint32_t *any = arena_alloc(&r->text, (count + 1) * sizeof *any);
	vec_clear(&r->ints);
	for (size_t i = 0; i < r->vars.n; i++) {
		for (size_t j = 0; j < count; j++)
			any[j] = x_bool(r, CSP_OP_EQ, csp_expr_var(r->n, r->vars.at[i]), csp_expr_var(r->n, v[j]));
		r->vars.at[i] = x_define(r, x_posted(r, csp_expr(r->n, CSP_OP_OR, any, count)));
		vec_push(&r->ints, 1);
	}
	x_post_sum(r, c);
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	struct condition c = x_condition(r, e);
	x_list_of(r, e, &r->vars);
	const char *values = x_text(r, x_need(r, e, "values"));
	if (x_names_variables(r, values)) {
		read_by_variables(r, values, &c);
		return;
	}
	x_values(r, values, &r->vars);
	if (!r->tuples.n)
		x_fail(r, "count without values");
	uint32_t x = c.x;
	enum csp_relation rel = CSP_EQ;
	if (c.op == CSP_OP_IN || c.op == CSP_OP_NOTIN)
		x = x_hidden(r, 0, (int32_t)r->vars.n);
	else
		rel = x_relation(c.op);
	uint32_t id = csp_add_count(r->n, r->vars.at, r->vars.n, r->tuples.at, r->tuples.n, rel, c.k, x);
	if (x == c.x) {
		x_posted(r, id);
		return;
	}
	x_definition(r, id);
	x_post_condition(r, csp_expr_var(r->n, x), &c);
}

const struct kind kind_count = {
	.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml, .swaps = swaps, .graph = graph};
