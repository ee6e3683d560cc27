/* One match as its player sees it. Messages are asked from any thread and answered
 * once each, through the callback, from a thread of the bout or of bout_tick(). */
#ifndef NET_PLAYER_SESSION_H
#define NET_PLAYER_SESSION_H

#include "net/protocol/message.h"

#include <jansson.h>

struct bout_options {
	const char *player; /* a word for player_make() */
	const char *record; /* folder; NULL: none */
	double margin;      /* seconds, see bout_due() */
	bool ponder;
	uint64_t seed;
	size_t memory; /* bytes that the rules may take; 0: half of the machine's */
	/* `why` is for the log. */
	void (*answer)(void *ticket, int status, const char *reply, const char *why);
};

struct bout;

/* Both take the message over. `arrived` is when it began to come in, on clock_now();
 * `delay` what is to be added to the margin. NULL: no thread to be had. */
struct bout *bout_open(const struct bout_options *o, struct message *start, double arrived, double delay, void *ticket);
void bout_ask(struct bout *b, struct message *m, double arrived, double delay, void *ticket);

/* Answers what is due now; returns when to come again (a large number: no need). */
double bout_tick(struct bout *b, double now);

/* Ends it as if the manager had: everything under way is answered and stops. */
void bout_end(struct bout *b, const char *why);

const char *bout_id(const struct bout *b);
double bout_clock(const struct bout *b); /* of a move */
bool bout_over(const struct bout *b);  /* takes no more messages */
bool bout_gone(const struct bout *b);  /* its threads have ended: bout_free() will not wait */
void bout_free(struct bout *b);
/* The start message is this one, and nothing was played yet. */
bool bout_same_start(struct bout *b, const struct message *m);
json_t *bout_status(struct bout *b);

#endif
