/* Of the solutions that symmetries lead to one another, keep the first.
 *
 * Solutions are ordered lexicographically, variables as declared, values from the smallest on.
 * For a symmetry s the constraint A <= s(A) keeps the first of every orbit (lex-leader,
 * Crawford, Ginsberg, Luks and Roy 1996), and so does any set of such constraints:
 * that of the whole group keeps no other. Where s permutes variables only, it is
 * one on the variables. Else literals are compared: a hidden 0/1 variable says whether x = v
 * holds, and with the literals in the order of variables and values, the first solution is
 * the largest 0/1 vector. Both speak of the same order, so they may be mixed.
 *
 * Interchangeable values alone are better broken by the search (mac.c), which has no
 * fixed order; that must not be mixed with the constraints here. */
#include "csp/csp_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_ELEMENTS 128            /* that are written out */
#define MAX_CELLS ((size_t)1 << 22) /* of these elements, and of the constraints */

struct leader {
	struct csp *n;
	struct csp_symmetry *s;
	VEC(uint32_t) elements; /* the identity first */
	size_t count;
	uint32_t *var_of;  /* by literal */
	uint32_t *holds;   /* by literal: its 0/1 variable, or CSP_NONE */
	uint32_t *inverse; /* of the element at hand */
	size_t cells;
	VEC(uint32_t) a, b;
};

static bool known(const struct leader *k, const uint32_t *e)
{
	for (size_t i = 0; i < k->count; i++)
		if (!memcmp(k->elements.at + i * k->s->literals, e, k->s->literals * sizeof *e))
			return true;
	return false;
}

static bool room(const struct leader *k)
{
	return k->count < MAX_ELEMENTS && (k->count + 1) * k->s->literals <= MAX_CELLS;
}

/* Products of generators, shortest first: all of the group where there is room. */
static bool write_elements(struct leader *k)
{
	uint32_t points = k->s->literals, *e = mem_alloc(points + 1, sizeof *e);
	bool all = true;
	assert(k->s->images.n == k->s->generators * points);
	vec_extend(&k->elements, points);
	for (uint32_t l = 0; l < points; l++)
		k->elements.at[l] = l;
	k->count = 1;
	for (size_t i = 0; i < k->count && all; i++)
		for (size_t g = 0; g < k->s->generators && all; g++) {
			for (uint32_t l = 0; l < points; l++)
				e[l] = k->s->images.at[g * points + k->elements.at[i * points + l]];
			if (known(k, e))
				continue;
			if (!(all = room(k)))
				break;
			vec_extend(&k->elements, points);
			memcpy(k->elements.at + k->count++ * points, e, points * sizeof *e);
		}
	assert(k->elements.n == k->count * points);
	mem_free(e);
	return all;
}

/* ---- one element ---- */

static int32_t value_of(const struct leader *k, uint32_t l)
{
	assert(l < k->s->literals);
	const struct var *v = &k->n->vars.at[k->var_of[l]];
	assert(l - v->lit < v->count);
	return var_value(k->n, v, l - v->lit);
}

/* Every literal goes to one of the same value, those of a variable to one variable. */
static bool moves_variables(const struct leader *k, const uint32_t *e)
{
	for (uint32_t l = 0; l < k->s->literals; l++) {
		if (e[l] == l)
			continue;
		uint32_t first = k->n->vars.at[k->var_of[l]].lit + dom_first(k->n, k->var_of[l]);
		if (value_of(k, l) != value_of(k, e[l]) || k->var_of[e[l]] != k->var_of[e[first]])
			return false;
	}
	return true;
}

static bool compare_variables(struct leader *k)
{
	struct csp *n = k->n;
	for (uint32_t l = 0; l < k->s->literals; l++) {
		uint32_t x = k->var_of[l];
		if (k->inverse[l] != l && l == n->vars.at[x].lit + dom_first(n, x)) {
			vec_push(&k->a, x);
			vec_push(&k->b, k->var_of[k->inverse[l]]);
		}
	}
	k->cells += k->a.n;
	assert(k->a.n >= 2 && k->a.n == k->b.n);
	return csp_add_lex(n, k->a.at, k->b.at, k->a.n, CSP_LE) != CSP_NONE;
}

/* The 0/1 variable of a literal. */
static uint32_t holds(struct leader *k, uint32_t l)
{
	struct csp *n = k->n;
	uint32_t x = k->var_of[l];
	if (k->holds[l] != CSP_NONE)
		return k->holds[l];
	char name[32];
	snprintf(name, sizeof name, "_literal_%u", l);
	uint32_t y = csp_var_range(n, name, 0, 1), count = n->vars.at[x].count;
	if (y == CSP_NONE)
		return y;
	int32_t *rows = mem_alloc(2 * (size_t)count, sizeof *rows);
	for (uint32_t i = 0; i < count; i++) {
		rows[2 * i] = var_value(n, &n->vars.at[x], i);
		rows[2 * i + 1] = n->vars.at[x].lit + i == l;
	}
	csp_add_table(n, (uint32_t[]){x, y}, 2, rows, count, true);
	mem_free(rows);
	csp_hide(n, y);
	return k->holds[l] = y;
}

static bool compare_literals(struct leader *k)
{
	for (uint32_t l = 0; l < k->s->literals; l++) {
		if (k->inverse[l] == l)
			continue;
		uint32_t a = holds(k, l), b = holds(k, k->inverse[l]);
		if (a == CSP_NONE || b == CSP_NONE)
			return false;
		vec_push(&k->a, a);
		vec_push(&k->b, b);
	}
	k->cells += k->a.n;
	assert(k->a.n >= 2 && k->a.n == k->b.n);
	return csp_add_lex(k->n, k->a.at, k->b.at, k->a.n, CSP_GE) != CSP_NONE;
}

static bool post(struct leader *k, const uint32_t *e)
{
	for (uint32_t l = 0; l < k->s->literals; l++)
		k->inverse[e[l]] = l;
	for (uint32_t l = 0; l < k->s->literals; l++) /* a permutation */
		assert(k->inverse[e[l]] == l);
	vec_clear(&k->a);
	vec_clear(&k->b);
	return moves_variables(k, e) ? compare_variables(k) : compare_literals(k);
}

/* ---- all ---- */

/* How many permutations of values the search breaks by itself. */
static double value_order(struct csp *n)
{
	uint32_t count = n->vars.at[0].count, *class_of = NEW_ARRAY(uint32_t, count), *size = NEW_ARRAY(uint32_t, count);
	double order = 1;
	if (csp_value_classes(n, class_of))
		for (uint32_t i = 0; i < count; i++)
			order *= ++size[class_of[i]];
	mem_free(class_of);
	mem_free(size);
	return order;
}

void csp_symmetry_break(struct csp *n, struct csp_symmetry *s)
{
	struct leader k = {.n = n, .s = s};
	if (!s->generators || n->literals != s->literals || n->levels.n)
		return;
	assert(n->vars.n);
	s->values = value_order(n);
	bool all = write_elements(&k);
	s->by_values = s->values > 1 && (all ? s->values == (double)k.count : s->values >= (double)k.count);
	k.var_of = NEW_ARRAY(uint32_t, s->literals);
	k.holds = NEW_ARRAY(uint32_t, s->literals);
	k.inverse = NEW_ARRAY(uint32_t, s->literals);
	memset(k.holds, 0xff, s->literals * sizeof *k.holds);
	for (uint32_t x = 0; x < n->vars.n; x++)
		for (uint32_t i = 0; i < n->vars.at[x].count; i++)
			k.var_of[n->vars.at[x].lit + i] = x;
	bool ok = !s->by_values;
	for (size_t i = 1; i < k.count && ok && k.cells < MAX_CELLS; i++)
		if ((ok = post(&k, k.elements.at + i * s->literals)))
			s->posted++;
	s->all = all && (s->by_values || s->posted + 1 == k.count);
	assert(s->posted < k.count);
	mem_free(k.var_of);
	mem_free(k.holds);
	mem_free(k.inverse);
	vec_free(&k.elements);
	vec_free(&k.a);
	vec_free(&k.b);
}
