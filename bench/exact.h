/* Exact values of positions in games of two roles that move in turn and share 100 points: a plain alpha-beta search
 * with a transposition table over game_expand(). It shares nothing with the players of src/play, whose moves it
 * judges. */
#ifndef BENCH_EXACT_H
#define BENCH_EXACT_H

#include "base/rng.h"
#include "game/game.h"

struct exact;

struct exact_move {
	uint32_t move; /* of the role that has a choice */
	bool keeps;    /* the value of the position */
};

struct exact_answer {
	uint32_t role; /* that has a choice */
	int value;     /* to it, with best play of both; 0 to 100 */
	VEC(struct exact_move) moves;
};

enum exact_result {
	EXACT_SOLVED,
	EXACT_NO_CHOICE, /* it is over, there is one move only, or a move that wins at once */
	EXACT_TOO_LARGE, /* more than `most` positions */
	EXACT_UNFIT      /* both have a choice at once, or the points do not add up to 100 */
};

struct exact *exact_new(struct game *g);
void exact_free(struct exact *x);
/* Random moves from the start of the game by players who do not end it and, where the next pass shows that, do not let
 * the opponent win at once. `joint` gets two moves per ply. False: a dead end, try again. */
bool exact_walk(struct exact *x, struct rng *rng, uint32_t plies, uint64_t *state, uint32_t *joint);
enum exact_result exact_solve(struct exact *x, const uint64_t *state, uint64_t most, struct exact_answer *out);
uint64_t exact_nodes(const struct exact *x); /* positions expanded so far */

#endif
