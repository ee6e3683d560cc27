#include "random_net.h"

#include "base/hash.h"
#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int below(struct rng *r, int n)
{
	return (int)rng_below(r, (uint32_t)n);
}

/* ---- making ---- */

static void pick_scope(struct rng *r, const struct net *t, struct spec *c, int arity)
{
	int order[NET_VARS];
	for (int i = 0; i < t->vars; i++)
		order[i] = i;
	for (int i = t->vars; i > 1; i--) {
		int j = below(r, i), x = order[i - 1];
		order[i - 1] = order[j];
		order[j] = x;
	}
	c->arity = arity < t->vars ? arity : t->vars;
	for (int i = 0; i < c->arity; i++)
		c->scope[i] = (uint32_t)order[i];
}

static int32_t some_value(struct rng *r, const struct net *t, uint32_t x)
{
	return t->value[x][below(r, t->count[x])];
}

static struct tree *grow(struct rng *r, struct net *t, const struct spec *c, int depth, bool boolean)
{
	static const enum csp_operator number_ops[] = {CSP_OP_ADD,  CSP_OP_SUB, CSP_OP_MUL, CSP_OP_DIV, CSP_OP_MOD,
	                                               CSP_OP_DIST, CSP_OP_MIN, CSP_OP_MAX, CSP_OP_NEG, CSP_OP_ABS,
	                                               CSP_OP_SQR,  CSP_OP_IF,  CSP_OP_POW};
	static const enum csp_operator logic_ops[] = {CSP_OP_LT,  CSP_OP_LE,  CSP_OP_GE, CSP_OP_GT,   CSP_OP_NE,
	                                              CSP_OP_EQ,  CSP_OP_AND, CSP_OP_OR, CSP_OP_NOT,  CSP_OP_IFF,
	                                              CSP_OP_IMP, CSP_OP_XOR, CSP_OP_IN, CSP_OP_NOTIN};
	struct tree *e = &t->pool[t->pooled++];
	*e = (struct tree){0};
	if (!boolean && (depth <= 0 || below(r, 3) == 0)) {
		bool var = below(r, 4) > 0;
		e->op = var ? CSP_OP_VAR : CSP_OP_CONST;
		e->value = var ? (int64_t)c->scope[below(r, c->arity)] : below(r, 7) - 3;
		return e;
	}
	int k = boolean ? (depth <= 0 ? below(r, 6) : below(r, 14)) : below(r, 13);
	e->op = boolean ? logic_ops[k] : number_ops[k];
	bool unary = e->op == CSP_OP_NEG || e->op == CSP_OP_ABS || e->op == CSP_OP_SQR || e->op == CSP_OP_NOT;
	e->count = unary ? 1 : e->op == CSP_OP_IF ? 3 : 2;
	if (e->op == CSP_OP_IN || e->op == CSP_OP_NOTIN) {
		struct tree *set = &t->pool[t->pooled++];
		*set = (struct tree){.op = CSP_OP_SET, .count = 2};
		for (int i = 0; i < 2; i++) {
			set->arg[i] = &t->pool[t->pooled++];
			*set->arg[i] = (struct tree){.op = CSP_OP_CONST, .value = below(r, 7) - 3};
		}
		e->arg[0] = grow(r, t, c, depth - 1, false);
		e->arg[1] = set;
		return e;
	}
	bool inner_logic = e->op >= CSP_OP_NOT && e->op <= CSP_OP_IMP;
	for (int i = 0; i < e->count; i++)
		e->arg[i] = grow(r, t, c, depth - 1, inner_logic || (e->op == CSP_OP_IF && i == 0));
	return e;
}

static uint32_t to_csp(struct csp *n, const struct tree *e)
{
	if (e->op == CSP_OP_CONST)
		return csp_expr_const(n, e->value);
	if (e->op == CSP_OP_VAR)
		return csp_expr_var(n, (uint32_t)e->value);
	uint32_t args[3];
	for (int i = 0; i < e->count; i++)
		args[i] = to_csp(n, e->arg[i]);
	return csp_expr(n, e->op, args, (size_t)e->count);
}

static bool mentions_var(const struct tree *e)
{
	if (e->op == CSP_OP_VAR)
		return true;
	for (int i = 0; i < e->count; i++)
		if (mentions_var(e->arg[i]))
			return true;
	return false;
}

static void make_table(struct rng *r, struct net *t, struct spec *c)
{
	pick_scope(r, t, c, 1 + below(r, 4));
	c->positive = below(r, 3) > 0;
	c->row_count = below(r, 40);
	bool stars = below(r, 2);
	for (int i = 0; i < c->row_count; i++)
		for (int p = 0; p < c->arity; p++)
			c->rows[i * c->arity + p] = stars && below(r, 4) == 0 ? CSP_ANY : some_value(r, t, c->scope[p]);
	csp_add_table(t->n, c->scope, (size_t)c->arity, c->rows, (size_t)c->row_count, c->positive);
}

static bool make(struct rng *r, struct net *t, struct spec *c)
{
	int32_t values[NET_VARS];
	struct csp *n = t->n;
	c->kx = CSP_NONE;
	c->r = (enum csp_relation)below(r, 6);
	switch (c->kind) {
	case CSP_TABLE: make_table(r, t, c); return true;
	case CSP_INTENSION:
		pick_scope(r, t, c, 1 + below(r, 4));
		c->tree = grow(r, t, c, 3, true);
		return mentions_var(c->tree) && csp_add_intension(n, to_csp(n, c->tree)) != CSP_NONE;
	case CSP_ALLDIFF:
		pick_scope(r, t, c, 2 + below(r, 5));
		c->value_count = below(r, 4) == 0;
		c->nums[0] = some_value(r, t, c->scope[0]);
		values[0] = (int32_t)c->nums[0];
		return csp_add_alldiff(n, c->scope, (size_t)c->arity, values, (size_t)c->value_count) != CSP_NONE;
	case CSP_SUM:
		pick_scope(r, t, c, 1 + below(r, 5));
		for (int p = 0; p < c->arity; p++)
			c->nums[p] = below(r, 9) - 4;
		c->k = below(r, 15) - 7;
		return csp_add_sum(n, c->scope, c->nums, (size_t)c->arity, c->r, c->k) != CSP_NONE;
	case CSP_ELEMENT:
		pick_scope(r, t, c, 3 + below(r, 3));
		if (c->arity < 3)
			return false;
		c->k = below(r, 3) - 1;
		return csp_add_element(n, c->scope, (size_t)c->arity - 2, (int32_t)c->k, c->scope[c->arity - 2],
		                       c->scope[c->arity - 1]) != CSP_NONE;
	case CSP_COUNT:
		pick_scope(r, t, c, 2 + below(r, 4));
		c->value_count = 1 + below(r, 2);
		for (int i = 0; i < c->value_count; i++)
			values[i] = (int32_t)(c->nums[i] = some_value(r, t, c->scope[0]));
		c->k = below(r, 4);
		if (below(r, 2))
			c->kx = c->scope[--c->arity];
		return csp_add_count(n, c->scope, (size_t)c->arity, values, (size_t)c->value_count, c->r, c->k, c->kx) !=
		       CSP_NONE;
	case CSP_ORDERED:
		pick_scope(r, t, c, 2 + below(r, 4));
		c->r = (enum csp_relation)below(r, 4);
		for (int i = 0; i + 1 < c->arity; i++)
			c->nums[i] = below(r, 4) - 1;
		return csp_add_ordered(n, c->scope, (size_t)c->arity, c->nums, c->r) != CSP_NONE;
	case CSP_LEX:
		pick_scope(r, t, c, 6);
		c->arity -= c->arity % 2;
		c->r = (enum csp_relation)below(r, 4);
		if (c->arity < 2)
			return false;
		return csp_add_lex(n, c->scope, c->scope + c->arity / 2, (size_t)c->arity / 2, c->r) != CSP_NONE;
	case CSP_INSTANTIATION:
		pick_scope(r, t, c, 1 + below(r, 2));
		for (int i = 0; i < c->arity; i++)
			values[i] = (int32_t)(c->nums[i] = some_value(r, t, c->scope[i]));
		return csp_add_instantiation(n, c->scope, (size_t)c->arity, values) != CSP_NONE;
	case CSP_CHANNEL:
		pick_scope(r, t, c, 6);
		c->value_count = c->arity / 2; /* size of the first list */
		c->two_way = c->value_count == c->arity - c->value_count;
		c->k = below(r, 3) - 1;
		c->nums[0] = below(r, 3) - 1;
		if (c->value_count < 1)
			return false;
		return csp_add_channel(n, c->scope, (size_t)c->value_count, (int32_t)c->k, c->scope + c->value_count,
		                       (size_t)(c->arity - c->value_count), (int32_t)c->nums[0]) != CSP_NONE;
	case CSP_NO_OVERLAP:
		pick_scope(r, t, c, 2 + below(r, 3));
		for (int i = 0; i < c->arity; i++)
			c->nums[i] = below(r, 3);
		return csp_add_no_overlap(n, c->scope, c->nums, (size_t)c->arity) != CSP_NONE;
	default:
		pick_scope(r, t, c, 2 + below(r, 3));
		if (c->arity < 2)
			return false;
		return csp_add_extremum(n, c->kind == CSP_MAXIMUM, c->scope, (size_t)c->arity - 1, c->scope[c->arity - 1]) !=
		       CSP_NONE;
	}
}

static int by_value(const void *a, const void *b)
{
	return *(const int32_t *)a < *(const int32_t *)b ? -1 : 1;
}

void net_random(struct net *t, uint64_t seed, int only_kind)
{
	struct rng r = rng_seed(seed);
	*t = (struct net){.n = csp_new(), .vars = 2 + below(&r, NET_VARS - 1)};
	for (int x = 0; x < t->vars; x++) {
		char name[8];
		int start = below(&r, 4) - 1, gaps = below(&r, 3) == 0;
		t->count[x] = 1 + below(&r, 4);
		for (int i = 0; i < t->count[x]; i++)
			t->value[x][i] = start + i * (1 + gaps * (1 + below(&r, 2)));
		qsort(t->value[x], (size_t)t->count[x], sizeof t->value[x][0], by_value);
		int k = 0;
		for (int i = 0; i < t->count[x]; i++)
			if (!k || t->value[x][k - 1] != t->value[x][i])
				t->value[x][k++] = t->value[x][i];
		t->count[x] = k;
		snprintf(name, sizeof name, "v%d", x);
		csp_var_values(t->n, name, t->value[x], (size_t)k);
	}
	int want = 1 + below(&r, NET_CONS);
	for (int i = 0; i < want; i++) {
		struct spec *c = &t->con[t->cons];
		memset(c, 0, sizeof *c);
		/* tables and expressions are half of what people write */
		c->kind = only_kind >= 0      ? (enum csp_kind)only_kind
		          : below(&r, 3) == 0 ? CSP_TABLE
		                              : (enum csp_kind)below(&r, CSP_KIND_COUNT);
		if (t->pooled > 700 && c->kind == CSP_INTENSION)
			continue;
		t->cons += make(&r, t, c);
	}
}

/* ---- judging ---- */

static bool compare(int64_t a, enum csp_relation r, int64_t b)
{
	return r == CSP_LT   ? a < b
	       : r == CSP_LE ? a <= b
	       : r == CSP_GE ? a >= b
	       : r == CSP_GT ? a > b
	       : r == CSP_NE ? a != b
	                     : a == b;
}

/* false: undefined */
static bool eval(const struct tree *e, const int32_t *v, int64_t *out)
{
	int64_t a[3] = {0};
	if (e->op == CSP_OP_CONST || e->op == CSP_OP_VAR) {
		*out = e->op == CSP_OP_CONST ? e->value : v[e->value];
		return true;
	}
	if (e->op >= CSP_OP_LT && e->op <= CSP_OP_EQ) {
		*out = eval(e->arg[0], v, &a[0]) && eval(e->arg[1], v, &a[1]) &&
		       compare(a[0], (enum csp_relation)(e->op - CSP_OP_LT), a[1]);
		return true;
	}
	if (e->op == CSP_OP_IN || e->op == CSP_OP_NOTIN) {
		const struct tree *set = e->arg[1];
		*out = eval(e->arg[0], v, &a[0]) &&
		       (a[0] == set->arg[0]->value || a[0] == set->arg[1]->value) == (e->op == CSP_OP_IN);
		return true;
	}
	if (e->op == CSP_OP_IF)
		return eval(e->arg[0], v, &a[0]) && eval(e->arg[a[0] ? 1 : 2], v, out);
	for (int i = 0; i < e->count; i++)
		if (!eval(e->arg[i], v, &a[i]))
			return false;
	switch (e->op) {
	case CSP_OP_ADD: *out = a[0] + a[1]; break;
	case CSP_OP_SUB: *out = a[0] - a[1]; break;
	case CSP_OP_MUL: *out = a[0] * a[1]; break;
	case CSP_OP_DIV:
		if (!a[1])
			return false;
		*out = a[0] / a[1];
		break;
	case CSP_OP_MOD:
		if (!a[1])
			return false;
		*out = a[0] % a[1];
		break;
	case CSP_OP_POW:
		if (a[1] < 0)
			return false;
		for (*out = 1; a[1] > 0; a[1]--)
			*out *= a[0];
		break;
	case CSP_OP_DIST: *out = llabs(a[0] - a[1]); break;
	case CSP_OP_MIN: *out = a[0] < a[1] ? a[0] : a[1]; break;
	case CSP_OP_MAX: *out = a[0] > a[1] ? a[0] : a[1]; break;
	case CSP_OP_NEG: *out = -a[0]; break;
	case CSP_OP_ABS: *out = llabs(a[0]); break;
	case CSP_OP_SQR: *out = a[0] * a[0]; break;
	case CSP_OP_AND: *out = a[0] && a[1]; break;
	case CSP_OP_OR: *out = a[0] || a[1]; break;
	case CSP_OP_NOT: *out = !a[0]; break;
	case CSP_OP_IFF: *out = !a[0] == !a[1]; break;
	case CSP_OP_XOR: *out = !a[0] != !a[1]; break;
	case CSP_OP_IMP: *out = !a[0] || a[1]; break;
	default: abort();
	}
	return true;
}

static bool table_has(const struct spec *c, const int32_t *v)
{
	for (int i = 0; i < c->row_count; i++) {
		bool match = true;
		for (int p = 0; p < c->arity && match; p++)
			match = c->rows[i * c->arity + p] == CSP_ANY || c->rows[i * c->arity + p] == v[c->scope[p]];
		if (match)
			return true;
	}
	return false;
}

static bool holds(const struct spec *c, const int32_t *v)
{
	int64_t sum = 0;
	int half = c->arity / 2;
#define AT(p) ((int64_t)v[c->scope[p]])
	switch (c->kind) {
	case CSP_TABLE: return table_has(c, v) == c->positive;
	case CSP_INTENSION: return eval(c->tree, v, &sum) && sum;
	case CSP_ALLDIFF:
		for (int i = 0; i < c->arity; i++)
			for (int j = 0; j < i; j++)
				if (AT(i) == AT(j) && !(c->value_count && AT(i) == c->nums[0]))
					return false;
		return true;
	case CSP_SUM:
		for (int i = 0; i < c->arity; i++)
			sum += c->nums[i] * AT(i);
		return compare(sum, c->r, c->k);
	case CSP_ELEMENT: {
		int64_t i = AT(c->arity - 2) - c->k;
		return i >= 0 && i < c->arity - 2 && AT(i) == AT(c->arity - 1);
	}
	case CSP_COUNT:
		for (int i = 0; i < c->arity; i++) {
			bool in = false;
			for (int j = 0; j < c->value_count; j++)
				in |= AT(i) == c->nums[j];
			sum += in;
		}
		return compare(sum, c->r, c->kx == CSP_NONE ? c->k : v[c->kx]);
	case CSP_ORDERED:
		for (int i = 0; i + 1 < c->arity; i++)
			if (!compare(AT(i) + c->nums[i], c->r, AT(i + 1)))
				return false;
		return true;
	case CSP_LEX:
		for (int i = 0; i < half; i++)
			if (AT(i) != AT(half + i))
				return compare(AT(i), c->r, AT(half + i));
		return c->r == CSP_LE || c->r == CSP_GE;
	case CSP_INSTANTIATION:
		for (int i = 0; i < c->arity; i++)
			if (AT(i) != c->nums[i])
				return false;
		return true;
	case CSP_CHANNEL: {
		int na = c->value_count, nb = c->arity - na;
		for (int i = 0; i < na; i++) {
			int64_t j = AT(i) - c->nums[0];
			if (j < 0 || j >= nb || AT(na + j) != i + c->k)
				return false;
		}
		for (int j = 0; c->two_way && j < nb; j++) {
			int64_t i = AT(na + j) - c->k;
			if (i < 0 || i >= na || AT(i) != j + c->nums[0])
				return false;
		}
		return true;
	}
	case CSP_NO_OVERLAP:
		for (int i = 0; i < c->arity; i++)
			for (int j = 0; j < i; j++)
				if (c->nums[i] && c->nums[j] && AT(i) < AT(j) + c->nums[j] && AT(j) < AT(i) + c->nums[i])
					return false;
		return true;
	default:
		sum = AT(0);
		for (int i = 1; i + 1 < c->arity; i++)
			if (c->kind == CSP_MAXIMUM ? AT(i) > sum : AT(i) < sum)
				sum = AT(i);
		return sum == AT(c->arity - 1);
	}
#undef AT
}

bool net_holds(const struct net *t, const int32_t *values)
{
	for (int i = 0; i < t->cons; i++)
		if (!holds(&t->con[i], values))
			return false;
	return true;
}

uint64_t net_hash(const int32_t *values, int count)
{
	uint64_t h = 1;
	for (int i = 0; i < count; i++)
		h = hash_join(h, (uint32_t)values[i]);
	return h;
}

uint64_t net_brute(const struct net *t, uint64_t *hash)
{
	int at[NET_VARS] = {0};
	uint64_t count = 0;
	*hash = 0;
	for (;;) {
		int32_t v[NET_VARS];
		for (int x = 0; x < t->vars; x++)
			v[x] = t->value[x][at[x]];
		if (net_holds(t, v)) {
			count++;
			*hash += net_hash(v, t->vars);
		}
		int x = t->vars;
		while (x-- > 0 && ++at[x] == t->count[x])
			at[x] = 0;
		if (x < 0)
			return count;
	}
}
