/* macaw bench: the signature of all searches. When a change is meant to change what a search does, the new signature
 * is printed by `build/macaw bench`, and goes here with the change; when it is not, this test has found something. */
#include "test.h"

#include "run.h"

#include <string.h>

#define SIGNATURE "6fa5669cc549c551"

static void expect_signature(const char *option)
{
	struct run r = run_macaw("bench", "--json", option, NULL);
	if (r.status != 0 || !strstr(text_str(&r.out), "{\"signature\":\"" SIGNATURE "\""))
		fail_msg("status %d, not " SIGNATURE ":\n%s%s", r.status, text_str(&r.out), text_str(&r.err));
	run_free(&r);
}

static void the_signature_is_known(void **state)
{
	expect_signature("--repeat=1");
}

static void plain_loops_do_the_same(void **state)
{
	expect_signature("--portable");
}

/* Each run adds a line, with the commit that was named. */
static void speeds_are_added_to_the_history(void **state)
{
	char path[] = "/tmp/macaw-bench-XXXXXX";
	int file = mkstemp(path);
	struct text history = {0}, error = {0};
	assert_true(file >= 0);
	for (int i = 0; i < 2; i++) {
		struct run r = run_macaw("bench", "--history", path, "--commit", i ? "second" : "first", NULL);
		assert_int_equal(r.status, 0);
		run_free(&r);
	}
	assert_true(text_read_file(&history, path, 1 << 20, &error));
	const char *second = strchr(history.at, '\n') + 1;
	assert_ptr_equal(strstr(history.at, "{\"commit\":\"first\""), history.at);
	assert_ptr_equal(strstr(history.at, "{\"commit\":\"second\""), second);
	assert_non_null(strstr(second, "\"signature\":\"" SIGNATURE "\""));
	assert_non_null(strstr(second, "\"per_second\":"));
	text_free(&history);
	text_free(&error);
	remove(path);
}

static void bad_words_are_refused(void **state)
{
	static const char *const lines[][2] = {{"tictactoe", "only options"},
	                                       {"--history=/nowhere/at/all", "/nowhere/at/all"}};
	for (size_t i = 0; i < 2; i++) {
		struct run r = run_macaw("bench", lines[i][0], NULL);
		assert_int_not_equal(r.status, 0);
		assert_int_equal(r.out.n, 0);
		assert_non_null(strstr(text_str(&r.err), lines[i][1]));
		run_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(the_signature_is_known),
		cmocka_unit_test(plain_loops_do_the_same),
		cmocka_unit_test(speeds_are_added_to_the_history),
		cmocka_unit_test(bad_words_are_refused),
	};
	return RUN(cases);
}
