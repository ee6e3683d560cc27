#include "test.h"

#include "base/bits.h"
#include "base/rng.h"

#include <string.h>

/* Against an array of bool, for sizes around the word boundaries. */
static void agrees_with_plain_array(void **state)
{
	static const size_t sizes[] = {1, 2, 63, 64, 65, 127, 128, 129, 200};
	struct rng r = rng_seed(1);
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
		size_t n = sizes[k], members = 0, seen = 0;
		uint64_t set[4] = {0};
		bool plain[200] = {0};
		for (int step = 0; step < 1000; step++) {
			uint32_t i = rng_below(&r, (uint32_t)n);
			plain[i] = rng_below(&r, 4) == 0;
			plain[i] ? bits_add(set, i) : bits_drop(set, i);
		}
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(bits_has(set, i), plain[i]);
			members += plain[i];
		}
		assert_int_equal(bits_count(set, BITS_WORDS(n)), members);
		size_t last = 0;
		BITS_EACH (i, set, n) {
			assert_true(plain[i]);
			assert_true(seen == 0 || i > last);
			last = i;
			seen++;
		}
		assert_int_equal(seen, members);
	}
}

static void next_stops_at_the_size(void **state)
{
	uint64_t set[2] = {0, UINT64_C(1) << 6}; /* only bit 70 */
	assert_int_equal(bits_next(set, 128, 0), 70);
	assert_int_equal(bits_next(set, 128, 70), 70);
	assert_int_equal(bits_next(set, 128, 71), 128);
	assert_int_equal(bits_next(set, 70, 0), 70); /* bit 70 is beyond a set of 70 */
	assert_int_equal(bits_next(set, 67, 0), 67);
	assert_int_equal(bits_next(set, 64, 64), 64);
	assert_int_equal(bits_next(set, 0, 0), 0);
}

static void words_needed(void **state)
{
	assert_int_equal(BITS_WORDS(0), 0);
	assert_int_equal(BITS_WORDS(1), 1);
	assert_int_equal(BITS_WORDS(64), 1);
	assert_int_equal(BITS_WORDS(65), 2);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(agrees_with_plain_array),
		cmocka_unit_test(next_stops_at_the_size),
		cmocka_unit_test(words_needed),
	};
	return RUN(cases);
}
