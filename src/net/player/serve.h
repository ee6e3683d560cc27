/* The competition player: an HTTP server that plays the matches it is asked to. */
#ifndef NET_PLAYER_SERVE_H
#define NET_PLAYER_SERVE_H

#include "base/text.h"

#include <stdbool.h>

struct serve_options {
	const char *listen; /* HOST:PORT; port 0 picks a free one */
	const char *player, *name;
	const char *log, *record; /* a file, a folder; may be NULL */
	int64_t threads, matches, max_body, seed;
	double margin;
	bool ponder;
};

enum serve_end { SERVE_DONE, SERVE_USAGE, SERVE_MACHINE };

/* Prints `listening on HOST:PORT`, serves until SIGTERM or SIGINT. Otherwise an
 * end with a message. */
enum serve_end serve(const struct serve_options *o, struct text *error);

#endif
