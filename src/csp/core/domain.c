/* Domains: bit sets that only shrink within a level. Every change saves what it
 * overwrites, keeps the size and wakes the constraints once. */
#include "csp/csp_internal.h"

#include <assert.h>

uint32_t csp_size(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return dom_size(n, x);
}

bool csp_has_at(const struct csp *n, uint32_t x, uint32_t at)
{
	assert(x < n->vars.n);
	return at < n->vars.at[x].count && dom_has(n, x, at);
}

uint32_t csp_next_at(const struct csp *n, uint32_t x, uint32_t from)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	if (v->wide) {
		uint32_t i = from > dom_first(n, x) ? from : dom_first(n, x);
		return i <= dom_last(n, x) ? i : CSP_NONE;
	}
	size_t i = bits_next(dom(n, v), v->count, from);
	return i < v->count ? (uint32_t)i : CSP_NONE;
}

int32_t csp_min(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return dom_min(n, x);
}

int32_t csp_max(const struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	return dom_max(n, x);
}

static void dom_word(struct csp *n, const struct var *v, uint32_t w, uint64_t now)
{
	assert(v->at + v->words < n->state.n);
	uint32_t at = v->at + 1 + w;
	uint64_t gone = n->state.at[at] & ~now;
	if (!gone)
		return;
	state_save(n, v->at, v->words == 1 ? 2 : 1);
	if (v->words > 1)
		state_save(n, at, 1);
	uint32_t k = (uint32_t)__builtin_popcountll(gone);
	n->state.at[at] = now;
	n->state.at[v->at] -= k;
	n->removals += k;
}

/* An interval keeps the indices from..to of those it has. */
static bool narrow(struct csp *n, uint32_t x, int64_t from, int64_t to)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	int64_t low = (int64_t)dom(n, v)[0], high = (int64_t)dom(n, v)[1];
	from = from > low ? from : low;
	to = to < high ? to : high;
	if (from > to)
		return false;
	if (from == low && to == high)
		return true;
	state_save(n, v->at, 3);
	uint64_t *s = n->state.at + v->at;
	n->removals += s[0] - (uint64_t)(to - from + 1);
	s[0] = (uint64_t)(to - from + 1);
	s[1] = (uint64_t)from;
	s[2] = (uint64_t)to;
	var_changed(n, x);
	return true;
}

/* A value inside stays: whoever forbids it fails when it is taken. */
static bool narrow_by_one(struct csp *n, uint32_t x, uint32_t i)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	const uint64_t *d = dom(n, &n->vars.at[x]);
	if (i == d[0])
		return narrow(n, x, (int64_t)i + 1, INT64_MAX);
	return i != d[1] || narrow(n, x, 0, (int64_t)i - 1);
}

bool dom_drop(struct csp *n, uint32_t x, uint32_t i)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	const struct var *v = &n->vars.at[x];
	if (__builtin_expect(v->wide, 0))
		return narrow_by_one(n, x, i);
	if (!bits_has(dom(n, v), i))
		return true;
	if (n->state.at[v->at] == 1)
		return false;
	dom_word(n, v, i / 64, dom(n, v)[i / 64] & ~(UINT64_C(1) << i % 64));
	var_changed(n, x);
	return true;
}

bool dom_fix(struct csp *n, uint32_t x, uint32_t i)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	const struct var *v = &n->vars.at[x];
	if (__builtin_expect(v->wide, 0))
		return narrow(n, x, i, i);
	if (!bits_has(dom(n, v), i))
		return false;
	if (n->state.at[v->at] == 1)
		return true;
	for (uint32_t w = 0; w < v->words; w++)
		dom_word(n, v, w, w == i / 64 ? UINT64_C(1) << i % 64 : 0);
	var_changed(n, x);
	return true;
}

bool dom_keep(struct csp *n, uint32_t x, const uint64_t *mask)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	const uint64_t *d = dom(n, v);
	bool any = false, less = false;
	for (uint32_t w = 0; w < v->words; w++) {
		any |= (d[w] & mask[w]) != 0;
		less |= (d[w] & ~mask[w]) != 0;
	}
	if (!any)
		return false;
	if (!less)
		return true;
	for (uint32_t w = 0; w < v->words; w++)
		dom_word(n, v, w, d[w] & mask[w]);
	var_changed(n, x);
	return true;
}

/* The number of values of x below `value`. */
static uint32_t rank(const struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	if (v->vals == CSP_NONE) {
		int64_t r = value - v->base;
		return r < 0 ? 0 : r > v->count ? v->count : (uint32_t)r;
	}
	uint32_t low = 0, high = v->count;
	while (low < high) {
		uint32_t mid = (low + high) / 2;
		if (n->numbers.at[v->vals + mid] < value)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Keep indices [from, to). */
static bool keep_range(struct csp *n, uint32_t x, uint32_t from, uint32_t to)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	if (v->wide)
		return narrow(n, x, from, (int64_t)to - 1);
	if (from >= to || bits_next(dom(n, v), to, from) >= to)
		return false;
	uint64_t before = n->state.at[v->at];
	for (uint32_t w = 0; w < v->words; w++) {
		uint64_t m = ~UINT64_C(0);
		if (w * 64 + 64 <= from || w * 64 >= to)
			m = 0;
		if (w == from / 64)
			m &= ~UINT64_C(0) << from % 64;
		if (w == to / 64)
			m &= (UINT64_C(1) << to % 64) - 1;
		dom_word(n, v, w, dom(n, v)[w] & m);
	}
	if (n->state.at[v->at] != before)
		var_changed(n, x);
	return true;
}

bool dom_at_least(struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	if (dom_min(n, x) >= value)
		return true;
	return keep_range(n, x, rank(n, x, value), n->vars.at[x].count);
}

bool dom_at_most(struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	if (dom_max(n, x) <= value)
		return true;
	return keep_range(n, x, 0, rank(n, x, value + 1));
}

bool csp_assign_at(struct csp *n, uint32_t x, uint32_t at)
{
	assert(x < n->vars.n);
	net_index(n);
	bool ok = at < n->vars.at[x].count && dom_fix(n, x, at);
	n->dead |= !ok && !n->levels.n;
	return ok;
}

bool csp_forbid_at(struct csp *n, uint32_t x, uint32_t at)
{
	assert(x < n->vars.n);
	net_index(n);
	bool ok = at >= n->vars.at[x].count || dom_drop(n, x, at);
	n->dead |= !ok && !n->levels.n;
	return ok;
}

bool csp_assign(struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	uint32_t i = csp_index(n, x, value);
	return csp_assign_at(n, x, i); /* an unknown value fails like any other */
}

bool csp_forbid(struct csp *n, uint32_t x, int64_t value)
{
	assert(x < n->vars.n);
	uint32_t i = csp_index(n, x, value);
	return i == CSP_NONE || csp_forbid_at(n, x, i);
}
