/* extension: a list of tuples, allowed or forbidden. The tuples are a relation
 * (relation.c), which constraints can share. */
#include "csp/globals/globals_internal.h"
#include "csp/symmetry/symmetry_graph.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <string.h>

static uint32_t post(struct csp *n, const uint32_t *scope, size_t arity, uint32_t relation)
{
	uint32_t c = net_add(n, CSP_TABLE, scope, arity, NULL);
	n->cons.at[c].relation = relation;
	return c;
}

uint32_t csp_add_table(struct csp *n, const uint32_t *scope, size_t arity, const int32_t *tuples, size_t rows,
                       bool positive)
{
	if (!net_scope_ok(n, scope, arity) || !net_wide_ok(n, CSP_TABLE, scope, arity))
		return CSP_NONE;
	if (rows > UINT32_MAX / 2)
		return net_refuse(n, "a table of %zu tuples", rows);
	uint32_t *cells = mem_alloc(rows * arity + 1, sizeof *cells), *counts = mem_alloc(arity, sizeof *counts);
	size_t k = 0;
	for (size_t p = 0; p < arity; p++)
		counts[p] = n->vars.at[scope[p]].count;
	for (size_t r = 0; r < rows; r++) {
		bool ok = true; /* a tuple with a value outside the domain can be left out */
		for (size_t p = 0; p < arity && ok; p++) {
			int32_t v = tuples[r * arity + p];
			uint32_t i = v == CSP_ANY ? CSP_CELL_ANY : csp_index(n, scope[p], v);
			ok = v == CSP_ANY || i != CSP_NONE;
			cells[k * arity + p] = i;
		}
		k += ok;
	}
	if (k < rows / 2)
		cells = mem_resize(cells, k * arity + 1, sizeof *cells);
	uint32_t t = relation_make(n, counts, (uint32_t)arity, cells, k, positive);
	mem_free(counts);
	return post(n, scope, arity, t);
}

uint32_t csp_add_table_like(struct csp *n, const uint32_t *scope, uint32_t like)
{
	if (like >= n->cons.n || n->cons.at[like].kind != CSP_TABLE)
		return net_refuse(n, "constraint %u is no table", like);
	struct con c = n->cons.at[like];
	if (!net_scope_ok(n, scope, c.arity) || !net_wide_ok(n, CSP_TABLE, scope, c.arity))
		return CSP_NONE;
	for (uint32_t p = 0; p < c.arity; p++) {
		const struct var *a = &n->vars.at[con_scope(n, &c)[p]], *b = &n->vars.at[scope[p]];
		bool same = a->count == b->count;
		for (uint32_t i = 0; same && i < a->count; i++)
			same = var_value(n, a, i) == var_value(n, b, i);
		if (!same)
			return net_refuse(n, "variables of a shared table have different values");
	}
	return post(n, scope, c.arity, c.relation);
}

uint32_t csp_rows(const struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	return csp_table(n, c).rows;
}

struct csp_table csp_table(const struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	const struct con *k = &n->cons.at[c];
	if (k->kind != CSP_TABLE)
		return (struct csp_table){0};
	const struct relation *t = &n->relations.at[k->relation];
	return (struct csp_table){t->arity, t->rows, t->positive, t->any, t->cells};
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	return relation_holds(&n->relations.at[c->relation], at);
}

/* ---- symmetry ---- */

/* Is every row with a and b swapped a row too? */
bool relation_swaps(const struct relation *t, uint32_t a, uint32_t b)
{
	uint32_t *row = mem_alloc(t->arity, sizeof *row);
	bool ok = true;
	for (size_t r = 0; r < t->rows && ok; r++) {
		bool moved = false;
		for (uint32_t p = 0; p < t->arity; p++) {
			uint32_t v = t->cells[r * t->arity + p];
			row[p] = v == a ? b : v == b ? a : v;
			moved |= row[p] != v;
		}
		ok = !moved || relation_has_row(t, row);
	}
	mem_free(row);
	return ok;
}

static bool swaps(const struct csp *n, const struct con *c, uint32_t a, uint32_t b)
{
	assert(c->scope + c->arity <= n->scopes.n);
	return relation_swaps(&n->relations.at[c->relation], a, b);
}

static bool graph(struct symmetry_graph *m, const struct con *c, bool once)
{
	assert(c->scope + c->arity <= m->n->scopes.n);
	if (!once)
		return false;
	struct csp *n = m->n;
	const struct relation *t = &n->relations.at[c->relation];
	const uint32_t *scope = con_scope(n, c);
	uint32_t table = t->positive ? symmetry_graph_table(m) : CSP_NONE;
	for (size_t r = 0; r < t->rows && !m->large; r++) {
		const uint32_t *row = t->cells + r * t->arity;
		bool live = true;
		for (uint32_t p = 0; p < c->arity && live; p++)
			live = row[p] == CSP_CELL_ANY || dom_has(n, scope[p], row[p]);
		if (live)
			symmetry_graph_tuple(m, scope, row, table);
	}
	return true;
}

/* ---- XCSP3 ---- */

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct relation *t = &n->relations.at[c->relation];
	const uint32_t *scope = con_scope(n, c);
	const char *element = t->positive ? "supports" : "conflicts";
	bool tuples = c->arity > 1 || t->any; /* values of one variable need no parentheses */
	xml_list(n, "list", scope, c->arity, out);
	text_printf(out, "<%s> ", element);
	for (size_t r = 0; r < t->rows; r++) {
		for (uint32_t p = 0; p < c->arity; p++) {
			uint32_t i = t->cells[r * c->arity + p];
			if (tuples)
				text_putc(out, p ? ',' : '(');
			if (i == CSP_CELL_ANY)
				text_putc(out, '*');
			else
				csp_xml_value(n, scope[p], csp_value(n, scope[p], i), out);
		}
		text_puts(out, tuples ? ")" : " ");
	}
	text_printf(out, " </%s>", element);
}

/* One plain cell of a tuple; tables can be huge, so no copies and no tokens. False: it is a set of values. */
static bool read_cell(struct xcsp *r, const char **s, uint32_t x, int32_t *out)
{
	assert(x < r->n->vars.n);
	const char *from;
	int64_t v;
	x_space(s);
	from = *s;
	if (*from == '*') {
		(*s)++;
		v = CSP_ANY;
	} else if (!x_int(s, &v)) {
		while (x_in_symbol(**s))
			(*s)++;
		if (*s == from)
			return false;
		v = x_value(r, arena_text(&r->text, from, (size_t)(*s - from)), x);
	} else if (v > INT32_MAX || v <= INT32_MIN) {
		x_fail(r, "the number %lld is out of range", (long long)v);
	}
	if (**s == '.') {
		*s = from;
		return false;
	}
	x_space(s);
	*out = (int32_t)v;
	return true;
}

#define MAX_EXPANDED (1u << 26) /* cells of tuples that stand for several */

/* Every row from `from` on once per value of position p that lies in the pairs r->ints. */
static void expand_rows(struct xcsp *r, size_t from, size_t p, const xlist *scope)
{
	size_t arity = scope->n, rows = (r->tuples.n - from) / arity, kept = 0;
	uint32_t x = scope->at[p], count = csp_count(r->n, x);
	vec_reserve(&r->tuples, r->tuples.n);
	int32_t *old = mem_alloc(rows * arity + 1, sizeof *old);
	memcpy(old, r->tuples.at + from, rows * arity * sizeof *old);
	size_t mark = r->owned.n;
	vec_push(&r->owned, (char *)old);
	r->tuples.n = from;
	for (uint32_t i = 0; i < count; i++) {
		int64_t v = csp_value(r->n, x, i);
		bool in = false;
		for (size_t k = 0; k < r->ints.n && !in; k += 2)
			in = r->ints.at[k] <= v && v <= r->ints.at[k + 1];
		if (!in)
			continue;
		kept += rows * arity;
		if (kept > MAX_EXPANDED)
			x_fail(r, "a tuple stands for too many others");
		for (size_t k = 0; k < rows * arity; k++)
			vec_push(&r->tuples, k % arity == p ? (int32_t)v : old[k]);
	}
	r->owned.n = mark;
	mem_free(old);
}

/* A row some cells of which are sets: it is read again, cell by cell. */
static void read_wide_tuple(struct xcsp *r, const char **s, const xlist *scope)
{
	size_t from = r->tuples.n;
	for (size_t p = 0; p < scope->n; p++)
		vec_push(&r->tuples, CSP_ANY);
	for (size_t p = 0; p < scope->n; p++) {
		x_space(s);
		vec_clear(&r->ints);
		bool any = **s == '*';
		x_cell(r, s, scope->at[p], &r->ints);
		if (!any)
			expand_rows(r, from, p, scope);
		if (*(*s)++ != (p + 1 < scope->n ? ',' : ')'))
			x_fail(r, "a tuple whose length is not %zu", scope->n);
	}
}

static void read_tuples(struct xcsp *r, const char *s, const xlist *scope)
{
	vec_clear(&r->tuples);
	for (x_space(&s); *s; x_space(&s)) {
		if (*s++ != '(')
			x_fail(r, "a bad tuple at \"%.20s\"", s - 1);
		const char *row = s;
		size_t from = r->tuples.n;
		for (size_t p = 0; p < scope->n; p++) {
			int32_t v;
			if (!read_cell(r, &s, scope->at[p], &v)) {
				r->tuples.n = from;
				read_wide_tuple(r, &row, scope);
				s = row;
				break;
			}
			vec_push(&r->tuples, v);
			if (*s++ != (p + 1 < scope->n ? ',' : ')'))
				x_fail(r, "a tuple whose length is not %zu", scope->n);
		}
	}
}

static void read_unary(struct xcsp *r, const char *s, uint32_t x)
{
	assert(x < r->n->vars.n);
	vec_clear(&r->tuples);
	if (csp_symbolic(r->n, x)) {
		for (x_space(&s); *s; x_space(&s)) {
			int32_t v;
			if (!read_cell(r, &s, x, &v))
				x_fail(r, "a bad value at \"%.20s\"", s);
			vec_push(&r->tuples, v);
		}
		return;
	}
	x_ints(r, s, &r->ints);
	for (size_t i = 0; i < r->ints.n; i++)
		vec_push(&r->tuples, (int32_t)r->ints.at[i]);
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *sup = x_child(e, "supports"), *con = x_child(e, "conflicts");
	if (!sup == !con)
		x_fail(r, "extension needs either <supports> or <conflicts>");
	x_refs(r, x_text(r, x_need(r, e, "list")), &r->vars);
	if (!r->vars.n)
		x_fail(r, "extension over no variable");
	x_narrow(r, &r->vars, "extension");
	const char *s = x_text(r, sup ? sup : con), *p = s;
	x_space(&p);
	if (r->vars.n == 1 && *p != '(')
		read_unary(r, s, r->vars.at[0]);
	else
		read_tuples(r, s, &r->vars);
	x_posted(r, csp_add_table(r->n, r->vars.at, r->vars.n, r->tuples.at, r->tuples.n / r->vars.n, sup != NULL));
}

const struct kind kind_table = {.explain = relation_explain,

                                .attach = relation_attach,
                                .holds = holds,
                                .write = write_xml,
                                .read = read_xml,
                                .swaps = swaps,
                                .graph = graph};
