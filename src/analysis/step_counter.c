/* The largest set of fluents that fits the description of step_counter.h: what depends on
 * anything else is taken out, then what is asked for by anybody else. What is left is
 * followed from the initial state on, which takes one walk, since nothing that is played
 * makes a difference. */
#include "analysis/step_counter.h"

#include "analysis/facts.h"
#include "base/bits.h"
#include "circuit/cone.h"
#include "circuit/unroll_loops.h"
#include "game/rules_view.h"

#include <string.h>

#define STEPS_MOST 2000
#define GATES_MOST 4000000

struct find {
	struct step_counter *p;
	struct game *g;
	const struct rules_view *rules;
	const struct circuit *c; /* `flat`, or the game's where that would be too large */
	struct circuit flat;     /* without fixpoint blocks */
	uint8_t *in;             /* by fluent: counts steps, as far as is known */
	uint8_t *mark;           /* by node: scratch */
	struct cone cone;        /* scratch */
	VEC(lit_t) ends;         /* by the counter alone */
	const struct limit *limit;
};

static void begin(struct find *x, const struct circuit *c)
{
	x->c = c;
	x->in = mem_alloc(c->fluents + 1, 1);
	memset(x->in, 1, c->fluents + 1);
	x->mark = NEW_ARRAY(uint8_t, c->gates.n + 1);
	cone_begin(&x->cone, c);
}

static void end(struct find *x)
{
	mem_free(x->in);
	mem_free(x->mark);
	cone_free(&x->cone);
	vec_free(&x->ends);
}

/* ---- which fluents ------------------------------------------------------------------- */

/* Marks the nodes that depend on a move, or on a fluent outside of the set. */
static void mark_others(struct find *x)
{
	for (uint32_t f = 0; f < x->c->fluents; f++)
		x->mark[circuit_fluent(x->c, f)] = !x->in[f];
	memset(x->mark + circuit_move(x->c, 0), 1, x->c->moves);
	circuit_dependents(x->c, x->mark);
}

static void mark_members(struct find *x)
{
	memcpy(x->mark + circuit_fluent(x->c, 0), x->in, x->c->fluents);
	memset(x->mark + circuit_move(x->c, 0), 0, x->c->moves);
	circuit_dependents(x->c, x->mark);
}

/* Those that depend on one another only; false: not found in time. */
static bool keep_autonomous(struct find *x)
{
	for (bool changed = true; changed;) {
		if (limit_reached(x->limit))
			return false;
		changed = false;
		mark_others(x);
		for (uint32_t f = 0; f < x->c->fluents; f++)
			if (x->in[f] && x->mark[x->c->next.at[f] / 2]) {
				x->in[f] = 0;
				changed = true;
			}
	}
	return true;
}

/* Keeps the fluents in x->in that neither the roots in x->cone nor the fluents outside depend on; `counts`, by
 * fluent: which of the fluents outside count (NULL: all). */
static void keep_unasked(struct find *x, const uint8_t *counts)
{
	const struct circuit *c = x->c;
	for (uint32_t f = 0; f < c->fluents; f++)
		if (!x->in[f] && (!counts || counts[f]))
			cone_add(&x->cone, c->next.at[f]);
	for (size_t i = 0; i < x->cone.nodes.n; i++) { /* grows as we go */
		uint32_t node = x->cone.nodes.at[i], f = node - circuit_fluent(c, 0);
		if (c->gates.at[node].kind != GATE_FLUENT || !x->in[f])
			continue;
		x->in[f] = 0;
		cone_add(&x->cone, c->next.at[f]);
	}
}

static bool put_mask(const struct find *x, uint64_t *mask)
{
	bool some = false;
	for (uint32_t f = 0; f < x->c->fluents; f++)
		if (x->in[f]) {
			bits_add(mask, f);
			some = true;
		}
	return some;
}

/* Fluents that nobody observes need no attention: they distinguish no states anyway. */
static bool keep_observed(struct find *x)
{
	uint8_t *observed = NEW_ARRAY(uint8_t, x->c->fluents + 1);
	bool some = false;
	for (uint32_t i = 0; i < x->rules->live_count; i++)
		observed[x->rules->live[i]] = 1;
	cone_add_all(&x->cone, x->c->legal.at, x->c->legal.n);
	keep_unasked(x, observed);
	for (uint32_t f = 0; f < x->c->fluents; f++)
		some |= x->in[f] &= observed[f];
	mem_free(observed);
	return some;
}

bool step_counter_fluents(const struct game *g, uint64_t *mask)
{
	struct find x = {.rules = game_rules_view(g)};
	if (!x.rules)
		return false;
	begin(&x, x.rules->circuit);
	bool some = keep_autonomous(&x) && keep_observed(&x) && put_mask(&x, mask);
	end(&x);
	return some;
}

/* ---- its end, and its way there -------------------------------------------------------- */

/* The end must be "the counter says so, or the rest says so". */
static bool split_end(struct find *x)
{
	const struct circuit *c = x->c;
	uint8_t *other = NEW_ARRAY(uint8_t, c->gates.n + 1);
	VEC(lit_t) stack = {0};
	bool ok = true;
	mark_others(x);
	memcpy(other, x->mark, c->gates.n);
	mark_members(x);
	vec_push(&stack, c->terminal);
	while (stack.n && ok) {
		lit_t l = vec_pop(&stack);
		const struct gate *g = &c->gates.at[l / 2];
		if (!x->mark[l / 2])
			continue;
		if (g->kind == (l & 1 ? GATE_AND : GATE_OR))
			for (uint32_t k = 0; k < g->n; k++)
				vec_push(&stack, c->inputs.at[g->in + k] ^ (l & 1));
		else if (!other[l / 2])
			vec_push(&x->ends, l);
		else
			ok = false;
	}
	for (uint32_t i = 0; i < c->goals.n; i++)
		x->p->goals |= x->mark[c->goals.at[i] / 2];
	vec_free(&stack);
	mem_free(other);
	return ok;
}

/* A literal, as far as it is known: NO, YES, OPEN. */
static uint8_t value_of(const struct find *x, lit_t l)
{
	uint8_t v = x->mark[l / 2];
	return v == OPEN ? OPEN : (l & 1) != v;
}

static uint8_t gate_value(const struct find *x, const struct gate *g)
{
	uint8_t decides = g->kind == GATE_AND ? NO : YES, v = !decides;
	for (uint32_t k = 0; k < g->n && v != decides; k++) {
		uint8_t y = value_of(x, x->c->inputs.at[g->in + k]);
		v = y == decides || y == OPEN ? y : v;
	}
	return v;
}

/* What the counter alone says of the nodes of the cone, which are ascending. */
static void evaluate(struct find *x, const uint64_t *counter)
{
	const struct circuit *c = x->c;
	for (size_t i = 0; i < x->cone.nodes.n; i++) {
		uint32_t node = x->cone.nodes.at[i], f = node - circuit_fluent(c, 0);
		const struct gate *g = &c->gates.at[node];
		if (g->kind == GATE_AND || g->kind == GATE_OR)
			x->mark[node] = gate_value(x, g);
		else if (g->kind == GATE_FLUENT && x->in[f])
			x->mark[node] = bits_has(counter, f) ? YES : NO;
		else
			x->mark[node] = g->kind == GATE_FALSE ? NO : OPEN;
	}
}

static void prepare_to_evaluate(struct find *x, const lit_t *l, size_t n)
{
	cone_clear(&x->cone);
	cone_add_all(&x->cone, l, n);
	sort_numbers(x->cone.nodes.at, x->cone.nodes.n);
}

/* Does the counter end the game at this step of it? OPEN: through recursion that was not written out. */
static uint8_t ends_at(struct find *x, const uint64_t *counter)
{
	uint8_t answer = NO;
	evaluate(x, counter);
	for (size_t i = 0; i < x->ends.n && answer != YES; i++) {
		uint8_t v = value_of(x, x->ends.at[i]);
		answer = v == NO ? answer : v;
	}
	return answer;
}

static bool same_masked(const uint64_t *a, const uint64_t *b, const uint64_t *mask, uint32_t words)
{
	uint64_t differ = 0;
	for (uint32_t k = 0; k < words; k++)
		differ |= (a[k] ^ b[k]) & mask[k];
	return !differ;
}

typedef VEC(uint64_t) state_list;

static uint64_t *put_masked(state_list *list, const uint64_t *s, const uint64_t *mask, uint32_t words)
{
	vec_extend(list, words);
	uint64_t *to = list->at + list->n - words;
	for (uint32_t k = 0; k < words; k++)
		to[k] = s[k] & mask[k];
	return to;
}

/* Its way from the initial state on, until it stands still or ends the game; false: it
 * does neither, as far as was seen. */
static bool follow(struct find *x)
{
	struct step_counter *p = x->p;
	struct worker *w = worker_new(x->g);
	uint64_t *s = NEW_ARRAY(uint64_t, 2 * (size_t)p->words + 1), *before = s + p->words;
	uint32_t move = x->g->first_move[0];
	state_list way = {0}, own = {0};
	bool still = false, known = true;
	prepare_to_evaluate(x, x->ends.at, x->ends.n);
	memcpy(s, x->g->initial, p->words * sizeof *s);
	for (uint32_t t = 0;
	     t < STEPS_MOST && !still && known && p->horizon == STEP_COUNTER_NEVER && !limit_reached(x->limit); t++) {
		memcpy(before, s, p->words * sizeof *s);
		if (t)
			game_next(w, s, &move, s); /* whatever is played */
		still = t && same_masked(s, before, p->own, p->words);
		put_masked(&own, s, p->own, p->words);
		uint8_t ends = ends_at(x, put_masked(&way, s, p->mask, p->words));
		known = ends != OPEN;
		if (!still && ends == YES)
			p->horizon = t;
	}
	p->at = way.at;
	p->own_at = own.at;
	p->steps = (uint32_t)(way.n / p->words);
	worker_free(w);
	mem_free(s);
	return known && (still || p->horizon != STEP_COUNTER_NEVER);
}

/* Backwards, so that each step has the best of those after it too. */
static bool bound_goals(struct find *x)
{
	struct step_counter *p = x->p;
	int best = GOAL_NONE;
	p->top = NEW_ARRAY(int, p->steps + 1);
	prepare_to_evaluate(x, x->c->goals.at, x->c->goals.n);
	cone_add(&x->cone, x->c->terminal);
	sort_numbers(x->cone.nodes.at, x->cone.nodes.n);
	for (uint32_t t = p->steps; t-- > 0;) {
		if (limit_reached(x->limit))
			return false;
		evaluate(x, step_counter_at(p, t));
		for (uint32_t i = 0; i < x->c->goals.n && value_of(x, x->c->terminal) != NO; i++)
			if (value_of(x, x->c->goals.at[i]) != NO && x->rules->goal_value[i] > best)
				best = x->rules->goal_value[i];
		p->top[t] = best;
	}
	return true;
}

bool step_counter_find(struct step_counter *p, struct game *g, const struct limit *limit)
{
	struct find x = {.p = p, .g = g, .rules = game_rules_view(g), .limit = limit};
	*p = (struct step_counter){.words = g->words, .horizon = STEP_COUNTER_NEVER};
	bool flat = unroll_loops(&x.flat, x.rules->circuit, GATES_MOST, limit);
	begin(&x, flat ? &x.flat : x.rules->circuit);
	p->mask = NEW_ARRAY(uint64_t, g->words + 1);
	p->own = NEW_ARRAY(uint64_t, g->words + 1);
	bool some = keep_autonomous(&x) && put_mask(&x, p->own) && keep_observed(&x) && put_mask(&x, p->mask) &&
	            split_end(&x) && follow(&x) && (!p->goals || bound_goals(&x));
	end(&x);
	if (flat)
		circuit_free(&x.flat);
	if (!some)
		step_counter_free(p);
	return some;
}

void step_counter_free(struct step_counter *p)
{
	mem_free(p->mask);
	mem_free(p->at);
	mem_free(p->own);
	mem_free(p->own_at);
	mem_free(p->top);
	*p = (struct step_counter){0};
}

static void *find_kept(struct game *g, const struct limit *limit)
{
	struct step_counter *p = NEW(struct step_counter);
	if (step_counter_find(p, g, limit) || !limit_reached(limit))
		return p; /* empty: there is none */
	mem_free(p);
	return NULL;
}

static void free_kept(void *fact)
{
	step_counter_free(fact);
	mem_free(fact);
}

const struct step_counter *step_counter_of(struct game *g, const struct limit *limit)
{
	static const struct facts_kind kind = {find_kept, free_kept};
	const struct step_counter *p = facts_get(g, &kind, limit);
	return p && p->mask ? p : NULL;
}

uint32_t step_counter_step(const struct step_counter *p, const uint64_t *state)
{
	for (uint32_t t = 0; t < p->steps; t++)
		if (same_masked(p->own_at + (size_t)t * p->words, state, p->own, p->words))
			return t;
	return STEP_COUNTER_NEVER;
}

/* ---- later is no better ------------------------------------------------------------------ */

/* Fluents that must be false (true), or the game would have ended without the counter. False: an
 * end asks for the counter and for something else. */
static bool plain_ends(struct find *x, const struct gate *end, uint8_t *known)
{
	const struct circuit *c = x->c;
	uint8_t *other = NEW_ARRAY(uint8_t, c->gates.n + 1);
	bool ok = true;
	mark_others(x);
	memcpy(other, x->mark, c->gates.n);
	mark_members(x);
	for (uint32_t k = 0; k < end->n; k++) {
		lit_t l = c->inputs.at[end->in + k];
		if (x->mark[l / 2])
			ok &= !other[l / 2];
		else if (c->gates.at[l / 2].kind == GATE_FLUENT)
			known[l / 2 - circuit_fluent(c, 0)] = l & 1 ? YES : NO;
	}
	mem_free(other);
	return ok;
}

/* Of the goals of a role, is only the least one left? */
static bool least_goal_only(const struct rules_view *rules, const struct circuit *rest, uint32_t role)
{
	int least = 100;
	bool only = true;
	for (uint32_t i = rules->first_goal[role]; i < rules->first_goal[role + 1]; i++)
		least = rules->goal_value[i] < least ? rules->goal_value[i] : least;
	for (uint32_t i = rules->first_goal[role]; i < rules->first_goal[role + 1]; i++)
		only &= rest->goals.at[i] == LIT_FALSE || rules->goal_value[i] == least;
	return only;
}

/* The end is the counter's or another; where the others that are plain fluents do not
 * hold, the role can only have its least goal. */
static bool ends_badly(struct find *x, uint32_t role)
{
	const struct circuit *c = x->c;
	const struct gate *end = &c->gates.at[c->terminal / 2];
	if (end->kind != GATE_OR || c->terminal & 1)
		return false;
	uint8_t *known = mem_alloc(c->fluents + 1, 1);
	struct circuit rest;
	memset(known, OPEN, c->fluents + 1);
	bool plain = plain_ends(x, end, known);
	circuit_specialise(&rest, c, known, NULL);
	bool badly = plain && least_goal_only(x->rules, &rest, role);
	circuit_free(&rest);
	mem_free(known);
	return badly;
}

bool step_counter_late(const struct game *g, uint32_t role, uint64_t *mask)
{
	struct find x = {.rules = game_rules_view(g)};
	if (!x.rules)
		return false;
	begin(&x, x.rules->circuit);
	bool found = keep_autonomous(&x);
	cone_add_all(&x.cone, x.c->legal.at, x.c->legal.n);
	cone_add_all(&x.cone, x.c->percepts.at, x.c->percepts.n);
	cone_add_all(&x.cone, x.c->goals.at, x.c->goals.n);
	keep_unasked(&x, NULL);
	uint64_t *members = NEW_ARRAY(uint64_t, g->words + 1);
	found = found && put_mask(&x, members) && ends_badly(&x, role);
	for (uint32_t k = 0; k < g->words && found; k++)
		mask[k] |= members[k];
	mem_free(members);
	end(&x);
	return found;
}
