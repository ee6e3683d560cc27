/* XCSP3: text, numbers, variables, arrays, references. */
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void x_fail(struct xcsp *r, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	if (!r->e->message[0]) { /* what the XML parser found first is the cause */
		r->e->line = r->line;
		vsnprintf(r->e->message, sizeof r->e->message, format, list);
	}
	va_end(list);
	longjmp(r->fail, 1);
}

uint32_t x_line(const struct xcsp *r)
{
	return r->line;
}

void x_at_line(struct xcsp *r, uint32_t line)
{
	r->line = line;
}

void x_at(struct xcsp *r, const xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	r->line = (uint32_t)xmlGetLineNo(e);
}

uint32_t x_posted(struct xcsp *r, uint32_t id)
{
	if (id == CSP_NONE)
		x_fail(r, "%s", csp_error(r->n)[0] ? csp_error(r->n) : "cannot be built");
	return id;
}

uint32_t x_definition(struct xcsp *r, uint32_t id)
{
	r->n->cons.at[x_posted(r, id)].defines = true;
	return id;
}

void x_when_left(struct xcsp *r, void (*run)(void *), void *context)
{
	vec_push(&r->leaving, (struct x_leaving){run, context});
}

void x_leave(struct xcsp *r)
{
	while (r->leaving.n) {
		struct x_leaving l = vec_pop(&r->leaving);
		l.run(l.context);
	}
	arena_free(&r->text);
	r->text = (struct arena){0};
}

/* ---- elements ---- */

bool x_is(const xmlNode *e, const char *name)
{
	return e->type == XML_ELEMENT_NODE && !strcmp((const char *)e->name, name);
}

xmlNode *x_child(xmlNode *e, const char *name)
{
	for (xmlNode *k = e->children; k; k = k->next)
		if (x_is(k, name))
			return k;
	return NULL;
}

static void release(void *text)
{
	xmlFree(text);
}

/* %0, %1, ... stand for one argument of the group, %... for those that its template does not name. */
static const char *put_args(struct xcsp *r, const char *s)
{
	struct text t = {0};
	while (*s) {
		if (*s != '%') {
			text_putc(&t, *s++);
		} else if (!strncmp(s, "%...", 4)) {
			for (size_t i = r->arg_named; i < r->arg_count; i++)
				text_printf(&t, "%s ", r->args[i]);
			s += 4;
		} else {
			char *end;
			size_t k = strtoul(s + 1, &end, 10);
			if (end == s + 1 || k >= r->arg_count) {
				text_free(&t);
				x_fail(r, "the group has no argument %.8s", s);
			}
			text_puts(&t, r->args[k]);
			s = end;
		}
	}
	const char *copy = arena_text(&r->text, text_str(&t), t.n);
	text_free(&t);
	return copy;
}

const char *x_attr(struct xcsp *r, xmlNode *e, const char *name)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlChar *v = xmlGetProp(e, (const xmlChar *)name);
	if (!v)
		return NULL;
	struct mem_resource *owned = mem_own(release, v);
	const char *copy = arena_text(&r->text, (const char *)v, strlen((const char *)v));
	mem_disown(owned);
	xmlFree(v);
	return r->args && strchr(copy, '%') ? put_args(r, copy) : copy;
}

const char *x_text(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *s = "";
	x_at(r, e);
	/* one text node is the rule; do not copy what may be a table of gigabytes */
	xmlNode *k = e->children;
	if (k && !k->next && (k->type == XML_TEXT_NODE || k->type == XML_CDATA_SECTION_NODE)) {
		s = (const char *)k->content;
	} else if (k) {
		struct text t = {0};
		for (; k; k = k->next)
			if ((k->type == XML_TEXT_NODE || k->type == XML_CDATA_SECTION_NODE) && k->content)
				text_puts(&t, (const char *)k->content);
		s = arena_text(&r->text, text_str(&t), t.n);
		text_free(&t);
	}
	return r->args && strchr(s, '%') ? put_args(r, s) : s;
}

/* ---- tokens ---- */

void x_space(const char **s)
{
	while (isspace((unsigned char)**s))
		(*s)++;
}

bool x_int(const char **s, int64_t *v)
{
	const char *p = *s;
	bool minus = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	if (!isdigit((unsigned char)*p))
		return false;
	int64_t k = 0;
	for (; isdigit((unsigned char)*p); p++)
		if (k < (int64_t)1 << 58) /* larger ones are caught by the range checks */
			k = k * 10 + (*p - '0');
	*v = minus ? -k : k;
	*s = p;
	return true;
}

const char *x_token(struct xcsp *r, const char **s)
{
	x_space(s);
	if (!**s)
		return NULL;
	const char *from = *s;
	int depth = 0;
	while (**s && (depth > 0 || !isspace((unsigned char)**s))) {
		depth += **s == '(' || **s == '{';
		depth -= **s == ')' || **s == '}';
		(*s)++;
	}
	return arena_text(&r->text, from, (size_t)(*s - from));
}

/* Names of variables: letters, digits, underscores. */
static bool is_name(const char *s)
{
	if (!isalpha((unsigned char)*s))
		return false;
	while (isalnum((unsigned char)*s) || *s == '_')
		s++;
	return !*s;
}

bool x_in_symbol(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '?';
}

static bool is_symbol(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '?')
		return false;
	while (x_in_symbol(*s))
		s++;
	return !*s;
}

static int32_t small_int(struct xcsp *r, int64_t v)
{
	if (v > INT32_MAX || v <= INT32_MIN)
		x_fail(r, "the number %lld is out of range", (long long)v);
	return (int32_t)v;
}

void x_ints(struct xcsp *r, const char *s, xints *out)
{
	vec_clear(out);
	for (x_space(&s); *s; x_space(&s)) {
		int64_t a, b;
		if (!x_int(&s, &a))
			x_fail(r, "a number is expected at \"%.20s\"", s);
		b = a;
		if (!strncmp(s, "..", 2)) {
			s += 2;
			if (!x_int(&s, &b) || b < a)
				x_fail(r, "a bad interval");
		} else if (*s == 'x' && isdigit((unsigned char)s[1])) {
			int64_t times;
			s++;
			x_int(&s, &times);
			if (times > CSP_MAX_BITS)
				x_fail(r, "%lld repetitions", (long long)times);
			while (times-- > 1)
				vec_push(out, a);
		}
		if (*s && !isspace((unsigned char)*s))
			x_fail(r, "a number is expected at \"%.20s\"", s);
		if (b - a >= CSP_MAX_BITS || out->n > 4 * (size_t)CSP_MAX_BITS)
			x_fail(r, "an interval of %lld values; %d is the limit", (long long)(b - a + 1), CSP_MAX_BITS);
		for (; a <= b; a++)
			vec_push(out, small_int(r, a));
	}
}

int64_t x_value(struct xcsp *r, const char *token, uint32_t x)
{
	assert(x < r->n->vars.n);
	const char *s = token;
	int64_t v;
	if (x_int(&s, &v) && !*s)
		return v;
	if (x != CSP_NONE && !csp_symbolic(r->n, x))
		x_fail(r, "\"%.40s\" is no number", token);
	if (!is_symbol(token))
		x_fail(r, "\"%.40s\" is no value", token);
	return csp_symbol(r->n, token);
}

/* ---- variables ---- */

struct domain {
	const int32_t *values; /* NULL: low..high */
	size_t count;
	int32_t low, high;
	bool symbolic;
};

static struct domain read_domain(struct xcsp *r, const char *s, bool symbolic)
{
	const char *p = s;
	int64_t a, b;
	x_space(&p);
	if (!*p)
		x_fail(r, "an empty domain");
	if (!symbolic && x_int(&p, &a) && !strncmp(p, "..", 2)) {
		p += 2;
		if (x_int(&p, &b) && (x_space(&p), !*p)) {
			if (b < a)
				x_fail(r, "an empty domain");
			return (struct domain){NULL, 0, small_int(r, a), small_int(r, b), false};
		}
	}
	VEC(int32_t) v = {0};
	if (symbolic) {
		const char *token;
		while ((token = x_token(r, &s)))
			vec_push(&v, is_symbol(token) ? (int32_t)csp_symbol(r->n, token) : -1);
		for (size_t i = 0; i < v.n; i++)
			if (v.at[i] < 0) {
				vec_free(&v);
				x_fail(r, "a symbol is made of letters, digits, underscores and question marks");
			}
	} else {
		x_ints(r, s, &r->ints);
		for (size_t i = 0; i < r->ints.n; i++)
			vec_push(&v, (int32_t)r->ints.at[i]);
	}
	const int32_t *copy = arena_copy(&r->text, v.at, v.n * sizeof *v.at);
	size_t count = v.n;
	vec_free(&v);
	return (struct domain){copy, count, 0, 0, symbolic};
}

static uint32_t make_var(struct xcsp *r, const char *name, const struct domain *d)
{
	uint32_t x =
		d->values ? csp_var_values(r->n, name, d->values, d->count) : csp_var_range(r->n, name, d->low, d->high);
	x_posted(r, x);
	r->n->vars.at[x].symbolic = d->symbolic;
	return x;
}

/* Refuses variables that would not fit the memory: better here, with a line, than half-way through the search. */
static void expect_room(struct xcsp *r, const char *name, uint32_t count, const struct domain *d)
{
	uint64_t values = d->values ? d->count : (uint64_t)((int64_t)d->high - d->low + 1);
	uint64_t each = 200 + (values > CSP_MAX_BITS ? 0 : values / 4),
			 all = each * count; /* the set of values, and when it last changed */
	size_t room = mem_room(mem_scope_current()), half = mem_physical() / 2;
	room = room < half ? room : half;
	if (all > room)
		x_fail(r, "%u variable%s %.40s with %llu values: that takes about %llu MB, and there is room for %llu", count,
		       count == 1 ? "" : "s", name, (unsigned long long)values, (unsigned long long)(all >> 20),
		       (unsigned long long)(room >> 20));
}

/* The domain of the first variable of another declaration. */
static struct domain domain_as(struct xcsp *r, const char *name)
{
	xlist *v = &r->more;
	vec_clear(v);
	uint32_t x = csp_find(r->n, name);
	sym_t a = sym_find(&r->array_names, name, strlen(name));
	if (x == CSP_NONE && a != SYM_NONE) {
		const struct xarray *of = &r->arrays.at[a];
		x = r->cell.at[of->cells];
		if (of->mixed)
			x_fail(r, "as=\"%s\": its variables have different domains", name);
	}
	if (x == CSP_NONE)
		x_fail(r, "as=\"%s\": no such variable", name);
	struct domain d = {.symbolic = csp_symbolic(r->n, x), .count = csp_count(r->n, x)};
	if (csp_wide(r->n, x))
		return (struct domain){NULL, 0, csp_value(r->n, x, 0), csp_value(r->n, x, (uint32_t)d.count - 1), false};
	int32_t *values = arena_alloc(&r->text, d.count * sizeof *values);
	for (uint32_t i = 0; i < d.count; i++)
		values[i] = csp_value(r->n, x, i);
	d.values = values;
	return d;
}

#define MAX_CELLS (1 << 22)

static void read_size(struct xcsp *r, const char *s, struct xarray *a)
{
	uint64_t count = 1;
	for (x_space(&s); *s == '['; x_space(&s)) {
		int64_t k;
		s++;
		if (!x_int(&s, &k) || *s++ != ']' || k < 1 || k > MAX_CELLS || a->dims == 8)
			x_fail(r, "a bad array size");
		a->size[a->dims++] = (uint32_t)k;
		if ((count *= (uint64_t)k) > MAX_CELLS)
			x_fail(r, "an array of more than %d variables", MAX_CELLS);
	}
	if (!a->dims || *s)
		x_fail(r, "a bad array size");
	a->count = (uint32_t)count;
}

static void cell_name(const struct xarray *a, const char *name, uint32_t at, struct text *t)
{
	uint32_t index[8];
	for (uint32_t d = a->dims; d--; at /= a->size[d])
		index[d] = at % a->size[d];
	text_puts(t, name);
	for (uint32_t d = 0; d < a->dims; d++)
		text_printf(t, "[%d]", (int32_t)index[d] + a->start[d]);
}

static void make_cell(struct xcsp *r, const struct xarray *a, const char *name, uint32_t at, const struct domain *d)
{
	struct text t = {0};
	cell_name(a, name, at, &t);
	const char *full = arena_text(&r->text, text_str(&t), t.n);
	text_free(&t);
	r->cell.at[a->cells + at] = make_var(r, full, d);
}

/* Which cells of an array a reference such as x[1..2][] names; -1 entries: all. */
struct slice {
	sym_t array;
	int64_t low[8], high[8];
};

static bool read_slice(struct xcsp *r, const char *token, struct slice *out)
{
	const char *s = strchr(token, '[');
	if (!s)
		return false;
	out->array = sym_find(&r->array_names, token, (size_t)(s - token));
	if (out->array == SYM_NONE)
		x_fail(r, "unknown variable %.60s", token);
	const struct xarray *a = &r->arrays.at[out->array];
	uint32_t d = 0;
	for (; *s == '[' && d < a->dims; d++) {
		s++;
		out->low[d] = a->start[d];
		out->high[d] = (int64_t)a->start[d] + a->size[d] - 1;
		if (*s != ']') {
			if (!x_int(&s, &out->low[d]))
				x_fail(r, "a bad index in %.60s", token);
			out->high[d] = out->low[d];
			if (!strncmp(s, "..", 2) && (s += 2, !x_int(&s, &out->high[d])))
				x_fail(r, "a bad index in %.60s", token);
		}
		if (*s++ != ']' || out->low[d] < a->start[d] || out->high[d] >= (int64_t)a->start[d] + a->size[d])
			x_fail(r, "%.60s is outside its array", token);
	}
	if (*s || d != a->dims)
		x_fail(r, "%.60s does not fit its array of %u dimensions", token, a->dims);
	return true;
}

static void slice_cells(struct xcsp *r, const struct slice *s, uint32_t d, uint32_t at, xlist *out)
{
	const struct xarray *a = &r->arrays.at[s->array];
	if (d == a->dims) {
		vec_push(out, at);
		return;
	}
	for (int64_t i = s->low[d]; i <= s->high[d]; i++)
		slice_cells(r, s, d + 1, at * a->size[d] + (uint32_t)(i - a->start[d]), out);
}

static void mixed_domains(struct xcsp *r, xmlNode *e, sym_t id, const char *name, bool symbolic)
{
	assert(e->type == XML_ELEMENT_NODE);
	struct domain others = {0};
	bool has_others = false;
	for (xmlNode *k = e->children; k; k = k->next) {
		if (!x_is(k, "domain"))
			continue;
		x_at(r, k);
		const char *whom = x_attr(r, k, "for"), *token;
		struct domain d = read_domain(r, x_text(r, k), symbolic);
		if (!whom)
			x_fail(r, "a domain without for=");
		if (!strcmp(whom, "others")) {
			others = d;
			has_others = true;
			continue;
		}
		while ((token = x_token(r, &whom))) {
			struct slice s;
			if (!read_slice(r, token, &s) || s.array != id)
				x_fail(r, "domain for \"%.40s\"", token);
			vec_clear(&r->more);
			slice_cells(r, &s, 0, 0, &r->more);
			for (size_t i = 0; i < r->more.n; i++)
				make_cell(r, &r->arrays.at[id], name, r->more.at[i], &d);
		}
	}
	const struct xarray *a = &r->arrays.at[id];
	for (uint32_t i = 0; has_others && i < a->count; i++)
		if (r->cell.at[a->cells + i] == CSP_NONE)
			make_cell(r, a, name, i, &others);
}

static void read_array(struct xcsp *r, xmlNode *e, const char *name, bool symbolic)
{
	assert(e->type == XML_ELEMENT_NODE);
	struct xarray a = {.cells = narrow32(r->cell.n)};
	const char *size = x_attr(r, e, "size"), *start = x_attr(r, e, "startIndex"), *as = x_attr(r, e, "as");
	if (!size)
		x_fail(r, "array %s has no size", name);
	read_size(r, size, &a);
	for (uint32_t d = 0; start && d < a.dims; d++) {
		int64_t v = 0;
		while (*start && !isdigit((unsigned char)*start) && *start != '-')
			start++;
		x_int(&start, &v);
		if (v > INT32_MAX - (int64_t)a.size[d] || v <= INT32_MIN)
			x_fail(r, "a bad startIndex");
		a.start[d] = (int32_t)v;
	}
	if (csp_find(r->n, name) != CSP_NONE || sym_find(&r->array_names, name, strlen(name)) != SYM_NONE)
		x_fail(r, "%s is declared twice", name);
	a.name = sym_put(&r->array_names, name, strlen(name));
	a.mixed = x_child(e, "domain") != NULL;
	vec_push(&r->arrays, a);
	for (uint32_t i = 0; i < a.count; i++)
		vec_push(&r->cell, CSP_NONE);
	if (x_child(e, "domain")) {
		mixed_domains(r, e, a.name, name, symbolic);
		return;
	}
	struct domain d = as ? domain_as(r, as) : read_domain(r, x_text(r, e), symbolic);
	expect_room(r, name, a.count, &d);
	for (uint32_t i = 0; i < a.count; i++)
		make_cell(r, &a, name, i, &d);
}

void x_variable(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *name = x_attr(r, e, "id"), *type = x_attr(r, e, "type"), *as = x_attr(r, e, "as");
	x_know(r, e);
	if (!name || !is_name(name))
		x_fail(r, "a variable needs an id: a letter, then letters, digits and underscores");
	bool symbolic = type && !strcmp(type, "symbolic");
	if (type && !symbolic && strcmp(type, "integer"))
		x_fail(r, "variables of type %.40s are not supported", type);
	if (x_is(e, "array")) {
		read_array(r, e, name, symbolic);
		return;
	}
	if (sym_find(&r->array_names, name, strlen(name)) != SYM_NONE)
		x_fail(r, "%s is declared twice", name);
	struct domain d = as ? domain_as(r, as) : read_domain(r, x_text(r, e), symbolic);
	expect_room(r, name, 1, &d);
	make_var(r, name, &d);
}

void x_refuse_wide(struct xcsp *r)
{
	for (uint32_t x = 0; x < csp_variables(r->n); x++)
		if (csp_wide(r->n, x))
			x_fail(r, "%.60s has %u values; %d is the limit in such networks", csp_name(r->n, x), csp_count(r->n, x),
			       CSP_MAX_BITS);
}

/* ---- references ---- */

uint32_t x_hidden(struct xcsp *r, int32_t low, int32_t high)
{
	char name[32];
	snprintf(name, sizeof name, "_%u", r->aux++);
	uint32_t x = x_posted(r, csp_var_range(r->n, name, low, high));
	csp_hide(r->n, x);
	return x;
}

uint32_t x_constant(struct xcsp *r, int64_t v)
{
	char name[32];
	snprintf(name, sizeof name, small_int(r, v) < 0 ? "_minus%lld" : "_is%lld", (long long)(v < 0 ? -v : v));
	uint32_t x = csp_find(r->n, name);
	if (x == CSP_NONE) {
		x = x_posted(r, csp_var_range(r->n, name, (int32_t)v, (int32_t)v));
		csp_hide(r->n, x);
	}
	return x;
}

uint32_t x_define(struct xcsp *r, uint32_t expr)
{
	assert(expr < r->n->nodes.n);
	if (r->n->nodes.at[expr].op == CSP_OP_VAR)
		return (uint32_t)r->n->nodes.at[expr].value;
	if (!expr_safe(r->n, expr))
		x_fail(r, "arithmetic overflow is possible in an expression");
	struct csp_bounds b = csp_expr_bounds(r->n, expr);
	if (b.low > b.high)
		x_fail(r, "an expression that is never defined");
	if (b.high - b.low >= CSP_MAX_DOMAIN)
		x_fail(r, "an expression with %lld possible values", (long long)(b.high - b.low + 1));
	if (r->reifying && !expr_total(r->n, expr))
		x_fail(r, "an expression that may divide by zero in a constraint that is reified");
	uint32_t x = x_hidden(r, small_int(r, b.low), small_int(r, b.high));
	uint32_t args[2] = {expr, csp_expr_var(r->n, x)};
	x_definition(r, csp_add_intension(r->n, csp_expr(r->n, CSP_OP_EQ, args, 2)));
	return x;
}

void x_expand(struct xcsp *r, const char *token, xlist *out)
{
	const char *s = token;
	int64_t v;
	struct slice sl;
	uint32_t x = csp_find(r->n, token);
	if (x != CSP_NONE) {
		vec_push(out, x);
	} else if (x_int(&s, &v) && !*s) {
		vec_push(out, x_constant(r, v));
	} else if (strchr(token, '(')) {
		vec_push(out, x_define(r, x_expr(r, token)));
	} else if (read_slice(r, token, &sl)) {
		size_t from = out->n, kept = from;
		slice_cells(r, &sl, 0, 0, out);
		for (size_t i = from; i < out->n; i++) { /* cells without a domain are not variables */
			out->at[kept] = r->cell.at[r->arrays.at[sl.array].cells + out->at[i]];
			kept += out->at[kept] != CSP_NONE;
		}
		if (kept == from)
			x_fail(r, "%.60s names a variable without domain", token);
		out->n = kept;
	} else {
		x_fail(r, "unknown variable %.60s", token);
	}
}

bool x_shape(struct xcsp *r, const char *token, size_t *rows, size_t *columns)
{
	struct slice s;
	size_t wide[8], k = 0;
	if (!read_slice(r, token, &s))
		return false;
	uint32_t dims = r->arrays.at[s.array].dims;
	for (uint32_t d = 0; d < dims; d++)
		if (s.low[d] < s.high[d] || dims == 2)
			wide[k++] = (size_t)(s.high[d] - s.low[d] + 1);
	if (k != 2)
		return false;
	*rows = wide[0];
	*columns = wide[1];
	return true;
}

void x_refs(struct xcsp *r, const char *s, xlist *out)
{
	const char *token;
	vec_clear(out);
	while ((token = x_token(r, &s)))
		x_expand(r, token, out);
}

const xlist *x_list(struct xcsp *r, const char *s)
{
	x_refs(r, s, &r->vars);
	return &r->vars;
}

uint32_t *x_references(struct xcsp *r, const char *s, size_t *count)
{
	uint32_t known = csp_variables(r->n);
	const xlist *list = x_list(r, s);
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i] >= known) /* made just now for a number or an expression */
			x_fail(r, "\"%.40s\" names something that is no variable", s);
	*count = list->n;
	return list->n ? arena_copy(&r->text, list->at, list->n * sizeof *list->at) : NULL;
}
