/* Which variable next, which value first: smallest domain, degree, dom/deg, dom/wdeg (Boussemart, Hemery, Lecoutre and
 * Sais 2004). Ties go to the lowest index, so that a search is the same every time. */
#include "csp/csp_internal.h"

static double degree(const struct csp *n, const struct var *v, bool weighted)
{
	double sum = 0;
	for (const struct occ *o = n->occ + v->occ, *end = n->occ + v->occ_end; o < end; o++)
		if (n->open[o->con] > 1)
			sum += weighted ? n->weight[o->con] : 1;
	return sum;
}

/* Smallest size/degree; lowest index on ties. */
static uint32_t by_ratio(struct search *s, bool weighted)
{
	struct csp *n = s->n;
	uint32_t best = CSP_NONE;
	double best_size = 1, best_degree = 0;
	for (uint32_t i = 0; i < s->branch_n; i++) {
		uint32_t x = s->branch[i];
		const struct var *v = &n->vars.at[x];
		double size = (double)n->state.at[v->at];
		if (size == 1)
			continue;
		double d = degree(n, v, weighted) + 1e-9;
		if (best == CSP_NONE || size * best_degree < best_size * d) {
			best = x;
			best_size = size;
			best_degree = d;
		}
	}
	return best;
}

static uint32_t by_size(struct search *s)
{
	struct csp *n = s->n;
	uint32_t best = CSP_NONE;
	uint64_t least = UINT64_MAX;
	for (uint32_t i = 0; i < s->branch_n; i++) {
		uint64_t size = n->state.at[n->vars.at[s->branch[i]].at];
		if (size > 1 && size < least) {
			best = s->branch[i];
			if ((least = size) == 2)
				break;
		}
	}
	return best;
}

static uint32_t by_degree(struct search *s)
{
	uint32_t best = CSP_NONE, most = 0;
	for (uint32_t i = 0; i < s->branch_n; i++) {
		uint32_t x = s->branch[i], d = s->n->vars.at[x].occ_end - s->n->vars.at[x].occ + 1;
		if (dom_size(s->n, x) > 1 && d > most) {
			best = x;
			most = d;
		}
	}
	return best;
}

uint32_t order_variable(struct search *s)
{
	if (s->o->last_conflict && s->last != CSP_NONE && dom_size(s->n, s->last) > 1)
		return s->last;
	switch (s->o->order) {
	case CSP_ORDER_DOM: return by_size(s);
	case CSP_ORDER_DEG: return by_degree(s);
	case CSP_ORDER_DOM_DEG: return by_ratio(s, false);
	case CSP_ORDER_DOM_WDEG: return by_ratio(s, true);
	default: break;
	}
	for (uint32_t i = 0; i < s->branch_n; i++)
		if (dom_size(s->n, s->branch[i]) > 1)
			return s->branch[i];
	return CSP_NONE;
}

/* Values left to the neighbours of x after x = i and propagation; 0: failure. */
static uint64_t freedom(struct csp *n, uint32_t x, uint32_t i)
{
	uint64_t left = 0;
	uint32_t level = csp_level(n);
	struct deps *deps = n->deps;
	n->deps = NULL; /* a trial explains nothing */
	net_push(n);
	if (dom_fix(n, x, i) && csp_propagate(n)) {
		left = 1;
		for (uint32_t o = n->vars.at[x].occ; o < n->vars.at[x].occ_end; o++) {
			const struct con *c = &n->cons.at[n->occ[o].con];
			for (uint32_t p = 0; p < c->arity; p++)
				left += dom_size(n, con_scope(n, c)[p]);
		}
	}
	csp_pop(n, level);
	n->deps = deps;
	return left;
}

static uint32_t least_constraining(struct search *s, uint32_t x)
{
	uint32_t best = CSP_NONE;
	uint64_t most = 0;
	for (uint32_t i = csp_next_at(s->n, x, 0); i != CSP_NONE; i = csp_next_at(s->n, x, i + 1)) {
		uint64_t f = freedom(s->n, x, i);
		if (best == CSP_NONE || f > most) {
			best = i;
			most = f;
		}
	}
	return best;
}

uint32_t order_value(struct search *s, uint32_t x)
{
	switch (s->o->values) {
	case CSP_VALUE_MAX: return dom_last(s->n, x);
	case CSP_VALUE_LCV: return least_constraining(s, x);
	case CSP_VALUE_RANDOM: {
		uint32_t k = rng_below(&s->rng, dom_size(s->n, x)), i = dom_first(s->n, x);
		while (k--)
			i = csp_next_at(s->n, x, i + 1);
		return i;
	}
	default: return dom_first(s->n, x);
	}
}
