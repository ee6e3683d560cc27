/* Recorded matches for others: compared with what the rules say. */
#include "macaw/trace.h"
#include "api/api_internal.h"
#include "show/trace.h"

#include <stdlib.h>

struct macaw_trace {
	struct handle handle;
	macaw_game *game;
	struct trace trace;
	macaw_error error;
};

void macaw_trace_free(macaw_trace *t)
{
	if (!t)
		return;
	if (!t->handle.broken)
		trace_free(&t->trace);
	handle_close(&t->handle);
	free(t);
}

macaw_trace *macaw_trace_new(macaw_game *g, macaw_error *e)
{
	macaw_trace *t = calloc(1, sizeof *t);
	if (!t || !handle_open(&t->handle, e)) {
		api_fail(e, MACAW_MEMORY, "out of memory");
		free(t);
		return NULL;
	}
	t->game = g;
	return t;
}

enum macaw_verdict macaw_trace_compare(macaw_trace *t, const char *text, size_t length)
{
	static const enum macaw_verdict verdicts[] = {[TRACE_AGREES] = MACAW_AGREES,
	                                              [TRACE_DIFFERS] = MACAW_DIFFERS,
	                                              [TRACE_MALFORMED] = MACAW_MALFORMED,
	                                              [TRACE_TROUBLE] = MACAW_NOT_COMPARED};
	enum trace_verdict v = TRACE_TROUBLE;
	GUARD(&t->handle, &t->error, MACAW_NOT_COMPARED, v = trace_replay(&t->trace, api_game(t->game), text, length));
	return verdicts[v];
}

const char *macaw_trace_message(const macaw_trace *t)
{
	return t->handle.broken ? t->error.text : text_str(&t->trace.message);
}

size_t macaw_trace_line(const macaw_trace *t)
{
	return t->trace.line;
}

size_t macaw_trace_matches(const macaw_trace *t)
{
	return t->trace.matches;
}

size_t macaw_trace_steps(const macaw_trace *t)
{
	return t->trace.steps;
}
