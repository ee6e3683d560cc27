/* Recorded matches, compared by users of the library. */
#include "games.h"

#include "macaw/trace.h"

static const char rules[] =
	"(role left) (role right) (init (pile 2)) (init (control left))\n"
	"(less 2 1) (less 1 0) (other left right) (other right left)\n"
	"(<= (legal ?r take) (true (control ?r))) (<= (legal ?r noop) (role ?r) (not (true (control ?r))))\n"
	"(<= (next (pile ?m)) (true (pile ?n)) (less ?n ?m))\n"
	"(<= (next (control ?s)) (true (control ?r)) (other ?r ?s))\n"
	"(<= terminal (true (pile 0)))\n"
	"(<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (role ?r) (not (true (control ?r))))\n";

#define FIRST \
	"{\"match\":0,\"step\":0,\"state\":[\"(pile 2)\",\"(Control " \
	"left)\"],\"legal\":{\"left\":[\"take\"],\"right\":[\"noop\"]}," \
	"\"terminal\":false,\"goals\":null,\"move\":{\"left\":\"take\",\"right\":\"noop\"}}\n"
#define SECOND \
	"{\"match\":0,\"step\":1,\"state\":[\"(control right)\",\"(pile 1)\"],\"terminal\":false,\"move\":null}\n"

static void compare(const char *text, enum macaw_verdict verdict, size_t line, const char *part)
{
	macaw_error error;
	macaw_game *g = macaw_game_parse(rules, strlen(rules), NULL, &error);
	if (!g)
		fail_msg("%s", error.text);
	macaw_trace *t = macaw_trace_new(g, &error);
	assert_non_null(t);
	assert_int_equal(macaw_trace_compare(t, text, strlen(text)), verdict);
	assert_non_null(strstr(macaw_trace_message(t), part));
	assert_int_equal(macaw_trace_line(t), line);
	macaw_trace_free(t);
	macaw_game_free(g);
}

static void verdicts(void **state)
{
	compare(FIRST SECOND, MACAW_AGREES, 2, "");
	compare(FIRST "{\"match\":0,\"step\":1,\"state\":[\"(control right)\",\"(pile 2)\"],\"terminal\":false}",
	        MACAW_DIFFERS, 2, "missing: (pile 2)");
	compare("no trace", MACAW_MALFORMED, 1, "no JSON");
	compare("", MACAW_MALFORMED, 0, "no step");
	macaw_trace_free(NULL);
}

static void counts_go_on(void **state)
{
	macaw_game *g =
		macaw_game_parse(rules, strlen(rules), &(macaw_game_options){.engine = MACAW_ENGINE_INTERPRETER}, NULL);
	macaw_trace *t = macaw_trace_new(g, NULL);
	for (size_t i = 1; i <= 3; i++) {
		assert_int_equal(macaw_trace_compare(t, FIRST SECOND, strlen(FIRST SECOND)), MACAW_AGREES);
		assert_int_equal(macaw_trace_matches(t), i);
		assert_int_equal(macaw_trace_steps(t), 2 * i);
	}
	macaw_trace_free(t);
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(verdicts), cmocka_unit_test(counts_go_on)};
	return RUN(cases);
}
