/* A line on the terminal that tells how far long work has come. Silent when
 * stderr is no terminal or `quiet`; costs one clock reading a call and redraws
 * at most ten times a second. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what;
	double started, drawn;
	bool on;
};

struct progress progress_start(const char *what, bool quiet);
/* `done` of `total` (0: unknown, a counter is shown); `note` may be NULL. */
void progress_step(struct progress *p, double done, double total, const char *note);
void progress_end(struct progress *p); /* wipes the line */

#endif
