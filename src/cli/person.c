#include "cli/person.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void person_moves(const struct game *g, const uint32_t *legal, uint32_t legal_count)
{
	struct text out = {0};
	for (uint32_t i = 0; i < legal_count; i++) {
		text_printf(&out, "%4u  ", i + 1);
		game_print_move(g, legal[i], &out);
		text_putc(&out, (i + 1) % 4 && i + 1 < legal_count ? '\t' : '\n');
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

uint32_t person_understand(const struct game *g, const uint32_t *legal, uint32_t legal_count, const char *line)
{
	struct text wanted = {0}, move = {0}, word = {0};
	uint32_t found = GAME_NONE, fits = 0;
	char *end;
	long number = strtol(line, &end, 10);
	plain(line, &wanted);
	if (end != line && !end[strspn(end, " \t")] && number >= 1 && number <= (long)legal_count) {
		found = legal[number - 1];
		fits = 1;
	}
	for (uint32_t i = 0; i < legal_count && found == GAME_NONE && wanted.n; i++) {
		word.n = 0;
		game_print_move(g, legal[i], &word);
		plain(text_str(&word), &move);
		if (!strcmp(text_str(&move), text_str(&wanted)))
			found = legal[i];
	}
	uint32_t only = GAME_NONE;
	for (uint32_t i = 0; i < legal_count && found == GAME_NONE && wanted.n; i++) {
		word.n = 0;
		game_print_move(g, legal[i], &word);
		plain(text_str(&word), &move);
		if (!strncmp(text_str(&move), text_str(&wanted), wanted.n)) {
			only = legal[i];
			if (fits++ < 8)
				printf("%s%s", fits == 1 ? "  " : ", ", text_str(&word));
		}
	}
	if (fits && found == GAME_NONE)
		puts(fits > 8 ? ", …" : "");
	if (found == GAME_NONE && fits == 1)
		found = only;
	if (found == GAME_NONE && !fits)
		puts("  That is no legal move here. A number, a move or its beginning; `moves` lists them.");
	text_free(&wanted);
	text_free(&move);
	text_free(&word);
	return found;
}
