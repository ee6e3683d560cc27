/* Flat Monte Carlo, the common part of mc and ucb: no tree, only the moves at hand,
 * each with the mean of the playouts that began with it. */
#ifndef PLAY_MCTS_FLAT_H
#define PLAY_MCTS_FLAT_H

#include "play/player.h"

struct flat_options {
	double c;      /* of UCB1; below zero: all moves get the same share */
	int64_t batch; /* playouts a round */
};

struct flat; /* what is known of the moves at hand */
void *flat_make(struct seat *s);
void flat_release(void *flat);
uint32_t flat_move(struct flat *k, struct seat *s, const struct flat_options *o, const struct turn *t,
                   const struct budget *b);
bool flat_values(void *flat, struct seat *s, const struct turn *t, struct move_value *out);

#endif
