/* Splits "a,b,c". */
#include "cli/words.h"

#include <string.h>

void words_split(struct words *w, const char *text)
{
	size_t n = strlen(text) + 1;
	w->copy = memcpy(mem_alloc(n, 1), text, n);
	for (char *at = w->copy, *next; at; at = next) {
		next = strchr(at, ',');
		if (next)
			*next++ = 0;
		if (*at)
			vec_push(&w->list, at);
	}
}

void words_free(struct words *w)
{
	vec_free(&w->list);
	mem_free(w->copy);
}
