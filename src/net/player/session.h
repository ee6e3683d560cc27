/* One match as its player sees it. Messages come from any thread and are answered
 * once each, through the callback, from a thread of the session or of session_tick(). */
#ifndef NET_PLAYER_SESSION_H
#define NET_PLAYER_SESSION_H

#include "base/json.h"
#include "net/protocol/message.h"

struct session_options {
	const char *player; /* a word for player_make() */
	const char *record; /* folder; NULL: none */
	double margin;      /* seconds, before the end of the clock */
	bool ponder;
	uint64_t seed;
	size_t memory; /* bytes that the rules may take; 0: half of the machine's */
	/* `why` is for the log. */
	void (*answer)(void *ticket, int status, const char *reply, const char *why);
};

/* Bounds on what waits in one match: answers (those of `stop` and `abort` get in a little longer), and bytes of plays when there is
 * more than one. */
#define SESSION_WAITING 16
#define SESSION_WAITING_LAST 4
#define SESSION_BYTES ((size_t)2 << 20)

struct session;

/* Both take the message over. `arrived` is when it began to come in, on clock_now();
 * `delay` what is to be added to the margin. NULL: no thread could be started. */
struct session *session_open(const struct session_options *o, struct message *start, double arrived, double delay,
                             void *ticket);
void session_ask(struct session *s, struct message *m, double arrived, double delay, void *ticket);

/* Answers what is due now; returns when to come again (a large number: no need). */
double session_tick(struct session *s, double now);

/* Ends it as if the manager had: everything under way is answered and stops. */
void session_end(struct session *s, const char *why);

const char *session_id(const struct session *s);
double session_clock(const struct session *s); /* of a move */
bool session_over(struct session *s);          /* takes no more messages */
bool session_gone(struct session *s);          /* its threads have ended: session_free() will not wait */
void session_free(struct session *s);
/* The start message is this one, and nothing was played yet. */
bool session_same_start(struct session *s, const struct message *m);
void session_status(struct session *s, struct json_writer *w); /* one object */

#endif
