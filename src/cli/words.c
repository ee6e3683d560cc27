/* Splits "a,b,c". */
#include "cli/words.h"

#include <stdio.h>
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

void words_of(struct words *w, const struct opt_list *texts)
{
	struct text all = {0};
	for (size_t i = 0; i < texts->n; i++)
		text_printf(&all, "%s%s", i ? "," : "", texts->at[i]);
	words_split(w, text_str(&all));
	text_free(&all);
}

void words_free(struct words *w)
{
	vec_free(&w->list);
	mem_free(w->copy);
}

const char *listen_address(const char *word, char *room, size_t size)
{
	if (!*word || word[strspn(word, "0123456789")])
		return word;
	snprintf(room, size, "127.0.0.1:%s", word);
	return room;
}
