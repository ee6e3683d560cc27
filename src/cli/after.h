/* A position on a command line: the initial one, or the one after joint moves. */
#ifndef CLI_AFTER_H
#define CLI_AFTER_H

#include "game/game.h"
#include "macaw/worker.h"

/* "a,b;c,d": joint moves, one move per role. NULL or "": the initial position. Returns NULL after a message when a
 * move is not legal there; to be freed by mem_free(). */
uint64_t *position_after(macaw_game *g, const char *command, const char *after);

/* The same for commands that look inside. */
uint64_t *state_after(struct game *g, const char *command, const char *after);

#endif
