/* Nogoods: sets of assignments x = v that must not all hold, watched in pairs
 * (Moskewicz et al. 2001; for restarts Lecoutre et al. 2007).
 *
 * A nogood sleeps while two of its assignments, the watched ones, are not yet
 * facts. When a variable is fixed, the nogoods watching that assignment look
 * for another one to watch; when none is left, the other watched value goes.
 * Watches need no undoing. */
#include "csp/csp_internal.h"

#include <assert.h>

struct nogood {
	uint32_t at, count;
};

struct watch {
	uint32_t nogood, next;
};

struct nogoods {
	VEC(uint32_t) lits; /* all assignments, nogood after nogood */
	VEC(struct nogood) all;
	VEC(struct watch) watches;
	uint32_t *first;    /* per assignment: its first watch */
	VEC(uint32_t) todo; /* variables just fixed */
	uint32_t *var_of;   /* assignment -> variable */
};

void nogoods_start(struct csp *n)
{
	nogoods_stop(n);
	struct nogoods *g = n->nogoods = NEW(struct nogoods);
	g->first = mem_alloc(n->literals + 1, sizeof *g->first);
	g->var_of = mem_alloc(n->literals + 1, sizeof *g->var_of);
	for (uint32_t i = 0; i < n->literals; i++)
		g->first[i] = CSP_NONE;
	for (uint32_t x = 0; x < n->vars.n; x++)
		for (uint32_t i = 0; i < n->vars.at[x].count; i++)
			g->var_of[n->vars.at[x].lit + i] = x;
}

void nogoods_stop(struct csp *n)
{
	struct nogoods *g = n->nogoods;
	if (!g)
		return;
	vec_free(&g->lits);
	vec_free(&g->all);
	vec_free(&g->watches);
	vec_free(&g->todo);
	mem_free(g->first);
	mem_free(g->var_of);
	mem_free(g);
	n->nogoods = NULL;
}

void csp_nogood_fixed(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	vec_push(&n->nogoods->todo, x);
}

static bool is_fact(const struct csp *n, uint32_t lit)
{
	assert(lit < n->literals);
	uint32_t x = n->nogoods->var_of[lit];
	return dom_size(n, x) == 1 && dom_has(n, x, lit - n->vars.at[x].lit);
}

static void watch(struct nogoods *g, uint32_t lit, uint32_t w)
{
	g->watches.at[w].next = g->first[lit];
	g->first[lit] = w;
}

static bool refute(struct csp *n, uint32_t nogood, uint32_t lit)
{
	assert(lit < n->literals);
	uint32_t x = n->nogoods->var_of[lit];
	n->cause = CSP_NONE - 1 - nogood; /* explanations find it by this number */
	bool ok = dom_drop(n, x, lit - n->vars.at[x].lit);
	if (!ok)
		n->culprit = n->cause;
	n->cause = CSP_NONE;
	return ok;
}

/* The watched assignment is lits[0] or lits[1]; put the other one first. */
static bool visit(struct csp *n, uint32_t lit, uint32_t w, bool *moved)
{
	assert(lit < n->literals);
	struct nogoods *g = n->nogoods;
	struct nogood k = g->all.at[g->watches.at[w].nogood];
	uint32_t *l = g->lits.at + k.at;
	if (l[0] == lit) {
		l[0] = l[1];
		l[1] = lit;
	}
	for (uint32_t i = 2; i < k.count; i++)
		if (!is_fact(n, l[i])) {
			l[1] = l[i];
			l[i] = lit;
			watch(g, l[1], w);
			*moved = true;
			return true;
		}
	return refute(n, g->watches.at[w].nogood, l[0]);
}

bool csp_prop_nogoods(struct csp *n)
{
	struct nogoods *g = n->nogoods;
	n->running = CSP_NONE;
	while (g->todo.n) {
		uint32_t x = vec_pop(&g->todo);
		if (dom_size(n, x) != 1)
			continue;
		uint32_t lit = n->vars.at[x].lit + dom_first(n, x);
		uint32_t w = g->first[lit], *link = &g->first[lit];
		while (w != CSP_NONE) {
			uint32_t next = g->watches.at[w].next;
			bool moved = false;
			if (!visit(n, lit, w, &moved)) {
				*link = w;
				vec_clear(&g->todo);
				return false;
			}
			if (!moved) {
				*link = w;
				link = &g->watches.at[w].next;
			}
			w = next;
		}
		*link = CSP_NONE;
	}
	return true;
}

/* Watch the assignments that come first in `lits`; the caller puts those that
 * are undone first. One assignment: the value goes at once. False: failure. */
bool nogoods_add(struct csp *n, const uint32_t *lits, uint32_t count)
{
	struct nogoods *g = n->nogoods;
	if (!count)
		return false;
	uint32_t id = narrow32(g->all.n);
	vec_push(&g->all, (struct nogood){narrow32(g->lits.n), count});
	for (uint32_t i = 0; i < count; i++)
		vec_push(&g->lits, lits[i]);
	if (count == 1)
		return refute(n, id, lits[0]);
	for (uint32_t i = 0; i < 2; i++) {
		vec_push(&g->watches, (struct watch){id, CSP_NONE});
		watch(g, lits[i], narrow32(g->watches.n) - 1);
	}
	return true;
}

/* The assignments of the nogood that a `cause` names, for explanations. */
const uint32_t *nogoods_of_cause(const struct csp *n, uint32_t cause, uint32_t *count)
{
	uint32_t id = CSP_NONE - 1 - cause;
	if (!n->nogoods || id >= n->nogoods->all.n)
		return NULL;
	*count = n->nogoods->all.at[id].count;
	return n->nogoods->lits.at + n->nogoods->all.at[id].at;
}

uint32_t nogoods_var(const struct csp *n, uint32_t lit)
{
	assert(lit < n->literals);
	return n->nogoods->var_of[lit];
}

size_t nogoods_count(const struct csp *n)
{
	return n->nogoods ? n->nogoods->all.n : 0;
}
