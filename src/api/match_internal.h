/* The inside of matches, for those of the competition network, which are looked at by the same functions. */
#ifndef API_MATCH_INTERNAL_H
#define API_MATCH_INTERNAL_H

#include "api/api_internal.h"
#include "macaw/match.h"
#include "match/seats.h"

/* A seat by functions, as the referee asks it. */
struct own_seat {
	macaw_seat seat;
	macaw_game *game;
	uint32_t role;
};

struct macaw_match {
	struct handle handle;
	macaw_game *game;
	macaw_match_options o;
	struct referee_options referee;
	struct seats seats;
	struct own_seat *own; /* by role */
	struct match m;
	bool played, over;
};

struct contestant api_own_contestant(struct own_seat *own); /* which must outlast it */

#endif
