/* Two days in a shop: how much to order before the demand is known, when what is left over can be sold the next day.
 *
 * Each day 0 to 2 loaves are asked for, one being as likely as the others together. Whoever throws bread away at the
 * end, or runs out of it, has failed; the policy found is the one that fails least often. It is a tree: the order of
 * the second day depends on what happened on the first. */
#include <macaw/scsp.h>

#include <stdio.h>

/* Prints the decisions of a policy, those of the second day behind what was asked for on the first. */
static void print_policy(const macaw_scsp_result *r, const macaw_csp *n, uint32_t node, int depth)
{
	if (node == MACAW_SCSP_LEAF)
		return;
	macaw_scsp_node here = macaw_scsp_node_of(r, node);
	for (uint32_t i = 0; i < here.arcs; i++) {
		macaw_scsp_arc arc = macaw_scsp_arc_of(r, node, i);
		if (depth < 3) /* the rest follows, or is the demand of the second day */
			printf("%*s%s = %d\n", 2 * depth, "", macaw_csp_name(n, here.variable),
			       macaw_csp_value(n, here.variable, arc.at));
		print_policy(r, n, arc.child, depth + 1);
	}
}

int main(void)
{
	static const macaw_probability demand[] = {{.num = 1, .den = 4}, {.num = 1, .den = 2}, {.num = 1, .den = 4}};
	macaw_error error;
	macaw_csp *n = macaw_csp_new(&error);
	if (!n) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	/* variables in the order in which they become known */
	uint32_t order1 = macaw_csp_var_range(n, "order on the first day", 0, 4);
	uint32_t demand1 = macaw_csp_var_range(n, "demand", 0, 2);
	uint32_t order2 = macaw_csp_var_range(n, "order on the second day", 0, 4);
	uint32_t demand2 = macaw_csp_var_range(n, "demand on the second day", 0, 2);

	/* what can be drawn, and how likely it is */
	macaw_scsp *s = macaw_scsp_new(n, 1, &error);
	if (!s) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	macaw_scsp_draw(s, demand1, demand);
	macaw_scsp_draw(s, demand2, demand);

	/* constraints that may fail: enough on the first day, and nothing too much or too little after the second */
	macaw_csp *chance = macaw_scsp_chance(s);
	macaw_csp_add_sum(chance, (uint32_t[]){order1, demand1}, (int64_t[]){1, -1}, 2, MACAW_CSP_GE, 0);
	macaw_csp_add_sum(chance, (uint32_t[]){order1, order2, demand1, demand2}, (int64_t[]){1, 1, -1, -1}, 4,
	                  MACAW_CSP_EQ, 0);

	macaw_scsp_result *r = macaw_scsp_solve(s, &(macaw_scsp_options){.aim = MACAW_SCSP_BEST}, &error);
	if (!r) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	size_t best = macaw_scsp_policies(r) - 1; /* each one found is better than those before */
	double worth = macaw_scsp_expected(r, best)[0], checked;
	print_policy(r, n, macaw_scsp_root(r, best), 0);
	printf("all is well with probability %g\n", worth);
	bool right = macaw_scsp_check(r, best, &checked, NULL, &error) && worth == 0.4375;
	macaw_scsp_result_free(r);
	macaw_scsp_free(s);
	return right ? 0 : 1;
}
