/* Where variables get their values.
 *
 * A variable is bound by a positive atom that must hold: one of the body, or one
 * in every branch of an `or`. Every variable of the head, of a negated atom and
 * of `distinct` must be bound (safety). Recursion has a stricter rule of the same
 * kind: an argument of a recursive atom must be ground, or be an argument of the
 * head, or consist of variables bound by atoms outside the recursion; otherwise
 * terms could grow without end. Both are one walk with another question:
 *
 *     up:    for each `or` with several branches, the intersection of what its
 *            branches bind, kept in a list;
 *     down:  count[v] > 0 while v is bound here; entering a branch adds what it
 *            binds, leaving takes it away.
 *
 * `and`, and `or` with a single branch, are looked through. An intersection is at
 * most half as long as what it was made from, so all lists together are linear in
 * the clause however deep the nesting. */
#include "base/nearest.h"
#include "gdl/check.h"

#include <string.h>

#define MAX_HELPS 100 /* each looks through a whole clause */

struct span {
	uint32_t from, count;
};

struct walk {
	struct checker *c;
	const struct gdl_clause *clause;
	bool recursion;      /* the question: recursion restriction, not safety */
	uint32_t part;       /* of the head, when recursion */
	VEC(uint32_t) stack; /* symbols of variables, while going up */
	VEC(uint32_t) starts;
	VEC(uint32_t) pool; /* the lists */
	VEC(struct span) lists;
	uint32_t *list_of;                 /* by node: index into lists, + 1 */
	uint32_t *seen, *count, *reported; /* by symbol */
	struct table head_terms;           /* arguments of the head, by structure */
	uint32_t round, helps;
};

static const struct gdl_node *node_at(const struct walk *w, node_t n)
{
	return &w->c->r->nodes.at[n];
}

/* The atoms in question: in the recursion of the head. */
static bool is_recursive(const struct walk *w, node_t atom)
{
	return w->recursion && w->c->preds.at[w->c->use_pred[atom]].part == w->part;
}

enum kind { NOTHING, ATOM, BRANCHES, THROUGH, NEGATION, UNEQUAL };

static enum kind kind_of(const struct walk *w, node_t n)
{
	const struct gdl_node *node = node_at(w, n);
	if (node->variable)
		return NOTHING;
	switch (node->name) {
	case GDL_NOT: return NEGATION;
	case GDL_DISTINCT: return UNEQUAL;
	case GDL_AND: return THROUGH;
	case GDL_OR: return node->argc > 1 ? BRANCHES : THROUGH;
	default: return ATOM;
	}
}

/* --- up ------------------------------------------------------------------------ */

static void push_variables(struct walk *w, node_t n)
{
	const struct gdl_node *node = node_at(w, n);
	if (node->variable)
		vec_push(&w->stack, node->name);
	for (uint32_t i = 0; i < node->argc; i++)
		push_variables(w, gdl_arg(w->c->r, n, i));
}

/* Replaces the segments starts[first..] of the stack by what is in all of them. */
static void intersect(struct walk *w, size_t first, uint32_t branches)
{
	uint32_t base = w->starts.at[first], out = base;
	vec_push(&w->starts, narrow32(w->stack.n));
	for (uint32_t b = 0; b < branches; b++)
		for (uint32_t i = w->starts.at[first + b]; i < w->starts.at[first + b + 1]; i++)
			if (w->seen[w->stack.at[i]] == b)
				w->seen[w->stack.at[i]] = b + 1;
	for (uint32_t i = base; i < w->stack.n; i++) {
		uint32_t v = w->stack.at[i];
		if (w->seen[v] == branches)
			w->stack.at[out++] = v;
		w->seen[v] = 0;
	}
	w->stack.n = out;
	w->starts.n = first;
}

static void bind_variables(struct walk *w, node_t n);

static void bind_branches(struct walk *w, node_t n)
{
	uint32_t argc = node_at(w, n)->argc;
	size_t first = w->starts.n;
	uint32_t base = narrow32(w->stack.n);
	for (uint32_t i = 0; i < argc; i++) {
		vec_push(&w->starts, narrow32(w->stack.n));
		bind_variables(w, gdl_arg(w->c->r, n, i));
	}
	intersect(w, first, argc);
	struct span s = {narrow32(w->pool.n), narrow32(w->stack.n) - base};
	for (uint32_t i = base; i < w->stack.n; i++)
		vec_push(&w->pool, w->stack.at[i]);
	vec_push(&w->lists, s);
	w->list_of[n] = narrow32(w->lists.n);
}

/* Pushes what the formula binds. */
static void bind_variables(struct walk *w, node_t n)
{
	switch (kind_of(w, n)) {
	case ATOM:
		if (!is_recursive(w, n))
			push_variables(w, n);
		break;
	case BRANCHES: bind_branches(w, n); break;
	case THROUGH:
		for (uint32_t i = 0; i < node_at(w, n)->argc; i++)
			bind_variables(w, gdl_arg(w->c->r, n, i));
		break;
	default: break;
	}
}

/* --- down ------------------------------------------------------------------------ */

static void count_variables(struct walk *w, node_t n, uint32_t by)
{
	const struct gdl_node *node = node_at(w, n);
	if (node->variable)
		w->count[node->name] += by;
	for (uint32_t i = 0; i < node->argc; i++)
		count_variables(w, gdl_arg(w->c->r, n, i), by);
}

/* What the formula binds is added to the counts, or with -1 taken away. */
static void count_bound(struct walk *w, node_t n, uint32_t by)
{
	switch (kind_of(w, n)) {
	case ATOM:
		if (!is_recursive(w, n))
			count_variables(w, n, by);
		break;
	case BRANCHES: {
		struct span s = w->lists.at[w->list_of[n] - 1];
		for (uint32_t i = s.from; i < s.from + s.count; i++)
			w->count[w->pool.at[i]] += by;
		break;
	}
	case THROUGH:
		for (uint32_t i = 0; i < node_at(w, n)->argc; i++)
			count_bound(w, gdl_arg(w->c->r, n, i), by);
		break;
	default: break;
	}
}

/* A bound variable of the clause whose name is near. */
static const char *near_variable(struct walk *w, sym_t name)
{
	const char *list[65];
	size_t n = 0;
	vec_clear(&w->stack);
	for (uint32_t i = 0; i < w->clause->count && w->stack.n < 4096; i++)
		bind_variables(w, w->c->r->kids.at[w->clause->body + i]);
	for (size_t i = 0; i < w->stack.n && n < 64; i++)
		if (w->stack.at[i] != name)
			list[n++] = sym_text(&w->c->r->symbols, w->stack.at[i]);
	list[n] = NULL;
	vec_clear(&w->stack);
	return nearest_word(sym_text(&w->c->r->symbols, name), list);
}

static bool mentions(const struct walk *w, node_t n, sym_t name)
{
	const struct gdl_node *node = node_at(w, n);
	if (node->variable)
		return node->name == name;
	for (uint32_t i = 0; i < node->argc; i++)
		if (mentions(w, gdl_arg(w->c->r, n, i), name))
			return true;
	return false;
}

static const char *help_for(struct walk *w, sym_t name)
{
	struct diags *d = w->c->d;
	const char *shown = gdl_quote_name(w->c->r, name, true, d), *near = near_variable(w, name);
	if (near)
		return diag_text(d, "did you mean %s?",
		                 gdl_quote_name(w->c->r, sym_find(&w->c->r->symbols, near, strlen(near)), true, d));
	for (uint32_t i = 0; i < w->clause->count; i++) {
		node_t n = w->c->r->kids.at[w->clause->body + i];
		if (kind_of(w, n) == BRANCHES && mentions(w, n, name))
			return diag_text(d, "%s must be bound in every branch of the `or`, or outside it", shown);
	}
	const struct gdl_node *head = node_at(w, w->clause->head);
	bool of_role =
		head->name == GDL_LEGAL || head->name == GDL_GOAL || head->name == GDL_SEES || head->name == GDL_INPUT;
	if (of_role && head->argc == 2 && node_at(w, gdl_arg(w->c->r, w->clause->head, 0))->name == name &&
	    node_at(w, gdl_arg(w->c->r, w->clause->head, 0))->variable)
		return diag_text(d,
		                 w->c->r->form == GDL_KIF ? "add a condition that gives %s its values, such as (role %s)"
		                                          : "add a condition that gives %s its values, such as role(%s)",
		                 shown, shown);
	return diag_text(d, "add a condition that gives %s its values", shown);
}

static void require(struct walk *w, node_t n, const char *where)
{
	const struct gdl_node *node = node_at(w, n);
	for (uint32_t i = 0; i < node->argc; i++)
		require(w, gdl_arg(w->c->r, n, i), where);
	if (!node->variable || w->count[node->name] || w->reported[node->name] == w->round)
		return;
	w->reported[node->name] = w->round;
	struct diag *g =
		check_error(w->c, n, "unsafe-variable", "variable %s stands in %s but no positive condition binds it",
	                gdl_quote(w->c->r, n, w->c->d), where);
	if (g && w->helps++ < MAX_HELPS)
		g->help = help_for(w, node_at(w, n)->name);
}

/* --- terms of the head ----------------------------------------------------------- */

static uint64_t term_hash(const struct gdl_rules *r, node_t n)
{
	const struct gdl_node *node = &r->nodes.at[n];
	uint64_t h = hash_join(node->variable, node->name);
	for (uint32_t i = 0; i < node->argc; i++)
		h = hash_join(h, term_hash(r, gdl_arg(r, n, i)));
	return h;
}

static bool same_term(const struct gdl_rules *r, node_t a, node_t b)
{
	const struct gdl_node *x = &r->nodes.at[a], *y = &r->nodes.at[b];
	if (x->variable != y->variable || x->name != y->name || x->argc != y->argc)
		return false;
	for (uint32_t i = 0; i < x->argc; i++)
		if (!same_term(r, gdl_arg(r, a, i), gdl_arg(r, b, i)))
			return false;
	return true;
}

static bool in_head(const struct walk *w, node_t term)
{
	uint64_t h = term_hash(w->c->r, term);
	uint32_t it, id;
	for (table_start(&w->head_terms, h, &it); (id = table_next(&w->head_terms, h, &it)) != TABLE_NONE;)
		if (same_term(w->c->r, id, term))
			return true;
	return false;
}

static bool all_bound(const struct walk *w, node_t n)
{
	const struct gdl_node *node = node_at(w, n);
	if (node->variable)
		return w->count[node->name] > 0;
	for (uint32_t i = 0; i < node->argc; i++)
		if (!all_bound(w, gdl_arg(w->c->r, n, i)))
			return false;
	return true;
}

static void test_recursive(struct walk *w, node_t atom)
{
	for (uint32_t i = 0; i < node_at(w, atom)->argc; i++) {
		node_t term = gdl_arg(w->c->r, atom, i);
		if (all_bound(w, term) || in_head(w, term))
			continue;
		struct diag *g = check_error(w->c, term, "recursion",
		                             "the argument %s of a recursive condition could take infinitely many values",
		                             gdl_quote(w->c->r, term, w->c->d));
		if (g)
			g->help = "it must be ground, or an argument of the head, or be bound by a condition that is not recursive";
		check_also(w->c, g, w->clause->head, "the head that recurs");
	}
}

static void test(struct walk *w, node_t n)
{
	const struct gdl_rules *r = w->c->r;
	uint32_t argc = node_at(w, n)->argc;
	switch (kind_of(w, n)) {
	case ATOM:
		if (is_recursive(w, n))
			test_recursive(w, n);
		break;
	case NEGATION:
		if (!w->recursion)
			require(w, n, "a negated condition");
		break;
	case UNEQUAL:
		if (!w->recursion)
			require(w, n, "`distinct`");
		break;
	case THROUGH:
		for (uint32_t i = 0; i < argc; i++)
			test(w, gdl_arg(r, n, i));
		break;
	case BRANCHES:
		for (uint32_t i = 0; i < argc; i++) {
			node_t branch = gdl_arg(r, n, i);
			count_bound(w, branch, 1);
			test(w, branch);
			count_bound(w, branch, UINT32_MAX);
		}
		break;
	default: break;
	}
}

static void ask(struct walk *w)
{
	const struct gdl_clause *k = w->clause;
	const node_t *body = k->count ? w->c->r->kids.at + k->body : NULL;
	vec_clear(&w->stack);
	vec_clear(&w->pool);
	vec_clear(&w->lists);
	w->round++;
	for (uint32_t i = 0; i < k->count; i++)
		bind_variables(w, body[i]);
	vec_clear(&w->stack);
	for (uint32_t i = 0; i < k->count; i++)
		count_bound(w, body[i], 1);
	if (!w->recursion)
		require(w, k->head, "the head");
	for (uint32_t i = 0; i < k->count; i++)
		test(w, body[i]);
	for (uint32_t i = 0; i < k->count; i++)
		count_bound(w, body[i], UINT32_MAX);
}

static void ask_recursion(struct walk *w, uint32_t head_pred)
{
	const struct gdl_rules *r = w->c->r;
	node_t head = w->clause->head;
	table_clear(&w->head_terms);
	for (uint32_t i = 0; i < r->nodes.at[head].argc; i++)
		if (!in_head(w, gdl_arg(r, head, i)))
			table_add(&w->head_terms, term_hash(r, gdl_arg(r, head, i)), gdl_arg(r, head, i));
	w->recursion = true;
	w->part = w->c->preds.at[head_pred].part;
	ask(w);
	w->recursion = false;
}

void check_variables(struct checker *c)
{
	size_t symbols = c->r->symbols.all.n;
	struct walk w = {.c = c, .list_of = NEW_ARRAY(uint32_t, c->r->nodes.n + 1), .seen = NEW_ARRAY(uint32_t, symbols)};
	w.count = NEW_ARRAY(uint32_t, symbols);
	w.reported = NEW_ARRAY(uint32_t, symbols);
	for (size_t i = 0; i < c->r->clauses.n; i++) {
		w.clause = &c->r->clauses.at[i];
		ask(&w);
		if (c->preds.at[c->head_pred[i]].cyclic && w.clause->count)
			ask_recursion(&w, c->head_pred[i]);
	}
	mem_free(w.list_of);
	mem_free(w.seen);
	mem_free(w.count);
	mem_free(w.reported);
	table_free(&w.head_terms);
	vec_free(&w.stack);
	vec_free(&w.starts);
	vec_free(&w.pool);
	vec_free(&w.lists);
}
