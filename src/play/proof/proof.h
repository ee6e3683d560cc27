/* Proofs for games of two roles who move in turn and see everything: depth-first proof-number search (df-pn: Nagai
 * 2002; thresholds with a margin of 1 + epsilon: Pawlewicz and Lew 2006; sums that do not count transpositions twice:
 * Ueda and others 2008).
 *
 * The question is always: does the role of the seat get at least v, with the other role against it? What is proved is
 * what the role can be sure of, and what it cannot get against an enemy. Where scores add up to 100 the answer is the
 * value for both.
 *
 * What was found stays in a table of fixed size, from root to root. A position met again on its own path counts as
 * unknown and so do positions where both roles choose at once: no proof rests on them, and so a proof holds whatever
 * the way to its position was. One thread at a time. */
#ifndef PLAY_PROOF_PROOF_H
#define PLAY_PROOF_PROOF_H

#include "play/player.h"

struct proof;

/* Of the score of the role, 0..100. */
struct proof_bounds {
	int low, high;
};

struct proof_counters {
	uint64_t nodes;  /* positions made */
	uint64_t visits; /* positions whose moves were tried one by one */
	uint64_t proofs; /* positions about which something was proved */
};

/* With this many bytes for all that it keeps. NULL: not for this game. */
struct proof *proof_new(struct seat *s, size_t bytes);
void proof_free(struct proof *p); /* NULL is nothing */
/* Visits for a question before the next one has its turn, to begin with. */
void proof_slice(struct proof *p, uint64_t visits);

/* Works on this root until its score is proved or the budget is spent. A budget by count is one of positions made. */
void proof_run(struct proof *p, struct seat *s, const uint64_t *state, const struct budget *b);

/* What the table knows. Nothing: the least and the greatest goal of the role. */
struct proof_bounds proof_bounds(const struct proof *p, const uint64_t *state);
bool proof_solved(struct proof_bounds b);
/* A move of `role` (the one whose turn it is: the seat's own, or its enemy) that keeps the value: it leads to the
 * shortest win known, or to the longest loss. False: the position is not solved. */
bool proof_best(struct proof *p, struct seat *s, const uint64_t *state, uint32_t role, uint32_t *move,
                struct proof_bounds *b);

struct proof_counters proof_counters(const struct proof *p);

/* For a game of two roles: do random matches come upon no position where both choose? */
bool proof_in_turn(const struct game *g, struct worker *w);

#endif
