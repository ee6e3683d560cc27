/* Textbook searches: one value at a time, no propagation queue.
 *
 *     bt      assign, check the constraints that have become complete
 *     fc      assign, filter constraints that have one variable left
 *     cbj     bt, and on a dead end jump to the deepest variable to blame
 *     fc-cbj  fc with the same jumps (Prosser 1993)
 *
 * A node is an attempt to give a variable a value. Blame sets are sets of
 * depths: blame[d] for the values of the variable decided at depth d that
 * failed, why[x] for the values that forward checking took from x. */
#include "csp/csp_internal.h"

#include <assert.h>
#include <string.h>

struct undo {
	uint32_t x;
	uint32_t at; /* of the old set in `saved` */
};

struct backtrack {
	struct search *s;
	struct csp *n;
	bool forward, jump;
	uint32_t *depth_of; /* variable -> depth, or CSP_NONE when not decided */
	uint32_t *at;       /* variable -> value index decided */
	uint32_t *left;     /* constraint -> undecided positions */
	uint32_t words;
	uint64_t *blame; /* depth -> set */
	uint64_t *why;   /* variable -> set */
	VEC(struct undo) undo;
	VEC(uint64_t) saved;
	VEC(uint32_t) tuple;
};

static uint64_t *blame_at(struct backtrack *m, uint32_t depth)
{
	return m->blame + (size_t)depth * m->words;
}

static bool holds_with(struct backtrack *m, uint32_t c, uint32_t x, uint32_t i)
{
	assert(x < m->s->n->vars.n);
	const struct con *k = &m->n->cons.at[c];
	vec_clear(&m->tuple);
	for (uint32_t p = 0; p < k->arity; p++) {
		uint32_t y = con_scope(m->n, k)[p];
		vec_push(&m->tuple, y == x ? i : m->at[y]);
	}
	return con_holds(m->n, c, m->tuple.at);
}

/* Add the depths of the decided variables of c to a set. */
static void accuse(struct backtrack *m, uint32_t c, uint64_t *set)
{
	if (!m->jump)
		return;
	const struct con *k = &m->n->cons.at[c];
	for (uint32_t p = 0; p < k->arity; p++) {
		uint32_t d = m->depth_of[con_scope(m->n, k)[p]];
		if (d != CSP_NONE)
			bits_add(set, d);
	}
}

static void unite(uint64_t *a, const uint64_t *b, uint32_t words)
{
	for (uint32_t w = 0; w < words; w++)
		a[w] |= b[w];
}

/* The first decided variable of c, other than x, with x's value. */
static uint32_t twin(struct backtrack *m, const struct con *c, uint32_t x)
{
	assert(x < m->s->n->vars.n);
	struct csp *n = m->n;
	int32_t v = csp_value(n, x, m->at[x]);
	n->checks++;
	for (uint32_t p = 0; p < c->arity; p++) {
		uint32_t y = con_scope(n, c)[p];
		if (y != x && m->depth_of[y] != CSP_NONE && csp_value(n, y, m->at[y]) == v)
			return y;
	}
	return CSP_NONE;
}

/* All constraints that x completes must hold. */
static bool check_complete(struct backtrack *m, uint32_t x, uint32_t depth)
{
	assert(x < m->s->n->vars.n);
	const struct var *v = &m->n->vars.at[x];
	for (uint32_t o = v->occ; o < v->occ_end; o++) {
		uint32_t c = m->n->occ[o].con;
		if (con_is_clique(&m->n->cons.at[c])) {
			uint32_t y = twin(m, &m->n->cons.at[c], x);
			if (y == CSP_NONE)
				continue;
			order_blame(m->n, c);
			if (m->jump)
				bits_add(blame_at(m, depth), m->depth_of[y]);
			return false;
		}
		if (m->left[c] == 0 && !holds_with(m, c, x, m->at[x])) {
			order_blame(m->n, c);
			accuse(m, c, blame_at(m, depth));
			return false;
		}
	}
	return true;
}

static void remember_why(struct backtrack *m, uint32_t y)
{
	vec_push(&m->undo, (struct undo){y, narrow32(m->saved.n)});
	for (uint32_t w = 0; w < m->words; w++)
		vec_push(&m->saved, m->why[(size_t)y * m->words + w]);
}

/* Drops value i of y because of c; where y has none left, c is heavier and the reasons of y are to blame. */
static bool drop_for(struct backtrack *m, uint32_t c, uint32_t y, uint32_t i, uint32_t depth)
{
	if (dom_drop(m->n, y, i))
		return true;
	order_blame(m->n, c);
	if (m->jump)
		unite(blame_at(m, depth), m->why + (size_t)y * m->words, m->words);
	return false;
}

/* Take from y, the one undecided variable of c, what c forbids. */
static bool filter(struct backtrack *m, uint32_t c, uint32_t y, uint32_t depth)
{
	struct csp *n = m->n;
	bool first = true;
	for (uint32_t i = csp_next_at(n, y, 0); i != CSP_NONE; i = csp_next_at(n, y, i + 1)) {
		if (holds_with(m, c, y, i))
			continue;
		if (first && m->jump) {
			remember_why(m, y);
			accuse(m, c, m->why + (size_t)y * m->words);
			first = false;
		}
		if (!drop_for(m, c, y, i, depth))
			return false;
	}
	return true;
}

/* Take x's value from the undecided variables of an allDifferent. */
static bool filter_twins(struct backtrack *m, uint32_t c, uint32_t x, uint32_t depth)
{
	assert(x < m->s->n->vars.n);
	struct csp *n = m->n;
	const struct con *k = &n->cons.at[c];
	int32_t v = csp_value(n, x, m->at[x]);
	n->checks++;
	for (uint32_t p = 0; p < k->arity; p++) {
		uint32_t y = con_scope(n, k)[p], i = csp_index(n, y, v);
		if (m->depth_of[y] != CSP_NONE || i == CSP_NONE || !dom_has(n, y, i))
			continue;
		if (m->jump) {
			remember_why(m, y);
			bits_add(m->why + (size_t)y * m->words, depth);
		}
		if (!drop_for(m, c, y, i, depth))
			return false;
	}
	return true;
}

static bool check_forward(struct backtrack *m, uint32_t x, uint32_t depth)
{
	assert(x < m->s->n->vars.n);
	struct csp *n = m->n;
	const struct var *v = &n->vars.at[x];
	for (uint32_t o = v->occ; o < v->occ_end; o++) {
		uint32_t c = n->occ[o].con, y = CSP_NONE;
		const struct con *k = &n->cons.at[c];
		uint32_t open = 0;
		if (con_is_clique(k)) {
			if (!filter_twins(m, c, x, depth))
				return false;
			continue;
		}
		for (uint32_t p = 0; p < k->arity; p++) {
			uint32_t z = con_scope(n, k)[p];
			if (m->depth_of[z] == CSP_NONE && z != y) {
				y = z;
				open++;
			}
		}
		if (open == 1 && !filter(m, c, y, depth))
			return false;
		if (open == 0 && !holds_with(m, c, x, m->at[x])) {
			order_blame(n, c);
			accuse(m, c, blame_at(m, depth));
			return false;
		}
	}
	return true;
}

static void mark(struct backtrack *m, uint32_t x, int by)
{
	assert(x < m->s->n->vars.n);
	const struct var *v = &m->n->vars.at[x];
	for (uint32_t o = v->occ; o < v->occ_end; o++)
		m->left[m->n->occ[o].con] += (uint32_t)by;
}

/* Undecided variables, by the order asked for; sizes are those fc has left. */
static uint32_t choose(struct backtrack *m, uint32_t depth)
{
	struct search *s = m->s;
	struct csp *n = m->n;
	uint32_t best = CSP_NONE;
	double least = 0;
	bool lex = s->o->order == CSP_ORDER_LEX; /* then the first `depth` are decided */
	for (uint32_t i = lex ? depth : 0; i < s->branch_n; i++) {
		uint32_t x = s->branch[i];
		if (m->depth_of[x] != CSP_NONE)
			continue;
		if (lex)
			return x;
		const struct var *v = &n->vars.at[x];
		double degree = 1e-9, score = 0;
		for (uint32_t o = v->occ; o < v->occ_end; o++)
			if (m->left[n->occ[o].con] > 1)
				degree += s->o->order == CSP_ORDER_DOM_WDEG ? n->weight[n->occ[o].con] : 1;
		switch (s->o->order) {
		case CSP_ORDER_DOM: score = dom_size(n, x); break;
		case CSP_ORDER_DEG: score = -(double)(v->occ_end - v->occ); break;
		default: score = dom_size(n, x) / degree;
		}
		if (best == CSP_NONE || score < least) {
			best = x;
			least = score;
		}
	}
	return best;
}

/* The undecided variable of c other than x, when these two are left; else CSP_NONE. */
static uint32_t other_undecided(const struct backtrack *m, uint32_t c, uint32_t x)
{
	assert(x < m->s->n->vars.n);
	const struct con *k = &m->n->cons.at[c];
	uint32_t y = CSP_NONE;
	for (uint32_t p = 0; m->left[c] == 2 && p < k->arity; p++) {
		uint32_t z = con_scope(m->n, k)[p];
		if (z != x && m->depth_of[z] == CSP_NONE)
			y = z;
	}
	return y;
}

/* Values that x = i would take from variables that share the rest of a constraint with x. */
static uint32_t harm(struct backtrack *m, uint32_t x, uint32_t i)
{
	assert(x < m->s->n->vars.n);
	struct csp *n = m->n;
	const struct var *v = &n->vars.at[x];
	uint32_t lost = 0, old = m->at[x];
	m->at[x] = i;
	for (uint32_t o = v->occ; o < v->occ_end; o++) {
		uint32_t c = n->occ[o].con, y = other_undecided(m, c, x);
		if (y != CSP_NONE)
			DOM_EACH (j, n, y)
				lost += !holds_with(m, c, y, (uint32_t)j);
	}
	m->at[x] = old;
	return lost;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t t = *a;
	*a = *b;
	*b = t;
}

/* The least constraining value first. */
static void sort_by_harm(struct backtrack *m, uint32_t x, uint32_t *values, uint32_t count)
{
	assert(x < m->s->n->vars.n);
	uint32_t *hurt = NEW_ARRAY(uint32_t, m->n->vars.at[x].count);
	for (uint32_t k = 0; k < count; k++)
		hurt[values[k]] = harm(m, x, values[k]);
	for (uint32_t i = 1; i < count; i++)
		for (uint32_t j = i; j && hurt[values[j]] < hurt[values[j - 1]]; j--)
			swap(&values[j], &values[j - 1]);
	mem_free(hurt);
}

/* The values of x in the order asked for. */
static uint32_t value_list(struct backtrack *m, uint32_t x, uint32_t *out)
{
	assert(x < m->s->n->vars.n);
	uint32_t count = 0;
	struct csp *n = m->n;
	for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1))
		out[count++] = i;
	enum csp_value_order o = m->s->o->values;
	for (uint32_t i = 0; o == CSP_VALUE_MAX && i < count / 2; i++)
		swap(&out[i], &out[count - 1 - i]);
	for (uint32_t i = count; o == CSP_VALUE_RANDOM && i > 1; i--)
		swap(&out[i - 1], &out[rng_below(&m->s->rng, i)]);
	if (o == CSP_VALUE_LCV && count > 1)
		sort_by_harm(m, x, out, count);
	return count;
}

static void restore(struct backtrack *m, uint32_t level, size_t undo)
{
	csp_pop(m->n, level);
	while (m->undo.n > undo) {
		struct undo u = vec_pop(&m->undo);
		memcpy(m->why + (size_t)u.x * m->words, m->saved.at + u.at, m->words * sizeof(uint64_t));
		m->saved.n = u.at;
	}
}

static bool try_value(struct backtrack *m, uint32_t x, uint32_t i, uint32_t depth)
{
	assert(x < m->s->n->vars.n);
	m->at[x] = i;
	m->s->s->nodes++;
	if (!m->forward)
		return check_complete(m, x, depth);
	return dom_fix(m->n, x, i) && check_forward(m, x, depth);
}

/* All variables are decided. Returns the depth to go on from. */
static uint32_t show(struct backtrack *m, uint32_t depth)
{
	struct search *s = m->s;
	for (uint32_t y = 0; y < m->n->vars.n; y++)
		s->values[y] = csp_value(m->n, y, m->at[y]);
	search_show_values(s);
	for (uint32_t d = 0; m->jump && d < depth; d++) /* a solution blames every decision */
		bits_add(blame_at(m, depth), d);
	return depth ? depth - 1 : CSP_NONE;
}

/* All values of x, decided at `depth`, have failed. Returns the depth to go on from. */
static uint32_t jump_back(struct backtrack *m, uint32_t x, uint32_t depth)
{
	assert(x < m->s->n->vars.n);
	uint64_t *blame = blame_at(m, depth);
	if (!m->jump)
		return depth ? depth - 1 : CSP_NONE;
	if (m->forward)
		unite(blame, m->why + (size_t)x * m->words, m->words);
	bits_drop(blame, depth);
	for (uint32_t d = depth; d--;)
		if (bits_has(blame, d)) {
			m->s->s->backjumps += depth - 1 - d;
			if (d + 1 != depth)
				memcpy(blame_at(m, d + 1), blame, m->words * sizeof(uint64_t));
			return d;
		}
	return CSP_NONE;
}

/* Returns the depth to go on from: `depth` itself means try the next value. */
static uint32_t descend(struct backtrack *m, uint32_t depth)
{
	struct search *s = m->s;
	struct csp *n = m->n;
	uint32_t x = choose(m, depth);
	if (x == CSP_NONE)
		return show(m, depth);
	if (depth + 1 > s->s->depth)
		s->s->depth = depth + 1;
	uint32_t *values = mem_alloc(dom_size(n, x), sizeof *values), count = value_list(m, x, values), to = depth;
	memset(blame_at(m, depth), 0, m->words * sizeof(uint64_t));
	m->depth_of[x] = depth;
	mark(m, x, -1);
	for (uint32_t k = 0; k < count && to == depth && !search_limit(s); k++) {
		uint32_t level = csp_level(n);
		size_t undo = m->undo.n;
		net_push(n);
		if (try_value(m, x, values[k], depth)) {
			memset(blame_at(m, depth + 1), 0, m->words * sizeof(uint64_t));
			to = descend(m, depth + 1);
			if (to == depth && m->jump) /* what blamed us blames our other reasons too */
				unite(blame_at(m, depth), blame_at(m, depth + 1), m->words);
		} else {
			s->s->backtracks++;
		}
		restore(m, level, undo);
	}
	m->depth_of[x] = CSP_NONE;
	mark(m, x, 1);
	mem_free(values);
	if (to != depth || s->stop)
		return to == depth ? CSP_NONE : to;
	return jump_back(m, x, depth);
}

bool search_backtrack(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct csp *n = s->n;
	enum csp_algorithm a = s->o->algorithm;
	struct backtrack m = {.s = s, .n = n, .forward = a == CSP_ALG_FC || a == CSP_ALG_FC_CBJ};
	m.jump = a == CSP_ALG_CBJ || a == CSP_ALG_FC_CBJ;
	m.depth_of = mem_alloc(n->vars.n, sizeof *m.depth_of);
	m.at = NEW_ARRAY(uint32_t, n->vars.n);
	m.left = NEW_ARRAY(uint32_t, n->cons.n + 1);
	m.words = m.jump ? (uint32_t)BITS_WORDS(n->vars.n + 2) : 0; /* without jumps nobody is blamed */
	m.blame = NEW_ARRAY(uint64_t, (n->vars.n + 2) * m.words + 1);
	m.why = NEW_ARRAY(uint64_t, n->vars.n * m.words + 1);
	for (uint32_t x = 0; x < n->vars.n; x++)
		m.depth_of[x] = CSP_NONE;
	for (uint32_t c = 0; c < n->cons.n; c++)
		m.left[c] = n->cons.at[c].arity;
	uint32_t level = csp_level(n);
	net_push(n);
	descend(&m, 0);
	csp_pop(n, level);
	mem_free(m.depth_of);
	mem_free(m.at);
	mem_free(m.left);
	mem_free(m.blame);
	mem_free(m.why);
	vec_free(&m.undo);
	vec_free(&m.saved);
	vec_free(&m.tuple);
	return !s->stop;
}
