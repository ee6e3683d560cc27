/* Edge-finding for tasks on one machine; see edge_finding.c. */
#ifndef CSP_GLOBALS_EDGE_FINDING_H
#define CSP_GLOBALS_EDGE_FINDING_H

#include "csp/csp_internal.h"

struct question;

/* Origins and lengths of `count` tasks; those of length 0 are free. */
struct machine {
	const uint32_t *origin;
	const int64_t *length;
	uint32_t count;
};

bool edges_propagate(struct csp *n, const struct machine *m); /* false: inconsistent */
/* The reasons of a change of a bound, or of the failure, as edge-finding or a single other task has them. False: there
 * are none of that sort. */
bool edges_explain(struct csp *n, const struct machine *m, const struct question *q);

#endif
