/* A list of work and the threads that take from it. */
#include "web/pool.h"

#include "base/clock.h"
#include "base/thread.h"
#include "base/vec.h"

struct piece {
	pool_work *work;
	void *context;
	double at;
	int *state; /* of who waits for it; NULL: nobody */
};

enum { WAITING, DONE, DROPPED };

struct pool {
	struct thread_mutex lock;
	pthread_cond_t change;
	VEC(struct piece) queue[POOL_RANKS];
	struct thread *threads;
	uint32_t count, at_length; /* threads; those in long work */
	bool closing;
};

/* The first piece of a rank whose time has come; *wake: when the next one is due. */
static bool take(struct pool *p, enum pool_rank rank, double now, struct piece *out, double *wake)
{
	for (size_t i = 0; i < p->queue[rank].n; i++) {
		if (p->queue[rank].at[i].at > now) {
			*wake = p->queue[rank].at[i].at < *wake ? p->queue[rank].at[i].at : *wake;
			continue;
		}
		*out = p->queue[rank].at[i];
		memmove(p->queue[rank].at + i, p->queue[rank].at + i + 1, (--p->queue[rank].n - i) * sizeof *out);
		return true;
	}
	return false;
}

static void do_piece(struct pool *p, const struct piece *piece, bool at_length)
{
	p->at_length += at_length;
	thread_unlock(&p->lock);
	piece->work(piece->context);
	thread_lock(&p->lock);
	p->at_length -= at_length;
	if (piece->state)
		*piece->state = DONE;
	pthread_cond_broadcast(&p->change);
}

static void serve(void *context)
{
	struct pool *p = context;
	thread_lock(&p->lock);
	while (!p->closing) {
		struct piece piece;
		double now = clock_now(), wake = now + 60;
		bool room = p->at_length + 1 < p->count;
		if (take(p, POOL_REQUEST, now, &piece, &wake))
			do_piece(p, &piece, false);
		else if (room && (take(p, POOL_LONG, now, &piece, &wake) || take(p, POOL_BACKGROUND, now, &piece, &wake)))
			do_piece(p, &piece, true);
		else
			thread_wait_until(&p->change, &p->lock, wake);
	}
	thread_unlock(&p->lock);
}

struct pool *pool_open(uint32_t threads)
{
	struct pool *p = NEW(struct pool);
	thread_mutex_init(&p->lock);
	thread_cond_init(&p->change);
	p->threads = NEW_ARRAY(struct thread, threads);
	thread_lock(&p->lock); /* they begin to serve when all are there */
	while (p->count < threads && thread_start(&p->threads[p->count], serve, p))
		p->count++;
	thread_unlock(&p->lock);
	if (p->count == threads)
		return p;
	pool_close(p);
	return NULL;
}

void pool_close(struct pool *p)
{
	thread_lock(&p->lock);
	p->closing = true;
	for (int rank = 0; rank < POOL_RANKS; rank++)
		for (size_t i = 0; i < p->queue[rank].n; i++)
			if (p->queue[rank].at[i].state)
				*p->queue[rank].at[i].state = DROPPED;
	pthread_cond_broadcast(&p->change);
	thread_unlock(&p->lock);
	for (uint32_t i = 0; i < p->count; i++)
		thread_join(&p->threads[i]);
	for (int rank = 0; rank < POOL_RANKS; rank++)
		vec_free(&p->queue[rank]);
	mem_free(p->threads);
	thread_mutex_free(&p->lock);
	pthread_cond_destroy(&p->change);
	mem_free(p);
}

static void add(struct pool *p, enum pool_rank rank, const struct piece *piece)
{
	vec_push(&p->queue[rank], *piece);
	pthread_cond_broadcast(&p->change);
}

void pool_add(struct pool *p, enum pool_rank rank, double at, pool_work *work, void *context)
{
	thread_lock(&p->lock);
	if (!p->closing)
		add(p, rank, &(struct piece){work, context, at, NULL});
	thread_unlock(&p->lock);
}

bool pool_run(struct pool *p, pool_work *work, void *context)
{
	int state = WAITING;
	thread_lock(&p->lock);
	if (p->closing)
		state = DROPPED;
	else
		add(p, POOL_REQUEST, &(struct piece){work, context, 0, &state});
	while (state == WAITING)
		thread_wait(&p->change, &p->lock);
	thread_unlock(&p->lock);
	return state == DONE;
}
