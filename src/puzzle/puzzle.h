/* Games of one role, solved: the best goal that can be reached, with a plan.
 *
 * Two kinds of search run side by side, each in a thread of its own, until one has
 * the proof; what one finds, the other need not look for.
 *
 *   space     states, each met once. Fluents that cannot influence legal moves, the
 *             end or the goal do not distinguish states, and neither does a step
 *             counter that only ends the game. Breadth first, by beams, depth first:
 *             each has a share of the time.
 *   unrolled  the rounds as one problem: to clause learning (sat) or to MAC over
 *             the constraint network of a round (mac), deeper and deeper.
 *   final     before these two: the final state as one problem, for puzzles in which
 *             marks are set and none is undone; plans only, no proof of less than 100.
 *
 * 100 is the most there is, so a plan for 100 is its own proof; otherwise `bound`
 * must have come down to what was found. Plans are played before they are believed. */
#ifndef PUZZLE_PUZZLE_H
#define PUZZLE_PUZZLE_H

#include "base/progress.h"
#include "game/game.h"

#define PUZZLE_METHODS(X) \
	X(AUTO, "auto") \
	X(SPACE, "space") \
	X(SAT, "sat") \
	X(MAC, "mac") \
	X(FINAL, "final")
enum puzzle_method {
#define X(id, name) PUZZLE_##id,
	PUZZLE_METHODS(X)
#undef X
};

struct puzzle_options {
	const uint64_t *start; /* a state that can be reached; NULL: the initial one */
	struct limit limit;
	size_t memory; /* bytes for states, or clauses; 0: 1 GB */
	enum puzzle_method method;
	struct progress *progress; /* NULL: none */
	atomic_int *floor;         /* a goal that was reached elsewhere: only more counts; NULL: none */
};

struct puzzle_result {
	int best;           /* GOAL_NONE: no end was reached */
	int bound;          /* no play from the start reaches more */
	bool proved;        /* they are the same */
	VEC(uint32_t) plan; /* moves of the player */
	uint64_t states, expanded;
	uint32_t depth;
	double seconds;
	const char *why;      /* not proved, or NULL */
	const char *by;       /* which search has found it */
	const char *bound_by; /* which one has proved it, when that is another */
};

/* False: the game has several roles, or no circuit. With a floor, `bound <= floor` says that there is no more. */
bool puzzle_solve(struct game *g, const struct puzzle_options *o, struct puzzle_result *r);
void puzzle_free(struct puzzle_result *r);

/* The searches alone. */
enum space_order {
	SPACE_BREADTH,
	SPACE_DEPTH,
	SPACE_BEAM,
	SPACE_UNTIMED /* breadth first, without the step counter */
};
void puzzle_state_space(struct game *g, const struct puzzle_options *o, enum space_order order,
                        struct puzzle_result *r);
void puzzle_bmc_sat(struct game *g, const struct puzzle_options *o, struct puzzle_result *r);
void puzzle_final_state(struct game *g, const struct puzzle_options *o, struct puzzle_result *r);
void puzzle_bmc_mac(struct game *g, const struct puzzle_options *o, struct puzzle_result *r);

static inline const uint64_t *puzzle_start(const struct game *g, const struct puzzle_options *o)
{
	return o->start ? o->start : g->initial;
}

/* The goal that a plan from a state (NULL: the initial one) ends with; GOAL_NONE: it is no play up to an end. */
int puzzle_play(struct game *g, const uint64_t *start, const uint32_t *plan, size_t n);
/* Random plays from the start: how long the longest is. */
uint32_t puzzle_longest(struct game *g, const struct puzzle_options *o);
/* Another goal was reached: notes it for the other searches too. False: no better. */
bool puzzle_reached(const struct puzzle_options *o, struct puzzle_result *r, int goal);

#endif
