/* Matches written down as JSON. */
#ifndef MATCH_RECORD_H
#define MATCH_RECORD_H

#include "match/seats.h"

#include <jansson.h>

struct record_options {
	const char *game, *engine;
	const struct referee_options *referee;
	bool full; /* rules and states too: enough for `macaw replay` anywhere */
};

json_t *record_make(const struct match *m, const struct seats *s, const struct record_options *o);

#endif
