/* XCSP3: constraints that are read as several others. Hidden variables follow from those that are seen, so that counts
 * of solutions stay what they are. */
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <string.h>

static uint32_t *copy(struct xcsp *r, const xlist *v)
{
	return arena_copy(&r->text, v->at, v->n * sizeof *v->at);
}

/* x = y, as an expression. */
static uint32_t equal(struct xcsp *r, uint32_t x, uint32_t y)
{
	assert(x < r->n->vars.n);
	return x_bool(r, CSP_OP_EQ, csp_expr_var(r->n, x), csp_expr_var(r->n, y));
}

static uint32_t equal_number(struct xcsp *r, uint32_t x, int64_t v)
{
	assert(x < r->n->vars.n);
	return x_bool(r, CSP_OP_EQ, csp_expr_var(r->n, x), csp_expr_const(r->n, v));
}

static void post(struct xcsp *r, uint32_t expr)
{
	assert(expr < r->n->nodes.n);
	x_posted(r, csp_add_intension(r->n, expr));
}

/* ---- allEqual ---- */

/* x is one of the values in r->tuples */
static uint32_t is_excepted(struct xcsp *r, uint32_t x)
{
	assert(x < r->n->vars.n);
	uint32_t *set = arena_alloc(&r->text, (r->tuples.n + 1) * sizeof *set);
	for (size_t i = 0; i < r->tuples.n; i++)
		set[i] = csp_expr_const(r->n, r->tuples.at[i]);
	return x_bool(r, CSP_OP_IN, csp_expr_var(r->n, x), x_posted(r, csp_expr(r->n, CSP_OP_SET, set, r->tuples.n)));
}

void x_all_equal(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *except = x_child(e, "except");
	x_list_of(r, e, &r->vars);
	if (except)
		x_values(r, x_text(r, except), &r->vars);
	if (r->vars.n == 1)
		post(r, equal(r, r->vars.at[0], r->vars.at[0]));
	for (size_t i = 1; i < r->vars.n; i++)
		for (size_t j = except ? 0 : i - 1; j < i; j++) {
			uint32_t x = r->vars.at[j], y = r->vars.at[i], same = equal(r, x, y);
			if (except)
				same = x_bool(r, CSP_OP_OR, same, x_bool(r, CSP_OP_OR, is_excepted(r, x), is_excepted(r, y)));
			post(r, same);
		}
}

/* ---- sums ---- */

/* sum of r->ints[i] * r->vars[i] as one expression */
static uint32_t sum_expression(struct xcsp *r)
{
	uint32_t *terms = arena_alloc(&r->text, r->vars.n * sizeof *terms);
	for (size_t i = 0; i < r->vars.n; i++)
		terms[i] = x_bool(r, CSP_OP_MUL, csp_expr_const(r->n, r->ints.at[i]), csp_expr_var(r->n, r->vars.at[i]));
	return r->vars.n > 1 ? x_posted(r, csp_expr(r->n, CSP_OP_ADD, terms, r->vars.n)) : terms[0];
}

/* A sum in a set is taken by a hidden variable, where it has not too many values. */
static void sum_in_set(struct xcsp *r, const struct condition *c)
{
	uint32_t total = sum_expression(r);
	struct csp_bounds b = csp_expr_bounds(r->n, total);
	bool small = b.low <= b.high && b.high - b.low < 1 << 16 && b.low > INT32_MIN && b.high < INT32_MAX;
	x_post_condition(r, small ? csp_expr_var(r->n, x_define(r, total)) : total, c);
}

void x_post_sum(struct xcsp *r, const struct condition *c)
{
	if (c->set || c->op == CSP_OP_NOTIN) {
		sum_in_set(r, c);
		return;
	}
	int64_t k = c->k;
	if (c->x != CSP_NONE) {
		vec_push(&r->vars, c->x);
		vec_push(&r->ints, -1);
		k = 0;
	}
	enum csp_relation rel = c->op == CSP_OP_IN ? CSP_GE : x_relation(c->op);
	x_posted(r, csp_add_sum(r->n, r->vars.at, r->ints.at, r->vars.n, rel, k));
	if (c->op == CSP_OP_IN)
		x_posted(r, csp_add_sum(r->n, r->vars.at, r->ints.at, r->vars.n, CSP_LE, c->high));
}

/* ---- counting ---- */

/* Hidden 0/1 variables for vars[i] = v, into r->vars with coefficients 1. */
static void count_equal(struct xcsp *r, const uint32_t *vars, size_t count, uint32_t v)
{
	vec_clear(&r->vars);
	vec_clear(&r->ints);
	for (size_t i = 0; i < count; i++) {
		uint32_t b = x_define(r, equal(r, vars[i], v));
		vec_push(&r->vars, b);
		vec_push(&r->ints, 1);
	}
}

/* occurs: a number, an interval, or a variable */
static struct condition occurrence(struct xcsp *r, const char *token)
{
	struct condition c = {.op = CSP_OP_IN, .x = CSP_NONE};
	const char *s = token;
	if (x_int(&s, &c.k)) {
		c.high = c.k;
		if (!strncmp(s, "..", 2) && (s += 2, !x_int(&s, &c.high)))
			x_fail(r, "a bad interval");
		if (*s)
			x_fail(r, "a bad number of occurrences \"%.20s\"", token);
		return c;
	}
	x_fail(r, "a bad number of occurrences \"%.20s\"", token);
}

/* One condition per value: numbers and intervals as they are, variables and parts of arrays one by one. */
static struct condition *read_occurs(struct xcsp *r, const char *s, size_t *count)
{
	VEC(struct condition) all = {0};
	const char *token;
	size_t mark = r->owned.n;
	while ((token = x_token(r, &s))) {
		const char *p = token;
		int64_t v;
		vec_push(&r->owned, (char *)all.at);
		bool number = x_int(&p, &v) && (!*p || !strncmp(p, "..", 2));
		vec_clear(&r->more);
		if (!number)
			x_expand(r, token, &r->more);
		struct condition one = number ? occurrence(r, token) : (struct condition){.op = CSP_OP_EQ};
		r->owned.n = mark;
		if (number)
			vec_push(&all, one);
		for (size_t i = 0; !number && i < r->more.n; i++)
			vec_push(&all, (struct condition){.op = CSP_OP_EQ, .x = r->more.at[i]});
	}
	*count = all.n;
	struct condition *out = arena_copy(&r->text, all.at, all.n * sizeof *all.at);
	vec_free(&all);
	return out;
}

static void count_number(struct xcsp *r, const uint32_t *list, size_t count, int32_t v, const struct condition *c)
{
	if (c->x != CSP_NONE) {
		x_posted(r, csp_add_count(r->n, list, count, &v, 1, CSP_EQ, 0, c->x));
	} else if (c->k == c->high) {
		x_posted(r, csp_add_count(r->n, list, count, &v, 1, CSP_EQ, c->k, CSP_NONE));
	} else {
		x_posted(r, csp_add_count(r->n, list, count, &v, 1, CSP_GE, c->k, CSP_NONE));
		x_posted(r, csp_add_count(r->n, list, count, &v, 1, CSP_LE, c->high, CSP_NONE));
	}
}

/* Every variable of the list takes one of the values. */
static void close_values(struct xcsp *r, const uint32_t *list, size_t count, const uint32_t *values, size_t value_count)
{
	uint32_t *any = arena_alloc(&r->text, (value_count + 1) * sizeof *any);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < value_count; j++)
			any[j] = equal(r, list[i], values[j]);
		post(r, x_posted(r, csp_expr(r->n, CSP_OP_OR, any, value_count)));
	}
}

static void cardinality_of_variables(struct xcsp *r, const uint32_t *list, size_t count, const char *text,
                                     const struct condition *occurs, size_t want, bool closed)
{
	x_refs(r, text, &r->more);
	size_t values = r->more.n;
	uint32_t *v = copy(r, &r->more);
	if (values != want)
		x_fail(r, "cardinality: %zu values, %zu occurrences", values, want);
	for (size_t j = 0; j < values; j++) {
		count_equal(r, list, count, v[j]);
		x_post_sum(r, &occurs[j]);
	}
	if (closed)
		close_values(r, list, count, v, values);
}

void x_cardinality(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *values = x_need(r, e, "values");
	bool closed = x_flag(r, values, "closed", x_flag(r, e, "closed", false));
	size_t want;
	struct condition *occurs = read_occurs(r, x_text(r, x_need(r, e, "occurs")), &want);
	x_list_of(r, e, &r->vars);
	size_t count = r->vars.n;
	uint32_t *list = copy(r, &r->vars);
	const char *text = x_text(r, values);
	if (x_names_variables(r, text)) {
		cardinality_of_variables(r, list, count, text, occurs, want, closed);
		return;
	}
	x_values(r, text, &r->vars);
	if (r->tuples.n != want)
		x_fail(r, "cardinality: %zu values, %zu occurrences", r->tuples.n, want);
	for (size_t i = 0; i < want; i++)
		count_number(r, list, count, r->tuples.at[i], &occurs[i]);
	if (closed)
		x_posted(r, csp_add_count(r->n, list, count, r->tuples.at, want, CSP_EQ, (int64_t)count, CSP_NONE));
}

/* ---- packing ---- */

/* Hidden 0/1 variables for list[i] = bin, into r->vars, with the sizes as coefficients. */
static void load_of(struct xcsp *r, const uint32_t *list, const int64_t *sizes, size_t count, int64_t bin)
{
	vec_clear(&r->vars);
	vec_clear(&r->ints);
	for (size_t i = 0; i < count; i++) {
		if (csp_index(r->n, list[i], bin) == CSP_NONE)
			continue;
		uint32_t b = x_define(r, equal_number(r, list[i], bin));
		vec_push(&r->vars, b);
		vec_push(&r->ints, sizes[i]);
	}
	if (!r->vars.n) {
		vec_push(&r->vars, x_constant(r, 0));
		vec_push(&r->ints, 1);
	}
}

static struct condition *read_conditions(struct xcsp *r, const char *s, size_t *count)
{
	VEC(struct condition) all = {0};
	size_t mark = r->owned.n;
	for (x_space(&s); *s; x_space(&s)) {
		size_t length = strcspn(s, ")");
		const char *brace = strchr(s, '{');
		if (brace && brace < s + length)
			length = strcspn(brace, "}") + (size_t)(brace - s) + strcspn(brace + strcspn(brace, "}"), ")");
		vec_push(&r->owned, (char *)all.at);
		struct condition c = x_condition_text(r, arena_text(&r->text, s, length + (s[length] == ')')));
		r->owned.n = mark;
		vec_push(&all, c);
		s += length + (s[length] == ')');
	}
	*count = all.n;
	struct condition *out = arena_copy(&r->text, all.at, all.n * sizeof *all.at);
	vec_free(&all);
	return out;
}

/* The conditions on bins 0, 1, ...; from limits (at most) or loads (exactly). */
static struct condition *read_bins(struct xcsp *r, xmlNode *e, size_t *bins)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *limits = x_child(e, "limits"), *loads = x_child(e, "loads"), *each = x_child(e, "conditions");
	if (each)
		return read_conditions(r, x_text(r, each), bins);
	x_refs(r, x_text(r, limits ? limits : loads), &r->more);
	struct condition *out = arena_alloc(&r->text, (r->more.n + 1) * sizeof *out);
	for (size_t i = 0; i < r->more.n; i++)
		out[i] = (struct condition){.op = limits ? CSP_OP_LE : CSP_OP_EQ, .x = r->more.at[i]};
	*bins = r->more.n;
	return out;
}

/* The condition holds for every bin in use. */
static void pack_used(struct xcsp *r, const uint32_t *list, const int64_t *sizes, size_t count,
                      const struct condition *c)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (size_t i = 0; i < count; i++) {
		int64_t a = csp_value(r->n, list[i], 0), b = csp_value(r->n, list[i], csp_count(r->n, list[i]) - 1);
		low = a < low ? a : low;
		high = b > high ? b : high;
	}
	if (high - low > 1 << 20)
		x_fail(r, "binPacking over %lld bins", (long long)(high - low + 1));
	bool always = (c->op == CSP_OP_LE || c->op == CSP_OP_LT) && c->x == CSP_NONE && c->k > 0; /* of empty bins, too */
	for (int64_t bin = low; bin <= high; bin++) {
		load_of(r, list, sizes, count, bin);
		if (always) {
			x_post_sum(r, c);
			continue;
		}
		uint32_t *any = copy(r, &r->vars), used = 0;
		size_t k = r->vars.n;
		uint32_t load = csp_expr_var(r->n, x_define(r, sum_expression(r)));
		for (size_t i = 0; i < k; i++)
			any[i] = csp_expr_var(r->n, any[i]);
		used = x_posted(r, csp_expr(r->n, CSP_OP_OR, any, k));
		post(r, x_bool(r, CSP_OP_IMP, used, x_condition_expr(r, load, c)));
	}
}

static void pack_bins(struct xcsp *r, const uint32_t *list, const int64_t *sizes, size_t count,
                      const struct condition *bin, size_t bins, int64_t start)
{
	for (size_t i = 0; i < count; i++)
		if (csp_value(r->n, list[i], 0) < start ||
		    csp_value(r->n, list[i], csp_count(r->n, list[i]) - 1) >= start + (int64_t)bins)
			x_fail(r, "binPacking: %s can be outside of the %zu bins", csp_name(r->n, list[i]), bins);
	for (size_t j = 0; j < bins; j++) {
		load_of(r, list, sizes, count, start + (int64_t)j);
		x_post_sum(r, &bin[j]);
	}
}

void x_bin_packing(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *one = x_child(e, "condition"), *each = x_child(e, "conditions");
	int ways = (one != NULL) + (each != NULL) + (x_child(e, "limits") != NULL) + (x_child(e, "loads") != NULL);
	if (ways != 1)
		x_fail(r, "binPacking needs one of <condition>, <conditions>, <limits> and <loads>");
	x_ints(r, x_text(r, x_need(r, e, "sizes")), &r->ints);
	size_t count = r->ints.n;
	int64_t *sizes = arena_copy(&r->text, r->ints.at, count * sizeof *sizes);
	x_list_of(r, e, &r->vars);
	uint32_t *list = copy(r, &r->vars);
	if (r->vars.n != count)
		x_fail(r, "binPacking: %zu items, %zu sizes", r->vars.n, count);
	if (one) {
		struct condition c = x_condition(r, e);
		pack_used(r, list, sizes, count, &c);
		return;
	}
	size_t bins;
	struct condition *bin = read_bins(r, e, &bins);
	pack_bins(r, list, sizes, count, bin, bins, each ? x_start_index(r, each) : 0);
}

/* list * weights under one condition, list * profits under the other */
void x_knapsack(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	static const char *const parts[] = {"weights", "profits"};
	xmlNode *condition = x_need(r, e, "condition");
	x_list_of(r, e, &r->vars);
	size_t count = r->vars.n;
	uint32_t *list = copy(r, &r->vars);
	for (int k = 0; k < 2; k++) {
		x_ints(r, x_text(r, x_need(r, e, parts[k])), &r->ints);
		if (r->ints.n != count)
			x_fail(r, "knapsack: %zu items, %zu %s", count, r->ints.n, parts[k]);
		while (condition && !x_is(condition, "condition"))
			condition = condition->next;
		if (!condition)
			x_fail(r, "knapsack needs two conditions");
		xints keep = r->ints; /* the condition may need the scratch */
		r->ints = (xints){0};
		int64_t *weights = arena_copy(&r->text, keep.at, count * sizeof *weights);
		vec_free(&keep);
		struct condition c = x_condition_text(r, x_text(r, condition));
		vec_clear(&r->vars);
		vec_clear(&r->ints);
		for (size_t i = 0; i < count; i++) {
			vec_push(&r->vars, list[i]);
			vec_push(&r->ints, weights[i]);
		}
		x_post_sum(r, &c);
		condition = condition->next;
	}
}

/* ---- flow: what leaves a node less what enters it is its balance ---- */

static void read_arcs(struct xcsp *r, const char *s, size_t count, int64_t *ends)
{
	size_t k = 0;
	for (x_space(&s); *s; x_space(&s), k++) {
		bool good = k < count && *s++ == '(';
		for (int side = 0; good && side < 2; side++) {
			x_space(&s);
			good = x_int(&s, &ends[2 * k + (size_t)side]);
			x_space(&s);
			good = good && *s++ == (side ? ')' : ',');
		}
		if (!good)
			x_fail(r, "flow: one arc (from,to) per variable");
	}
	if (k != count)
		x_fail(r, "flow: %zu variables, %zu arcs", count, k);
}

static void post_balance(struct xcsp *r, const uint32_t *list, const int64_t *ends, size_t count, int64_t node,
                         int64_t k, uint32_t x)
{
	assert(x < r->n->vars.n);
	vec_clear(&r->vars);
	vec_clear(&r->ints);
	for (size_t i = 0; i < count; i++) {
		int64_t sign = (ends[2 * i] == node) - (ends[2 * i + 1] == node);
		if (!sign)
			continue;
		vec_push(&r->vars, list[i]);
		vec_push(&r->ints, sign);
	}
	if (!r->vars.n) {
		vec_push(&r->vars, x_constant(r, 0));
		vec_push(&r->ints, 1);
	}
	x_post_sum(r, &(struct condition){.op = CSP_OP_EQ, .k = k, .x = x});
}

void x_flow(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *weights = x_child(e, "weights"), *condition = x_child(e, "condition");
	if (!weights != !condition)
		x_fail(r, "flow has both <weights> and <condition> or neither");
	x_refs(r, x_text(r, x_need(r, e, "balance")), &r->more);
	size_t nodes = r->more.n;
	uint32_t *balance = copy(r, &r->more);
	x_list_of(r, e, &r->vars);
	size_t count = r->vars.n;
	uint32_t *list = copy(r, &r->vars);
	int64_t *ends = arena_alloc(&r->text, (2 * count + 1) * sizeof *ends), low = INT64_MAX, high = INT64_MIN;
	read_arcs(r, x_text(r, x_need(r, e, "arcs")), count, ends);
	for (size_t i = 0; i < 2 * count; i++) {
		low = ends[i] < low ? ends[i] : low;
		high = ends[i] > high ? ends[i] : high;
	}
	if (high - low + 1 != (int64_t)nodes)
		x_fail(r, "flow: %zu balances for the nodes %lld to %lld", nodes, (long long)low, (long long)high);
	for (size_t i = 0; i < nodes; i++)
		post_balance(r, list, ends, count, low + (int64_t)i, 0, balance[i]);
	if (!weights)
		return;
	struct condition c = x_condition(r, e);
	x_list_of(r, e, &r->vars);
	x_coefficients(r, weights);
	if (r->ints.n != r->vars.n)
		x_fail(r, "flow: %zu variables, %zu weights", r->vars.n, r->ints.n);
	x_post_sum(r, &c);
}

/* ---- clause ---- */

static bool is_boolean(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return csp_value(n, x, 0) >= 0 && csp_value(n, x, csp_count(n, x) - 1) <= 1;
}

/* x y not(z): as the sum x + y - z >= 0 */
void x_clause(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *list = x_child(e, "list");
	const char *s = x_text(r, list ? list : e), *token;
	int64_t least = 1;
	vec_clear(&r->vars);
	vec_clear(&r->ints);
	while ((token = x_token(r, &s))) {
		size_t length = strlen(token);
		bool negative = length > 5 && !strncmp(token, "not(", 4) && token[length - 1] == ')';
		size_t from = r->vars.n;
		x_expand(r, negative ? arena_text(&r->text, token + 4, length - 5) : token, &r->vars);
		for (size_t i = from; i < r->vars.n; i++) {
			if (!is_boolean(r->n, r->vars.at[i]))
				x_fail(r, "clause: %s is no 0/1 variable", csp_name(r->n, r->vars.at[i]));
			vec_push(&r->ints, negative ? -1 : 1);
			least -= negative;
		}
	}
	if (!r->vars.n)
		x_fail(r, "clause over no variable");
	x_posted(r, csp_add_sum(r->n, r->vars.at, r->ints.at, r->vars.n, CSP_GE, least));
}

/* ---- maximumArg, minimumArg: the condition is on the place of the extremum ---- */

/* The place i is that of the extremum m: the first, the last, or any. */
static uint32_t is_place(struct xcsp *r, const uint32_t *list, size_t count, size_t i, uint32_t m, enum x_rank rank)
{
	uint32_t is = equal(r, list[i], m);
	size_t from = rank == RANK_FIRST ? 0 : i + 1, to = rank == RANK_FIRST ? i : count;
	if (rank == RANK_ANY || from >= to)
		return is;
	uint32_t *all = arena_alloc(&r->text, (to - from + 1) * sizeof *all);
	for (size_t j = from; j < to; j++)
		all[j - from] = x_bool(r, CSP_OP_NE, csp_expr_var(r->n, list[j]), csp_expr_var(r->n, m));
	all[to - from] = is;
	return x_posted(r, csp_expr(r->n, CSP_OP_AND, all, to - from + 1));
}

void x_arg_extremum(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *k = x_need(r, e, "list");
	struct condition c = x_condition(r, e);
	enum x_rank rank = x_rank(r, xmlHasProp(k, (const xmlChar *)"rank") ? k : e);
	int32_t start = x_start_index(r, k);
	x_list_of(r, e, &r->vars);
	size_t count = r->vars.n;
	uint32_t *list = copy(r, &r->vars), m = x_extremum(r, x_is(e, "maximumArg"));
	uint32_t *any = arena_alloc(&r->text, count * sizeof *any);
	for (size_t i = 0; i < count; i++) {
		uint32_t place = csp_expr_const(r->n, start + (int64_t)i), at = is_place(r, list, count, i, m, rank);
		any[i] = x_bool(r, CSP_OP_AND, at, x_condition_expr(r, place, &c));
	}
	post(r, x_posted(r, csp_expr(r->n, CSP_OP_OR, any, count)));
}
