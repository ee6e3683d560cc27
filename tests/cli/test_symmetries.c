/* macaw symmetries, and perft with them. */
#include "test.h"

#include "run.h"

#include <string.h>

static void has(const struct text *t, const char *part)
{
	if (!strstr(text_str(t), part))
		fail_msg("'%s' is missing in:\n%s", part, text_str(t));
}

static void tictactoe_is_shown(void **state)
{
	(void)state;
	struct run r = run_macaw("symmetries", "tictactoe", NULL);
	assert_int_equal(r.status, 0);
	has(&r.out, "16 symmetries");
	has(&r.out, "\n    (mark 1 1) (mark 1 3) (mark 3 1) (mark 3 3)\n");
	has(&r.out, "    3  a b a\n    2  b c b\n    1  a b a\n");
	run_free(&r);
}

static void a_state_has_fewer(void **state)
{
	(void)state;
	struct run r = run_macaw("symmetries", "tictactoe", "--json", "--after", "(mark 1 1),noop", NULL);
	assert_int_equal(r.status, 0);
	has(&r.out, "\"order\":\"16\"");
	has(&r.out, "\"state_order\":\"2\"");
	has(&r.out, "[\"(mark 1 2)\",\"(mark 2 1)\"]");
	has(&r.out, "\"refuted\":0");
	run_free(&r);
	r = run_macaw("symmetries", "tictactoe", "--after", "(mark 9 9),noop", NULL);
	assert_int_equal(r.status, 1);
	has(&r.err, "no legal move");
	run_free(&r);
}

/* Two free cells of which no line can be completed any more: the state has no symmetry, what can follow has one. */
static void a_round_may_have_more(void **state)
{
	(void)state;
	const char *drawn = "(mark 1 1),noop;noop,(mark 2 2);(mark 1 2),noop;noop,(mark 1 3);(mark 3 1),noop;"
						"noop,(mark 2 1);(mark 2 3),noop";
	struct run r = run_macaw("symmetries", "tictactoe", "--round", "--json", "--after", drawn, NULL);
	assert_int_equal(r.status, 0);
	has(&r.out, "\"state_order\":\"1\"");
	has(&r.out, "\"round\":{\"skipped\":null,\"order\":\"2\"");
	has(&r.out, "[\"(mark 3 2)\",\"(mark 3 3)\"]");
	run_free(&r);
	r = run_macaw("symmetries", "tictactoe", "--json", "--after", drawn, NULL);
	has(&r.out, "[\"(mark 3 2)\"],[\"(mark 3 3)\"]");
	assert_null(strstr(text_str(&r.out), "\"round\""));
	run_free(&r);
	r = run_macaw("symmetries", "tictactoe", "--round", NULL);
	has(&r.out, "from here on 8 (");
	has(&r.out, "open         29 of 29 fluents, 20 of 20 moves");
	run_free(&r);
	r = run_macaw("symmetries", "chess", "--round", "--time", "0.001", NULL);
	assert_int_equal(r.status, 0);
	has(&r.out, "from here on not looked at: ");
	run_free(&r);
}

/* Goals that are counted square by square, chains from one edge: found, and told apart. */
static void what_is_only_tested_is_told(void **state)
{
	(void)state;
	struct run r = run_macaw("symmetries", "hex", NULL);
	assert_int_equal(r.status, 0);
	has(&r.out, "4 symmetries");
	has(&r.out, "known from these only");
	run_free(&r);
	r = run_macaw("symmetries", "hanoi_5", "--json", NULL); /* pegs are not alike: the goal names one */
	has(&r.out, "\"tested\":0");
	run_free(&r);
}

static unsigned long long states_in(const struct run *r)
{
	unsigned long long sum = 0, n;
	for (const char *s = text_str(&r->out); (s = strstr(s, "\"states\":")); s += 9)
		if (sscanf(s, "\"states\":%llu", &n) == 1)
			sum += n;
	return sum;
}

/* 5478 states of tic-tac-toe can be reached, 765 up to rotations and reflections. */
static void perft_counts_classes(void **state)
{
	(void)state;
	struct run a = run_macaw("perft", "tictactoe", "9", "--json", NULL);
	struct run b = run_macaw("perft", "tictactoe", "9", "--json", "--symmetry", NULL);
	assert_int_equal(states_in(&a), 5478);
	assert_int_equal(states_in(&b), 765);
	has(&b.out, "\"sequences\":127872"); /* ways are counted as before */
	run_free(&a);
	run_free(&b);
}

static long number_in(const struct run *r, const char *key)
{
	const char *at = strstr(text_str(&r->out), key);
	if (!at)
		fail_msg("'%s' is missing in:\n%s", key, text_str(&r->out));
	return strtol(at + strlen(key), NULL, 10);
}

/* Twelve of the 92 ways to place eight queens are left, by a smaller tree. */
static void networks_have_symmetries(void **state)
{
	(void)state;
	char file[512];
	const char *root = getenv("MACAW_SOURCE");
	snprintf(file, sizeof file, "%s/examples/csp/queens8.xml", root ? root : ".");
	struct run a = run_macaw("solve", "--count", "--json", file, NULL);
	struct run b = run_macaw("solve", "--count", "--json", "--symmetry", "--check", file, NULL);
	assert_true(a.status == 0 && b.status == 0);
	assert_int_equal(number_in(&a, "\"solutions\":"), 92);
	assert_int_equal(number_in(&b, "\"solutions\":"), 12);
	assert_true(number_in(&b, "\"nodes\":") < number_in(&a, "\"nodes\":"));
	has(&b.out, "\"symmetry\":{\"skipped\":null,\"order\":\"8\",\"generators\":2,");
	has(&b.out, "\"broken\":\"lex\",\"elements\":7,\"all\":true");
	run_free(&a);
	run_free(&b);
	a = run_macaw("solve", "--symmetry", file, NULL);
	has(&a.out, "\nc symmetries 8 (2 generators");
	assert_null(strstr(text_str(&a.out), "_literal_")); /* what was added is not shown */
	run_free(&a);
	a = run_macaw("solve", "--symmetry", "-a", "bt", file, NULL);
	assert_int_equal(a.status, 1);
	has(&a.err, "mac, mac-cbj and learn only");
	run_free(&a);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(tictactoe_is_shown),    cmocka_unit_test(a_state_has_fewer),
		cmocka_unit_test(a_round_may_have_more), cmocka_unit_test(what_is_only_tested_is_told),
		cmocka_unit_test(perft_counts_classes),  cmocka_unit_test(networks_have_symmetries),
	};
	return RUN(cases);
}
