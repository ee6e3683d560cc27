/* Writes a circuit anew, counting first how often each gate is needed. */
#include "circuit/absorb.h"

#include "circuit/cone.h"

struct absorber {
	const struct circuit *from;
	struct circuit to;
	struct cone need;
	uint32_t *uses;    /* by node */
	uint8_t *absorbed; /* by node */
	lit_t *map;        /* by node */
	VEC(lit_t) in;
};

static lit_t mapped(const struct absorber *a, lit_t l)
{
	return a->map[l / 2] ^ (l & 1);
}

static bool is_gate(const struct gate *g)
{
	return g->kind == GATE_AND || g->kind == GATE_OR;
}

static void use_all(struct absorber *a, const lit_t *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a->uses[l[i] / 2]++;
}

static void count_uses(struct absorber *a)
{
	const struct circuit *c = a->from;
	for (size_t i = 0; i < a->need.nodes.n; i++) {
		const struct gate *g = &c->gates.at[a->need.nodes.at[i]];
		if (is_gate(g))
			use_all(a, c->inputs.at + g->in, g->n);
	}
	use_all(a, c->next.at, c->next.n);
	use_all(a, c->legal.at, c->legal.n);
	use_all(a, c->goals.at, c->goals.n);
	use_all(a, c->percepts.at, c->percepts.n);
	use_all(a, &c->terminal, 1);
	for (size_t i = 0; i < c->members.n; i++)
		a->uses[c->members.at[i].definition / 2]++;
}

/* A negated OR is an AND of what is negated. */
static bool fits(const struct gate *g, const struct gate *input, lit_t l)
{
	return is_gate(input) && (g->kind == input->kind) == !(l & 1);
}

static void find_absorbed(struct absorber *a)
{
	const struct circuit *c = a->from;
	for (size_t i = 0; i < a->need.nodes.n; i++) {
		const struct gate *g = &c->gates.at[a->need.nodes.at[i]];
		for (uint32_t k = 0; is_gate(g) && k < g->n; k++) {
			lit_t l = c->inputs.at[g->in + k];
			a->absorbed[l / 2] = a->uses[l / 2] == 1 && fits(g, &c->gates.at[l / 2], l);
		}
	}
}

static void push_inputs(struct absorber *a, const struct gate *g, lit_t negate)
{
	for (uint32_t k = 0; k < g->n; k++) {
		lit_t l = a->from->inputs.at[g->in + k] ^ negate;
		if (a->absorbed[l / 2])
			push_inputs(a, &a->from->gates.at[l / 2], l & 1);
		else
			vec_push(&a->in, mapped(a, l));
	}
}

static void write_gates(struct absorber *a)
{
	const struct circuit *c = a->from;
	circuit_begin(&a->to, c->fluents, c->moves);
	for (uint32_t i = 0; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		if (i < 1 + c->fluents + c->moves) {
			a->map[i] = i * 2;
		} else if (g->kind == GATE_LOOP) { /* numbers of blocks stay */
			a->map[i] = circuit_loop_node(&a->to, g->n);
		} else if (a->need.in[i] && !a->absorbed[i]) {
			vec_clear(&a->in);
			push_inputs(a, g, 0);
			a->map[i] = circuit_gate(&a->to, g->kind, a->in.at, narrow32(a->in.n));
		}
	}
}

#define MAP_LIST(a, list) \
	for (size_t i_ = 0; i_ < (a)->from->list.n; i_++) \
	vec_push(&(a)->to.list, mapped(a, (a)->from->list.at[i_]))

static void write_outputs(struct absorber *a)
{
	const struct circuit *c = a->from;
	MAP_LIST(a, next);
	MAP_LIST(a, legal);
	MAP_LIST(a, goals);
	MAP_LIST(a, percepts);
	a->to.terminal = mapped(a, c->terminal);
	for (size_t b = 0; b + 1 < c->loops.n; b++) {
		for (uint32_t k = c->loops.at[b]; k < c->loops.at[b + 1]; k++) {
			struct loop_member x = {a->map[c->members.at[k].node] / 2, mapped(a, c->members.at[k].definition)};
			vec_push(&a->to.members, x);
		}
		vec_push(&a->to.loops, narrow32(a->to.members.n));
	}
	for (size_t i = 0; i < c->atoms.n; i++)
		vec_push(&a->to.atoms, LIT_NONE);
}

void circuit_absorb(struct circuit *c)
{
	struct absorber a = {.from = c};
	a.uses = NEW_ARRAY(uint32_t, c->gates.n + 1);
	a.absorbed = NEW_ARRAY(uint8_t, c->gates.n + 1);
	a.map = NEW_ARRAY(lit_t, c->gates.n + 1);
	cone_begin(&a.need, c);
	cone_add_outputs(&a.need);
	for (size_t i = 0; i < c->members.n; i++)
		cone_add(&a.need, c->members.at[i].definition);
	count_uses(&a);
	find_absorbed(&a);
	write_gates(&a);
	write_outputs(&a);
	cone_free(&a.need);
	mem_free(a.uses);
	mem_free(a.absorbed);
	mem_free(a.map);
	vec_free(&a.in);
	circuit_free(c);
	*c = a.to;
}
