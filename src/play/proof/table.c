/* The table of the proof search: buckets of three entries, one line of the cache each. What took the most work stays
 * longest; work for earlier roots counts less. */
#include "play/proof/proof_internal.h"

_Static_assert(sizeof(struct proof_bucket) == 64, "one line of the cache");

void proof_table_make(struct proof_table *t, size_t bytes)
{
	size_t n = 64;
	while (n * 2 * sizeof *t->buckets <= bytes)
		n *= 2;
	/* pages that are never touched cost nothing, and mem_align() would touch them all */
	t->memory = mem_zalloc(n + 1, sizeof *t->buckets);
	t->buckets = (struct proof_bucket *)(((uintptr_t)t->memory + 63) & ~(uintptr_t)63);
	t->mask = n - 1;
}

void proof_table_free(struct proof_table *t)
{
	mem_free(t->memory);
}

struct proof_entry *proof_table_find(const struct proof_table *t, uint64_t key, uint64_t check)
{
	struct proof_bucket *b = &t->buckets[key & t->mask];
	for (uint32_t i = 0; i < BUCKET; i++)
		if (b->entries[i].check == check)
			return &b->entries[i];
	return NULL;
}

/* An empty entry has no check, and no position has 0 there. */
static int worth(const struct proof_table *t, const struct proof_entry *e)
{
	return e->check ? e->work - 12 * ((t->age - e->age) & 3) : -1000;
}

struct proof_entry *proof_table_place(struct proof_table *t, uint64_t key)
{
	struct proof_bucket *b = &t->buckets[key & t->mask];
	struct proof_entry *least = b->entries;
	for (uint32_t i = 1; i < BUCKET; i++)
		if (worth(t, &b->entries[i]) < worth(t, least))
			least = &b->entries[i];
	return least;
}
