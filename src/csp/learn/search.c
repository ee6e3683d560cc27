/* Clause learning: the search. Decide, propagate, learn from failures, go back to where the clause asserts something;
 * restart now and then. A solution is a failure of the objective, or of its own decisions. */
#include "csp/learn/learn.h"
#include "csp/search/lns.h"

#include <assert.h>
#include <math.h>

struct run {
	struct search *s;
	struct csp *n;
	struct learn *l;
	uint32_t root;                      /* level of the network at depth 0 */
	uint64_t failures, until, restarts; /* failures so far; of the next restart */
	size_t room;                        /* clauses to keep before some are forgotten */
	bool free, phases;                  /* free: every other run pays no heed to the phases; this one follows them */
};

/* ---- clauses instead of constraints ---- */

/* Is it a disjunction over 0/1 variables? Its atoms then, into l->clause. */
static bool as_clause(struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	struct learn *l = n->learn;
	struct linear sum;
	uint32_t negative = 0;
	vec_clear(&l->clause);
	if (n->cons.at[c].objective || !sum_linear(&n->cons.at[c], &sum) ||
	    (sum.relation != CSP_GE && sum.relation != CSP_GT))
		return false;
	for (uint32_t p = 0; p < n->cons.at[c].arity; p++) {
		uint32_t x = con_scope(n, &n->cons.at[c])[p];
		const struct var *v = &n->vars.at[x];
		if ((sum.coeffs[p] != 1 && sum.coeffs[p] != -1) || v->count != 2 || var_value(n, v, 0) ||
		    var_value(n, v, 1) != 1)
			return false;
		negative += sum.coeffs[p] < 0;
		vec_push(&l->clause, sum.coeffs[p] > 0 ? atom(x, ATOM_GE, 1) : atom(x, ATOM_LE, 0));
	}
	return sum.k + (sum.relation == CSP_GT) == 1 - (int64_t)negative;
}

/* After propagation at the root: those that are open have two open atoms. */
static void take_clauses(struct csp *n)
{
	struct learn *l = n->learn;
	for (uint32_t c = 0; c < n->cons.n; c++) {
		if (n->asleep[c] || l->taken || !as_clause(n, c))
			continue;
		uint32_t k = 0;
		bool holds = false;
		for (size_t i = 0; i < l->clause.n; i++) {
			enum expr_truth t = learn_truth(n, l->clause.at[i]);
			holds = holds || t == EXPR_TRUE;
			if (t == EXPR_OPEN)
				l->clause.at[k++] = l->clause.at[i];
		}
		assert(holds || k > 1);
		if (!holds)
			learn_add_clause(n, l->clause.at, k, true, 0);
		csp_sleep(n, c);
		l->asleep[c] = true;
	}
	l->taken = true;
}

/* ---- decisions ---- */

#define FEW_VALUES 64 /* a value is tried as such; else bounds are decided */

static struct atom choose_value(const struct run *r, uint32_t x)
{
	const struct learn *l = r->l;
	uint32_t low = l->low[x], high = l->high[x], v = l->phase[x];
	assert(low < high);
	bool down = r->s->o->values != CSP_VALUE_MAX;
	if (x == r->l->goal) {
		down = (r->n->objective_coeffs.at[0] > 0) != r->n->maximise;
		v = CSP_NONE;
	}
	bool known = v != CSP_NONE && v >= low && v <= high;
	if (v != CSP_NONE && !known)
		v = v < low ? low : high;
	if (v == CSP_NONE)
		v = down ? low : high;
	assert(v >= low && v <= high);
	if (v == low)
		return atom(x, ATOM_LE, low);
	if (v == high)
		return atom(x, ATOM_GE, high);
	bool few = !r->n->vars.at[x].wide && dom_size(r->n, x) <= FEW_VALUES && dom_has(r->n, x, v);
	return few ? atom(x, ATOM_EQ, v) : atom(x, ATOM_LE, v);
}

static struct atom atom_of_choice(const struct csp *n, struct choice c)
{
	assert(c.x < n->vars.n && c.i < n->vars.at[c.x].count);
	if (c.op == CHOICE_IS)
		return learn_plain(n, atom(c.x, ATOM_EQ, c.i));
	return atom(c.x, c.op == CHOICE_AT_MOST ? ATOM_LE : ATOM_GE, c.i);
}

/* False: nothing is open. */
static bool choose(struct run *r, struct atom *a)
{
	if (r->phases) {
		struct choice c = order_choose(r->s);
		if (c.x == CSP_NONE)
			return false;
		*a = atom_of_choice(r->n, c);
		return true;
	}
	uint32_t x = learn_order_next(r->n);
	if (x == CSP_NONE)
		return false;
	*a = choose_value(r, x);
	return true;
}

static bool decide(struct run *r, struct atom a)
{
	struct csp *n = r->n;
	uint32_t x = atom_var(a);
	assert(learn_truth(n, a) == EXPR_OPEN);
	learn_push(n, a);
	r->s->s->nodes++;
	if (r->l->levels.n > r->s->s->depth)
		r->s->s->depth = r->l->levels.n;
	n->cause = n->running = r->l->conflict_clause = CSP_NONE;
	bool ok = atom_op(a) == ATOM_EQ   ? dom_fix(n, x, a.i)
	          : atom_op(a) == ATOM_LE ? dom_at_most(n, x, csp_value(n, x, a.i))
	                                  : dom_at_least(n, x, csp_value(n, x, a.i));
	return ok && csp_propagate(n);
}

/* ---- failures ---- */

/* kept: it is never forgotten. */
static bool assert_learned(struct run *r, uint32_t levels, bool kept)
{
	struct csp *n = r->n;
	struct learn *l = r->l;
	assert(l->clause.n && learn_truth(n, l->clause.at[0]) != EXPR_TRUE);
	uint32_t c = learn_add_clause(n, l->clause.at, narrow32(l->clause.n), kept, levels);
	l->conflict_clause = CSP_NONE;
	objective_wake(n);
	return learn_assert(n, c) && csp_propagate(n);
}

/* Learns from the failure at hand and goes on from there. given: it is a solution, which must not be met again, however
 * much is forgotten. False: there is nothing left; *ok: no new failure. */
static bool recover(struct run *r, bool given, bool *ok)
{
	struct learn *l = r->l;
	uint32_t levels, back = learn_analyse(r->n, given, &levels);
	if (back == CSP_NONE)
		return false;
	assert(back < l->levels.n);
	r->failures++;
	r->s->s->backtracks++;
	r->s->s->backjumps += l->levels.n - back > 1 ? l->levels.n - back - 1 : 0;
	learn_pop(r->n, back);
	learn_decay(r->n, &r->s->o->tune);
	*ok = assert_learned(r, levels, given);
	return true;
}

static void next_run(struct run *r)
{
	const struct csp_options *o = r->s->o;
	uint64_t unit = o->restart_unit ? o->restart_unit : 100;
	r->restarts++;
	r->until = r->failures + unit * search_luby(r->restarts);
	r->phases = o->phase_count && (!(o->free || r->free) || r->restarts % 2);
}

/* False: it fails at the root. */
static bool restart(struct run *r)
{
	learn_pop(r->n, 0);
	objective_wake(r->n);
	if (!csp_propagate(r->n))
		return false;
	if (r->l->learned.n > r->room) {
		learn_forget(r->n);
		r->room += (size_t)((double)r->room * r->s->o->tune.clauses_growth);
	}
	r->s->s->restarts++;
	next_run(r);
	return true;
}

/* The decisions that led to a solution must not be made again. */
static void blame_decisions(struct run *r)
{
	vec_clear(&r->l->reasons);
	for (size_t i = 0; i < r->l->decisions.n; i++)
		reason_add(r->n, r->l->decisions.at[i]);
}

/* Propagates at the root. False: it fails. */
static bool enter(struct run *r)
{
	struct csp *n = r->n;
	r->l->conflict_clause = n->cause = CSP_NONE;
	objective_wake(n);
	if (!csp_propagate(n))
		return false;
	take_clauses(n);
	return true;
}

/* True: the space is exhausted. */
static bool run(struct run *r)
{
	struct search *s = r->s;
	struct csp *n = r->n;
	bool ok = true, bounded = n->has_objective && s->o->best_only;
	s->s->nodes++;
	if (!enter(r))
		return true;
	for (;;) {
		struct atom a;
		if (!ok) {
			if (!r->l->levels.n) /* nothing is left; a pause would forget it */
				return true;
			if (search_limit(s))
				return false;
			if (!recover(r, false, &ok))
				return true;
			continue;
		}
		if (r->failures >= r->until && r->l->levels.n) {
			if (!restart(r))
				return true;
			continue;
		}
		if (search_limit(s))
			return false;
		if (choose(r, &a)) {
			ok = decide(r, a);
			continue;
		}
		if (!search_show(s))
			return false;
		r->l->conflict_clause = CSP_NONE;
		n->culprit = n->objective;
		for (uint32_t x = 0; x < n->vars.n; x++)
			r->l->phase[x] = r->l->low[x];
		if (!bounded)
			blame_decisions(r);
		if (!recover(r, !bounded, &ok))
			return true;
	}
}

static void begin(struct run *r)
{
	struct csp *n = r->n;
	assert(!n->learn);
	net_push(n);
	learn_start(n);
	r->l = n->learn;
	r->root = csp_level(n);
	r->room = (size_t)r->s->o->tune.clauses;
	learn_order_start(n, r->s->branch, r->s->branch_n);
	next_run(r);
}

/* The network is left on the level of the root, as if there were no learning: another search can use it. */
static void rest(struct run *r)
{
	r->n->learn = r->l;
	learn_pop(r->n, 0);
	assert(csp_level(r->n) == r->root);
	r->n->learn = NULL;
	for (uint32_t c = 0; c < r->n->cons.n; c++)
		if (r->l->asleep[c])
			csp_wake(r->n, c);
}

static void resume(struct run *r)
{
	struct learn *l = r->l;
	assert(!r->n->learn && csp_level(r->n) == r->root);
	r->n->learn = l;
	for (uint32_t c = 0; c < r->n->cons.n; c++)
		if (l->asleep[c])
			csp_sleep(r->n, c);
	bool known = search_incumbent(r->s);
	for (uint32_t x = 0; known && x < r->n->vars.n; x++) /* what others found is tried again */
		l->phase[x] = csp_index(r->n, x, r->s->values[x]);
}

static void end(struct run *r)
{
	assert(!r->n->learn && r->root > r->s->base);
	r->s->s->nogoods += r->l->learned.n;
	csp_pop(r->n, r->root - 1);
	r->n->learn = r->l;
	learn_stop(r->n);
}

bool search_learn(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct run r = {.s = s, .n = s->n};
	begin(&r);
	bool done = run(&r);
	rest(&r);
	end(&r);
	return done;
}

/* ---- by turns ---- */

/* Lets one of the two search until it has propagated so often. False: it was not the end of the turn that stopped it.
 */
static bool turn(struct search *s, struct run *r, uint64_t length, bool *done)
{
	assert(s->n->levels.n >= s->base);
	assert(!s->pause);
	s->pause = s->n->propagations + s->n->effort + length;
	*done = r ? run(r) : search_mac(s);
	s->pause = 0;
	if (*done || !s->paused || (s->first && search_incumbent(s)))
		return false;
	s->paused = s->stop = false;
	return true;
}

/* Failures of long ago say less about where the next ones are. */
static void fade_weights(struct csp *n, double kept)
{
	assert(kept >= 0 && kept <= 1);
	for (uint32_t c = 0; c < n->cons.n; c++)
		n->weight[c] = 1 + (n->weight[c] - 1) * kept;
}

/* MAC, which is quick where there is little to learn, clause learning and, once there is a solution to improve, large
 * neighbourhoods by turns that grow longer. Each profits from the bounds that the others find, MAC also from what was
 * learned about single values. */
bool search_auto(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	const struct csp_tuning *tune = &s->o->tune;
	struct run r = {.s = s, .n = s->n};
	bool done, bounded = s->n->has_objective && s->o->best_only;
	if ((s->o->max_solutions != 1 && !bounded) || s->class_of)
		return search_mac(s);
	uint64_t unit = s->o->restart_unit ? s->o->restart_unit : 100, length = (uint64_t)tune->turn * unit * unit;
	r.free = true;
	if (!turn(s, NULL, length, &done))
		return done;
	begin(&r);
	struct lns *around = NULL;
	while (turn(s, &r, length, &done)) {
		rest(&r);
		if (bounded && search_incumbent(s)) {
			around = around ? around : lns_new(s);
			if (!lns_turn(around, (uint64_t)fmin((double)length * tune->lns_turn, 1e18), &done))
				break;
		}
		length = (uint64_t)fmin((double)length * tune->turn_growth, 1e18);
		fade_weights(s->n, tune->weight_kept);
		if (!turn(s, NULL, length, &done))
			break;
		resume(&r);
	}
	lns_free(around);
	if (s->n->learn)
		rest(&r);
	end(&r);
	return done;
}
