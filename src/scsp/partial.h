/* Partial assignments in the order of V, and what can still be reached: the
 * forward checking that SFC and the feasibility constraint share. */
#ifndef SCSP_PARTIAL_H
#define SCSP_PARTIAL_H

#include "scsp/scsp_internal.h"

struct partial {
	struct scsp *s;
	uint32_t *now; /* value index per variable */
	bool *set;
	double most[SCSP_MAX_PLAYERS]; /* of any leaf */
};

void partial_start(struct partial *p, struct scsp *s);
void partial_free(struct partial *p);
/* Constraints of x, just set: false when one is violated or leaves a variable without a value. */
bool partial_hard(struct partial *p, uint32_t x);
/* An upper bound in [0, 1] of the probability that the chance constraints hold, as far as those of x show. */
double partial_chance(struct partial *p, uint32_t x);

#endif
