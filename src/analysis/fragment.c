/* Random plays say what is not so, SAT over one step what must be so (fragment.h).
 *
 * The horizon: fluents that never come back once they are gone, and fluents that stay once they hold, make a measure
 * that no step increases; if every step decreases it, there are no more steps than it has at the start. */
#include "analysis/fragment.h"

#include "analysis/factors.h"
#include "analysis/mutex_groups.h"
#include "analysis/sat_frames.h"
#include "base/bits.h"
#include "base/rng.h"
#include "game/rules_view.h"

#include <string.h>

#define WALKS 64
#define STEPS 400         /* of a walk */
#define CONFLICTS 20000   /* of one question */
#define LARGEST 300000    /* gate inputs and moves */
#define COMBINATIONS 2000 /* of goals */
#define FEW_STEPS 16      /* written out in full */
#define CLOCK_STEPS 1000  /* looked ahead for an end that comes by itself */

struct finder {
	struct fragment *out;
	struct game *g;
	const struct rules_view *rules;
	const struct limit *limit;
	uint64_t *fell, *rose; /* fluents seen to be lost, to be gained */
	bool any_end, many_sums;
	int sum;
};

static bool plays(const struct game *g, uint32_t role)
{
	return role != g->random;
}

/* ---- what everybody sees ---- */

/* Under which condition a role sees this; the same gates are the same number. */
static lit_t condition(const struct rules_view *rules, uint32_t role, term_t term)
{
	const struct ground_outputs *p = &rules->ground->percepts;
	for (uint32_t i = p->start.at[role]; i < p->start.at[role + 1]; i++)
		if (p->at[i].term == term)
			return rules->circuit->percepts.at[i];
	return LIT_FALSE;
}

bool fragment_all_see_the_same(const struct game *g)
{
	const struct rules_view *rules = game_rules_view(g);
	const struct ground_outputs *p = &rules->ground->percepts;
	for (uint32_t r = 0; r < g->roles; r++)
		for (uint32_t i = p->start.at[r]; plays(g, r) && i < p->start.at[r + 1]; i++)
			for (uint32_t q = 0; q < g->roles; q++)
				if (plays(g, q) && condition(rules, q, p->at[i].term) != rules->circuit->percepts.at[i])
					return false;
	return true;
}

/* ---- random plays ---- */

static void look(struct finder *f, const struct view *v)
{
	uint32_t choosers = 0;
	int sum = 0;
	for (uint32_t r = 0; r < f->g->roles; r++)
		choosers += !v->terminal && plays(f->g, r) && v->start[r + 1] - v->start[r] > 1;
	if (choosers > 1)
		f->out->simultaneous = VERDICT_YES;
	if (!v->terminal)
		return;
	for (uint32_t r = 0; r < f->g->roles; r++) {
		if (plays(f->g, r) && v->goals[r] == GOAL_NONE)
			return;
		sum += plays(f->g, r) ? v->goals[r] : 0;
	}
	f->many_sums = f->many_sums || (f->any_end && sum != f->sum);
	f->any_end = true;
	f->sum = sum;
}

/* Do two roles see different things here? */
static bool see_differently(struct finder *f, struct worker *w, const uint64_t *state, const uint32_t *joint)
{
	const struct ground_outputs *all = &f->rules->ground->percepts;
	struct percepts p = game_sees(w, state, joint);
	for (uint32_t r = 0; r < f->g->roles; r++)
		for (uint32_t i = p.start[r]; plays(f->g, r) && i < p.start[r + 1]; i++)
			for (uint32_t q = 0; q < f->g->roles; q++) {
				bool too = !plays(f->g, q);
				for (uint32_t j = p.start[q]; j < p.start[q + 1] && !too; j++)
					too = all->at[p.seen[j]].term == all->at[p.seen[i]].term;
				if (!too)
					return true;
			}
	return false;
}

static void walk(struct finder *f)
{
	struct game *g = f->g;
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	uint64_t *s = NEW_ARRAY(uint64_t, g->words + 1), *t = NEW_ARRAY(uint64_t, g->words + 1);
	uint32_t *joint = NEW_ARRAY(uint32_t, g->roles + 1);
	for (int i = 0; i < WALKS && !limit_reached(f->limit); i++) {
		memcpy(s, g->initial, g->words * sizeof *s);
		for (int step = 0; step < STEPS && !limit_reached(f->limit); step++) {
			struct view v = game_look(w, s);
			look(f, &v);
			if (v.terminal || !game_random_move(g, &v, &rng, joint))
				break;
			if (f->out->shared == VERDICT_OPEN && see_differently(f, w, s, joint))
				f->out->shared = VERDICT_NO;
			game_next(w, s, joint, t);
			for (uint32_t k = 0; k < g->words; k++) {
				f->fell[k] |= s[k] & ~t[k];
				f->rose[k] |= t[k] & ~s[k];
			}
			memcpy(s, t, g->words * sizeof *s);
		}
	}
	worker_free(w);
	mem_free(s);
	mem_free(t);
	mem_free(joint);
}

/* ---- one state, any in which the facts hold ---- */

static void put_state(struct sat_frames *f, const struct mutex_groups *groups)
{
	const struct circuit *c = f->c;
	sat_frames_add(f, 0);
	sat_frames_free_fluents(f, 0);
	sat_frames_free_loops(f, 0);
	for (size_t i = 0; i < groups->facts.n; i++) {
		const struct fact *a = &groups->facts.at[i];
		int before = -SAT_FRAMES_TRUE;
		VEC(int) some = {0};
		if (a->dead)
			continue;
		for (uint32_t k = 0; k < a->n; k++) {
			int x = sat_frames_get(f, 0, 2 * circuit_fluent(c, a->members[k])), s;
			if (a->kind != FACT_GROUP) {
				SAT_FRAMES_CLAUSE(f, a->kind == FACT_ALWAYS ? x : -x);
				continue;
			}
			vec_push(&some, x);
			SAT_FRAMES_CLAUSE(f, -x, -before);
			s = sat_frames_fresh(f);
			SAT_FRAMES_CLAUSE(f, -x, s);
			SAT_FRAMES_CLAUSE(f, -before, s);
			before = s;
		}
		if (a->kind == FACT_GROUP && a->exact)
			sat_frames_clause(f, some.n, some.at);
		vec_free(&some);
	}
}

static int ask(struct sat_frames *f, int assumption)
{
	ccadical_limit(f->sat, "conflicts", CONFLICTS);
	ccadical_assume(f->sat, assumption);
	return ccadical_solve(f->sat);
}

/* A literal that implies: role r has two moves at least. */
static int put_choice(struct finder *k, struct sat_frames *f, uint32_t r)
{
	int one = -SAT_FRAMES_TRUE, two = -SAT_FRAMES_TRUE;
	for (uint32_t m = k->rules->first_move[r]; m < k->rules->first_move[r + 1]; m++) {
		int legal = sat_frames_get(f, 0, k->rules->circuit->legal.at[m]), some = sat_frames_fresh(f),
			more = sat_frames_fresh(f);
		SAT_FRAMES_CLAUSE(f, -some, one, legal);
		SAT_FRAMES_CLAUSE(f, -more, two, legal);
		SAT_FRAMES_CLAUSE(f, -more, two, one);
		one = some;
		two = more;
	}
	return two;
}

static void prove_turns(struct finder *k, const struct mutex_groups *groups)
{
	struct sat_frames f = {0};
	uint32_t roles = k->g->roles;
	sat_frames_begin(&f, k->rules->circuit, NULL);
	sat_frames_limit(&f, k->limit);
	put_state(&f, groups);
	SAT_FRAMES_CLAUSE(&f, -sat_frames_get(&f, 0, k->rules->circuit->terminal));
	int one = -SAT_FRAMES_TRUE, two = -SAT_FRAMES_TRUE;
	for (uint32_t r = 0; r < roles; r++) {
		if (!plays(k->g, r))
			continue;
		int chooses = put_choice(k, &f, r), some = sat_frames_fresh(&f), more = sat_frames_fresh(&f);
		SAT_FRAMES_CLAUSE(&f, -some, one, chooses);
		SAT_FRAMES_CLAUSE(&f, -more, two, chooses);
		SAT_FRAMES_CLAUSE(&f, -more, two, one);
		one = some;
		two = more;
	}
	if (ask(&f, two) == 20)
		k->out->simultaneous = VERDICT_NO;
	sat_frames_free(&f);
}

/* ---- one step ---- */

/* Every role does exactly one of its legal moves in this frame. */
static void put_moves(struct finder *k, struct sat_frames *f, uint32_t frame)
{
	const struct circuit *c = k->rules->circuit;
	sat_frames_free_moves(f, frame);
	for (uint32_t r = 0; r < k->g->roles; r++) {
		VEC(int) some = {0};
		int before = -SAT_FRAMES_TRUE;
		for (uint32_t m = k->rules->first_move[r]; m < k->rules->first_move[r + 1]; m++) {
			int x = sat_frames_get(f, frame, 2 * circuit_move(c, m)), s = sat_frames_fresh(f);
			SAT_FRAMES_CLAUSE(f, -x, sat_frames_get(f, frame, c->legal.at[m]));
			SAT_FRAMES_CLAUSE(f, -x, -before);
			SAT_FRAMES_CLAUSE(f, -x, s);
			SAT_FRAMES_CLAUSE(f, -before, s);
			before = s;
			vec_push(&some, x);
		}
		sat_frames_clause(f, some.n, some.at);
		vec_free(&some);
	}
}

/* ---- the sum of the goals ---- */

/* An end with goals that sum to something else, the goals of roles before r being `with`: asked one combination at a
 * time. */
static bool other_sum(struct finder *k, struct sat_frames *f, uint32_t r, int sum, const int *with, uint32_t n,
                      uint32_t *left)
{
	const struct rules_view *v = k->rules;
	if (r == k->g->roles) {
		if (sum == k->sum)
			return false;
		if (!*left || limit_reached(k->limit))
			return true;
		--*left;
		int all = sat_frames_fresh(f);
		for (uint32_t i = 0; i < n; i++)
			SAT_FRAMES_CLAUSE(f, -all, with[i]);
		return ask(f, all) != 20;
	}
	if (!plays(k->g, r))
		return other_sum(k, f, r + 1, sum, with, n, left);
	for (uint32_t i = v->first_goal[r]; i < v->first_goal[r + 1]; i++) {
		int more[64], goal = sat_frames_get(f, 1, v->circuit->goals.at[i]);
		if (n == 64 || v->goal_value[i] == GOAL_NONE)
			return true;
		if (n)
			memcpy(more, with, n * sizeof *more);
		more[n] = goal;
		if (other_sum(k, f, r + 1, sum + v->goal_value[i], more, n + 1, left))
			return true;
	}
	return false;
}

/* An end at which some role has no goal. */
static bool goal_missing(struct finder *k, struct sat_frames *f)
{
	for (uint32_t r = 0; r < k->g->roles; r++) {
		int none = sat_frames_fresh(f);
		for (uint32_t i = k->rules->first_goal[r]; i < k->rules->first_goal[r + 1]; i++)
			SAT_FRAMES_CLAUSE(f, -none, -sat_frames_get(f, 1, k->rules->circuit->goals.at[i]));
		if (plays(k->g, r) && ask(f, none) != 20)
			return true;
	}
	return false;
}

/* Ends are looked at together with the step before: there the game was not over yet. An end at the start was walked to.
 */
static void prove_sum(struct finder *k, const struct mutex_groups *groups)
{
	struct sat_frames f = {0};
	uint32_t left = COMBINATIONS;
	sat_frames_begin(&f, k->rules->circuit, NULL);
	sat_frames_limit(&f, k->limit);
	put_state(&f, groups);
	put_moves(k, &f, 0);
	sat_frames_add(&f, 0);
	sat_frames_free_loops(&f, 1);
	SAT_FRAMES_CLAUSE(&f, -sat_frames_get(&f, 0, k->rules->circuit->terminal));
	SAT_FRAMES_CLAUSE(&f, sat_frames_get(&f, 1, k->rules->circuit->terminal));
	if (!goal_missing(k, &f) && !other_sum(k, &f, 0, 0, NULL, 0, &left)) {
		k->out->constant_sum = VERDICT_YES;
		k->out->sum = k->sum;
	}
	sat_frames_free(&f);
}

/* ---- the number of steps ---- */

/* The number of steps after which the game is over whatever is done, by fluents that nobody influences. */
static void ends_by_clock(struct finder *k)
{
	const struct circuit *c = k->rules->circuit;
	struct sat_frames f = {0};
	bool over = false;
	sat_frames_begin(&f, c, NULL);
	sat_frames_limit(&f, k->limit);
	for (uint32_t t = 0; t <= CLOCK_STEPS && !over && f.literals < 4 * (uint64_t)LARGEST && !limit_reached(k->limit);
	     t++) {
		sat_frames_add(&f, t ? t - 1 : 0);
		for (uint32_t x = 0; !t && x < c->fluents; x++)
			sat_frames_set(&f, 0, circuit_fluent(c, x),
			               bits_has(k->g->initial, x) ? SAT_FRAMES_TRUE : -SAT_FRAMES_TRUE);
		sat_frames_free_moves(&f, t);
		sat_frames_free_loops(&f, t);
		over = sat_frames_get(&f, t, c->terminal) == SAT_FRAMES_TRUE;
		if (over) {
			k->out->finite = VERDICT_YES;
			k->out->horizon = t;
		}
	}
	sat_frames_free(&f);
}

/* The first steps written out: is there one that no play gets beyond? */
static void ends_soon(struct finder *k)
{
	const struct circuit *c = k->rules->circuit;
	struct sat_frames f = {0};
	int answer = 10;
	sat_frames_begin(&f, c, NULL);
	sat_frames_limit(&f, k->limit);
	for (uint32_t t = 0;
	     t <= FEW_STEPS && answer == 10 && f.literals < 4 * (uint64_t)LARGEST && !limit_reached(k->limit); t++) {
		sat_frames_add(&f, t ? t - 1 : 0);
		for (uint32_t x = 0; !t && x < c->fluents; x++)
			sat_frames_set(&f, 0, circuit_fluent(c, x),
			               bits_has(k->g->initial, x) ? SAT_FRAMES_TRUE : -SAT_FRAMES_TRUE);
		sat_frames_free_loops(&f, t);
		int goes_on = -sat_frames_get(&f, t, c->terminal);
		answer = ask(&f, goes_on);
		if (answer == 20) {
			k->out->finite = VERDICT_YES;
			k->out->horizon = t;
		}
		SAT_FRAMES_CLAUSE(&f, goes_on);
		put_moves(k, &f, t);
	}
	sat_frames_free(&f);
}

struct measure {
	struct sat_frames f;
	bool *counts;    /* fluents of the measure */
	int *steps_back; /* by fluent: it has changed against its direction */
	int *steps_on;   /* in its direction */
};

/* Takes out of the measure what one step can refute. False: not known. */
static bool sieve(struct finder *k, struct measure *m)
{
	const struct circuit *c = k->rules->circuit;
	for (bool again = true; again;) {
		VEC(int) some = {0};
		int back = sat_frames_fresh(&m->f);
		vec_push(&some, -back);
		for (uint32_t x = 0; x < c->fluents; x++)
			if (m->counts[x])
				vec_push(&some, m->steps_back[x]);
		sat_frames_clause(&m->f, some.n, some.at);
		vec_free(&some);
		int answer = ask(&m->f, back);
		if (answer == 0)
			return false;
		again = answer == 10;
		for (uint32_t x = 0; x < c->fluents && again; x++)
			if (m->counts[x] && ccadical_val(m->f.sat, m->steps_back[x]) > 0)
				m->counts[x] = false;
	}
	return true;
}

static int both(struct sat_frames *f, int a, int b)
{
	int x = sat_frames_fresh(f);
	SAT_FRAMES_CLAUSE(f, -x, a);
	SAT_FRAMES_CLAUSE(f, -x, b);
	SAT_FRAMES_CLAUSE(f, x, -a, -b);
	return x;
}

enum { LOST = 1, GAINED = 2 };

/* By fluents that are lost one after another, that are gained, or both. */
static void prove_horizon(struct finder *k, const struct mutex_groups *groups, int by)
{
	const struct circuit *c = k->rules->circuit;
	struct measure m = {.counts = NEW_ARRAY(bool, c->fluents + 1),
	                    .steps_back = NEW_ARRAY(int, c->fluents + 1),
	                    .steps_on = NEW_ARRAY(int, c->fluents + 1)};
	uint32_t most = 0;
	sat_frames_begin(&m.f, c, NULL);
	sat_frames_limit(&m.f, k->limit);
	put_state(&m.f, groups);
	put_moves(k, &m.f, 0);
	SAT_FRAMES_CLAUSE(&m.f, -sat_frames_get(&m.f, 0, c->terminal));
	for (uint32_t x = 0; x < c->fluents; x++) {
		bool lost = bits_has(k->fell, x), gained = bits_has(k->rose, x);
		m.counts[x] = lost != gained && (by & (lost ? LOST : GAINED));
		if (!m.counts[x])
			continue;
		int is = sat_frames_get(&m.f, 0, 2 * circuit_fluent(c, x)), next = sat_frames_get(&m.f, 0, c->next.at[x]);
		m.steps_back[x] = both(&m.f, lost ? -is : is, lost ? next : -next);
		m.steps_on[x] = both(&m.f, lost ? is : -is, lost ? -next : next);
	}
	bool ok = sieve(k, &m);
	int still = sat_frames_fresh(&m.f);
	for (uint32_t x = 0; x < c->fluents; x++) {
		most += m.counts[x] && bits_has(k->g->initial, x) == bits_has(k->fell, x);
		if (m.counts[x])
			SAT_FRAMES_CLAUSE(&m.f, -still, -m.steps_on[x]);
	}
	if (ok && ask(&m.f, still) == 20 && (k->out->finite != VERDICT_YES || most < k->out->horizon)) {
		k->out->finite = VERDICT_YES;
		k->out->horizon = most;
	}
	sat_frames_free(&m.f);
	mem_free(m.counts);
	mem_free(m.steps_back);
	mem_free(m.steps_on);
}

/* ---- all ---- */

static void prove(struct finder *k)
{
	const struct circuit *c = k->rules->circuit;
	if (c->inputs.n + c->moves > LARGEST)
		return;
	const struct mutex_groups *groups = mutex_groups_of(k->g, k->limit);
	if (!groups || limit_reached(k->limit))
		return;
	if (k->out->simultaneous == VERDICT_OPEN)
		prove_turns(k, groups);
	if (k->out->constant_sum == VERDICT_OPEN && k->any_end)
		prove_sum(k, groups);
	for (int by = LOST; by <= (LOST | GAINED) && !limit_reached(k->limit); by++)
		prove_horizon(k, groups, by);
	if (k->out->finite != VERDICT_YES)
		ends_soon(k);
	if (k->out->finite != VERDICT_YES)
		ends_by_clock(k);
}

void fragment_find(struct fragment *f, struct game *g, const struct limit *limit)
{
	struct finder k = {.out = f, .g = g, .rules = game_rules_view(g), .limit = limit};
	*f = (struct fragment){.chance = g->random < g->roles, .factors = 1};
	if (!g->hidden)
		f->shared = VERDICT_YES;
	if (game_players(g) < 2)
		f->simultaneous = f->constant_sum = VERDICT_NO;
	if (!k.rules) /* interpreted: a single step may take longer than anybody wants to wait */
		return;
	if (g->hidden)
		f->shared = fragment_all_see_the_same(g) ? VERDICT_YES : VERDICT_OPEN;
	k.fell = NEW_ARRAY(uint64_t, g->words + 1);
	k.rose = NEW_ARRAY(uint64_t, g->words + 1);
	const struct factors *factors = factors_of(g, limit);
	f->factors = factors ? factors->count : 1;
	walk(&k);
	if (k.many_sums)
		f->constant_sum = VERDICT_NO;
	prove(&k);
	mem_free(k.fell);
	mem_free(k.rose);
}
