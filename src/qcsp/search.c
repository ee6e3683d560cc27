/* The solver for any quantified network: depth-first over the sequence, values
 * by history, and a cache of restricted networks.
 *
 * A restricted network is what the rest of the play can see: the domains of the
 * variables not yet fixed and, for each constraint with such a variable, the
 * classes of its fixed ones. Positions with equal restrictions have equal answers,
 * however they came about.
 *
 * A quantified variable is *safe* when it will have a possible value whatever
 * happens: some value satisfies its constraints for all values the other
 * variables still have, and domains only shrink. If all existential variables left
 * are safe, the position is won; if all constraints together have failed and
 * the universal ones left are safe, it is lost. */
#include "qcsp/skeleton.h"
#include "qcsp/symmetry.h"

#include <string.h>

struct key {
	uint64_t sum[2];
	uint32_t sym; /* the symmetry that leads to the image it was taken of */
};

struct memo {
	struct key key;
	uint32_t node; /* in the strategy, when won */
	bool won;
};

struct moved { /* the image of a part of the strategy */
	uint32_t node, from, to, image;
};

struct qcsp_search {
	struct search_state *s;
	struct compiled d;
	struct qcsp *q; /* as compiled */
	struct csp *n;
	struct position p;
	struct restriction r;
	struct qcsp_symmetry sym;
	struct skeleton skeleton;
	uint64_t *mark;        /* two random numbers per item */
	uint32_t length, tail; /* from `tail` on there are only existential variables */
	uint32_t *history;     /* cut-offs per depth and value */
	uint32_t *history_at;
	VEC(struct memo) memos;
	struct table index;
	VEC(struct moved) moved;
	struct table moved_index;
};

/* The key of the restricted network: sums over its items, the least among all symmetric images. */
static struct key restricted(struct qcsp_search *g, bool hopeless)
{
	struct key k = {{UINT64_MAX, UINT64_MAX}, 0};
	restriction_look(&g->r, hopeless ? g->tail : UINT32_MAX);
	for (uint32_t s = 0; s < g->sym.count; s++) {
		const uint32_t *to = g->sym.image[s];
		uint64_t a = hash_mix(2 * (uint64_t)g->p.depth + hopeless + 1), b = hash_mix(a);
		for (size_t i = 0; i < g->r.seen.n; i++) {
			const uint64_t *m = g->mark + 2 * (size_t)to[g->r.seen.at[i]];
			a += m[0];
			b += m[1];
		}
		if (a < k.sum[0])
			k = (struct key){{a, b}, s};
	}
	return k;
}

static struct memo *look_up(struct qcsp_search *g, const struct key *k)
{
	uint32_t it = 0, id;
	for (table_start(&g->index, k->sum[0], &it); (id = table_next(&g->index, k->sum[0], &it)) != TABLE_NONE;)
		if (!memcmp(g->memos.at[id].key.sum, k->sum, sizeof k->sum))
			return &g->memos.at[id];
	return NULL;
}

static void remember(struct qcsp_search *g, const struct key *k, bool won, uint32_t node)
{
	size_t most = (g->s->o->cache_bytes ? g->s->o->cache_bytes : (size_t)1 << 30) / (sizeof(struct memo) + 16);
	if (g->s->stop || g->memos.n >= most)
		return;
	table_add(&g->index, k->sum[0], narrow32(g->memos.n));
	vec_push(&g->memos, (struct memo){*k, node, won});
	g->s->r->cache_states++;
}

/* ---- the strategy ---- */

static uint32_t add_node(struct qcsp_search *g, const struct qcsp_arc *arcs, uint32_t count)
{
	struct qcsp_strategy *s = &g->s->r->strategy;
	vec_push(&s->nodes, (struct qcsp_node){narrow32(s->arcs.n), count});
	for (uint32_t i = 0; i < count; i++)
		vec_push(&s->arcs, arcs[i]);
	return narrow32(s->nodes.n) - 1;
}

/* A value of variable i after symmetry `from`, before symmetry `to`. */
static uint32_t move_value(const struct qcsp_search *g, uint32_t i, uint32_t at, uint32_t from, uint32_t to)
{
	uint32_t first = g->r.literal[g->q->sequence.at[i]], image = g->sym.image[from][first + at], back = 0;
	while (g->sym.image[to][first + back] != image)
		back++;
	return back;
}

/* The part of the strategy below `node`, written for a position whose image under `from` is that of the position at
 * hand under `to`; i: the variable it decides. */
static uint32_t move_strategy(struct qcsp_search *g, uint32_t node, uint32_t i, uint32_t from, uint32_t to)
{
	struct qcsp_strategy *s = &g->s->r->strategy;
	uint64_t h = hash_join(node, (uint64_t)from << 32 | to);
	uint32_t it = 0, id;
	if (from == to || node >= s->nodes.n)
		return node;
	for (table_start(&g->moved_index, h, &it); (id = table_next(&g->moved_index, h, &it)) != TABLE_NONE;)
		if (g->moved.at[id].node == node && g->moved.at[id].from == from && g->moved.at[id].to == to)
			return g->moved.at[id].image;
	uint32_t count = s->nodes.at[node].arcs;
	struct qcsp_arc *arcs = mem_alloc(count + 1, sizeof *arcs);
	for (uint32_t k = 0; k < count; k++) {
		struct qcsp_arc a = s->arcs.at[s->nodes.at[node].arc + k];
		arcs[k] = (struct qcsp_arc){move_value(g, i, a.at, from, to), move_strategy(g, a.child, i + 1, from, to)};
	}
	uint32_t image = add_node(g, arcs, count);
	mem_free(arcs);
	table_add(&g->moved_index, h, narrow32(g->moved.n));
	vec_push(&g->moved, (struct moved){node, from, to, image});
	return image;
}

/* ---- safe variables ---- */

#define MOST_CASES 256

/* Value `at` of y in constraint c, over all values left to the other variables:
 * 0: some case fails, 1: none does, 2: it depends on the one variable *z, whose good values are put into `good`. */
static int entailed(struct qcsp_search *g, uint32_t c, uint32_t y, uint32_t at, uint32_t *z, uint64_t *good)
{
	struct csp *n = g->n;
	uint32_t arity = csp_arity(n, c), now[16];
	const uint32_t *scope = csp_scope(n, c);
	double cases = 1;
	uint32_t open = 0, one = CSP_NONE;
	int32_t best;
	if (restriction_final(&g->r, c, &best) && scope[arity - 1] == y)
		return csp_value(n, y, at) == best;
	if (arity > 16)
		return 0;
	for (uint32_t p = 0; p < arity; p++) {
		now[p] = scope[p] == y ? at : csp_next_at(n, scope[p], 0);
		if (scope[p] == y || csp_size(n, scope[p]) == 1)
			continue;
		cases *= csp_size(n, scope[p]);
		one = scope[p];
		open++;
	}
	if (cases > MOST_CASES)
		return 0;
	bool small = c < g->d.cons && g->d.shapes[c].sizes;
	uint64_t fine = 0, bad = 0;
	for (bool more = true; more;) {
		bool holds = small ? shape_holds(&g->d, c, arity, now) : csp_check_at(n, c, now);
		if (open == 1)
			for (uint32_t p = 0; p < arity; p++)
				if (scope[p] == one && now[p] < 64)
					*(holds ? &fine : &bad) |= UINT64_C(1) << now[p];
		if (!holds && (open != 1 || csp_count(n, one) > 64))
			return 0;
		bad |= !holds && open != 1;
		more = false;
		for (uint32_t p = arity; p-- && !more;) {
			if (scope[p] == y || csp_size(n, scope[p]) == 1)
				continue;
			uint32_t next = csp_next_at(n, scope[p], now[p] + 1);
			more = next != CSP_NONE;
			now[p] = more ? next : csp_next_at(n, scope[p], 0);
		}
	}
	if (!bad)
		return 1;
	*z = one;
	*good = fine;
	return fine ? 2 : 0;
}

/* Will variable i of the sequence have a possible value, however the play goes on? */
static bool safe(struct qcsp_search *g, uint32_t i)
{
	struct csp *n = g->n;
	uint32_t y = g->q->sequence.at[i], pivot = CSP_NONE;
	uint64_t covered = 0;
	for (uint32_t at = csp_next_at(n, y, 0); at != CSP_NONE; at = csp_next_at(n, y, at + 1)) {
		uint32_t z = CSP_NONE, other;
		uint64_t fine = ~UINT64_C(0), good;
		bool ok = true;
		for (uint32_t k = g->p.first[i + 1]; k < g->p.first[i + 2] && ok; k++) {
			int e = entailed(g, g->p.by_depth[k], y, at, &other, &good);
			ok = e == 1 || (e == 2 && (z == CSP_NONE || z == other));
			if (ok && e == 2) {
				z = other;
				fine &= good;
			}
		}
		if (!ok)
			continue;
		if (z == CSP_NONE)
			return true;
		if (pivot != CSP_NONE && pivot != z)
			continue;
		pivot = z;
		covered |= fine;
		bool all = true;
		for (uint32_t v = csp_next_at(n, z, 0); v != CSP_NONE && all; v = csp_next_at(n, z, v + 1))
			all = covered >> v & 1;
		if (all)
			return true;
	}
	return false;
}

static bool all_safe(struct qcsp_search *g, uint32_t from, bool forall)
{
	for (uint32_t i = g->length; i-- > from;) /* the last ones are the least likely to be safe */
		if (g->q->forall.at[i] == forall && !safe(g, i))
			return false;
	return true;
}

/* Have the constraints that take part after the last universal variable failed already? Then the play can only be won
 * by a universal variable without a possible value. */
static bool beyond_hope(struct qcsp_search *g)
{
	uint32_t from = g->p.first[g->tail + 1], to = g->p.first[g->length + 1];
	if (from == to || g->p.depth >= g->tail)
		return false;
	csp_push(g->n);
	for (uint32_t i = from; i < to; i++)
		csp_wake(g->n, g->p.by_depth[i]);
	bool ok = csp_propagate(g->n);
	csp_pop(g->n, csp_level(g->n) - 1);
	for (uint32_t i = from; i < to; i++)
		csp_sleep(g->n, g->p.by_depth[i]);
	return !ok;
}

/* Does the side that has nothing else to do any more always find a possible value? The universal one after all hope
 * is gone, the existential one when what comes after the skeleton is safe. */
static bool goes_on(struct qcsp_search *g, bool forall)
{
	uint32_t depth = g->p.depth, end = g->skeleton.end > depth ? g->skeleton.end : depth;
	if (!forall && !all_safe(g, end, false))
		return false;
	return skeleton_suffices(&g->skeleton, &g->p, &g->d, forall) || all_safe(g, depth, forall);
}

/* ---- the search ---- */

/* Values of the next variable that the state supports, those that cut most first. */
static uint32_t ordered(struct qcsp_search *g, uint32_t *list)
{
	uint32_t i = g->p.depth, count = position_values(&g->p, list);
	const uint32_t *score = g->history + g->history_at[i];
	for (uint32_t k = 1; k < count; k++) {
		uint32_t at = list[k], j = k;
		for (; j && score[list[j - 1]] < score[at]; j--)
			list[j] = list[j - 1];
		list[j] = at;
	}
	return count;
}

/* Only existential variables are left: an ordinary network. */
static bool solve_tail(struct qcsp_search *g, uint32_t *node)
{
	struct csp *n = g->n;
	uint32_t from = g->p.first[g->p.depth + 1], to = g->p.first[g->length + 1];
	csp_push(n);
	for (uint32_t i = from; i < to; i++)
		csp_wake(n, g->p.by_depth[i]);
	struct csp_options o = csp_defaults;
	struct csp_stats st;
	uint32_t *values = NEW_ARRAY(uint32_t, g->length + 1);
	bool won = csp_propagate(n);
	uint32_t level = csp_level(n);
	for (uint32_t i = g->p.depth; won && i < g->length; i++) { /* one variable at a time, to know the values */
		uint32_t x = g->q->sequence.at[i];
		won = false;
		for (uint32_t at = csp_next_at(n, x, 0); at != CSP_NONE && !won; at = csp_next_at(n, x, at + 1)) {
			uint32_t before = csp_level(n);
			csp_push(n);
			won = csp_assign_at(n, x, at) && csp_propagate(n) && csp_solve(n, &o, &st) == CSP_SAT;
			values[i] = at;
			if (!won)
				csp_pop(n, before);
		}
	}
	if (won && g->p.depth == g->length)
		won = csp_solve(n, &o, &st) == CSP_SAT;
	csp_pop(n, level - 1);
	for (uint32_t i = from; i < to; i++)
		csp_sleep(n, g->p.by_depth[i]);
	*node = QCSP_DONE;
	for (uint32_t i = g->length; won && g->s->o->strategy && i-- > g->p.depth;)
		*node = add_node(g, &(struct qcsp_arc){values[i], *node}, 1);
	mem_free(values);
	return won;
}

/* A universal value that propagation took away fails the plain form. */
static bool universal_intact(struct qcsp_search *g)
{
	for (uint32_t i = g->p.depth; i < g->length; i++) {
		uint32_t x = g->q->sequence.at[i];
		if (g->q->forall.at[i] && csp_size(g->n, x) < csp_count(g->n, x))
			return false;
	}
	return true;
}

/* What is known of a position without going deeper. */
static bool decided(struct qcsp_search *g, struct key *key, bool *won, uint32_t *node)
{
	*node = QCSP_DONE;
	g->s->r->nodes++;
	if (qcsp_limit(g->s))
		return *won = false, true;
	if (!g->q->strategic && !universal_intact(g))
		return *won = false, true;
	if (g->p.depth >= g->tail)
		return *won = solve_tail(g, node), true;
	bool hopeless = g->q->strategic && beyond_hope(g);
	*key = restricted(g, hopeless);
	const struct memo *m = look_up(g, key);
	if (m) {
		g->s->r->cache_hits++;
		*node = move_strategy(g, m->node, g->p.depth, m->key.sym, key->sym);
		return *won = m->won, true;
	}
	if (!g->q->strategic)
		return false;
	if (!goes_on(g, hopeless))
		return false;
	*won = !hopeless;
	*node = hopeless ? QCSP_DONE : QCSP_ANY;
	g->s->r->pruned++;
	remember(g, key, *won, *node);
	return true;
}

static bool branch(struct qcsp_search *g, uint32_t *node);

/* Decides the position after a value has been set, here or further down. */
static bool below(struct qcsp_search *g, uint32_t *node)
{
	struct key key;
	bool won;
	if (decided(g, &key, &won, node))
		return won;
	won = branch(g, node);
	remember(g, &key, won, *node);
	return won;
}

static bool branch(struct qcsp_search *g, uint32_t *node)
{
	uint32_t i = g->p.depth, x = g->q->sequence.at[i], count, kids = 0;
	bool forall = g->q->forall.at[i], won = forall;
	uint32_t *order = mem_alloc(csp_count(g->n, x) + 1, sizeof *order);
	struct qcsp_arc *arcs = mem_alloc(csp_count(g->n, x) + 1, sizeof *arcs);
	count = ordered(g, order);
	for (uint32_t k = 0; k < count && won == forall && !g->s->stop; k++) {
		uint32_t child = QCSP_DONE;
		bool possible = position_set(&g->p, order[k]);
		g->s->r->pruned += !possible;
		if (possible)
			won = below(g, &child);
		else if (forall && !g->q->strategic)
			won = false;
		position_undo(&g->p);
		if (possible)
			arcs[kids++] = (struct qcsp_arc){order[k], child};
		if (won != forall)
			g->history[g->history_at[i] + order[k]]++;
	}
	*node = QCSP_DONE;
	if (won && g->s->o->strategy && !g->s->stop)
		*node = add_node(g, forall ? arcs : &arcs[kids - 1], forall ? kids : 1);
	mem_free(order);
	mem_free(arcs);
	return won;
}

static bool win(struct qcsp_search *g, uint32_t *node)
{
	struct key key;
	bool won;
	return decided(g, &key, &won, node) ? won : branch(g, node);
}

static bool solve(struct qcsp_search *g)
{
	struct search_state *s = g->s;
	if (!position_start(&g->p, g->q, &g->d,
	                    &s->o->limit)) { /* nothing is possible: a success when it is the universal side's turn */
		bool won = s->q->strategic && g->length && s->q->forall.at[0];
		if (won && s->o->strategy)
			s->r->strategy.root = add_node(g, NULL, 0);
		return won;
	}
	return win(g, &s->r->strategy.root);
}

/* How many plays there are at most: below a hundred symmetry is not worth looking for. */
static double plays(const struct qcsp *q)
{
	double all = 1;
	for (size_t i = 0; i < q->sequence.n; i++)
		all *= csp_count(q->n, q->sequence.at[i]);
	return all;
}

static void lay_out(struct qcsp_search *g)
{
	uint32_t values = 0;
	uint64_t seed = 7;
	g->mark = mem_alloc(2 * (size_t)g->r.items + 2, sizeof *g->mark);
	for (size_t i = 0; i < 2 * (size_t)g->r.items; i++)
		g->mark[i] = rng_split(&seed);
	g->history_at = mem_alloc(g->length + 1, sizeof *g->history_at);
	for (uint32_t i = 0; i < g->length; i++) {
		g->history_at[i] = values;
		values += csp_count(g->n, g->q->sequence.at[i]);
		if (g->q->forall.at[i])
			g->tail = i + 1;
	}
	g->history = NEW_ARRAY(uint32_t, values + 1);
}

bool qcsp_general(struct search_state *s)
{
	struct qcsp_search g = {.s = s, .length = narrow32(s->q->sequence.n)};
	bool late;
	compiled_make(&g.d, s->q, NULL);
	g.q = g.d.q;
	g.n = g.q->n;
	mem_free(qcsp_depths(s->q, &late));
	restriction_make(&g.r, &g.d, &g.p);
	/* the graph does not know which parts of a constraint wait for others */
	qcsp_symmetry_make(&g.sym, &g.r, late || plays(s->q) < 100, &s->o->limit);
	s->r->symmetries = g.sym.count - 1;
	lay_out(&g);
	skeleton_make(&g.skeleton, s, g.tail);
	bool won = solve(&g);
	s->stop = s->stop || g.p.stopped || g.skeleton.p.stopped;
	s->r->consistency_searches = g.p.searches;
	position_free(&g.p);
	qcsp_symmetry_free(&g.sym);
	skeleton_free(&g.skeleton);
	restriction_free(&g.r);
	compiled_free(&g.d);
	mem_free(g.mark);
	mem_free(g.history);
	mem_free(g.history_at);
	vec_free(&g.memos);
	vec_free(&g.moved);
	table_free(&g.index);
	table_free(&g.moved_index);
	return won;
}
