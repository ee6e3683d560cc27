/* What a role may think of the state: a weighted set of states that its view, its
 * own moves and percepts so far, does not exclude.
 *
 * The model: chance draws uniformly, the other roles draw uniformly from their legal
 * moves. The weights are then the true probabilities given the view. That the match
 * goes on, and which moves one has, counts as seen too.
 *
 * While the successors of a turn fit a bound, all states are kept, equal ones as
 * one: the belief is exact. From the first turn that does not fit, histories are
 * sampled from the last exact layer on, many in one pass of the circuit (the network
 * of a round says the same, one state at a time, so it is not asked):
 *
 * - a history is extended by one of the moves that agree with the percepts, and
 *   weighted by their share among those that were tried (sequential importance
 *   sampling); light ones make room for copies of heavy ones;
 * - copies come to differ by going back some steps and growing anew, accepted by the
 *   rule of Metropolis and Hastings, which leaves the distribution as it is;
 * - when all histories have died, others are grown from the beginning, and if none of
 *   these lives a complete search with backtracking, restarts of growing patience and
 *   a table of dead ends looks for some. So the belief is empty only when the view is
 *   impossible by the rules, or the limit came first; then the next turn tries again. */
#ifndef PLAY_HIDDEN_BELIEF_H
#define PLAY_HIDDEN_BELIEF_H

#include "base/hash.h"
#include "base/rng.h"
#include "play/player.h"

#include <assert.h>

struct belief_options {
	uint32_t samples; /* histories kept when sampling; 0: BELIEF_SAMPLES */
	size_t pairs;     /* most successors of a turn for an exact belief; 0: BELIEF_PAIRS, 1: never exact */
	bool views;       /* distinguish states also by what the other roles have observed */
};
#define BELIEF_SAMPLES 1000
#define BELIEF_PAIRS 100000

struct belief;
struct belief *belief_new(struct game *g, uint32_t role, const struct belief_options *o); /* holds the initial state */
void belief_free(struct belief *b);

/* Filters by what a turn reports. Turns that were missed count as steps without any observation;
 * step 0 begins anew; the own moves may be missing. False: no state is left. */
bool belief_observe(struct belief *b, struct worker *w, struct rng *rng, const struct turn *t, const struct limit *l);

size_t belief_count(const struct belief *b);
bool belief_exact(const struct belief *b);
const uint64_t *belief_state(const struct belief *b, size_t i);
const uint64_t *belief_legal(const struct belief *b, size_t i);        /* one bit per move of any role */
double belief_weight(const struct belief *b, size_t i);                /* they sum to 1 */
uint64_t belief_view(const struct belief *b, size_t i, uint32_t role); /* key of a role's view; needs `views` */
uint64_t belief_own_view(const struct belief *b);
size_t belief_draw(const struct belief *b, struct rng *rng);

/* Keys of views: equal views, equal keys. */
static inline uint64_t view_start(uint32_t role)
{
	return hash_mix(role + UINT64_C(1));
}

static inline uint64_t view_after(uint64_t view, uint32_t own_move, uint64_t seen_hash)
{
	return hash_join(hash_join(view, own_move), seen_hash);
}

/* Where nothing is hidden the state is the view. */
static inline uint64_t view_open(const struct game *g, uint32_t role, const uint64_t *state)
{
	assert(role < g->roles);
	return hash_join(game_hash(g, state), role);
}

/* A set of moves as a number, whatever their order. */
static inline uint64_t view_moves(const uint32_t *moves, uint32_t n)
{
	uint64_t h = 1;
	for (uint32_t i = 0; i < n; i++)
		h ^= hash_mix(moves[i] + UINT64_C(1));
	return h;
}

#endif
