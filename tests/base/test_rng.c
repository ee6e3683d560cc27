#include "test.h"

#include "base/rng.h"

/* The first outputs of splitmix64 from seed 1234567, as published with the
 * reference implementation and repeated by many others. */
static void splitmix_matches_the_reference(void **state)
{
	static const uint64_t known[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
	                                 4593380528125082431u, 16408922859458223821u};
	uint64_t seed = 1234567;
	for (size_t i = 0; i < 5; i++)
		assert_true(rng_split(&seed) == known[i]);
}

/* xoshiro256** from the state {1, 2, 3, 4}: the first outputs of the authors' code. */
static void xoshiro_matches_the_reference(void **state)
{
	static const uint64_t known[] = {11520, 0, 1509978240, 1215971899390074240};
	struct rng r = {{1, 2, 3, 4}};
	for (size_t i = 0; i < 4; i++)
		assert_true(rng_next(&r) == known[i]);
}

static void same_seed_same_numbers(void **state)
{
	struct rng a = rng_seed(42), b = rng_seed(42), c = rng_seed(43);
	int equal = 0;
	for (int i = 0; i < 1000; i++) {
		uint64_t x = rng_next(&a);
		assert_true(x == rng_next(&b));
		equal += x == rng_next(&c);
	}
	assert_int_equal(equal, 0);
}

/* Pearson's statistic for n cells over `draws` draws. Under uniformity it has
 * mean n-1 and variance 2(n-1); we allow six standard deviations, so a sound
 * generator fails about once in a hundred million seeds, and seeds are fixed. */
static double chi_squared(uint32_t n, uint32_t draws, uint64_t seed)
{
	uint32_t *cell = test_calloc(n, sizeof *cell);
	struct rng r = rng_seed(seed);
	for (uint32_t i = 0; i < draws; i++) {
		uint32_t x = rng_below(&r, n);
		assert_true(x < n);
		cell[x]++;
	}
	double expected = (double)draws / n, sum = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += (cell[i] - expected) * (cell[i] - expected) / expected;
	test_free(cell);
	return sum;
}

static void below_is_uniform(void **state)
{
	static const uint32_t sizes[] = {2, 3, 5, 6, 7, 10, 64, 100, 1000};
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			double free = sizes[k] - 1, x = chi_squared(sizes[k], 200000, seed);
			double deviation = __builtin_sqrt(2 * free);
			assert_true(x < free + 6 * deviation);
			assert_true(free < 100 || x > free - 6 * deviation); /* nor suspiciously even */
		}
}

/* For n = 3 * 2^30 taking the remainder, or the product without rejection,
 * favours a third of the numbers two to one: the thirds tell. */
static void below_is_uniform_for_huge_bounds(void **state)
{
	const uint32_t n = UINT32_C(3) << 30;
	uint32_t residue[3] = {0}, third[3] = {0}, draws = 300000;
	struct rng r = rng_seed(5);
	for (uint32_t i = 0; i < draws; i++) {
		uint32_t x = rng_below(&r, n);
		assert_true(x < n);
		residue[x % 3]++;
		third[x >> 30]++;
	}
	for (int i = 0; i < 3; i++) { /* six standard deviations of a binomial(draws, 1/3) */
		assert_in_range(residue[i], draws / 3 - 1550, draws / 3 + 1550);
		assert_in_range(third[i], draws / 3 - 1550, draws / 3 + 1550);
	}
}

static void below_one_is_zero(void **state)
{
	struct rng r = rng_seed(0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(rng_below(&r, 1), 0);
}

static void unit_stays_in_the_unit_interval(void **state)
{
	struct rng r = rng_seed(9);
	double sum = 0, square = 0;
	const int n = 100000;
	for (int i = 0; i < n; i++) {
		double x = rng_unit(&r);
		assert_true(x >= 0 && x < 1);
		sum += x;
		square += x * x;
	}
	assert_true(sum / n > 0.494 && sum / n < 0.506);
	assert_true(square / n > 0.327 && square / n < 0.340);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(splitmix_matches_the_reference),   cmocka_unit_test(xoshiro_matches_the_reference),
		cmocka_unit_test(same_seed_same_numbers),           cmocka_unit_test(below_is_uniform),
		cmocka_unit_test(below_is_uniform_for_huge_bounds), cmocka_unit_test(below_one_is_zero),
		cmocka_unit_test(unit_stays_in_the_unit_interval),
	};
	return RUN(cases);
}
