/* Players of playouts who see one or two moves ahead: who can win at once does, who need
 * not lose at once does not, and who need not let another one win at once does not
 * ("decisive and anti-decisive moves": Teytaud and Teytaud 2010). It is no search but
 * a change of the circuit: what ends the game after a move is composed from the rules of
 * the end and those of the next state, and folded; then moves are legal only as long as
 * there is no better kind. */
#ifndef CIRCUIT_DECISIVE_H
#define CIRCUIT_DECISIVE_H

#include "circuit/circuit.h"

struct decisive_job {
	const struct circuit *rules;   /* of any state */
	const uint8_t *moves;          /* known of them in this phase; NULL: nothing is */
	uint32_t first_move, end_move; /* of the role */
	const uint32_t *role_moves;    /* where the moves of each role begin, and one more */
	uint32_t roles;
	const uint32_t *group;     /* by fluent: groups that exclude one another (exclusive.h) */
	const lit_t *best, *worst; /* goals of the role in `rules` with its most and its least */
	uint32_t best_count, worst_count;
	const lit_t *shared; /* goals in `rules` that make a win none; threats only */
	uint32_t shared_count;
	const lit_t *legal;          /* of everybody, by move, as the rules have it */
	const struct circuit *after; /* NULL, or a circuit of the next phase, and in it */
	lit_t threat;                /* that another role can win at once; any value in terminal states */
	size_t *work;                /* gates looked at so far; bounded, for all jobs that share it */
};

enum decisive_kind {
	DECISIVE_NONE, /* no move is ever better than another */
	DECISIVE_MADE,
	DECISIVE_UNKNOWN /* there is recursion in it, or it takes too many gates */
};

/* `c`: the rules specialised to a phase of the game. In its `legal` the role becomes a
 * decisive player, in the states in which nobody else has a choice; its other outputs stay. In a rotation (`moves` is
 * known) in which others choose at the same time, it looks at its moves as if these did nothing: right where they
 * move on boards of their own, a guess elsewhere.
 * Not made: `c` is as it was, except for gates that nothing needs. */
enum decisive_kind decisive_add(struct circuit *c, const struct decisive_job *j);

/* Adds to `c` that the role can win at once and nobody else has a choice, or as above; any value in terminal states.
 * LIT_NONE: unknown, as above. */
lit_t decisive_threat(struct circuit *c, const struct decisive_job *j);

#endif
