/* FlatZinc: constraints that list what is allowed: elements of constants, tables, automata. */
#include "csp/flatzinc/flatzinc_internal.h"

#define MOST_ARCS 20000000

static int32_t cell(int64_t v)
{
	/* a number that no variable can have: the row is kept, and nothing satisfies it */
	return v < INT32_MIN / 2 || v > INT32_MAX / 2 ? INT32_MAX : (int32_t)v;
}

/* An element of constants is the table of its places and values. */
static void post_element(struct fzn *f, const struct fz_expr *a)
{
	uint32_t scope[2] = {fz_variable(f, &a[0]), fz_variable(f, &a[2])};
	vec_clear(&f->cells);
	for (size_t i = 0; i < a[1].count; i++) {
		vec_push(&f->cells, (int32_t)i + 1);
		vec_push(&f->cells, cell(a[1].items[i].number));
	}
	if (scope[0] != scope[1]) {
		fz_posted(f, csp_add_table(f->n, scope, 2, f->cells.at, a[1].count, true));
		return;
	}
	size_t rows = 0;
	for (size_t i = 0; i < a[1].count; i++) /* the value is its own place */
		if (a[1].items[i].number == (int64_t)i + 1)
			f->cells.at[rows++] = (int32_t)i + 1;
	fz_posted(f, csp_add_table(f->n, scope, 1, f->cells.at, rows, true));
}

static void post_table(struct fzn *f, const struct fz_expr *a)
{
	size_t arity = a[0].count, rows = arity ? a[1].count / arity : 0;
	if (!arity)
		return;
	if (a[1].count % arity)
		fz_fail(f, a[1].where, "%s: %zu numbers do not make rows of %zu", f->posting, a[1].count, arity);
	vec_clear(&f->xs);
	vec_clear(&f->cells);
	for (size_t i = 0; i < arity; i++)
		vec_push(&f->xs, fz_variable(f, &a[0].items[i]));
	for (size_t i = 0; i < a[1].count; i++)
		vec_push(&f->cells, cell(a[1].items[i].number));
	if (rows)
		fz_posted(f, csp_add_table(f->n, f->xs.at, arity, f->cells.at, rows, true));
	else
		fz_never(f);
}

/* ---- regular: x, number of states, of symbols, transitions (0: none), first state, last states ---- */

struct automaton {
	int64_t states, symbols, first;
	const struct fz_expr *next, *last;
};

static bool is_last(const struct automaton *m, int64_t state)
{
	for (size_t i = 0; i < m->last->count; i++)
		if (state >= m->last->ranges[i].low && state <= m->last->ranges[i].high)
			return true;
	return false;
}

static uint32_t node(const struct automaton *m, size_t layer, int64_t state)
{
	return layer ? (uint32_t)(1 + (layer - 1) * (size_t)m->states + (size_t)(state - 1)) : 0;
}

/* The arcs of one layer from the states that are reached; marks those it reaches. */
static void unroll(struct fzn *f, const struct automaton *m, size_t layer, bool last, const uint64_t *from,
                   uint64_t *to)
{
	for (int64_t s = 1; s <= m->states; s++) {
		if (!bits_has(from, (size_t)s))
			continue;
		for (int64_t v = 1; v <= m->symbols; v++) {
			int64_t t = m->next->items[(s - 1) * m->symbols + v - 1].number;
			if (t < 1 || t > m->states || (last && !is_last(m, t)))
				continue;
			if (f->arcs.n > MOST_ARCS)
				fz_fail(f, f->where, "%s: the automaton unrolled has more than %d arcs", f->posting, MOST_ARCS);
			bits_add(to, (size_t)t);
			vec_push(&f->arcs, (struct csp_arc){(uint32_t)layer, node(m, layer, s), node(m, layer + 1, t), (int32_t)v});
		}
	}
}

static void post_regular(struct fzn *f, const struct fz_expr *a)
{
	struct automaton m = {a[1].number, a[2].number, a[4].number, &a[3], &a[5]};
	size_t count = a[0].count;
	if (m.states < 1 || m.symbols < 1 || m.states > 1 << 24 || m.symbols > 1 << 24 ||
	    (uint64_t)(m.states * m.symbols) != m.next->count)
		fz_fail(f, a[3].where, "%s: %zu transitions for %lld states and %lld symbols", f->posting, m.next->count,
		        (long long)m.states, (long long)m.symbols);
	if (m.first < 1 || m.first > m.states)
		fz_fail(f, a[4].where, "%s: there is no state %lld", f->posting, (long long)m.first);
	if (!count) {
		if (!is_last(&m, m.first))
			fz_never(f);
		return;
	}
	size_t words = BITS_WORDS((size_t)m.states + 1);
	uint64_t *sets = arena_alloc(&f->text, 2 * words * sizeof *sets);
	memset(sets, 0, 2 * words * sizeof *sets);
	bits_add(sets, (size_t)m.first);
	vec_clear(&f->arcs);
	vec_clear(&f->xs);
	for (size_t i = 0; i < count; i++) {
		uint64_t *from = sets + i % 2 * words, *to = sets + (i + 1) % 2 * words;
		memset(to, 0, words * sizeof *to);
		unroll(f, &m, i, i + 1 == count, from, to);
		vec_push(&f->xs, fz_variable(f, &a[0].items[i]));
	}
	fz_posted(f, csp_add_mdd(f->n, f->xs.at, count, f->arcs.at, f->arcs.n));
}

const struct fz_row fz_tables[] = {
	{"array_int_element", "iKi", post_element, true}, {"array_bool_element", "iLb", post_element, true},
	{"fzn_table_int", "IK", post_table, true},        {"fzn_table_bool", "BL", post_table, true},
	{"fzn_regular", "IkkKkS", post_regular, true},    {0},
};
