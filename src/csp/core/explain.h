/* Which decisions explain a domain; see explain.c. */
#ifndef CSP_CORE_EXPLAIN_H
#define CSP_CORE_EXPLAIN_H

#include "csp/csp_internal.h"

struct deps {
	uint32_t words;     /* of a set of levels */
	uint64_t *of;       /* per variable */
	uint64_t *decision; /* why the search itself shrinks a domain now */
	uint64_t *conflict; /* why the last failure happened */
	VEC(uint64_t) trail;
};

void deps_undo(struct csp *n, size_t mark);
/* Failure of `culprit` (CSP_NONE: of the search's own change to x). */
void deps_conflict(struct csp *n, uint32_t culprit, uint32_t x);

#endif
