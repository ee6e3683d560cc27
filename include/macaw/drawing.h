/* Positions as pictures: what stands where becomes boards, what counts becomes counters, what a role holds becomes a
 * hand, and the rest is listed. Found from the rules, whatever the fluents are called; a file NAME.view.json beside the
 * rules may improve on it (docs/boards.md). Terminal and page draw the same: as data, as JSON, as text.
 *
 *     macaw_drawing *d = macaw_drawing_new(game, &error);
 *     char *scene = macaw_drawing_json(d, &(macaw_sight){.position = p, .before = q, .last = joint});
 *
 * Every fluent that holds is in exactly one place: a piece of a cell or of a link, a counter, a hand or the rest. */
#ifndef MACAW_DRAWING_H
#define MACAW_DRAWING_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_drawing macaw_drawing;

/* Studies the game: a few random matches are played, the same ones each time. Reads the view file of a game that came
 * from a file; a view with mistakes is an error (MACAW_INPUT) that names the line. */
MACAW_API macaw_drawing *macaw_drawing_new(macaw_game *g, macaw_error *e);
MACAW_API void macaw_drawing_free(macaw_drawing *d);

/* ---- what is looked at ---- */

/* All arrays belong to the caller and need not outlive the call. */
typedef struct macaw_sight {
	const uint64_t *position; /* fluents that hold; of a belief: those that hold in every position held possible */
	const uint64_t *possible; /* of a belief: fluents that hold in some of them; NULL: nothing is hidden */
	const uint64_t *before;   /* the position before the last move: cells that changed are marked; NULL: none are */
	const uint32_t *last;     /* that joint move, one number per role: its cells are marked too; NULL: none */
	const uint32_t *moves;    /* moves to be matched to cells, of any roles */
	size_t move_count;
} macaw_sight;

/* Looks, and returns the number of boards, which can then be asked for, as can cells, links, facts and moves. What they
 * return lasts until the next call that looks. MACAW_NONE: out of memory. */
MACAW_API uint32_t macaw_drawing_see(macaw_drawing *d, const macaw_sight *look);
MACAW_API uint32_t macaw_drawing_look(macaw_drawing *d, const uint64_t *position); /* the same for a position alone */

/* ---- boards ---- */

enum macaw_board_kind {
	MACAW_BOARD_GRID,  /* squares in columns and rows */
	MACAW_BOARD_HEX,   /* the same with six neighbours: each row lies half a cell further than the one below */
	MACAW_BOARD_STRIP, /* one row; may be folded into a ring (see x and y of its cells) */
	MACAW_BOARD_GRAPH  /* places with links between them */
};

/* One board as it stands. */
typedef struct macaw_board {
	const char *name; /* of the fluents */
	uint32_t columns, rows;
	const char *const *column_names; /* left to right */
	const char *const *row_names;    /* bottom to top; of strips and graphs: one name, "" */
	/* By row from the bottom, then column: what is there ("x"); "" for an empty square, "*" for several things at once,
	 * NULL where there is no square. */
	const char *const *cells;
	const uint32_t *fluents; /* likewise: the fluent that says so; MACAW_NONE: none or several */
	enum macaw_board_kind kind;
	const char *part; /* which of several boards side by side ("left"); "": there is one */
	bool checkered;   /* squares of two colours belong to the game: pieces that move from square to square */
	uint32_t links;
} macaw_board;
MACAW_API macaw_board macaw_drawing_board(macaw_drawing *d, uint32_t board); /* all-zero: no such board */

/* What stands on a cell, lies in a hand or is a value. */
typedef struct macaw_piece {
	const char *name; /* as the rules say it: "white_knight", "red 5"; of a mere presence: the name of the fluent */
	const char
		*meaning; /* what to draw: "white knight", "disc red", "cross", "number 5", "letter q", … (docs/boards.md) */
	const char *glyph;  /* one to three columns of a terminal with Unicode; "": the name is to be written */
	const char *plain;  /* the same in ASCII; different for different pieces of the game as long as letters last */
	const char *colour; /* "#rrggbb", the same for the same name in every game */
	uint32_t owner;     /* the role whose it is, by its name; MACAW_NONE: nobody's */
	uint32_t fluent;    /* that says so */
	bool sure;          /* false: only held possible */
} macaw_piece;

typedef struct macaw_cell {
	bool exists;
	bool last;      /* the last move changed or named it */
	bool unknown;   /* a belief does not settle what is here */
	uint32_t empty; /* the fluent that says that nothing is here; MACAW_NONE: none says so */
	uint32_t pieces;
	const macaw_piece *piece; /* empties are left out; several: stacked, the first one below */
	double x, y;              /* its middle, to the right and upwards, in widths of a cell */
} macaw_cell;
MACAW_API macaw_cell macaw_drawing_cell(macaw_drawing *d, uint32_t board, uint32_t cell); /* all-zero: no such cell */

/* A line between two cells: a wall, an edge that can be drawn, a way of a graph. */
typedef struct macaw_link {
	uint32_t from, to; /* cells */
	bool last, unknown;
	uint32_t empty; /* as in cells */
	uint32_t pieces;
	const macaw_piece *piece;
} macaw_link;
MACAW_API macaw_link macaw_drawing_link(macaw_drawing *d, uint32_t board, uint32_t link); /* all-zero: no such link */

/* ---- beside the boards ---- */

enum macaw_fact_kind {
	MACAW_FACT_TURN,    /* whose turn it is */
	MACAW_FACT_COUNTER, /* one value: a step, a score, a phase */
	MACAW_FACT_DICE,    /* what chance has thrown */
	MACAW_FACT_HAND,    /* something a role holds */
	MACAW_FACT_REST     /* anything else: the fluent as it is */
};

typedef struct macaw_fact {
	enum macaw_fact_kind kind;
	const char *name;  /* of the fluents */
	uint32_t role;     /* whose it is; MACAW_NONE: nobody's */
	macaw_piece piece; /* the value; of a fluent that says no more than its name: that name */
} macaw_fact;
/* Sorted by kind, name, role and value. */
MACAW_API uint32_t macaw_drawing_facts(macaw_drawing *d);
MACAW_API macaw_fact macaw_drawing_fact(macaw_drawing *d, uint32_t fact); /* all-zero: no such fact */

/* Fluents that hold and are on no board; ascending by number. `count` may be NULL. */
MACAW_API const uint32_t *macaw_drawing_rest(macaw_drawing *d, size_t *count);

/* ---- moves ---- */

/* Where a move is to be clicked. */
typedef struct macaw_move_place {
	uint32_t move;
	uint32_t board;    /* MACAW_NONE: on no board */
	uint32_t from, to; /* cells; `from` MACAW_NONE: one click */
	const char *menu;  /* what the cells do not say: "promote queen"; "": nothing */
} macaw_move_place;
/* Of the look's moves, by their place there. */
MACAW_API macaw_move_place macaw_drawing_move(macaw_drawing *d, size_t i); /* all-zero but MACAW_NONE: no such move */

/* ---- the whole at once ---- */

/* The scene as JSON, all of the above; docs/boards.md has its schema. NULL: out of memory. */
MACAW_API char *macaw_drawing_json(macaw_drawing *d, const macaw_sight *look);

typedef struct macaw_text_options {
	uint32_t width; /* columns of the terminal; 0: 80 */
	bool colour;    /* ANSI escapes */
	bool unicode;   /* pieces and lines beyond ASCII */
} macaw_text_options;
/* As text: boards, legends, counters, hands, rest; no line is wider than the width unless a single name is. NULL: out
 * of memory. */
MACAW_API char *macaw_drawing_print(macaw_drawing *d, const macaw_sight *look, const macaw_text_options *o);
MACAW_API char *macaw_drawing_text(macaw_drawing *d,
                                   const uint64_t *position); /* a position alone, 80 columns of ASCII */
/* Squares with one letter per class: by fluent, the smallest number that label[] gives the fluents of a square. NULL:
 * no board. */
MACAW_API char *macaw_drawing_classes(macaw_drawing *d, const uint32_t *label);

#ifdef __cplusplus
}
#endif

#endif
