/* Positions and steps as commands show them on the terminal. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "macaw/drawing.h"
#include "show/terminal.h"

/* Draws a position after the joint move `last` (NULL: none is marked), as wide as the terminal. */
void draw_position(macaw_drawing *d, const uint64_t *position, const uint32_t *last, struct text *out);

/* "step 3: x (mark 1 1), o noop", in lines that fit. */
void draw_step(const macaw_game *g, uint32_t step, const uint32_t *joint, struct text *out);

/* "  x: mean 56.7 in 152 visits", in lines that fit. */
void draw_remark(const char *who, const char *what, struct text *out);

#endif
