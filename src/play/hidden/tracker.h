/* What one role knows of a match: the states that agree with everything it has observed.
 * In a game without secrets that is one state; otherwise a set, complete while it is
 * small and a sample beyond. In a valid game one's own legal moves
 * are the same in all of them. */
#ifndef PLAY_HIDDEN_TRACKER_H
#define PLAY_HIDDEN_TRACKER_H

#include "base/rng.h"
#include "game/game.h"

#define TRACKER_MAX_STATES 10000

/* What one observes at one step, as text: either the moves of all roles, or one's own and what
 * one saw. An own move that is not reported may be given by its number. */
struct tracker_observation {
	const struct text *joint; /* by role; NULL: only this: */
	const struct text *own;   /* NULL: not reported */
	uint32_t own_move;        /* when it is not reported; GAME_NONE: unknown */
	const struct text *percepts;
	size_t percept_count;
};

struct tracker;
struct tracker *tracker_new(struct game *g, uint32_t role, uint64_t seed); /* at the initial state */
void tracker_free(struct tracker *k);

/* Takes it in. False: nothing agrees with it (or the limit came first), and all
 * is as before. Where much is hidden, a sample may die out before what was seen is
 * explained: then what was seen is left aside and `guessed` says so, until a state that
 * explains everything is found again. */
bool tracker_observe(struct tracker *k, const struct tracker_observation *o, const struct limit *limit);

struct tracker_now {
	uint32_t roles; /* of the game */
	uint32_t step;
	size_t states;         /* how many are thinkable */
	const uint64_t *state; /* one of them; the only one in a game without secrets */
	bool guessed;          /* they may not explain all that was seen */
	bool terminal;         /* all of them are */
	const uint32_t *legal; /* one's own moves; none when the rules could not be run */
	uint32_t legal_count;
	const int *goals;
	uint32_t own_last;    /* GAME_NONE at the start and where it is not known */
	const uint32_t *last; /* the joint move that led here; NULL: not known */
	const uint32_t *seen;
	uint32_t seen_count;
};

/* Where the match is; lasts until the next step. */
const struct tracker_now *tracker_now(const struct tracker *k);

/* The move of a list that is written so, in any case when none is exactly; GAME_NONE: none. */
uint32_t tracker_find(const struct game *g, const uint32_t *moves, uint32_t count, const char *text);

#endif
