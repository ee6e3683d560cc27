/* A typed growable array, the default container:
 *
 *     VEC(int) v = {0};
 *     vec_push(&v, 7);
 *     for (size_t i = 0; i < v.n; i++) use(v.at[i]);
 *     vec_free(&v);
 *
 * An all-zero VEC is empty and ready. Elements move when it grows: keep indices,
 * not pointers. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/check.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define VEC(...) \
	struct { \
		__VA_ARGS__ *at; \
		size_t n, cap; \
	}

#define vec_reserve(v, want) \
	do { \
		if ((v)->cap < (size_t)(want)) { \
			size_t cap_ = (v)->cap * 2 > (size_t)(want) ? (v)->cap * 2 : (size_t)(want); \
			cap_ = cap_ < 8 ? 8 : cap_; \
			(v)->at = mem_resize((v)->at, cap_, sizeof *(v)->at); \
			(v)->cap = cap_; \
		} \
	} while (0)

#define vec_push(v, ...) \
	do { \
		vec_reserve(v, (v)->n + 1); \
		(v)->at[(v)->n++] = (__VA_ARGS__); \
	} while (0)

/* Make room for k more elements, uninitialised, and count them in. */
#define vec_extend(v, k) \
	do { \
		vec_reserve(v, (v)->n + (size_t)(k)); \
		(v)->n += (size_t)(k); \
	} while (0)

/* The first k of an array (of nothing, when it is NULL) in the place of what was there. */
#define vec_set(v, from, k) \
	do { \
		const void *from_ = (from); \
		size_t k_ = from_ ? (size_t)(k) : 0; \
		vec_clear(v); \
		vec_extend(v, k_); \
		if (k_) \
			memcpy((v)->at, from_, k_ * sizeof *(v)->at); \
	} while (0)

/* Of what is not empty. */
#define vec_pop(v) ((v)->at[(v)->n = vec_top((v)->n)])
#define vec_last(v) ((v)->at[vec_top((v)->n)])
#define vec_clear(v) ((void)((v)->n = 0))
#define vec_free(v) (mem_free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

static inline size_t vec_top(size_t n)
{
	assert(n);
	return n - 1;
}

/* Ascending; of none too, where `at` may be NULL. */
static inline int sort_numbers_order(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static inline void sort_numbers(uint32_t *at, size_t n)
{
	if (n > 1)
		qsort(at, n, sizeof *at, sort_numbers_order);
}

#endif
