/* Playouts of decisive players (circuit/decisive.h): made when first asked for, unless a step would cost too much. */
#include "game/circuit_internal.h"

#include "circuit/absorb.h"
#include "circuit/decisive.h"
#include "circuit/exclusive.h"
#include "circuit/extract_pairs.h"

#include <assert.h>
#include <string.h>

#define DECISIVE_COST 4 /* times a plain step, at most */
#define THREATS_COST 8
#define DECISIVE_OPERANDS 30000 /* in a plain step: composing larger ones takes too long */

/* Does the role play, and has it moves to choose from in this phase (known: NULL for any state)? */
static bool may_choose(const struct ground *ground, const uint8_t *known, uint32_t role)
{
	assert(role < ground->roles.n);
	uint32_t open = 0;
	for (uint32_t m = ground->moves.start.at[role]; m < ground->moves.start.at[role + 1]; m++)
		open += !known || known[m] == OPEN;
	return open > 1 && role != ground->random;
}

static int extreme_goal(const struct circuit_engine *e, uint32_t role, bool most)
{
	assert(role < e->ground->roles.n);
	const uint32_t *start = e->ground->goals.start.at;
	int extreme = most ? 0 : 100;
	for (uint32_t i = start[role]; i < start[role + 1]; i++)
		if (e->goal_value[i] != GOAL_NONE && (most ? e->goal_value[i] > extreme : e->goal_value[i] < extreme))
			extreme = e->goal_value[i];
	return extreme;
}

/* The goals with the largest or smallest value of a role; returns how many. None: they are the same. */
static uint32_t extreme_goals(const struct circuit_engine *e, uint32_t role, bool most, lit_t *goals)
{
	assert(role < e->ground->roles.n);
	const uint32_t *start = e->ground->goals.start.at;
	int extreme = extreme_goal(e, role, most);
	uint32_t n = 0;
	for (uint32_t i = start[role]; i < start[role + 1] && extreme != extreme_goal(e, role, !most); i++)
		if (e->goal_value[i] == extreme)
			goals[n++] = e->circuit.goals.at[i];
	return n;
}

static double cost_of(const struct rollout *r, uint32_t roles)
{
	return (double)r->program.operands + 10.0 * r->first[roles] + 1000; /* fitted to measured steps */
}

/* The rules in phase k - 1, or (k = 0) in any state. */
struct phase_rules {
	struct circuit c;
	const uint8_t *moves; /* what is known of them */
	lit_t *legal;         /* by move, as the rules have it */
	size_t *work;         /* done for all phases */
};

static void phase_begin(struct phase_rules *p, const struct circuit_engine *e, uint32_t k, size_t *work)
{
	assert(k < e->rollout_count);
	const struct circuit *c = &e->circuit;
	uint8_t *open = mem_alloc(c->fluents + 1, 1);
	memset(open, OPEN, c->fluents + 1);
	p->work = work;
	p->moves = k ? e->phases.moves + (size_t)(k - 1) * c->moves : NULL;
	circuit_specialise(&p->c, c, k ? e->phases.fluents + (size_t)(k - 1) * c->fluents : open, p->moves);
	p->legal = mem_alloc(c->moves + 1, sizeof *p->legal);
	memcpy(p->legal, p->c.legal.at, c->moves * sizeof *p->legal);
	mem_free(open);
}

static void phase_end(struct phase_rules *p)
{
	circuit_free(&p->c);
	mem_free(p->legal);
}

static struct decisive_job job_of(const struct circuit_engine *e, const struct phase_rules *p, uint32_t role)
{
	assert(role < e->ground->roles.n);
	const uint32_t *start = e->ground->moves.start.at;
	return (struct decisive_job){.rules = &e->circuit,
	                             .moves = p->moves,
	                             .first_move = start[role],
	                             .end_move = start[role + 1],
	                             .role_moves = start,
	                             .roles = narrow32(e->ground->roles.n),
	                             .group = e->exclusive,
	                             .legal = p->legal,
	                             .work = p->work};
}

/* Another role can win at once in this phase, and not with our best; LIT_NONE: unknown. */
static lit_t threat_to(const struct circuit_engine *e, struct phase_rules *p, uint32_t role)
{
	assert(role < e->ground->roles.n);
	lit_t *best = NEW_ARRAY(lit_t, 2 * e->circuit.goals.n + 1), *shared = best + e->circuit.goals.n, threat = LIT_FALSE;
	for (uint32_t other = 0; other < e->ground->roles.n && threat != LIT_NONE; other++) {
		struct decisive_job j = job_of(e, p, other);
		j.best = best;
		j.best_count = extreme_goals(e, other, true, best);
		j.shared = shared;
		j.shared_count = extreme_goals(e, role, true, shared);
		if (other == role || !may_choose(e->ground, p->moves, other))
			continue;
		lit_t pair[2] = {threat, decisive_threat(&p->c, &j)};
		threat = pair[1] == LIT_NONE ? LIT_NONE : circuit_gate(&p->c, GATE_OR, pair, 2);
	}
	mem_free(best);
	return threat;
}

/* Makes a role a decisive player, and with the rules of the next phase (NULL: not) one who sees threats. */
static enum decisive_kind add_role(const struct circuit_engine *e, struct phase_rules *p, struct phase_rules *after,
                                   uint32_t role)
{
	assert(role < e->ground->roles.n);
	lit_t *best = NEW_ARRAY(lit_t, 2 * e->circuit.goals.n + 1), *worst = best + e->circuit.goals.n;
	struct decisive_job j = job_of(e, p, role);
	enum decisive_kind kind = DECISIVE_UNKNOWN;
	j.best = best;
	j.best_count = extreme_goals(e, role, true, best);
	j.worst = worst;
	j.worst_count = extreme_goals(e, role, false, worst);
	j.after = after ? &after->c : NULL;
	j.threat = after ? threat_to(e, after, role) : LIT_FALSE;
	if (j.threat != LIT_NONE)
		kind = decisive_add(&p->c, &j);
	mem_free(best);
	return kind;
}

/* Adds to `phase` what decisive roles need. Threats: as soon as one role is unknown all are. */
static enum decisive_kind add_roles(const struct circuit_engine *e, struct phase_rules *p, struct phase_rules *after)
{
	enum decisive_kind all = DECISIVE_NONE;
	for (uint32_t role = 0; role < e->ground->roles.n; role++) {
		if (!may_choose(e->ground, p->moves, role))
			continue;
		enum decisive_kind kind = add_role(e, p, after, role);
		if (after && kind == DECISIVE_UNKNOWN)
			return kind;
		all = kind == DECISIVE_MADE ? kind : all;
	}
	return all;
}

/* Every role that has a choice becomes decisive, in phase k - 1 or (k = 0) in any state, unless it costs more
 * than it may. */
static enum decisive_kind make_decisive(const struct circuit_engine *e, enum playout_policy policy, uint32_t k,
                                        struct rollout *r, size_t *work)
{
	assert(k < e->rollout_count);
	assert(policy >= PLAYOUT_DECISIVE && (int)policy < PLAYOUT_DECISIVE + DECISIVE_POLICIES);
	uint32_t roles = narrow32(e->ground->roles.n);
	struct phase_rules p, after;
	bool threats = policy == PLAYOUT_ANTI_DECISIVE;
	if (e->rollouts[k].program.operands > DECISIVE_OPERANDS)
		return DECISIVE_UNKNOWN;
	phase_begin(&p, e, k, work);
	if (threats)
		phase_begin(&after, e, k ? 1 + k % e->phases.period : 0, work);
	enum decisive_kind kind = add_roles(e, &p, threats ? &after : NULL);
	if (threats)
		phase_end(&after);
	if (kind == DECISIVE_MADE) {
		vec_clear(&p.c.goals);
		vec_clear(&p.c.percepts);
		circuit_absorb(&p.c);
		circuit_extract_pairs(&p.c);
		rollout_make(e, r, &p.c, p.moves);
		if (cost_of(r, roles) > (threats ? THREATS_COST : DECISIVE_COST) * cost_of(&e->rollouts[k], roles)) {
			rollout_free(r);
			*r = (struct rollout){0};
			kind = DECISIVE_UNKNOWN;
		}
	}
	phase_end(&p);
	return kind;
}

/* Where there is a rotation the program for any state is hardly used, and stays plain. Players who see threats are
 * such players in every phase or not at all: what one side does not see misleads. */
static struct decisive_rollouts *make_decisive_rollouts(const struct circuit_engine *e, enum playout_policy policy)
{
	assert(policy >= PLAYOUT_DECISIVE && (int)policy < PLAYOUT_DECISIVE + DECISIVE_POLICIES);
	struct decisive_rollouts *a = NEW(struct decisive_rollouts);
	uint32_t roles = narrow32(e->ground->roles.n);
	double plain = 0, decisive = 0;
	bool whole = true;
	size_t work = 0;
	a->rollouts = NEW_ARRAY(struct rollout, e->rollout_count);
	a->slots = e->slots;
	for (uint32_t k = e->rollout_count > 1; k < e->rollout_count && whole; k++) {
		struct rollout *r = &a->rollouts[k];
		enum decisive_kind kind = make_decisive(e, policy, k, r, &work);
		bool made = kind == DECISIVE_MADE;
		if (made) {
			a->count = e->rollout_count;
			a->slots = larger(a->slots, r->program.slots);
			if (!e->plain)
				native_make(&r->native, &r->program, e->width / 64);
		}
		whole = policy != PLAYOUT_ANTI_DECISIVE || kind != DECISIVE_UNKNOWN;
		plain += cost_of(&e->rollouts[k], roles);
		decisive += cost_of(made ? r : &e->rollouts[k], roles);
	}
	if (!whole)
		a->count = 0;
	a->cost = plain > 0 ? decisive / plain : 1;
	return a;
}

struct decisive_request {
	struct circuit_engine *e;
	enum playout_policy policy;
};

static void find_exclusive(void *engine)
{
	struct circuit_engine *e = engine;
	for (uint32_t k = 0; k < e->rollout_count && !e->exclusive; k++)
		if (e->rollouts[k].program.operands <= DECISIVE_OPERANDS)
			e->exclusive = exclusive_find(&e->circuit, e->ground);
}

static void find_decisive(void *context)
{
	struct decisive_request *q = context;
	q->e->decisive[q->policy - PLAYOUT_DECISIVE] = make_decisive_rollouts(q->e, q->policy);
}

const struct decisive_rollouts *circuit_decisive(struct circuit_engine *e, enum playout_policy policy)
{
	if (policy == PLAYOUT_UNIFORM)
		return NULL;
	assert(policy >= PLAYOUT_DECISIVE && (int)policy < PLAYOUT_DECISIVE + DECISIVE_POLICIES);
	struct decisive_rollouts *_Atomic *a = &e->decisive[policy - PLAYOUT_DECISIVE];
	if (!*a) {
		struct mem_scope *previous = mem_scope_enter(e->scope);
		thread_lock(&e->later_lock);
		if (!e->exclusive)
			mem_whole(find_exclusive, e);
		if (!*a)
			mem_whole(find_decisive, &(struct decisive_request){e, policy});
		thread_unlock(&e->later_lock);
		mem_scope_leave(previous);
	}
	return (*a)->count ? *a : NULL;
}

void decisive_rollouts_free(struct decisive_rollouts *a, uint32_t count)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (a->rollouts[i].moves)
			rollout_free(&a->rollouts[i]);
	mem_free(a->rollouts);
	mem_free(a);
}
