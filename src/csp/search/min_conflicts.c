/* Min-conflicts with constraint weighting (Minton et al. 1992; weights as in
 * the breakout method, Morris 1993): from a complete assignment, move a
 * variable of a violated constraint to the value with the least violated weight;
 * in a local minimum, the violated constraints grow heavier. */
#include "csp/csp_internal.h"

#include <assert.h>

struct local {
	struct search *s;
	struct csp *n;
	uint32_t *at; /* variable -> value index */
	double *weight;
	uint32_t *bad;   /* violated constraints, dense */
	uint32_t *where; /* constraint -> place in bad, or CSP_NONE */
	uint32_t bad_n;
	VEC(uint32_t) tuple;
};

static bool holds(struct local *m, uint32_t c)
{
	assert(c < m->n->cons.n);
	const struct con *k = &m->n->cons.at[c];
	vec_clear(&m->tuple);
	for (uint32_t p = 0; p < k->arity; p++)
		vec_push(&m->tuple, m->at[con_scope(m->n, k)[p]]);
	return k->objective || con_holds(m->n, c, m->tuple.at);
}

static void note(struct local *m, uint32_t c)
{
	assert(c < m->n->cons.n);
	bool bad = !holds(m, c);
	if (bad && m->where[c] == CSP_NONE) {
		m->where[c] = m->bad_n;
		m->bad[m->bad_n++] = c;
	} else if (!bad && m->where[c] != CSP_NONE) {
		uint32_t last = m->bad[--m->bad_n];
		m->bad[m->where[c]] = last;
		m->where[last] = m->where[c];
		m->where[c] = CSP_NONE;
	}
}

static void start(struct local *m)
{
	struct csp *n = m->n;
	for (uint32_t x = 0; x < n->vars.n; x++) {
		uint32_t k = rng_below(&m->s->rng, dom_size(n, x)), i = dom_first(n, x);
		while (k--)
			i = csp_next_at(n, x, i + 1);
		m->at[x] = i;
	}
	m->bad_n = 0;
	for (uint32_t c = 0; c < n->cons.n; c++) {
		m->weight[c] = 1;
		m->where[c] = CSP_NONE;
	}
	for (uint32_t c = 0; c < n->cons.n; c++)
		note(m, c);
}

/* Violated weight around x with value i; stops when worse than `most`. */
static double cost(struct local *m, uint32_t x, uint32_t i, double most)
{
	const struct var *v = &m->n->vars.at[x];
	uint32_t old = m->at[x];
	double sum = 0;
	m->at[x] = i;
	for (uint32_t o = v->occ; o < v->occ_end && sum <= most; o++)
		if (!holds(m, m->n->occ[o].con))
			sum += m->weight[m->n->occ[o].con];
	m->at[x] = old;
	return sum;
}

static void step(struct local *m)
{
	struct csp *n = m->n;
	const struct con *c = &n->cons.at[m->bad[rng_below(&m->s->rng, m->bad_n)]];
	uint32_t best_x = CSP_NONE, best_i = 0, ties = 0;
	double best = 1e300, gain = 0;
	for (uint32_t p = 0; p < c->arity; p++) {
		uint32_t x = con_scope(n, c)[p];
		double now = cost(m, x, m->at[x], 1e300);
		DOM_EACH (i, n, x) {
			if (i == m->at[x])
				continue;
			double d = cost(m, x, (uint32_t)i, best + now) - now;
			if (d < best || (d == best && rng_below(&m->s->rng, ++ties + 1) == 0)) {
				if (d < best)
					ties = 0;
				best = gain = d;
				best_x = x;
				best_i = (uint32_t)i;
			}
		}
	}
	if (best_x == CSP_NONE || gain >= 0)
		for (uint32_t k = 0; k < m->bad_n; k++)
			m->weight[m->bad[k]]++;
	if (best_x == CSP_NONE)
		return;
	m->at[best_x] = best_i;
	for (uint32_t o = n->vars.at[best_x].occ; o < n->vars.at[best_x].occ_end; o++)
		note(m, n->occ[o].con);
}

bool search_min_conflicts(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct csp *n = s->n;
	struct local m = {.s = s, .n = n};
	uint64_t limit = s->o->max_nodes ? s->o->max_nodes : s->o->limit.deadline > 0 ? UINT64_MAX : 100000, since = 0;
	m.at = NEW_ARRAY(uint32_t, n->vars.n);
	m.weight = NEW_ARRAY(double, n->cons.n + 1);
	m.bad = NEW_ARRAY(uint32_t, n->cons.n + 1);
	m.where = NEW_ARRAY(uint32_t, n->cons.n + 1);
	start(&m);
	while (m.bad_n && s->s->steps < limit && !search_limit(s)) {
		s->s->steps++;
		step(&m);
		if (++since > 50 * n->vars.n + 1000) {
			since = 0;
			s->s->restarts++;
			start(&m);
		}
	}
	if (!m.bad_n) {
		for (uint32_t x = 0; x < n->vars.n; x++)
			s->values[x] = csp_value(n, x, m.at[x]);
		search_show_values(s);
	}
	mem_free(m.at);
	mem_free(m.weight);
	mem_free(m.bad);
	mem_free(m.where);
	vec_free(&m.tuple);
	return false; /* it proves nothing */
}
