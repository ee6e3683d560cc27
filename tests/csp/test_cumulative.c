/* cumulative: counts of solutions on random small problems against all assignments, with energy and by time-tables
 * only; bounds that only energy finds; and that it saves what it is there to save. */
#include "test.h"

#include "csp/csp_internal.h"

enum { TASKS = 4 };

struct range {
	int32_t low, high;
};

/* A problem, kept apart from the network that is made of it: starts, lengths, heights. */
struct site {
	uint32_t count;
	struct range part[3][TASKS], limit;
};

static uint64_t rounds(void)
{
	return test_sample() ? 100 : 500;
}

static struct range draw_range(struct rng *r, uint32_t low, uint32_t width)
{
	int32_t from = (int32_t)(low + rng_below(r, 3));
	return (struct range){from, from + (int32_t)rng_below(r, width)};
}

static struct site draw(uint64_t seed)
{
	struct rng r = rng_seed(seed);
	struct site k = {.count = 3 + (uint32_t)(seed % 2)};
	uint32_t open = k.count == 3 && seed % 3 == 0 ? 2 : 1; /* lengths, heights and limit */
	for (uint32_t i = 0; i < k.count; i++) {
		k.part[0][i] = draw_range(&r, 0, 6);
		k.part[1][i] = draw_range(&r, rng_below(&r, 2), open);
		k.part[2][i] = draw_range(&r, rng_below(&r, 2), open);
	}
	k.limit = draw_range(&r, 2, open);
	return k;
}

static struct csp *make(const struct site *k, uint32_t origins[TASKS])
{
	struct csp *n = csp_new();
	uint32_t x[3][TASKS];
	char name[16];
	for (uint32_t p = 0; p < 3; p++)
		for (uint32_t i = 0; i < k->count; i++) {
			snprintf(name, sizeof name, "%c%u", "slh"[p], i);
			x[p][i] = csp_var_range(n, name, k->part[p][i].low, k->part[p][i].high);
		}
	for (uint32_t i = 0; origins && i < k->count; i++)
		origins[i] = x[0][i];
	csp_add_cumulative(n, x[0], x[1], x[2], k->count, csp_var_range(n, "limit", k->limit.low, k->limit.high));
	return n;
}

/* ---- all assignments ---- */

static bool fits(const struct site *k, int32_t value[3][TASKS], int32_t limit)
{
	for (int32_t time = 0; time < 32; time++) {
		int32_t sum = 0;
		for (uint32_t i = 0; i < k->count; i++)
			sum += value[0][i] <= time && time < value[0][i] + value[1][i] ? value[2][i] : 0;
		if (sum > limit)
			return false;
	}
	return true;
}

static uint64_t brute_from(const struct site *k, int32_t value[3][TASKS], uint32_t at)
{
	uint64_t sum = 0;
	if (at == 3 * k->count) {
		for (int32_t l = k->limit.low; l <= k->limit.high; l++)
			sum += fits(k, value, l);
		return sum;
	}
	uint32_t p = at / k->count, i = at % k->count;
	for (value[p][i] = k->part[p][i].low; value[p][i] <= k->part[p][i].high; value[p][i]++)
		sum += brute_from(k, value, at + 1);
	return sum;
}

static uint64_t count_by(struct csp *n, enum csp_algorithm a, int64_t most_tasks)
{
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.algorithm = a;
	o.max_solutions = 0;
	o.tune.edge_finding = most_tasks;
	csp_solve(n, &o, &s);
	assert_null(s.refused);
	return s.solutions;
}

static void test_counts(void **state)
{
	(void)state;
	static const enum csp_algorithm algorithms[] = {CSP_ALG_MAC, CSP_ALG_FC, CSP_ALG_LCG, CSP_ALG_MAC_CBJ};
	for (uint64_t seed = 0; seed < rounds(); seed++) {
		struct site k = draw(seed);
		int32_t value[3][TASKS];
		uint64_t expected = brute_from(&k, value, 0);
		for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
			for (int64_t most = 0; most <= 300; most += 300) {
				struct csp *n = make(&k, NULL);
				uint64_t found = count_by(n, algorithms[a], most);
				if (found != expected)
					fail_msg("seed %llu, algorithm %d, edge-finding %d: %llu solutions, there are %llu",
					         (unsigned long long)seed, (int)algorithms[a], (int)most, (unsigned long long)found,
					         (unsigned long long)expected);
				csp_free(n);
			}
	}
}

/* ---- by hand ---- */

static bool bounds(const struct site *k, uint32_t most_tasks, uint32_t task, struct range *out)
{
	uint32_t x[TASKS];
	struct csp *n = make(k, x);
	n->energy_tasks = most_tasks;
	bool ok = csp_propagate(n);
	*out = (struct range){dom_min(n, x[task]), dom_max(n, x[task])};
	csp_free(n);
	return ok;
}

#define FIXED(v) \
	{ \
		v, v \
	}

/* Three tasks within [0, 5) need 4 + 4 + 2 of the 15 there are, and have no fixed part. The fourth, 3 long and 3 high,
 * would take 9 if it began at 0; there are 5 for it, one unit of its time. So it begins at 4 or later. `turned`: the
 * same backwards. */
static struct site textbook(bool turned)
{
	struct site k = {.count = 4,
	                 .part = {{{0, 3}, {0, 3}, {0, 3}, {0, 7}},
	                          {FIXED(2), FIXED(2), FIXED(2), FIXED(3)},
	                          {FIXED(2), FIXED(2), FIXED(1), FIXED(3)}},
	                 .limit = FIXED(3)};
	for (uint32_t i = 0; turned && i < k.count; i++) {
		struct range s = k.part[0][i];
		int32_t length = k.part[1][i].low;
		k.part[0][i] = (struct range){10 - s.high - length, 10 - s.low - length};
	}
	return k;
}

static void test_textbook(void **state)
{
	(void)state;
	struct site k = textbook(false);
	struct range r;
	assert_true(bounds(&k, 0, 3, &r));
	assert_int_equal(r.low, 0);
	assert_true(bounds(&k, 300, 3, &r));
	assert_int_equal(r.low, 4);
	assert_int_equal(r.high, 7);
	k = textbook(true);
	assert_true(bounds(&k, 0, 3, &r));
	assert_int_equal(r.high, 7);
	assert_true(bounds(&k, 300, 3, &r));
	assert_int_equal(r.low, 0);
	assert_int_equal(r.high, 3);
}

/* Four tasks, 2 long and 2 high, within [0, 5) under a limit of 3 need 16 of 15. The same with a far horizon and great
 * heights; where the sums could be too large to be counted, energy is left alone. */
static void test_overload(void **state)
{
	(void)state;
	static const int32_t height[] = {2, 1000000000, 2000000000}, limit[] = {3, 1500000000, 2000000001};
	for (int far = 0; far < 3; far++) {
		struct range r;
		struct site k = {.count = 4, .limit = FIXED(limit[far])};
		for (uint32_t i = 0; i < k.count; i++) {
			k.part[0][i] = (struct range){0, far ? 300000000 : 3};
			k.part[1][i] = (struct range)FIXED(far ? 200000000 : 2);
			k.part[2][i] = (struct range)FIXED(height[far]);
		}
		assert_true(bounds(&k, 0, 0, &r));
		assert_int_equal(bounds(&k, 300, 0, &r), far == 2);
	}
}

/* ---- what it saves ---- */

/* Nine tasks, not enough time by a little: all is searched. */
static uint64_t nodes_of(enum csp_algorithm a, int64_t most_tasks)
{
	enum { MANY = 9 };
	static const int32_t length[MANY] = {4, 3, 5, 2, 6, 3, 4, 2, 5}, height[MANY] = {3, 3, 2, 4, 2, 3, 1, 3, 2};
	struct csp *n = csp_new();
	uint32_t x[3][MANY];
	char name[16];
	struct csp_options o = csp_defaults;
	struct csp_stats s, again;
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "s%u", i);
		x[0][i] = csp_var_range(n, name, 0, 16 - length[i]);
		snprintf(name, sizeof name, "l%u", i);
		x[1][i] = csp_var_range(n, name, length[i], length[i]);
		snprintf(name, sizeof name, "h%u", i);
		x[2][i] = csp_var_range(n, name, height[i], height[i]);
	}
	csp_add_cumulative(n, x[0], x[1], x[2], MANY, csp_var_range(n, "limit", 5, 5));
	o.algorithm = a;
	o.order = CSP_ORDER_LEX;
	o.max_nodes = 200000;
	o.tune.edge_finding = most_tasks;
	csp_prepare(n); /* the root is done then */
	csp_solve(n, &o, &s);
	csp_solve(n, &o, &again);
	csp_free(n);
	assert_true(s.complete && !s.solutions);
	assert_int_equal(s.nodes, again.nodes); /* what a search remembers of energy does not outlast it */
	return s.nodes;
}

static void test_nodes(void **state)
{
	(void)state;
	assert_true(nodes_of(CSP_ALG_MAC, 300) < nodes_of(CSP_ALG_MAC, 0));
	assert_true(nodes_of(CSP_ALG_LCG, 300) < nodes_of(CSP_ALG_LCG, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts), cmocka_unit_test(test_textbook),
	                                   cmocka_unit_test(test_overload), cmocka_unit_test(test_nodes)};
	return RUN(tests);
}
