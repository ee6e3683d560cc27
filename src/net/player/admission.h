/* Bounds on connections whose message is not complete yet. A whole message must have come within
 * ADMISSION_PATIENCE seconds, however slowly its bytes drip; when more than ADMISSION_HALF_OPEN are
 * incomplete, the oldest are closed at once; and all incomplete messages together may be as long as
 * ADMISSION_LONG of the longest. All open connections are counted, too: one too many is turned away
 * before any other part of the program has to do with it. */
#ifndef NET_PLAYER_ADMISSION_H
#define NET_PLAYER_ADMISSION_H

#include "base/thread.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <stdbool.h>

#define ADMISSION_PATIENCE 10.0 /* seconds */
#define ADMISSION_HALF_OPEN 400
#define ADMISSION_LONG 8
#define ADMISSION_OPEN 800 /* connections, besides those that may wait for an answer */

struct admission {
	struct thread_mutex lock;
	VEC(struct waiting_connection {
		int fd;
		double since;
	}) waiting; /* oldest first */
	atomic_size_t bytes, connections;
	size_t most, most_connections;
};

void admission_open(struct admission *a, size_t max_body, size_t waiting); /* waiting: answers that may be waited for */
void admission_close(struct admission *a);
void admission_enter(struct admission *a, int fd);
void admission_leave(struct admission *a, int fd); /* its message is complete, or it is about to be closed */
bool admission_admit(struct admission *a); /* one more connection; false: there are too many, and it is not counted */
void admission_gone(struct admission *a);  /* a connection that was counted is closed */
void admission_watch(struct admission *a, double now);

/* Bytes of incomplete messages, more and fewer. False: that is too many; they are counted all the
 * same. */
bool admission_hold(struct admission *a, size_t bytes);
void admission_release(struct admission *a, size_t bytes);

#endif
