/* A stochastic problem: how much to stock before the demand is known. Prints the policy that meets it most often. */
#include <macaw/scsp.h>

#include <stdio.h>

int main(void)
{
	macaw_error error = {0};
	macaw_csp *hard = macaw_csp_new(&error);
	if (!hard)
		return error.status;
	uint32_t stock = macaw_csp_var_range(hard, "stock", 0, 3), demand = macaw_csp_var_range(hard, "demand", 1, 3);
	macaw_csp_add_sum(hard, &stock, (int64_t[]){1}, 1, MACAW_CSP_LE, 2); /* the room there is */

	macaw_scsp *s = macaw_scsp_new(hard, 1, &error); /* takes `hard` over */
	if (!s)
		return error.status;
	macaw_scsp_draw(s, demand, (macaw_probability[]){{1, 2, 0}, {1, 4, 0}, {1, 4, 0}});
	/* stock >= demand may fail, with as little probability as possible */
	macaw_csp_add_sum(macaw_scsp_chance(s), (uint32_t[]){stock, demand}, (int64_t[]){1, -1}, 2, MACAW_CSP_GE, 0);

	macaw_scsp_result *r = macaw_scsp_solve(s, &(macaw_scsp_options){.aim = MACAW_SCSP_BEST}, &error);
	char *policy = r && macaw_scsp_policies(r) ? macaw_scsp_print(r, 0) : NULL;
	if (policy)
		printf("%ssatisfied with probability %.2f\n", policy, macaw_scsp_expected(r, 0)[0]);
	macaw_free(policy);
	macaw_scsp_result_free(r);
	macaw_scsp_free(s);
	return policy ? 0 : 1;
}
