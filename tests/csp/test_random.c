/* Every search, consistency level, order and table method against brute force
 * on random networks of every kind of constraint. */
#include "test.h"

#include "random_net.h"

struct seen {
	uint64_t count, hash;
	const struct net *t;
	bool wrong;
};

static bool see(void *user, const struct csp *n, const int32_t *values)
{
	struct seen *s = user;
	s->count++;
	s->hash += net_hash(values, s->t->vars);
	s->wrong |= !net_holds(s->t, values);
	(void)n;
	return true;
}

static uint64_t rounds(void)
{
	const char *s = getenv("CSP_ROUNDS");
	return s ? strtoull(s, NULL, 10) : test_sample() ? 150 : 1500;
}

/* All solutions by one way of solving; the network is made anew each time. */
static void compare(uint64_t seed, int kind, const struct csp_options *o, enum csp_table_method tm,
                    enum csp_alldiff_method am, const char *what)
{
	static struct net t;
	net_random(&t, seed, kind);
	uint64_t hash, count = net_brute(&t, &hash);
	struct seen s = {.t = &t};
	struct csp_stats st;
	struct csp_options run = *o;
	csp_methods(t.n, tm, am);
	run.solution = see;
	run.user = &s;
	enum csp_status status = csp_solve(t.n, &run, &st);
	if (!st.refused && (s.count != count || s.hash != hash || s.wrong || st.solutions != count || !st.complete ||
	                    status != (count ? CSP_SAT : CSP_UNSAT)))
		fail_msg("seed %llu kind %d %s: %llu solutions, %llu expected%s", (unsigned long long)seed, kind, what,
		         (unsigned long long)s.count, (unsigned long long)count, s.wrong ? ", a wrong one" : "");
	if (!st.refused) { /* counting without showing takes other ways in some algorithms */
		run.solution = NULL;
		csp_solve(t.n, &run, &st);
		if (st.solutions != count)
			fail_msg("seed %llu kind %d %s: counted %llu, %llu expected", (unsigned long long)seed, kind, what,
			         (unsigned long long)st.solutions, (unsigned long long)count);
	}
	assert_int_equal(csp_level(t.n), 0);
	csp_free(t.n);
}

static struct csp_options all(void)
{
	struct csp_options o = csp_defaults;
	o.max_solutions = 0;
	return o;
}

static const char *const algorithm_names[] = {
#define X(id, name, help) name,
	CSP_ALGORITHMS(X)
#undef X
};

static void test_algorithms(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < rounds(); seed++)
		for (int a = 0; a < CSP_ALG_COUNT; a++) {
			struct csp_options o = all();
			o.algorithm = (enum csp_algorithm)a;
			o.consistency = seed % 2 ? CSP_LEVEL_AC : CSP_LEVEL_NONE;
			o.order = (enum csp_order)(seed / 2 % CSP_ORDER_COUNT);
			o.values = (enum csp_value_order)(seed / 3 % CSP_VALUE_COUNT);
			o.seed = seed;
			if (a != CSP_ALG_MIN_CONFLICTS)
				compare(seed, -1, &o, CSP_TABLE_AUTO, CSP_ALLDIFF_REGIN, algorithm_names[a]);
		}
}

static void test_kinds_apart(void **state)
{
	(void)state;
	for (int kind = 0; kind < CSP_KIND_COUNT; kind++)
		for (uint64_t seed = 0; seed < rounds() / 3; seed++) {
			struct csp_options o = all();
			compare(seed, kind, &o, (enum csp_table_method)(seed % 3), (enum csp_alldiff_method)(seed / 3 % 2), "mac");
		}
}

static void test_levels(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < rounds(); seed++)
		for (int level = 0; level < CSP_LEVEL_COUNT; level++) {
			struct csp_options o = all();
			o.consistency = (enum csp_consistency)level;
			o.k = 2 + (uint32_t)(seed % 3);
			o.algorithm = seed % 2 ? CSP_ALG_MAC : CSP_ALG_BT;
			compare(seed + 100000, -1, &o, CSP_TABLE_AUTO, CSP_ALLDIFF_SIMPLE, "level");
		}
}

/* The loop for any processor walks the same tree as the one for this processor. */
static void test_plain_loop(void **state)
{
	(void)state;
	for (int kind = -1; kind < CSP_KIND_COUNT; kind++)
		for (uint64_t seed = 0; seed < rounds() / 4; seed++) {
			static struct net t;
			struct csp_stats s[2];
			for (int plain = 0; plain < 2; plain++) {
				struct csp_options o = all();
				net_random(&t, seed + 400000, kind);
				csp_methods(t.n, (enum csp_table_method)(seed % 3), (enum csp_alldiff_method)(seed / 3 % 2));
				if (plain)
					csp_plain(t.n);
				csp_solve(t.n, &o, &s[plain]);
				csp_free(t.n);
			}
			assert_int_equal(s[0].solutions, s[1].solutions);
			assert_int_equal(s[0].nodes, s[1].nodes);
			assert_int_equal(s[0].propagations, s[1].propagations);
			assert_int_equal(s[0].removals, s[1].removals);
		}
}

static void test_restarts(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < rounds(); seed++) {
		struct csp_options o = all();
		o.restarts = seed % 2 ? CSP_RESTART_LUBY : CSP_RESTART_GEOMETRIC;
		o.restart_unit = 1;
		o.nogoods = seed / 2 % 2;
		o.last_conflict = seed / 4 % 2;
		o.algorithm = seed % 3 == 0 ? CSP_ALG_MAC : seed % 3 == 1 ? CSP_ALG_MAC_CBJ : CSP_ALG_LEARN;
		o.values = (enum csp_value_order)(seed % CSP_VALUE_COUNT);
		compare(seed + 200000, -1, &o, (enum csp_table_method)(seed % 3), CSP_ALLDIFF_REGIN, "restarts");
	}
}

/* A solution found by local search is one; a network without any finds none. */
static void test_local(void **state)
{
	(void)state;
	uint64_t solvable = 0, solved = 0;
	for (uint64_t seed = 0; seed < rounds() / 4; seed++) {
		static struct net t;
		net_random(&t, seed, -1);
		uint64_t hash, count = net_brute(&t, &hash);
		struct seen s = {.t = &t};
		struct csp_options o = csp_defaults;
		o.algorithm = CSP_ALG_MIN_CONFLICTS;
		o.max_nodes = 2000;
		o.seed = seed;
		o.solution = see;
		o.user = &s;
		struct csp_stats st;
		enum csp_status status = csp_solve(t.n, &o, &st);
		assert_false(s.wrong);
		assert_true(s.count <= count);
		assert_true(status == CSP_SAT ? s.count == 1 : s.count == 0);
		solvable += count > 0;
		solved += s.count > 0;
		csp_free(t.n);
	}
	assert_true(solved * 100 >= solvable * 98);
}

/* Branch and bound finds the best sum that brute force finds. */
static void test_optimum(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < rounds(); seed++) {
		static struct net t;
		net_random(&t, seed + 300000, -1);
		bool maximise = seed % 2, found = false;
		int64_t best = 0, coeffs[NET_VARS];
		uint32_t scope[NET_VARS], expr = 0;
		for (int x = 0; x < t.vars; x++) {
			scope[x] = (uint32_t)x;
			coeffs[x] = x % 3 - 1;
			uint32_t term[2] = {csp_expr_const(t.n, coeffs[x]), csp_expr_var(t.n, (uint32_t)x)};
			uint32_t sum[2] = {expr, csp_expr(t.n, CSP_OP_MUL, term, 2)};
			expr = x ? csp_expr(t.n, CSP_OP_ADD, sum, 2) : sum[1];
		}
		int at[NET_VARS] = {0}, x;
		do {
			int32_t v[NET_VARS];
			int64_t sum = 0;
			for (x = 0; x < t.vars; x++) {
				v[x] = t.value[x][at[x]];
				sum += coeffs[x] * v[x];
			}
			if (net_holds(&t, v) && (!found || (maximise ? sum > best : sum < best))) {
				best = sum;
				found = true;
			}
			for (x = t.vars; x-- > 0 && ++at[x] == t.count[x];)
				at[x] = 0;
		} while (x >= 0);
		if (seed / 2 % 2)
			assert_true(csp_objective_expr(t.n, expr, maximise));
		else
			assert_true(csp_objective_sum(t.n, scope, coeffs, (size_t)t.vars, maximise));
		struct csp_options o = csp_defaults;
		static const enum csp_algorithm others[] = {CSP_ALG_LCG, CSP_ALG_AUTO, CSP_ALG_LNS, CSP_ALG_AUTO};
		uint64_t which = seed % (CSP_ALG_LEARN + 5);
		o.algorithm = which <= CSP_ALG_LEARN ? (enum csp_algorithm)which : others[which - CSP_ALG_LEARN - 1];
		o.threads = which == CSP_ALG_LEARN + 4 ? 2 + seed % 4 : 1;
		bool mac = o.algorithm == CSP_ALG_MAC || o.algorithm == CSP_ALG_MAC_CBJ || o.algorithm == CSP_ALG_LEARN;
		o.restarts = mac && seed % 5 == 0 ? CSP_RESTART_LUBY : CSP_RESTART_NONE;
		o.restart_unit = seed % 3 ? 1 : 2; /* short runs, and turns of auto */
		struct csp_stats st;
		enum csp_status status = csp_solve(t.n, &o, &st);
		if (status != (found ? CSP_OPTIMUM : CSP_UNSAT) || (found && st.best != best))
			fail_msg("seed %llu: best %lld, expected %lld", (unsigned long long)seed, (long long)st.best,
			         (long long)best);
		csp_free(t.n);
	}
}

/* Several threads find a solution where there is one, and leave the network as it was. */
static void test_threads(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < rounds() / 3; seed++) {
		static struct net t;
		net_random(&t, seed + 500000, -1);
		uint64_t hash, count = net_brute(&t, &hash);
		struct seen s = {.t = &t};
		struct csp_options o = csp_defaults;
		struct csp_stats st;
		csp_methods(t.n, (enum csp_table_method)(seed % 3), (enum csp_alldiff_method)(seed / 3 % 2));
		o.algorithm = CSP_ALG_AUTO;
		o.threads = 2 + (uint32_t)(seed % 5);
		o.restart_unit = 1;
		o.tune.turn = 1 + (int64_t)(seed % 12); /* some end where a search has just found that nothing is left */
		o.solution = see;
		o.user = &s;
		assert_int_equal(csp_solve(t.n, &o, &st), count ? CSP_SAT : CSP_UNSAT);
		assert_int_equal(s.count, count > 0);
		assert_false(s.wrong);
		assert_int_equal(csp_level(t.n), 0);
		o = all();
		csp_solve(t.n, &o, &st);
		assert_int_equal(st.solutions, count);
		csp_free(t.n);
	}
}

/* Written as XCSP3 and read again, a network has the same solutions. */
static void test_round_trip(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < rounds() / 2; seed++) {
		static struct net t;
		net_random(&t, seed + 400000, -1);
		struct text xml = {0};
		struct csp_source_error e;
		uint64_t hash, count = net_brute(&t, &hash);
		if (seed % 2)
			csp_prepare(t.n);
		csp_write_xml(t.n, &xml);
		struct csp *again = csp_read_xml(xml.at, xml.n, &e);
		if (!again)
			fail_msg("seed %llu line %u: %s\n%s", (unsigned long long)seed, e.line, e.message, xml.at);
		struct seen s = {.t = &t};
		struct csp_options o = all();
		struct csp_stats st;
		o.solution = see;
		o.user = &s;
		csp_solve(again, &o, &st);
		if (s.count != count || s.hash != hash || s.wrong)
			fail_msg("seed %llu: %llu solutions, %llu expected\n%s", (unsigned long long)seed,
			         (unsigned long long)s.count, (unsigned long long)count, xml.at);
		text_free(&xml);
		csp_free(again);
		csp_free(t.n);
	}
}

/* ---- what the levels remove ---- */

static uint64_t values_left(const struct csp *n)
{
	uint64_t sum = 0;
	for (uint32_t x = 0; x < csp_variables(n); x++)
		sum += csp_size(n, x);
	return sum;
}

/* Values left after a level, 0 when it proves inconsistency. */
static uint64_t left_after(uint64_t seed, int kind, enum csp_consistency level, enum csp_table_method m)
{
	static struct net t;
	net_random(&t, seed, kind);
	csp_methods(t.n, m, CSP_ALLDIFF_REGIN);
	uint64_t left = csp_enforce(t.n, level, 3, NULL) == CSP_CONSISTENT ? values_left(t.n) : 0;
	csp_free(t.n);
	return left;
}

/* Propagators of tables and small expressions reach exactly what AC-3 reaches;
 * stronger levels never leave more, and sometimes less. */
static void test_strength(void **state)
{
	(void)state;
	uint64_t node = 0, ac = 0, sac = 0, path = 0, k3 = 0, ac_binary = 0, path_binary = 0;
	for (uint64_t seed = 0; seed < rounds(); seed++) {
		uint64_t three = left_after(seed, CSP_TABLE, CSP_LEVEL_AC3, CSP_TABLE_AUTO);
		for (int m = 0; m < 3; m++)
			assert_int_equal(left_after(seed, CSP_TABLE, CSP_LEVEL_AC, (enum csp_table_method)m), three);
		assert_int_equal(left_after(seed, CSP_INTENSION, CSP_LEVEL_AC, CSP_TABLE_CT),
		                 left_after(seed, CSP_INTENSION, CSP_LEVEL_AC3, CSP_TABLE_CT));
		assert_true(left_after(seed, -1, CSP_LEVEL_AC3, CSP_TABLE_CT) <=
		            left_after(seed, -1, CSP_LEVEL_AC, CSP_TABLE_CT));
		uint64_t a = left_after(seed, CSP_TABLE, CSP_LEVEL_NODE, CSP_TABLE_AUTO),
				 s = left_after(seed, CSP_TABLE, CSP_LEVEL_SAC, CSP_TABLE_AUTO);
		assert_true(three <= a && s <= three);
		node += a;
		ac += three;
		sac += s;
		path += left_after(seed, CSP_TABLE, CSP_LEVEL_PATH, CSP_TABLE_AUTO);
		uint64_t i2 = left_after(seed, CSP_ORDERED, CSP_LEVEL_AC, CSP_TABLE_AUTO),
				 p2 = left_after(seed, CSP_ORDERED, CSP_LEVEL_PATH, CSP_TABLE_AUTO);
		assert_true(p2 <= i2);
		ac_binary += i2;
		path_binary += p2;
		k3 += left_after(seed, CSP_TABLE, CSP_LEVEL_K, CSP_TABLE_AUTO);
	}
	assert_true(node > ac);
	assert_true(ac > sac);
	assert_true(path <= ac);
	assert_true(path_binary <= ac_binary);
	assert_true(k3 < node);
}

/* allDifferent by matching is generalised arc consistent, the simple form weaker. */
static void test_alldiff_strength(void **state)
{
	(void)state;
	uint64_t regin_sum = 0, simple_sum = 0;
	for (uint64_t seed = 0; seed < rounds(); seed++) {
		uint64_t left[2];
		for (int m = 0; m < 2; m++) {
			struct csp *n = csp_new();
			struct rng r = rng_seed(seed);
			uint32_t scope[5];
			for (int i = 0; i < 5; i++) {
				int32_t v[3] = {(int32_t)rng_below(&r, 6), (int32_t)rng_below(&r, 6), (int32_t)rng_below(&r, 6)};
				char name[4] = {'v', (char)('0' + i), 0};
				scope[i] = csp_var_values(n, name, v, 3);
			}
			csp_add_alldiff(n, scope, 5, NULL, 0);
			csp_methods(n, CSP_TABLE_AUTO, m ? CSP_ALLDIFF_SIMPLE : CSP_ALLDIFF_REGIN);
			left[m] = csp_propagate(n) ? values_left(n) : 0;
			if (!m) {
				struct csp *other = csp_new();
				for (int i = 0; i < 5; i++) {
					int32_t v[3];
					for (uint32_t k = 0; k < csp_count(n, scope[i]); k++)
						v[k] = csp_value(n, scope[i], k);
					char name[4] = {'v', (char)('0' + i), 0};
					csp_var_values(other, name, v, csp_count(n, scope[i]));
				}
				csp_add_alldiff(other, scope, 5, NULL, 0);
				uint64_t gac = csp_enforce(other, CSP_LEVEL_AC3, 0, NULL) == CSP_CONSISTENT ? values_left(other) : 0;
				assert_int_equal(left[0], gac);
				csp_free(other);
			}
			csp_free(n);
		}
		assert_true(left[0] <= left[1]);
		regin_sum += left[0];
		simple_sum += left[1];
	}
	assert_true(regin_sum < simple_sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds_apart), cmocka_unit_test(test_algorithms),       cmocka_unit_test(test_levels),
		cmocka_unit_test(test_plain_loop),  cmocka_unit_test(test_restarts),         cmocka_unit_test(test_local),
		cmocka_unit_test(test_optimum),     cmocka_unit_test(test_round_trip),       cmocka_unit_test(test_threads),
		cmocka_unit_test(test_strength),    cmocka_unit_test(test_alldiff_strength),
	};
	return RUN(tests);
}
