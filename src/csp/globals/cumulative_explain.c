/* Why cumulative moved a task, or fails.
 *
 * By its time-table: at some time the tasks that must run then leave too little. Each of them is named with the widest
 * bounds that make it run at that very time (as Schutt, Feydy, Stuckey and Wallace 2011), and those that are not needed
 * for the limit to be exceeded are left out. A task that moved far is held back by several such times.
 *
 * By energy: within some window the tasks need more than there is, or would if the one had not moved. Each of them is
 * named with the widest bounds that make it run there as long as it must (as Schutt, Feydy and Stuckey 2013), and what
 * is not needed for the window to be too small is left out. */
#include "csp/globals/cumulative_energy.h"
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"

#include <assert.h>

struct timetable {
	struct csp *n;
	const uint32_t *origin, *length, *height;
	uint32_t limit, count, time;
	int64_t most;
	struct task *tasks; /* as they were at the time */
};

static int64_t low_at(const struct csp *n, uint32_t x, uint32_t time)
{
	return csp_value(n, x, learn_low(n, x, time));
}

static int64_t high_at(const struct csp *n, uint32_t x, uint32_t time)
{
	return csp_value(n, x, learn_high(n, x, time));
}

static struct timetable open_table(struct csp *n, const struct con *c, uint32_t time)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const uint32_t *s = con_scope(n, c);
	uint32_t count = (c->arity - 1) / 3;
	struct timetable t = {n, s, s + count, s + 2 * (size_t)count, s[3 * (size_t)count], count, time, 0, NULL};
	t.most = high_at(n, t.limit, time);
	t.tasks = (struct task *)net_scratch(n, 4 * (size_t)count);
	for (uint32_t i = 0; i < count; i++)
		t.tasks[i] = (struct task){low_at(n, t.origin[i], time), high_at(n, t.origin[i], time),
		                           low_at(n, t.length[i], time), low_at(n, t.height[i], time)};
	return t;
}

/* A task is at least this long and high. */
static void because_size(const struct timetable *t, uint32_t i)
{
	assert(i < t->count);
	reason_at_least(t->n, t->length[i], t->tasks[i].length, t->time);
	reason_at_least(t->n, t->height[i], t->tasks[i].height, t->time);
}

static void because_limit(const struct timetable *t)
{
	reason_at_most(t->n, t->limit, t->most, t->time);
}

/* ---- at a time ---- */

static bool runs_at(const struct timetable *t, uint32_t i, int64_t when)
{
	assert(i < t->count);
	return t->tasks[i].last <= when && when < t->tasks[i].first + t->tasks[i].length;
}

static int64_t spent_at(const struct timetable *t, uint32_t but, int64_t when)
{
	int64_t sum = 0;
	for (uint32_t j = 0; j < t->count; j++)
		sum += j != but && runs_at(t, j, when) ? t->tasks[j].height : 0;
	return sum;
}

/* The tasks that run then, but one, spend this much: as many of them as it takes. */
static void because_spent(const struct timetable *t, uint32_t but, int64_t when, int64_t needed)
{
	int64_t spare = spent_at(t, but, when) - needed;
	for (uint32_t j = 0; j < t->count; j++) {
		const struct task *k = &t->tasks[j];
		if (j == but || !runs_at(t, j, when) || k->height <= 0)
			continue;
		if (k->height <= spare) {
			spare -= k->height;
			continue;
		}
		reason_at_least(t->n, t->origin[j], when - k->length + 1, t->time);
		reason_at_most(t->n, t->origin[j], when, t->time);
		because_size(t, j);
	}
}

static bool full_at(const struct timetable *t, uint32_t i, int64_t when)
{
	assert(i < t->count);
	return spent_at(t, i, when) + t->tasks[i].height > t->most;
}

/* The first time, not before `from`, at which task i has no room; the last one, not after `to`. False: there is none
 * in between. What is spent grows where some task begins to be needed, and shrinks where it no longer is. */
static bool first_full(const struct timetable *t, uint32_t i, int64_t from, int64_t to, int64_t *found)
{
	bool any = full_at(t, i, from);
	*found = from;
	for (uint32_t j = 0; j < t->count && !(any && *found == from); j++) {
		int64_t when = t->tasks[j].last;
		if (when > from && when <= to && (!any || when < *found) && runs_at(t, j, when) && full_at(t, i, when)) {
			*found = when;
			any = true;
		}
	}
	return any;
}

static bool last_full(const struct timetable *t, uint32_t i, int64_t from, int64_t to, int64_t *found)
{
	bool any = full_at(t, i, to);
	*found = to;
	for (uint32_t j = 0; j < t->count && !(any && *found == to); j++) {
		int64_t when = t->tasks[j].first + t->tasks[j].length - 1;
		if (when >= from && when < to && (!any || when > *found) && runs_at(t, j, when) && full_at(t, i, when)) {
			*found = when;
			any = true;
		}
	}
	return any;
}

/* No start of task i before `start` is left: each would have it run at some full time. */
static bool pushed_right(const struct timetable *t, uint32_t i, int64_t start)
{
	assert(i < t->count);
	const struct task *k = &t->tasks[i];
	int64_t s = start - 1, when;
	for (; s >= k->first; s = when - k->length) {
		if (!first_full(t, i, s, s + k->length - 1, &when))
			return false;
		because_spent(t, i, when, t->most - k->height + 1);
	}
	reason_at_least(t->n, t->origin[i], s + 1, t->time);
	return true;
}

static bool pushed_left(const struct timetable *t, uint32_t i, int64_t start)
{
	assert(i < t->count);
	const struct task *k = &t->tasks[i];
	int64_t s = start + 1, when;
	for (; s <= k->last; s = when + 1) {
		if (!last_full(t, i, s, s + k->length - 1, &when))
			return false;
		because_spent(t, i, when, t->most - k->height + 1);
	}
	reason_at_most(t->n, t->origin[i], s - 1, t->time);
	return true;
}

/* ---- within a window ---- */

/* Of the lengths within the window, what is not needed: whole tasks, then parts. */
static void leave_out(const struct timetable *t, const struct edge *w, uint32_t but, int64_t *lengths)
{
	int64_t spare = -t->most * (w->to - w->from) - 1;
	for (uint32_t i = 0; i < t->count; i++)
		spare += lengths[i] * t->tasks[i].height;
	assert(spare >= 0);
	for (int parts = 0; parts < 2; parts++)
		for (uint32_t i = 0; i < t->count; i++) {
			int64_t height = t->tasks[i].height, less = lengths[i] ? spare / height : 0;
			if (i == but || (less < lengths[i] && !parts))
				continue;
			less = less < lengths[i] ? less : lengths[i];
			lengths[i] -= less;
			spare -= less * height;
		}
}

/* The tasks need more than there is within the window. What is asked is a bound of the task `asked`, which is here as
 * if it had not been moved: only its other bound is named. */
static void because_window(const struct timetable *t, const struct edge *w, uint32_t asked, enum atom_op op)
{
	int64_t *lengths = mem_alloc(t->count, sizeof *lengths);
	for (uint32_t i = 0; i < t->count; i++)
		lengths[i] = t->tasks[i].height ? energy_overlap(&t->tasks[i], w->from, w->to) : 0;
	leave_out(t, w, asked, lengths);
	for (uint32_t i = 0; i < t->count; i++) {
		if (!lengths[i])
			continue;
		if (i != asked || op == ATOM_GE)
			reason_at_least(t->n, t->origin[i], w->from + lengths[i] - t->tasks[i].length, t->time);
		if (i != asked || op == ATOM_LE)
			reason_at_most(t->n, t->origin[i], w->to - lengths[i], t->time);
		because_size(t, i);
	}
	because_limit(t);
	mem_free(lengths);
}

/* ---- what is asked ---- */

static bool explain_origin(const struct timetable *t, uint32_t i, enum atom_op op, int64_t value)
{
	assert(i < t->count);
	if (t->tasks[i].length <= 0 || t->tasks[i].height <= 0 || op == ATOM_NE)
		return false;
	if (!(op == ATOM_GE ? pushed_right(t, i, value) : pushed_left(t, i, value)))
		return false;
	because_size(t, i);
	because_limit(t);
	return true;
}

/* If the task had not moved, there would not be room in some window. */
static bool explain_by_energy(const struct timetable *t, uint32_t i, enum atom_op op, int64_t value)
{
	assert(i < t->count);
	struct task *k = &t->tasks[i], was = *k;
	struct edge w;
	if (t->count > t->n->energy_tasks || k->length <= 0 || k->height <= 0 || op == ATOM_NE)
		return false;
	k->first = op == ATOM_LE ? value + 1 : k->first;
	k->last = op == ATOM_GE ? value - 1 : k->last;
	bool any = k->first <= k->last && energy_window(t->tasks, t->count, t->most, i, &w);
	if (any)
		because_window(t, &w, i, op);
	*k = was;
	return any;
}

struct impossible {
	const struct timetable *t;
	struct edge w;
};

/* Is it a window in which they need too much as they are? */
static bool is_possible(void *user, const struct edge *e)
{
	struct impossible *m = user;
	const struct task *k = e->task == CSP_NONE ? NULL : &m->t->tasks[e->task];
	m->w = *e;
	return k && (e->backwards ? e->start >= k->first : e->start <= k->last);
}

static bool explain_overload(const struct timetable *t)
{
	struct impossible m = {.t = t};
	if (t->count > t->n->energy_tasks || energy_edges(t->tasks, t->count, t->most, is_possible, &m))
		return false;
	because_window(t, &m.w, CSP_NONE, ATOM_NE);
	return true;
}

/* The task must run at a time when the others leave no more. */
static bool explain_height(const struct timetable *t, uint32_t i, int64_t most)
{
	assert(i < t->count);
	const struct task *k = &t->tasks[i];
	for (uint32_t j = 0; j < t->count; j++) {
		int64_t when = t->tasks[j].last;
		if (!runs_at(t, i, when) || spent_at(t, i, when) + most + 1 <= t->most)
			continue;
		because_spent(t, i, when, t->most - most);
		reason_at_least(t->n, t->origin[i], when - k->length + 1, t->time);
		reason_at_most(t->n, t->origin[i], when, t->time);
		reason_at_least(t->n, t->length[i], k->length, t->time);
		because_limit(t);
		return true;
	}
	return false;
}

/* At some time so much is spent. */
static bool explain_spent(const struct timetable *t, int64_t least)
{
	for (uint32_t j = 0; j < t->count; j++)
		if (spent_at(t, CSP_NONE, t->tasks[j].last) >= least) {
			because_spent(t, CSP_NONE, t->tasks[j].last, least);
			return true;
		}
	return false;
}

static bool explain_failure(const struct timetable *t)
{
	if (explain_spent(t, t->most + 1)) {
		because_limit(t);
		return true;
	}
	if (explain_overload(t))
		return true;
	for (uint32_t i = 0; i < t->count; i++) {
		size_t mark = t->n->learn->reasons.n;
		if (explain_origin(t, i, ATOM_GE, t->tasks[i].last + 1)) {
			reason_at_most(t->n, t->origin[i], t->tasks[i].last, t->time);
			return true;
		}
		t->n->learn->reasons.n = mark;
	}
	return false;
}

/* Where it is in the scope; CSP_NONE: at several places. */
static uint32_t place_of(const struct csp *n, const struct con *c, uint32_t x)
{
	assert(c->scope + c->arity <= n->scopes.n);
	uint32_t found = CSP_NONE;
	for (uint32_t p = 0; p < c->arity; p++)
		if (con_scope(n, c)[p] == x) {
			if (found != CSP_NONE)
				return CSP_NONE;
			found = p;
		}
	return found;
}

bool cumulative_explain(struct csp *n, const struct con *c, const struct question *q)
{
	assert(c->scope + c->arity <= n->scopes.n);
	struct timetable t = open_table(n, c, q->time);
	if (q->failure)
		return explain_failure(&t);
	uint32_t x = atom_var(q->what), at = place_of(n, c, x);
	int64_t value = csp_value(n, x, q->what.i);
	if (at == CSP_NONE)
		return false;
	size_t mark = n->learn->reasons.n;
	if (at < t.count && explain_origin(&t, at, atom_op(q->what), value))
		return true;
	n->learn->reasons.n = mark;
	if (at < t.count)
		return explain_by_energy(&t, at, atom_op(q->what), value);
	if (at >= 2 * t.count && at < 3 * t.count)
		return atom_op(q->what) == ATOM_LE && explain_height(&t, at - 2 * t.count, value);
	return at == 3 * t.count && atom_op(q->what) == ATOM_GE && explain_spent(&t, value);
}
