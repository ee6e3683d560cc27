/* Preloaded into a program, makes the clock of the day jump by hours at every look,
 * back and forth, as when it is set by hand. Whatever waits or measures by the
 * monotonic clock does not notice. */
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *t)
{
	static atomic_uint looks;
	long error = syscall(SYS_clock_gettime, id, t);
	if (!error && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
		t->tv_sec += atomic_fetch_add(&looks, 1) % 2 ? 3 * 3600 : -5 * 3600;
	return (int)error;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	t->tv_sec = now.tv_sec;
	t->tv_usec = now.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *t)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (t)
		*t = now.tv_sec;
	return now.tv_sec;
}
