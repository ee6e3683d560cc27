#include "test.h"

#include "base/clock.h"
#include "base/diag.h"

#include <string.h>

static const char source[] = "(role x)\n(role o)\n\t(next ?y)\n";

static struct range range(const char *part)
{
	const char *p = strstr(source, part);
	assert_non_null(p);
	uint32_t from = (uint32_t)(p - source);
	return (struct range){from, from + (uint32_t)strlen(part)};
}

static void places_count_lines_and_characters(void **state)
{
	const char text[] = "ab\n\xc3\xa9x\r\nz\rw"; /* all three line ends, one two-byte character */
	static const struct {
		uint32_t offset, line, column;
	} known[] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {5, 2, 2}, {8, 3, 1}, {10, 4, 1}, {11, 4, 2}, {99, 4, 2}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct place p = diag_place(text, sizeof text - 1, known[i].offset);
		assert_int_equal(p.line, known[i].line);
		assert_int_equal(p.column, known[i].column);
	}
	assert_int_equal(diag_place("", 0, 0).line, 1);
}

static void sorted_by_place_then_severity(void **state)
{
	struct diags d = {0};
	diag_add(&d, DIAG_WARNING, range("role o"), "w", "second place, milder");
	diag_add(&d, DIAG_ERROR, range("?y"), "e", "last");
	diag_add(&d, DIAG_ERROR, range("role o"), "e", "second place");
	diag_add(&d, DIAG_WARNING, range("role x"), "w", "first %d", 1);
	diag_sort(&d);
	assert_string_equal(d.all.at[0].message, "first 1");
	assert_string_equal(d.all.at[1].message, "second place");
	assert_string_equal(d.all.at[2].message, "second place, milder");
	assert_string_equal(d.all.at[3].message, "last");
	assert_int_equal(d.errors, 2);
	assert_int_equal(d.warnings, 2);
	diag_free(&d);
	assert_int_equal(d.errors, 0);
}

static void printed_for_people(void **state)
{
	struct diags d = {0};
	struct text out = {0};
	struct diag *g = diag_add(&d, DIAG_ERROR, range("?y"), "unsafe-variable", "variable ?%s is nowhere bound", "y");
	g->help = diag_text(&d, "bind it in the %s", "body");
	g->also = range("role o");
	g->also_message = "compare";
	diag_print(&d, "game.kif", source, sizeof source - 1, false, &out);
	assert_string_equal(text_str(&out), "game.kif:3:8: error: variable ?y is nowhere bound [unsafe-variable]\n"
	                                    "     3 |  (next ?y)\n"
	                                    "       |        ^~\n"
	                                    "       = help: bind it in the body\n"
	                                    "game.kif:2:2: note: compare\n"
	                                    "     2 | (role o)\n"
	                                    "       |  ^~~~~~\n");
	vec_clear(&out);
	diag_print(&d, "game.kif", source, sizeof source - 1, true, &out);
	assert_non_null(strstr(out.at, "\033[1;31merror:\033[0m"));
	text_free(&out);
	diag_free(&d);
}

static void places_of_all_in_one_sweep(void **state)
{
	struct diags d = {0};
	struct place p[4];
	diag_add(&d, DIAG_WARNING, range("role o"), "odd", "hm");
	diag_places(&d, source, sizeof source - 1, p);
	assert_int_equal(p[0].line, 2);
	assert_int_equal(p[0].column, 2);
	assert_int_equal(p[1].line, 2);
	assert_int_equal(p[1].column, 8);
	diag_free(&d);
}

static void surplus_ones_are_counted(void **state)
{
	struct diags d = {.max = 3};
	struct text out = {0};
	for (int i = 0; i < 10; i++)
		assert_int_equal(!diag_add(&d, DIAG_ERROR, (struct range){0, 1}, "e", "no. %d", i), i >= 3);
	assert_int_equal(d.errors, 10);
	assert_int_equal(d.all.n, 3);
	diag_print(&d, "x", source, sizeof source - 1, false, &out);
	assert_non_null(strstr(out.at, "x: 7 more not shown\n"));
	text_free(&out);
	diag_free(&d);
}

/* No byte of the source may command the terminal, and ranges at or beyond the end are harmless. */
static void odd_sources_are_harmless(void **state)
{
	const char odd[] = "\x1b[2J\x00\xff\xc3(\x7f";
	struct diags d = {0};
	struct text out = {0};
	for (uint32_t i = 0; i <= sizeof odd + 1; i++)
		diag_add(&d, DIAG_ERROR, (struct range){i, i + 2}, "e", "here");
	diag_print(&d, "x", odd, sizeof odd - 1, false, &out);
	assert_null(strchr(out.at, '\x1b'));
	assert_null(strchr(out.at, '\x7f'));
	assert_null(strchr(out.at, '\xff'));
	assert_int_equal(strlen(out.at), out.n);
	text_free(&out);
	diag_free(&d);
}

/* A thousand complaints about one line of 20 MB: one sweep, short excerpts. */
static void long_lines_cost_little(void **state)
{
	uint32_t n = 20000000;
	char *line = mem_alloc(n, 1);
	memset(line, '(', n);
	struct diags d = {0};
	struct text out = {0};
	for (uint32_t i = 0; i < 1000; i++)
		diag_add(&d, DIAG_ERROR, (struct range){i * 20000, i * 20000 + 1}, "e", "here");
	double start = clock_thread();
	diag_print(&d, "x", line, n, false, &out);
	assert_true(clock_thread() - start < 20);
	assert_true(out.n < 1000 * 400);
	assert_non_null(strstr(out.at, "x:1:19980001: error: here"));
	text_free(&out);
	diag_free(&d);
	mem_free(line);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(places_count_lines_and_characters),
		cmocka_unit_test(sorted_by_place_then_severity),
		cmocka_unit_test(printed_for_people),
		cmocka_unit_test(places_of_all_in_one_sweep),
		cmocka_unit_test(surplus_ones_are_counted),
		cmocka_unit_test(odd_sources_are_harmless),
		cmocka_unit_test(long_lines_cost_little),
	};
	return RUN(cases);
}
