/* Exact values for games of two roles who share 100 points and choose at once, also where they need mixed strategies:
 * backward induction over matrix games.
 *
 * Every position has bounds of the first role's score. They are the values of two matrix games, that of the lower and
 * that of the upper bounds of the positions after it, and only those after it are searched that can make them meet: an
 * optimist's choice for both roles, as in the double oracle method (McMahan, Gordon and Blum 2003; Bošanský, Lisý,
 * Lanctot, Čermák and Winands 2016). Whether a role gets all or nothing needs no mixed strategies and is asked first,
 * as in the serialised game (Saffidine, Finnsson and Buro 2012).
 *
 * The search is depth first, as deep as a path may be. What lies beyond is unknown, where a game has cycles too: every
 * bound in the table is a true one, whatever the way to its position was. The table has a fixed size and is kept from
 * root to root. One thread at a time. */
#ifndef PLAY_PROOF_SIMULTANEOUS_H
#define PLAY_PROOF_SIMULTANEOUS_H

#include "play/player.h"

struct simultaneous;

/* Of the score of the first role, 0..100. */
struct simultaneous_bounds {
	double low, high;
};

struct simultaneous_counters {
	uint64_t nodes;    /* positions made */
	uint64_t visits;   /* positions whose joint moves were made */
	uint64_t matrices; /* that were solved for mixed strategies */
	uint64_t solved;   /* positions whose value was found */
};

/* With this many bytes for all that it keeps. NULL: not for this game. */
struct simultaneous *simultaneous_new(struct seat *s, size_t bytes);
void simultaneous_free(struct simultaneous *q); /* NULL is nothing */
/* False: an end was met where the scores do not add up to 100; nothing that was found holds. */
bool simultaneous_fits(const struct simultaneous *q);

/* Works on this root until its value is found or the budget is spent. A budget by count is one of positions made. */
void simultaneous_run(struct simultaneous *q, struct seat *s, const uint64_t *state, const struct budget *b);

/* What the table knows of a state that is not an end. Nothing: the least and the greatest goal. */
struct simultaneous_bounds simultaneous_bounds(const struct simultaneous *q, const uint64_t *state);
bool simultaneous_solved(struct simultaneous_bounds b);
/* An optimal strategy of a role (but for a hundredth of a point), by its legal moves in their order, from what the
 * table knows of the positions after this one; of several the one that gains most by mistakes of the other role. False:
 * that does not show the value. */
bool simultaneous_strategy(struct simultaneous *q, struct seat *s, const uint64_t *state, uint32_t role, double *share,
                           struct simultaneous_bounds *b);
/* Calls `report` for every position after the state of which something is known, ends too. */
void simultaneous_after(struct simultaneous *q, struct seat *s, const uint64_t *state,
                        void (*report)(void *context, const uint64_t *state, struct simultaneous_bounds b),
                        void *context);

struct simultaneous_counters simultaneous_counters(const struct simultaneous *q);

#endif
