/* Interchangeable values: a and b are when swapping them everywhere maps every
 * constraint to itself. Swaps that work generate the whole symmetric group of
 * their class, so looking at pairs is enough. */
#include "csp/csp_internal.h"

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

/* Is every row with a and b swapped a row too? */
static bool table_invariant(const struct relation *t, uint32_t a, uint32_t b)
{
	uint32_t *row = mem_alloc(t->arity, 4);
	bool ok = true;
	for (size_t r = 0; r < t->rows && ok; r++) {
		bool moved = false;
		for (uint32_t p = 0; p < t->arity; p++) {
			uint32_t v = t->cells[r * t->arity + p];
			row[p] = v == a ? b : v == b ? a : v;
			moved |= row[p] != v;
		}
		ok = !moved || relation_has_row(t, row);
	}
	mem_free(row);
	return ok;
}

/* Only equalities between variables, and logic over them. */
static bool expr_invariant(const struct csp *n, uint32_t e, bool top)
{
	const struct node *d = &n->nodes.at[e];
	bool logic = d->op >= CSP_OP_NOT && d->op <= CSP_OP_IMP, equal = d->op == CSP_OP_EQ || d->op == CSP_OP_NE;
	if (d->op == CSP_OP_VAR)
		return !top;
	if (!logic && !equal)
		return false;
	for (uint32_t i = 0; i < d->count; i++) {
		uint32_t k = n->args.at[d->args + i];
		if (equal ? n->nodes.at[k].op != CSP_OP_VAR : !expr_invariant(n, k, true))
			return false;
	}
	return true;
}

static bool listed(const int64_t *v, int64_t count, int64_t value)
{
	for (int64_t i = 0; i < count; i++)
		if (v[i] == value)
			return true;
	return false;
}

static bool con_invariant(const struct csp *n, const struct con *c, uint32_t a, uint32_t b)
{
	int64_t va = var_value(n, &n->vars.at[0], a), vb = var_value(n, &n->vars.at[0], b);
	const int64_t *nums = n->nums.at + c->data;
	switch ((enum csp_kind)c->kind) {
	case CSP_TABLE: return table_invariant(&n->relations.at[c->data], a, b);
	case CSP_INTENSION:
		if (c->relation != CSP_NONE)
			return table_invariant(&n->relations.at[c->relation], a, b);
		return expr_invariant(n, c->data, true);
	case CSP_ALLDIFF: return listed(nums + 1, nums[0], va) == listed(nums + 1, nums[0], vb);
	case CSP_COUNT: return !nums[2] && listed(nums + 4, nums[3], va) == listed(nums + 4, nums[3], vb);
	case CSP_INSTANTIATION: return !listed(nums, c->arity, va) && !listed(nums, c->arity, vb);
	default: return false;
	}
}

static bool interchangeable(const struct csp *n, uint32_t a, uint32_t b)
{
	for (uint32_t x = 0; x < n->vars.n; x++)
		if (dom_has(n, x, a) != dom_has(n, x, b))
			return false;
	for (size_t c = 0; c < n->cons.n; c++)
		if (!con_invariant(n, &n->cons.at[c], a, b))
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
