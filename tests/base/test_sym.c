#include "test.h"

#include "base/sym.h"

#include <string.h>

static void numbers_are_dense_in_order_of_arrival(void **state)
{
	struct symbols s = {0};
	assert_int_equal(sym_find(&s, "cell", 4), SYM_NONE);
	assert_int_equal(sym_put(&s, "cell", 4), 0);
	assert_int_equal(sym_put(&s, "mark", 4), 1);
	assert_int_equal(sym_put(&s, "cell", 4), 0);
	assert_int_equal(sym_find(&s, "mark", 4), 1);
	assert_int_equal(s.all.n, 2);
	assert_string_equal(sym_text(&s, 1), "mark");
	sym_free(&s);
}

static void prefixes_case_and_odd_bytes_are_told_apart(void **state)
{
	struct symbols s = {0};
	assert_int_equal(sym_put(&s, "ab", 2), 0);
	assert_int_equal(sym_put(&s, "abc", 2), 0); /* only two bytes are meant */
	assert_int_equal(sym_put(&s, "abc", 3), 1);
	assert_int_equal(sym_put(&s, "AB", 2), 2);
	assert_int_equal(sym_put(&s, "", 0), 3);
	assert_int_equal(sym_put(&s, "a\0b", 3), 4);
	assert_int_equal(sym_put(&s, "a\0c", 3), 5);
	assert_int_equal(s.all.at[4].length, 3);
	sym_free(&s);
}

static void text_never_moves(void **state)
{
	struct symbols s = {0};
	char name[16];
	sym_t first = sym_put(&s, "first", 5);
	const char *text = sym_text(&s, first);
	for (int i = 0; i < 50000; i++)
		assert_int_equal(sym_put(&s, name, (size_t)sprintf(name, "s%d", i)), i + 1);
	assert_ptr_equal(sym_text(&s, first), text);
	for (int i = 0; i < 50000; i += 997)
		assert_int_equal(sym_find(&s, name, (size_t)sprintf(name, "s%d", i)), i + 1);
	sym_free(&s);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(numbers_are_dense_in_order_of_arrival),
		cmocka_unit_test(prefixes_case_and_odd_bytes_are_told_apart),
		cmocka_unit_test(text_never_moves),
	};
	return RUN(cases);
}
