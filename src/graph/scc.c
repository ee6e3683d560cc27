/* Tarjan's algorithm with an explicit stack: the depth of a graph is decided by the input. */
#include "graph/scc.h"

#include "base/vec.h"

struct frame {
	uint32_t node, edge;
};

struct tarjan {
	const uint32_t *start, *edges;
	int shift;
	uint32_t *component, *order, *low;
	uint32_t counter, components;
	VEC(uint32_t) stack;
	VEC(struct frame) frames;
};

/* component[] is UINT32_MAX until assigned, which also marks what is on the stack. */
static void enter(struct tarjan *t, uint32_t v)
{
	struct frame f = {v, t->start[v]};
	t->order[v] = t->low[v] = ++t->counter;
	vec_push(&t->stack, v);
	vec_push(&t->frames, f);
}

static void leave(struct tarjan *t, uint32_t v)
{
	if (t->low[v] == t->order[v]) {
		uint32_t w;
		do {
			w = vec_pop(&t->stack);
			t->component[w] = t->components;
		} while (w != v);
		t->components++;
	}
	t->frames.n--;
	if (t->frames.n) {
		uint32_t parent = vec_last(&t->frames).node;
		if (t->low[v] < t->low[parent])
			t->low[parent] = t->low[v];
	}
}

static void visit(struct tarjan *t, uint32_t root)
{
	enter(t, root);
	while (t->frames.n) {
		struct frame *top = &vec_last(&t->frames);
		uint32_t v = top->node;
		if (top->edge == t->start[v + 1]) {
			leave(t, v);
			continue;
		}
		uint32_t w = t->edges[top->edge++] >> t->shift;
		if (!t->order[w])
			enter(t, w);
		else if (t->component[w] == UINT32_MAX && t->order[w] < t->low[v])
			t->low[v] = t->order[w];
	}
}

uint32_t graph_components(uint32_t nodes, const uint32_t *start, const uint32_t *edges, int shift, uint32_t *component)
{
	struct tarjan t = {.start = start, .edges = edges, .shift = shift, .component = component};
	t.order = NEW_ARRAY(uint32_t, nodes);
	t.low = NEW_ARRAY(uint32_t, nodes);
	for (uint32_t v = 0; v < nodes; v++)
		component[v] = UINT32_MAX;
	for (uint32_t v = 0; v < nodes; v++)
		if (!t.order[v])
			visit(&t, v);
	mem_free(t.order);
	mem_free(t.low);
	vec_free(&t.stack);
	vec_free(&t.frames);
	return t.components;
}
