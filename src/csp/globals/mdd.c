/* mdd: the values of a list spell a path through a layered graph, from its root to the last layer. Automata of
 * <regular> and <precedence> are unrolled into one. Two sweeps, forward and backward, give generalised arc consistency.
 */
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct arc {
	uint32_t from, to, at; /* nodes, value index */
};

struct mdd {
	uint32_t nodes, widest; /* widest: words of the largest domain */
	const struct arc *arcs;
	const uint32_t *first; /* arcs of layer i: first[i] up to first[i+1] */
};

static int by_layer(const void *a, const void *b)
{
	const struct csp_arc *x = a, *y = b;
	if (x->layer != y->layer)
		return x->layer < y->layer ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* The arcs in the order of layers, without those whose value no variable has. */
static struct mdd *make(struct csp *n, const uint32_t *scope, size_t arity, const struct csp_arc *given, size_t count)
{
	struct csp_arc *sorted = mem_alloc(count + 1, sizeof *sorted);
	if (count)
		memcpy(sorted, given, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_layer);
	struct mdd *d = arena_alloc(&n->records, sizeof *d);
	struct arc *arcs = arena_alloc(&n->records, (count + 1) * sizeof *arcs);
	uint32_t *first = arena_alloc(&n->records, (arity + 1) * sizeof *first), kept = 0, layer = 0;
	*d = (struct mdd){.nodes = 1, .arcs = arcs, .first = first};
	for (size_t i = 0; i < count; i++) {
		const struct csp_arc *a = &sorted[i];
		uint32_t at = a->layer < arity ? csp_index(n, scope[a->layer], a->value) : CSP_NONE;
		if (at == CSP_NONE)
			continue;
		while (layer <= a->layer)
			first[layer++] = kept;
		arcs[kept++] = (struct arc){a->from, a->to, at};
		uint32_t most = a->from > a->to ? a->from : a->to;
		d->nodes = most >= d->nodes ? most + 1 : d->nodes;
	}
	while (layer <= arity)
		first[layer++] = kept;
	assert(layer == arity + 1);
	for (size_t p = 0; p < arity; p++)
		if (n->vars.at[scope[p]].words > d->widest)
			d->widest = n->vars.at[scope[p]].words;
	mem_free(sorted);
	return d;
}

uint32_t csp_add_mdd(struct csp *n, const uint32_t *scope, size_t arity, const struct csp_arc *arcs, size_t count)
{
	if (!net_scope_ok(n, scope, arity))
		return CSP_NONE;
	return net_add(n, CSP_MDD, scope, arity, make(n, scope, arity, arcs, count));
}

/* Nodes that the root reaches by values of the domains. */
static void reach_forward(const struct csp *n, const struct con *c, const struct mdd *d, uint64_t *reached)
{
	assert(c->scope + c->arity <= n->scopes.n);
	bits_add(reached, 0);
	for (uint32_t p = 0; p < c->arity; p++)
		for (uint32_t a = d->first[p]; a < d->first[p + 1]; a++)
			if (bits_has(reached, d->arcs[a].from) && dom_has(n, con_scope(n, c)[p], d->arcs[a].at))
				bits_add(reached, d->arcs[a].to);
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	const struct mdd *d = c->record;
	size_t words = BITS_WORDS(d->nodes);
	uint64_t *reached = net_scratch(n, 2 * words + d->widest), *useful = reached + words, *keep = useful + words;
	memset(reached, 0, 2 * words * sizeof *reached);
	reach_forward(n, c, d, reached);
	for (uint32_t p = c->arity; p--;) {
		uint32_t x = con_scope(n, c)[p];
		bool last = p + 1 == c->arity;
		memset(keep, 0, n->vars.at[x].words * sizeof *keep);
		for (uint32_t a = d->first[p]; a < d->first[p + 1]; a++) {
			struct arc k = d->arcs[a];
			if (!bits_has(reached, k.from) || !(last || bits_has(useful, k.to)) || !dom_has(n, x, k.at))
				continue;
			bits_add(useful, k.from);
			bits_add(keep, k.at);
		}
		if (!dom_keep(n, x, keep))
			return false;
	}
	return true;
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct mdd *d = c->record;
	uint64_t *reached = NEW_ARRAY(uint64_t, BITS_WORDS(d->nodes));
	bool alive = true;
	bits_add(reached, 0);
	for (uint32_t p = 0; p < c->arity && alive; p++) {
		alive = false;
		for (uint32_t a = d->first[p]; a < d->first[p + 1]; a++)
			if (d->arcs[a].at == at[p] && bits_has(reached, d->arcs[a].from)) {
				bits_add(reached, d->arcs[a].to);
				alive = true;
			}
	}
	mem_free(reached);
	return alive;
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct mdd *d = c->record;
	const uint32_t *scope = con_scope(n, c);
	xml_list(n, "list", scope, c->arity, out);
	text_puts(out, "<transitions> ");
	for (uint32_t p = 0; p < c->arity; p++)
		for (uint32_t a = d->first[p]; a < d->first[p + 1]; a++) {
			text_printf(out, "(n%u,", d->arcs[a].from);
			csp_xml_value(n, scope[p], csp_value(n, scope[p], d->arcs[a].at), out);
			text_printf(out, ",n%u)", d->arcs[a].to);
		}
	text_puts(out, " </transitions>");
}

/* ---- XCSP3: automata and diagrams, unrolled ---- */

struct step { /* a transition for all values low..high */
	sym_t from, to;
	int64_t low, high;
};

struct automaton {
	struct symbols states;
	VEC(struct step) steps;
	VEC(struct csp_arc) arcs;
	bool *final; /* NULL: every state is */
	uint32_t start;
};

/* One name up to a comma or parenthesis. */
static sym_t read_state(struct xcsp *r, struct symbols *states, const char **s, char end)
{
	x_space(s);
	size_t length = strcspn(*s, ",() \t\r\n");
	const char *from = *s;
	*s += length;
	x_space(s);
	if (!length || *(*s)++ != end)
		x_fail(r, "a transition is (state,value,state), not \"%.20s\"", from);
	return sym_put(states, from, length);
}

static void read_label(struct xcsp *r, const char **s, uint32_t x, xints *out)
{
	assert(x < r->n->vars.n);
	const char *from = *s;
	vec_clear(out);
	x_cell(r, s, x, out);
	if (*(*s)++ != ',')
		x_fail(r, "a transition is (state,value,state), not \"%.20s\"", from);
}

static void read_transitions(struct xcsp *r, const char *s, struct automaton *m)
{
	for (x_space(&s); *s; x_space(&s)) {
		if (*s++ != '(')
			x_fail(r, "a transition is expected at \"%.20s\"", s - 1);
		struct step t = {.from = read_state(r, &m->states, &s, ',')};
		read_label(r, &s, r->vars.at[0], &r->ints);
		t.to = read_state(r, &m->states, &s, ')');
		for (size_t i = 0; i < r->ints.n; i += 2) {
			t.low = r->ints.at[i];
			t.high = r->ints.at[i + 1];
			vec_push(&m->steps, t);
		}
	}
}

#define MAX_ARCS (1u << 26)

/* Layer by layer: state q after p values is node number[q] of layer p. */
static void unroll(struct xcsp *r, struct automaton *m)
{
	size_t states = m->states.all.n;
	assert(m->start < states);
	uint32_t *node = arena_alloc(&r->text, states * sizeof *node), *next = arena_alloc(&r->text, states * sizeof *next);
	uint32_t nodes = 1;
	memset(node, 0xff, states * sizeof *node);
	node[m->start] = 0;
	for (uint32_t p = 0; p < r->vars.n; p++) {
		uint32_t x = r->vars.at[p], *swap = node;
		memset(next, 0xff, states * sizeof *next);
		for (size_t i = 0; i < m->steps.n; i++) {
			struct step t = m->steps.at[i];
			if (node[t.from] == CSP_NONE || (p + 1 == r->vars.n && m->final && !m->final[t.to]))
				continue;
			for (uint32_t at = 0; at < csp_count(r->n, x); at++) {
				int64_t v = csp_value(r->n, x, at);
				if (v < t.low || v > t.high)
					continue;
				if (next[t.to] == CSP_NONE)
					next[t.to] = nodes++;
				if (m->arcs.n >= MAX_ARCS)
					x_fail(r, "more than %u arcs", MAX_ARCS);
				vec_push(&m->arcs, (struct csp_arc){p, node[t.from], next[t.to], (int32_t)v});
			}
		}
		node = next;
		next = swap;
	}
}

static void release(struct automaton *m)
{
	sym_free(&m->states);
	vec_free(&m->steps);
	vec_free(&m->arcs);
}

static void release_later(void *automaton)
{
	release(automaton);
}

static struct automaton *automaton(struct xcsp *r)
{
	struct automaton *m = arena_alloc(&r->text, sizeof *m);
	*m = (struct automaton){0};
	x_when_left(r, release_later, m);
	return m;
}

static void read_final(struct xcsp *r, const char *s, struct automaton *m)
{
	const char *token;
	m->final = arena_alloc(&r->text, m->states.all.n + 1);
	memset(m->final, 0, m->states.all.n + 1);
	while ((token = x_token(r, &s))) {
		sym_t q = sym_find(&m->states, token, strlen(token));
		if (q != SYM_NONE)
			m->final[q] = true;
	}
}

void x_regular(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	struct automaton *m = automaton(r);
	x_list_of(r, e, &r->vars);
	x_narrow(r, &r->vars, (const char *)e->name);
	read_transitions(r, x_text(r, x_need(r, e, "transitions")), m);
	const char *s = x_text(r, x_need(r, e, "start")), *start = x_token(r, &s);
	if (!start || x_token(r, &s))
		x_fail(r, "regular needs one state in <start>");
	m->start = sym_put(&m->states, start, strlen(start));
	read_final(r, x_text(r, x_need(r, e, "final")), m);
	unroll(r, m);
	x_posted(r, csp_add_mdd(r->n, r->vars.at, r->vars.n, m->arcs.at, m->arcs.n));
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	struct automaton *m = automaton(r);
	x_list_of(r, e, &r->vars);
	x_narrow(r, &r->vars, (const char *)e->name);
	read_transitions(r, x_text(r, x_need(r, e, "transitions")), m);
	if (m->steps.n) { /* without transitions there is no path, and no solution */
		m->start = m->steps.at[0].from;
		unroll(r, m);
	}
	x_posted(r, csp_add_mdd(r->n, r->vars.at, r->vars.n, m->arcs.at, m->arcs.n));
}

/* ---- precedence: state j has seen the first j values, and none of the later ones ---- */

static size_t place_of(const xints *values, int64_t v)
{
	size_t k = 0;
	while (k < values->n && values->at[k] != v)
		k++;
	return k;
}

static void all_values(struct xcsp *r, xints *out)
{
	vec_clear(out);
	for (size_t i = 0; i < r->vars.n; i++)
		for (uint32_t at = 0; at < csp_count(r->n, r->vars.at[i]); at++) {
			int64_t v = csp_value(r->n, r->vars.at[i], at);
			size_t k = out->n;
			while (k && out->at[k - 1] > v)
				k--;
			if (k && out->at[k - 1] == v)
				continue;
			vec_push(out, v);
			for (size_t j = out->n - 1; j > k; j--)
				out->at[j] = out->at[j - 1];
			out->at[k] = v;
		}
}

static void precedence_arcs(struct xcsp *r, struct automaton *m, const xints *values, bool covered)
{
	uint32_t width = narrow32(values->n) + 1, last = narrow32(r->vars.n) - 1;
	for (uint32_t p = 0; p < r->vars.n; p++)
		for (uint32_t seen = 0; seen < width && seen <= p; seen++)
			for (uint32_t at = 0; at < csp_count(r->n, r->vars.at[p]); at++) {
				int64_t v = csp_value(r->n, r->vars.at[p], at);
				size_t place = place_of(values, v);
				uint32_t to = seen + (place == seen && place < values->n);
				if ((place > seen && place < values->n) || (covered && p == last && to != values->n))
					continue;
				vec_push(&m->arcs, (struct csp_arc){p, p ? p * width + seen : 0, (p + 1) * width + to, (int32_t)v});
			}
}

void x_precedence(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	struct automaton *m = automaton(r);
	xmlNode *values = x_child(e, "values");
	bool covered = x_flag(r, e, "covered", false) || (values && x_flag(r, values, "covered", false));
	x_list_of(r, e, &r->vars);
	x_narrow(r, &r->vars, "precedence");
	if (values) {
		x_values(r, x_text(r, values), &r->vars);
		vec_clear(&r->ints);
		for (size_t i = 0; i < r->tuples.n; i++)
			vec_push(&r->ints, r->tuples.at[i]);
	} else {
		all_values(r, &r->ints);
	}
	for (size_t i = 0; i < r->ints.n; i++)
		if (place_of(&r->ints, r->ints.at[i]) != i)
			x_fail(r, "precedence names the value %lld twice", (long long)r->ints.at[i]);
	precedence_arcs(r, m, &r->ints, covered);
	x_posted(r, csp_add_mdd(r->n, r->vars.at, r->vars.n, m->arcs.at, m->arcs.n));
}

const struct kind kind_mdd = {.propagate = propagate, .holds = holds, .write = write_xml, .read = read_xml};
