/* Threads and locks that are safe when memory runs out (see base/mem.h).
 *
 * A mutex is given back when the work that holds it is abandoned. What it guards
 * may then be half changed, so it is broken from then on: a thread that locks it next,
 * or wakes up in a wait for it, fails as well. Who stops its threads in order to
 * free it all locks it by thread_lock_closing(). A mutex that guards no data but
 * makes threads take turns (THREAD_TURN) does not break.
 *
 * A thread inherits the scope of the one that starts it. When that one is in a
 * mem_try(), so is the new thread: a failure ends its function early, and
 * thread_join() reports it. When it is in none, a failure in the thread ends the
 * program, as it does everywhere else.
 *
 * The thread that starts another must join it, also when its own work is abandoned in
 * between: call nothing that allocates before the join, or push a clean-up that
 * stops and joins the thread, or use threads_run(). A thread that others wait
 * for on a condition pushes a clean-up that signals its end. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include "base/mem.h"

#include <pthread.h>

/* ---- locks ---- */

struct thread_mutex {
	pthread_mutex_t mutex;
	struct mem_cleanup held; /* of the thread that holds it */
	bool turn, broken;
};

#define THREAD_TURN \
	{ \
		.mutex = PTHREAD_MUTEX_INITIALIZER, .turn = true \
	}

void thread_mutex_init(struct thread_mutex *m);
void thread_mutex_free(struct thread_mutex *m);
void thread_lock(struct thread_mutex *m);
bool thread_lock_until(struct thread_mutex *m, double deadline); /* on clock_now(); false: too late */
void thread_lock_closing(
	struct thread_mutex *m); /* also when it is broken, and from then on it does not count as such */
void thread_unlock(struct thread_mutex *m);

/* For deadlines on clock_now(); freed with pthread_cond_destroy(), woken as usual. */
void thread_cond_init(pthread_cond_t *c);
void thread_wait(pthread_cond_t *c, struct thread_mutex *m);
bool thread_wait_until(pthread_cond_t *c, struct thread_mutex *m, double deadline); /* false: it is over */

/* mem_fork() for a process with threads. It holds the locks that the child will use while it forks: one that another
 * thread held at that moment would stay locked in the child for ever. Both processes find them free. */
int thread_fork(struct thread_mutex *const *locks, size_t count);

/* ---- threads ---- */

struct thread { /* stays where it is until the thread is joined */
	pthread_t id;
	void (*work)(void *);
	void *context;
	struct mem_heritage heritage;
	bool failed;
};

bool thread_start(struct thread *t, void (*work)(void *), void *context); /* false: no more threads */
bool thread_join(struct thread *t); /* false: it ran out of memory; join the others, then mem_fail() */

/* Does work(the i-th of n elements of `size` bytes), each on a thread of its own, the last on
 * this one, and waits for all of them. Those for which there is no thread follow on this one.
 * Fails, after all have ended, when one of them failed. */
void threads_run(size_t n, void (*work)(void *), void *elements, size_t size);

uint32_t thread_processors(void); /* that this process may use; at least one */

#endif
