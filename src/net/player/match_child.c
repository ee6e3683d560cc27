/* One loop: takes frames, lets the session answer what is due, and says what it does. The session answers from threads
 * of its own, too, so sending is behind a lock. */
#include "net/player/match_child.h"

#include "base/clock.h"
#include "net/player/frames.h"
#include "net/player/http_server.h"
#include "net/player/session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define LOOK_AGAIN 0.05 /* seconds, between looks at what the session does */
#define PIECE ((size_t)64 << 10)

struct child {
	int socket;
	struct thread_mutex sending;
	struct text in;
	struct session_options o;
	struct text player, record;
	struct session *session;
	struct session_state said;
};

/* Who waits for an answer; gone with it. */
struct child_ticket {
	struct child *child;
	uint32_t id;
};

static void send_frame(struct child *c, struct frame f, const char *text, const char *second)
{
	struct text out = {0};
	frame_add(&out, f, text, strlen(text), second);
	thread_lock(&c->sending);
	for (size_t at = 0; at < out.n;) {
		ssize_t n = send(c->socket, out.at + at, out.n - at, MSG_NOSIGNAL);
		if (n < 0 && errno != EINTR)
			_exit(0); /* the server has gone */
		at += n > 0 ? (size_t)n : 0;
	}
	thread_unlock(&c->sending);
	text_free(&out);
}

static void answer(void *ticket, int status, const char *reply, const char *why)
{
	struct child_ticket *t = ticket;
	struct frame f = {.kind = FRAME_ANSWER, .id = t->id, .status = status, .arrived = clock_now()};
	send_frame(t->child, f, reply, why);
	mem_free(t);
}

static void holds(void *ticket, const char *move)
{
	const struct child_ticket *t = ticket;
	send_frame(t->child, (struct frame){.kind = FRAME_HOLDS, .id = t->id}, move, NULL);
}

static void say_state(struct child *c)
{
	struct session_state now = session_state(c->session);
	if (now.doing == c->said.doing && now.engine == c->said.engine && now.step == c->said.step)
		return;
	c->said = now;
	send_frame(c, (struct frame){.kind = FRAME_STATE, .id = now.step}, now.doing, now.engine);
}

/* The kernel holds it to that: an allocation beyond fails, and the process ends, but no other. */
static void bound_memory(size_t bytes)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	struct rlimit r = {bytes, bytes};
	if (bytes)
		setrlimit(RLIMIT_AS, &r);
#endif
}

static void take_options(struct child *c, const struct frame *f, const char *text)
{
	struct frame_options o;
	memcpy(&o, text, sizeof o);
	const char *player = text + sizeof o;
	text_puts(&c->player, player);
	text_puts(&c->record, player + strlen(player) + 1);
	bound_memory(o.bounds);
	c->o = (struct session_options){.player = text_str(&c->player),
	                                .record = o.records ? text_str(&c->record) : NULL,
	                                .margin = o.margin,
	                                .ponder = o.ponder,
	                                .seed = o.seed,
	                                .memory = o.memory,
	                                .answer = answer,
	                                .holds = holds};
}

static void take_message(struct child *c, const struct frame *f, const char *body, const char *reply)
{
	struct text error = {0};
	struct message *m = message_read(body, f->length - (size_t)(reply ? strlen(reply) + 1 : 0), &error);
	text_free(&error);
	if (!m) /* the server has read it before */
		return;
	if (f->clock > 0)
		m->start = f->clock;
	if (c->session && reply) {
		session_replay(c->session, m, f->arrived, reply);
		return;
	}
	struct child_ticket *ticket = NEW(struct child_ticket);
	*ticket = (struct child_ticket){c, f->id};
	if (c->session)
		session_ask(c->session, m, f->arrived, f->delay, ticket);
	else
		c->session = session_open(&c->o, m, f->arrived, f->delay, ticket);
}

static void take_frame(struct child *c, const struct frame *f, const char *text)
{
	switch (f->kind) {
	case FRAME_OPTIONS: take_options(c, f, text); break;
	case FRAME_ASK: take_message(c, f, text, NULL); break;
	case FRAME_REPLAY: take_message(c, f, frame_second(f, text), text); break;
	case FRAME_TOLD:
		if (c->session)
			session_told(c->session, text);
		break;
	case FRAME_END:
		if (c->session)
			session_end(c->session, "the server ended it");
		break;
	default: break;
	}
}

/* False: the server has gone. */
static bool receive(struct child *c)
{
	char *piece = mem_alloc(PIECE, 1);
	ssize_t n = recv(c->socket, piece, PIECE, 0);
	if (n > 0)
		text_add(&c->in, piece, (size_t)n);
	mem_free(piece);
	const struct frame *f;
	const char *text;
	while (n > 0 && (f = frame_first(&c->in, &text))) {
		take_frame(c, f, text);
		frame_drop(&c->in);
	}
	return n > 0 || (n < 0 && errno == EINTR);
}

static int wait_milliseconds(struct child *c)
{
	double now = clock_now(), next = now + LOOK_AGAIN, due = c->session ? session_tick(c->session, now) : next;
	double left = (due < next ? due : next) - clock_now();
	return left > 0 ? (int)(left * 1000) + 1 : 0;
}

int match_child_run(int socket)
{
	struct child c = {.socket = socket};
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGINT, SIG_IGN); /* it is the server who ends matches */
	thread_mutex_init(&c.sending);
	http_server_be_punctual();
	while (!c.session || !session_gone(c.session)) {
		struct pollfd p = {socket, POLLIN, 0};
		if (poll(&p, 1, wait_milliseconds(&c)) == 1 && !receive(&c))
			_exit(0); /* without tidying up: the memory belongs to nobody else */
		if (c.session)
			say_state(&c);
	}
	session_free(c.session);
	text_free(&c.in);
	text_free(&c.player);
	text_free(&c.record);
	thread_mutex_free(&c.sending);
	return 0;
}
