/* One thread takes connections (see listener.h). One thread of libmicrohttpd reads and writes
 * the connections and never waits: a request that is held suspends its connection, and
 * the thread that has the answer resumes it. */
#include "net/player/http_server.h"

#include "base/clock.h"
#include "net/player/listener.h"
#include "net/protocol/message.h"
#include "net/protocol/watch_page.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SPARE 100     /* connections that libmicrohttpd may have beyond those let in: it must never reach its limit */
#define SILENCE 10    /* seconds without a byte */
#define DELAY_MAX 1.0 /* seconds */

struct http_server {
	struct http_server_options o;
	struct admission admission;
	struct listener *listener;
	struct MHD_Daemon *daemon;
	_Atomic double delay;
	atomic_ullong errors, late;
};

struct request {
	struct http_server *h;
	struct MHD_Connection *connection; /* NULL: the listener read the message, */
	int fd;                            /* and the answer goes to this socket */
	struct sockaddr_storage from;
	struct text body;
	size_t counted; /* bytes of it that admission counts */
	double arrived, said, clock;
	bool begun, too_long, crowded, answered, held;
	int status;
	struct text reply, why;
	const char *type;
	struct text name;
};

void http_server_delayed(struct http_server *h, double seconds)
{
	double before = h->delay * 0.98;
	h->delay = seconds > DELAY_MAX ? DELAY_MAX : seconds > before ? seconds : before;
}

double http_server_delay(const struct http_server *h)
{
	return h->delay;
}

struct http_server_figures http_server_figures(const struct http_server *h)
{
	return (struct http_server_figures){h->errors, h->late};
}

double request_arrived(const struct request *q)
{
	return q->arrived;
}

void request_name(struct request *q, const char *verb, const char *match)
{
	text_printf(&q->name, "%s%s%s", verb, *match ? " " : "", match);
}

/* ---- replies --------------------------------------------------------------------------------------- */

void request_say(struct request *q, int status, const char *reply, const char *why)
{
	q->status = status;
	text_puts(&q->reply, reply);
	text_puts(&q->why, why);
	q->said = clock_now();
	q->answered = true;
}

void request_refuse(struct request *q, int status, const char *why)
{
	struct text t = {0};
	message_error(&t, why);
	request_say(q, status, text_str(&t), why);
	q->h->errors++;
	text_free(&t);
}

static void finish(struct request *q, const struct sockaddr *from, bool lost)
{
	struct http_server *h = q->h;
	double now = clock_now();
	if (q->held && q->answered) {
		http_server_delayed(h, now - q->said);
		h->late += now - q->arrived > q->clock;
	}
	access_log_line(h->o.log, from, text_str(&q->name), q->status, now - q->arrived, text_str(&q->reply),
	                lost ? "the connection was lost" : text_str(&q->why));
	admission_release(&h->admission, q->counted);
	text_free(&q->body);
	text_free(&q->reply);
	text_free(&q->why);
	text_free(&q->name);
	mem_free(q);
}

static const char *const cors[][2] = {{"Access-Control-Allow-Origin", "*"},
                                      {"Access-Control-Allow-Methods", "POST, GET, OPTIONS"},
                                      {"Access-Control-Allow-Headers", "Content-Type"},
                                      {"Access-Control-Allow-Age", "86400"},
                                      {NULL, NULL}};

/* A whole reply over a socket of the listener. It is short: it fits into the send buffer or is lost. */
static void respond_directly(struct request *q)
{
	struct text t = {0};
	text_printf(&t, "HTTP/1.0 %d %s\r\nContent-Type: text/acl\r\nContent-Length: %zu\r\nConnection: close\r\n",
	            q->status, q->status == 200 ? "OK" : "Error", q->reply.n);
	for (size_t i = 0; cors[i][0]; i++)
		text_printf(&t, "%s: %s\r\n", cors[i][0], cors[i][1]);
	text_puts(&t, "\r\n");
	text_puts(&t, text_str(&q->reply));
	bool lost = send(q->fd, t.at, t.n, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)t.n;
	shutdown(q->fd, SHUT_WR);
	close(q->fd);
	text_free(&t);
	admission_gone(&q->h->admission);
	finish(q, (struct sockaddr *)&q->from, lost);
}

void request_hold(struct request *q, double clock)
{
	q->held = true;
	q->clock = clock;
	if (q->connection)
		MHD_suspend_connection(q->connection);
}

void request_answer(void *request, int status, const char *reply, const char *why)
{
	struct request *q = request;
	request_say(q, status, reply, why);
	if (q->connection)
		MHD_resume_connection(q->connection);
	else
		respond_directly(q);
}

static enum MHD_Result respond(struct request *q)
{
	struct MHD_Response *r =
		MHD_create_response_from_buffer(q->reply.n, unconst(text_str(&q->reply)), MHD_RESPMEM_MUST_COPY);
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

/* ---- connections ---------------------------------------------------------------------------------------- */

/* GET /<message>, url-encoded; libmicrohttpd has decoded the path. */
static void take_get(struct request *q, const char *url)
{
	if (!strcmp(url, "/status")) {
		struct text json = {0};
		request_name(q, "status", "");
		q->h->o.status(q->h->o.context, &json);
		request_say(q, 200, text_str(&json), "");
		q->type = "application/json";
		text_free(&json);
	} else if (!strcmp(url, "/")) {
		bool page = watch_page_wanted(MHD_lookup_connection_value(q->connection, MHD_HEADER_KIND, "Accept"));
		request_say(q, 200, page ? watch_page_player : "A competition player. POST / a message, GET /status.\n", "");
		q->type = page ? "text/html; charset=utf-8" : "text/plain";
	} else {
		q->h->o.message(q->h->o.context, q, url + 1, strlen(url + 1));
	}
}

static enum MHD_Result collect(struct request *q, const char *data, size_t *size)
{
	q->too_long |= q->body.n + *size > q->h->o.max_body;
	if (!q->too_long && !q->crowded) {
		text_add(&q->body, data, *size);
		q->crowded = !admission_hold(&q->h->admission, q->body.cap - q->counted);
		q->counted = q->body.cap;
	}
	*size = 0;
	return clock_now() - q->arrived > ADMISSION_PATIENCE * 2 ? MHD_NO : MHD_YES;
}

/* Is the announced length too large? Then the refusal is sent before a byte of the message is read. */
static bool announces_too_much(struct request *q)
{
	const char *length = MHD_lookup_connection_value(q->connection, MHD_HEADER_KIND, "Content-Length");
	return length && strtod(length, NULL) > (double)q->h->o.max_body;
}

struct lengths {
	const char *first;
	bool differ;
};

static enum MHD_Result compare_lengths(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct lengths *l = context;
	if (!strcasecmp(name, "Content-Length")) {
		l->differ |= l->first && value && strcmp(l->first, value);
		l->first = value;
	}
	return MHD_YES;
}

/* Two lengths, or a length and a body in chunks: whoever stands between may see another message than we do. */
static bool lengths_conflict(struct MHD_Connection *c)
{
	struct lengths l = {0};
	MHD_get_connection_values(c, MHD_HEADER_KIND, compare_lengths, &l);
	return l.differ || (l.first && MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Transfer-Encoding"));
}

/* When the last bytes came in; under load this thread may be called much later. */
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
	struct http_server *h = context;
	struct request *q = *own;
	if (!q) {
		*own = q = NEW(struct request);
		q->h = h;
		q->connection = c;
		q->arrived = arrival(c);
		bool conflict = lengths_conflict(c);
		if (!conflict && !announces_too_much(q))
			return MHD_YES;
		q->begun = true;
		request_refuse(q, conflict ? 400 : 413, conflict ? "the lengths conflict" : "the message is too long");
		return respond(q);
	}
	if (*size)
		return collect(q, data, size);
	if (!q->begun) {
		q->begun = true;
		admission_leave(&h->admission, MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
		if (q->too_long)
			request_refuse(q, 413, "the message is too long");
		else if (q->crowded)
			request_refuse(q, 503, "too many long messages at once");
		else if (!strcmp(method, "OPTIONS"))
			request_say(q, 200, "", "");
		else if (!strcmp(method, "GET") || !strcmp(method, "HEAD"))
			take_get(q, url);
		else if (!strcmp(method, "POST"))
			h->o.message(h->o.context, q, text_str(&q->body), q->body.n);
		else
			request_refuse(q, MHD_HTTP_METHOD_NOT_ALLOWED, "POST, GET and OPTIONS are understood");
		text_free(&q->body);
		admission_release(&h->admission, q->counted);
		q->counted = 0;
		if (q->held)
			return MHD_YES; /* suspended; it comes back here */
	}
	return q->answered ? respond(q) : MHD_YES;
}

static void completed(void *context, struct MHD_Connection *c, void **own, enum MHD_RequestTerminationCode how)
{
	if (*own)
		finish(*own, MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr,
		       how != MHD_REQUEST_TERMINATED_COMPLETED_OK);
	*own = NULL;
}

/* From the listener: a connection that nothing was read from, and one with its message. */
static void pass_in(void *context, int fd, const struct sockaddr *from, socklen_t length)
{
	struct http_server *h = context;
	if (MHD_add_connection(h->daemon, fd, from, length) != MHD_YES) /* it has closed it */
		admission_gone(&h->admission);
}

static struct request *direct_request(struct http_server *h, int fd, const struct sockaddr *from)
{
	struct request *q = NEW(struct request);
	q->h = h;
	q->fd = fd;
	q->arrived = clock_now();
	memcpy(&q->from, from, sizeof q->from);
	return q;
}

static void take_in(void *context, int fd, const struct sockaddr *from, const char *body, size_t length)
{
	struct http_server *h = context;
	struct request *q = direct_request(h, fd, from);
	if (!h->o.message(h->o.context, q, body, length))
		respond_directly(q);
}

static void turn_down(void *context, int fd, const struct sockaddr *from, int status, const char *why)
{
	struct request *q = direct_request(context, fd, from);
	request_refuse(q, status, why);
	respond_directly(q);
}

/* Threads that this one starts do not inherit the priority. */
void http_server_be_punctual(void)
{
	static _Thread_local bool done;
	if (!done)
		sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &(struct sched_param){.sched_priority = 1});
	done = true;
}

static void connected(void *context, struct MHD_Connection *c, void **own, enum MHD_ConnectionNotificationCode how)
{
	struct http_server *h = context;
	int fd = (int)MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	http_server_be_punctual();
	if (how == MHD_CONNECTION_NOTIFY_STARTED)
		admission_enter(&h->admission, fd);
	else {
		admission_leave(&h->admission, fd);
		admission_gone(&h->admission);
	}
}

/* ---- beginning and end ---------------------------------------------------------------------------------- */

struct http_server *http_server_open(const struct http_server_options *o)
{
	struct http_server *h = NEW(struct http_server);
	h->o = *o;
	admission_open(&h->admission, o->max_body, o->waiting);
	h->daemon = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC | MHD_USE_NO_LISTEN_SOCKET, 0, NULL,
		NULL, handle, h, MHD_OPTION_CONNECTION_LIMIT, (unsigned)(h->admission.most_connections + SPARE),
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE, MHD_OPTION_NOTIFY_COMPLETED, completed, h,
		MHD_OPTION_NOTIFY_CONNECTION, connected, h, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)128 << 10,
		MHD_OPTION_STRICT_FOR_CLIENT, -1, MHD_OPTION_END);
	if (h->daemon)
		h->listener = listener_open(&(struct listener_options){.listener = o->listener,
		                                                       .admission = &h->admission,
		                                                       .max_body = o->max_body,
		                                                       .context = h,
		                                                       .pass = pass_in,
		                                                       .take = take_in,
		                                                       .refuse = turn_down});
	if (h->listener)
		return h;
	http_server_close(h);
	return NULL;
}

void http_server_shut(struct http_server *h)
{
	listener_close(h->listener);
}

void http_server_close(struct http_server *h)
{
	if (h->daemon)
		MHD_stop_daemon(h->daemon);
	admission_close(&h->admission);
	mem_free(h);
}

void http_server_watch(struct http_server *h, double now)
{
	admission_watch(&h->admission, now);
}
