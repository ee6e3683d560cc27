/* Events of a piece of work, kept for those who listen and for those who come later. An event may replace the last one
 * of its name: whoever is slow gets only the newest. */
#ifndef WEB_STREAM_H
#define WEB_STREAM_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STREAM_BYTES ((size_t)24 << 20) /* that one stream keeps; more are refused */

struct stream;

/* A stream lives until its owner and all listeners have left it. */
struct stream *stream_new(void);
void stream_leave(struct stream *s); /* the owner's */

/* False: the stream is full. */
bool stream_put(struct stream *s, const char *event, const char *json, bool replace);
void stream_end(struct stream *s); /* listeners read to the end, then their connections close */

/* Events after number `after` (0: all), then those to come. `listeners`: of the whole server, counted up now and down
 * at the end. NULL: out of memory. */
struct MHD_Response *stream_response(struct stream *s, uint64_t after, _Atomic int *listeners);

double stream_silence(struct stream *s); /* seconds since somebody listened; 0: somebody does */

/* For streams of another kind: writes what is due into `into`, waits for it at most `patience` seconds. 0: nothing
 * came; -1: the end. */
typedef long stream_read(void *context, char *into, size_t room, double patience);
/* Comments are sent while nothing comes, which tells whether the listener is still there. `leave` is called at the end.
 */
struct MHD_Response *stream_response_of(stream_read *read, void (*leave)(void *context), void *context);

#endif
