/* `macaw solve` for games of one role or two. */
#ifndef CLI_SOLVE_GAME_H
#define CLI_SOLVE_GAME_H

#include "cli/where.h"

#include <stdbool.h>

/* Is the word a game rather than a network: not a file that begins with `<`? */
bool solve_is_game(const char *word);

struct game_request {
	const char *word;
	double seconds; /* 0: a minute */
	int method;     /* of enum macaw_puzzle_method */
	bool json;
	const char *strategy, *role; /* two roles: file to write a strategy to, and whose; NULL: none, and the winner's */
	struct where_options where;
};
int solve_game(const struct game_request *q);

#endif
