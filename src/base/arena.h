/* Many small things that die together. Blocks double in size; nothing moves. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t total;               /* bytes held from the heap */
};

void *arena_alloc(struct arena *a, size_t size); /* aligned for any type, uninitialised */
void *arena_copy(struct arena *a, const void *from, size_t size);
char *arena_text(struct arena *a, const char *from, size_t length); /* adds the final NUL */
void arena_free(struct arena *a);

#endif
