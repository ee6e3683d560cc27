/* XCSP3: one constraint, groups, slides, reification, objectives. What stands in a constraint is read where its kind
 * is, in csp/globals, or in compound.c. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- one constraint ---- */

static x_reader *reader_of(const xmlNode *e)
{
	static const struct {
		const char *name;
		x_reader *read;
	} others[] = {{"regular", x_regular},
	              {"precedence", x_precedence},
	              {"allEqual", x_all_equal},
	              {"cardinality", x_cardinality},
	              {"binPacking", x_bin_packing},
	              {"knapsack", x_knapsack},
	              {"flow", x_flow},
	              {"clause", x_clause},
	              {"maximumArg", x_arg_extremum},
	              {"minimumArg", x_arg_extremum}};
	for (enum csp_kind k = 0; k < CSP_KIND_COUNT; k++)
		if (x_is(e, csp_kind_name(k)))
			return csp_kinds[k]->read;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (x_is(e, others[i].name))
			return others[i].read;
	return NULL;
}

/* Which variable says whether the constraint holds; CSP_NONE: it must. */
static uint32_t reified_by(struct xcsp *r, xmlNode *e, enum csp_reification *mode)
{
	assert(e->type == XML_ELEMENT_NODE);
	static const char *const names[] = {"reifiedBy", "hreifiedFrom", "hreifiedTo"};
	uint32_t b = CSP_NONE;
	for (int i = 0; i < 3; i++) {
		const char *name = x_attr(r, e, names[i]);
		if (!name)
			continue;
		if (b != CSP_NONE)
			x_fail(r, "%s is reified twice", (const char *)e->name);
		b = csp_find(r->n, name);
		if (b == CSP_NONE)
			x_fail(r, "unknown variable %.60s", name);
		*mode = (enum csp_reification)i;
	}
	return b;
}

/* The parts together hold iff b, if b, or only if b. Parts that give hidden variables their values stay as they are. */
static void reify(struct xcsp *r, uint32_t from, uint32_t b, enum csp_reification mode)
{
	uint32_t end = csp_constraints(r->n), tests = 0, last = from;
	for (uint32_t c = from; c < end; c++)
		if (!r->n->cons.at[c].defines) {
			tests++;
			last = c;
		}
	if (!tests)
		x_fail(r, "a constraint that says nothing cannot be reified");
	if (tests == 1 || mode == CSP_REIFIED_FROM) {
		for (uint32_t c = from; c < end; c++)
			if (!r->n->cons.at[c].defines && (tests > 1 || c == last))
				x_posted(r, csp_reify(r->n, c, b, mode));
		return;
	}
	uint32_t *all = arena_alloc(&r->text, tests * sizeof *all), k = 0;
	for (uint32_t c = from; c < end; c++)
		if (!r->n->cons.at[c].defines) {
			uint32_t part = x_hidden(r, 0, 1);
			x_definition(r, csp_reify(r->n, c, part, CSP_REIFIED));
			all[k++] = csp_expr_var(r->n, part);
		}
	uint32_t c = x_posted(r, csp_add_intension(r->n, x_posted(r, csp_expr(r->n, CSP_OP_AND, all, tests))));
	x_posted(r, csp_reify(r->n, c, b, mode));
}

/* Its children and attributes are known to be right. */
static void one_constraint(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	x_at(r, e);
	enum csp_reification mode = CSP_REIFIED;
	uint32_t b = reified_by(r, e, &mode), from = csp_constraints(r->n);
	x_reader *read = reader_of(e);
	if (!read)
		x_no_constraint(r, (const char *)e->name);
	r->reifying = b != CSP_NONE;
	read(r, e);
	x_at(r, e);
	if (b != CSP_NONE)
		reify(r, from, b, mode);
	r->reifying = false;
	csp_same_origin(r->n, from);
}

/* ---- groups and slides: a template with %0, %1, ..., %... ---- */

static void count_named(const char *s, size_t *named, bool *rest)
{
	for (; (s = strchr(s, '%')); s++) {
		if (!strncmp(s, "%...", 4)) {
			*rest = true;
		} else {
			size_t k = strtoul(s + 1, NULL, 10);
			*named = k + 1 > *named ? k + 1 : *named;
		}
	}
}

/* How many arguments the template names; *rest: it takes the others, too. */
static size_t named_by(const xmlNode *pattern, bool *rest)
{
	size_t named = 0;
	for (const xmlAttr *a = pattern->properties; a; a = a->next)
		if (a->children && a->children->content)
			count_named((const char *)a->children->content, &named, rest);
	for (const xmlNode *k = pattern->children; k; k = k->next) {
		size_t inner = 0;
		if (k->type == XML_ELEMENT_NODE)
			inner = named_by(k, rest);
		else if (k->content && (k->type == XML_TEXT_NODE || k->type == XML_CDATA_SECTION_NODE))
			count_named((const char *)k->content, &inner, rest);
		named = inner > named ? inner : named;
	}
	return named;
}

/* Arguments, one word each; parts of arrays are written out. */
static void read_args(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *s = x_text(r, e), *token;
	VEC(char *) args = {0};
	while ((token = x_token(r, &s))) {
		bool many = strchr(token, '[') && !strchr(token, '(') && (strstr(token, "[]") || strstr(token, ".."));
		if (!many) {
			vec_push(&args, unconst(token));
			continue;
		}
		vec_clear(&r->more);
		vec_push(&r->owned, (char *)args.at);
		x_expand(r, token, &r->more);
		r->owned.n--;
		for (size_t i = 0; i < r->more.n; i++)
			vec_push(&args, unconst(csp_name(r->n, r->more.at[i])));
	}
	r->args = arena_copy(&r->text, args.at, args.n * sizeof *args.at);
	r->arg_count = args.n;
	vec_free(&args);
}

/* A template that names fewer arguments than there are, or more, is a mistake. */
static void instance_of(struct xcsp *r, xmlNode *pattern, size_t named, bool rest)
{
	if (r->arg_count < named || (r->arg_count > named && !rest))
		x_fail(r, "%zu arguments for a template that names %zu", r->arg_count, named);
	r->arg_named = named;
	one_constraint(r, pattern);
	r->args = NULL;
}

static void group(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *pattern = NULL;
	bool rest = false, any = false;
	size_t named = 0;
	X_EACH(k, e)
	{
		x_at(r, k);
		if (!pattern && !x_is(k, "args")) {
			pattern = k;
			x_know(r, k);
			named = named_by(k, &rest);
		} else if (pattern && x_is(k, "args")) {
			any = true;
			read_args(r, k);
			instance_of(r, pattern, named, rest);
			x_leave(r);
		} else {
			x_fail(r, "<%.40s> in a group", (const char *)k->name);
		}
	}
	x_at(r, e);
	if (!any)
		x_fail(r, pattern ? "a group without <args>" : "an empty group");
}

struct window { /* of a slide, over one list */
	uint32_t *vars;
	size_t count, offset, collect, at;
};

static size_t size_attr(struct xcsp *r, xmlNode *e, const char *name)
{
	assert(e->type == XML_ELEMENT_NODE);
	const char *s = x_attr(r, e, name);
	int64_t v = 1;
	if (s && (!x_int(&s, &v) || *s || v < 1 || v > INT32_MAX))
		x_fail(r, "a bad %s", name);
	return (size_t)v;
}

static void slide_once(struct xcsp *r, xmlNode *pattern, struct window *w, size_t lists, size_t named)
{
	size_t k = 0;
	r->args = arena_alloc(&r->text, (named + 1) * sizeof *r->args);
	for (size_t i = 0; i < lists; i++) {
		for (size_t j = 0; j < w[i].collect; j++)
			r->args[k++] = unconst(csp_name(r->n, w[i].vars[(w[i].at + j) % w[i].count]));
		w[i].at += w[i].offset;
	}
	r->arg_count = k;
	instance_of(r, pattern, named, false);
}

static size_t read_windows(struct xcsp *r, xmlNode *e, struct window **out, xmlNode **pattern)
{
	assert(e->type == XML_ELEMENT_NODE);
	size_t lists = 0, room = 0;
	X_EACH(k, e)
	room++;
	*out = arena_alloc(&r->text, (room + 1) * sizeof **out);
	X_EACH(k, e)
	{
		x_at(r, k);
		if (*pattern)
			x_fail(r, "<%.40s> behind the template of a slide", (const char *)k->name);
		if (!x_is(k, "list")) {
			*pattern = k;
			continue;
		}
		struct window w = {.offset = size_attr(r, k, "offset"), .collect = size_attr(r, k, "collect")};
		x_refs(r, x_text(r, k), &r->more);
		w.vars = arena_copy(&r->text, r->more.at, r->more.n * sizeof *w.vars);
		if (!(w.count = r->more.n))
			x_fail(r, "an empty list in a slide");
		(*out)[lists++] = w;
	}
	return lists;
}

static void slide(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	struct window *w;
	xmlNode *pattern = NULL;
	bool circular = x_flag(r, e, "circular", false), rest = false;
	size_t lists = read_windows(r, e, &w, &pattern), sum = 0;
	if (!lists || !pattern)
		x_fail(r, "a slide needs a <list> and a template");
	x_know(r, pattern);
	size_t named = named_by(pattern, &rest);
	if (rest)
		x_fail(r, "%%... in a slide");
	if (lists == 1 && !xmlHasProp(x_child(e, "list"), (const xmlChar *)"collect"))
		w[0].collect = named;
	for (size_t i = 0; i < lists; i++)
		sum += w[i].collect;
	if (sum != named)
		x_fail(r, "a slide collects %zu variables for a template that names %zu", sum, named);
	if (!circular && w[0].collect > w[0].count)
		x_fail(r, "a slide over fewer variables than its template names");
	for (bool last = false; !last && (circular || w[0].at + w[0].collect <= w[0].count);) {
		for (size_t i = 1; i < lists; i++)
			if (!circular && w[i].at + w[i].collect > w[i].count)
				x_fail(r, "the lists of a slide have different lengths");
		last = w[0].at + w[0].offset >= w[0].count;
		slide_once(r, pattern, w, lists, named);
	}
}

void x_constraint(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	x_know(r, e);
	if (x_is(e, "group"))
		group(r, e);
	else if (x_is(e, "slide"))
		slide(r, e);
	else
		one_constraint(r, e);
}

/* ---- objectives ---- */

/* Each term times its coefficient, as a variable. */
static void weigh_terms(struct xcsp *r)
{
	for (size_t i = 0; i < r->vars.n; i++)
		if (r->ints.at[i] != 1) {
			uint32_t args[2] = {csp_expr_const(r->n, r->ints.at[i]), csp_expr_var(r->n, r->vars.at[i])};
			r->vars.at[i] = x_define(r, csp_expr(r->n, CSP_OP_MUL, args, 2));
			r->ints.at[i] = 1;
		}
}

static bool objective_of_one(struct xcsp *r, uint32_t x, bool maximise)
{
	assert(x < r->n->vars.n);
	return csp_objective_sum(r->n, &x, (int64_t[]){1}, 1, maximise);
}

static bool objective_expression(struct xcsp *r, uint32_t root, bool maximise)
{
	if (r->n->nodes.at[root].op == CSP_OP_VAR)
		return objective_of_one(r, (uint32_t)r->n->nodes.at[root].value, maximise);
	return csp_objective_expr(r->n, root, maximise);
}

/* The objective a matters more than b, and b more than c: one sum, if it fits. */
static bool objective_lex(struct xcsp *r, bool maximise)
{
	__int128 weight = 1;
	for (size_t i = r->vars.n; i--;) {
		uint32_t x = r->vars.at[i];
		if (weight > (int64_t)1 << 56)
			x_fail(r, "a lex objective over too large numbers");
		r->ints.at[i] = (int64_t)weight;
		weight *= (__int128)csp_value(r->n, x, csp_count(r->n, x) - 1) - csp_value(r->n, x, 0) + 1;
	}
	return csp_objective_sum(r->n, r->vars.at, r->ints.at, r->vars.n, maximise);
}

static bool objective_product(struct xcsp *r, bool maximise)
{
	uint32_t *all = arena_alloc(&r->text, r->vars.n * sizeof *all);
	for (size_t i = 0; i < r->vars.n; i++)
		all[i] = csp_expr_var(r->n, r->vars.at[i]);
	return objective_expression(r, r->vars.n > 1 ? x_posted(r, csp_expr(r->n, CSP_OP_MUL, all, r->vars.n)) : all[0],
	                            maximise);
}

static bool objective_over_list(struct xcsp *r, xmlNode *e, const char *type, bool maximise)
{
	assert(e->type == XML_ELEMENT_NODE);
	x_list_of(r, e, &r->vars);
	x_coefficients(r, x_child(e, "coeffs"));
	if (r->ints.n != r->vars.n)
		x_fail(r, "objective: %zu variables, %zu coefficients", r->vars.n, r->ints.n);
	if (!strcmp(type, "sum"))
		return csp_objective_sum(r->n, r->vars.at, r->ints.at, r->vars.n, maximise);
	weigh_terms(r);
	if (!strcmp(type, "lex"))
		return objective_lex(r, maximise);
	if (!strcmp(type, "product"))
		return objective_product(r, maximise);
	vec_clear(&r->tuples);
	return objective_of_one(r, !strcmp(type, "nValues") ? x_nvalues(r) : x_extremum(r, type[1] == 'a'), maximise);
}

void x_objective(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	bool maximise = x_is(e, "maximize");
	x_at(r, e);
	if (!maximise && !x_is(e, "minimize"))
		x_fail(r, "the objective %.40s is not supported; there are minimize and maximize", (const char *)e->name);
	x_know(r, e);
	const char *type = x_attr(r, e, "type");
	bool list = type && strcmp(type, "expression");
	if (!list && (x_child(e, "list") || x_child(e, "coeffs")))
		x_fail(r, "an objective with <list> needs a type, such as sum");
	bool ok =
		list ? objective_over_list(r, e, type, maximise) : objective_expression(r, x_expr(r, x_text(r, e)), maximise);
	if (!ok)
		x_fail(r, "%s", csp_error(r->n));
}
