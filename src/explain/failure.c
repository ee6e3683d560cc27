/* Clauses tried one by one in the order of their conditions. */
#include "explain/failure.h"

#include "explain/explainer_internal.h"

#include <stdlib.h>

#define CLAUSE_WORK 300000 /* steps of matching; then the longest beginning so far will do */

static double nearness(const struct failure *f)
{
	return f->conditions ? (double)f->met / f->conditions : 0;
}

static int nearest_first(const void *a, const void *b)
{
	const struct failure *x = a, *y = b;
	double p = nearness(x), q = nearness(y);
	if (p != q)
		return p > q ? -1 : 1;
	if (x->met != y->met)
		return x->met > y->met ? -1 : 1;
	return (x->clause > y->clause) - (x->clause < y->clause);
}

static void try_clause(struct explainer *x, struct matching *m, uint32_t clause, term_t statement, struct failures *f)
{
	const char *before = x->trouble;
	x->work = CLAUSE_WORK;
	match_clause(x, m, clause, statement);
	x->work = EXPLAIN_WORK;
	x->trouble = before;
	if (m->failing == UINT32_MAX)
		return;
	uint32_t conditions = x->rules->clauses.at[clause].count;
	struct failure one = {.clause = clause,
	                      .met = m->best < conditions ? m->best : conditions - 1,
	                      .conditions = conditions,
	                      .failing = m->failing,
	                      .values = narrow32(f->values.n)};
	for (uint32_t i = 0; i < x->clauses[clause].variables; i++)
		vec_push(&f->values, m->best_values.at[i]);
	vec_push(&f->all, one);
}

void failures_find(struct explainer *x, term_t statement, struct failures *f)
{
	const struct term t = x->terms->all.at[statement];
	uint32_t r = explainer_relation(x, t.name, t.argc);
	if (r == TABLE_NONE)
		return;
	struct matching m = {.in_order = true};
	const struct relation_entry e = x->relations.at[r];
	for (uint32_t i = 0; i < e.count && !explainer_trouble(x); i++) {
		uint32_t clause = x->by_relation.at[e.first + i];
		if (match_shape(x, x->rules->clauses.at[clause].head, statement))
			try_clause(x, &m, clause, statement, f);
	}
	matching_free(&m);
	if (f->all.n > 1)
		qsort(f->all.at, f->all.n, sizeof *f->all.at, nearest_first);
}

void failures_free(struct failures *f)
{
	vec_free(&f->all);
	vec_free(&f->values);
}

term_t failure_instance(struct explainer *x, const struct failures *f, const struct failure *one, node_t part)
{
	return match_instance(x, part, f->values.at ? f->values.at + one->values : NULL);
}
