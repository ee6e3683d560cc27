#include "test.h"

#include "base/mem.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void zeroed_aligned_resized(void **state)
{
	int *z = NEW_ARRAY(int, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(z[i], 0);
	z[999] = 5;
	z = mem_resize(z, 100000, sizeof *z);
	assert_int_equal(z[999], 5);
	mem_free(z);

	for (size_t n = 1; n < 300; n += 7) {
		unsigned char *a = mem_align(n, 3);
		assert_int_equal((uintptr_t)a % 64, 0);
		for (size_t i = 0; i < 3 * n; i++)
			assert_int_equal(a[i], 0);
		mem_free(a);
	}
}

static void nothing_is_something(void **state)
{
	void *p[] = {mem_alloc(0, 8), mem_zalloc(8, 0), mem_align(0, 0), mem_resize(NULL, 0, 0)};
	for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
		assert_non_null(p[i]);
		mem_free(p[i]);
	}
	mem_free(NULL);
}

/* How a child that calls `f` ends; its message goes nowhere. */
static int exit_of(void (*f)(void))
{
	fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(99);
		f();
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Under AddressSanitizer a hopeless request shall return NULL, as malloc does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static volatile size_t huge = SIZE_MAX / 4;

static void ask_overflow(void)
{
	mem_free(mem_alloc(huge, 8));
}

static void ask_overflow_zeroed(void)
{
	mem_free(mem_zalloc(huge, 8));
}

static void ask_overflow_resize(void)
{
	mem_free(mem_resize(NULL, huge, 8));
}

static void ask_too_much(void)
{
	mem_free(mem_alloc(huge, 1));
}

static void overflow_and_exhaustion_end_with_3(void **state)
{
	assert_int_equal(exit_of(ask_overflow), 3);
	assert_int_equal(exit_of(ask_overflow_zeroed), 3);
	assert_int_equal(exit_of(ask_overflow_resize), 3);
	assert_int_equal(exit_of(ask_too_much), 3);
}

static void the_machine_has_memory_and_we_use_some(void **state)
{
	assert_true(mem_physical() > (size_t)16 << 20);
	size_t before = mem_resident(), size = (size_t)32 << 20;
	char *p = mem_alloc(1, size);
	memset(p, 1, size);
	__asm__ volatile("" ::"r"(p) : "memory"); /* the writes must happen */
	assert_true(mem_resident() >= before + size / 2);
	mem_free(p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(zeroed_aligned_resized),
		cmocka_unit_test(nothing_is_something),
		cmocka_unit_test(overflow_and_exhaustion_end_with_3),
		cmocka_unit_test(the_machine_has_memory_and_we_use_some),
	};
	return RUN(cases);
}
