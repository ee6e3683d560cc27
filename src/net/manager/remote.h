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

/* The end: `last` is the joint move that led to it (NULL: none was made), `seen` what
 * the role saw then. STOP, or ABORT when the match did not come to its end. */
void remote_finish(struct remote *r, bool stop, uint32_t step, const uint32_t *last, const uint32_t *seen,
                   uint32_t seen_count);

uint64_t remote_errors(const struct remote *r);     /* in start and stop; the referee counts those in moves */
const char *remote_trouble(const struct remote *r); /* the first of them, or "" */
void remote_free(struct remote *r);

#endif
