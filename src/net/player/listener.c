/* One thread and one epoll. The head is looked at with MSG_PEEK, so that the server that gets
 * the connection finds it untouched. */
#include "net/player/listener.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define BATCH 16                    /* connections taken before those that have something to say get a turn */
#define HEAD_MAX ((size_t)16 << 10) /* well below what a socket takes in unread */
#define NO_BODY_AFTER 1.0           /* seconds without a byte of a body whose length was not announced */
#define OPEN_LIST_WAITS 0.3         /* seconds for the rest of an open list when the announced length is reached */

struct connection {
	int fd;
	struct sockaddr_storage from;
	socklen_t from_length;
	bool reading; /* it is read here */
	bool sized;   /* a length was announced: in characters, it seems */
	size_t announced;
	struct text body;
	size_t scanned, characters;
	long depth;
	bool begun, comment; /* a list was opened; inside a comment */
	double enough;       /* since when the announced number of bytes is there, or one should be; 0: read on */
	size_t place;        /* in connections */
};

struct listener {
	struct listener_options o;
	int epoll, wake;
	struct thread thread;
	atomic_bool closing;
	char *peek;
	VEC(struct connection *) connections;
};

/* Two names for the same thing on some systems, and two things on others. */
static bool would_block(int reason)
{
#if EAGAIN == EWOULDBLOCK
	return reason == EAGAIN;
#else
	return reason == EAGAIN || reason == EWOULDBLOCK;
#endif
}

static void forget(struct listener *l, struct connection *c)
{
	epoll_ctl(l->epoll, EPOLL_CTL_DEL, c->fd, NULL);
	admission_leave(l->o.admission, c->fd);
	l->connections.at[c->place] = vec_last(&l->connections);
	l->connections.at[c->place]->place = c->place;
	l->connections.n--;
	admission_release(l->o.admission, c->body.n);
	text_free(&c->body);
	mem_free(c);
}

static void turn_away(struct listener *l, struct connection *c)
{
	int fd = c->fd;
	forget(l, c);
	close(fd);
	admission_gone(l->o.admission);
}

/* ---- the head -------------------------------------------------------------------------------- */

/* Where the body begins, or 0. Lines may end in CR LF or in LF. */
static size_t head_length(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] == '\n') {
			if (i + 1 < n && s[i + 1] == '\n')
				return i + 2;
			if (i + 2 < n && s[i + 1] == '\r' && s[i + 2] == '\n')
				return i + 3;
		}
	return 0;
}

/* The value of a header, or NULL; it ends at the end of the line. */
static const char *header(const char *head, size_t n, const char *name)
{
	size_t length = strlen(name);
	for (const char *line = memchr(head, '\n', n); line; line = memchr(line, '\n', (size_t)(head + n - line))) {
		line++;
		if ((size_t)(head + n - line) > length && !strncasecmp(line, name, length) && line[length] == ':')
			return line + length + 1 + strspn(line + length + 1, " \t");
	}
	return NULL;
}

static bool has_high_bytes(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] >= 0x80)
			return true;
	return false;
}

/* Is it a message that is to be read here? Lengths that contradict each other are left to the server, who refuses them.
 */
static bool is_odd(struct connection *c, const char *s, size_t head, size_t n)
{
	if (n < 5 || memcmp(s, "POST ", 5) || header(s, head, "Transfer-Encoding"))
		return false;
	const char *length = header(s, head, "Content-Length");
	if (!length)
		return true;
	if (header(length, (size_t)(s + head - length), "Content-Length"))
		return false;
	size_t digits = strspn(length, "0123456789");
	c->sized = true;
	c->announced = digits && digits < 12 ? strtoul(length, NULL, 10) : 0;
	return digits && digits < 12 && (length[digits] == '\r' || length[digits] == '\n') &&
	       has_high_bytes(s + head, n - head);
}

/* ---- the body -------------------------------------------------------------------------------- */

/* Has the message come to its end? */
static bool is_whole(struct connection *c)
{
	for (; c->scanned < c->body.n; c->scanned++) {
		char byte = c->body.at[c->scanned];
		c->characters += ((unsigned char)byte & 0xc0) != 0x80;
		if (c->comment)
			c->comment = byte != '\n' && byte != '\r';
		else if (byte == ';')
			c->comment = true;
		else if (byte == '(')
			c->begun = true, c->depth++;
		else if (byte == ')')
			c->depth--;
	}
	bool closed = c->depth <= 0;
	if (!c->sized)
		return c->begun && closed;
	if (c->body.n >= c->announced && !c->enough)
		c->enough = clock_now();
	return c->characters >= c->announced || (closed && c->enough > 0);
}

static void hand_over(struct listener *l, struct connection *c)
{
	struct text body = c->body;
	struct sockaddr_storage from = c->from;
	int fd = c->fd;
	c->body = (struct text){0};
	forget(l, c);
	l->o.take(l->o.context, fd, (struct sockaddr *)&from, text_str(&body), body.n);
	admission_release(l->o.admission, body.n);
	text_free(&body);
}

static void refuse(struct listener *l, struct connection *c, int status, const char *why)
{
	struct sockaddr_storage from = c->from;
	int fd = c->fd;
	forget(l, c);
	l->o.refuse(l->o.context, fd, (struct sockaddr *)&from, status, why);
}

static void read_body(struct listener *l, struct connection *c)
{
	for (;;) {
		ssize_t n = recv(c->fd, l->peek, HEAD_MAX, 0);
		if (n < 0 && would_block(errno))
			return;
		if (n < 0) {
			turn_away(l, c);
			return;
		}
		text_add(&c->body, l->peek, (size_t)n);
		bool crowded = !admission_hold(l->o.admission, (size_t)n);
		if (!c->sized)
			c->enough = 0;
		if (c->body.n > l->o.max_body) {
			refuse(l, c, 413, "the message is too long");
			return;
		}
		if (crowded) {
			refuse(l, c, 503, "too many long messages at once");
			return;
		}
		if (!n || is_whole(c)) {
			hand_over(l, c);
			return;
		}
	}
}

static void begin_body(struct listener *l, struct connection *c, size_t head)
{
	/* the head was only looked at: now it is taken off */
	c->reading = recv(c->fd, l->peek, head, 0) == (ssize_t)head;
	if (!c->sized)
		c->enough = clock_now() + NO_BODY_AFTER; /* perhaps there is no body at all */
	if (c->reading)
		read_body(l, c);
	else
		turn_away(l, c);
}

/* ---- coming in --------------------------------------------------------------------------------- */

static void look(struct listener *l, struct connection *c, bool ended)
{
	if (c->reading) {
		read_body(l, c);
		return;
	}
	ssize_t n = recv(c->fd, l->peek, HEAD_MAX, MSG_PEEK);
	if (n < 0 && would_block(errno))
		return;
	if (n <= 0) {
		turn_away(l, c);
		return;
	}
	size_t head = head_length(l->peek, (size_t)n);
	if (head && is_odd(c, l->peek, head, (size_t)n)) {
		begin_body(l, c, head);
	} else if (head || (size_t)n == HEAD_MAX) {
		struct sockaddr_storage from = c->from;
		socklen_t length = c->from_length;
		int fd = c->fd;
		forget(l, c);
		l->o.pass(l->o.context, fd, (struct sockaddr *)&from, length);
	} else if (ended) {
		turn_away(l, c);
	}
}

/* Hands over connections that have waited long enough: those with the announced number of bytes and
 * an open list, and those that announced no length and sent no body. Returns whether others wait. */
static bool look_at_clock(struct listener *l)
{
	bool some = false;
	for (size_t i = l->connections.n; i-- > 0;) {
		struct connection *c = l->connections.at[i];
		if (c->enough > 0 && clock_now() - c->enough > OPEN_LIST_WAITS)
			hand_over(l, c);
		else
			some |= c->enough > 0;
	}
	return some;
}

/* What it has sent so far is read first: a socket that is closed with bytes unread takes its answer back. */
static void turn_away_at_the_door(int fd)
{
	static const char full[] = "HTTP/1.0 503 Busy\r\nContent-Type: text/acl\r\nContent-Length: 4\r\n"
							   "Connection: close\r\n\r\nbusy";
	char unread[1024];
	for (int i = 0; i < 64 && recv(fd, unread, sizeof unread, MSG_DONTWAIT) > 0; i++)
		;
	send(fd, full, sizeof full - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	shutdown(fd, SHUT_WR);
	close(fd);
}

static void accept_waiting(struct listener *l)
{
	for (int i = 0; i < BATCH; i++) {
		struct connection *c = NEW(struct connection);
		c->from_length = sizeof c->from;
		c->fd = accept4(l->o.listener, (struct sockaddr *)&c->from, &c->from_length, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (c->fd < 0) {
			mem_free(c);
			if (errno == EMFILE || errno == ENFILE) /* until a connection is closed */
				nanosleep(&(struct timespec){0, 10000000}, NULL);
			return;
		}
		if (!admission_admit(l->o.admission)) {
			turn_away_at_the_door(c->fd);
			mem_free(c);
			continue;
		}
		c->place = l->connections.n;
		vec_push(&l->connections, c);
		admission_enter(l->o.admission, c->fd);
		struct epoll_event e = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.ptr = c};
		if (epoll_ctl(l->epoll, EPOLL_CTL_ADD, c->fd, &e))
			turn_away(l, c);
	}
}

static void run_listener(void *context)
{
	struct listener *l = context;
	struct epoll_event e;
	while (!atomic_load(&l->closing)) {
		/* one at a time: an event must not outlive its connection */
		if (epoll_wait(l->epoll, &e, 1, look_at_clock(l) ? 50 : -1) != 1)
			continue;
		if (e.data.ptr == &l->o.listener)
			accept_waiting(l);
		else if (e.data.ptr != &l->wake)
			look(l, e.data.ptr, e.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR));
	}
	while (l->connections.n)
		turn_away(l, l->connections.at[0]);
}

struct listener *listener_open(const struct listener_options *o)
{
	struct listener *l = NEW(struct listener);
	l->o = *o;
	l->peek = mem_alloc(HEAD_MAX + 1, 1);
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	epoll_ctl(l->epoll, EPOLL_CTL_ADD, o->listener,
	          &(struct epoll_event){.events = EPOLLIN, .data.ptr = &l->o.listener});
	epoll_ctl(l->epoll, EPOLL_CTL_ADD, l->wake, &(struct epoll_event){.events = EPOLLIN, .data.ptr = &l->wake});
	if (thread_start(&l->thread, run_listener, l))
		return l;
	close(l->epoll);
	close(l->wake);
	mem_free(l->peek);
	mem_free(l);
	return NULL;
}

void listener_close(struct listener *l)
{
	uint64_t one = 1;
	atomic_store(&l->closing, true);
	ssize_t n = write(l->wake, &one, sizeof one);
	(void)n;
	thread_join(&l->thread);
	close(l->epoll);
	close(l->wake);
	vec_free(&l->connections);
	mem_free(l->peek);
	mem_free(l);
}
