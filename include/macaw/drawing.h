/* Positions as boards: fluents that say what is where become grids; the others are listed. Found from the rules, whatever the
 * fluents are called. Data for whoever draws (a page, a picture), and text for a terminal. */
#ifndef MACAW_DRAWING_H
#define MACAW_DRAWING_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_drawing macaw_drawing;

MACAW_API macaw_drawing *macaw_drawing_new(macaw_game *g, macaw_error *e);
MACAW_API void macaw_drawing_free(macaw_drawing *d);

/* One board as it stands. Arrays and texts belong to the drawing and last until its next call. */
typedef struct macaw_board {
	const char *name; /* of the fluents */
	uint32_t columns, rows;
	const char *const *column_names; /* left to right */
	const char *const *row_names;    /* bottom to top */
	/* By row from the bottom, then column: what is there ("x"); "" for an empty square, "*" for several things at once
	 * (macaw_drawing_rest lists them), NULL where there is no square. */
	const char *const *cells;
	const uint32_t *fluents; /* likewise: the fluent that says so; MACAW_NONE: none or several */
} macaw_board;

/* Looks at a position; returns the number of boards, then to be asked for one by one. MACAW_NONE: out of memory. */
MACAW_API uint32_t macaw_drawing_look(macaw_drawing *d, const uint64_t *position);
MACAW_API macaw_board macaw_drawing_board(macaw_drawing *d, uint32_t board); /* all-zero: no such board */
/* Fluents that hold and are on no board, or not alone on their square; ascending by number. `count` may be NULL. */
MACAW_API const uint32_t *macaw_drawing_rest(macaw_drawing *d, size_t *count);

/* The whole as text for a terminal. NULL: out of memory. */
MACAW_API char *macaw_drawing_text(macaw_drawing *d, const uint64_t *position);
/* Squares with one letter per class: by fluent, the smallest number that label[] gives the fluents of a square. NULL: no board. */
MACAW_API char *macaw_drawing_classes(macaw_drawing *d, const uint32_t *label);

#ifdef __cplusplus
}
#endif

#endif
