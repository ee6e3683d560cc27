/* Forward checking for stochastic problems (Walsh 2002; Balafoutis and Stergiou 2006).
 *
 * Variables are set in the order of V. A constraint with one variable left open filters that variable, so each open
 * variable carries what all of its constraints together have left of it, in two domains:
 *   hard  values that no hard constraint forbids: without one there is no policy below
 *   good  values with which the chance constraints can still hold: without one every leaf below is worth nothing
 * The good values of a draw have a probability; draws being independent (given their parents), the product of these
 * probabilities bounds that of all chance constraints together.
 *
 * The feasibility constraint looks at the good domains alone, and MAC keeps the hard ones in the network itself. */
#ifndef SCSP_FORWARD_H
#define SCSP_FORWARD_H

#include "scsp/scsp_internal.h"

#include <assert.h>

enum forward_domain { FORWARD_HARD, FORWARD_GOOD, FORWARD_DOMAINS };

struct forward {
	struct scsp *s;
	uint32_t *now; /* value index per variable */
	bool *set;
	double most[SCSP_MAX_PLAYERS]; /* of any leaf */
	/* below: as said above */
	bool filters_hard;
	size_t *first; /* of a variable's values */
	bool *out[FORWARD_DOMAINS];
	uint32_t *left[FORWARD_DOMAINS];
	VEC(size_t) trail;         /* values taken out: number of the value * FORWARD_DOMAINS + domain */
	VEC(size_t) marks;         /* length of the trail when a variable was set */
	VEC(uint32_t) owner;       /* variable of a number of a value, for the trail */
	VEC(uint32_t) exposed;     /* variables of chance constraints */
	VEC(uint32_t) bound_draws; /* draws of hard constraints */
	uint32_t violated;         /* variables set to a value that was not good */
	bool hard_at_start;        /* no hard constraint on one variable alone failed */
};

void forward_start(struct forward *f, struct scsp *s, bool filters_hard);
void forward_free(struct forward *f);
/* Sets x and filters; false: no policy below. forward_unset follows in either case, the last one set first. */
bool forward_set(struct forward *f, uint32_t x, uint32_t at);
void forward_unset(struct forward *f, uint32_t x);
/* The first value from `from` on that is left to x, or CSP_NONE. */
uint32_t forward_next(const struct forward *f, uint32_t x, uint32_t from);
/* Does every value that a draw left open takes with some probability satisfy what is known of the hard constraints? */
bool forward_draws_intact(const struct forward *f);
/* An upper bound of the probability that all chance constraints hold; the draw `without` (or CSP_NONE) left out. */
double forward_bound(const struct forward *f, uint32_t without);
/* Can value `at` of the open variable x still belong to a leaf that satisfies the chance constraints? */
static inline bool forward_good(const struct forward *f, uint32_t x, uint32_t at)
{
	assert(x < f->s->vars);
	assert(at < csp_count(f->s->hard, x));
	return !f->out[FORWARD_GOOD][f->first[x] + at];
}

#endif
