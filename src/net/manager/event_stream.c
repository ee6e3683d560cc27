/* All events of the match are one growing text; a spectator is a place in it. Threads of the
 * server, one per spectator, wait for it to grow. Places are counted from the first match on.
 * A spectator who is still reading one match when the next begins may be in the middle of
 * an event, so the stream ends there; browsers then ask again and get the next match whole. */
#include "net/manager/event_stream.h"

#include "base/clock.h"
#include "base/thread.h"
#include "net/protocol/address.h"
#include "net/protocol/watch_page.h"

#include <microhttpd.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SPECTATORS 64
#define HEARTBEAT 5.0 /* seconds without an event until a comment is sent */

struct event_stream {
	int fd;
	struct MHD_Daemon *daemon;
	struct thread_mutex lock;
	pthread_cond_t grown;
	struct text bound; /* HOST:PORT */
	struct text past;  /* of this match */
	size_t forgotten;  /* bytes of the matches before */
	bool closing;
	struct mem_scope *scope; /* that the past belongs to */
};

struct spectator {
	struct event_stream *e;
	size_t at;
};

static bool wait_a_while(struct event_stream *e)
{
	return thread_wait_until(&e->grown, &e->lock, clock_now() + HEARTBEAT);
}

static ssize_t read_on(void *context, uint64_t pos, char *into, size_t max)
{
	static const char beat[] = ": still here\n\n";
	struct spectator *s = context;
	struct event_stream *e = s->e;
	ssize_t n = 0;
	thread_lock(&e->lock);
	for (;;) {
		if (s->at < e->forgotten) {
			n = MHD_CONTENT_READER_END_OF_STREAM;
			break;
		}
		size_t left = e->forgotten + e->past.n - s->at;
		if (left) {
			n = (ssize_t)(left < max ? left : max);
			memcpy(into, e->past.at + (s->at - e->forgotten), (size_t)n);
			s->at += (size_t)n;
			break;
		}
		if (e->closing) {
			n = MHD_CONTENT_READER_END_OF_STREAM;
			break;
		}
		if (!wait_a_while(e) && max >= sizeof beat) {
			memcpy(into, beat, sizeof beat - 1);
			n = sizeof beat - 1;
			break;
		}
	}
	thread_unlock(&e->lock);
	return n;
}

/* At the beginning of the match; NULL: out of memory. */
static struct spectator *enter(struct event_stream *e)
{
	struct spectator *s = NULL;
	bool done;
	MEM_TRY(done, NULL, s = NEW(struct spectator));
	if (!done)
		return NULL;
	s->e = e;
	thread_lock(&e->lock);
	s->at = e->forgotten;
	thread_unlock(&e->lock);
	return s;
}

static void leave(void *context)
{
	mem_free(context);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *c, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **own)
{
	static const char page[] = "A match. GET /events for server-sent events.\n";
	static int seen;
	struct event_stream *e = context;
	if (!*own) { /* only the head has come */
		*own = &seen;
		return MHD_YES;
	}
	if (*size) { /* a body means nothing here */
		*size = 0;
		return MHD_YES;
	}
	bool events = !strcmp(url, "/events"), get = !strcmp(method, "GET");
	struct MHD_Response *r;
	if (get && events) {
		struct spectator *s = enter(e);
		if (!s)
			return MHD_NO;
		r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_on, s, leave);
		MHD_add_response_header(r, "Content-Type", "text/event-stream");
		MHD_add_response_header(r, "Cache-Control", "no-cache");
	} else {
		bool html = watch_page_wanted(MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Accept"));
		const char *shown = html ? watch_page_match : page;
		r = MHD_create_response_from_buffer(strlen(shown), unconst(shown), MHD_RESPMEM_PERSISTENT);
		MHD_add_response_header(r, "Content-Type", html ? "text/html; charset=utf-8" : "text/plain");
	}
	MHD_add_response_header(r, "Access-Control-Allow-Origin", "*");
	enum MHD_Result done = MHD_queue_response(c, !get ? 405 : events || !strcmp(url, "/") ? 200 : 404, r);
	MHD_destroy_response(r);
	return done;
}

struct event_stream *event_stream_open(const char *address, bool *usage, struct text *error)
{
	struct event_stream *e = NEW(struct event_stream);
	e->fd = address_listen(address, &e->bound, usage, error);
	if (e->fd < 0) {
		mem_free(e);
		return NULL;
	}
	thread_mutex_init(&e->lock);
	e->lock.turn = true; /* what it guards changes as a whole */
	e->scope = mem_scope_current();
	thread_cond_init(&e->grown);
	e->daemon = MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle,
	                             e, MHD_OPTION_LISTEN_SOCKET, e->fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SPECTATORS,
	                             MHD_OPTION_CONNECTION_TIMEOUT, 20u, MHD_OPTION_END);
	if (e->daemon)
		return e;
	text_puts(error, "cannot start the server for spectators");
	event_stream_close(e);
	return NULL;
}

const char *event_stream_address(const struct event_stream *e)
{
	return text_str(&e->bound);
}

void event_stream_begin(struct event_stream *e)
{
	thread_lock(&e->lock);
	e->forgotten += e->past.n;
	e->past.n = 0;
	thread_unlock(&e->lock);
}

void event_stream_send(struct event_stream *e, const char *event, const char *json)
{
	struct text whole = {0};
	text_printf(&whole, "event: %s\ndata: %s\n\n", event, json);
	thread_lock(&e->lock);
	struct mem_scope *mine = mem_scope_enter(e->scope); /* the past lives longer than the match */
	text_add(&e->past, whole.at, whole.n);
	mem_scope_leave(mine);
	pthread_cond_broadcast(&e->grown);
	thread_unlock(&e->lock);
	text_free(&whole);
}

void event_stream_close(struct event_stream *e)
{
	if (!e)
		return;
	thread_lock(&e->lock);
	e->closing = true;
	pthread_cond_broadcast(&e->grown);
	thread_unlock(&e->lock);
	for (int i = 0; e->daemon && i < 100; i++) {
		const union MHD_DaemonInfo *info = MHD_get_daemon_info(e->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
		if (!info || !info->num_connections)
			break;
		nanosleep(&(struct timespec){0, 10000000}, NULL);
	}
	if (e->daemon)
		MHD_stop_daemon(e->daemon);
	else
		close(e->fd);
	text_free(&e->past);
	text_free(&e->bound);
	thread_mutex_free(&e->lock);
	pthread_cond_destroy(&e->grown);
	mem_free(e);
}
