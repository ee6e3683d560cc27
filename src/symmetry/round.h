/* Symmetries of a round: permutations of fluents, moves and percepts under which the game from one state on stays what
 * it is, while the rules as a whole may not have them.
 *
 * The network of a round, with the state in it, says nothing about the rounds after it: at the start of tic-tac-toe its
 * own symmetries exchange all nine cells. So the network here is that of all rounds from the state on. What can never
 * change again is folded (marks that stay, lines that are blocked, rights that are lost), moves that can never be legal
 * are left out; the graph of what remains (graph.c) has the symmetries. They hold in every state that can follow,
 * leave every role in place, and so keep the scores of roles apart. Nogoods are constraints of the network: joint moves
 * that go to such moves only. */
#ifndef SYMMETRY_ROUND_H
#define SYMMETRY_ROUND_H

#include "symmetry/symmetry.h"

struct rounds;

/* NULL: the rules do not ground or are too large, or the limit was reached. max_edges: as in struct symmetry_options.
 */
struct rounds *rounds_new(struct game *g, size_t max_edges, const struct limit *limit);
void rounds_free(struct rounds *x);

/* What is open from a state on, and the hash of what is not: states of one hash have the same network. */
struct round_future {
	uint32_t fluents, moves;
	uint64_t hash;
};
struct round_future rounds_future(struct rounds *x, const uint64_t *state);

struct round_options {
	const uint32_t *nogoods; /* joint moves of the state, a number per role each */
	size_t nogood_count;
	size_t max_edges; /* of the graph; 0: SYMMETRY_EDGES */
	bool elements;    /* write them out, for symmetry_canonical() with SYMMETRY_HOME */
	struct limit limit;
};

/* The group of the round: its generators leave the state as it is. Never NULL; `skipped` says why nothing was looked
 * for. Only generators and what was asked for are there. */
struct symmetry *round_symmetry(struct rounds *x, struct worker *w, const uint64_t *state,
                                const struct round_options *o);
/* The trivial group of a game that rounds_new() had nothing for, with the reason. */
struct symmetry *round_skipped(struct game *g, const struct limit *limit);

#endif
