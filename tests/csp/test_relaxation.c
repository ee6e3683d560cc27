/* The bound of linear objectives by all linear constraints together: random small knapsacks of every form against all
 * assignments, by every algorithm; and that it saves what it is there to save. */
#include "test.h"

#include "csp/csp_internal.h"

enum { FAR = 400, ITEMS = 5, ROWS = 3, VALUES = 4 };

/* A problem, kept apart from the network that is made of it. */
struct sack {
	uint32_t items, rows, values[ITEMS];
	int32_t value[ITEMS][VALUES];
	int64_t worth[ITEMS], size[ROWS][ITEMS], room[ROWS];
	enum csp_relation relation[ROWS];
	bool maximise;
	enum {
		GOAL_SUM,
		GOAL_EQUAL, /* a variable that is equal to it, */
		GOAL_BOUND, /* that is bounded by it, */
		GOAL_LOOSE  /* or by which it is bounded, so that the variable's own bound is the best */
	} goal;
};

static uint64_t rounds(void)
{
	return test_sample() ? 200 : 800;
}

static int64_t between(struct rng *r, int32_t low, int32_t high)
{
	return low + (int64_t)rng_below(r, (uint32_t)(high - low + 1));
}

/* Every third is a proper knapsack, the others have coefficients, values and relations of any sign and kind. */
static struct sack draw(uint64_t seed)
{
	struct rng r = rng_seed(seed);
	bool proper = seed % 3 == 0;
	struct sack k = {.items = 2 + rng_below(&r, ITEMS - 1), .rows = 1 + rng_below(&r, ROWS)};
	k.maximise = proper || rng_below(&r, 2);
	k.goal = rng_below(&r, 4);
	for (uint32_t i = 0; i < k.items; i++) {
		int32_t at = proper ? 0 : (int32_t)between(&r, -3, 2);
		k.values[i] = 1 + rng_below(&r, VALUES);
		for (uint32_t v = 0; v < k.values[i]; v++) {
			k.value[i][v] = at;
			at += 1 + (proper ? 0 : (int32_t)rng_below(&r, 2));
		}
		k.worth[i] = between(&r, proper ? 1 : -9, 9);
		for (uint32_t l = 0; l < k.rows; l++)
			k.size[l][i] = between(&r, proper ? 1 : -4, 9);
	}
	for (uint32_t l = 0; l < k.rows; l++) {
		k.relation[l] = proper ? CSP_LE : (enum csp_relation)rng_below(&r, 6);
		k.room[l] = between(&r, proper ? 5 : -10, 30);
	}
	return k;
}

/* ---- all assignments ---- */

static bool fits(const struct sack *k, uint32_t row, const int32_t *taken)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < k->items; i++)
		sum += k->size[row][i] * taken[i];
	switch (k->relation[row]) {
	case CSP_LT: return sum < k->room[row];
	case CSP_LE: return sum <= k->room[row];
	case CSP_GE: return sum >= k->room[row];
	case CSP_GT: return sum > k->room[row];
	case CSP_NE: return sum != k->room[row];
	default: return sum == k->room[row];
	}
}

/* False: there is no solution. */
static bool brute(const struct sack *k, int64_t *best)
{
	uint32_t at[ITEMS] = {0}, i = 0;
	int32_t taken[ITEMS];
	bool found = false;
	while (i < k->items) {
		bool ok = true;
		int64_t worth = 0;
		for (i = 0; i < k->items; i++) {
			taken[i] = k->value[i][at[i]];
			worth += k->worth[i] * taken[i];
		}
		for (uint32_t l = 0; l < k->rows; l++)
			ok = ok && fits(k, l, taken);
		if (ok && (!found || (k->maximise ? worth > *best : worth < *best))) {
			*best = worth;
			found = true;
		}
		for (i = 0; i < k->items && ++at[i] == k->values[i]; i++)
			at[i] = 0;
	}
	if (k->goal == GOAL_LOOSE)
		*best = k->maximise ? FAR : -FAR;
	return found;
}

/* ---- the network ---- */

static struct csp *network(const struct sack *k)
{
	struct csp *n = csp_new();
	uint32_t scope[ITEMS + 1];
	int64_t coeffs[ITEMS + 1];
	for (uint32_t i = 0; i < k->items; i++) {
		char name[] = {'x', (char)('0' + i), 0};
		scope[i] = csp_var_values(n, name, k->value[i], k->values[i]);
		coeffs[i] = k->worth[i];
	}
	for (uint32_t l = 0; l < k->rows; l++)
		assert_int_not_equal(csp_add_sum(n, scope, k->size[l], k->items, k->relation[l], k->room[l]), CSP_NONE);
	if (k->goal == GOAL_SUM) {
		assert_true(csp_objective_sum(n, scope, coeffs, k->items, k->maximise));
		return n;
	}
	/* worth * x - v = 0, or v at most (at least) as much where it is maximised (minimised), or the other way round */
	bool at_most = k->maximise == (k->goal == GOAL_BOUND);
	enum csp_relation r = k->goal == GOAL_EQUAL ? CSP_EQ : at_most ? CSP_GE : CSP_LE;
	scope[k->items] = csp_var_range(n, "v", -FAR, FAR);
	coeffs[k->items] = -1;
	csp_add_sum(n, scope, coeffs, k->items + 1, r, 0);
	assert_true(csp_objective_sum(n, &scope[k->items], (int64_t[]){1}, 1, k->maximise));
	return n;
}

static void expect(struct csp *n, const struct csp_options *o, bool found, int64_t best, uint64_t seed)
{
	struct csp_stats s;
	enum csp_status status = csp_solve(n, o, &s);
	if (s.refused)
		return;
	if (status != (found ? CSP_OPTIMUM : CSP_UNSAT) || (found && s.best != best))
		fail_msg("seed %llu, algorithm %d: status %d, best %lld; expected %lld", (unsigned long long)seed, o->algorithm,
		         status, (long long)s.best, (long long)best);
}

static void test_random(void **state)
{
	(void)state;
	uint64_t bounded[4] = {0};
	for (uint64_t seed = 0; seed < rounds(); seed++) {
		struct sack k = draw(seed);
		int64_t best = 0;
		bool found = brute(&k, &best);
		for (int a = 0; a < CSP_ALG_COUNT; a++) {
			if (a == CSP_ALG_MIN_CONFLICTS)
				continue;
			struct csp *n = network(&k);
			struct csp_options o = csp_defaults;
			o.algorithm = (enum csp_algorithm)a;
			o.values = (enum csp_value_order)(seed / 3 % 2);
			expect(n, &o, found, best, seed);
			bounded[k.goal] += n->relaxation.con != CSP_NONE;
			expect(n, &o, found, best, seed); /* once more with what is there */
			csp_free(n);
		}
	}
	for (int goal = GOAL_SUM; goal <= GOAL_BOUND; goal++)
		assert_true(bounded[goal] > rounds() / 4);
	assert_int_equal(bounded[GOAL_LOOSE], 0);
}

static void test_threads(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < rounds() / 30; seed++) {
		struct sack k = draw(3 * seed);
		int64_t best = 0;
		bool found = brute(&k, &best);
		struct csp *n = network(&k);
		struct csp_options o = csp_defaults;
		o.algorithm = CSP_ALG_AUTO;
		o.threads = 3;
		expect(n, &o, found, best, seed);
		csp_free(n);
	}
}

/* Solves with all rows, without the first, with all again, or the other way round. */
static void solve_thrice(const struct sack *k, bool asleep, int64_t steps, int64_t *best, bool *bounded)
{
	struct csp *n = network(k);
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.tune.relaxation = steps;
	for (int i = 0; i < 3; i++, asleep = !asleep) {
		if (asleep)
			csp_sleep(n, 0);
		else
			csp_wake(n, 0);
		csp_solve(n, &o, &s);
		best[i] = s.solutions ? s.best : INT64_MAX;
	}
	*bounded = n->relaxation.con != CSP_NONE;
	csp_free(n);
}

/* What follows from a row that sleeps does not hold, and does so again when it wakes. */
static void test_sleep(void **state)
{
	(void)state;
	uint64_t differ = 0;
	for (uint64_t seed = 0; seed < rounds(); seed++) {
		struct sack k = draw(seed);
		int64_t with[3], without[3];
		bool bounded, plain;
		solve_thrice(&k, seed % 2, csp_defaults.tune.relaxation, with, &bounded);
		solve_thrice(&k, seed % 2, 0, without, &plain);
		assert_false(plain);
		for (int i = 0; i < 3; i++)
			if (with[i] != without[i])
				fail_msg("seed %llu: %lld with the bound, %lld without", (unsigned long long)seed, (long long)with[i],
				         (long long)without[i]);
		differ += bounded && with[0] != with[1];
	}
	assert_true(differ > 0);
}

/* ---- what it saves ---- */

static struct csp *rucksack(void)
{
	struct csp *n = csp_new();
	struct rng r = rng_seed(17);
	uint32_t scope[18];
	int64_t worth[18], size[2][18];
	for (uint32_t i = 0; i < 18; i++) {
		char name[] = {'x', (char)('a' + i), 0};
		scope[i] = csp_var_range(n, name, 0, 1 + (int32_t)rng_below(&r, 3));
		worth[i] = between(&r, 10, 50);
		size[0][i] = between(&r, 5, 35);
		size[1][i] = between(&r, 5, 35);
	}
	for (int l = 0; l < 2; l++)
		csp_add_sum(n, scope, size[l], 18, CSP_LE, 220);
	csp_objective_sum(n, scope, worth, 18, true);
	return n;
}

static uint64_t nodes(enum csp_algorithm algorithm, int64_t steps, int64_t *best)
{
	struct csp *n = rucksack();
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.algorithm = algorithm;
	o.values = CSP_VALUE_MAX;
	o.tune.relaxation = steps;
	assert_int_equal(csp_solve(n, &o, &s), CSP_OPTIMUM);
	*best = s.best;
	csp_free(n);
	return s.nodes;
}

static void test_strength(void **state)
{
	(void)state;
	int64_t with, without;
	for (int lcg = 0; lcg < 2; lcg++) {
		enum csp_algorithm a = lcg ? CSP_ALG_LCG : CSP_ALG_MAC;
		uint64_t few = nodes(a, csp_defaults.tune.relaxation, &with), many = nodes(a, 0, &without);
		assert_int_equal(with, without);
		assert_true(few * 10 < many);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_sleep),
		cmocka_unit_test(test_strength),
	};
	return RUN(tests);
}
