/* Lists moves for a person, and finds the move that a typed line means. */
#include "cli/person.h"

#include "show/terminal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void person_moves(const char *const *moves, uint32_t count)
{
	struct text out = {0};
	for (uint32_t i = 0; i < count; i++) {
		text_printf(&out, "%4u  %s", i + 1, moves[i]);
		text_putc(&out, (i + 1) % 4 && i + 1 < count ? '\t' : '\n');
	}
	fputs(text_str(&out), stdout);
	text_free(&out);
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

/* The move that the line is, word for word. */
static uint32_t find_whole(const char *const *moves, uint32_t count, const struct text *wanted)
{
	struct text move = {0};
	uint32_t found = PERSON_NONE;
	for (uint32_t i = 0; i < count && found == PERSON_NONE && wanted->n; i++) {
		plain(moves[i], &move);
		if (!strcmp(text_str(&move), text_str(wanted)))
			found = i;
	}
	text_free(&move);
	return found;
}

/* The only move that begins so; lists them when there are several. */
static uint32_t find_beginning(const char *const *moves, uint32_t count, const struct text *wanted)
{
	enum { SHOWN = 8 };
	struct text move = {0};
	uint32_t only = PERSON_NONE, fits = 0;
	for (uint32_t i = 0; i < count && wanted->n; i++) {
		plain(moves[i], &move);
		if (strncmp(text_str(&move), text_str(wanted), wanted->n))
			continue;
		only = i;
		if (fits++ < SHOWN)
			printf("%s%s", fits == 1 ? "  " : ", ", moves[i]);
	}
	if (fits)
		puts(fits > SHOWN ? ", …" : "");
	else
		puts("  That is no legal move here. Type a number, a move or its beginning; `moves` lists them.");
	text_free(&move);
	return fits == 1 ? only : PERSON_NONE;
}

uint32_t person_understand(const char *const *moves, uint32_t count, const char *line)
{
	struct text wanted = {0};
	char *end;
	long number = strtol(line, &end, 10);
	if (end != line && !end[strspn(end, " \t")] && number >= 1 && number <= (long)count)
		return (uint32_t)number - 1;
	plain(line, &wanted);
	uint32_t found = find_whole(moves, count, &wanted);
	if (found == PERSON_NONE)
		found = find_beginning(moves, count, &wanted);
	text_free(&wanted);
	return found;
}
