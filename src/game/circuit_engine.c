/* The circuit behind the interface of game.h: building it, and questions about
 * one state or a list of states. Playouts are in playout.c. */
#include "game/engine_internal.h"

#include "circuit/absorb.h"
#include "circuit/decisive.h"
#include "circuit/exclusive.h"
#include "circuit/extract_pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ------------------------------------------------------------------ */

typedef VEC(struct program_output) output_list;

static void add_outputs(output_list *to, const lit_t *values, size_t n, uint32_t slot)
{
	for (size_t i = 0; i < n; i++) {
		struct program_output o = {values[i], slot + (uint32_t)i};
		vec_push(to, o);
	}
}

static void make_full(struct circuit_engine *e)
{
	const struct circuit *c = &e->circuit;
	assert(c->legal.n == c->moves && c->next.n == c->fluents);
	output_list first = {0}, second = {0};
	uint32_t slot = c->fluents + c->moves;
	e->full_terminal = slot++;
	e->full_goals = slot;
	slot += narrow32(c->goals.n);
	e->full_next = slot;
	slot += c->fluents;
	e->full_percepts = slot;
	slot += narrow32(c->percepts.n);
	add_outputs(&first, c->legal.at, c->legal.n, c->fluents);
	add_outputs(&first, &c->terminal, 1, e->full_terminal);
	add_outputs(&first, c->goals.at, c->goals.n, e->full_goals);
	add_outputs(&second, c->next.at, c->next.n, e->full_next);
	add_outputs(&second, c->percepts.at, c->percepts.n, e->full_percepts);
	struct program_plan plan = {slot, NULL, first.at, second.at, first.n, second.n};
	program_make(&e->full, c, &plan);
	vec_free(&first);
	vec_free(&second);
}

static void find_live(struct circuit_engine *e)
{
	const struct circuit *c = &e->circuit;
	uint8_t *matters = NEW_ARRAY(uint8_t, c->fluents + 1);
	circuit_observable(c, matters);
	e->live = NEW_ARRAY(uint32_t, c->fluents + 1);
	for (uint32_t f = 0; f < c->fluents; f++)
		if (matters[f])
			e->live[e->live_count++] = f;
	assert(e->live_count <= c->fluents);
	mem_free(matters);
}

/* What is known in each phase, as masks that states can be compared with. */
static void make_phase_masks(struct circuit_engine *e)
{
	uint32_t fluents = e->circuit.fluents;
	size_t words = BITS_WORDS(fluents);
	e->phase_known = NEW_ARRAY(uint64_t, e->phases.period * words + 1);
	e->phase_holds = NEW_ARRAY(uint64_t, e->phases.period * words + 1);
	for (uint32_t k = 0; k < e->phases.period; k++)
		for (uint32_t f = 0; f < fluents; f++) {
			uint8_t known = e->phases.fluents[(size_t)k * fluents + f];
			if (known != OPEN)
				bits_add(e->phase_known + k * words, f);
			if (known == YES)
				bits_add(e->phase_holds + k * words, f);
		}
}

/* Which moves are open in this phase (known: NULL for any state), role by role. */
static void place_moves(struct rollout *r, const struct ground *ground, const uint8_t *known, uint32_t *slot_of)
{
	uint32_t roles = narrow32(ground->roles.n), n = 0;
	r->moves = NEW_ARRAY(uint32_t, ground->moves.n + 1);
	r->first = NEW_ARRAY(uint32_t, roles + 1);
	r->fixed = NEW_ARRAY(uint32_t, roles + 1);
	for (uint32_t role = 0; role < roles; role++) {
		r->first[role] = n;
		r->fixed[role] = GAME_NONE;
		for (uint32_t m = ground->moves.start.at[role]; m < ground->moves.start.at[role + 1]; m++) {
			slot_of[m] = r->base + n;
			if (!known || known[m] == OPEN)
				r->moves[n++] = m;
			else if (known[m] == YES)
				r->fixed[role] = m;
		}
	}
	assert(n <= ground->moves.n);
	r->first[roles] = n;
}

/* c: the circuit, specialised to the phase when there is one. Returns the slots that the program needs. */
static uint32_t make_rollout(const struct circuit_engine *e, struct rollout *r, const struct circuit *c,
                             const uint8_t *known)
{
	output_list first = {0}, second = {0};
	uint32_t *slot_of = NEW_ARRAY(uint32_t, c->moves + 1);
	r->base = c->fluents;
	place_moves(r, e->ground, known, slot_of);
	r->terminal = r->base + r->first[e->ground->roles.n];
	r->next = r->terminal + 1;
	add_outputs(&first, &c->terminal, 1, r->terminal);
	for (uint32_t i = 0; i < r->first[e->ground->roles.n]; i++)
		add_outputs(&first, &c->legal.at[r->moves[i]], 1, r->base + i);
	for (uint32_t i = 0; i < e->live_count; i++)
		add_outputs(&second, &c->next.at[e->live[i]], 1, r->next + i);
	struct program_plan plan = {r->next + e->live_count, slot_of, first.at, second.at, first.n, second.n};
	program_make(&r->program, c, &plan);
	vec_free(&first);
	vec_free(&second);
	mem_free(slot_of);
	return r->program.slots;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void make_rollouts(struct circuit_engine *e)
{
	const struct circuit *c = &e->circuit;
	uint32_t period = e->phases.period;
	e->rollout_count = period > 1 ? period + 1 : 1;
	assert(period);
	e->rollouts = NEW_ARRAY(struct rollout, e->rollout_count);
	e->slots = make_rollout(e, &e->rollouts[0], c, NULL);
	for (uint32_t k = 0; k + 1 < e->rollout_count; k++) {
		struct circuit phase;
		const uint8_t *moves = e->phases.moves + (size_t)k * c->moves;
		circuit_specialise(&phase, c, e->phases.fluents + (size_t)k * c->fluents, moves);
		circuit_extract_pairs(&phase);
		e->slots = larger(e->slots, make_rollout(e, &e->rollouts[1 + k], &phase, moves));
		circuit_free(&phase);
	}
}

#define EXPANDER_BYTES ((size_t)800 << 10) /* of slots that the second cache still holds */

#define DECISIVE_COST 4 /* times a plain step, at most */
#define THREATS_COST 8
#define DECISIVE_OPERANDS 30000 /* in a plain step: composing larger ones takes too long */

static void free_rollout(struct rollout *r)
{
	program_free(&r->program);
	native_free(&r->native);
	mem_free(r->moves);
	mem_free(r->first);
	mem_free(r->fixed);
}

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
		make_rollout(e, r, &p.c, p.moves);
		if (cost_of(r, roles) > (threats ? THREATS_COST : DECISIVE_COST) * cost_of(&e->rollouts[k], roles)) {
			free_rollout(r);
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

static void free_decisive(struct decisive_rollouts *a, uint32_t count)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (a->rollouts[i].moves)
			free_rollout(&a->rollouts[i]);
	mem_free(a->rollouts);
	mem_free(a);
}

/* Two programs over the same slots: fluents, moves made, legal moves, terminal, next, percepts. */
static void make_expander(void *engine)
{
	struct circuit_engine *e = engine;
	const struct circuit *c = &e->circuit;
	struct expander *x = NEW(struct expander);
	output_list look = {0}, step = {0};
	x->legal = c->fluents + c->moves;
	x->terminal = x->legal + c->moves;
	x->next = x->terminal + 1;
	x->percepts = x->next + c->fluents;
	uint32_t fixed = x->percepts + narrow32(c->percepts.n);
	add_outputs(&look, c->legal.at, c->legal.n, x->legal);
	add_outputs(&look, &c->terminal, 1, x->terminal);
	add_outputs(&step, c->next.at, c->next.n, x->next);
	add_outputs(&step, c->percepts.at, c->percepts.n, x->percepts);
	program_make(&x->look, c, &(struct program_plan){fixed, NULL, look.at, NULL, look.n, 0});
	program_make(&x->step, c, &(struct program_plan){fixed, NULL, NULL, step.at, 0, step.n});
	x->slots = larger(larger(x->look.slots, x->step.slots), larger(e->goals.slots, fixed));
	/* with AVX2 twice as many lanes cost twice as much */
	x->lanes = native_wide() && (size_t)x->slots * 64 <= EXPANDER_BYTES ? 512 : 256;
	if (!e->plain) {
		native_make(&x->look_native, &x->look, x->lanes / 64);
		native_make(&x->step_native, &x->step, x->lanes / 64);
		native_make(&x->goals_native, &e->goals, x->lanes / 64);
	}
	vec_free(&look);
	vec_free(&step);
	e->expander = x;
}

/* Made when first asked for. */
static const struct expander *find_expander(struct circuit_engine *e)
{
	if (!e->expander) {
		struct mem_scope *previous = mem_scope_enter(e->scope);
		thread_lock(&e->later_lock);
		if (!e->expander)
			mem_whole(make_expander, e);
		thread_unlock(&e->later_lock);
		mem_scope_leave(previous);
	}
	return e->expander;
}

static void free_expander(struct expander *x)
{
	if (!x)
		return;
	program_free(&x->look);
	program_free(&x->step);
	native_free(&x->look_native);
	native_free(&x->step_native);
	native_free(&x->goals_native);
	mem_free(x);
}

static void make_goals(struct circuit_engine *e)
{
	const struct circuit *c = &e->circuit;
	output_list goals = {0};
	e->goals_out = c->fluents;
	add_outputs(&goals, c->goals.at, c->goals.n, e->goals_out);
	struct program_plan plan = {e->goals_out + narrow32(c->goals.n), NULL, goals.at, NULL, goals.n, 0};
	program_make(&e->goals, c, &plan);
	e->slots = larger(e->slots, e->goals.slots);
	vec_free(&goals);
}

/* As many lanes as keep the slots of a step in the second cache; and machine
 * code for that width, for the programs that playouts mostly run. */
static void make_native(struct circuit_engine *e)
{
	uint32_t from = e->rollout_count > 1 ? 1 : 0, slots = 0;
	for (uint32_t i = from; i < e->rollout_count; i++)
		if (e->rollouts[i].program.slots > slots)
			slots = e->rollouts[i].program.slots;
	e->width = (size_t)slots * 64 > (native_wide() ? (size_t)1 << 20 : (size_t)400 << 10) ? 256 : 512;
	if (e->plain)
		return;
	for (uint32_t i = from; i < e->rollout_count; i++)
		native_make(&e->rollouts[i].native, &e->rollouts[i].program, e->width / 64);
	native_make(&e->goals_native, &e->goals, e->width / 64);
}

int goal_value(const char *text)
{
	char *end;
	long v = strtol(text, &end, 10);
	return end != text && !*end && v >= 0 && v <= 100 ? (int)v : GOAL_NONE;
}

static void read_goals(struct circuit_engine *e)
{
	const struct ground *g = e->ground;
	struct text t = {0};
	e->goal_value = NEW_ARRAY(int, g->goals.n + 1);
	for (size_t i = 0; i < g->goals.n; i++) {
		t.n = 0;
		term_print(&g->datalog.terms, &g->datalog.source->symbols, g->goals.at[i].term, &t);
		e->goal_value[i] = goal_value(text_str(&t));
	}
	text_free(&t);
}

/* `base` and `input` keep out what only looks reachable, and are believed; but some
 * public rulesheets leave out what is really reached. Where rules lead out of the
 * declarations, random walks without them show whether that ever happens. */
static struct ground *make_ground(struct gdl_rules *rules, struct ground_options *o, struct text *error)
{
	struct ground *ground = ground_make(rules, o, error);
	if (!ground || !ground->outside)
		return ground;
	struct text ignored = {0};
	struct circuit c;
	struct ground_options open = *o;
	size_t more = 4 * ground->instances + 100000;
	open.undeclared = true;
	open.max_instances = more < o->max_instances ? more : o->max_instances;
	struct ground *all = ground_make(rules, &open, &ignored);
	text_free(&ignored);
	if (!all)
		return ground;
	circuit_make(&c, all);
	bool reached = phases_reach(&c, all->moves.start.at, narrow32(all->roles.n), all->initial.at, all->strays.at);
	circuit_free(&c);
	ground_free(reached ? ground : all);
	return reached ? all : ground;
}

static struct ground_options ground_bounds(const struct game_options *o)
{
	/* about 150 bytes per instance, counting everything built from it */
	size_t memory = o->memory ? o->memory : mem_physical() / 2, instances = memory / 150;
	if (!instances) /* which would mean the default */
		instances = 1;
	if (instances > GROUND_INSTANCES)
		instances = GROUND_INSTANCES;
	return (struct ground_options){
		.limit = o->limit, .progress = o->progress, .context = o->context, .max_instances = instances};
}

/* That making a circuit takes for each rule instance and each atom, about. */
#define SECONDS_PER_INSTANCE 1.2e-6 /* of processor time */

/* From the ground program to code; false: out of time. */
static bool make_programs(struct circuit_engine *e, const struct limit *limit, double share)
{
	const struct ground *ground = e->ground;
	if (limit_left(limit) * share < SECONDS_PER_INSTANCE * (double)(ground->instances + ground->atoms))
		return false; /* these steps do not look at the clock */
	circuit_make(&e->circuit, ground);
	if (limit_reached(limit))
		return false;
	e->folded =
		phases_find(&e->phases, &e->circuit, ground->moves.start.at, narrow32(ground->roles.n), ground->initial.at);
	circuit_extract_pairs(&e->circuit);
	if (limit_reached(limit))
		return false;
	make_full(e);
	make_phase_masks(e);
	if (limit_reached(limit))
		return false;
	find_live(e);
	make_rollouts(e);
	if (limit_reached(limit))
		return false;
	make_goals(e);
	make_native(e);
	return !limit_reached(limit);
}

static void make_zobrist(struct circuit_engine *e)
{
	uint64_t seed = 0x6d61636177; /* fixed: hashes are the same in every run */
	e->zobrist = NEW_ARRAY(uint64_t, e->circuit.fluents + 1);
	for (uint32_t f = 0; f < e->circuit.fluents; f++)
		e->zobrist[f] = rng_split(&seed);
}

struct circuit_engine *circuit_engine_make(struct gdl_rules *rules, const struct game_options *o, struct text *error)
{
	double began = clock_now(), worked = clock_thread();
	struct ground_options bounds = ground_bounds(o);
	struct ground *ground = make_ground(rules, &bounds, error);
	if (!ground)
		return NULL;
	struct circuit_engine *e = NEW(struct circuit_engine);
	e->ground = ground;
	e->plain = o->plain;
	e->scope = mem_scope_current();
	e->later_lock = (struct thread_mutex)THREAD_TURN; /* guards nothing that could be half changed */
	double share = (clock_thread() - worked) / (clock_now() - began + 1e-9); /* of a processor that this thread gets */
	if (!make_programs(e, &o->limit, share < 1 ? share : 1)) {
		text_puts(error, "out of time while building the circuit");
		circuit_engine_free(e);
		return NULL;
	}
	read_goals(e);
	make_zobrist(e);
	for (uint32_t r = 0; r < ground->roles.n; r++)
		e->most_moves = larger(e->most_moves, ground->moves.start.at[r + 1] - ground->moves.start.at[r]);
	rules_view_make(e);
	return e;
}

struct thread_mutex *circuit_engine_lock(struct circuit_engine *e)
{
	return &e->later_lock;
}

void circuit_engine_free(struct circuit_engine *e)
{
	if (!e)
		return;
	ground_free(e->ground);
	circuit_free(&e->circuit);
	program_free(&e->full);
	for (uint32_t i = 0; i < e->rollout_count; i++)
		free_rollout(&e->rollouts[i]);
	for (uint32_t i = 0; i < DECISIVE_POLICIES; i++)
		free_decisive(e->decisive[i], e->rollout_count);
	mem_free(e->exclusive);
	free_expander(e->expander);
	thread_mutex_free(&e->later_lock);
	mem_free(e->rollouts);
	phases_free(&e->phases);
	mem_free(e->phase_known);
	mem_free(e->phase_holds);
	program_free(&e->goals);
	native_free(&e->goals_native);
	mem_free(e->goal_value);
	mem_free(e->live);
	mem_free(e->zobrist);
	mem_free(e);
}

/* ---- questions about states ------------------------------------------------------ */

/* The slots of some lanes, and what runs programs over them; slot i has `words` words from i * words on. */
struct lane_group {
	const struct lane_kernel *kernel;
	uint64_t *slots;
	uint32_t words;
};

struct circuit_worker {
	const struct game *g;
	struct circuit_engine *e;
	struct lane_group narrow;        /* 64 lanes, the full program */
	const struct expander *expander; /* NULL until there is a list of states */
	struct lane_group few, many;     /* for lists of states; without slots until there is one */
	struct role_list legal, seen;
	int *goals;
};

static struct lane_group lane_group_new(const struct circuit_engine *e, uint32_t lanes, uint32_t slots)
{
	struct lane_group l = {.kernel = lanes_kernel(lanes, e->plain)};
	l.words = l.kernel->words;
	l.slots = mem_align(((size_t)slots + 1) * l.words, sizeof *l.slots);
	return l;
}

struct circuit_worker *circuit_worker_new(const struct game *g)
{
	struct circuit_worker *w = NEW(struct circuit_worker);
	w->g = g;
	w->e = g->circuit;
	w->narrow = lane_group_new(w->e, 64, w->e->full.slots);
	w->goals = NEW_ARRAY(int, g->roles + 1);
	return w;
}

void circuit_worker_free(struct circuit_worker *w)
{
	mem_free(w->narrow.slots);
	mem_free(w->few.slots);
	mem_free(w->many.slots);
	mem_free(w->goals);
	vec_free(&w->legal.items);
	vec_free(&w->legal.start);
	vec_free(&w->seen.items);
	vec_free(&w->seen.start);
	mem_free(w);
}

static void load(struct circuit_worker *w, const uint64_t *state)
{
	for (uint32_t f = 0; f < w->g->fluents; f++)
		w->narrow.slots[f] = bits_has(state, f);
}

static void run_first(const struct circuit_worker *w)
{
	const struct program *p = &w->e->full;
	w->narrow.kernel->run(p->code.at, p->code.at + p->second, w->narrow.slots);
}

static void run_second(const struct circuit_worker *w)
{
	const struct program *p = &w->e->full;
	w->narrow.kernel->run(p->code.at + p->second, p->code.at + p->code.n, w->narrow.slots);
}

static uint64_t *slot(const struct lane_group *l, uint32_t i)
{
	return l->slots + (size_t)i * l->words;
}

/* Goals of one lane, which stand from slot `first` on. */
static void lane_goals(const struct circuit_worker *w, const struct lane_group *l, uint32_t first, uint32_t lane,
                       int *out)
{
	assert(lane < l->kernel->lanes);
	const struct ground *ground = w->e->ground;
	for (uint32_t r = 0; r < w->g->roles; r++) {
		uint32_t found = 0;
		out[r] = GOAL_NONE;
		for (uint32_t i = ground->goals.start.at[r]; i < ground->goals.start.at[r + 1]; i++)
			if (slot(l, first + i)[lane / 64] >> lane % 64 & 1) {
				out[r] = w->e->goal_value[i];
				found++;
			}
		if (found != 1)
			out[r] = GOAL_NONE;
	}
}

struct view circuit_look(struct circuit_worker *w, const uint64_t *state)
{
	const struct game *g = w->g;
	load(w, state);
	run_first(w);
	vec_clear(&w->legal.items);
	vec_clear(&w->legal.start);
	for (uint32_t r = 0; r < g->roles; r++) {
		vec_push(&w->legal.start, narrow32(w->legal.items.n));
		for (uint32_t m = g->first_move[r]; m < g->first_move[r + 1]; m++)
			if (w->narrow.slots[g->fluents + m] & 1)
				vec_push(&w->legal.items, m);
	}
	vec_push(&w->legal.start, narrow32(w->legal.items.n));
	lane_goals(w, &w->narrow, w->e->full_goals, 0, w->goals);
	return (struct view){w->narrow.slots[w->e->full_terminal] & 1, w->legal.items.at, w->legal.start.at, w->goals};
}

/* Both phases for one state in lane 0. */
static void step_one(struct circuit_worker *w, const uint64_t *state, const uint32_t *moves)
{
	load(w, state);
	run_first(w);
	memset(w->narrow.slots + w->g->fluents, 0, w->g->moves * sizeof *w->narrow.slots);
	for (uint32_t r = 0; r < w->g->roles; r++)
		w->narrow.slots[w->g->fluents + moves[r]] = 1;
	run_second(w);
}

void circuit_next(struct circuit_worker *w, const uint64_t *state, const uint32_t *moves, uint64_t *next)
{
	step_one(w, state, moves);
	memset(next, 0, w->g->words * sizeof *next);
	for (uint32_t f = 0; f < w->g->fluents; f++)
		if (w->narrow.slots[w->e->full_next + f] & 1)
			bits_add(next, f);
}

struct percepts circuit_sees(struct circuit_worker *w, const uint64_t *state, const uint32_t *moves)
{
	const struct ground *ground = w->e->ground;
	step_one(w, state, moves);
	vec_clear(&w->seen.items);
	vec_clear(&w->seen.start);
	for (uint32_t r = 0; r < w->g->roles; r++) {
		vec_push(&w->seen.start, narrow32(w->seen.items.n));
		for (uint32_t i = ground->percepts.start.at[r]; i < ground->percepts.start.at[r + 1]; i++)
			if (w->narrow.slots[w->e->full_percepts + i] & 1)
				vec_push(&w->seen.items, i);
	}
	vec_push(&w->seen.start, narrow32(w->seen.items.n));
	return (struct percepts){w->seen.items.at, w->seen.start.at};
}

/* ---- many at a time ------------------------------------------------------------------ */

/* Slots [first, first + n) of 64 lanes, those of word `at`, to or from rows of `words` words, one row per lane. */
static void lanes_from_rows(const struct lane_group *l, uint32_t at, uint32_t first, uint32_t n, const uint64_t *rows,
                            uint32_t words, size_t count)
{
	assert(count <= l->kernel->lanes);
	uint64_t square[64];
	for (uint32_t w = 0; w * 64 < n; w++) {
		uint64_t *to = slot(l, first + w * 64) + at;
		for (size_t i = 0; i < 64; i++)
			square[i] = i < count ? rows[i * words + w] : 0;
		lanes_transpose(square);
		for (uint32_t b = 0; b < 64 && w * 64 + b < n; b++, to += l->words)
			*to = square[b];
	}
}

static void rows_from_lanes(const struct lane_group *l, uint32_t at, uint32_t first, uint32_t n, uint64_t *rows,
                            uint32_t words, size_t count)
{
	assert(count <= l->kernel->lanes);
	uint64_t square[64];
	for (uint32_t w = 0; w < words; w++) { /* a row has a word even when it holds nothing */
		const uint64_t *from = slot(l, first + w * 64) + at;
		uint64_t any = 0;
		for (uint32_t b = 0; b < 64; b++)
			any |= square[b] = w * 64 + b < n ? from[(size_t)b * l->words] : 0;
		if (any) /* of the moves most are legal nowhere */
			lanes_transpose(square);
		for (size_t i = 0; i < count; i++)
			rows[i * words + w] = square[i];
	}
}

/* Percept by percept: few are perceived at a time. */
static void lanes_seen(const struct circuit_worker *w, const struct lane_group *l, uint32_t at, uint64_t *seen,
                       size_t count)
{
	assert(count <= l->kernel->lanes);
	const struct ground *ground = w->e->ground;
	uint32_t roles = w->g->roles;
	memset(seen, 0, count * roles * sizeof *seen);
	for (uint32_t r = 0; r < roles; r++)
		for (uint32_t i = ground->percepts.start.at[r]; i < ground->percepts.start.at[r + 1]; i++) {
			uint64_t lanes = slot(l, w->expander->percepts + i)[at], h = lanes ? game_seen_hash(&i, 1) : 0;
			lanes &= count < 64 ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
			for (; lanes; lanes &= lanes - 1)
				seen[(size_t)__builtin_ctzll(lanes) * roles + r] ^= h;
		}
}

/* Some states of an expansion, in the lanes of a group: `count` of them from number `from` on. */
struct batch {
	const struct expansion *e;
	const struct lane_group *lanes;
	size_t from, count;
};

/* 64 lanes at a time: they hold `some` states from number `first` of the expansion on, in word `at` of every slot. */
#define EACH_WORD(b, at, first, some) \
	for (size_t at = 0, first = (b)->from, some; \
	     at * 64 < (b)->count && (some = (b)->count - at * 64 < 64 ? (b)->count - at * 64 : 64, true); \
	     at++, first += 64)

static void load_states(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	if (b->e->one_state) {
		uint64_t *to = slot(b->lanes, 0);
		for (uint32_t f = 0; f < g->fluents; f++)
			for (uint32_t at = 0; at < b->lanes->words; at++)
				*to++ = -(b->e->states[f / 64] >> f % 64 & 1);
		return;
	}
	EACH_WORD(b, at, first, some)
	lanes_from_rows(b->lanes, (uint32_t)at, 0, g->fluents, b->e->states + first * g->words, g->words, some);
}

/* The lanes that make each move; the slots of moves hold nothing otherwise. */
static void load_moves(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	for (size_t i = 0; i < b->count; i++)
		for (uint32_t r = 0; r < g->roles; r++)
			slot(b->lanes, g->fluents + b->e->moves[(b->from + i) * g->roles + r])[i / 64] |= UINT64_C(1) << i % 64;
}

static void clear_moves(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	for (size_t i = 0; i < b->count; i++)
		for (uint32_t r = 0; r < g->roles; r++)
			slot(b->lanes, g->fluents + b->e->moves[(b->from + i) * g->roles + r])[i / 64] = 0;
}

/* The whole program, as machine code where there is some for these lanes. */
static void run_program(const struct circuit_worker *w, const struct lane_group *l, const struct program *p,
                        const struct native *n)
{
	if (n->code && l->kernel->lanes == w->expander->lanes) {
		if (p->second)
			n->first(l->slots);
		if (p->second < p->code.n)
			n->second(l->slots);
	} else {
		l->kernel->run(p->code.at, p->code.at + p->code.n, l->slots);
	}
}

/* From the states in the slots of the fluents to their successors in those of `next`. */
static void step_lanes(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	const struct expansion *e = b->e;
	const struct expander *x = w->expander;
	load_moves(w, b);
	run_program(w, b->lanes, &x->step, &x->step_native);
	clear_moves(w, b);
	EACH_WORD(b, at, first, some)
	{
		if (e->next)
			rows_from_lanes(b->lanes, (uint32_t)at, x->next, g->fluents, e->next + first * g->words, g->words, some);
		if (e->seen)
			lanes_seen(w, b->lanes, (uint32_t)at, e->seen + first * g->roles, some);
	}
}

/* Legal moves and ends of the states in the slots of the fluents, when they are asked for. Returns whether one is an
 * end. */
static bool look_at_lanes(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	const struct expansion *e = b->e;
	const struct expander *x = w->expander;
	uint32_t legal_words = game_legal_words(g);
	const uint64_t *terminal = slot(b->lanes, x->terminal);
	uint64_t any = 0;
	run_program(w, b->lanes, &x->look, &x->look_native);
	for (size_t i = 0; i < b->count; i++) {
		uint64_t end = terminal[i / 64] >> i % 64 & 1;
		any |= end;
		if (e->terminal)
			e->terminal[b->from + i] = (uint8_t)end;
	}
	EACH_WORD(b, at, first, some)
	if (e->legal)
		rows_from_lanes(b->lanes, (uint32_t)at, x->legal, g->moves, e->legal + first * legal_words, legal_words, some);
	return any;
}

/* The goals have a program of their own, which writes over the slots of moves. */
static void read_lane_goals(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	uint32_t used = w->e->goals.slots - g->fluents;
	run_program(w, b->lanes, &w->e->goals, &w->expander->goals_native);
	for (size_t i = 0; i < b->count; i++)
		lane_goals(w, b->lanes, w->e->goals_out, (uint32_t)i, b->e->goals + (b->from + i) * g->roles);
	memset(slot(b->lanes, g->fluents), 0,
	       (size_t)(used < g->moves ? used : g->moves) * b->lanes->words * sizeof *b->lanes->slots);
}

static void expand_batch(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct expansion *e = b->e;
	bool look = e->terminal || e->legal || (e->goals && e->goals_of_ends), ends = true;
	load_states(w, b);
	if (e->moves)
		step_lanes(w, b);
	if (e->moves && (look || e->goals))
		memcpy(b->lanes->slots, slot(b->lanes, w->expander->next),
		       (size_t)w->g->fluents * b->lanes->words * sizeof *b->lanes->slots);
	if (look)
		ends = look_at_lanes(w, b);
	if (e->goals && (ends || !e->goals_of_ends))
		read_lane_goals(w, b);
	else if (e->goals)
		memset(e->goals + b->from * w->g->roles, 0xff, b->count * w->g->roles * sizeof *e->goals); /* GOAL_NONE */
}

/* Machine code is there for one number of lanes. Without it a few states are cheaper in few lanes. */
static const struct lane_group *lanes_for(struct circuit_worker *w, size_t count)
{
	const struct expander *x = w->expander;
	bool few = !x->look_native.code && count <= 64;
	struct lane_group *l = few ? &w->few : &w->many;
	if (!l->slots)
		*l = lane_group_new(w->e, few ? 64 : x->lanes, x->slots);
	return l;
}

void circuit_expand(struct circuit_worker *w, const struct expansion *e)
{
	if (!w->expander)
		w->expander = find_expander(w->e);
	for (size_t from = 0; from < e->count;) {
		size_t left = e->count - from;
		const struct lane_group *lanes = lanes_for(w, left);
		size_t room = (size_t)lanes->words * 64;
		struct batch b = {e, lanes, from, left < room ? left : room};
		expand_batch(w, &b);
		from += b.count;
	}
}
