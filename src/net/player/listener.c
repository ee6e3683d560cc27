/* One thread and one epoll. The head is looked at with MSG_PEEK, so that whoever gets the
 * connection finds it untouched. */
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

#define HEAD_MAX ((size_t)16 << 10) /* well below what a socket takes in unread */
#define A_SECOND 1.0
#define A_LITTLE_MORE 0.3            /* seconds, when the length is reached and lists are open */

struct visit {
	int fd;
	struct sockaddr_storage from;
	socklen_t from_length;
	bool reading;      /* it is read here */
	bool sized;        /* a length was announced: in characters, it seems */
	size_t announced;
	struct text body;
	size_t scanned, characters;
	long depth;
	bool begun, comment; /* a list has been opened; inside a comment */
	double enough;       /* when so many bytes as announced had come, or when one should have; 0: read on */
	size_t place;        /* in visits */
};

struct listener {
	struct listener_options o;
	int epoll, wake;
	struct thread thread;
	atomic_bool closing;
	char *peek;
	VEC(struct visit *) visits;
};

static void forget(struct listener *d, struct visit *v)
{
	epoll_ctl(d->epoll, EPOLL_CTL_DEL, v->fd, NULL);
	admission_leave(d->o.admission, v->fd);
	d->visits.at[v->place] = vec_last(&d->visits);
	d->visits.at[v->place]->place = v->place;
	d->visits.n--;
	admission_release(d->o.admission, v->body.n);
	text_free(&v->body);
	mem_free(v);
}

static void turn_away(struct listener *d, struct visit *v)
{
	int fd = v->fd;
	forget(d, v);
	close(fd);
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

/* Is it a message that is to be read here? */
static bool is_odd(struct visit *v, const char *s, size_t head, size_t n)
{
	if (n < 5 || memcmp(s, "POST ", 5) || header(s, head, "Transfer-Encoding"))
		return false;
	const char *length = header(s, head, "Content-Length");
	if (!length)
		return true;
	size_t digits = strspn(length, "0123456789");
	v->sized = true;
	v->announced = digits && digits < 12 ? strtoul(length, NULL, 10) : 0;
	return digits && digits < 12 && (length[digits] == '\r' || length[digits] == '\n') &&
	       has_high_bytes(s + head, n - head);
}

/* ---- the body -------------------------------------------------------------------------------- */

/* Has the message come to its end? */
static bool is_whole(struct visit *v)
{
	for (; v->scanned < v->body.n; v->scanned++) {
		char c = v->body.at[v->scanned];
		v->characters += ((unsigned char)c & 0xc0) != 0x80;
		if (v->comment)
			v->comment = c != '\n' && c != '\r';
		else if (c == ';')
			v->comment = true;
		else if (c == '(')
			v->begun = true, v->depth++;
		else if (c == ')')
			v->depth--;
	}
	bool closed = v->depth <= 0;
	if (!v->sized)
		return v->begun && closed;
	if (v->body.n >= v->announced && !v->enough)
		v->enough = clock_now();
	return v->characters >= v->announced || (closed && v->enough > 0);
}

static void hand_over(struct listener *d, struct visit *v, bool too_long)
{
	struct text body = v->body;
	struct sockaddr_storage from = v->from;
	int fd = v->fd;
	v->body = (struct text){0};
	forget(d, v);
	d->o.take(d->o.context, fd, (struct sockaddr *)&from, too_long ? NULL : text_str(&body), body.n);
	admission_release(d->o.admission, body.n);
	text_free(&body);
}

static void read_body(struct listener *d, struct visit *v)
{
	for (;;) {
		ssize_t n = recv(v->fd, d->peek, HEAD_MAX, 0);
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (n < 0) {
			turn_away(d, v);
			return;
		}
		text_add(&v->body, d->peek, (size_t)n);
		bool too_long = !admission_hold(d->o.admission, (size_t)n) || v->body.n > d->o.max_body;
		if (!v->sized)
			v->enough = 0;
		if (too_long || !n || is_whole(v)) {
			hand_over(d, v, too_long);
			return;
		}
	}
}

static void begin_body(struct listener *d, struct visit *v, size_t head)
{
	/* the head has been seen: now it is taken off */
	v->reading = recv(v->fd, d->peek, head, 0) == (ssize_t)head;
	if (!v->sized)
		v->enough = clock_now() + A_SECOND; /* perhaps there is no body at all */
	if (v->reading)
		read_body(d, v);
	else
		turn_away(d, v);
}

/* ---- coming in --------------------------------------------------------------------------------- */

static void look(struct listener *d, struct visit *v, bool ended)
{
	if (v->reading) {
		read_body(d, v);
		return;
	}
	ssize_t n = recv(v->fd, d->peek, HEAD_MAX, MSG_PEEK);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return;
	if (n <= 0) {
		turn_away(d, v);
		return;
	}
	size_t head = head_length(d->peek, (size_t)n);
	if (head && is_odd(v, d->peek, head, (size_t)n)) {
		begin_body(d, v, head);
	} else if (head || (size_t)n == HEAD_MAX) {
		struct sockaddr_storage from = v->from;
		socklen_t length = v->from_length;
		int fd = v->fd;
		forget(d, v);
		d->o.pass(d->o.context, fd, (struct sockaddr *)&from, length);
	} else if (ended) {
		turn_away(d, v);
	}
}

/* Those that have the bytes they announced and still an open list, and those who announced
 * none and sent none. Returns whether some wait. */
static bool look_at_clock(struct listener *d)
{
	bool some = false;
	for (size_t i = d->visits.n; i-- > 0;) {
		struct visit *v = d->visits.at[i];
		if (v->enough > 0 && clock_now() - v->enough > A_LITTLE_MORE)
			hand_over(d, v, false);
		else
			some |= v->enough > 0;
	}
	return some;
}

static void welcome(struct listener *d)
{
	for (;;) {
		struct visit *v = NEW(struct visit);
		v->from_length = sizeof v->from;
		v->fd = accept4(d->o.listener, (struct sockaddr *)&v->from, &v->from_length, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (v->fd < 0) {
			mem_free(v);
			if (errno == EMFILE || errno == ENFILE) /* until somebody leaves */
				nanosleep(&(struct timespec){0, 10000000}, NULL);
			return;
		}
		v->place = d->visits.n;
		vec_push(&d->visits, v);
		admission_enter(d->o.admission, v->fd);
		struct epoll_event e = {.events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data.ptr = v};
		if (epoll_ctl(d->epoll, EPOLL_CTL_ADD, v->fd, &e))
			turn_away(d, v);
	}
}

static void stand(void *context)
{
	struct listener *d = context;
	struct epoll_event e;
	while (!atomic_load(&d->closing)) {
		/* one at a time: an event must not outlive its visit */
		if (epoll_wait(d->epoll, &e, 1, look_at_clock(d) ? 50 : -1) != 1)
			continue;
		if (e.data.ptr == &d->o.listener)
			welcome(d);
		else if (e.data.ptr != &d->wake)
			look(d, e.data.ptr, e.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR));
	}
	while (d->visits.n)
		turn_away(d, d->visits.at[0]);
}

struct listener *listener_open(const struct listener_options *o)
{
	struct listener *d = NEW(struct listener);
	d->o = *o;
	d->peek = mem_alloc(HEAD_MAX + 1, 1);
	d->epoll = epoll_create1(EPOLL_CLOEXEC);
	d->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	epoll_ctl(d->epoll, EPOLL_CTL_ADD, o->listener,
	          &(struct epoll_event){.events = EPOLLIN, .data.ptr = &d->o.listener});
	epoll_ctl(d->epoll, EPOLL_CTL_ADD, d->wake, &(struct epoll_event){.events = EPOLLIN, .data.ptr = &d->wake});
	if (thread_start(&d->thread, stand, d))
		return d;
	close(d->epoll);
	close(d->wake);
	mem_free(d->peek);
	mem_free(d);
	return NULL;
}

void listener_close(struct listener *d)
{
	uint64_t one = 1;
	atomic_store(&d->closing, true);
	ssize_t n = write(d->wake, &one, sizeof one);
	(void)n;
	thread_join(&d->thread);
	close(d->epoll);
	close(d->wake);
	vec_free(&d->visits);
	mem_free(d->peek);
	mem_free(d);
}
