/* Tasks on one machine. When a set of tasks and one more cannot all lie between the earliest of their starts and the
 * latest end of the set, the one comes after all of the set (edge-finding: Carlier and Pinson 1989), no earlier than
 * they can be done. In O(n²): for each end b, the tasks that must be done by then, by their starts (as Nuijten 1994).
 * Backwards in time it is the same with the times turned.
 *
 *     P[k]   lengths of the tasks from k on, by start, that must be done by b
 *     S[k]   start of k + P[k]: before that they are not done; more than b is a failure
 *     C[k]   the largest S from k on */
#include "csp/globals/edge_finding.h"

#include "csp/learn/learn.h"

#include <assert.h>
#include <stdlib.h>

struct task {
	int64_t start, end, length; /* earliest start, latest end; turned when time goes backwards */
	uint32_t at;                /* number of the task */
};

struct line { /* the machine with its time in one direction */
	struct csp *n;
	const struct machine *m;
	int sign;
	struct task *tasks; /* by start */
	uint32_t count;
	int64_t *p, *c; /* P and C for the end at hand; one more than tasks */
	uint32_t *of_c; /* the task whose S it is */
};

static int by_start(const void *a, const void *b)
{
	const struct task *x = a, *y = b;
	return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x->at > y->at) - (x->at < y->at);
}

static void open_line(struct line *l, uint32_t time)
{
	const struct machine *m = l->m;
	struct csp *n = l->n;
	l->count = 0;
	for (uint32_t i = 0; i < m->count; i++) {
		if (!m->length[i])
			continue;
		uint32_t x = m->origin[i];
		bool past = n->learn != NULL;
		int64_t low = past ? csp_value(n, x, learn_low(n, x, time)) : dom_min(n, x);
		int64_t high = (past ? csp_value(n, x, learn_high(n, x, time)) : dom_max(n, x)) + m->length[i];
		assert(low + m->length[i] <= high);
		l->tasks[l->count++] = (struct task){l->sign > 0 ? low : -high, l->sign > 0 ? high : -low, m->length[i], i};
	}
	qsort(l->tasks, l->count, sizeof *l->tasks, by_start);
}

static struct line make_line(struct csp *n, const struct machine *m)
{
	struct line l = {.n = n, .m = m, .sign = 1};
	l.tasks = mem_alloc(m->count + 1, sizeof *l.tasks);
	l.p = mem_alloc(2 * ((size_t)m->count + 1), sizeof *l.p);
	l.c = l.p + m->count + 1;
	l.of_c = mem_alloc(m->count + 1, sizeof *l.of_c);
	return l;
}

static void free_line(struct line *l)
{
	mem_free(l->tasks);
	mem_free(l->p);
	mem_free(l->of_c);
}

/* P and C for the end b. Returns the task from which on there is too much to do, or CSP_NONE. */
static uint32_t sum_up(struct line *l, int64_t b)
{
	uint32_t over = CSP_NONE;
	l->p[l->count] = 0;
	l->c[l->count] = INT64_MIN;
	for (uint32_t k = l->count; k--;) {
		bool in = l->tasks[k].end <= b;
		l->p[k] = l->p[k + 1] + (in ? l->tasks[k].length : 0);
		l->c[k] = l->c[k + 1];
		l->of_c[k] = k + 1 < l->count ? l->of_c[k + 1] : k;
		int64_t s = l->tasks[k].start + l->p[k];
		if (in && s > l->c[k]) {
			l->c[k] = s;
			l->of_c[k] = k;
		}
		if (in && s > b)
			over = k;
	}
	return over;
}

/* What comes before task k when the end is b: those of the end from *from on. False: none of it must. `most` is the
 * largest S before k, of task `of_most`. */
static bool comes_last(const struct line *l, uint32_t k, int64_t b, int64_t most, uint32_t of_most, uint32_t *from)
{
	const struct task *t = &l->tasks[k];
	assert(k < l->count);
	if (t->end <= b)
		return false;
	if (of_most != CSP_NONE && most + t->length > b) {
		assert(of_most < k);
		*from = of_most;
		return true;
	}
	*from = k;
	return l->p[k] && t->start + l->p[k] + t->length > b;
}

static bool move(struct line *l, const struct task *t, int64_t start)
{
	uint32_t x = l->m->origin[t->at];
	assert(start > t->start);
	return l->sign > 0 ? dom_at_least(l->n, x, start) : dom_at_most(l->n, x, -start - t->length);
}

static bool push_line(struct line *l)
{
	open_line(l, LEARN_NOW);
	for (uint32_t e = 0; e < l->count; e++) {
		int64_t b = l->tasks[e].end, most = INT64_MIN;
		uint32_t of_most = CSP_NONE, from;
		if (sum_up(l, b) != CSP_NONE)
			return false;
		for (uint32_t k = 0; k < l->count; k++) {
			const struct task *t = &l->tasks[k];
			if (t->end <= b && t->start + l->p[k] > most) {
				most = t->start + l->p[k];
				of_most = k;
			}
			if (comes_last(l, k, b, most, of_most, &from) && l->c[from] > t->start && !move(l, t, l->c[from]))
				return false;
		}
	}
	return true;
}

bool edges_propagate(struct csp *n, const struct machine *m)
{
	struct line l = make_line(n, m);
	bool ok = push_line(&l);
	l.sign = -1;
	ok = ok && push_line(&l);
	free_line(&l);
	return ok;
}

/* ---- explanations ---- */

static void because_start(const struct line *l, const struct task *t, int64_t start, uint32_t time)
{
	uint32_t x = l->m->origin[t->at];
	if (l->sign > 0)
		reason_at_least(l->n, x, start, time);
	else
		reason_at_most(l->n, x, -start - t->length, time);
}

static void because_end(const struct line *l, const struct task *t, int64_t end, uint32_t time)
{
	uint32_t x = l->m->origin[t->at];
	if (l->sign > 0)
		reason_at_most(l->n, x, end - t->length, time);
	else
		reason_at_least(l->n, x, -end, time);
}

/* The tasks from k on that must be done by b start at `start` or later, and are done by `end`. */
static void because_all(const struct line *l, uint32_t k, int64_t b, int64_t start, int64_t end, uint32_t time)
{
	for (; k < l->count; k++)
		if (l->tasks[k].end <= b) {
			because_start(l, &l->tasks[k], start, time);
			because_end(l, &l->tasks[k], end, time);
		}
}

/* Another task cannot come after t, and is done at `start` at the earliest. */
static bool after_one(const struct line *l, const struct task *t, int64_t start, uint32_t time)
{
	for (uint32_t k = 0; k < l->count; k++) {
		const struct task *o = &l->tasks[k];
		if (o->at == t->at || t->start + t->length + o->length <= o->end || o->start + o->length < start)
			continue;
		because_start(l, t, t->start, time);
		because_end(l, o, t->start + t->length + o->length - 1, time);
		because_start(l, o, start - o->length, time);
		return true;
	}
	return false;
}

/* The task at place k comes last of those that must be done by b, and they are not done before `start`. */
static bool after_many(struct line *l, uint32_t k, int64_t b, int64_t start, uint32_t time)
{
	int64_t most = INT64_MIN;
	assert(k < l->count);
	uint32_t of_most = CSP_NONE, from;
	sum_up(l, b);
	for (uint32_t j = 0; j <= k; j++)
		if (l->tasks[j].end <= b && l->tasks[j].start + l->p[j] > most) {
			most = l->tasks[j].start + l->p[j];
			of_most = j;
		}
	if (!comes_last(l, k, b, most, of_most, &from) || l->c[from] < start)
		return false;
	const struct task *t = &l->tasks[k];
	int64_t first = l->tasks[from].start; /* of all, t too */
	assert(l->tasks[l->of_c[from]].end <= b);
	because_start(l, t, first, time);
	because_all(l, from, b, first, first + l->p[from] + t->length - 1, time);
	uint32_t c = l->of_c[from];
	for (uint32_t j = c; j < l->count; j++)
		if (l->tasks[j].end <= b)
			because_start(l, &l->tasks[j], start - l->p[c], time);
	return true;
}

/* Why the task at place k does not start before `start`. */
static bool explain_start(struct line *l, uint32_t k, int64_t start, uint32_t time)
{
	if (after_one(l, &l->tasks[k], start, time))
		return true;
	for (uint32_t e = 0; e < l->count; e++)
		if (after_many(l, k, l->tasks[e].end, start, time))
			return true;
	return false;
}

static bool explain_failure(struct line *l, uint32_t time)
{
	for (uint32_t e = 0; e < l->count; e++) {
		int64_t b = l->tasks[e].end;
		uint32_t k = sum_up(l, b);
		if (k == CSP_NONE)
			continue;
		because_all(l, k, b, l->tasks[k].start, l->tasks[k].start + l->p[k] - 1, time);
		return true;
	}
	for (uint32_t k = 0; k < l->count; k++) { /* a task would have to start too late */
		const struct task *t = &l->tasks[k];
		if (!explain_start(l, k, t->end - t->length + 1, time))
			continue;
		because_end(l, t, t->end, time);
		return true;
	}
	return false;
}

static bool explain_line(struct line *l, const struct question *q)
{
	open_line(l, q->time);
	if (q->failure)
		return explain_failure(l, q->time);
	uint32_t x = atom_var(q->what);
	assert(atom_op(q->what) == (l->sign > 0 ? ATOM_GE : ATOM_LE) || atom_op(q->what) == ATOM_NE);
	int64_t value = csp_value(l->n, x, q->what.i);
	for (uint32_t k = 0; k < l->count; k++)
		if (l->m->origin[l->tasks[k].at] == x)
			return explain_start(l, k, l->sign > 0 ? value : -(value + l->tasks[k].length), q->time);
	return false;
}

bool edges_explain(struct csp *n, const struct machine *m, const struct question *q)
{
	struct line l = make_line(n, m);
	if (!q->failure && atom_op(q->what) == ATOM_LE)
		l.sign = -1;
	bool known = explain_line(&l, q);
	if (!known && q->failure) {
		l.sign = -1;
		known = explain_line(&l, q);
	}
	free_line(&l);
	return known;
}
