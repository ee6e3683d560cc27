/* The timekeeper does nothing but look at the clock: it sends what is due, gives silent
 * matches up, has connections closed that do not get on, and clears away what has ended.
 * Threads of the HTTP server (see http_server.h) bring the messages. The first thread waits for the
 * signal to stop.
 *
 * Locks, in this order: server.lock (matches), then a session's own. A session answers while
 * it holds its lock, so request_answer() takes neither. */
#include "net/player/serve.h"

#include "net/protocol/address.h"
#include "net/player/session.h"
#include "net/player/http_server.h"
#include "play/player.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define END_IN 0.7     /* seconds for everything to stop after the signal */
#define LEAVING_MAX 64 /* matches that are being cleared away */

struct server {
	const struct serve_options *o;
	struct text player; /* with its threads */
	struct http_server *http;
	struct access_log log;
	pthread_mutex_t lock;
	pthread_cond_t news; /* for the timekeeper */
	pthread_t keeper;
	bool stopping;
	VEC(struct session *) sessions;
	atomic_ullong messages, matches;
	uint64_t seed;
	double began;
};

/* ---- messages ---------------------------------------------------------------------------------------- */

/* The live match of that name, or NULL. Lock held. */
static struct session *find(struct server *s, const char *id)
{
	for (size_t i = 0; i < s->sessions.n; i++)
		if (!strcmp(session_id(s->sessions.at[i]), id) && !session_over(s->sessions.at[i]))
			return s->sessions.at[i];
	return NULL;
}

static size_t count_live(struct server *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->sessions.n; i++)
		n += !session_over(s->sessions.at[i]);
	return n;
}

/* True: the answer comes later. */
static bool open_match(struct server *s, struct request *q, struct message *m)
{
	struct session *old = find(s, text_str(&m->id));
	if (old && session_same_start(old, m)) { /* sent again */
		request_say(q, 200, "ready", "sent again");
		message_free(m);
		return false;
	}
	if (old)
		session_end(old, "begun anew");
	if (count_live(s) >= (size_t)s->o->matches || s->sessions.n >= (size_t)s->o->matches + LEAVING_MAX || s->stopping) {
		request_say(q, 200, "busy", "no free seat");
		message_free(m);
		return false;
	}
	struct session_options o = {.player = text_str(&s->player),
	                         .record = s->o->record,
	                         .margin = s->o->margin,
	                         .ponder = s->o->ponder,
	                         .seed = ++s->seed,
	                         .memory = s->o->matches > 1 ? mem_physical() / 2 / (size_t)s->o->matches : 0,
	                         .answer = request_answer};
	double arrived = request_arrived(q);
	request_hold(q, m->start);
	struct session *b = session_open(&o, m, arrived, http_server_delay(s->http), q);
	if (b) {
		vec_push(&s->sessions, b);
		s->matches++;
		pthread_cond_signal(&s->news);
	} else {
		request_answer(q, 503, "busy", "no thread to be had");
	}
	return true;
}

static bool pass_on(struct server *s, struct request *q, struct message *m)
{
	struct session *b = find(s, text_str(&m->id));
	if (!b) {
		request_say(q, 200, m->kind == MESSAGE_PLAY ? "busy" : m->kind == MESSAGE_STOP ? "done" : "aborted", "unknown match");
		message_free(m);
		return false;
	}
	double arrived = request_arrived(q);
	request_hold(q, session_clock(b));
	session_ask(b, m, arrived, http_server_delay(s->http), q);
	pthread_cond_signal(&s->news);
	return true;
}

static void tell_info(struct server *s, struct request *q)
{
	struct text t = {0};
	text_printf(&t, "((name %s) (status %s))", s->o->name, count_live(s) < (size_t)s->o->matches ? "available" : "busy");
	request_say(q, 200, text_str(&t), "");
	text_free(&t);
}

/* True: the answer comes later, perhaps it has come already; then the request may be gone. */
static bool take_message(void *context, struct request *q, const char *body, size_t length)
{
	struct server *s = context;
	struct text error = {0};
	struct message *m = message_read(body, length, &error);
	s->messages++;
	if (!m) {
		request_refuse(q, 400, text_str(&error));
		text_free(&error);
		return false;
	}
	bool held = false;
	request_name(q, message_verbs[m->kind], text_str(&m->id));
	pthread_mutex_lock(&s->lock);
	switch (m->kind) {
	case MESSAGE_START: held = open_match(s, q, m); break;
	case MESSAGE_INFO:
	case MESSAGE_PREVIEW:
		if (m->kind == MESSAGE_INFO)
			tell_info(s, q);
		else
			request_say(q, 200, "ready", "");
		message_free(m);
		break;
	default: held = pass_on(s, q, m); break;
	}
	pthread_mutex_unlock(&s->lock);
	text_free(&error);
	return held;
}

static void tell_status(void *context, struct text *out)
{
	struct server *s = context;
	json_t *all = json_array();
	pthread_mutex_lock(&s->lock);
	struct http_server_figures figures = http_server_figures(s->http);
	for (size_t i = 0; i < s->sessions.n; i++)
		if (!session_over(s->sessions.at[i]))
			json_array_append_new(all, session_status(s->sessions.at[i]));
	bool free_seat = json_array_size(all) < (size_t)s->o->matches;
	size_t leaving = s->sessions.n - json_array_size(all);
	pthread_mutex_unlock(&s->lock);
	json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:I}", "name", s->o->name, "version",
	                      MACAW_VERSION, "player", text_str(&s->player), "status", free_seat ? "available" : "busy",
	                      "matches", all, "matches_begun", (json_int_t)s->matches, "matches_leaving", (json_int_t)leaving,
	                      "messages", (json_int_t)s->messages, "errors", (json_int_t)figures.errors, "late",
	                      (json_int_t)figures.late, "seconds", clock_now() - s->began, "delay", http_server_delay(s->http),
	                      "resident", (json_int_t)mem_resident());
	char *text = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(6));
	text_puts(out, text ? text : "");
	free(text);
	json_decref(j);
}

/* ---- the timekeeper ---------------------------------------------------------------------------------------- */

/* Lock held. */
static void clear_away(struct server *s)
{
	for (size_t i = 0; i < s->sessions.n;)
		if (session_gone(s->sessions.at[i])) {
			session_free(s->sessions.at[i]);
			s->sessions.at[i] = vec_pop(&s->sessions);
		} else {
			i++;
		}
}

static void *keep_time(void *context)
{
	struct server *s = context;
	http_server_be_punctual();
	pthread_mutex_lock(&s->lock);
	while (!s->stopping) {
		double now = clock_now(), next = now + 0.25;
		for (size_t i = 0; i < s->sessions.n; i++) {
			double due = session_tick(s->sessions.at[i], now);
			next = due < next ? due : next;
		}
		clear_away(s);
		http_server_watch(s->http, now);
		struct timespec t = {(time_t)next, (long)((next - (double)(time_t)next) * 1e9)};
		if (pthread_cond_timedwait(&s->news, &s->lock, &t) && clock_now() - next > http_server_delay(s->http))
			http_server_delayed(s->http, clock_now() - next);
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
	if (!access_log_open(&s->log, s->o->log)) {
		text_printf(error, "cannot write %s: %s", s->o->log, strerror(errno));
		return SERVE_MACHINE;
	}
	return SERVE_DONE;
}

/* Everything is told to stop; what has not done so in time is left to the end of the process. */
static bool shut(struct server *s)
{
	double until = clock_now() + END_IN;
	http_server_lock(s->http);
	pthread_mutex_lock(&s->lock);
	s->stopping = true;
	for (size_t i = 0; i < s->sessions.n; i++)
		session_end(s->sessions.at[i], "the player was told to stop");
	pthread_cond_signal(&s->news);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->keeper, NULL);
	size_t left;
	for (;;) {
		pthread_mutex_lock(&s->lock);
		clear_away(s);
		left = s->sessions.n;
		pthread_mutex_unlock(&s->lock);
		if (!left || clock_now() > until)
			break;
		nanosleep(&(struct timespec){0, 5000000}, NULL);
	}
	http_server_close(s->http);
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
	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < 4096) {
		files.rlim_cur = files.rlim_max < 4096 ? files.rlim_max : 4096;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	pthread_sigmask(SIG_BLOCK, &set, NULL); /* for all threads to come */
	pthread_mutex_lock(&s->lock); /* its threads may have a message before it is known here */
	s->http = http_server_open(&(struct http_server_options){.listener = fd,
	                                              .max_body = (size_t)s->o->max_body,
	                                              .log = &s->log,
	                                              .context = s,
	                                              .message = take_message,
	                                              .status = tell_status});
	pthread_mutex_unlock(&s->lock);
	if (!s->http || pthread_create(&s->keeper, NULL, keep_time, s)) {
		text_puts(error, "cannot start the server: no thread to be had");
		if (s->http)
			http_server_lock(s->http), http_server_close(s->http);
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
	s.seed = o->seed ? (uint64_t)o->seed : (uint64_t)time(NULL) * 1000003u ^ (uint64_t)getpid();
	enum serve_end end = check(&s, error);
	if (end == SERVE_DONE) {
		end = run(&s, error);
		access_log_close(&s.log);
	}
	text_free(&s.player);
	vec_free(&s.sessions);
	return end;
}
