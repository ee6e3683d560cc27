/* `macaw solve` for games of two roles. */
#ifndef CLI_SOLVE_TWO_H
#define CLI_SOLVE_TWO_H

#include "macaw/position.h"

struct two_request {
	const char *word; /* the game, as the user named it */
	double seconds;   /* at most */
	bool json;
	const char *strategy; /* file to write one to; NULL: none */
	int role;             /* whose strategy; below 0: the winner's, or the first role's */
};

/* Returns the exit status, after a message unless 0. */
int solve_two(macaw_game *g, const uint64_t *start, const struct two_request *q);

#endif
