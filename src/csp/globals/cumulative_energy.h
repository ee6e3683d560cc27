/* Energy of the tasks of cumulative: see cumulative_energy.c. */
#ifndef CSP_GLOBALS_CUMULATIVE_ENERGY_H
#define CSP_GLOBALS_CUMULATIVE_ENERGY_H

#include "csp/csp_internal.h"

struct task {
	int64_t first, last;    /* earliest and latest start */
	int64_t length, height; /* at least */
};

/* Within the window the tasks need more than there is: as they are, or if `task` began before `start` (backwards: after
 * it). */
struct edge {
	int64_t from, to, start;
	uint32_t task; /* CSP_NONE: as they are */
	bool backwards;
};
typedef bool edge_found(void *user, const struct edge *e); /* false: stop */

/* Time-table edge-finding, in both directions. False: stopped. */
bool energy_edges(const struct task *tasks, uint32_t count, int64_t most, edge_found *found, void *user);
/* Is there a window in which they need more than there is? One of the tasks counts with all that it must spend there,
 * wherever between its bounds it lies. */
bool energy_window(const struct task *tasks, uint32_t count, int64_t most, uint32_t one, struct edge *out);
/* How long a task runs within the window at least. */
int64_t energy_overlap(const struct task *t, int64_t from, int64_t to);

#endif
