/* Rounds one after another: arc consistency that wakes only what the change of state touches.
 *
 * The network of a round has a shape that the general solver cannot know of: every table but those of legality gives
 * its last variable a value as soon as the others have theirs, and nothing else. So with the state fixed, propagation
 * is one sweep upwards in the order of the tables, with an action fixed another one. Between two states, and between
 * two moves, most variables keep their values, and with them their supports: only tables with a variable that has
 * changed are looked at. Values that a table does not tell apart wake nobody.
 *
 * The solutions are those of the network, whatever state was there before. */
#ifndef MODEL_DELTA_H
#define MODEL_DELTA_H

#include "model/model_internal.h"

struct delta;

/* NULL: the tables are not in such an order. */
struct delta *delta_make(struct model *m);
void delta_free(struct delta *d);

/* The state with all that follows from it. False: not a state that can be reached. */
bool delta_inject(struct delta *d, const uint64_t *state);
bool delta_terminal(const struct delta *d);
void delta_goals(struct delta *d, int *goals); /* of a terminal state */
/* The legal joint moves, role by role in the order of dom/ddeg, with their successors. */
void delta_enumerate(struct delta *d, struct model_round *r);
uint64_t delta_runs(const struct delta *d); /* tables looked at so far */

#endif
