/* Chunks that grow; an allocation never moves and is freed with all the others. */
#include "base/arena.h"

#include "base/mem.h"

#include <stdalign.h>
#include <string.h>

struct arena_block {
	struct arena_block *older;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->blocks;
	if (size > PTRDIFF_MAX)
		mem_fail();
	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!b || b->size - b->used < size) {
		size_t room = b ? b->size * 2 : 4096;
		if (room > (size_t)1 << 24)
			room = (size_t)1 << 24;
		if (room < size)
			room = size;
		b = mem_beside(a->blocks, 1, sizeof *b + room);
		*b = (struct arena_block){.older = a->blocks, .size = room};
		a->blocks = b;
		a->total += sizeof *b + room;
	}
	void *p = b->bytes + b->used;
	b->used += size;
	return p;
}

void *arena_copy(struct arena *a, const void *from, size_t size)
{
	void *p = arena_alloc(a, size);
	if (size)
		memcpy(p, from, size);
	return p;
}

char *arena_text(struct arena *a, const char *from, size_t length)
{
	char *p = arena_alloc(a, length + 1);
	if (length)
		memcpy(p, from, length);
	p[length] = 0;
	return p;
}

void arena_free(struct arena *a)
{
	for (struct arena_block *b = a->blocks, *older; b; b = older) {
		older = b->older;
		mem_free(b);
	}
	*a = (struct arena){0};
}
