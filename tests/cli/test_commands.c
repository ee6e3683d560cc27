/* What holds for the program as a whole and for every command alike. */
#include "test.h"

#include "run.h"

#include <string.h>

static void has(const struct text *t, const char *part)
{
	if (!strstr(text_str(t), part))
		fail_msg("'%s' is missing in:\n%s", part, text_str(t));
}

static void alone_it_introduces_itself(void **state)
{
	const char *const ways[] = {NULL, "help", "--help", "-h"};
	for (size_t i = 0; i < 4; i++) {
		struct run r = run_macaw(ways[i], NULL);
		assert_int_equal(r.status, 0);
		has(&r.out, "Usage: macaw COMMAND");
		has(&r.out, "\n  help ");
		assert_int_equal(r.err.n, 0);
		run_free(&r);
	}
}

static void tells_its_version(void **state)
{
	const char *const ways[] = {"version", "--version", "-V"};
	for (size_t i = 0; i < 3; i++) {
		struct run r = run_macaw(ways[i], NULL);
		int major, minor, patch;
		assert_int_equal(r.status, 0);
		assert_int_equal(sscanf(text_str(&r.out), "macaw %d.%d.%d\n", &major, &minor, &patch), 3);
		run_free(&r);
	}
}

/* Calls `f` for every command that the overview lists; returns how many. */
static int each_command(void (*f)(const char *name))
{
	struct run r = run_macaw("help", NULL);
	char name[40];
	int n = 0, length;
	const char *line = strstr(text_str(&r.out), "\nCommands:\n");
	assert_non_null(line);
	for (line += 11; sscanf(line, "  %39s%n", name, &length) == 1 && line[0] == ' '; n++) {
		f(name);
		line += strcspn(line, "\n") + 1;
	}
	run_free(&r);
	return n;
}

static void explains_itself(const char *name)
{
	struct text usage = {0};
	text_printf(&usage, "Usage: macaw %s", name);
	struct run a = run_macaw("help", name, NULL), b = run_macaw(name, "--help", NULL),
			   c = run_macaw(name, "some", "words", "--help", NULL);
	assert_int_equal(a.status, 0);
	assert_int_equal(b.status, 0);
	assert_int_equal(c.status, 0);
	assert_int_equal(strncmp(text_str(&a.out), usage.at, usage.n), 0);
	assert_string_equal(text_str(&a.out), text_str(&b.out));
	assert_string_equal(text_str(&a.out), text_str(&c.out));
	has(&a.out, "--help");
	text_free(&usage);
	run_free(&a);
	run_free(&b);
	run_free(&c);
}

static void every_command_has_help(void **state)
{
	assert_true(each_command(explains_itself) >= 2);
}

static void refuses_an_unknown_option(const char *name)
{
	struct run r = run_macaw(name, "--no-such-option", NULL);
	assert_int_equal(r.status, 2);
	assert_int_equal(r.out.n, 0);
	has(&r.err, "unknown option --no-such-option");
	has(&r.err, name);
	run_free(&r);
}

static void every_command_refuses_unknown_options(void **state)
{
	assert_true(each_command(refuses_an_unknown_option) >= 2);
}

static void is_in_the_manual(const char *name)
{
	struct run r = run_macaw("help", "--man", NULL);
	struct text section = {0};
	text_printf(&section, ".SS \"macaw %s", name);
	assert_int_equal(r.status, 0);
	has(&r.out, section.at);
	text_free(&section);
	run_free(&r);
}

static void every_command_is_in_the_manual(void **state)
{
	assert_true(each_command(is_in_the_manual) >= 2);
}

static void other_words_for_commands_are_known(void **state)
{
	struct run r = run_macaw("list", NULL);
	assert_int_equal(r.status, 2);
	has(&r.err, "did you mean 'games'?");
	run_free(&r);
}

static void topics_are_explained(void **state)
{
	struct run a = run_macaw("help", "topics", NULL), b = run_macaw("help", "positions", NULL);
	assert_int_equal(a.status, 0);
	has(&a.out, "positions");
	has(&b.out, "--record FILE --step N");
	run_free(&a);
	run_free(&b);
}

static void a_misspelt_command_is_corrected(void **state)
{
	struct run r = run_macaw("verison", NULL);
	assert_int_equal(r.status, 2);
	assert_int_equal(r.out.n, 0);
	assert_string_equal(text_str(&r.err),
	                    "macaw: unknown command 'verison' (did you mean 'version'?)\nTry 'macaw help'.\n");
	run_free(&r);
	r = run_macaw("help", "hepl", NULL);
	assert_int_equal(r.status, 2);
	has(&r.err, "did you mean 'help'?");
	run_free(&r);
	r = run_macaw("qqqqqq", NULL);
	assert_int_equal(r.status, 2);
	assert_string_equal(text_str(&r.err), "macaw: unknown command 'qqqqqq'\nTry 'macaw help'.\n");
	run_free(&r);
}

static void unknown_option_in_front_of_all(void **state)
{
	struct run r = run_macaw("--frobnicate", NULL);
	assert_int_equal(r.status, 2);
	has(&r.err, "--frobnicate");
	run_free(&r);
}

static void surplus_words_are_wrong_usage(void **state)
{
	struct run r = run_macaw("version", "now", NULL);
	assert_int_equal(r.status, 2);
	assert_int_equal(r.out.n, 0);
	run_free(&r);
}

static void a_full_disk_is_the_machines_fault(void **state)
{
	char *words[] = {"sh", "-c", "exec \"$MACAW\" help >/dev/full", NULL};
	struct run r = run_words("sh", words);
	assert_int_equal(r.status, 3);
	has(&r.err, "cannot write");
	run_free(&r);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(alone_it_introduces_itself),
		cmocka_unit_test(tells_its_version),
		cmocka_unit_test(every_command_has_help),
		cmocka_unit_test(every_command_refuses_unknown_options),
		cmocka_unit_test(every_command_is_in_the_manual),
		cmocka_unit_test(a_misspelt_command_is_corrected),
		cmocka_unit_test(other_words_for_commands_are_known),
		cmocka_unit_test(topics_are_explained),
		cmocka_unit_test(unknown_option_in_front_of_all),
		cmocka_unit_test(surplus_words_are_wrong_usage),
		cmocka_unit_test(a_full_disk_is_the_machines_fault),
	};
	return RUN(cases);
}
