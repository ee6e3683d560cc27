/* Connections that do not get on. One must have brought a whole message within
 * GATE_PATIENCE seconds, however it drips; when too many are half open, the oldest of
 * them go at once; and all unread messages together hold as much as GATE_LONG of the
 * longest ones. */
#ifndef NET_PLAYER_ADMISSION_H
#define NET_PLAYER_ADMISSION_H

#include "base/vec.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#define GATE_PATIENCE 10.0
#define GATE_HALF_OPEN 400
#define GATE_LONG 16

struct gate {
	pthread_mutex_t lock;
	VEC(struct visitor { int fd; double since; }) waiting; /* oldest first */
	atomic_size_t bytes;
	size_t most;
};

void gate_open(struct gate *g, size_t max_body);
void gate_close(struct gate *g);
void gate_enter(struct gate *g, int fd);
void gate_leave(struct gate *g, int fd); /* its message is complete, or it is about to be closed */
void gate_watch(struct gate *g, double now);

/* So many bytes more, or fewer, of messages that are coming in. False: too many; they
 * are counted all the same. */
bool gate_hold(struct gate *g, size_t bytes);
void gate_release(struct gate *g, size_t bytes);

#endif
