/* Automorphism groups of small graphs, against known orders and all permutations. */
#include "work.h"

#include "base/rng.h"
#include "graph/automorphism.h"

#include <math.h>
#include <pthread.h>

static struct coloured_graph empty(uint32_t n)
{
	struct coloured_graph g = {0};
	for (uint32_t i = 0; i < n; i++)
		graph_vertex(&g, 0);
	return g;
}

static double order_by(const struct coloured_graph *g, enum automorphism_method method)
{
	struct automorphisms a;
	assert_true(automorphisms_find(&a, g, (uint32_t)g->colour.n, method, NULL));
	double order = a.mantissa * pow(10, a.exponent);
	automorphisms_free(&a);
	return order;
}

static void expect(struct coloured_graph *g, double order)
{
	for (int m = AUTOMORPHISM_AUTO; m <= AUTOMORPHISM_NAUTY; m++)
		assert_float_equal(order_by(g, (enum automorphism_method)m), order, 0.01);
	coloured_graph_free(g);
}

static void known_orders(void **state)
{
	(void)state;
	struct coloured_graph g = empty(7); /* a cycle */
	for (uint32_t i = 0; i < 7; i++)
		graph_edge(&g, i, (i + 1) % 7);
	expect(&g, 14);
	g = empty(10); /* Petersen */
	for (uint32_t i = 0; i < 5; i++) {
		graph_edge(&g, i, (i + 1) % 5);
		graph_edge(&g, i, i + 5);
		graph_edge(&g, i + 5, (i + 2) % 5 + 5);
	}
	expect(&g, 120);
	g = empty(300); /* ten pairs that can be swapped, and many vertices of colours of their own */
	for (uint32_t i = 0; i < 300; i++)
		g.colour.at[i] = i < 20 ? i / 2 : i;
	for (uint32_t i = 0; i < 300; i += 2)
		graph_edge(&g, i, i + 1);
	expect(&g, 1024);
	g = empty(0);
	expect(&g, 1);
}

static bool keeps(const struct coloured_graph *g, bool edge[6][6], const uint32_t *p)
{
	for (uint32_t a = 0; a < 6; a++) {
		if (g->colour.at[a] != g->colour.at[p[a]])
			return false;
		for (uint32_t b = 0; b < 6; b++)
			if (edge[a][b] != edge[p[a]][p[b]])
				return false;
	}
	return true;
}

static uint32_t count_all(const struct coloured_graph *g, bool edge[6][6], uint32_t *p, uint32_t n)
{
	uint32_t found = 0;
	if (n == 6)
		return keeps(g, edge, p);
	for (uint32_t v = 0; v < 6; v++) {
		bool used = false;
		for (uint32_t i = 0; i < n; i++)
			used |= p[i] == v;
		if (used)
			continue;
		p[n] = v;
		found += count_all(g, edge, p, n + 1);
	}
	return found;
}

static void all_permutations_agree(void **state)
{
	(void)state;
	struct rng rng = rng_seed(5);
	for (int round = 0; round < 60; round++) {
		struct coloured_graph g = empty(6);
		bool edge[6][6] = {{false}};
		uint32_t p[6];
		for (uint32_t a = 0; a < 6; a++) {
			g.colour.at[a] = rng_below(&rng, 2);
			for (uint32_t b = 0; b < a; b++)
				if (rng_below(&rng, 2)) {
					edge[a][b] = edge[b][a] = true;
					graph_edge(&g, a, b);
				}
		}
		expect(&g, count_all(&g, edge, p, 0));
	}
}

/* What moves nothing of the first vertices is told but not listed. */
static void hidden_ones_are_told(void **state)
{
	(void)state;
	struct coloured_graph g = empty(4);
	struct automorphisms a;
	g.colour.at[0] = 1;
	g.colour.at[1] = 2;
	assert_true(automorphisms_find(&a, &g, 2, AUTOMORPHISM_AUTO, NULL));
	assert_true(a.hidden);
	assert_int_equal(a.count, 0);
	automorphisms_free(&a);
	coloured_graph_free(&g);
}

static void a_limit_ends_it(void **state)
{
	(void)state;
	struct coloured_graph g = empty(4);
	struct automorphisms a;
	struct limit over = {.deadline = 1e-9};
	assert_false(automorphisms_find(&a, &g, 4, AUTOMORPHISM_AUTO, &over));
	assert_int_equal(a.count, 0);
	coloured_graph_free(&g);
}

/* Ten vertices that are all alike have 9 generators, thirty too many for FEW. */
static void large_groups_can_be_given_up(void **state)
{
	(void)state;
	struct coloured_graph small = empty(10), large = empty(30);
	struct automorphisms a;
	assert_float_equal(order_by(&small, AUTOMORPHISM_FEW), 3628800, 0.5);
	assert_false(automorphisms_find(&a, &large, 30, AUTOMORPHISM_FEW, NULL));
	assert_int_equal(a.count, 0);
	assert_true(automorphisms_find(&a, &large, 30, AUTOMORPHISM_NAUTY, NULL)); /* the next one is not bound by it */
	assert_int_equal(a.count, 29);
	automorphisms_free(&a);
	coloured_graph_free(&small);
	coloured_graph_free(&large);
}

static void *another(void *g)
{
	struct automorphisms a;
	struct limit limit = work_seconds(30);
	bool ok = true;
	for (int i = 0; i < 50 && ok; i++) {
		ok = automorphisms_find(&a, g, 30, AUTOMORPHISM_NAUTY, &limit) && a.count == 29;
		automorphisms_free(&a);
	}
	return ok ? g : NULL;
}

/* One at a time, and all get their turn. */
static void threads_take_turns(void **state)
{
	(void)state;
	struct coloured_graph g = empty(30);
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, another, &g), 0);
	for (int i = 0; i < 3; i++) {
		void *ok;
		pthread_join(threads[i], &ok);
		assert_non_null(ok);
	}
	coloured_graph_free(&g);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(known_orders),
		cmocka_unit_test(all_permutations_agree),
		cmocka_unit_test(hidden_ones_are_told),
		cmocka_unit_test(a_limit_ends_it),
		cmocka_unit_test(large_groups_can_be_given_up),
		cmocka_unit_test(threads_take_turns),
	};
	return RUN(cases);
}
