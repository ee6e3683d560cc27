/* Copies of the circuit as clauses for a SAT solver (CaDiCaL), one per round (a
 * frame), written only where asked for: a literal of a frame gets its clauses when it
 * is wanted, what follows from constants is folded, and a fluent of a frame is the
 * `next` of the frame before. So known beginnings, step counters and what no question
 * needs cost nothing. Members of fixpoint blocks are set by hand, where there are any
 * (sat_frames_free_loops). */
#ifndef ANALYSIS_SAT_FRAMES_H
#define ANALYSIS_SAT_FRAMES_H

#include "base/clock.h"
#include "circuit/circuit.h"

#include <ccadical.h>

/* A solver that goes with the current scope when it is not released by hand. */
CCaDiCaL *sat_solver_new(struct mem_resource **owned);
void sat_solver_free(CCaDiCaL *sat, struct mem_resource *owned);

#define SAT_FRAMES_TRUE 1 /* the variable that is true */

struct sat_frames {
	const struct circuit *c;
	CCaDiCaL *sat;
	struct mem_resource *owned;
	int vars;
	uint64_t literals; /* of all clauses */
	VEC(struct frame {
		int *lit;
		uint32_t before;
	}) all;                                                       /* lit by node; 0: not written yet */
	VEC(struct frame_node { uint32_t frame, node, left; }) stack; /* left: inputs not looked at yet */
	VEC(int) open;                                                /* scratch */
};

/* `off`: options of the solver to be set to 0, ended by NULL; or NULL. */
void sat_frames_begin(struct sat_frames *f, const struct circuit *c, const char *const *off);
void sat_frames_limit(struct sat_frames *f, const struct limit *limit); /* the solver stops then; the limit must stay */
void sat_frames_free(struct sat_frames *f);
int sat_frames_fresh(struct sat_frames *f);
void sat_frames_clause(struct sat_frames *f, size_t n, const int *l);
#define SAT_FRAMES_CLAUSE(f, ...) \
	sat_frames_clause((f), sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

/* A frame after `before` (its own number: none, and its fluents are set by hand). */
uint32_t sat_frames_add(struct sat_frames *f, uint32_t before);
void sat_frames_set(struct sat_frames *f, uint32_t frame, uint32_t node, int lit);
/* Variables for all fluents, all moves, all members of fixpoint blocks: any value. */
void sat_frames_free_fluents(struct sat_frames *f, uint32_t frame);
void sat_frames_free_moves(struct sat_frames *f, uint32_t frame);
void sat_frames_free_loops(struct sat_frames *f, uint32_t frame);
int sat_frames_get(struct sat_frames *f, uint32_t frame, lit_t l);

#endif
