/* What the code holds of itself. `assert` costs nothing in a release, where it is off (-DNDEBUG); a look at a whole
 * structure, CHECK(circuit_check(c)), is made in the runs under sanitizers alone (-DMACAW_CHECKS). Neither is for what
 * a caller or a file may get wrong: that is an error, which is returned. */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef MACAW_CHECKS
#define CHECK(call) (call)
#else
#define CHECK(call) (0 ? (call) : (void)0)
#endif

/* A count as a 32-bit number. What is counted was bounded before it grew so large. */
static inline uint32_t narrow32(size_t n)
{
	assert(n <= UINT32_MAX);
	return (uint32_t)n;
}

#endif
