/* XCSP3 out: variables (arrays put together again from names like x[1][2]),
 * constraints, objective. What csp_read_xml reads back has the same solutions. */
#include "csp/csp_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const operator_names[] = {
#define X(id, name, least, most) name,
	CSP_OPERATORS(X)
#undef X
};
static const char *const relation_names[] = {"lt", "le", "ge", "gt", "ne", "eq"};

/* Auxiliary names start with "_", which the format does not allow. */
static void put_name(const struct csp *n, uint32_t x, struct text *t)
{
	const char *name = csp_name(n, x);
	text_printf(t, "%s%s", *name == '_' ? "aux" : "", name);
}

static void put_value(const struct csp *n, uint32_t x, int64_t v, struct text *t)
{
	if (csp_symbolic(n, x) && v >= 0 && (uint64_t)v < n->symbols.all.n)
		text_puts(t, csp_symbol_text(n, (int32_t)v));
	else
		text_printf(t, "%lld", (long long)v);
}

static void put_domain(const struct csp *n, uint32_t x, struct text *t)
{
	const struct var *v = &n->vars.at[x];
	for (uint32_t i = 0; i < v->count;) {
		uint32_t j = i;
		while (!v->symbolic && j + 1 < v->count && var_value(n, v, j + 1) == var_value(n, v, j) + 1)
			j++;
		if (j < i + 2)
			j = i;
		put_value(n, x, var_value(n, v, i), t);
		if (j > i)
			text_printf(t, "..%d", var_value(n, v, j));
		text_putc(t, ' ');
		i = j + 1;
	}
}

static bool same_domain(const struct csp *n, uint32_t x, uint32_t y)
{
	const struct var *a = &n->vars.at[x], *b = &n->vars.at[y];
	if (a->count != b->count || a->symbolic != b->symbolic)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (var_value(n, a, i) != var_value(n, b, i))
			return false;
	return true;
}

/* ---- arrays ---- */

struct shape {
	size_t base; /* length of the name before the first bracket; 0: a plain variable */
	uint32_t dims, size[8];
};

static struct shape shape_of(const char *name)
{
	struct shape s = {0};
	const char *p = strchr(name, '[');
	s.base = p ? (size_t)(p - name) : 0;
	for (; p && *p == '['; s.dims++) {
		char *end;
		unsigned long k = strtoul(p + 1, &end, 10);
		if (end == p + 1 || *end != ']' || k > 1 << 24 || s.dims == 8)
			return (struct shape){0};
		s.size[s.dims] = (uint32_t)k + 1;
		p = end + 1;
	}
	if (p && *p)
		return (struct shape){0};
	return s;
}

static const char *type_of(const struct csp *n, uint32_t x)
{
	return csp_symbolic(n, x) ? " type=\"symbolic\"" : "";
}

/* Variables from..to-1 belong to one array. */
static void put_array(const struct csp *n, const uint32_t *of, size_t count, struct text *t)
{
	struct shape all = {0};
	uint64_t cells = 1;
	bool same = true;
	for (size_t i = 0; i < count; i++) {
		struct shape s = shape_of(csp_name(n, of[i]));
		all.base = s.base;
		all.dims = s.dims;
		for (uint32_t d = 0; d < s.dims; d++)
			all.size[d] = s.size[d] > all.size[d] ? s.size[d] : all.size[d];
		same = same && same_domain(n, of[0], of[i]);
	}
	text_printf(t, "<array id=\"%.*s\" size=\"", (int)all.base, csp_name(n, of[0]));
	for (uint32_t d = 0; d < all.dims; d++) {
		text_printf(t, "[%u]", all.size[d]);
		cells *= all.size[d];
	}
	text_printf(t, "\"%s> ", type_of(n, of[0]));
	if (same && cells == count) {
		put_domain(n, of[0], t);
	} else {
		for (size_t i = 0; i < count; i++) {
			text_printf(t, "\n<domain for=\"%s\"> ", csp_name(n, of[i]));
			put_domain(n, of[i], t);
			text_puts(t, "</domain>");
		}
		text_putc(t, '\n');
	}
	text_puts(t, "</array>\n");
}

static void put_variables(const struct csp *n, struct text *t)
{
	bool *done = NEW_ARRAY(bool, n->vars.n);
	struct symbols bases = {0};
	VEC(uint32_t) of = {0};
	uint32_t *base = NEW_ARRAY(uint32_t, n->vars.n);
	for (uint32_t x = 0; x < n->vars.n; x++) {
		struct shape s = shape_of(csp_name(n, x));
		base[x] = s.base ? sym_put(&bases, csp_name(n, x), s.base) : SYM_NONE;
	}
	for (uint32_t x = 0; x < n->vars.n; x++) {
		if (done[x])
			continue;
		if (base[x] == SYM_NONE) {
			text_puts(t, "<var id=\"");
			put_name(n, x, t);
			text_printf(t, "\"%s> ", type_of(n, x));
			put_domain(n, x, t);
			text_puts(t, "</var>\n");
			continue;
		}
		vec_clear(&of);
		for (uint32_t y = x; y < n->vars.n; y++)
			if (base[y] == base[x]) {
				vec_push(&of, y);
				done[y] = true;
			}
		put_array(n, of.at, of.n, t);
	}
	vec_free(&of);
	mem_free(done);
	mem_free(base);
	sym_free(&bases);
}

/* ---- constraints ---- */

static void put_names(const struct csp *n, const uint32_t *x, size_t count, struct text *t)
{
	for (size_t i = 0; i < count; i++) {
		put_name(n, x[i], t);
		text_putc(t, ' ');
	}
}

static void put_list(const struct csp *n, const char *element, const uint32_t *x, size_t count, struct text *t)
{
	text_printf(t, "<%s> ", element);
	put_names(n, x, count, t);
	text_printf(t, "</%.*s>", (int)strcspn(element, " "), element);
}

static void put_numbers(const char *element, const int64_t *v, size_t count, struct text *t)
{
	text_printf(t, "<%s> ", element);
	for (size_t i = 0; i < count; i++)
		text_printf(t, "%lld ", (long long)v[i]);
	text_printf(t, "</%.*s>", (int)strcspn(element, " "), element);
}

/* An integer that stands for a symbol prints as one, which needs a hint. */
static uint32_t symbolic_in(const struct csp *n, const struct node *d)
{
	for (uint32_t i = 0; i < d->count; i++) {
		const struct node *k = &n->nodes.at[n->args.at[d->args + i]];
		if (k->op == CSP_OP_VAR && csp_symbolic(n, (uint32_t)k->value))
			return (uint32_t)k->value;
	}
	return CSP_NONE;
}

static void put_expr(const struct csp *n, uint32_t e, uint32_t hint, struct text *t)
{
	const struct node *d = &n->nodes.at[e];
	bool symbol = hint != CSP_NONE && d->value >= 0 && (uint64_t)d->value < n->symbols.all.n;
	if (d->op == CSP_OP_CONST && symbol) {
		text_puts(t, csp_symbol_text(n, (int32_t)d->value));
	} else if (d->op == CSP_OP_CONST) {
		text_printf(t, "%lld", (long long)d->value);
	} else if (d->op == CSP_OP_VAR) {
		put_name(n, (uint32_t)d->value, t);
	} else {
		uint32_t inner = d->op == CSP_OP_SET ? hint : symbolic_in(n, d);
		text_printf(t, "%s(", operator_names[d->op]);
		for (uint32_t i = 0; i < d->count; i++) {
			if (i)
				text_putc(t, ',');
			put_expr(n, n->args.at[d->args + i], inner, t);
		}
		text_putc(t, ')');
	}
}

static void put_table(const struct csp *n, const struct con *c, struct text *t)
{
	const struct relation *rel = &n->relations.at[c->data];
	const uint32_t *scope = con_scope(n, c);
	const char *element = rel->positive ? "supports" : "conflicts";
	bool tuples = c->arity > 1 || rel->any; /* values of one variable need no parentheses */
	text_puts(t, "<extension>");
	put_list(n, "list", scope, c->arity, t);
	text_printf(t, "<%s> ", element);
	for (size_t r = 0; r < rel->rows; r++) {
		for (uint32_t p = 0; p < c->arity; p++) {
			uint32_t i = rel->cells[r * c->arity + p];
			if (tuples)
				text_putc(t, p ? ',' : '(');
			if (i == CELL_ANY)
				text_putc(t, '*');
			else
				put_value(n, scope[p], csp_value(n, scope[p], i), t);
		}
		text_puts(t, tuples ? ")" : " ");
	}
	text_printf(t, " </%s></extension>\n", element);
}

static void put_condition(const struct csp *n, int64_t rel, int64_t k, uint32_t x, struct text *t)
{
	text_printf(t, "<condition> (%s,", relation_names[rel]);
	if (x != CSP_NONE)
		put_name(n, x, t);
	else
		text_printf(t, "%lld", (long long)k);
	text_puts(t, ") </condition>");
}

static void put_count(const struct csp *n, const struct con *c, struct text *t)
{
	const int64_t *nums = n->nums.at + c->data;
	uint32_t count = c->arity - (nums[2] ? 1 : 0);
	text_puts(t, "<count>");
	put_list(n, "list", con_scope(n, c), count, t);
	text_puts(t, "<values> ");
	for (int64_t i = 0; i < nums[3]; i++) {
		put_value(n, con_scope(n, c)[0], nums[4 + i], t);
		text_putc(t, ' ');
	}
	text_puts(t, "</values>");
	put_condition(n, nums[0], nums[1], nums[2] ? con_scope(n, c)[count] : CSP_NONE, t);
	text_puts(t, "</count>\n");
}

static void put_alldiff(const struct csp *n, const struct con *c, struct text *t)
{
	const int64_t *nums = n->nums.at + c->data;
	text_puts(t, "<allDifferent>");
	put_list(n, "list", con_scope(n, c), c->arity, t);
	if (nums[0])
		put_numbers("except", nums + 1, (size_t)nums[0], t);
	text_puts(t, "</allDifferent>\n");
}

static void put_lists(const struct csp *n, const struct con *c, struct text *t)
{
	const int64_t *nums = n->nums.at + c->data;
	const uint32_t *s = con_scope(n, c);
	char element[40];
	if (c->kind == CSP_LEX) {
		text_puts(t, "<lex>");
		put_list(n, "list", s, c->arity / 2, t);
		put_list(n, "list", s + c->arity / 2, c->arity / 2, t);
		text_printf(t, "<operator> %s </operator></lex>\n", relation_names[nums[0]]);
		return;
	}
	size_t na = (size_t)nums[0];
	text_puts(t, "<channel>");
	snprintf(element, sizeof element, "list startIndex=\"%lld\"", (long long)nums[1]);
	put_list(n, element, s, na, t);
	snprintf(element, sizeof element, "list startIndex=\"%lld\"", (long long)nums[2]);
	put_list(n, element, s + na, c->arity - na, t);
	text_puts(t, "</channel>\n");
}

static void put_constraint(const struct csp *n, const struct con *c, struct text *t)
{
	const uint32_t *s = con_scope(n, c);
	const int64_t *nums = n->nums.at + c->data;
	char element[40];
	switch ((enum csp_kind)c->kind) {
	case CSP_TABLE: put_table(n, c, t); break;
	case CSP_INTENSION:
		text_puts(t, "<intension> ");
		put_expr(n, c->data, CSP_NONE, t);
		text_puts(t, " </intension>\n");
		break;
	case CSP_ALLDIFF: put_alldiff(n, c, t); break;
	case CSP_SUM:
		text_puts(t, "<sum>");
		put_list(n, "list", s, c->arity, t);
		put_numbers("coeffs", nums + 2, c->arity, t);
		put_condition(n, nums[0], nums[1], CSP_NONE, t);
		text_puts(t, "</sum>\n");
		break;
	case CSP_ELEMENT:
		text_puts(t, "<element>");
		snprintf(element, sizeof element, "list startIndex=\"%lld\"", (long long)nums[0]);
		put_list(n, element, s, c->arity - 2, t);
		put_list(n, "index", s + c->arity - 2, 1, t);
		put_list(n, "value", s + c->arity - 1, 1, t);
		text_puts(t, "</element>\n");
		break;
	case CSP_COUNT: put_count(n, c, t); break;
	case CSP_ORDERED:
		text_puts(t, "<ordered>");
		put_list(n, "list", s, c->arity, t);
		put_numbers("lengths", nums + 1, c->arity - 1, t);
		text_printf(t, "<operator> %s </operator></ordered>\n", relation_names[nums[0]]);
		break;
	case CSP_LEX:
	case CSP_CHANNEL: put_lists(n, c, t); break;
	case CSP_INSTANTIATION:
		text_puts(t, "<instantiation>");
		put_list(n, "list", s, c->arity, t);
		text_puts(t, "<values> ");
		for (uint32_t p = 0; p < c->arity; p++) {
			put_value(n, s[p], nums[p], t);
			text_putc(t, ' ');
		}
		text_puts(t, "</values></instantiation>\n");
		break;
	case CSP_NO_OVERLAP:
		text_puts(t, "<noOverlap>");
		put_list(n, "origins", s, c->arity, t);
		put_numbers("lengths", nums, c->arity, t);
		text_puts(t, "</noOverlap>\n");
		break;
	default:
		text_printf(t, "<%s>", csp_kind_name(c->kind));
		put_list(n, "list", s, c->arity - 1, t);
		put_condition(n, CSP_EQ, 0, s[c->arity - 1], t);
		text_printf(t, "</%s>\n", csp_kind_name(c->kind));
	}
}

static void put_objective(const struct csp *n, struct text *t)
{
	const char *element = n->maximise ? "maximize" : "minimize";
	text_puts(t, "<objectives>\n");
	if (n->objective_expr) {
		text_printf(t, "<%s> ", element);
		put_expr(n, n->objective_root, CSP_NONE, t);
	} else {
		text_printf(t, "<%s type=\"sum\"> ", element);
		put_list(n, "list", n->objective_scope.at, n->objective_scope.n, t);
		put_numbers("coeffs", n->objective_coeffs.at, n->objective_coeffs.n, t);
	}
	text_printf(t, " </%s>\n</objectives>\n", element);
}

void csp_write_xml(struct csp *n, struct text *out)
{
	text_printf(out, "<instance format=\"XCSP3\" type=\"%s\">\n<variables>\n", n->has_objective ? "COP" : "CSP");
	put_variables(n, out);
	text_puts(out, "</variables>\n<constraints>\n");
	for (size_t c = 0; c < n->cons.n; c++)
		if (!n->cons.at[c].implied)
			put_constraint(n, &n->cons.at[c], out);
	text_puts(out, "</constraints>\n");
	if (n->has_objective)
		put_objective(n, out);
	text_puts(out, "</instance>\n");
}
