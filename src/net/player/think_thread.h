/* A player at work in a thread of its own. It shares the lock of its owner, who holds it
 * for every call but thinker_close(), and tells `change` when it has thought. */
#ifndef NET_PLAYER_THINK_THREAD_H
#define NET_PLAYER_THINK_THREAD_H

#include "match/turn_copy.h"

#include <pthread.h>

enum think { THINK_IDLE, THINK_START, THINK_MOVE, THINK_PONDER, THINK_LEAVE };

struct thinker {
	struct player *player; /* not owned */
	pthread_mutex_t *lock;
	pthread_cond_t *change;
	pthread_t thread;
	bool open;
	enum think think;
	atomic_bool stop; /* may be set without the lock */
	struct budget budget;
	struct kept_turn turn; /* read without the lock: written only while idle */
	uint32_t chosen;       /* the last thought's; GAME_NONE: none yet */
	struct text why;
};

/* False: no thread to be had; then it stays idle for ever. */
bool thinker_open(struct thinker *t, struct player *p, pthread_mutex_t *lock, pthread_cond_t *change);

/* Only while idle. `stopped`: it is to be a short thought. */
void thinker_begin(struct thinker *t, enum think what, double deadline, bool stopped);

/* Wait until it is idle, or until *enough, which changes under the lock. thinker_rest()
 * asks it to stop at once, thinker_wait() then. True: it is idle. */
bool thinker_rest(struct thinker *t, const bool *enough);
bool thinker_wait(struct thinker *t, const bool *enough);

/* The move it holds, from the middle of a thought; GAME_NONE: none. */
uint32_t thinker_holds(const struct thinker *t);

void thinker_close(struct thinker *t); /* ends what is thought and the thread */

#endif
