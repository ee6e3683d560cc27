/* Asked once: the answers do not change while the program runs. */
#include "base/processor.h"

#include <stdatomic.h>
#include <stdlib.h>

#if defined(__x86_64__) && defined(__clang__)
#include <cpuid.h>
#endif

#if defined(__x86_64__)
/* Clang does not know lzcnt by name: it is bit 5 of ecx in leaf 0x80000001. Without it the same bytes are another
 * instruction, which counts differently. */
static bool has_lzcnt(void)
{
#if defined(__clang__)
	unsigned a, b, c = 0, d;
	return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c >> 5 & 1);
#else
	return __builtin_cpu_supports("lzcnt");
#endif
}
#endif

enum { UNKNOWN, NOTHING, VECTORS, WIDE_VECTORS };

static int look(void)
{
	const char *plain = getenv("MACAW_PLAIN");
	if (plain && *plain && *plain != '0')
		return NOTHING;
#if defined(__x86_64__)
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
	    !__builtin_cpu_supports("popcnt") || !has_lzcnt())
		return NOTHING;
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") ? WIDE_VECTORS : VECTORS;
#else
	return NOTHING;
#endif
}

static int level(void)
{
	static atomic_int known = UNKNOWN;
	int found = atomic_load_explicit(&known, memory_order_relaxed);
	if (found == UNKNOWN) {
		found = look();
		atomic_store_explicit(&known, found, memory_order_relaxed);
	}
	return found;
}

bool processor_vectors(void)
{
	return level() >= VECTORS;
}

bool processor_wide_vectors(void)
{
	return level() >= WIDE_VECTORS;
}
