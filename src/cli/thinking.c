/* A line that says who thinks, drawn anew a few times a second by a thread of its own. */
#include "cli/thinking.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FIRST 0.3   /* seconds before the line appears */
#define REDRAW 0.25 /* seconds */

static void wipe(void)
{
	fputs("\r\033[K", stdout);
	fflush(stdout);
}

static void draw(const struct thinking *k)
{
	printf("\r\033[K  %s %s thinking … %.0f s", k->thinkers > 1 ? "the others" : macaw_game_role(k->game, k->role),
	       k->thinkers > 1 ? "are" : "is", clock_now() - k->since);
	fflush(stdout);
}

static void *watch(void *context)
{
	struct thinking *k = context;
	bool drawn = false;
	pthread_mutex_lock(&k->lock);
	while (!k->over) {
		struct timespec at;
		clock_gettime(CLOCK_MONOTONIC, &at);
		at.tv_nsec += (long)(REDRAW * 1e9);
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
		pthread_cond_clockwait(&k->change, &k->lock, CLOCK_MONOTONIC, &at);
		bool show = k->thinkers && !k->quiet && clock_now() - k->since > FIRST;
		if (show)
			draw(k);
		else if (drawn)
			wipe();
		drawn = show;
		if (!drawn)
			pthread_cond_broadcast(&k->wiped);
		k->drawn = drawn;
	}
	pthread_mutex_unlock(&k->lock);
	return NULL;
}

void thinking_open(struct thinking *k, const macaw_game *g)
{
	const char *term = getenv("TERM");
	*k = (struct thinking){.game = g};
	pthread_mutex_init(&k->lock, NULL);
	pthread_cond_init(&k->change, NULL);
	pthread_cond_init(&k->wiped, NULL);
	k->on = isatty(STDOUT_FILENO) && !(term && !strcmp(term, "dumb")) && !pthread_create(&k->thread, NULL, watch, k);
}

/* Waits until the line is gone. The lock is held. */
static void settle(struct thinking *k)
{
	pthread_cond_broadcast(&k->change);
	while (k->on && k->drawn && (!k->thinkers || k->quiet))
		pthread_cond_wait(&k->wiped, &k->lock);
}

void thinking_close(struct thinking *k)
{
	if (k->on) {
		pthread_mutex_lock(&k->lock);
		k->thinkers = 0;
		settle(k);
		k->over = true;
		pthread_cond_broadcast(&k->change);
		pthread_mutex_unlock(&k->lock);
		pthread_join(k->thread, NULL);
	}
	pthread_mutex_destroy(&k->lock);
	pthread_cond_destroy(&k->change);
	pthread_cond_destroy(&k->wiped);
}

void thinking_begin(struct thinking *k, uint32_t role)
{
	pthread_mutex_lock(&k->lock);
	if (!k->thinkers++)
		k->since = clock_now();
	k->role = role;
	pthread_mutex_unlock(&k->lock);
}

void thinking_end(struct thinking *k)
{
	pthread_mutex_lock(&k->lock);
	k->thinkers--;
	settle(k);
	pthread_mutex_unlock(&k->lock);
}

void thinking_quiet(struct thinking *k, bool quiet)
{
	pthread_mutex_lock(&k->lock);
	k->quiet = quiet;
	settle(k);
	pthread_mutex_unlock(&k->lock);
}
