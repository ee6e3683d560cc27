/* Bit sets as arrays of 64-bit words. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BITS_WORDS(n) (((size_t)(n) + 63) / 64)

static inline bool bits_has(const uint64_t *s, size_t i)
{
	return s[i >> 6] >> (i & 63) & 1;
}

static inline void bits_add(uint64_t *s, size_t i)
{
	s[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline void bits_drop(uint64_t *s, size_t i)
{
	s[i >> 6] &= ~(UINT64_C(1) << (i & 63));
}

static inline size_t bits_count(const uint64_t *s, size_t words)
{
	size_t n = 0;
	for (size_t i = 0; i < words; i++)
		n += (size_t)__builtin_popcountll(s[i]);
	return n;
}

/* The first member >= from, or `n` (the number of bits) when there is none. */
static inline size_t bits_next(const uint64_t *s, size_t n, size_t from)
{
	if (from >= n)
		return n;
	size_t w = from >> 6;
	uint64_t x = s[w] >> (from & 63) << (from & 63);
	while (!x) {
		if (++w >= BITS_WORDS(n))
			return n;
		x = s[w];
	}
	size_t i = w * 64 + (size_t)__builtin_ctzll(x);
	return i < n ? i : n;
}

#define BITS_EACH(i, s, n) for (size_t i = bits_next((s), (n), 0); i < (size_t)(n); i = bits_next((s), (n), i + 1))

#endif
