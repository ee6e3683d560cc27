/* What every test program includes first: cmocka, with the headers it wants. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* Skips the case and says why: `scripts/test` repeats the line in its summary. */
#define SKIP(why) \
	do { \
		printf("skipped: %s: %s\n", __func__, why); \
		skip(); \
	} while (0)

/* True in the run under sanitizers: a small sample of a long test is enough. */
static inline bool test_sample(void)
{
	const char *s = getenv("MACAW_TEST_SAMPLE");
	return s && *s == '1';
}

static inline void test_write_file(const char *path, const char *text, size_t length)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, length, f), length);
	assert_int_equal(fclose(f), 0);
}

/* An array that the block it stands in owns, zeroed: what a game decides the size of is not put on the stack. */
#define SCRATCH(type, name, n) type *name __attribute__((cleanup(scratch_free))) = calloc((size_t)(n) + 1, sizeof(type))

static inline void scratch_free(void *p)
{
	free(*(void **)p);
}

/* MACAW_TEST_ONLY in the environment: only the cases whose names fit the pattern, with * for anything. */
#define RUN_IN(cases, set_up, tear_down) \
	(cmocka_set_test_filter(getenv("MACAW_TEST_ONLY")), cmocka_run_group_tests(cases, set_up, tear_down))
#define RUN(cases) RUN_IN(cases, NULL, NULL)

#endif
