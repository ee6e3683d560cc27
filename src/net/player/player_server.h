/* The competition player: an HTTP server that plays the matches it is asked to play.
 *
 *     struct player_server *s = player_server_start(&options, &fault, &error);
 *     puts(player_server_address(s));
 *     …
 *     player_server_stop(s);
 *     player_server_free(s); */
#ifndef NET_PLAYER_PLAYER_SERVER_H
#define NET_PLAYER_PLAYER_SERVER_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct session_company;

struct player_server_options {
	const char *listen; /* HOST:PORT; port 0 picks a free one */
	const char *player, *name;
	const char *record; /* folder; may be NULL */
	const char *log;    /* a file that lines are added to; NULL: the function gets them */
	/* One call per line, never two at the same time; must not wait. May be NULL. */
	void (*log_line)(void *context, const char *line, size_t length);
	void *context;
	uint32_t threads;                      /* that a match thinks with; 0: all processors, shared among the matches */
	uint32_t matches;                      /* at the same time */
	const char *program;                   /* that a match thinks in, see session.h; NULL: in threads of this process */
	size_t memory;                         /* bytes that such a process may take; 0: a share of the machine's */
	const struct session_company *company; /* see session.h; lasts; may be NULL */
	size_t max_body;                       /* bytes of the longest message */
	uint64_t seed;
	double margin; /* seconds */
	bool ponder;
};

enum server_fault { SERVER_FINE, SERVER_USAGE, SERVER_MACHINE };

struct player_server;

/* Texts of the options are copied. NULL: whose fault it is, and a message. */
struct player_server *player_server_start(const struct player_server_options *o, enum server_fault *fault,
                                          struct text *error);
const char *player_server_address(const struct player_server *s); /* HOST:PORT with the port that was picked */
void player_server_status(struct player_server *s, struct text *json);

/* From any thread, returns at once: no more connections are taken, what is under way is answered and ends. */
void player_server_stop(struct player_server *s);
/* Until it was stopped and everything has ended, `seconds` at most (0: for ever). False: not yet. */
bool player_server_wait(struct player_server *s, double seconds);
void player_server_free(struct player_server *s); /* stops it, waits for everything to end */

#endif
