/* A player that needs to see the state, in a game that hides it: it is asked about
 * several states drawn from the belief, as if each were the truth, and the moves are
 * put to the vote (perfect information Monte Carlo, averaging over clairvoyance:
 * Ginsberg 2001).
 *
 * A kind that searches over beliefs where it can (`believe`) is asked that first, and votes elsewhere.
 *
 * In every one of these states the player believes that it knows everything, so a
 * percept is worth nothing to it: it does not pay to look, and it defers decisions to
 * a time when it will know (strategy fusion: Frank and Basin 1998). */
#ifndef PLAY_HIDDEN_DETERMINISED_H
#define PLAY_HIDDEN_DETERMINISED_H

#include "play/player.h"

struct determinised;
struct determinised *determinised_new(const struct player_kind *kind, struct seat *s);
void determinised_free(struct determinised *d);
uint32_t determinised_move(struct determinised *d, void *self, struct seat *s, const struct turn *t,
                           const struct budget *b);
/* Shares of the last vote. False: there was none about these moves. */
bool determinised_values(const struct determinised *d, const struct turn *t, struct move_value *out);

#endif
