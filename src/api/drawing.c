/* Positions as boards for others. */
#include "api/api_internal.h"
#include "macaw/drawing.h"
#include "show/board.h"

#include <stdlib.h>

struct macaw_drawing {
	struct handle handle;
	struct board *board;
};

macaw_drawing *macaw_drawing_new(macaw_game *g, macaw_error *e)
{
	macaw_drawing *d = calloc(1, sizeof *d);
	if (!d || !handle_open(&d->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(d);
		return NULL;
	}
	GUARD(&d->handle, e, (macaw_drawing_free(d), NULL), d->board = board_make(api_game(g)));
	return d;
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

char *macaw_drawing_text(macaw_drawing *d, const uint64_t *position)
{
	struct text out = {0};
	GUARD(&d->handle, NULL, NULL, board_draw(d->board, position, &out));
	return api_give(&out);
}
