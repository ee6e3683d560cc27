/* A tree branches on the variable that the fewest rows leave open: those of decision_table.c come from trees
 * themselves, so there is one that all rows ask. Rows that leave it open go to every branch. */
#include "model/lookup_tree.h"

#include "csp/inspect.h"

#include <string.h>

#define MOST_WORK 4000000 /* rows looked at for one table */

struct planting {
	struct lookup_tree *t;
	const uint32_t *scope, *cells, *count;
	uint32_t arity;
	size_t work;
};

static uint32_t cell(const struct planting *k, uint32_t row, uint32_t p)
{
	return k->cells[(size_t)row * k->arity + p];
}

/* The column to branch on; arity - 1: none is asked any more. */
static uint32_t choose_column(struct planting *k, const uint32_t *rows, size_t n, const bool *used)
{
	uint32_t best = k->arity - 1;
	size_t least = n;
	for (uint32_t p = 0; p + 1 < k->arity; p++) {
		size_t open = 0;
		for (size_t i = 0; i < n && !used[p] && open < least; i++)
			open += cell(k, rows[i], p) == CSP_CELL_ANY;
		if (!used[p] && open < least) {
			least = open;
			best = p;
		}
	}
	k->work += n;
	return best;
}

static uint32_t answer(const struct planting *k, const uint32_t *rows, size_t n)
{
	uint32_t at = n ? cell(k, rows[0], k->arity - 1) : LOOKUP_LOST;
	return LOOKUP_LEAF | (at == CSP_CELL_ANY ? LOOKUP_ANY : at);
}

static uint32_t plant(struct planting *k, const uint32_t *rows, size_t n, bool *used)
{
	uint32_t p = n ? choose_column(k, rows, n, used) : k->arity - 1;
	if (p == k->arity - 1 || k->work > MOST_WORK)
		return answer(k, rows, n);
	uint32_t values = k->count[k->scope[p]];
	uint32_t *start = NEW_ARRAY(uint32_t, values + 2), *branch = NEW_ARRAY(uint32_t, values);
	VEC(uint32_t) sorted = {0};
	size_t open = 0;
	for (size_t i = 0; i < n; i++) {
		open += cell(k, rows[i], p) == CSP_CELL_ANY;
		if (cell(k, rows[i], p) != CSP_CELL_ANY)
			start[cell(k, rows[i], p) + 2]++;
	}
	for (uint32_t v = 0; v < values; v++)
		start[v + 2] += start[v + 1];
	vec_extend(&sorted, n + 1);
	for (size_t i = 0; i < n; i++)
		if (cell(k, rows[i], p) != CSP_CELL_ANY)
			sorted.at[start[cell(k, rows[i], p) + 1]++] = rows[i];
	used[p] = true;
	VEC(uint32_t) some = {0};
	uint32_t without = UINT32_MAX; /* the branch of values that no row names */
	for (uint32_t v = 0; v < values; v++) {
		uint32_t *from = sorted.at + start[v], own = start[v + 1] - start[v];
		if (!own && without != UINT32_MAX) {
			branch[v] = without;
			continue;
		}
		vec_clear(&some);
		for (uint32_t i = 0; i < own; i++)
			vec_push(&some, from[i]);
		for (size_t i = 0; i < n && open; i++)
			if (cell(k, rows[i], p) == CSP_CELL_ANY)
				vec_push(&some, rows[i]);
		branch[v] = plant(k, some.at, some.n, used);
		if (!own)
			without = branch[v];
	}
	used[p] = false;
	bool same = true;
	for (uint32_t v = 1; v < values; v++)
		same &= branch[v] == branch[0];
	uint32_t place = same ? branch[0] : (uint32_t)k->t->nodes.n;
	if (!same) {
		vec_push(&k->t->nodes, k->scope[p]);
		for (uint32_t v = 0; v < values; v++)
			vec_push(&k->t->nodes, branch[v]);
	}
	vec_free(&some);
	vec_free(&sorted);
	mem_free(start);
	mem_free(branch);
	return place;
}

uint32_t lookup_add(struct lookup_tree *t, const uint32_t *scope, uint32_t arity, const uint32_t *cells, uint32_t rows,
                    const uint32_t *count)
{
	struct planting k = {t, scope, cells, count, arity, 0};
	uint32_t *all = NEW_ARRAY(uint32_t, rows + 1);
	bool *used = NEW_ARRAY(bool, arity + 1);
	for (uint32_t i = 0; i < rows; i++)
		all[i] = i;
	uint32_t place = plant(&k, all, rows, used);
	mem_free(all);
	mem_free(used);
	return k.work > MOST_WORK || t->nodes.n > LOOKUP_LEAF / 2 ? LOOKUP_LOST : place;
}

void lookup_free(struct lookup_tree *t)
{
	vec_free(&t->nodes);
}
