/* Large neighbourhood search (Shaw 1998): most variables keep their values of the best solution, the others are
 * searched anew by MAC for a better one. Which are free is drawn, at random or along constraints; how many adapts: more
 * when the neighbourhood held nothing better, fewer when it could not be searched to its end. Once all are free it is a
 * complete search. */
#include "csp/search/lns.h"
#include "csp/csp_internal.h"

#include <assert.h>

struct lns {
	struct search *s;
	uint32_t *vars, count; /* that may keep their values */
	double part;           /* of them that is free */
	bool *free;            /* per variable */
	uint32_t *found;       /* scratch: those that are free, in the order they were drawn */
	bool along;            /* the next neighbourhood goes along constraints */
};

/* What the model decides first, or what it shows, but not the objective itself. */
static bool matters(const struct search *s, uint32_t x)
{
	const struct csp *n = s->n;
	bool goal = !n->objective_expr && n->objective_scope.n == 1 && n->objective_scope.at[0] == x;
	return !goal && dom_size(n, x) > 1 && (s->o->phase_count || !n->vars.at[x].hidden);
}

static void collect(struct lns *l, const uint32_t *vars, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!l->free[vars[i]] && matters(l->s, vars[i])) {
			l->free[vars[i]] = true;
			l->vars[l->count++] = vars[i];
		}
}

struct lns *lns_new(struct search *s)
{
	struct lns *l = NEW(struct lns);
	size_t vars = s->n->vars.n;
	l->s = s;
	l->part = s->o->tune.lns_first;
	l->vars = mem_alloc(vars + 1, sizeof *l->vars);
	l->found = mem_alloc(vars + 1, sizeof *l->found);
	l->free = NEW_ARRAY(bool, vars + 1);
	for (size_t i = 0; i < s->o->phase_count; i++)
		collect(l, s->o->phases[i].vars, s->o->phases[i].count);
	if (!l->count)
		collect(l, s->branch, s->branch_n);
	assert(l->count <= vars);
	return l;
}

void lns_free(struct lns *l)
{
	if (!l)
		return;
	mem_free(l->vars);
	mem_free(l->found);
	mem_free(l->free);
	mem_free(l);
}

/* ---- which variables are free ---- */

static void shuffle(struct lns *l)
{
	for (uint32_t i = l->count; i > 1; i--) {
		uint32_t k = rng_below(&l->s->rng, i), x = l->vars[k];
		l->vars[k] = l->vars[i - 1];
		l->vars[i - 1] = x;
	}
}

static void set_free(struct lns *l, uint32_t x, uint32_t *n)
{
	if (l->free[x])
		return;
	l->free[x] = true;
	l->found[(*n)++] = x;
	assert(*n <= l->s->n->vars.n);
}

/* From a variable to those it shares constraints with, and on from there. */
static void spread(struct lns *l, uint32_t want)
{
	const struct csp *n = l->s->n;
	int64_t widest = l->s->o->tune.lns_scope; /* wider ones connect everything with everything */
	uint32_t count = 0;
	for (uint32_t next = 0, at = 0; count < want && at < l->count;) {
		if (next == count) /* a new beginning */
			set_free(l, l->vars[at++], &count);
		if (next == count)
			continue;
		const struct var *v = &n->vars.at[l->found[next++]];
		for (uint32_t o = v->occ; o < v->occ_end && count < want; o++) {
			const struct con *c = &n->cons.at[n->occ[o].con];
			for (uint32_t p = 0; p < c->arity && c->arity <= widest; p++)
				set_free(l, con_scope(n, c)[p], &count);
		}
	}
}

static void draw(struct lns *l)
{
	uint32_t want = (uint32_t)(l->part * l->count + 1), count = 0;
	assert(l->part > 0 && want);
	memset(l->free, 0, (l->s->n->vars.n + 1) * sizeof *l->free);
	shuffle(l);
	l->along = !l->along;
	if (l->along)
		spread(l, want);
	for (uint32_t i = 0; i < want && i < l->count && !l->along; i++)
		set_free(l, l->vars[i], &count);
}

/* ---- a neighbourhood ---- */

/* Gives x its value of the best solution where that is possible. */
static void keep(struct csp *n, uint32_t x, int32_t value)
{
	uint32_t i = csp_index(n, x, value), level = csp_level(n);
	if (dom_size(n, x) == 1 || i == CSP_NONE || !dom_has(n, x, i))
		return;
	net_push(n);
	if (!dom_fix(n, x, i) || !csp_propagate(n))
		csp_pop(n, level);
}

static void freeze(struct lns *l)
{
	struct csp *n = l->s->n;
	for (uint32_t i = 0; i < l->count; i++)
		if (!l->free[l->vars[i]])
			keep(n, l->vars[i], l->s->values[l->vars[i]]);
}

static uint64_t work(const struct csp *n)
{
	return n->propagations + n->effort;
}

/* Searches among the values that are left once the others are kept; true: to its end. */
static bool search_around(struct lns *l)
{
	struct search *s = l->s;
	assert(!s->pause);
	uint64_t start = work(s->n), solutions = s->s->solutions;
	if (l->part < 1) {
		draw(l);
		freeze(l);
		s->pause = work(s->n) + (uint64_t)s->o->tune.lns_work * s->o->restart_unit + 4 * (work(s->n) - start);
	}
	bool done = search_mac(s);
	s->pause = 0;
	if (s->s->solutions == solutions && l->part < 1)
		l->part *= done ? s->o->tune.lns_grow : s->o->tune.lns_shrink;
	return done;
}

bool lns_turn(struct lns *l, uint64_t length, bool *done)
{
	struct search *s = l->s;
	struct csp *n = s->n;
	uint32_t level = csp_level(n);
	*done = false;
	for (uint64_t until = work(n) + length; (!length || work(n) < until) && search_incumbent(s);) {
		if (l->part >= 1 && length) /* the whole is for others to search */
			l->part = s->o->tune.lns_last;
		bool all = l->part >= 1 || !l->count;
		net_push(n);
		objective_wake(n);
		bool possible = csp_propagate(n), ended = !possible || search_around(l);
		assert(csp_level(n) >= level);
		csp_pop(n, level);
		*done = !possible || (all && ended);
		if (*done || (s->stop && !s->paused))
			return false;
		s->stop = s->paused = false;
	}
	return true;
}

/* The first solution is left to the others. */
bool search_lns(struct search *s)
{
	bool done;
	assert(s->n->levels.n >= s->base);
	s->first = true;
	done = search_auto(s);
	s->first = false;
	if (done || !s->paused)
		return done;
	s->stop = s->paused = false;
	struct lns *l = lns_new(s);
	lns_turn(l, 0, &done);
	lns_free(l);
	return done;
}
