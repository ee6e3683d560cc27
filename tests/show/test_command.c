/* Help and the manual page made of option tables. */
#include "test.h"

#include "show/command.h"

#include <string.h>

struct options {
	double seconds;
	int64_t threads;
	const char *file;
	int engine;
	bool json, colour;
};

#define AT(f) offsetof(struct options, f)
static const struct opt table[] = {
	{"time", 't', OPT_REAL, AT(seconds), "SEC", "play for this long", .real = 1.5, .min = 0, .max = 1e6},
	{"threads", 'j', OPT_INT, AT(threads), "N", "worker threads", .whole = 2, .min = 1, .max = 256},
	{"output", 'o', OPT_TEXT, AT(file), "FILE", "write there", .words = "-"},
	{"engine", 'e', OPT_CHOICE, AT(engine), "NAME", "how to evaluate", .choices = "circuit|lanes|datalog", .whole = 1},
	{"json", 0, OPT_FLAG, AT(json), NULL, "print one JSON object"},
	{"colour", 'c', OPT_FLAG, AT(colour), NULL, "with colours", .whole = 1},
	{"secret", 0, OPT_FLAG, AT(json), NULL, NULL},
	{0}};

static const struct command command = {
	.name = "simulate",
	.arguments = "GAME",
	.summary = "Play at random",
	.details = "First paragraph.\n\n  .kept -as is-\n\nback\\slash",
	.options = table,
};

static void help_tells_all_but_secrets(void **state)
{
	struct text t = {0};
	command_help(&command, &t);
	assert_non_null(strstr(t.at, "Usage: macaw simulate [OPTIONS] GAME\n\nPlay at random.\n\nFirst paragraph."));
	assert_non_null(strstr(t.at, "\n  -t, --time SEC            play for this long (default 1.5)\n"));
	assert_non_null(strstr(t.at, "\n      --json                print one JSON object\n"));
	assert_non_null(strstr(t.at, "how to evaluate: circuit, lanes, datalog (default lanes)\n"));
	assert_non_null(strstr(t.at, "with colours (default yes; --no-colour)\n"));
	assert_non_null(strstr(t.at, "write there (default -)\n"));
	assert_non_null(strstr(t.at, "-h, --help"));
	assert_null(strstr(t.at, "secret"));
	text_free(&t);
}

static void long_lines_are_wrapped(void **state)
{
	static const struct opt rows[] = {
		{"limit", 0, OPT_INT, 0, "N",
	     "a line that goes on and on with words until it cannot fit into the columns that are left", .min = 1,
	     .max = 9},
		{"games", 'g', OPT_TEXT, 0, "A,B,…", "games"},
		{0}};
	const struct command c = {.name = "x",
	                          .summary = "X",
	                          .details = "A paragraph with enough words to be longer than the one hundred columns that "
	                                     "a line of help may have.\n  kept",
	                          .options = rows};
	struct text t = {0};
	command_help(&c, &t);
	assert_non_null(strstr(t.at, "help may\nhave.\n  kept\n"));
	assert_non_null(strstr(
		t.at, "into the\n                            columns that are left\n")); /* no default: 0 is out of bounds */
	assert_non_null(strstr(t.at, "\n  -g, --games A,B,…         games\n"));      /* columns, not bytes */
	text_free(&t);
}

static void manual_is_escaped(void **state)
{
	struct text t = {0};
	const struct command *all[] = {&command};
	command_manual(all, 1, &t);
	assert_int_equal(strncmp(t.at, ".TH MACAW 1 ", 12), 0);
	assert_non_null(strstr(t.at, ".SS \"macaw simulate GAME\"\n"));
	assert_non_null(strstr(t.at, "\\fB\\-j\\fR, \\fB\\-\\-threads\\fR \\fIN\\fR\nworker threads (default 2)\n"));
	assert_non_null(strstr(t.at, ".EX\n  .kept \\-as is\\-\n"));
	assert_non_null(strstr(t.at, "back\\eslash"));
	assert_null(strstr(t.at, "secret"));
	text_free(&t);
}

int main(void)
{
	setenv("COLUMNS", "100", 1); /* the help is laid out for the terminal */
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(help_tells_all_but_secrets),
		cmocka_unit_test(long_lines_are_wrapped),
		cmocka_unit_test(manual_is_escaped),
	};
	return RUN(cases);
}
