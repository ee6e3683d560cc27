/* Hashing, and a hash index over things the caller stores.
 *
 * A `struct table` maps a hash to small numbers (indices into the caller's own
 * array); the caller says when two things are equal. One table serves as set,
 * map and interner:
 *
 *     uint32_t it = 0, id;
 *     for (table_start(&t, h, &it); (id = table_next(&t, h, &it)) != TABLE_NONE;)
 *         if (same(things[id], wanted)) return id;
 *     table_add(&t, h, new_id);
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Finaliser of a strong 64-bit mixer: every input bit reaches every output bit. */
static inline uint64_t hash_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return x ^ (x >> 32);
}

static inline uint64_t hash_join(uint64_t h, uint64_t x)
{
	return hash_mix(h * 0x9e3779b97f4a7c15u + x + 0x7f4a7c15u);
}

uint64_t hash_bytes(const void *p, size_t n);
uint64_t hash_words(const uint32_t *p, size_t n);

#define TABLE_NONE UINT32_MAX

struct table {
	struct table_slot {
		uint32_t tag; /* high half of the hash; also says where it sits */
		uint32_t id;  /* TABLE_NONE: free */
	} * slot;
	uint32_t mask, n;
};

void table_add(struct table *t, uint64_t hash, uint32_t id); /* does not look for a twin */
void table_clear(struct table *t);                           /* empty, memory kept */
void table_free(struct table *t);

static inline void table_start(const struct table *t, uint64_t hash, uint32_t *it)
{
	*it = (uint32_t)(hash >> 32) & t->mask;
}

/* Fetches the slot where table_start() will begin. */
static inline void table_prefetch(const struct table *t, uint64_t hash)
{
	if (t->slot)
		__builtin_prefetch(&t->slot[(uint32_t)(hash >> 32) & t->mask]);
}

/* The next candidate with this hash, or TABLE_NONE. */
static inline uint32_t table_next(const struct table *t, uint64_t hash, uint32_t *it)
{
	if (!t->slot)
		return TABLE_NONE;
	for (;;) {
		const struct table_slot *s = &t->slot[*it];
		if (s->id == TABLE_NONE)
			return TABLE_NONE;
		*it = (*it + 1) & t->mask;
		if (s->tag == (uint32_t)(hash >> 32))
			return s->id;
	}
}

#endif
