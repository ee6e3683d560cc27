/* Inside of the room: the graph whose automorphisms are the symmetries of a game. */
#ifndef SYMMETRY_GRAPH_H
#define SYMMETRY_GRAPH_H

#include "graph/automorphism.h"
#include "game/game.h"

/* The points of symmetry.h are the first vertices. */
struct symmetry_graph {
	struct coloured_graph graph;
	uint64_t *matters; /* one bit per fluent */
	uint32_t colours;  /* numbers below are taken */
};

/* NULL: more edges than that, or out of time. `loose`: goals and the end are not looked into, but for
 * what recursion they rest on, and that without direction: automorphisms are
 * candidates then, right about legality, successors and percepts only. */
struct symmetry_graph *symmetry_graph_make(const struct game *g, size_t max_edges, bool loose, const struct limit *limit);
void symmetry_graph_free(struct symmetry_graph *s);

#endif
