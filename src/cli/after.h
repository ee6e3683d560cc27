/* A position on a command line: the initial one, or the one after joint moves. */
#ifndef CLI_AFTER_H
#define CLI_AFTER_H

#include "macaw/position.h"

/* "a,b;c,d": joint moves, one move per role. NULL or "": the initial position. For mem_free(); NULL after a message
 * when a move is not legal there. */
uint64_t *position_after(macaw_game *g, const char *command, const char *after);

#endif
