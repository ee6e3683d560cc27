/* Both roles' proofs, and moves out of them. */
#include "play/proof/outcome.h"

#include "base/mem.h"
#include "game/rules_view.h"

#include <assert.h>
#include <string.h>

struct outcome {
	struct game *g;
	struct seat seats[2];
	struct proof *proofs[2]; /* by role; the second is NULL where the first tells both */
	int sum;
	bool vain;
	uint64_t *next;
};

const char *outcome_refusal(struct game *g, struct worker *w)
{
	if (g->roles - (g->random < g->roles) != 2)
		return "it is not a game of two roles";
	if (g->random < g->roles)
		return "it has chance moves";
	if (g->hidden)
		return "it hides information";
	if (!game_rules_view(g))
		return "it is run by the interpreter, without a circuit";
	return proof_in_turn(g, w) ? NULL : "both roles choose at the same time";
}

struct outcome *outcome_new(struct game *g, int sum, size_t bytes)
{
	struct outcome *o = NEW(struct outcome);
	uint32_t proofs = sum >= 0 ? 1 : 2;
	o->g = g;
	o->sum = sum;
	o->next = mem_alloc(g->words + 1, sizeof *o->next);
	for (uint32_t r = 0; r < proofs; r++) {
		o->seats[r] = (struct seat){.game = g, .role = r, .worker = worker_new(g), .rng = rng_seed(1)};
		o->proofs[r] = proof_new(&o->seats[r], bytes / proofs);
		assert(o->proofs[r]); /* it was not refused */
	}
	return o;
}

void outcome_free(struct outcome *o)
{
	if (!o)
		return;
	for (uint32_t r = 0; r < 2; r++) {
		proof_free(o->proofs[r]);
		if (o->seats[r].worker)
			worker_free(o->seats[r].worker);
	}
	mem_free(o->next);
	mem_free(o);
}

/* An end has nothing to search: its goals are the answer. */
static bool over(struct outcome *o, const uint64_t *state, const int **goals)
{
	struct view v = game_look(o->seats[0].worker, state);
	*goals = v.goals;
	return v.terminal;
}

bool outcome_run(struct outcome *o, const uint64_t *state, const struct limit *l)
{
	struct budget b = {.limit = *l, .margin = -1};
	const int *goals;
	bool solved = true;
	o->vain = false;
	if (over(o, state, &goals))
		return true;
	for (uint32_t r = 0; r < 2 && o->proofs[r]; r++) {
		proof_run(o->proofs[r], &o->seats[r], state, &b);
		bool known = proof_solved(proof_bounds(o->proofs[r], state));
		o->vain |= !known && !limit_reached(l);
		solved &= known;
	}
	return solved;
}

bool outcome_in_vain(const struct outcome *o)
{
	return o->vain;
}

struct proof_bounds outcome_bounds(const struct outcome *o, const uint64_t *state, uint32_t role)
{
	assert(role < 2);
	const int *goals;
	if (over(unconst(o), state, &goals)) {
		int goal = goals[role] >= 0 ? goals[role] : 0;
		return (struct proof_bounds){goal, goal};
	}
	struct proof_bounds b = proof_bounds(o->proofs[o->proofs[role] ? role : 0], state);
	assert(b.low <= b.high);
	return o->proofs[role] ? b : (struct proof_bounds){o->sum - b.high, o->sum - b.low};
}

/* By solving what each move leads to: for when the table has forgotten. */
static bool try_all(struct outcome *o, const uint64_t *state, uint32_t role, int sure, const struct limit *l,
                    uint32_t *move)
{
	VEC(uint32_t) moves = {0};
	uint32_t joint[2];
	struct view v = game_look(o->seats[0].worker, state);
	vec_set(&moves, v.legal + v.start[role], v.start[role + 1] - v.start[role]);
	joint[!role] = v.legal[v.start[!role]];
	bool found = false;
	for (size_t i = 0; i < moves.n && !found && !limit_reached(l); i++) {
		joint[role] = moves.at[i];
		game_next(o->seats[0].worker, state, joint, o->next);
		outcome_run(o, o->next, l);
		found = outcome_bounds(o, o->next, role).low >= sure;
		*move = moves.at[i];
	}
	vec_free(&moves);
	return found;
}

bool outcome_move(struct outcome *o, const uint64_t *state, uint32_t role, const struct limit *l, uint32_t *move)
{
	assert(role < 2);
	uint32_t p = o->proofs[role] ? role : 0;
	struct proof_bounds b;
	if (!outcome_run(o, state, l))
		return false;
	struct view v = game_look(o->seats[0].worker, state);
	if (v.terminal || v.start[role] == v.start[role + 1])
		return false;
	if (v.start[role + 1] - v.start[role] == 1) {
		*move = v.legal[v.start[role]];
		return true;
	}
	return proof_best(o->proofs[p], &o->seats[p], state, role, move, &b) ||
	       try_all(o, state, role, outcome_bounds(o, state, role).low, l, move);
}

uint64_t outcome_positions(const struct outcome *o)
{
	return proof_counters(o->proofs[0]).nodes + (o->proofs[1] ? proof_counters(o->proofs[1]).nodes : 0);
}
