/* XCSP3: conditions, groups, objectives, and elements that stand for several
 * constraints. The others are read where their kind is, in csp/globals. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <ctype.h>
#include <string.h>

xmlNode *x_need(struct xcsp *r, xmlNode *e, const char *name)
{
	xmlNode *k = x_child(e, name);
	if (!k)
		x_fail(r, "%s without <%s>", (const char *)e->name, name);
	return k;
}

/* <list> when there is one, else the element's own text. */
void x_list_of(struct xcsp *r, xmlNode *e, xlist *out)
{
	xmlNode *k = x_child(e, "list");
	x_refs(r, x_text(r, k ? k : e), out);
	if (!out->n)
		x_fail(r, "%s over no variable", (const char *)e->name);
}

/* ---- conditions such as (le,5), (eq,x), (in,1..5), (in,{1,2}) ---- */

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

struct condition x_condition(struct xcsp *r, xmlNode *e)
{
	struct condition c = {.x = CSP_NONE};
	const char *s = x_text(r, x_need(r, e, "condition"));
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

enum csp_relation x_relation(enum csp_operator op)
{
	return (enum csp_relation)(op - CSP_OP_LT);
}

/* expr satisfies the condition, as an intension constraint */
void x_post_condition(struct xcsp *r, uint32_t expr, const struct condition *c)
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

/* ---- pieces that several elements share ---- */

int32_t x_start_index(struct xcsp *r, xmlNode *e)
{
	const char *s = x_attr(r, e, "startIndex");
	int64_t v = 0;
	if (s && (!x_int(&s, &v) || *s || v > INT32_MAX || v < -INT32_MAX))
		x_fail(r, "a bad startIndex");
	return (int32_t)v;
}

uint32_t x_one_var(struct xcsp *r, xmlNode *e)
{
	x_refs(r, x_text(r, e), &r->more);
	if (r->more.n != 1)
		x_fail(r, "<%s> must name one variable", (const char *)e->name);
	return r->more.at[0];
}

void x_coefficients(struct xcsp *r, xmlNode *coeffs)
{
	vec_clear(&r->ints);
	if (coeffs)
		x_ints(r, x_text(r, coeffs), &r->ints);
	else
		for (size_t i = 0; i < r->vars.n; i++)
			vec_push(&r->ints, 1);
}

void x_values(struct xcsp *r, const char *s, const xlist *scope)
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

enum csp_relation x_operator(struct xcsp *r, xmlNode *e)
{
	const char *s = x_text(r, x_need(r, e, "operator")), *token = x_token(r, &s);
	enum csp_operator op = operator_of(r, token ? token : "", token ? strlen(token) : 0);
	if (op > CSP_OP_GT)
		x_fail(r, "%s takes lt, le, ge or gt", (const char *)e->name);
	return x_relation(op);
}

uint32_t x_extremum(struct xcsp *r, bool maximum)
{
	int32_t low = INT32_MAX, high = INT32_MIN;
	for (size_t i = 0; i < r->vars.n; i++) {
		uint32_t x = r->vars.at[i];
		int32_t a = csp_value(r->n, x, 0), b = csp_value(r->n, x, csp_count(r->n, x) - 1);
		low = a < low ? a : low;
		high = b > high ? b : high;
	}
	uint32_t m = x_hidden(r, low, high);
	x_posted(r, csp_add_extremum(r->n, maximum, r->vars.at, r->vars.n, m));
	return m;
}

/* ---- elements that stand for several constraints ---- */

static void all_equal(struct xcsp *r, xmlNode *e)
{
	x_list_of(r, e, &r->vars);
	for (size_t i = 1; i < r->vars.n; i++) {
		uint32_t args[2] = {csp_expr_var(r->n, r->vars.at[i - 1]), csp_expr_var(r->n, r->vars.at[i])};
		x_posted(r, csp_add_intension(r->n, csp_expr(r->n, CSP_OP_EQ, args, 2)));
	}
}

/* One count per value. */
static void cardinality(struct xcsp *r, xmlNode *e)
{
	const char *closed = x_attr(r, x_need(r, e, "values"), "closed");
	x_list_of(r, e, &r->vars);
	x_values(r, x_text(r, x_need(r, e, "values")), &r->vars);
	const char *s = x_text(r, x_need(r, e, "occurs")), *token;
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
				x_fail(r, "cardinality: write one occurrence per value");
			x_posted(r, csp_add_count(r->n, r->vars.at, r->vars.n, &r->tuples.at[i], 1, CSP_EQ, 0, r->more.at[0]));
		}
	}
	if (i != r->tuples.n)
		x_fail(r, "cardinality: %zu values, %zu occurrences", r->tuples.n, i);
	if (closed && !strcmp(closed, "true"))
		x_posted(r, csp_add_count(r->n, r->vars.at, r->vars.n, r->tuples.at, r->tuples.n, CSP_EQ, (int64_t)r->vars.n,
		                          CSP_NONE));
}

/* ---- one constraint, groups ---- */

typedef void reader(struct xcsp *r, xmlNode *e);

static reader *reader_of(const xmlNode *e)
{
	for (enum csp_kind k = 0; k < CSP_KIND_COUNT; k++)
		if (x_is(e, csp_kind_name(k)))
			return csp_kinds[k]->read;
	return x_is(e, "allEqual") ? all_equal : x_is(e, "cardinality") ? cardinality : NULL;
}

static void one_constraint(struct xcsp *r, xmlNode *e)
{
	x_at(r, e);
	if (x_attr(r, e, "reifiedBy") || x_attr(r, e, "hreifiedFrom") || x_attr(r, e, "hreifiedTo"))
		x_fail(r, "reification of %s is not supported", (const char *)e->name);
	reader *read = reader_of(e);
	if (!read)
		x_fail(r, "the constraint %.60s is not supported", (const char *)e->name);
	read(r, e);
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
	x_at(r, e);
	for (xmlNode *k = e->children; k; k = k->next) {
		if (k->type != XML_ELEMENT_NODE)
			continue;
		x_at(r, k);
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
	x_at(r, e);
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
		x_list_of(r, e, &r->vars);
		x_coefficients(r, x_child(e, "coeffs"));
		if (r->ints.n != r->vars.n)
			x_fail(r, "objective: %zu variables, %zu coefficients", r->vars.n, r->ints.n);
		ok = csp_objective_sum(r->n, r->vars.at, r->ints.at, r->vars.n, maximise);
	} else if (!strcmp(type, "maximum") || !strcmp(type, "minimum")) {
		x_list_of(r, e, &r->vars);
		ok = csp_objective_sum(r->n, (uint32_t[]){x_extremum(r, type[1] == 'a')}, (int64_t[]){1}, 1, maximise);
	} else {
		x_fail(r, "objectives of type %.40s are not supported", type);
	}
	if (!ok)
		x_fail(r, "%s", csp_error(r->n));
}
