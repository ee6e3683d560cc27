/* allDifferent, two ways.
 *
 * Simple: values of fixed variables leave the others, repeatedly;
 * more variables than values left is a failure.
 *
 * Régin (1994): a matching of variables to values, kept from run to run and
 * repaired; an edge that is in no maximum matching (not matched, not inside a
 * strongly connected component, not on an alternating path from a free value)
 * loses its value. */
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"
#include "csp/symmetry/symmetry_graph.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct all_different {
	bool simple; /* propagated by the simple algorithm */
	uint32_t except_count;
	int64_t except[]; /* values that any number of variables may take */
};

uint32_t csp_add_alldiff(struct csp *n, const uint32_t *scope, size_t arity, const int32_t *except, size_t excepted)
{
	if (!net_scope_ok(n, scope, arity))
		return CSP_NONE;
	for (size_t i = 0; i < arity; i++)
		for (size_t j = 0; j < i && arity <= 64; j++)
			if (scope[i] == scope[j])
				return net_refuse(n, "allDifferent names %s twice", csp_name(n, scope[i]));
	struct all_different *d = arena_alloc(&n->records, sizeof *d + excepted * sizeof *d->except);
	d->simple = false;
	d->except_count = (uint32_t)excepted;
	for (size_t i = 0; i < excepted; i++)
		d->except[i] = except[i];
	return net_add(n, CSP_ALLDIFF, scope, arity, d);
}

static bool excepted(const struct all_different *d, int64_t v)
{
	return is_listed(d->except, d->except_count, v);
}

bool con_is_clique(const struct con *c)
{
	return c->kind == CSP_ALLDIFF && !((const struct all_different *)c->record)->except_count;
}

static enum prop attach(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	struct con *c = &n->cons.at[ci];
	struct all_different *d = c->record;
	c->costly = c->arity > 2;
	d->simple = n->alldiff_method == CSP_ALLDIFF_SIMPLE || d->except_count;
	return PROP_OWN;
}

/* ---- value numbers: memo = [values][first of each position...][number of each pair...][match...] ---- */

static int by_value(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

static uint32_t *number_values(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	if (n->memo[ci])
		return n->memo[ci];
	const struct con *c = &n->cons.at[ci];
	uint32_t pairs = 0;
	for (uint32_t p = 0; p < c->arity; p++)
		pairs += n->vars.at[con_scope(n, c)[p]].count;
	uint32_t *m = mem_alloc(1 + c->arity + pairs + c->arity, sizeof *m);
	int32_t *all = mem_alloc(pairs, sizeof *all);
	uint32_t k = 0, distinct = 0;
	for (uint32_t p = 0; p < c->arity; p++) {
		m[1 + p] = 1 + c->arity + k;
		for (uint32_t i = 0; i < n->vars.at[con_scope(n, c)[p]].count; i++)
			all[k++] = csp_value(n, con_scope(n, c)[p], i);
	}
	qsort(all, k, sizeof *all, by_value);
	for (uint32_t i = 0; i < k; i++)
		if (!distinct || all[distinct - 1] != all[i])
			all[distinct++] = all[i];
	m[0] = distinct;
	for (uint32_t p = 0; p < c->arity; p++)
		for (uint32_t i = 0; i < n->vars.at[con_scope(n, c)[p]].count; i++) {
			int32_t v = csp_value(n, con_scope(n, c)[p], i);
			int32_t *at = bsearch(&v, all, distinct, sizeof *all, by_value);
			m[m[1 + p] + i] = (uint32_t)(at - all);
		}
	for (uint32_t p = 0; p < c->arity; p++)
		m[1 + c->arity + pairs + p] = CSP_NONE;
	mem_free(all);
	return n->memo[ci] = m;
}

/* ---- the simple algorithm ---- */

static bool enough_values(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const uint32_t *m = number_values(n, ci);
	uint64_t *seen = net_scratch(n, BITS_WORDS(m[0]));
	memset(seen, 0, BITS_WORDS(m[0]) * sizeof(uint64_t));
	for (uint32_t p = 0; p < c->arity; p++)
		DOM_EACH (i, n, con_scope(n, c)[p])
			bits_add(seen, m[m[1 + p] + i]);
	return bits_count(seen, BITS_WORDS(m[0])) >= c->arity;
}

static bool propagate_simply(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct all_different *d = c->record;
	const uint32_t *scope = con_scope(n, c);
	for (uint32_t p = 0; p < c->arity; p++) {
		if (dom_size(n, scope[p]) != 1)
			continue;
		int64_t v = dom_min(n, scope[p]);
		if (excepted(d, v))
			continue;
		for (uint32_t q = 0; q < c->arity; q++)
			if (q != p && !dom_drop_value(n, scope[q], v))
				return false;
	}
	return d->except_count || enough_values(n, ci);
}

/* ---- Régin's algorithm ---- */

struct regin {
	struct csp *n;
	const uint32_t *scope, *m;
	uint32_t arity, values;
	uint32_t *match; /* position -> value number */
	uint32_t *owner; /* value number -> position, or CSP_NONE */
	uint32_t *mark;  /* value number -> epoch of the search that saw it */
	uint32_t epoch;
	/* Tarjan over values: value -> (owner) -> the owner's other values */
	uint32_t *low, *num, *stack, *comp;
	uint32_t next, top, comps;
};

static bool take_free(struct regin *g, uint32_t p)
{
	assert(p < g->arity);
	const uint32_t *number = g->m + g->m[1 + p];
	DOM_EACH (i, g->n, g->scope[p])
		if (g->owner[number[i]] == CSP_NONE) {
			g->owner[number[i]] = p;
			g->match[p] = number[i];
			return true;
		}
	return false;
}

static bool augment(struct regin *g, uint32_t p)
{
	assert(p < g->arity);
	const uint32_t *number = g->m + g->m[1 + p];
	if (take_free(g, p))
		return true;
	DOM_EACH (i, g->n, g->scope[p]) {
		uint32_t v = number[i];
		if (g->mark[v] == g->epoch)
			continue;
		g->mark[v] = g->epoch;
		if (augment(g, g->owner[v])) {
			g->owner[v] = p;
			g->match[p] = v;
			return true;
		}
	}
	return false;
}

static bool find_matching(struct regin *g)
{
	for (uint32_t v = 0; v < g->values; v++) {
		g->owner[v] = CSP_NONE;
		g->mark[v] = 0;
	}
	for (uint32_t p = 0; p < g->arity; p++) {
		uint32_t v = g->match[p];
		bool valid = false;
		if (v != CSP_NONE && g->owner[v] == CSP_NONE)
			DOM_EACH (i, g->n, g->scope[p])
				if ((valid = g->m[g->m[1 + p] + i] == v))
					break;
		if (valid)
			g->owner[v] = p;
		else
			g->match[p] = CSP_NONE;
	}
	for (uint32_t p = 0; p < g->arity; p++)
		if (g->match[p] == CSP_NONE) {
			g->epoch++;
			if (!augment(g, p))
				return false;
		}
	return true;
}

/* Values reachable by an alternating path from a free value: mark 1. An edge
 * p - v is usable when v is marked. Walk: free v -> every p with v in its domain
 * -> match[p]. Done backwards by repeated sweeps, which is quick for small sets. */
static void reach_from_free(struct regin *g)
{
	bool again = true;
	for (uint32_t v = 0; v < g->values; v++)
		g->mark[v] = g->owner[v] == CSP_NONE;
	while (again) {
		again = false;
		for (uint32_t p = 0; p < g->arity; p++) {
			if (g->mark[g->match[p]])
				continue;
			DOM_EACH (i, g->n, g->scope[p])
				if (g->mark[g->m[g->m[1 + p] + i]]) {
					g->mark[g->match[p]] = again = true;
					break;
				}
		}
	}
}

/* Strongly connected components of positions: p -> q when q owns a value of p. */
static void tarjan(struct regin *g, uint32_t p)
{
	assert(p < g->arity);
	g->low[p] = g->num[p] = ++g->next;
	g->stack[g->top++] = p;
	DOM_EACH (i, g->n, g->scope[p]) {
		uint32_t q = g->owner[g->m[g->m[1 + p] + i]];
		if (q == CSP_NONE)
			continue;
		if (!g->num[q])
			tarjan(g, q);
		if (g->comp[q] == CSP_NONE && g->low[q] < g->low[p])
			g->low[p] = g->low[q];
	}
	if (g->low[p] != g->num[p])
		return;
	uint32_t q;
	do {
		q = g->stack[--g->top];
		g->comp[q] = g->comps;
	} while (q != p);
	g->comps++;
}

static bool regin_filter(struct regin *g)
{
	reach_from_free(g);
	for (uint32_t p = 0; p < g->arity; p++) {
		g->num[p] = 0;
		g->comp[p] = CSP_NONE;
	}
	for (uint32_t p = 0; p < g->arity; p++)
		if (!g->num[p])
			tarjan(g, p);
	for (uint32_t p = 0; p < g->arity; p++) {
		uint32_t x = g->scope[p];
		if (dom_size(g->n, x) == 1)
			continue;
		DOM_EACH (i, g->n, x) {
			uint32_t v = g->m[g->m[1 + p] + i], q = g->owner[v];
			if (v == g->match[p] || g->mark[v] || (q != CSP_NONE && g->comp[q] == g->comp[p]))
				continue;
			if (!dom_drop(g->n, x, (uint32_t)i))
				return false;
		}
	}
	return true;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	if (c->arity == 2 || ((const struct all_different *)c->record)->simple || (c->arity > 64 && net_stopped(n)))
		return propagate_simply(n, ci);
	if (c->arity == 1)
		return true;
	struct regin g = {.n = n, .scope = con_scope(n, c), .arity = c->arity};
	g.m = number_values(n, ci);
	g.values = g.m[0];
	g.match = n->memo[ci] + g.m[c->arity] + n->vars.at[g.scope[c->arity - 1]].count;
	uint32_t *area = (uint32_t *)net_scratch(n, g.values * 2 + c->arity * 4);
	g.owner = area;
	g.mark = area + g.values;
	g.low = g.mark + g.values;
	g.num = g.low + c->arity;
	g.stack = g.num + c->arity;
	g.comp = g.stack + c->arity;
	return find_matching(&g) && regin_filter(&g);
}

/* ---- checking, symmetry, XCSP3 ---- */

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	for (uint32_t i = 0; i < c->arity; i++) {
		int64_t a = value_at(n, c, at, i);
		bool free = excepted(c->record, a);
		for (uint32_t j = 0; j < i && !free; j++)
			if (value_at(n, c, at, j) == a)
				return false;
	}
	return true;
}

static bool swaps(const struct csp *n, const struct con *c, uint32_t a, uint32_t b)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct var *v = &n->vars.at[0];
	return excepted(c->record, var_value(n, v, a)) == excepted(c->record, var_value(n, v, b));
}

/* Equal values of two variables are forbidden pairs. */
static bool graph(struct symmetry_graph *m, const struct con *c, bool once)
{
	assert(c->scope + c->arity <= m->n->scopes.n);
	struct csp *n = m->n;
	const uint32_t *scope = con_scope(n, c);
	for (uint32_t p = 0; p < c->arity && !m->large; p++) {
		if (dom_size(n, scope[p]) == 1) /* propagation took its value from the others */
			continue;
		DOM_EACH (i, n, scope[p]) {
			int64_t value = var_value(n, &n->vars.at[scope[p]], (uint32_t)i);
			for (uint32_t q = 0; q < p && !excepted(c->record, value); q++) {
				uint32_t j = csp_index(n, scope[q], value),
						 v = j == CSP_NONE ? j : symmetry_graph_vertex(m, scope[q], j);
				if (v != CSP_NONE)
					symmetry_graph_join(m, v, symmetry_graph_vertex(m, scope[p], (uint32_t)i));
			}
		}
	}
	return true;
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct all_different *d = c->record;
	xml_list(n, "list", con_scope(n, c), c->arity, out);
	if (d->except_count)
		xml_numbers("except", d->except, d->except_count, out);
}

/* Over intervals: each pair differs. */
static bool post_pairs(struct xcsp *r, const xlist *v)
{
	bool wide = false;
	for (size_t i = 0; i < v->n; i++)
		wide = wide || csp_wide(r->n, v->at[i]);
	for (size_t i = 0; wide && i < v->n; i++)
		for (size_t j = 0; j < i; j++) {
			uint32_t x = csp_expr_var(r->n, v->at[i]), any[64], k = 0;
			if (r->ints.n > 60)
				x_fail(r, "allDifferent with %zu exceptions over large domains", r->ints.n);
			any[k++] = x_bool(r, CSP_OP_NE, x, csp_expr_var(r->n, v->at[j]));
			for (size_t e = 0; e < r->ints.n; e++)
				any[k++] = x_bool(r, CSP_OP_EQ, x, csp_expr_const(r->n, r->ints.at[e]));
			x_posted(r, csp_add_intension(r->n, k > 1 ? csp_expr(r->n, CSP_OP_OR, any, k) : any[0]));
		}
	return wide;
}

static void post(struct xcsp *r, const xlist *v)
{
	if (post_pairs(r, v))
		return;
	vec_clear(&r->tuples);
	for (size_t i = 0; i < r->ints.n; i++)
		vec_push(&r->tuples, (int32_t)r->ints.at[i]);
	x_posted(r, csp_add_alldiff(r->n, v->at, v->n, r->tuples.at, r->tuples.n));
}

static void read_matrix(struct xcsp *r, xmlNode *m)
{
	size_t rows, columns;
	x_matrix(r, m, &r->more, &rows, &columns);
	uint32_t *cells = arena_copy(&r->text, r->more.at, r->more.n * sizeof *cells);
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < (side ? columns : rows); i++) {
			vec_clear(&r->vars);
			for (size_t k = 0; k < (side ? rows : columns); k++)
				vec_push(&r->vars, cells[side ? k * columns + i : i * columns + k]);
			post(r, &r->vars);
		}
}

/* ---- lists that differ as a whole ---- */

/* The list is one of the tuples excepted: count tuples of this length. */
static uint32_t is_tuple(struct xcsp *r, const uint32_t *list, size_t length, const int32_t *tuple)
{
	uint32_t *all = arena_alloc(&r->text, length * sizeof *all);
	for (size_t i = 0; i < length; i++)
		all[i] = x_bool(r, CSP_OP_EQ, csp_expr_var(r->n, list[i]), csp_expr_const(r->n, tuple[i]));
	return x_posted(r, csp_expr(r->n, CSP_OP_AND, all, length));
}

static void post_lists_differ(struct xcsp *r, const uint32_t *a, const uint32_t *b, size_t length)
{
	size_t tuples = r->tuples.n / length, k = 0;
	uint32_t *any = arena_alloc(&r->text, (length + 2 * tuples) * sizeof *any);
	for (size_t i = 0; i < length; i++)
		any[k++] = x_bool(r, CSP_OP_NE, csp_expr_var(r->n, a[i]), csp_expr_var(r->n, b[i]));
	for (size_t t = 0; t < tuples; t++) {
		any[k++] = is_tuple(r, a, length, r->tuples.at + t * length);
		any[k++] = is_tuple(r, b, length, r->tuples.at + t * length);
	}
	x_posted(r, csp_add_intension(r->n, x_posted(r, csp_expr(r->n, CSP_OP_OR, any, k))));
}

/* (1,2)(3,4) into r->tuples */
static void read_excepted_tuples(struct xcsp *r, const char *s, const uint32_t *list, size_t length)
{
	vec_clear(&r->tuples);
	for (x_space(&s); *s; x_space(&s)) {
		const char *from = s;
		if (*s++ != '(')
			x_fail(r, "a tuple is expected at \"%.20s\"", from);
		for (size_t p = 0; p < length; p++) {
			vec_clear(&r->ints);
			x_cell(r, &s, list[p], &r->ints);
			if (r->ints.n != 2 || r->ints.at[0] != r->ints.at[1] || *s++ != (p + 1 < length ? ',' : ')'))
				x_fail(r, "a tuple of %zu values is expected at \"%.20s\"", length, from);
			vec_push(&r->tuples, (int32_t)r->ints.at[0]);
		}
	}
}

static void read_lists(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	size_t lists = 0, length = 0;
	xmlNode *except = x_child(e, "except");
	vec_clear(&r->vars);
	X_EACH(k, e)
	{
		if (!x_is(k, "list"))
			continue;
		x_refs(r, x_text(r, k), &r->more);
		if (lists++ && r->more.n != length)
			x_fail(r, "allDifferent: lists of different lengths");
		length = r->more.n;
		for (size_t i = 0; i < length; i++)
			vec_push(&r->vars, r->more.at[i]);
	}
	if (!length)
		x_fail(r, "allDifferent over no variable");
	uint32_t *all = arena_copy(&r->text, r->vars.at, r->vars.n * sizeof *all);
	vec_clear(&r->tuples);
	if (except)
		read_excepted_tuples(r, x_text(r, except), all, length);
	for (size_t i = 0; i < lists; i++)
		for (size_t j = 0; j < i; j++)
			post_lists_differ(r, all + j * length, all + i * length, length);
}

/* Numbers or symbols, as integers. */
static void read_except(struct xcsp *r, xmlNode *except)
{
	x_values(r, x_text(r, except), &r->vars);
	vec_clear(&r->ints);
	for (size_t i = 0; i < r->tuples.n; i++)
		vec_push(&r->ints, r->tuples.at[i]);
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *except = x_child(e, "except"), *matrix = x_child(e, "matrix"), *list = x_child(e, "list");
	if (matrix && list)
		x_fail(r, "allDifferent with both <list> and <matrix>");
	for (xmlNode *k = list ? list->next : NULL; k; k = k->next)
		if (x_is(k, "list")) {
			read_lists(r, e);
			return;
		}
	if (matrix) {
		size_t rows, columns;
		x_matrix(r, matrix, &r->vars, &rows, &columns);
	} else {
		x_list_of(r, e, &r->vars);
	}
	vec_clear(&r->ints);
	if (except)
		read_except(r, except);
	if (matrix)
		read_matrix(r, matrix);
	else
		post(r, &r->vars);
}

/* ---- explanations ---- */

/* Another variable that had this value as its only one then; CSP_NONE: there was none. */
static uint32_t holder(const struct csp *n, const struct con *c, uint32_t but, int64_t value, uint32_t time)
{
	assert(c->scope + c->arity <= n->scopes.n);
	for (uint32_t p = 0; p < c->arity; p++) {
		uint32_t y = con_scope(n, c)[p];
		if (y == but)
			continue;
		uint32_t low = learn_low(n, y, time);
		if (csp_value(n, y, low) == value && low == learn_high(n, y, time))
			return y;
	}
	return CSP_NONE;
}

/* The value at index i of x is gone: it was before, or another variable has it. False: for some other reason. */
static bool explain_value(struct csp *n, const struct con *c, uint32_t x, uint32_t i, uint32_t time)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	assert(c->scope + c->arity <= n->scopes.n);
	if (!learn_has(n, x, i, time)) {
		reason_gone(n, x, i, time);
		return true;
	}
	uint32_t y = holder(n, c, x, csp_value(n, x, i), time);
	if (y != CSP_NONE)
		reason_fixed(n, y, time);
	return y != CSP_NONE;
}

static bool explain(struct csp *n, const struct con *c, const struct question *q)
{
	assert(c->scope + c->arity <= n->scopes.n);
	enum atom_op op = atom_op(q->what);
	uint32_t x = atom_var(q->what);
	if (q->failure)
		return false;
	if (op == ATOM_NE)
		return explain_value(n, c, x, q->what.i, q->time);
	bool low = op == ATOM_GE;
	reason_add(n, atom(x, op, q->old));
	for (uint32_t i = q->old; i != q->what.i; low ? i++ : i--)
		if (!explain_value(n, c, x, i, q->time))
			return false;
	return true;
}

const struct kind kind_all_different = {.explain = explain,
                                        .attach = attach,
                                        .propagate = propagate,
                                        .holds = holds,
                                        .write = write_xml,
                                        .read = read_xml,
                                        .swaps = swaps,
                                        .graph = graph,
                                        .graph_first = true};
