/* cumulative: tasks with origins, lengths and heights; at no time do the heights of those that run exceed the limit.
 * Scope: origins, lengths, heights, the limit. Time-table propagation: where a task must run whatever its origin
 * (its compulsory part) its height is spent; a task moves past the times where it does not fit. Where that changes
 * nothing more: time-table edge-finding (cumulative_energy.c), unless there are too many tasks for it. */
#include "csp/globals/cumulative_energy.h"
#include "csp/globals/globals_internal.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>
#include <stdlib.h>

uint32_t csp_add_cumulative(struct csp *n, const uint32_t *origins, const uint32_t *lengths, const uint32_t *heights,
                            size_t count, uint32_t limit)
{
	uint32_t *all = mem_alloc(3 * count + 1, sizeof *all);
	for (size_t i = 0; i < count; i++) {
		all[i] = origins[i];
		all[count + i] = lengths[i];
		all[2 * count + i] = heights[i];
	}
	all[3 * count] = limit;
	uint32_t c = CSP_NONE;
	bool ok = count && net_scope_ok(n, all, 3 * count + 1), negative = false;
	for (size_t i = count; ok && i < 3 * count; i++)
		negative = negative || csp_value(n, all[i], 0) < 0;
	if (!count)
		net_refuse(n, "cumulative without tasks");
	else if (negative)
		net_refuse(n, "cumulative: a length or height can be negative");
	else if (ok)
		c = net_add(n, CSP_CUMULATIVE, all, 3 * count + 1, NULL);
	mem_free(all);
	return c;
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	uint32_t count = (c->arity - 1) / 3;
	int64_t limit = value_at(n, c, at, 3 * count);
	for (uint32_t i = 0; i < count; i++) { /* the most is reached where some task begins */
		int64_t time = value_at(n, c, at, i), sum = 0;
		for (uint32_t j = 0; j < count; j++) {
			int64_t from = value_at(n, c, at, j);
			if (from <= time && time < from + value_at(n, c, at, count + j))
				sum += value_at(n, c, at, 2 * count + j);
		}
		if (sum > limit)
			return false;
	}
	return limit >= 0;
}

/* ---- the profile: from each time on, what compulsory parts spend ---- */

struct piece {
	int64_t from, spent;
};

struct profile {
	struct csp *n;
	const uint32_t *origin, *length, *height;
	uint32_t count, pieces;
	struct piece *at;
	int64_t most; /* the limit can be */
};

static int by_time(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static bool compulsory(const struct profile *p, uint32_t i, int64_t *from, int64_t *to)
{
	assert(i < p->count);
	*from = dom_max(p->n, p->origin[i]);
	*to = (int64_t)dom_min(p->n, p->origin[i]) + dom_min(p->n, p->length[i]);
	return *from < *to && dom_min(p->n, p->height[i]) > 0;
}

static void build(struct profile *p)
{
	uint32_t events = 0, k = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		int64_t from, to, height = dom_min(p->n, p->height[i]);
		if (!compulsory(p, i, &from, &to))
			continue;
		p->at[events++] = (struct piece){from, height};
		p->at[events++] = (struct piece){to, -height};
	}
	qsort(p->at, events, sizeof *p->at, by_time);
	int64_t spent = 0;
	for (uint32_t e = 0; e < events; e++) {
		spent += p->at[e].spent;
		int64_t from = p->at[e].from;
		if (k && p->at[k - 1].from == from)
			p->at[k - 1].spent = spent;
		else
			p->at[k++] = (struct piece){from, spent};
	}
	p->pieces = k;
}

/* The end of the piece k; the last one spends nothing. */
static int64_t piece_end(const struct profile *p, uint32_t k)
{
	return k + 1 < p->pieces ? p->at[k + 1].from : INT64_MAX;
}

/* Is piece k too full for task i, which does not lie there itself already? */
static bool full_for(const struct profile *p, uint32_t k, uint32_t i, int64_t from, int64_t to)
{
	assert(i < p->count);
	int64_t height = dom_min(p->n, p->height[i]), own = 0;
	if (from <= p->at[k].from && piece_end(p, k) <= to)
		own = height;
	return p->at[k].spent - own + height > p->most;
}

static bool push_right(struct profile *p, uint32_t i, int64_t from, int64_t to)
{
	assert(i < p->count);
	int64_t begin = dom_min(p->n, p->origin[i]), length = dom_min(p->n, p->length[i]);
	for (uint32_t k = 0; k < p->pieces; k++) {
		if (p->at[k].from >= begin + length)
			break;
		if (piece_end(p, k) > begin && full_for(p, k, i, from, to))
			begin = piece_end(p, k);
	}
	return dom_at_least(p->n, p->origin[i], begin);
}

static bool push_left(struct profile *p, uint32_t i, int64_t from, int64_t to)
{
	assert(i < p->count);
	int64_t length = dom_min(p->n, p->length[i]), end = dom_max(p->n, p->origin[i]) + length;
	for (uint32_t k = p->pieces; k--;) {
		if (piece_end(p, k) <= end - length)
			break;
		if (p->at[k].from < end && full_for(p, k, i, from, to))
			end = p->at[k].from;
	}
	return dom_at_most(p->n, p->origin[i], end - length);
}

/* Where a task must run, its height is at most what the others leave. */
static bool bound_height(struct profile *p, uint32_t i, int64_t from, int64_t to)
{
	assert(i < p->count);
	int64_t height = dom_min(p->n, p->height[i]), others = 0;
	for (uint32_t k = 0; k < p->pieces; k++)
		if (p->at[k].from < to && piece_end(p, k) > from && p->at[k].spent - height > others)
			others = p->at[k].spent - height;
	return dom_at_most(p->n, p->height[i], p->most - others);
}

static bool move_task(struct profile *p, uint32_t i)
{
	assert(i < p->count);
	int64_t from, to;
	if (dom_max(p->n, p->length[i]) == 0 || dom_max(p->n, p->height[i]) == 0)
		return true;
	bool fixed_part = compulsory(p, i, &from, &to);
	if (!fixed_part)
		from = to = INT64_MIN;
	if (fixed_part && !bound_height(p, i, from, to))
		return false;
	if (dom_min(p->n, p->length[i]) == 0 || dom_min(p->n, p->height[i]) == 0)
		return true;
	return push_right(p, i, from, to) && push_left(p, i, from, to);
}

/* ---- energy ---- */

#define MOST_LEFT_OUT 7 /* runs, between two that look at energy */

struct mover {
	struct csp *n;
	const uint32_t *origin;
};

static bool move_by_edge(void *user, const struct edge *e)
{
	const struct mover *m = user;
	if (e->task == CSP_NONE)
		return false;
	uint32_t x = m->origin[e->task];
	return e->backwards ? dom_at_most(m->n, x, e->start) : dom_at_least(m->n, x, e->start);
}

/* Where energy changes nothing, again and again, it is looked at more and more seldom. */
static bool in_turn(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	if (!n->memo[ci])
		n->memo[ci] = NEW_ARRAY(uint32_t, 2); /* how many to leave out from now on; and each time */
	if (!n->memo[ci][0])
		return true;
	n->memo[ci][0]--;
	return false;
}

static void set_turn(struct csp *n, uint32_t ci, bool useful)
{
	assert(ci < n->cons.n);
	uint32_t *m = n->memo[ci], next = 2 * m[1] + 1;
	m[0] = m[1] = useful ? 0 : next < MOST_LEFT_OUT ? next : MOST_LEFT_OUT;
}

void cumulative_start(struct csp *n, uint32_t most_tasks)
{
	n->energy_tasks = most_tasks;
	for (uint32_t c = 0; c < n->prepared; c++)
		if (n->cons.at[c].kind == CSP_CUMULATIVE && n->memo[c])
			n->memo[c][0] = n->memo[c][1] = 0;
}

static bool push_by_energy(struct csp *n, const uint32_t *s, uint32_t count)
{
	struct task *tasks = (struct task *)net_scratch(n, 4 * (size_t)count);
	struct mover m = {n, s};
	for (uint32_t i = 0; i < count; i++)
		tasks[i] =
			(struct task){dom_min(n, s[i]), dom_max(n, s[i]), dom_min(n, s[count + i]), dom_min(n, s[2 * count + i])};
	return energy_edges(tasks, count, dom_max(n, s[3 * count]), move_by_edge, &m);
}

static bool push_by_profile(struct csp *n, const uint32_t *s, uint32_t count)
{
	struct profile p = {.n = n, .origin = s, .length = s + count, .height = s + 2 * count, .count = count};
	p.at = (struct piece *)net_scratch(n, 4 * (size_t)count + 4);
	build(&p);
	int64_t peak = 0;
	for (uint32_t k = 0; k < p.pieces; k++)
		peak = p.at[k].spent > peak ? p.at[k].spent : peak;
	if (!dom_at_least(n, s[3 * count], peak))
		return false;
	p.most = dom_max(n, s[3 * count]);
	for (uint32_t i = 0; i < count; i++)
		if (!move_task(&p, i))
			return false;
	return true;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	uint32_t count = (c->arity - 1) / 3;
	const uint32_t *s = con_scope(n, c);
	uint64_t removals = n->removals;
	if (!push_by_profile(n, s, count) || !csp_prop_check(n, ci))
		return false;
	if (n->removals != removals || count > n->energy_tasks) /* what it changed wakes it again */
		return true;
	if (!in_turn(n, ci))
		return true;
	bool ok = push_by_energy(n, s, count);
	set_turn(n, ci, !ok || n->removals != removals);
	return ok;
}

static enum prop attach(struct csp *n, uint32_t ci)
{
	n->cons.at[ci].costly = (n->cons.at[ci].arity - 1) / 3 <= n->energy_tasks;
	return PROP_OWN;
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const uint32_t *s = con_scope(n, c);
	uint32_t count = (c->arity - 1) / 3;
	xml_list(n, "origins", s, count, out);
	xml_list(n, "lengths", s + count, count, out);
	xml_list(n, "heights", s + 2 * count, count, out);
	xml_condition(n, CSP_LE, 0, s[3 * count], out);
}

static uint32_t read_limit(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	struct condition c = x_condition(r, e);
	if (c.op != CSP_OP_LE && c.op != CSP_OP_LT)
		x_fail(r, "cumulative takes a condition with le or lt");
	if (c.x == CSP_NONE)
		return x_constant(r, c.op == CSP_OP_LT ? c.k - 1 : c.k);
	if (c.op == CSP_OP_LE)
		return c.x;
	uint32_t args[2] = {csp_expr_var(r->n, c.x), csp_expr_const(r->n, 1)};
	return x_define(r, csp_expr(r->n, CSP_OP_SUB, args, 2));
}

/* ends[i] = origins[i] + lengths[i] */
static void post_ends(struct xcsp *r, const uint32_t *tasks, size_t count, xmlNode *ends)
{
	x_refs(r, x_text(r, ends), &r->more);
	if (r->more.n != count)
		x_fail(r, "cumulative: %zu origins, %zu ends", count, r->more.n);
	for (size_t i = 0; i < count; i++) {
		uint32_t sum[2] = {csp_expr_var(r->n, tasks[i]), csp_expr_var(r->n, tasks[count + i])};
		uint32_t args[2] = {csp_expr(r->n, CSP_OP_ADD, sum, 2), csp_expr_var(r->n, r->more.at[i])};
		x_posted(r, csp_add_intension(r->n, csp_expr(r->n, CSP_OP_EQ, args, 2)));
	}
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	static const char *const parts[] = {"origins", "lengths", "heights"};
	uint32_t limit = read_limit(r, e), *tasks = NULL;
	size_t count = 0;
	for (size_t k = 0; k < 3; k++) {
		x_refs(r, x_text(r, x_need(r, e, parts[k])), &r->more);
		if (k && r->more.n != count)
			x_fail(r, "cumulative: %zu origins, %zu %s", count, r->more.n, parts[k]);
		if (!k) {
			count = r->more.n;
			tasks = arena_alloc(&r->text, (3 * count + 1) * sizeof *tasks);
		}
		for (size_t i = 0; i < count; i++)
			tasks[k * count + i] = r->more.at[i];
	}
	x_posted(r, csp_add_cumulative(r->n, tasks, tasks + count, tasks + 2 * count, count, limit));
	xmlNode *ends = x_child(e, "ends");
	if (ends)
		post_ends(r, tasks, count, ends);
}

const struct kind kind_cumulative = {.attach = attach,
                                     .explain = cumulative_explain,
                                     .propagate = propagate,
                                     .holds = holds,
                                     .write = write_xml,
                                     .read = read_xml};
