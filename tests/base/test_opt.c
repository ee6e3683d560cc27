/* Option tables: every way to write a value, and what is said about mistakes. */
#include "test.h"

#include "base/opt.h"

#include <string.h>

struct options {
	double seconds;
	int64_t threads, seed;
	const char *file;
	int engine;
	bool json, colour, verbose;
};

#define AT(f) offsetof(struct options, f)
static const struct opt table[] = {
	{"time", 't', OPT_REAL, AT(seconds), "SEC", "play for this long", .real = 1.5, .min = 0, .max = 1e6},
	{"threads", 'j', OPT_INT, AT(threads), "N", "worker threads", .whole = 2, .min = 1, .max = 256},
	{"seed", 0, OPT_INT, AT(seed), "S", "of the random numbers"},
	{"output", 'o', OPT_TEXT, AT(file), "FILE", "write there", .words = "-"},
	{"engine", 'e', OPT_CHOICE, AT(engine), "NAME", "how to evaluate", .choices = "circuit|lanes|datalog", .whole = 1},
	{"json", 0, OPT_FLAG, AT(json), NULL, "print one JSON object"},
	{"colour", 'c', OPT_FLAG, AT(colour), NULL, "with colours", .whole = 1},
	{"verbose", 'v', OPT_FLAG, AT(verbose), NULL, "tell more"},
	{"secret", 0, OPT_FLAG, AT(verbose), NULL, NULL},
	{0}};

static struct options o;
static struct text error;
static char *argv[20];

/* Parses the words, up to a NULL, after a program name. */
static int parse(char *first, ...)
{
	int argc = 1;
	va_list ap;
	va_start(ap, first);
	argv[0] = "test";
	for (char *w = first; w; w = va_arg(ap, char *))
		argv[argc++] = w;
	argv[argc] = NULL;
	va_end(ap);
	text_free(&error);
	return opt_parse(table, &o, argc, argv, &error);
}

#define rejects(message, ...) \
	do { \
		assert_int_equal(parse(__VA_ARGS__, NULL), -1); \
		assert_string_equal(text_str(&error), message); \
	} while (0)

static void defaults_come_from_the_table(void **state)
{
	memset(&o, 0x55, sizeof o);
	assert_int_equal(parse(NULL), 0);
	assert_true(o.seconds == 1.5);
	assert_int_equal(o.threads, 2);
	assert_int_equal(o.seed, 0);
	assert_string_equal(o.file, "-");
	assert_int_equal(o.engine, 1);
	assert_false(o.json);
	assert_true(o.colour);
}

static void every_way_to_write_a_value(void **state)
{
	assert_int_equal(parse("--time", "2", "--threads=3", "-o", "x", NULL), 0);
	assert_true(o.seconds == 2 && o.threads == 3);
	assert_string_equal(o.file, "x");
	assert_int_equal(parse("-t2e1", "-j7", "-ox=y", "--output=", NULL), 0);
	assert_true(o.seconds == 20 && o.threads == 7);
	assert_string_equal(o.file, "");
	assert_int_equal(parse("-j1", "-j256", NULL), 0); /* bounds belong to the range */
	assert_int_equal(o.threads, 256);
	assert_int_equal(parse("--seed", "-9223372036854775808", NULL), 0);
	assert_true(o.seed == INT64_MIN);
	assert_int_equal(parse("--engine", "datalog", "-e", "circuit", NULL), 0);
	assert_int_equal(o.engine, 0); /* the last one holds */
}

static void flags_are_set_unset_and_joined(void **state)
{
	assert_int_equal(parse("--json", "--no-colour", NULL), 0);
	assert_true(o.json && !o.colour);
	assert_int_equal(parse("--json", "--json=no", "--colour=off", NULL), 0);
	assert_true(!o.json && !o.colour);
	assert_int_equal(parse("-vcj5", NULL), 0);
	assert_true(o.verbose && o.colour && o.threads == 5);
	assert_int_equal(parse("-vt", "4", "word", NULL), 1);
	assert_true(o.verbose && o.seconds == 4);
}

static void words_move_to_the_front(void **state)
{
	assert_int_equal(parse("a", "--json", "b", "-j", "4", "-", "--", "--time", "--", NULL), 5);
	assert_string_equal(argv[1], "a");
	assert_string_equal(argv[2], "b");
	assert_string_equal(argv[3], "-");
	assert_string_equal(argv[4], "--time");
	assert_string_equal(argv[5], "--");
	assert_true(o.json && o.threads == 4 && o.seconds == 1.5);
}

static void mistakes_are_explained(void **state)
{
	rejects("unknown option --thraeds (did you mean --threads?)", "--thraeds", "3");
	rejects("unknown option --tim (did you mean --time?)", "--tim=3");
	rejects("unknown option --zebra", "--zebra");
	rejects("unknown option --secrte", "--secrte");
	rejects("unknown option --no-time", "--no-time");
	rejects("unknown option -x", "-vx");
	rejects("--threads needs a value (N)", "--threads");
	rejects("--threads needs a value (N)", "-j");
	rejects("--threads needs a whole number, not 'two'", "-j", "two");
	rejects("--threads needs a whole number, not '2.5'", "-j2.5");
	rejects("--threads needs a whole number, not ''", "--threads=");
	rejects("--threads must be between 1 and 256, not 0", "-j0");
	rejects("--threads must be between 1 and 256, not 257", "-j257");
	rejects("--seed: 9223372036854775808 is too large a number", "--seed", "9223372036854775808");
	rejects("--time needs a number, not 'nan'", "--time", "nan");
	rejects("--time needs a number, not '1s'", "--time", "1s");
	rejects("--time must be between 0 and 1000000, not -1", "--time=-1");
	rejects("--engine is one of circuit, lanes, datalog; not 'lane'", "--engine", "lane");
	rejects("--json is yes or no, not 'perhaps'", "--json=perhaps");
}

static void a_very_long_name_is_cut(void **state)
{
	char word[5000] = "--";
	memset(word + 2, 'x', sizeof word - 3);
	assert_int_equal(parse(word, NULL), -1);
	assert_true(error.n < 200);
}

static void no_table_takes_words_only(void **state)
{
	char *words[] = {"test", "a", "b", NULL}, *option[] = {"test", "--json", NULL};
	text_free(&error);
	assert_int_equal(opt_parse(NULL, NULL, 3, words, &error), 2);
	assert_int_equal(opt_parse(NULL, NULL, 2, option, &error), -1);
	assert_string_equal(text_str(&error), "unknown option --json");
}

/* Given again, it adds; there is an end to it. */
static void lists_grow(void **state)
{
	static const struct opt lists[] = {{"player", 'p', OPT_LIST, 0, "NAME", "one more"}, {0}};
	struct opt_list list;
	struct text why = {0};
	char *few[] = {"test", "-p", "a", "word", "--player=b", "-pc"}, *many[2 * OPT_LIST_MAX + 3] = {"test"};
	assert_int_equal(opt_parse(lists, &list, 6, few, &why), 1);
	assert_int_equal(list.n, 3);
	assert_string_equal(list.at[0], "a");
	assert_string_equal(list.at[2], "c");
	for (int i = 1; i < 2 * OPT_LIST_MAX + 3; i++)
		many[i] = i % 2 ? "-p" : "x";
	assert_int_equal(opt_parse(lists, &list, 2 * OPT_LIST_MAX + 1, many, &why), 0);
	assert_int_equal(list.n, OPT_LIST_MAX);
	assert_int_equal(opt_parse(lists, &list, 2 * OPT_LIST_MAX + 3, many, &why), -1);
	assert_non_null(strstr(text_str(&why), "more than 64 times"));
	text_free(&why);
}

static void single_settings(void **state)
{
	text_free(&error);
	opt_defaults(table, &o);
	assert_true(opt_set(table, &o, "threads", "9", &error));
	assert_int_equal(o.threads, 9);
	assert_true(opt_set(table, &o, "json", NULL, &error));
	assert_true(o.json);
	assert_true(opt_set(table, &o, "json", "false", &error));
	assert_false(o.json);
	assert_string_equal(text_str(&error), "");
	assert_false(opt_set(table, &o, "threads", NULL, &error));
	assert_string_equal(text_str(&error), "threads needs a value");
	text_free(&error);
	assert_false(opt_set(table, &o, "sed", "1", &error));
	assert_string_equal(text_str(&error), "unknown option sed (did you mean seed?)");
	text_free(&error);
	assert_false(opt_set(table, &o, "threads", "1000", &error));
	assert_int_equal(o.threads, 9); /* a rejected value changes nothing */
}

static int forget(void **state)
{
	text_free(&error);
	return 0;
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(defaults_come_from_the_table),
		cmocka_unit_test(every_way_to_write_a_value),
		cmocka_unit_test(flags_are_set_unset_and_joined),
		cmocka_unit_test(words_move_to_the_front),
		cmocka_unit_test(mistakes_are_explained),
		cmocka_unit_test(a_very_long_name_is_cut),
		cmocka_unit_test(no_table_takes_words_only),
		cmocka_unit_test(single_settings),
		cmocka_unit_test(lists_grow),
	};
	return RUN_IN(cases, NULL, forget);
}
