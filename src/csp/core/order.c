/* Which variable next, which value first: smallest domain, degree, dom/deg, dom/wdeg (Boussemart, Hemery, Lecoutre and
 * Sais 2004), whose weights can fade. Ties go to the lowest index, so that a search is the same every time. */
#include "csp/csp_internal.h"

#include <assert.h>

static double degree(const struct csp *n, const struct var *v, bool weighted)
{
	assert(v->at + v->words < n->state.n);
	double sum = 0;
	for (const struct occ *o = n->occ + v->occ, *end = n->occ + v->occ_end; o < end; o++)
		if (n->open[o->con] > 1)
			sum += weighted ? n->weight[o->con] : 1;
	return sum;
}

#define HEAVIEST 1e150

/* Instead of making all others lighter after each failure, the new ones count for more. */
void order_blame(struct csp *n, uint32_t c)
{
	assert(c < n->cons.n && n->weight_step >= 1);
	n->weight[c] += n->weight_step;
	n->weight_step /= n->weight_decay;
	if (n->weight_step < HEAVIEST)
		return;
	for (uint32_t i = 0; i < n->cons.n; i++)
		n->weight[i] /= n->weight_step;
	n->weight_step = 1;
}

/* The variables among which to choose. */
struct field {
	struct csp *n;
	const uint32_t *vars;
	size_t count;
};

/* Smallest size/degree; lowest index on ties. */
static uint32_t by_ratio(const struct field *f, bool weighted)
{
	struct csp *n = f->n;
	uint32_t best = CSP_NONE;
	double best_size = 1, best_degree = 0;
	for (size_t i = 0; i < f->count; i++) {
		uint32_t x = f->vars[i];
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

static uint32_t by_size(const struct field *f)
{
	struct csp *n = f->n;
	uint32_t best = CSP_NONE;
	uint64_t least = UINT64_MAX;
	for (size_t i = 0; i < f->count; i++) {
		uint64_t size = n->state.at[n->vars.at[f->vars[i]].at];
		if (size > 1 && size < least) {
			best = f->vars[i];
			if ((least = size) == 2)
				break;
		}
	}
	return best;
}

/* The open variable of which most is to be said; the first on ties. */
static uint32_t by_most(const struct field *f, int64_t (*rate)(const struct csp *, uint32_t))
{
	uint32_t best = CSP_NONE;
	int64_t most = 0;
	for (size_t i = 0; i < f->count; i++) {
		uint32_t x = f->vars[i];
		if (dom_size(f->n, x) == 1)
			continue;
		int64_t r = rate(f->n, x);
		if (best == CSP_NONE || r > most) {
			best = x;
			most = r;
		}
	}
	return best;
}

static int64_t rate_degree(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return n->vars.at[x].occ_end - n->vars.at[x].occ;
}

static int64_t rate_size(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return dom_size(n, x);
}

static int64_t rate_least(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return -(int64_t)dom_min(n, x);
}

static int64_t rate_greatest(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return dom_max(n, x);
}

static int64_t rate_regret(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	uint32_t first = dom_first(n, x);
	return (int64_t)csp_value(n, x, csp_next_at(n, x, first + 1)) - csp_value(n, x, first);
}

static uint32_t choose_variable(const struct field *f, enum csp_order order)
{
	switch (order) {
	case CSP_ORDER_DOM: return by_size(f);
	case CSP_ORDER_DEG: return by_most(f, rate_degree);
	case CSP_ORDER_DOM_DEG: return by_ratio(f, false);
	case CSP_ORDER_DOM_WDEG: return by_ratio(f, true);
	case CSP_ORDER_LARGE_DOM: return by_most(f, rate_size);
	case CSP_ORDER_SMALLEST: return by_most(f, rate_least);
	case CSP_ORDER_LARGEST: return by_most(f, rate_greatest);
	case CSP_ORDER_REGRET: return by_most(f, rate_regret);
	default: break;
	}
	for (size_t i = 0; i < f->count; i++)
		if (dom_size(f->n, f->vars[i]) > 1)
			return f->vars[i];
	return CSP_NONE;
}

/* The middle of an interval, the lower half being at least as large. */
static uint32_t middle(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	if (n->vars.at[x].wide)
		return dom_first(n, x) + (dom_size(n, x) - 1) / 2;
	const struct var *v = &n->vars.at[x];
	int64_t half = ((int64_t)dom_min(n, x) + dom_max(n, x)) >> 1;
	uint32_t i = dom_first(n, x);
	for (uint32_t next = i; next != CSP_NONE && var_value(n, v, next) <= half; next = csp_next_at(n, x, next + 1))
		i = next;
	return i;
}

static struct choice choose_value(struct search *s, uint32_t x, enum csp_value_order values)
{
	assert(x < s->n->vars.n);
	assert(s->n->levels.n >= s->base);
	if (values == CSP_VALUE_SPLIT)
		return (struct choice){x, middle(s->n, x), CHOICE_AT_MOST};
	if (values == CSP_VALUE_REVERSE_SPLIT)
		return (struct choice){x, csp_next_at(s->n, x, middle(s->n, x) + 1), CHOICE_AT_LEAST};
	return (struct choice){x, order_value(s, x, values), CHOICE_IS};
}

/* Intervals are halved where nothing else is asked for. */
static struct choice choose_freely(struct search *s, uint32_t x)
{
	assert(x < s->n->vars.n);
	assert(s->n->levels.n >= s->base);
	enum csp_value_order values = s->o->values;
	if (s->n->vars.at[x].wide)
		values =
			values == CSP_VALUE_MAX || values == CSP_VALUE_REVERSE_SPLIT ? CSP_VALUE_REVERSE_SPLIT : CSP_VALUE_SPLIT;
	return choose_value(s, x, values);
}

struct choice order_choose(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	if (s->o->last_conflict && s->last != CSP_NONE && dom_size(s->n, s->last) > 1)
		return choose_freely(s, s->last);
	for (size_t i = 0; i < s->o->phase_count; i++) {
		const struct csp_phase *p = &s->o->phases[i];
		uint32_t x = choose_variable(&(struct field){s->n, p->vars, p->count}, p->order);
		if (x != CSP_NONE)
			return choose_value(s, x, p->values);
	}
	uint32_t x = choose_variable(&(struct field){s->n, s->branch, s->branch_n}, s->o->order);
	return x == CSP_NONE ? (struct choice){.x = CSP_NONE} : choose_freely(s, x);
}

bool choice_make(struct csp *n, struct choice c)
{
	assert(c.x < n->vars.n && c.i < n->vars.at[c.x].count);
	int64_t v = csp_value(n, c.x, c.i);
	if (c.op == CHOICE_IS)
		return dom_fix(n, c.x, c.i);
	return c.op == CHOICE_AT_MOST ? dom_at_most(n, c.x, v) : dom_at_least(n, c.x, v);
}

bool choice_refute(struct csp *n, struct choice c)
{
	assert(c.x < n->vars.n && c.i < n->vars.at[c.x].count);
	int64_t v = csp_value(n, c.x, c.i);
	if (c.op == CHOICE_IS)
		return dom_drop(n, c.x, c.i);
	return c.op == CHOICE_AT_MOST ? dom_at_least(n, c.x, v + 1) : dom_at_most(n, c.x, v - 1);
}

/* Values left to the neighbours of x after x = i and propagation; 0: failure. */
static uint64_t freedom(struct csp *n, uint32_t x, uint32_t i)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
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
	assert(x < s->n->vars.n);
	assert(s->n->levels.n >= s->base);
	uint32_t best = CSP_NONE;
	uint64_t most = 0;
	if (csp_wide(s->n, x))
		return dom_first(s->n, x);
	for (uint32_t i = csp_next_at(s->n, x, 0); i != CSP_NONE; i = csp_next_at(s->n, x, i + 1)) {
		uint64_t f = freedom(s->n, x, i);
		if (best == CSP_NONE || f > most) {
			best = i;
			most = f;
		}
	}
	return best;
}

uint32_t order_value(struct search *s, uint32_t x, enum csp_value_order values)
{
	assert(x < s->n->vars.n);
	assert(s->n->levels.n >= s->base);
	switch (values) {
	case CSP_VALUE_MEDIAN: {
		uint32_t i = dom_first(s->n, x), k = (dom_size(s->n, x) - 1) / 2;
		if (csp_wide(s->n, x))
			return i + k;
		while (k--)
			i = csp_next_at(s->n, x, i + 1);
		return i;
	}
	case CSP_VALUE_MAX: return dom_last(s->n, x);
	case CSP_VALUE_LCV: return least_constraining(s, x);
	case CSP_VALUE_RANDOM: {
		uint32_t k = rng_below(&s->rng, dom_size(s->n, x)), i = dom_first(s->n, x);
		if (csp_wide(s->n, x))
			return i + k;
		while (k--)
			i = csp_next_at(s->n, x, i + 1);
		return i;
	}
	default: return dom_first(s->n, x);
	}
}
