/* Clocks of the system, and limits on top of them: a deadline, a stop flag, and an outer limit that holds too. */
#include "base/clock.h"

static double read_clock(clockid_t id)
{
	struct timespec t = {0}; /* stays so where the clock belongs to a process that has ended */
	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double clock_now(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double clock_thread(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double clock_read(clockid_t clock)
{
	return read_clock(clock == CLOCK_OF_WALL ? CLOCK_MONOTONIC : clock);
}

struct limit limit_seconds(double seconds)
{
	return limit_seconds_of(CLOCK_OF_WALL, seconds);
}

struct limit limit_seconds_of(clockid_t clock, double seconds)
{
	return (struct limit){.deadline = clock_read(clock) + seconds, .clock = clock};
}

double limit_now(const struct limit *l)
{
	return clock_read(l->clock);
}

bool limit_reached(const struct limit *l)
{
	if (!l)
		return false;
	if (l->stop && atomic_load_explicit(l->stop, memory_order_relaxed))
		return true;
	return (l->deadline > 0 && limit_now(l) >= l->deadline) || limit_reached(l->within);
}

double limit_left(const struct limit *l)
{
	if (!l)
		return 1e18;
	double own = l->deadline > 0 ? l->deadline - limit_now(l) : 1e18, other = limit_left(l->within);
	return own < other ? own : other;
}
