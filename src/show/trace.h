/* Recorded matches held against a game, step by step.
 *
 * A trace is text with one JSON object a line:
 *
 *     {"match":0, "step":1, "state":["(cell 1 1 b)", …],
 *      "legal":{"xplayer":["noop"], …} or null, "terminal":false,
 *      "goals":{"xplayer":50, …} or null, "move":{"xplayer":"noop", …} or null,
 *      "sees":{"xplayer":[…], …}}                  (sees: only with GDL-II)
 *
 * Each match starts in the initial state; `move` leads to the next line, `sees` is
 * what it lets the roles perceive. Lists are sets; upper and lower case are one;
 * spacing does not matter; what is null or absent is not compared. */
#ifndef SHOW_TRACE_H
#define SHOW_TRACE_H

#include "game/game.h"

enum trace_verdict {
	TRACE_AGREES,
	TRACE_DIFFERS,   /* from what the game says */
	TRACE_MALFORMED, /* no trace, or none of this game */
	TRACE_TROUBLE    /* the game itself could not answer */
};

struct trace {
	struct worker *worker; /* made by the first call */
	size_t matches, steps; /* seen so far, in all texts */
	size_t line;           /* of the text, where the first fault is; from 1 */
	struct text message;   /* what is wrong, perhaps of several lines */
};

/* Replays the matches of one text. */
enum trace_verdict trace_replay(struct trace *t, struct game *g, const char *text, size_t length);
void trace_free(struct trace *t);

#endif
