/* Cones: a queue of nodes, each opened once. */
#include "circuit/cone.h"

#include <string.h>

void cone_begin(struct cone *x, const struct circuit *c)
{
	*x = (struct cone){.c = c, .in = NEW_ARRAY(uint8_t, c->gates.n + 1)};
}

void cone_free(struct cone *x)
{
	mem_free(x->in);
	vec_free(&x->nodes);
	*x = (struct cone){0};
}

void cone_clear(struct cone *x)
{
	for (size_t i = 0; i < x->nodes.n; i++)
		x->in[x->nodes.at[i]] = 0;
	vec_clear(&x->nodes);
	x->loops = false;
}

static void touch(struct cone *x, lit_t l)
{
	if (x->in[l / 2])
		return;
	x->in[l / 2] = 1;
	vec_push(&x->nodes, l / 2);
}

static void open_node(struct cone *x, const struct gate *g)
{
	const struct circuit *c = x->c;
	if (g->kind == GATE_AND || g->kind == GATE_OR)
		for (uint32_t k = 0; k < g->n; k++)
			touch(x, c->inputs.at[g->in + k]);
	if (g->kind != GATE_LOOP)
		return;
	x->loops = true;
	for (uint32_t k = c->loops.at[g->n]; k < c->loops.at[g->n + 1]; k++) {
		touch(x, c->members.at[k].node * 2);
		touch(x, c->members.at[k].definition);
	}
}

bool cone_add_within(struct cone *x, lit_t l, size_t most)
{
	size_t next = x->nodes.n;
	touch(x, l);
	for (; next < x->nodes.n && x->nodes.n <= most; next++)
		open_node(x, &x->c->gates.at[x->nodes.at[next]]);
	return x->nodes.n <= most;
}

void cone_add(struct cone *x, lit_t l)
{
	cone_add_within(x, l, SIZE_MAX);
}

void cone_add_all(struct cone *x, const lit_t *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cone_add(x, l[i]);
}

void cone_add_outputs(struct cone *x)
{
	const struct circuit *c = x->c;
	cone_add_all(x, c->next.at, c->next.n);
	cone_add_all(x, c->legal.at, c->legal.n);
	cone_add_all(x, c->goals.at, c->goals.n);
	cone_add_all(x, c->percepts.at, c->percepts.n);
	cone_add(x, c->terminal);
}

/* ---- what they are asked for --------------------------------------------------------- */

void circuit_observable(const struct circuit *c, uint8_t *fluent)
{
	struct cone x;
	cone_begin(&x, c);
	cone_add_all(&x, c->legal.at, c->legal.n);
	cone_add_all(&x, c->goals.at, c->goals.n);
	cone_add(&x, c->terminal);
	memset(fluent, 0, c->fluents);
	for (size_t i = 0; i < x.nodes.n; i++) { /* grows as we go */
		uint32_t node = x.nodes.at[i];
		if (c->gates.at[node].kind != GATE_FLUENT)
			continue;
		fluent[node - circuit_fluent(c, 0)] = 1;
		cone_add(&x, c->next.at[node - circuit_fluent(c, 0)]);
	}
	cone_free(&x);
}

size_t circuit_gates(const struct circuit *c)
{
	struct cone x;
	size_t n = 0;
	cone_begin(&x, c);
	cone_add_outputs(&x);
	for (size_t i = 0; i < x.nodes.n; i++) {
		enum gate_kind kind = c->gates.at[x.nodes.at[i]].kind;
		n += kind == GATE_AND || kind == GATE_OR;
	}
	cone_free(&x);
	return n;
}

/* ---- the way back -------------------------------------------------------------------- */

static void mark_gates(const struct circuit *c, uint8_t *mark)
{
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		for (uint32_t k = 0; k < g->n && g->kind != GATE_LOOP && !mark[i]; k++)
			mark[i] = mark[c->inputs.at[g->in + k] / 2];
	}
}

/* Through the fixpoint blocks; true: another member was marked. */
static bool mark_members(const struct circuit *c, uint8_t *mark)
{
	bool more = false;
	for (size_t k = 0; k < c->members.n; k++) {
		struct loop_member m = c->members.at[k];
		more |= mark[m.definition / 2] && !mark[m.node];
		mark[m.node] |= mark[m.definition / 2];
	}
	return more;
}

void circuit_dependents(const struct circuit *c, uint8_t *mark)
{
	uint32_t inputs = 1 + c->fluents + c->moves;
	mark[0] = 0;
	memset(mark + inputs, 0, c->gates.n - inputs);
	do
		mark_gates(c, mark);
	while (mark_members(c, mark));
}
