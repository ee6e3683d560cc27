/* Moves shown to a person at the terminal, and what the person types. */
#ifndef CLI_PERSON_H
#define CLI_PERSON_H

#include "cli/move_text.h"

#include <stdint.h>

/* Lists the moves, numbered from 1; those that contain `part`, when it is not NULL. */
void person_moves(const char *const *moves, uint32_t count, const char *part);

#define PERSON_NONE UINT32_MAX
/* Which of the moves a line means: a number, a move, its arguments, or the beginning of only one. PERSON_NONE: after a
 * message that says why not. */
uint32_t person_understand(const char *const *moves, uint32_t count, const char *line);
/* Is the line a move as it is, so that it cannot be meant for a word like `help`? */
bool person_is_move(const char *const *moves, uint32_t count, const char *line);

#endif
