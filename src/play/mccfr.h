/* Monte Carlo counterfactual regret minimisation by outcome sampling (Lanctot,
 * Waugh, Zinkevich and Bowling 2009) from the start of the game, for games with
 * hidden information.
 *
 * A role knows its own moves and percepts, so an information set is the hash of
 * their sequence. Each iteration plays one match against oneself; the average
 * strategy approaches an equilibrium in two-player zero-sum games that are small
 * enough for their information sets to be visited often. Where it has not been, a
 * move is drawn at random. */
#ifndef PLAY_MCCFR_H
#define PLAY_MCCFR_H

#include "play/player.h"

struct mccfr;
struct mccfr *mccfr_new(struct seat *s);
void mccfr_free(struct mccfr *c);
void mccfr_run(struct mccfr *c, struct seat *s, const struct budget *b);
/* Follows the match by what `t` tells and draws from the average strategy. */
uint32_t mccfr_move(struct mccfr *c, struct seat *s, const struct turn *t);

#endif
