/* intension: an expression is true. Small ones are propagated as tables, linear
 * ones as sums, the others by intervals: can the expression still be true with
 * x = v and the others anywhere between their bounds? That is asked of each value,
 * or of the two end values when the domain is large; it is exact once one variable
 * is left. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

#define MAX_PROBED 256  /* values tried one by one */
#define MAX_PROBES 4096 /* intervals tried for a bound */
#define MAX_TUPLES 8192 /* tuples of a product that is listed, */
#define MAX_PAIRS 65536 /* of two variables */

struct intension {
	uint32_t root;            /* of its own tree */
	const struct sum *linear; /* propagated as this sum; NULL: by intervals, or as a table */
};

uint32_t csp_root(const struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	return ((const struct intension *)n->cons.at[c].record)->root;
}

/* ---- building ---- */

static void scope_of(const struct csp *n, uint32_t e, uint32_t **scope, size_t *count, size_t *cap)
{
	assert(e < n->nodes.n);
	struct node d = n->nodes.at[e];
	if (d.op == CSP_OP_VAR) {
		for (size_t i = 0; i < *count; i++)
			if ((*scope)[i] == (uint32_t)d.value)
				return;
		if (*count == *cap)
			*scope = mem_resize(*scope, *cap = *cap * 2 + 8, sizeof **scope);
		(*scope)[(*count)++] = (uint32_t)d.value;
	}
	for (uint32_t i = 0; i < d.count; i++)
		scope_of(n, n->args.at[d.args + i], scope, count, cap);
}

/* Variables of the tree learn their position in the scope. */
static void number_vars(struct csp *n, uint32_t e, const uint32_t *scope, size_t count)
{
	assert(e < n->nodes.n);
	struct node *d = &n->nodes.at[e];
	if (d->op == CSP_OP_VAR)
		for (size_t i = 0; i < count; i++)
			if (scope[i] == (uint32_t)d->value)
				d->position = (uint32_t)i;
	for (uint32_t i = 0; i < n->nodes.at[e].count; i++)
		number_vars(n, n->args.at[n->nodes.at[e].args + i], scope, count);
}

/* Each constraint has its own tree, for the positions differ. */
static uint32_t copy_tree(struct csp *n, uint32_t e)
{
	assert(e < n->nodes.n);
	struct node d = n->nodes.at[e];
	uint32_t args = d.args;
	d.args = narrow32(n->args.n);
	vec_extend(&n->args, d.count);
	for (uint32_t i = 0; i < d.count; i++) {
		uint32_t a = copy_tree(n, n->args.at[args + i]);
		n->args.at[d.args + i] = a;
	}
	vec_push(&n->nodes, d);
	return narrow32(n->nodes.n) - 1;
}

uint32_t csp_add_intension(struct csp *n, uint32_t expr)
{
	if (expr >= n->nodes.n)
		return net_refuse(n, "there is no such expression");
	expr = copy_tree(n, expr);
	uint32_t *scope = NULL;
	size_t count = 0, cap = 0;
	scope_of(n, expr, &scope, &count, &cap);
	uint32_t c = CSP_NONE;
	if (!count)
		net_refuse(n, "an expression without variables");
	else if (!net_scope_ok(n, scope, count))
		c = CSP_NONE;
	else if (!expr_safe(n, expr))
		net_refuse(n, "arithmetic overflow is possible in an expression");
	else {
		number_vars(n, expr, scope, count);
		struct intension *d = arena_alloc(&n->records, sizeof *d);
		*d = (struct intension){.root = expr};
		c = net_add(n, CSP_INTENSION, scope, count, d);
	}
	mem_free(scope);
	return c;
}

/* ---- propagation ---- */

/* Is the product of the domains at most `most`? */
static bool small_product(const struct csp *n, const struct con *c, uint64_t most)
{
	assert(c->scope + c->arity <= n->scopes.n);
	uint64_t p = 1;
	for (uint32_t i = 0; i < c->arity; i++) {
		p *= n->vars.at[con_scope(n, c)[i]].count;
		if (p > most)
			return false;
	}
	return true;
}

/* All tuples of an expression, as a table: generalised arc consistency for free. */
static void tabulate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	struct con c = n->cons.at[ci];
	uint32_t *at = NEW_ARRAY(uint32_t, c.arity), *counts = NEW_ARRAY(uint32_t, c.arity);
	VEC(uint32_t) cells = {0};
	for (uint32_t p = 0; p < c.arity; p++)
		counts[p] = n->vars.at[con_scope(n, &c)[p]].count;
	size_t rows = 0;
	for (;;) {
		if (con_holds(n, ci, at)) {
			for (uint32_t p = 0; p < c.arity; p++)
				vec_push(&cells, at[p]);
			rows++;
		}
		uint32_t p = c.arity;
		while (p-- && ++at[p] == counts[p])
			at[p] = 0;
		if (p == UINT32_MAX)
			break;
	}
	uint32_t t = relation_make(n, counts, c.arity, cells.at, rows, true);
	n->cons.at[ci].relation = t;
	mem_free(at);
	mem_free(counts);
}

static enum prop attach(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	if (c->objective) /* its bound changes */
		return PROP_OWN;
	if (small_product(n, c, MAX_TUPLES) || (c->arity <= 2 && small_product(n, c, MAX_PAIRS))) {
		tabulate(n, ci);
		return relation_attach(n, ci);
	}
	((struct intension *)c->record)->linear = sum_of_intension(n, ci);
	return PROP_OWN;
}

static bool possible(struct csp *n, uint32_t root, uint32_t x, uint32_t i)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	assert(root < n->nodes.n);
	int64_t v = csp_value(n, x, i);
	return expr_can_hold(n, root, x, v, v);
}

struct halving { /* the search for the least or greatest support of x */
	struct csp *n;
	uint32_t root, x;
	bool least;
	int probes; /* left; then the rest is left to the search, whose last decision is checked in any case */
	int64_t found;
};

/* Is there a number between low and high with which the expression may be true? The first such one is kept. */
static bool extreme_support(struct halving *h, int64_t low, int64_t high)
{
	if (h->probes-- > 0 && !expr_can_hold(h->n, h->root, h->x, low, high))
		return false;
	if (low == high || h->probes <= 0) {
		h->found = h->least ? low : high;
		return true;
	}
	int64_t mid = low + (high - low) / 2;
	if (h->least)
		return extreme_support(h, low, mid) || extreme_support(h, mid + 1, high);
	return extreme_support(h, mid + 1, high) || extreme_support(h, low, mid);
}

/* x loses the values with which the expression cannot be true. */
static bool filter(struct csp *n, uint32_t root, uint32_t x)
{
	assert(x < n->vars.n);
	assert(root < n->nodes.n);
	if (dom_size(n, x) <= MAX_PROBED && !csp_wide(n, x)) {
		DOM_EACH (i, n, x)
			if (!possible(n, root, x, (uint32_t)i) && !dom_drop(n, x, (uint32_t)i))
				return false;
		return true;
	}
	struct halving h = {.n = n, .root = root, .x = x, .least = true, .probes = MAX_PROBES};
	if (!extreme_support(&h, dom_min(n, x), dom_max(n, x)) || !dom_at_least(n, x, h.found))
		return false;
	h.least = false;
	h.probes = MAX_PROBES;
	return extreme_support(&h, dom_min(n, x), dom_max(n, x)) && dom_at_most(n, x, h.found);
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct intension *d = c->record;
	if (d->linear)
		return sum_propagate(n, c, d->linear);
	enum expr_truth t = expr_truth(n, d->root);
	for (uint32_t p = 0; t == EXPR_OPEN && p < c->arity; p++)
		if (!filter(n, d->root, con_scope(n, c)[p]))
			return false;
	return t != EXPR_FALSE;
}

/* ---- checking ---- */

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct intension *d = c->record;
	int64_t small[16], *values = c->arity <= 16 ? small : mem_alloc(c->arity, sizeof *values), out = 0;
	for (uint32_t p = 0; p < c->arity; p++)
		values[p] = value_at(n, c, at, p);
	bool ok = csp_expr_eval(n, d->root, values, &out) && out;
	if (values != small)
		mem_free(values);
	return ok;
}

/* ---- symmetry ---- */

/* Only equalities between variables, and logic over them. */
static bool tells_no_values(const struct csp *n, uint32_t e)
{
	assert(e < n->nodes.n);
	const struct node *d = &n->nodes.at[e];
	bool logic = d->op >= CSP_OP_NOT && d->op <= CSP_OP_IMP, equal = d->op == CSP_OP_EQ || d->op == CSP_OP_NE;
	if (!logic && !equal)
		return false;
	for (uint32_t i = 0; i < d->count; i++) {
		uint32_t k = n->args.at[d->args + i];
		if (equal ? n->nodes.at[k].op != CSP_OP_VAR : !tells_no_values(n, k))
			return false;
	}
	return true;
}

static bool swaps(const struct csp *n, const struct con *c, uint32_t a, uint32_t b)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct intension *d = c->record;
	if (c->relation != CSP_NONE)
		return relation_swaps(&n->relations.at[c->relation], a, b);
	return tells_no_values(n, d->root);
}

static bool explain(struct csp *n, const struct con *c, const struct question *q)
{
	const struct intension *d = c->record;
	if (c->relation != CSP_NONE)
		return relation_explain(n, c, q);
	return d->linear && sum_explain_linear(n, c, d->linear, q);
}

static bool graph(struct symmetry_graph *m, const struct con *c, bool once)
{
	const struct intension *d = c->record;
	if (d->linear)
		sum_graph(m, c, d->linear);
	return d->linear != NULL;
}

/* ---- XCSP3 ---- */

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct intension *d = c->record;
	text_putc(out, ' ');
	xml_expr(n, d->root, out);
	text_putc(out, ' ');
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *f = x_child(e, "function");
	x_posted(r, csp_add_intension(r->n, x_expr(r, x_text(r, f ? f : e))));
}

const struct kind kind_intension = {.attach = attach,
                                    .explain = explain,
                                    .propagate = propagate,
                                    .holds = holds,
                                    .write = write_xml,
                                    .read = read_xml,
                                    .swaps = swaps,
                                    .graph = graph};
