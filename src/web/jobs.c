/* The list of jobs. A job belongs to the thread that does its present piece; what requests and the watcher see of it is
 * guarded by one lock. */
#include "web/jobs.h"

#include "base/clock.h"
#include "base/thread.h"
#include "web/server.h"

#include <stdio.h>
#include <string.h>

struct job {
	struct jobs *all;
	char id[24];
	const struct job_kind *kind;
	char *game;
	void *self;
	struct stream *stream;
	macaw_stop stop;
	/* of the thread that works */
	bool failed, full;
	macaw_error error;
	const char *code;
	double later;
	/* under the lock */
	bool running, cancelled, vanished, keep;
	bool paused;
	double delay;
	uint64_t steps; /* that may be made although it is paused */
};

struct jobs {
	struct web *web;
	struct thread_mutex lock;
	VEC(struct job *) list;
	uint64_t numbers;
};

struct jobs *jobs_open(struct web *web)
{
	struct jobs *all = NEW(struct jobs);
	all->web = web;
	thread_mutex_init(&all->lock);
	return all;
}

static void free_job(struct job *j)
{
	if (j->self)
		j->kind->free(j->self);
	stream_leave(j->stream);
	mem_free(j->game);
	mem_free(j);
}

void jobs_close(struct jobs *all)
{
	if (!all)
		return;
	for (size_t i = 0; i < all->list.n; i++)
		free_job(all->list.at[i]);
	vec_free(&all->list);
	thread_mutex_free(&all->lock);
	mem_free(all);
}

void jobs_stop(struct jobs *all)
{
	thread_lock(&all->lock);
	for (size_t i = 0; i < all->list.n; i++) {
		all->list.at[i]->cancelled = true;
		macaw_stop_now(&all->list.at[i]->stop);
		stream_end(all->list.at[i]->stream);
	}
	thread_unlock(&all->lock);
}

void jobs_watch(struct jobs *all)
{
	thread_lock(&all->lock);
	for (size_t i = all->list.n; i--;) {
		struct job *j = all->list.at[i];
		if (stream_silence(j->stream) < WEB_VANISH || (j->running && j->keep))
			continue;
		if (j->running) {
			j->vanished = true;
			macaw_stop_now(&j->stop);
		} else {
			memmove(all->list.at + i, all->list.at + i + 1, (--all->list.n - i) * sizeof *all->list.at);
			free_job(j);
		}
	}
	thread_unlock(&all->lock);
}

/* ---- pieces of work ---- */

static void tell_end(struct job *j)
{
	struct text end = {0};
	struct json_writer w = {.out = &end};
	jsonw_object(&w, NULL);
	jsonw_text(&w, "reason", j->cancelled ? "cancelled" : j->vanished ? "vanished" : j->failed ? "failed" : "done");
	if (j->failed)
		request_put_error(&w, "error", j->code, j->error.text);
	else
		jsonw_null(&w, "error");
	jsonw_end(&w);
	stream_put(j->stream, "end", end.at, true);
	stream_end(j->stream);
	text_free(&end);
}

static void finish(struct job *j)
{
	j->kind->free(j->self);
	thread_lock(&j->all->lock);
	j->self = NULL;
	tell_end(j);
	j->running = false;
	thread_unlock(&j->all->lock);
}

static void work(void *context)
{
	struct job *j = context;
	j->later = 0;
	enum job_next next = macaw_stopped(&j->stop) ? JOB_DONE : j->kind->work(j, j->self);
	if (next == JOB_AGAIN && !macaw_stopped(&j->stop) && !j->full)
		pool_add(j->all->web->pool, POOL_LONG, j->later, work, j);
	else
		finish(j);
}

static size_t count_running(struct jobs *all)
{
	size_t n = 0;
	for (size_t i = 0; i < all->list.n; i++)
		n += all->list.at[i]->running;
	return n;
}

struct job *job_start(struct request *q, const struct job_kind *kind, const char *game, void *self)
{
	return job_start_paced(q, kind, game, self, false, 0);
}

struct job *job_start_paced(struct request *q, const struct job_kind *kind, const char *game, void *self, bool paused,
                            double delay)
{
	struct jobs *all = q->web->jobs;
	struct job *j = NULL;
	thread_lock(&all->lock);
	if (count_running(all) < JOBS_MOST) {
		j = NEW(struct job);
		*j = (struct job){.all = all, .kind = kind, .self = self, .running = true, .paused = paused, .delay = delay};
		snprintf(j->id, sizeof j->id, "j%llu", (unsigned long long)++all->numbers);
		j->game = game ? text_copy(game, strlen(game)) : NULL;
		j->stream = stream_new();
		vec_push(&all->list, j);
		q->status = 201;
		jsonw_text(&q->w, "job", j->id);
	}
	thread_unlock(&all->lock);
	if (j) {
		pool_add(all->web->pool, POOL_LONG, 0, work, j);
	} else {
		kind->free(self);
		request_fail_help(q, 503, "busy", "too much is computed at the same time",
		                  "end an analysis, a solver or a tournament");
	}
	return j;
}

void job_put(struct job *j, const char *event, struct text *json, bool replace)
{
	if (!stream_put(j->stream, event, text_str(json), replace))
		j->full = true;
	text_free(json);
}

macaw_stop *job_stop(struct job *j)
{
	return &j->stop;
}

void job_fail(struct job *j, const macaw_error *e, const char *code)
{
	j->failed = true;
	j->error = *e;
	j->code = request_code(e, code);
}

void job_later(struct job *j, double seconds)
{
	j->later = clock_now() + seconds;
}

bool job_may_step(struct job *j)
{
	thread_lock(&j->all->lock);
	bool may = !j->paused || j->steps;
	if (j->paused && j->steps)
		j->steps--;
	thread_unlock(&j->all->lock);
	return may;
}

double job_delay(struct job *j)
{
	thread_lock(&j->all->lock);
	double delay = j->paused ? 0 : j->delay;
	thread_unlock(&j->all->lock);
	return delay;
}

void job_keep(struct job *j)
{
	thread_lock(&j->all->lock);
	j->keep = true;
	thread_unlock(&j->all->lock);
}

const char *job_id(const struct job *j)
{
	return j->id;
}

/* ---- requests ---- */

static struct job *find(struct jobs *all, const char *id)
{
	for (size_t i = 0; i < all->list.n; i++)
		if (!strcmp(all->list.at[i]->id, id))
			return all->list.at[i];
	return NULL;
}

bool jobs_running(struct jobs *all, const char *id)
{
	thread_lock(&all->lock);
	const struct job *j = find(all, id);
	bool running = j && j->running;
	thread_unlock(&all->lock);
	return running;
}

static void list_jobs(struct request *q)
{
	struct jobs *all = q->web->jobs;
	jsonw_array(&q->w, "jobs");
	thread_lock(&all->lock);
	for (size_t i = 0; i < all->list.n; i++) {
		const struct job *j = all->list.at[i];
		jsonw_object(&q->w, NULL);
		jsonw_text(&q->w, "job", j->id);
		jsonw_text(&q->w, "kind", j->kind->name);
		jsonw_text(&q->w, "game", j->game);
		jsonw_bool(&q->w, "running", j->running);
		jsonw_end(&q->w);
	}
	thread_unlock(&all->lock);
	jsonw_end(&q->w);
}

static void steer(struct request *q, struct job *j)
{
	bool paused = body_flag(q, "paused", j->paused);
	double delay = body_real(q, "delay", 0, 60, j->delay);
	uint64_t steps = body_whole(q, "step", 1000, 0);
	if (!j->kind->paced)
		request_fail(q, 409, "not-now", "this work has no pace");
	if (q->failed)
		return;
	j->paused = paused;
	j->delay = delay;
	j->steps = paused ? steps : 0;
	jsonw_bool(&q->w, "paused", j->paused);
	jsonw_real(&q->w, "delay", j->delay);
}

static void listen_to(struct request *q, struct job *j)
{
	const char *last = MHD_lookup_connection_value(q->connection, MHD_HEADER_KIND, "Last-Event-ID");
	if (web_may_listen(q)) {
		q->web->listeners--; /* the stream counts by itself */
		q->response = stream_response(j->stream, last ? strtoull(last, NULL, 10) : 0, &q->web->listeners);
	}
}

static void serve_job(struct request *q, struct job *j)
{
	const char *what = q->parts > 2 ? q->part[2] : "";
	if (!*what && request_is(q, "DELETE")) {
		j->cancelled = j->running;
		macaw_stop_now(&j->stop);
		jsonw_bool(&q->w, "ended", true);
	} else if (!strcmp(what, "events") && request_is(q, "GET")) {
		listen_to(q, j);
	} else if (!strcmp(what, "pace") && request_is(q, "POST")) {
		steer(q, j);
	} else {
		request_no_path(q);
	}
}

void serve_jobs(struct request *q)
{
	struct jobs *all = q->web->jobs;
	if (q->parts == 1 && request_is(q, "GET")) {
		list_jobs(q);
		return;
	}
	thread_lock(&all->lock);
	struct job *j = q->parts > 1 ? find(all, q->part[1]) : NULL;
	if (j)
		serve_job(q, j);
	else
		request_fail(q, 404, "not-found", "there is no such job, or it has ended");
	thread_unlock(&all->lock);
}
