/* Games of one role, solved: the best goal that can be reached, with a plan.
 *
 * State space: breadth first over states, each met once, the children of a whole layer at a
 * time through the circuit's lanes. Fluents that cannot influence legal moves, the
 * end or the goal (now or later) do not tell states apart. A terminal state with
 * 100 ends the search; otherwise it goes on until nothing new is met, and then the
 * best goal seen is proved the best. */
#ifndef MODEL_PUZZLE_H
#define MODEL_PUZZLE_H

#include "game/game.h"

struct puzzle_options {
	struct limit limit;
	size_t memory; /* bytes for states; 0: 1 GB */
};

struct puzzle_result {
	int best;       /* GOAL_NONE: no end was reached */
	bool proved;    /* no play reaches more */
	VEC(uint32_t) plan; /* moves of the player */
	uint64_t states, expanded;
	uint32_t depth;
	double seconds;
	const char *why; /* not proved, or NULL */
	const char *by;  /* which search has found it */
};

/* All of these, one after the other, until the best goal is proved. False: the game has
 * several roles, or no circuit. */
bool puzzle_solve(struct game *g, const struct puzzle_options *o, struct puzzle_result *r);

/* The state space alone; `deep`: depth first, for any end rather than the nearest. */
void puzzle_space(struct game *g, const struct puzzle_options *o, bool deep, struct puzzle_result *r);

/* The rounds unrolled into one problem with clause learning (CaDiCaL): is there a
 * play that ends with 100 within some number of steps? Finds plans where the order
 * of moves hardly matters and the space of states is hopeless; proves nothing when
 * there is none. True: r has the plan. */
bool puzzle_unrolled(struct game *g, const struct puzzle_options *o, struct puzzle_result *r);
void puzzle_free(struct puzzle_result *r);

#endif
