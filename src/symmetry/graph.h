/* Inside of the room: the graph whose automorphisms are the symmetries of a game. */
#ifndef SYMMETRY_GRAPH_H
#define SYMMETRY_GRAPH_H

#include "circuit/circuit.h"
#include "game/game.h"
#include "graph/automorphism.h"

/* The points of symmetry.h are the first vertices. */
struct symmetry_graph {
	struct coloured_graph graph;
	uint64_t *matters; /* one bit per fluent */
	uint32_t colours;  /* numbers below are taken */
};

/* NULL: more edges than that, or out of time. `loose`: goals and the end are not looked into, but for
 * what recursion they rest on, and that without direction: automorphisms are
 * candidates then, right about legality, successors and percepts only. */
struct symmetry_graph *symmetry_graph_make(const struct game *g, size_t max_edges, bool loose,
                                           const struct limit *limit);
/* The graph of the rounds from a state on: `base` (symmetry_graph_circuit) with what is known of fluents and moves
 * folded (future.h). Every role has a colour of its own. */
struct symmetry_graph *symmetry_graph_rounds(const struct game *g, const struct circuit *base, const uint8_t *fluents,
                                             const uint8_t *moves, size_t max_edges, const struct limit *limit);
void symmetry_graph_free(struct symmetry_graph *s);

/* The rules in normal form, less what never changes. False: too large, or out of time. */
bool symmetry_graph_circuit(const struct game *g, size_t max_edges, const struct limit *limit, struct circuit *c);

#endif
