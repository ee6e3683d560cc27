/* `macaw solve` for games of one role. */
#ifndef CLI_SOLVE_GAME_H
#define CLI_SOLVE_GAME_H

#include <stdbool.h>

/* Is the word a game rather than a network: not a file that begins with `<`? */
bool solve_is_game(const char *word);
/* `method`: of enum puzzle_method. */
int solve_game(const char *word, double seconds, int method, bool json);

#endif
