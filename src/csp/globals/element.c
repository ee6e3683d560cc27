/* element: list[index - start] = value. Scope: the list, the index, the value. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

struct element {
	int64_t start; /* index of the list's first variable */
};

uint32_t csp_add_element(struct csp *n, const uint32_t *list, size_t count, int32_t start, uint32_t index,
                         uint32_t value)
{
	if (!count)
		return net_refuse(n, "element of an empty list");
	struct element *e = arena_alloc(&n->records, sizeof *e);
	e->start = start;
	return add_joined(n, CSP_ELEMENT, list, count, (uint32_t[]){index, value}, 2, e);
}

static bool overlap(const struct csp *n, uint32_t x, uint32_t y)
{
	const struct var *v = &n->vars.at[x], *w = &n->vars.at[y];
	if (v->vals == CSP_NONE && w->vals == CSP_NONE && v->base == w->base) {
		for (uint32_t i = 0; i < v->words && i < w->words; i++)
			if (dom(n, v)[i] & dom(n, w)[i])
				return true;
		return false;
	}
	DOM_EACH (i, n, x) {
		uint32_t j = csp_index(n, y, var_value(n, v, (uint32_t)i));
		if (j != CSP_NONE && dom_has(n, y, j))
			return true;
	}
	return false;
}

/* Does some variable that the index can point to have the value? */
static bool reachable(const struct csp *n, const uint32_t *list, uint32_t index, int64_t start, int64_t value)
{
	DOM_EACH (i, n, index)
		if (has_value(n, list[csp_value(n, index, (uint32_t)i) - start], value))
			return true;
	return false;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const struct element *e = c->record;
	const uint32_t *s = con_scope(n, c);
	uint32_t count = c->arity - 2, ix = s[count], vx = s[count + 1];
	int64_t start = e->start;
	DOM_EACH (i, n, ix) {
		int64_t k = csp_value(n, ix, (uint32_t)i) - start;
		if ((k < 0 || k >= count || !overlap(n, s[k], vx)) && !dom_drop(n, ix, (uint32_t)i))
			return false;
	}
	DOM_EACH (j, n, vx)
		if (!reachable(n, s, ix, start, csp_value(n, vx, (uint32_t)j)) && !dom_drop(n, vx, (uint32_t)j))
			return false;
	if (dom_size(n, ix) > 1)
		return true;
	uint32_t x = s[dom_min(n, ix) - start];
	DOM_EACH (i, n, x)
		if (!has_value(n, vx, csp_value(n, x, (uint32_t)i)) && !dom_drop(n, x, (uint32_t)i))
			return false;
	return true;
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	const struct element *e = c->record;
	int64_t i = value_at(n, c, at, c->arity - 2) - e->start;
	return i >= 0 && i < c->arity - 2 && value_at(n, c, at, (uint32_t)i) == value_at(n, c, at, c->arity - 1);
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	const struct element *e = c->record;
	const uint32_t *s = con_scope(n, c);
	xml_list_from(n, e->start, s, c->arity - 2, out);
	xml_list(n, "index", s + c->arity - 2, 1, out);
	xml_list(n, "value", s + c->arity - 1, 1, out);
}

/* A hidden variable within the bounds of r->vars. */
static uint32_t hidden_value(struct xcsp *r)
{
	struct csp *n = r->n;
	uint32_t *all = mem_alloc(r->vars.n + 1, sizeof *all);
	for (size_t i = 0; i < r->vars.n; i++)
		all[i] = csp_expr_var(n, r->vars.at[i]);
	uint32_t least = csp_expr(n, CSP_OP_MIN, all, r->vars.n), most = csp_expr(n, CSP_OP_MAX, all, r->vars.n);
	mem_free(all);
	struct csp_bounds low = csp_expr_bounds(n, x_posted(r, least)), high = csp_expr_bounds(n, x_posted(r, most));
	return x_hidden(r, (int32_t)low.low, (int32_t)high.high);
}

static uint32_t read_target(struct xcsp *r, xmlNode *e)
{
	xmlNode *value = x_child(e, "value");
	if (value)
		return x_one_var(r, value);
	struct condition c = x_condition(r, e);
	if (c.op == CSP_OP_EQ)
		return c.x != CSP_NONE ? c.x : x_constant(r, c.k);
	uint32_t target = hidden_value(r);
	x_post_condition(r, csp_expr_var(r->n, target), &c);
	return target;
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	xmlNode *list = x_need(r, e, "list");
	uint32_t index = x_one_var(r, x_need(r, e, "index"));
	x_refs(r, x_text(r, list), &r->vars);
	uint32_t target = read_target(r, e);
	x_posted(r, csp_add_element(r->n, r->vars.at, r->vars.n, x_start_index(r, list), index, target));
}

const struct kind kind_element = {.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml};
