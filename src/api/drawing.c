/* Positions as boards, for others: the boards of show/board.h in a handle. */
#include "api/api_internal.h"
#include "macaw/drawing.h"
#include "show/board.h"

#include <stdlib.h>

struct macaw_drawing {
	struct handle handle;
	struct board *board;
	uint32_t boards; /* of the last look */
};

macaw_drawing *macaw_drawing_new(macaw_game *g, macaw_error *e)
{
	macaw_drawing *d = calloc(1, sizeof *d);
	if (!d || !handle_open(&d->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(d);
		return NULL;
	}
	bool made;
	MEM_TRY(made, d->handle.scope, d->board = board_make(api_game(g)));
	if (made)
		return d;
	handle_break(&d->handle, e);
	macaw_drawing_free(d);
	return NULL;
}

void macaw_drawing_free(macaw_drawing *d)
{
	if (!d)
		return;
	if (!d->handle.broken)
		board_free(d->board);
	handle_close(&d->handle);
	free(d);
}

uint32_t macaw_drawing_look(macaw_drawing *d, const uint64_t *position)
{
	d->boards = 0;
	GUARD(&d->handle, NULL, MACAW_NONE, d->boards = board_look(d->board, position));
	return d->boards;
}

macaw_board macaw_drawing_board(macaw_drawing *d, uint32_t board)
{
	if (board >= d->boards)
		return (macaw_board){0};
	const struct board_grid *g = board_grid(d->board, board);
	return (macaw_board){
		.name = g->name,
		.columns = g->columns,
		.rows = g->rows,
		.column_names = g->column_names,
		.row_names = g->row_names,
		.cells = g->cells,
		.fluents = g->fluents,
	};
}

const uint32_t *macaw_drawing_rest(macaw_drawing *d, size_t *count)
{
	size_t n;
	return board_rest(d->board, count ? count : &n);
}

char *macaw_drawing_text(macaw_drawing *d, const uint64_t *position)
{
	struct text t = {0};
	GUARD(&d->handle, NULL, NULL, board_draw(d->board, position, &t));
	return api_give(&t);
}

char *macaw_drawing_classes(macaw_drawing *d, const uint32_t *label)
{
	struct text t = {0};
	bool any;
	GUARD(&d->handle, NULL, NULL, any = board_draw_classes(d->board, label, &t));
	char *text = any ? api_give(&t) : NULL;
	text_free(&t);
	return text;
}
