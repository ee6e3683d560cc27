/* A line for every message: to a file, or to standard error, where a reader that does not
 * read costs lines and never time. What strangers wrote is cut and made printable. */
#ifndef NET_PLAYER_ACCESS_LOG_H
#define NET_PLAYER_ACCESS_LOG_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct access_log {
	pthread_mutex_t lock;
	FILE *file; /* NULL: standard error */
};

struct sockaddr;
bool access_log_open(struct access_log *j, const char *path); /* NULL: standard error; false: errno says */
void access_log_close(struct access_log *j);
void access_log_line(struct access_log *j, const struct sockaddr *from, const char *what, int status, double seconds,
                  const char *reply, const char *why);

#endif
