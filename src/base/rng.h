/* Random numbers: xoshiro256** (Blackman and Vigna 2018), seeded through
 * splitmix64. Every generator is a value the caller owns; there is no global one. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

static inline uint64_t rng_split(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static inline struct rng rng_seed(uint64_t seed)
{
	struct rng r;
	for (int i = 0; i < 4; i++)
		r.s[i] = rng_split(&seed);
	return r;
}

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, x = s[1] * 5, t = s[1] << 17;
	x = (x << 7 | x >> 57) * 9;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = s[3] << 45 | s[3] >> 19;
	return x;
}

/* Exactly uniform in [0, n), n > 0 (Lemire 2019). */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	uint64_t m = (rng_next(r) >> 32) * n;
	if ((uint32_t)m < n)
		for (uint32_t low = -n % n; (uint32_t)m < low;)
			m = (rng_next(r) >> 32) * n;
	return (uint32_t)(m >> 32);
}

/* Uniform in [0, 1). */
static inline double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

#endif
