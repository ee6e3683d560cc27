/* Large tables, wide domains, large expressions: the propagators that small
 * networks never reach, against plain backtracking with checks only; and the
 * search trees that every solver with generalised arc consistency must have. */
#include "test.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "csp/csp.h"

#include <string.h>

/* Three or four variables, one of them wide, and two large tables. */
static struct csp *wide_network(uint64_t seed, bool positive, bool stars, enum csp_table_method m)
{
	struct rng r = rng_seed(seed);
	struct csp *n = csp_new();
	int count[4];
	for (int x = 0; x < 4; x++) {
		char name[4] = {'v', (char)('0' + x), 0};
		count[x] = x == (int)(seed % 4) ? 65 + (int)rng_below(&r, 70) : 6 + (int)rng_below(&r, 8);
		csp_var_range(n, name, -3, count[x] - 4);
	}
	VEC(int32_t) rows = {0};
	for (int c = 0; c < 2; c++) {
		uint32_t skip = rng_below(&r, 4), scope[3];
		int k = 0, want = positive ? 1100 + (int)rng_below(&r, 1200) : 2500;
		for (uint32_t x = 0; x < 4; x++)
			if (x != skip)
				scope[k++] = x;
		vec_clear(&rows);
		for (int i = 0; i < want; i++)
			for (int p = 0; p < 3; p++)
				vec_push(&rows, stars && rng_below(&r, 30) == 0
				                    ? CSP_ANY
				                    : (int32_t)rng_below(&r, (uint32_t)count[scope[p]]) - 3);
		csp_add_table(n, scope, 3, rows.at, (size_t)want, positive);
	}
	uint32_t pair[2] = {(uint32_t)(seed % 4), (uint32_t)((seed + 1) % 4)}; /* a binary table over more than a word */
	vec_clear(&rows);
	for (int i = 0; i < 260; i++) {
		vec_push(&rows, (int32_t)rng_below(&r, (uint32_t)count[pair[0]]) - 3);
		vec_push(&rows, (int32_t)rng_below(&r, (uint32_t)count[pair[1]]) - 3);
	}
	csp_add_table(n, pair, 2, rows.at, 260, true);
	vec_free(&rows);
	csp_methods(n, m, CSP_ALLDIFF_REGIN);
	return n;
}

static uint64_t solutions(struct csp *n, enum csp_algorithm a, enum csp_consistency level, uint64_t *left)
{
	struct csp_options o = csp_defaults;
	struct csp_stats s;
	o.max_solutions = 0;
	o.algorithm = a;
	o.consistency = level;
	csp_solve(n, &o, &s);
	assert_true(s.complete);
	*left = 0;
	for (uint32_t x = 0; x < csp_variables(n); x++)
		*left += csp_size(n, x);
	csp_free(n);
	return s.solutions;
}

static void test_large_tables(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < (test_sample() ? 2 : 12); seed++)
		for (int form = 0; form < 4; form++) {
			bool positive = form % 2 == 0, stars = form / 2;
			uint64_t left, ac3_left;
			uint64_t expect =
				solutions(wide_network(seed, positive, stars, CSP_TABLE_CT), CSP_ALG_BT, CSP_LEVEL_AC3, &ac3_left);
			for (int m = 0; m < 3; m++) {
				uint64_t got = solutions(wide_network(seed, positive, stars, (enum csp_table_method)m), CSP_ALG_MAC,
				                         CSP_LEVEL_AC, &left);
				assert_int_equal(got, expect);
				if (positive && expect)
					assert_int_equal(left, ac3_left);
			}
		}
}

/* Negative tables too large to complement: conflicts are counted. */
static void test_negative(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++)
		for (int stars = 0; stars < 2; stars++) {
			uint64_t count[2];
			for (int a = 0; a < 2; a++) {
				struct rng r = rng_seed(seed);
				struct csp *n = csp_new();
				uint32_t scope[6];
				for (int x = 0; x < 6; x++) {
					char name[4] = {'v', (char)('0' + x), 0};
					scope[x] = csp_var_range(n, name, 0, 9);
				}
				VEC(int32_t) rows = {0};
				for (int i = 0; i < 3000 * 6; i++)
					vec_push(&rows,
					         stars && rng_below(&r, 5) == 0 ? CSP_ANY : (int32_t)rng_below(&r, i % 6 < 4 ? 2 : 10));
				csp_add_table(n, scope, 6, rows.at, 3000, false);
				/* leave a small box so that everything can be counted */
				for (int x = 0; x < 4; x++)
					for (int v = 2; v < 10; v++)
						csp_forbid(n, scope[x], v);
				uint64_t left;
				count[a] = solutions(n, a ? CSP_ALG_MAC : CSP_ALG_BT, a ? CSP_LEVEL_AC : CSP_LEVEL_NONE, &left);
				vec_free(&rows);
			}
			assert_int_equal(count[0], count[1]);
		}
}

/* x*y+z and the like over domains too large to tabulate. */
static void test_large_expressions(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < (test_sample() ? 12 : 60); seed++) {
		uint64_t count[2], left;
		for (int a = 0; a < 2; a++) {
			struct rng r = rng_seed(seed);
			struct csp *n = csp_new();
			uint32_t x = csp_var_range(n, "x", -30, 20), y = csp_var_range(n, "y", -4, 40),
					 z = csp_var_range(n, "z", 0, 25);
			static const enum csp_operator number[] = {CSP_OP_MUL,  CSP_OP_DIV, CSP_OP_MOD, CSP_OP_SUB,
			                                           CSP_OP_DIST, CSP_OP_MAX, CSP_OP_MIN, CSP_OP_ADD};
			for (int c = 0; c < 2; c++) {
				uint32_t e[2] = {csp_expr_var(n, x), csp_expr_var(n, y)};
				uint32_t f[2] = {csp_expr(n, number[rng_below(&r, 8)], e, 2), csp_expr_var(n, z)};
				uint32_t g[2] = {csp_expr(n, number[rng_below(&r, 8)], f, 2),
				                 csp_expr_const(n, (int)rng_below(&r, 30) - 10)};
				csp_add_intension(n, csp_expr(n, CSP_OP_LT + rng_below(&r, 6), g, 2));
			}
			count[a] = solutions(n, a ? CSP_ALG_MAC : CSP_ALG_BT, a ? CSP_LEVEL_AC : CSP_LEVEL_NONE, &left);
		}
		assert_int_equal(count[0], count[1]);
	}
}

/* A million short tuples over wide domains: masks would be huge, so the memory
 * must stay within a few times the tuples themselves. */
static void test_memory(void **state)
{
	(void)state;
	enum { ROWS = 1000000, ARITY = 5 };
	struct rng r = rng_seed(5);
	struct csp *n = csp_new();
	uint32_t scope[ARITY];
	for (int x = 0; x < ARITY; x++) {
		char name[4] = {'v', (char)('0' + x), 0};
		scope[x] = csp_var_range(n, name, 0, 999);
	}
	int32_t *rows = mem_alloc((size_t)ROWS * ARITY, sizeof *rows);
	for (size_t i = 0; i < (size_t)ROWS * ARITY; i++)
		rows[i] = i % ARITY == i / ARITY % ARITY ? CSP_ANY : (int32_t)rng_below(&r, 1000);
	size_t before = mem_resident();
	assert_int_not_equal(csp_add_table(n, scope, ARITY, rows, ROWS, true), CSP_NONE);
	assert_true(csp_propagate(n));
	csp_push(n);
	assert_true(csp_assign(n, scope[0], 500));
	assert_true(csp_propagate(n));
	size_t grown = mem_resident() - before;
	if (!test_sample()) /* sanitizers need memory of their own */
		assert_true(grown < (size_t)ROWS * ARITY * 4 * 4);
	mem_free(rows);
	csp_free(n);
}

/* ---- trees known to the node ---- */

static const struct {
	const char *file;
	enum csp_order order;
	uint64_t solutions, nodes, failures;
} known[] = {
	{"lex3", CSP_ORDER_LEX, 1, 215817, 107908},   {"lexb10", CSP_ORDER_LEX, 0, 751165, 375583},
	{"lexb10", CSP_ORDER_DOM, 0, 751165, 375583}, {"queens12", CSP_ORDER_LEX, 14200, 170577, 71089},
	{"lex3", CSP_ORDER_DOM, 1, 74151, 37075},     {"enum3a", CSP_ORDER_DOM, 76349, 1883797, 865550},
};

static void test_known_trees(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		char path[512];
		struct csp_source_error e;
		const char *root = getenv("MACAW_SOURCE");
		snprintf(path, sizeof path, "%s/../shared/cp/%s.xml", root ? root : ".", known[i].file);
		FILE *f = fopen(path, "rb");
		if (!f)
			SKIP("the instances of ../shared/cp are not here");
		fclose(f);
		if (test_sample() && known[i].nodes > 100000)
			continue;
		/* small trees: the portable loop too */
		for (int m = known[i].nodes < 100000 ? 0 : 1; m <= (known[i].nodes < 200000 ? 2 : 1); m++) {
			struct csp *n = csp_read_xml_file(path, &e);
			assert_non_null(n);
			struct csp_options o = csp_defaults;
			struct csp_stats s;
			o.max_solutions = 0;
			o.order = known[i].order;
			csp_methods(n, (enum csp_table_method)m, CSP_ALLDIFF_REGIN);
			if (m == CSP_TABLE_AUTO)
				csp_plain(n);
			csp_solve(n, &o, &s);
			assert_int_equal(s.solutions, known[i].solutions);
			assert_int_equal(s.nodes, known[i].nodes);
			assert_int_equal(s.backtracks, known[i].failures);
			csp_free(n);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large_tables),      cmocka_unit_test(test_negative),
		cmocka_unit_test(test_large_expressions), cmocka_unit_test(test_memory),
		cmocka_unit_test(test_known_trees),
	};
	return RUN(tests);
}
