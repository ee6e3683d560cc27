/* XCSP3: pieces that several constraints share: conditions, lists, coefficients, cells of tuples, matrices. */
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

xmlNode *x_need(struct xcsp *r, xmlNode *e, const char *name)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *k = x_child(e, name);
	if (!k)
		x_fail(r, "%s without <%s>", (const char *)e->name, name);
	return k;
}

/* <list> when there is one, else the element's own text. */
void x_list_of(struct xcsp *r, xmlNode *e, xlist *out)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *k = x_child(e, "list");
	x_refs(r, x_text(r, k ? k : e), out);
	if (!out->n)
		x_fail(r, "%s over no variable", (const char *)e->name);
}

void x_narrow(struct xcsp *r, const xlist *list, const char *what)
{
	for (size_t i = 0; i < list->n; i++)
		if (csp_wide(r->n, list->at[i]))
			x_fail(r, "%s with %.60s, which has %u values; %d is the limit there", what, csp_name(r->n, list->at[i]),
			       csp_count(r->n, list->at[i]), CSP_MAX_BITS);
}

bool x_flag(struct xcsp *r, xmlNode *e, const char *name, bool otherwise)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *s = x_attr(r, e, name);
	return s ? !strcmp(s, "true") : otherwise;
}

enum x_rank x_rank(struct xcsp *r, xmlNode *e)
{
	const char *s = e ? x_attr(r, e, "rank") : NULL;
	return !s || !strcmp(s, "any") ? RANK_ANY : !strcmp(s, "first") ? RANK_FIRST : RANK_LAST;
}

/* ---- conditions such as (le,5), (eq,x), (in,1..5), (notin,{1,2}) ---- */

static enum csp_operator operator_of(struct xcsp *r, const char *s, size_t length)
{
	static const char *const names[] = {"lt", "le", "ge", "gt", "ne", "eq"};
	for (int i = 0; i < 6; i++)
		if (length == 2 && !strncmp(s, names[i], 2))
			return CSP_OP_LT + (enum csp_operator)i;
	if (length == 2 && !strncmp(s, "in", 2))
		return CSP_OP_IN;
	if (length == 5 && !strncmp(s, "notin", 5))
		return CSP_OP_NOTIN;
	x_fail(r, "the operator %.*s is not supported here", (int)(length < 20 ? length : 20), s);
}

static bool read_interval(struct xcsp *r, const char **s, int64_t *low, int64_t *high)
{
	if (!x_int(s, low))
		return false;
	*high = *low;
	if (!strncmp(*s, "..", 2)) {
		*s += 2;
		if (!x_int(s, high) || *high < *low)
			x_fail(r, "a bad interval");
	}
	return true;
}

/* {1,3,5..7} into pairs; *s is at the brace and ends behind the other. */
static void read_set(struct xcsp *r, const char **s, xints *out)
{
	const char *from = *s;
	for ((*s)++, x_space(s); **s != '}'; x_space(s)) {
		int64_t low, high;
		if (!read_interval(r, s, &low, &high))
			x_fail(r, "a number is expected in \"%.30s\"", from);
		vec_push(out, low);
		vec_push(out, high);
		x_space(s);
		if (**s == ',')
			(*s)++;
		else if (**s != '}' && !isspace((unsigned char)(*s)[-1]))
			x_fail(r, "a comma is missing in \"%.30s\"", from);
	}
	(*s)++;
}

static void condition_set(struct xcsp *r, const char *token, struct condition *c)
{
	xints pairs = {0};
	size_t mark = r->owned.n;
	const char *s = token;
	vec_reserve(&pairs, strlen(token)); /* so that it does not move: a fault inside frees it */
	vec_push(&r->owned, (char *)pairs.at);
	read_set(r, &s, &pairs);
	if (*s)
		x_fail(r, "a bad condition at \"%.20s\"", s);
	c->pairs = pairs.n / 2;
	c->set = arena_copy(&r->text, pairs.at, pairs.n * sizeof *pairs.at);
	r->owned.n = mark;
	vec_free(&pairs);
}

static void condition_operand(struct xcsp *r, const char *token, struct condition *c)
{
	const char *p = token;
	bool set = c->op == CSP_OP_IN || c->op == CSP_OP_NOTIN;
	if (*token == '{') {
		if (!set)
			x_fail(r, "a set goes with in and notin");
		condition_set(r, token, c);
	} else if (read_interval(r, &p, &c->k, &c->high)) {
		if (*p || (!set && c->high != c->k))
			x_fail(r, "a bad condition");
	} else {
		vec_clear(&r->more);
		x_expand(r, token, &r->more);
		if (r->more.n != 1)
			x_fail(r, "a bad condition");
		c->x = r->more.at[0];
		if (set)
			x_fail(r, "in and notin need an interval or a set");
	}
}

struct condition x_condition_text(struct xcsp *r, const char *s)
{
	struct condition c = {.x = CSP_NONE};
	x_space(&s);
	const char *comma = strchr(s, ','), *end = strrchr(s, ')');
	if (*s != '(' || !comma || !end || end < comma || end[1 + strspn(end + 1, " \t\r\n")])
		x_fail(r, "a bad condition: \"%.20s\"", s);
	const char *op = s + 1;
	x_space(&op);
	size_t length = (size_t)(comma - op);
	while (length && isspace((unsigned char)op[length - 1]))
		length--;
	c.op = operator_of(r, op, length);
	const char *rest = arena_text(&r->text, comma + 1, (size_t)(end - comma - 1)), *token = x_token(r, &rest);
	if (!token || (x_space(&rest), *rest))
		x_fail(r, "a bad condition");
	condition_operand(r, token, &c);
	return c;
}

struct condition x_condition(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	return x_condition_text(r, x_text(r, x_need(r, e, "condition")));
}

enum csp_relation x_relation(enum csp_operator op)
{
	return (enum csp_relation)(op - CSP_OP_LT);
}

uint32_t x_bool(struct xcsp *r, enum csp_operator op, uint32_t a, uint32_t b)
{
	return x_posted(r, csp_expr(r->n, op, (uint32_t[]){a, b}, 2));
}

#define MAX_LISTED 4096 /* values of a set that are written out */

/* expr lies in some interval of the set */
static uint32_t in_intervals(struct xcsp *r, uint32_t expr, const int64_t *set, size_t pairs)
{
	assert(expr < r->n->nodes.n);
	struct csp *n = r->n;
	uint32_t *any = arena_alloc(&r->text, (pairs + 1) * sizeof *any);
	for (size_t i = 0; i < pairs; i++)
		any[i] = x_bool(r, CSP_OP_AND, x_bool(r, CSP_OP_GE, expr, csp_expr_const(n, set[2 * i])),
		                x_bool(r, CSP_OP_LE, expr, csp_expr_const(n, set[2 * i + 1])));
	return x_posted(r, csp_expr(n, CSP_OP_OR, any, pairs));
}

static uint32_t in_set(struct xcsp *r, uint32_t expr, const int64_t *set, size_t pairs)
{
	assert(expr < r->n->nodes.n);
	struct csp *n = r->n;
	uint64_t values = 0;
	for (size_t i = 0; i < pairs; i++)
		values += values > MAX_LISTED ? 0 : (uint64_t)(set[2 * i + 1] - set[2 * i]) + 1;
	if (values > MAX_LISTED)
		return in_intervals(r, expr, set, pairs);
	uint32_t *all = arena_alloc(&r->text, (values + 1) * sizeof *all), k = 0;
	for (size_t i = 0; i < pairs; i++)
		for (int64_t v = set[2 * i]; v <= set[2 * i + 1]; v++)
			all[k++] = csp_expr_const(n, v);
	return x_bool(r, CSP_OP_IN, expr, x_posted(r, csp_expr(n, CSP_OP_SET, all, k)));
}

uint32_t x_condition_expr(struct xcsp *r, uint32_t expr, const struct condition *c)
{
	assert(expr < r->n->nodes.n);
	struct csp *n = r->n;
	if (c->op != CSP_OP_IN && c->op != CSP_OP_NOTIN)
		return x_bool(r, c->op, expr, c->x != CSP_NONE ? csp_expr_var(n, c->x) : x_posted(r, csp_expr_const(n, c->k)));
	uint32_t in = c->set ? in_set(r, expr, c->set, c->pairs) : in_intervals(r, expr, (int64_t[]){c->k, c->high}, 1);
	return c->op == CSP_OP_IN ? in : x_posted(r, csp_expr(n, CSP_OP_NOT, &in, 1));
}

/* expr satisfies the condition, as an intension constraint */
void x_post_condition(struct xcsp *r, uint32_t expr, const struct condition *c)
{
	assert(expr < r->n->nodes.n);
	if (c->op == CSP_OP_IN && !c->set) {
		struct condition low = {.op = CSP_OP_GE, .k = c->k, .x = CSP_NONE},
						 high = {.op = CSP_OP_LE, .k = c->high, .x = CSP_NONE};
		x_post_condition(r, expr, &low);
		x_post_condition(r, expr, &high);
		return;
	}
	x_posted(r, csp_add_intension(r->n, x_condition_expr(r, expr, c)));
}

/* ---- parts of elements ---- */

int32_t x_start_index(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *s = x_attr(r, e, "startIndex");
	int64_t v = 0;
	if (s && (!x_int(&s, &v) || *s || v > INT32_MAX / 2 || v < -INT32_MAX / 2))
		x_fail(r, "a bad startIndex");
	return (int32_t)v;
}

uint32_t x_one_var(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
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

bool x_names_variables(struct xcsp *r, const char *s)
{
	const char *token;
	while ((token = x_token(r, &s))) {
		size_t name = strcspn(token, "[(");
		if (csp_find(r->n, token) != CSP_NONE || token[name] || sym_find(&r->array_names, token, name) != SYM_NONE)
			return true;
	}
	return false;
}

enum csp_relation x_operator(struct xcsp *r, xmlNode *e)
{
	const char *how = x_attr(r, e, "case");
	xmlNode *k = x_child(e, "operator");
	if (how && k)
		x_fail(r, "%s with both case and <operator>", (const char *)e->name);
	if (how) {
		bool strict = *how == 's', up = strstr(how, "ncreasing") != NULL;
		return up ? (strict ? CSP_LT : CSP_LE) : (strict ? CSP_GT : CSP_GE);
	}
	const char *s = x_text(r, x_need(r, e, "operator")), *token = x_token(r, &s);
	enum csp_operator op = operator_of(r, token ? token : "", token ? strlen(token) : 0);
	if (op > CSP_OP_GT || x_token(r, &s))
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
	x_definition(r, csp_add_extremum(r->n, maximum, r->vars.at, r->vars.n, m));
	return m;
}

/* ---- cells ---- */

#define FAR ((int64_t)1 << 40) /* beyond any value */

/* What begins with an operator: its number of bytes and the operator; 0: no operator. */
static size_t cell_operator(const char *s, char *op)
{
	static const struct {
		const char *text;
		char op;
	} known[] = {{"\xe2\x89\xa0", '!'},
	             {"\xe2\x89\xa4", 'l'},
	             {"\xe2\x89\xa5", 'g'},
	             {"\xe2\x88\x81", 'c'},
	             {"!=", '!'},
	             {"<=", 'l'},
	             {">=", 'g'},
	             {"<", '<'},
	             {">", '>'},
	             {"=", '='}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strncmp(s, known[i].text, strlen(known[i].text))) {
			*op = known[i].op;
			return strlen(known[i].text);
		}
	return 0;
}

static void push_pair(xints *out, int64_t low, int64_t high)
{
	if (low > high)
		return;
	vec_push(out, low);
	vec_push(out, high);
}

/* All values outside of the pairs from `from` on, in their place. */
static void complement(xints *out, size_t from)
{
	int64_t next = -FAR;
	size_t end = out->n;
	for (;;) { /* the pair that begins lowest of those that end at `next` or later */
		size_t best = end;
		for (size_t i = from; i < end; i += 2)
			if (out->at[i + 1] >= next && (best == end || out->at[i] < out->at[best]))
				best = i;
		if (best == end)
			break;
		push_pair(out, next, out->at[best] - 1);
		next = out->at[best + 1] + 1;
	}
	push_pair(out, next, FAR);
	memmove(out->at + from, out->at + end, (out->n - end) * sizeof *out->at);
	out->n -= end - from;
}

static void read_operator_cell(struct xcsp *r, const char **s, char op, xints *out)
{
	size_t from = out->n;
	int64_t k, high;
	if (op == 'c' && **s == '{') {
		read_set(r, s, out);
		complement(out, from);
		return;
	}
	if (!read_interval(r, s, &k, &high) || (op != 'c' && k != high))
		x_fail(r, "a number is expected at \"%.20s\"", *s);
	switch (op) {
	case '!':
		push_pair(out, -FAR, k - 1);
		push_pair(out, k + 1, FAR);
		break;
	case 'c':
		push_pair(out, -FAR, k - 1);
		push_pair(out, high + 1, FAR);
		break;
	case 'l': push_pair(out, -FAR, k); break;
	case '<': push_pair(out, -FAR, k - 1); break;
	case 'g': push_pair(out, k, FAR); break;
	case '>': push_pair(out, k + 1, FAR); break;
	default: push_pair(out, k, k); break;
	}
}

void x_cell(struct xcsp *r, const char **s, uint32_t x, xints *out)
{
	assert(x < r->n->vars.n);
	int64_t low, high;
	char op;
	x_space(s);
	size_t length = cell_operator(*s, &op);
	if (length) {
		*s += length;
		read_operator_cell(r, s, op, out);
	} else if (**s == '*') {
		(*s)++;
		push_pair(out, -FAR, FAR);
	} else if (**s == '{') {
		read_set(r, s, out);
	} else if (read_interval(r, s, &low, &high)) {
		push_pair(out, low, high);
	} else {
		const char *from = *s;
		while (x_in_symbol(**s))
			(*s)++;
		if (*s == from)
			x_fail(r, "a bad tuple at \"%.20s\"", from);
		low = x_value(r, arena_text(&r->text, from, (size_t)(*s - from)), x);
		push_pair(out, low, low);
	}
	x_space(s);
}

/* ---- matrices: x[][], x[1..2][], or (a,b,c)(d,e,f) ---- */

static void matrix_rows(struct xcsp *r, const char *s, xlist *out, size_t *rows, size_t *columns)
{
	for (x_space(&s); *s; x_space(&s)) {
		size_t length = 0, before = out->n;
		if (*s != '(')
			x_fail(r, "a row (a,b,...) is expected at \"%.20s\"", s);
		do {
			s++;
			int depth = 0;
			x_space(&s);
			for (length = 0; s[length] && (depth || !strchr(",)", s[length])); length++)
				depth += (s[length] == '(') - (s[length] == ')');
			const char *cell = arena_text(&r->text, s, length), *token = x_token(r, &cell);
			if (!token)
				x_fail(r, "an empty place in a row of a matrix");
			x_expand(r, token, out);
			s += length;
		} while (*s == ',');
		if (*s++ != ')')
			x_fail(r, "a row of a matrix does not end");
		if ((*rows)++ && out->n - before != *columns)
			x_fail(r, "rows of different lengths in a matrix");
		*columns = out->n - before;
	}
}

void x_matrix(struct xcsp *r, xmlNode *e, xlist *out, size_t *rows, size_t *columns)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *s = x_text(r, e), *p = s;
	vec_clear(out);
	*rows = *columns = 0;
	x_space(&p);
	if (*p == '(') {
		matrix_rows(r, s, out, rows, columns);
	} else {
		const char *token = x_token(r, &s);
		if (!token || x_token(r, &s) || !x_shape(r, token, rows, columns))
			x_fail(r, "a <matrix> is name[][] or rows (a,b,...)");
		x_expand(r, token, out);
	}
	if (!*rows || !*columns || out->n != *rows * *columns)
		x_fail(r, "a <matrix> with undefined places");
}
