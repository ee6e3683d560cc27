/* What the rules of a game became, to be read: the circuit, the ground program with
 * the names of everything, and what was proved while it was built. This is all that
 * other rooms see of the engine behind game.h.
 *
 * A view belongs to its game, never changes and may be read by all threads. Fluents,
 * moves, goals and percepts have the same numbers in the game, the circuit and the
 * ground program; moves, goals and percepts are sorted by role. */
#ifndef GAME_RULES_VIEW_H
#define GAME_RULES_VIEW_H

#include "circuit/circuit.h"
#include "game/game.h"
#include "lanes/phases.h"

struct rules_view {
	const struct circuit *circuit; /* next, legal, goals, percepts, terminal as gates */
	const struct ground
		*ground; /* the ground program: its rules, and the terms that name fluents, moves, percepts, atoms */
	const struct phases *phases; /* what is known from the number of the step alone */
	const uint64_t *initial;     /* the initial state */

	/* Those of role r are numbered [first[r], first[r + 1]). */
	const uint32_t *first_move, *first_goal, *first_percept;
	const int *goal_value; /* by goal: 0..100, or GOAL_NONE: the term is no such number */

	const uint32_t *live; /* fluents that can influence legal moves, the end or a goal, ascending */
	uint32_t live_count;
	uint32_t constants; /* fluents that never change */

	/* What it costs to run. */
	uint32_t operations; /* per step of a playout */
	uint32_t slots;      /* intermediate values that the largest program keeps */
};

/* NULL: the game is interpreted and has no circuit. */
const struct rules_view *game_rules_view(const struct game *g);

#endif
