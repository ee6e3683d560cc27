/* One loop: wait for something to think about, think without the lock, signal the owner. */
#include "net/player/think_thread.h"

#include <sched.h>

static void think(void *context)
{
	struct think_thread *t = context;
	/* threads with deadlines may preempt this one */
	pthread_setschedparam(pthread_self(), SCHED_BATCH, &(struct sched_param){0});
	thread_lock(t->lock);
	for (;;) {
		while (t->think == THINK_IDLE)
			thread_wait(t->change, t->lock);
		enum think what = t->think;
		if (what == THINK_LEAVE)
			break;
		thread_unlock(t->lock);
		struct choice c = {GAME_NONE, ""};
		if (what == THINK_START)
			player_start(t->player, &t->budget);
		else if (what == THINK_MOVE)
			c = player_move(t->player, &t->turn.turn, &t->budget);
		else
			player_ponder(t->player, &t->turn.turn, t->chosen, &t->budget);
		thread_lock(t->lock);
		if (what == THINK_MOVE) {
			t->chosen = c.move;
			t->why.n = 0;
			text_puts(&t->why, c.why);
		}
		t->think = THINK_IDLE;
		pthread_cond_broadcast(t->change);
	}
	thread_unlock(t->lock);
}

bool think_thread_open(struct think_thread *t, struct player *p, struct thread_mutex *lock, pthread_cond_t *change)
{
	t->player = p;
	t->lock = lock;
	t->change = change;
	t->chosen = GAME_NONE;
	return t->open = thread_start(&t->thread, think, t);
}

void think_thread_begin(struct think_thread *t, enum think what, const struct budget *b, bool stopped)
{
	atomic_store(&t->stop, stopped);
	t->budget = *b;
	t->budget.limit.stop = &t->stop;
	t->chosen = GAME_NONE;
	t->think = what;
	pthread_cond_broadcast(t->change);
}

static bool wait_until_idle(struct think_thread *t, const bool *enough)
{
	while (t->think != THINK_IDLE && !(enough && *enough))
		thread_wait(t->change, t->lock);
	return t->think == THINK_IDLE;
}

bool think_thread_rest(struct think_thread *t, const bool *enough)
{
	atomic_store(&t->stop, true);
	return wait_until_idle(t, enough);
}

bool think_thread_wait(struct think_thread *t, const bool *enough)
{
	bool idle = wait_until_idle(t, enough);
	atomic_store(&t->stop, true);
	return idle;
}

uint32_t think_thread_holds(const struct think_thread *t)
{
	return t->think == THINK_MOVE ? player_ready(t->player) : GAME_NONE;
}

void think_thread_close(struct think_thread *t)
{
	if (t->open) {
		thread_lock(t->lock);
		think_thread_rest(t, NULL);
		t->think = THINK_LEAVE;
		pthread_cond_broadcast(t->change);
		thread_unlock(t->lock);
		thread_join(&t->thread);
	}
	turn_copy_free(&t->turn);
	text_free(&t->why);
	t->open = false;
}
