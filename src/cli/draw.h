/* Positions and steps as commands show them on the terminal. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "macaw/drawing.h"
#include "show/terminal.h"

/* What is drawn; all but the position may be NULL. */
struct draw_scene {
	const uint64_t *position; /* of what is known: fluents that hold for certain */
	const uint64_t *possible; /* of what is known: fluents that may hold */
	const uint64_t *before;   /* the position before the last move, */
	const uint32_t *last;     /* and that joint move, which are marked */
};

/* As wide as the terminal, in its colours. */
void draw_position(macaw_drawing *d, const struct draw_scene *scene, struct text *out);

/* "step 3: x (mark 1 1), o noop", in lines that fit. */
void draw_step(const macaw_game *g, uint32_t step, const uint32_t *joint, struct text *out);

/* "  x: mean 56.7 in 152 visits", in lines that fit. */
void draw_remark(const char *who, const char *what, struct text *out);

#endif
