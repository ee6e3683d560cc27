/* Tree decomposition by min-fill, solved from the leaves to the root.
 *
 * Variables are eliminated one by one, each time the one whose neighbours lack
 * the fewest edges among themselves. The bag of v is v and its neighbours then
 * (its separator). Each bag sends one message: for every assignment of the
 * separator, in how many ways the part below can be completed. Constraints and
 * messages belong to the bag of their first eliminated variable. Going back,
 * every value with a way leads to a solution. */
#include "csp/csp_internal.h"

#include <assert.h>

#define MAX_MESSAGES 4000000 /* entries in all */

struct bag {
	uint32_t var, *sep, count;
	VEC(uint32_t) cons;     /* checked here */
	VEC(uint32_t) children; /* bags that send here */
	struct table index;     /* message: separator values -> place in pool */
	VEC(uint32_t) pool;     /* [values of sep...] */
	VEC(uint64_t) ways;     /* one per entry */
};

struct decomposition {
	struct search *s;
	struct csp *n;
	struct bag *bags; /* in the order of elimination */
	uint32_t count;
	uint32_t *rank; /* variable -> its bag */
	uint32_t *at;
	uint64_t entries;
	bool too_large;
	VEC(uint32_t) tuple;
};

/* ---- elimination ---- */

static uint64_t missing_edges(const uint64_t *adj, uint32_t words, uint32_t vars, uint32_t x)
{
	const uint64_t *mine = adj + (size_t)x * words;
	uint64_t missing = 0;
	BITS_EACH (y, mine, vars) {
		const uint64_t *its = adj + y * words;
		for (uint32_t w = 0; w < words; w++)
			missing += (uint64_t)__builtin_popcountll(mine[w] & ~its[w]);
		assert(missing && y != x);
		missing--; /* y itself */
	}
	return missing;
}

uint64_t *search_neighbours(const struct csp *n, uint32_t words)
{
	uint64_t *adj = NEW_ARRAY(uint64_t, n->vars.n * words);
	for (uint32_t c = 0; c < n->cons.n; c++) {
		const struct con *k = &n->cons.at[c];
		for (uint32_t p = 0; p < k->arity; p++)
			for (uint32_t q = 0; q < k->arity; q++) {
				uint32_t x = con_scope(n, k)[p], y = con_scope(n, k)[q];
				if (x != y && dom_size(n, x) > 1 && dom_size(n, y) > 1)
					bits_add(adj + (size_t)x * words, y);
			}
	}
	return adj;
}

/* The variable whose neighbours lack the fewest edges; CSP_NONE: none is left. */
static uint32_t next_to_eliminate(const struct csp *n, const uint64_t *adj, uint32_t words, const bool *gone)
{
	uint32_t best = CSP_NONE, vars = narrow32(n->vars.n);
	uint64_t least = UINT64_MAX;
	for (uint32_t x = 0; x < vars && least; x++) {
		if (gone[x] || dom_size(n, x) == 1)
			continue;
		uint64_t m = missing_edges(adj, words, vars, x);
		if (m < least) {
			least = m;
			best = x;
		}
	}
	return best;
}

/* The bag of x; its neighbours become neighbours of each other. */
static void make_bag(struct bag *b, uint32_t x, uint64_t *adj, uint32_t words, uint32_t vars)
{
	const uint64_t *mine = adj + (size_t)x * words;
	b->var = x;
	b->sep = NEW_ARRAY(uint32_t, bits_count(mine, words) + 1);
	BITS_EACH (y, mine, vars)
		b->sep[b->count++] = (uint32_t)y;
	for (uint32_t i = 0; i < b->count; i++) {
		uint64_t *its = adj + (size_t)b->sep[i] * words;
		for (uint32_t w = 0; w < words; w++)
			its[w] |= mine[w];
		bits_drop(its, b->sep[i]);
		bits_drop(its, x);
	}
	assert(b->count < vars);
}

static void eliminate(struct decomposition *d)
{
	uint32_t vars = narrow32(d->n->vars.n), words = (uint32_t)BITS_WORDS(vars), x;
	uint64_t *adj = search_neighbours(d->n, words);
	bool *gone = NEW_ARRAY(bool, vars);
	while ((x = next_to_eliminate(d->n, adj, words, gone)) != CSP_NONE) {
		assert(d->count < vars && d->rank[x] == CSP_NONE);
		struct bag *b = &d->bags[d->count];
		make_bag(b, x, adj, words, vars);
		if (b->count > d->s->s->width)
			d->s->s->width = b->count;
		gone[x] = true;
		d->rank[x] = d->count++;
	}
	mem_free(adj);
	mem_free(gone);
	d->s->s->parts = d->count;
}

/* The bag of the first eliminated of some variables; CSP_NONE: all are fixed. */
static uint32_t home(const struct decomposition *d, const uint32_t *vars, uint32_t count)
{
	uint32_t first = CSP_NONE;
	for (uint32_t i = 0; i < count; i++)
		if (d->rank[vars[i]] < first)
			first = d->rank[vars[i]];
	return first;
}

/* ---- messages ---- */

static uint64_t message_hash(const struct decomposition *d, const struct bag *b)
{
	uint64_t h = b->count;
	for (uint32_t i = 0; i < b->count; i++)
		h = hash_join(h, d->at[b->sep[i]]);
	return h;
}

static uint64_t message(const struct decomposition *d, const struct bag *b)
{
	uint64_t h = message_hash(d, b);
	uint32_t it, id;
	for (table_start(&b->index, h, &it); (id = table_next(&b->index, h, &it)) != TABLE_NONE;) {
		assert(id < b->ways.n && (size_t)(id + 1) * b->count <= b->pool.n);
		bool same = true;
		for (uint32_t i = 0; same && i < b->count; i++)
			same = b->pool.at[(size_t)id * b->count + i] == d->at[b->sep[i]];
		if (same)
			return b->ways.at[id];
	}
	return 0;
}

static bool holds(struct decomposition *d, uint32_t c)
{
	const struct con *k = &d->n->cons.at[c];
	vec_clear(&d->tuple);
	for (uint32_t p = 0; p < k->arity; p++)
		vec_push(&d->tuple, d->at[con_scope(d->n, k)[p]]);
	return k->objective || con_holds(d->n, c, d->tuple.at);
}

/* Ways below with the whole bag assigned. */
static uint64_t bag_ways(struct decomposition *d, const struct bag *b)
{
	uint64_t w = 1;
	for (size_t i = 0; i < b->cons.n; i++)
		if (!holds(d, b->cons.at[i]))
			return 0;
	for (size_t i = 0; i < b->children.n && w; i++)
		if (__builtin_mul_overflow(w, message(d, &d->bags[b->children.at[i]]), &w))
			w = UINT64_MAX;
	return w;
}

/* Every assignment of the separator: sum over the bag's own variable. */
static void send_message(struct decomposition *d, struct bag *b, uint32_t from)
{
	struct csp *n = d->n;
	if (d->too_large || search_limit(d->s))
		return;
	if (from < b->count) {
		DOM_EACH (i, n, b->sep[from]) {
			d->at[b->sep[from]] = (uint32_t)i;
			send_message(d, b, from + 1);
		}
		return;
	}
	uint64_t sum = 0;
	DOM_EACH (i, n, b->var) {
		d->at[b->var] = (uint32_t)i;
		d->s->s->nodes++;
		if (__builtin_add_overflow(sum, bag_ways(d, b), &sum))
			sum = UINT64_MAX;
	}
	if (!sum)
		return;
	if (++d->entries > MAX_MESSAGES)
		d->too_large = true;
	table_add(&b->index, message_hash(d, b), narrow32(b->ways.n));
	for (uint32_t i = 0; i < b->count; i++)
		vec_push(&b->pool, d->at[b->sep[i]]);
	vec_push(&b->ways, sum);
	assert(b->pool.n == b->ways.n * b->count);
}

/* From the last eliminated to the first: separators are assigned already. */
static void unfold(struct decomposition *d, uint32_t left)
{
	struct search *s = d->s;
	struct csp *n = d->n;
	assert(left <= d->count);
	if (!left) {
		for (uint32_t x = 0; x < n->vars.n; x++)
			s->values[x] = csp_value(n, x, d->at[x]);
		search_show_values(s);
		return;
	}
	const struct bag *b = &d->bags[left - 1];
	for (uint32_t i = csp_next_at(n, b->var, 0); i != CSP_NONE && !s->stop; i = csp_next_at(n, b->var, i + 1)) {
		d->at[b->var] = i;
		if (bag_ways(d, b))
			unfold(d, left - 1);
	}
}

static bool work_is_sane(const struct decomposition *d)
{
	double total = 0;
	for (uint32_t i = 0; i < d->count; i++) {
		double product = dom_size(d->n, d->bags[i].var);
		for (uint32_t k = 0; k < d->bags[i].count; k++)
			product *= dom_size(d->n, d->bags[i].sep[k]);
		total += product;
	}
	return total < 2e9;
}

static void solve(struct decomposition *d)
{
	struct csp *n = d->n;
	struct search *s = d->s;
	uint64_t product = 1;
	for (uint32_t c = 0; c < n->cons.n && product; c++) {
		const struct con *k = &n->cons.at[c];
		uint32_t h = home(d, con_scope(n, k), k->arity);
		if (h != CSP_NONE)
			vec_push(&d->bags[h].cons, c);
		else
			product = holds(d, c);
	}
	for (uint32_t i = 0; i < d->count; i++) {
		uint32_t h = home(d, d->bags[i].sep, d->bags[i].count);
		assert(h == CSP_NONE || (h > i && h < d->count)); /* a separator is eliminated later */
		if (h != CSP_NONE)
			vec_push(&d->bags[h].children, i);
	}
	for (uint32_t i = 0; i < d->count && product && !s->stop; i++) {
		struct bag *b = &d->bags[i];
		send_message(d, b, 0);
		assert(b->count || b->ways.n <= 1);
		if (!b->ways.n && !s->stop)
			product = 0;
		else if (!b->count && b->ways.n && __builtin_mul_overflow(product, b->ways.at[0], &product))
			product = UINT64_MAX;
	}
	if (d->too_large)
		s->s->refused = "the messages of the tree decomposition would be too large";
	else if (product && !s->stop && (s->o->solution || s->o->max_solutions))
		unfold(d, d->count);
	else if (!s->stop)
		s->s->solutions = product;
}

bool search_decomposition(struct search *s)
{
	assert(s->n->levels.n >= s->base);
	struct csp *n = s->n;
	if ((n->has_objective && s->o->best_only) || n->vars.n > 20000) {
		s->s->refused =
			n->vars.n > 20000 ? "too many variables for a tree decomposition" : "this algorithm does not optimise";
		return false;
	}
	struct decomposition d = {.s = s, .n = n};
	d.bags = NEW_ARRAY(struct bag, n->vars.n);
	d.rank = NEW_ARRAY(uint32_t, n->vars.n);
	d.at = NEW_ARRAY(uint32_t, n->vars.n);
	for (uint32_t x = 0; x < n->vars.n; x++) {
		d.rank[x] = CSP_NONE;
		d.at[x] = dom_first(n, x);
	}
	eliminate(&d);
	if (work_is_sane(&d))
		solve(&d);
	else
		s->s->refused = "the tree decomposition is too wide";
	for (uint32_t i = 0; i < d.count; i++) {
		struct bag *b = &d.bags[i];
		mem_free(b->sep);
		vec_free(&b->cons);
		vec_free(&b->children);
		vec_free(&b->pool);
		vec_free(&b->ways);
		table_free(&b->index);
	}
	mem_free(d.bags);
	mem_free(d.rank);
	mem_free(d.at);
	vec_free(&d.tuple);
	return !s->stop;
}
