/* A state drawn for people: fluents that tell what is where become boards, the
 * others are listed. */
#ifndef SHOW_BOARD_H
#define SHOW_BOARD_H

#include "game/game.h"

struct board;

/* Looks at the fluents of a game for boards; more are learnt as states are drawn. */
struct board *board_make(const struct game *g);
void board_draw(struct board *b, const uint64_t *state, struct text *out);
/* The squares of the boards with a letter each: the same where the smallest
 * number that label[] gives the fluents of a square is the same. False: no board. */
bool board_draw_classes(struct board *b, const uint32_t *label, struct text *out);
void board_free(struct board *b);

#endif
