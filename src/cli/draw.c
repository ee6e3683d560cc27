/* Boards, steps and remarks, cut to the width of the terminal. */
#include "cli/draw.h"

#include <string.h>

void draw_position(macaw_drawing *d, const struct draw_scene *scene, struct text *out)
{
	char *board = macaw_drawing_text(d, scene->position);
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
