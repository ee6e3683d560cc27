/* Host and port from text, and sockets that listen on them. */
#include "net/protocol/address.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HOST_MAX 255

static bool split(const char *address, char *host, char *port)
{
	const char *colon = strrchr(address, ':');
	if (!colon || colon == address || !colon[1] || strlen(colon + 1) > 5 || colon[1 + strspn(colon + 1, "0123456789")])
		return false;
	size_t n = (size_t)(colon - address);
	bool brackets = address[0] == '[' && colon[-1] == ']';
	if (n > HOST_MAX || atoi(colon + 1) > 65535)
		return false;
	if (brackets) {
		address++;
		n -= 2;
	}
	for (size_t i = 0; i < n; i++) {
		char c = address[i];
		bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr(".-_", c);
		if (!fine && !(brackets && c == ':'))
			return false;
	}
	memcpy(host, address, n);
	host[n] = 0;
	strcpy(port, colon + 1);
	return n > 0;
}

bool address_valid(const char *address)
{
	char host[HOST_MAX + 1], port[8];
	return split(address, host, port);
}

static int open_socket(const struct addrinfo *a)
{
	int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol), one = 1;
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, 128))
		return fd;
	int reason = errno;
	close(fd);
	errno = reason;
	return -1;
}

static void name_socket(int fd, struct text *bound)
{
	struct sockaddr_storage a;
	socklen_t n = sizeof a;
	char host[NI_MAXHOST], port[NI_MAXSERV];
	if (!getsockname(fd, (struct sockaddr *)&a, &n) &&
	    !getnameinfo((struct sockaddr *)&a, n, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV))
		text_printf(bound, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

int address_listen(const char *address, struct text *bound, bool *usage, struct text *error)
{
	char host[HOST_MAX + 1], port[8];
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *all = NULL;
	*usage = !split(address, host, port);
	if (*usage) {
		text_printf(error, "'%s' is no HOST:PORT, as in 127.0.0.1:9147", address);
		return -1;
	}
	int wrong = getaddrinfo(host, port, &hints, &all), fd = -1;
	for (const struct addrinfo *a = wrong ? NULL : all; a && fd < 0; a = a->ai_next)
		fd = open_socket(a);
	if (fd < 0)
		text_printf(error, "cannot listen on %s: %s", address, wrong ? gai_strerror(wrong) : strerror(errno));
	else
		name_socket(fd, bound);
	if (fd < 0 && !wrong && errno == EADDRINUSE)
		text_puts(error, " (perhaps by another macaw; port 0 picks a free one)");
	if (!wrong)
		freeaddrinfo(all);
	return fd;
}
