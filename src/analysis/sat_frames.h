/* Copies of the circuit as clauses, one a round (a frame), written only where asked
 * for: a literal of a frame gets its clauses when it is wanted, what follows from
 * constants is folded, and a fluent of a frame is the `next` of the frame before.
 * So known beginnings, clocks and what no question needs cost nothing. */
#ifndef ANALYSIS_SAT_FRAMES_H
#define ANALYSIS_SAT_FRAMES_H

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
	VEC(struct frame { int *lit; uint32_t before; }) all; /* lit by node; 0: not written yet */
	VEC(struct frame_node { uint32_t frame, node; }) stack;
};

void sat_frames_begin(struct sat_frames *f, const struct circuit *c);
void sat_frames_free(struct sat_frames *f);
int sat_frames_fresh(struct sat_frames *f);
void sat_frames_clause(struct sat_frames *f, size_t n, const int *l);
#define SAT_FRAMES_CLAUSE(f, ...) sat_frames_clause((f), sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

/* A frame after `before` (its own number: none, and its fluents are set by hand). */
uint32_t sat_frames_add(struct sat_frames *f, uint32_t before);
void sat_frames_set(struct sat_frames *f, uint32_t frame, uint32_t node, int lit);
int sat_frames_get(struct sat_frames *f, uint32_t frame, lit_t l);

#endif
