/* Named preprocessing passes over the hard constraints (section 4.1 of Koriche
 * et al.): merge equal scopes, project unary constraints, drop
 * universal variables from scopes, singleton arc consistency.
 *
 * Constraints are taken out as positive tables over the current domains, worked
 * on, and put into a fresh network. */
#include "scsp/scsp_internal.h"

#include <assert.h>
#include <string.h>

#define MOST_TUPLES 4000000.0

struct rel {
	VEC(uint32_t) scope; /* increasing */
	VEC(uint32_t) cells; /* sorted rows of value indices */
	bool dead;
};

static size_t rel_rows(const struct rel *r)
{
	return r->scope.n ? r->cells.n / r->scope.n : 0;
}

static void rel_free(struct rel *r)
{
	vec_free(&r->scope);
	vec_free(&r->cells);
}

/* Constraint c over the current domains, by enumeration; rows come out sorted. */
static bool extract(struct csp *n, uint32_t c, struct rel *out)
{
	assert(c < csp_constraints(n));
	uint32_t arity = csp_arity(n, c), *at = NEW_ARRAY(uint32_t, arity);
	const uint32_t *scope = csp_scope(n, c);
	double size = 1;
	for (uint32_t j = 0; j < arity; j++)
		vec_push(&out->scope, scope[j]);
	sort_numbers(out->scope.at, out->scope.n);
	size_t k = 0;
	for (size_t j = 0; j < out->scope.n; j++)
		if (!k || out->scope.at[k - 1] != out->scope.at[j])
			out->scope.at[k++] = out->scope.at[j];
	out->scope.n = k;
	for (size_t j = 0; j < k; j++)
		size *= csp_size(n, out->scope.at[j]);
	uint32_t *now = NEW_ARRAY(uint32_t, k), *place = NEW_ARRAY(uint32_t, arity);
	bool ok = size <= MOST_TUPLES;
	for (uint32_t j = 0; j < arity; j++)
		while (out->scope.at[place[j]] != scope[j])
			place[j]++;
	for (size_t j = 0; j < k; j++)
		now[j] = csp_next_at(n, out->scope.at[j], 0);
	for (bool more = ok && size > 0; more;) {
		for (uint32_t j = 0; j < arity; j++)
			at[j] = now[place[j]];
		if (csp_check_at(n, c, at))
			for (size_t j = 0; j < k; j++)
				vec_push(&out->cells, now[j]);
		size_t j = k;
		more = false;
		while (j-- && !more) {
			uint32_t next = csp_next_at(n, out->scope.at[j], now[j] + 1);
			more = next != CSP_NONE;
			now[j] = more ? next : csp_next_at(n, out->scope.at[j], 0);
		}
	}
	mem_free(at);
	mem_free(now);
	mem_free(place);
	return ok;
}

/* Rows of a that are also in b: both sorted. */
static void intersect(struct rel *a, const struct rel *b)
{
	size_t w = a->scope.n, out = 0;
	assert(w == b->scope.n);
	for (size_t i = 0, j = 0; i < rel_rows(a) && j < rel_rows(b);) {
		int cmp = 0;
		for (size_t d = 0; d < w && !cmp; d++)
			cmp = (a->cells.at[i * w + d] > b->cells.at[j * w + d]) - (a->cells.at[i * w + d] < b->cells.at[j * w + d]);
		if (!cmp)
			memmove(a->cells.at + out++ * w, a->cells.at + i * w, w * 4);
		i += cmp <= 0;
		j += cmp >= 0;
	}
	assert(out * w <= a->cells.n);
	a->cells.n = out * w;
}

typedef VEC(struct rel) rels;

static void merge(rels *all, struct scsp_removed *r)
{
	struct table index = {0};
	for (uint32_t i = 0; i < all->n; i++) {
		struct rel *a = &all->at[i];
		uint64_t h = hash_words(a->scope.at, a->scope.n);
		uint32_t it = 0, id;
		for (table_start(&index, h, &it); (id = table_next(&index, h, &it)) != TABLE_NONE;)
			if (all->at[id].scope.n == a->scope.n && !memcmp(all->at[id].scope.at, a->scope.at, a->scope.n * 4))
				break;
		if (id == TABLE_NONE) {
			table_add(&index, h, i);
			continue;
		}
		r->tuples += rel_rows(&all->at[id]) + rel_rows(a);
		intersect(&all->at[id], a);
		assert(rel_rows(&all->at[id]) <= r->tuples);
		r->tuples -= rel_rows(&all->at[id]);
		a->dead = true;
		r->constraints++;
	}
	table_free(&index);
}

static void unary(struct csp *out, rels *all, struct scsp_removed *r)
{
	for (size_t i = 0; i < all->n; i++) {
		struct rel *a = &all->at[i];
		if (a->dead || a->scope.n != 1)
			continue;
		uint32_t x = a->scope.at[0];
		for (uint32_t v = 0, k = 0; v < csp_count(out, x); v++) {
			bool in = k < a->cells.n && a->cells.at[k] == v;
			k += in;
			if (in || !csp_has_at(out, x, v))
				continue;
			r->values++;
			if (!csp_forbid_at(out, x, v))
				r->inconsistent = true;
		}
		r->tuples += a->cells.n;
		r->constraints++;
		a->dead = true;
	}
}

/* Does every row occur with every value of position j? Then drop the position. */
static bool drop_universal(const struct csp *n, struct rel *a, size_t j)
{
	size_t w = a->scope.n, rows = rel_rows(a), size = csp_size(n, a->scope.at[j]);
	assert(j < w && size);
	if (w < 2 || !rows || rows % size)
		return false;
	VEC(uint32_t) rest = {0};
	size_t kept = 0;
	uint32_t first = csp_next_at(n, a->scope.at[j], 0);
	for (size_t i = 0; i < rows; i++)
		if (a->cells.at[i * w + j] == first) {
			for (size_t d = 0; d < w; d++)
				if (d != j)
					vec_push(&rest, a->cells.at[i * w + d]);
			kept++;
		}
	/* rows are distinct, so rows = |rest| * size says the product is complete once each is an extension of a rest */
	bool universal = kept * size == rows;
	for (size_t i = 0; i < rows && universal; i++) {
		size_t low = 0, high = kept;
		while (low < high) { /* its rest among the kept ones: they are sorted, too */
			size_t mid = (low + high) / 2;
			int cmp = 0;
			for (size_t d = 0, e = 0; d < w && !cmp; d++)
				if (d != j) {
					uint32_t p = rest.at[mid * (w - 1) + e++], q = a->cells.at[i * w + d];
					cmp = (p > q) - (p < q);
				}
			if (!cmp)
				break;
			if (cmp < 0)
				low = mid + 1;
			else
				high = mid;
		}
		universal = low < high;
	}
	if (universal) {
		a->cells.n = 0;
		for (size_t i = 0; i < rest.n; i++)
			vec_push(&a->cells, rest.at[i]);
		memmove(a->scope.at + j, a->scope.at + j + 1, (w - j - 1) * 4);
		assert(rest.n == kept * (w - 1));
		a->scope.n--;
	}
	vec_free(&rest);
	return universal;
}

static void universal(const struct csp *n, rels *all, struct scsp_removed *r)
{
	for (size_t i = 0; i < all->n; i++) {
		struct rel *a = &all->at[i];
		for (size_t j = 0; !a->dead && j < a->scope.n;) {
			size_t before = rel_rows(a);
			if (!drop_universal(n, a, j)) {
				j++;
				continue;
			}
			r->scopes++;
			r->tuples += before - rel_rows(a);
		}
		if (!a->dead && a->scope.n == 1 && a->cells.n == csp_size(n, a->scope.at[0])) {
			a->dead = true; /* it says nothing any more */
			r->constraints++;
		}
	}
}

static void drop_values_gone(const struct csp *n, struct rel *a)
{
	size_t w = a->scope.n, out = 0;
	for (size_t i = 0; i < rel_rows(a); i++) {
		bool ok = true;
		for (size_t j = 0; j < w && ok; j++)
			ok = csp_has_at(n, a->scope.at[j], a->cells.at[i * w + j]);
		if (ok)
			memmove(a->cells.at + out++ * w, a->cells.at + i * w, w * 4);
	}
	a->cells.n = out * w;
}

static void put_back(struct csp *out, const rels *all)
{
	VEC(int32_t) tuples = {0};
	for (size_t i = 0; i < all->n; i++) {
		const struct rel *a = &all->at[i];
		if (a->dead)
			continue;
		vec_clear(&tuples);
		for (size_t k = 0; k < a->cells.n; k++)
			vec_push(&tuples, csp_value(out, a->scope.at[k % a->scope.n], a->cells.at[k]));
		csp_add_table(out, a->scope.at, a->scope.n, tuples.at, rel_rows(a), true);
	}
	vec_free(&tuples);
}

static uint64_t total_size(const struct csp *n)
{
	uint64_t total = 0;
	for (uint32_t x = 0; x < csp_variables(n); x++)
		total += csp_size(n, x);
	return total;
}

struct csp *scsp_simplify(struct csp *n, unsigned passes, struct scsp_removed removed[SCSP_PASS_COUNT])
{
	memset(removed, 0, SCSP_PASS_COUNT * sizeof *removed);
	rels all = {0};
	bool ok = true;
	for (uint32_t c = 0; c < csp_constraints(n) && ok; c++) {
		struct rel r = {0};
		ok = extract(n, c, &r);
		vec_push(&all, r);
	}
	struct csp *out = ok ? scsp_copy_variables(n) : NULL;
	bool dead = false;
	for (uint32_t x = 0; ok && x < csp_variables(n); x++)
		for (uint32_t v = 0; v < csp_count(n, x); v++)
			if (!csp_has_at(n, x, v))
				csp_forbid_at(out, x, v);
	for (int pass = 0; ok && pass < SCSP_PASS_SAC; pass++) {
		double start = clock_now();
		if (!(passes >> pass & 1))
			continue;
		if (pass == SCSP_PASS_MERGE)
			merge(&all, &removed[pass]);
		else if (pass == SCSP_PASS_UNARY)
			unary(out, &all, &removed[pass]);
		else
			universal(out, &all, &removed[pass]);
		dead = dead || removed[pass].inconsistent;
		for (size_t i = 0; pass == SCSP_PASS_UNARY && i < all.n; i++)
			if (!all.at[i].dead)
				drop_values_gone(out, &all.at[i]);
		removed[pass].seconds = clock_now() - start;
	}
	if (ok) {
		put_back(out, &all);
		if (passes >> SCSP_PASS_SAC & 1) {
			struct scsp_removed *r = &removed[SCSP_PASS_SAC];
			double start = clock_now();
			uint64_t before = total_size(out);
			struct csp_stats st = {0};
			r->inconsistent = csp_enforce(out, CSP_LEVEL_SAC, 0, &st) == CSP_INCONSISTENT;
			assert(total_size(out) <= before);
			r->values = (uint32_t)(before - total_size(out));
			r->seconds = clock_now() - start;
		}
	}
	if (dead && out) { /* a domain lost its last value: say so in the network, too */
		uint32_t x = 0;
		csp_add_table(out, &x, 1, NULL, 0, true);
	}
	for (size_t i = 0; i < all.n; i++)
		rel_free(&all.at[i]);
	vec_free(&all);
	return out;
}
