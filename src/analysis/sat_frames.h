/* Copies of the circuit as clauses, one a round (a frame), written only where asked
 * for: a literal of a frame gets its clauses when it is wanted, what follows from
 * constants is folded, and a fluent of a frame is the `next` of the frame before.
 * So known beginnings, clocks and what no question needs cost nothing. */
#ifndef ANALYSIS_SAT_FRAMES_H
#define ANALYSIS_SAT_FRAMES_H

#include "circuit/circuit.h"

#include <ccadical.h>

#define FRAMES_TRUE 1 /* the variable that is true */

struct frames {
	const struct circuit *c;
	CCaDiCaL *sat;
	int vars;
	uint64_t literals; /* of all clauses */
	VEC(struct frame { int *lit; uint32_t before; }) all; /* lit by node; 0: not written yet */
	VEC(struct frame_node { uint32_t frame, node; }) stack;
};

void frames_begin(struct frames *f, const struct circuit *c);
void frames_free(struct frames *f);
int frames_fresh(struct frames *f);
void frames_clause(struct frames *f, size_t n, const int *l);
#define FRAMES_CLAUSE(f, ...) frames_clause((f), sizeof((int[]){__VA_ARGS__}) / sizeof(int), (int[]){__VA_ARGS__})

/* A frame after `before` (its own number: none, and its fluents are set by hand). */
uint32_t frames_add(struct frames *f, uint32_t before);
void frames_set(struct frames *f, uint32_t frame, uint32_t node, int lit);
int frames_get(struct frames *f, uint32_t frame, lit_t l);

#endif
