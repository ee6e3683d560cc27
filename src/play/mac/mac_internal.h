/* Inside the search of mac-ucb: mac_search.c solves rounds, mac_nogoods.c tells which moves
 * are not worth it. */
#ifndef PLAY_MAC_MAC_INTERNAL_H
#define PLAY_MAC_MAC_INTERNAL_H

#include "play/mac/mac_search.h"
#include "play/mcts/round.h"

struct mac_search {
	struct mac_options o;
	struct tree *tree;
	struct model *model;
	enum model_method method;
	struct model_round round;
	const struct budget *budget; /* of the run that is under way */
	double began, solving;       /* seconds: when it began, for solving since then */
	double theta;                /* what every role has at least by the best policy known */
	VEC(uint64_t) next; /* scratch */
	VEC(uint32_t) legal, first, arms;
};

/* What a role can expect at a node, in 0..1, within what is proved. */
double mac_value(const struct node *n, uint32_t role);

#endif
