/* XCSP3 out: variables (arrays put together again from names like x[1][2]),
 * constraints, objective. What csp_read_xml reads back has the same solutions. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const relation_names[] = {"lt", "le", "ge", "gt", "ne", "eq"};

/* Auxiliary names start with "_", which the format does not allow. */
static const char *prefix_of(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return csp_name(n, x)[0] == '_' ? "aux" : "";
}

void csp_xml_name(const struct csp *n, uint32_t x, struct text *t)
{
	assert(x < n->vars.n);
	text_puts(t, prefix_of(n, x));
	text_puts(t, csp_name(n, x));
}

void csp_xml_value(const struct csp *n, uint32_t x, int64_t v, struct text *t)
{
	assert(x < n->vars.n);
	if (csp_symbolic(n, x) && v >= 0 && (uint64_t)v < n->symbols.all.n)
		text_puts(t, csp_symbol_text(n, (int32_t)v));
	else
		text_printf(t, "%lld", (long long)v);
}

static void put_domain(const struct csp *n, uint32_t x, struct text *t)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	if (v->vals == CSP_NONE && !v->symbolic && v->count > 2) {
		text_printf(t, "%d..%d ", var_value(n, v, 0), var_value(n, v, v->count - 1));
		return;
	}
	for (uint32_t i = 0; i < v->count;) {
		uint32_t j = i;
		while (!v->symbolic && j + 1 < v->count && var_value(n, v, j + 1) == var_value(n, v, j) + 1)
			j++;
		if (j < i + 2)
			j = i;
		csp_xml_value(n, x, var_value(n, v, i), t);
		if (j > i)
			text_printf(t, "..%d", var_value(n, v, j));
		text_putc(t, ' ');
		i = j + 1;
	}
}

static bool same_domain(const struct csp *n, uint32_t x, uint32_t y)
{
	assert(x < n->vars.n);
	assert(y < n->vars.n);
	const struct var *a = &n->vars.at[x], *b = &n->vars.at[y];
	if (a->count != b->count || a->symbolic != b->symbolic)
		return false;
	if (a->vals == CSP_NONE && b->vals == CSP_NONE)
		return a->base == b->base;
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
	assert(x < n->vars.n);
	return csp_symbolic(n, x) ? " type=\"symbolic\"" : "";
}

static void put_variable(const struct csp *n, uint32_t x, struct text *t)
{
	assert(x < n->vars.n);
	text_puts(t, "<var id=\"");
	csp_xml_name(n, x, t);
	text_printf(t, "\"%s> ", type_of(n, x));
	put_domain(n, x, t);
	text_puts(t, "</var>\n");
}

/* The variables `of` belong to one array. */
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
	text_printf(t, "<array id=\"%s%.*s\" size=\"", prefix_of(n, of[0]), (int)all.base, csp_name(n, of[0]));
	for (uint32_t d = 0; d < all.dims; d++) {
		text_printf(t, "[%u]", all.size[d]);
		cells *= all.size[d];
	}
	text_printf(t, "\"%s> ", type_of(n, of[0]));
	if (same && cells == count) {
		put_domain(n, of[0], t);
	} else {
		for (size_t i = 0; i < count; i++) {
			text_puts(t, "\n<domain for=\"");
			csp_xml_name(n, of[i], t);
			text_puts(t, "\"> ");
			put_domain(n, of[i], t);
			text_puts(t, "</domain>");
		}
		text_putc(t, '\n');
	}
	text_puts(t, "</array>\n");
}

void csp_xml_variables(const struct csp *n, bool (*declare)(void *user, uint32_t x, struct text *out), void *user,
                       struct text *t)
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
			if (!declare || !declare(user, x, t))
				put_variable(n, x, t);
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

void csp_xml_names(const struct csp *n, const uint32_t *x, size_t count, struct text *t)
{
	for (size_t i = 0; i < count; i++) {
		csp_xml_name(n, x[i], t);
		text_putc(t, ' ');
	}
}

void xml_list(const struct csp *n, const char *element, const uint32_t *x, size_t count, struct text *t)
{
	text_printf(t, "<%s> ", element);
	csp_xml_names(n, x, count, t);
	text_printf(t, "</%s>", element);
}

void xml_numbers(const char *element, const int64_t *v, size_t count, struct text *t)
{
	text_printf(t, "<%s> ", element);
	for (size_t i = 0; i < count; i++)
		text_printf(t, "%lld ", (long long)v[i]);
	text_printf(t, "</%s>", element);
}

void xml_list_from(const struct csp *n, int64_t start, const uint32_t *x, size_t count, struct text *t)
{
	text_printf(t, "<list startIndex=\"%lld\"> ", (long long)start);
	csp_xml_names(n, x, count, t);
	text_puts(t, "</list>");
}

void xml_condition(const struct csp *n, enum csp_relation r, int64_t k, uint32_t x, struct text *t)
{
	assert(x == CSP_NONE || x < n->vars.n);
	text_printf(t, "<condition> (%s,", relation_names[r]);
	if (x != CSP_NONE)
		csp_xml_name(n, x, t);
	else
		text_printf(t, "%lld", (long long)k);
	text_puts(t, ") </condition>");
}

void xml_operator(enum csp_relation r, struct text *t)
{
	text_printf(t, "<operator> %s </operator>", relation_names[r]);
}

bool csp_implied(const struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	return n->cons.at[c].implied;
}

void csp_xml_constraint(const struct csp *n, uint32_t c, const char *attributes, struct text *t)
{
	assert(c < n->cons.n);
	const struct con *k = &n->cons.at[c];
	struct text more = {0};
	enum csp_kind shown = k->kind == CSP_REIFIED_KIND ? reified_inside(n, k, &more) : (enum csp_kind)k->kind;
	text_printf(t, "<%s%s%s>", csp_kind_name(shown), attributes, text_str(&more));
	csp_kinds[k->kind]->write(n, k, t);
	text_printf(t, "</%s>\n", csp_kind_name(shown));
	text_free(&more);
}

void csp_xml_objective(const struct csp *n, struct text *t)
{
	if (!n->has_objective)
		return;
	const char *element = n->maximise ? "maximize" : "minimize";
	text_puts(t, "<objectives>\n");
	if (n->objective_expr) {
		text_printf(t, "<%s> ", element);
		xml_expr(n, n->objective_root, t);
	} else {
		text_printf(t, "<%s type=\"sum\"> ", element);
		xml_list(n, "list", n->objective_scope.at, n->objective_scope.n, t);
		xml_numbers("coeffs", n->objective_coeffs.at, n->objective_coeffs.n, t);
	}
	text_printf(t, " </%s>\n</objectives>\n", element);
}

void csp_write_xml(struct csp *n, struct text *out)
{
	text_printf(out, "<instance format=\"XCSP3\" type=\"%s\">\n<variables>\n", n->has_objective ? "COP" : "CSP");
	csp_xml_variables(n, NULL, NULL, out);
	text_puts(out, "</variables>\n<constraints>\n");
	for (uint32_t c = 0; c < n->cons.n; c++)
		if (!csp_implied(n, c))
			csp_xml_constraint(n, c, "", out);
	text_puts(out, "</constraints>\n");
	csp_xml_objective(n, out);
	text_puts(out, "</instance>\n");
}
