/* Replaying recorded matches: traces that agree, and traces that must not pass. */
#include "test.h"

#include "cli/small_game.h"
#include "show/trace.h"

#include <string.h>

static void expect(const char *lines, enum trace_verdict verdict, size_t line, const char *part)
{
	struct text error = {0};
	struct played p = played_make(SMALL_GAME, strlen(SMALL_GAME), ENGINE_AUTO, &error);
	assert_non_null(p.game);
	struct trace t = {0};
	enum trace_verdict v = trace_replay(&t, p.game, lines, strlen(lines));
	if (v != verdict || t.line != line || !strstr(text_str(&t.message), part))
		fail_msg("verdict %d at line %zu: %s\nof:\n%s", v, t.line, text_str(&t.message), lines);
	trace_free(&t);
	played_free(&p);
	text_free(&error);
}

static void a_true_record_agrees(void **state)
{
	expect(STEP_0 STEP_1 STEP_2, TRACE_AGREES, 3, "");
	expect(STEP_0 STEP_1, TRACE_AGREES, 2, ""); /* cut before the end */
	expect(STEP_0 "\n  \n" STEP_1, TRACE_AGREES, 4, "");
}

/* The first line with one piece of text put for another. */
static void changed(const char *from, const char *to, enum trace_verdict verdict, const char *part)
{
	static const char line[] = STEP_0;
	const char *at = strstr(line, from);
	struct text t = {0};
	assert_non_null(at);
	text_add(&t, line, (size_t)(at - line));
	text_puts(&t, to);
	text_puts(&t, at + strlen(from));
	expect(text_str(&t), verdict, 1, part);
	text_free(&t);
}

static void differences_are_named(void **state)
{
	changed("(pile 3)", "(pile 2)", TRACE_DIFFERS,
	        "match 0, step 0: the state differs from the trace\n    missing: (pile 2)\n    surplus: (pile 3)");
	changed("\"(take 1)\",", "", TRACE_DIFFERS, "the legal moves of left differ from the trace\n    surplus: (take 1)");
	changed("[\"noop\"]", "[\"noop\",\"pass\"]", TRACE_DIFFERS,
	        "the legal moves of right differ from the trace\n    missing: pass");
	changed("false", "true", TRACE_DIFFERS, "the state is not terminal, but terminal in the trace");
	changed("\"left\":\"(take 2)\"", "\"left\":\"(take 3)\"", TRACE_DIFFERS, "the move (take 3) of left is not legal");
	changed("\"goals\":null", "\"goals\":{\"left\":50}", TRACE_DIFFERS,
	        "the goal of left differs from the trace\n    missing: 50");
	expect(STEP_0 STEP_1 "{\"match\":0,\"step\":2,\"state\":[\"(control left)\",\"(pile 0)\"],\"terminal\":true,"
	                     "\"goals\":{\"left\":100,\"right\":100}}",
	       TRACE_DIFFERS, 3, "the goal of left differs from the trace\n    missing: 100\n    surplus: 0");
	changed("\"goals\":null", "\"sees\":{\"left\":[\"light\"],\"right\":[]}", TRACE_DIFFERS,
	        "the percepts of left differ from the trace\n    missing: light");
}

static void what_is_no_trace_is_refused(void **state)
{
	expect("", TRACE_MALFORMED, 0, "no step");
	expect("\n\n", TRACE_MALFORMED, 2, "no step");
	expect(STEP_0 "{\"match\":0,", TRACE_MALFORMED, 2, "this is no JSON");
	expect("[1]\n", TRACE_MALFORMED, 1, "a JSON object");
	expect("7\n", TRACE_MALFORMED, 1, "a JSON object");
	expect("\xff\xfe\n", TRACE_MALFORMED, 1, "this is no JSON");
	expect(STEP_1, TRACE_MALFORMED, 1, "must begin with step 0");
	expect(STEP_0 STEP_2, TRACE_MALFORMED, 2, "step 2 of match 0 follows step 0");
	expect(STEP_0 STEP_0, TRACE_MALFORMED, 2, "step 0 of match 0 follows step 0");
	changed("\"match\":0,", "", TRACE_MALFORMED, "whole numbers");
	changed("\"match\":0,", "\"match\":0,\"match\":0,", TRACE_MALFORMED, "duplicate");
	changed("\"step\":0", "\"step\":\"0\"", TRACE_MALFORMED, "whole numbers");
	changed("\"(pile 3)\"", "3", TRACE_MALFORMED, "\"state\" must be a list of texts");
	changed("[\"noop\"]", "\"noop\"", TRACE_MALFORMED, "\"legal\" must be a list of texts");
	changed("\"legal\":{\"left\"", "\"legal\":{\"lleft\"", TRACE_MALFORMED, "a role `lleft` that the game has not");
	changed(",\"right\":[\"noop\"]", "", TRACE_MALFORMED, "\"legal\" names 1 of 2 roles");
	changed("false", "0", TRACE_MALFORMED, "\"terminal\" must be true or false");
	changed(",\"right\":\"noop\"", "", TRACE_MALFORMED, "\"move\" lacks a role");
	changed("\"right\":\"noop\"", "\"right\":[]", TRACE_MALFORMED, "the move of right must be a text");
	changed("\"goals\":null", "\"goals\":{\"left\":\"1\"}", TRACE_MALFORMED, "a whole number or null");
	expect("{\"match\":0,\"step\":0,\"state\":[\"(control left)\",\"(pile 3)\"],\"terminal\":false}\n" STEP_1,
	       TRACE_MALFORMED, 2, "which has no move");
}

static void counts_matches_and_steps(void **state)
{
	struct text error = {0};
	struct played p = played_make(SMALL_GAME, strlen(SMALL_GAME), ENGINE_AUTO, &error);
	struct trace t = {0};
	assert_int_equal(trace_replay(&t, p.game, STEP_0 STEP_1 STEP_2, strlen(STEP_0 STEP_1 STEP_2)), TRACE_AGREES);
	assert_int_equal(trace_replay(&t, p.game, STEP_0, strlen(STEP_0)), TRACE_AGREES);
	assert_int_equal(t.matches, 2);
	assert_int_equal(t.steps, 4);
	trace_free(&t);
	played_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_true_record_agrees),
		cmocka_unit_test(differences_are_named),
		cmocka_unit_test(what_is_no_trace_is_refused),
		cmocka_unit_test(counts_matches_and_steps),
	};
	return RUN(cases);
}
