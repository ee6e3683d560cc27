/* circuit: the successors list[i] form one circuit of two or more nodes; the other nodes point to themselves. Scope:
 * the list. Fixed arcs make paths; the end of a path must not close it while a node outside must be in the circuit; and
 * every such node must be reached from every other. */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <string.h>

struct circuit {
	int64_t start; /* index of the first node */
};

uint32_t csp_add_circuit(struct csp *n, const uint32_t *list, size_t count, int32_t start)
{
	if (!net_scope_ok(n, list, count))
		return CSP_NONE;
	struct circuit *d = arena_alloc(&n->records, sizeof *d);
	d->start = start;
	return net_add(n, CSP_CIRCUIT, list, count, d);
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct circuit *d = c->record;
	uint32_t in = 0, first = CSP_NONE, length = 0;
	for (uint32_t i = 0; i < c->arity; i++) {
		int64_t to = value_at(n, c, at, i) - d->start;
		if (to < 0 || to >= c->arity)
			return false;
		if (to != i) {
			in++;
			first = first == CSP_NONE ? i : first;
		}
	}
	if (first == CSP_NONE)
		return false;
	uint32_t i = first;
	do {
		i = (uint32_t)(value_at(n, c, at, i) - d->start);
		length++;
	} while (i != first && length <= in);
	return i == first && length == in;
}

struct walk {
	struct csp *n;
	const uint32_t *scope;
	uint32_t arity, needed; /* nodes that cannot point to themselves */
	int64_t start;
	uint32_t *next, *before; /* fixed arcs between different nodes, or CSP_NONE */
};

static bool needed(const struct walk *w, uint32_t i)
{
	assert(i < w->arity);
	return !has_value(w->n, w->scope[i], w->start + i);
}

/* Values in range, each taken once; collects the fixed arcs. */
static bool collect(struct walk *w)
{
	for (uint32_t i = 0; i < w->arity; i++)
		w->next[i] = w->before[i] = CSP_NONE;
	for (uint32_t i = 0; i < w->arity; i++) {
		if (!dom_at_least(w->n, w->scope[i], w->start) || !dom_at_most(w->n, w->scope[i], w->start + w->arity - 1))
			return false;
		if (dom_size(w->n, w->scope[i]) != 1)
			continue;
		uint32_t to = (uint32_t)(dom_min(w->n, w->scope[i]) - w->start);
		if (w->before[to] != CSP_NONE)
			return false;
		w->before[to] = i;
		w->next[i] = to;
	}
	return true;
}

static bool values_differ(struct walk *w)
{
	for (uint32_t i = 0; i < w->arity; i++)
		for (uint32_t j = 0; w->next[i] != CSP_NONE && j < w->arity; j++)
			if (j != i && !dom_drop_value(w->n, w->scope[j], w->start + w->next[i]))
				return false;
	return true;
}

/* The path that begins at i must not close before all needed nodes are in it. */
static bool no_early_circle(struct walk *w, uint32_t i)
{
	assert(i < w->arity);
	uint32_t in = 0, last = i, length = 0;
	while (w->next[last] != CSP_NONE && w->next[last] != last) {
		in += needed(w, last);
		last = w->next[last];
		if (++length > w->arity || last == i)
			return last == i && in == w->needed;
	}
	in += needed(w, last);
	return !length || in == w->needed || dom_drop_value(w->n, w->scope[last], w->start + i);
}

static bool paths_stay_open(struct walk *w)
{
	w->needed = 0;
	for (uint32_t i = 0; i < w->arity; i++)
		w->needed += needed(w, i);
	for (uint32_t i = 0; i < w->arity; i++) {
		bool inner = w->before[i] != CSP_NONE && w->before[i] != i;
		bool arc = w->next[i] != CSP_NONE && w->next[i] != i;
		if (arc && !inner && !no_early_circle(w, i))
			return false;
	}
	return true;
}

/* From one needed node all needed ones are reached; what is not reached points to itself. */
static bool connected(struct walk *w, uint64_t *seen, uint32_t *stack)
{
	uint32_t from = 0, top = 0;
	while (from < w->arity && !needed(w, from))
		from++;
	if (from == w->arity)
		return true;
	memset(seen, 0, BITS_WORDS(w->arity) * sizeof *seen);
	bits_add(seen, from);
	stack[top++] = from;
	while (top) {
		uint32_t i = stack[--top];
		DOM_EACH (k, w->n, w->scope[i]) {
			uint32_t to = (uint32_t)(csp_value(w->n, w->scope[i], (uint32_t)k) - w->start);
			if (!bits_has(seen, to)) {
				bits_add(seen, to);
				stack[top++] = to;
			}
		}
	}
	for (uint32_t i = 0; i < w->arity; i++)
		if (!bits_has(seen, i) && !fix_value(w->n, w->scope[i], w->start + i))
			return false;
	return true;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct circuit *d = c->record;
	size_t bits = BITS_WORDS(c->arity);
	uint64_t *area = net_scratch(n, bits + 2 * (size_t)c->arity);
	struct walk w = {.n = n, .scope = con_scope(n, c), .arity = c->arity, .start = d->start};
	uint32_t *stack = (uint32_t *)(area + bits);
	w.next = stack + c->arity;
	w.before = w.next + c->arity;
	if (!collect(&w) || !values_differ(&w) || !paths_stay_open(&w) || !connected(&w, area, stack))
		return false;
	return csp_prop_check(n, ci);
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct circuit *d = c->record;
	xml_list_from(n, d->start, con_scope(n, c), c->arity, out);
}

/* size: the number of nodes that do not point to themselves */
static void read_size(struct xcsp *r, uint32_t size, int32_t start)
{
	xlist vars = {0};
	size_t mark = r->owned.n;
	vec_clear(&r->ints);
	for (size_t i = 0; i < r->vars.n; i++) {
		uint32_t args[2] = {csp_expr_var(r->n, r->vars.at[i]), csp_expr_const(r->n, start + (int64_t)i)};
		uint32_t b = x_define(r, csp_expr(r->n, CSP_OP_NE, args, 2));
		vec_push(&vars, b);
		vec_push(&r->ints, 1);
	}
	vec_push(&vars, size);
	vec_push(&r->ints, -1);
	vec_push(&r->owned, (char *)vars.at);
	x_posted(r, csp_add_sum(r->n, vars.at, r->ints.at, vars.n, CSP_EQ, 0));
	r->owned.n = mark;
	vec_free(&vars);
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *list = x_child(e, "list"), *size = x_child(e, "size");
	int32_t start = x_start_index(r, list ? list : e);
	uint32_t nodes = size ? x_one_var(r, size) : CSP_NONE;
	x_list_of(r, e, &r->vars);
	x_posted(r, csp_add_circuit(r->n, r->vars.at, r->vars.n, start));
	if (size)
		read_size(r, nodes, start);
}

const struct kind kind_circuit = {.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml};
