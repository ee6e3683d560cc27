/* Connections that do not get on, and a line for every message.
 *
 * A connection must have brought a whole message within GATE_PATIENCE seconds, however
 * it drips; when too many are half open, the oldest of them go at once. */
#ifndef NET_GATE_H
#define NET_GATE_H

#include "base/vec.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define GATE_PATIENCE 10.0
#define GATE_HALF_OPEN 400

struct gate {
	pthread_mutex_t lock;
	VEC(struct visitor { int fd; double since; }) waiting; /* oldest first */
};

void gate_open(struct gate *g);
void gate_close(struct gate *g);
void gate_enter(struct gate *g, int fd);
void gate_pass(struct gate *g, int fd);  /* its message is complete */
void gate_leave(struct gate *g, int fd); /* before the socket is closed */
void gate_watch(struct gate *g, double now);

/* The journal: to a file, or to standard error, where a reader that does not read
 * costs lines and never time. */
struct journal {
	pthread_mutex_t lock;
	FILE *file; /* NULL: standard error */
};

struct MHD_Connection;
bool journal_open(struct journal *j, const char *path); /* NULL: standard error; false: errno says */
void journal_close(struct journal *j);
void journal_line(struct journal *j, struct MHD_Connection *c, const char *what, int status, double seconds,
                  const char *reply, const char *why);

#endif
