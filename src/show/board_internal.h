/* The inside of a board: how fluents fall into parts. Shared by board.c, which finds boards and puts
 * positions on them, and board_text.c, which draws them with letters. */
#ifndef SHOW_BOARD_INTERNAL_H
#define SHOW_BOARD_INTERNAL_H

#include "base/sym.h"
#include "show/board.h"

enum { MAX_ARGS = 5 };

typedef VEC(sym_t) sym_list;

/* All fluents with one name and number of arguments. */
struct family {
	sym_t name;
	int argc;
	sym_list argument[MAX_ARGS]; /* values of each, as met; those of coordinates are sorted by board_look */
	bool board;
	int x, y; /* which arguments are coordinates */
};

/* A fluent in parts: f(a, b, c), or something else. */
struct parts {
	uint32_t family; /* UINT32_MAX: no candidate */
	sym_t args[MAX_ARGS];
	sym_t content; /* on a board: what is no coordinate, as one text */
};

/* A grid and what it is made of. */
struct grid {
	struct board_grid seen;
	uint32_t family;
	VEC(const char *) column_names, row_names, cells;
	VEC(uint32_t) fluents, counts;
	VEC(sym_t) contents; /* by cell; SYM_NONE: nothing */
};

struct board {
	const struct game *g;
	struct symbols symbols;
	VEC(struct family) families;
	VEC(struct parts) parts; /* by fluent */
	VEC(uint8_t) known;      /* by fluent: parts are there */
	VEC(struct grid) grids;  /* one per family that is a board */
	VEC(uint32_t) rest;
	/* for text: the letter of each content */
	VEC(struct piece { sym_t content; char mark[8]; }) pieces;
	sym_t lower; /* whose pieces have small letters; SYM_NONE: not met */
};

/* Sorts the coordinates of all boards and lays their grids out; nothing stands on them yet. */
void board_lay_out(struct board *b);
/* The cell of a fluent on a grid. */
size_t board_cell(const struct board *b, const struct grid *g, const struct parts *p);
/* Does the content mean that the square is empty? */
bool board_is_blank(const struct board *b, const char *content);

#endif
