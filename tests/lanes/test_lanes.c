/* The choice of moves: exactly one where something is legal, exactly uniform; and
 * the small services of a kernel. */
#include "test.h"

#include "base/bits.h"
#include "base/mem.h"
#include "lanes/lanes.h"

#include <math.h>
#include <string.h>

static const struct {
	uint32_t width;
	bool plain;
} kernels[] = {{64, true}, {256, true}, {512, true}, {256, false}, {512, false}};

#define EACH_KERNEL(k) \
	for (size_t k##_ = 0; k##_ < sizeof kernels / sizeof *kernels; k##_++) \
		for (const struct lane_kernel *k = lanes_kernel(kernels[k##_].width, kernels[k##_].plain); k; k = NULL)

static const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 100, 257};
#define COUNTS (sizeof counts / sizeof *counts)

static bool has_lane(const uint64_t *slot, uint32_t lane)
{
	return slot[lane / 64] >> lane % 64 & 1;
}

/* The one move left in a lane; checks that it was legal and is the only one. */
static uint32_t chosen(const struct lane_kernel *k, const uint64_t *moves, const uint64_t *legal, uint32_t n,
                       uint32_t lane)
{
	uint32_t found = UINT32_MAX;
	for (uint32_t m = 0; m < n; m++)
		if (has_lane(moves + m * k->words, lane)) {
			assert_int_equal(found, UINT32_MAX);
			assert_true(has_lane(legal + m * k->words, lane));
			found = m;
		}
	return found;
}

/* Pearson's statistic; its mean is n - 1, its variance 2 (n - 1). Seeds are fixed, and
 * six standard deviations are left to chance. */
static void assert_uniform(const uint32_t *cell, uint32_t n)
{
	double total = 0, sum = 0;
	for (uint32_t i = 0; i < n; i++)
		total += cell[i];
	for (uint32_t i = 0; i < n; i++)
		sum += (cell[i] - total / n) * (cell[i] - total / n) / (total / n);
	if (n > 1 && total >= 5 * n && fabs(sum - (n - 1)) > 6 * sqrt(2.0 * (n - 1)) + 4)
		fail_msg("chi-squared of %u cells over %.0f draws is %.1f", n, total, sum);
	assert_true(n > 1 || cell[0] > 0);
}

struct table_of_choice {
	const struct lane_kernel *k;
	struct chooser chooser;
	uint64_t *legal, *moves;
	uint64_t has[8] __attribute__((aligned(64)));
	uint32_t n;
};

static void set_up(struct table_of_choice *t, const struct lane_kernel *k, uint32_t n, uint64_t seed)
{
	*t = (struct table_of_choice){.k = k, .n = n};
	chooser_init(&t->chooser, k, n, seed);
	t->legal = mem_align(n * k->words, sizeof *t->legal);
	t->moves = mem_align(n * k->words, sizeof *t->moves);
}

static void tear_down(struct table_of_choice *t)
{
	chooser_free(&t->chooser);
	mem_free(t->legal);
	mem_free(t->moves);
}

static void choose(struct table_of_choice *t)
{
	memcpy(t->moves, t->legal, t->n * t->k->words * sizeof *t->moves);
	memset(t->has, 0xaa, sizeof t->has);
	t->k->choose(&t->chooser, t->moves, t->n, t->has);
}

static void all_legal_is_uniform(void **state)
{
	EACH_KERNEL(k)
	for (size_t c = 0; c < COUNTS; c++) {
		struct table_of_choice t;
		uint32_t n = counts[c], *cell = NEW_ARRAY(uint32_t, n);
		set_up(&t, k, n, 7 + c);
		memset(t.legal, 0xff, n * k->words * sizeof *t.legal);
		uint32_t draws = (test_sample() ? 10 : 100) * (n + 60);
		for (uint32_t i = 0; i * k->lanes < draws; i++) {
			choose(&t);
			for (uint32_t lane = 0; lane < k->lanes; lane++) {
				uint32_t m = chosen(k, t.moves, t.legal, n, lane);
				assert_true(has_lane(t.has, lane) && m < n);
				cell[m]++;
			}
		}
		assert_uniform(cell, n);
		mem_free(cell);
		tear_down(&t);
	}
}

/* Every lane has its own few legal moves. The rank of the choice among them is
 * uniform for lanes with the same number of them. */
static void sparse_subsets_are_uniform(void **state)
{
	EACH_KERNEL(k)
	for (size_t c = 0; c < COUNTS; c++)
		for (uint32_t density = 1; density <= 3; density++) {
			struct table_of_choice t;
			uint32_t n = counts[c], *cell = NEW_ARRAY(uint32_t, (n + 1) * (n + 1));
			struct rng rng = rng_seed(c * 10 + density);
			set_up(&t, k, n, 100 + c);
			for (uint32_t i = 0; i < n * k->lanes; i++)
				if (rng_below(&rng, 8) < (density == 3 ? 7 : density))
					bits_add(t.legal, i);
			for (int i = 0; i < (test_sample() ? 8 : 60); i++) {
				choose(&t);
				for (uint32_t lane = 0; lane < k->lanes; lane++) {
					uint32_t m = chosen(k, t.moves, t.legal, n, lane), legal = 0, rank = 0;
					for (uint32_t x = 0; x < n; x++) {
						rank += x < m && has_lane(t.legal + x * k->words, lane);
						legal += has_lane(t.legal + x * k->words, lane);
					}
					assert_int_equal(has_lane(t.has, lane), legal > 0);
					assert_int_equal(m != UINT32_MAX, legal > 0);
					if (legal)
						cell[legal * (n + 1) + rank]++;
				}
			}
			for (uint32_t legal = 2; legal <= n; legal++)
				assert_uniform(cell + legal * (n + 1), legal);
			mem_free(cell);
			tear_down(&t);
		}
}

/* Lanes with 0, 1, 2 ... n legal moves side by side. */
static void lanes_of_every_size(void **state)
{
	EACH_KERNEL(k)
	{
		struct table_of_choice t;
		enum { N = 40 };
		uint32_t cell[N + 1][N + 1] = {0};
		set_up(&t, k, N, 3);
		for (uint32_t lane = 0; lane < k->lanes; lane++)
			for (uint32_t m = 0; m < lane % (N + 1); m++)
				bits_add(t.legal + (m * 7 + lane) % N * k->words, lane);
		for (int i = 0; i < (test_sample() ? 50 : 1500); i++) {
			choose(&t);
			for (uint32_t lane = 0; lane < k->lanes; lane++) {
				uint32_t m = chosen(k, t.moves, t.legal, N, lane), size = lane % (N + 1), rank = 0;
				assert_int_equal(has_lane(t.has, lane), size > 0);
				while (size && (rank * 7 + lane) % N != m)
					rank++;
				assert_true(!size || rank < size);
				if (size)
					cell[size][rank]++;
			}
		}
		for (uint32_t size = 1; size <= N; size++)
			if (k->lanes > size)
				assert_uniform(cell[size], size);
		tear_down(&t);
	}
}

static void nothing_legal(void **state)
{
	EACH_KERNEL(k)
	{
		struct table_of_choice t;
		set_up(&t, k, 20, 1);
		choose(&t);
		for (uint32_t w = 0; w < k->words; w++)
			assert_true(t.has[w] == 0);
		for (uint32_t i = 0; i < 20 * k->words; i++)
			assert_true(t.moves[i] == 0);
		/* one move in one lane */
		bits_add(t.legal + 13 * k->words, k->lanes - 1);
		choose(&t);
		assert_int_equal(k->count(t.has, t.has), 1);
		assert_true(has_lane(t.has, k->lanes - 1) && has_lane(t.moves + 13 * k->words, k->lanes - 1));
		tear_down(&t);
	}
}

/* Neighbouring lanes, and a lane and itself a draw later, know nothing of each other. */
static void choices_are_independent(void **state)
{
	EACH_KERNEL(k)
	{
		struct table_of_choice t;
		uint32_t beside[9] = {0}, after[9] = {0}, last[512] = {0};
		set_up(&t, k, 3, 11);
		memset(t.legal, 0xff, 3 * k->words * sizeof *t.legal);
		for (uint32_t i = 0; i * k->lanes < 60000; i++) {
			choose(&t);
			uint32_t before = 0;
			for (uint32_t lane = 0; lane < k->lanes; lane++) {
				uint32_t m = chosen(k, t.moves, t.legal, 3, lane);
				if (lane)
					beside[before * 3 + m]++;
				if (i)
					after[last[lane] * 3 + m]++;
				before = last[lane] = m;
			}
		}
		assert_uniform(beside, 9);
		assert_uniform(after, 9);
		tear_down(&t);
	}
}

static void same_seed_same_choice(void **state)
{
	EACH_KERNEL(k)
	{
		struct table_of_choice a, b, c;
		bool differs = false;
		set_up(&a, k, 50, 5);
		set_up(&b, k, 50, 5);
		set_up(&c, k, 50, 6);
		struct table_of_choice *all[] = {&a, &b, &c};
		for (int i = 0; i < 20; i++) {
			for (int x = 0; x < 3; x++) {
				memset(all[x]->legal, 0xff, 50 * k->words * sizeof *a.legal);
				choose(all[x]);
			}
			assert_memory_equal(a.moves, b.moves, 50 * k->words * sizeof *a.moves);
			differs |= memcmp(a.moves, c.moves, 50 * k->words * sizeof *a.moves) != 0;
		}
		assert_true(differs);
		tear_down(&a);
		tear_down(&b);
		tear_down(&c);
	}
}

/* Each halving takes half of the lanes, but none that has no other move. */
static void halved_moves_grow_rare(void **state)
{
	static const uint8_t move_bias[] = {9, 3, 0, 1}; /* by move; the rows are of moves 3, 2, 1 */
	static const uint32_t which[] = {3, 2, 1};
	EACH_KERNEL(k)
	{
		struct table_of_choice t;
		uint64_t left[3] = {0}, rounds = 400, lanes = k->lanes / 2;
		set_up(&t, k, 3, 21);
		for (uint32_t lane = 0; lane < k->lanes; lane++) {
			bits_add(t.legal + 2 * k->words, lane); /* in odd lanes it is the only move */
			if (lane % 2 == 0) {
				bits_add(t.legal, lane);
				bits_add(t.legal + k->words, lane);
			}
		}
		for (uint64_t i = 0; i < rounds; i++) {
			memcpy(t.moves, t.legal, 3 * k->words * sizeof *t.moves);
			t.k->filter_by_bias(&t.chooser, t.moves, 3, which, move_bias);
			for (uint32_t lane = 0; lane < k->lanes; lane++)
				for (uint32_t m = 0; m < 3; m++) {
					bool here = has_lane(t.moves + m * k->words, lane);
					assert_true(!here || has_lane(t.legal + m * k->words, lane));
					assert_true(here || lane % 2 == 0 || m < 2);
					left[m] += here && lane % 2 == 0;
				}
		}
		double n = (double)(rounds * lanes);
		assert_true(left[1] == rounds * lanes);
		assert_true(fabs((double)left[0] - n / 2) < 5 * sqrt(n));
		assert_true(fabs((double)left[2] - n / 8) < 5 * sqrt(n));
		tear_down(&t);
	}
}

/* Plain kernels and those for the processor draw the same numbers. */
static void portable_kernels_choose_alike(void **state)
{
	for (uint32_t width = 256; width <= 512; width += 256) {
		struct table_of_choice a, b;
		set_up(&a, lanes_kernel(width, true), 77, 5);
		set_up(&b, lanes_kernel(width, false), 77, 5);
		struct rng rng = rng_seed(1);
		for (int i = 0; i < 50; i++) {
			for (uint32_t x = 0; x < 77 * a.k->words; x++)
				a.legal[x] = b.legal[x] = rng_next(&rng) & rng_next(&rng);
			choose(&a);
			choose(&b);
			assert_memory_equal(a.moves, b.moves, 77 * a.k->words * sizeof *a.moves);
			assert_memory_equal(a.has, b.has, a.k->words * sizeof *a.has);
		}
		tear_down(&a);
		tear_down(&b);
	}
}

static void kernels_are_what_they_say(void **state)
{
	EACH_KERNEL(k)
	{
		assert_int_equal(k->lanes, kernels[k_].width);
		assert_int_equal(k->words * 64, k->lanes);
		assert_non_null(k->name);
	}
	assert_int_equal(chooser_levels(1), 0);
	assert_int_equal(chooser_levels(2), 1);
	assert_int_equal(chooser_levels(5), 3);
	assert_int_equal(chooser_levels(64), 6);
}

static void states_move_in_and_on(void **state)
{
	enum { N = 70 };
	EACH_KERNEL(k)
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct rng rng = rng_seed(seed);
		uint64_t *slots = mem_align(N * k->words, sizeof *slots), *before = mem_align(N * k->words, sizeof *slots);
		uint64_t *next = mem_align(N * k->words, sizeof *next);
		uint64_t where[8] __attribute__((aligned(64))), row[2] = {rng_next(&rng), rng_next(&rng)};
		uint32_t live[N], n = 0;
		for (uint32_t i = 0; i < N * k->words; i++) {
			before[i] = slots[i] = rng_next(&rng);
			next[i] = rng_next(&rng);
		}
		for (uint32_t w = 0; w < 8; w++)
			where[w] = seed == 0 ? 0 : seed == 1 ? ~UINT64_C(0) : rng_next(&rng);
		k->refill(slots, N, row, where);
		for (uint32_t i = 0; i < N; i++)
			for (uint32_t lane = 0; lane < k->lanes; lane++)
				assert_int_equal(has_lane(slots + i * k->words, lane),
				                 has_lane(where, lane) ? bits_has(row, i) : has_lane(before + i * k->words, lane));
		memcpy(before, slots, N * k->words * sizeof *slots);
		for (uint32_t i = 0; i < N; i++)
			if (rng_below(&rng, 2))
				live[n++] = i;
		k->advance(slots, live, n, next, where);
		for (uint32_t i = 0, at = 0; i < N; i++) {
			bool moves = at < n && live[at] == i;
			for (uint32_t lane = 0; lane < k->lanes; lane++)
				assert_int_equal(has_lane(slots + i * k->words, lane), moves && has_lane(where, lane)
				                                                           ? has_lane(next + at * k->words, lane)
				                                                           : has_lane(before + i * k->words, lane));
			at += moves;
		}
		uint64_t count = 0;
		for (uint32_t lane = 0; lane < k->lanes; lane++)
			count += has_lane(slots, lane) && has_lane(where, lane);
		assert_int_equal(k->count(slots, where), count);
		mem_free(slots);
		mem_free(before);
		mem_free(next);
	}
}

static void squares_are_turned_over(void **state)
{
	struct rng rng = rng_seed(8);
	uint64_t a[64], b[64];
	for (int i = 0; i < 64; i++)
		a[i] = b[i] = rng_next(&rng);
	lanes_transpose(b);
	for (int i = 0; i < 64; i++)
		for (int k = 0; k < 64; k++)
			assert_int_equal(a[i] >> k & 1, b[k] >> i & 1);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(kernels_are_what_they_say),
		cmocka_unit_test(all_legal_is_uniform),
		cmocka_unit_test(sparse_subsets_are_uniform),
		cmocka_unit_test(lanes_of_every_size),
		cmocka_unit_test(nothing_legal),
		cmocka_unit_test(choices_are_independent),
		cmocka_unit_test(same_seed_same_choice),
		cmocka_unit_test(halved_moves_grow_rare),
		cmocka_unit_test(portable_kernels_choose_alike),
		cmocka_unit_test(states_move_in_and_on),
		cmocka_unit_test(squares_are_turned_over),
	};
	return RUN(cases);
}
