/* Any bytes as FlatZinc: reading must end well and say where it refuses; small models must solve within a few nodes,
 * and their solutions print. */
#include "csp/flatzinc/flatzinc.h"

#include "fuzz/mutate.h"

static bool small(const struct csp *n)
{
	uint64_t values = 0;
	for (uint32_t x = 0; x < csp_variables(n); x++)
		values += csp_count(n, x);
	return values < 20000 && csp_constraints(n) < 200;
}

static bool check(void *user, const struct csp *n, const int32_t *values)
{
	struct text t = {0};
	(void)n;
	MUST(csp_check_values(fzn_network(user), values));
	fzn_print(user, values, false, &t);
	text_free(&t);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct csp_source_error e;
	struct fzn *f = fzn_read((const char *)data, size, &e);
	MUST(f || (e.message[0] && e.line));
	if (f && small(fzn_network(f))) {
		struct csp_options o = csp_defaults;
		struct csp_stats s;
		o.max_nodes = 200;
		o.max_solutions = 3;
		o.solution = check;
		o.user = f;
		o.phases = fzn_phases(f, &o.phase_count);
		csp_solve(fzn_network(f), &o, &s);
	}
	fzn_free(f);
	return 0;
}

#ifndef MACAW_LIBFUZZER
int main(int argc, char **argv)
{
	static const char *const words[] = {
		"constraint ", "var ",        "1..3", "{1,2}", "array [1..2] of ", "int_le(",   "::",       "true",      "[",
		"]",           "99999999999", "-1",   ";",     "solve satisfy;",   "maximize ", "int_div(", "bool_xor(", NULL};
	return mutate_main(argc, argv, words, "fuzz_flatzinc-failed");
}
#endif
