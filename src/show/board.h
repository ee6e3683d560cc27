/* Positions as boards: fluents that say what is where become grids, the others are listed. As data for
 * programs that draw, and as text for a terminal. */
#ifndef SHOW_BOARD_H
#define SHOW_BOARD_H

#include "game/game.h"

struct board;

/* Looks at the fluents of a game for boards. (Interpreter only: more fluents are learnt as positions are looked at.) */
struct board *board_make(const struct game *g);
void board_free(struct board *b);

/* One board as it stands. Arrays by cell go row by row from the bottom, then column by column; all belong to
 * the board and last until its next call. */
struct board_grid {
	const char *name;
	uint32_t columns, rows;
	const char *const *column_names, *const *row_names;
	const char *const *cells; /* what stands there; "": nothing; "*": several things; NULL: there is no such square */
	const uint32_t *fluents;  /* the fluent that says so; GAME_NONE: none or several */
};

/* Puts a position on the boards; returns how many boards there are. */
uint32_t board_look(struct board *b, const uint64_t *state);
const struct board_grid *board_grid(const struct board *b, uint32_t i);
/* The fluents of that position that are on no board, or not alone on their square; ascending. */
const uint32_t *board_rest(const struct board *b, size_t *count);

/* The same as text, one letter per piece, with a legend. */
void board_draw(struct board *b, const uint64_t *state, struct text *out);
/* The squares of the boards with one letter each: the same where the smallest
 * number that label[] gives the fluents of a square is the same. False: no board. */
bool board_draw_classes(struct board *b, const uint32_t *label, struct text *out);

#endif
