/* Symmetries of networks: known groups; every generator maps solutions to solutions; of each
 * orbit, found by brute force over all solutions, at least one solution is left, and
 * exactly one where that is promised. */
#include "test.h"

#include "base/mem.h"
#include "random_net.h"

#include <math.h>
#include <string.h>

/* ---- networks ---- */

typedef struct csp *(*maker)(uint32_t size, uint32_t values);

static void variables(struct csp *n, uint32_t count, int32_t low, int32_t high)
{
	for (uint32_t i = 0; i < count; i++) {
		char name[16];
		snprintf(name, sizeof name, "x%u", i);
		csp_var_range(n, name, low, high);
	}
}

static uint32_t differ(struct csp *n, uint32_t x, uint32_t y)
{
	uint32_t args[2] = {csp_expr_var(n, x), csp_expr_var(n, y)};
	return csp_add_intension(n, csp_expr(n, CSP_OP_NE, args, 2));
}

static struct csp *queens(uint32_t size, uint32_t values)
{
	struct csp *n = csp_new();
	uint32_t all[16];
	(void)values;
	variables(n, size, 0, (int32_t)size - 1);
	for (uint32_t i = 0; i < size; i++) {
		all[i] = i;
		for (uint32_t j = 0; j < i; j++) {
			uint32_t xy[2] = {csp_expr_var(n, j), csp_expr_var(n, i)};
			uint32_t args[2] = {csp_expr(n, CSP_OP_DIST, xy, 2), csp_expr_const(n, i - j)};
			csp_add_intension(n, csp_expr(n, CSP_OP_NE, args, 2));
		}
	}
	csp_add_alldiff(n, all, size, NULL, 0);
	return n;
}

static struct csp *cycle(uint32_t size, uint32_t values)
{
	struct csp *n = csp_new();
	variables(n, size, 1, (int32_t)values);
	for (uint32_t i = 0; i < size; i++)
		differ(n, i, (i + 1) % size);
	return n;
}

static struct csp *petersen(uint32_t size, uint32_t values)
{
	struct csp *n = csp_new();
	variables(n, size, 1, (int32_t)values);
	for (uint32_t i = 0; i < 5; i++) {
		differ(n, i, (i + 1) % 5);
		differ(n, i, i + 5);
		differ(n, 5 + i, 5 + (i + 2) % 5);
	}
	return n;
}

static struct csp *pigeons(uint32_t size, uint32_t values)
{
	struct csp *n = csp_new();
	variables(n, size, 1, (int32_t)values);
	for (uint32_t i = 0; i < size; i++)
		for (uint32_t j = 0; j < i; j++)
			differ(n, i, j);
	return n;
}

static struct csp *magic(uint32_t size, uint32_t values)
{
	struct csp *n = csp_new();
	static const uint32_t line[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
	                                    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
	static const uint32_t all[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	(void)size;
	(void)values;
	variables(n, 9, 1, 9);
	csp_add_alldiff(n, all, 9, NULL, 0);
	for (int i = 0; i < 8; i++)
		csp_add_sum(n, line[i], (int64_t[]){1, 1, 1}, 3, CSP_EQ, 15);
	return n;
}

/* Sums too large to be listed: the variables of equal coefficients can change places. */
static struct csp *knapsack(uint32_t size, uint32_t values)
{
	struct csp *n = csp_new();
	uint32_t all[16];
	int64_t coeffs[16];
	variables(n, size, 0, (int32_t)values);
	for (uint32_t i = 0; i < size; i++) {
		all[i] = i;
		coeffs[i] = i < size / 2 ? 1 : 2;
	}
	csp_add_sum(n, all, coeffs, size, CSP_EQ, 5);
	csp_add_count(n, all, size, (int32_t[]){1, 2}, 2, CSP_LE, 3, CSP_NONE);
	return n;
}

/* Long tables that are not listed either, with stars, allowed and forbidden. */
static struct csp *tables(uint32_t size, uint32_t values)
{
	struct csp *n = csp_new();
	uint32_t all[16];
	int32_t rows[16 * 16];
	variables(n, size, 0, (int32_t)values);
	for (uint32_t i = 0; i < size; i++) {
		all[i] = i;
		for (uint32_t j = 0; j < size; j++)
			rows[i * size + j] = i == j ? 1 : (i + 1) % size == j ? 0 : CSP_ANY;
	}
	csp_add_table(n, all, size, rows, size, true);
	for (uint32_t i = 0; i < size * size; i++)
		rows[i] = i / size == i % size ? (int32_t)values : i / size == (i + size - 2) % size ? 0 : CSP_ANY;
	csp_add_table(n, all, size, rows, size, false);
	return n;
}

/* ---- solutions and their orbits ---- */

struct solutions {
	VEC(int32_t) values; /* `width` a solution, the network's own variables only */
	size_t count, width;
	struct csp_stats stats;
};

static bool keep(void *user, const struct csp *n, const int32_t *values)
{
	struct solutions *s = user;
	(void)n;
	for (size_t x = 0; x < s->width; x++)
		vec_push(&s->values, values[x]);
	s->count++;
	return true;
}

static struct solutions solve(struct csp *n, uint32_t width, enum csp_algorithm a, bool symmetry)
{
	struct solutions s = {.width = width};
	struct csp_options o = csp_defaults;
	uint32_t *branch = mem_alloc(width, sizeof *branch);
	for (uint32_t x = 0; x < width; x++)
		branch[x] = x;
	o.algorithm = a;
	o.max_solutions = 0;
	o.best_only = false;
	o.value_symmetry = symmetry;
	o.branch = branch;
	o.branch_count = width;
	o.solution = keep;
	o.user = &s;
	csp_solve(n, &o, &s.stats);
	assert_null(s.stats.refused);
	assert_true(s.stats.complete && s.count == s.stats.solutions);
	mem_free(branch);
	return s;
}

static size_t position(const struct solutions *s, const int32_t *values)
{
	for (size_t i = 0; i < s->count; i++)
		if (!memcmp(s->values.at + i * s->width, values, s->width * sizeof *values))
			return i;
	return SIZE_MAX;
}

/* The image of a solution, literal by literal; every variable must get one value. */
static void map(struct csp *n, const struct csp_symmetry *y, const uint32_t *image, const int32_t *values, int32_t *to,
                size_t width)
{
	uint32_t *first = mem_alloc(width + 1, sizeof *first);
	bool *had = NEW_ARRAY(bool, width);
	first[0] = 0;
	for (uint32_t x = 0; x < width; x++)
		first[x + 1] = first[x] + csp_count(n, x);
	assert_int_equal(first[width], y->literals);
	for (uint32_t x = 0; x < width; x++) {
		uint32_t l = image[first[x] + csp_index(n, x, values[x])], z = 0;
		while (first[z + 1] <= l)
			z++;
		assert_false(had[z]);
		had[z] = true;
		to[z] = csp_value(n, z, l - first[z]);
	}
	mem_free(first);
	mem_free(had);
}

static size_t root_of(size_t *up, size_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

/* up[i]: the orbit of solution i. Returns how many there are. */
static size_t find_orbits(struct csp *n, const struct csp_symmetry *y, const struct solutions *s, size_t *up)
{
	int32_t *to = mem_alloc(s->width, sizeof *to);
	size_t orbits = s->count;
	for (size_t i = 0; i < s->count; i++)
		up[i] = i;
	for (size_t g = 0; g < y->generators; g++)
		for (size_t i = 0; i < s->count; i++) {
			map(n, y, y->images.at + g * y->literals, s->values.at + i * s->width, to, s->width);
			size_t j = position(s, to);
			assert_true(j != SIZE_MAX); /* a solution again */
			size_t a = root_of(up, i), b = root_of(up, j);
			orbits -= a != b;
			up[a] = b;
		}
	mem_free(to);
	return orbits;
}

struct figures {
	double order;
	size_t all, kept, orbits;
	uint64_t nodes, kept_nodes;
};

/* `n` is solved first, then broken and solved again. */
static struct figures examine(struct csp *n, enum csp_algorithm a)
{
	struct csp_symmetry y;
	uint32_t width = csp_variables(n);
	struct solutions all = solve(n, width, CSP_ALG_MAC, false);
	csp_symmetry_find(n, &(struct limit){0}, &y);
	assert_null(y.skipped);
	size_t *up = mem_alloc(all.count + 1, sizeof *up);
	struct figures f = {.order = y.mantissa * pow(10, y.exponent), .all = all.count, .nodes = all.stats.nodes};
	f.orbits = find_orbits(n, &y, &all, up);
	csp_symmetry_break(n, &y);
	struct solutions kept = solve(n, width, a, true);
	bool *met = NEW_ARRAY(bool, all.count + 1);
	size_t orbits = 0;
	for (size_t i = 0; i < kept.count; i++) {
		size_t at = position(&all, kept.values.at + i * width);
		assert_true(at != SIZE_MAX);
		at = root_of(up, at);
		orbits += !met[at];
		met[at] = true;
	}
	assert_int_equal(orbits, f.orbits); /* none is lost */
	if (y.all)
		assert_int_equal(kept.count, f.orbits);
	f.kept = kept.count;
	f.kept_nodes = kept.stats.nodes;
	assert_true((double)f.all <= (double)f.kept * f.order);
	mem_free(met);
	mem_free(up);
	vec_free(&all.values);
	vec_free(&kept.values);
	csp_symmetry_free(&y);
	csp_free(n);
	return f;
}

/* ---- tests ---- */

#define F4 24.0
#define F5 120.0

static void known_groups(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		maker make;
		uint32_t size, values;
		double order;
		size_t all, kept; /* kept: 0 where it is not promised */
	} nets[] = {
		{"queens 6", queens, 6, 0, 8, 4, 1},
		{"queens 7", queens, 7, 0, 8, 40, 6},
		{"queens 8", queens, 8, 0, 8, 92, 12},
		{"cycle 5, 3 colours", cycle, 5, 3, 60, 30, 1},
		{"cycle 6, 3 colours", cycle, 6, 3, 72, 66, 4},
		{"Petersen, 3 colours", petersen, 10, 3, 720, 120, 0},
		{"pigeons 4 in 5", pigeons, 4, 5, F4 * F5, 120, 0},
		{"pigeons 5 in 5", pigeons, 5, 5, 2 * F5 * F5, 120, 0},
		{"pigeons 6 in 5", pigeons, 6, 5, 6 * F5 * F5, 0, 0},
		{"magic square 3", magic, 0, 0, 16, 8, 1},
		{"knapsack 10", knapsack, 10, 2, F5 * F5, 205, 0},
	};
	for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
		for (int a = 0; a < 3; a++) {
			static const enum csp_algorithm algorithms[] = {CSP_ALG_MAC, CSP_ALG_MAC_CBJ, CSP_ALG_LEARN};
			struct figures f = examine(nets[i].make(nets[i].size, nets[i].values), algorithms[a]);
			if (!a)
				printf("%-20s order %6.0f  solutions %4zu -> %3zu (%zu orbits)  nodes %5llu -> %4llu\n", nets[i].name,
				       f.order, f.all, f.kept, f.orbits, (unsigned long long)f.nodes, (unsigned long long)f.kept_nodes);
			assert_true(fabs(f.order - nets[i].order) < 1e-6 * f.order);
			assert_int_equal(f.all, nets[i].all);
			if (nets[i].kept)
				assert_int_equal(f.kept, nets[i].kept);
			if (f.all > 1)
				assert_true(f.kept < f.all);
			if (!a)
				assert_true(f.kept_nodes < f.nodes);
		}
}

static void long_tables(void **state)
{
	(void)state;
	struct figures f = examine(tables(8, 2), CSP_ALG_MAC);
	printf("tables: order %.0f, %zu solutions, %zu kept, %zu orbits\n", f.order, f.all, f.kept, f.orbits);
	assert_true(f.order >= 8 && f.kept < f.all);
}

/* A chain too large to be listed keeps its variables in place, two others do as they like. */
static void held_constraints(void **state)
{
	(void)state;
	struct csp *n = csp_new();
	struct csp_symmetry y;
	variables(n, 10, 0, 2);
	csp_add_ordered(n, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, 8, NULL, CSP_LE);
	differ(n, 8, 9);
	csp_symmetry_find(n, &(struct limit){0}, &y);
	assert_int_equal(y.held, 1);
	csp_symmetry_free(&y);
	struct figures f = examine(n, CSP_ALG_MAC);
	assert_int_equal((int)f.order, 12);
	assert_true(f.all == 45 * 6 && f.kept == 45);
}

/* Whatever the network, no orbit is lost; the count of its solutions comes from outside the solver. */
static void random_networks(void **state)
{
	(void)state;
	size_t with = 0, all = 0;
	struct net *t = NEW(struct net);
	for (uint64_t seed = 1; seed <= 600; seed++) {
		uint64_t hash, count;
		net_random(t, seed, -1);
		if (!t->n)
			continue;
		count = net_brute(t, &hash);
		if (count > 600) {
			csp_free(t->n);
			continue;
		}
		struct figures f = examine(t->n, seed % 2 ? CSP_ALG_MAC : CSP_ALG_LEARN);
		assert_int_equal(f.all, count);
		with += f.order > 1 && f.all > 0;
		all++;
	}
	printf("%zu of %zu random networks had symmetries\n", with, all);
	assert_true(with > 20);
	mem_free(t);
}

/* The objective must not change: x + 2y has no symmetry, x + y has one. */
static void objectives(void **state)
{
	(void)state;
	for (int64_t c = 1; c <= 2; c++) {
		struct csp *n = csp_new();
		struct csp_symmetry y;
		struct csp_options o = csp_defaults;
		struct csp_stats s;
		variables(n, 2, 0, 4);
		differ(n, 0, 1);
		csp_objective_sum(n, (uint32_t[]){0, 1}, (int64_t[]){1, c}, 2, true);
		csp_symmetry_find(n, &(struct limit){0}, &y);
		assert_int_equal((int)y.mantissa, c == 1 ? 2 : 1);
		csp_symmetry_break(n, &y);
		o.value_symmetry = true;
		assert_int_equal(csp_solve(n, &o, &s), CSP_OPTIMUM);
		assert_int_equal(s.best, c == 1 ? 7 : 11);
		csp_symmetry_free(&y);
		csp_free(n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_groups),    cmocka_unit_test(long_tables), cmocka_unit_test(held_constraints),
		cmocka_unit_test(random_networks), cmocka_unit_test(objectives),
	};
	return RUN(tests);
}
