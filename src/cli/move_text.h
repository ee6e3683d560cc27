/* Moves as people write them: (mark 1 2), mark(1,2), `mark 1 2`, `1 2`, `e2e4` for (move e 2 e 4), or a beginning. */
#ifndef CLI_MOVE_TEXT_H
#define CLI_MOVE_TEXT_H

#include "show/terminal.h"

struct move_fits {
	uint32_t *at; /* places in the list of moves */
	size_t n, cap;
};

/* The moves that a text may mean, by the first of these readings that fits any: the whole move, its last arguments,
 * these without blanks, the beginning of a move. Case, brackets and commas do not matter. True: by one of the first
 * two. */
bool move_text_find(const char *const *moves, uint32_t count, const char *text, struct move_fits *fits);

#endif
