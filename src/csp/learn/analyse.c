/* Clause learning: from a failure to a clause. Events that have a part in the failure are marked, the last one of the
 * level is replaced by its reasons until a single one of the level is left. */
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"

#include <assert.h>
#include <string.h>

struct analysis {
	struct csp *n;
	struct learn *l;
	uint32_t level;      /* the last that has a part */
	uint32_t open;       /* marked events of it that are not replaced yet */
	VEC(uint32_t) lower; /* marked events of others, */
	VEC(uint32_t) all;   /* and all of them, to be unmarked */
};

static void make_room(struct learn *l)
{
	if (l->mark_room >= l->events.n + 1)
		return;
	size_t room = 2 * l->events.n + 64;
	l->mark = mem_resize(l->mark, room, sizeof *l->mark);
	l->marked = mem_resize(l->marked, room, sizeof *l->marked);
	memset(l->marked + l->mark_room, 0, room - l->mark_room);
	l->mark_room = room;
}

/* x != i is the matter of an event of its own only where the index is a hole; else a bound says it. False: it always
 * was. */
static bool name_gone(const struct csp *n, struct atom *a, uint32_t time)
{
	const struct learn *l = n->learn;
	uint32_t x = atom_var(*a);
	const struct var *v = &n->vars.at[x];
	if (!v->wide && !bits_has(l->holes + l->hole_at[x], a->i)) {
		uint32_t e = l->hole_event[v->lit + a->i];
		if (e == CSP_NONE)
			return false;
		if (e < time)
			return true;
	}
	bool low = learn_low(n, x, time) > a->i;
	assert(low || learn_high(n, x, time) < a->i);
	*a = low ? atom(x, ATOM_GE, a->i + 1) : atom(x, ATOM_LE, a->i - 1);
	return true;
}

/* The event that made an atom true before `time`, with the atom that is to be asked of it; CSP_NONE: it always was. */
static uint32_t find(const struct csp *n, struct atom *a, uint32_t time)
{
	const struct learn *l = n->learn;
	if (atom_op(*a) == ATOM_NE && !name_gone(n, a, time))
		return CSP_NONE;
	uint32_t e = learn_event(n, *a);
	if (e == CSP_NONE || !l->events.at[e].level)
		return CSP_NONE;
	assert(e < time);
	if (l->events.at[e].cause_kind == CAUSE_DECISION) {
		*a = l->decisions.at[l->events.at[e].level - 1];
		e = learn_event(n, *a);
	}
	return e;
}

/* Both atoms are made true by the same event: the one that says both. */
static struct atom join(struct atom a, struct atom b)
{
	if (atom_op(a) == ATOM_EQ || atom_op(b) == ATOM_EQ)
		return atom_op(a) == ATOM_EQ ? a : b;
	bool first = atom_op(a) == ATOM_GE ? a.i > b.i : a.i < b.i;
	return first ? a : b;
}

/* x = i where a bound was decided: the other bound is another matter. */
static bool is_half_decided(const struct csp *n, struct atom a)
{
	assert(atom_var(a) < n->vars.n);
	const struct learn *l = n->learn;
	if (atom_op(a) != ATOM_EQ)
		return false;
	uint32_t e = learn_event(n, a);
	if (e == CSP_NONE || l->events.at[e].cause_kind != CAUSE_DECISION || !l->events.at[e].level)
		return false;
	return atom_op(l->decisions.at[l->events.at[e].level - 1]) != ATOM_EQ;
}

static void mark(struct analysis *m, struct atom a, uint32_t time)
{
	struct learn *l = m->l;
	if (is_half_decided(m->n, a)) {
		mark(m, atom(atom_var(a), ATOM_GE, a.i), time);
		mark(m, atom(atom_var(a), ATOM_LE, a.i), time);
		return;
	}
	uint32_t e = find(m->n, &a, time);
	if (e == CSP_NONE)
		return;
	assert(e < l->mark_room && l->events.at[e].level <= m->level);
	learn_bump(m->n, atom_var(a));
	if (l->marked[e]) {
		l->mark[e] = join(l->mark[e], a);
		return;
	}
	l->marked[e] = 1;
	l->mark[e] = a;
	vec_push(&m->all, e);
	if (l->events.at[e].level == m->level)
		m->open++;
	else
		vec_push(&m->lower, e);
}

/* ---- the reasons of an event, into l->reasons ---- */

static void explain_by_clause(struct csp *n, const struct event *e, struct atom what)
{
	struct learn *l = n->learn;
	const struct clause *c = clause_at(l, e->cause);
	assert(!c->dead && atom_var(c->atoms[0]) == e->x);
	for (uint32_t i = 1; i < c->count; i++)
		reason_add(n, learn_negation(c->atoms[i]));
	if (atom_op(c->atoms[0]) == ATOM_NE && atom_op(what) != ATOM_NE) /* a bound has moved by one */
		reason_add(n, atom(e->x, atom_op(what), e->old));
}

static void explain_by_holes(struct csp *n, const struct event *e, struct atom what)
{
	assert(e->kind == EVENT_LOW || e->kind == EVENT_HIGH);
	bool low = e->kind == EVENT_LOW;
	reason_add(n, atom(e->x, low ? ATOM_GE : ATOM_LE, e->old));
	uint32_t from = low ? e->old : what.i + 1, to = low ? what.i - 1 : e->old;
	for (uint32_t i = from; i <= to && to != UINT32_MAX; i++)
		reason_add(n, atom(e->x, ATOM_NE, i));
}

static void explain_by_constraint(struct csp *n, uint32_t c, const struct question *q)
{
	assert(c < n->cons.n);
	const struct con *k = &n->cons.at[c];
	const struct kind *kind = csp_kinds[k->kind];
	size_t before = n->learn->reasons.n;
	if (kind->explain && kind->explain(n, k, q))
		return;
	n->learn->reasons.n = before;
	learn_explain_all(n, k, q);
}

static void explain(struct csp *n, uint32_t at, struct atom a)
{
	assert(atom_var(a) < n->vars.n);
	struct learn *l = n->learn;
	struct event e = l->events.at[at];
	vec_clear(&l->reasons);
	if (atom_op(a) == ATOM_EQ) { /* the event is one half of it */
		reason_add(n, atom(e.x, e.kind == EVENT_LOW ? ATOM_LE : ATOM_GE, a.i));
		a = atom(e.x, e.kind == EVENT_LOW ? ATOM_GE : ATOM_LE, a.i);
	}
	assert(e.kind != EVENT_LOW || (a.i > e.old && a.i <= e.value));
	assert(e.kind != EVENT_HIGH || (a.i < e.old && a.i >= e.value));
	assert(e.kind != EVENT_HOLE || (atom_op(a) == ATOM_NE && a.i == e.value));
	switch ((enum cause_kind)e.cause_kind) {
	case CAUSE_CLAUSE:
		learn_bump_clause(n, e.cause);
		explain_by_clause(n, &e, a);
		break;
	case CAUSE_HOLES: explain_by_holes(n, &e, a); break;
	case CAUSE_CONSTRAINT: {
		struct question q = {.what = a, .time = at, .old = e.old};
		if (e.cause < n->cons.n && n->cons.at[e.cause].arity)
			order_blame(n, e.cause);
		explain_by_constraint(n, e.cause, &q);
		break;
	}
	case CAUSE_DECISION: break;
	}
}

static void explain_failure(struct csp *n)
{
	struct learn *l = n->learn;
	vec_clear(&l->reasons);
	if (l->conflict_clause == CSP_NONE) {
		assert(n->culprit < n->cons.n);
		struct question q = {.failure = true, .time = LEARN_NOW, .what = atom(0, ATOM_GE, 0)};
		order_blame(n, n->culprit);
		explain_by_constraint(n, n->culprit, &q);
		return;
	}
	const struct clause *c = clause_at(l, l->conflict_clause);
	learn_bump_clause(n, l->conflict_clause);
	for (uint32_t i = 0; i < c->count; i++)
		reason_add(n, learn_negation(c->atoms[i]));
}

/* ---- fewer atoms: those that follow from others of the clause ---- */

static bool implied(const struct learn *l, uint32_t e, struct atom a)
{
	if (!l->marked[e])
		return false;
	struct atom both = join(l->mark[e], a), m = l->mark[e];
	return both.x_op == m.x_op && both.i == m.i;
}

/* Does it hold for good, or follow from what is marked? */
static bool follows(struct analysis *m, struct atom a, uint32_t e)
{
	uint32_t from = find(m->n, &a, e);
	return from == CSP_NONE || (from != e && implied(m->l, from, a));
}

static bool redundant(struct analysis *m, uint32_t e)
{
	struct learn *l = m->l;
	const struct event *v = &l->events.at[e];
	if (v->cause_kind == CAUSE_DECISION)
		return false;
	if (v->cause_kind == CAUSE_CONSTRAINT && !csp_kinds[m->n->cons.at[v->cause].kind]->explain)
		return false;
	explain(m->n, e, l->mark[e]);
	for (size_t i = 0; i < l->reasons.n; i++) {
		struct atom a = l->reasons.at[i];
		uint32_t x = atom_var(a);
		bool both = atom_op(a) == ATOM_EQ;
		if (both ? !follows(m, atom(x, ATOM_GE, a.i), e) || !follows(m, atom(x, ATOM_LE, a.i), e) : !follows(m, a, e))
			return false;
	}
	return true;
}

/* ---- the clause ---- */

static uint32_t last_level(struct csp *n)
{
	struct learn *l = n->learn;
	uint32_t level = 0;
	for (size_t i = 0; i < l->reasons.n; i++) {
		struct atom a = l->reasons.at[i];
		uint32_t e = find(n, &a, LEARN_NOW);
		if (e != CSP_NONE && l->events.at[e].level > level)
			level = l->events.at[e].level;
	}
	return level;
}

static void mark_reasons(struct analysis *m, uint32_t time)
{
	for (size_t i = 0; i < m->l->reasons.n; i++)
		mark(m, m->l->reasons.at[i], time);
}

/* The clause: first the negated atom of `uip`, then that of the next level below. */
static uint32_t put_clause(struct analysis *m, uint32_t uip, uint32_t *levels)
{
	struct learn *l = m->l;
	uint32_t back = 0, deepest = 1;
	vec_clear(&l->clause);
	vec_push(&l->clause, learn_plain(m->n, learn_negation(l->mark[uip])));
	for (size_t i = 0; i < m->lower.n; i++) {
		uint32_t e = m->lower.at[i], level = l->events.at[e].level;
		if (redundant(m, e))
			continue;
		vec_push(&l->clause, learn_plain(m->n, learn_negation(l->mark[e])));
		if (level > back) {
			back = level;
			deepest = narrow32(l->clause.n) - 1;
		}
	}
	*levels = 0;
	uint64_t *seen = NEW_ARRAY(uint64_t, BITS_WORDS(l->levels.n + 2));
	for (size_t i = 0; i < m->lower.n; i++) {
		uint32_t level = l->events.at[m->lower.at[i]].level;
		*levels += !bits_has(seen, level);
		bits_add(seen, level);
	}
	mem_free(seen);
	++*levels;
	if (l->clause.n > 1) {
		struct atom t = l->clause.at[1];
		l->clause.at[1] = l->clause.at[deepest];
		l->clause.at[deepest] = t;
	}
	assert(back < m->level);
	return back;
}

uint32_t learn_analyse(struct csp *n, bool given, uint32_t *levels)
{
	struct learn *l = n->learn;
	struct analysis m = {.n = n, .l = l};
	make_room(l);
	if (!given)
		explain_failure(n);
	m.level = last_level(n);
	if (!m.level)
		return CSP_NONE;
	mark_reasons(&m, LEARN_NOW);
	assert(m.open);
	uint32_t e = m.level < l->levels.n ? l->levels.at[m.level] : narrow32(l->events.n);
	for (;;) {
		do
			e--;
		while (!l->marked[e]);
		if (m.open == 1)
			break;
		m.open--;
		explain(n, e, l->mark[e]);
		mark_reasons(&m, e);
		n->effort += 1 + l->reasons.n / 4;
	}
	assert(l->events.at[e].level == m.level);
	uint32_t back = put_clause(&m, e, levels);
	for (size_t i = 0; i < m.all.n; i++)
		l->marked[m.all.at[i]] = 0;
	vec_free(&m.lower);
	vec_free(&m.all);
	return back;
}
