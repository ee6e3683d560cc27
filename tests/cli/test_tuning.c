/* Numbers that steer searches: listed with defaults and bounds, refused outside of them, and they change what is
 * searched. */
#include "test.h"

#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status || !strstr(text_str(&r.out), out) || !strstr(text_str(&r.err), err))
		fail_msg("status %d:\n%s%s", r.status, text_str(&r.out), text_str(&r.err));
	run_free(&r);
}

static void players_list_theirs(void **state)
{
	expect(run_macaw("players", "macaw", NULL), 0, "(default 0.3; 0.01 to 1)", "");
	expect(run_macaw("players", "macaw", "--json", NULL), 0,
	       "\"tail\":{\"default\":\"0.15\",\"tuning\":true,\"min\":0.0,\"max\":1.0,", "");
	expect(run_macaw("players", "macow", NULL), 2, "", "did you mean 'macaw'?");
	expect(run_macaw("players", "macaw:c=2", NULL), 2, "", "the options of 'macaw': macaw players macaw\n");
	struct run r = run_macaw("players", NULL);
	assert_int_equal(r.status, 0);
	assert_null(strstr(text_str(&r.out), "Tuning of")); /* only where one player is asked about */
	run_free(&r);
}

static void the_solver_lists_its_own(void **state)
{
	expect(run_macaw("solve", "--tunings", NULL), 0, "lns-grow=X", "");
	expect(run_macaw("solve", "--tunings", "--json", NULL), 0,
	       "\"lns-first\":{\"default\":0.1,\"min\":1e-06,\"max\":1.0,\"whole\":false,", "");
}

static void match(const char *player, int status, const char *error)
{
	expect(run_macaw("match", "tictactoe", "--players", player, "--playouts", "50", "--seed", "1", NULL), status, "",
	       error);
}

static void what_is_wrong_is_said(void **state)
{
	match("macaw:tali=0.1,random", 2, "did you mean tail?");
	match("macaw:tail=1.5,random", 2, "tail must be between 0 and 1, not 1.5");
	match("macaw:fill=2.5,random", 2, "fill needs a whole number, not '2.5'");
	match("macaw:tail=0.5:fill=2,random", 0, "");
	expect(run_macaw("solve", "none.xml", "--tune", "lns-grwo=2", NULL), 2, "", "did you mean lns-grow?");
	expect(run_macaw("solve", "none.xml", "--tune", "turn=30:lns-grow=0.5", NULL), 2, "",
	       "lns-grow must be between 1 and 100, not 0.5");
	expect(run_macaw("solve", "none.xml", "--tune", "lns-grow", NULL), 2, "", "lns-grow needs a value");
	expect(run_macaw("solve", "tictactoe", "--tune", "turn=40", NULL), 2, "", "--tune does not apply");
}

/* The same search with another number does other work, and with the default the same. */
static void numbers_reach_the_search(void **state)
{
	static const char *const words[] = {"restart-growth=1.5", "restart-growth=4", "weight-decay=0.9"};
	char file[4096];
	snprintf(file, sizeof file, "%s/examples/csp/golomb.xml", getenv("MACAW_SOURCE"));
	struct text counts[4] = {{0}, {0}, {0}, {0}};
	for (int i = 0; i < 4; i++) {
		struct run r = run_macaw("solve", file, "--algorithm=mac", "--restarts=geometric", "--restart-unit=2",
		                         i ? "--tune" : "--seed=1", i ? words[i - 1] : NULL, NULL);
		const char *from = strstr(text_str(&r.out), "c nodes"), *end = from ? strstr(from, "c seconds") : NULL;
		assert_int_equal(r.status, 0);
		assert_non_null(end);
		text_add(&counts[i], from, (size_t)(end - from));
		run_free(&r);
	}
	assert_string_equal(text_str(&counts[0]), text_str(&counts[1]));
	assert_string_not_equal(text_str(&counts[0]), text_str(&counts[2]));
	assert_string_not_equal(text_str(&counts[0]), text_str(&counts[3]));
	for (int i = 0; i < 4; i++)
		text_free(&counts[i]);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(players_list_theirs),
		cmocka_unit_test(the_solver_lists_its_own),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(numbers_reach_the_search),
	};
	return RUN(cases);
}
