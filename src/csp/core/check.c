/* Asserts what csp_internal.h says of the inside of a network: domains, trail, levels and queues agree, and what
 * propagation has left over is no solution that a constraint forbids. Looks at a network now and then only: it takes
 * as long as hundreds of propagations. */
#include "csp/csp_internal.h"

#include <assert.h>

#define EVERY 64       /* levels */
#define LARGE 20000    /* words of state: networks above it are looked at even less often */
#define WIDEST_CHECK 8 /* variables of a constraint that is asked whether it holds */

static void check_domain(const struct csp *n, uint32_t x)
{
	const struct var *v = &n->vars.at[x];
	const uint64_t *d = dom(n, v);
	uint32_t size = dom_size(n, x);
	assert(v->at + v->words < n->state.n);
	assert(size >= 1 && size <= v->count);
	if (v->wide) {
		assert(d[0] <= d[1] && d[1] < v->count);
		assert(size == d[1] - d[0] + 1);
		return;
	}
	assert(v->words == BITS_WORDS(v->count));
	assert(size == bits_count(d, v->words));
	assert(dom_last(n, x) < v->count);
}

static void check_fixed(const struct csp *n)
{
	size_t ones = 0;
	for (uint32_t x = 0; x < n->vars.n; x++)
		ones += dom_size(n, x) == 1;
	assert(n->fixed_n == ones);
	for (uint32_t i = 0; i < n->fixed_n; i++)
		assert(n->fixed[i] < n->vars.n && dom_size(n, n->fixed[i]) == 1);
}

/* Read from the end, entry by entry; every level begins where an entry does. */
static void check_trail(const struct csp *n)
{
	size_t top = n->trail.n, level = n->levels.n;
	while (top) {
		while (level && n->levels.at[level - 1].trail == top)
			level--;
		uint64_t head = n->trail.at[top - 1], k = head & 0xffff;
		assert(k && k < top);
		assert((head >> 16) + k <= n->state.n);
		top -= k + 1;
	}
	while (level && !n->levels.at[level - 1].trail)
		level--;
	assert(!level);
}

static void check_levels(const struct csp *n)
{
	for (size_t i = 0; i < n->levels.n; i++) {
		const struct level *l = &n->levels.at[i];
		assert(l->fixed <= (i + 1 < n->levels.n ? l[1].fixed : n->fixed_n));
		assert(l->now < (i + 1 < n->levels.n ? l[1].now : n->now));
	}
	assert(n->now <= n->clock);
	for (size_t i = 0; i < n->state.n; i++)
		assert(n->stamp[i] <= n->clock);
}

static void check_queues(const struct csp *n)
{
	assert(!n->waiting_n && n->cheap.head == n->cheap.tail && n->costly.head == n->costly.tail);
	for (uint32_t c = 0; c < n->prepared; c++)
		assert(!n->changed[c] || n->asleep[c]);
}

/* A constraint without open variables holds. */
static void check_constraint(struct csp *n, uint32_t c)
{
	const struct con *k = &n->cons.at[c];
	uint32_t at[WIDEST_CHECK];
	assert(k->scope + k->arity <= n->scopes.n && k->prop != PROP_UNSET);
	assert(k->relation == CSP_NONE || k->relation < n->relations.n);
	if (k->arity > WIDEST_CHECK || n->asleep[c] || k->objective)
		return;
	for (uint32_t p = 0; p < k->arity; p++) {
		if (dom_size(n, con_scope(n, k)[p]) > 1)
			return;
		at[p] = dom_first(n, con_scope(n, k)[p]);
	}
	assert(con_holds(n, c, at));
}

void net_check(struct csp *n)
{
	if (n->clock % (n->state.n > LARGE ? EVERY * EVERY : EVERY))
		return;
	for (uint32_t x = 0; x < n->vars.n; x++)
		check_domain(n, x);
	check_fixed(n);
	check_trail(n);
	check_levels(n);
	check_queues(n);
	for (uint32_t c = 0; c < n->prepared; c++)
		check_constraint(n, c);
}
