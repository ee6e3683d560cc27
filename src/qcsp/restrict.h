/* Restricted networks: what the rest of the play can see of a position, as a set of *items*. Positions with equal items
 * have equal answers, however they came about.
 *
 * Items are the literals (variable, value) of open variables; for each constraint that still says something the classes
 * of the values of its fixed variables; and of a maximum or minimum only the greatest or least of its fixed variables.
 */
#ifndef QCSP_RESTRICT_H
#define QCSP_RESTRICT_H

#include "qcsp/compile.h"

struct restriction {
	const struct compiled *d;
	struct position *p;
	uint32_t items;
	uint32_t *literal; /* first item of a variable's values */
	uint32_t *class;   /* first item of the classes at a position: [classes.start[c] + p] */
	uint32_t *summary; /* of a maximum or minimum: first item, that of the value `low`; CSP_NONE: it has none */
	int32_t *low;
	VEC(uint32_t) state_part; /* constraints that can be awake with two open variables */
	/* of the position at hand */
	VEC(uint32_t) seen;   /* its items */
	VEC(uint32_t) active; /* constraints that still say something */
	uint32_t *users;      /* active constraints of a variable */
	bool *dropped;        /* variables that can be chosen last, whatever the others are */
};

void restriction_make(struct restriction *r, const struct compiled *d, struct position *p);
void restriction_free(struct restriction *r);
/* Fills `seen`. Constraints that take part after depth `end` only are left out: UINT32_MAX: none is. */
void restriction_look(struct restriction *r, uint32_t end);
/* A maximum or minimum whose fixed variables decide it already: *best is its value. */
bool restriction_final(const struct restriction *r, uint32_t c, int32_t *best);

#endif
