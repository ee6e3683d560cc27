/* Interchangeable values: a and b are when swapping them everywhere maps every
 * constraint to itself. Swaps that work generate the whole symmetric group of
 * their class, so looking at pairs is enough. */
#include "csp/globals/globals_internal.h"

#include <assert.h>

static bool same_values(const struct csp *n)
{
	const struct var *a = &n->vars.at[0];
	for (uint32_t x = 1; x < n->vars.n; x++) {
		const struct var *b = &n->vars.at[x];
		if (a->count != b->count)
			return false;
		for (uint32_t i = 0; i < a->count; i++)
			if (var_value(n, a, i) != var_value(n, b, i))
				return false;
	}
	return true;
}

static bool swaps(const struct csp *n, const struct con *c, uint32_t a, uint32_t b)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct kind *k = csp_kinds[c->kind];
	return k->swaps && k->swaps(n, c, a, b);
}

static bool interchangeable(const struct csp *n, uint32_t a, uint32_t b)
{
	for (uint32_t x = 0; x < n->vars.n; x++)
		if (dom_has(n, x, a) != dom_has(n, x, b))
			return false;
	for (size_t c = 0; c < n->cons.n; c++)
		if (!swaps(n, &n->cons.at[c], a, b))
			return false;
	return true;
}

uint32_t csp_value_classes(struct csp *n, uint32_t *class_of)
{
	if (!n->vars.n || !same_values(n) || n->has_objective)
		return 0;
	net_index(n);
	uint32_t count = n->vars.at[0].count, classes = 0;
	for (uint32_t i = 0; i < count; i++) {
		class_of[i] = classes;
		uint32_t j = 0;
		while (j < i && !interchangeable(n, j, i))
			j++;
		if (j < i)
			class_of[i] = class_of[j];
		else
			classes++;
	}
	return classes;
}
