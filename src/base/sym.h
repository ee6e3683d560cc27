/* Interned symbols: equal text, equal number. Numbers are dense, from 0 in order
 * of first appearance, and text never moves. */
#ifndef BASE_SYM_H
#define BASE_SYM_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/vec.h"

typedef uint32_t sym_t;
#define SYM_NONE UINT32_MAX

struct symbols {
	struct arena text;
	struct table index;
	VEC(struct sym_entry {
		const char *text;
		uint32_t length;
	}) all;
};

sym_t sym_put(struct symbols *s, const char *text, size_t length);
sym_t sym_find(const struct symbols *s, const char *text, size_t length); /* SYM_NONE: unknown */
void sym_free(struct symbols *s);

static inline const char *sym_text(const struct symbols *s, sym_t id)
{
	return s->all.at[id].text;
}

#endif
