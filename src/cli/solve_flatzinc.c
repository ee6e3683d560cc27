/* macaw solve for models in FlatZinc: what is printed is what MiniZinc expects of a solver. */
#include "cli/solve_flatzinc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool solve_is_flatzinc(const char *file, const char *text, size_t length)
{
	size_t n = strlen(file);
	bool named = n > 4 && (!strcmp(file + n - 4, ".fzn") || !strcmp(file + n - 4, ".mzn"));
	return named || macaw_flatzinc_recognise(text, length);
}

/* The line that ends the answer; "" where there is none, after solutions of which there may be more. */
static const char *last_line(macaw_csp *n, const macaw_csp_stats *s, enum macaw_csp_status status)
{
	if (status == MACAW_CSP_UNSAT)
		return "=====UNSATISFIABLE=====\n";
	if (!s->solutions)
		return "=====UNKNOWN=====\n";
	return s->complete && (status == MACAW_CSP_OPTIMUM || !macaw_csp_has_objective(n)) ? "==========\n" : "";
}

void solve_flatzinc_end(macaw_csp *n, const macaw_csp_stats *s, enum macaw_csp_status status, bool count,
                        bool statistics)
{
	fputs(last_line(n, s, status), stdout);
	if (count)
		printf("%% %" PRIu64 " solutions\n", s->solutions);
	if (!statistics)
		return;
	if (s->has_best)
		printf("%%%%%%mzn-stat: objective=%" PRId64 "\n", s->best);
	for (size_t i = 0; macaw_csp_counter_name(i); i++)
		if (macaw_csp_counter(s, i))
			printf("%%%%%%mzn-stat: %s=%" PRIu64 "\n", macaw_csp_counter_name(i), macaw_csp_counter(s, i));
	printf("%%%%%%mzn-stat: solveTime=%.6f\n%%%%%%mzn-stat-end\n", s->seconds);
}
