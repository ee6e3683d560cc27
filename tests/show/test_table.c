/* Tables, numbers and bars for the terminal. */
#include "test.h"

#include "show/table.h"

#include <string.h>

static void expect(struct text *t, const char *wanted)
{
	assert_string_equal(text_str(t), wanted);
	text_free(t);
}

static void numbers_are_readable(void **state)
{
	struct text t = {0};
	number_grouped(&t, 0);
	expect(&t, "0");
	number_grouped(&t, 999);
	expect(&t, "999");
	number_grouped(&t, 1000);
	expect(&t, "1,000");
	number_grouped(&t, UINT64_MAX);
	expect(&t, "18,446,744,073,709,551,615");
	number_short(&t, 0);
	expect(&t, "0");
	number_short(&t, 12.345);
	expect(&t, "12.3");
	number_short(&t, 999.6);
	expect(&t, "1.00 k");
	number_short(&t, 1234567);
	expect(&t, "1.23 M");
	number_short(&t, 250e15);
	expect(&t, "250000 T");
}

static void columns_line_up(void **state)
{
	struct text_table t = {.heading = true};
	struct text out = {0};
	text_table_row(&t);
	text_table_cell(&t, "role");
	text_table_cell(&t, "±");
	text_table_row(&t);
	text_table_cell(&t, "x");
	text_table_cell(&t, "%d", 123);
	text_table_print(&t, &out);
	expect(&out, "role    ±\n---------\nx     123\n");
	text_table_free(&t);
}

static void an_empty_table_is_nothing(void **state)
{
	struct text_table t = {0};
	struct text out = {0};
	text_table_print(&t, &out);
	expect(&out, "");
	text_table_free(&t);
}

static void bars_show_shares(void **state)
{
	const uint64_t counts[] = {1, 0, 3};
	struct text out = {0};
	histogram_print(&out, counts, 3, 7, 16, false);
	expect(&out, "  7   25.0%  #############\n"
	             "  8    0.0%\n"
	             "  9   75.0%  ########################################\n");
}

static void many_values_share_rows(void **state)
{
	uint64_t counts[1000] = {0};
	struct text out = {0};
	counts[0] = counts[999] = 1;
	histogram_print(&out, counts, 1000, 3, 12, true);
	size_t lines = 0;
	for (size_t i = 0; i < out.n; i++)
		lines += out.at[i] == '\n';
	assert_true(lines >= 4 && lines <= 12);
	assert_non_null(strstr(out.at, "  0-99"));
	assert_non_null(strstr(out.at, "  1000 and more"));
	text_free(&out);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(numbers_are_readable),      cmocka_unit_test(columns_line_up),
		cmocka_unit_test(an_empty_table_is_nothing), cmocka_unit_test(bars_show_shares),
		cmocka_unit_test(many_values_share_rows),
	};
	return RUN(cases);
}
