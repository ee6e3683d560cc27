/* Matches written down as JSON. */
#ifndef MATCH_RECORD_H
#define MATCH_RECORD_H

#include "match/seats.h"

struct record_options {
	const char *game, *engine;
	const struct referee_options *referee;
	bool full; /* rules and states too: enough for `macaw replay` anywhere; one line per value */
};

void record_write(const struct match *m, const struct seats *s, const struct record_options *o, struct text *out);

#endif
