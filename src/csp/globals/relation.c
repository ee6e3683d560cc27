/* Relations: how a list of tuples is kept, and which form propagates it.
 *
 *     1 variable                       a mask, applied once
 *     2 variables, dense enough        rows of supports, bitwise arc consistency
 *     <= 1024 tuples, <= 64 values     Compact-Table in vector registers (propagate.inc)
 *     masks of decent size             Compact-Table with a sparse set (table_ct.c)
 *     else                             STR2, memory linear in the tuples (table_str.c)
 *
 * Negative tables are complemented when the product of the domains is small;
 * otherwise conflicts are counted (table_str.c). */
#include "csp/csp_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COMPLEMENT 200000 /* tuples of a product that we are ready to list */

struct sorter {
	const uint32_t *cells;
	uint32_t arity;
};

static int compare_rows(const void *a, const void *b, void *user)
{
	const struct sorter *s = user;
	const uint32_t *x = s->cells + (size_t) * (const uint32_t *)a * s->arity;
	const uint32_t *y = s->cells + (size_t) * (const uint32_t *)b * s->arity;
	for (uint32_t i = 0; i < s->arity; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static bool rows_sorted(const uint32_t *cells, uint32_t arity, size_t rows)
{
	struct sorter s = {cells, arity};
	for (size_t r = 1; r < rows; r++)
		if (compare_rows(&(uint32_t){(uint32_t)r - 1}, &(uint32_t){(uint32_t)r}, &s) >= 0)
			return false;
	return true;
}

/* Sort and drop twins. Takes `cells` (from mem_alloc) and returns the array to keep. */
static uint32_t *tidy(uint32_t *cells, uint32_t arity, size_t *rows)
{
	if (rows_sorted(cells, arity, *rows))
		return cells;
	uint32_t *order = mem_alloc(*rows, sizeof *order), *out = mem_alloc(*rows * arity, sizeof *out);
	struct sorter s = {cells, arity};
	for (size_t r = 0; r < *rows; r++)
		order[r] = (uint32_t)r;
	qsort_r(order, *rows, sizeof *order, compare_rows, &s);
	size_t k = 0;
	for (size_t r = 0; r < *rows; r++)
		if (!r || compare_rows(&order[r - 1], &order[r], &s))
			memcpy(out + k++ * arity, cells + (size_t)order[r] * arity, arity * sizeof *out);
	mem_free(order);
	mem_free(cells);
	*rows = k;
	assert(rows_sorted(out, arity, k));
	return out;
}

uint32_t relation_make(struct csp *n, const uint32_t *counts, uint32_t arity, uint32_t *cells, size_t rows,
                       bool positive)
{
	assert(arity && rows <= UINT32_MAX);
	struct relation t = {.arity = arity, .positive = positive};
	t.cells = tidy(cells, arity, &rows);
	t.rows = (uint32_t)rows;
	t.counts = mem_alloc(arity, sizeof *t.counts);
	t.first = mem_alloc(arity + 1, sizeof *t.first);
	memcpy(t.counts, counts, arity * sizeof *counts);
	for (uint32_t p = 0; p < arity; p++) {
		t.first[p] = t.pairs;
		t.pairs += counts[p];
	}
	t.first[arity] = t.pairs;
	for (size_t i = 0; i < rows * arity && !t.any; i++)
		t.any = t.cells[i] == CSP_CELL_ANY;
	vec_push(&n->relations, t);
	return narrow32(n->relations.n) - 1;
}

void relation_free(struct relation *t)
{
	if (t->exact != t->with)
		mem_free(t->exact);
	mem_free(t->with);
	mem_free(t->cells);
	mem_free(t->counts);
	mem_free(t->first);
	mem_free(t->row[0]);
	mem_free(t->row[1]);
	mem_free(t->unsupported);
}

static bool row_matches(const uint32_t *row, const uint32_t *at, uint32_t arity)
{
	for (uint32_t p = 0; p < arity; p++)
		if (row[p] != CSP_CELL_ANY && row[p] != at[p])
			return false;
	return true;
}

bool relation_has_row(const struct relation *t, const uint32_t *at)
{
	assert(t->arity && at);
	size_t low = 0, high = t->rows;
	while (low < high) {
		size_t mid = (low + high) / 2;
		const uint32_t *row = t->cells + mid * t->arity;
		int cmp = 0;
		for (uint32_t p = 0; p < t->arity && !cmp; p++)
			cmp = row[p] < at[p] ? -1 : row[p] > at[p];
		if (!cmp)
			return true;
		if (cmp < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

bool relation_holds(const struct relation *t, const uint32_t *at)
{
	assert(t->arity && at);
	bool in = false;
	if (!t->any)
		in = relation_has_row(t, at);
	else
		for (size_t r = 0; r < t->rows && !in; r++)
			in = row_matches(t->cells + r * t->arity, at, t->arity);
	return in == t->positive;
}

/* ---- forms ---- */

static bool product_within(const struct relation *t, uint64_t most)
{
	uint64_t p = 1;
	for (uint32_t i = 0; i < t->arity; i++)
		if ((p *= t->counts[i]) > most)
			return false;
	return true;
}

/* A positive relation with the same meaning as the negative one. */
static void complement(struct relation *t)
{
	assert(!t->positive);
	uint32_t *at = NEW_ARRAY(uint32_t, t->arity);
	VEC(uint32_t) cells = {0};
	size_t rows = 0;
	for (;;) {
		if (relation_holds(t, at)) {
			for (uint32_t p = 0; p < t->arity; p++)
				vec_push(&cells, at[p]);
			rows++;
		}
		uint32_t p = t->arity;
		while (p-- && ++at[p] == t->counts[p])
			at[p] = 0;
		if (p == UINT32_MAX)
			break;
	}
	mem_free(at);
	mem_free(t->cells);
	vec_reserve(&cells, 1);
	t->cells = cells.at;
	t->rows = (uint32_t)rows;
	t->positive = true;
	t->any = false;
}

static void allow_pair(struct relation *t, uint32_t a, uint32_t b, bool allow)
{
	assert(a < t->counts[0] && b < t->counts[1]);
	uint64_t *r0 = t->row[0] + (size_t)a * t->row_words[0], *r1 = t->row[1] + (size_t)b * t->row_words[1];
	if (allow) {
		bits_add(r0, b);
		bits_add(r1, a);
	} else {
		bits_drop(r0, b);
		bits_drop(r1, a);
	}
}

static void build_binary(struct relation *t)
{
	assert(t->arity == 2);
	for (int i = 0; i < 2; i++) {
		t->row_words[i] = (uint32_t)BITS_WORDS(t->counts[!i]);
		t->row[i] = NEW_ARRAY(uint64_t, (size_t)t->counts[i] * t->row_words[i]);
	}
	if (!t->positive)
		for (uint32_t a = 0; a < t->counts[0]; a++)
			for (uint32_t b = 0; b < t->counts[1]; b++)
				allow_pair(t, a, b, true);
	for (size_t r = 0; r < t->rows; r++) {
		uint32_t a = t->cells[2 * r], b = t->cells[2 * r + 1];
		for (uint32_t i = a == CSP_CELL_ANY ? 0 : a; i < (a == CSP_CELL_ANY ? t->counts[0] : a + 1); i++)
			for (uint32_t j = b == CSP_CELL_ANY ? 0 : b; j < (b == CSP_CELL_ANY ? t->counts[1] : b + 1); j++)
				allow_pair(t, i, j, t->positive);
	}
	for (int i = 0; i < 2; i++)
		for (uint32_t a = 0; a < t->counts[i]; a++) {
			size_t k = bits_count(t->row[i] + (size_t)a * t->row_words[i], t->row_words[i]);
			assert(k <= t->counts[!i]);
			uint32_t lacks = t->counts[!i] - (uint32_t)k;
			if (lacks > t->worst[i])
				t->worst[i] = lacks;
		}
}

static void build_unary(struct relation *t)
{
	assert(t->arity == 1);
	t->row[0] = NEW_ARRAY(uint64_t, BITS_WORDS(t->counts[0]));
	for (uint32_t i = 0; i < t->counts[0]; i++)
		if (relation_holds(t, &i))
			bits_add(t->row[0], i);
}

static void build_masks(struct relation *t, uint32_t words)
{
	assert((uint64_t)words * 64 >= t->rows);
	t->words = words;
	t->with = mem_align((size_t)t->pairs * words, sizeof *t->with);
	t->exact = t->any ? mem_align((size_t)t->pairs * words, sizeof *t->exact) : t->with;
	for (size_t r = 0; r < t->rows; r++)
		for (uint32_t p = 0; p < t->arity; p++) {
			uint32_t v = t->cells[r * t->arity + p];
			if (v != CSP_CELL_ANY) {
				assert(v < t->counts[p]);
				bits_add(t->with + (size_t)(t->first[p] + v) * words, r);
				if (t->any)
					bits_add(t->exact + (size_t)(t->first[p] + v) * words, r);
			} else {
				for (uint32_t i = 0; i < t->counts[p]; i++)
					bits_add(t->with + (size_t)(t->first[p] + i) * words, r);
			}
		}
}

static bool fits_binary(const struct relation *t)
{
	uint64_t cells = (uint64_t)t->counts[0] * t->counts[1];
	return t->arity == 2 && (cells <= 1 << 16 || (cells <= UINT64_C(1) << 32 && cells / 64 <= t->rows + UINT64_C(1)));
}

static bool fits_small(const struct relation *t)
{
	for (uint32_t p = 0; p < t->arity; p++)
		if (t->counts[p] > 64)
			return false;
	return t->rows <= 1024 && t->arity <= 64;
}

/* Masks cost pairs/8 bytes per tuple; accept up to four times the tuples themselves. */
static bool fits_masks(const struct relation *t)
{
	uint64_t bytes = (uint64_t)t->pairs * BITS_WORDS(t->rows) * 8 * (t->any ? 2 : 1);
	return bytes <= UINT64_C(16) << 20 || bytes <= (uint64_t)t->rows * t->arity * 16;
}

static enum prop attach_small(struct csp *n, struct con *c, struct relation *t)
{
	assert(c->scope + c->arity <= n->scopes.n);
	uint32_t k = (uint32_t)((BITS_WORDS(t->rows ? t->rows : 1) + 3) / 4);
	assert(k >= 1 && k <= 4);
	if (!t->with)
		build_masks(t, k * 4);
	c->state = net_words(n, k * 4);
	for (uint32_t r = 0; r < t->rows; r++)
		bits_add(n->state.at + c->state, r);
	return PROP_CT1 + (k - 1);
}

/* [live][words...] then for each variable [size seen][domain seen...]; the list
 * of live words and the residues are in the memo, for they need no undoing. */
static enum prop attach_ct(struct csp *n, uint32_t ci, struct relation *t)
{
	assert(ci < n->cons.n);
	struct con *c = &n->cons.at[ci];
	uint32_t words = (uint32_t)BITS_WORDS(t->rows), extra = 0;
	if (!t->with)
		build_masks(t, words);
	assert(t->words == words);
	for (uint32_t p = 0; p < t->arity; p++)
		extra += 1 + (uint32_t)BITS_WORDS(t->counts[p]);
	c->state = net_words(n, 1 + words + extra);
	uint64_t *s = n->state.at + c->state;
	s[0] = words;
	for (uint32_t r = 0; r < t->rows; r++)
		bits_add(s + 1, r);
	s += 1 + words;
	for (uint32_t p = 0; p < t->arity; p++) {
		s[0] = t->counts[p];
		for (uint32_t i = 0; i < t->counts[p]; i++)
			bits_add(s + 1, i);
		s += 1 + BITS_WORDS(t->counts[p]);
	}
	assert(s == n->state.at + c->state + 1 + words + extra);
	n->memo[ci] = mem_zalloc(words + t->pairs, sizeof *n->memo[ci]);
	for (uint32_t w = 0; w < words; w++)
		n->memo[ci][w] = w;
	return PROP_CT;
}

/* [live tuples] and [size seen] per variable; the permutation is in the memo. */
static enum prop attach_str(struct csp *n, uint32_t ci, struct relation *t)
{
	assert(ci < n->cons.n);
	n->cons.at[ci].state = net_words(n, 1 + t->arity);
	n->state.at[n->cons.at[ci].state] = t->rows;
	for (uint32_t p = 0; p < t->arity; p++)
		n->state.at[n->cons.at[ci].state + 1 + p] = t->counts[p] + 1; /* none seen yet */
	n->memo[ci] = mem_alloc(t->rows + 1, sizeof *n->memo[ci]);
	for (uint32_t r = 0; r < t->rows; r++)
		n->memo[ci][r] = r;
	if (!t->unsupported)
		t->unsupported = NEW_ARRAY(uint32_t, t->pairs + 1);
	return t->positive ? PROP_STR2 : PROP_NEGATIVE;
}

size_t relation_memory(const struct csp *n, uint32_t ci)
{
	const struct con *c = &n->cons.at[ci];
	const struct relation *t = c->relation == CSP_NONE ? NULL : &n->relations.at[c->relation];
	switch ((enum prop)c->prop) {
	case PROP_BINARY: return t->pairs;
	case PROP_CT: return BITS_WORDS(t->rows) + t->pairs;
	case PROP_STR2:
	case PROP_NEGATIVE: return (size_t)t->rows + 1;
	default: return 0;
	}
}

static bool scope_repeats(const struct csp *n, const struct con *c)
{
	assert(c->scope + c->arity <= n->scopes.n);
	for (uint32_t i = 0; i < c->arity; i++)
		for (uint32_t j = 0; j < i; j++)
			if (con_scope(n, c)[i] == con_scope(n, c)[j])
				return true;
	return false;
}

enum prop relation_attach(struct csp *n, uint32_t ci)
{
	struct con *c = &n->cons.at[ci];
	struct relation *t = &n->relations.at[c->relation];
	assert(t->arity == c->arity);
	c->costly = t->rows > 1024;
	if (scope_repeats(n, c))
		return PROP_CHECK;
	if (t->arity == 1) {
		if (!t->row[0])
			build_unary(t);
		return PROP_UNARY;
	}
	if (n->table_method != CSP_TABLE_STR2 && fits_binary(t)) {
		if (!t->row[0])
			build_binary(t);
		if (t->row_words[0] > 1 || t->row_words[1] > 1)
			n->memo[ci] = NEW_ARRAY(uint32_t, t->pairs);
		return PROP_BINARY;
	}
	if (!t->positive && product_within(t, MAX_COMPLEMENT))
		complement(t);
	if (!t->positive)
		return t->any ? PROP_CHECK : attach_str(n, ci, t);
	if (n->table_method == CSP_TABLE_STR2)
		return attach_str(n, ci, t);
	if (fits_small(t))
		return attach_small(n, c, t);
	if (n->table_method == CSP_TABLE_CT || fits_masks(t))
		return attach_ct(n, ci, t);
	return attach_str(n, ci, t);
}
