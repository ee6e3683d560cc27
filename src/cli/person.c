/* Lists moves for a person, and finds the move that a typed line means. */
#include "cli/person.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void person_moves(const char *const *moves, uint32_t count, const char *part)
{
	VEC(const char *) cells = {0};
	struct text out = {0};
	for (uint32_t i = 0; i < count; i++) {
		struct text cell = {0};
		if (part && !strcasestr(moves[i], part))
			continue;
		text_printf(&cell, "%3u %s", i + 1, moves[i]);
		vec_push(&cells, cell.at);
	}
	screen_columns_of(cells.at, cells.n, 1, screen_columns(), &out);
	fputs(text_str(&out), stdout);
	if (part && !cells.n)
		printf("  No move contains %s.\n", part);
	for (size_t i = 0; i < cells.n; i++)
		mem_free(unconst(cells.at[i]));
	vec_free(&cells);
	text_free(&out);
}

/* "  That may be (mark 1 1), (mark 1 2), …" */
static void tell_fits(const char *const *moves, const struct move_fits *fits)
{
	enum { SHOWN = 8 };
	struct text line = {0}, out = {0};
	text_puts(&line, "That may be ");
	for (size_t i = 0; i < fits->n && i < SHOWN; i++)
		text_printf(&line, "%s%s", i ? ", " : "", moves[fits->at[i]]);
	text_puts(&line, fits->n > SHOWN ? ", …" : "");
	text_puts(&out, "  ");
	screen_wrap(text_str(&line), line.n, 2, 2, screen_columns(), &out);
	fputs(text_str(&out), stdout);
	text_free(&line);
	text_free(&out);
}

uint32_t person_understand(const char *const *moves, uint32_t count, const char *line)
{
	struct move_fits fits = {0};
	char *end;
	long number = strtol(line, &end, 10);
	if (end != line && !end[strspn(end, " \t")] && number >= 1 && number <= (long)count)
		return (uint32_t)number - 1;
	move_text_find(moves, count, line, &fits);
	uint32_t found = fits.n == 1 ? fits.at[0] : PERSON_NONE;
	if (fits.n > 1)
		tell_fits(moves, &fits);
	else if (!fits.n)
		puts("  That is no legal move here. `moves` lists them, `help` says what may be typed.");
	vec_free(&fits);
	return found;
}

bool person_is_move(const char *const *moves, uint32_t count, const char *line)
{
	struct move_fits fits = {0};
	bool whole = move_text_find(moves, count, line, &fits) && fits.n == 1;
	vec_free(&fits);
	return whole;
}
