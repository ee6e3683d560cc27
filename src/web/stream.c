/* Server-sent events: a list of events per stream, a place in it per listener. */
#include "web/stream.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/thread.h"

#include <string.h>

#define HEARTBEAT \
	1.0 /* seconds without an event until a comment is sent: two in vain tell that the listener has gone */

/* ---- any source of events as a response ---- */

struct source {
	stream_read *read;
	void (*leave)(void *);
	void *context;
};

static ssize_t read_source(void *context, uint64_t at, char *into, size_t room)
{
	static const char beat[] = ":\n\n";
	struct source *s = context;
	long n = s->read(s->context, into, room, HEARTBEAT);
	if (n < 0)
		return MHD_CONTENT_READER_END_OF_STREAM;
	if (n)
		return n;
	memcpy(into, beat, sizeof beat - 1);
	return sizeof beat - 1;
}

static void leave_source(void *context)
{
	struct source *s = context;
	s->leave(s->context);
	mem_free(s);
}

struct MHD_Response *stream_response_of(stream_read *read, void (*leave)(void *context), void *context)
{
	struct source *s = NEW(struct source);
	*s = (struct source){read, leave, context};
	struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 32768, read_source, s, leave_source);
	if (!r) {
		leave_source(s);
		return NULL;
	}
	MHD_add_response_header(r, "Content-Type", "text/event-stream");
	MHD_add_response_header(r, "Cache-Control", "no-store");
	return r;
}

/* ---- streams that keep their events ---- */

struct event {
	uint64_t number;
	const char *name; /* a constant */
	bool replaced;    /* by the next of its name */
	struct text text;
};

struct stream {
	struct thread_mutex lock;
	pthread_cond_t grown;
	VEC(struct event) events;
	uint64_t numbers;
	size_t bytes;
	int listeners, holders;
	double left; /* when the last listener did, on clock_now() */
	bool ended;
};

struct listener {
	struct stream *stream;
	uint64_t after;      /* the last event that was sent whole */
	struct text pending; /* of the one that is being sent */
	size_t sent;
	_Atomic int *count;
};

struct stream *stream_new(void)
{
	struct stream *s = NEW(struct stream);
	thread_mutex_init(&s->lock);
	thread_cond_init(&s->grown);
	s->holders = 1;
	s->left = clock_now();
	return s;
}

static void let_go(struct stream *s)
{
	thread_lock(&s->lock);
	bool last = !--s->holders;
	thread_unlock(&s->lock);
	if (!last)
		return;
	for (size_t i = 0; i < s->events.n; i++)
		text_free(&s->events.at[i].text);
	vec_free(&s->events);
	thread_mutex_free(&s->lock);
	pthread_cond_destroy(&s->grown);
	mem_free(s);
}

void stream_leave(struct stream *s)
{
	stream_end(s);
	let_go(s);
}

static void forget_last(struct stream *s, const char *name)
{
	for (size_t i = s->events.n; i--;)
		if (s->events.at[i].replaced && !strcmp(s->events.at[i].name, name)) {
			s->bytes -= s->events.at[i].text.n;
			text_free(&s->events.at[i].text);
			memmove(s->events.at + i, s->events.at + i + 1, (--s->events.n - i) * sizeof *s->events.at);
			return;
		}
}

bool stream_put(struct stream *s, const char *event, const char *json, bool replace)
{
	struct event e = {.name = event, .replaced = replace};
	thread_lock(&s->lock);
	if (replace)
		forget_last(s, event);
	bool fits = s->bytes + strlen(json) < STREAM_BYTES && !s->ended;
	if (fits) {
		e.number = ++s->numbers;
		text_printf(&e.text, "id: %llu\nevent: %s\ndata: %s\n\n", (unsigned long long)e.number, event, json);
		s->bytes += e.text.n;
		vec_push(&s->events, e);
		pthread_cond_broadcast(&s->grown);
	}
	thread_unlock(&s->lock);
	return fits;
}

void stream_end(struct stream *s)
{
	thread_lock(&s->lock);
	s->ended = true;
	pthread_cond_broadcast(&s->grown);
	thread_unlock(&s->lock);
}

/* The next event into `pending`; false: there is none yet. */
static bool fetch(struct listener *l)
{
	struct stream *s = l->stream;
	size_t i = s->events.n;
	while (i && s->events.at[i - 1].number > l->after)
		i--;
	if (i == s->events.n)
		return false;
	vec_clear(&l->pending);
	text_add(&l->pending, s->events.at[i].text.at, s->events.at[i].text.n);
	l->sent = 0;
	l->after = s->events.at[i].number;
	return true;
}

static long read_on(void *context, char *into, size_t room, double patience)
{
	struct listener *l = context;
	struct stream *s = l->stream;
	double until = clock_now() + patience;
	if (l->sent == l->pending.n) {
		bool more, ended = false;
		thread_lock(&s->lock);
		while (!(more = fetch(l)) && !(ended = s->ended) && thread_wait_until(&s->grown, &s->lock, until))
			;
		more = more || fetch(l);
		ended = s->ended;
		thread_unlock(&s->lock);
		if (!more)
			return ended ? -1 : 0;
	}
	size_t n = l->pending.n - l->sent < room ? l->pending.n - l->sent : room;
	memcpy(into, l->pending.at + l->sent, n);
	l->sent += n;
	return (long)n;
}

static void leave(void *context)
{
	struct listener *l = context;
	thread_lock(&l->stream->lock);
	l->stream->listeners--;
	l->stream->left = clock_now();
	thread_unlock(&l->stream->lock);
	let_go(l->stream);
	--*l->count;
	text_free(&l->pending);
	mem_free(l);
}

struct MHD_Response *stream_response(struct stream *s, uint64_t after, _Atomic int *listeners)
{
	struct listener *l = NEW(struct listener);
	*l = (struct listener){.stream = s, .after = after, .count = listeners};
	++*listeners;
	thread_lock(&s->lock);
	s->listeners++;
	s->holders++;
	thread_unlock(&s->lock);
	return stream_response_of(read_on, leave, l);
}

double stream_silence(struct stream *s)
{
	thread_lock(&s->lock);
	double silence = s->listeners ? 0 : clock_now() - s->left;
	thread_unlock(&s->lock);
	return silence;
}
