/* FlatZinc: domains before there is a network, then the variables of the network.
 *
 * What constraints of one variable say goes into its domain, and variables that must be equal become one: a 0/1 integer
 * beside a Boolean (bool2int), x = y. */
#include "csp/flatzinc/flatzinc_internal.h"

#include <assert.h>
#include <stdio.h>

#define MOST_LISTED (1 << 22) /* values that are kept one by one where there are gaps */
#define MOST_BITS 4096        /* values kept one by one where no constraint needs it */

bool fz_meet(struct fzn *f, struct fz_var *v, const struct fz_range *ranges, size_t count)
{
	struct fz_range *out = arena_alloc(&f->text, (v->count + count + 1) * sizeof *out);
	size_t i = 0, j = 0, k = 0;
	while (i < v->count && j < count) {
		int64_t low = v->ranges[i].low > ranges[j].low ? v->ranges[i].low : ranges[j].low;
		int64_t high = v->ranges[i].high < ranges[j].high ? v->ranges[i].high : ranges[j].high;
		if (low <= high)
			out[k++] = (struct fz_range){low, high};
		if (v->ranges[i].high < ranges[j].high)
			i++;
		else
			j++;
	}
	v->ranges = out;
	v->count = k;
	return k > 0;
}

uint32_t fz_root(struct fzn *f, uint32_t v)
{
	assert(v < f->vars.n);
	while (f->vars.at[v].same != v) {
		f->vars.at[v].same = f->vars.at[f->vars.at[v].same].same;
		v = f->vars.at[v].same;
	}
	return v;
}

void fz_unite(struct fzn *f, uint32_t a, uint32_t b)
{
	assert(a < f->vars.n && b < f->vars.n);
	a = fz_root(f, a);
	b = fz_root(f, b);
	if (a == b)
		return;
	uint32_t first = a < b ? a : b, second = a < b ? b : a;
	fz_meet(f, &f->vars.at[first], f->vars.at[second].ranges, f->vars.at[second].count);
	f->vars.at[second].same = first;
}

static struct fz_var *root_of(struct fzn *f, const struct fz_expr *e)
{
	return &f->vars.at[fz_root(f, (uint32_t)e->number)];
}

struct fz_range fz_bounds(struct fzn *f, const struct fz_expr *e)
{
	if (e->tag != FZ_VAR)
		return (struct fz_range){e->number, e->number};
	const struct fz_var *v = root_of(f, e);
	return v->count ? (struct fz_range){v->ranges[0].low, v->ranges[v->count - 1].high} : (struct fz_range){0, 0};
}

bool fz_is_fixed(struct fzn *f, const struct fz_expr *e, int64_t *value)
{
	struct fz_range r = fz_bounds(f, e);
	*value = r.low;
	return r.low == r.high;
}

/* ---- simplifying ---- */

static void meet_bounds(struct fzn *f, const struct fz_expr *e, int64_t low, int64_t high)
{
	fz_meet(f, root_of(f, e), &(struct fz_range){low, high}, 1);
}

/* The variable is none of these values. */
static void drop_value(struct fzn *f, const struct fz_expr *e, int64_t v)
{
	struct fz_range rest[2] = {{INT64_MIN, v - 1}, {v + 1, INT64_MAX}};
	fz_meet(f, root_of(f, e), rest, 2);
}

static bool simplify_equal(struct fzn *f, const struct fz_expr *a)
{
	int64_t v;
	if (a[0].tag == FZ_VAR && a[1].tag == FZ_VAR)
		fz_unite(f, (uint32_t)a[0].number, (uint32_t)a[1].number);
	else if (a[0].tag == FZ_VAR && fz_is_fixed(f, &a[1], &v))
		meet_bounds(f, &a[0], v, v);
	else if (a[1].tag == FZ_VAR && fz_is_fixed(f, &a[0], &v))
		meet_bounds(f, &a[1], v, v);
	else
		return a[0].number == a[1].number;
	return true;
}

/* a + gap <= b where one of them is a number */
static bool simplify_order(struct fzn *f, const struct fz_expr *a, int64_t gap)
{
	int64_t v;
	if (a[0].tag == FZ_VAR && fz_is_fixed(f, &a[1], &v))
		meet_bounds(f, &a[0], INT64_MIN, v - gap);
	else if (a[1].tag == FZ_VAR && fz_is_fixed(f, &a[0], &v))
		meet_bounds(f, &a[1], v + gap, INT64_MAX);
	else
		return false;
	return true;
}

static bool simplify_unequal(struct fzn *f, const struct fz_expr *a)
{
	for (int i = 0; i < 2; i++)
		if (a[i].tag == FZ_VAR && a[!i].tag == FZ_INT) {
			drop_value(f, &a[i], a[!i].number);
			return true;
		}
	return false;
}

static int by_low(const void *a, const void *b)
{
	const struct fz_range *x = a, *y = b;
	return (x->low > y->low) - (x->low < y->low);
}

/* The value of an element of constants is one of them; the constraint stays. */
static void narrow_element(struct fzn *f, const struct fz_expr *a)
{
	if (a[0].tag != FZ_VAR || a[2].tag != FZ_VAR || a[1].tag != FZ_ARRAY || !a[1].count)
		return;
	struct fz_range *r = arena_alloc(&f->text, a[1].count * sizeof *r);
	size_t k = 0;
	for (size_t i = 0; i < a[1].count; i++)
		r[i] = (struct fz_range){a[1].items[i].number, a[1].items[i].number};
	qsort(r, a[1].count, sizeof *r, by_low);
	for (size_t i = 0; i < a[1].count; i++)
		if (k && r[i].low - 1 <= r[k - 1].high)
			r[k - 1].high = r[i].high;
		else
			r[k++] = r[i];
	fz_meet(f, root_of(f, &a[2]), r, k);
	meet_bounds(f, &a[0], 1, (int64_t)a[1].count);
}

/* Lengths and heights of tasks; the constraint stays. */
static void not_negative(struct fzn *f, const struct fz_expr *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].tag == FZ_VAR)
			meet_bounds(f, &list->items[i], 0, INT64_MAX);
}

/* True: its variables' domains say all it says. */
static bool simplify(struct fzn *f, const struct fz_constraint *c)
{
	const struct fz_expr *a = c->args;
	const char *s = c->name;
	if (!strcmp(s, "int_eq") || !strcmp(s, "bool_eq") || !strcmp(s, "bool2int"))
		return simplify_equal(f, a);
	if (!strcmp(s, "int_le") || !strcmp(s, "bool_le"))
		return simplify_order(f, a, 0);
	if (!strcmp(s, "int_lt") || !strcmp(s, "bool_lt"))
		return simplify_order(f, a, 1);
	if (!strcmp(s, "int_ne"))
		return simplify_unequal(f, a);
	if (!strcmp(s, "set_in") && a[0].tag == FZ_VAR) {
		fz_meet(f, root_of(f, &a[0]), a[1].ranges, a[1].count);
		return true;
	}
	if (!strcmp(s, "array_int_element") || !strcmp(s, "array_bool_element"))
		narrow_element(f, a);
	if (!strcmp(s, "fzn_cumulative") || !strcmp(s, "fzn_disjunctive"))
		not_negative(f, &a[1]);
	if (!strcmp(s, "fzn_cumulative"))
		not_negative(f, &a[2]);
	return false;
}

static void mark_each(struct fzn *f, const struct fz_expr *e)
{
	if (e->tag == FZ_VAR)
		root_of(f, e)->each = true;
	for (size_t i = 0; e->tag == FZ_ARRAY && i < e->count; i++)
		mark_each(f, &e->items[i]);
}

void fz_simplify(struct fzn *f)
{
	size_t k = 0;
	for (size_t i = 0; i < f->constraints.n; i++) {
		struct fz_constraint c = f->constraints.at[i];
		fz_check(f, &c);
		if (!simplify(f, &c))
			f->constraints.at[k++] = c;
	}
	f->constraints.n = k;
	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; f->constraints.at[i].row->each && j < f->constraints.at[i].count; j++)
			mark_each(f, &f->constraints.at[i].args[j]);
}

/* ---- the variables of the network ---- */

static uint32_t listed(struct fzn *f, const struct fz_var *v)
{
	vec_clear(&f->cells);
	for (size_t i = 0; i < v->count; i++)
		for (int64_t k = v->ranges[i].low; k <= v->ranges[i].high; k++)
			vec_push(&f->cells, (int32_t)k);
	return csp_var_values(f->n, v->name, f->cells.at, f->cells.n);
}

/* An interval, with a constraint for the gaps. */
static uint32_t interval(struct fzn *f, const struct fz_var *v)
{
	uint32_t x = csp_var_interval(f->n, v->name, (int32_t)v->ranges[0].low, (int32_t)v->ranges[v->count - 1].high);
	vec_clear(&f->xs);
	for (size_t i = 0; v->count > 1 && x != CSP_NONE && i < v->count; i++) {
		uint32_t e = csp_expr_var(f->n, x);
		uint32_t above[2] = {e, csp_expr_const(f->n, v->ranges[i].low)},
				 below[2] = {e, csp_expr_const(f->n, v->ranges[i].high)};
		uint32_t both[2] = {csp_expr(f->n, CSP_OP_GE, above, 2), csp_expr(f->n, CSP_OP_LE, below, 2)};
		vec_push(&f->xs, csp_expr(f->n, CSP_OP_AND, both, 2));
	}
	if (f->xs.n)
		fz_posted(f, csp_add_intension(f->n, csp_expr(f->n, CSP_OP_OR, f->xs.at, f->xs.n)));
	return x;
}

static uint32_t declare(struct fzn *f, struct fz_var *v)
{
	f->where = v->where;
	f->posting = NULL;
	if (!v->count) {
		fz_never(f);
		return csp_var_range(f->n, v->name, 0, 0);
	}
	int64_t low = v->ranges[0].low, high = v->ranges[v->count - 1].high, values = 0;
	for (size_t i = 0; i < v->count; i++)
		values += v->ranges[i].high - v->ranges[i].low + 1;
	if (v->count > 1 && values <= (v->each ? MOST_LISTED : MOST_BITS))
		return listed(f, v);
	if (v->count > 1 || (values > MOST_BITS && !v->each))
		return interval(f, v);
	return csp_var_range(f->n, v->name, (int32_t)low, (int32_t)high);
}

void fz_declare(struct fzn *f)
{
	for (size_t i = 0; i < f->vars.n; i++) {
		if (f->vars.at[i].same != i)
			continue;
		uint32_t x = declare(f, &f->vars.at[i]);
		f->vars.at[i].x = fz_posted(f, x);
	}
}

uint32_t fz_constant(struct fzn *f, int64_t value)
{
	uint64_t h = hash_mix((uint64_t)value);
	uint32_t it = 0, id;
	char name[40];
	for (table_start(&f->constants, h, &it); (id = table_next(&f->constants, h, &it)) != TABLE_NONE;)
		if (csp_value(f->n, f->constant_vars.at[id], 0) == value)
			return f->constant_vars.at[id];
	if (value < INT32_MIN / 2 || value > INT32_MAX / 2)
		fz_fail(f, f->where, "%lld is beyond the numbers that variables can have", (long long)value);
	snprintf(name, sizeof name, "#=%lld", (long long)value);
	uint32_t x = fz_posted(f, csp_var_range(f->n, name, (int32_t)value, (int32_t)value));
	csp_hide(f->n, x);
	table_add(&f->constants, h, narrow32(f->constant_vars.n));
	vec_push(&f->constant_vars, x);
	return x;
}

uint32_t fz_variable(struct fzn *f, const struct fz_expr *e)
{
	if (e->tag == FZ_VAR)
		return root_of(f, e)->x;
	return fz_constant(f, e->number);
}

uint32_t fz_hidden(struct fzn *f, int64_t low, int64_t high)
{
	char name[40];
	snprintf(name, sizeof name, "#%u", ++f->hidden);
	if (low < INT32_MIN / 2 || high > INT32_MAX / 2)
		fz_fail(f, f->where, "a sum between %lld and %lld is beyond the numbers that variables can have",
		        (long long)low, (long long)high);
	uint32_t x = fz_posted(f, high - low > MOST_BITS ? csp_var_interval(f->n, name, (int32_t)low, (int32_t)high)
	                                                 : csp_var_range(f->n, name, (int32_t)low, (int32_t)high));
	csp_hide(f->n, x);
	return x;
}
