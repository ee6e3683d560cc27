/* A line on the terminal that shows how far long work has come. Silent when
 * stderr is no terminal or `quiet`; costs one clock reading a call and redraws
 * at most ten times a second. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>

/* A callback that gets the progress instead of the terminal. */
typedef void progress_report(void *context, const char *what, double done, double total);

struct progress {
	const char *what;
	double started, drawn;
	bool on;
	progress_report *report;
	void *context;
};

struct progress progress_start(const char *what, bool quiet);
struct progress progress_to(const char *what, progress_report *report, void *context); /* NULL: silent */
/* `done` of `total` (0: unknown, a counter is shown); `note` may be NULL. */
void progress_step(struct progress *p, double done, double total, const char *note);
void progress_wipe(struct progress *p); /* until the next step: something else is about to be printed */
void progress_end(struct progress *p);  /* wipes the line for good */

#endif
