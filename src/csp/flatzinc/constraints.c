/* FlatZinc: the standard constraints. A row says what a constraint is called, what its arguments are and who posts it;
 * globals.c and tables.c have further rows. */
#include "base/nearest.h"
#include "csp/flatzinc/flatzinc_internal.h"
#include "csp/globals/globals_internal.h"

#include <assert.h>

/* Letters of the arguments: i integer, b Boolean (each a variable or a constant), k integer constant, S constant set,
 * capitals I B K L (Boolean constants) Z (sets) arrays of these. */

static bool argument_fits(const struct fzn *f, const struct fz_expr *e, char letter)
{
	bool boolean = e->tag == FZ_BOOL || (e->tag == FZ_VAR && f->vars.at[e->number].boolean);
	bool integer = e->tag == FZ_INT || (e->tag == FZ_VAR && !f->vars.at[e->number].boolean);
	switch (letter) {
	case 'i': return integer;
	case 'b': return boolean;
	case 'k': return e->tag == FZ_INT;
	case 'l': return e->tag == FZ_BOOL;
	case 'S': return e->tag == FZ_SET;
	default: break;
	}
	char each = letter == 'Z' ? 'S' : (char)(letter + 'a' - 'A');
	if (e->tag != FZ_ARRAY)
		return false;
	for (size_t i = 0; i < e->count; i++)
		if (!argument_fits(f, &e->items[i], each))
			return false;
	return true;
}

static const char *letter_meaning(char letter)
{
	switch (letter) {
	case 'i': return "an integer";
	case 'b': return "a Boolean";
	case 'k': return "an integer constant";
	case 'S': return "a constant set of integers";
	case 'I': return "an array of integers";
	case 'B': return "an array of Booleans";
	case 'K': return "an array of integer constants";
	case 'L': return "an array of Boolean constants";
	default: return "an array of constant sets";
	}
}

void fz_check(struct fzn *f, struct fz_constraint *c)
{
	const struct fz_row *row = c->row = fz_row(c->name, c->count);
	if (!row) {
		const char *all[600], *args, *name;
		size_t k = 0;
		while (k < 599 && (name = fzn_constraint(k, &args)))
			all[k++] = name;
		all[k] = NULL;
		const char *near = nearest_word(c->name, all);
		if (!strncmp(c->name, "float_", 6) || !strncmp(c->name, "int2float", 9))
			fz_fail(f, c->where, "floats are not supported (%.60s)", c->name);
		if (near)
			fz_fail(f, c->where, "constraint %.60s is not known; did you mean %s?", c->name, near);
		fz_fail(f, c->where, "constraint %.60s is not known; was the model compiled for another solver?", c->name);
	}
	if (strlen(row->args) != c->count)
		fz_fail(f, c->where, "%s takes %zu arguments, not %zu", row->name, strlen(row->args), c->count);
	for (size_t i = 0; i < c->count; i++)
		if (!argument_fits(f, &c->args[i], row->args[i]))
			fz_fail(f, c->args[i].where, "argument %zu of %s is not %s", i + 1, row->name,
			        letter_meaning(row->args[i]));
}

uint32_t fz_posted(struct fzn *f, uint32_t c)
{
	if (c == CSP_NONE && f->posting)
		fz_fail(f, f->where, "%s: %s", f->posting, csp_error(f->n));
	if (c == CSP_NONE)
		fz_fail(f, f->where, "%s", csp_error(f->n));
	return c;
}

void fz_never(struct fzn *f)
{
	uint32_t x = fz_constant(f, 0);
	int64_t one = 1;
	fz_posted(f, csp_add_sum(f->n, &x, &one, 1, CSP_EQ, 1));
}

/* ---- linear constraints and clauses ---- */

struct term {
	uint32_t x;
	int64_t coeff;
};

static int by_variable(const void *a, const void *b)
{
	const struct term *s = a, *t = b;
	return (s->x > t->x) - (s->x < t->x);
}

static enum csp_relation negated(enum csp_relation r)
{
	static const enum csp_relation not [] = {CSP_GE, CSP_GT, CSP_LT, CSP_LE, CSP_EQ, CSP_NE};
	assert((size_t)r < sizeof not / sizeof *not );
	return not [r];
}

/* Terms into f->xs and f->ints without constants and with no variable twice; what is left of k. */
static int64_t gather(struct fzn *f, const struct fz_expr *coeffs, const struct fz_expr *vars, int64_t k)
{
	assert(!coeffs || coeffs->count == vars->count);
	struct term *t = arena_alloc(&f->text, (vars->count + 1) * sizeof *t);
	size_t n = 0;
	for (size_t i = 0; i < vars->count; i++) {
		int64_t v, c = coeffs ? coeffs->items[i].number : 1;
		if (fz_is_fixed(f, &vars->items[i], &v)) {
			if (__builtin_mul_overflow(v, c, &v) || __builtin_sub_overflow(k, v, &k))
				fz_fail(f, f->where, "%s: arithmetic overflow", f->posting);
			continue;
		}
		t[n++] = (struct term){fz_variable(f, &vars->items[i]), c};
	}
	if (n > 1)
		qsort(t, n, sizeof *t, by_variable);
	vec_clear(&f->xs);
	vec_clear(&f->ints);
	for (size_t i = 0; i < n;) {
		int64_t sum = 0;
		size_t j = i;
		for (; j < n && t[j].x == t[i].x; j++)
			if (__builtin_add_overflow(sum, t[j].coeff, &sum))
				fz_fail(f, f->where, "%s: arithmetic overflow", f->posting);
		if (sum) {
			vec_push(&f->xs, t[i].x);
			vec_push(&f->ints, sum);
		}
		i = j;
	}
	assert(f->xs.n == f->ints.n);
	return k;
}

/* The Boolean says that something holds that is known to hold, or not to. */
static void post_known(struct fzn *f, bool holds, const struct fz_expr *b, enum csp_reification mode)
{
	int64_t v;
	if (!b && !holds)
		fz_never(f);
	if (!b || (mode == CSP_REIFIED_FROM && holds) || (mode == CSP_REIFIED_TO && !holds))
		return;
	if (fz_is_fixed(f, b, &v)) {
		if (v != holds)
			fz_never(f);
		return;
	}
	uint32_t x = fz_variable(f, b);
	int64_t one = 1;
	fz_posted(f, csp_add_sum(f->n, &x, &one, 1, CSP_EQ, holds));
}

void fz_linear(struct fzn *f, const struct fz_expr *coeffs, const struct fz_expr *vars, enum csp_relation r, int64_t k,
               const struct fz_expr *b, enum csp_reification mode)
{
	int64_t said = 1;
	if (coeffs && coeffs->count != vars->count)
		fz_fail(f, coeffs->where, "%s: %zu coefficients, %zu variables", f->posting, coeffs->count, vars->count);
	k = gather(f, coeffs, vars, k);
	if (!f->xs.n) {
		post_known(f, compare_values(0, r, k), b, mode);
		return;
	}
	bool fixed = !b || fz_is_fixed(f, b, &said);
	if (fixed && ((!said && mode == CSP_REIFIED_FROM) || (said && b && mode == CSP_REIFIED_TO)))
		return;
	if (fixed && !said)
		r = negated(r);
	uint32_t c = fz_posted(f, csp_add_sum(f->n, f->xs.at, f->ints.at, f->xs.n, r, k));
	if (!fixed)
		fz_posted(f, csp_reify(f->n, c, fz_variable(f, b), mode));
}

void fz_clause(struct fzn *f)
{
	int64_t least = 1;
	vec_clear(&f->ints);
	for (size_t i = 0; i < f->xs.n; i++)
		vec_push(&f->ints, 1);
	for (size_t i = 0; i < f->ys.n; i++) {
		vec_push(&f->xs, f->ys.at[i]);
		vec_push(&f->ints, -1);
		least--;
	}
	assert(f->xs.n == f->ints.n);
	if (!f->xs.n)
		fz_never(f);
	else
		fz_posted(f, csp_add_sum(f->n, f->xs.at, f->ints.at, f->xs.n, CSP_GE, least));
	vec_clear(&f->xs);
	vec_clear(&f->ys);
}

/* ---- comparisons ---- */

/* a[0] r a[1], reified by a[2] if there is one */
static void post_compare(struct fzn *f, const struct fz_expr *a, enum csp_relation r, bool reified,
                         enum csp_reification mode)
{
	struct fz_expr minus[2] = {{.tag = FZ_INT, .number = 1}, {.tag = FZ_INT, .number = -1}}, both[2] = {a[0], a[1]};
	struct fz_expr coeffs = {.tag = FZ_ARRAY, .count = 2}, vars = {.tag = FZ_ARRAY, .count = 2};
	coeffs.items = minus;
	vars.items = both;
	fz_linear(f, &coeffs, &vars, r, 0, reified ? &a[2] : NULL, mode);
}

#define COMPARISONS(X) \
	X(eq, CSP_EQ) \
	X(ne, CSP_NE) \
	X(le, CSP_LE) \
	X(lt, CSP_LT)
#define X(name, relation) \
	static void post_##name(struct fzn *f, const struct fz_expr *a) \
	{ \
		post_compare(f, a, relation, false, CSP_REIFIED); \
	} \
	static void post_##name##_reif(struct fzn *f, const struct fz_expr *a) \
	{ \
		post_compare(f, a, relation, true, CSP_REIFIED); \
	} \
	static void post_##name##_imp(struct fzn *f, const struct fz_expr *a) \
	{ \
		post_compare(f, a, relation, true, CSP_REIFIED_FROM); \
	} \
	static void post_lin_##name(struct fzn *f, const struct fz_expr *a) \
	{ \
		fz_linear(f, &a[0], &a[1], relation, a[2].number, NULL, CSP_REIFIED); \
	} \
	static void post_lin_##name##_reif(struct fzn *f, const struct fz_expr *a) \
	{ \
		fz_linear(f, &a[0], &a[1], relation, a[2].number, &a[3], CSP_REIFIED); \
	} \
	static void post_lin_##name##_imp(struct fzn *f, const struct fz_expr *a) \
	{ \
		fz_linear(f, &a[0], &a[1], relation, a[2].number, &a[3], CSP_REIFIED_FROM); \
	}
COMPARISONS(X)
#undef X

/* bool_lin_eq and bool_lin_le compare with a variable. */
static void post_bool_lin(struct fzn *f, const struct fz_expr *a, enum csp_relation r)
{
	struct fz_expr coeffs = a[0], vars = a[1];
	size_t n = vars.count;
	if (coeffs.count != n)
		fz_fail(f, a[0].where, "%s: %zu coefficients, %zu variables", f->posting, coeffs.count, n);
	coeffs.items = arena_alloc(&f->text, (n + 1) * sizeof *coeffs.items);
	vars.items = arena_alloc(&f->text, (n + 1) * sizeof *vars.items);
	if (n) {
		memcpy(coeffs.items, a[0].items, n * sizeof *coeffs.items);
		memcpy(vars.items, a[1].items, n * sizeof *vars.items);
	}
	coeffs.items[n] = (struct fz_expr){.tag = FZ_INT, .number = -1};
	vars.items[n] = a[2];
	coeffs.count = vars.count = n + 1;
	fz_linear(f, &coeffs, &vars, r, 0, NULL, CSP_REIFIED);
}

static void post_bool_lin_eq(struct fzn *f, const struct fz_expr *a)
{
	post_bool_lin(f, a, CSP_EQ);
}

static void post_bool_lin_le(struct fzn *f, const struct fz_expr *a)
{
	post_bool_lin(f, a, CSP_LE);
}

/* ---- logic ---- */

/* Put the literal e = positive into the clause; true: it holds already. */
static bool literal(struct fzn *f, const struct fz_expr *e, bool positive)
{
	int64_t v;
	if (fz_is_fixed(f, e, &v))
		return v == positive;
	if (positive)
		vec_push(&f->xs, fz_variable(f, e));
	else
		vec_push(&f->ys, fz_variable(f, e));
	return false;
}

static void new_clause(struct fzn *f)
{
	vec_clear(&f->xs);
	vec_clear(&f->ys);
}

/* positives or not negatives; `extra` (NULL: none) beside them with its sign */
static void post_disjunction(struct fzn *f, const struct fz_expr *positives, const struct fz_expr *negatives,
                             const struct fz_expr *extra, bool sign)
{
	bool holds = false;
	new_clause(f);
	for (size_t i = 0; positives && i < positives->count; i++)
		holds = literal(f, &positives->items[i], true) || holds;
	for (size_t i = 0; negatives && i < negatives->count; i++)
		holds = literal(f, &negatives->items[i], false) || holds;
	if (extra)
		holds = literal(f, extra, sign) || holds;
	if (!holds)
		fz_clause(f);
}

/* Each single literal implies b to be `said`. */
static void post_each(struct fzn *f, const struct fz_expr *list, bool sign, const struct fz_expr *b, bool said)
{
	for (size_t i = 0; i < list->count; i++) {
		new_clause(f);
		bool holds = literal(f, &list->items[i], !sign);
		holds = literal(f, b, said) || holds;
		if (!holds)
			fz_clause(f);
	}
}

static void post_clause(struct fzn *f, const struct fz_expr *a)
{
	post_disjunction(f, &a[0], &a[1], NULL, false);
}

static void post_clause_reif(struct fzn *f, const struct fz_expr *a)
{
	post_disjunction(f, &a[0], &a[1], &a[2], false);
	post_each(f, &a[0], true, &a[2], true);
	post_each(f, &a[1], false, &a[2], true);
}

static void post_array_or(struct fzn *f, const struct fz_expr *a)
{
	post_disjunction(f, &a[0], NULL, &a[1], false);
	post_each(f, &a[0], true, &a[1], true);
}

static void post_array_and(struct fzn *f, const struct fz_expr *a)
{
	post_disjunction(f, NULL, &a[0], &a[1], true);
	post_each(f, &a[0], false, &a[1], false);
}

static void two_and_result(struct fzn *f, const struct fz_expr *a, void (*post)(struct fzn *, const struct fz_expr *))
{
	struct fz_expr list[2] = {{.tag = FZ_ARRAY, .count = 2}, a[2]};
	struct fz_expr both[2] = {a[0], a[1]};
	list[0].items = both;
	post(f, list);
}

static void post_bool_or(struct fzn *f, const struct fz_expr *a)
{
	two_and_result(f, a, post_array_or);
}

static void post_bool_and(struct fzn *f, const struct fz_expr *a)
{
	two_and_result(f, a, post_array_and);
}

/* c iff a xor b: c differs from "a = b" */
static void post_xor(struct fzn *f, const struct fz_expr *a)
{
	post_compare(f, a, CSP_NE, true, CSP_REIFIED);
}

/* An odd number of the list is true: pairs are taken together by hidden variables. */
static void post_array_xor(struct fzn *f, const struct fz_expr *a)
{
	struct fz_expr so_far = {.tag = FZ_BOOL, .number = 0};
	for (size_t i = 0; i < a[0].count; i++) {
		struct fz_expr three[3] = {so_far, a[0].items[i], {.tag = FZ_BOOL, .number = 1}};
		if (i + 1 < a[0].count) {
			uint32_t x = fz_hidden(f, 0, 1);
			struct fz_var v = {.boolean = true, .same = narrow32(f->vars.n), .x = x, .count = 1};
			v.ranges = arena_copy(&f->text, &(struct fz_range){0, 1}, sizeof *v.ranges);
			vec_push(&f->vars, v);
			three[2] = (struct fz_expr){.tag = FZ_VAR, .number = (int64_t)f->vars.n - 1};
		}
		post_xor(f, three);
		so_far = three[2];
	}
	if (!a[0].count)
		fz_never(f);
}

static void post_bool_not(struct fzn *f, const struct fz_expr *a)
{
	post_compare(f, a, CSP_NE, false, CSP_REIFIED);
}

/* ---- arithmetic ---- */

static uint32_t expression(struct fzn *f, const struct fz_expr *e)
{
	int64_t v;
	if (fz_is_fixed(f, e, &v))
		return csp_expr_const(f->n, v);
	return csp_expr_var(f->n, fz_variable(f, e));
}

/* op(a[0], a[1]) = a[2], or op(a[0]) = a[1] */
static void post_function(struct fzn *f, const struct fz_expr *a, enum csp_operator op, size_t count)
{
	uint32_t args[2] = {expression(f, &a[0]), count > 1 ? expression(f, &a[1]) : 0};
	uint32_t sides[2] = {fz_posted(f, csp_expr(f->n, op, args, count)), expression(f, &a[count])};
	uint32_t whole = fz_posted(f, csp_expr(f->n, CSP_OP_EQ, sides, 2));
	int64_t value, v;
	bool constant = true;
	for (size_t i = 0; i <= count; i++)
		constant = constant && fz_is_fixed(f, &a[i], &v);
	if (!constant) {
		fz_posted(f, csp_add_intension(f->n, whole));
	} else if (!csp_expr_eval(f->n, whole, NULL, &value) || !value) {
		fz_never(f);
	}
}

#define FUNCTIONS(X) \
	X(abs, CSP_OP_ABS, 1) \
	X(div, CSP_OP_DIV, 2) \
	X(mod, CSP_OP_MOD, 2) \
	X(times, CSP_OP_MUL, 2) \
	X(pow, CSP_OP_POW, 2)
#define X(name, op, count) \
	static void post_##name(struct fzn *f, const struct fz_expr *a) \
	{ \
		post_function(f, a, op, count); \
	}
FUNCTIONS(X)
#undef X

static void post_plus(struct fzn *f, const struct fz_expr *a)
{
	struct fz_expr ones[3] = {
		{.tag = FZ_INT, .number = 1}, {.tag = FZ_INT, .number = 1}, {.tag = FZ_INT, .number = -1}};
	struct fz_expr three[3] = {a[0], a[1], a[2]};
	struct fz_expr coeffs = {.tag = FZ_ARRAY, .count = 3}, vars = {.tag = FZ_ARRAY, .count = 3};
	coeffs.items = ones;
	vars.items = three;
	fz_linear(f, &coeffs, &vars, CSP_EQ, 0, NULL, CSP_REIFIED);
}

static void post_extremum(struct fzn *f, const struct fz_expr *a, bool maximum)
{
	uint32_t two[2] = {fz_variable(f, &a[0]), fz_variable(f, &a[1])};
	fz_posted(f, csp_add_extremum(f->n, maximum, two, 2, fz_variable(f, &a[2])));
}

static void post_min(struct fzn *f, const struct fz_expr *a)
{
	post_extremum(f, a, false);
}

static void post_max(struct fzn *f, const struct fz_expr *a)
{
	post_extremum(f, a, true);
}

/* ---- sets ---- */

/* x is in one of the ranges, as an expression */
static uint32_t membership(struct fzn *f, const struct fz_expr *x, const struct fz_expr *set)
{
	uint32_t e = csp_expr_var(f->n, fz_variable(f, x));
	vec_clear(&f->xs);
	for (size_t i = 0; i < set->count; i++) {
		struct fz_range r = set->ranges[i];
		uint32_t above[2] = {e, csp_expr_const(f->n, r.low)}, below[2] = {e, csp_expr_const(f->n, r.high)};
		uint32_t both[2] = {csp_expr(f->n, CSP_OP_GE, above, 2), csp_expr(f->n, CSP_OP_LE, below, 2)};
		vec_push(&f->xs, r.low == r.high ? csp_expr(f->n, CSP_OP_EQ, above, 2) : csp_expr(f->n, CSP_OP_AND, both, 2));
	}
	return set->count == 1 ? f->xs.at[0] : fz_posted(f, csp_expr(f->n, CSP_OP_OR, f->xs.at, f->xs.n));
}

static bool contains(const struct fz_expr *set, int64_t v)
{
	for (size_t i = 0; i < set->count; i++)
		if (v >= set->ranges[i].low && v <= set->ranges[i].high)
			return true;
	return false;
}

static void post_set_in_mode(struct fzn *f, const struct fz_expr *a, enum csp_reification mode)
{
	int64_t v;
	struct fz_range r = fz_bounds(f, &a[0]);
	if (fz_is_fixed(f, &a[0], &v) || !a[1].count) {
		post_known(f, a[1].count && contains(&a[1], v), &a[2], mode);
		return;
	}
	if (a[1].count == 1 && (r.low >= a[1].ranges[0].low || r.high <= a[1].ranges[0].high)) { /* only one end matters */
		bool above = r.high <= a[1].ranges[0].high;
		struct fz_expr list = {.tag = FZ_ARRAY, .count = 1}, x = a[0];
		list.items = &x;
		fz_linear(f, NULL, &list, above ? CSP_GE : CSP_LE, above ? a[1].ranges[0].low : a[1].ranges[0].high, &a[2],
		          mode);
		return;
	}
	uint32_t c = fz_posted(f, csp_add_intension(f->n, membership(f, &a[0], &a[1])));
	fz_posted(f, csp_reify(f->n, c, fz_variable(f, &a[2]), mode));
}

static void post_set_in_reif(struct fzn *f, const struct fz_expr *a)
{
	post_set_in_mode(f, a, CSP_REIFIED);
}

static void post_set_in_imp(struct fzn *f, const struct fz_expr *a)
{
	post_set_in_mode(f, a, CSP_REIFIED_FROM);
}

static void post_set_in(struct fzn *f, const struct fz_expr *a)
{
	if (!contains(&a[1], a[0].number)) /* of variables it is part of the domain */
		fz_never(f);
}

/* ---- the rows ---- */

static const struct fz_row standard[] = {
	{"int_eq", "ii", post_eq},
	{"int_ne", "ii", post_ne},
	{"int_le", "ii", post_le},
	{"int_lt", "ii", post_lt},
	{"int_eq_reif", "iib", post_eq_reif},
	{"int_ne_reif", "iib", post_ne_reif},
	{"int_le_reif", "iib", post_le_reif},
	{"int_lt_reif", "iib", post_lt_reif},
	{"int_eq_imp", "iib", post_eq_imp},
	{"int_ne_imp", "iib", post_ne_imp},
	{"int_le_imp", "iib", post_le_imp},
	{"int_lt_imp", "iib", post_lt_imp},
	{"int_lin_eq", "KIk", post_lin_eq},
	{"int_lin_ne", "KIk", post_lin_ne},
	{"int_lin_le", "KIk", post_lin_le},
	{"int_lin_lt", "KIk", post_lin_lt},
	{"int_lin_eq_reif", "KIkb", post_lin_eq_reif},
	{"int_lin_ne_reif", "KIkb", post_lin_ne_reif},
	{"int_lin_le_reif", "KIkb", post_lin_le_reif},
	{"int_lin_lt_reif", "KIkb", post_lin_lt_reif},
	{"int_lin_eq_imp", "KIkb", post_lin_eq_imp},
	{"int_lin_ne_imp", "KIkb", post_lin_ne_imp},
	{"int_lin_le_imp", "KIkb", post_lin_le_imp},
	{"int_lin_lt_imp", "KIkb", post_lin_lt_imp},
	{"int_plus", "iii", post_plus},
	{"int_times", "iii", post_times},
	{"int_div", "iii", post_div},
	{"int_mod", "iii", post_mod},
	{"int_pow", "iii", post_pow},
	{"int_abs", "ii", post_abs},
	{"int_min", "iii", post_min},
	{"int_max", "iii", post_max},
	{"bool2int", "bi", post_eq},
	{"bool_eq", "bb", post_eq},
	{"bool_ne", "bb", post_ne},
	{"bool_le", "bb", post_le},
	{"bool_lt", "bb", post_lt},
	{"bool_eq_reif", "bbb", post_eq_reif},
	{"bool_ne_reif", "bbb", post_ne_reif},
	{"bool_le_reif", "bbb", post_le_reif},
	{"bool_lt_reif", "bbb", post_lt_reif},
	{"bool_eq_imp", "bbb", post_eq_imp},
	{"bool_ne_imp", "bbb", post_ne_imp},
	{"bool_le_imp", "bbb", post_le_imp},
	{"bool_lt_imp", "bbb", post_lt_imp},
	{"bool_and", "bbb", post_bool_and},
	{"bool_or", "bbb", post_bool_or},
	{"bool_xor", "bbb", post_xor},
	{"bool_xor", "bb", post_ne},
	{"bool_not", "bb", post_bool_not},
	{"bool_clause", "BB", post_clause},
	{"bool_clause_reif", "BBb", post_clause_reif},
	{"array_bool_and", "Bb", post_array_and},
	{"array_bool_or", "Bb", post_array_or},
	{"array_bool_xor", "B", post_array_xor},
	{"bool_lin_eq", "KBi", post_bool_lin_eq},
	{"bool_lin_le", "KBi", post_bool_lin_le},
	{"set_in", "iS", post_set_in},
	{"set_in_reif", "iSb", post_set_in_reif},
	{"set_in_imp", "iSb", post_set_in_imp},
	{0},
};

static const struct fz_row *const lists[] = {standard, fz_globals, fz_tables};

const struct fz_row *fz_row(const char *name, size_t count)
{
	const struct fz_row *found = NULL;
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
		for (const struct fz_row *r = lists[l]; r->name; r++)
			if (!strcmp(r->name, name)) {
				if (strlen(r->args) == count)
					return r;
				found = r;
			}
	return found;
}

const char *fzn_constraint(size_t i, const char **arguments)
{
	for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
		for (const struct fz_row *r = lists[l]; r->name; r++)
			if (!i--) {
				*arguments = r->args;
				return r->name;
			}
	return NULL;
}

void fz_post_all(struct fzn *f)
{
	for (size_t i = 0; i < f->constraints.n; i++) {
		const struct fz_constraint *c = &f->constraints.at[i];
		f->where = c->where;
		f->posting = c->name;
		uint32_t from = csp_constraints(f->n);
		c->row->post(f, c->args);
		csp_same_origin(f->n, from);
	}
	f->posting = NULL;
}
