/* What depends on what. Relations are vertices, and an edge leads from the head
 * of a rule to every relation in its body. Strongly connected components show
 * recursion; negation inside a component is not stratified. Walks from legal, goal, terminal, init show whether they
 * reach `does` or `true`. */
#include "gdl/check.h"

#include "graph/scc.h"

#include <string.h>

#define MAX_CYCLES 20         /* of which the way round is shown */
#define MAX_COMPARED 10000000 /* nodes, when rules are matched with rules */

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

static void find_recursion(struct checker *c)
{
	uint32_t n = narrow32(c->preds.n);
	uint32_t *from = NEW_ARRAY(uint32_t, n + 1), *to = NEW_ARRAY(uint32_t, c->uses.n + 1),
			 *part = NEW_ARRAY(uint32_t, n + 1);
	for (uint32_t v = 0; v < n; v++)
		from[v] = c->preds.at[v].uses;
	from[n] = narrow32(c->uses.n);
	for (size_t i = 0; i < c->uses.n; i++)
		to[i] = c->uses.at[i].pred;
	graph_components(n, from, to, 0, part);
	for (uint32_t v = 0; v < n; v++)
		c->preds.at[v].part = part[v];
	for (size_t i = 0; i < c->uses.n; i++) {
		uint32_t head = c->head_pred[c->uses.at[i].clause];
		if (part[head] == part[c->uses.at[i].pred])
			c->preds.at[head].cyclic = true;
	}
	mem_free(from);
	mem_free(to);
	mem_free(part);
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
		text_printf(&out, " -> %s%s", u->negative ? "not " : "",
		            gdl_quote_name(c->r, c->preds.at[u->pred].name, false, c->d));
	}
	const char *result = diag_text(c->d, "%s", text_str(&out));
	text_free(&out);
	vec_free(&steps);
	return result;
}

/* --- negation -------------------------------------------------------------------- */

/* Could the two terms become equal? A rough answer is enough: yes, unless names
 * differ in the same place. Looking at a node costs one of the budget. */
static bool may_match(const struct gdl_rules *r, node_t a, node_t b, size_t *budget)
{
	const struct gdl_node *x = &r->nodes.at[a], *y = &r->nodes.at[b];
	if (!*budget)
		return true;
	--*budget;
	if (x->variable || y->variable)
		return true;
	if (x->name != y->name || x->argc != y->argc)
		return false;
	for (uint32_t i = 0; i < x->argc; i++)
		if (!may_match(r, gdl_arg(r, a, i), gdl_arg(r, b, i), budget))
			return false;
	return true;
}

/* Rulesheets say "goal is 50 unless goal is 100". By relations that is a negative
 * cycle; by rules it is none, because the two heads never match. So where the
 * relations have one, the rules themselves become the vertices, with an edge
 * where a condition may match a head. No negative cycle there means the ground
 * rules have none either (local stratification, Przymusinski 1988). */
static bool is_inner(const struct checker *c, const struct check_use *u)
{
	return c->preds.at[c->head_pred[u->clause]].part == c->preds.at[u->pred].part;
}

/* Rules of recursive relations as a list for each relation: at[from[p]..from[p+1]). */
static void list_rules(const struct checker *c, uint32_t *from, uint32_t *at)
{
	const struct gdl_rules *r = c->r;
	for (size_t i = 0; i < r->clauses.n; i++)
		from[c->head_pred[i] + 1]++;
	for (size_t p = 0; p < c->preds.n; p++)
		from[p + 1] += from[p];
	for (size_t i = r->clauses.n; i-- > 0;)
		at[--from[c->head_pred[i] + 1]] = (uint32_t)i;
	for (size_t p = 0; p < c->preds.n; p++)
		from[p] = from[p + 1];
	from[c->preds.n] = narrow32(r->clauses.n);
}

/* For every use inside a recursion: whether it closes a cycle of rules. False
 * when the graph would be too large to build. */
static bool find_rule_cycles(const struct checker *c, bool *closes)
{
	size_t rules = c->r->clauses.n, budget = MAX_COMPARED;
	uint32_t *from = NEW_ARRAY(uint32_t, c->preds.n + 2), *at = NEW_ARRAY(uint32_t, rules + 1);
	list_rules(c, from, at);
	VEC(struct edge { uint32_t from, to, use; }) edges = {0};
	for (uint32_t i = 0; i < c->uses.n && budget; i++) {
		const struct check_use *u = &c->uses.at[i];
		if (!is_inner(c, u))
			continue;
		for (uint32_t k = from[u->pred]; k < from[u->pred + 1] && budget; k++)
			if (may_match(c->r, u->node, c->r->clauses.at[at[k]].head, &budget))
				vec_push(&edges, (struct edge){u->clause, at[k], i});
	}
	uint32_t *start = NEW_ARRAY(uint32_t, rules + 2), *to = NEW_ARRAY(uint32_t, edges.n + 1);
	uint32_t *part = NEW_ARRAY(uint32_t, rules + 1), *fill = NEW_ARRAY(uint32_t, rules + 1);
	for (size_t i = 0; i < edges.n; i++)
		start[edges.at[i].from + 1]++;
	for (size_t v = 0; v < rules; v++)
		fill[v] = start[v], start[v + 1] += start[v];
	for (size_t i = 0; i < edges.n; i++)
		to[fill[edges.at[i].from]++] = edges.at[i].to;
	if (budget)
		graph_components((uint32_t)rules, start, to, 0, part);
	for (size_t i = 0; i < edges.n && budget; i++)
		closes[edges.at[i].use] |= part[edges.at[i].from] == part[edges.at[i].to];
	mem_free(from);
	mem_free(at);
	mem_free(start);
	mem_free(to);
	mem_free(part);
	mem_free(fill);
	vec_free(&edges);
	return budget > 0;
}

static void report_cycle(struct checker *c, const struct check_use *u, bool bad, uint32_t *by, size_t *reported)
{
	uint32_t head = c->head_pred[u->clause], first;
	const char *name = gdl_quote_name(c->r, c->preds.at[head].name, false, c->d);
	struct diag *g = bad ? check_error(c, u->node, "not-stratified", "%s depends on its own negation", name)
	                     : check_warning(c, u->node, "locally-stratified",
	                                     "%s depends on its own negation, though for other arguments", name);
	if (!g || (*reported)++ >= MAX_CYCLES)
		return;
	if (head == u->pred) {
		g->help = diag_text(c->d, "%s -> not %s", name, name);
		return;
	}
	search(c, u->pred, true, by);
	g->help = diag_text(c->d, "%s -> not %s", name, way(c, u->pred, head, by, &first));
}

static void check_stratified(struct checker *c, uint32_t *by)
{
	bool any = false;
	for (size_t i = 0; i < c->uses.n && !any; i++)
		any = c->uses.at[i].negative && is_inner(c, &c->uses.at[i]);
	if (!any)
		return;
	bool *closes = NEW_ARRAY(bool, c->uses.n);
	bool known = find_rule_cycles(c, closes);
	size_t reported = 0;
	for (size_t i = 0; i < c->uses.n; i++)
		if (c->uses.at[i].negative && is_inner(c, &c->uses.at[i]))
			report_cycle(c, &c->uses.at[i], !known || closes[i], by, &reported);
	mem_free(closes);
}

/* --- does and true ------------------------------------------------------------------ */

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
	find_recursion(c);
	check_stratified(c, by);
	check_reach(c, by);
	mem_free(by);
}
