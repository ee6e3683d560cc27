/* Simple tabular reduction, second version (Lecoutre 2011), with `*` in tuples;
 * and counting of conflicts for negative tables. Both keep the live tuples in
 * the first part of a permutation whose length is the only thing undone. */
#include "csp/csp_internal.h"

static bool row_alive(const struct csp *n, const uint32_t *scope, const uint32_t *row, const uint32_t *check,
                      uint32_t checks)
{
	for (uint32_t i = 0; i < checks; i++) {
		uint32_t p = check[i];
		if (row[p] != CSP_CELL_ANY && !dom_has(n, scope[p], row[p]))
			return false;
	}
	return true;
}

/* Scratch layout: check[arity], need[arity] as 32-bit, then the support masks. */
bool csp_prop_str2(struct csp *n, uint32_t ci, uint64_t changed)
{
	(void)changed;
	const struct con *c = &n->cons.at[ci];
	struct relation *t = &n->relations.at[c->relation];
	const uint32_t *scope = con_scope(n, c);
	uint32_t arity = c->arity, *live = n->memo[ci], limit = (uint32_t)n->state.at[c->state];
	size_t bits = 0;
	for (uint32_t p = 0; p < arity; p++)
		bits += n->vars.at[scope[p]].words;
	uint64_t *area = net_scratch(n, arity * 2 + bits);
	uint32_t *check = (uint32_t *)area, *need = check + arity, *left = need + arity, *base = left + arity;
	uint64_t *sup = area + arity * 2;
	uint32_t checks = 0, needs = 0;
	/* 1. whose validity must be checked (changed since last time), who needs supports */
	for (uint32_t p = 0, b = 0; p < arity; p++) {
		uint32_t size = dom_size(n, scope[p]);
		base[p] = b;
		for (uint32_t w = 0; w < n->vars.at[scope[p]].words; w++)
			sup[b++] = 0;
		if (n->state.at[c->state + 1 + p] != size) {
			check[checks++] = p;
			state_save(n, c->state + 1 + p, 1);
			n->state.at[c->state + 1 + p] = size;
		}
		left[p] = size;
		if (size > 1)
			need[needs++] = p;
	}
	/* 2. scan the live tuples */
	for (uint32_t i = limit; i--;) {
		const uint32_t *row = t->cells + (size_t)live[i] * arity;
		if (!row_alive(n, scope, row, check, checks)) {
			uint32_t r = live[i];
			live[i] = live[--limit];
			live[limit] = r;
			continue;
		}
		for (uint32_t j = 0; j < needs;) {
			uint32_t p = need[j];
			if (row[p] == CSP_CELL_ANY) {
				left[p] = 0;
			} else if (!bits_has(sup + base[p], row[p])) {
				bits_add(sup + base[p], row[p]);
				left[p]--;
			}
			if (left[p])
				j++;
			else
				need[j] = need[--needs];
		}
	}
	if (limit != n->state.at[c->state]) {
		state_save(n, c->state, 1);
		n->state.at[c->state] = limit;
	}
	if (!limit)
		return false;
	/* 3. values without support go */
	for (uint32_t j = 0; j < needs; j++) {
		uint32_t p = need[j];
		if (!dom_keep(n, scope[p], sup + base[p]))
			return false;
		state_save(n, c->state + 1 + p, 1);
		n->state.at[c->state + 1 + p] = dom_size(n, scope[p]);
	}
	return true;
}

/* A value is lost when all its completions are forbidden: when the live
 * conflicts that contain it are as many as the product of the other domains. */
bool csp_prop_negative(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	struct relation *t = &n->relations.at[c->relation];
	const uint32_t *scope = con_scope(n, c);
	uint32_t arity = c->arity, *live = n->memo[ci], limit = (uint32_t)n->state.at[c->state];
	uint32_t *all = (uint32_t *)net_scratch(n, arity), *size = all + arity, *count = t->unsupported;
	for (uint32_t p = 0; p < arity; p++) {
		all[p] = p;
		size[p] = dom_size(n, scope[p]); /* the counts below belong to these sizes, not to later ones */
	}
	for (uint32_t i = 0; i < t->pairs; i++)
		count[i] = 0;
	for (uint32_t i = limit; i--;) {
		const uint32_t *row = t->cells + (size_t)live[i] * arity;
		if (row_alive(n, scope, row, all, arity)) {
			for (uint32_t p = 0; p < arity; p++)
				count[t->first[p] + row[p]]++;
		} else {
			uint32_t r = live[i];
			live[i] = live[--limit];
			live[limit] = r;
		}
	}
	if (limit != n->state.at[c->state]) {
		state_save(n, c->state, 1);
		n->state.at[c->state] = limit;
	}
	for (uint32_t p = 0; p < arity; p++) {
		uint64_t others = 1;
		for (uint32_t q = 0; q < arity && others <= limit; q++)
			if (q != p)
				others *= size[q];
		if (others > limit)
			continue;
		DOM_EACH (i, n, scope[p])
			if (count[t->first[p] + i] == others && !dom_drop(n, scope[p], (uint32_t)i))
				return false;
	}
	return true;
}

/* What can only be checked: wait until one variable is left, then try its values. */
bool csp_prop_check(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const uint32_t *scope = con_scope(n, c);
	uint32_t free = CSP_NONE, *at = (uint32_t *)net_scratch(n, c->arity);
	for (uint32_t p = 0; p < c->arity; p++) {
		at[p] = dom_first(n, scope[p]);
		if (dom_size(n, scope[p]) == 1)
			continue;
		if (free != CSP_NONE && free != scope[p])
			return true;
		free = scope[p];
	}
	if (free == CSP_NONE)
		return con_holds(n, ci, at);
	DOM_EACH (i, n, free) {
		at = (uint32_t *)n->scratch;
		for (uint32_t p = 0; p < c->arity; p++)
			if (scope[p] == free)
				at[p] = (uint32_t)i;
		if (!con_holds(n, ci, at) && !dom_drop(n, free, (uint32_t)i))
			return false;
	}
	return true;
}
