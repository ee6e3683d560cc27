/* What the rules say about how a game looks: which fluents are squares of a board, which are counters, hands or dice,
 * how boards lie, and what a piece is. Names are asked last: what counts is how fluents behave in a few matches (which
 * arguments determine the others), what static relations order or join their values, and which variables rules share.
 *
 *     fluents  ->  families (same name, same form)  ->  layouts (boards that several families may share)
 *
 * study.c takes fluents apart and watches matches, study_statics.c evaluates the static relations, study_boards.c
 * decides, study_pieces.c names pieces, study_layout.c lays boards out, study_moves.c finds the cells of moves. */
#ifndef SHOW_STUDY_H
#define SHOW_STUDY_H

#include "base/sym.h"
#include "game/game.h"
#include "show/piece.h"

enum { STUDY_ARGS = 6, STUDY_SIDE = 40, STUDY_STRIP = 64, STUDY_PARTS = 12 };

typedef VEC(sym_t) sym_list;
typedef VEC(uint32_t) number_list;

enum shape { SHAPE_REST, SHAPE_TURN, SHAPE_COUNTER, SHAPE_DICE, SHAPE_HAND, SHAPE_BOARD, SHAPE_LINKS, SHAPE_HIDDEN };

/* Where one kind of thing is written: fluents, or moves, that differ in their constants only. */
struct family {
	sym_t name; /* the outermost word */
	sym_t form; /* with inner functions: "at(square)" */
	int argc;   /* constants inside; -1: more than are looked at */
	sym_list values[STUDY_ARGS];
	number_list members; /* numbers of fluents or moves */

	/* of fluents: what the matches showed */
	uint32_t first, most; /* that held in the beginning; at once in any position */
	uint64_t keys;        /* bit m: two of them never agreed in the arguments of mask m */
	uint64_t total;       /* bit m, of keys: every combination of these arguments always had one */
	bool thrown;          /* chance chooses its arguments */

	enum shape shape;
	uint32_t layout;       /* of BOARD and LINKS, and of moves that go to cells */
	int axis[2];           /* arguments that say column and row; -1: none */
	int to[2];             /* moves: those of the second cell */
	int part;              /* argument that says which board; -1: none */
	int owner;             /* argument that is a role; -1: none */
	bool content;          /* there are other arguments: what is there */
	bool badge;            /* is only said of squares on which something stands */
	bool column;           /* moves: one argument names a whole line of the board */
	bool horizontal_first; /* LINKS: the first value of `part` joins neighbours in a row */
};

typedef VEC(struct family) family_list;

enum board_kind { BOARD_GRID, BOARD_HEX, BOARD_STRIP, BOARD_GRAPH };

struct tie {
	uint32_t from, to; /* cells */
};

/* A board, or several side by side of the same form. */
struct layout {
	enum board_kind kind;
	uint32_t leader;  /* the family it is named after */
	sym_list axis[2]; /* values in the order of columns and rows; no rows: a strip */
	sym_list parts;   /* values that tell boards apart; empty: one board */
	bool reversed[2]; /* against the order of the values */
	int slant;        /* of hexagons: a row lies half a cell to the right (1) or left (-1) of the one below */
	uint32_t fold;    /* of strips: cells in the lower row of a ring; 0: straight */
	bool checkered;
	bool oriented;       /* which axis lies across is settled */
	bool piles;          /* what is there are many things, one on the other */
	VEC(uint8_t) exists; /* by part, row, column */
	VEC(struct tie) ties;
	VEC(double) x, y; /* by cell */
};

/* A fluent, or a move, in parts. */
struct parts {
	uint32_t family; /* UINT32_MAX: not taken apart */
	sym_t args[STUDY_ARGS];
	uint32_t piece; /* into study->pieces; UINT32_MAX: not named yet, or a move */
};

struct relation_of_rules { /* static */
	sym_t name;
	uint32_t argc, rows;
	VEC(sym_t) cells;
};

struct view_file;

struct study {
	struct game *g;
	const struct view_file *view; /* may be NULL */
	struct symbols symbols;
	family_list families, move_families;
	VEC(struct parts) parts, move_parts; /* by fluent, by move */
	VEC(struct layout) layouts;
	VEC(struct piece) pieces;
	struct table piece_index;
	VEC(sym_t) roles;
	VEC(struct relation_of_rules) statics;
	VEC(struct predicate_of_rules {
		sym_t name;
		uint32_t argc;
	}) derived;            /* predicates that depend on the position */
	VEC(uint64_t) samples; /* positions of a few matches */
	VEC(uint8_t) begins;   /* by sample: the first of a match */
	/* pairs of places at which some rule has the same variable; a place is family * STUDY_ARGS + argument, moves behind
	 * the fluents */
	VEC(uint64_t) shared;
	VEC(uint64_t) effects; /* families that a move changes by one of its arguments: family << 32 | family of the move */
	VEC(struct forms {
		sym_t shallow, form;
	}) mixed;     /* form: the only one with this outside; SYM_NONE: there are several */
	bool changed; /* something was met that layouts do not know yet */
};

struct study *study_make(struct game *g, const struct view_file *view);
void study_free(struct study *s);

/* Takes the number apart when it was not met before. */
const struct parts *study_fluent(struct study *s, uint32_t fluent);
const struct parts *study_move(struct study *s, uint32_t move);
void study_settle(struct study *s); /* lays out again when something new was met */

/* The cell of a fluent of a BOARD (or the lower left end of a link), and which of the layout's boards. */
bool study_cell(const struct study *s, const struct family *f, const struct parts *p, const int axis[2], uint32_t *part,
                uint32_t *cell);
/* The other end of a link. */
uint32_t study_link_end(const struct study *s, const struct family *f, const struct parts *p, uint32_t cell);
uint32_t layout_cells(const struct layout *l);       /* of one part */
uint32_t study_index(const sym_list *list, sym_t v); /* UINT32_MAX: not there */
uint32_t study_role(const struct study *s, sym_t v); /* UINT32_MAX: none */

/* Texts of numbers and words as people sort them. */
int natural_order(const char *a, const char *b);

#endif
