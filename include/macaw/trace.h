/* Traces: matches recorded by another program, step by step, held against what the rules say. In the library
 * macaw-full.
 *
 * A trace is text with one JSON object per line:
 *
 *     {"match":0, "step":1, "state":["(cell 1 1 b)", …],
 *      "legal":{"x":["noop"], …} or null, "terminal":false,
 *      "goals":{"x":50, …} or null, "move":{"x":"noop", …} or null,
 *      "sees":{"x":[…], …}}                        (sees: only with GDL-II)
 *
 * Each match starts in the initial position; `move` leads to the next line, `sees` is what it lets the roles perceive.
 * Lists are sets; upper and lower case are one; spacing does not matter; what is null or absent is not compared. */
#ifndef MACAW_TRACE_H
#define MACAW_TRACE_H

#include "macaw/game.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct macaw_trace macaw_trace;

enum macaw_verdict {
	MACAW_AGREES,
	MACAW_DIFFERS,     /* from what the rules say */
	MACAW_MALFORMED,   /* no trace, or none of this game */
	MACAW_NOT_COMPARED /* the interpreter gave up, or out of memory */
};

MACAW_API macaw_trace *macaw_trace_new(macaw_game *g, macaw_error *e);
MACAW_API void macaw_trace_free(macaw_trace *t);

/* Compares the matches of one text; as many texts as you like, one after another. */
MACAW_API enum macaw_verdict macaw_trace_compare(macaw_trace *t, const char *text, size_t length);
MACAW_API const char *macaw_trace_message(
	const macaw_trace *t); /* what is wrong, perhaps of several lines; until the next text */
MACAW_API size_t macaw_trace_line(const macaw_trace *t);    /* of the text, from 1: where it is wrong */
MACAW_API size_t macaw_trace_matches(const macaw_trace *t); /* in all texts so far */
MACAW_API size_t macaw_trace_steps(const macaw_trace *t);   /* that agreed */

#ifdef __cplusplus
}
#endif

#endif
