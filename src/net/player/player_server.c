/* The timekeeper does nothing but look at the clock: it sends what is due, gives silent
 * matches up, has slow connections closed, and frees what has ended.
 * Threads of the HTTP server (see http_server.h) bring the messages. When the server is
 * stopped, it is the timekeeper who ends the matches and waits for them.
 *
 * Locks, in this order: server.lock (matches), then a session's own. A session answers while
 * it holds its lock, so request_answer() takes neither. */
#include "net/player/player_server.h"
#include "base/version.h"

#include "base/json.h"
#include "net/player/http_server.h"
#include "net/player/session.h"
#include "net/protocol/address.h"
#include "play/player.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LEAVING_MAX 64  /* matches that have ended and still have threads */
#define LOOK_AGAIN 0.25 /* seconds: longest sleep of the timekeeper */
#define LOOK_WHILE_ENDING 0.005

struct player_server {
	struct player_server_options o; /* texts are the server's own */
	struct text listen, player /* with its threads */, name, record, program, bound;
	int socket;
	struct http_server *http;
	struct access_log log;
	struct thread_mutex reading; /* one message at a time becomes a tree */
	struct thread_mutex lock;
	pthread_cond_t change; /* for the timekeeper, and for who waits for the end */
	struct thread keeper;
	bool kept;    /* there is a timekeeper */
	bool logging; /* the log is open */
	bool stopping, ended;
	VEC(struct session *) sessions;
	atomic_ullong messages, matches;
	uint64_t seed;
	size_t memory; /* bytes for one match */
	double began;
};

/* Addresses that are reserved and not used: of the program itself, and of the stack and the heap of a thread. */
#define RESERVED ((size_t)512 << 20)
#define RESERVED_PER_THREAD ((size_t)160 << 20)
#define MEMORY_SHARE 0.75 /* of the machine's, for all matches together */
#define MEMORY_LEAST ((size_t)256 << 20)

/* ---- messages ---------------------------------------------------------------------------------------- */

/* The live match of that name, or NULL. Lock held. */
static struct session *find(struct player_server *s, const char *id)
{
	for (size_t i = 0; i < s->sessions.n; i++)
		if (!strcmp(session_id(s->sessions.at[i]), id) && !session_over(s->sessions.at[i]))
			return s->sessions.at[i];
	return NULL;
}

static size_t count_live(struct player_server *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->sessions.n; i++)
		n += !session_over(s->sessions.at[i]);
	return n;
}

/* Would a further match be taken? Lock held. */
static bool has_seat(struct player_server *s)
{
	return count_live(s) < s->o.matches && s->sessions.n < s->o.matches + LEAVING_MAX && !s->stopping;
}

static void delayed(void *context, double seconds)
{
	struct player_server *s = context;
	if (seconds > http_server_delay(s->http))
		http_server_delayed(s->http, seconds);
}

/* True: the answer comes later. */
static bool open_match(struct player_server *s, struct request *q, struct message *m)
{
	struct session *old = find(s, text_str(&m->id));
	if (old && session_same_start(old, m)) { /* sent again */
		request_say(q, 200, "ready", "sent again");
		message_free(m);
		return false;
	}
	if (old)
		session_end(old, "begun anew");
	if (!has_seat(s)) {
		request_say(q, 200, "busy", "no free seat");
		message_free(m);
		return false;
	}
	struct session_options o = {.player = text_str(&s->player),
	                            .record = s->o.record,
	                            .margin = s->o.margin,
	                            .ponder = s->o.ponder,
	                            .seed = ++s->seed,
	                            .memory = s->memory / 2,
	                            .program = s->o.program,
	                            .company = s->o.company,
	                            .bounds = s->memory + RESERVED + s->o.threads * RESERVED_PER_THREAD,
	                            .answer = request_answer,
	                            .delayed = delayed,
	                            .context = s};
	double arrived = request_arrived(q);
	request_hold(q, m->start);
	struct session *session = session_open(&o, m, arrived, http_server_delay(s->http), q);
	if (session) {
		vec_push(&s->sessions, session);
		s->matches++;
		pthread_cond_broadcast(&s->change);
	} else {
		request_answer(q, 503, "busy", "no thread could be started");
	}
	return true;
}

static bool pass_on(struct player_server *s, struct request *q, struct message *m)
{
	struct session *session = find(s, text_str(&m->id));
	if (!session) {
		request_say(q, 200, session_no_match(m), "unknown match");
		message_free(m);
		return false;
	}
	double arrived = request_arrived(q);
	request_hold(q, session_clock(session));
	session_ask(session, m, arrived, http_server_delay(s->http), q);
	pthread_cond_broadcast(&s->change);
	return true;
}

static void write_info(struct player_server *s, struct request *q)
{
	struct text t = {0};
	text_printf(&t, "((name %s) (status %s))", s->o.name, has_seat(s) ? "available" : "busy");
	request_say(q, 200, text_str(&t), "");
	text_free(&t);
}

/* True: the answer comes later, perhaps it has come already; then the request may be gone. */
static bool take_message(void *context, struct request *q, const char *body, size_t length)
{
	struct player_server *s = context;
	struct text error = {0};
	s->messages++;
	thread_lock(&s->reading);
	struct message *m = message_read(body, length, &error);
	thread_unlock(&s->reading);
	if (!m) {
		request_refuse(q, 400, text_str(&error));
		text_free(&error);
		return false;
	}
	bool held = false;
	request_name(q, message_verbs[m->kind], text_str(&m->id));
	thread_lock(&s->lock);
	switch (m->kind) {
	case MESSAGE_START: held = open_match(s, q, m); break;
	case MESSAGE_INFO:
	case MESSAGE_PREVIEW:
		if (m->kind == MESSAGE_INFO)
			write_info(s, q);
		else
			request_say(q, 200, "ready", "");
		message_free(m);
		break;
	default: held = pass_on(s, q, m); break;
	}
	thread_unlock(&s->lock);
	text_free(&error);
	return held;
}

void player_server_status(struct player_server *s, struct text *json)
{
	struct json_writer w = {.out = json};
	thread_lock(&s->lock);
	struct http_server_figures figures = http_server_figures(s->http);
	size_t live = count_live(s);
	jsonw_object(&w, NULL);
	jsonw_text(&w, "name", s->o.name);
	jsonw_text(&w, "version", MACAW_VERSION);
	jsonw_text(&w, "player", text_str(&s->player));
	jsonw_text(&w, "status", has_seat(s) ? "available" : "busy");
	jsonw_array(&w, "matches");
	for (size_t i = 0; i < s->sessions.n; i++)
		if (!session_over(s->sessions.at[i]))
			session_status(s->sessions.at[i], &w);
	jsonw_end(&w);
	jsonw_uint(&w, "matches_begun", s->matches);
	jsonw_uint(&w, "matches_leaving", s->sessions.n - live);
	thread_unlock(&s->lock);
	jsonw_uint(&w, "messages", s->messages);
	jsonw_uint(&w, "errors", figures.errors);
	jsonw_uint(&w, "late", figures.late);
	jsonw_real(&w, "seconds", clock_now() - s->began);
	jsonw_real(&w, "delay", http_server_delay(s->http));
	jsonw_uint(&w, "resident", mem_resident());
	jsonw_end(&w);
}

static void write_status(void *context, struct text *out)
{
	player_server_status(context, out);
}

/* ---- the timekeeper ---------------------------------------------------------------------------------------- */

/* Lock held. */
static void free_ended(struct player_server *s)
{
	for (size_t i = 0; i < s->sessions.n;)
		if (session_gone(s->sessions.at[i])) {
			session_free(s->sessions.at[i]);
			s->sessions.at[i] = vec_pop(&s->sessions);
		} else {
			i++;
		}
}

/* Lock held, but not while the listener is waited for: it may be in the middle of a message. */
static void end_everything(struct player_server *s)
{
	thread_unlock(&s->lock);
	http_server_shut(s->http);
	thread_lock(&s->lock);
	for (size_t i = 0; i < s->sessions.n; i++)
		session_end(s->sessions.at[i], "the player was stopped");
	for (free_ended(s); s->sessions.n; free_ended(s))
		thread_wait_until(&s->change, &s->lock, clock_now() + LOOK_WHILE_ENDING);
	s->ended = true;
	pthread_cond_broadcast(&s->change);
}

static void keep_time(void *context)
{
	struct player_server *s = context;
	http_server_be_punctual();
	thread_lock(&s->lock);
	while (!s->stopping) {
		double now = clock_now(), next = now + LOOK_AGAIN;
		for (size_t i = 0; i < s->sessions.n; i++) {
			double due = session_tick(s->sessions.at[i], now);
			next = due < next ? due : next;
		}
		free_ended(s);
		http_server_watch(s->http, now);
		if (!thread_wait_until(&s->change, &s->lock, next) && clock_now() - next > http_server_delay(s->http))
			http_server_delayed(s->http, clock_now() - next);
	}
	end_everything(s);
	thread_unlock(&s->lock);
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
static bool try_player(struct player_server *s, struct text *error)
{
	static const char rules[] =
		"(role a) (init p) (legal a m) (<= (next p) (true p)) (<= terminal (not (true p))) (goal a 0)";
	const struct player_server_options *o = &s->o;
	size_t n = strcspn(o->player, ":");
	const struct player_kind *kind = player_find(o->player, n);
	text_puts(&s->player, o->player);
	if (kind && o->threads > 1 && !has_option(kind, "threads")) {
		text_printf(error, "player %s thinks with one thread", kind->name);
		return false;
	}
	uint32_t threads = o->threads ? o->threads : thread_processors() / (o->matches ? o->matches : 1);
	if (kind && threads > 1 && has_option(kind, "threads") && !strstr(o->player, ":threads="))
		text_printf(&s->player, ":threads=%u", threads);
	struct diags d = {0};
	struct gdl_rules *r = gdl_read(rules, sizeof rules - 1, &d);
	struct game *g = game_make(r, &(struct game_options){0}, error);
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

static enum server_fault check(struct player_server *s, struct text *error)
{
	struct stat st;
	if (!try_player(s, error))
		return SERVER_USAGE;
	if (!is_symbol(s->o.name)) {
		text_puts(error, "the name must be one word without brackets");
		return SERVER_USAGE;
	}
	if (s->o.record && (stat(s->o.record, &st) || !S_ISDIR(st.st_mode) || access(s->o.record, W_OK))) {
		text_printf(error, "%s is no folder that can be written to", s->o.record);
		return SERVER_MACHINE;
	}
	s->logging = access_log_open(&s->log, s->o.log, s->o.log_line, s->o.context);
	if (!s->logging)
		text_printf(error, "cannot write %s: %s", s->o.log, strerror(errno));
	return s->logging ? SERVER_FINE : SERVER_MACHINE;
}

static enum server_fault open_server(struct player_server *s, struct text *error)
{
	bool usage;
	s->socket = address_listen(s->o.listen, &s->bound, &usage, error);
	if (s->socket < 0)
		return usage ? SERVER_USAGE : SERVER_MACHINE;
	thread_lock(&s->lock); /* its threads may have a message before it is known here */
	s->http = http_server_open(
		&(struct http_server_options){.listener = s->socket,
	                                  .max_body = s->o.max_body,
	                                  .waiting = (size_t)s->o.matches * (SESSION_WAITING + SESSION_WAITING_LAST),
	                                  .log = &s->log,
	                                  .context = s,
	                                  .message = take_message,
	                                  .status = write_status});
	thread_unlock(&s->lock);
	s->kept = s->http && thread_start(&s->keeper, keep_time, s);
	if (!s->kept)
		text_puts(error, "cannot start the server: no thread could be started");
	return s->kept ? SERVER_FINE : SERVER_MACHINE;
}

/* The options are the caller's: a copy of each text. */
static const char *own(struct text *into, const char *text)
{
	if (!text)
		return NULL;
	text_puts(into, text);
	return text_str(into);
}

static struct player_server *make(const struct player_server_options *o)
{
	struct player_server *s = NEW(struct player_server);
	s->o = *o;
	s->o.listen = own(&s->listen, o->listen);
	s->o.name = own(&s->name, o->name);
	s->o.record = own(&s->record, o->record);
	s->o.program = own(&s->program, o->program);
	size_t share = (size_t)(MEMORY_SHARE * (double)mem_physical()) / o->matches;
	s->memory = o->memory ? o->memory : share > MEMORY_LEAST ? share : MEMORY_LEAST;
	s->began = clock_now();
	s->seed = o->seed ? o->seed : (uint64_t)time(NULL) * 1000003u ^ (uint64_t)getpid();
	s->socket = -1;
	s->reading = (struct thread_mutex)THREAD_TURN;
	thread_mutex_init(&s->lock);
	thread_cond_init(&s->change);
	return s;
}

struct player_server *player_server_start(const struct player_server_options *o, enum server_fault *fault,
                                          struct text *error)
{
	struct player_server *s = make(o);
	*fault = check(s, error);
	if (*fault == SERVER_FINE)
		*fault = open_server(s, error);
	s->o.player = s->o.log = NULL; /* read; they were the caller's */
	if (*fault == SERVER_FINE)
		return s;
	player_server_free(s);
	return NULL;
}

const char *player_server_address(const struct player_server *s)
{
	return text_str(&s->bound);
}

void player_server_stop(struct player_server *s)
{
	thread_lock(&s->lock);
	s->stopping = true;
	pthread_cond_broadcast(&s->change);
	thread_unlock(&s->lock);
}

bool player_server_wait(struct player_server *s, double seconds)
{
	double until = clock_now() + seconds;
	thread_lock(&s->lock);
	while (!s->ended && (seconds <= 0 || clock_now() < until))
		if (seconds > 0)
			thread_wait_until(&s->change, &s->lock, until);
		else
			thread_wait(&s->change, &s->lock);
	bool ended = s->ended;
	thread_unlock(&s->lock);
	return ended;
}

void player_server_free(struct player_server *s)
{
	if (!s)
		return;
	player_server_stop(s);
	if (s->kept)
		thread_join(&s->keeper);
	else if (s->http)
		http_server_shut(s->http);
	if (s->http)
		http_server_close(s->http);
	if (s->socket >= 0)
		close(s->socket);
	if (s->logging)
		access_log_close(&s->log);
	text_free(&s->listen);
	text_free(&s->player);
	text_free(&s->name);
	text_free(&s->record);
	text_free(&s->program);
	text_free(&s->bound);
	vec_free(&s->sessions);
	thread_mutex_free(&s->reading);
	thread_mutex_free(&s->lock);
	pthread_cond_destroy(&s->change);
	mem_free(s);
}
