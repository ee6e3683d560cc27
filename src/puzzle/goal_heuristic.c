#include "puzzle/goal_heuristic.h"

#include "base/bits.h"


#define LARGEST 20000 /* nodes of the cone */

struct goal_heuristic {
	const struct circuit *c;
	VEC(uint32_t) cone; /* nodes, ascending: inputs first */
	VEC(lit_t) all;
	float *holds, *fails; /* by node: how nearly it does */
};

struct goal_heuristic *goal_heuristic_new(const struct circuit *c, const lit_t *all, uint32_t n)
{
	struct goal_heuristic *h = NEW(struct goal_heuristic);
	uint8_t *seen = mem_zalloc(c->gates.n + 1, 1);
	VEC(uint32_t) stack = {0};
	h->c = c;
	h->holds = NEW_ARRAY(float, c->gates.n + 1);
	h->fails = NEW_ARRAY(float, c->gates.n + 1);
	for (uint32_t i = 0; i < n; i++) {
		vec_push(&h->all, all[i]);
		vec_push(&stack, all[i] / 2);
	}
	while (stack.n && h->cone.n <= LARGEST) {
		uint32_t node = vec_pop(&stack);
		const struct gate *g = &c->gates.at[node];
		if (seen[node])
			continue;
		seen[node] = 1;
		vec_push(&h->cone, node);
		for (uint32_t k = 0; k < g->n && (g->kind == GATE_AND || g->kind == GATE_OR); k++)
			vec_push(&stack, c->inputs.at[g->in + k] / 2);
	}
	bool small = !stack.n;
	vec_free(&stack);
	mem_free(seen);
	if (!small) {
		goal_heuristic_free(h);
		return NULL;
	}
	sort_numbers(h->cone.at, h->cone.n);
	return h;
}

void goal_heuristic_free(struct goal_heuristic *h)
{
	if (!h)
		return;
	vec_free(&h->cone);
	vec_free(&h->all);
	mem_free(h->holds);
	mem_free(h->fails);
	mem_free(h);
}

static void weigh_gate(struct goal_heuristic *h, uint32_t node, const struct gate *g)
{
	const lit_t *in = h->c->inputs.at + g->in;
	float sum = 0, most = 0;
	/* an AND holds by all and fails by one; an OR the other way round */
	uint32_t flip = g->kind == GATE_OR;
	for (uint32_t k = 0; k < g->n; k++) {
		bool negated = (in[k] & 1) != flip;
		float y = negated ? h->fails[in[k] / 2] : h->holds[in[k] / 2];
		float n = negated ? h->holds[in[k] / 2] : h->fails[in[k] / 2];
		sum += y;
		most = n > most ? n : most;
	}
	float all = g->n ? sum / (float)g->n : 1;
	h->holds[node] = flip ? most : all;
	h->fails[node] = flip ? all : most;
}

float goal_heuristic_of(struct goal_heuristic *h, const uint64_t *state)
{
	float sum = 0;
	for (size_t i = 0; i < h->cone.n; i++) {
		uint32_t node = h->cone.at[i];
		const struct gate *g = &h->c->gates.at[node];
		if (g->kind == GATE_AND || g->kind == GATE_OR) {
			weigh_gate(h, node, g);
		} else {
			bool on = g->kind == GATE_FLUENT && bits_has(state, node - 1);
			h->holds[node] = on;
			h->fails[node] = !on;
		}
	}
	for (size_t i = 0; i < h->all.n; i++)
		sum += h->all.at[i] & 1 ? h->fails[h->all.at[i] / 2] : h->holds[h->all.at[i] / 2];
	return sum;
}
