/* To which fragment of games does a game belong? Is it one of chance, do all roles see the same, do roles choose at the
 * same time, is the sum of the goals always the same, is there a bound on the number of steps?
 *
 * "Yes" and "no" are proved: by the rules, by a play that shows it, or by SAT over one step from any state in which the
 * facts of mutex_groups.h hold. */
#ifndef ANALYSIS_FRAGMENT_H
#define ANALYSIS_FRAGMENT_H

#include "game/game.h"

enum verdict { VERDICT_OPEN, VERDICT_NO, VERDICT_YES };

struct fragment {
	bool chance;
	enum verdict shared;       /* every percept is seen by all roles or by none; also where everything is seen */
	enum verdict simultaneous; /* in some position two roles, chance aside, have a choice each */
	enum verdict constant_sum; /* of the goals of all roles but chance, at every end */
	int sum;                   /* then */
	enum verdict finite;       /* never VERDICT_NO: a play without end is not looked for */
	uint32_t horizon;          /* then: no play has more steps */
	uint32_t factors;          /* games that it consists of (factors.h); 1: it is one */
};

/* The game need not have a circuit; without one little is known. */
void fragment_find(struct fragment *f, struct game *g, const struct limit *limit);

/* Every percept has the same gate of the circuit for all roles but chance. The game must have one. */
bool fragment_all_see_the_same(const struct game *g);

#endif
