/* Interned names: one table from bytes to numbers, texts in an arena. */
#include "base/sym.h"

#include <string.h>

sym_t sym_find(const struct symbols *s, const char *text, size_t length)
{
	uint64_t h = hash_bytes(text, length);
	uint32_t it, id;
	for (table_start(&s->index, h, &it); (id = table_next(&s->index, h, &it)) != TABLE_NONE;)
		if (s->all.at[id].length == length && !memcmp(s->all.at[id].text, text, length))
			return id;
	return SYM_NONE;
}

sym_t sym_put(struct symbols *s, const char *text, size_t length)
{
	sym_t id = sym_find(s, text, length);
	if (id != SYM_NONE)
		return id;
	id = (sym_t)s->all.n;
	struct sym_entry e = {arena_text(&s->text, text, length), (uint32_t)length};
	vec_reserve(&s->all, s->all.n + 1);
	table_add(&s->index, hash_bytes(text, length),
	          id); /* the last step that can fail: an index has no ids without text */
	vec_push(&s->all, e);
	return id;
}

void sym_free(struct symbols *s)
{
	arena_free(&s->text);
	table_free(&s->index);
	vec_free(&s->all);
}
