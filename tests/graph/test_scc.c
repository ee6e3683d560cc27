#include "test.h"

#include "base/rng.h"
#include "base/vec.h"
#include "graph/scc.h"

#include <string.h>

enum { MOST = 12 };

/* Two nodes share a component exactly when each reaches the other, and a
 * component that leads to another has the larger number: checked against
 * plain transitive closure on random graphs from sparse to dense. */
static void agrees_with_transitive_closure(void **state)
{
	struct rng r = rng_seed(11);
	for (int round = 0; round < 3000; round++) {
		uint32_t n = 1 + rng_below(&r, MOST), density = 1 + rng_below(&r, 12), m = 0;
		uint32_t start[MOST + 1], edges[MOST * MOST], component[MOST];
		int shift = (int)rng_below(&r, 2);
		bool reach[MOST][MOST] = {0};
		for (uint32_t v = 0; v < n; v++) {
			start[v] = m;
			reach[v][v] = true;
			for (uint32_t w = 0; w < n; w++)
				if (rng_below(&r, 24) < density) {
					edges[m++] = shift ? w << 1 | rng_below(&r, 2) : w;
					reach[v][w] = true;
				}
		}
		start[n] = m;
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t v = 0; v < n; v++)
				for (uint32_t w = 0; w < n; w++)
					reach[v][w] |= reach[v][k] && reach[k][w];
		uint32_t count = graph_components(n, start, edges, shift, component);
		bool used[MOST] = {0};
		for (uint32_t v = 0; v < n; v++) {
			assert_true(component[v] < count);
			used[component[v]] = true;
			for (uint32_t w = 0; w < n; w++) {
				assert_int_equal(component[v] == component[w], reach[v][w] && reach[w][v]);
				if (reach[v][w])
					assert_true(component[v] >= component[w]);
			}
		}
		for (uint32_t c = 0; c < count; c++)
			assert_true(used[c]);
	}
}

/* A path and a ring far deeper than any call stack. */
static void depth_is_no_danger(void **state)
{
	uint32_t n = 1000000;
	uint32_t *start = NEW_ARRAY(uint32_t, n + 1), *edges = NEW_ARRAY(uint32_t, n), *component = NEW_ARRAY(uint32_t, n);
	for (uint32_t v = 0; v < n; v++) {
		start[v] = v;
		edges[v] = (v + 1) % n;
	}
	start[n] = n;
	assert_int_equal(graph_components(n, start, edges, 0, component), 1);
	edges[n - 1] = n - 1; /* the ring is opened */
	assert_int_equal(graph_components(n, start, edges, 0, component), n);
	assert_int_equal(component[n - 1], 0);
	assert_int_equal(component[0], n - 1);
	mem_free(start);
	mem_free(edges);
	mem_free(component);
}

static void nothing_has_no_components(void **state)
{
	assert_int_equal(graph_components(0, (uint32_t[]){0}, NULL, 0, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(agrees_with_transitive_closure),
		cmocka_unit_test(depth_is_no_danger),
		cmocka_unit_test(nothing_has_no_components),
	};
	return RUN(cases);
}
