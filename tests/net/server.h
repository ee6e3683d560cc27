/* `macaw serve` as a child of the test, and a very small HTTP client, so that what is
 * sent can be as wrong as the test wants it. Only 127.0.0.1 is called. */
#ifndef TESTS_NET_SERVER_H
#define TESTS_NET_SERVER_H

#include "base/text.h"

#include <sys/types.h>

struct server {
	pid_t pid;
	int port;
	char address[32];
};

/* Words after `serve --listen 127.0.0.1:0 --log /dev/null`, ended by NULL. */
struct server server_start(const char *first, ...) __attribute__((sentinel));
/* SIGTERM; the exit status, -1 when it did not end by itself; how long that took. */
int server_stop(struct server *s, double *seconds);

int server_connect(const struct server *s);           /* a socket */
void server_send(int fd, const void *data, size_t n); /* as far as they let us */
/* Everything until the other end closes; closes too. The status, or 0. */
int server_receive(int fd, struct text *reply);
/* POST; the reply without its head, valid until the next call. */
const char *server_post(const struct server *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
int server_status(void);                                        /* of the last post */
bool server_says(const struct server *s, const char *text);     /* GET /status has it */
double server_figure(const struct server *s, const char *name); /* a number of GET /status */

/* The text of a rulesheet in games/, as one line without comments. */
const char *server_rules(const char *game);

#endif
