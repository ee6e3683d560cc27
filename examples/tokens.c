/* A strategic problem: take one or two of five tokens in turn, who takes the last one wins. */
#include <macaw/qcsp.h>

#include <stdio.h>

#define TOKENS 5

int main(void)
{
	macaw_error error = {0};
	macaw_csp *n = macaw_csp_new(&error);
	if (!n)
		return error.status;
	uint32_t left[TOKENS + 1], take[TOKENS];
	char name[16];
	left[0] = macaw_csp_var_range(n, "left0", TOKENS, TOKENS);
	for (uint32_t i = 0; i < TOKENS; i++) {
		snprintf(name, sizeof name, "take%u", i);
		take[i] = macaw_csp_var_range(n, name, 1, 2);
		snprintf(name, sizeof name, "left%u", i + 1);
		left[i + 1] = macaw_csp_var_range(n, name, 0, TOKENS);
	}
	for (uint32_t i = 0; i < TOKENS; i++) /* left[i] - take[i] = left[i + 1] */
		macaw_csp_add_sum(n, (uint32_t[]){left[i], take[i], left[i + 1]}, (int64_t[]){1, -1, -1}, 3, MACAW_CSP_EQ, 0);

	macaw_qcsp *q = macaw_qcsp_new(n, true, &error); /* takes n over */
	for (uint32_t i = 0; q && i < TOKENS; i++)
		macaw_qcsp_quantify(q, take[i], i % 2); /* we begin */
	macaw_qcsp_result *r = q ? macaw_qcsp_solve(q, NULL, &error) : NULL;
	bool wins = r && macaw_qcsp_status(r) == MACAW_CSP_SAT;
	printf("the first player %s\n", wins ? "wins:" : "does not win");
	char *strategy = wins ? macaw_qcsp_print(r, 3) : NULL;
	printf("%s", strategy ? strategy : "");
	bool checked = wins && macaw_qcsp_verify(r, 100000, NULL, NULL, &error);
	macaw_free(strategy);
	macaw_qcsp_result_free(r);
	macaw_qcsp_free(q);
	return checked ? 0 : 1;
}
