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

/* MACAW_TEST_ONLY in the environment: only the cases whose names fit the pattern, with * for anything. */
#define RUN(cases) (cmocka_set_test_filter(getenv("MACAW_TEST_ONLY")), cmocka_run_group_tests(cases, NULL, NULL))

#endif
