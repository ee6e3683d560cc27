/* Quantified problems through the public face: tic-tac-toe, connect four on small boards, tokens; strategies walked,
 * verified and printed; plain quantification; XCSP3. */
#include "test.h"

#include <macaw/qcsp.h>

#include <string.h>

static enum macaw_csp_status answer(macaw_qcsp *q, enum macaw_qcsp_method method)
{
	macaw_error e;
	macaw_qcsp_result *r = macaw_qcsp_solve(q, &(macaw_qcsp_options){.method = method}, &e);
	assert_non_null(r);
	enum macaw_csp_status s = macaw_qcsp_status(r);
	assert_int_equal(macaw_qcsp_has_strategy(r), s == MACAW_CSP_SAT && method != MACAW_QCSP_BRUTE);
	if (macaw_qcsp_has_strategy(r)) {
		bool sampled;
		uint64_t positions;
		assert_true(macaw_qcsp_verify(r, 1000, &positions, &sampled, &e));
		assert_true(positions > 0);
		assert_true(macaw_qcsp_verify(r, 1000, NULL, NULL, NULL));
	} else {
		assert_false(macaw_qcsp_verify(r, 1000, NULL, NULL, &e));
		assert_string_equal(e.text, "there is no strategy");
		assert_null(macaw_qcsp_print(r, 3));
	}
	macaw_qcsp_result_free(r);
	return s;
}

static void tictactoe_is_no_win(void **state)
{
	for (uint32_t model = 1; model <= 2; model++) {
		macaw_qcsp *q = macaw_qcsp_tictactoe(model, false, NULL);
		assert_non_null(q);
		assert_true(macaw_qcsp_strategic(q));
		assert_int_equal(answer(q, MACAW_QCSP_AUTO), MACAW_CSP_UNSAT);
		macaw_qcsp_free(q);
	}
	macaw_error e;
	assert_null(macaw_qcsp_tictactoe(3, false, &e));
	assert_int_equal(e.status, MACAW_USAGE);
}

/* Every arc of a strategy leads to a node, to QCSP_ANY or to the end; universal nodes answer several values. */
static void walk(const macaw_qcsp_result *r, macaw_qcsp *q, uint32_t node, uint32_t depth, uint32_t *branching)
{
	if (node == MACAW_QCSP_ANY || node == MACAW_QCSP_DONE)
		return;
	assert_true(node < macaw_qcsp_nodes(r) && depth < macaw_qcsp_length(q));
	uint32_t arcs = macaw_qcsp_arcs(r, node), x = macaw_qcsp_variable(q, depth);
	if (!macaw_qcsp_forall(q, depth))
		assert_int_equal(arcs, 1);
	*branching += arcs > 1;
	for (uint32_t i = 0; i < arcs; i++) {
		macaw_qcsp_arc a = macaw_qcsp_arc_of(r, node, i);
		assert_true(a.at < macaw_csp_count(macaw_qcsp_network(q), x));
		walk(r, q, a.child, depth + 1, branching);
	}
}

static void a_strategy_to_walk(void **state)
{
	macaw_error e;
	macaw_qcsp *q = macaw_qcsp_connect(4, 3, false, &e);
	uint32_t branching = 0;
	macaw_qcsp_result *r = macaw_qcsp_solve(q, NULL, &e);
	assert_int_equal(macaw_qcsp_status(r), MACAW_CSP_SAT);
	assert_string_equal(macaw_qcsp_statistics(r).method, "positional");
	walk(r, q, macaw_qcsp_root(r), 0, &branching);
	assert_true(branching > 0);
	char *text = macaw_qcsp_print(r, 2);
	assert_int_equal(strncmp(text, "strategy: p[0]=", 15), 0);
	macaw_free(text);
	macaw_qcsp_result_free(r);
	r = macaw_qcsp_solve(q, &(macaw_qcsp_options){.no_strategy = true}, &e);
	assert_true(macaw_qcsp_status(r) == MACAW_CSP_SAT && !macaw_qcsp_has_strategy(r));
	macaw_qcsp_result_free(r);
	macaw_qcsp_result_free(NULL);
	macaw_qcsp_free(q);
	macaw_qcsp_free(NULL);
	assert_int_equal(answer(q = macaw_qcsp_connect(3, 3, false, &e), MACAW_QCSP_GENERAL), MACAW_CSP_UNSAT);
	macaw_qcsp_free(q);
	assert_null(macaw_qcsp_connect(1, 9, false, &e));
}

static void methods_agree(void **state)
{
	for (uint32_t k = 1; k <= 5; k++) {
		macaw_qcsp *q = macaw_qcsp_tokens(k, NULL);
		if (!q)
			continue;
		enum macaw_csp_status by_definition = answer(q, MACAW_QCSP_BRUTE);
		assert_int_equal(answer(q, MACAW_QCSP_GENERAL), by_definition);
		assert_int_equal(answer(q, MACAW_QCSP_AUTO), by_definition);
		macaw_qcsp_result *r = macaw_qcsp_solve(q, &(macaw_qcsp_options){.method = MACAW_QCSP_POSITIONAL}, NULL);
		if (macaw_qcsp_statistics(r).refused)
			assert_int_equal(macaw_qcsp_status(r), MACAW_CSP_UNKNOWN);
		macaw_qcsp_result_free(r);
		macaw_qcsp_free(q);
	}
}

/* There is an x such that for all y: x + y <= 3, by hand. */
static void plain_quantifiers(void **state)
{
	for (int bound = 2; bound <= 3; bound++) {
		macaw_csp *n = macaw_csp_new(NULL);
		uint32_t x = macaw_csp_var_range(n, "x", 0, 3), y = macaw_csp_var_range(n, "y", 0, 3);
		macaw_csp_add_sum(n, (uint32_t[]){x, y}, (int64_t[]){1, 1}, 2, MACAW_CSP_LE, bound);
		macaw_qcsp *q = macaw_qcsp_new(n, false, NULL);
		assert_true(macaw_qcsp_network(q) == n && !macaw_qcsp_strategic(q));
		assert_true(macaw_qcsp_quantify(q, x, false) && macaw_qcsp_quantify(q, y, true));
		assert_false(macaw_qcsp_quantify(q, x, true));
		assert_false(macaw_qcsp_quantify(q, 99, true));
		assert_int_equal(macaw_qcsp_length(q), 2);
		assert_true(macaw_qcsp_variable(q, 1) == y && macaw_qcsp_forall(q, 1) && !macaw_qcsp_forall(q, 0));
		assert_int_equal(macaw_qcsp_variable(q, 2), MACAW_NONE);
		for (int m = 0; macaw_qcsp_method_name(m); m++)
			if (m != MACAW_QCSP_POSITIONAL)
				assert_int_equal(answer(q, m), bound == 3 ? MACAW_CSP_SAT : MACAW_CSP_UNSAT);
		char *xml = macaw_qcsp_write(q);
		assert_int_equal(macaw_xcsp3_type_of(xml, strlen(xml)), MACAW_XCSP3_QCSP);
		macaw_qcsp *back = macaw_qcsp_parse(xml, strlen(xml), NULL, NULL);
		assert_non_null(back);
		assert_int_equal(answer(back, MACAW_QCSP_GENERAL), bound == 3 ? MACAW_CSP_SAT : MACAW_CSP_UNSAT);
		macaw_free(xml);
		macaw_qcsp_free(back);
		macaw_qcsp_free(q);
	}
}

static void bounds_and_names(void **state)
{
	macaw_error e;
	macaw_qcsp *q = macaw_qcsp_connect(5, 4, false, &e);
	macaw_qcsp_result *r = macaw_qcsp_solve(q, &(macaw_qcsp_options){.max_nodes = 10}, &e);
	assert_int_equal(macaw_qcsp_status(r), MACAW_CSP_UNKNOWN);
	macaw_qcsp_stats s = macaw_qcsp_statistics(r);
	assert_string_equal(macaw_qcsp_counter_name(0), "nodes");
	assert_int_equal(macaw_qcsp_counter(&s, 0), s.nodes);
	assert_null(macaw_qcsp_counter_name(7));
	assert_int_equal(macaw_qcsp_counter(&s, 6), 0);
	macaw_qcsp_result_free(r);
	assert_null(macaw_qcsp_solve(q, &(macaw_qcsp_options){.method = 44}, &e));
	assert_int_equal(e.status, MACAW_USAGE);
	macaw_qcsp_free(q);
	assert_string_equal(macaw_qcsp_method_name(MACAW_QCSP_POSITIONAL), "positional");
	assert_non_null(macaw_qcsp_method_help(MACAW_QCSP_POSITIONAL));
	assert_null(macaw_qcsp_method_name(MACAW_QCSP_BRUTE + 1));
	assert_null(macaw_qcsp_method_help(MACAW_QCSP_BRUTE + 1));
}

static void bad_documents(void **state)
{
	static const char bad[] =
		"<instance format=\"XCSP3\" type=\"QCSP\" semantics=\"plain\">\n<variables>\n<var id=\"x\"> 0..3 </var>\n"
		"</variables>\n<quantification>\n<some> x </some>\n</quantification>\n</instance>\n";
	macaw_error e;
	assert_null(macaw_qcsp_parse(bad, strlen(bad), "bad.xml", &e));
	assert_int_equal(e.status, MACAW_INPUT);
	assert_string_equal(e.text, "bad.xml:6: error: unknown quantifier <some>; there are <exists> and <forall>");
	assert_null(macaw_qcsp_load("/nowhere/at-all.xml", &e));
	assert_int_equal(e.status, MACAW_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tictactoe_is_no_win), cmocka_unit_test(a_strategy_to_walk), cmocka_unit_test(methods_agree),
		cmocka_unit_test(plain_quantifiers),   cmocka_unit_test(bounds_and_names),   cmocka_unit_test(bad_documents),
	};
	return RUN(tests);
}
