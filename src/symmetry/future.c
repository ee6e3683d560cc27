/* A state and all that can follow it, as one state in which fluents may be open.
 *
 * All gates are evaluated in the state without moves. Then values open and never close again: a move that may be legal,
 * a fluent that may have another value after a round, a gate of which an input has opened and no other input decides
 * it. Each node opens once, so the work is linear in the circuit. Recursive atoms count as open. */
#include "symmetry/future.h"

#include "base/bits.h"

#include <string.h>

/* What rests on a node: gates, fluents by their next value, moves by their legality. An entry is a node number times
 * two, plus one where the input is negated. */
static void each_use(const struct circuit *c, void (*f)(void *, uint32_t, uint32_t), void *context)
{
	for (uint32_t i = 0; i < c->gates.n; i++)
		for (uint32_t k = 0; c->gates.at[i].kind == GATE_AND && k < c->gates.at[i].n; k++) {
			lit_t l = c->inputs.at[c->gates.at[i].in + k];
			f(context, l / 2, i * 2 + (l & 1));
		}
	for (uint32_t i = 0; i < c->fluents; i++)
		f(context, c->next.at[i] / 2, circuit_fluent(c, i) * 2);
	for (uint32_t i = 0; i < c->moves; i++)
		f(context, c->legal.at[i] / 2, circuit_move(c, i) * 2);
}

static void count_use(void *context, uint32_t node, uint32_t user)
{
	struct future *f = context;
	(void)user;
	f->first[node + 2]++;
}

static void keep_use(void *context, uint32_t node, uint32_t user)
{
	struct future *f = context;
	f->above[f->first[node + 1]++] = user;
}

void future_begin(struct future *f, const struct circuit *c)
{
	*f = (struct future){.c = c};
	f->first = NEW_ARRAY(uint32_t, c->gates.n + 2);
	f->value = NEW_ARRAY(uint8_t, c->gates.n + 1);
	f->blockers = NEW_ARRAY(uint32_t, c->gates.n + 1);
	each_use(c, count_use, f);
	for (size_t i = 2; i < c->gates.n + 2; i++)
		f->first[i] += f->first[i - 1];
	f->above = NEW_ARRAY(uint32_t, f->first[c->gates.n + 1] + 1);
	each_use(c, keep_use, f);
}

void future_free(struct future *f)
{
	mem_free(f->first);
	mem_free(f->above);
	mem_free(f->value);
	mem_free(f->blockers);
	vec_free(&f->todo);
}

static uint8_t value_of(const struct future *f, lit_t l)
{
	uint8_t v = f->value[l / 2];
	return v == OPEN || !(l & 1) ? v : v == YES ? NO : YES;
}

static void evaluate(struct future *f, uint32_t node)
{
	const struct gate *g = &f->c->gates.at[node];
	bool open = false;
	f->blockers[node] = 0;
	for (uint32_t k = 0; k < g->n; k++) {
		uint8_t v = value_of(f, f->c->inputs.at[g->in + k]);
		f->blockers[node] += v == NO;
		open |= v == OPEN;
	}
	f->value[node] = f->blockers[node] ? NO : open ? OPEN : YES;
}

static void open_node(struct future *f, uint32_t node)
{
	struct opened x = {node, f->value[node]};
	if (x.was == OPEN)
		return;
	f->value[node] = OPEN;
	vec_push(&f->todo, x);
}

static void start(struct future *f, const uint64_t *state)
{
	const struct circuit *c = f->c;
	memset(f->value, NO, c->gates.n);
	for (uint32_t i = 0; i < c->fluents; i++)
		f->value[circuit_fluent(c, i)] = bits_has(state, i) ? YES : NO;
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++)
		if (c->gates.at[i].kind == GATE_LOOP)
			f->value[i] = OPEN;
		else
			evaluate(f, i);
	for (uint32_t i = 0; i < c->fluents; i++)
		if (value_of(f, c->next.at[i]) != f->value[circuit_fluent(c, i)])
			open_node(f, circuit_fluent(c, i));
	for (uint32_t i = 0; i < c->moves; i++)
		if (value_of(f, c->legal.at[i]) != NO)
			open_node(f, circuit_move(c, i));
}

static void pass_on(struct future *f, struct opened x)
{
	for (uint32_t i = f->first[x.node]; i < f->first[x.node + 1]; i++) {
		uint32_t user = f->above[i] / 2, negated = f->above[i] & 1;
		if (f->c->gates.at[user].kind != GATE_AND)
			open_node(f, user);
		else if (f->value[user] == YES ||
		         (f->value[user] == NO && x.was == (negated ? YES : NO) && !--f->blockers[user]))
			open_node(f, user);
	}
}

void future_look(struct future *f, const uint64_t *state, uint8_t *fluents, uint8_t *moves)
{
	start(f, state);
	while (f->todo.n)
		pass_on(f, vec_pop(&f->todo));
	memcpy(fluents, f->value + circuit_fluent(f->c, 0), f->c->fluents);
	memcpy(moves, f->value + circuit_move(f->c, 0), f->c->moves);
}
