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
	static const char *const seeds[] = {
		"predicate p(array [int] of var int: x);\nint: k = 3;\narray [1..2] of int: c = [1,-1];\nvar 1..9: x :: "
		"output_var;\n"
		"var bool: b;\nvar {1,5,7}: z;\narray [1..3] of var int: a :: output_array([1..3]) = [x,k,z];\n"
		"constraint int_lin_le_reif(c,[z,x],k,b);\nconstraint bool_clause([b],[]);\nconstraint "
		"fzn_all_different_int(a);\n"
		"solve :: int_search(a, first_fail, indomain_split, complete) minimize x;\n",
		"var 0..5: s; var 0..5: t; var 0..3: u; var bool: c;\nconstraint fzn_cumulative([s,t],[2,u],[1,1],1);\n"
		"constraint fzn_regular([s,t],2,3,[1,2,0,2,1,1],1,{2});\nconstraint fzn_table_int([s,u],[1,2,3,0]);\n"
		"constraint array_int_element(s,[3,1,2,2],t);\nconstraint int_times(s,t,u);\nconstraint "
		"set_in_reif(u,{0,2},c);\n"
		"constraint macaw_circuit([s,t,u],1);\nconstraint fzn_global_cardinality([s,t],[1,2],[u,1]);\n"
		"solve :: seq_search([bool_search([c],input_order,indomain_max,complete)]) :: restart_luby(50) satisfy;\n",
		NULL};
	static const char *const words[] = {
		"constraint ", "var ",        "1..3", "{1,2}", "array [1..2] of ", "int_le(",   "::",       "true",      "[",
		"]",           "99999999999", "-1",   ";",     "solve satisfy;",   "maximize ", "int_div(", "bool_xor(", NULL};
	return mutate_main(argc, argv, seeds, words, "fuzz_flatzinc-failed");
}
#endif
