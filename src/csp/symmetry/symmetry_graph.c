/* Symmetries of a network: permutations of its literals (variable, value) that map
 * solutions to solutions, as automorphisms of a coloured graph in the manner of the
 * microstructure complement (Cohen, Jeavons, Jefferson, Petrie and Smith 2006).
 *
 *     literal            a vertex, for the variables that are not fixed yet
 *     forbidden pair     an edge between two literals; two values of one variable are such a pair
 *     forbidden tuple    a vertex joined to its literals
 *     allowed tuples     one vertex per tuple, joined to its literals and to the vertex of the constraint
 *     sum, count         one vertex per weight, joined to the literals that have it and to the constraint
 *
 * Constraints over few tuples are listed; allDifferent is its pairs; large sums, counts and
 * tables have the forms above. Literals of any other large constraint stay where they are.
 *
 * Why a permutation kept by the graph maps a solution to one: no two literals of the
 * image are a forbidden pair, so it holds one value of every variable; tuples go to
 * tuples, and literals to literals of the same weight in the image of the constraint. */
#include "csp/symmetry/symmetry_graph.h"

#include "csp/globals/globals_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LISTED 4096     /* tuples of a product that is listed, */
#define MAX_PAIRS (1 << 20) /* of two variables */
#define MAX_EDGES ((size_t)3 << 20)
#define MAX_CHECKS (1 << 24)

enum { COLOUR_LITERAL, COLOUR_NOGOOD, COLOUR_TUPLE, COLOUR_TABLE, COLOUR_MORE };
enum { KEY_WEIGHT = WEIGH_OBJECTIVE + 1, KEY_HELD };

static uint32_t colour_of(struct symmetry_graph *m, int64_t a, int64_t b, int64_t c)
{
	struct key k = {{a, b, c}};
	uint64_t h = hash_bytes(&k, sizeof k);
	uint32_t it, id;
	for (table_start(&m->table, h, &it); (id = table_next(&m->table, h, &it)) != TABLE_NONE;)
		if (!memcmp(&m->keys.at[id], &k, sizeof k))
			return COLOUR_MORE + id;
	table_add(&m->table, h, narrow32(m->keys.n));
	vec_push(&m->keys, k);
	return COLOUR_MORE + narrow32(m->keys.n) - 1;
}

void symmetry_graph_join(struct symmetry_graph *m, uint32_t a, uint32_t b)
{
	assert(a != b && a < m->g.colour.n && b < m->g.colour.n);
	if (m->edges.n >= 2 * MAX_EDGES)
		m->large = true;
	else
		vec_push(&m->edges, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a);
}

uint32_t symmetry_graph_vertex(const struct symmetry_graph *m, uint32_t x, uint32_t i)
{
	assert(i < m->n->vars.at[x].count);
	return m->vertex[m->n->vars.at[x].lit + i];
}

static void add_literals(struct symmetry_graph *m)
{
	struct csp *n = m->n;
	for (uint32_t x = 0; x < n->vars.n; x++) {
		if (dom_size(n, x) == 1)
			continue;
		uint32_t first = narrow32(m->literal.n);
		DOM_EACH (i, n, x) {
			uint32_t v = m->vertex[n->vars.at[x].lit + i] = graph_vertex(&m->g, COLOUR_LITERAL);
			vec_push(&m->literal, n->vars.at[x].lit + (uint32_t)i);
			assert(v + 1 == m->literal.n); /* the first vertices are the literals */
			for (uint32_t w = first; w < v && !m->large; w++)
				symmetry_graph_join(m, w, v);
		}
	}
}

/* No permutation moves the literals of this constraint. */
static void hold(struct symmetry_graph *m, const uint32_t *scope, uint32_t arity)
{
	for (uint32_t p = 0; p < arity; p++)
		for (uint32_t i = 0; i < m->n->vars.at[scope[p]].count; i++) {
			uint32_t v = symmetry_graph_vertex(m, scope[p], i);
			if (v != CSP_NONE)
				m->g.colour.at[v] = colour_of(m, KEY_HELD, v, 0);
		}
	m->held++;
}

/* ---- tuples ---- */

uint32_t symmetry_graph_table(struct symmetry_graph *m)
{
	return graph_vertex(&m->g, COLOUR_TABLE);
}

void symmetry_graph_tuple(struct symmetry_graph *m, const uint32_t *scope, const uint32_t *at, uint32_t table)
{
	uint32_t v = graph_vertex(&m->g, table == CSP_NONE ? COLOUR_NOGOOD : COLOUR_TUPLE);
	for (size_t i = 0; i < m->open.n; i++) {
		uint32_t p = m->open.at[i];
		if (at[p] != CSP_CELL_ANY)
			symmetry_graph_join(m, v, symmetry_graph_vertex(m, scope[p], at[p]));
	}
	if (table != CSP_NONE)
		symmetry_graph_join(m, v, table);
}

static bool product_within(const struct symmetry_graph *m, const uint32_t *scope, uint64_t most)
{
	uint64_t product = 1;
	for (size_t i = 0; i < m->open.n; i++)
		if ((product *= dom_size(m->n, scope[m->open.at[i]])) > most)
			return false;
	return true;
}

/* Goes on to the next tuple of the domains; false: that was the last. */
static bool next_tuple(const struct symmetry_graph *m, const uint32_t *scope, uint32_t *at)
{
	for (size_t i = m->open.n; i--;) {
		uint32_t p = m->open.at[i];
		at[p] = csp_next_at(m->n, scope[p], at[p] + 1);
		if (at[p] != CSP_NONE)
			return true;
		at[p] = dom_first(m->n, scope[p]);
	}
	return false;
}

/* Pairs become edges; of longer tuples the fewer, forbidden or allowed. */
static void list_tuples(struct symmetry_graph *m, uint32_t ci)
{
	assert(ci < m->n->cons.n);
	assert(m->open.n);
	struct csp *n = m->n;
	const struct con c = n->cons.at[ci];
	const uint32_t *scope = con_scope(n, &c);
	uint32_t *at = mem_alloc(c.arity, sizeof *at), p = m->open.at[0], q = m->open.at[m->open.n - 1];
	size_t holds = 0, all = 0, pair = m->open.n == 2;
	for (uint32_t i = 0; i < c.arity; i++)
		at[i] = dom_first(n, scope[i]);
	do {
		bool ok = con_holds(n, ci, at);
		holds += ok;
		all++;
		if (pair && !ok)
			symmetry_graph_join(m, symmetry_graph_vertex(m, scope[p], at[p]),
			                    symmetry_graph_vertex(m, scope[q], at[q]));
	} while (next_tuple(m, scope, at));
	m->checks += all;
	if (!pair && holds < all) {
		bool allowed = holds < all - holds;
		uint32_t table = allowed ? symmetry_graph_table(m) : CSP_NONE;
		do
			if (con_holds(n, ci, at) == allowed)
				symmetry_graph_tuple(m, scope, at, table);
		while (next_tuple(m, scope, at) && !m->large);
	}
	mem_free(at);
}

/* ---- weights ---- */

static int by_vertex(const void *x, const void *y)
{
	const struct weighted *a = x, *b = y;
	return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static int by_weight(const void *x, const void *y)
{
	const struct weighted *a = x, *b = y;
	return a->weight != b->weight ? (a->weight > b->weight) - (a->weight < b->weight) : by_vertex(x, y);
}

/* A constraint of this colour on the sum of the weights of the literals that hold. */
static void add_weights(struct symmetry_graph *m, struct weighted *w, size_t count, uint32_t colour)
{
	uint32_t c = graph_vertex(&m->g, colour), hub = CSP_NONE;
	size_t k = 0;
	qsort(w, count, sizeof *w, by_vertex);
	for (size_t i = 0; i < count; i++) { /* a variable named twice has one weight */
		if (k && w[k - 1].vertex == w[i].vertex)
			w[k - 1].weight += w[i].weight;
		else
			w[k++] = w[i];
	}
	qsort(w, k, sizeof *w, by_weight);
	for (size_t i = 0; i < k; i++) {
		if (!w[i].weight)
			continue;
		if (!i || w[i].weight != w[i - 1].weight) {
			hub = graph_vertex(&m->g, colour_of(m, KEY_WEIGHT, w[i].weight, 0));
			symmetry_graph_join(m, hub, c);
		}
		symmetry_graph_join(m, hub, w[i].vertex);
	}
}

void symmetry_graph_weights(struct symmetry_graph *m, weights *w, enum weighing what, int64_t relation, int64_t k)
{
	if (w->n)
		add_weights(m, w->at, w->n, colour_of(m, what, relation, k));
	vec_free(w);
}

void symmetry_graph_sum(struct symmetry_graph *m, const uint32_t *scope, const int64_t *coeffs, size_t arity,
                        enum weighing what, int64_t relation, int64_t k)
{
	struct csp *n = m->n;
	weights w = {0};
	for (size_t p = 0; p < arity; p++) {
		uint32_t x = scope[p];
		if (dom_size(n, x) == 1) {
			k -= coeffs[p] * dom_min(n, x);
			continue;
		}
		DOM_EACH (i, n, x) {
			int64_t weight = coeffs[p] * var_value(n, &n->vars.at[x], (uint32_t)i);
			vec_push(&w, (struct weighted){weight, symmetry_graph_vertex(m, x, (uint32_t)i)});
		}
	}
	symmetry_graph_weights(m, &w, what, relation, k);
}

/* ---- constraints ---- */

/* The open positions; false: a variable is there twice. */
static bool open_positions(struct symmetry_graph *m, uint32_t ci)
{
	assert(ci < m->n->cons.n);
	const struct con *c = &m->n->cons.at[ci];
	bool once = true;
	vec_clear(&m->open);
	for (uint32_t p = 0; p < c->arity; p++) {
		uint32_t x = con_scope(m->n, c)[p];
		if (dom_size(m->n, x) == 1)
			continue;
		vec_push(&m->open, p);
		once &= m->seen[x] != ci + 1;
		m->seen[x] = ci + 1;
	}
	return once;
}

static void add_constraint(struct symmetry_graph *m, uint32_t ci)
{
	assert(ci < m->n->cons.n);
	const struct con *c = &m->n->cons.at[ci];
	const struct kind *k = csp_kinds[c->kind];
	const uint32_t *scope = con_scope(m->n, c);
	bool once = open_positions(m, ci);
	if (!m->open.n || (k->graph_first && k->graph(m, c, once)))
		return;
	if (once && product_within(m, scope, m->open.n == 2 ? MAX_PAIRS : MAX_LISTED))
		list_tuples(m, ci);
	else if (!k->graph || !k->graph(m, c, once))
		hold(m, scope, c->arity);
}

static void hold_variables(struct symmetry_graph *m, uint32_t e)
{
	const struct node d = m->n->nodes.at[e];
	uint32_t x = (uint32_t)d.value;
	if (d.op == CSP_OP_VAR)
		hold(m, &x, 1);
	else
		for (uint32_t i = 0; i < d.count; i++)
			hold_variables(m, m->n->args.at[d.args + i]);
}

/* What the objective is worth stays the same too. */
static void add_objective(struct symmetry_graph *m)
{
	struct csp *n = m->n;
	uint32_t held = m->held;
	if (n->has_objective && n->objective_expr) {
		hold_variables(m, n->objective_root);
		m->held = held + 1;
	} else if (n->has_objective) {
		symmetry_graph_sum(m, n->objective_scope.at, n->objective_coeffs.at, n->objective_scope.n, WEIGH_OBJECTIVE, 0,
		                   0);
	}
}

static const char *build(struct symmetry_graph *m, const struct limit *limit)
{
	struct csp *n = m->n;
	m->vertex = mem_alloc(n->literals + 1, sizeof *m->vertex);
	memset(m->vertex, 0xff, (n->literals + 1) * sizeof *m->vertex);
	m->seen = NEW_ARRAY(uint32_t, n->vars.n + 1);
	add_literals(m);
	for (uint32_t c = 0; c < n->cons.n && !m->large && m->checks < MAX_CHECKS; c++) {
		if (limit_reached(limit))
			return "out of time";
		if (!n->cons.at[c].implied)
			add_constraint(m, c);
	}
	add_objective(m);
	return m->large || m->checks >= MAX_CHECKS ? "the network is too large" : NULL;
}

static int by_number(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
	return (a > b) - (a < b);
}

static void put_edges(struct symmetry_graph *m)
{
	if (m->edges.n)
		qsort(m->edges.at, m->edges.n, sizeof *m->edges.at, by_number);
	for (size_t i = 0; i < m->edges.n; i++)
		if (!i || m->edges.at[i] != m->edges.at[i - 1])
			graph_edge(&m->g, (uint32_t)(m->edges.at[i] >> 32), (uint32_t)m->edges.at[i]);
}

static const char *find(struct symmetry_graph *m, const struct limit *limit, struct csp_symmetry *s)
{
	struct automorphisms a;
	const char *why = build(m, limit);
	if (why)
		return why;
	put_edges(m);
	s->vertices = narrow32(m->g.colour.n);
	s->edges = m->g.ends.n / 2;
	s->held = m->held;
	if (!automorphisms_on(&a, &m->g, narrow32(m->literal.n), limit))
		return "out of time";
	s->mantissa = a.mantissa;
	s->exponent = a.exponent;
	s->generators = a.count;
	for (size_t i = 0; i < a.count; i++) {
		size_t at = s->images.n;
		vec_extend(&s->images, s->literals);
		for (uint32_t l = 0; l < s->literals; l++)
			s->images.at[at + l] = m->vertex[l] == CSP_NONE ? l : m->literal.at[a.images.at[i * a.keep + m->vertex[l]]];
	}
	automorphisms_free(&a);
	return NULL;
}

void csp_symmetry_find(struct csp *n, const struct limit *limit, struct csp_symmetry *s)
{
	double start = clock_now();
	struct symmetry_graph m = {.n = n};
	*s = (struct csp_symmetry){.mantissa = 1, .literals = n->literals};
	if (n->levels.n)
		s->skipped = "the network is in use";
	else if (n->any_wide)
		s->skipped = "a variable has too many values";
	else if (csp_prepare(n))
		s->skipped = find(&m, limit, s);
	coloured_graph_free(&m.g);
	mem_free(m.vertex);
	mem_free(m.seen);
	vec_free(&m.literal);
	vec_free(&m.edges);
	vec_free(&m.keys);
	vec_free(&m.open);
	table_free(&m.table);
	s->seconds = clock_now() - start;
}

void csp_symmetry_free(struct csp_symmetry *s)
{
	vec_free(&s->images);
}
