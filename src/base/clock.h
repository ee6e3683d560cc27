/* Monotonic time in seconds, and limits that long work polls: a deadline, a flag to stop. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>

double clock_now(void);    /* seconds since some fixed moment, never going back */
double clock_thread(void); /* processor seconds of this thread */

/* How long a piece of work may go on. All-zero means: for ever. Work polls
 * limit_reached() every millisecond or so and stops when it says true. */
struct limit {
	double deadline;   /* on clock_now(); 0: none */
	atomic_bool *stop; /* set by another thread to cancel; NULL: none */
	const struct limit *within; /* another limit that holds too; NULL: none */
};

struct limit limit_seconds(double seconds); /* from now on */
bool limit_reached(const struct limit *l);  /* NULL: never */
double limit_left(const struct limit *l);   /* seconds; a large number when there is none */

#endif
