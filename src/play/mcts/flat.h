/* Flat Monte Carlo, the common part of mc and ucb: no tree, only the moves at hand,
 * each with the mean of the playouts that began with it. */
#ifndef PLAY_MCTS_FLAT_H
#define PLAY_MCTS_FLAT_H

#include "play/player.h"

struct flat_options {
	double c;      /* of UCB1; below zero: all moves get the same share */
	int64_t batch; /* playouts a round */
};

uint32_t flat_move(struct seat *s, const struct flat_options *o, const struct turn *t, const struct budget *b);

#endif
