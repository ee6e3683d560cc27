/* Positions that are decided although the play goes on: the winner only has to go on moving.
 *
 * A network often falls into two parts: the *skeleton*, constraints over quantified variables and the state variables
 * next to them (which cells are free, and their order), and the rest, constraints that also have other state variables
 * (who has completed a line). Once the rest leaves nothing open but constraints that a single well-chosen value
 * satisfies ("not all of these cells are even"), a side that always finds a value in the skeleton, all free cells being
 * well-chosen, never lacks one in the whole network. That is asked of the skeleton alone, where positions are few. */
#ifndef QCSP_SKELETON_H
#define QCSP_SKELETON_H

#include "qcsp/restrict.h"

struct well_chosen {  /* values of the skeleton's state variables */
	uint64_t *values; /* a set of value indices per variable */
	uint64_t number;
};

struct skeleton {
	struct compiled d; /* the problem without the rest */
	struct position p;
	struct restriction r;
	struct search_state *s;
	bool *inside; /* state variables of the skeleton */
	bool *rest;   /* constraints that are not in it */
	bool usable;
	bool tired;     /* the work for this question is done, without an answer */
	uint32_t end;   /* it is played up to here */
	uint64_t *mark; /* two random numbers per item */
	VEC(struct well_chosen) chosen;
	uint64_t *need;      /* of the position at hand: a set of value indices per variable */
	uint32_t *users;     /* constraints of the rest, per variable outside the skeleton */
	VEC(uint64_t) known; /* two numbers of a position and its answer */
	struct table index;
};

void skeleton_make(struct skeleton *k, struct search_state *s, uint32_t tail);
void skeleton_free(struct skeleton *k);
/* Will every variable before `end` of this quantifier have a possible value, from the position at hand of the whole
 * network on and however the play goes on? False when that is not shown. */
bool skeleton_suffices(struct skeleton *k, const struct position *whole, const struct compiled *d, bool forall);

#endif
