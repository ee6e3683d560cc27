/* Clause learning: variables in a heap, those that had a part in recent failures first (as VSIDS: Moskewicz et al.
 * 2001). */
#include "csp/learn/learn.h"

#include <assert.h>

#define OUTSIDE (CSP_NONE - 1) /* as a place: it is never decided */

static bool before(const struct learn *l, uint32_t x, uint32_t y)
{
	return l->activity[x] > l->activity[y] || (l->activity[x] == l->activity[y] && x < y);
}

static void place(struct learn *l, uint32_t x, uint32_t at)
{
	assert(at < l->heap_n);
	l->heap[at] = x;
	l->heap_at[x] = at;
}

static void rise(struct learn *l, uint32_t at)
{
	assert(at < l->heap_n);
	uint32_t x = l->heap[at];
	while (at && before(l, x, l->heap[(at - 1) / 2])) {
		place(l, l->heap[(at - 1) / 2], at);
		at = (at - 1) / 2;
	}
	place(l, x, at);
}

static void sink(struct learn *l, uint32_t at)
{
	assert(at < l->heap_n);
	uint32_t x = l->heap[at];
	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= l->heap_n)
			break;
		if (child + 1 < l->heap_n && before(l, l->heap[child + 1], l->heap[child]))
			child++;
		if (!before(l, l->heap[child], x))
			break;
		place(l, l->heap[child], at);
		at = child;
	}
	place(l, x, at);
}

void learn_order_put(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	struct learn *l = n->learn;
	if (l->heap_at[x] != CSP_NONE)
		return;
	place(l, x, l->heap_n++);
	rise(l, l->heap_n - 1);
}

/* Variables with small domains and many constraints are the first to be looked at. */
void learn_order_start(struct csp *n, const uint32_t *branch, uint32_t count)
{
	struct learn *l = n->learn;
	l->heap = mem_alloc(n->vars.n + 1, sizeof *l->heap);
	l->heap_at = mem_alloc(n->vars.n + 1, sizeof *l->heap_at);
	bool single = n->has_objective && !n->objective_expr && n->objective_scope.n == 1;
	l->goal = single ? n->objective_scope.at[0] : CSP_NONE;
	for (uint32_t x = 0; x < n->vars.n; x++)
		l->heap_at[x] = OUTSIDE;
	for (uint32_t i = 0; i < count; i++)
		l->heap_at[branch[i]] = CSP_NONE;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t x = branch[i];
		double degree = n->vars.at[x].occ_end - n->vars.at[x].occ;
		l->activity[x] = 1e-3 * (degree + 1) / ((double)dom_size(n, x) + degree + 1);
		if (x == l->goal)
			l->activity[x] = -1;
		learn_order_put(n, x);
	}
}

void learn_bump(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	struct learn *l = n->learn;
	if (x == l->goal)
		return;
	l->activity[x] += l->bump;
	if (l->activity[x] > 1e100) {
		for (uint32_t y = 0; y < n->vars.n; y++)
			l->activity[y] *= 1e-100;
		l->bump *= 1e-100;
	}
	if (l->heap_at[x] < OUTSIDE)
		rise(l, l->heap_at[x]);
}

void learn_decay(struct csp *n, const struct csp_tuning *tune)
{
	n->learn->bump /= tune->activity_decay;
	n->learn->clause_bump /= tune->clause_decay;
}

uint32_t learn_order_next(struct csp *n)
{
	struct learn *l = n->learn;
	while (l->heap_n) {
		uint32_t x = l->heap[0];
		if (l->low[x] != l->high[x])
			return x;
		l->heap_at[x] = CSP_NONE;
		if (--l->heap_n) {
			place(l, l->heap[l->heap_n], 0);
			sink(l, 0);
		}
	}
	return CSP_NONE;
}
