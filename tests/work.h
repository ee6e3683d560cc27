/* Time as work: seconds of a processor, which do not pass while others have it, so that a test says the same on a busy
 * machine as on an idle one. */
#ifndef TESTS_WORK_H
#define TESTS_WORK_H

#include "base/clock.h"
#include "test.h"

static inline struct limit work_seconds(double seconds)
{
	return limit_seconds_of(CLOCK_OF_PROCESS, seconds);
}

/* Of this process so far, all its threads together. */
static inline double work_done(void)
{
	return clock_read(CLOCK_OF_PROCESS);
}

#endif
