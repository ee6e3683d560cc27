/* All that holds in a position, by plain evaluation of the clauses from the bottom up: component by component, every
 * clause again and again until nothing new comes. Slow, and shares nothing with the interpreter but the rules and the
 * store of terms: what explanations are held against. */
#ifndef TESTS_EXPLAIN_MODEL_H
#define TESTS_EXPLAIN_MODEL_H

#include "graph/scc.h"
#include "ground/term.h"

#include <stdbool.h>
#include <string.h>

struct model {
	const struct gdl_rules *r;
	struct terms *terms;
	VEC(struct model_relation {
		sym_t name;
		uint32_t argc, component;
		struct {
			term_t *at;
			size_t n, cap;
		} facts;
	}) relations;
	VEC(uint8_t) holds;  /* by term */
	term_t *value;       /* by symbol: of the variables of the clause at hand */
	uint64_t work, most; /* matches; beyond `most` the model is given up */
	bool whole;
	term_t head;
	VEC(term_t) fresh;
};

static inline uint32_t model_relation(struct model *m, sym_t name, uint32_t argc)
{
	for (uint32_t i = 0; i < m->relations.n; i++)
		if (m->relations.at[i].name == name && m->relations.at[i].argc == argc)
			return i;
	vec_push(&m->relations, ((struct model_relation){.name = name, .argc = argc}));
	return (uint32_t)m->relations.n - 1;
}

static inline bool model_holds(const struct model *m, term_t t)
{
	return t < m->holds.n && m->holds.at[t];
}

static inline void model_add(struct model *m, term_t t)
{
	while (m->holds.n <= t)
		vec_push(&m->holds, 0);
	if (m->holds.at[t])
		return;
	m->holds.at[t] = 1;
	const struct term x = m->terms->all.at[t];
	uint32_t r = model_relation(m, x.name, x.argc);
	vec_push(&m->relations.at[r].facts, t);
}

/* TERM_NONE: a variable has no value. */
static inline term_t model_term(struct model *m, node_t n)
{
	const struct gdl_node x = m->r->nodes.at[n];
	term_t args[64];
	if (x.variable)
		return m->value[x.name];
	for (uint32_t i = 0; i < x.argc; i++)
		if ((args[i] = model_term(m, gdl_arg(m->r, n, i))) == TERM_NONE)
			return TERM_NONE;
	return term_put(m->terms, x.name, x.argc, args);
}

static inline bool model_unify(struct model *m, node_t n, term_t t, sym_t *bound, uint32_t *count)
{
	const struct gdl_node x = m->r->nodes.at[n];
	if (x.variable) {
		if (m->value[x.name] != TERM_NONE)
			return m->value[x.name] == t;
		m->value[x.name] = t;
		bound[(*count)++] = x.name;
		return true;
	}
	const struct term y = m->terms->all.at[t];
	if (x.name != y.name || x.argc != y.argc)
		return false;
	for (uint32_t i = 0; i < x.argc; i++)
		if (!model_unify(m, gdl_arg(m->r, n, i), term_args(m->terms, t)[i], bound, count))
			return false;
	return true;
}

struct model_goal {
	node_t node;
	const struct model_goal *next;
};

static inline bool model_is_test(const struct model *m, node_t n)
{
	sym_t name = m->r->nodes.at[n].name;
	return name == GDL_NOT || name == GDL_DISTINCT;
}

static void model_solve(struct model *m, const struct gdl_clause *c, const struct model_goal *goals)
{
	if (m->work > m->most)
		return;
	if (!goals) {
		vec_push(&m->fresh, model_term(m, c->head));
		return;
	}
	node_t n = goals->node;
	const struct gdl_node x = m->r->nodes.at[n];
	if (x.name == GDL_OR) {
		for (uint32_t i = 0; i < x.argc; i++)
			model_solve(m, c, &(struct model_goal){gdl_arg(m->r, n, i), goals->next});
		return;
	}
	if (x.name == GDL_AND) {
		struct model_goal chain[64];
		for (uint32_t i = 0; i < x.argc; i++)
			chain[i] = (struct model_goal){gdl_arg(m->r, n, i), i + 1 < x.argc ? &chain[i + 1] : goals->next};
		model_solve(m, c, chain);
		return;
	}
	if (model_is_test(m, n)) {
		term_t a = model_term(m, gdl_arg(m->r, n, 0));
		if (x.name == GDL_NOT ? !model_holds(m, a) : a != model_term(m, gdl_arg(m->r, n, 1)))
			model_solve(m, c, goals->next);
		return;
	}
	uint32_t r = model_relation(m, x.name, x.argc);
	size_t count = m->relations.at[r].facts.n;
	term_t known = model_term(m, n);
	if (known != TERM_NONE) {
		m->work++;
		if (model_holds(m, known))
			model_solve(m, c, goals->next);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		sym_t bound[64];
		uint32_t k = 0;
		m->work++;
		if (model_unify(m, n, m->relations.at[r].facts.at[i], bound, &k))
			model_solve(m, c, goals->next);
		while (k)
			m->value[bound[--k]] = TERM_NONE;
	}
}

/* Conditions in the order of the text, but tests at the end. */
static inline void model_clause(struct model *m, const struct gdl_clause *c)
{
	struct model_goal goals[512];
	uint32_t n = 0;
	for (int tests = 0; tests < 2; tests++)
		for (uint32_t i = 0; i < c->count && n < 512; i++) {
			node_t node = m->r->kids.at[c->body + i];
			if (model_is_test(m, node) == (tests == 1))
				goals[n++] = (struct model_goal){node, NULL};
		}
	for (uint32_t i = 0; i + 1 < n; i++)
		goals[i].next = &goals[i + 1];
	model_solve(m, c, n ? goals : NULL);
	for (size_t i = 0; i < m->fresh.n; i++)
		model_add(m, m->fresh.at[i]);
	vec_clear(&m->fresh);
}

static inline void model_edges(struct model *m, node_t n, uint32_t *edges, uint32_t *count)
{
	const struct gdl_node x = m->r->nodes.at[n];
	if (x.name == GDL_NOT || x.name == GDL_OR || x.name == GDL_AND) {
		for (uint32_t i = 0; i < x.argc; i++)
			model_edges(m, gdl_arg(m->r, n, i), edges, count);
	} else if (x.name != GDL_DISTINCT) {
		edges[(*count)++] = model_relation(m, x.name, x.argc);
	}
}

/* Components of relations, those first that others rest on. */
static inline uint32_t model_components(struct model *m)
{
	const struct gdl_rules *r = m->r;
	uint32_t *from = NEW_ARRAY(uint32_t, r->nodes.n + 1), *to = NEW_ARRAY(uint32_t, r->nodes.n + 1), count = 0;
	for (size_t i = 0; i < r->clauses.n; i++) {
		const struct gdl_node *head = &r->nodes.at[r->clauses.at[i].head];
		uint32_t before = count, of = model_relation(m, head->name, head->argc);
		for (uint32_t k = 0; k < r->clauses.at[i].count; k++)
			model_edges(m, r->kids.at[r->clauses.at[i].body + k], to, &count);
		for (uint32_t k = before; k < count; k++)
			from[k] = of;
	}
	uint32_t n = (uint32_t)m->relations.n, *start = NEW_ARRAY(uint32_t, n + 2), *edges = NEW_ARRAY(uint32_t, count + 1),
			 *component = NEW_ARRAY(uint32_t, n + 1);
	for (uint32_t i = 0; i < count; i++)
		start[from[i] + 1]++;
	for (uint32_t i = 0; i < n; i++)
		start[i + 1] += start[i];
	uint32_t *fill = NEW_ARRAY(uint32_t, n + 1);
	for (uint32_t i = 0; i < count; i++)
		edges[start[from[i]] + fill[from[i]]++] = to[i];
	uint32_t components = graph_components(n, start, edges, 0, component);
	for (uint32_t i = 0; i < n; i++)
		m->relations.at[i].component = component[i];
	mem_free(from), mem_free(to), mem_free(start), mem_free(edges), mem_free(component), mem_free(fill);
	return components;
}

/* `state` and `does`: statements (true …) and (does …). */
static inline struct model model_make(const struct gdl_rules *r, struct terms *terms, const term_t *given, size_t count,
                                      uint64_t most)
{
	struct model m = {.r = r, .terms = terms, .most = most};
	uint32_t components = model_components(&m);
	m.value = mem_alloc(r->symbols.all.n + 1, sizeof *m.value);
	memset(m.value, 0xff, (r->symbols.all.n + 1) * sizeof *m.value);
	for (size_t i = 0; i < count; i++)
		model_add(&m, given[i]);
	for (uint32_t k = 0; k < components; k++)
		for (size_t before = SIZE_MAX, now = 0; before != now && m.work <= m.most;) {
			before = now;
			now = 0;
			for (size_t i = 0; i < r->clauses.n; i++) {
				const struct gdl_node *head = &r->nodes.at[r->clauses.at[i].head];
				uint32_t of = model_relation(&m, head->name, head->argc);
				if (m.relations.at[of].component != k)
					continue;
				model_clause(&m, &r->clauses.at[i]);
				now += m.relations.at[of].facts.n;
			}
		}
	m.whole = m.work <= m.most;
	return m;
}

static inline void model_free(struct model *m)
{
	for (size_t i = 0; i < m->relations.n; i++)
		vec_free(&m->relations.at[i].facts);
	vec_free(&m->relations);
	vec_free(&m->holds);
	vec_free(&m->fresh);
	mem_free(m->value);
}

#endif
