/* Finding symmetries: colour refinement on the graph
 *
 *     variable - literal - class of a constraint's position - constraint
 *                                            \- tuple of classes, where there are few
 *
 * in two copies, one literal after the other given a colour of its own in both, until
 * all colours differ; then the colours give a permutation. Its effect on the relations,
 * which the graph shows in part, is checked tuple by tuple (of classes). */
#include "qcsp/symmetry.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TUPLES 200000 /* over all constraints */
#define MOST_NODES 20000
#define ROUNDS 6
#define FEW 64 /* tuples that get a node each */

struct graph {
	struct qcsp *q;
	struct csp *n;
	const struct classes *k;
	struct qcsp_symmetry *s;
	uint32_t nodes, literals, vars, cons; /* number of literals; first node of the variables and of the constraints */
	uint32_t *edge_at, *edges;
	uint32_t *sizes;  /* classes at a position: [start[c] + p] */
	uint32_t *first;  /* representative value of an item that is a class */
	uint8_t **truth;  /* per constraint, by the classes of its positions */
	uint32_t *yes;    /* tuples that satisfy it */
	uint64_t *scratch;
	uint32_t tries;
};

static void number_items(struct graph *g)
{
	struct qcsp_symmetry *s = g->s;
	uint32_t vars = csp_variables(g->n), cons = csp_constraints(g->n), positions = 0;
	s->literal = mem_alloc(vars + 1, sizeof *s->literal);
	for (uint32_t x = 0; x < vars; x++) {
		s->literal[x] = s->items;
		s->items += csp_count(g->n, x);
	}
	g->literals = s->items;
	for (uint32_t c = 0; c < cons; c++)
		positions += csp_arity(g->n, c);
	s->class = mem_alloc(positions + 1, sizeof *s->class);
	g->sizes = NEW_ARRAY(uint32_t, positions + 1);
	for (uint32_t c = 0; c < cons; c++)
		for (uint32_t p = 0; p < csp_arity(g->n, c); p++) {
			uint32_t at = g->k->start[c] + p, x = csp_scope(g->n, c)[p];
			for (uint32_t i = 0; i < csp_count(g->n, x); i++)
				if (classes_of(g->k, c, p)[i] >= g->sizes[at])
					g->sizes[at] = classes_of(g->k, c, p)[i] + 1;
			s->class[at] = s->items;
			s->items += g->sizes[at];
		}
	g->vars = s->items;
	g->cons = g->vars + vars;
	g->nodes = g->cons + cons;
}

/* Which tuples of classes satisfy each constraint; false: too many. Unused class numbers have no representative. */
static bool tabulate(struct graph *g)
{
	uint32_t cons = csp_constraints(g->n);
	double all = 0;
	g->first = mem_alloc(g->s->items + 1, sizeof *g->first);
	memset(g->first, 0xff, (g->s->items + 1) * sizeof *g->first);
	for (uint32_t c = 0; c < cons; c++) {
		double size = 1;
		for (uint32_t p = 0; p < csp_arity(g->n, c); p++) {
			const uint32_t *of = classes_of(g->k, c, p);
			for (uint32_t i = csp_count(g->n, csp_scope(g->n, c)[p]); i--;)
				g->first[g->s->class[g->k->start[c] + p] + of[i]] = i;
			size *= g->sizes[g->k->start[c] + p];
		}
		all += size;
		if (all > MOST_TUPLES || csp_arity(g->n, c) > 16)
			return false;
	}
	g->truth = NEW_ARRAY(uint8_t *, cons + 1);
	g->yes = NEW_ARRAY(uint32_t, cons + 1);
	for (uint32_t c = 0; c < cons; c++) {
		uint32_t arity = csp_arity(g->n, c), cls[16] = {0}, at[16];
		const uint32_t *sizes = g->sizes + g->k->start[c];
		size_t size = 1;
		for (uint32_t p = 0; p < arity; p++)
			size *= sizes[p];
		g->truth[c] = NEW_ARRAY(uint8_t, size);
		for (size_t i = 0; i < size; i++) {
			bool real = true;
			for (uint32_t p = 0; p < arity; p++) {
				at[p] = g->first[g->s->class[g->k->start[c] + p] + cls[p]];
				real = real && at[p] != CSP_NONE;
			}
			g->truth[c][i] = real && csp_check_at(g->n, c, at);
			g->yes[c] += g->truth[c][i];
			uint32_t p = arity;
			while (p-- && ++cls[p] == sizes[p])
				cls[p] = 0;
		}
		if (g->yes[c] <= FEW)
			g->nodes += g->yes[c];
	}
	return true;
}

static void add_edge(struct graph *g, uint32_t *fill, uint32_t a, uint32_t b)
{
	if (g->edges) {
		g->edges[fill[a]++] = b;
		g->edges[fill[b]++] = a;
	} else {
		g->edge_at[a + 1]++;
		g->edge_at[b + 1]++;
	}
}

static void all_edges(struct graph *g, uint32_t *fill)
{
	for (uint32_t x = 0; x < csp_variables(g->n); x++)
		for (uint32_t i = 0; i < csp_count(g->n, x); i++)
			add_edge(g, fill, g->vars + x, g->s->literal[x] + i);
	for (uint32_t c = 0; c < csp_constraints(g->n); c++)
		for (uint32_t p = 0; p < csp_arity(g->n, c); p++) {
			uint32_t x = csp_scope(g->n, c)[p], from = g->s->class[g->k->start[c] + p];
			for (uint32_t i = 0; i < csp_count(g->n, x); i++)
				add_edge(g, fill, g->s->literal[x] + i, from + classes_of(g->k, c, p)[i]);
			for (uint32_t m = 0; m < g->sizes[g->k->start[c] + p]; m++)
				add_edge(g, fill, from + m, g->cons + c);
		}
}

static void tuple_edges(struct graph *g, uint32_t *fill)
{
	uint32_t node = g->cons + csp_constraints(g->n);
	for (uint32_t c = 0; c < csp_constraints(g->n); c++) {
		uint32_t arity = csp_arity(g->n, c), cls[16] = {0};
		const uint32_t *sizes = g->sizes + g->k->start[c];
		for (bool more = g->yes[c] <= FEW; more;) {
			size_t at = 0;
			for (uint32_t p = 0; p < arity; p++)
				at = at * sizes[p] + cls[p];
			for (uint32_t p = 0; g->truth[c][at] && p < arity; p++)
				add_edge(g, fill, node, g->s->class[g->k->start[c] + p] + cls[p]);
			node += g->truth[c][at];
			uint32_t p = arity;
			while (p-- && ++cls[p] == sizes[p])
				cls[p] = 0;
			more = p != UINT32_MAX;
		}
	}
}

static void build_edges(struct graph *g)
{
	g->edge_at = NEW_ARRAY(uint32_t, g->nodes + 2);
	all_edges(g, NULL);
	tuple_edges(g, NULL);
	for (uint32_t i = 1; i <= g->nodes; i++)
		g->edge_at[i] += g->edge_at[i - 1];
	uint32_t *fill = mem_alloc(g->nodes + 1, sizeof *fill);
	memcpy(fill, g->edge_at, (g->nodes + 1) * sizeof *fill);
	g->edges = mem_alloc(g->edge_at[g->nodes] + 1, sizeof *g->edges);
	all_edges(g, fill);
	tuple_edges(g, fill);
	mem_free(fill);
}

static void first_colours(struct graph *g, uint64_t *colour)
{
	for (uint32_t i = 0; i < g->nodes; i++)
		colour[i] = i < g->vars ? 1 : 2;
	for (uint32_t x = 0; x < csp_variables(g->n); x++)
		colour[g->vars + x] = hash_join(3, (uint64_t)g->q->place[x] << 32 | csp_count(g->n, x));
	for (uint32_t c = 0; c < csp_constraints(g->n); c++) {
		size_t size = 1;
		for (uint32_t p = 0; p < csp_arity(g->n, c); p++)
			size *= g->sizes[g->k->start[c] + p];
		colour[g->cons + c] = hash_join(hash_join(4, csp_kind(g->n, c)), hash_join(size, g->yes[c]));
	}
}

static void refine(const struct graph *g, uint64_t *colour)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t i = 0; i < g->nodes; i++)
			g->scratch[i] = hash_mix(colour[i]);
		for (uint32_t i = 0; i < g->nodes; i++) {
			uint64_t sum = 0;
			for (uint32_t e = g->edge_at[i]; e < g->edge_at[i + 1]; e++)
				sum += g->scratch[g->edges[e]];
			colour[i] = hash_join(colour[i], sum);
		}
	}
}

struct coloured {
	uint64_t colour;
	uint32_t node;
};

static int by_colour(const void *a, const void *b)
{
	uint64_t x = ((const struct coloured *)a)->colour, y = ((const struct coloured *)b)->colour;
	return (x > y) - (x < y);
}

/* The first `count` nodes in the order of their colours. */
static uint32_t *sorted(const uint64_t *colour, uint32_t count)
{
	struct coloured *list = mem_alloc(count + 1, sizeof *list);
	uint32_t *order = mem_alloc(count + 1, sizeof *order);
	for (uint32_t i = 0; i < count; i++)
		list[i] = (struct coloured){colour[i], i};
	qsort(list, count, sizeof *list, by_colour);
	for (uint32_t i = 0; i < count; i++)
		order[i] = list[i].node;
	mem_free(list);
	return order;
}

/* Does the permutation of the nodes map each constraint's relation onto another's? */
static bool keeps_relations(const struct graph *g, const uint32_t *to)
{
	for (uint32_t c = 0; c < csp_constraints(g->n); c++) {
		uint32_t d = to[g->cons + c] - g->cons, arity = csp_arity(g->n, c), cls[16] = {0}, place[16];
		if (d >= csp_constraints(g->n) || csp_arity(g->n, d) != arity)
			return false;
		const uint32_t *sizes = g->sizes + g->k->start[c], *other = g->sizes + g->k->start[d];
		size_t size = 1, step[16];
		for (uint32_t p = 0; p < arity; p++) { /* where position p of c goes in d */
			uint32_t item = to[g->s->class[g->k->start[c] + p]], r = 0;
			while (r < arity && !(item >= g->s->class[g->k->start[d] + r] && item < g->s->class[g->k->start[d] + r] + other[r]))
				r++;
			if (r == arity || other[r] != sizes[p])
				return false;
			place[p] = r;
			size *= sizes[p];
		}
		size_t power = 1;
		for (uint32_t r = arity; r--; power *= other[r])
			step[r] = power;
		for (size_t i = 0; i < size; i++) {
			size_t j = 0;
			for (uint32_t p = 0; p < arity; p++) {
				uint32_t item = to[g->s->class[g->k->start[c] + p] + cls[p]], from = g->s->class[g->k->start[d] + place[p]];
				if (item < from || item >= from + other[place[p]])
					return false;
				j += (item - from) * step[place[p]];
			}
			if (g->truth[c][i] != g->truth[d][j])
				return false;
			uint32_t p = arity;
			while (p-- && ++cls[p] == sizes[p])
				cls[p] = 0;
		}
	}
	return true;
}

static bool known(const struct qcsp_symmetry *s, const uint32_t *to)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (!memcmp(s->image[i], to, s->items * sizeof *to))
			return true;
	return false;
}

/* Products of symmetries are symmetries: add them all. */
static void close_group(struct graph *g)
{
	struct qcsp_symmetry *s = g->s;
	for (uint32_t a = 1; a < s->count; a++)
		for (uint32_t b = 1; b < s->count && s->count < QCSP_SYMMETRY_MOST; b++) {
			uint32_t *to = mem_alloc(g->nodes + 1, sizeof *to);
			for (uint32_t i = 0; i < g->nodes; i++)
				to[i] = s->image[a][s->image[b][i]];
			if (known(s, to))
				mem_free(to);
			else
				s->image[s->count++] = to;
		}
}

/* The colours of all literals differ: a permutation. True when it is a symmetry. */
static bool found(struct graph *g, const uint64_t *left, const uint64_t *right)
{
	struct qcsp_symmetry *s = g->s;
	uint32_t *to = mem_alloc(g->nodes + 1, sizeof *to), *a = sorted(left, g->nodes), *b = sorted(right, g->nodes);
	for (uint32_t i = 0; i < g->nodes; i++)
		to[a[i]] = b[i];
	mem_free(a);
	mem_free(b);
	bool old = known(s, to), good = old || keeps_relations(g, to);
	if (old || !good || s->count == QCSP_SYMMETRY_MOST) {
		mem_free(to);
		return good;
	}
	s->image[s->count++] = to;
	close_group(g);
	return true;
}

static bool reached(const struct qcsp_symmetry *s, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (s->image[i][from] == to)
			return true;
	return false;
}

/* Equal for equal multisets of colours. */
static uint64_t checksum(const struct graph *g, const uint64_t *colour)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < g->nodes; i++)
		sum += colour[i] * (colour[i] | 1);
	return sum;
}

/* Colours of both copies are refined; the first ambiguous literal gets a colour of its own, in
 * the right copy in every way. Where the copies are still the same, first those
 * symmetries are found that keep this literal, then one for every other image
 * that those found so far do not reach (Schreier and Sims). */
static bool match(struct graph *g, const uint64_t *left, const uint64_t *right, bool same)
{
	if (++g->tries > 400 || g->s->count == QCSP_SYMMETRY_MOST || (!same && checksum(g, left) != checksum(g, right)))
		return false;
	uint32_t *a = sorted(left, g->literals), *b = same ? a : sorted(right, g->literals), pick = CSP_NONE, from = 0, to = 0;
	bool any = false;
	for (uint32_t i = 0; i + 1 < g->literals; i++) { /* the smallest set of equals */
		uint32_t j = i;
		while (j + 1 < g->literals && left[a[j + 1]] == left[a[i]])
			j++;
		if (j > i && (pick == CSP_NONE || j - i < to - from)) {
			pick = a[i];
			from = i;
			to = j;
		}
		i = j;
	}
	if (pick == CSP_NONE)
		any = found(g, left, right);
	if (pick != CSP_NONE) {
		uint64_t *l = mem_alloc(g->nodes + 1, sizeof *l), *r = mem_alloc(g->nodes + 1, sizeof *r);
		memcpy(l, left, g->nodes * sizeof *l);
		l[pick] = hash_join(5, l[pick]);
		refine(g, l);
		if (same)
			match(g, l, l, true);
		for (uint32_t i = from; i <= to && (same || !any); i++) {
			if (same && reached(g->s, pick, b[i]))
				continue;
			memcpy(r, right, g->nodes * sizeof *r);
			r[b[i]] = hash_join(5, r[b[i]]);
			refine(g, r);
			any = match(g, l, r, false) || any;
		}
		mem_free(l);
		mem_free(r);
	}
	mem_free(a);
	if (!same)
		mem_free(b);
	return any;
}

void qcsp_symmetry_build(struct qcsp_symmetry *s, struct qcsp *q, const struct classes *k, bool identity)
{
	struct graph g = {.q = q, .n = q->n, .k = k, .s = s};
	*s = (struct qcsp_symmetry){0};
	number_items(&g);
	bool search = !identity && g.nodes <= MOST_NODES && tabulate(&g);
	s->image[s->count++] = mem_alloc(g.nodes + 1, sizeof **s->image);
	for (uint32_t i = 0; i < g.nodes; i++)
		s->image[0][i] = i;
	if (search) {
		build_edges(&g);
		uint64_t *colour = mem_alloc(g.nodes + 1, sizeof *colour);
		g.scratch = mem_alloc(g.nodes + 1, sizeof *g.scratch);
		first_colours(&g, colour);
		refine(&g, colour);
		match(&g, colour, colour, true);
		mem_free(colour);
	}
	for (uint32_t c = 0; g.truth && c < csp_constraints(g.n); c++)
		mem_free(g.truth[c]);
	mem_free(g.truth);
	mem_free(g.yes);
	mem_free(g.first);
	mem_free(g.sizes);
	mem_free(g.edge_at);
	mem_free(g.edges);
	mem_free(g.scratch);
}

void qcsp_symmetry_free(struct qcsp_symmetry *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		mem_free(s->image[i]);
	mem_free(s->literal);
	mem_free(s->class);
}
