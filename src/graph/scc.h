/* Strongly connected components (Tarjan 1972), without recursion. */
#ifndef GRAPH_SCC_H
#define GRAPH_SCC_H

#include <stdint.h>

/* The edges of node v lead to edges[start[v] .. start[v+1]), each shifted right
 * by `shift` (for callers whose edges carry flags in the low bits). Fills
 * component[v]; a component is numbered after all that it leads to. Returns how
 * many there are. */
uint32_t graph_components(uint32_t nodes, const uint32_t *start, const uint32_t *edges, int shift, uint32_t *component);

#endif
