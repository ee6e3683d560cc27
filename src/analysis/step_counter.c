#include "analysis/step_counter.h"

#include "base/bits.h"
#include "game/rules_view.h"
#include "circuit/unroll_loops.h"

#include <string.h>

#define STEPS_MOST 2000
#define GATES_MOST 4000000

struct find {
	struct step_counter *p;
	struct game *g;
	struct circuit c;
	uint8_t *in;    /* by fluent: counts rounds, as far as is known */
	uint64_t *own;  /* fluents that depend on one another only: `in`, and what it may follow */
	uint8_t *mark;  /* by node */
	uint8_t *other; /* by node: asks a move, or a fluent that is not `in` */
	VEC(lit_t) ends; /* by the clock alone */
	const struct limit *limit;
};

static bool is_gate(const struct gate *g)
{
	return g->kind == GATE_AND || g->kind == GATE_OR;
}

/* Marks nodes whose cone has a marked leaf. */
static void spread_up(const struct circuit *c, uint8_t *mark)
{
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		mark[i] = 0;
		for (uint32_t k = 0; k < g->n && is_gate(g) && !mark[i]; k++)
			mark[i] = mark[c->inputs.at[g->in + k] / 2];
	}
}

static void mark_others(struct find *x)
{
	const struct circuit *c = &x->c;
	x->other[0] = 0;
	for (uint32_t f = 0; f < c->fluents; f++)
		x->other[circuit_fluent(c, f)] = !x->in[f];
	for (uint32_t m = 0; m < c->moves; m++)
		x->other[circuit_move(c, m)] = 1;
	spread_up(c, x->other);
}

/* Fluents that depend on one another only; false: not found in time. */
static bool keep_autonomous(struct find *x)
{
	bool changed = true;
	while (changed) {
		if (limit_reached(x->limit))
			return false;
		changed = false;
		mark_others(x);
		for (uint32_t f = 0; f < x->c.fluents; f++)
			if (x->in[f] && x->other[x->c.next.at[f] / 2]) {
				x->in[f] = 0;
				changed = true;
			}
	}
	for (uint32_t f = 0; f < x->c.fluents; f++)
		if (x->in[f])
			bits_add(x->own, f);
	return true;
}

/* Not those that legal moves or the other fluents ask for. */
static bool keep_idle(struct find *x, const uint8_t *observable)
{
	const struct circuit *c = &x->c;
	bool changed = true;
	while (changed) {
		if (limit_reached(x->limit))
			return false;
		changed = false;
		memset(x->mark, 0, c->gates.n);
		for (uint32_t m = 0; m < c->moves; m++)
			x->mark[c->legal.at[m] / 2] = 1;
		for (uint32_t f = 0; f < c->fluents; f++)
			if (!x->in[f] && observable[f])
				x->mark[c->next.at[f] / 2] = 1;
		for (uint32_t i = (uint32_t)c->gates.n; i-- > 1 + c->fluents + c->moves;)
			for (uint32_t k = 0; k < c->gates.at[i].n && x->mark[i] && is_gate(&c->gates.at[i]); k++)
				x->mark[c->inputs.at[c->gates.at[i].in + k] / 2] = 1;
		for (uint32_t f = 0; f < c->fluents; f++)
			if (x->in[f] && (x->mark[circuit_fluent(c, f)] || !observable[f])) {
				x->in[f] = 0;
				changed = true;
			}
	}
	return true;
}

/* The end must be "the clock says so, or the rest says so". */
static bool split_end(struct find *x)
{
	const struct circuit *c = &x->c;
	VEC(lit_t) stack = {0};
	bool ok = true;
	mark_others(x);
	memset(x->mark, 0, c->gates.n);
	for (uint32_t f = 0; f < c->fluents; f++)
		x->mark[circuit_fluent(c, f)] = x->in[f];
	spread_up(c, x->mark);
	vec_push(&stack, c->terminal);
	while (stack.n && ok) {
		lit_t l = vec_pop(&stack);
		const struct gate *g = &c->gates.at[l / 2];
		if (!x->mark[l / 2])
			continue;
		if (g->kind == (l & 1 ? GATE_AND : GATE_OR))
			for (uint32_t k = 0; k < g->n; k++)
				vec_push(&stack, c->inputs.at[g->in + k] ^ (l & 1));
		else if (!x->other[l / 2])
			vec_push(&x->ends, l);
		else
			ok = false;
	}
	vec_free(&stack);
	for (uint32_t i = 0; i < c->goals.n; i++)
		x->p->goals |= x->mark[c->goals.at[i] / 2];
	return ok;
}

/* Does the clock end the game in this state of it? */
static bool ends_at(struct find *x, const uint64_t *state)
{
	const struct circuit *c = &x->c;
	memset(x->mark, 0, c->gates.n);
	for (uint32_t f = 0; f < c->fluents; f++)
		x->mark[circuit_fluent(c, f)] = bits_has(state, f);
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		bool all = g->kind == GATE_AND, v = all;
		for (uint32_t k = 0; k < g->n && is_gate(g) && v == all; k++)
			v = x->mark[c->inputs.at[g->in + k] / 2] != (c->inputs.at[g->in + k] & 1);
		x->mark[i] = v;
	}
	for (size_t i = 0; i < x->ends.n; i++)
		if (x->mark[x->ends.at[i] / 2] != (x->ends.at[i] & 1))
			return true;
	return false;
}

/* Its way from the initial state on, until it stands still or ends the game; false: it
 * does neither, as far as was seen. */
static bool follow(struct find *x)
{
	struct step_counter *p = x->p;
	struct worker *w = worker_new(x->g);
	uint64_t *s = mem_alloc(2 * p->words + 1, 8), *before = s + p->words;
	uint32_t move = x->g->first_move[0];
	VEC(uint64_t) way = {0};
	bool still = false;
	memcpy(s, x->g->initial, p->words * 8);
	for (uint32_t t = 0; t < STEPS_MOST && !still && p->horizon == STEP_COUNTER_NEVER && !limit_reached(x->limit); t++) {
		memcpy(before, s, p->words * 8);
		if (t)
			game_next(w, s, &move, s); /* whatever is played */
		still = t;
		for (uint32_t k = 0; k < p->words; k++)
			still &= !((s[k] ^ before[k]) & x->own[k]);
		vec_extend(&way, p->words);
		uint64_t *now = way.at + way.n - p->words;
		for (uint32_t k = 0; k < p->words; k++)
			now[k] = s[k] & p->mask[k];
		if (!still && ends_at(x, s))
			p->horizon = t;
	}
	p->at = way.at;
	p->steps = (uint32_t)(way.n / p->words);
	worker_free(w);
	mem_free(s);
	return still || p->horizon != STEP_COUNTER_NEVER;
}

/* An input of a gate, as far as it is known: NO, YES, OPEN. */
static uint8_t value_of(const struct find *x, lit_t l)
{
	uint8_t v = x->mark[l / 2];
	return v == OPEN ? OPEN : (l & 1) != v;
}

/* What the state of the clock alone says of every node. */
static void evaluate(struct find *x, const uint64_t *clock)
{
	const struct circuit *c = &x->c;
	memset(x->mark, OPEN, c->gates.n);
	x->mark[0] = NO;
	for (uint32_t f = 0; f < c->fluents; f++)
		if (x->in[f])
			x->mark[circuit_fluent(c, f)] = bits_has(clock, f) ? YES : NO;
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		uint8_t decides = g->kind == GATE_AND ? NO : YES, v = !decides;
		for (uint32_t k = 0; k < g->n && is_gate(g) && v != decides; k++) {
			uint8_t y = value_of(x, c->inputs.at[g->in + k]);
			v = y == decides || y == OPEN ? y : v;
		}
		x->mark[i] = v;
	}
}

/* Backwards, so that each step has the best of those after it too. */
static bool bound_goals(struct find *x)
{
	struct step_counter *p = x->p;
	int best = GOAL_NONE;
	p->top = NEW_ARRAY(int, p->steps + 1);
	for (uint32_t t = p->steps; t-- > 0;) {
		if (limit_reached(x->limit))
			return false;
		evaluate(x, step_counter_at(p, t));
		for (uint32_t i = 0; i < x->c.goals.n && value_of(x, x->c.terminal) != NO; i++)
			if (value_of(x, x->c.goals.at[i]) != NO && game_rules_view(x->g)->goal_value[i] > best)
				best = game_rules_view(x->g)->goal_value[i];
		p->top[t] = best;
	}
	return true;
}

bool step_counter_find(struct step_counter *p, struct game *g, const struct limit *limit)
{
	struct find x = {.p = p, .g = g, .limit = limit};
	*p = (struct step_counter){.words = g->words, .horizon = STEP_COUNTER_NEVER};
	if (!unroll_loops(&x.c, game_rules_view(g)->circuit, GATES_MOST, limit))
		return false;
	uint8_t *observable = mem_zalloc(g->fluents + 1, 1);
	circuit_observable(game_rules_view(g)->circuit, observable);
	x.in = mem_alloc(g->fluents + 1, 1);
	memset(x.in, 1, g->fluents + 1);
	x.mark = mem_zalloc(x.c.gates.n + 1, 1);
	x.other = mem_zalloc(x.c.gates.n + 1, 1);
	x.own = NEW_ARRAY(uint64_t, g->words + 1);
	p->mask = NEW_ARRAY(uint64_t, g->words + 1);
	bool some = false, found = keep_autonomous(&x) && keep_idle(&x, observable);
	for (uint32_t f = 0; f < g->fluents && found; f++)
		if (x.in[f]) {
			bits_add(p->mask, f);
			some = true;
		}
	some = some && split_end(&x) && follow(&x) && (!p->goals || bound_goals(&x));
	if (!some)
		step_counter_free(p);
	mem_free(observable);
	mem_free(x.in);
	mem_free(x.own);
	mem_free(x.mark);
	mem_free(x.other);
	vec_free(&x.ends);
	circuit_free(&x.c);
	return some;
}

void step_counter_free(struct step_counter *p)
{
	mem_free(p->mask);
	mem_free(p->at);
	mem_free(p->top);
	*p = (struct step_counter){0};
}
