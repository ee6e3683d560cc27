/* The template, simplified once before any state is injected (section 4.1 of the papers): tables of equal scope are
 * merged, unary ones go into domains, variables that a table does not depend on leave its scope; then values of actions
 * that no state makes consistent are removed. Tables are short ones: a cell may stand for every value. */
#include "model/model_internal.h"

#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MEETINGS 1000000 /* pairs of rows of two tables to be merged */
#define MOST_SAC_WORK 2000000 /* tables run for singleton arc consistency of the template */

static uint32_t *scope_of(struct model *m, const struct kept_table *k)
{
	return m->kept_scopes.at + k->scope;
}

static void set_rows(struct model *m, struct kept_table *k, const int32_t *tuples, size_t rows)
{
	k->tuples = m->kept_tuples.n;
	k->rows = rows;
	for (size_t i = 0; i < rows * k->arity; i++)
		vec_push(&m->kept_tuples, tuples[i]);
}

/* ---- merge ------------------------------------------------------------------------------------- */

/* The rows that both tables have, a cell of one being at least as special as that of the other. */
static void meet(struct model *m, struct kept_table *a, const struct kept_table *b)
{
	VEC(int32_t) out = {0};
	size_t rows = 0, w = a->arity;
	for (size_t i = 0; i < a->rows * b->rows; i++) {
		const int32_t *x = m->kept_tuples.at + a->tuples + i / b->rows * w,
					  *y = m->kept_tuples.at + b->tuples + i % b->rows * w;
		bool fits = true;
		for (size_t p = 0; p < w && fits; p++)
			fits = x[p] == y[p] || x[p] == CSP_ANY || y[p] == CSP_ANY;
		for (size_t p = 0; p < w && fits; p++)
			vec_push(&out, x[p] == CSP_ANY ? y[p] : x[p]);
		rows += fits;
	}
	set_rows(m, a, out.at, rows);
	vec_free(&out);
}

static bool same_scope(struct model *m, const struct kept_table *a, const struct kept_table *b)
{
	return a->arity == b->arity && a->shape == b->shape &&
	       !memcmp(scope_of(m, a), scope_of(m, b), a->arity * sizeof(uint32_t));
}

static void merge(struct model *m, struct scsp_removed *r)
{
	struct table index = {0};
	for (uint32_t i = 0; i < m->kept.n; i++) {
		struct kept_table *k = &m->kept.at[i];
		uint64_t h = hash_words(scope_of(m, k), k->arity);
		uint32_t it, id;
		for (table_start(&index, h, &it); (id = table_next(&index, h, &it)) != TABLE_NONE;)
			if (same_scope(m, &m->kept.at[id], k) && m->kept.at[id].rows * k->rows <= MOST_MEETINGS)
				break;
		if (id == TABLE_NONE) {
			table_add(&index, h, i);
			continue;
		}
		r->tuples += m->kept.at[id].rows + k->rows;
		meet(m, &m->kept.at[id], k);
		r->tuples -= m->kept.at[id].rows;
		r->constraints++;
		k->dead = true;
	}
	table_free(&index);
}

/* ---- unary --------------------------------------------------------------------------------------- */

/* Tables that define a variable stay: rounds ask them. */
static void unary(struct model *m, struct scsp_removed *r)
{
	for (size_t i = 0; i < m->kept.n; i++) {
		struct kept_table *k = &m->kept.at[i];
		if (k->dead || k->arity != 1 || k->shape != TABLE_DOMAIN)
			continue;
		uint32_t x = *scope_of(m, k);
		for (uint32_t v = 0; v < m->count.at[x]; v++) {
			bool in = false;
			for (size_t j = 0; j < k->rows && !in; j++)
				in = m->kept_tuples.at[k->tuples + j] == csp_value(m->net, x, v);
			if (in)
				continue;
			r->values++;
			r->inconsistent |= !csp_forbid_at(m->net, x, v);
		}
		r->tuples += k->rows;
		r->constraints++;
		k->dead = true;
	}
}

/* ---- universal -------------------------------------------------------------------------------------- */

/* Does every value of column p go with the same rows? Sums of their hashes say so. */
static bool is_universal(struct model *m, const struct kept_table *k, uint32_t p)
{
	uint32_t x = scope_of(m, k)[p], n = m->count.at[x];
	uint64_t *sum = NEW_ARRAY(uint64_t, n);
	for (size_t j = 0; j < k->rows; j++) {
		const int32_t *row = m->kept_tuples.at + k->tuples + j * k->arity;
		uint64_t h = 1;
		for (uint32_t q = 0; q < k->arity; q++)
			h = q == p ? h : hash_join(h, (uint64_t)(uint32_t)row[q]);
		if (row[p] != CSP_ANY)
			sum[csp_index(m->net, x, row[p])] += hash_mix(h);
	}
	bool same = true;
	for (uint32_t v = 1; v < n; v++)
		same &= sum[v] == sum[0];
	mem_free(sum);
	return same;
}

/* Of the rows, those with the column's first value, or with any. */
static void drop_column(struct model *m, struct kept_table *k, uint32_t p, struct scsp_removed *r)
{
	VEC(int32_t) out = {0};
	uint32_t x = scope_of(m, k)[p];
	size_t rows = 0;
	for (size_t j = 0; j < k->rows; j++) {
		const int32_t *row = m->kept_tuples.at + k->tuples + j * k->arity;
		if (row[p] != CSP_ANY && row[p] != csp_value(m->net, x, 0))
			continue;
		for (uint32_t q = 0; q < k->arity; q++)
			if (q != p)
				vec_push(&out, row[q]);
		rows++;
	}
	r->scopes++;
	r->tuples += k->rows - rows;
	memmove(scope_of(m, k) + p, scope_of(m, k) + p + 1, (k->arity - p - 1) * sizeof(uint32_t));
	k->arity--;
	set_rows(m, k, out.at, rows);
	vec_free(&out);
}

/* The variable that a table is about stays: the last one, or the action. */
static void universal(struct model *m, struct scsp_removed *r)
{
	for (size_t i = 0; i < m->kept.n; i++) {
		struct kept_table *k = &m->kept.at[i];
		uint32_t first = k->shape == TABLE_LEGAL, last = k->shape == TABLE_LEGAL ? 0 : 1;
		if (k->dead || k->shape == TABLE_PAIR || k->shape == TABLE_DOMAIN)
			continue;
		for (uint32_t p = first; p + last < k->arity && k->rows;)
			if (is_universal(m, k, p))
				drop_column(m, k, p, r);
			else
				p++;
	}
}

/* ---- all ------------------------------------------------------------------------------------------------ */

void simplify_tables(struct model *m, unsigned passes)
{
	static void (*const run[])(struct model *, struct scsp_removed *) = {
		[SCSP_PASS_MERGE] = merge, [SCSP_PASS_UNARY] = unary, [SCSP_PASS_UNIVERSAL] = universal};
	for (int i = 0; i < SCSP_PASS_SAC; i++) {
		double began = clock_thread();
		if (passes >> i & 1)
			run[i](m, &m->removed[i]);
		m->removed[i].seconds = clock_thread() - began;
	}
}

void simplify_domains(struct model *m, unsigned passes)
{
	struct scsp_removed *r = &m->removed[SCSP_PASS_SAC];
	double began = clock_thread();
	if (!(passes >> SCSP_PASS_SAC & 1))
		return;
	r->values = model_singletons(m, MOST_SAC_WORK);
	r->seconds = clock_thread() - began;
}

const struct scsp_removed *model_removed(const struct model *m)
{
	return m->removed;
}
