/* Promises about the clock on the wall nobody can keep while the processors are busy with something else: such a test
 * is tried again with longer clocks, unless the machine had nothing else to do meanwhile. What can be measured by the
 * work of the processor is, instead: see work.h. */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#include "test.h"

#include <time.h>
#include <unistd.h>

static inline double machine_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds since the start of the machine in which something that could run had to wait for a processor (Linux's
 * pressure stall information); -1: the machine does not tell. */
static inline double machine_pressure(void)
{
	unsigned long long microseconds = 0;
	FILE *f = fopen("/proc/pressure/cpu", "r");
	bool told = f && fscanf(f, "some avg10=%*f avg60=%*f avg300=%*f total=%llu", &microseconds) == 1;
	if (f)
		fclose(f);
	return told ? (double)microseconds / 1e6 : -1;
}

/* Processes and threads that want a processor now, beside this one. */
static inline int machine_queue(void)
{
	int running = 1;
	FILE *f = fopen("/proc/loadavg", "r");
	if (f && fscanf(f, "%*f %*f %*f %d/", &running) != 1)
		running = 1;
	if (f)
		fclose(f);
	return running - 1;
}

struct machine {
	double began, pressure;
};

static inline struct machine machine_watch(void)
{
	return (struct machine){machine_now(), machine_pressure()};
}

/* Whether something had to wait for a processor during a tenth of the time since machine_watch(). */
static inline bool machine_was_busy(const struct machine *m)
{
	double pressure = machine_pressure();
	if (pressure < 0 || m->pressure < 0)
		return machine_queue() > sysconf(_SC_NPROCESSORS_ONLN);
	return pressure - m->pressure > 0.1 * (machine_now() - m->began);
}

/* attempt(1), and as long as it fails on a busy machine attempt(4) and attempt(16): its clocks times the factor. */
static inline void assert_on_time(bool (*attempt)(double factor))
{
	for (double factor = 1;; factor *= 4) {
		struct machine m = machine_watch();
		if (attempt(factor))
			return;
		if (factor >= 16 || !machine_was_busy(&m))
			fail_msg("not in time, with clocks %.0f times as long as usual", factor);
	}
}

#endif
