/* What everybody knows, as the state of a game that hides nothing: where all roles are
 * told the same and nobody has a secret, the game is a stochastic game over beliefs
 * that all can see. A game of one role always is.
 *
 * A point of that game has a key. It is first that of the way: the point before, the
 * moves of the roles and what was seen. Once enough walks have come by to pay for it,
 * the belief there is computed from the one before, exactly, and the way is given the
 * key of the first way that led to an equal belief: equal beliefs are one node.
 *
 * That all see the same is proved from the rules: every percept has the same gate of the
 * circuit for all of them. That nobody has a secret is not proved but checked at every
 * step that is taken: what is seen tells the moves of all, and the moves that a role has
 * are the same in all states of a belief. The first step that says otherwise ends it
 * (shared_holds). The belief does not depend on how the others
 * choose, since their moves are known; chance is uniform.
 *
 * In a game of one role a step that surely leads to the same belief, only later
 * (lateness.h), is idle: there is no need to take it. */
#ifndef PLAY_HIDDEN_PUBLIC_BELIEF_H
#define PLAY_HIDDEN_PUBLIC_BELIEF_H

#include "play/hidden/belief.h"

#define SHARED_NONE UINT32_MAX /* a belief that was not computed */

struct shared_point {
	uint64_t key;
	uint32_t belief;
	bool idle; /* the step that led here changed nothing but the clock, and told nothing */
};

struct shared;
/* NULL: the roles may see different things, or there is no circuit to tell. */
struct shared *shared_new(struct game *g, uint32_t role);
void shared_free(struct shared *x);
void shared_forget(struct shared *x); /* all beliefs */
size_t shared_bytes(const struct shared *x);
bool shared_holds(const struct shared *x); /* once false it stays so */

/* The point of an exact belief. key: of the way that led there, or 0. */
struct shared_point shared_at(struct shared *x, const struct belief *b, uint64_t key);
/* The key of the way on which this was done and seen, 0 if no step has taken it. */
uint64_t shared_way(struct shared *x, uint64_t from, uint32_t own_move, uint64_t seen);
/* One step further: the joint move, and what the role saw (game_seen_hash). */
struct shared_point shared_after(struct shared *x, struct worker *w, struct shared_point from, const uint32_t *joint,
                                 uint64_t seen);
uint64_t shared_merged(const struct shared *x); /* ways that led to a belief known already */

#endif
