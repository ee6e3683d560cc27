/* Stochastic problems through the public face: one and two stages against expectations worked out by hand, policies
 * walked, checked and printed, feasibility, preprocessing, XCSP3. */
#include "test.h"

#include <macaw/scsp.h>

#include <math.h>
#include <string.h>

static const macaw_probability half[] = {{1, 2, 0}, {.value = 0.5}};

/* How much to order (0 to 2) before a demand (0 to 2) is drawn: ordering the demand is worth 1, one off is worth a
 * half. */
static macaw_scsp *shop(uint32_t *order, uint32_t *demand)
{
	static const macaw_probability p[] = {{1, 4, 0}, {1, 2, 0}, {1, 4, 0}};
	macaw_csp *n = macaw_csp_new(NULL);
	*order = macaw_csp_var_range(n, "order", 0, 2);
	*demand = macaw_csp_var_range(n, "demand", 0, 2);
	macaw_scsp *s = macaw_scsp_new(n, 1, NULL);
	assert_non_null(s);
	assert_true(macaw_scsp_hard(s) == n);
	assert_true(macaw_scsp_draw(s, *demand, p));
	int32_t tuples[18];
	double worth[9];
	for (int i = 0; i < 9; i++) {
		tuples[2 * i] = i / 3;
		tuples[2 * i + 1] = i % 3;
		worth[i] = 1 - abs(i / 3 - i % 3) / 2.0;
	}
	assert_true(macaw_scsp_soft(s, (uint32_t[]){*order, *demand}, 2, tuples, 9, worth));
	return s;
}

static void one_stage(void **state)
{
	uint32_t order, demand;
	macaw_scsp *s = shop(&order, &demand);
	macaw_error e;
	assert_int_equal(macaw_scsp_players(s), 1);
	assert_int_equal(macaw_scsp_stages(s), 1);
	assert_int_equal(macaw_scsp_softs(s), 1);
	assert_true(macaw_scsp_stochastic(s, demand) && !macaw_scsp_stochastic(s, order) && !macaw_scsp_stochastic(s, 99));
	assert_int_equal(macaw_scsp_sequence(s)[0], order);
	for (int m = 0; macaw_scsp_method_name(m); m++) {
		macaw_scsp_result *r = macaw_scsp_solve(s, &(macaw_scsp_options){.method = m, .aim = MACAW_SCSP_BEST}, &e);
		assert_non_null(r);
		assert_int_equal(macaw_scsp_status(r), MACAW_CSP_OPTIMUM);
		assert_true(macaw_scsp_statistics(r).complete);
		size_t last = macaw_scsp_policies(r) - 1;
		assert_float_equal(macaw_scsp_expected(r, last)[0], 0.75, 1e-12); /* order 1: 1/4 * 1/2 + 1/2 + 1/4 * 1/2 */
		macaw_scsp_node root = macaw_scsp_node_of(r, macaw_scsp_root(r, last));
		assert_true(root.variable == order && root.arcs == 1);
		macaw_scsp_arc arc = macaw_scsp_arc_of(r, macaw_scsp_root(r, last), 0);
		assert_int_equal(arc.at, 1);
		macaw_scsp_node draw = macaw_scsp_node_of(r, arc.child);
		assert_true(draw.variable == demand && draw.arcs == 3);
		for (uint32_t i = 0; i < 3; i++)
			assert_int_equal(macaw_scsp_arc_of(r, arc.child, i).child, MACAW_SCSP_LEAF);
		double worth, bound;
		assert_true(macaw_scsp_check(r, last, &worth, &bound, &e));
		assert_true(fabs(worth - 0.75) <= bound && bound < 1e-12);
		char *text = macaw_scsp_print(r, last);
		assert_non_null(strstr(text, "order=1"));
		assert_non_null(strstr(text, "demand=2 (0.25): -> 0.5"));
		macaw_free(text);
		macaw_scsp_result_free(r);
	}
	macaw_scsp_result_free(NULL);
	macaw_scsp_free(s);
	macaw_scsp_free(NULL);
}

static void thresholds(void **state)
{
	uint32_t order, demand;
	macaw_scsp *s = shop(&order, &demand);
	assert_true(macaw_scsp_threshold(s, 0, 0.5));
	assert_float_equal(macaw_scsp_theta(s, 0), 0.5, 0);
	assert_true(macaw_scsp_is_solution(s, (double[]){0.5}) && !macaw_scsp_is_solution(s, (double[]){0.4}));
	macaw_scsp_result *r = macaw_scsp_solve(s, &(macaw_scsp_options){.aim = MACAW_SCSP_ALL_SOLUTIONS}, NULL);
	assert_int_equal(macaw_scsp_policies(r), 3); /* 1/2, 3/4, 1/2 */
	macaw_scsp_result_free(r);
	r = macaw_scsp_solve(s, &(macaw_scsp_options){.aim = MACAW_SCSP_ALL_SOLUTIONS, .max_policies = 2}, NULL);
	assert_int_equal(macaw_scsp_policies(r), 2);
	assert_false(macaw_scsp_statistics(r).complete);
	macaw_scsp_result_free(r);
	macaw_scsp_threshold(s, 0, 0.6);
	macaw_scsp_feasible *f = macaw_scsp_feasibility(s, (macaw_limit){0}, NULL);
	assert_non_null(f);
	assert_true(f->arity == 1 && f->scope[0] == order && f->rows == 1 && f->tuples[0] == 1);
	macaw_scsp_feasible_free(f);
	macaw_scsp_threshold(s, 0, 0.9);
	r = macaw_scsp_solve(s, NULL, NULL);
	assert_int_equal(macaw_scsp_status(r), MACAW_CSP_UNSAT);
	assert_int_equal(macaw_scsp_policies(r), 0);
	macaw_scsp_result_free(r);
	/* a level on top: the same problem with the order given */
	macaw_scsp_threshold(s, 0, 0);
	macaw_csp_push(macaw_scsp_hard(s));
	macaw_csp_assign(macaw_scsp_hard(s), order, 2);
	r = macaw_scsp_solve(s, NULL, NULL);
	assert_float_equal(macaw_scsp_expected(r, 0)[0], 0.5, 1e-12);
	assert_int_equal(macaw_csp_level(macaw_scsp_hard(s)), 1);
	macaw_csp_pop(macaw_scsp_hard(s), 0);
	macaw_scsp_result_free(r);
	macaw_scsp_free(s);
}

/* Two stages: guess a coin, see it, guess another one that comes out like the first with probability 3/4. */
static macaw_scsp *coins(void)
{
	static const char *const sides[] = {"heads", "tails"};
	static const macaw_probability like[] = {{3, 4, 0}, {1, 4, 0}, {1, 4, 0}, {.value = 0.75}};
	macaw_csp *n = macaw_csp_new(NULL);
	uint32_t x[4];
	const char *const names[] = {"guess1", "coin1", "guess2", "coin2"};
	for (int i = 0; i < 4; i++)
		x[i] = macaw_csp_var_symbols(n, names[i], sides, 2);
	macaw_scsp *s = macaw_scsp_new(n, 1, NULL);
	int32_t heads = macaw_csp_value(n, 0, 0), tails = macaw_csp_value(n, 0, 1);
	assert_true(macaw_scsp_draw(s, x[1], half));
	assert_true(macaw_scsp_draw_given(s, x[3], &x[1], 1, (int32_t[]){heads, tails}, 2, like));
	/* both guesses right: 1 - but each alone is a chance constraint */
	int32_t same[] = {heads, heads, tails, tails};
	macaw_csp *chance = macaw_scsp_chance(s);
	assert_int_not_equal(macaw_csp_add_table(chance, (uint32_t[]){x[0], x[1]}, 2, same, 2, true), MACAW_NONE);
	assert_int_not_equal(macaw_csp_add_table(chance, (uint32_t[]){x[2], x[3]}, 2, same, 2, true), MACAW_NONE);
	return s;
}

static void two_stages(void **state)
{
	macaw_error e;
	for (int m = 0; macaw_scsp_method_name(m); m++) {
		macaw_scsp *s = coins();
		assert_int_equal(macaw_scsp_stages(s), 2);
		macaw_scsp_result *r = macaw_scsp_solve(s, &(macaw_scsp_options){.method = m, .aim = MACAW_SCSP_BEST}, &e);
		assert_int_equal(macaw_scsp_status(r), MACAW_CSP_OPTIMUM);
		size_t last = macaw_scsp_policies(r) - 1;
		double worth;
		assert_float_equal(macaw_scsp_expected(r, last)[0], 0.375, 1e-12); /* 1/2 * 3/4 */
		assert_true(macaw_scsp_check(r, last, &worth, NULL, &e));
		assert_float_equal(worth, 0.375, 1e-12);
		macaw_scsp_result_free(r);
		assert_null(macaw_scsp_feasibility(s, (macaw_limit){0}, &e)); /* two stages */
		assert_int_equal(e.status, MACAW_USAGE);
		int32_t heads = macaw_csp_value(macaw_scsp_hard(s), 0, 0);
		int32_t values[] = {heads, heads, heads, heads};
		assert_float_equal(macaw_scsp_probability(s, 3, 0, values), 0.75, 1e-12);
		assert_float_equal(macaw_scsp_probability(s, 0, 0, values), 0, 0); /* not drawn */
		assert_true(macaw_scsp_worth(s, values, &worth));
		assert_float_equal(worth, 1, 0);
		macaw_scsp_free(s);
	}
}

/* Uniform over what is legal; two players; another order of the variables. */
static void legal_draws(void **state)
{
	macaw_csp *n = macaw_csp_new(NULL);
	uint32_t die = macaw_csp_var_range(n, "die", 0, 2), a = macaw_csp_var_range(n, "a", 0, 1),
			 b = macaw_csp_var_range(n, "b", 0, 1), c = macaw_csp_var_range(n, "c", 0, 1);
	macaw_csp_add_sum(n, (uint32_t[]){a, b, c}, (int64_t[]){1, 1, 1}, 3, MACAW_CSP_EQ, 2);
	macaw_scsp *s = macaw_scsp_new(n, 2, NULL);
	uint32_t legal[] = {a, b, c};
	assert_false(macaw_scsp_draw_legal(s, die, legal)); /* they come after it so far */
	assert_int_equal(macaw_scsp_error(s)->status, MACAW_USAGE);
	assert_non_null(strstr(macaw_scsp_error(s)->text, "does not come before it"));
	assert_true(macaw_scsp_order(s, (uint32_t[]){a, b, c, die}, 4));
	assert_true(macaw_scsp_draw_legal(s, die, legal));
	assert_int_equal(macaw_scsp_sequence(s)[3], die);
	/* the first player likes 0, the second one 2 */
	assert_true(macaw_scsp_soft(s, &die, 1, (int32_t[]){0, 2}, 2, (double[]){1, 0, 0, 1}));
	macaw_scsp_result *r = macaw_scsp_solve(s, &(macaw_scsp_options){.aim = MACAW_SCSP_BEST}, NULL);
	size_t last = macaw_scsp_policies(r) - 1;
	assert_float_equal(macaw_scsp_expected(r, last)[0], 0.5, 1e-12);
	assert_float_equal(macaw_scsp_expected(r, last)[1], 0.5, 1e-12);
	macaw_scsp_result_free(r);
	macaw_scsp_free(s);
}

static void refusals(void **state)
{
	uint32_t order, demand;
	macaw_error e;
	macaw_scsp *s = shop(&order, &demand);
	static const macaw_probability wrong[] = {{1, 2, 0}, {1, 2, 0}, {1, 2, 0}};
	assert_false(macaw_scsp_draw(s, demand, wrong));
	assert_string_equal(macaw_scsp_error(s)->text, "demand: the probabilities sum to 1.5, not to 1");
	assert_false(macaw_scsp_draw(s, 99, wrong));
	assert_false(macaw_scsp_draw_given(s, 99, &order, 1, NULL, 0, wrong));
	assert_false(macaw_scsp_order(s, &order, 1));
	assert_false(macaw_scsp_threshold(s, 7, 0.5));
	assert_false(macaw_scsp_threshold(s, 0, 1.5));
	assert_false(macaw_scsp_soft(s, &order, 0, NULL, 0, NULL));
	assert_null(macaw_scsp_solve(s, &(macaw_scsp_options){.method = 9}, &e));
	assert_int_equal(e.status, MACAW_USAGE);
	macaw_scsp_free(s);
	assert_null(macaw_scsp_new(macaw_csp_new(NULL), 0, &e));
	assert_int_equal(e.status, MACAW_USAGE);
	assert_null(macaw_scsp_new(macaw_csp_new(NULL), MACAW_SCSP_PLAYERS + 1, &e));
}

static void preprocessing(void **state)
{
	macaw_csp *n = macaw_csp_new(NULL);
	macaw_error e;
	macaw_removed removed[MACAW_PASSES];
	uint32_t x = macaw_csp_var_range(n, "x", 0, 3), y = macaw_csp_var_range(n, "y", 0, 3), scope[] = {x, y};
	macaw_csp_add_table(n, scope, 2, (int32_t[]){0, 0, 1, 1, 2, 2, 3, 3}, 4, true);
	macaw_csp_add_table(n, scope, 2, (int32_t[]){0, 0, 1, 1, 2, 3}, 3, true);
	macaw_csp_add_table(n, &x, 1, (int32_t[]){1, 2}, 2, true);
	macaw_csp *m = macaw_csp_simplify(n, (1u << MACAW_PASSES) - 1, removed, &e);
	assert_non_null(m);
	assert_int_equal(removed[MACAW_PASS_MERGE].constraints, 1);
	assert_true(removed[MACAW_PASS_UNARY].constraints == 1 && removed[MACAW_PASS_UNARY].values == 2);
	assert_int_equal(macaw_csp_variables(m), 2);
	assert_int_equal(macaw_csp_size(m, x), 1);
	macaw_csp_stats a, b;
	macaw_csp_solve(n, &(macaw_csp_options){.all = true}, &a);
	macaw_csp_solve(m, &(macaw_csp_options){.all = true}, &b);
	assert_true(a.solutions == 1 && b.solutions == 1);
	macaw_csp_free(m);
	macaw_csp_free(n);
	assert_string_equal(macaw_pass_name(MACAW_PASS_SAC), "sac");
	assert_null(macaw_pass_name(MACAW_PASSES));
	assert_non_null(macaw_pass_help(MACAW_PASS_MERGE));
	assert_null(macaw_pass_help(MACAW_PASSES));
	assert_non_null(macaw_scsp_method_help(MACAW_SCSP_SFC));
	assert_null(macaw_scsp_method_help(MACAW_SCSP_BRUTE + 1));
	macaw_scsp_stats s = {.policies = 3, .rows = 5};
	assert_string_equal(macaw_scsp_counter_name(0), "policies");
	assert_int_equal(macaw_scsp_counter(&s, 4), 5);
	assert_null(macaw_scsp_counter_name(5));
	assert_int_equal(macaw_scsp_counter(&s, 5), 0);
}

static void documents(void **state)
{
	char path[1000];
	macaw_error e;
	macaw_scsp *s = coins();
	char *xml = macaw_scsp_write(s);
	assert_int_equal(macaw_xcsp3_type_of(xml, strlen(xml)), MACAW_XCSP3_SCSP);
	macaw_scsp *back = macaw_scsp_parse(xml, strlen(xml), "coins", &e);
	assert_non_null(back);
	macaw_scsp_result *r = macaw_scsp_solve(back, &(macaw_scsp_options){.aim = MACAW_SCSP_BEST}, &e);
	assert_float_equal(macaw_scsp_expected(r, macaw_scsp_policies(r) - 1)[0], 0.375, 1e-12);
	macaw_scsp_result_free(r);
	macaw_scsp_free(back);
	macaw_free(xml);
	macaw_scsp_free(s);
	snprintf(path, sizeof path, "%s/examples/scsp/matching-pennies.xml", getenv("MACAW_SOURCE"));
	s = macaw_scsp_load(path, &e);
	assert_non_null(s);
	assert_int_equal(macaw_scsp_players(s), 2);
	macaw_scsp_free(s);
	static const char bad[] = "<instance format=\"XCSP3\" type=\"SCSP\">\n<variables>\n<var id=\"x\" "
							  "type=\"stochastic\"> 0:1/2 1:1/3 </var>\n"
							  "</variables>\n</instance>\n";
	assert_null(macaw_scsp_parse(bad, strlen(bad), "bad.xml", &e));
	assert_int_equal(e.status, MACAW_INPUT);
	if (strncmp(e.text, "bad.xml:3: error: ", 18))
		fail_msg("%s", e.text);
	assert_null(macaw_scsp_load("/nowhere/at-all.xml", &e));
	assert_int_equal(e.status, MACAW_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_stage),   cmocka_unit_test(thresholds), cmocka_unit_test(two_stages),
		cmocka_unit_test(legal_draws), cmocka_unit_test(refusals),   cmocka_unit_test(preprocessing),
		cmocka_unit_test(documents),
	};
	return RUN(tests);
}
