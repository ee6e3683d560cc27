/* Positions and steps as commands show them on the terminal. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "macaw/drawing.h"
#include "show/terminal.h"

/* A field of this type in the options of a command, and DRAW_OPTIONS in its table. */
struct draw_options {
	int colour; /* auto, always, never */
};

#define DRAW_OPTIONS(type, field) \
	{ \
		"color", 0, OPT_CHOICE, offsetof(type, field.colour), "WHEN", \
			"colours; auto: on a terminal, unless $NO_COLOR is set", .choices = "auto|always|never" \
	}

/* As wide as the terminal, in its colours and characters. */
void draw_position(macaw_drawing *d, const struct draw_options *o, const macaw_sight *sight, struct text *out);

/* "step 3: x (mark 1 1), o noop", in lines that fit. */
void draw_step(const macaw_game *g, uint32_t step, const uint32_t *joint, struct text *out);

/* "  x: mean 56.7 in 152 visits", in lines that fit. */
void draw_remark(const char *who, const char *what, struct text *out);

#endif
