/* Threads, mutexes and waiting with deadlines on the monotonic clock. */
#include "base/thread.h"

#include "base/clock.h"

#include <assert.h>
#include <time.h>

static const double LATEST = 4e9; /* seconds: what every clock can express */

static struct timespec moment(double deadline)
{
	double t = deadline < 0 ? 0 : deadline < LATEST ? deadline : LATEST;
	time_t whole = (time_t)t;
	return (struct timespec){whole, (long)((t - (double)whole) * 1e9)};
}

/* ---- locks ------------------------------------------------------------------------------------------------- */

static void give_back(void *context)
{
	struct thread_mutex *m = context;
	m->broken = !m->turn;
	pthread_mutex_unlock(&m->mutex);
}

static void hold(struct thread_mutex *m)
{
	mem_cleanup_push(&m->held, give_back, m);
}

static void hold_whole(struct thread_mutex *m)
{
	hold(m);
	if (m->broken)
		mem_fail();
}

void thread_mutex_init(struct thread_mutex *m)
{
	*m = (struct thread_mutex){0};
	pthread_mutex_init(&m->mutex, NULL);
}

void thread_mutex_free(struct thread_mutex *m)
{
	pthread_mutex_destroy(&m->mutex);
}

void thread_lock(struct thread_mutex *m)
{
	pthread_mutex_lock(&m->mutex);
	hold_whole(m);
}

/* ThreadSanitizer does not see a lock that is taken by pthread_mutex_clocklock(). */
static bool lock_until(pthread_mutex_t *m, double deadline)
{
#if defined(__SANITIZE_THREAD__)
	while (pthread_mutex_trylock(m)) {
		if (clock_now() >= deadline)
			return false;
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	}
	return true;
#else
	struct timespec t = moment(deadline);
	return !pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &t);
#endif
}

bool thread_lock_until(struct thread_mutex *m, double deadline)
{
	if (!lock_until(&m->mutex, deadline))
		return false;
	hold_whole(m);
	return true;
}

void thread_lock_closing(struct thread_mutex *m)
{
	pthread_mutex_lock(&m->mutex);
	m->turn = true;
	m->broken = false;
	hold(m);
}

void thread_unlock(struct thread_mutex *m)
{
	mem_cleanup_pop(&m->held);
	pthread_mutex_unlock(&m->mutex);
}

void thread_cond_init(pthread_cond_t *c)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(c, &attributes);
	pthread_condattr_destroy(&attributes);
}

/* While it waits the mutex is another's, and so is the record in it. */
void thread_wait(pthread_cond_t *c, struct thread_mutex *m)
{
	mem_cleanup_pop(&m->held);
	pthread_cond_wait(c, &m->mutex);
	hold_whole(m);
}

bool thread_wait_until(pthread_cond_t *c, struct thread_mutex *m, double deadline)
{
	struct timespec t = moment(deadline);
	mem_cleanup_pop(&m->held);
	int late = pthread_cond_timedwait(c, &m->mutex, &t);
	hold_whole(m);
	return !late;
}

int thread_fork(struct thread_mutex *const *locks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		pthread_mutex_lock(&locks[i]->mutex); /* without a clean-up: nothing fails here, and the child has none */
	int pid = mem_fork();
	for (size_t i = count; i--;)
		pthread_mutex_unlock(&locks[i]->mutex);
	return pid;
}

/* ---- threads ----------------------------------------------------------------------------------------------- */

static void *begin(void *context)
{
	struct thread *t = context;
	mem_inherit(&t->heritage);
	if (t->heritage.in_try)
		t->failed = !mem_try(t->heritage.scope, t->work, t->context);
	else
		t->work(t->context);
	return NULL;
}

bool thread_start(struct thread *t, void (*work)(void *), void *context)
{
	*t = (struct thread){.work = work, .context = context, .heritage = mem_hand_on()};
	return !pthread_create(&t->id, NULL, begin, t);
}

bool thread_join(struct thread *t)
{
	int error = pthread_join(t->id, NULL);
	assert(!error);
	return !t->failed;
}

struct team {
	size_t n, size, first; /* the first that is left for this thread */
	void (*work)(void *);
	char *elements;
};

static void do_the_rest(void *context)
{
	const struct team *t = context;
	for (size_t i = t->first; i < t->n; i++)
		t->work(t->elements + i * t->size);
}

void threads_run(size_t n, void (*work)(void *), void *elements, size_t size)
{
	struct team team = {n, size, 0, work, elements};
	struct thread *threads = NEW_ARRAY(struct thread, n);
	for (; team.first + 1 < n; team.first++)
		if (!thread_start(&threads[team.first], work, team.elements + team.first * size))
			break;
	bool done = true;
	if (mem_in_try())
		done = mem_try(mem_scope_current(), do_the_rest, &team);
	else
		do_the_rest(&team);
	for (size_t i = 0; i < team.first; i++)
		done &= thread_join(&threads[i]);
	mem_free(threads);
	if (!done)
		mem_fail();
}

uint32_t thread_processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
	return n > 0 ? (uint32_t)n : 1;
}
