/* The listener of the player: takes connections, looks at the head of what comes, and passes
 * the connection on unread to the HTTP server. Only messages that no HTTP server would
 * read are read here: those without a length, which end where the list ends or where the
 * sender closes, and those whose length counts characters and not bytes. */
#ifndef NET_PLAYER_LISTENER_H
#define NET_PLAYER_LISTENER_H

#include "net/player/admission.h"

#include <sys/socket.h>

struct listener_options {
	int listener; /* a socket, not blocking */
	struct admission *admission;
	size_t max_body;
	void *context;
	/* Takes the socket over. */
	void (*pass)(void *context, int fd, const struct sockaddr *from, socklen_t length);
	/* Likewise, with the message that was read from it. */
	void (*take)(void *context, int fd, const struct sockaddr *from, const char *body, size_t length);
	/* Likewise, with what is to be said instead. */
	void (*refuse)(void *context, int fd, const struct sockaddr *from, int status, const char *why);
};

struct listener;
struct listener *listener_open(const struct listener_options *o); /* NULL: no thread could be started */
void listener_close(struct listener *l);                          /* no more connections are taken */

#endif
