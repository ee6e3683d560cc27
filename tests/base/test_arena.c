#include "test.h"

#include "base/arena.h"

#include <stdalign.h>
#include <string.h>

static void pieces_are_apart_and_aligned(void **state)
{
	struct arena a = {0};
	unsigned char *piece[500];
	for (size_t i = 0; i < 500; i++) {
		piece[i] = arena_alloc(&a, i);
		assert_int_equal((uintptr_t)piece[i] % alignof(max_align_t), 0);
		memset(piece[i], (int)(i & 255), i);
	}
	for (size_t i = 0; i < 500; i++)
		for (size_t k = 0; k < i; k++)
			assert_int_equal(piece[i][k], i & 255);
	assert_true(a.total >= 500 * 499 / 2);
	arena_free(&a);
	assert_int_equal(a.total, 0);
}

static void one_piece_larger_than_any_block(void **state)
{
	struct arena a = {0};
	size_t size = (size_t)40 << 20;
	char *small = arena_text(&a, "small", 5), *large = arena_alloc(&a, size);
	large[0] = large[size - 1] = 1;
	assert_string_equal(small, "small");
	arena_free(&a);
}

static void copies_and_texts(void **state)
{
	struct arena a = {0};
	int numbers[] = {1, 2, 3};
	int *copy = arena_copy(&a, numbers, sizeof numbers);
	numbers[1] = 9;
	assert_int_equal(copy[1], 2);
	assert_string_equal(arena_text(&a, "macaw and more", 5), "macaw");
	assert_string_equal(arena_text(&a, NULL, 0), "");
	assert_non_null(arena_copy(&a, NULL, 0));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(pieces_are_apart_and_aligned),
		cmocka_unit_test(one_piece_larger_than_any_block),
		cmocka_unit_test(copies_and_texts),
	};
	return RUN(cases);
}
