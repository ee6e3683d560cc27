/* Finding symmetries: automorphisms of the graph
 *
 *     variable - literal - class of a constraint's position - constraint
 *
 * to which each constraint adds what it says: a small one the tuples of classes that satisfy it, an expression its tree
 * (down to the parts that mention one variable, whose values are told apart), a maximum or minimum the values of its
 * list. The literals of any other constraint stay where they are. */
#include "qcsp/symmetry.h"

#include "graph/automorphism.h"

#include <string.h>

#define MOST_VERTICES 200000
#define MOST_LISTED 600000 /* cells of tuples over all constraints */

/* Kinds of vertices; colours are numbers of the pairs (kind, which). */
enum { LITERAL, CLASS, SUMMARY, VARIABLE, CONSTRAINT, TUPLE, OPERATOR, ARGUMENT, CONSTANT, PART, PART_VALUE, HELD };

struct vertex_kind {
	uint64_t kind, which;
};

struct network_graph {
	const struct restriction *r;
	struct csp *n;
	const struct classes *k;
	struct coloured_graph g;
	struct table colours;
	VEC(struct vertex_kind) known; /* by colour */
	uint32_t constraints;          /* vertex of the first */
	size_t cells;
	uint32_t held;
};

static uint32_t colour(struct network_graph *m, uint64_t kind, uint64_t which)
{
	uint64_t h = hash_join(kind, which);
	uint32_t it = 0, id;
	for (table_start(&m->colours, h, &it); (id = table_next(&m->colours, h, &it)) != TABLE_NONE;)
		if (m->known.at[id].kind == kind && m->known.at[id].which == which)
			return id;
	table_add(&m->colours, h, narrow32(m->known.n));
	vec_push(&m->known, (struct vertex_kind){kind, which});
	return narrow32(m->known.n) - 1;
}

static uint32_t vertex(struct network_graph *m, uint64_t kind, uint64_t which)
{
	return graph_vertex(&m->g, colour(m, kind, which));
}

/* ---- what constraints say ---- */

static bool list_tuples(struct network_graph *m, uint32_t c)
{
	const struct shape *s = &m->r->d->shapes[c];
	size_t yes = 0;
	uint32_t arity = csp_arity(m->n, c);
	for (size_t i = 0; s->sizes && i < s->tuples; i++)
		yes += s->truth[i];
	bool which = yes * 2 <= s->tuples; /* the fewer, forbidden or allowed */
	m->cells += (which ? yes : s->tuples - yes) * arity;
	if (!s->sizes || m->cells > MOST_LISTED)
		return false;
	for (size_t i = 0; i < s->tuples; i++) {
		if (s->truth[i] != which)
			continue;
		uint32_t t = vertex(m, TUPLE, which);
		size_t rest = i;
		graph_edge(&m->g, t, m->constraints + c);
		for (uint32_t p = arity; p--; rest /= s->sizes[p])
			graph_edge(&m->g, t, m->r->class[m->k->start[c] + p] + (uint32_t)(rest % s->sizes[p]));
	}
	return true;
}

/* The only position below e, or CSP_NONE: none or several; *any: there is one. */
static uint32_t only_position(const struct csp *n, uint32_t e, bool *any)
{
	const struct csp_node d = csp_expr_node(n, e);
	if (d.op == CSP_OP_VAR) {
		*any = true;
		return d.position;
	}
	uint32_t only = CSP_NONE;
	bool several = false;
	for (uint32_t i = 0; i < d.count; i++) {
		bool has = false;
		uint32_t p = only_position(n, d.args[i], &has);
		several = several || (has && (p == CSP_NONE || (*any && p != only)));
		only = has ? p : only;
		*any = *any || has;
	}
	return several ? CSP_NONE : only;
}

/* A part with one variable: its value for each class of values. */
static uint32_t part_vertex(struct network_graph *m, uint32_t c, uint32_t e, uint32_t p)
{
	uint32_t v = vertex(m, PART, 0), x = csp_scope(m->n, c)[p], done = 0;
	int64_t *values = NEW_ARRAY(int64_t, csp_arity(m->n, c)), out;
	for (uint32_t i = 0; i < csp_count(m->n, x); i++) {
		uint32_t class = classes_of(m->k, c, p)[i];
		if (class < done)
			continue; /* equal values of the part */
		done = class + 1;
		values[p] = csp_value(m->n, x, i);
		bool defined = csp_expr_eval(m->n, e, values, &out);
		uint32_t w = vertex(m, PART_VALUE, defined ? (uint64_t)out : UINT64_C(1) << 63);
		graph_edge(&m->g, v, w);
		graph_edge(&m->g, w, m->r->class[m->k->start[c] + p] + class);
	}
	mem_free(values);
	return v;
}

static bool any_order(enum csp_operator op)
{
	return op == CSP_OP_AND || op == CSP_OP_OR || op == CSP_OP_ADD || op == CSP_OP_MUL || op == CSP_OP_MIN ||
	       op == CSP_OP_MAX || op == CSP_OP_EQ || op == CSP_OP_NE || op == CSP_OP_XOR || op == CSP_OP_IFF ||
	       op == CSP_OP_DIST;
}

static uint32_t tree_vertex(struct network_graph *m, uint32_t c, uint32_t e)
{
	const struct csp_node d = csp_expr_node(m->n, e);
	bool any = false;
	uint32_t only = only_position(m->n, e, &any);
	if (only != CSP_NONE)
		return part_vertex(m, c, e, only);
	if (d.op == CSP_OP_CONST)
		return vertex(m, CONSTANT, (uint64_t)d.value);
	uint32_t v = vertex(m, OPERATOR, d.op);
	for (uint32_t i = 0; i < d.count; i++) {
		uint32_t child = tree_vertex(m, c, d.args[i]), place = vertex(m, ARGUMENT, any_order(d.op) ? 0 : i + 1);
		graph_edge(&m->g, v, place);
		graph_edge(&m->g, place, child);
	}
	return v;
}

static void extremum_vertices(struct network_graph *m, uint32_t c)
{
	uint32_t arity = csp_arity(m->n, c);
	for (uint32_t p = 0; p < arity; p++) {
		uint32_t x = csp_scope(m->n, c)[p], v = vertex(m, PART, p + 1 == arity ? 2 : 1);
		graph_edge(&m->g, v, m->constraints + c);
		for (uint32_t i = 0; i < csp_count(m->n, x); i++) {
			int32_t value = csp_value(m->n, x, i);
			uint32_t w = vertex(m, PART_VALUE, (uint64_t)(int64_t)value);
			graph_edge(&m->g, v, w);
			graph_edge(&m->g, w, m->r->literal[x] + i);
			if (p + 1 < arity)
				graph_edge(&m->g, w, m->r->summary[c] + (uint32_t)(value - m->r->low[c]));
		}
	}
}

static void hold(struct network_graph *m, uint32_t c)
{
	for (uint32_t p = 0; p < csp_arity(m->n, c); p++) {
		uint32_t x = csp_scope(m->n, c)[p];
		for (uint32_t i = 0; i < csp_count(m->n, x); i++)
			graph_edge(&m->g, vertex(m, HELD, m->held++), m->r->literal[x] + i);
	}
}

static void add_constraint(struct network_graph *m, uint32_t c)
{
	for (uint32_t p = 0; p < csp_arity(m->n, c); p++) {
		uint32_t x = csp_scope(m->n, c)[p], class = m->r->class[m->k->start[c] + p], most = 0;
		for (uint32_t i = 0; i < csp_count(m->n, x); i++) {
			uint32_t k = classes_of(m->k, c, p)[i];
			graph_edge(&m->g, m->r->literal[x] + i, class + k);
			most = k > most ? k : most;
		}
		for (uint32_t k = 0; k <= most; k++)
			graph_edge(&m->g, class + k, m->constraints + c);
	}
	if (list_tuples(m, c))
		return;
	if (csp_kind(m->n, c) == CSP_INTENSION)
		graph_edge(&m->g, m->constraints + c, tree_vertex(m, c, csp_root(m->n, c)));
	else if (m->r->summary[c] != CSP_NONE)
		extremum_vertices(m, c);
	else
		hold(m, c);
}

/* ---- the graph ---- */

static void add_items(struct network_graph *m)
{
	const struct restriction *r = m->r;
	for (uint32_t i = 0; i < r->items; i++)
		vertex(m, CLASS, 0);
	for (uint32_t x = 0; x < r->d->vars; x++) {
		uint32_t v = vertex(m, VARIABLE, r->d->q->place[x]);
		for (uint32_t i = 0; i < csp_count(m->n, x); i++) {
			m->g.colour.at[r->literal[x] + i] = colour(m, LITERAL, csp_has_at(m->n, x, i));
			graph_edge(&m->g, v, r->literal[x] + i);
		}
	}
	m->constraints = narrow32(m->g.colour.n);
	for (uint32_t c = 0; c < r->d->cons; c++) {
		vertex(m, CONSTRAINT, csp_kind(m->n, c));
		uint32_t end = c + 1 < r->d->cons ? r->class[m->k->start[c + 1]] : r->items;
		for (uint32_t i = r->summary[c]; i != CSP_NONE && i < end; i++) {
			m->g.colour.at[i] = colour(m, SUMMARY, (uint64_t)(int64_t)(r->low[c] + (int32_t)(i - r->summary[c])));
			graph_edge(&m->g, i, m->constraints + c);
		}
	}
}

/* ---- the group ---- */

static bool known_image(const struct qcsp_symmetry *s, const uint32_t *to, uint32_t items)
{
	for (uint32_t i = 0; i < s->count; i++)
		if (!memcmp(s->image[i], to, items * sizeof *to))
			return true;
	return false;
}

/* Products of the generators, shortest first, as far as there is room. */
static void write_group(struct qcsp_symmetry *s, const struct automorphisms *a, uint32_t items)
{
	for (uint32_t i = 0; i < s->count; i++)
		for (size_t g = 0; g < a->count && s->count < QCSP_SYMMETRY_MOST; g++) {
			uint32_t *to = mem_alloc(items + 1, sizeof *to);
			for (uint32_t v = 0; v < items; v++)
				to[v] = a->images.at[g * items + s->image[i][v]];
			if (known_image(s, to, items))
				mem_free(to);
			else
				s->image[s->count++] = to;
		}
}

void qcsp_symmetry_make(struct qcsp_symmetry *s, const struct restriction *r, bool only_identity,
                        const struct limit *limit)
{
	*s = (struct qcsp_symmetry){.count = 1};
	s->image[0] = mem_alloc(r->items + 1, sizeof **s->image);
	for (uint32_t i = 0; i < r->items; i++)
		s->image[0][i] = i;
	if (only_identity || r->items > MOST_VERTICES)
		return;
	struct network_graph m = {.r = r, .n = r->d->q->n, .k = &r->d->classes};
	struct automorphisms a = {0};
	add_items(&m);
	for (uint32_t c = 0; c < r->d->cons; c++)
		add_constraint(&m, c);
	if (m.g.colour.n <= MOST_VERTICES && automorphisms_find(&a, &m.g, r->items, AUTOMORPHISM_AUTO, limit))
		write_group(s, &a, r->items);
	automorphisms_free(&a);
	coloured_graph_free(&m.g);
	table_free(&m.colours);
	vec_free(&m.known);
}

void qcsp_symmetry_free(struct qcsp_symmetry *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		mem_free(s->image[i]);
}
