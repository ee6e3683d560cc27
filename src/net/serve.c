/* One thread stands at the door (see door.h). One thread of libmicrohttpd reads and writes
 * the connections and never waits: a message for a match suspends its connection, and whoever has the answer wakes it up.
 * The timekeeper does nothing but look at the clock: it sends what is due, gives silent
 * matches up, closes connections that do not get on, and clears away what has ended.
 * The first thread waits for the signal to stop.
 *
 * Locks, in this order: server.lock (matches), then a bout's own. A bout answers while
 * it holds its lock, so answer() takes neither. */
#include "net/serve.h"

#include "net/address.h"
#include "net/bout.h"
#include "net/door.h"
#include "net/gate.h"
#include "play/player.h"

#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS 800     /* at a time */
#define SILENCE 10          /* seconds without a byte */
#define END_IN 0.7          /* seconds for everything to stop after the signal */
#define DELAY_MAX 1.0       /* what is added to the margin at most */
#define LEAVING_MAX 64      /* matches that are being cleared away */

struct server {
	const struct serve_options *o;
	struct text player; /* with its threads */
	struct gate gate;
	struct door *door;
	struct journal journal;
	struct MHD_Daemon *daemon;
	pthread_mutex_t lock;
	pthread_cond_t news; /* for the timekeeper */
	pthread_t keeper;
	bool stopping;
	VEC(struct bout *) bouts;
	_Atomic double delay; /* from when an answer is due to when it is out; forgotten slowly */
	atomic_ullong messages, matches, errors, late;
	uint64_t seed;
	double began;
};

struct request {
	struct server *s;
	struct MHD_Connection *connection; /* NULL: it was read at the door, */
	int fd;                            /* and is answered there */
	struct text body;
	double arrived, said, clock;
	bool begun, too_long, answered, timed;
	int status;
	struct text reply, why;
	const char *type;
	struct text note; /* verb and match, for the journal */
};

/* An answer was so much later than planned. */
static void note_delay(struct server *s, double seconds)
{
	double known = s->delay * 0.98;
	s->delay = seconds > DELAY_MAX ? DELAY_MAX : seconds > known ? seconds : known;
}

/* ---- replies --------------------------------------------------------------------------------------- */

static void say(struct request *q, int status, const char *reply, const char *why)
{
	q->status = status;
	text_puts(&q->reply, reply);
	text_puts(&q->why, why);
	q->said = clock_now();
	q->answered = true;
}

static const char *const cors[][2] = {{"Access-Control-Allow-Origin", "*"},
                                      {"Access-Control-Allow-Methods", "POST, GET, OPTIONS"},
                                      {"Access-Control-Allow-Headers", "Content-Type"},
                                      {"Access-Control-Allow-Age", "86400"},
                                      {NULL, NULL}};

static void finish(struct request *q, bool lost);

/* A whole reply over a socket of the door. It is short, so it fits or is lost. */
static void respond_at_door(struct request *q)
{
	struct text t = {0};
	text_printf(&t,
	            "HTTP/1.0 %d %s\r\nContent-Type: text/acl\r\nContent-Length: %zu\r\nConnection: close\r\n",
	            q->status, q->status == 200 ? "OK" : "Error", q->reply.n);
	for (size_t i = 0; cors[i][0]; i++)
		text_printf(&t, "%s: %s\r\n", cors[i][0], cors[i][1]);
	text_puts(&t, "\r\n");
	text_puts(&t, text_str(&q->reply));
	bool lost = send(q->fd, t.at, t.n, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)t.n;
	shutdown(q->fd, SHUT_WR);
	close(q->fd);
	text_free(&t);
	finish(q, lost);
}

/* From a bout: the connection is suspended. */
static void answer(void *ticket, int status, const char *reply, const char *why)
{
	struct request *q = ticket;
	say(q, status, reply, why);
	if (q->connection)
		MHD_resume_connection(q->connection);
	else
		respond_at_door(q);
}

/* Somebody else will answer. */
static void hold(struct request *q)
{
	q->timed = true;
	if (q->connection)
		MHD_suspend_connection(q->connection);
}

static void refuse(struct request *q, int status, const char *why)
{
	struct text t = {0};
	text_puts(&t, "(error \"");
	for (const char *c = why; *c; c++)
		text_putc(&t, strchr("\"\\\n\r", *c) ? '\'' : *c);
	text_puts(&t, "\")");
	say(q, status, text_str(&t), why);
	q->s->errors++;
	text_free(&t);
}

static enum MHD_Result respond(struct request *q)
{
	struct MHD_Response *r =
		MHD_create_response_from_buffer(q->reply.n, (void *)text_str(&q->reply), MHD_RESPMEM_MUST_COPY);
	if (!r)
		return MHD_NO;
	MHD_add_response_header(r, "Content-Type", q->type ? q->type : "text/acl");
	for (size_t i = 0; cors[i][0]; i++)
		MHD_add_response_header(r, cors[i][0], cors[i][1]);
	MHD_add_response_header(r, "Connection", "close");
	if (q->status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(r, "Allow", "POST, GET, OPTIONS");
	enum MHD_Result done = MHD_queue_response(q->connection, (unsigned)q->status, r);
	MHD_destroy_response(r);
	return done;
}

/* ---- messages ---------------------------------------------------------------------------------------- */

/* The live match of that name, or NULL. Lock held. */
static struct bout *find(struct server *s, const char *id)
{
	for (size_t i = 0; i < s->bouts.n; i++)
		if (!strcmp(bout_id(s->bouts.at[i]), id) && !bout_over(s->bouts.at[i]))
			return s->bouts.at[i];
	return NULL;
}

static size_t count_live(struct server *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->bouts.n; i++)
		n += !bout_over(s->bouts.at[i]);
	return n;
}

/* True: the answer comes later. */
static bool open_match(struct server *s, struct request *q, struct message *m)
{
	struct bout *old = find(s, text_str(&m->id));
	if (old && bout_same_start(old, m)) { /* sent again */
		say(q, 200, "ready", "sent again");
		message_free(m);
		return false;
	}
	if (old)
		bout_end(old, "begun anew");
	if (count_live(s) >= (size_t)s->o->matches || s->bouts.n >= (size_t)s->o->matches + LEAVING_MAX || s->stopping) {
		say(q, 200, "busy", "no free seat");
		message_free(m);
		return false;
	}
	struct bout_options o = {.player = text_str(&s->player),
	                         .record = s->o->record,
	                         .margin = s->o->margin,
	                         .ponder = s->o->ponder,
	                         .seed = ++s->seed,
	                         .memory = s->o->matches > 1 ? mem_physical() / 2 / (size_t)s->o->matches : 0,
	                         .answer = answer};
	double delay = s->delay;
	q->clock = m->start;
	hold(q);
	struct bout *b = bout_open(&o, m, q->arrived, delay, q);
	if (b) {
		vec_push(&s->bouts, b);
		s->matches++;
		pthread_cond_signal(&s->news);
	} else {
		answer(q, 503, "busy", "no thread to be had");
	}
	return true;
}

static bool pass_on(struct server *s, struct request *q, struct message *m)
{
	struct bout *b = find(s, text_str(&m->id));
	if (!b) {
		say(q, 200, m->kind == MESSAGE_PLAY ? "busy" : m->kind == MESSAGE_STOP ? "done" : "aborted", "unknown match");
		message_free(m);
		return false;
	}
	q->clock = bout_clock(b);
	hold(q);
	bout_ask(b, m, q->arrived, s->delay, q);
	pthread_cond_signal(&s->news);
	return true;
}

static void tell_info(struct server *s, struct request *q)
{
	struct text t = {0};
	text_printf(&t, "((name %s) (status %s))", s->o->name, count_live(s) < (size_t)s->o->matches ? "available" : "busy");
	say(q, 200, text_str(&t), "");
	text_free(&t);
}

/* True: the answer comes later, perhaps it has come already; then the request may be gone. */
static bool take_message(struct request *q, const char *body, size_t length)
{
	struct server *s = q->s;
	struct text error = {0};
	struct message *m = message_read(body, length, &error);
	s->messages++;
	if (!m) {
		refuse(q, 400, text_str(&error));
		text_free(&error);
		return false;
	}
	bool held = false;
	text_printf(&q->note, "%s %s", message_verbs[m->kind], text_str(&m->id));
	pthread_mutex_lock(&s->lock);
	switch (m->kind) {
	case MESSAGE_START: held = open_match(s, q, m); break;
	case MESSAGE_INFO:
	case MESSAGE_PREVIEW:
		if (m->kind == MESSAGE_INFO)
			tell_info(s, q);
		else
			say(q, 200, "ready", "");
		message_free(m);
		break;
	default: held = pass_on(s, q, m); break;
	}
	pthread_mutex_unlock(&s->lock);
	text_free(&error);
	return held;
}

static void tell_status(struct request *q)
{
	struct server *s = q->s;
	json_t *all = json_array();
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->bouts.n; i++)
		if (!bout_over(s->bouts.at[i]))
			json_array_append_new(all, bout_status(s->bouts.at[i]));
	bool free_seat = json_array_size(all) < (size_t)s->o->matches;
	size_t leaving = s->bouts.n - json_array_size(all);
	pthread_mutex_unlock(&s->lock);
	json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:I}", "name", s->o->name, "version",
	                      MACAW_VERSION, "player", text_str(&s->player), "status", free_seat ? "available" : "busy",
	                      "matches", all, "matches_begun", (json_int_t)s->matches, "matches_leaving", (json_int_t)leaving,
	                      "messages", (json_int_t)s->messages, "errors", (json_int_t)s->errors, "late", (json_int_t)s->late,
	                      "seconds", clock_now() - s->began, "delay", (double)s->delay, "resident",
	                      (json_int_t)mem_resident());
	char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
	say(q, 200, text, "");
	q->type = "application/json";
	free(text);
	json_decref(j);
}

/* ---- connections ---------------------------------------------------------------------------------------- */

/* GET /<message>, url-encoded; libmicrohttpd has decoded the path, arguments are its business too. */
static void take_get(struct request *q, const char *url)
{
	if (!strcmp(url, "/status")) {
		text_puts(&q->note, "status");
		tell_status(q);
	} else if (!strcmp(url, "/")) {
		say(q, 200, "A competition player. POST / a message, GET /status.\n", "");
		q->type = "text/plain";
	} else {
		take_message(q, url + 1, strlen(url + 1));
	}
}

static enum MHD_Result collect(struct request *q, const char *data, size_t *size)
{
	if (q->body.n + *size > (size_t)q->s->o->max_body)
		q->too_long = true;
	if (!q->too_long)
		text_add(&q->body, data, *size);
	*size = 0;
	return clock_now() - q->arrived > GATE_PATIENCE * 2 ? MHD_NO : MHD_YES;
}

/* The length that was announced is too large: said before a byte of it is read. */
static bool announces_too_much(struct request *q)
{
	const char *length = MHD_lookup_connection_value(q->connection, MHD_HEADER_KIND, "Content-Length");
	return length && strtod(length, NULL) > (double)q->s->o->max_body;
}

/* When the last of it came in: under load this thread may hear of it much later. */
static double arrival(struct MHD_Connection *c)
{
	struct tcp_info info = {0};
	socklen_t n = sizeof info;
	int fd = (int)MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	double ago = getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &n) ? 0 : info.tcpi_last_data_recv / 1000.0;
	return clock_now() - (ago < 5 ? ago : 0);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **own)
{
	struct server *s = context;
	struct request *q = *own;
	if (!q) {
		*own = q = NEW(struct request);
		q->s = s;
		q->connection = c;
		q->arrived = arrival(c);
		if (!announces_too_much(q))
			return MHD_YES;
		q->begun = true;
		refuse(q, 413, "the message is too long");
		return respond(q);
	}
	if (*size)
		return collect(q, data, size);
	if (!q->begun) {
		q->begun = true;
		gate_pass(&s->gate, MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
		if (q->too_long)
			refuse(q, 413, "the message is too long");
		else if (!strcmp(method, "OPTIONS"))
			say(q, 200, "", "");
		else if (!strcmp(method, "GET") || !strcmp(method, "HEAD"))
			take_get(q, url);
		else if (!strcmp(method, "POST"))
			take_message(q, text_str(&q->body), q->body.n);
		else
			refuse(q, MHD_HTTP_METHOD_NOT_ALLOWED, "POST, GET and OPTIONS are understood");
		text_free(&q->body);
		if (q->timed)
			return MHD_YES; /* suspended; it comes back here */
	}
	return q->answered ? respond(q) : MHD_YES;
}

static void finish(struct request *q, bool lost)
{
	struct server *s = q->s;
	if (q->timed && q->answered) {
		note_delay(s, clock_now() - q->said);
		s->late += clock_now() - q->arrived > q->clock;
	}
	journal_line(&s->journal, q->connection, text_str(&q->note), q->status, clock_now() - q->arrived, text_str(&q->reply),
	             lost ? "the connection was lost" : text_str(&q->why));
	text_free(&q->body);
	text_free(&q->reply);
	text_free(&q->why);
	text_free(&q->note);
	mem_free(q);
}

static void completed(void *context, struct MHD_Connection *c, void **own, enum MHD_RequestTerminationCode how)
{
	if (*own)
		finish(*own, how != MHD_REQUEST_TERMINATED_COMPLETED_OK);
	*own = NULL;
}

/* From the door: a connection that nothing was read from, and one with its message. */
static void pass_in(void *context, int fd, const struct sockaddr *from, socklen_t length)
{
	struct server *s = context;
	MHD_add_connection(s->daemon, fd, from, length); /* closes it when it cannot */
}

static void take_in(void *context, int fd, const char *body, size_t length, bool too_long)
{
	struct request *q = NEW(struct request);
	q->s = context;
	q->fd = fd;
	q->arrived = clock_now();
	if (too_long)
		refuse(q, 413, "the message is too long");
	if (too_long || !take_message(q, body, length))
		respond_at_door(q);
}

/* Where the system allows it, the threads that must be on time run before those that
 * think; threads that they start do not inherit that. */
static void be_punctual(void)
{
	static _Thread_local bool done;
	if (!done)
		sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &(struct sched_param){.sched_priority = 1});
	done = true;
}

static void connected(void *context, struct MHD_Connection *c, void **own, enum MHD_ConnectionNotificationCode how)
{
	struct server *s = context;
	int fd = (int)MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	be_punctual();
	if (how == MHD_CONNECTION_NOTIFY_STARTED)
		gate_enter(&s->gate, fd);
	else
		gate_leave(&s->gate, fd);
}

/* ---- the timekeeper ---------------------------------------------------------------------------------------- */

static void clear_away(struct server *s)
{
	for (size_t i = 0; i < s->bouts.n;)
		if (bout_gone(s->bouts.at[i])) {
			bout_free(s->bouts.at[i]);
			s->bouts.at[i] = vec_pop(&s->bouts);
		} else {
			i++;
		}
}

static void *keep_time(void *context)
{
	struct server *s = context;
	be_punctual();
	pthread_mutex_lock(&s->lock);
	while (!s->stopping) {
		double now = clock_now(), next = now + 0.25;
		for (size_t i = 0; i < s->bouts.n; i++) {
			double due = bout_tick(s->bouts.at[i], now);
			next = due < next ? due : next;
		}
		clear_away(s);
		gate_watch(&s->gate, now);
		struct timespec t = {(time_t)next, (long)((next - (double)(time_t)next) * 1e9)};
		if (pthread_cond_timedwait(&s->news, &s->lock, &t) && clock_now() - next > s->delay)
			note_delay(s, clock_now() - next);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* ---- beginning and end ---------------------------------------------------------------------------------------- */

static bool has_option(const struct player_kind *kind, const char *name)
{
	for (const struct opt *o = kind->options; o && o->name; o++)
		if (!strcmp(o->name, name))
			return true;
	return false;
}

/* Is there such a player? Tried on a small game, so that its options are read too. */
static bool try_player(struct server *s, struct text *error)
{
	static const char rules[] =
		"(role a) (init p) (legal a m) (<= (next p) (true p)) (<= terminal (not (true p))) (goal a 0)";
	const struct serve_options *o = s->o;
	size_t n = strcspn(o->player, ":");
	const struct player_kind *kind = player_find(o->player, n);
	text_puts(&s->player, o->player);
	if (kind && o->threads > 1 && !has_option(kind, "threads")) {
		text_printf(error, "player %s thinks with one thread", kind->name);
		return false;
	}
	if (kind && o->threads > 1)
		text_printf(&s->player, ":threads=%lld", (long long)o->threads);
	struct diags d = {0};
	struct gdl_rules *r = gdl_read(rules, sizeof rules - 1, &d);
	struct game *g = game_make(r, &(struct game_options){.quiet = true}, error);
	struct player *p = g ? player_make(g, 0, text_str(&s->player), 1, error) : NULL;
	bool fine = p;
	player_free(p);
	game_free(g);
	gdl_free(r);
	diag_free(&d);
	return fine;
}

static bool is_symbol(const char *s)
{
	return *s && !s[strcspn(s, " \t\r\n()\";")];
}

static enum serve_end check(struct server *s, struct text *error)
{
	struct stat st;
	if (!try_player(s, error))
		return SERVE_USAGE;
	if (!is_symbol(s->o->name)) {
		text_puts(error, "the name must be one word without brackets");
		return SERVE_USAGE;
	}
	if (s->o->record && (stat(s->o->record, &st) || !S_ISDIR(st.st_mode) || access(s->o->record, W_OK))) {
		text_printf(error, "%s is no folder that can be written to", s->o->record);
		return SERVE_MACHINE;
	}
	if (!journal_open(&s->journal, s->o->log)) {
		text_printf(error, "cannot write %s: %s", s->o->log, strerror(errno));
		return SERVE_MACHINE;
	}
	return SERVE_DONE;
}

static bool open_doors(struct server *s, int fd)
{
	s->daemon = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL,
		handle, s, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)SILENCE, MHD_OPTION_NOTIFY_COMPLETED, completed, s, MHD_OPTION_NOTIFY_CONNECTION, connected, s,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)128 << 10, MHD_OPTION_STRICT_FOR_CLIENT, -1, MHD_OPTION_END);
	s->door = !s->daemon ? NULL
	                     : door_open(&(struct door_options){.listener = fd,
	                                                        .gate = &s->gate,
	                                                        .max_body = (size_t)s->o->max_body,
	                                                        .context = s,
	                                                        .pass = pass_in,
	                                                        .take = take_in});
	return s->door;
}

/* Everything is told to stop; what has not done so in time is left to the end of the process. */
static bool shut(struct server *s)
{
	double until = clock_now() + END_IN;
	size_t left;
	door_close(s->door);
	pthread_mutex_lock(&s->lock);
	s->stopping = true;
	for (size_t i = 0; i < s->bouts.n; i++)
		bout_end(s->bouts.at[i], "the player was told to stop");
	pthread_cond_signal(&s->news);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->keeper, NULL);
	for (;;) {
		clear_away(s);
		left = s->bouts.n;
		if (!left || clock_now() > until)
			break;
		nanosleep(&(struct timespec){0, 5000000}, NULL);
	}
	MHD_stop_daemon(s->daemon);
	journal_close(&s->journal);
	return !left;
}

static void wait_for_signal(const sigset_t *set)
{
	int got;
	while (sigwait(set, &got) == EINTR)
		;
}

static enum serve_end run(struct server *s, struct text *error)
{
	struct text bound = {0};
	bool usage;
	sigset_t set;
	int fd = address_listen(s->o->listen, &bound, &usage, error);
	if (fd < 0)
		return usage ? SERVE_USAGE : SERVE_MACHINE;
	struct rlimit files;
	if (!getrlimit(RLIMIT_NOFILE, &files)) {
		files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, NULL); /* for all threads to come */
	if (pthread_create(&s->keeper, NULL, keep_time, s) || !open_doors(s, fd)) {
		text_puts(error, "cannot start the server");
		return SERVE_MACHINE;
	}
	printf("listening on %s\n", text_str(&bound));
	fflush(stdout);
	text_free(&bound);
	wait_for_signal(&set);
	if (!shut(s)) {
		fflush(NULL);
		_exit(0);
	}
	close(fd);
	return SERVE_DONE;
}

enum serve_end serve(const struct serve_options *o, struct text *error)
{
	struct server s = {.o = o, .began = clock_now(), .lock = PTHREAD_MUTEX_INITIALIZER};
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&s.news, &attributes);
	pthread_condattr_destroy(&attributes);
	gate_open(&s.gate);
	s.seed = o->seed ? (uint64_t)o->seed : (uint64_t)time(NULL) * 1000003u ^ (uint64_t)getpid();
	enum serve_end end = check(&s, error);
	if (end == SERVE_DONE)
		end = run(&s, error);
	gate_close(&s.gate);
	text_free(&s.player);
	vec_free(&s.bouts);
	return end;
}
