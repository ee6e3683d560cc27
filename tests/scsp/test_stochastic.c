/* Stochastic networks: the examples of the papers, and agreement of all methods
 * with the definition on random small networks. */
#include "test.h"

#include "scsp/scsp.h"

#include <math.h>
#include <string.h>

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static struct scsp_p third(int i)
{
	(void)i;
	return scsp_ratio(1, 3);
}

static void sum_over_one(struct csp *n, uint32_t x, uint32_t y)
{
	assert_int_not_equal(csp_add_sum(n, (uint32_t[]){x, y}, (int64_t[]){1, 1}, 2, CSP_GT, 1), CSP_NONE);
}

/* Example 2 of the WoodStock article: two stages, x1 = x2, x1 + y1 > 1, x2 + y2 > 1. */
static struct scsp *woodstock(void)
{
	struct csp *n = csp_new();
	csp_var_range(n, "x1", 0, 2);
	csp_var_range(n, "y1", 0, 2);
	csp_var_range(n, "x2", 0, 2);
	csp_var_range(n, "y2", 0, 2);
	csp_add_intension(n, csp_expr(n, CSP_OP_EQ, (uint32_t[]){csp_expr_var(n, 0), csp_expr_var(n, 2)}, 2));
	struct scsp *s = scsp_new(n, 1);
	struct scsp_p p[3] = {third(0), third(1), third(2)};
	assert_true(scsp_draw(s, 1, p) && scsp_draw(s, 3, p));
	sum_over_one(scsp_chance(s), 0, 1);
	sum_over_one(scsp_chance(s), 2, 3);
	assert_true(scsp_threshold(s, 0, 1.0 / 3));
	return s;
}

static void two_stages(void **state)
{
	for (int m = 0; m < SCSP_METHOD_COUNT; m++) {
		struct scsp *s = woodstock();
		assert_int_equal(scsp_stages(s), 2);
		struct scsp_options o = {.method = (enum scsp_method)m, .aim = SCSP_ALL};
		struct scsp_result r;
		assert_int_equal(scsp_solve(s, &o, &r), CSP_SAT);
		assert_int_equal(r.forest.policies.n, 2); /* x = 1 and x = 2 */
		bool seen = false;
		for (size_t i = 0; i < 2; i++) {
			double v, error;
			assert_null(scsp_check(s, &r.forest, r.forest.policies.at[i].root, &v, &error));
			NEAR(v, r.forest.expected.at[r.forest.policies.at[i].values]);
			assert_true(error < 1e-12);
			seen = seen || fabs(v - 4.0 / 9) < 1e-9;
		}
		assert_true(seen);
		scsp_result_free(&r);
		o.aim = SCSP_BEST;
		assert_int_equal(scsp_solve(s, &o, &r), CSP_OPTIMUM);
		NEAR(r.forest.expected.at[r.forest.policies.at[0].values], 1);
		scsp_result_free(&r);
		scsp_free(s);
	}
}

/* Example 2 of the SCSP paper: cooperative Matching Pennies. */
static void matching_pennies(void **state)
{
	struct csp *n = csp_new();
	const char *const sides[] = {"H", "T"}, *const unset[] = {"U"};
	uint32_t a1 = csp_var_symbols(n, "x1a", sides, 2), b1 = csp_var_symbols(n, "x1b", sides, 2);
	uint32_t y1 = csp_var_symbols(n, "y1", unset, 1);
	uint32_t a2 = csp_var_symbols(n, "x2a", sides, 2), b2 = csp_var_symbols(n, "x2b", sides, 2);
	uint32_t y2 = csp_var_symbols(n, "y2", sides, 2);
	int32_t h = (int32_t)csp_symbol(n, "H"), t = (int32_t)csp_symbol(n, "T");
	csp_add_table(n, (uint32_t[]){a1, a2}, 2, (int32_t[]){h, h, t, t}, 2, true);
	csp_add_table(n, (uint32_t[]){b1, b2}, 2, (int32_t[]){h, h, t, t}, 2, true);
	struct scsp *s = scsp_new(n, 2);
	assert_true(scsp_draw(s, y1, (struct scsp_p[]){scsp_ratio(1, 1)}));
	assert_true(scsp_draw(s, y2, (struct scsp_p[]){scsp_ratio(1, 2), scsp_ratio(1, 2)}));
	assert_true(scsp_soft(s, (uint32_t[]){a2, b2, y2}, 3, (int32_t[]){h, h, h, t, t, t}, 2, (double[]){1, 1, 1, 1}));
	scsp_threshold(s, 0, 0.5);
	scsp_threshold(s, 1, 0.5);
	for (int m = 0; m < SCSP_METHOD_COUNT; m++) {
		struct scsp_options o = {.method = (enum scsp_method)m, .aim = SCSP_BEST};
		struct scsp_result r;
		assert_int_equal(scsp_solve(s, &o, &r), CSP_OPTIMUM);
		double v[2];
		assert_null(scsp_check(s, &r.forest, r.forest.policies.at[0].root, v, NULL));
		NEAR(v[0], 0.5);
		NEAR(v[1], 0.5);
		assert_true(scsp_is_solution(s, v));
		struct text text = {0};
		scsp_print(s, &r.forest, r.forest.policies.at[0].root, &text);
		assert_non_null(strstr(text_str(&text), "y2=T (0.5)"));
		text_free(&text);
		scsp_result_free(&r);
	}
	scsp_free(s);
}

/* The split example: c_f = {(2,1),(2,2)}, one solution. */
static void split_example(void **state)
{
	struct csp *n = csp_new();
	uint32_t x1 = csp_var_range(n, "x1", 1, 3), x2 = csp_var_range(n, "x2", 0, 2), y = csp_var_range(n, "y", 0, 2);
	csp_add_table(n, (uint32_t[]){x1, x2}, 2, (int32_t[]){1, 1, 2, 2, 3, 0}, 3, true);
	struct scsp *s = scsp_new(n, 1);
	scsp_draw(s, y, (struct scsp_p[]){third(0), third(1), third(2)});
	csp_add_table(scsp_chance(s), (uint32_t[]){x1, y}, 2, (int32_t[]){1, 0, 1, 1, 2, 0, 2, 1, 2, 2, 3, 2}, 6, true);
	csp_add_table(scsp_chance(s), (uint32_t[]){x2, y}, 2, (int32_t[]){0, 0, 0, 2, 1, 0, 1, 1, 1, 2, 2, 0, 2, 1, 2, 2},
	              8, true);
	scsp_threshold(s, 0, 0.75);
	struct scsp_feasible f;
	assert_true(scsp_feasibility(s, &f, NULL));
	assert_int_equal(f.rows, 2);
	assert_memory_equal(f.tuples.at, ((int32_t[]){2, 1, 2, 2}), 16);
	scsp_feasible_free(&f);
	for (int m = 0; m < SCSP_METHOD_COUNT; m++) {
		struct scsp_options o = {.method = (enum scsp_method)m, .aim = SCSP_ALL};
		struct scsp_result r;
		assert_int_equal(scsp_solve(s, &o, &r), CSP_SAT);
		assert_int_equal(r.forest.policies.n, 1);
		double v;
		assert_null(scsp_check(s, &r.forest, r.forest.policies.at[0].root, &v, NULL));
		NEAR(v, 1);
		scsp_result_free(&r);
	}
	scsp_free(s);
}

/* ---- random networks ---- */

static void random_table(struct csp *n, struct rng *g, double density)
{
	uint32_t vars = csp_variables(n), arity = 1 + rng_below(g, 3), scope[3];
	if (arity > vars)
		arity = vars;
	for (uint32_t j = 0; j < arity; j++)
		for (bool again = true; again;) {
			scope[j] = rng_below(g, vars);
			again = false;
			for (uint32_t i = 0; i < j; i++)
				again = again || scope[i] == scope[j];
		}
	int32_t tuples[3 * 64];
	uint32_t at[3] = {0};
	size_t rows = 0;
	for (;;) {
		if (rng_unit(g) < density) {
			for (uint32_t j = 0; j < arity; j++)
				tuples[rows * arity + j] = csp_value(n, scope[j], at[j]);
			rows++;
		}
		uint32_t j = arity;
		while (j-- && ++at[j] == csp_count(n, scope[j]))
			at[j] = 0;
		if (j == UINT32_MAX)
			break;
	}
	csp_add_table(n, scope, arity, tuples, rows, true);
}

static void random_draw(struct scsp *s, struct rng *g, uint32_t y)
{
	struct csp *n = scsp_hard(s);
	uint32_t k = csp_count(n, y);
	struct scsp_p p[9];
	uint32_t parent = y ? rng_below(g, y) : CSP_NONE,
			 rows = parent != CSP_NONE && rng_below(g, 2) ? csp_count(n, parent) : 1;
	int32_t given[3];
	for (uint32_t r = 0; r < rows; r++) {
		uint32_t parts[3], sum = 0;
		for (uint32_t i = 0; i < k; i++)
			sum += parts[i] = rng_below(g, 4);
		if (!sum)
			sum = parts[0] = 1;
		for (uint32_t i = 0; i < k; i++)
			p[r * k + i] = scsp_ratio(parts[i], sum);
		if (rows > 1)
			given[r] = csp_value(n, parent, r);
	}
	if (rng_below(g, 4) == 0 && y >= k) { /* uniform over those of the values that earlier variables allow */
		uint32_t legal[3];
		for (uint32_t i = 0; i < k; i++)
			legal[i] = y - k + i;
		assert_true(scsp_draw_legal(s, y, legal));
		return;
	}
	assert_true(rows > 1 ? scsp_draw_given(s, y, &parent, 1, given, rows, p) : scsp_draw(s, y, p));
}

static struct scsp *random_network(struct rng *g)
{
	struct csp *n = csp_new();
	uint32_t vars = 2 + rng_below(g, 4);
	for (uint32_t x = 0; x < vars; x++) {
		char name[16];
		snprintf(name, sizeof name, "v%u", x);
		csp_var_range(n, name, 0, (int32_t)(vars > 4 ? 1 : 1 + rng_below(g, 2)));
	}
	for (uint32_t c = rng_below(g, 5); c--;)
		random_table(n, g, 0.85);
	struct scsp *s = scsp_new(n, 1 + rng_below(g, 2));
	for (uint32_t x = 0; x < vars; x++)
		if (!rng_below(g, 3))
			random_draw(s, g, x);
	for (uint32_t c = rng_below(g, 5); c--;)
		random_table(scsp_chance(s), g, 0.75);
	if (!rng_below(g, 3)) {
		uint32_t x = rng_below(g, vars);
		double u[4] = {rng_unit(g), rng_unit(g), rng_unit(g), rng_unit(g)};
		assert_true(scsp_soft(s, &x, 1, (int32_t[]){0, 1}, 2, u));
	}
	for (uint32_t p = 0; p < scsp_players(s); p++)
		scsp_threshold(s, p, rng_below(g, 4) / 4.0);
	return s;
}

/* ---- what forward checking saves ---- */

/* A decision of two values, seven of three that no constraint mentions, then z and a coin. */
static struct csp *nine_decisions(void)
{
	struct csp *n = csp_new();
	csp_var_range(n, "x0", 0, 1);
	for (uint32_t x = 1; x <= 7; x++)
		csp_var_range(n, (char[]){'x', (char)('0' + x), 0}, 0, 2);
	csp_var_range(n, "z", 0, 2);
	return n;
}

static uint64_t nodes_of(struct scsp *s, size_t policies)
{
	struct scsp_options o = {.method = SCSP_SFC, .aim = SCSP_ALL};
	struct scsp_result r;
	scsp_solve(s, &o, &r);
	assert_true(r.complete);
	assert_int_equal(r.forest.policies.n, policies);
	uint64_t nodes = r.nodes;
	scsp_result_free(&r);
	scsp_free(s);
	return nodes;
}

/* Each of two constraints leaves z a value when x0 is 0, both together leave none: x0 = 0 is met once. With x0 = 1 one
 * value of z is left, and the others are never tried. */
static void later_domain_emptied(void **state)
{
	struct csp *n = nine_decisions();
	uint32_t scope[2] = {0, 8}, y = csp_var_range(n, "y", 0, 1);
	csp_add_table(n, scope, 2, (int32_t[]){0, 0, 0, 1, 1, 1, 1, 2}, 4, true);
	csp_add_table(n, scope, 2, (int32_t[]){0, 2, 1, 0, 1, 1}, 3, true);
	struct scsp *s = scsp_new(n, 1);
	scsp_draw(s, y, (struct scsp_p[]){scsp_ratio(1, 2), scsp_ratio(1, 2)});
	assert_int_equal(nodes_of(s, 2187), 2 + 3279 + 2187 + 2 * 2187);
}

/* Two coins, each right in one case of two whatever is decided: together 1/4, less than 0.3, seen at the first node. */
static void masses_multiplied(void **state)
{
	struct csp *n = nine_decisions();
	uint32_t y[2] = {csp_var_range(n, "y1", 0, 1), csp_var_range(n, "y2", 0, 1)};
	struct scsp *s = scsp_new(n, 1);
	for (int i = 0; i < 2; i++) {
		scsp_draw(s, y[i], (struct scsp_p[]){scsp_ratio(1, 2), scsp_ratio(1, 2)});
		csp_add_table(scsp_chance(s), (uint32_t[]){0, y[i]}, 2, (int32_t[]){0, 0, 1, 1}, 2, true);
	}
	scsp_threshold(s, 0, 0.3);
	assert_int_equal(nodes_of(s, 0), 2);
}

/* Value 3 of the draw cannot count, so the other three must all succeed; no a and b go with value 0, which is seen
 * when a is set, and the values 1 and 2 are not looked at any more. */
static void rest_of_a_draw(void **state)
{
	struct csp *n = csp_new();
	uint32_t y = csp_var_range(n, "y", 0, 3), a = csp_var_range(n, "a", 0, 2), b = csp_var_range(n, "b", 0, 2);
	struct scsp *s = scsp_new(n, 1);
	struct scsp_p quarter[4] = {scsp_ratio(1, 4), scsp_ratio(1, 4), scsp_ratio(1, 4), scsp_ratio(1, 4)};
	scsp_draw(s, y, quarter);
	csp_add_table(scsp_chance(s), &y, 1, (int32_t[]){0, 1, 2}, 3, true);
	csp_add_table(scsp_chance(s), (uint32_t[]){y, a, b}, 3, (int32_t[]){1, 0, 0, 2, 0, 0}, 2, true);
	scsp_threshold(s, 0, 0.75);
	assert_int_equal(nodes_of(s, 0), 1 + 3);
}

/* The best expected worth of one player, by the definition: -1 when infeasible. */
static double expectimax(struct scsp *s, uint32_t place, int32_t *values)
{
	struct csp *n = scsp_hard(s);
	if (place == csp_variables(n)) {
		double v[SCSP_MAX_PLAYERS];
		scsp_worth(s, values, v);
		return csp_check_values(n, values) ? v[0] : -1;
	}
	uint32_t x = scsp_sequence(s)[place];
	double best = -1, sum = 0;
	for (uint32_t i = 0; i < csp_count(n, x); i++) {
		double p = scsp_stochastic(s, x) ? scsp_probability(s, x, i, values) : 1;
		values[x] = csp_value(n, x, i);
		if (!(p > 0))
			continue;
		double v = expectimax(s, place + 1, values);
		if (scsp_stochastic(s, x) && v < 0)
			return -1;
		sum += p * v;
		best = v > best ? v : best;
	}
	return scsp_stochastic(s, x) && best >= 0 ? sum : best; /* a draw without a legal value ends nowhere */
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void all_checked(struct scsp *s, struct scsp_result *r, double *sorted)
{
	for (size_t i = 0; i < r->forest.policies.n; i++) {
		double v[SCSP_MAX_PLAYERS];
		assert_null(scsp_check(s, &r->forest, r->forest.policies.at[i].root, v, NULL));
		assert_true(scsp_is_solution(s, v));
		for (uint32_t p = 0; p < scsp_players(s); p++)
			NEAR(v[p], r->forest.expected.at[r->forest.policies.at[i].values + p]);
		sorted[i] = v[0];
	}
	qsort(sorted, r->forest.policies.n, sizeof *sorted, by_size);
}

/* How many policies there are without any constraint. */
static double policies(struct scsp *s)
{
	double n = 1;
	for (uint32_t i = csp_variables(scsp_hard(s)); i--;) {
		uint32_t x = scsp_sequence(s)[i], k = csp_count(scsp_hard(s), x);
		n = scsp_stochastic(s, x) ? pow(n, k) : n * k;
	}
	return n;
}

static void agreement(void **state)
{
	struct rng g = rng_seed(5);
	int solvable = 0, rounds = test_sample() ? 500 : 6000;
	for (int round = 0; round < rounds; round++) {
		struct scsp *s = random_network(&g);
		if (policies(s) > 5000) {
			scsp_free(s);
			round--;
			continue;
		}
		size_t count = 0;
		double *sorted[SCSP_METHOD_COUNT];
		for (int m = SCSP_METHOD_COUNT; m--;) {
			struct scsp_options o = {.method = (enum scsp_method)m, .aim = SCSP_ALL, .max_policies = 100000};
			struct scsp_result r;
			enum csp_status status = scsp_solve(s, &o, &r);
			if (m == SCSP_BRUTE)
				count = r.forest.policies.n;
			assert_int_equal(r.forest.policies.n, count);
			assert_int_equal(status, count ? CSP_SAT : CSP_UNSAT);
			sorted[m] = malloc((count + 1) * sizeof **sorted);
			all_checked(s, &r, sorted[m]);
			for (size_t i = 0; i < count; i++)
				NEAR(sorted[m][i], sorted[SCSP_BRUTE][i]);
			scsp_result_free(&r);
			if (scsp_players(s) == 1) {
				int32_t values[8] = {0};
				double best = expectimax(s, 0, values);
				o.aim = SCSP_BEST;
				status = scsp_solve(s, &o, &r);
				assert_int_equal(status, best >= scsp_theta(s, 0) - 1e-9 && best >= 0 ? CSP_OPTIMUM : CSP_UNSAT);
				if (status == CSP_OPTIMUM)
					NEAR(r.forest.expected.at[0], best);
				scsp_result_free(&r);
			}
		}
		solvable += count > 0;
		for (int m = 0; m < SCSP_METHOD_COUNT; m++)
			free(sorted[m]);
		scsp_free(s);
	}
	assert_in_range(solvable, rounds / 5, rounds * 9 / 10);
}

/* A template: inject, solve, take back; twice, with the same answers as fresh networks. */
static void injection(void **state)
{
	struct scsp *s = woodstock();
	for (int round = 0; round < 3; round++)
		for (uint32_t v = 0; v < 3; v++) {
			struct scsp_options o = {.aim = SCSP_ALL};
			struct scsp_result r;
			csp_push(scsp_hard(s));
			csp_assign(scsp_hard(s), 0, v);
			scsp_solve(s, &o, &r);
			assert_int_equal(csp_level(scsp_hard(s)), 1);
			assert_int_equal(r.forest.policies.n, v > 0);
			csp_pop(scsp_hard(s), 0);
			scsp_result_free(&r);
		}
	scsp_free(s);
}

static void legal_draws(void **state)
{
	struct csp *n = csp_new();
	uint32_t b[3], y;
	for (int i = 0; i < 3; i++)
		b[i] = csp_var_range(n, (char[]){'b', (char)('0' + i), 0}, 0, 1);
	y = csp_var_range(n, "y", 0, 2);
	csp_add_table(n, b, 3, (int32_t[]){1, 0, 1}, 1, true);
	struct scsp *s = scsp_new(n, 1);
	assert_true(scsp_draw_legal(s, y, b));
	csp_add_table(scsp_chance(s), &y, 1, (int32_t[]){2}, 1, true);
	struct scsp_options o = {.aim = SCSP_BEST};
	struct scsp_result r;
	assert_int_equal(scsp_solve(s, &o, &r), CSP_OPTIMUM);
	NEAR(r.forest.expected.at[0], 0.5);
	scsp_result_free(&r);
	scsp_free(s);
}

static void refusals(void **state)
{
	struct csp *n = csp_new();
	uint32_t x = csp_var_range(n, "x", 0, 1), y = csp_var_range(n, "y", 0, 1);
	struct scsp *s = scsp_new(n, 1);
	assert_false(scsp_draw(s, y, (struct scsp_p[]){scsp_ratio(-1, 2), scsp_ratio(3, 2)}));
	assert_non_null(strstr(scsp_error(s), "not between 0 and 1"));
	assert_false(scsp_draw(s, y, (struct scsp_p[]){scsp_ratio(1, 2), scsp_ratio(1, 3)}));
	assert_non_null(strstr(scsp_error(s), "sum to"));
	struct scsp_p half[4] = {scsp_ratio(1, 2), scsp_ratio(1, 2), scsp_ratio(1, 2), scsp_ratio(1, 2)};
	assert_false(scsp_draw_given(s, x, &y, 1, (int32_t[]){0, 1}, 2, half));
	assert_non_null(strstr(scsp_error(s), "does not come before"));
	assert_false(scsp_draw_given(s, y, &x, 1, (int32_t[]){0, 0}, 2, half));
	assert_false(scsp_draw_given(s, y, &x, 1, (int32_t[]){0}, 1, half));
	assert_false(scsp_order(s, (uint32_t[]){0, 0}, 2));
	assert_false(scsp_threshold(s, 0, 1.5));
	assert_false(scsp_soft(s, &x, 1, (int32_t[]){0}, 1, (double[]){2}));
	scsp_free(s);
}

/* Passes keep the solutions and say what they removed. */
static bool count_one(void *user, const struct csp *n, const int32_t *values)
{
	(void)n, (void)values;
	++*(uint64_t *)user;
	return true;
}

static uint64_t solutions(struct csp *n)
{
	struct csp_options o = csp_defaults;
	struct csp_stats st;
	uint64_t count = 0;
	o.max_solutions = 0;
	o.solution = count_one;
	o.user = &count;
	csp_solve(n, &o, &st);
	return count;
}

static void passes(void **state)
{
	struct rng g = rng_seed(6);
	uint64_t merged = 0, universal = 0, values = 0;
	for (int round = 0; round < (test_sample() ? 100 : 1000); round++) {
		struct csp *n = csp_new();
		for (uint32_t x = 0; x < 4; x++)
			csp_var_range(n, (char[]){'v', (char)('0' + x), 0}, 0, 2);
		for (int c = 0; c < 6; c++)
			random_table(n, &g, c % 2 ? 0.85 : 1);
		struct scsp_removed r[SCSP_PASS_COUNT];
		unsigned which = rng_below(&g, 16);
		struct csp *m = scsp_simplify(n, which, r);
		assert_non_null(m);
		assert_int_equal(solutions(n), solutions(m));
		if (!(which & 1))
			assert_int_equal(r[SCSP_PASS_MERGE].constraints, 0);
		merged += r[SCSP_PASS_MERGE].constraints;
		universal += r[SCSP_PASS_UNIVERSAL].scopes;
		values += r[SCSP_PASS_UNARY].values + r[SCSP_PASS_SAC].values;
		csp_free(n);
		csp_free(m);
	}
	assert_true(merged > 10 && universal > 10 && values > 10);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(two_stages),
		cmocka_unit_test(matching_pennies),
		cmocka_unit_test(split_example),
		cmocka_unit_test(legal_draws),
		cmocka_unit_test(injection),
		cmocka_unit_test(refusals),
		cmocka_unit_test(agreement),
		cmocka_unit_test(later_domain_emptied),
		cmocka_unit_test(masses_multiplied),
		cmocka_unit_test(rest_of_a_draw),
		cmocka_unit_test(passes),
	};
	return RUN(cases);
}
