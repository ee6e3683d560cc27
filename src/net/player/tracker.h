/* What one role knows of a match (play/hidden/tracker.h), from messages of the protocol. */
#ifndef NET_PLAYER_TRACKER_H
#define NET_PLAYER_TRACKER_H

#include "net/protocol/kif.h"
#include "play/hidden/tracker.h"

/* News of one step: either the moves of all roles, or one's own and what one
 * saw. An own move that is not reported is given by its number. */
struct tracker_news {
	const struct kif *kif;
	uint32_t joint;    /* node: a move for each role in order; KIF_NONE: only this: */
	uint32_t own;      /* node; KIF_NONE: not reported */
	uint32_t own_move; /* when it is not reported; GAME_NONE: unknown */
	uint32_t percepts; /* node; KIF_NONE: saw nothing */
};

/* As tracker_observe(); false also when there is not one move for each role. */
bool tracker_step(struct tracker *k, const struct tracker_news *n, const struct limit *limit);

#endif
