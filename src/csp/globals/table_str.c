/* Simple tabular reduction, second version (Lecoutre 2011), with `*` in tuples;
 * and counting of conflicts for negative tables. Both keep the live tuples in
 * the first part of a permutation whose length is the only thing undone. */
#include "csp/csp_internal.h"

#include <assert.h>

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

struct str {
	struct csp *n;
	const struct con *c;
	const uint32_t *scope;
	uint32_t *check, checks; /* positions that changed since the last run: their cells must be checked */
	uint32_t *need, needs;   /* positions with values whose support is not found yet */
	uint32_t *left;          /* by position: how many such values */
	uint32_t *base;          /* by position: where its mask starts in `support` */
	uint64_t *support;       /* values with a support */
};

static void see_size(struct str *k, uint32_t p)
{
	uint32_t at = k->c->state + 1 + p;
	state_save(k->n, at, 1);
	k->n->state.at[at] = dom_size(k->n, k->scope[p]);
}

static struct str start(struct csp *n, const struct con *c)
{
	assert(c->scope + c->arity <= n->scopes.n);
	uint32_t arity = c->arity;
	size_t words = 0;
	struct str k = {.n = n, .c = c, .scope = con_scope(n, c)};
	for (uint32_t p = 0; p < arity; p++)
		words += n->vars.at[k.scope[p]].words;
	uint64_t *area = net_scratch(n, arity * 2 + words); /* four lists of 32 bits, then the masks */
	k.check = (uint32_t *)area;
	k.need = k.check + arity;
	k.left = k.need + arity;
	k.base = k.left + arity;
	k.support = area + arity * 2;
	for (uint32_t p = 0, b = 0; p < arity; p++) {
		uint32_t size = dom_size(n, k.scope[p]);
		k.base[p] = b;
		for (uint32_t w = 0; w < n->vars.at[k.scope[p]].words; w++)
			k.support[b++] = 0;
		if (n->state.at[c->state + 1 + p] != size) {
			k.check[k.checks++] = p;
			see_size(&k, p);
		}
		k.left[p] = size;
		if (size > 1)
			k.need[k.needs++] = p;
	}
	return k;
}

/* What the row supports; positions that lack nothing any more leave `need`. */
static inline void support_row(struct str *k, const uint32_t *row)
{
	for (uint32_t j = 0; j < k->needs;) {
		uint32_t p = k->need[j];
		if (row[p] == CSP_CELL_ANY) {
			k->left[p] = 0;
		} else if (!bits_has(k->support + k->base[p], row[p])) {
			bits_add(k->support + k->base[p], row[p]);
			k->left[p]--;
		}
		if (k->left[p])
			j++;
		else
			k->need[j] = k->need[--k->needs];
	}
}

/* The live tuples are the first `limit` of the permutation from now on, until the level is left. */
static inline void set_live(struct csp *n, const struct con *c, uint32_t limit)
{
	assert(c->scope + c->arity <= n->scopes.n);
	if (limit != n->state.at[c->state]) {
		state_save(n, c->state, 1);
		n->state.at[c->state] = limit;
	}
}

bool csp_prop_str2(struct csp *n, uint32_t ci, uint64_t changed)
{
	assert(ci < n->cons.n);
	(void)changed;
	const struct con *c = &n->cons.at[ci];
	const struct relation *t = &n->relations.at[c->relation];
	uint32_t *live = n->memo[ci], limit = (uint32_t)n->state.at[c->state];
	struct str k = start(n, c);
	for (uint32_t i = limit; i--;) {
		const uint32_t *row = t->cells + (size_t)live[i] * c->arity;
		if (row_alive(n, k.scope, row, k.check, k.checks)) {
			support_row(&k, row);
			continue;
		}
		uint32_t r = live[i];
		live[i] = live[--limit];
		live[limit] = r;
	}
	set_live(n, c, limit);
	if (!limit)
		return false;
	for (uint32_t j = 0; j < k.needs; j++) {
		uint32_t p = k.need[j];
		if (!dom_keep(n, k.scope[p], k.support + k.base[p]))
			return false;
		see_size(&k, p);
	}
	return true;
}

/* A value is lost when all its completions are forbidden: when the live
 * conflicts that contain it are as many as the product of the other domains. */
bool csp_prop_negative(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
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
	set_live(n, c, limit);
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
	assert(ci < n->cons.n);
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
	if (csp_wide(n, free))
		return true; /* it fails when the value is taken */
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
