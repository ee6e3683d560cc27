/* Moves for a person to choose from, four per line, and the choice. */
#include "cli/person.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_LINE = 4, SHOWN = 8 /* moves that begin as the person wrote */ };

void person_moves(const char *const *texts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		printf("%4u  %s%c", i + 1, texts[i], (i + 1) % PER_LINE && i + 1 < count ? '\t' : '\n');
}

/* Letters and digits only, one space between words: "(mark 1 2)" is "mark 1 2". */
static void plain(const char *from, struct text *to)
{
	to->n = 0;
	for (; *from; from++)
		if (isspace((unsigned char)*from) || strchr("(),", *from)) {
			if (to->n && to->at[to->n - 1] != ' ')
				text_putc(to, ' ');
		} else {
			text_putc(to, (char)tolower((unsigned char)*from));
		}
	while (to->n && to->at[to->n - 1] == ' ')
		to->at[--to->n] = 0;
}

static uint32_t find_number(const char *line, uint32_t count)
{
	char *end;
	long number = strtol(line, &end, 10);
	bool alone = end != line && !end[strspn(end, " \t")];
	return alone && number >= 1 && number <= (long)count ? (uint32_t)(number - 1) : PERSON_NONE;
}

static uint32_t find_whole(const char *const *texts, uint32_t count, const struct text *wanted)
{
	struct text move = {0};
	uint32_t found = PERSON_NONE;
	for (uint32_t i = 0; i < count && found == PERSON_NONE; i++) {
		plain(texts[i], &move);
		if (!strcmp(text_str(&move), text_str(wanted)))
			found = i;
	}
	text_free(&move);
	return found;
}

/* The only move that begins so; several, and the one, are shown. */
static uint32_t find_beginning(const char *const *texts, uint32_t count, const struct text *wanted)
{
	struct text move = {0};
	uint32_t fits = 0, last = PERSON_NONE;
	for (uint32_t i = 0; i < count; i++) {
		plain(texts[i], &move);
		if (strncmp(text_str(&move), text_str(wanted), wanted->n))
			continue;
		last = i;
		if (fits++ < SHOWN)
			printf("%s%s", fits == 1 ? "  " : ", ", texts[i]);
	}
	if (fits)
		puts(fits > SHOWN ? ", …" : "");
	else
		puts("  That is no legal move here. A number, a move or its beginning; `moves` lists them.");
	text_free(&move);
	return fits == 1 ? last : PERSON_NONE;
}

uint32_t person_understand(const char *const *texts, uint32_t count, const char *line)
{
	struct text wanted = {0};
	plain(line, &wanted);
	if (!wanted.n)
		count = 0;
	uint32_t found = find_number(line, count);
	if (found == PERSON_NONE)
		found = find_whole(texts, count, &wanted);
	if (found == PERSON_NONE)
		found = find_beginning(texts, count, &wanted);
	text_free(&wanted);
	return found;
}
