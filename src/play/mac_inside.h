/* Inside the search of mac-ucb: mac_search.c solves, plays and backs up; mac_values.c says
 * what a node is worth and where to go. */
#ifndef PLAY_MAC_INSIDE_H
#define PLAY_MAC_INSIDE_H

#include "play/mac_search.h"
#include "play/tree_node.h"

#define MAC_NARROW 64 /* lanes of the narrowest pass, which costs as much as a single playout */

struct walk {
	uint32_t first_step, steps, leaf;
	bool solved; /* the leaf was a round and is solved now: its children are fresh */
	double weight;
};

struct mac_search {
	struct mac_options o;
	struct tree *tree;
	struct model *model;
	enum model_method method;
	struct model_round round;
	double theta;               /* what every role has in the best policy known */
	double solving, simulating; /* seconds of this move */
	uint32_t lanes;
	/* a batch */
	VEC(struct path_step) steps;
	VEC(uint32_t) chosen;
	VEC(struct walk) walks;
	VEC(uint32_t) starts, groups; /* nodes; those after the same role's move are played together */
	VEC(double) played;           /* playouts by start */
	/* scratch */
	VEC(uint64_t) next, states;
	VEC(uint32_t) legal, first, members;
};

/* What is known of a node, in 0..1. */
double mac_within(const struct node *n, uint32_t role, double x); /* what is proved bounds it */
double mac_best(const struct node *n, uint32_t role);             /* of the best solution below */
double mac_value(const struct mac_search *k, const struct node *n, uint32_t role);
double mac_least_reward(const struct mac_search *k); /* of the best policy at the root */

/* Nothing can be learnt below it. */
static inline bool mac_known(const struct node *n)
{
	return n->terminal || n->solved || n->done;
}

/* Sums over walks instead of values of children. */
static inline bool mac_sampled(const struct node *n)
{
	return n->movers > 1 || !n->expanded;
}

/* The estimates of a node from those of its children; and whether they are all known. */
void mac_refresh(struct mac_search *k, struct node *n);
/* An arm for each role; false: there is nothing more to learn below. */
bool mac_choose(struct mac_search *k, struct seat *s, struct node *n, uint32_t *arms);
/* The arm to play at the root. */
uint32_t mac_best_arm(const struct mac_search *k, uint32_t role);

#endif
