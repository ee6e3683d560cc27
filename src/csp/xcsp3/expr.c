/* XCSP3: expressions in functional form, such as eq(add(x,y),mul(2,z)), in and out. */
#include "base/nearest.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <string.h>

#define MAX_DEPTH 1000

static const char *const names[] = {
#define X(id, name, least, most) name,
	CSP_OPERATORS(X)
#undef X
};

static uint32_t read_tree(struct xcsp *r, const char **s, int depth);

#define MAX_RANGE 65536 /* values of range(a,b) that are written out */

/* range(a,b) as a set */
static uint32_t read_range(struct xcsp *r, const char **s)
{
	int64_t end[2];
	for (int i = 0; i < 2; i++) {
		(*s)++;
		x_space(s);
		bool good = x_int(s, &end[i]);
		x_space(s);
		if (!good || **s != (i ? ')' : ','))
			x_fail(r, "a range is range(low,high), with numbers");
	}
	(*s)++;
	if (end[1] - end[0] >= MAX_RANGE)
		x_fail(r, "a range of more than %d values", MAX_RANGE);
	size_t count = end[1] < end[0] ? 0 : (size_t)(end[1] - end[0]) + 1;
	uint32_t *all = arena_alloc(&r->text, (count + 1) * sizeof *all);
	for (size_t i = 0; i < count; i++)
		all[i] = csp_expr_const(r->n, end[0] + (int64_t)i);
	return x_posted(r, csp_expr(r->n, CSP_OP_SET, all, count));
}

static uint32_t operator_named(struct xcsp *r, const char *name)
{
	uint32_t op = CSP_OP_NEG;
	while (op < CSP_OP_COUNT && strcmp(names[op], name))
		op++;
	if (op < CSP_OP_COUNT)
		return op;
	const char *known[CSP_OP_COUNT + 1];
	size_t n = 0;
	for (op = CSP_OP_NEG; op < CSP_OP_COUNT; op++)
		known[n++] = names[op];
	known[n] = NULL;
	const char *near = nearest_word(name, known);
	if (near)
		x_fail(r, "the operator %.40s is not supported; did you mean %s?", name, near);
	x_fail(r, "the operator %.40s is not supported", name);
}

static uint32_t read_call(struct xcsp *r, const char **s, const char *name, int depth)
{
	if (!strcmp(name, "range"))
		return read_range(r, s);
	uint32_t op = operator_named(r, name);
	xlist args = {0};
	(*s)++;
	for (x_space(s); **s != ')'; x_space(s)) {
		if (args.n && *(*s)++ != ',') {
			vec_free(&args);
			x_fail(r, "a comma or a parenthesis is missing in %.40s(...)", name);
		}
		vec_push(&r->owned, (char *)args.at); /* so that a fault inside frees it */
		uint32_t a = read_tree(r, s, depth + 1);
		r->owned.n--;
		vec_push(&args, a);
	}
	(*s)++;
	uint32_t e = csp_expr(r->n, (enum csp_operator)op, args.at, args.n);
	vec_free(&args);
	return x_posted(r, e);
}

static uint32_t read_tree(struct xcsp *r, const char **s, int depth)
{
	if (depth > MAX_DEPTH)
		x_fail(r, "an expression nested deeper than %d", MAX_DEPTH);
	x_space(s);
	int64_t v;
	if (x_int(s, &v)) {
		if (v > INT64_C(1) << 40 || v < -(INT64_C(1) << 40))
			x_fail(r, "the number %lld is out of range", (long long)v);
		return csp_expr_const(r->n, v);
	}
	const char *from = *s;
	while (x_in_symbol(**s) || (**s && strchr("[].-", **s)))
		(*s)++;
	if (*s == from)
		x_fail(r, "an expression is expected at \"%.20s\"", from);
	const char *name = arena_text(&r->text, from, (size_t)(*s - from));
	x_space(s);
	if (**s == '(')
		return read_call(r, s, name, depth);
	uint32_t x = csp_find(r->n, name);
	if (x != CSP_NONE)
		return csp_expr_var(r->n, x);
	sym_t symbol = sym_find(&r->n->symbols, name, strlen(name));
	if (symbol != SYM_NONE)
		return csp_expr_const(r->n, symbol);
	x_fail(r, "unknown variable %.60s", name);
}

uint32_t x_expr(struct xcsp *r, const char *s)
{
	uint32_t e = read_tree(r, &s, 0);
	x_space(&s);
	if (*s)
		x_fail(r, "unexpected \"%.20s\" after an expression", s);
	return e;
}

/* ---- out ---- */

/* An integer that stands for a symbol prints as one, which needs a hint. */
static uint32_t symbolic_in(const struct csp *n, const struct node *d)
{
	assert(d->args + d->count <= n->args.n);
	for (uint32_t i = 0; i < d->count; i++) {
		const struct node *k = &n->nodes.at[n->args.at[d->args + i]];
		if (k->op == CSP_OP_VAR && csp_symbolic(n, (uint32_t)k->value))
			return (uint32_t)k->value;
	}
	return CSP_NONE;
}

static void put_tree(const struct csp *n, uint32_t e, uint32_t hint, struct text *t)
{
	assert(e < n->nodes.n);
	const struct node *d = &n->nodes.at[e];
	bool symbol = hint != CSP_NONE && d->value >= 0 && (uint64_t)d->value < n->symbols.all.n;
	if (d->op == CSP_OP_CONST && symbol) {
		text_puts(t, csp_symbol_text(n, (int32_t)d->value));
	} else if (d->op == CSP_OP_CONST) {
		text_printf(t, "%lld", (long long)d->value);
	} else if (d->op == CSP_OP_VAR) {
		csp_xml_name(n, (uint32_t)d->value, t);
	} else {
		uint32_t inner = d->op == CSP_OP_SET ? hint : symbolic_in(n, d);
		text_printf(t, "%s(", names[d->op]);
		for (uint32_t i = 0; i < d->count; i++) {
			if (i)
				text_putc(t, ',');
			put_tree(n, n->args.at[d->args + i], inner, t);
		}
		text_putc(t, ')');
	}
}

void xml_expr(const struct csp *n, uint32_t e, struct text *out)
{
	assert(e < n->nodes.n);
	put_tree(n, e, CSP_NONE, out);
}
