/* Expressions, tables, and sums with allDifferent: one small network for each way to propagate. */
#include "cli/bench_networks.h"

#include <stdio.h>
#include <string.h>

/* As many queens on as many rows, none on the lines of another. */
static void queens(macaw_csp *n)
{
	enum { QUEENS = 8 };
	uint32_t q[QUEENS];
	for (int i = 0; i < QUEENS; i++) {
		char name[8];
		snprintf(name, sizeof name, "q%d", i);
		q[i] = macaw_csp_var_range(n, name, 0, QUEENS - 1);
	}
	macaw_csp_add_alldiff(n, q, QUEENS, NULL, 0);
	for (int i = 0; i < QUEENS; i++)
		for (int j = i + 1; j < QUEENS; j++) {
			uint32_t both[2] = {macaw_csp_expr_var(n, q[i]), macaw_csp_expr_var(n, q[j])};
			uint32_t apart[2] = {macaw_csp_expr(n, MACAW_CSP_OP_DIST, both, 2), macaw_csp_expr_const(n, j - i)};
			macaw_csp_add_intension(n, macaw_csp_expr(n, MACAW_CSP_OP_NE, apart, 2));
		}
}

/* Random tables of three variables; the numbers are drawn by a generator of our own, which never changes. */
static void tables(macaw_csp *n)
{
	enum { VARIABLES = 18, VALUES = 5, TABLES = 26, ROWS = 62 };
	uint32_t x[VARIABLES];
	uint64_t seed = 7;
	for (int i = 0; i < VARIABLES; i++) {
		char name[8];
		snprintf(name, sizeof name, "x%d", i);
		x[i] = macaw_csp_var_range(n, name, 0, VALUES - 1);
	}
	for (int t = 0; t < TABLES; t++) {
		int32_t rows[ROWS][3];
		uint32_t scope[3];
		for (uint32_t k = 0; k < 3; k++) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			scope[k] = x[((seed >> 33) % (VARIABLES / 3)) * 3 + k];
		}
		for (int r = 0; r < ROWS; r++)
			for (int k = 0; k < 3; k++) {
				seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
				rows[r][k] = (int32_t)((seed >> 33) % VALUES);
			}
		macaw_csp_add_table(n, scope, 3, rows[0], ROWS, true);
	}
}

/* The magic squares of three rows. */
static void square(macaw_csp *n)
{
	uint32_t x[9];
	static const uint32_t lines[][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
	                                    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
	for (int i = 0; i < 9; i++) {
		char name[8];
		snprintf(name, sizeof name, "c%d", i);
		x[i] = macaw_csp_var_range(n, name, 1, 9);
	}
	macaw_csp_add_alldiff(n, x, 9, NULL, 0);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		macaw_csp_add_sum(n, (uint32_t[]){x[lines[i][0]], x[lines[i][1]], x[lines[i][2]]}, (int64_t[]){1, 1, 1}, 3,
		                  MACAW_CSP_EQ, 15);
}

macaw_csp *bench_network(const char *name)
{
	static const struct {
		const char *name;
		void (*make)(macaw_csp *);
	} all[] = {{"queens", queens}, {"tables", tables}, {"square", square}};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strcmp(all[i].name, name)) {
			macaw_csp *n = macaw_csp_new(NULL);
			if (n)
				all[i].make(n);
			return n;
		}
	return NULL;
}
