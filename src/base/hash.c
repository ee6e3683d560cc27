/* The open-addressing table and the mixing functions of hash.h. */
#include "base/hash.h"

#include "base/mem.h"

#include <string.h>

uint64_t hash_bytes(const void *p, size_t n)
{
	const unsigned char *c = p;
	uint64_t h = n, w;
	for (; n >= 8; n -= 8, c += 8) {
		memcpy(&w, c, 8);
		h = hash_join(h, w);
	}
	w = 0;
	if (n)
		memcpy(&w, c, n);
	return hash_join(h, w);
}

uint64_t hash_words(const uint32_t *p, size_t n)
{
	uint64_t h = n;
	for (; n >= 2; n -= 2, p += 2)
		h = hash_join(h, p[0] | (uint64_t)p[1] << 32);
	return n ? hash_join(h, p[0]) : h;
}

static void put(struct table *t, uint32_t tag, uint32_t id)
{
	uint32_t at = tag & t->mask;
	while (t->slot[at].id != TABLE_NONE)
		at = (at + 1) & t->mask;
	t->slot[at] = (struct table_slot){tag, id};
}

static void grow(struct table *t)
{
	struct table_slot *old = t->slot;
	size_t size = old ? (size_t)t->mask + 1 : 0, more = size ? size * 2 : 16;
	t->slot = mem_beside(old, more, sizeof *t->slot);
	t->mask = (uint32_t)(more - 1);
	memset(t->slot, 0xff, more * sizeof *t->slot);
	for (size_t i = 0; i < size; i++)
		if (old[i].id != TABLE_NONE)
			put(t, old[i].tag, old[i].id);
	mem_free(old);
}

void table_add(struct table *t, uint64_t hash, uint32_t id)
{
	if (!t->slot || t->n >= t->mask / 4 * 3)
		grow(t);
	put(t, (uint32_t)(hash >> 32), id);
	t->n++;
}

void table_clear(struct table *t)
{
	if (t->slot)
		memset(t->slot, 0xff, ((size_t)t->mask + 1) * sizeof *t->slot);
	t->n = 0;
}

void table_free(struct table *t)
{
	mem_free(t->slot);
	*t = (struct table){0};
}
