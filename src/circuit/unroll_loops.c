/* Writes a circuit anew without fixpoint blocks, layer upon layer. */
#include "circuit/unroll_loops.h"

struct copy {
	struct circuit *to;
	const struct circuit *from;
	lit_t *map; /* by node */
	VEC(lit_t) in;
	size_t max;
	const struct limit *limit;
	bool late;
};

static lit_t mapped(const struct copy *x, lit_t l)
{
	return x->map[l / 2] ^ (l & 1);
}

/* Wide gates become trees of narrower ones. */
static lit_t gate(struct copy *x, enum gate_kind kind, lit_t *l, uint32_t n)
{
	while (n > UNROLL_WIDEST) {
		uint32_t k = 0;
		for (uint32_t i = 0; i < n; i += UNROLL_WIDEST) {
			uint32_t m = n - i < UNROLL_WIDEST ? n - i : UNROLL_WIDEST;
			l[k++] = circuit_gate(x->to, kind, l + i, m);
		}
		n = k;
	}
	return circuit_gate(x->to, kind, l, n);
}

static void copy_gate(struct copy *x, uint32_t i)
{
	const struct gate *g = &x->from->gates.at[i];
	vec_clear(&x->in);
	for (uint32_t k = 0; k < g->n; k++)
		vec_push(&x->in, mapped(x, x->from->inputs.at[g->in + k]));
	x->map[i] = gate(x, g->kind, x->in.at, narrow32(x->in.n));
}

static bool fits(const struct copy *x)
{
	return x->to->inputs.n <= x->max && !x->late;
}

/* All gates over again, with the members of the blocks as they are by now: gates
 * that do not change are found again, so only the cones of the blocks grow. */
static void copy_gates(struct copy *x)
{
	const struct circuit *c = x->from;
	for (uint32_t i = 1 + c->fluents + c->moves; i < c->gates.n && fits(x); i++) {
		if (c->gates.at[i].kind != GATE_LOOP)
			copy_gate(x, i);
		if ((i & 1023) == 0)
			x->late = limit_reached(x->limit);
	}
}

static bool next_layer(struct copy *x)
{
	bool changed = false;
	VEC(lit_t) now = {0};
	for (size_t k = 0; k < x->from->members.n; k++)
		vec_push(&now, mapped(x, x->from->members.at[k].definition));
	for (size_t k = 0; k < x->from->members.n; k++) {
		uint32_t node = x->from->members.at[k].node;
		changed |= x->map[node] != now.at[k];
		x->map[node] = now.at[k];
	}
	vec_free(&now);
	return changed;
}

typedef VEC(lit_t) lit_list;

static void copy_list(const struct copy *x, const void *from, void *to)
{
	const lit_list *a = from;
	lit_list *b = to;
	for (size_t i = 0; i < a->n; i++)
		vec_push(b, mapped(x, a->at[i]));
}

bool unroll_loops(struct circuit *to, const struct circuit *from, size_t max_inputs, const struct limit *limit)
{
	struct copy x = {.to = to, .from = from, .max = max_inputs, .limit = limit};
	x.map = NEW_ARRAY(lit_t, from->gates.n);
	circuit_begin(to, from->fluents, from->moves);
	for (uint32_t i = 0; i < 1 + from->fluents + from->moves; i++)
		x.map[i] = i * 2;
	copy_gates(&x);
	for (size_t layer = 0; layer < from->members.n && fits(&x) && next_layer(&x); layer++)
		copy_gates(&x);
	copy_list(&x, &from->next, &to->next);
	copy_list(&x, &from->legal, &to->legal);
	copy_list(&x, &from->goals, &to->goals);
	copy_list(&x, &from->percepts, &to->percepts);
	to->terminal = mapped(&x, from->terminal);
	for (size_t a = 0; a < from->atoms.n; a++)
		vec_push(&to->atoms, from->atoms.at[a] == LIT_NONE ? LIT_NONE : mapped(&x, from->atoms.at[a]));
	bool ok = fits(&x);
	if (!ok)
		circuit_free(to);
	mem_free(x.map);
	vec_free(&x.in);
	return ok;
}
