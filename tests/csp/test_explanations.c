/* Every explanation that clause learning may ask for, on random small networks: its atoms were true before the change,
 * and every assignment that satisfies the constraint and the atoms has the change, or none does where it failed. Tried
 * by going through all assignments to the scope. */
#include "test.h"

#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"
#include "random_net.h"

enum { SCOPE = 13 };

static uint64_t rounds(void)
{
	return test_sample() ? 300 : 3000;
}

static uint64_t answered;  /* explanations that were given; */
static uint64_t by_energy; /* of these, such of cumulative that a time-table does not give */

/* ---- the state in which decisions begin ---- */

struct root {
	uint32_t low, high;
	uint64_t bits; /* indices that are left */
};

static void take_root(struct csp *n, struct root *roots)
{
	for (uint32_t x = 0; x < csp_variables(n); x++) {
		roots[x] = (struct root){dom_first(n, x), dom_last(n, x), 0};
		for (uint32_t i = roots[x].low; i <= roots[x].high; i++)
			roots[x].bits |= dom_has(n, x, i) ? UINT64_C(1) << i : 0;
	}
}

/* ---- one explanation ---- */

static bool says(struct atom a, uint32_t i)
{
	switch (atom_op(a)) {
	case ATOM_GE: return i >= a.i;
	case ATOM_LE: return i <= a.i;
	case ATOM_NE: return i != a.i;
	default: return i == a.i;
	}
}

/* Atoms about one variable, which is at index i. */
static bool all_say(const struct csp *n, uint32_t x, uint32_t i)
{
	for (size_t k = 0; k < n->learn->reasons.n; k++)
		if (atom_var(n->learn->reasons.at[k]) == x && !says(n->learn->reasons.at[k], i))
			return false;
	return true;
}

/* The next assignment to the scope, equal variables alike; false: there is none. */
static bool step(const struct csp *n, const uint32_t *scope, uint32_t arity, uint32_t *at)
{
	for (uint32_t p = arity; p-- > 0;) {
		uint32_t first = 0;
		while (scope[first] != scope[p])
			first++;
		if (first < p)
			continue;
		at[p] = at[p] + 1 < csp_count(n, scope[p]) ? at[p] + 1 : 0;
		for (uint32_t k = p + 1; k < arity; k++)
			at[k] = scope[k] == scope[p] ? at[p] : at[k];
		if (at[p])
			return true;
	}
	return false;
}

static void check_implied(struct csp *n, const struct root *roots, uint32_t c, const struct question *q, uint64_t seed)
{
	const struct con *k = &n->cons.at[c];
	const uint32_t *scope = con_scope(n, k);
	uint32_t at[SCOPE] = {0};
	assert_true(k->arity <= SCOPE);
	do {
		bool possible = true, change = false;
		for (uint32_t p = 0; p < k->arity && possible; p++) {
			possible = roots[scope[p]].bits >> at[p] & 1 && all_say(n, scope[p], at[p]);
			change |= !q->failure && scope[p] == atom_var(q->what) && says(q->what, at[p]);
		}
		if (possible && !change && con_holds(n, c, at))
			fail_msg("seed %llu: an explanation of a constraint of kind %d does not imply its change",
			         (unsigned long long)seed, k->kind);
	} while (step(n, scope, k->arity, at));
}

static bool explained_by_profile(struct csp *n, uint32_t c, const struct question *q)
{
	uint32_t most = n->energy_tasks;
	size_t kept = n->learn->reasons.n;
	n->energy_tasks = 0;
	bool known = csp_kinds[n->cons.at[c].kind]->explain(n, &n->cons.at[c], q);
	n->energy_tasks = most;
	n->learn->reasons.n = kept;
	return known;
}

static void ask(struct csp *n, const struct root *roots, uint32_t c, const struct question *q, uint64_t seed)
{
	const struct kind *kind = csp_kinds[n->cons.at[c].kind];
	vec_clear(&n->learn->reasons);
	if (!kind->explain || !kind->explain(n, &n->cons.at[c], q))
		return;
	answered++;
	by_energy += n->cons.at[c].kind == CSP_CUMULATIVE && !explained_by_profile(n, c, q);
	for (size_t i = 0; i < n->learn->reasons.n; i++) {
		struct atom a = n->learn->reasons.at[i];
		uint32_t x = atom_var(a), low = learn_low(n, x, q->time), high = learn_high(n, x, q->time);
		bool was = atom_op(a) == ATOM_GE   ? low >= a.i
		           : atom_op(a) == ATOM_LE ? high <= a.i
		           : atom_op(a) == ATOM_NE ? !learn_has(n, x, a.i, q->time)
		                                   : low == high && low == a.i;
		if (!was)
			fail_msg("seed %llu: a constraint of kind %d is explained by what was not so", (unsigned long long)seed,
			         n->cons.at[c].kind);
	}
	check_implied(n, roots, c, q, seed);
}

/* ---- a walk of random decisions ---- */

static void ask_about_events(struct csp *n, const struct root *roots, size_t from, struct rng *r, uint64_t seed)
{
	const struct learn *l = n->learn;
	for (size_t i = from; i < l->events.n; i++) {
		struct event e = l->events.at[i];
		if (e.cause_kind != CAUSE_CONSTRAINT)
			continue;
		uint32_t value = e.value, span = e.kind == EVENT_HOLE ? 0 : e.value > e.old ? value - e.old : e.old - value;
		uint32_t less = span ? rng_below(r, span) : 0; /* something weaker may be asked */
		enum atom_op op = e.kind == EVENT_LOW ? ATOM_GE : e.kind == EVENT_HIGH ? ATOM_LE : ATOM_NE;
		value = op == ATOM_GE ? value - less : op == ATOM_LE ? value + less : value;
		struct question q = {.what = atom(e.x, op, value), .time = (uint32_t)i, .old = e.old};
		ask(n, roots, e.cause, &q, seed);
	}
}

/* Energy is looked at now and then only, unless it is of use: let it be looked at. */
static void want_energy(struct csp *n)
{
	for (uint32_t c = 0; c < n->cons.n; c++)
		if (n->cons.at[c].kind == CSP_CUMULATIVE && n->memo[c])
			n->memo[c][0] = 0;
}

static bool decide(struct csp *n, uint32_t x, struct rng *r)
{
	want_energy(n);
	uint32_t low = dom_first(n, x), high = dom_last(n, x), i = low + rng_below(r, high - low);
	bool down = rng_below(r, 2);
	learn_push(n, atom(x, down ? ATOM_LE : ATOM_GE, down ? i : i + 1));
	n->cause = n->running = CSP_NONE;
	n->learn->conflict_clause = CSP_NONE;
	return (down ? dom_at_most(n, x, csp_value(n, x, i)) : dom_at_least(n, x, csp_value(n, x, i + 1))) &&
	       csp_propagate(n);
}

static void walk(struct csp *n, uint64_t seed)
{
	struct root roots[4 * SCOPE];
	struct rng r = rng_seed(seed);
	assert_true(csp_variables(n) <= 4 * SCOPE);
	net_index(n);
	if (csp_propagate(n)) {
		net_push(n);
		learn_start(n);
		learn_order_start(n, NULL, 0);
		take_root(n, roots);
		bool ok = true;
		for (uint32_t k = 0; ok && k < 40; k++) {
			uint32_t x = rng_below(&r, csp_variables(n));
			size_t from = n->learn->events.n;
			if (dom_size(n, x) == 1)
				continue;
			ok = decide(n, x, &r);
			ask_about_events(n, roots, from, &r, seed);
		}
		struct question failure = {.failure = true, .time = LEARN_NOW, .what = atom(0, ATOM_GE, 0)};
		if (!ok && n->culprit != CSP_NONE)
			ask(n, roots, n->culprit, &failure, seed);
		learn_stop(n);
	}
	csp_free(n);
}

static void test_kinds(void **state)
{
	(void)state;
	for (int kind = -1; kind < CSP_KIND_COUNT; kind++)
		for (uint64_t seed = 0; seed < rounds(); seed++) {
			static struct net t;
			net_random(&t, seed + 700000, kind);
			csp_methods(t.n, (enum csp_table_method)(seed % 3), (enum csp_alldiff_method)(seed / 3 % 2));
			walk(t.n, seed);
		}
	assert_true(answered > 0);
}

/* ---- tasks ---- */

static uint32_t between(struct csp *n, int32_t low, int32_t high)
{
	char name[16];
	snprintf(name, sizeof name, "v%u", csp_variables(n));
	return csp_var_range(n, name, low, high);
}

static uint32_t variable(struct csp *n, struct rng *r, int32_t low, uint32_t width)
{
	int32_t from = low + (int32_t)rng_below(r, 2);
	return between(n, from, from + (int32_t)rng_below(r, width));
}

/* Starts, and lengths, heights and limit that are sometimes open. */
static void test_cumulative(void **state)
{
	(void)state;
	answered = 0;
	for (uint64_t seed = 0; seed < 4 * rounds(); seed++) {
		struct csp *n = csp_new();
		struct rng r = rng_seed(seed);
		uint32_t part[3][4], count = seed % 2 ? 4 : 3, open = seed % 3 == 0 && count == 3 ? 2 : 1;
		for (uint32_t i = 0; i < count; i++) {
			part[0][i] = variable(n, &r, (int32_t)rng_below(&r, 3), 7);
			part[1][i] = variable(n, &r, (int32_t)rng_below(&r, 3), open);
			part[2][i] = variable(n, &r, (int32_t)rng_below(&r, 3), open);
		}
		csp_add_cumulative(n, part[0], part[1], part[2], count, variable(n, &r, 2, open));
		walk(n, seed);
	}
	assert_true(answered > rounds());
}

/* Short and high tasks with room to move: they have hardly a fixed part, so that energy is what counts. */
static void test_energy(void **state)
{
	(void)state;
	by_energy = 0;
	for (uint64_t seed = 0; seed < rounds() / 2; seed++) {
		struct csp *n = csp_new();
		struct rng r = rng_seed(seed);
		uint32_t part[3][4];
		int32_t open = seed % 8 == 0;
		for (uint32_t i = 0; i < 4; i++) {
			part[0][i] = between(n, 0, 4 + (int32_t)rng_below(&r, 3));
			part[1][i] = between(n, 2, i ? 2 : 2 + open);
			part[2][i] = between(n, i ? 2 : 3, i ? 2 : 3 + open);
		}
		csp_add_cumulative(n, part[0], part[1], part[2], 4, between(n, 3, 3 + open));
		walk(n, seed);
	}
	assert_true(by_energy > rounds() / 20);
}

/* ---- the bound of an objective ---- */

/* Two limits and something to be maximised or minimised, better than a value that is known to be possible. */
static void test_relaxation(void **state)
{
	(void)state;
	uint64_t bounded = 0;
	answered = 0;
	for (uint64_t seed = 0; seed < rounds(); seed++) {
		struct csp *n = csp_new();
		struct rng r = rng_seed(seed);
		uint32_t scope[5];
		int64_t coeffs[3][5];
		for (uint32_t i = 0; i < 5; i++) {
			scope[i] = variable(n, &r, (int32_t)rng_below(&r, 3) - 2, 4);
			for (int l = 0; l < 3; l++)
				coeffs[l][i] = (int64_t)rng_below(&r, 12) - 2;
		}
		for (int l = 0; l < 2; l++)
			csp_add_sum(n, scope, coeffs[l], 5,
			            !(seed % 3) ? CSP_EQ
			            : seed % 2  ? CSP_LE
			                        : CSP_GE,
			            (int64_t)rng_below(&r, 20));
		csp_objective_sum(n, scope, coeffs[2], 5, seed % 2);
		struct csp_stats s;
		csp_solve(n, &csp_defaults, &s);
		if (!s.solutions || n->relaxation.con == CSP_NONE) {
			csp_free(n);
			continue;
		}
		bounded++;
		objective_tighten(n, s.best + (seed % 2 ? -1 : 1) * (int64_t)rng_below(&r, 8));
		objective_wake(n);
		walk(n, seed);
	}
	assert_true(bounded > rounds() / 6);
	assert_true(answered > bounded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_cumulative),
	                                   cmocka_unit_test(test_energy), cmocka_unit_test(test_relaxation)};
	return RUN(tests);
}
