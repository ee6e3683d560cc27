/* The split of a one-stage problem: Algorithms 1 and 2 and the feasibility constraint, on the example of the paper, and
 * on random problems, where hard part and feasibility constraint have the solutions of brute force. */
#include "../test.h"

#include "base/rng.h"
#include "scsp/split.h"

static struct scsp *read_example(const char *name)
{
	char path[4096];
	const char *source = getenv("MACAW_SOURCE");
	struct text t = {0}, error = {0};
	struct csp_source_error e;
	snprintf(path, sizeof path, "%s/examples/scsp/%s", source ? source : ".", name);
	if (!text_read_file(&t, path, 1 << 20, &error))
		fail_msg("%s: %s", path, text_str(&error));
	struct scsp *s = scsp_read_xml(t.at, t.n, &e);
	if (!s)
		fail_msg("%s:%u: %s", path, e.line, e.message);
	text_free(&t);
	return s;
}

struct found {
	uint32_t count;
	int32_t last[8];
};

static bool take(void *user, const struct csp *n, const int32_t *values)
{
	struct found *f = user;
	f->count++;
	for (uint32_t x = 0; x < csp_variables(n) && x < 8; x++)
		f->last[x] = values[x];
	return true;
}

/* MAC with dom/ddeg on the hard part, deciding the decisions only: the number of solutions over these. */
static struct found solve_hard(struct csp *hard, const uint32_t *decisions, size_t count)
{
	struct found f = {0};
	struct csp_options o = csp_defaults;
	struct csp_stats st;
	o.order = CSP_ORDER_DOM_DEG;
	o.max_solutions = 0;
	o.branch = decisions;
	o.branch_count = count;
	o.solution = take;
	o.user = &f;
	csp_solve(hard, &o, &st);
	assert_true(st.complete);
	return f;
}

static void example(void **state)
{
	struct scsp *s = read_example("split.xml");
	struct text error = {0};
	struct csp *hard = scsp_hard_part(s);
	struct scsp *chance = scsp_chance_part(s, &error);
	struct scsp_feasible f;
	(void)state;
	assert_non_null(hard);
	assert_non_null(chance);
	uint32_t x1 = csp_find(hard, "x1"), x2 = csp_find(hard, "x2"), decisions[] = {x1, x2};
	assert_int_equal(csp_constraints(hard), 1);
	assert_int_equal(csp_constraints(scsp_chance(chance)), 2);
	assert_int_equal(csp_constraints(scsp_hard(chance)), 0);
	assert_true(scsp_theta(chance, 0) > 0.7499 && scsp_theta(chance, 0) < 0.7501);
	assert_int_equal(solve_hard(hard, decisions, 2).count, 3);
	csp_free(hard);
	hard = scsp_hard_part(s);
	assert_true(scsp_add_feasibility(hard, chance, &f, NULL));
	assert_int_equal(f.scope.n, 2);
	assert_int_equal(f.rows, 2);
	assert_memory_equal(f.tuples.at, ((int32_t[]){2, 1, 2, 2}), 4 * sizeof(int32_t));
	struct found found = solve_hard(hard, decisions, 2);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.last[x1], 2);
	assert_int_equal(found.last[x2], 2);
	scsp_feasible_free(&f);
	csp_free(hard);
	scsp_free(chance);
	scsp_free(s);
}

/* Two decisions and a draw, random tables over pairs; the constraints on the draw are all of chance, or all hard. */
static struct scsp *random_problem(struct rng *g, bool strict)
{
	struct csp *n = csp_new();
	uint32_t x[3];
	struct scsp_p p[4];
	for (uint32_t i = 0; i < 3; i++)
		x[i] = csp_var_range(n, (const char *[]){"a", "b", "y"}[i], 0, 1 + (int32_t)rng_below(g, 3));
	uint32_t count = csp_count(n, x[2]);
	for (uint32_t i = 0; i < count; i++)
		p[i] = scsp_ratio(1, count);
	struct scsp *s = scsp_new(n, 1);
	scsp_draw(s, x[2], p);
	for (uint32_t c = 0; c < 4; c++) {
		uint32_t i = rng_below(g, 3), j = (i + 1 + rng_below(g, 2)) % 3, scope[2] = {x[i], x[j]};
		int32_t tuples[32];
		size_t rows = 0;
		for (uint32_t v = 0; v < csp_count(n, scope[0]); v++)
			for (uint32_t w = 0; w < csp_count(n, scope[1]); w++)
				if (rng_below(g, 5)) {
					tuples[rows * 2] = (int32_t)v;
					tuples[rows++ * 2 + 1] = (int32_t)w;
				}
		csp_add_table((i == 2 || j == 2) && !strict ? scsp_chance(s) : n, scope, 2, tuples, rows, true);
	}
	scsp_threshold(s, 0, strict ? 1 : rng_below(g, 5) / 4.0);
	return s;
}

static void random_problems(void **state)
{
	struct rng g = rng_seed(11);
	uint64_t solutions = 0;
	(void)state;
	for (int i = 0; i < 400; i++) {
		struct scsp *s = random_problem(&g, i & 1);
		struct scsp_options o = {.method = SCSP_BRUTE, .aim = SCSP_ALL};
		struct scsp_result r;
		struct scsp_feasible f;
		struct text error = {0};
		struct csp *hard = scsp_hard_part(s);
		struct scsp *chance = scsp_chance_part(s, &error);
		assert_non_null(hard);
		assert_non_null(chance);
		assert_true(scsp_add_feasibility(hard, chance, &f, NULL));
		scsp_solve(s, &o, &r);
		struct found found = solve_hard(hard, (uint32_t[]){0, 1}, 2);
		assert_int_equal(found.count, r.forest.policies.n);
		solutions += found.count;
		scsp_feasible_free(&f);
		scsp_result_free(&r);
		csp_free(hard);
		scsp_free(chance);
		scsp_free(s);
	}
	assert_true(solutions > 400);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(example),
		cmocka_unit_test(random_problems),
	};
	return RUN(cases);
}
