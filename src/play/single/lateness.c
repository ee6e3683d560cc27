/* What outputs of the circuit depend on, and the largest set of fluents that fits. */
#include "play/single/lateness.h"

#include "base/bits.h"
#include "game/rules_view.h"

#include <string.h>

struct finder {
	const struct game *g;
	const struct circuit *c;
	uint8_t *met; /* by node: in the cone that was asked for */
	uint8_t *in;  /* by fluent: still in the set */
	VEC(uint32_t) stack;
};

static void reach(struct finder *x, lit_t l)
{
	if (l == LIT_NONE || x->met[l / 2])
		return;
	x->met[l / 2] = 1;
	vec_push(&x->stack, l / 2);
}

/* Adds to `met` all that the literal depends on. */
static void cone(struct finder *x, lit_t l)
{
	const struct circuit *c = x->c;
	reach(x, l);
	while (x->stack.n) {
		const struct gate *g = &c->gates.at[vec_pop(&x->stack)];
		if (g->kind == GATE_LOOP)
			for (uint32_t i = c->loops.at[g->n]; i < c->loops.at[g->n + 1]; i++)
				reach(x, c->members.at[i].definition);
		else if (g->kind == GATE_AND || g->kind == GATE_OR)
			for (uint32_t k = 0; k < g->n; k++)
				reach(x, c->inputs.at[g->in + k]);
	}
}

static void forget(struct finder *x)
{
	memset(x->met, 0, x->c->gates.n);
}

/* Does the cone hold a move, or a fluent outside of the set? */
static bool met_others(const struct finder *x)
{
	for (uint32_t m = 0; m < x->c->moves; m++)
		if (x->met[circuit_move(x->c, m)])
			return true;
	for (uint32_t f = 0; f < x->c->fluents; f++)
		if (!x->in[f] && x->met[circuit_fluent(x->c, f)])
			return true;
	return false;
}

static bool met_members(const struct finder *x)
{
	for (uint32_t f = 0; f < x->c->fluents; f++)
		if (x->in[f] && x->met[circuit_fluent(x->c, f)])
			return true;
	return false;
}

/* Those that depend on each other only. */
static void keep_autonomous(struct finder *x)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t f = 0; f < x->c->fluents; f++) {
			if (!x->in[f])
				continue;
			forget(x);
			cone(x, x->c->next.at[f]);
			if (met_others(x)) {
				x->in[f] = 0;
				changed = true;
			}
		}
	}
}

/* Of these, those that no move, percept or goal and no fluent outside asks for. */
static bool keep_unasked(struct finder *x)
{
	const struct circuit *c = x->c;
	bool some = false;
	for (bool changed = true; changed;) {
		changed = some = false;
		forget(x);
		for (size_t i = 0; i < c->legal.n; i++)
			cone(x, c->legal.at[i]);
		for (size_t i = 0; i < c->percepts.n; i++)
			cone(x, c->percepts.at[i]);
		for (size_t i = 0; i < c->goals.n; i++)
			cone(x, c->goals.at[i]);
		for (uint32_t f = 0; f < c->fluents; f++)
			if (!x->in[f])
				cone(x, c->next.at[f]);
		for (uint32_t f = 0; f < c->fluents; f++) {
			if (x->in[f] && x->met[circuit_fluent(c, f)]) {
				x->in[f] = 0;
				changed = true;
			}
			some |= x->in[f];
		}
	}
	return some;
}

/* The end is the clock's or another; where the others that are plain fluents do not
 * hold, the role can only have its least goal. */
static bool ends_badly(struct finder *x, uint32_t role)
{
	const struct circuit *c = x->c;
	const struct rules_view *e = game_rules_view(x->g);
	const struct gate *end = &c->gates.at[c->terminal / 2];
	if (end->kind != GATE_OR || c->terminal & 1)
		return false;
	uint8_t *known = mem_alloc(c->fluents + 1, 1);
	memset(known, OPEN, c->fluents + 1);
	bool good = true;
	for (uint32_t k = 0; k < end->n; k++) {
		lit_t l = c->inputs.at[end->in + k];
		forget(x);
		cone(x, l);
		if (met_members(x))
			good &= !met_others(x);
		else if (c->gates.at[l / 2].kind == GATE_FLUENT)
			known[l / 2 - circuit_fluent(c, 0)] = l & 1 ? YES : NO;
	}
	struct circuit rest;
	circuit_specialise(&rest, c, known, NULL);
	const uint32_t *start = e->first_goal;
	int least = 100;
	for (uint32_t i = start[role]; i < start[role + 1]; i++)
		least = e->goal_value[i] < least ? e->goal_value[i] : least;
	for (uint32_t i = start[role]; i < start[role + 1]; i++)
		good &= rest.goals.at[i] == LIT_FALSE || e->goal_value[i] == least;
	circuit_free(&rest);
	mem_free(known);
	return good;
}

bool lateness_find(const struct game *g, uint32_t role, uint64_t *mask)
{
	if (!game_rules_view(g))
		return false;
	struct finder x = {.g = g, .c = game_rules_view(g)->circuit};
	x.met = mem_zalloc(x.c->gates.n + 1, 1);
	x.in = mem_alloc(x.c->fluents + 1, 1);
	memset(x.in, 1, x.c->fluents + 1);
	keep_autonomous(&x);
	bool found = keep_unasked(&x) && ends_badly(&x, role);
	for (uint32_t f = 0; f < x.c->fluents && found; f++)
		if (x.in[f])
			bits_add(mask, f);
	mem_free(x.met);
	mem_free(x.in);
	vec_free(&x.stack);
	return found;
}
