/* The competition network: a player that waits for a game manager, and a manager that calls players. KIF lists over
 * HTTP, in the forms of GDL and GDL-II. In the library `macaw-full` only.
 *
 *     macaw_server *s = macaw_server_start(&(macaw_server_options){.listen = "127.0.0.1:0"}, &error);
 *     puts(macaw_server_address(s));
 *     … macaw_server_stop(s), from any thread …
 *     macaw_server_wait(s, 0);
 *     macaw_server_free(s);
 *
 * A server takes one file descriptor per open connection, 800 and 20 per match at most. When memory runs out in a
 * thread of a server, the program ends with status 3: no call is under way that could fail. With the option `program`,
 * matches think in processes of their own. */
#ifndef MACAW_SERVER_H
#define MACAW_SERVER_H

#include "macaw/match.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a player on the network ---- */

typedef struct macaw_server macaw_server;

/* Other processes that search along with the player of a match (see macaw_company), for servers without `program`.
 * Called by threads of matches; none may wait. */
typedef struct macaw_server_company {
	/* A match begins: its rules, role and player, and seconds in which its game must be built. False: no company for
	 * it. */
	bool (*open)(void *context, const char *rules, size_t length, const char *role, const char *player, uint64_t seed,
	             double seconds);
	/* Its game is there: the role's number, the words of a position. */
	macaw_company (*face)(void *context, uint32_t role, size_t words);
	void (*close)(void *context); /* after an `open` that was true: its player is gone */
	void *context;
} macaw_server_company;

typedef struct macaw_server_options {
	const char *listen; /* HOST:PORT, port 0 picks a free one; NULL: 127.0.0.1:9147 */
	const char *player; /* a word as in macaw/player.h; NULL: "macaw" */
	const char *name;   /* that `info` answers with, one word; NULL: "macaw" */
	uint32_t threads;   /* that one match thinks with; 0: all processors, shared among the matches */
	uint32_t matches;   /* at the same time, one more is answered `busy`; 0: 1 */
	double margin;      /* seconds left on the clock when the answer leaves, at most 0.4 of it; 0: 0.5; below 0: none */
	bool ponder;        /* go on thinking while the others do */
	size_t max_body;    /* bytes of the longest message; 0: 10 MiB */
	uint64_t seed;      /* 0: from the clock */
	/* A program that a match thinks in, run as `PROGRAM serve-match` with a socket as its standard input; it calls
	 * macaw_server_match(0). Then no match can end another one, or this program. NULL: matches think in threads. */
	const char *program;
	const macaw_server_company *company; /* NULL: players think alone; lasts as long as the server */
	size_t memory;      /* bytes that such a program may take, by the kernel; 0: 0.75 of the machine's, shared by all */
	const char *record; /* a folder for one JSON file per match; NULL: none */
	const char *log;    /* a file that one line per message is added to; NULL: the function gets them */
	/* A line with its newline, one call at a time, from threads of the server; must not wait. May be NULL. */
	void (*log_line)(void *context, const char *line, size_t length);
	void *context;
} macaw_server_options;

/* Listens from now on, in threads of its own. NULL: an unknown player or a bad address (MACAW_USAGE), a port in use, a
 * file or folder that cannot be written, no thread (MACAW_MACHINE). */
MACAW_API macaw_server *macaw_server_start(const macaw_server_options *o, macaw_error *e);
MACAW_API const char *macaw_server_address(const macaw_server *s); /* HOST:PORT with the port that is used */
MACAW_API char *macaw_server_status(macaw_server *s);              /* JSON, as GET /status; any thread */

/* From any thread, but not from a signal handler; returns at once: no more connections are taken, everything under way
 * is answered and ends. */
MACAW_API void macaw_server_stop(macaw_server *s);
/* Returns when it was stopped and all its matches have ended, after `seconds` at the latest (0: no bound). False: not
 * yet. */
MACAW_API bool macaw_server_wait(macaw_server *s, double seconds);
/* Stops it and waits until all its matches have ended: within a second, unless rules from the network are in a long
 * computation. */
MACAW_API void macaw_server_free(macaw_server *s);

/* Plays the match of a server that has started this process; returns the exit status when it is over. */
MACAW_API int macaw_server_match(int socket);

/* ---- a manager of matches ---- */

/* A window for spectators: GET /events is a stream of server-sent events, see docs/competition.md. It shows whole
 * positions, also of games with hidden information. */
typedef struct macaw_spectators macaw_spectators;

/* HOST:PORT, port 0 picks a free one. NULL: a bad address (MACAW_USAGE), or one that cannot be had (MACAW_MACHINE). */
MACAW_API macaw_spectators *macaw_spectators_open(const char *listen, macaw_error *e);
MACAW_API const char *macaw_spectators_address(const macaw_spectators *s); /* with the port that is used */
MACAW_API void macaw_spectators_close(macaw_spectators *s); /* lets them read to the end, for a second at most */

typedef struct macaw_manage_options {
	double start, play; /* clocks in seconds; 0: 30 and 10 */
	double grace;       /* seconds that an answer may be late; 0: 1; below 0: none */
	bool scramble;      /* send rules and moves with other words in the place of names */
	uint64_t seed;
	uint32_t max_steps;           /* 0: no bound */
	macaw_stop *stop;             /* gives the match up */
	macaw_spectators *spectators; /* NULL: none */
	/* After every step and before the first, when not NULL. */
	void (*watch)(void *context, const macaw_match *m);
	void *context;
} macaw_manage_options;

typedef struct macaw_managed macaw_managed; /* a match that is over */

/* Is it HOST:PORT or the word of a player? False: the error says what was probably meant (MACAW_USAGE). */
MACAW_API bool macaw_manage_knows(const char *word, macaw_error *e);

/* Plays one match. Seats as in macaw_match_play; a word may also be the HOST:PORT of a player on the network. All are
 * asked at the same time. NULL: a wrong number of seats, an unknown player, or one that cannot play this game. A player
 * that cannot be reached is an error of that player and plays at random. */
MACAW_API macaw_managed *macaw_manage(macaw_game *g, const macaw_seat *seats, size_t count,
                                      const macaw_manage_options *o, macaw_error *e);
MACAW_API void macaw_managed_free(macaw_managed *m);

MACAW_API const macaw_match *macaw_managed_match(
	const macaw_managed *m); /* moves, goals, positions; lasts as long as `m` */
/* Late and illegal moves, and other messages without a proper answer; one more when the match did not come to its end.
 */
MACAW_API uint64_t macaw_managed_errors(const macaw_managed *m);

typedef struct macaw_managed_role {
	const char *player;     /* the word, the name, or "chance" */
	int goal;               /* MACAW_NO_GOAL (-1): none */
	uint64_t late, illegal; /* moves */
	uint64_t errors;        /* those, and other messages without a proper answer */
	const char *trouble;    /* the first of those; NULL: none */
	double seconds;         /* that all answers took */
	double longest;         /* of them */
} macaw_managed_role;
MACAW_API macaw_managed_role macaw_managed_role_of(const macaw_managed *m, uint32_t role);

/* One JSON object: whole, enough for `macaw replay`, on many lines or on one; or without rules, positions, times and
 * reasons. NULL: out of memory. */
enum macaw_managed_record { MACAW_MANAGED_WHOLE, MACAW_MANAGED_LINE, MACAW_MANAGED_BRIEF };
MACAW_API char *macaw_managed_record(const macaw_managed *m, enum macaw_managed_record how);

#ifdef __cplusplus
}
#endif

#endif
