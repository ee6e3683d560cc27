/* Games of one role, solved: the best goal that can be reached, with a plan that reaches it.
 *
 *     macaw_plan *p = macaw_puzzle_solve(g, &(macaw_puzzle_options){.limit.seconds = 60}, &error);
 *     for (size_t i = 0; i < p->steps; i++)
 *         puts(macaw_game_move(g, p->moves[i]));
 *     macaw_plan_free(p); */
#ifndef MACAW_PUZZLE_H
#define MACAW_PUZZLE_H

#include "macaw/position.h"

#ifdef __cplusplus
extern "C" {
#endif

enum macaw_puzzle_method {
	MACAW_PUZZLE_AUTO,  /* those below side by side */
	MACAW_PUZZLE_SPACE, /* search of the state space */
	MACAW_PUZZLE_SAT,   /* bounded model checking by clause learning */
	MACAW_PUZZLE_MAC,   /* bounded model checking by MAC over the constraint network */
	MACAW_PUZZLE_FINAL  /* the final state as one problem, where marks are set and none is undone */
};
MACAW_API const char *macaw_puzzle_method_name(
	enum macaw_puzzle_method m); /* "auto"; NULL: there is none with this number */

typedef struct macaw_puzzle_options {
	macaw_limit limit;
	size_t memory; /* bytes for states; 0: 1 GB */
	enum macaw_puzzle_method method;
	macaw_progress *progress; /* NULL: none */
	void *context;
} macaw_puzzle_options;

typedef struct macaw_plan {
	int best;              /* goal reached; -1: no end was reached */
	int bound;             /* no play reaches more */
	bool proved;           /* best == bound */
	const uint32_t *moves; /* of the plan */
	size_t steps;
	uint64_t states, expanded;
	uint32_t depth;
	double seconds;
	const char *why;      /* it is not proved, or NULL */
	const char *by;       /* which search found the plan; "nothing" */
	const char *bound_by; /* which one proved the bound, where that is another, or NULL */
} macaw_plan;

/* NULL: the game has several roles, or the engine is the interpreter. */
MACAW_API macaw_plan *macaw_puzzle_solve(macaw_game *g, const macaw_puzzle_options *o, macaw_error *e);
MACAW_API void macaw_plan_free(macaw_plan *p);

#ifdef __cplusplus
}
#endif

#endif
