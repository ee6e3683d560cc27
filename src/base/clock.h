/* Time in seconds, by the clock on the wall or by the work of a processor, and limits that long work polls: a
 * deadline, a flag to stop. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

double clock_now(void);    /* seconds since some fixed moment, never going back */
double clock_thread(void); /* processor seconds of this thread */

/* Which clock: one of the system's, of which every thread and process that may look reads the same time. */
#define CLOCK_OF_WALL 0                           /* clock_now(); anything that is all-zero means it */
#define CLOCK_OF_PROCESS CLOCK_PROCESS_CPUTIME_ID /* processor time of all threads of the process that reads it */
double clock_read(clockid_t clock);

/* How long a piece of work may go on. All-zero means: for ever. Work polls
 * limit_reached() every millisecond or so and stops when it says true. */
struct limit {
	double deadline;            /* on `clock`; 0: none */
	atomic_bool *stop;          /* set by another thread to cancel; NULL: none */
	const struct limit *within; /* another limit that holds too; NULL: none */
	clockid_t clock;            /* CLOCK_OF_WALL, CLOCK_OF_PROCESS or that of another process */
};

struct limit limit_seconds(double seconds); /* from now on */
struct limit limit_seconds_of(clockid_t clock, double seconds);
double limit_now(const struct limit *l);   /* the time on its clock */
bool limit_reached(const struct limit *l); /* NULL: never */
double limit_left(const struct limit *l);  /* seconds; a large number when there is none */

#endif
