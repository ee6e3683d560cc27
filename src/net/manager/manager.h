/* The game manager: one match between players anywhere, and its record. */
#ifndef NET_MANAGER_MANAGER_H
#define NET_MANAGER_MANAGER_H

#include "match/record.h"

#include <jansson.h>
#include "net/manager/event_stream.h"

struct manager_options {
	double start, play, grace;
	bool scramble;
	uint64_t seed;
	uint32_t max_steps;
	atomic_bool *stop;  /* gives the match up; may be NULL */
	struct event_stream *events;  /* may be NULL */
	const char *game;   /* its name, for the record */
	/* who answers for the word `human`; may be NULL when nobody is called so */
	struct contestant (*person)(void *context, struct game *g, uint32_t role);
	/* after every step and before the first, when not NULL */
	void (*watch)(void *context, const struct match *m);
	void *context;
};

/* How it went, role by role. */
struct managed {
	struct match match;
	json_t *record; /* whole, for `macaw replay` */
	json_t *summary; /* without rules, states and reasons */
	uint64_t errors;
};

/* A word for somebody: HOST:PORT, `human`, or the name of a player. False with a message. */
bool manager_knows(const char *word, struct text *error);

/* A word for each role but `random`: HOST:PORT, `human`, or a player's name. False
 * with a message when there are too few or one is no player; else managed_free(). */
bool manager_play(struct managed *out, struct game *g, const char *const *words, uint32_t count,
                  const struct manager_options *o, struct text *error);
void managed_free(struct managed *m);

#endif
