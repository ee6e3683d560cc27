/* Explanations and defects through the public face. */
#include "test.h"

#include <macaw/explain.h>
#include <macaw/worker.h>

#include <string.h>

static void a_legal_move_has_a_rule(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &e);
	macaw_explanation *x = macaw_explain(g, &(macaw_question){.statement = "(legal x (mark 1 1))"}, &e);
	assert_non_null(x);
	assert_true(macaw_explanation_holds(x));
	assert_int_equal(macaw_explanation_instances(x), 1);
	assert_string_equal(macaw_explanation_statement(x), "(legal x (mark 1 1))");
	assert_int_equal(macaw_explanation_steps(x), 3);
	macaw_step top = macaw_explanation_step(x, 0), first = macaw_explanation_step(x, 1);
	assert_int_equal(top.reason, MACAW_BY_RULE);
	assert_int_equal(top.parent, MACAW_NONE);
	assert_int_equal(top.rule.line, 45);
	assert_int_equal(top.condition.line, 0);
	size_t n;
	const char *source = macaw_rules_source(macaw_game_rules(g), &n);
	assert_memory_equal(source + top.rule.from, "(<= (legal", 10);
	assert_int_equal(first.reason, MACAW_BY_FLUENT);
	assert_int_equal(first.parent, 0);
	assert_int_equal(first.depth, 1);
	assert_int_equal(first.condition.line, 46);
	assert_null(macaw_explanation_step(x, 3).statement);
	char *text = macaw_explanation_text(x, NULL, 0);
	assert_non_null(strstr(text, "by line 45"));
	macaw_free(text);
	macaw_explanation_free(x);
	macaw_explanation_free(NULL);
	macaw_game_free(g);
}

static void what_fails_names_a_condition(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &e);
	macaw_explanation *x = macaw_explain(g, &(macaw_question){.statement = "(legal o (mark 1 1))", .rules = 1}, &e);
	assert_false(macaw_explanation_holds(x));
	macaw_step rule = macaw_explanation_step(x, 1), condition = macaw_explanation_step(x, 2);
	assert_int_equal(rule.reason, MACAW_RULE_FAILS);
	assert_int_equal(rule.met, 0);
	assert_int_equal(rule.conditions, 2);
	assert_int_equal(condition.reason, MACAW_FAILS);
	assert_string_equal(condition.statement, "(true (control o))");
	assert_string_equal(condition.note, "what holds now: (control x)");
	macaw_explanation_free(x);
	macaw_game_free(g);
}

static void bad_questions_are_refused(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &e);
	uint32_t moves[2] = {0, 0};
	static const char *const bad[] = {NULL, "", "(", "?x", "(legal nobody ?m)", "(or terminal terminal)"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_null(macaw_explain(g, &(macaw_question){.statement = bad[i]}, &e));
		assert_int_equal(e.status, MACAW_INPUT);
		assert_true(*e.text);
	}
	assert_null(macaw_explain(g, &(macaw_question){.statement = "terminal", .moves = moves}, &e)); /* both of x */
	assert_int_equal(e.status, MACAW_USAGE);
	macaw_game_free(g);
}

static void defects_are_found_and_explained(void **state)
{
	static const char rules[] = "(role a) (init (n 0)) (succ 0 1) (succ 1 2) (<= (legal a go) (true (n 0)))"
								"(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 2))) (goal a 50)";
	macaw_error e;
	for (int engine = MACAW_ENGINE_CIRCUIT; engine <= MACAW_ENGINE_INTERPRETER; engine++) {
		macaw_game *g =
			macaw_game_parse(rules, sizeof rules - 1, &(macaw_game_options){.engine = (enum macaw_engine)engine}, &e);
		macaw_defects *d = macaw_defects_find(g, &(macaw_defect_options){.playouts = 30}, &e);
		assert_non_null(d);
		assert_int_equal(macaw_defects_playouts(d), 30);
		assert_int_equal(macaw_defects_count(d), 1);
		macaw_defect one = macaw_defects_at(d, 0);
		assert_int_equal(one.kind, MACAW_DEFECT_STUCK);
		assert_int_equal(one.role, 0);
		assert_int_equal(one.playouts, 30);
		assert_int_equal(one.steps, 1);
		assert_true(one.shortest);
		assert_string_equal(macaw_game_move(g, one.moves[0]), "go");
		char *position = macaw_position_text(g, one.position);
		assert_string_equal(position, "(n 1)");
		macaw_free(position);
		assert_string_equal(one.statement, "(legal a ?move)");
		assert_false(macaw_explanation_holds(one.explanation));
		assert_null(one.second);
		char *text = macaw_explanation_text(one.explanation, "x.kif", 60);
		assert_non_null(strstr(text, "(n 1)"));
		macaw_free(text);
		assert_null(macaw_defects_at(d, 1).statement);
		macaw_defects_free(d);
		macaw_game_free(g);
	}
	macaw_defects_free(NULL);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_legal_move_has_a_rule),
		cmocka_unit_test(what_fails_names_a_condition),
		cmocka_unit_test(bad_questions_are_refused),
		cmocka_unit_test(defects_are_found_and_explained),
	};
	return RUN(cases);
}
