/* Energy of the tasks of cumulative, length times height: time-table edge-finding (Vilím 2011, Timetable edge finding
 * filtering algorithm for discrete cumulative resources), in O(n²), with its overload check.
 *
 * The fixed part of a task, where it runs whatever its start, is in the profile; the rest of its energy is free. Within
 * a window [a, b) there must be room for the profile and for the free energy of the tasks that lie within:
 *
 *     spare(a, b) = limit * (b - a) - profile(a, b) - free energy of the tasks that start at a or later and end by b
 *
 * Less than nothing is a failure. A task that starts at a or later, but may end after b, needs min(b, its earliest end)
 * - its earliest start within the window when it starts at once; where that, without its fixed part, is more than
 * spare(a, b), it is within the window for its fixed part and spare(a, b) / height at most, and so starts that long
 * before b or later. For each b the starts are gone through from the last to the first; of the tasks that may end after
 * b, the one that needs most is looked at. Backwards in time it is the same with the times turned. */
#include "csp/globals/cumulative_energy.h"

#include <assert.h>

struct job {                /* a task; turned when time goes backwards */
	int64_t start, end;     /* earliest start, latest end */
	int64_t length, height; /* at least */
	int64_t fixed;          /* length of its fixed part, from the latest start to the earliest end */
	int64_t free;           /* energy outside the profile */
	int64_t before;         /* energy of the profile before its start */
	uint32_t task;
};

struct step { /* of the profile: by `value` it grows; of the ends: `value` is the energy of the profile before */
	int64_t time, value;
};

struct stage { /* the tasks with time in one direction */
	const struct task *tasks;
	struct job *jobs; /* by start; only those with free energy */
	struct step *ends, *steps;
	uint32_t count, end_count, step_count;
	int64_t most;
	uint32_t one; /* counts apart, or CSP_NONE */
	bool backwards;
};

/* By insertion: what follows is quadratic, too, and for the few tasks there are this is the fastest. */
#define SORT_BY(type, key, at, count) \
	for (uint32_t next = 1; next < (count); next++) { \
		type moved = (at)[next]; \
		uint32_t place = next; \
		for (; place && (at)[place - 1].key > moved.key; place--) \
			(at)[place] = (at)[place - 1]; \
		(at)[place] = moved; \
	}

int64_t energy_overlap(const struct task *t, int64_t from, int64_t to)
{
	assert(t->first <= t->last && from <= to);
	int64_t length = t->length, before = t->first + t->length - from, after = to - t->last;
	length = to - from < length ? to - from : length;
	length = before < length ? before : length;
	length = after < length ? after : length;
	return length > 0 ? length : 0;
}

/* ---- the stage ---- */

/* Can there be too much, and can it be counted? */
static bool may_exceed(const struct task *tasks, uint32_t count, int64_t most)
{
	int64_t heights = 0, from = INT64_MAX, to = INT64_MIN;
	for (uint32_t i = 0; i < count; i++) {
		const struct task *t = &tasks[i];
		if (!t->length || !t->height)
			continue;
		heights += t->height;
		from = t->first < from ? t->first : from;
		to = t->last + t->length > to ? t->last + t->length : to;
	}
	return most >= 0 && heights > most && to - from < INT64_MAX / 4 / heights;
}

static void put_task(struct stage *s, uint32_t i)
{
	const struct task *t = &s->tasks[i];
	struct job j = {.start = t->first, .end = t->last + t->length, .length = t->length, .height = t->height, .task = i};
	if (!t->length || !t->height)
		return;
	assert(t->first <= t->last && t->length > 0 && t->height > 0);
	if (s->backwards) {
		j.start = -j.end;
		j.end = -t->first;
	}
	if (i != s->one && 2 * j.length > j.end - j.start)
		j.fixed = 2 * j.length - (j.end - j.start);
	if (j.fixed) {
		s->steps[s->step_count++] = (struct step){j.end - j.length, j.height};
		s->steps[s->step_count++] = (struct step){j.end - j.length + j.fixed, -j.height};
	}
	j.free = i == s->one ? 0 : j.height * (j.length - j.fixed);
	if (j.free || i == s->one) {
		s->ends[s->count] = (struct step){j.end, 0};
		s->jobs[s->count++] = j;
	}
}

struct area { /* of the profile up to a time */
	int64_t time, height, sum;
	uint32_t step;
};

static int64_t area_before(const struct stage *s, struct area *a, int64_t time)
{
	for (; a->step < s->step_count && s->steps[a->step].time <= time; a->step++) {
		a->sum += a->height * (s->steps[a->step].time - a->time);
		a->time = s->steps[a->step].time;
		a->height += s->steps[a->step].value;
	}
	assert(a->height >= 0 && (!a->height || a->time <= time));
	return a->sum + a->height * (time - a->time);
}

static void set_stage(struct stage *s, uint32_t count)
{
	struct area at_start = {0}, at_end = {0};
	s->count = s->end_count = s->step_count = 0;
	for (uint32_t i = 0; i < count; i++)
		put_task(s, i);
	if (s->count < 2) /* the profile says it all */
		return;
	SORT_BY(struct step, time, s->steps, s->step_count)
	SORT_BY(struct job, start, s->jobs, s->count)
	SORT_BY(struct step, time, s->ends, s->count)
	for (uint32_t k = 0; k < s->count; k++) {
		s->jobs[k].before = area_before(s, &at_start, s->jobs[k].start);
		if (!k || s->ends[k].time != s->ends[k - 1].time) /* each end once */
			s->ends[s->end_count++] = (struct step){s->ends[k].time, area_before(s, &at_end, s->ends[k].time)};
	}
}

static void open_stage(struct stage *s, uint32_t count)
{
	s->jobs = mem_alloc(count, sizeof *s->jobs);
	s->ends = mem_alloc(3 * (size_t)count, sizeof *s->ends);
	s->steps = s->ends + count;
}

static void close_stage(struct stage *s)
{
	mem_free(s->jobs);
	mem_free(s->ends);
}

/* ---- edges ---- */

/* How long a job that may end after b runs before b by its fixed part. */
static int64_t fixed_before(const struct job *j, int64_t b)
{
	int64_t until = b - (j->end - j->length);
	until = until < j->fixed ? until : j->fixed;
	return until > 0 ? until : 0;
}

/* What it needs before b besides, when it starts at once. */
static int64_t needs_before(const struct job *j, int64_t b)
{
	int64_t end = j->start + j->length;
	assert(j->start < b && j->end > b);
	return j->height * ((end < b ? end : b) - j->start - fixed_before(j, b));
}

static struct edge edge_of(const struct stage *s, int64_t a, int64_t b, const struct job *last, int64_t spare)
{
	struct edge e = {
		.from = s->backwards ? -b : a, .to = s->backwards ? -a : b, .task = CSP_NONE, .backwards = s->backwards};
	if (!last)
		return e;
	assert(spare >= 0);
	e.task = last->task;
	e.start = b - fixed_before(last, b) - spare / last->height;
	assert(e.start > last->start);
	if (s->backwards)
		e.start = -e.start - last->length;
	return e;
}

static bool edges_until(const struct stage *s, const struct step *end, edge_found *found, void *user)
{
	int64_t b = end->time, free = 0, need = 0;
	const struct job *last = NULL; /* of those that may end after b the one that needs most */
	for (uint32_t k = s->count; k--;) {
		const struct job *j = &s->jobs[k];
		if (j->start >= b)
			continue;
		if (j->end <= b) {
			free += j->free;
		} else if (needs_before(j, b) > need) {
			need = needs_before(j, b);
			last = j;
		}
		int64_t spare = s->most * (b - j->start) - (end->value - j->before) - free;
		if (spare >= need)
			continue;
		struct edge e = edge_of(s, j->start, b, spare < 0 ? NULL : last, spare);
		if (!found(user, &e))
			return false;
	}
	return true;
}

bool energy_edges(const struct task *tasks, uint32_t count, int64_t most, edge_found *found, void *user)
{
	struct stage s = {.tasks = tasks, .most = most, .one = CSP_NONE};
	bool more = true;
	if (!may_exceed(tasks, count, most))
		return true;
	open_stage(&s, count);
	for (int direction = 0; more && direction < 2; direction++) {
		s.backwards = direction;
		set_stage(&s, count);
		for (uint32_t e = 0; more && e < s.end_count; e++)
			more = edges_until(&s, &s.ends[e], found, user);
	}
	close_stage(&s);
	return more;
}

/* ---- one task apart ---- */

static bool window_until(const struct stage *s, const struct step *end, struct edge *out)
{
	const struct task *one = &s->tasks[s->one];
	int64_t b = end->time, free = 0;
	for (uint32_t k = s->count; k--;) {
		const struct job *j = &s->jobs[k];
		if (j->start >= b)
			continue;
		free += j->end <= b ? j->free : 0;
		int64_t spare = s->most * (b - j->start) - (end->value - j->before) - free;
		if (spare >= one->height * energy_overlap(one, j->start, b))
			continue;
		*out = edge_of(s, j->start, b, NULL, spare);
		return true;
	}
	return false;
}

bool energy_window(const struct task *tasks, uint32_t count, int64_t most, uint32_t one, struct edge *out)
{
	struct stage s = {.tasks = tasks, .most = most, .one = one};
	bool any = false;
	assert(one < count);
	if (!may_exceed(tasks, count, most))
		return false;
	open_stage(&s, count);
	set_stage(&s, count);
	for (uint32_t e = 0; !any && e < s.end_count; e++)
		any = window_until(&s, &s.ends[e], out);
	close_stage(&s);
	return any;
}
