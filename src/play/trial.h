/* Which of two ways of choosing moves is the better one in a game for two? Short matches between them, from positions a
 * few random moves from the start, each with the roles swapped. */
#ifndef PLAY_TRIAL_H
#define PLAY_TRIAL_H

#include "play/player.h"

struct contender {
	/* A move of the seat's role, which has a choice; GAME_NONE: a random one. */
	uint32_t (*move)(void *self, struct seat *s, const uint64_t *state, const struct budget *b);
	void *self;
	double factor; /* its seconds per move, in those of the plan */
};

struct trial_plan {
	double per_move;       /* seconds */
	uint32_t most;         /* pairs of matches */
	uint32_t lead;         /* points of one before the other that decide it */
	uint32_t random_moves; /* at the beginning, at most */
	const struct limit *limit;
};

struct trial_result {
	double points[2]; /* of the matches that ended; a draw is half */
	uint32_t matches;
};

struct trial_result trial_run(struct seat *s, const struct contender contenders[2], const struct trial_plan *plan);

#endif
