/* Matches written down as JSON. */
#ifndef MATCH_RECORD_H
#define MATCH_RECORD_H

#include "base/json.h"
#include "match/seats.h"

struct record_options {
	const char *game, *engine;
	const struct referee_options *referee;
	bool full; /* rules and states too: enough for `macaw replay` anywhere; one line per value, unless: */
	bool one_line;
	bool brief;                                        /* without reasons, times and counters */
	void (*add)(void *context, struct json_writer *w); /* members of one's own at the end; may be NULL */
	void *context;
};

void record_write(const struct match *m, const struct seats *s, const struct record_options *o, struct text *out);

#endif
