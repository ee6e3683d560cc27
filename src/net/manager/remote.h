/* A player somewhere on the network, as a contestant of a referee. */
#ifndef NET_MANAGER_REMOTE_H
#define NET_MANAGER_REMOTE_H

#include "match/referee.h"
#include "net/protocol/scramble.h"

struct remote_options {
	const char *address; /* HOST:PORT */
	const char *id;      /* of the match */
	struct game *game;
	uint32_t role;
	double start, play, grace;
	const struct scramble *words;
};

struct remote;

struct remote *remote_new(const struct remote_options *o);
struct contestant remote_contestant(struct remote *r);

/* The end of a match, told to all of them at once: by role, NULL where somebody else sits. */
void remotes_finish(struct remote *const *by_role, const struct match *m);

uint64_t remote_errors(const struct remote *r);     /* in start and stop; the referee counts those in moves */
const char *remote_trouble(const struct remote *r); /* the first of them, or "" */
void remote_free(struct remote *r);

#endif
