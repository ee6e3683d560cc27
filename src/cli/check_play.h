/* What `check --play` does: plays a game many times and tells what went wrong. */
#ifndef CLI_CHECK_PLAY_H
#define CLI_CHECK_PLAY_H

#include "macaw/explain.h"
#include "show/terminal.h"

struct check_play_options {
	int64_t playouts, seed;
	double seconds;
};

/* Takes the rules over, which have no errors. Tells on stderr, or as the member "play" of the JSON object at hand.
 * Returns the exit status: EXIT_INPUT when there are defects; *found counts them. */
int check_play(macaw_rules *r, const struct check_play_options *o, struct json_writer *w, size_t *found);

#endif
