/* Tables as decision trees: which value does the last variable have, given those of the others? Equal subtrees of one
 * table are stored once. */
#ifndef MODEL_LOOKUP_TREE_H
#define MODEL_LOOKUP_TREE_H

#include "base/hash.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define LOOKUP_LEAF UINT32_C(0x80000000) /* a number with this bit is an answer, one without it a place in `nodes` */
#define LOOKUP_ANY UINT32_C(0x7ffffffe)  /* answers: every value would do; no row fits */
#define LOOKUP_LOST UINT32_C(0x7fffffff)

struct lookup_tree {
	VEC(uint32_t) nodes; /* a node: its variable, then for each value index where to go */
};

/* Rows of value indices, CSP_CELL_ANY for any; count: values by variable. The place of the tree, for lookup();
 * LOOKUP_LOST: it would be too large. Where several rows fit, the first counts. */
uint32_t lookup_add(struct lookup_tree *t, const uint32_t *scope, uint32_t arity, const uint32_t *cells, uint32_t rows,
                    const uint32_t *count);
void lookup_free(struct lookup_tree *t);

static inline uint32_t lookup(const struct lookup_tree *t, uint32_t tree, const uint32_t *value)
{
	while (!(tree & LOOKUP_LEAF)) {
		const uint32_t *node = t->nodes.at + tree;
		tree = node[1 + value[node[0]]];
	}
	return tree & ~LOOKUP_LEAF;
}

#endif
