/* A read-only window for spectators: GET /events sends server-sent events, first those
 * of the match so far, then each as it happens. GET / says what there is. */
#ifndef NET_MANAGER_EVENT_STREAM_H
#define NET_MANAGER_EVENT_STREAM_H

#include "base/text.h"

#include <stdbool.h>

struct feed;

/* NULL with a message; `bound` gets the HOST:PORT that was taken. */
struct feed *feed_open(const char *address, struct text *bound, bool *usage, struct text *error);
void feed_begin(struct feed *f); /* a new match: what is past is forgotten; late comers begin here */
void feed_send(struct feed *f, const char *event, const char *json);
void feed_close(struct feed *f); /* lets spectators read to the end, for a second at most */

#endif
