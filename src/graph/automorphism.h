/* Automorphisms of a coloured undirected graph: permutations of the vertices that
 * keep colours and edges. The work is done by Traces or sparse nauty (McKay and
 * Piperno 2014).
 *
 * Vertices that matter to the caller come first; generators are given on the first
 * `keep` of them. */
#ifndef GRAPH_AUTOMORPHISM_H
#define GRAPH_AUTOMORPHISM_H

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"
#include "base/vec.h"

#include <stdbool.h>

struct coloured_graph {
	VEC(uint32_t) colour; /* by vertex; equal numbers, equal colours */
	VEC(uint32_t) ends;   /* an edge is two of them; none twice */
};

static inline uint32_t graph_vertex(struct coloured_graph *g, uint32_t colour)
{
	vec_push(&g->colour, colour);
	return narrow32(g->colour.n) - 1;
}

static inline void graph_edge(struct coloured_graph *g, uint32_t a, uint32_t b)
{
	vec_push(&g->ends, a);
	vec_push(&g->ends, b);
}

void coloured_graph_free(struct coloured_graph *g);

/* FEW: by nauty, which is given up (as if out of time) when more than AUTOMORPHISM_MOST
 * generators turn up: for those who have no use for large groups. */
enum automorphism_method { AUTOMORPHISM_AUTO, AUTOMORPHISM_TRACES, AUTOMORPHISM_NAUTY, AUTOMORPHISM_FEW };
#define AUTOMORPHISM_MOST 16

struct automorphisms {
	VEC(uint32_t) images; /* generator i maps v to images[i * keep + v] */
	size_t count;
	uint32_t keep;
	double mantissa; /* the order of the group is mantissa * 10 ^ exponent */
	int exponent;
	bool hidden; /* some generator moves none of the first `keep` (it is left out) */
};

/* False: the limit was reached first; the result is empty then. */
bool automorphisms_find(struct automorphisms *a, const struct coloured_graph *g, uint32_t keep,
                        enum automorphism_method method, const struct limit *limit);
/* The same, with the order of the group on the first `keep` vertices: what moves none of
 * them does not count. */
bool automorphisms_on(struct automorphisms *a, const struct coloured_graph *g, uint32_t keep,
                      const struct limit *limit);
void automorphisms_print_order(struct text *t, double mantissa, int exponent); /* all digits, or 4.034e26 */
void automorphisms_free(struct automorphisms *a);
struct thread_mutex *automorphisms_lock(void); /* one search at a time: for thread_fork() */

#endif
