/* Boards, steps and remarks, cut to the width of the terminal. */
#include "cli/draw.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_colour(const struct draw_options *o)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
	if (o->colour)
		return o->colour == 1;
	return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb");
}

static bool has_unicode(void)
{
	return isatty(STDOUT_FILENO) && !strcmp(nl_langinfo(CODESET), "UTF-8");
}

void draw_position(macaw_drawing *d, const struct draw_options *o, const macaw_sight *sight, struct text *out)
{
	macaw_text_options how = {.width = (uint32_t)screen_columns(), .colour = has_colour(o), .unicode = has_unicode()};
	char *board = macaw_drawing_print(d, sight, &how);
	text_puts(out, board ? board : "");
	macaw_free(board);
}

void draw_step(const macaw_game *g, uint32_t step, const uint32_t *joint, struct text *out)
{
	struct text line = {0};
	text_printf(&line, "step %u:", step);
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		text_printf(&line, "%s %s %s", r ? "," : "", macaw_game_role(g, r), macaw_game_move(g, joint[r]));
	screen_wrap(text_str(&line), line.n, 2, 0, screen_columns(), out);
	text_free(&line);
}

void draw_remark(const char *who, const char *what, struct text *out)
{
	struct text line = {0};
	text_printf(&line, "%s: %s", who, what);
	text_puts(out, "  ");
	screen_wrap(text_str(&line), line.n, 4, 2, screen_columns(), out);
	text_free(&line);
}
