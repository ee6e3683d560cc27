/* The word that was meant. */
#include "test.h"

#include "base/nearest.h"

static void typos_and_beginnings(void **state)
{
	const char *const list[] = {"check", "show", "simulate", "solve", "symmetries", NULL};
	assert_string_equal(nearest_word("chekc", list), "check"); /* neighbours swapped */
	assert_string_equal(nearest_word("sovle", list), "solve");
	assert_string_equal(nearest_word("CHECK", list), "check");
	assert_string_equal(nearest_word("simulat", list), "simulate");
	assert_string_equal(nearest_word("simmulatte", list), "simulate");
	assert_string_equal(nearest_word("sym", list), "symmetries"); /* the beginning */
	assert_string_equal(nearest_word("simulat", (const char *const[]){"simulate", "simulated", NULL}), "simulate");
	assert_null(nearest_word("parrot", list));
	assert_null(nearest_word("x", list));
	assert_null(nearest_word("", list));
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(typos_and_beginnings),
	};
	return RUN(cases);
}
