/* XCSP3: constraints, groups, objectives. One function per element name. */
#include "csp/xcsp3/xcsp3_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static xmlNode *need(struct xcsp *r, xmlNode *e, const char *name)
{
	xmlNode *k = x_child(e, name);
	if (!k)
		x_fail(r, "%s without <%s>", (const char *)e->name, name);
	return k;
}

/* <list> when there is one, else the element's own text. */
static void list_of(struct xcsp *r, xmlNode *e, xlist *out)
{
	xmlNode *k = x_child(e, "list");
	x_refs(r, x_text(r, k ? k : e), out);
	if (!out->n)
		x_fail(r, "%s over no variable", (const char *)e->name);
}

/* ---- conditions such as (le,5), (eq,x), (in,1..5), (in,{1,2}) ---- */

struct condition {
	enum csp_operator op; /* LT..EQ, or IN */
	int64_t k, high;      /* number; with IN: k..high */
	uint32_t x;           /* variable, or CSP_NONE */
	const char *set;      /* text of {...}, or NULL */
};

static enum csp_operator operator_of(struct xcsp *r, const char *s, size_t length)
{
	static const char *const names[] = {"lt", "le", "ge", "gt", "ne", "eq"};
	for (int i = 0; i < 6; i++)
		if (length == 2 && !strncmp(s, names[i], 2))
			return CSP_OP_LT + (enum csp_operator)i;
	if (length == 2 && !strncmp(s, "in", 2))
		return CSP_OP_IN;
	x_fail(r, "the operator %.*s is not supported here", (int)(length < 20 ? length : 20), s);
}

static struct condition read_condition(struct xcsp *r, xmlNode *e)
{
	struct condition c = {.x = CSP_NONE};
	const char *s = x_text(r, need(r, e, "condition"));
	x_space(&s);
	const char *comma = strchr(s, ','), *end = strrchr(s, ')');
	if (*s != '(' || !comma || !end || end < comma)
		x_fail(r, "a bad condition");
	const char *op = s + 1;
	x_space(&op);
	size_t length = (size_t)(comma - op);
	while (length && isspace((unsigned char)op[length - 1]))
		length--;
	c.op = operator_of(r, op, length);
	const char *rest = arena_text(&r->text, comma + 1, (size_t)(end - comma - 1)), *token = x_token(r, &rest);
	if (!token)
		x_fail(r, "a bad condition");
	const char *p = token;
	if (*token == '{') {
		if (c.op != CSP_OP_IN)
			x_fail(r, "a set goes with in");
		c.set = token;
	} else if (x_int(&p, &c.k)) {
		c.high = c.k;
		if (!strncmp(p, "..", 2) && (p += 2, !x_int(&p, &c.high)))
			x_fail(r, "a bad condition");
		if (*p || (c.op != CSP_OP_IN && c.high != c.k))
			x_fail(r, "a bad condition");
	} else {
		vec_clear(&r->more);
		x_expand(r, token, &r->more);
		if (r->more.n != 1)
			x_fail(r, "a bad condition");
		c.x = r->more.at[0];
	}
	if (c.op == CSP_OP_IN && c.x != CSP_NONE)
		x_fail(r, "in needs an interval or a set");
	return c;
}

static enum csp_relation relation_of(enum csp_operator op)
{
	return (enum csp_relation)(op - CSP_OP_LT);
}

/* expr satisfies the condition, as an intension constraint */
static void post_condition(struct xcsp *r, uint32_t expr, const struct condition *c)
{
	struct csp *n = r->n;
	uint32_t args[2] = {expr, 0};
	if (c->op != CSP_OP_IN) {
		args[1] = c->x != CSP_NONE ? csp_expr_var(n, c->x) : csp_expr_const(n, c->k);
		x_posted(r, csp_add_intension(n, csp_expr(n, c->op, args, 2)));
	} else if (c->set) {
		xlist v = {0};
		for (const char *s = c->set + 1; *s && *s != '}';) {
			int64_t k;
			if (x_int(&s, &k))
				vec_push(&v, csp_expr_const(n, k));
			else
				s++;
		}
		args[1] = csp_expr(n, CSP_OP_SET, v.at, v.n);
		vec_free(&v);
		x_posted(r, csp_add_intension(n, csp_expr(n, CSP_OP_IN, args, 2)));
	} else {
		args[1] = csp_expr_const(n, c->k);
		x_posted(r, csp_add_intension(n, csp_expr(n, CSP_OP_GE, args, 2)));
		args[1] = csp_expr_const(n, c->high);
		x_posted(r, csp_add_intension(n, csp_expr(n, CSP_OP_LE, args, 2)));
	}
}

/* ---- extension ---- */

/* One cell of a tuple; tables can be huge, so no copies and no tokens. */
static int32_t read_cell(struct xcsp *r, const char **s, uint32_t x)
{
	int64_t v;
	while (isspace((unsigned char)**s))
		(*s)++;
	if (**s == '*') {
		(*s)++;
		v = CSP_ANY;
	} else if (!x_int(s, &v)) {
		const char *from = *s;
		while (isalnum((unsigned char)**s) || **s == '_')
			(*s)++;
		if (*s == from)
			x_fail(r, "a bad tuple at \"%.20s\"", from);
		const char *token = arena_text(&r->text, from, (size_t)(*s - from));
		v = x_value(r, token, x);
	} else if (v > INT32_MAX || v <= INT32_MIN) {
		x_fail(r, "the number %lld is out of range", (long long)v);
	}
	while (isspace((unsigned char)**s))
		(*s)++;
	return (int32_t)v;
}

static void read_tuples(struct xcsp *r, const char *s, const xlist *scope)
{
	vec_clear(&r->tuples);
	for (x_space(&s); *s; x_space(&s)) {
		if (*s++ != '(')
			x_fail(r, "a bad tuple at \"%.20s\"", s - 1);
		for (size_t p = 0; p < scope->n; p++) {
			vec_push(&r->tuples, read_cell(r, &s, scope->at[p]));
			if (*s++ != (p + 1 < scope->n ? ',' : ')'))
				x_fail(r, "a tuple whose length is not %zu", scope->n);
		}
	}
}

static void read_unary(struct xcsp *r, const char *s, uint32_t x)
{
	vec_clear(&r->tuples);
	if (csp_symbolic(r->n, x)) {
		for (x_space(&s); *s; x_space(&s))
			vec_push(&r->tuples, read_cell(r, &s, x));
		return;
	}
	x_ints(r, s, &r->ints);
	for (size_t i = 0; i < r->ints.n; i++)
		vec_push(&r->tuples, (int32_t)r->ints.at[i]);
}

static void extension(struct xcsp *r, xmlNode *e)
{
	xmlNode *sup = x_child(e, "supports"), *con = x_child(e, "conflicts");
	if (!sup == !con)
		x_fail(r, "extension needs either <supports> or <conflicts>");
	list_of(r, e, &r->vars);
	const char *s = x_text(r, sup ? sup : con), *p = s;
	x_space(&p);
	if (r->vars.n == 1 && *p != '(')
		read_unary(r, s, r->vars.at[0]);
	else
		read_tuples(r, s, &r->vars);
	x_posted(r, csp_add_table(r->n, r->vars.at, r->vars.n, r->tuples.at, r->tuples.n / r->vars.n, sup != NULL));
}

/* ---- the others, in the order of csp.h ---- */

static void intension(struct xcsp *r, xmlNode *e)
{
	xmlNode *f = x_child(e, "function");
	x_posted(r, csp_add_intension(r->n, x_expr(r, x_text(r, f ? f : e))));
}

static void post_alldiff(struct xcsp *r, const xlist *v)
{
	vec_clear(&r->tuples);
	for (size_t i = 0; i < r->ints.n; i++)
		vec_push(&r->tuples, (int32_t)r->ints.at[i]);
	x_posted(r, csp_add_alldiff(r->n, v->at, v->n, r->tuples.at, r->tuples.n));
}

/* Rows and columns of x[][] */
static void alldiff_matrix(struct xcsp *r, xmlNode *m)
{
	const char *s = x_text(r, m), *token = x_token(r, &s);
	char *open = token ? strstr((char *)token, "[][]") : NULL;
	sym_t id = open ? sym_find(&r->array_names, token, (size_t)(open - token)) : SYM_NONE;
	if (id == SYM_NONE || r->arrays.at[id].dims != 2)
		x_fail(r, "a <matrix> must be written name[][]");
	struct xarray a = r->arrays.at[id];
	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < a.size[side]; i++) {
			vec_clear(&r->vars);
			for (uint32_t j = 0; j < a.size[!side]; j++)
				vec_push(&r->vars, r->cell.at[a.cells + (side ? j * a.size[1] + i : i * a.size[1] + j)]);
			post_alldiff(r, &r->vars);
		}
}

static void all_different(struct xcsp *r, xmlNode *e)
{
	xmlNode *except = x_child(e, "except"), *matrix = x_child(e, "matrix"), *list = x_child(e, "list");
	vec_clear(&r->ints);
	if (except)
		x_ints(r, x_text(r, except), &r->ints);
	if (matrix) {
		alldiff_matrix(r, matrix);
		return;
	}
	for (xmlNode *k = list ? list->next : NULL; k; k = k->next)
		if (x_is(k, "list"))
			x_fail(r, "allDifferent over lists is not supported");
	xints keep = r->ints; /* expressions in the list may use r->ints */
	r->ints = (xints){0};
	vec_push(&r->owned, (char *)keep.at);
	list_of(r, e, &r->vars);
	r->owned.n--;
	vec_free(&r->ints);
	r->ints = keep;
	post_alldiff(r, &r->vars);
}

static void all_equal(struct xcsp *r, xmlNode *e)
{
	list_of(r, e, &r->vars);
	for (size_t i = 1; i < r->vars.n; i++) {
		uint32_t args[2] = {csp_expr_var(r->n, r->vars.at[i - 1]), csp_expr_var(r->n, r->vars.at[i])};
		x_posted(r, csp_add_intension(r->n, csp_expr(r->n, CSP_OP_EQ, args, 2)));
	}
}

static void sum(struct xcsp *r, xmlNode *e)
{
	xmlNode *coeffs = x_child(e, "coeffs");
	struct condition c = read_condition(r, e);
	x_refs(r, x_text(r, need(r, e, "list")), &r->vars);
	vec_clear(&r->ints);
	if (coeffs)
		x_ints(r, x_text(r, coeffs), &r->ints);
	else
		for (size_t i = 0; i < r->vars.n; i++)
			vec_push(&r->ints, 1);
	if (r->ints.n != r->vars.n || !r->vars.n)
		x_fail(r, "sum: %zu variables, %zu coefficients", r->vars.n, r->ints.n);
	if (c.set) {
		xlist terms = {0};
		for (size_t i = 0; i < r->vars.n; i++) {
			uint32_t args[2] = {csp_expr_const(r->n, r->ints.at[i]), csp_expr_var(r->n, r->vars.at[i])};
			vec_push(&terms, csp_expr(r->n, CSP_OP_MUL, args, 2));
		}
		uint32_t total = terms.n > 1 ? csp_expr(r->n, CSP_OP_ADD, terms.at, terms.n) : terms.at[0];
		vec_free(&terms);
		post_condition(r, csp_expr_var(r->n, x_define(r, total)), &c);
		return;
	}
	if (c.x != CSP_NONE) {
		vec_push(&r->vars, c.x);
		vec_push(&r->ints, -1);
		c.k = 0;
	}
	enum csp_relation rel = c.op == CSP_OP_IN ? CSP_GE : relation_of(c.op);
	x_posted(r, csp_add_sum(r->n, r->vars.at, r->ints.at, r->vars.n, rel, c.k));
	if (c.op == CSP_OP_IN)
		x_posted(r, csp_add_sum(r->n, r->vars.at, r->ints.at, r->vars.n, CSP_LE, c.high));
}

static int32_t start_index(struct xcsp *r, xmlNode *e)
{
	const char *s = x_attr(r, e, "startIndex");
	int64_t v = 0;
	if (s && (!x_int(&s, &v) || *s || v > INT32_MAX || v < -INT32_MAX))
		x_fail(r, "a bad startIndex");
	return (int32_t)v;
}

static uint32_t one_var(struct xcsp *r, xmlNode *e)
{
	x_refs(r, x_text(r, e), &r->more);
	if (r->more.n != 1)
		x_fail(r, "<%s> must name one variable", (const char *)e->name);
	return r->more.at[0];
}

static void element(struct xcsp *r, xmlNode *e)
{
	xmlNode *list = need(r, e, "list"), *value = x_child(e, "value"), *index = need(r, e, "index");
	uint32_t target, ix = one_var(r, index);
	x_refs(r, x_text(r, list), &r->vars);
	if (value) {
		target = one_var(r, value);
	} else {
		struct condition c = read_condition(r, e);
		if (c.op == CSP_OP_EQ) {
			target = c.x != CSP_NONE ? c.x : x_constant(r, c.k);
		} else {
			uint32_t *all = mem_alloc(r->vars.n + 1, 4);
			for (size_t i = 0; i < r->vars.n; i++)
				all[i] = csp_expr_var(r->n, r->vars.at[i]);
			/* a hidden variable within the bounds of the list */
			uint32_t both[2] = {csp_expr(r->n, CSP_OP_MIN, all, r->vars.n), csp_expr(r->n, CSP_OP_MAX, all, r->vars.n)};
			mem_free(all);
			struct bounds low = expr_bounds(r->n, both[0], CSP_NONE, 0, 0),
						  high = expr_bounds(r->n, both[1], CSP_NONE, 0, 0);
			char name[32];
			snprintf(name, sizeof name, "_%u", r->aux++);
			target = x_posted(r, csp_var_range(r->n, name, (int32_t)low.low, (int32_t)high.high));
			csp_hide(r->n, target);
			post_condition(r, csp_expr_var(r->n, target), &c);
		}
	}
	x_posted(r, csp_add_element(r->n, r->vars.at, r->vars.n, start_index(r, list), ix, target));
}

/* Hidden variable for the result of a count with an unusual condition. */
static uint32_t hidden_count(struct xcsp *r, size_t most)
{
	char name[32];
	snprintf(name, sizeof name, "_%u", r->aux++);
	uint32_t x = x_posted(r, csp_var_range(r->n, name, 0, (int32_t)most));
	csp_hide(r->n, x);
	return x;
}

static void read_values(struct xcsp *r, const char *s, const xlist *scope)
{
	vec_clear(&r->tuples);
	if (scope->n && csp_symbolic(r->n, scope->at[0])) {
		const char *token;
		while ((token = x_token(r, &s)))
			vec_push(&r->tuples, (int32_t)x_value(r, token, scope->at[0]));
		return;
	}
	x_ints(r, s, &r->ints);
	for (size_t i = 0; i < r->ints.n; i++)
		vec_push(&r->tuples, (int32_t)r->ints.at[i]);
}

static void count(struct xcsp *r, xmlNode *e)
{
	struct condition c = read_condition(r, e);
	list_of(r, e, &r->vars);
	read_values(r, x_text(r, need(r, e, "values")), &r->vars);
	uint32_t x = c.x;
	enum csp_relation rel = relation_of(c.op);
	if (c.op == CSP_OP_IN) {
		x = hidden_count(r, r->vars.n);
		rel = CSP_EQ;
		post_condition(r, csp_expr_var(r->n, x), &c);
	}
	x_posted(r, csp_add_count(r->n, r->vars.at, r->vars.n, r->tuples.at, r->tuples.n, rel, c.k, x));
}

/* One count per value. */
static void cardinality(struct xcsp *r, xmlNode *e)
{
	const char *closed = x_attr(r, need(r, e, "values"), "closed");
	list_of(r, e, &r->vars);
	read_values(r, x_text(r, need(r, e, "values")), &r->vars);
	const char *s = x_text(r, need(r, e, "occurs")), *token;
	size_t i = 0;
	for (; (token = x_token(r, &s)); i++) {
		const char *p = token;
		int64_t low, high;
		if (i >= r->tuples.n)
			x_fail(r, "cardinality: more occurrences than values");
		if (x_int(&p, &low)) {
			high = low;
			if (!strncmp(p, "..", 2) && (p += 2, !x_int(&p, &high)))
				x_fail(r, "a bad interval");
			x_posted(r, csp_add_count(r->n, r->vars.at, r->vars.n, &r->tuples.at[i], 1, CSP_GE, low, CSP_NONE));
			x_posted(r, csp_add_count(r->n, r->vars.at, r->vars.n, &r->tuples.at[i], 1, CSP_LE, high, CSP_NONE));
		} else {
			vec_clear(&r->more);
			x_expand(r, token, &r->more);
			if (r->more.n != 1)
				x_fail(r, "cardinality: write one occurrence a value");
			x_posted(r, csp_add_count(r->n, r->vars.at, r->vars.n, &r->tuples.at[i], 1, CSP_EQ, 0, r->more.at[0]));
		}
	}
	if (i != r->tuples.n)
		x_fail(r, "cardinality: %zu values, %zu occurrences", r->tuples.n, i);
	if (closed && !strcmp(closed, "true"))
		x_posted(r, csp_add_count(r->n, r->vars.at, r->vars.n, r->tuples.at, r->tuples.n, CSP_EQ, (int64_t)r->vars.n,
		                          CSP_NONE));
}

static enum csp_relation read_operator(struct xcsp *r, xmlNode *e)
{
	const char *s = x_text(r, need(r, e, "operator")), *token = x_token(r, &s);
	enum csp_operator op = operator_of(r, token ? token : "", token ? strlen(token) : 0);
	if (op > CSP_OP_GT)
		x_fail(r, "%s takes lt, le, ge or gt", (const char *)e->name);
	return relation_of(op);
}

static void ordered(struct xcsp *r, xmlNode *e)
{
	xmlNode *lengths = x_child(e, "lengths");
	enum csp_relation rel = read_operator(r, e);
	list_of(r, e, &r->vars);
	if (lengths) {
		x_ints(r, x_text(r, lengths), &r->ints);
		if (r->ints.n + 1 != r->vars.n)
			x_fail(r, "ordered: %zu variables need %zu lengths", r->vars.n, r->vars.n - 1);
	}
	x_posted(r, csp_add_ordered(r->n, r->vars.at, r->vars.n, lengths ? r->ints.at : NULL, rel));
}

static void lex(struct xcsp *r, xmlNode *e)
{
	enum csp_relation rel = read_operator(r, e);
	size_t length = 0, lists = 0;
	if (x_child(e, "matrix"))
		x_fail(r, "lex over a matrix is not supported");
	vec_clear(&r->vars);
	for (xmlNode *k = e->children; k; k = k->next) {
		if (!x_is(k, "list"))
			continue;
		x_refs(r, x_text(r, k), &r->more);
		if (lists++ && r->more.n != length)
			x_fail(r, "lex: lists of different lengths");
		length = r->more.n;
		for (size_t i = 0; i < length; i++)
			vec_push(&r->vars, r->more.at[i]);
	}
	if (lists < 2 || !length)
		x_fail(r, "lex needs two lists");
	for (size_t k = 0; k + 1 < lists; k++)
		x_posted(r, csp_add_lex(r->n, r->vars.at + k * length, r->vars.at + (k + 1) * length, length, rel));
}

static void instantiation(struct xcsp *r, xmlNode *e)
{
	list_of(r, e, &r->vars);
	read_values(r, x_text(r, need(r, e, "values")), &r->vars);
	if (r->tuples.n != r->vars.n)
		x_fail(r, "instantiation: %zu variables, %zu values", r->vars.n, r->tuples.n);
	x_posted(r, csp_add_instantiation(r->n, r->vars.at, r->vars.n, r->tuples.at));
}

/* list[i] = 1 iff value = i */
static void channel_one_hot(struct xcsp *r, uint32_t value, int32_t start)
{
	struct csp *n = r->n;
	for (size_t i = 0; i < r->vars.n; i++) {
		uint32_t a[2] = {csp_expr_var(n, r->vars.at[i]), csp_expr_const(n, 1)};
		uint32_t b[2] = {csp_expr_var(n, value), csp_expr_const(n, start + (int64_t)i)};
		uint32_t both[2] = {csp_expr(n, CSP_OP_EQ, a, 2), csp_expr(n, CSP_OP_EQ, b, 2)};
		x_posted(r, csp_add_intension(n, csp_expr(n, CSP_OP_IFF, both, 2)));
	}
}

static void channel(struct xcsp *r, xmlNode *e)
{
	xmlNode *a = x_child(e, "list"), *b = NULL, *value = x_child(e, "value");
	for (xmlNode *k = a ? a->next : NULL; k && !b; k = k->next)
		if (x_is(k, "list"))
			b = k;
	list_of(r, e, &r->vars);
	int32_t start = a ? start_index(r, a) : 0;
	if (value) {
		channel_one_hot(r, one_var(r, value), start);
	} else if (b) {
		x_refs(r, x_text(r, b), &r->more);
		if (!r->more.n)
			x_fail(r, "channel with an empty list");
		x_posted(r, csp_add_channel(r->n, r->vars.at, r->vars.n, start, r->more.at, r->more.n, start_index(r, b)));
	} else {
		x_posted(r, csp_add_channel(r->n, r->vars.at, r->vars.n, start, r->vars.at, r->vars.n, start));
	}
}

/* or(le(add(oi,li),oj), le(add(oj,lj),oi)) */
static void post_disjoint(struct xcsp *r, uint32_t oi, uint32_t li, uint32_t oj, uint32_t lj, bool zero_ignored)
{
	struct csp *n = r->n;
	uint32_t o[2] = {csp_expr_var(n, oi), csp_expr_var(n, oj)}, l[2] = {csp_expr_var(n, li), csp_expr_var(n, lj)},
			 any[4];
	for (int k = 0; k < 2; k++) {
		uint32_t end[2] = {o[k], l[k]}, le[2] = {csp_expr(n, CSP_OP_ADD, end, 2), o[!k]};
		uint32_t zero[2] = {l[k], csp_expr_const(n, 0)};
		any[k] = csp_expr(n, CSP_OP_LE, le, 2);
		any[2 + k] = csp_expr(n, CSP_OP_EQ, zero, 2);
	}
	x_posted(r, csp_add_intension(n, csp_expr(n, CSP_OP_OR, any, zero_ignored ? 4 : 2)));
}

static void no_overlap(struct xcsp *r, xmlNode *e)
{
	const char *zero = x_attr(r, e, "zeroIgnored");
	bool zero_ignored = !zero || strcmp(zero, "false");
	const char *origins = x_text(r, need(r, e, "origins")), *p = origins;
	x_space(&p);
	if (*p == '(')
		x_fail(r, "noOverlap in several dimensions is not supported");
	x_refs(r, origins, &r->vars);
	x_refs(r, x_text(r, need(r, e, "lengths")), &r->more);
	if (r->vars.n != r->more.n || !r->vars.n)
		x_fail(r, "noOverlap: %zu origins, %zu lengths", r->vars.n, r->more.n);
	bool fixed = true;
	vec_clear(&r->ints);
	for (size_t i = 0; i < r->more.n; i++) {
		fixed = fixed && csp_count(r->n, r->more.at[i]) == 1;
		vec_push(&r->ints, csp_value(r->n, r->more.at[i], 0));
		fixed = fixed && (zero_ignored || vec_last(&r->ints) > 0);
	}
	if (fixed) {
		x_posted(r, csp_add_no_overlap(r->n, r->vars.at, r->ints.at, r->vars.n));
		return;
	}
	for (size_t i = 0; i < r->vars.n; i++)
		for (size_t j = 0; j < i; j++)
			post_disjoint(r, r->vars.at[i], r->more.at[i], r->vars.at[j], r->more.at[j], zero_ignored);
}

/* A hidden variable equal to the extremum of r->vars. */
static uint32_t define_extremum(struct xcsp *r, bool maximum)
{
	int32_t low = INT32_MAX, high = INT32_MIN;
	for (size_t i = 0; i < r->vars.n; i++) {
		uint32_t x = r->vars.at[i];
		int32_t a = csp_value(r->n, x, 0), b = csp_value(r->n, x, csp_count(r->n, x) - 1);
		low = a < low ? a : low;
		high = b > high ? b : high;
	}
	char name[32];
	snprintf(name, sizeof name, "_%u", r->aux++);
	uint32_t m = x_posted(r, csp_var_range(r->n, name, low, high));
	csp_hide(r->n, m);
	x_posted(r, csp_add_extremum(r->n, maximum, r->vars.at, r->vars.n, m));
	return m;
}

static void extremum(struct xcsp *r, xmlNode *e)
{
	bool maximum = x_is(e, "maximum");
	struct condition c = read_condition(r, e);
	list_of(r, e, &r->vars);
	if (c.op == CSP_OP_EQ && c.x != CSP_NONE)
		x_posted(r, csp_add_extremum(r->n, maximum, r->vars.at, r->vars.n, c.x));
	else
		post_condition(r, csp_expr_var(r->n, define_extremum(r, maximum)), &c);
}

/* ---- the table of names, groups ---- */

static const struct {
	const char *name;
	void (*read)(struct xcsp *r, xmlNode *e);
} kinds[] = {
	{"extension", extension},
	{"intension", intension},
	{"allDifferent", all_different},
	{"allEqual", all_equal},
	{"sum", sum},
	{"element", element},
	{"count", count},
	{"cardinality", cardinality},
	{"ordered", ordered},
	{"lex", lex},
	{"instantiation", instantiation},
	{"channel", channel},
	{"noOverlap", no_overlap},
	{"maximum", extremum},
	{"minimum", extremum},
	{NULL, NULL},
};

static void one_constraint(struct xcsp *r, xmlNode *e)
{
	r->line = (uint32_t)xmlGetLineNo(e);
	if (x_attr(r, e, "reifiedBy") || x_attr(r, e, "hreifiedFrom") || x_attr(r, e, "hreifiedTo"))
		x_fail(r, "reification of %s is not supported", (const char *)e->name);
	for (size_t i = 0; kinds[i].name; i++)
		if (x_is(e, kinds[i].name)) {
			kinds[i].read(r, e);
			return;
		}
	x_fail(r, "the constraint %.60s is not supported", (const char *)e->name);
}

/* Arguments, one word each; parts of arrays are written out. */
static void read_args(struct xcsp *r, xmlNode *e)
{
	const char *s = x_text(r, e), *token;
	VEC(char *) args = {0};
	while ((token = x_token(r, &s))) {
		bool many = strchr(token, '[') && !strchr(token, '(') && (strstr(token, "[]") || strstr(token, ".."));
		if (!many) {
			vec_push(&args, (char *)token);
			continue;
		}
		vec_clear(&r->more);
		vec_push(&r->owned, (char *)args.at);
		x_expand(r, token, &r->more);
		r->owned.n--;
		for (size_t i = 0; i < r->more.n; i++)
			vec_push(&args, (char *)csp_name(r->n, r->more.at[i]));
	}
	r->args = arena_copy(&r->text, args.at, args.n * sizeof *args.at);
	r->arg_count = args.n;
	vec_free(&args);
}

static void group(struct xcsp *r, xmlNode *e)
{
	xmlNode *pattern = NULL;
	r->line = (uint32_t)xmlGetLineNo(e);
	for (xmlNode *k = e->children; k; k = k->next) {
		if (k->type != XML_ELEMENT_NODE)
			continue;
		r->line = (uint32_t)xmlGetLineNo(k);
		if (!pattern) {
			pattern = k;
		} else if (x_is(k, "args")) {
			read_args(r, k);
			one_constraint(r, pattern);
			r->args = NULL;
			arena_free(&r->text);
			r->text = (struct arena){0};
		} else {
			x_fail(r, "<%.40s> in a group", (const char *)k->name);
		}
	}
	if (!pattern)
		x_fail(r, "an empty group");
}

void x_constraint(struct xcsp *r, xmlNode *e)
{
	if (x_is(e, "group"))
		group(r, e);
	else
		one_constraint(r, e);
}

/* ---- objectives ---- */

void x_objective(struct xcsp *r, xmlNode *e)
{
	bool maximise = x_is(e, "maximize");
	r->line = (uint32_t)xmlGetLineNo(e);
	if (!maximise && !x_is(e, "minimize"))
		x_fail(r, "the objective %.40s is not supported", (const char *)e->name);
	const char *type = x_attr(r, e, "type");
	bool ok;
	if (!type || !strcmp(type, "expression")) {
		uint32_t root = x_expr(r, x_text(r, e));
		if (r->n->nodes.at[root].op == CSP_OP_VAR)
			ok = csp_objective_sum(r->n, (uint32_t[]){(uint32_t)r->n->nodes.at[root].value}, (int64_t[]){1}, 1,
			                       maximise);
		else
			ok = csp_objective_expr(r->n, root, maximise);
	} else if (!strcmp(type, "sum")) {
		xmlNode *coeffs = x_child(e, "coeffs");
		list_of(r, e, &r->vars);
		vec_clear(&r->ints);
		if (coeffs)
			x_ints(r, x_text(r, coeffs), &r->ints);
		else
			for (size_t i = 0; i < r->vars.n; i++)
				vec_push(&r->ints, 1);
		if (r->ints.n != r->vars.n)
			x_fail(r, "objective: %zu variables, %zu coefficients", r->vars.n, r->ints.n);
		ok = csp_objective_sum(r->n, r->vars.at, r->ints.at, r->vars.n, maximise);
	} else if (!strcmp(type, "maximum") || !strcmp(type, "minimum")) {
		list_of(r, e, &r->vars);
		ok = csp_objective_sum(r->n, (uint32_t[]){define_extremum(r, type[1] == 'a')}, (int64_t[]){1}, 1, maximise);
	} else {
		x_fail(r, "objectives of type %.40s are not supported", type);
	}
	if (!ok)
		x_fail(r, "%s", csp_error(r->n));
}
