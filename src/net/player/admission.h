/* Connections that do not get on. One must have brought a whole message within
 * ADMISSION_PATIENCE seconds, however it drips; when too many are half open, the oldest of
 * them go at once; and all unread messages together hold as much as ADMISSION_LONG of the
 * longest ones. */
#ifndef NET_PLAYER_ADMISSION_H
#define NET_PLAYER_ADMISSION_H

#include "base/thread.h"
#include "base/vec.h"

#include <stdatomic.h>
#include <stdbool.h>

#define ADMISSION_PATIENCE 10.0
#define ADMISSION_HALF_OPEN 400
#define ADMISSION_LONG 16

struct admission {
	struct thread_mutex lock;
	VEC(struct waiting_connection { int fd; double since; }) waiting; /* oldest first */
	atomic_size_t bytes;
	size_t most;
};

void admission_open(struct admission *a, size_t max_body);
void admission_close(struct admission *a);
void admission_enter(struct admission *a, int fd);
void admission_leave(struct admission *a, int fd); /* its message is complete, or it is about to be closed */
void admission_watch(struct admission *a, double now);

/* So many bytes more, or fewer, of messages that are coming in. False: too many; they
 * are counted all the same. */
bool admission_hold(struct admission *a, size_t bytes);
void admission_release(struct admission *a, size_t bytes);

#endif
