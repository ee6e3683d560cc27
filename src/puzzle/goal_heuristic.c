/* The heuristic of goal_heuristic.h: one pass over the cone of the goals, inputs first. */
#include "puzzle/goal_heuristic.h"

#include "base/bits.h"
#include "circuit/cone.h"

#define LARGEST 20000 /* nodes of the cone */

struct goal_heuristic {
	const struct circuit *c;
	struct cone cone; /* of these; nodes ascending, so that inputs come first */
	VEC(lit_t) all;
	float *holds, *fails; /* by node: how nearly it does */
};

struct goal_heuristic *goal_heuristic_new(const struct circuit *c, const lit_t *all, uint32_t n)
{
	struct goal_heuristic *h = NEW(struct goal_heuristic);
	bool small = true;
	h->c = c;
	cone_begin(&h->cone, c);
	h->holds = NEW_ARRAY(float, c->gates.n + 1);
	h->fails = NEW_ARRAY(float, c->gates.n + 1);
	for (uint32_t i = 0; i < n && small; i++) {
		vec_push(&h->all, all[i]);
		small = cone_add_within(&h->cone, all[i], LARGEST);
	}
	if (!small) {
		goal_heuristic_free(h);
		return NULL;
	}
	sort_numbers(h->cone.nodes.at, h->cone.nodes.n);
	return h;
}

void goal_heuristic_free(struct goal_heuristic *h)
{
	if (!h)
		return;
	cone_free(&h->cone);
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
	for (size_t i = 0; i < h->cone.nodes.n; i++) {
		uint32_t node = h->cone.nodes.at[i];
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
