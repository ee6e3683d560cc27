/* The propagation loop for processors with 256-bit integer vectors. */
#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC target("avx2,bmi,bmi2,popcnt,lzcnt") /* has_vectors in network.c asks for these */
#endif
#include "csp/globals/globals_internal.h"

#define HOT(name) name##_avx2
#include "csp/core/propagate.inc"
