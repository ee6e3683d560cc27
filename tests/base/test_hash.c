#include "test.h"

#include "base/hash.h"
#include "base/rng.h"

#include <string.h>

static void bytes_depend_on_every_byte_and_the_length(void **state)
{
	unsigned char text[40] = {0};
	for (size_t n = 0; n < sizeof text; n++) {
		uint64_t h = hash_bytes(text, n);
		assert_true(h == hash_bytes(text, n));
		assert_true(h != hash_bytes(text, n + 1)); /* one more zero byte is another text */
		for (size_t i = 0; i < n; i++) {
			text[i] ^= 1;
			assert_true(h != hash_bytes(text, n));
			text[i] ^= 1;
		}
	}
}

static void words_depend_on_order(void **state)
{
	assert_true(hash_words((uint32_t[]){1, 2}, 2) != hash_words((uint32_t[]){2, 1}, 2));
	assert_true(hash_words((uint32_t[]){0}, 1) != hash_words((uint32_t[]){0, 0}, 2));
}

/* A flipped input bit flips each output bit about every other time. */
static void mixer_spreads_every_bit(void **state)
{
	enum { ROUNDS = 400 };
	struct rng r = rng_seed(3);
	for (int in = 0; in < 64; in++) {
		int flips[64] = {0};
		for (int k = 0; k < ROUNDS; k++) {
			uint64_t x = rng_next(&r), d = hash_mix(x) ^ hash_mix(x ^ UINT64_C(1) << in);
			for (int out = 0; out < 64; out++)
				flips[out] += (int)(d >> out & 1);
		}
		for (int out = 0; out < 64; out++) /* six standard deviations around a half */
			assert_in_range(flips[out], ROUNDS / 2 - 60, ROUNDS / 2 + 60);
	}
}

/* A map from numbers to their rank of arrival. */
static uint32_t lookup(const struct table *t, const uint64_t *keys, uint64_t hash, uint64_t key)
{
	uint32_t it, id;
	for (table_start(t, hash, &it); (id = table_next(t, hash, &it)) != TABLE_NONE;)
		if (keys[id] == key)
			return id;
	return TABLE_NONE;
}

static void finds_all_and_nothing_else(uint64_t (*hash)(uint64_t), uint32_t n)
{
	uint64_t *keys = test_malloc(n * sizeof *keys);
	struct table t = {0};
	assert_int_equal(lookup(&t, keys, hash(1), 1), TABLE_NONE);
	for (uint32_t i = 0; i < n; i++) {
		keys[i] = (uint64_t)i * 7;
		table_add(&t, hash(keys[i]), i);
	}
	assert_int_equal(t.n, n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(lookup(&t, keys, hash(keys[i]), keys[i]), i);
		assert_int_equal(lookup(&t, keys, hash(keys[i] + 1), keys[i] + 1), TABLE_NONE);
	}
	table_clear(&t);
	assert_int_equal(lookup(&t, keys, hash(0), 0), TABLE_NONE);
	table_add(&t, hash(0), 0);
	assert_int_equal(lookup(&t, keys, hash(0), 0), 0);
	table_free(&t);
	test_free(keys);
}

static uint64_t good(uint64_t x)
{
	return hash_mix(x);
}

static uint64_t bad(uint64_t x)
{
	return (x & 3) << 32; /* four tags for everything */
}

static void table_with_a_good_hash(void **state)
{
	finds_all_and_nothing_else(good, 100000);
}

static void table_with_a_bad_hash(void **state)
{
	finds_all_and_nothing_else(bad, 300);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(bytes_depend_on_every_byte_and_the_length),
		cmocka_unit_test(words_depend_on_order),
		cmocka_unit_test(mixer_spreads_every_bit),
		cmocka_unit_test(table_with_a_good_hash),
		cmocka_unit_test(table_with_a_bad_hash),
	};
	return RUN(cases);
}
