/* Searches that use the shape of the constraint graph: components apart, trees
 * by directional arc consistency, cycle cutsets. Fixed variables connect nothing:
 * a constraint counts by the variables it has left. */
#include "csp/csp_internal.h"

#include <assert.h>

/* ---- connected components ---- */

#define MAX_PARTS 20000

static uint32_t root_of(uint32_t *up, uint32_t x)
{
	while (up[x] != x)
		x = up[x] = up[up[x]];
	return x;
}

/* up[x]: representative of x's component, over the variables not yet fixed. */
static void find_components(struct csp *n, uint32_t *up)
{
	for (uint32_t x = 0; x < n->vars.n; x++)
		up[x] = x;
	for (uint32_t c = 0; c < n->cons.n; c++) {
		const struct con *k = &n->cons.at[c];
		uint32_t first = CSP_NONE;
		for (uint32_t p = 0; p < k->arity; p++) {
			uint32_t x = con_scope(n, k)[p];
			if (dom_size(n, x) == 1)
				continue;
			if (first == CSP_NONE)
				first = x;
			else
				up[root_of(up, x)] = root_of(up, first);
		}
	}
	for (uint32_t x = 0; x < n->vars.n; x++)
		up[x] = root_of(up, x);
}

struct part {
	VEC(uint32_t) vars;
	VEC(int32_t) rows; /* its solutions, kept when someone wants to see them */
	uint64_t solutions;
};

static bool keep_row(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct part *p = s->hook;
	p->solutions++;
	if (s->keep)
		for (size_t i = 0; i < p->vars.n; i++)
			vec_push(&p->rows, dom_min(s->n, p->vars.at[i]));
	if (s->o->max_solutions && p->solutions >= s->o->max_solutions)
		s->stop = true;
	return !s->stop;
}

/* Every way to put the parts' solutions together. */
static void show_products(struct search *s, struct part *parts, uint32_t count, uint32_t from)
{
	assert(s->n->levels.n >= s->base);
	if (from == count) {
		search_show_values(s);
		return;
	}
	struct part *p = &parts[from];
	assert(p->vars.n && p->rows.n % p->vars.n == 0);
	for (size_t r = 0; r < p->rows.n / p->vars.n && !s->stop; r++) {
		for (size_t i = 0; i < p->vars.n; i++)
			s->values[p->vars.at[i]] = p->rows.at[r * p->vars.n + i];
		show_products(s, parts, count, from + 1);
	}
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t r;
	return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

/* Solves one part; false: a limit was reached before it was done. */
static bool solve_part(struct search *s, struct part *p, bool keep)
{
	assert(s->n->levels.n >= s->base);
	assert(p->vars.n);
	struct search sub = *s;
	sub.branch = p->vars.at;
	sub.branch_n = narrow32(p->vars.n);
	sub.leaf = keep_row;
	sub.hook = p;
	sub.keep = keep;
	sub.last = CSP_NONE;
	search_mac(&sub);
	bool enough = s->o->max_solutions && p->solutions >= s->o->max_solutions;
	return !sub.stop || enough;
}

/* The components, each with its variables; none when they are too many. */
static struct part *make_parts(struct search *s, uint32_t *parts_made)
{
	assert(s->n->levels.n >= s->base);
	struct csp *n = s->n;
	uint32_t *up = NEW_ARRAY(uint32_t, n->vars.n), *part_of = NEW_ARRAY(uint32_t, n->vars.n), count = 0;
	find_components(n, up);
	for (uint32_t x = 0; x < n->vars.n; x++)
		if (up[x] == x && dom_size(n, x) > 1)
			part_of[x] = count++;
	s->s->parts = count;
	if (count > MAX_PARTS) {
		s->s->refused = "too many components";
		count = 0;
	}
	struct part *parts = NEW_ARRAY(struct part, n->vars.n);
	for (uint32_t x = 0; x < n->vars.n; x++) {
		s->values[x] = dom_min(n, x);
		if (dom_size(n, x) > 1 && count)
			vec_push(&parts[part_of[up[x]]].vars, x);
	}
	mem_free(part_of);
	mem_free(up);
	*parts_made = count;
	return parts;
}

bool search_components(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct csp *n = s->n;
	if (n->has_objective && s->o->best_only)
		return search_mac(s); /* the objective ties all together */
	if (!csp_propagate(n))
		return true;
	uint32_t count;
	struct part *parts = make_parts(s, &count);
	bool show = s->o->solution || s->o->max_solutions, done = true;
	uint64_t product = 1;
	for (uint32_t i = 0; i < count && done && product; i++) {
		done = solve_part(s, &parts[i], show);
		product = times(product, parts[i].solutions);
	}
	if (done && product && !s->s->refused) {
		if (show)
			show_products(s, parts, count, 0);
		else
			s->s->solutions = product;
	}
	for (uint32_t i = 0; i < count; i++) {
		vec_free(&parts[i].vars);
		vec_free(&parts[i].rows);
	}
	mem_free(parts);
	return done && (!s->stop || s->s->solutions < s->o->max_solutions);
}

/* ---- trees ---- */

struct tree {
	struct search *s;
	struct csp *n;
	uint32_t *order, *parent, count; /* roots first */
	uint32_t *edge_at, *edge_end;    /* constraints to the parent, in `edges` */
	VEC(uint32_t) edges;
	uint32_t *at;
	uint64_t **ways; /* per variable and value: solutions below it */
	VEC(uint32_t) tuple;
};

/* Unfixed variables of c: how many, and the first two. */
static uint32_t open_vars(const struct csp *n, const struct con *c, uint32_t out[2])
{
	assert(c->scope + c->arity <= n->scopes.n);
	uint32_t k = 0;
	for (uint32_t p = 0; p < c->arity; p++) {
		uint32_t x = con_scope(n, c)[p];
		if (dom_size(n, x) == 1 || (k && out[0] == x) || (k > 1 && out[1] == x))
			continue;
		if (k < 2)
			out[k] = x;
		k++;
	}
	return k;
}

static bool tuple_holds(struct tree *t, uint32_t c)
{
	const struct con *k = &t->n->cons.at[c];
	vec_clear(&t->tuple);
	for (uint32_t p = 0; p < k->arity; p++)
		vec_push(&t->tuple, t->at[con_scope(t->n, k)[p]]);
	return con_holds(t->n, c, t->tuple.at);
}

static bool compatible(struct tree *t, uint32_t child)
{
	for (uint32_t e = t->edge_at[child]; e < t->edge_end[child]; e++)
		if (!tuple_holds(t, t->edges.at[e]))
			return false;
	return true;
}

struct tree_walk {
	struct tree *t;
	bool *seen; /* by variable */
	bool *used; /* by constraint */
};

/* y becomes a child of x, with all constraints between the two. */
static void add_child(struct tree_walk *w, uint32_t x, uint32_t y)
{
	struct tree *t = w->t;
	const struct csp *n = t->n;
	const struct var *v = &n->vars.at[x];
	assert(!w->seen[y] && t->count < n->vars.n);
	w->seen[y] = true;
	t->parent[y] = x;
	t->order[t->count++] = y;
	t->edge_at[y] = narrow32(t->edges.n);
	for (uint32_t o = v->occ; o < v->occ_end; o++) {
		uint32_t c = n->occ[o].con, pair[2];
		if (!w->used[c] && open_vars(n, &n->cons.at[c], pair) == 2 &&
		    (pair[0] == x ? pair[1] == y : pair[0] == y && pair[1] == x)) {
			w->used[c] = true;
			vec_push(&t->edges, c);
		}
	}
	t->edge_end[y] = narrow32(t->edges.n);
	assert(t->edge_at[y] < t->edge_end[y]);
}

/* False: a cycle, or a constraint with three variables left. */
static bool add_children(struct tree_walk *w, uint32_t x)
{
	const struct csp *n = w->t->n;
	const struct var *v = &n->vars.at[x];
	for (uint32_t o = v->occ; o < v->occ_end; o++) {
		uint32_t c = n->occ[o].con, two[2], open = open_vars(n, &n->cons.at[c], two);
		if (open < 2 || w->used[c])
			continue;
		uint32_t y = two[0] == x ? two[1] : two[0];
		if (open > 2 || w->seen[y])
			return false;
		add_child(w, x, y);
	}
	return true;
}

/* Orders the unfixed variables, parents first. False: it is no forest. */
static bool tree_order(struct tree *t)
{
	const struct csp *n = t->n;
	struct tree_walk w = {t, NEW_ARRAY(bool, n->vars.n), NEW_ARRAY(bool, n->cons.n + 1)};
	bool ok = true;
	for (uint32_t x = 0; x < n->vars.n; x++) {
		t->at[x] = dom_first(n, x);
		t->parent[x] = CSP_NONE;
		t->edge_at[x] = t->edge_end[x] = 0;
	}
	t->count = 0;
	t->edges.n = 0;
	for (uint32_t r = 0; r < n->vars.n && ok; r++) {
		if (w.seen[r] || dom_size(n, r) == 1)
			continue;
		w.seen[r] = true;
		t->order[t->count++] = r;
		for (uint32_t head = t->count - 1; head < t->count && ok; head++)
			ok = add_children(&w, t->order[head]);
	}
	mem_free(w.seen);
	mem_free(w.used);
	return ok;
}

/* Constraints with at most one variable left. */
static bool tree_unary(struct tree *t)
{
	struct csp *n = t->n;
	uint32_t two[2];
	for (uint32_t c = 0; c < n->cons.n; c++) {
		uint32_t open = open_vars(n, &n->cons.at[c], two);
		if (open > 1 || n->cons.at[c].objective)
			continue;
		if (!open) {
			if (!tuple_holds(t, c))
				return false;
			continue;
		}
		uint32_t x = two[0];
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1)) {
			t->at[x] = i;
			if (!tuple_holds(t, c) && !dom_drop(n, x, i))
				return false;
		}
		t->at[x] = dom_first(n, x); /* it may be fixed now, and others rely on that */
	}
	return true;
}

/* Children before parents: ways[x][i] counts the solutions of x's subtree with
 * x = i; values with none leave the domain. This is directional arc consistency
 * with numbers in place of yes and no. */
static bool tree_count(struct tree *t)
{
	struct csp *n = t->n;
	for (uint32_t k = 0; k < t->count; k++) {
		uint32_t x = t->order[k];
		t->ways[x] = mem_resize(t->ways[x], n->vars.at[x].count, sizeof **t->ways);
		for (uint32_t i = 0; i < n->vars.at[x].count; i++)
			t->ways[x][i] = 1;
	}
	for (uint32_t k = t->count; k--;) {
		uint32_t y = t->order[k], x = t->parent[y];
		if (x == CSP_NONE)
			continue;
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1)) {
			uint64_t sum = 0;
			t->at[x] = i;
			DOM_EACH (j, n, y) {
				t->at[y] = (uint32_t)j;
				uint64_t w = compatible(t, y) ? t->ways[y][j] : 0;
				if (__builtin_add_overflow(sum, w, &sum))
					sum = UINT64_MAX;
			}
			t->ways[x][i] = times(t->ways[x][i], sum);
			if (!sum && !dom_drop(n, x, i))
				return false;
		}
	}
	return true;
}

/* Parents first; every value with a way leads to a solution, so nothing is undone. */
static void tree_show(struct tree *t, uint32_t from)
{
	struct csp *n = t->n;
	struct search *s = t->s;
	if (from == t->count) {
		for (uint32_t x = 0; x < n->vars.n; x++)
			s->values[x] = csp_value(n, x, t->at[x]);
		search_show_values(s);
		return;
	}
	uint32_t x = t->order[from];
	for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE && !s->stop; i = csp_next_at(n, x, i + 1)) {
		t->at[x] = i;
		s->s->nodes++;
		if (t->ways[x][i] && compatible(t, x))
			tree_show(t, from + 1);
	}
}

/* 1: done, 0: no tree */
static bool tree_solve(struct tree *t)
{
	struct search *s = t->s;
	struct csp *n = t->n;
	if (!tree_order(t))
		return false;
	uint32_t level = csp_level(n);
	net_push(n);
	if (tree_unary(t)) {
		for (uint32_t x = 0; x < n->vars.n; x++)
			if (dom_size(n, x) == 1)
				t->at[x] = dom_first(n, x);
		if (tree_count(t)) {
			if (s->o->solution || s->o->max_solutions) {
				tree_show(t, 0);
			} else {
				uint64_t product = 1;
				for (uint32_t k = 0; k < t->count; k++) {
					uint32_t x = t->order[k];
					uint64_t sum = 0;
					if (t->parent[x] != CSP_NONE)
						continue;
					DOM_EACH (i, n, x)
						sum += t->ways[x][i];
					product = times(product, sum);
				}
				s->s->solutions += product;
			}
		}
	}
	csp_pop(n, level);
	return true;
}

static struct tree tree_new(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	size_t n = s->n->vars.n;
	struct tree t = {.s = s, .n = s->n};
	t.order = NEW_ARRAY(uint32_t, n);
	t.parent = NEW_ARRAY(uint32_t, n);
	t.edge_at = NEW_ARRAY(uint32_t, n);
	t.edge_end = NEW_ARRAY(uint32_t, n);
	t.at = NEW_ARRAY(uint32_t, n);
	t.ways = NEW_ARRAY(uint64_t *, n);
	return t;
}

static void tree_free(struct tree *t)
{
	for (size_t x = 0; x < t->n->vars.n; x++)
		mem_free(t->ways[x]);
	mem_free(t->order);
	mem_free(t->parent);
	mem_free(t->edge_at);
	mem_free(t->edge_end);
	mem_free(t->at);
	mem_free(t->ways);
	vec_free(&t->edges);
	vec_free(&t->tuple);
}

static bool no_objective(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	if (s->n->has_objective && s->o->best_only)
		s->s->refused = "this algorithm does not optimise";
	return !s->s->refused;
}

bool search_tree(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	if (!no_objective(s))
		return false;
	struct tree t = tree_new(s);
	if (!tree_solve(&t))
		s->s->refused = "the constraint graph is not a tree of binary constraints";
	tree_free(&t);
	return !s->stop;
}

/* ---- cycle cutset ---- */

/* Greedy: leaves fall off; then the variable with most neighbours joins the cutset. */
static uint32_t find_cutset(struct csp *n, uint32_t *cutset)
{
	uint32_t vars = narrow32(n->vars.n), words = (uint32_t)BITS_WORDS(vars), count = 0;
	uint64_t *adj = search_neighbours(n, words);
	bool *gone = NEW_ARRAY(bool, vars);
	for (;;) {
		uint32_t best = CSP_NONE;
		size_t most = 0;
		bool fell = false;
		for (uint32_t x = 0; x < vars; x++) {
			size_t degree = gone[x] ? 0 : bits_count(adj + (size_t)x * words, words);
			if (!gone[x] && degree <= 1) {
				gone[x] = fell = true;
				for (uint32_t y = 0; y < vars; y++)
					bits_drop(adj + (size_t)y * words, x);
			} else if (degree > most) {
				most = degree;
				best = x;
			}
		}
		if (fell)
			continue;
		if (best == CSP_NONE)
			break;
		cutset[count++] = best;
		gone[best] = true;
		for (uint32_t y = 0; y < vars; y++)
			bits_drop(adj + (size_t)y * words, best);
	}
	mem_free(adj);
	mem_free(gone);
	return count;
}

static bool solve_rest(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct tree *t = s->hook;
	if (!tree_solve(t))
		t->s->s->refused = "the cutset left a cycle";
	s->stop = t->s->stop || t->s->s->refused;
	return !s->stop;
}

bool search_cutset(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct csp *n = s->n;
	if (!no_objective(s))
		return false;
	if (n->vars.n > 20000) {
		s->s->refused = "too many variables for cutset conditioning";
		return false;
	}
	struct tree t = tree_new(s);
	uint32_t *cutset = NEW_ARRAY(uint32_t, n->vars.n);
	struct search sub = *s;
	sub.branch = cutset;
	sub.branch_n = find_cutset(n, cutset);
	sub.leaf = solve_rest;
	sub.hook = &t;
	s->s->width = sub.branch_n;
	bool done = search_mac(&sub);
	s->stop = s->stop || sub.stop;
	mem_free(cutset);
	tree_free(&t);
	return done && !s->stop;
}
