/* One match as its player sees it. Messages come from any thread and are answered
 * once each, through the callback, from a thread of the session or of session_tick().
 *
 * There are two kinds: one thinks in threads of this process, the other in a process of its own, which runs
 * the first kind inside. */
#ifndef NET_PLAYER_SESSION_H
#define NET_PLAYER_SESSION_H

#include "base/json.h"
#include "net/protocol/message.h"
#include "play/company.h"

/* Other processes that search along with the player of a match; for matches that think in threads of this process. */
struct session_company {
	/* A match begins: its rules, role and player, and seconds in which its game must be built. False: none for this
	 * one. */
	bool (*open)(void *context, const char *rules, size_t length, const char *role, const char *player, uint64_t seed,
	             double seconds);
	/* Its game is there: the role's number, the words of a state. */
	struct company (*face)(void *context, uint32_t role, size_t words);
	void (*close)(void *context); /* after `open`, when the player is gone */
	void *context;
};

struct session_options {
	const char *player; /* a word for player_make() */
	const char *record; /* folder; NULL: none */
	double margin;      /* seconds, before the end of the clock */
	bool ponder;
	uint64_t seed;
	size_t memory;       /* bytes that the rules may take; 0: half of the machine's */
	const char *program; /* that is run as `PROGRAM SESSION_COMMAND` for each match; NULL: threads of this process */
	size_t bounds;       /* bytes that such a process may take in all */
	const struct session_company *company; /* NULL: players think alone; lasts */
	/* `why` is for the log. */
	void (*answer)(void *ticket, int status, const char *reply, const char *why);
	/* A legal move in the turn under way, as soon as one is known. May be NULL. */
	void (*holds)(void *ticket, const char *move);
	/* An answer took this long from its making to this process. May be NULL. */
	void (*delayed)(void *context, double seconds);
	void *context; /* of `delayed` */
};

#define SESSION_COMMAND "serve-match" /* its standard input is the socket to the server */

/* Bounds on what waits in one match: answers (those of `stop` and `abort` get in a little longer), and bytes of plays
 * when there is more than one. */
#define SESSION_WAITING 16
#define SESSION_WAITING_LAST 4
#define SESSION_BYTES ((size_t)2 << 20)

/* When this number of answers and bytes of plays wait: is this message one too many? A manager asks one thing at a
 * time. */
bool session_crowded(const struct message *m, size_t waiting, size_t bytes);

/* What a match that is over, or that nobody knows, answers. */
const char *session_no_match(const struct message *m);

struct session {
	const struct session_kind *kind;
};

/* Both take the message over. `arrived` is when it began to come in, on clock_now();
 * `delay` what is to be added to the margin. NULL: no thread could be started. */
struct session *session_open(const struct session_options *o, struct message *start, double arrived, double delay,
                             void *ticket);
void session_ask(struct session *s, struct message *m, double arrived, double delay, void *ticket);

/* Answers what is due now; returns when to come again (a large number: no need). */
double session_tick(struct session *s, double now);

/* Ends it as if the manager had: everything under way is answered and stops. */
void session_end(struct session *s, const char *why);

/* A message that was answered long ago, for a session that begins anew in the middle of a match. */
void session_replay(struct session *s, struct message *m, double arrived, const char *reply);

/* The last play was answered with this by somebody else, who could not wait. */
void session_told(struct session *s, const char *reply);

const char *session_id(const struct session *s);
double session_clock(const struct session *s); /* of a move */
bool session_over(struct session *s);          /* takes no more messages */
bool session_gone(struct session *s);          /* its threads have ended: session_free() will not wait */
void session_free(struct session *s);
/* The start message is this one, and nothing was played yet. */
bool session_same_start(struct session *s, const struct message *m);
void session_status(struct session *s, struct json_writer *w); /* one object */

/* What session_status() shows. */
struct session_state {
	const char *doing, *engine;
	uint32_t step;
};
struct session_state session_state(struct session *s);

/* For the kinds: session_*() of the same names. */
struct session_kind {
	struct session *(*open)(const struct session_options *o, struct message *start, double arrived, double delay,
	                        void *ticket);
	void (*ask)(struct session *s, struct message *m, double arrived, double delay, void *ticket);
	void (*replay)(struct session *s, struct message *m, double arrived, const char *reply); /* threads only */
	void (*told)(struct session *s, const char *reply);                                      /* threads only */
	double (*tick)(struct session *s, double now);
	void (*end)(struct session *s, const char *why);
	const struct message *(*started)(const struct session *s);
	double (*began)(const struct session *s); /* on clock_now() */
	bool (*over)(struct session *s);
	bool (*gone)(struct session *s);
	bool (*same_start)(struct session *s, const struct message *m);
	struct session_state (*state)(struct session *s);
	void (*free)(struct session *s);
};
extern const struct session_kind session_in_threads, session_in_process;

#endif
