/* The way of a request: who asks is looked at before anything is read; then the body, within its bounds; then the part
 * that the path names, on a thread of the pool. Streams are written by threads of the HTTP server, one per listener. */
#include "web/server.h"

#include "base/clock.h"
#include "base/thread.h"
#include "macaw/web.h"
#include "net/protocol/address.h"
#include "web/files.h"
#include "web/jobs.h"
#include "web/matches.h"
#include "web/networks.h"
#include "web/page.h"
#include "web/tournaments.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define STANDARD_ADDRESS "127.0.0.1:9148"
#define CONNECTIONS 128
#define WATCH 0.25 /* seconds between two looks at what goes on */
#define TOKEN_MIN 16
#define JOIN_BODY 4096 /* bytes that anybody may send */

struct macaw_web {
	struct web web;
	struct text address, url, host; /* host: without the port */
	char *token;
	int fd;
	struct MHD_Daemon *daemon;
	struct admission admission;
	char page_asked; /* stands for a request for the page that is coming in */
	struct thread watcher;
	bool watching;
	struct thread_mutex lock;
	pthread_cond_t end;
};

/* A request on its way in. */
struct incoming {
	struct request q;
	struct text body;
	size_t most, held; /* bytes */
	bool too_large;
};

/* ---- secrets ---- */

void web_secret(char word[33])
{
	unsigned char bytes[16];
	for (size_t n = 0; n < sizeof bytes;) {
		ssize_t got = getrandom(bytes + n, sizeof bytes - n, 0);
		n += got > 0 ? (size_t)got : 0;
	}
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(word + 2 * i, 3, "%02x", bytes[i]);
}

bool web_same_secret(const char *given, const char *secret)
{
	size_t n = strlen(secret);
	unsigned char differ = 0;
	if (strlen(given) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		differ |= (unsigned char)(given[i] ^ secret[i]);
	return !differ;
}

/* ---- who asks ---- */

static const char *header(struct MHD_Connection *c, const char *name)
{
	return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static const char *header_or_parameter(struct MHD_Connection *c, const char *name, const char *parameter)
{
	const char *given = header(c, name);
	return given ? given : MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, parameter);
}

/* The name in a Host header: without the port. */
static void host_name(const char *host, char *out, size_t room)
{
	const char *end = host[0] == '[' ? strchr(host, ']') : NULL;
	size_t n = end ? (size_t)(end - host) + 1 : strcspn(host, ":");
	snprintf(out, room, "%.*s", (int)n, host);
}

/* A name that somebody else's name server could point here is refused: only digits, localhost and what we were told. */
static bool host_allowed(const macaw_web *w, const char *host)
{
	char name[256];
	unsigned char address[sizeof(struct in6_addr)];
	if (!host || strlen(host) >= sizeof name)
		return false;
	host_name(host, name, sizeof name);
	if (!strcasecmp(name, "localhost") || !strcasecmp(name, text_str(&w->host)))
		return true;
	size_t n = strlen(name);
	if (n > 2 && name[0] == '[') {
		name[n - 1] = 0;
		return inet_pton(AF_INET6, name + 1, address) == 1;
	}
	return inet_pton(AF_INET, name, address) == 1;
}

static bool origin_allowed(struct MHD_Connection *c)
{
	const char *origin = header(c, "Origin"), *host = header(c, "Host"), *site = header(c, "Sec-Fetch-Site");
	if (site && !strcmp(site, "cross-site"))
		return false;
	if (!origin)
		return true;
	return !strncmp(origin, "http://", 7) && !strcasecmp(origin + 7, host);
}

static bool is_join(const struct request *q)
{
	return q->parts == 3 && !strcmp(q->part[0], "matches") && !strcmp(q->part[2], "join");
}

/* False: the request has failed. */
static bool admitted(macaw_web *w, struct request *q)
{
	struct MHD_Connection *c = q->connection;
	const char *token = header_or_parameter(c, "X-Macaw-Token", "token");
	q->key = header_or_parameter(c, "X-Macaw-Key", "key");
	q->host = token && web_same_secret(token, w->token);
	if (!origin_allowed(c))
		request_fail(q, 403, "bad-origin", "requests come from the page of this server only");
	else if (is_join(q))
		return true; /* by the invitation in the body */
	else if (token ? !q->host : !q->key)
		request_fail(q, 401, "bad-token", "the token is missing or wrong: open the address that the program printed");
	else if (!q->host && (!q->parts || strcmp(q->part[0], "matches")))
		request_fail(q, 401, "bad-token", "a key opens nothing but its match");
	return !q->failed;
}

/* ---- answers ---- */

static void put_headers(struct MHD_Response *r)
{
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
	MHD_add_response_header(r, "Content-Security-Policy",
	                        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
	                        "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
	                        "frame-ancestors 'none'");
}

static enum MHD_Result send_response(struct MHD_Connection *c, int status, struct MHD_Response *r)
{
	if (!r)
		return MHD_NO;
	put_headers(r);
	enum MHD_Result done = MHD_queue_response(c, (unsigned)status, r);
	MHD_destroy_response(r);
	return done;
}

static enum MHD_Result answer(struct request *q)
{
	struct MHD_Response *r = q->response;
	if (!r || q->failed) {
		if (r)
			MHD_destroy_response(r);
		while (q->w.depth)
			jsonw_end(&q->w);
		text_putc(&q->reply, '\n');
		r = MHD_create_response_from_buffer(q->reply.n, q->reply.at, MHD_RESPMEM_MUST_COPY);
		if (r) {
			MHD_add_response_header(r, "Content-Type", "application/json");
			MHD_add_response_header(r, "Cache-Control", "no-store");
		}
	}
	q->response = NULL;
	return send_response(q->connection, q->status, r);
}

static enum MHD_Result answer_page(struct MHD_Connection *c, const char *path)
{
	const char *known = header(c, "If-None-Match");
	int status;
	struct MHD_Response *r = page_response(path, known, &status);
	return send_response(c, status, r);
}

void request_no_path(struct request *q)
{
	request_fail(q, 404, "not-found", "there is nothing at this path; web/API.md lists what there is");
}

void request_no_method(struct request *q)
{
	request_fail(q, 405, "bad-method", "this path does not take %.20s", q->method);
}

bool web_may_listen(struct request *q)
{
	if (atomic_fetch_add(&q->web->listeners, 1) < WEB_LISTENERS)
		return true;
	q->web->listeners--;
	request_fail_help(q, 503, "busy", "too many windows listen at the same time", "close some of them");
	return false;
}

/* ---- parts ---- */

static const struct part {
	const char *name;
	void (*serve)(struct request *q);
	bool at_once; /* by the thread of the connection: computes nothing */
} parts[] = {
	{"analyses", serve_analyses, false},
	{"curves", serve_curves, false},
	{"files", serve_files, true},
	{"games", serve_games, false},
	{"jobs", serve_jobs, true},
	{"limits", serve_limits, true},
	{"matches", serve_matches, false},
	{"networks", serve_networks, false},
	{"players", serve_players, true},
	{"playouts", serve_playouts, false},
	{"positions", serve_positions, false},
	{"records", serve_records, false},
	{"rules", serve_rules, false},
	{"thoughts", serve_thoughts, false},
	{"tournaments", serve_tournaments, false},
};

void serve_limits(struct request *q)
{
	if (!request_is(q, "GET")) {
		request_no_method(q);
		return;
	}
	jsonw_text(&q->w, "version", macaw_version());
	jsonw_uint(&q->w, "body", WEB_BODY);
	jsonw_uint(&q->w, "long_body", WEB_BODY_LONG);
	jsonw_uint(&q->w, "matches", MATCHES_MOST);
	jsonw_uint(&q->w, "jobs", JOBS_MOST);
	jsonw_uint(&q->w, "listeners", WEB_LISTENERS);
	jsonw_uint(&q->w, "games", GAMES_OF_PAGES);
	jsonw_real(&q->w, "vanish", WEB_VANISH);
	jsonw_bool(&q->w, "explain", true);
}

struct work {
	const struct part *part;
	struct request *q;
};

static void serve_part(void *context)
{
	struct work *w = context;
	w->part->serve(w->q);
}

static void begin_reply(struct request *q)
{
	q->status = 200;
	q->w = (struct json_writer){.out = &q->reply};
	jsonw_object(&q->w, NULL);
}

static void dispatch(struct request *q)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		if (strcmp(parts[i].name, q->part[0]))
			continue;
		struct work w = {&parts[i], q};
		if (parts[i].at_once)
			serve_part(&w);
		else if (!pool_run(q->web->pool, serve_part, &w))
			request_fail(q, 503, "busy", "the server is closing");
		return;
	}
	request_no_path(q);
}

static void read_body(struct incoming *in)
{
	struct request *q = &in->q;
	json_error_t why;
	if (!in->body.n) {
		q->body = json_object();
		return;
	}
	q->body = json_loadb(in->body.at, in->body.n, JSON_REJECT_DUPLICATES, &why);
	if (!q->body)
		request_fail(q, 400, "bad-json", "line %d, column %d: %s", why.line, why.column, why.text);
	else if (!json_is_object(q->body))
		request_fail(q, 400, "bad-json", "the body must be a JSON object");
}

/* ---- on the way in ---- */

/* Takes the path apart in place. */
static void split_path(struct request *q, const char *url)
{
	q->path = text_copy(url, strlen(url));
	for (char *at = q->path, *word; (word = strsep(&at, "/"));) {
		if (!*word)
			continue;
		if (q->parts == REQUEST_PARTS) {
			q->parts = 0;
			return;
		}
		q->part[q->parts++] = word;
	}
}

static struct incoming *open_incoming(macaw_web *w, struct MHD_Connection *c, const char *url, const char *method)
{
	struct incoming *in = NEW(struct incoming);
	in->q = (struct request){.web = &w->web, .connection = c, .method = method};
	begin_reply(&in->q);
	split_path(&in->q, url + strlen("/api"));
	bool is_long = in->q.parts && (!strcmp(in->q.part[0], "records") || !strcmp(in->q.part[0], "networks"));
	in->most = is_join(&in->q) ? JOIN_BODY : is_long ? WEB_BODY_LONG : WEB_BODY;
	return in;
}

static void free_incoming(macaw_web *w, struct incoming *in)
{
	admission_release(&w->admission, in->held);
	text_free(&in->body);
	text_free(&in->q.reply);
	mem_free(in->q.path);
	json_decref(in->q.body);
	mem_free(in);
}

static int connection_fd(struct MHD_Connection *c)
{
	return MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

static void refuse_size(struct incoming *in)
{
	request_fail(&in->q, 413, "too-large", "the body is longer than %zu bytes", in->most);
}

/* The head has come. False: the request has failed already. */
static bool look_at_head(macaw_web *w, struct incoming *in)
{
	const char *length = header(in->q.connection, "Content-Length");
	if (!admitted(w, &in->q))
		return false;
	if (length && strtoull(length, NULL, 10) > WEB_BODY_READ)
		refuse_size(in);
	else if (!in->q.parts)
		request_no_path(&in->q);
	return !in->q.failed;
}

static void add_body(macaw_web *w, struct incoming *in, const char *data, size_t size)
{
	if (in->body.n + size > in->most)
		in->too_large = true;
	if (in->too_large)
		return;
	in->held += size;
	if (!admission_hold(&w->admission, size))
		in->too_large = true;
	else
		text_add(&in->body, data, size);
}

static enum MHD_Result handle_api(macaw_web *w, struct incoming *in, const char *data, size_t *size)
{
	struct request *q = &in->q;
	if (*size) {
		add_body(w, in, data, *size);
		*size = 0;
		return MHD_YES;
	}
	admission_leave(&w->admission, connection_fd(q->connection));
	if (in->too_large)
		refuse_size(in);
	else
		read_body(in);
	if (!q->failed)
		dispatch(q);
	return answer(q);
}

static enum MHD_Result refuse_host(struct MHD_Connection *c)
{
	struct request q = {.connection = c};
	begin_reply(&q);
	request_fail(&q, 403, "bad-host", "this server answers to localhost and to addresses in digits");
	enum MHD_Result done = answer(&q);
	text_free(&q.reply);
	return done;
}

static bool is_api(const char *url)
{
	return !strncmp(url, "/api", 4) && (!url[4] || url[4] == '/');
}

/* Called when the head has come, then for each piece of the body, then once more. An answer before that last call
 * closes the connection. */
static enum MHD_Result handle(void *context, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **own)
{
	macaw_web *w = context;
	if (*own == &w->page_asked) {
		*own = NULL;
		admission_leave(&w->admission, connection_fd(c));
		return answer_page(c, url);
	}
	if (*own)
		return handle_api(w, *own, data, size);
	if (!host_allowed(w, header(c, "Host")))
		return refuse_host(c);
	if (!is_api(url)) {
		*own = &w->page_asked;
		return !strcmp(method, "GET") || !strcmp(method, "HEAD") ? MHD_YES : MHD_NO;
	}
	struct incoming *in = open_incoming(w, c, url, method);
	*own = in;
	if (look_at_head(w, in))
		return MHD_YES;
	admission_leave(&w->admission, connection_fd(c));
	return answer(&in->q);
}

static void completed(void *context, struct MHD_Connection *c, void **own, enum MHD_RequestTerminationCode why)
{
	macaw_web *w = context;
	if (*own && *own != &w->page_asked)
		free_incoming(w, *own);
	*own = NULL;
}

static void connected(void *context, struct MHD_Connection *c, void **own, enum MHD_ConnectionNotificationCode what)
{
	macaw_web *w = context;
	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		admission_enter(&w->admission, connection_fd(c));
	else
		admission_leave(&w->admission, connection_fd(c));
}

/* ---- the whole ---- */

static void watch(void *context)
{
	macaw_web *w = context;
	thread_lock(&w->lock);
	while (!w->web.closing) {
		thread_wait_until(&w->end, &w->lock, clock_now() + WATCH);
		thread_unlock(&w->lock);
		double now = clock_now();
		admission_watch(&w->admission, now);
		jobs_watch(w->web.jobs);
		matches_watch(w->web.matches, now);
		thread_lock(&w->lock);
	}
	thread_unlock(&w->lock);
}

static void fail(macaw_error *e, enum macaw_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void fail(macaw_error *e, enum macaw_status status, const char *format, ...)
{
	va_list arguments;
	if (!e)
		return;
	e->status = status;
	va_start(arguments, format);
	vsnprintf(e->text, sizeof e->text, format, arguments);
	va_end(arguments);
}

static bool listen_at(macaw_web *w, const char *address, macaw_error *e)
{
	struct text error = {0};
	bool usage = false;
	w->fd = address_listen(address ? address : STANDARD_ADDRESS, &w->address, &usage, &error);
	if (w->fd < 0 && !address) {
		vec_clear(&error);
		w->fd = address_listen("127.0.0.1:0", &w->address, &usage, &error);
	}
	if (w->fd < 0)
		fail(e, usage ? MACAW_USAGE : MACAW_MACHINE, "%s", text_str(&error));
	text_free(&error);
	return w->fd >= 0;
}

static bool choose_token(macaw_web *w, const char *token, macaw_error *e)
{
	char word[33];
	if (!token) {
		web_secret(word);
		token = word;
	}
	bool fine = strlen(token) >= TOKEN_MIN;
	for (const char *c = token; *c && fine; c++)
		fine = isalnum((unsigned char)*c);
	if (fine)
		w->token = text_copy(token, strlen(token));
	else
		fail(e, MACAW_USAGE, "a token has %d letters and digits at least", TOKEN_MIN);
	return fine;
}

/* Addresses that mean "everywhere" are written as one that a browser can open. */
static void write_url(macaw_web *w, const char *listen)
{
	char name[256];
	const char *port = strrchr(w->address.at, ':');
	bool everywhere = !strncmp(w->address.at, "0.0.0.0:", 8) || !strncmp(w->address.at, "[::]:", 5);
	host_name(listen ? listen : STANDARD_ADDRESS, name, sizeof name);
	text_puts(&w->host, name);
	if (everywhere)
		text_printf(&w->url, "http://localhost%s/#token=%s", port, w->token);
	else
		text_printf(&w->url, "http://%s/#token=%s", w->address.at, w->token);
}

static bool open_parts(macaw_web *w, const macaw_web_options *o, macaw_error *e)
{
	uint32_t threads = o->threads ? o->threads : thread_processors() + 1;
	w->web.games = games_open();
	w->web.pool = pool_open(threads < 3 ? 3 : threads);
	w->web.jobs = jobs_open(&w->web);
	w->web.matches = matches_open(&w->web);
	w->web.networks = networks_open();
	w->web.tournaments = tournaments_open(&w->web, o->results, e);
	w->web.files = files_open(&w->web, o->files, o->file_count, e);
	if (!w->web.pool)
		fail(e, MACAW_MACHINE, "cannot start threads");
	return w->web.pool && w->web.tournaments && w->web.files;
}

static bool start(macaw_web *w, macaw_error *e)
{
	w->watching = thread_start(&w->watcher, watch, w);
	if (w->watching)
		w->daemon =
			MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL,
		                     NULL, handle, w, MHD_OPTION_LISTEN_SOCKET, w->fd, MHD_OPTION_CONNECTION_LIMIT,
		                     (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, 30u, MHD_OPTION_NOTIFY_COMPLETED,
		                     completed, w, MHD_OPTION_NOTIFY_CONNECTION, connected, w, MHD_OPTION_END);
	if (!w->daemon)
		fail(e, MACAW_MACHINE, "cannot start the server");
	return w->daemon;
}

macaw_web *macaw_web_start(const macaw_web_options *o, macaw_error *e)
{
	static const macaw_web_options standard = {0};
	macaw_web *w = NEW(macaw_web);
	o = o ? o : &standard;
	if (e)
		*e = (macaw_error){0};
	w->fd = -1;
	thread_mutex_init(&w->lock);
	thread_cond_init(&w->end);
	admission_open(&w->admission, WEB_BODY_LONG, 0);
	if (choose_token(w, o->token, e) && listen_at(w, o->listen, e) && open_parts(w, o, e)) {
		write_url(w, o->listen);
		if (start(w, e))
			return w;
	}
	macaw_web_free(w);
	return NULL;
}

const char *macaw_web_address(const macaw_web *w)
{
	return text_str(&w->address);
}

const char *macaw_web_url(const macaw_web *w)
{
	return text_str(&w->url);
}

bool macaw_web_has_page(const macaw_web *w)
{
	return page_there();
}

static void stop_watching(macaw_web *w)
{
	thread_lock(&w->lock);
	w->web.closing = true;
	pthread_cond_broadcast(&w->end);
	thread_unlock(&w->lock);
	if (w->watching)
		thread_join(&w->watcher);
}

void macaw_web_free(macaw_web *w)
{
	if (!w)
		return;
	stop_watching(w);
	if (w->web.jobs)
		jobs_stop(w->web.jobs); /* and the streams with them, so that connections end */
	if (w->web.matches)
		matches_stop(w->web.matches);
	if (w->web.pool)
		pool_close(w->web.pool);
	if (w->daemon)
		MHD_stop_daemon(w->daemon);
	else if (w->fd >= 0)
		close(w->fd);
	jobs_close(w->web.jobs);
	matches_close(w->web.matches);
	networks_close(w->web.networks);
	tournaments_close(w->web.tournaments);
	files_close(w->web.files);
	if (w->web.games)
		games_close(w->web.games);
	admission_close(&w->admission);
	text_free(&w->address);
	text_free(&w->url);
	text_free(&w->host);
	mem_free(w->token);
	thread_mutex_free(&w->lock);
	pthread_cond_destroy(&w->end);
	mem_free(w);
}
