/* Compact-Table for large tables (Demeulenaere et al. 2016; short tuples after
 * Verhaeghe, Lecoutre and Schaus 2017).
 *
 * The valid tuples are a reversible sparse bit set: live words are listed first
 * in the memo, their number is undone, the order is not. Each value remembers
 * the word that supported it last (residue). Short tuples make removal and
 * support differ: a tuple with `*` supports every value but is killed by none,
 * hence two families of masks, `with` and `exact`. */
#include "csp/csp_internal.h"

#include <assert.h>

struct ct {
	struct csp *n;
	const struct relation *t;
	uint32_t at;    /* of the words in state */
	uint32_t *live; /* memo: permutation of the words */
	uint32_t *residue;
	uint64_t *mask; /* scratch */
	uint32_t count; /* live words now */
	bool changed;
};

static void mask_clear(struct ct *k)
{
	for (uint32_t i = 0; i < k->count; i++)
		k->mask[k->live[i]] = 0;
}

static void mask_add(struct ct *k, const uint64_t *m)
{
	for (uint32_t i = 0; i < k->count; i++)
		k->mask[k->live[i]] |= m[k->live[i]];
}

/* words &= mask (or ~mask); words that become empty leave the live part */
static void meet(struct ct *k, uint64_t flip)
{
	struct csp *n = k->n;
	for (uint32_t i = k->count; i--;) {
		uint32_t w = k->live[i];
		uint64_t old = n->state.at[k->at + w], now = old & (k->mask[w] ^ flip);
		if (now == old)
			continue;
		k->changed = true;
		state_save(n, k->at + w, 1);
		n->state.at[k->at + w] = now;
		if (!now) {
			k->count--;
			k->live[i] = k->live[k->count];
			k->live[k->count] = w;
		}
	}
}

/* Account for what happened to variable p since its domain was last seen. */
static void update(struct ct *k, const struct var *v, uint32_t p, uint32_t seen)
{
	struct csp *n = k->n;
	const struct relation *t = k->t;
	const uint64_t *d = dom(n, v);
	uint64_t *old = n->state.at + seen + 1;
	uint32_t size = (uint32_t)n->state.at[v->at], gone = (uint32_t)n->state.at[seen] - size;
	assert(n->state.at[seen] >= size && t->counts[p] == v->count);
	if (!gone)
		return;
	mask_clear(k);
	for (uint32_t w = 0; w < v->words; w++) {
		uint64_t m = gone < size ? old[w] & ~d[w] : d[w];
		for (; m; m &= m - 1) {
			uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
			mask_add(k, (gone < size ? t->exact : t->with) + (size_t)(t->first[p] + i) * t->words);
		}
	}
	meet(k, gone < size ? ~UINT64_C(0) : 0);
	state_save(n, seen, 1);
	n->state.at[seen] = size;
	for (uint32_t w = 0; w < v->words; w++)
		if (old[w] != d[w]) {
			state_save(n, seen + 1 + w, 1);
			old[w] = d[w];
		}
}

static bool supported(struct ct *k, uint32_t pair)
{
	const uint64_t *words = k->n->state.at + k->at, *m = k->t->with + (size_t)pair * k->t->words;
	if (words[k->residue[pair]] & m[k->residue[pair]])
		return true;
	for (uint32_t i = 0; i < k->count; i++)
		if (words[k->live[i]] & m[k->live[i]]) {
			k->residue[pair] = k->live[i];
			return true;
		}
	return false;
}

/* Remove the values of x without a tuple; the domain seen follows, for these
 * removals cannot kill a tuple. */
static bool filter(struct ct *k, uint32_t x, uint32_t p, uint32_t seen)
{
	struct csp *n = k->n;
	const struct var *v = &n->vars.at[x];
	uint64_t *keep = k->mask + k->t->words;
	bool less = false;
	for (uint32_t w = 0; w < v->words; w++) {
		uint64_t d = keep[w] = dom(n, v)[w];
		for (; d; d &= d - 1) {
			uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(d);
			if (!supported(k, k->t->first[p] + i)) {
				bits_drop(keep, i);
				less = true;
			}
		}
	}
	if (!less)
		return true;
	if (!dom_keep(n, x, keep))
		return false;
	state_save(n, seen, 1);
	n->state.at[seen] = n->state.at[v->at];
	for (uint32_t w = 0; w < v->words; w++)
		if (n->state.at[seen + 1 + w] != keep[w]) {
			state_save(n, seen + 1 + w, 1);
			n->state.at[seen + 1 + w] = keep[w];
		}
	return true;
}

bool csp_prop_ct(struct csp *n, uint32_t ci, uint64_t changed)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	struct relation *t = &n->relations.at[c->relation];
	assert(t->arity == c->arity);
	const uint32_t *scope = con_scope(n, c);
	uint32_t widest = 0;
	for (uint32_t p = 0; p < c->arity; p++)
		if (BITS_WORDS(t->counts[p]) > widest)
			widest = (uint32_t)BITS_WORDS(t->counts[p]);
	struct ct k = {.n = n, .t = t, .at = c->state + 1, .live = n->memo[ci], .residue = n->memo[ci] + t->words};
	k.mask = net_scratch(n, t->words + widest);
	k.count = (uint32_t)n->state.at[c->state];
	assert(k.count <= t->words);
	uint32_t seen = k.at + t->words;
	uint32_t touched = CSP_NONE, touches = 0;
	for (uint32_t p = 0, at = seen; p < c->arity; p++) {
		const struct var *v = &n->vars.at[scope[p]];
		if (n->state.at[at] != n->state.at[v->at]) {
			touched = p;
			touches++;
			update(&k, v, p, at);
			if (!k.count)
				break;
		}
		at += 1 + v->words;
	}
	if (k.count != n->state.at[c->state]) {
		state_save(n, c->state, 1);
		n->state.at[c->state] = k.count;
	}
	if (!k.count)
		return false;
	if (!k.changed && changed != ~UINT64_C(0))
		return true;
	for (uint32_t p = 0, at = seen; p < c->arity; p++) {
		uint32_t x = scope[p];
		if (dom_size(n, x) > 1 && !(touches == 1 && p == touched) && !filter(&k, x, p, at))
			return false;
		at += 1 + n->vars.at[x].words;
	}
	return true;
}
