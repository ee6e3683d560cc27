/* What the processor is said to be able to do, and that MACAW_PLAIN takes it away: run once with it and once without.
 */
#include "test.h"

#include "base/processor.h"

static void plain_is_nothing(void **state)
{
	const char *plain = getenv("MACAW_PLAIN");
	if (plain && *plain == '1') {
		assert_false(processor_vectors());
		assert_false(processor_wide_vectors());
	}
}

static void what_is_said_is_there(void **state)
{
#if defined(__x86_64__)
	if (processor_vectors())
		assert_true(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
		            __builtin_cpu_supports("popcnt"));
	else
		assert_true(getenv("MACAW_PLAIN") || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2") ||
		            !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("popcnt"));
#else
	assert_false(processor_vectors());
#endif
	assert_true(processor_vectors() || !processor_wide_vectors());
}

static void the_answer_stays(void **state)
{
	bool before = processor_vectors();
	setenv("MACAW_PLAIN", before ? "1" : "0", 1);
	assert_int_equal(processor_vectors(), before);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(plain_is_nothing),
		cmocka_unit_test(what_is_said_is_there),
		cmocka_unit_test(the_answer_stays),
	};
	return RUN(cases);
}
