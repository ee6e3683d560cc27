/* A player that thinks in a thread of its own. The thread shares the lock of its owner, who holds it
 * for every call except think_thread_close(), and signals `change` at the end of each thought. */
#ifndef NET_PLAYER_THINK_THREAD_H
#define NET_PLAYER_THINK_THREAD_H

#include "base/thread.h"
#include "match/turn_copy.h"

enum think { THINK_IDLE, THINK_START, THINK_MOVE, THINK_PONDER, THINK_LEAVE };

struct think_thread {
	struct player *player; /* not owned */
	struct thread_mutex *lock;
	pthread_cond_t *change;
	struct thread thread;
	bool open;
	enum think think;
	atomic_bool stop; /* may be set without the lock */
	struct budget budget;
	struct turn_copy turn; /* read without the lock: written only while idle */
	uint32_t chosen;       /* the last thought's; GAME_NONE: none yet */
	struct text why;
};

/* False: no thread could be started; then it stays idle for ever. */
bool think_thread_open(struct think_thread *t, struct player *p, struct thread_mutex *lock, pthread_cond_t *change);

/* Only while idle. Within a budget whose limit nobody stops but this thread's owner. `stopped`: it is
 * to be a short thought. */
void think_thread_begin(struct think_thread *t, enum think what, const struct budget *b, bool stopped);

/* Wait until it is idle, or until *enough, which changes under the lock. think_thread_rest()
 * asks it to stop at once, think_thread_wait() then. True: it is idle. */
bool think_thread_rest(struct think_thread *t, const bool *enough);
bool think_thread_wait(struct think_thread *t, const bool *enough);

/* The move it holds, from the middle of a thought; GAME_NONE: none. */
uint32_t think_thread_holds(const struct think_thread *t);

void think_thread_close(struct think_thread *t); /* ends the thought under way and the thread */

#endif
