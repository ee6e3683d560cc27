/* The game manager: one match between players anywhere, how it went, and its record. */
#ifndef NET_MANAGER_MANAGER_H
#define NET_MANAGER_MANAGER_H

#include "match/seats.h"
#include "net/manager/event_stream.h"

/* Who plays a role. */
struct manager_seat {
	const char *word; /* HOST:PORT, or the name of a player with options; NULL: the contestant plays */
	struct contestant contestant;
	const char *name; /* of the contestant, for the record */
};

struct manager_options {
	double start, play, grace; /* seconds */
	bool scramble;
	uint64_t seed;
	uint32_t max_steps;
	atomic_bool *stop;           /* gives the match up; may be NULL */
	struct event_stream *events; /* may be NULL */
	const char *game;            /* its name, for the record */
	/* after every step and before the first, when not NULL */
	void (*watch)(void *context, const struct match *m);
	void *context;
};

/* How the match went for one role. */
struct managed_role {
	const char *player;     /* the word, the name, or "chance" */
	int goal;               /* GOAL_NONE: none */
	uint64_t late, illegal; /* moves */
	uint64_t errors;        /* those, and messages that were not answered as they should be */
	const char *trouble;    /* the first such message; NULL: none */
	double seconds;         /* that its answers took, all together */
	double longest;         /* of them */
};

struct managed {
	struct match match;
	struct managed_role *roles;
	uint64_t errors; /* of all roles, and one more when the match did not come to its end */
	char id[64];     /* of the match */
	struct manager_options o;
	struct referee_options referee;
	struct seats seats;
	struct remote **remotes; /* by role; NULL: not on the network */
	struct scramble *words;
};

/* Is the word an address or the name of a player? False with a message. */
bool manager_knows(const char *word, struct text *error);

/* One seat for each role except `random`. False with a message when there are too few or one is no player; else
 * managed_free(). The game and `o->game` must last until then. */
bool manager_play(struct managed *out, struct game *g, const struct manager_seat *seats, uint32_t count,
                  const struct manager_options *o, struct text *error);
void managed_free(struct managed *m);

/* The match as one JSON object: with everything that `macaw replay` needs, on many lines or on one; or without rules,
 * states, times and reasons. */
enum managed_record { MANAGED_WHOLE, MANAGED_LINE, MANAGED_BRIEF };
void manager_record(const struct managed *m, enum managed_record how, struct text *json);

#endif
