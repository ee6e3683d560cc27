/* The server: what its parts share, and the parts as they are asked. */
#ifndef WEB_SERVER_H
#define WEB_SERVER_H

#include "net/player/admission.h"
#include "web/games.h"
#include "web/pool.h"
#include "web/request.h"

#include <stdatomic.h>

#define WEB_BODY ((size_t)2 << 20)       /* bytes of a request */
#define WEB_BODY_LONG ((size_t)16 << 20) /* of records and networks */
/* What is longer than allowed is read and dropped up to here, so that a browser gets to see the answer. */
#define WEB_BODY_READ ((size_t)64 << 20)
#define WEB_LISTENERS 48 /* streams at the same time */
#define WEB_VANISH 10.0  /* seconds without a listener after which work ends */

struct files;
struct jobs;
struct matches;
struct networks;
struct tournaments;

struct web {
	struct games *games;
	struct pool *pool;
	struct files *files;
	struct jobs *jobs;
	struct matches *matches;
	struct networks *networks;
	struct tournaments *tournaments;
	atomic_int listeners;
	atomic_bool closing;
	atomic_bool studying; /* the games of the gallery, in the background */
};

/* A random word of 32 hexadecimal digits, for tokens and keys. */
void web_secret(char word[33]);
/* Equal, in a time that does not tell where they differ. */
bool web_same_secret(const char *given, const char *secret);
/* A place for one more stream; false: the request has failed. The place is given back by --web->listeners. */
bool web_may_listen(struct request *q);

/* One function per first word of a path; q->part[0] is that word. */
void serve_analyses(struct request *q);
void serve_curves(struct request *q);
void serve_files(struct request *q);
void serve_games(struct request *q);
void serve_jobs(struct request *q);
void serve_limits(struct request *q);
void serve_matches(struct request *q);
void serve_networks(struct request *q);
void serve_players(struct request *q);
void serve_playouts(struct request *q);
void serve_positions(struct request *q);
void serve_records(struct request *q);
void serve_rules(struct request *q);
void serve_thoughts(struct request *q);
void serve_tournaments(struct request *q);

/* Fail the request. */
void request_no_path(struct request *q);
void request_no_method(struct request *q);

#endif
