/* What a piece is, told by its name: "white_knight", "wn", "x", "red", "7". */
#ifndef SHOW_PIECE_H
#define SHOW_PIECE_H

#include "base/sym.h"

#include <stdbool.h>

struct piece {
	sym_t name;
	char meaning[40]; /* "white knight", "disc red", "number 7"; "": an empty place */
	char glyph[16];   /* one to three columns of Unicode; "": the name is to be written */
	char plain[8];    /* the same in ASCII */
	char colour[8];   /* "#rrggbb" */
	uint32_t owner;   /* role; UINT32_MAX: nobody */
	bool blank;
	bool board;   /* stands on boards, not beside them */
	bool natural; /* the glyph says it all: no legend */
};

/* Meaning, glyph and colour from the name. */
void piece_from_name(struct piece *p, const char *name);
bool piece_word_is_blank(const char *name); /* a word for "nothing" */
/* A colour for a name, always the same. */
const char *piece_colour(const char *name);

#endif
