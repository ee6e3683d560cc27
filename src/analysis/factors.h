/* Games that consist of several: factors (Günther, Schiffel and Thielscher 2009, "Factoring general games").
 *
 * Fluents and moves that no rule of `next` or `legal` connects belong to different factors; fluents that evolve
 * independently of the moves, such as whose turn it is, belong to all of them. A factor is a game of its own, made from
 * the ground rules: the fluents of the other factors stay as they are at the start, and a role that has no move in it
 * passes. Where nobody has a move any more and the rules of the end do not hold, nobody has won.
 *
 * Only factors that can be played one by one are found: at every step a role has moves in one of them only, and the
 * whole is decided by the first factor that is. The separation is proved by the rules, the rest is tried in random
 * matches. */
#ifndef ANALYSIS_FACTORS_H
#define ANALYSIS_FACTORS_H

#include "game/game.h"

struct factor {
	struct gdl_rules *rules;
	struct game *game; /* the roles are those of the whole */
	uint32_t *fluent;  /* by its fluent: that of the whole */
	uint32_t *move;    /* by its move: that of the whole; GAME_NONE: to pass */
};

struct factors {
	struct factor *at;
	uint32_t count;
	uint32_t *of_move; /* by move of the whole: its factor; GAME_NONE: of none, it changes nothing */
};

/* Kept with the game (facts.h). NULL: the game is one, or it was not found in time, or it is interpreted. */
const struct factors *factors_of(struct game *g, const struct limit *limit);

/* A state of the whole as one of the factor. */
void factor_state(const struct factor *f, const uint64_t *whole, uint64_t *part);
/* The factor in which a role has these moves; GAME_NONE: in several, or in none. */
uint32_t factors_of_moves(const struct factors *x, const uint32_t *moves, uint32_t count);

#endif
