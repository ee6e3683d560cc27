/* Random circuits, and their values by the definition: one lane, no order but that
 * of the blocks, everything again until nothing changes. */
#ifndef TESTS_GAME_CIRCUITS_H
#define TESTS_GAME_CIRCUITS_H

#include "test.h"

#include "base/rng.h"
#include "circuit/circuit.h"

struct pool {
	VEC(lit_t) lits;
};

static inline lit_t pool_pick(const struct pool *p, struct rng *rng)
{
	return p->lits.at[rng_below(rng, (uint32_t)p->lits.n)] ^ (lit_t)(rng_next(rng) >> 63);
}

static inline lit_t random_gate(struct circuit *c, const struct pool *outside, const struct pool *inside,
                                struct rng *rng, uint32_t widest)
{
	SCRATCH(lit_t, in, widest);
	uint32_t n = 1 + rng_below(rng, rng_below(rng, 8) ? (widest < 5 ? widest : 5) : widest);
	for (uint32_t k = 0; k < n; k++)
		in[k] = inside && rng_below(rng, 2) ? inside->lits.at[rng_below(rng, (uint32_t)inside->lits.n)]
		                                    : pool_pick(outside, rng);
	return circuit_gate(c, rng_below(rng, 2) ? GATE_AND : GATE_OR, in, n);
}

/* A block: members stand only positive in what defines them. */
static inline void random_block(struct circuit *c, struct pool *outside, struct rng *rng)
{
	struct pool inside = {0};
	uint32_t block = (uint32_t)c->loops.n - 1, members = 1 + rng_below(rng, 6), first = (uint32_t)c->gates.n;
	for (uint32_t i = 0; i < members; i++)
		vec_push(&inside.lits, circuit_loop_node(c, block));
	for (uint32_t i = rng_below(rng, 12); i > 0; i--) {
		lit_t l = random_gate(c, outside, &inside, rng, 6);
		if (!(l & 1) && l / 2 > first) /* not a constant, not a negated literal from outside */
			vec_push(&inside.lits, l);
	}
	for (uint32_t i = 0; i < members; i++) {
		struct loop_member m = {first + i, random_gate(c, outside, &inside, rng, 6)};
		vec_push(&c->members, m);
	}
	vec_push(&c->loops, (uint32_t)c->members.n);
	for (size_t i = 0; i < inside.lits.n; i++)
		vec_push(&outside->lits, inside.lits.at[i]);
	vec_free(&inside.lits);
}

static inline void random_part(struct circuit *c, struct pool *p, struct rng *rng, uint32_t gates, uint32_t widest)
{
	for (uint32_t i = 0; i < gates; i++)
		if (rng_below(rng, 12) == 0) {
			random_block(c, p, rng);
		} else {
			lit_t l = random_gate(c, p, NULL, rng, widest);
			vec_push(&p->lits, l);
		}
}

/* Legal, terminal and goals are of the state; next and percepts of the moves too. */
static inline void random_circuit(struct circuit *c, struct rng *rng)
{
	struct pool p = {0};
	uint32_t fluents = 1 + rng_below(rng, 20), moves = 1 + rng_below(rng, 12);
	uint32_t widest = rng_below(rng, 4) ? 6 : 40;
	circuit_begin(c, fluents, moves);
	vec_push(&p.lits, LIT_FALSE);
	for (uint32_t f = 0; f < fluents; f++)
		vec_push(&p.lits, circuit_fluent(c, f) * 2);
	random_part(c, &p, rng, rng_below(rng, 60), widest);
	for (uint32_t m = 0; m < moves; m++)
		vec_push(&c->legal, pool_pick(&p, rng));
	for (uint32_t i = rng_below(rng, 6); i > 0; i--)
		vec_push(&c->goals, pool_pick(&p, rng));
	c->terminal = pool_pick(&p, rng);
	for (uint32_t m = 0; m < moves; m++)
		vec_push(&p.lits, circuit_move(c, m) * 2);
	random_part(c, &p, rng, rng_below(rng, 60), widest);
	for (uint32_t f = 0; f < fluents; f++)
		vec_push(&c->next, pool_pick(&p, rng));
	for (uint32_t i = rng_below(rng, 6); i > 0; i--)
		vec_push(&c->percepts, pool_pick(&p, rng));
	vec_free(&p.lits);
}

static inline bool naive_value(const bool *v, lit_t l)
{
	return v[l / 2] != (l & 1);
}

/* v: by node; fluents and moves are given. */
static inline void naive_evaluate(const struct circuit *c, bool *v)
{
	v[0] = false;
	for (size_t k = 0; k < c->members.n; k++)
		v[c->members.at[k].node] = false;
	for (size_t block = 0; block < c->loops.n; block++)
		for (bool again = true; again;) {
			again = false;
			for (size_t i = 1 + c->fluents + c->moves; i < c->gates.n; i++) {
				const struct gate *g = &c->gates.at[i];
				if (g->kind == GATE_LOOP)
					continue;
				v[i] = g->kind == GATE_AND;
				for (uint32_t k = 0; k < g->n; k++)
					if (naive_value(v, c->inputs.at[g->in + k]) != v[i]) {
						v[i] = !v[i];
						break;
					}
			}
			/* the last time round, without a block, only the gates */
			for (uint32_t k = c->loops.at[block]; block + 1 < c->loops.n && k < c->loops.at[block + 1]; k++)
				if (!v[c->members.at[k].node] && naive_value(v, c->members.at[k].definition))
					v[c->members.at[k].node] = again = true;
		}
}

/* All outputs in one row: legal, goals, terminal; then next, percepts. */
static inline size_t naive_outputs(const struct circuit *c, const bool *v, bool *out)
{
	size_t n = 0;
	for (size_t i = 0; i < c->legal.n; i++)
		out[n++] = naive_value(v, c->legal.at[i]);
	for (size_t i = 0; i < c->goals.n; i++)
		out[n++] = naive_value(v, c->goals.at[i]);
	out[n++] = naive_value(v, c->terminal);
	for (size_t i = 0; i < c->next.n; i++)
		out[n++] = naive_value(v, c->next.at[i]);
	for (size_t i = 0; i < c->percepts.n; i++)
		out[n++] = naive_value(v, c->percepts.at[i]);
	return n;
}

static inline size_t output_count(const struct circuit *c)
{
	return c->legal.n + c->goals.n + 1 + c->next.n + c->percepts.n;
}

#endif
