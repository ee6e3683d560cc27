/* csp_solve: what all searches share (limits, solutions, counters, the objective). */
#include "csp/csp_internal.h"

#include <assert.h>

const struct csp_options csp_defaults = {
	.algorithm = CSP_ALG_MAC,
	.consistency = CSP_LEVEL_AC,
	.k = 3,
	.order = CSP_ORDER_DOM_WDEG,
	.values = CSP_VALUE_MIN,
	.restart_unit = 100,
	.max_solutions = 1,
	.best_only = true,
	.tune = {CSP_TUNING(TUNING_STANDARD)},
};

/* ---- the objective ---- */

bool csp_objective_sum(struct csp *n, const uint32_t *scope, const int64_t *coeffs, size_t arity, bool maximise)
{
	if (n->has_objective) {
		net_refuse(n, "a second objective");
		return false;
	}
	if (!net_scope_ok(n, scope, arity))
		return false;
	for (size_t i = 0; i < arity; i++) {
		vec_push(&n->objective_scope, scope[i]);
		vec_push(&n->objective_coeffs, coeffs[i]);
	}
	n->has_objective = true;
	n->maximise = maximise;
	return true;
}

bool csp_objective_expr(struct csp *n, uint32_t expr, bool maximise)
{
	if (n->has_objective || expr >= n->nodes.n || !expr_safe(n, expr)) {
		net_refuse(n, n->has_objective ? "a second objective" : "the objective's arithmetic may overflow");
		return false;
	}
	n->objective_root = expr;
	n->objective_expr = n->has_objective = true;
	n->maximise = maximise;
	return true;
}

bool csp_has_objective(const struct csp *n)
{
	return n->has_objective;
}

bool csp_maximises(const struct csp *n)
{
	return n->maximise;
}

void csp_forget_objective(struct csp *n)
{
	n->has_objective = n->objective_expr = false;
	n->objective = n->relaxation.con = CSP_NONE; /* the constraints that bounded it stay, without effect */
	vec_clear(&n->objective_scope);
	vec_clear(&n->objective_coeffs);
}

bool objective_value(struct csp *n, const int32_t *values, int64_t *out)
{
	if (!n->has_objective)
		return false;
	*out = 0;
	if (!n->objective_expr) {
		assert(n->objective_scope.n == n->objective_coeffs.n);
		for (size_t i = 0; i < n->objective_scope.n; i++)
			*out += n->objective_coeffs.at[i] * values[n->objective_scope.at[i]];
		return true;
	}
	if (n->objective == CSP_NONE)
		return false;
	const struct con *c = &n->cons.at[n->objective];
	int64_t *at = mem_alloc(c->arity, sizeof *at);
	for (uint32_t p = 0; p < c->arity; p++)
		at[p] = values[con_scope(n, c)[p]];
	bool ok = csp_expr_eval(n, csp_expr_node(n, csp_root(n, n->objective)).args[0], at, out);
	mem_free(at);
	return ok;
}

bool csp_cost(struct csp *n, const int32_t *values, int64_t *cost)
{
	return objective_value(n, values, cost);
}

/* The constraint "objective better than the bound", at first without effect. */
static bool objective_bound(struct csp *n)
{
	if (n->objective == CSP_NONE) {
		if (n->objective_expr) {
			uint32_t args[2] = {n->objective_root, csp_expr_const(n, n->maximise ? -CSP_NO_BOUND : CSP_NO_BOUND)};
			n->objective = csp_add_intension(n, csp_expr(n, n->maximise ? CSP_OP_GT : CSP_OP_LT, args, 2));
		} else {
			n->objective = csp_add_sum(n, n->objective_scope.at, n->objective_coeffs.at, n->objective_scope.n,
			                           n->maximise ? CSP_GT : CSP_LT, n->maximise ? -CSP_NO_BOUND : CSP_NO_BOUND);
		}
		if (n->objective == CSP_NONE)
			return false;
		n->cons.at[n->objective].objective = n->cons.at[n->objective].implied = true;
	}
	objective_tighten(n, n->maximise ? -CSP_NO_BOUND : CSP_NO_BOUND);
	return true;
}

void objective_tighten(struct csp *n, int64_t value)
{
	assert(n->objective < n->cons.n);
	if (n->objective_expr)
		n->nodes.at[csp_expr_node(n, csp_root(n, n->objective)).args[1]].value = value;
	else
		sum_set_bound(n, n->objective, value);
	relaxation_tighten(n, value);
}

void objective_wake(struct csp *n)
{
	if (n->objective != CSP_NONE)
		con_wake(n, n->objective, ~UINT64_C(0));
	if (n->relaxation.con != CSP_NONE)
		con_wake(n, n->relaxation.con, ~UINT64_C(0));
}

/* ---- solutions and limits ---- */

static bool end_turn(struct search *s)
{
	if (s->first && !s->stop)
		s->stop = s->paused = true;
	return !s->stop;
}

bool search_show_values(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	if (s->share) {
		share_offer(s);
		return end_turn(s);
	}
	s->s->solutions++;
	if (objective_value(s->n, s->values, &s->s->best))
		s->s->has_best = true;
	if (s->n->has_objective && s->o->best_only && s->n->objective != CSP_NONE)
		objective_tighten(s->n, s->s->best);
	bool more = !s->o->solution || s->o->solution(s->o->user, s->n, s->values);
	bool bounded = s->n->has_objective && s->o->best_only;
	if (!more || (!bounded && s->o->max_solutions && s->s->solutions >= s->o->max_solutions))
		s->stop = true;
	return end_turn(s);
}

bool search_incumbent(struct search *s)
{
	return s->share ? share_incumbent(s) : s->s->has_best;
}

bool search_show(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct csp *n = s->n;
	if (s->leaf)
		return s->leaf(s);
	if (s->o->solution || n->has_objective || s->share)
		for (uint32_t x = 0; x < n->vars.n; x++)
			s->values[x] = dom_min(n, x);
	return search_show_values(s);
}

/* What others have found bounds this search too. */
static void ask_bound(struct search *s)
{
	struct csp *n = s->n;
	int64_t value;
	bool bounded = s->o->bound && s->o->best_only && n->objective != CSP_NONE && s->o->bound(s->o->user, &value);
	if (bounded && (!s->s->has_best || (n->maximise ? value > s->s->best : value < s->s->best)))
		objective_tighten(n, value);
}

bool search_limit(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	if (s->stop || s->n->stopped) {
		s->stop = true;
		return true;
	}
	if (s->share)
		share_poll(s);
	if (s->pause && s->n->propagations + s->n->effort >= s->pause)
		s->stop = s->paused = true;
	if (s->o->max_nodes && s->s->nodes >= s->o->max_nodes)
		s->stop = true;
	else if (s->s->nodes + s->s->steps >= s->next_poll) {
		s->next_poll = s->s->nodes + s->s->steps + 64;
		if (s->share)
			share_count(s);
		s->stop = s->stop || limit_reached(&s->o->limit);
		if (s->o->progress)
			s->o->progress(s->o->user, s->s);
		ask_bound(s);
	}
	return s->stop;
}

/* ---- the solve itself ---- */

static void count_open(struct csp *n)
{
	n->counting = true;
	for (uint32_t c = 0; c < n->cons.n; c++) {
		const struct con *k = &n->cons.at[c];
		n->open[c] = 0;
		for (uint32_t p = 0; p < k->arity; p++)
			n->open[c] += dom_size(n, con_scope(n, k)[p]) > 1;
	}
}

bool search_dispatch(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	if (s->o->threads > 1)
		return search_portfolio(s);
	switch (s->o->algorithm) {
	case CSP_ALG_BT:
	case CSP_ALG_FC:
	case CSP_ALG_CBJ:
	case CSP_ALG_FC_CBJ: return search_backtrack(s);
	case CSP_ALG_COMPONENTS: return search_components(s);
	case CSP_ALG_TREE: return search_tree(s);
	case CSP_ALG_CUTSET: return search_cutset(s);
	case CSP_ALG_DECOMPOSITION: return search_decomposition(s);
	case CSP_ALG_LCG: return search_learn(s);
	case CSP_ALG_AUTO: return search_auto(s);
	case CSP_ALG_LNS: return search_lns(s);
	case CSP_ALG_MIN_CONFLICTS: return search_min_conflicts(s);
	default: return search_mac(s);
	}
}

/* After a restart a solution is forbidden by the nogoods of the decisions before it, which are of values one by one. */
static bool repeats(const struct csp *n, const struct csp_options *o)
{
	bool halves = n->any_wide || o->values >= CSP_VALUE_SPLIT, bounded = n->has_objective && o->best_only;
	for (size_t i = 0; i < o->phase_count; i++)
		halves = halves || o->phases[i].values >= CSP_VALUE_SPLIT;
	return o->algorithm != CSP_ALG_LCG && o->restarts != CSP_RESTART_NONE && halves && o->max_solutions != 1 &&
	       !bounded;
}

/* An option that the algorithm has no use for is refused, not ignored. */
static const char *misfit(const struct csp *n, const struct csp_options *o)
{
	enum csp_algorithm a = o->algorithm;
	bool turns = a == CSP_ALG_AUTO || a == CSP_ALG_LNS, bounded = n->has_objective && o->best_only;
	bool mac = a == CSP_ALG_MAC || turns || a == CSP_ALG_MAC_CBJ || a == CSP_ALG_LEARN;
	bool lcg = a == CSP_ALG_LCG, uses_mac = mac || lcg || a == CSP_ALG_COMPONENTS || a == CSP_ALG_CUTSET;
	if (n->any_wide && a != CSP_ALG_MAC && !turns && !lcg)
		return "a variable that is kept as an interval: for mac and lcg only";
	if (lcg && (o->nogoods || o->last_conflict))
		return "clause learning has its own nogoods and order";
	if (a == CSP_ALG_LNS && !bounded)
		return "large neighbourhoods are those of a solution that is to be improved: there is no objective";
	if (o->threads > 1 && a != CSP_ALG_AUTO)
		return "several threads search by different algorithms: with auto only";
	if (o->threads > 1 && o->max_solutions != 1 && !bounded)
		return "several threads look for one solution or the best one, not for all";
	if (!uses_mac && (o->phase_count || o->order > CSP_ORDER_DOM_WDEG || o->values > CSP_VALUE_RANDOM))
		return "this order of variables or values belongs to searches by MAC";
	if (repeats(n, o))
		return "all solutions with restarts: only where values are tried one by one";
	if (n->any_wide &&
	    (o->nogoods || o->value_symmetry || (o->consistency != CSP_LEVEL_AC && o->consistency != CSP_LEVEL_NONE)))
		return "a variable that is kept as an interval: without nogoods, symmetry and consistencies other than ac";
	if (o->value_symmetry && !mac)
		return "symmetries are broken for mac, mac-cbj and learn only";
	if ((o->restarts != CSP_RESTART_NONE || o->last_conflict) && !uses_mac)
		return "restarts and last conflict belong to searches by MAC";
	if (o->nogoods && o->restarts == CSP_RESTART_NONE)
		return "nogoods from restarts need restarts";
	if (!uses_mac && a != CSP_ALG_MIN_CONFLICTS && n->vars.n > 20000)
		return "too many variables for this algorithm";
	return NULL;
}

static enum csp_status verdict(const struct search *s, bool done)
{
	assert(s->n->levels.n >= s->base);
	s->s->complete = done;
	bool found = s->s->solutions > 0;
	if (!done)
		return found ? CSP_SAT : CSP_UNKNOWN;
	if (!found)
		return CSP_UNSAT;
	return s->n->has_objective && s->o->best_only ? CSP_OPTIMUM : CSP_SAT;
}

/* Preprocess, search. The network is left on the level it was found on, except
 * that at level 0 the removals of preprocessing stay, which hold for good. */
static bool solve(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct csp *n = s->n;
	const struct csp_options *o = s->o;
	n->limit = &o->limit;
	n->stopped = false;
	enum csp_outcome e = csp_enforce(n, o->consistency, o->k, s->s);
	n->limit = NULL;
	n->stopped = false;
	if (e == CSP_STOPPED)
		return false;
	if (e == CSP_TOO_LARGE) {
		s->s->refused = "the network is too large for this consistency level";
		return false;
	}
	if (e == CSP_INCONSISTENT)
		return true;
	if (n->has_objective && o->best_only && o->consistency != CSP_LEVEL_NONE && !n->levels.n &&
	    relaxation_add(n, (uint64_t)o->tune.relaxation) && !csp_propagate(n))
		return true;
	bool counts = o->order == CSP_ORDER_DOM_DEG || o->order == CSP_ORDER_DOM_WDEG;
	for (size_t i = 0; i < o->phase_count; i++)
		counts = counts || o->phases[i].order == CSP_ORDER_DOM_DEG || o->phases[i].order == CSP_ORDER_DOM_WDEG;
	if (counts)
		count_open(n);
	if (o->value_symmetry) {
		s->class_of = NEW_ARRAY(uint32_t, n->vars.at[0].count);
		if (!csp_value_classes(n, s->class_of)) {
			mem_free(s->class_of);
			s->class_of = NULL;
		}
	}
	n->limit = &o->limit; /* for propagators that take long */
	bool done = search_dispatch(s);
	n->limit = NULL;
	n->stopped = false;
	n->counting = false;
	mem_free(s->class_of);
	return done;
}

enum csp_status csp_solve(struct csp *n, const struct csp_options *o, struct csp_stats *out)
{
	double start = clock_now();
	*out = (struct csp_stats){0};
	struct search s = {.n = n,
	                   .o = o,
	                   .s = out,
	                   .last = CSP_NONE,
	                   .rng = rng_seed(o->seed),
	                   .bound = n->maximise ? -CSP_NO_BOUND : CSP_NO_BOUND};
	if (!n->vars.n) {
		out->refused = "a network without variables";
		return CSP_UNKNOWN;
	}
	if ((out->refused = misfit(n, o)))
		return CSP_UNKNOWN;
	relaxation_start(n);
	cumulative_start(n, (uint32_t)o->tune.edge_finding);
	if (n->has_objective && !n->levels.n && !objective_bound(n)) {
		out->refused = csp_error(n);
		return CSP_UNKNOWN;
	}
	uint64_t p0 = n->propagations, c0 = n->checks, r0 = n->removals;
	uint32_t *all = mem_alloc(n->vars.n, sizeof *all);
	for (uint32_t x = 0; x < n->vars.n; x++)
		all[x] = x;
	s.branch = o->branch ? o->branch : all;
	s.branch_n = o->branch ? (uint32_t)o->branch_count : narrow32(n->vars.n);
	s.values = NEW_ARRAY(int32_t, n->vars.n);
	s.base = csp_level(n);
	net_index(n);
	n->weight_decay = o->tune.weight_decay;
	if (!o->keep_weights) {
		n->weight_step = 1;
		for (uint32_t c = 0; c < n->cons.n; c++)
			n->weight[c] = 1;
	}
	ask_bound(&s);
	bool done = n->dead || solve(&s);
	assert(!n->learn && !n->nogoods && !n->deps && csp_level(n) >= s.base);
	csp_pop(n, s.base);
	if (n->objective != CSP_NONE)
		objective_tighten(n, n->maximise ? -CSP_NO_BOUND : CSP_NO_BOUND);
	out->propagations = n->propagations - p0;
	out->checks = n->checks - c0;
	out->removals = n->removals - r0;
	out->seconds = clock_now() - start;
	mem_free(all);
	mem_free(s.values);
	return out->refused ? CSP_UNKNOWN : verdict(&s, done);
}
