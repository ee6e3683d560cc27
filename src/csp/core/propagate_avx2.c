/* The propagation loop for processors with 256-bit integer vectors. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) /* which would compile the portable loop twice */
#pragma GCC target("avx2,bmi,bmi2,popcnt,lzcnt")                    /* processor_vectors() asks for these */
#endif
#include "csp/globals/globals_internal.h"

#define HOT(name) name##_avx2
#include "csp/core/propagate.inc"
