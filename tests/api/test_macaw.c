/* The public header, used as a stranger would. */
#include "test.h"

#include <macaw.h>

#include <string.h>

static macaw_game *open_game(const char *name)
{
	char path[4096], error[200];
	snprintf(path, sizeof path, "%s/games/%s.kif", getenv("MACAW_SOURCE"), name);
	macaw_game *g = macaw_load(path, error, sizeof error);
	if (!g)
		fail_msg("%s", error);
	return g;
}

static void tictactoe_by_text(void **state)
{
	macaw_game *g = open_game("tictactoe");
	macaw_state *s = macaw_initial(g), *before = macaw_copy(s);
	assert_int_equal(macaw_roles(g), 2);
	assert_string_equal(macaw_role(g, 0), "x");
	assert_int_equal(macaw_legal_count(s, 0), 9);
	assert_string_equal(macaw_legal(s, 1, 0), "noop");
	assert_false(macaw_apply_text(s, (const char *[]){"(mark 1 1)", "(mark 2 2)"}));
	assert_true(macaw_equal(s, before));
	const char *x[] = {"( mark 1   1 )", "(mark 2 1)", "(mark 3 1)"}, *o[] = {"(mark 1 3)", "(mark 2 3)"};
	for (int i = 0; i < 3; i++) {
		assert_true(macaw_apply_text(s, (const char *[]){x[i], "noop"}));
		if (i < 2)
			assert_true(macaw_apply_text(s, (const char *[]){"noop", o[i]}));
	}
	assert_true(macaw_terminal(s));
	assert_int_equal(macaw_goal(s, 0), 100);
	assert_int_equal(macaw_goal(s, 1), 0);
	assert_false(macaw_equal(s, before));
	assert_true(macaw_hash(s) != macaw_hash(before));
	assert_false(macaw_apply_text(s, (const char *[]){"noop", "noop"}));
	assert_non_null(strstr(macaw_state_text(s), "(cell 3 1 x)"));
	macaw_state_free(before);
	macaw_state_free(s);
	macaw_free(g);
}

static void percepts_are_told(void **state)
{
	macaw_game *g = open_game("guess_dice");
	macaw_state *s = macaw_initial(g);
	uint64_t seed = 3;
	assert_true(macaw_hidden(g));
	assert_true(macaw_random_role(g) < macaw_roles(g));
	while (!macaw_terminal(s))
		assert_true(macaw_apply_random(s, &seed));
	assert_string_equal(macaw_percept(s, 0, 1000), "");
	macaw_state_free(s);
	macaw_free(g);
}

static void playouts_repeat(void **state)
{
	macaw_game *g = open_game("tictactoe");
	macaw_state *s = macaw_initial(g);
	double a[2], b[2];
	assert_int_equal(macaw_playouts(g, NULL, 20000, 1, 7, a), 20000);
	assert_int_equal(macaw_playouts(g, s, 20000, 1, 7, b), 20000);
	assert_memory_equal(a, b, sizeof a);
	assert_true(a[0] > 62 && a[0] < 67 && a[0] + a[1] > 99.9 && a[0] + a[1] < 100.1);
	macaw_state_free(s);
	macaw_free(g);
}

static void faults_are_told(void **state)
{
	char error[200] = "";
	static const char bad[] = "(role x)\n(legal x a)\n(<= terminal (true f)))\n(goal x 50)";
	assert_null(macaw_parse(bad, strlen(bad), error, sizeof error));
	assert_non_null(strstr(error, "rules:3:"));
	assert_null(macaw_load("/nonexistent/game.kif", error, sizeof error));
	assert_non_null(strstr(error, "cannot read"));
	assert_null(macaw_parse("", 0, NULL, 0));
	assert_true(strlen(macaw_version()) >= 5);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(tictactoe_by_text),
		cmocka_unit_test(percepts_are_told),
		cmocka_unit_test(playouts_repeat),
		cmocka_unit_test(faults_are_told),
	};
	return RUN(cases);
}
