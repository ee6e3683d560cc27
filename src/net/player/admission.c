#include "net/player/admission.h"

#include "base/clock.h"

#include <string.h>
#include <sys/socket.h>

void admission_open(struct admission *g, size_t max_body)
{
	g->most = ADMISSION_LONG * max_body;
	thread_mutex_init(&g->lock);
}

void admission_close(struct admission *g)
{
	vec_free(&g->waiting);
	thread_mutex_free(&g->lock);
}

static void drop(struct admission *g, size_t i)
{
	memmove(g->waiting.at + i, g->waiting.at + i + 1, (--g->waiting.n - i) * sizeof *g->waiting.at);
}

/* The socket stays open, and its number taken, until the server hears of it: so the
 * number cannot mean another connection. */
static void turn_away(struct admission *g, size_t i)
{
	shutdown(g->waiting.at[i].fd, SHUT_RDWR);
	drop(g, i);
}

void admission_enter(struct admission *g, int fd)
{
	thread_lock(&g->lock);
	if (g->waiting.n >= ADMISSION_HALF_OPEN)
		turn_away(g, 0);
	vec_push(&g->waiting, (struct visitor){fd, clock_now()});
	thread_unlock(&g->lock);
}

void admission_leave(struct admission *g, int fd)
{
	thread_lock(&g->lock);
	for (size_t i = 0; i < g->waiting.n; i++)
		if (g->waiting.at[i].fd == fd) {
			drop(g, i);
			break;
		}
	thread_unlock(&g->lock);
}

void admission_watch(struct admission *g, double now)
{
	thread_lock(&g->lock);
	while (g->waiting.n && now - g->waiting.at[0].since > ADMISSION_PATIENCE)
		turn_away(g, 0);
	thread_unlock(&g->lock);
}

bool admission_hold(struct admission *g, size_t bytes)
{
	return atomic_fetch_add(&g->bytes, bytes) + bytes <= g->most;
}

void admission_release(struct admission *g, size_t bytes)
{
	atomic_fetch_sub(&g->bytes, bytes);
}
