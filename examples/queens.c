/* n queens as a constraint network: queens [N]. Counts the solutions and prints the first. */
#include <macaw/csp.h>

#include <stdio.h>
#include <stdlib.h>

static bool first(void *context, macaw_csp *n, const int32_t *values)
{
	bool *seen = context;
	for (uint32_t x = 0; x < macaw_csp_variables(n) && !*seen; x++)
		printf("%s=%d%s", macaw_csp_name(n, x), values[x], x + 1 < macaw_csp_variables(n) ? " " : "\n");
	*seen = true;
	return true; /* go on */
}

/* Queens i and j stand on different diagonals: |q[i] - q[j]| != j - i. */
static void apart(macaw_csp *n, uint32_t i, uint32_t j)
{
	uint32_t both[] = {macaw_csp_expr_var(n, i), macaw_csp_expr_var(n, j)};
	uint32_t sides[] = {macaw_csp_expr(n, MACAW_CSP_OP_DIST, both, 2), macaw_csp_expr_const(n, (int64_t)j - i)};
	macaw_csp_add_intension(n, macaw_csp_expr(n, MACAW_CSP_OP_NE, sides, 2));
}

int main(int argc, char **argv)
{
	uint32_t size = argc > 1 ? (uint32_t)atoi(argv[1]) : 8, column[32];
	char name[16];
	macaw_csp *n = macaw_csp_new(NULL);
	if (!n || size < 1 || size > 32)
		return 2;
	for (uint32_t i = 0; i < size; i++) {
		snprintf(name, sizeof name, "q%u", i);
		column[i] = macaw_csp_var_range(n, name, 1, (int32_t)size);
	}
	macaw_csp_add_alldiff(n, column, size, NULL, 0);
	for (uint32_t j = 1; j < size; j++)
		for (uint32_t i = 0; i < j; i++)
			apart(n, column[i], column[j]);

	bool seen = false;
	macaw_csp_stats s;
	enum macaw_csp_status status =
		macaw_csp_solve(n, &(macaw_csp_options){.all = true, .solution = first, .context = &seen}, &s);
	printf("%llu solutions, %llu nodes\n", (unsigned long long)s.solutions, (unsigned long long)s.nodes);
	macaw_csp_free(n);
	return status == MACAW_CSP_UNKNOWN ? 1 : 0;
}
