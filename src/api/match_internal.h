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
	void (*count)(void *self, macaw_counters *out); /* may be NULL */
	struct counters work;                           /* what that said after the last move */
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

/* ---- players in shared libraries ---- */

bool api_plugin_named(const char *word); /* is it the path of one? */
/* Loads the library. NULL with a message: there is none, or it is none of a player. */
struct api_plugin *api_plugin_open(const char *word, struct text *error);
void api_plugin_close(struct api_plugin *p); /* NULL is nothing */
/* In a process of its own, known by its whole word. False with a message. */
bool api_plugin_sit(struct seats *s, uint32_t role, macaw_game *g, const char *word, uint64_t seed, struct text *error);

#endif
