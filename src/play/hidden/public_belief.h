/* What everybody knows, as the state of a game that hides nothing: where all roles are
 * shown the same and nobody has a secret, the game is a stochastic game over beliefs
 * that all can see. A game of one role always is.
 *
 * A point of that game has a key. It is first that of the way: the point before, the
 * moves of the roles and what was seen. Once enough walks have come by to pay for it,
 * the belief there is computed from the one before, exactly, and the way is given the
 * key of the first way that led to an equal belief: equal beliefs are one node.
 *
 * That all see the same is proved from the rules: every percept has the same gate of the
 * circuit for all of them. That nobody has a secret is not proved but checked at every
 * step that is taken: what is seen gives away the moves of all, and the moves that a role has
 * are the same in all states of a belief. The first step that says otherwise ends it
 * (public_belief_holds). The belief does not depend on how the others
 * choose, since their moves are known; chance is uniform.
 *
 * In a game of one role a step that surely leads to the same belief, only later
 * (step_counter_late), is idle: there is no need to take it. */
#ifndef PLAY_HIDDEN_PUBLIC_BELIEF_H
#define PLAY_HIDDEN_PUBLIC_BELIEF_H

#include "play/hidden/belief.h"

#define PUBLIC_BELIEF_NONE UINT32_MAX /* a belief that was not computed */

struct public_belief_point {
	uint64_t key;
	uint32_t belief;
	bool idle; /* the step that led here changed nothing but the clock, and nothing was seen */
};

struct public_belief;
/* NULL: the roles may see different things, or there is no circuit to find out. */
struct public_belief *public_belief_new(struct game *g, uint32_t role);
void public_belief_free(struct public_belief *x);
void public_belief_forget(struct public_belief *x); /* all beliefs */
size_t public_belief_bytes(const struct public_belief *x);
bool public_belief_holds(const struct public_belief *x); /* once false it stays so */

/* The point of an exact belief. key: of the way that led there, or 0. */
struct public_belief_point public_belief_at(struct public_belief *x, const struct belief *b, uint64_t key);
/* The key of the way on which this was done and seen, 0 if no step has taken it. */
uint64_t public_belief_way(struct public_belief *x, uint64_t from, uint32_t own_move, uint64_t seen);
/* One step further: the joint move, and what the role saw (game_seen_hash). */
struct public_belief_point public_belief_after(struct public_belief *x, struct worker *w,
                                               struct public_belief_point from, const uint32_t *joint, uint64_t seen);
uint64_t public_belief_merged(const struct public_belief *x); /* ways that led to a belief stored already */

#endif
