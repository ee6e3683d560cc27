/* Clause learning: clauses of atoms, two of which are watched. An atom that is watched is looked at when an event of
 * the kind that can make it false happens to its variable. */
#include "csp/learn/learn.h"

#include <assert.h>
#include <string.h>

static void watch(struct learn *l, uint32_t clause, struct atom a, struct atom other)
{
	vec_push(&l->watch[a.x_op], (struct watcher){clause, other});
}

uint32_t learn_add_clause(struct csp *n, const struct atom *a, uint32_t count, bool kept, uint32_t levels)
{
	struct learn *l = n->learn;
	assert(count && count <= CLAUSE_ATOMS);
	uint32_t at = narrow32(l->pool.n),
			 words = (uint32_t)((sizeof(struct clause) + count * sizeof *a) / sizeof(uint32_t));
	vec_extend(&l->pool, words);
	struct clause *c = clause_at(l, at);
	*c = (struct clause){
		.count = count & CLAUSE_ATOMS, .kept = kept, .levels = levels, .activity = (float)l->clause_bump};
	memcpy(c->atoms, a, count * sizeof *a);
	if (!kept)
		vec_push(&l->learned, at);
	if (count > 1) {
		watch(l, at, a[0], a[1]);
		watch(l, at, a[1], a[0]);
	}
	return at;
}

static bool make_true(struct csp *n, struct atom a)
{
	assert(atom_var(a) < n->vars.n);
	uint32_t x = atom_var(a);
	switch (atom_op(a)) {
	case ATOM_GE: return a.i < n->vars.at[x].count && dom_at_least(n, x, csp_value(n, x, a.i));
	case ATOM_LE: return a.i < n->vars.at[x].count && dom_at_most(n, x, csp_value(n, x, a.i));
	case ATOM_EQ: return dom_fix(n, x, a.i);
	default: return dom_drop(n, x, a.i);
	}
}

bool learn_assert(struct csp *n, uint32_t clause)
{
	assert(clause < n->learn->pool.n);
	struct learn *l = n->learn;
	assert(l->cause_clause == CSP_NONE);
	n->running = CSP_NONE;
	l->cause_clause = clause;
	bool ok = make_true(n, clause_at(l, clause)->atoms[0]);
	l->cause_clause = CSP_NONE;
	if (!ok)
		l->conflict_clause = clause;
	return ok;
}

/* The watched atom `a` is false: watch another one, or make the other watched atom true. */
static bool visit(struct csp *n, struct watcher w, struct atom a, bool *moved)
{
	assert(atom_var(a) < n->vars.n);
	struct learn *l = n->learn;
	struct clause *c = clause_at(l, w.clause);
	assert(c->count > 1 && !c->dead);
	if (c->atoms[0].x_op == a.x_op && c->atoms[0].i == a.i) {
		c->atoms[0] = c->atoms[1];
		c->atoms[1] = a;
	}
	assert(c->atoms[1].x_op == a.x_op && c->atoms[1].i == a.i);
	enum expr_truth first = learn_truth(n, c->atoms[0]);
	if (first == EXPR_TRUE)
		return true;
	for (uint32_t i = 2; i < c->count; i++)
		if (learn_truth(n, c->atoms[i]) != EXPR_FALSE) {
			struct atom t = c->atoms[i];
			c->atoms[i] = a;
			c->atoms[1] = t;
			watch(l, w.clause, t, c->atoms[0]);
			*moved = true;
			return true;
		}
	if (first == EXPR_FALSE) {
		l->conflict_clause = w.clause;
		return false;
	}
	return learn_assert(n, w.clause);
}

/* The clauses that watch atoms of this list. */
static bool look(struct csp *n, uint32_t list)
{
	struct learn *l = n->learn;
	assert(list < 4 * n->vars.n);
	size_t kept = 0, i = 0;
	bool ok = true;
	for (; i < l->watch[list].n && ok; i++) {
		struct watcher w = l->watch[list].at[i];
		struct clause *c = clause_at(l, w.clause);
		if (c->dead)
			continue;
		bool first = c->atoms[0].x_op == list && learn_truth(n, c->atoms[0]) == EXPR_FALSE;
		bool second = !first && c->atoms[1].x_op == list && learn_truth(n, c->atoms[1]) == EXPR_FALSE;
		bool moved = false;
		if (first || second) {
			if (learn_truth(n, w.other) != EXPR_TRUE)
				ok = visit(n, w, c->atoms[second], &moved);
		} else if (c->atoms[0].x_op != list && c->atoms[1].x_op != list) {
			continue;
		}
		if (!moved)
			l->watch[list].at[kept++] = w;
	}
	n->effort += i / 16;
	for (; i < l->watch[list].n; i++)
		l->watch[list].at[kept++] = l->watch[list].at[i];
	assert(kept <= l->watch[list].n);
	l->watch[list].n = kept;
	return ok;
}

bool csp_learn_clauses(struct csp *n)
{
	struct learn *l = n->learn;
	while (l->head < l->events.n) {
		struct event e = l->events.at[l->head++];
		assert(e.x < n->vars.n && l->low[e.x] <= l->high[e.x]);
		uint32_t x = e.x << 2;
		if (e.kind == EVENT_LOW && !look(n, x | ATOM_LE))
			return false;
		if (e.kind == EVENT_HIGH && !look(n, x | ATOM_GE))
			return false;
		if (!look(n, x | ATOM_EQ))
			return false;
		if (l->low[e.x] == l->high[e.x] && !look(n, x | ATOM_NE))
			return false;
	}
	return true;
}

void learn_bump_clause(struct csp *n, uint32_t clause)
{
	assert(clause < n->learn->pool.n);
	struct learn *l = n->learn;
	struct clause *c = clause_at(l, clause);
	c->activity += (float)l->clause_bump;
	if (c->activity < 1e20f)
		return;
	for (size_t i = 0; i < l->learned.n; i++)
		clause_at(l, l->learned.at[i])->activity *= 1e-20f;
	l->clause_bump *= 1e-20;
}

struct ranked {
	float activity;
	uint32_t clause;
};

static int by_activity(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	return (x->activity > y->activity) - (x->activity < y->activity);
}

/* Those of few levels stay in any case. */
static void choose_dead(struct learn *l)
{
	struct ranked *all = mem_alloc(l->learned.n + 1, sizeof *all);
	size_t count = 0;
	for (size_t i = 0; i < l->learned.n; i++) {
		const struct clause *c = clause_at(l, l->learned.at[i]);
		if (c->levels > 2 && c->count > 2)
			all[count++] = (struct ranked){c->activity, l->learned.at[i]};
	}
	qsort(all, count, sizeof *all, by_activity);
	for (size_t i = 0; i < count / 2; i++)
		clause_at(l, all[i].clause)->dead = true;
	mem_free(all);
}

/* Without the atoms that are false for good; 0: it holds for good. */
static uint32_t shorten(const struct csp *n, struct clause *c)
{
	uint32_t k = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		enum expr_truth t = learn_truth(n, c->atoms[i]);
		if (t == EXPR_TRUE)
			return 0;
		if (t == EXPR_OPEN)
			c->atoms[k++] = c->atoms[i];
	}
	return k;
}

/* At level 0 and after propagation: no event asks for a clause, and none has fewer than two open atoms. */
void learn_forget(struct csp *n)
{
	struct learn *l = n->learn;
	assert(!l->levels.n && l->head == l->events.n);
	choose_dead(l);
	VEC(uint32_t) old = {0};
	vec_set(&old, l->pool.at, l->pool.n);
	vec_clear(&l->pool);
	vec_clear(&l->learned);
	for (uint32_t i = 0; i < 4 * n->vars.n; i++)
		vec_clear(&l->watch[i]);
	for (size_t at = 0; at < old.n;) {
		struct clause *c = (struct clause *)(old.at + at);
		at += (sizeof *c + c->count * sizeof *c->atoms) / sizeof(uint32_t);
		assert(at <= old.n);
		uint32_t count = c->dead ? 0 : shorten(n, c);
		assert(count != 1);
		if (!count)
			continue;
		uint32_t now = learn_add_clause(n, c->atoms, count, c->kept, c->levels);
		clause_at(l, now)->activity = c->activity;
	}
	vec_free(&old);
}
