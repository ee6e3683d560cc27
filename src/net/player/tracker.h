/* What one role knows of a match (play/hidden/tracker.h), from messages of the protocol. */
#ifndef NET_PLAYER_TRACKER_H
#define NET_PLAYER_TRACKER_H

#include "net/protocol/kif.h"
#include "play/hidden/tracker.h"

/* What a message reports of one step: either the moves of all roles, or the own move and
 * the percepts. An own move that is not reported is given by its number. */
struct tracker_input {
	const struct kif *kif;
	uint32_t joint;    /* node: one move per role, in order; KIF_NONE: only what follows is given */
	uint32_t own;      /* node; KIF_NONE: not reported */
	uint32_t own_move; /* when it is not reported; GAME_NONE: unknown */
	uint32_t percepts; /* node; KIF_NONE: saw nothing */
};

/* As tracker_observe(); false also when there is not one move for each role. */
bool tracker_step(struct tracker *k, const struct tracker_input *n, const struct limit *limit);

#endif
