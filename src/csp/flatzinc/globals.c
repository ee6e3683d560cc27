/* FlatZinc: global constraints that the network has itself. Those whose name begins with macaw_ are called by the
 * library in share/minizinc/macaw, which passes what FlatZinc forgets, such as where the indices of an array begin. */
#include "csp/flatzinc/flatzinc_internal.h"

/* The variables of an array, in the order they have there. */
static const uint32_t *list_of(struct fzn *f, const struct fz_expr *a)
{
	uint32_t *x = arena_alloc(&f->text, (a->count + 1) * sizeof *x);
	for (size_t i = 0; i < a->count; i++)
		x[i] = fz_variable(f, &a->items[i]);
	return x;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* The same, where the network wants no variable twice: a hidden one that is equal stands for the second. */
static const uint32_t *list_of_different(struct fzn *f, const struct fz_expr *a)
{
	uint32_t *x = unconst(list_of(f, a)), *sorted = arena_copy(&f->text, x, (a->count + 1) * sizeof *x);
	bool twice = false;
	if (a->count > 1)
		qsort(sorted, a->count, sizeof *sorted, by_number);
	for (size_t i = 1; i < a->count; i++)
		twice = twice || sorted[i] == sorted[i - 1];
	for (size_t i = 0; twice && i < a->count; i++)
		for (size_t j = 0; j < i; j++)
			if (x[j] == x[i]) {
				struct fz_range r = fz_bounds(f, &a->items[i]);
				uint32_t pair[2] = {x[i], fz_hidden(f, r.low, r.high)};
				fz_posted(f, csp_add_sum(f->n, pair, (int64_t[]){1, -1}, 2, CSP_EQ, 0));
				x[i] = pair[1];
				break;
			}
	return x;
}

static void same_length(struct fzn *f, const struct fz_expr *a, const struct fz_expr *b)
{
	if (a->count != b->count)
		fz_fail(f, b->where, "%s: %zu and %zu elements", f->posting, a->count, b->count);
}

static int32_t small_number(struct fzn *f, const struct fz_expr *e)
{
	if (e->number < INT32_MIN / 2 || e->number > INT32_MAX / 2)
		fz_fail(f, e->where, "%s: %lld is too large", f->posting, (long long)e->number);
	return (int32_t)e->number;
}

/* ---- differences, orders ---- */

static void post_all_different(struct fzn *f, const struct fz_expr *a)
{
	if (a[0].count > 1)
		fz_posted(f, csp_add_alldiff(f->n, list_of_different(f, &a[0]), a[0].count, NULL, 0));
}

static void post_all_different_except(struct fzn *f, const struct fz_expr *a)
{
	vec_clear(&f->cells);
	for (size_t i = 0; i < a[1].count; i++)
		for (int64_t v = a[1].ranges[i].low; v <= a[1].ranges[i].high; v++) {
			if (f->cells.n > 1000000)
				fz_fail(f, a[1].where, "%s: more than a million exceptions", f->posting);
			vec_push(&f->cells, (int32_t)v);
		}
	if (a[0].count > 1)
		fz_posted(f, csp_add_alldiff(f->n, list_of_different(f, &a[0]), a[0].count, f->cells.at, f->cells.n));
}

static void post_ordered(struct fzn *f, const struct fz_expr *a, enum csp_relation r)
{
	if (a[0].count > 1)
		fz_posted(f, csp_add_ordered(f->n, list_of(f, &a[0]), a[0].count, NULL, r));
}

static void post_increasing(struct fzn *f, const struct fz_expr *a)
{
	post_ordered(f, a, CSP_LE);
}

static void post_strictly_increasing(struct fzn *f, const struct fz_expr *a)
{
	post_ordered(f, a, CSP_LT);
}

static void post_decreasing(struct fzn *f, const struct fz_expr *a)
{
	post_ordered(f, a, CSP_GE);
}

static void post_strictly_decreasing(struct fzn *f, const struct fz_expr *a)
{
	post_ordered(f, a, CSP_GT);
}

/* Lists of different lengths: the common part decides, then the shorter one is less. */
static void post_lex(struct fzn *f, const struct fz_expr *a, bool strict)
{
	size_t n = a[0].count < a[1].count ? a[0].count : a[1].count;
	if (a[0].count != a[1].count)
		strict = a[0].count > a[1].count;
	if (n)
		fz_posted(f, csp_add_lex(f->n, list_of(f, &a[0]), list_of(f, &a[1]), n, strict ? CSP_LT : CSP_LE));
	else if (strict)
		fz_never(f);
}

static void post_lex_less(struct fzn *f, const struct fz_expr *a)
{
	post_lex(f, a, true);
}

static void post_lex_lesseq(struct fzn *f, const struct fz_expr *a)
{
	post_lex(f, a, false);
}

/* ---- places ---- */

static void post_circuit(struct fzn *f, const struct fz_expr *a)
{
	const uint32_t *x = list_of_different(f, &a[0]);
	int32_t start = small_number(f, &a[1]);
	int64_t one = 1;
	if (!a[0].count)
		return;
	fz_posted(f, csp_add_circuit(f->n, x, a[0].count, start));
	fz_posted(f, csp_add_alldiff(f->n, x, a[0].count, NULL, 0)); /* follows, but its matching sees more */
	for (size_t i = 0; i < a[0].count; i++)
		fz_posted(f, csp_add_sum(f->n, &x[i], &one, 1, CSP_NE, start + (int64_t)i));
}

static void post_inverse(struct fzn *f, const struct fz_expr *a)
{
	same_length(f, &a[0], &a[2]);
	if (a[0].count)
		fz_posted(f, csp_add_channel(f->n, list_of_different(f, &a[0]), a[0].count, small_number(f, &a[1]),
		                             list_of_different(f, &a[2]), a[2].count, small_number(f, &a[3])));
}

static void post_element(struct fzn *f, const struct fz_expr *a)
{
	if (!a[1].count)
		fz_never(f);
	else
		fz_posted(
			f, csp_add_element(f->n, list_of(f, &a[1]), a[1].count, 1, fz_variable(f, &a[0]), fz_variable(f, &a[2])));
}

static void post_extreme(struct fzn *f, const struct fz_expr *a, bool maximum)
{
	if (!a[1].count)
		fz_fail(f, a[1].where, "%s of an empty list", f->posting);
	fz_posted(f, csp_add_extremum(f->n, maximum, list_of(f, &a[1]), a[1].count, fz_variable(f, &a[0])));
}

static void post_maximum(struct fzn *f, const struct fz_expr *a)
{
	post_extreme(f, a, true);
}

static void post_minimum(struct fzn *f, const struct fz_expr *a)
{
	post_extreme(f, a, false);
}

/* ---- counting ---- */

static void count_value(struct fzn *f, const uint32_t *list, size_t count, int64_t value,
                        const struct fz_expr *how_often)
{
	int64_t k = 0;
	bool fixed = fz_is_fixed(f, how_often, &k), beyond = value < INT32_MIN / 2 || value > INT32_MAX / 2;
	int32_t v = beyond ? INT32_MAX : (int32_t)value;
	if (count) {
		fz_posted(f, csp_add_count(f->n, list, count, &v, 1, CSP_EQ, k, fixed ? CSP_NONE : fz_variable(f, how_often)));
		return;
	}
	struct fz_expr list_of_one = {.tag = FZ_ARRAY, .count = 1}, copy = *how_often;
	list_of_one.items = &copy;
	fz_linear(f, NULL, &list_of_one, CSP_EQ, 0, NULL, CSP_REIFIED);
}

static void post_count(struct fzn *f, const struct fz_expr *a)
{
	count_value(f, list_of(f, &a[0]), a[0].count, a[1].number, &a[2]);
}

static void post_among(struct fzn *f, const struct fz_expr *a)
{
	int64_t k = 0;
	bool fixed = fz_is_fixed(f, &a[0], &k);
	post_all_different_except(f, (struct fz_expr[]){{.tag = FZ_ARRAY}, a[2]}); /* lists the set */
	if (a[1].count)
		fz_posted(f, csp_add_count(f->n, list_of(f, &a[1]), a[1].count, f->cells.at, f->cells.n, CSP_EQ, k,
		                           fixed ? CSP_NONE : fz_variable(f, &a[0])));
	else
		count_value(f, NULL, 0, 0, &a[0]);
}

/* How often each value of the cover occurs; all together at most as often as there are variables. */
static void post_cardinality(struct fzn *f, const struct fz_expr *a)
{
	const uint32_t *x = list_of(f, &a[0]);
	same_length(f, &a[1], &a[2]);
	for (size_t i = 0; i < a[1].count; i++)
		count_value(f, x, a[0].count, a[1].items[i].number, &a[2].items[i]);
	fz_linear(f, NULL, &a[2], CSP_LE, (int64_t)a[0].count, NULL, CSP_REIFIED);
}

static void post_cardinality_closed(struct fzn *f, const struct fz_expr *a)
{
	post_cardinality(f, a);
	fz_linear(f, NULL, &a[2], CSP_EQ, (int64_t)a[0].count, NULL, CSP_REIFIED);
}

static void post_nvalue(struct fzn *f, const struct fz_expr *a)
{
	if (a[1].count)
		fz_posted(f, csp_add_nvalues(f->n, list_of(f, &a[1]), a[1].count, NULL, 0, fz_variable(f, &a[0])));
	else
		count_value(f, NULL, 0, 0, &a[0]);
}

/* ---- tasks ---- */

/* Of variables it is part of their domains. */
static bool negative(struct fzn *f, const struct fz_expr *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (fz_bounds(f, &list->items[i]).low < 0) {
			fz_never(f);
			return true;
		}
	return false;
}

static void post_cumulative(struct fzn *f, const struct fz_expr *a)
{
	same_length(f, &a[0], &a[1]);
	same_length(f, &a[0], &a[2]);
	if (a[0].count && !negative(f, &a[1]) && !negative(f, &a[2]))
		fz_posted(f, csp_add_cumulative(f->n, list_of(f, &a[0]), list_of(f, &a[1]), list_of(f, &a[2]), a[0].count,
		                                fz_variable(f, &a[3])));
}

#define MOST_TASKS 50 /* whose order is made of 0/1 variables, one for each pair */

/* A hidden variable says which of the two comes first; what is learned about the order of tasks is said by these. */
static void order_pair(struct fzn *f, uint32_t i, uint32_t j, int64_t length_i, int64_t length_j)
{
	uint32_t pair[2] = {i, j}, b = fz_hidden(f, 0, 1);
	int64_t minus[2] = {1, -1};
	uint32_t first = fz_posted(f, csp_add_sum(f->n, pair, minus, 2, CSP_LE, -length_i));
	fz_posted(f, csp_reify(f->n, first, b, CSP_REIFIED_FROM));
	uint32_t overlap = fz_posted(f, csp_add_sum(f->n, pair, minus, 2, CSP_LT, length_j));
	fz_posted(f, csp_reify(f->n, overlap, b, CSP_REIFIED_TO));
}

static void order_tasks(struct fzn *f, const uint32_t *x, const int64_t *length, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (length[i] && length[j])
				order_pair(f, x[i], x[j], length[i], length[j]);
}

static void post_disjunctive(struct fzn *f, const struct fz_expr *a)
{
	int64_t v;
	bool fixed = true;
	same_length(f, &a[0], &a[1]);
	vec_clear(&f->ints);
	for (size_t i = 0; i < a[1].count; i++) {
		fixed = fz_is_fixed(f, &a[1].items[i], &v) && fixed;
		vec_push(&f->ints, v);
	}
	if (!a[0].count || negative(f, &a[1]))
		return;
	if (fixed) { /* the order of pairs is for learning, the machine as a whole sees what they do not */
		const uint32_t *x = list_of_different(f, &a[0]);
		int64_t *length = arena_copy(&f->text, f->ints.at, a[0].count * sizeof *length);
		if (a[0].count <= MOST_TASKS)
			order_tasks(f, x, length, a[0].count);
		fz_posted(f, csp_add_no_overlap(f->n, x, length, a[0].count));
		return;
	}
	uint32_t *ones = arena_alloc(&f->text, a[0].count * sizeof *ones), one = fz_constant(f, 1);
	for (size_t i = 0; i < a[0].count; i++)
		ones[i] = one;
	fz_posted(f, csp_add_cumulative(f->n, list_of(f, &a[0]), list_of(f, &a[1]), ones, a[0].count, one));
}

const struct fz_row fz_globals[] = {
	{"fzn_all_different_int", "I", post_all_different, true},
	{"fzn_alldifferent_except", "IS", post_all_different_except, true},
	{"fzn_increasing_int", "I", post_increasing},
	{"fzn_strictly_increasing_int", "I", post_strictly_increasing},
	{"fzn_decreasing_int", "I", post_decreasing},
	{"fzn_strictly_decreasing_int", "I", post_strictly_decreasing},
	{"fzn_lex_less_int", "II", post_lex_less},
	{"fzn_lex_lesseq_int", "II", post_lex_lesseq},
	{"fzn_lex_less_bool", "BB", post_lex_less},
	{"fzn_lex_lesseq_bool", "BB", post_lex_lesseq},
	{"macaw_circuit", "Ik", post_circuit, true},
	{"macaw_inverse", "IkIk", post_inverse, true},
	{"array_var_int_element", "iIi", post_element, true},
	{"array_var_bool_element", "iBb", post_element, true},
	{"array_int_maximum", "iI", post_maximum},
	{"array_int_minimum", "iI", post_minimum},
	{"macaw_count", "Iki", post_count, true},
	{"fzn_among", "iIS", post_among, true},
	{"fzn_global_cardinality", "IKI", post_cardinality, true},
	{"macaw_cardinality_closed", "IKI", post_cardinality_closed, true},
	{"fzn_nvalue", "iI", post_nvalue, true},
	{"fzn_cumulative", "IIIi", post_cumulative},
	{"fzn_disjunctive", "II", post_disjunctive},
	{0},
};
