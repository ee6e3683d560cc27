/* A state on a command line: the initial one, or the one after joint moves. */
#ifndef CLI_AFTER_H
#define CLI_AFTER_H

#include "game/game.h"

/* "a,b;c,d": joint moves, a move a role. NULL or "": the initial state. Returns NULL
 * after a message when a move is not legal there. */
uint64_t *state_after(struct game *g, const char *command, const char *after);

#endif
