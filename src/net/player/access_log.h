/* One line for every message, to a file or to a function. What strangers wrote is cut and made
 * printable. */
#ifndef NET_PLAYER_ACCESS_LOG_H
#define NET_PLAYER_ACCESS_LOG_H

#include "base/thread.h"

#include <stdbool.h>
#include <stdio.h>

struct access_log {
	struct thread_mutex lock;
	FILE *file;                                                   /* NULL: the function */
	void (*line)(void *context, const char *line, size_t length); /* may be NULL */
	void *context;
};

struct sockaddr;
/* Adds to a file; NULL: the function gets the lines. False: errno says why. */
bool access_log_open(struct access_log *l, const char *path,
                     void (*line)(void *context, const char *line, size_t length), void *context);
void access_log_close(struct access_log *l);
void access_log_line(struct access_log *l, const struct sockaddr *from, const char *what, int status, double seconds,
                     const char *reply, const char *why);

#endif
