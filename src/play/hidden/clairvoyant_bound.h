/* What one role could still reach with perfect information: the best score among the ends
 * that a search breadth first finds from a state, less a little for each step. An upper
 * bound of what can be reached, and much nearer to it than random playouts where good
 * ends are rare. For games of one role, and states from which chance has nothing more
 * to decide. */
#ifndef PLAY_HIDDEN_CLAIRVOYANT_BOUND_H
#define PLAY_HIDDEN_CLAIRVOYANT_BOUND_H

#include "play/player.h"

struct clairvoyant_bound;
struct clairvoyant_bound *clairvoyant_bound_new(void);
void clairvoyant_bound_free(struct clairvoyant_bound *f);
/* In 0..1; less than 0: chance still decides, or the search is too large. */
double clairvoyant_bound_of(struct clairvoyant_bound *f, struct seat *s, const uint64_t *state);

#endif
