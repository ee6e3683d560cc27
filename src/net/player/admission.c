/* A list of connections by age and a count of bytes, both for any thread. */
#include "net/player/admission.h"

#include "base/clock.h"

#include <string.h>
#include <sys/socket.h>

void admission_open(struct admission *a, size_t max_body, size_t waiting)
{
	a->most_connections = ADMISSION_OPEN + waiting;
	a->most = ADMISSION_LONG * max_body;
	thread_mutex_init(&a->lock);
}

void admission_close(struct admission *a)
{
	vec_free(&a->waiting);
	thread_mutex_free(&a->lock);
}

static void drop(struct admission *a, size_t i)
{
	memmove(a->waiting.at + i, a->waiting.at + i + 1, (--a->waiting.n - i) * sizeof *a->waiting.at);
}

/* The socket stays open until the server notices, so its number cannot mean another connection
 * meanwhile. */
static void turn_away(struct admission *a, size_t i)
{
	shutdown(a->waiting.at[i].fd, SHUT_RDWR);
	drop(a, i);
}

void admission_enter(struct admission *a, int fd)
{
	thread_lock(&a->lock);
	if (a->waiting.n >= ADMISSION_HALF_OPEN)
		turn_away(a, 0);
	vec_push(&a->waiting, (struct waiting_connection){fd, clock_now()});
	thread_unlock(&a->lock);
}

void admission_leave(struct admission *a, int fd)
{
	thread_lock(&a->lock);
	for (size_t i = 0; i < a->waiting.n; i++)
		if (a->waiting.at[i].fd == fd) {
			drop(a, i);
			break;
		}
	thread_unlock(&a->lock);
}

bool admission_admit(struct admission *a)
{
	if (atomic_fetch_add(&a->connections, 1) < a->most_connections)
		return true;
	atomic_fetch_sub(&a->connections, 1);
	return false;
}

void admission_gone(struct admission *a)
{
	atomic_fetch_sub(&a->connections, 1);
}

void admission_watch(struct admission *a, double now)
{
	thread_lock(&a->lock);
	while (a->waiting.n && now - a->waiting.at[0].since > ADMISSION_PATIENCE)
		turn_away(a, 0);
	thread_unlock(&a->lock);
}

bool admission_hold(struct admission *a, size_t bytes)
{
	return atomic_fetch_add(&a->bytes, bytes) + bytes <= a->most;
}

void admission_release(struct admission *a, size_t bytes)
{
	atomic_fetch_sub(&a->bytes, bytes);
}
