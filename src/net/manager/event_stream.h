/* A read-only window for spectators: GET /events sends server-sent events, first those
 * of the match so far, then each as it happens. GET / says what there is. */
#ifndef NET_MANAGER_EVENT_STREAM_H
#define NET_MANAGER_EVENT_STREAM_H

#include "base/text.h"

#include <stdbool.h>

struct event_stream;

/* HOST:PORT, port 0 picks a free one. NULL with a message; *usage: it is the address that is wrong. */
struct event_stream *event_stream_open(const char *address, bool *usage, struct text *error);
const char *event_stream_address(const struct event_stream *e); /* with the port that was picked */
void event_stream_begin(struct event_stream *e);                /* a new match: the events so far are forgotten */
void event_stream_send(struct event_stream *e, const char *event, const char *json);
void event_stream_close(struct event_stream *e); /* lets spectators read to the end, for a second at most */

#endif
