/* What depends on what. Relations are vertices, and an edge leads from the head
 * of a rule to every relation in its body. Strongly connected components (Tarjan
 * 1972, with an explicit stack) tell recursion; negation inside a component is
 * not stratified. Walks from legal, goal, terminal, init tell whether they reach
 * `does` or `true`. */
#include "gdl/check.h"

#include <string.h>

#define MAX_CYCLES 20 /* of which the way round is shown */

/* Sorts the uses by the relation they help to define (counting sort), so that
 * they are the edges of the graph. */
static void sort_uses(struct checker *c)
{
	uint32_t *at = NEW_ARRAY(uint32_t, c->preds.n + 1);
	for (size_t i = 0; i < c->uses.n; i++)
		c->preds.at[c->head_pred[c->uses.at[i].clause]].use_count++;
	uint32_t sum = 0;
	for (size_t i = 0; i < c->preds.n; i++) {
		at[i] = c->preds.at[i].uses = sum;
		sum += c->preds.at[i].use_count;
	}
	struct check_use *sorted = mem_alloc(c->uses.n + 1, sizeof *sorted);
	for (size_t i = 0; i < c->uses.n; i++)
		sorted[at[c->head_pred[c->uses.at[i].clause]]++] = c->uses.at[i];
	if (c->uses.n)
		memcpy(c->uses.at, sorted, c->uses.n * sizeof *sorted);
	mem_free(sorted);
	mem_free(at);
}

/* --- components -------------------------------------------------------------- */

struct tarjan {
	uint32_t *number, *low, *next_edge; /* number 0: not seen */
	bool *waiting;
	VEC(uint32_t) path, stack;
	uint32_t count, parts;
};

static void enter(struct tarjan *t, uint32_t v)
{
	t->number[v] = t->low[v] = ++t->count;
	t->waiting[v] = true;
	vec_push(&t->path, v);
	vec_push(&t->stack, v);
}

static void leave(struct checker *c, struct tarjan *t, uint32_t v)
{
	(void)vec_pop(&t->path);
	if (t->path.n) {
		uint32_t up = vec_last(&t->path);
		if (t->low[v] < t->low[up])
			t->low[up] = t->low[v];
	}
	if (t->low[v] != t->number[v])
		return;
	uint32_t w, size = 0;
	size_t first = t->stack.n;
	do {
		w = vec_pop(&t->stack);
		t->waiting[w] = false;
		c->preds.at[w].part = t->parts;
		size++;
	} while (w != v);
	for (size_t i = first - size; size > 1 && i < first; i++)
		c->preds.at[t->stack.at[i]].cyclic = true;
	t->parts++;
}

static void find_components(struct checker *c)
{
	size_t n = c->preds.n;
	struct tarjan t = {.number = NEW_ARRAY(uint32_t, n + 1), .low = NEW_ARRAY(uint32_t, n + 1)};
	t.next_edge = NEW_ARRAY(uint32_t, n + 1);
	t.waiting = NEW_ARRAY(bool, n + 1);
	for (uint32_t root = 0; root < n; root++) {
		if (t.number[root])
			continue;
		enter(&t, root);
		while (t.path.n) {
			uint32_t v = vec_last(&t.path);
			struct check_pred *p = &c->preds.at[v];
			if (t.next_edge[v] == p->use_count) {
				leave(c, &t, v);
				continue;
			}
			uint32_t w = c->uses.at[p->uses + t.next_edge[v]++].pred;
			if (w == v)
				p->cyclic = true;
			if (!t.number[w])
				enter(&t, w);
			else if (t.waiting[w] && t.number[w] < t.low[v])
				t.low[v] = t.number[w];
		}
	}
	mem_free(t.number);
	mem_free(t.low);
	mem_free(t.next_edge);
	mem_free(t.waiting);
	vec_free(&t.path);
	vec_free(&t.stack);
}

/* --- ways ---------------------------------------------------------------------- */

/* Breadth-first from `from`; by[v] is the use that led to v, or NONE. With
 * `inside`, only through the component of `from`. */
static void search(const struct checker *c, uint32_t from, bool inside, uint32_t *by)
{
	VEC(uint32_t) queue = {0};
	memset(by, 0xff, c->preds.n * sizeof *by);
	vec_push(&queue, from);
	for (size_t i = 0; i < queue.n; i++) {
		const struct check_pred *p = &c->preds.at[queue.at[i]];
		for (uint32_t e = p->uses; e < p->uses + p->use_count; e++) {
			uint32_t w = c->uses.at[e].pred;
			if (by[w] != UINT32_MAX || (inside && c->preds.at[w].part != p->part))
				continue;
			by[w] = e;
			vec_push(&queue, w);
		}
	}
	vec_free(&queue);
}

/* "legal -> canMove -> does", and the first step in *first. */
static const char *way(struct checker *c, uint32_t from, uint32_t to, const uint32_t *by, uint32_t *first)
{
	VEC(uint32_t) steps = {0};
	uint32_t v = to;
	do {
		vec_push(&steps, by[v]);
		v = c->head_pred[c->uses.at[by[v]].clause];
	} while (v != from);
	*first = vec_last(&steps);
	struct text out = {0};
	text_puts(&out, gdl_quote_name(c->r, c->preds.at[from].name, false, c->d));
	for (size_t i = steps.n; i-- > 0;) {
		if (steps.n > 8 && i > 3 && i < steps.n - 4) {
			if (i == 4)
				text_puts(&out, " -> ...");
			continue;
		}
		const struct check_use *u = &c->uses.at[steps.at[i]];
		text_printf(&out, " -> %s%s", u->negative ? "not " : "", gdl_quote_name(c->r, c->preds.at[u->pred].name, false, c->d));
	}
	const char *result = diag_text(c->d, "%s", text_str(&out));
	text_free(&out);
	vec_free(&steps);
	return result;
}

static void check_stratified(struct checker *c, uint32_t *by)
{
	size_t told = 0;
	for (size_t i = 0; i < c->uses.n; i++) {
		const struct check_use u = c->uses.at[i];
		uint32_t head = c->head_pred[u.clause], first;
		if (!u.negative || c->preds.at[head].part != c->preds.at[u.pred].part)
			continue;
		const char *name = gdl_quote_name(c->r, c->preds.at[head].name, false, c->d);
		struct diag *g = check_error(c, u.node, "not-stratified", "%s depends on its own negation", name);
		if (!g || told++ >= MAX_CYCLES)
			continue;
		if (head == u.pred) {
			g->help = diag_text(c->d, "%s -> not %s", name, name);
			continue;
		}
		search(c, u.pred, true, by);
		g->help = diag_text(c->d, "%s -> not %s", name, way(c, u.pred, head, by, &first));
	}
}

/* legal, goal, terminal and init are known before the moves; init, base and
 * input before any state. */
static void check_reach(struct checker *c, uint32_t *by)
{
	static const struct {
		enum gdl_keyword from;
		uint32_t arity;
		bool does, state;
	} rules[] = {{GDL_LEGAL, 2, true, false},    {GDL_GOAL, 2, true, false}, {GDL_INIT, 1, true, true},
	             {GDL_TERMINAL, 0, true, false}, {GDL_BASE, 1, true, true},  {GDL_INPUT, 2, true, true}};
	uint32_t does = check_find_pred(c, GDL_DOES, 2), state = check_find_pred(c, GDL_TRUE, 1);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		uint32_t from = check_find_pred(c, (sym_t)rules[i].from, rules[i].arity);
		if (from == TABLE_NONE)
			continue;
		search(c, from, false, by);
		for (int k = 0; k < 2; k++) {
			uint32_t to = k ? state : does, first;
			if (to == TABLE_NONE || by[to] == UINT32_MAX || !(k ? rules[i].state : rules[i].does))
				continue;
			const char *steps = way(c, from, to, by, &first), *keyword = sym_text(&c->r->symbols, rules[i].from);
			struct diag *g = check_error(c, c->uses.at[first].node, k ? "depends-on-true" : "depends-on-does",
			                             "`%s` may not depend on `%s`", keyword, k ? "true" : "does");
			if (g)
				g->help = steps;
			if (by[to] != first)
				check_also(c, g, c->uses.at[by[to]].node, "through this");
		}
	}
}

void check_dependencies(struct checker *c)
{
	uint32_t *by = mem_alloc(c->preds.n + 1, sizeof *by);
	sort_uses(c);
	find_components(c);
	check_stratified(c, by);
	check_reach(c, by);
	mem_free(by);
}
