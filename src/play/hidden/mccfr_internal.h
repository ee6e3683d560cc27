/* Inside of the regret minimisation. */
#ifndef PLAY_HIDDEN_MCCFR_INTERNAL_H
#define PLAY_HIDDEN_MCCFR_INTERNAL_H

#include "base/arena.h"
#include "base/bits.h"
#include "play/hidden/mccfr.h"

struct infoset {
	uint64_t view;
	uint32_t actions;
	uint32_t best; /* the action of a best response that was asked for; TABLE_NONE: none */
	double *regret, *policy;
};

/* A choice of the role that learns, on the way of one iteration. */
struct decision {
	uint32_t set, action;
	double sigma; /* of the action taken, under the present strategy */
};

/* A history. Its children stand one after another, by joint move: the action of role
 * 0 counts fastest. */
struct history {
	uint32_t first, joint; /* joint 0: an end */
	uint32_t roles;        /* into set_of and count_of */
	uint32_t goals;        /* ends only: index into goals */
};

struct mccfr {
	struct game *g;
	struct table table;
	VEC(struct infoset) sets;
	struct arena arena;
	uint64_t *state;
	uint64_t *views;   /* by role, in an iteration */
	uint32_t *moves;   /* likewise; scratch of roles + 1 numbers */
	VEC(double) stack; /* strategies and values on the way of a traversal */
	uint64_t own;      /* in the match */
	uint32_t step;     /* the last step of the match that was reported */
	VEC(struct decision) way;
	VEC(double) sigma;
	uint64_t iterations;
	/* the tree, by depth; none: it does not fit */
	VEC(struct history) nodes;
	VEC(uint32_t) set_of, count_of; /* by role: information set (TABLE_NONE: no choice, or chance) and actions */
	VEC(int) goals;
	VEC(uint32_t) depth; /* where each depth begins, and the end */
};

uint32_t mccfr_find(const struct mccfr *c, uint64_t view, uint32_t actions); /* TABLE_NONE: none */
uint32_t mccfr_set(struct mccfr *c, struct seat *s, uint64_t view, uint32_t actions);

/* Writes the tree down if it fits. */
void mccfr_grow(struct mccfr *c, struct seat *s);
/* One iteration of external sampling. */
void mccfr_traverse(struct mccfr *c, struct seat *s, uint32_t learner);

#endif
