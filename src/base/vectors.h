/* Functions that are compiled twice, for processors with AVX2 (and so with popcnt) and for all others, and chosen when
 * the program is loaded. Results are the same: no instructions that round otherwise are among these. */
#ifndef BASE_VECTORS_H
#define BASE_VECTORS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
	!defined(__SANITIZE_ADDRESS__)
#define VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define VECTOR_CLONES
#endif

#endif
