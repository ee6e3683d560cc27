/* domains [FILE] [HOW] [VARIABLE=VALUE ...]: what is left of the domains of a network after each assignment, a row
 * each.
 *
 *     domains examples/csp/australia.xml fc WA=red Q=green V=blue
 *
 * HOW: none, fc (forward checking), node, ac3, ac, sac, path or k (macaw_csp_consistency_name). Without FILE, the map
 * of Australia by forward checking. */
#include <macaw/csp.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char australia[] =
	"<instance format=\"XCSP3\" type=\"CSP\"><variables>"
	"<var id=\"WA\" type=\"symbolic\"> red green blue </var><var id=\"NT\" as=\"WA\"/><var id=\"Q\" as=\"WA\"/>"
	"<var id=\"NSW\" as=\"WA\"/><var id=\"V\" as=\"WA\"/><var id=\"SA\" as=\"WA\"/><var id=\"T\" "
	"as=\"WA\"/></variables>"
	"<constraints><group><intension> ne(%0,%1) </intension><args> WA NT </args><args> WA SA </args><args> NT SA </args>"
	"<args> NT Q </args><args> SA Q </args><args> SA NSW </args><args> SA V </args><args> Q NSW </args><args> NSW V "
	"</args>"
	"</group></constraints></instance>";
static char *australia_steps[] = {"WA=red", "Q=green", "V=blue"};

static void print_row(macaw_csp *n, const char *what, uint32_t dead)
{
	printf("%-12s", what);
	for (uint32_t x = 0; x < macaw_csp_variables(n); x++) {
		if (macaw_csp_hidden(n, x))
			continue;
		printf("  %s:", macaw_csp_name(n, x));
		const char *between = "";
		for (uint32_t at = x == dead ? MACAW_NONE : macaw_csp_next_at(n, x, 0); at != MACAW_NONE;
		     at = macaw_csp_next_at(n, x, at + 1)) {
			int32_t v = macaw_csp_value(n, x, at);
			if (macaw_csp_symbolic(n, x))
				printf("%s%s", between, macaw_csp_symbol_text(n, v));
			else
				printf("%s%d", between, v);
			between = ",";
		}
	}
	printf("\n");
}

/* Values of y that the constraint forbids when all its other variables are assigned. A domain that this would empty
 * keeps its last value in the library, so *dead says that none is left. */
static void check_forward(macaw_csp *n, uint32_t c, const bool *assigned, uint32_t *dead)
{
	uint32_t arity = macaw_csp_arity(n, c), open = MACAW_NONE, count = 0;
	const uint32_t *scope = macaw_csp_scope(n, c);
	uint32_t *at = malloc(arity * sizeof *at);
	for (uint32_t i = 0; at && i < arity; i++) {
		at[i] = macaw_csp_next_at(n, scope[i], 0);
		if (!assigned[scope[i]]) {
			open = i;
			count++;
		}
	}
	uint32_t y = open == MACAW_NONE ? MACAW_NONE : scope[open];
	for (uint32_t v = at && count == 1 ? macaw_csp_next_at(n, y, 0) : MACAW_NONE; v != MACAW_NONE;
	     v = macaw_csp_next_at(n, y, v + 1)) {
		at[open] = v;
		if (!macaw_csp_check_at(n, c, at) && !macaw_csp_forbid_at(n, y, v))
			*dead = y;
	}
	free(at);
}

/* VARIABLE=VALUE; the value's index in *at. */
static bool find(macaw_csp *n, const char *words, uint32_t *x, uint32_t *at)
{
	const char *equals = strchr(words, '=');
	char name[64];
	if (!equals || (size_t)(equals - words) >= sizeof name)
		return false;
	memcpy(name, words, (size_t)(equals - words));
	name[equals - words] = 0;
	*x = macaw_csp_find(n, name);
	if (*x == MACAW_NONE)
		return false;
	for (*at = 0; *at < macaw_csp_count(n, *x); ++*at) {
		int32_t v = macaw_csp_value(n, *x, *at);
		if (macaw_csp_symbolic(n, *x) ? !strcmp(macaw_csp_symbol_text(n, v), equals + 1) : v == atoi(equals + 1))
			return true;
	}
	return false;
}

/* False: inconsistent. */
static bool tighten(macaw_csp *n, int how, const bool *assigned, uint32_t *dead)
{
	if (how < 0) {
		for (uint32_t c = 0; c < macaw_csp_constraints(n); c++)
			check_forward(n, c, assigned, dead);
		return *dead == MACAW_NONE;
	}
	return macaw_csp_enforce(n, (enum macaw_csp_consistency)how, 0, NULL) != MACAW_CSP_INCONSISTENT;
}

static int run(macaw_csp *n, const char *by, char **steps, int count)
{
	int how = strcmp(by, "fc") ? 0 : -1;
	while (how >= 0 && macaw_csp_consistency_name((enum macaw_csp_consistency)how) &&
	       strcmp(by, macaw_csp_consistency_name((enum macaw_csp_consistency)how)) != 0)
		how++;
	if (how >= 0 && !macaw_csp_consistency_name((enum macaw_csp_consistency)how)) {
		fprintf(stderr, "%s is no consistency: none, fc, node, ac3, ac, sac, path, k\n", by);
		return 2;
	}
	bool *assigned = calloc(macaw_csp_variables(n) + 1, sizeof *assigned);
	uint32_t dead = MACAW_NONE;
	bool fine = assigned && tighten(n, how, assigned, &dead);
	print_row(n, "at first", dead);
	for (int i = 0; fine && i < count; i++) {
		uint32_t x, at;
		if (!find(n, steps[i], &x, &at)) {
			fprintf(stderr, "%s: no such variable or value\n", steps[i]);
			free(assigned);
			return 2;
		}
		assigned[x] = true;
		fine = macaw_csp_assign_at(n, x, at) && tighten(n, how, assigned, &dead);
		print_row(n, steps[i], dead);
	}
	if (dead != MACAW_NONE)
		printf("no value is left for %s\n", macaw_csp_name(n, dead));
	else if (!fine)
		printf("inconsistent\n");
	free(assigned);
	return 0;
}

int main(int argc, char **argv)
{
	macaw_error error = {0};
	macaw_csp *n =
		argc > 1 ? macaw_csp_load(argv[1], &error) : macaw_csp_parse(australia, sizeof australia - 1, NULL, &error);
	if (!n) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	int status = argc > 1 ? run(n, argc > 2 ? argv[2] : "ac", argv + 3, argc > 3 ? argc - 3 : 0)
	                      : run(n, "fc", australia_steps, 3);
	macaw_csp_free(n);
	return status;
}
