/* maximum, minimum: a variable is the greatest (least) of a list. Scope: the list, the variable. */
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

uint32_t csp_add_extremum(struct csp *n, bool maximum, const uint32_t *list, size_t count, uint32_t value)
{
	if (!count)
		return net_refuse(n, "%s of an empty list", maximum ? "maximum" : "minimum");
	return add_joined(n, maximum ? CSP_MAXIMUM : CSP_MINIMUM, list, count, &value, 1, NULL);
}

/* The extremum m lies between the bounds of the list and has a value of the list. */
static bool filter_extremum(struct csp *n, const uint32_t *list, uint32_t count, uint32_t m, bool max)
{
	int64_t near = max ? INT64_MIN : INT64_MAX, far = near; /* m is at least `near`, at most `far` (max; else turned) */
	for (uint32_t p = 0; p < count; p++) {
		int64_t low = dom_min(n, list[p]), high = dom_max(n, list[p]);
		if (max ? low > near : high < near)
			near = max ? low : high;
		if (max ? high > far : low < far)
			far = max ? high : low;
	}
	assert(max ? near <= far : near >= far);
	if (max ? !dom_at_least(n, m, near) || !dom_at_most(n, m, far)
	        : !dom_at_most(n, m, near) || !dom_at_least(n, m, far))
		return false;
	if (csp_wide(n, m))
		return true;
	DOM_EACH (i, n, m) {
		bool found = false;
		for (uint32_t p = 0; p < count && !found; p++)
			found = has_value(n, list[p], csp_value(n, m, (uint32_t)i));
		if (!found && !dom_drop(n, m, (uint32_t)i))
			return false;
	}
	return true;
}

static bool propagate(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	const struct con *c = &n->cons.at[ci];
	assert(c->arity >= 2);
	const uint32_t *list = con_scope(n, c);
	bool max = c->kind == CSP_MAXIMUM;
	uint32_t count = c->arity - 1, m = list[count], able = CSP_NONE, ables = 0;
	if (!filter_extremum(n, list, count, m, max))
		return false;
	int64_t best = max ? dom_max(n, m) : dom_min(n, m), worst = max ? dom_min(n, m) : dom_max(n, m);
	for (uint32_t p = 0; p < count; p++) {
		uint32_t x = list[p];
		if (max ? !dom_at_most(n, x, best) : !dom_at_least(n, x, best))
			return false;
		if (max ? dom_max(n, x) >= worst : dom_min(n, x) <= worst) {
			able = x;
			ables++;
		}
	}
	if (!ables)
		return false;
	if (ables == 1) /* the only one that can be the extremum is it */
		return max ? dom_at_least(n, able, worst) : dom_at_most(n, able, worst);
	return true;
}

/* ---- explanations, in terms of a maximum; a minimum is one of the values turned ---- */

static int64_t turned_low(const struct csp *n, uint32_t x, uint32_t time, int sign)
{
	return sign > 0 ? csp_value(n, x, learn_low(n, x, time)) : -(int64_t)csp_value(n, x, learn_high(n, x, time));
}

static int64_t turned_high(const struct csp *n, uint32_t x, uint32_t time, int sign)
{
	return -turned_low(n, x, time, -sign);
}

static void because_up(struct csp *n, uint32_t x, int64_t value, uint32_t time, int sign)
{
	if (sign > 0)
		reason_at_least(n, x, value, time);
	else
		reason_at_most(n, x, -value, time);
}

static void because_down(struct csp *n, uint32_t x, int64_t value, uint32_t time, int sign)
{
	because_up(n, x, -value, time, -sign);
}

/* None of the list but `not` was above the value. */
static bool all_down(struct csp *n, const struct con *c, uint32_t not, int64_t value, uint32_t time, int sign)
{
	const uint32_t *list = con_scope(n, c);
	for (uint32_t p = 0; p + 1 < c->arity; p++)
		if (list[p] != not &&turned_high(n, list[p], time, sign) > value)
			return false;
	for (uint32_t p = 0; p + 1 < c->arity; p++)
		if (list[p] != not )
			because_down(n, list[p], value, time, sign);
	return true;
}

static bool one_up(struct csp *n, const struct con *c, int64_t value, uint32_t time, int sign)
{
	const uint32_t *list = con_scope(n, c);
	for (uint32_t p = 0; p + 1 < c->arity; p++)
		if (turned_low(n, list[p], time, sign) >= value) {
			because_up(n, list[p], value, time, sign);
			return true;
		}
	return false;
}

/* No variable of the list had the value. */
static bool nowhere(struct csp *n, const struct con *c, uint32_t x, int64_t value, uint32_t time)
{
	(void)x;
	for (uint32_t p = 0; p + 1 < c->arity; p++)
		if (!reason_lacks(n, con_scope(n, c)[p], value, time))
			return false;
	return true;
}

static bool explain_failure(struct csp *n, const struct con *c, uint32_t m, uint32_t time, int sign)
{
	int64_t low = turned_low(n, m, time, sign), high = turned_high(n, m, time, sign);
	assert(low <= high);
	if (one_up(n, c, high + 1, time, sign)) {
		because_down(n, m, high, time, sign);
		return true;
	}
	if (!all_down(n, c, CSP_NONE, low - 1, time, sign))
		return false;
	because_up(n, m, low, time, sign);
	return true;
}

/* Of a variable of the list: it is at most the extremum, or the only one that can be it. */
static bool explain_member(struct csp *n, const struct con *c, uint32_t m, const struct question *q, int sign, bool up)
{
	uint32_t x = atom_var(q->what);
	int64_t value = sign * (int64_t)csp_value(n, x, q->what.i), least = turned_low(n, m, q->time, sign);
	if (!up && turned_high(n, m, q->time, sign) > value)
		return false;
	if (!up) {
		because_down(n, m, value, q->time, sign);
		return true;
	}
	because_up(n, m, least, q->time, sign);
	return least >= value && all_down(n, c, x, least - 1, q->time, sign);
}

static bool explain(struct csp *n, const struct con *c, const struct question *q)
{
	int sign = c->kind == CSP_MAXIMUM ? 1 : -1;
	uint32_t m = con_scope(n, c)[c->arity - 1], x = atom_var(q->what);
	size_t mark = n->learn->reasons.n;
	for (uint32_t p = 0; p + 1 < c->arity; p++)
		if (con_scope(n, c)[p] == m)
			return false;
	if (q->failure)
		return explain_failure(n, c, m, q->time, sign);
	bool up = (atom_op(q->what) == ATOM_GE) == (sign > 0);
	if (atom_op(q->what) == ATOM_NE)
		return x == m && reason_values(n, c, q, nowhere);
	if (x != m)
		return explain_member(n, c, m, q, sign, up);
	int64_t value = sign * (int64_t)csp_value(n, m, q->what.i);
	if (up ? one_up(n, c, value, q->time, sign) : all_down(n, c, CSP_NONE, value, q->time, sign))
		return true;
	n->learn->reasons.n = mark;
	return reason_values(n, c, q, nowhere);
}

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	int64_t best = value_at(n, c, at, 0);
	for (uint32_t p = 1; p + 1 < c->arity; p++) {
		int64_t v = value_at(n, c, at, p);
		if (c->kind == CSP_MAXIMUM ? v > best : v < best)
			best = v;
	}
	return best == value_at(n, c, at, c->arity - 1);
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const uint32_t *s = con_scope(n, c);
	xml_list(n, "list", s, c->arity - 1, out);
	xml_condition(n, CSP_EQ, 0, s[c->arity - 1], out);
}

/* The index points to an element equal to the extremum m: any, the first, or the last. */
static void post_index(struct xcsp *r, xmlNode *index, uint32_t at, int32_t start, uint32_t m)
{
	enum x_rank rank = x_rank(r, index);
	struct csp *n = r->n;
	x_posted(r, csp_add_element(n, r->vars.at, r->vars.n, start, at, m));
	for (size_t i = 0; rank != RANK_ANY && i < r->vars.n; i++) {
		uint32_t past = x_bool(r, rank == RANK_FIRST ? CSP_OP_LE : CSP_OP_GE, csp_expr_var(n, at),
		                       csp_expr_const(n, start + (int64_t)i));
		uint32_t other = x_bool(r, CSP_OP_NE, csp_expr_var(n, r->vars.at[i]), csp_expr_var(n, m));
		x_posted(r, csp_add_intension(n, x_bool(r, CSP_OP_OR, past, other)));
	}
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	bool maximum = x_is(e, "maximum");
	xmlNode *index = x_child(e, "index"), *condition = x_child(e, "condition"), *list = x_child(e, "list");
	if (!index && !condition)
		x_fail(r, "%s without <condition>", (const char *)e->name);
	struct condition c = {.op = CSP_OP_EQ, .x = CSP_NONE};
	if (condition)
		c = x_condition(r, e);
	uint32_t at = index ? x_one_var(r, index) : CSP_NONE;
	x_list_of(r, e, &r->vars);
	if (!index && c.op == CSP_OP_EQ && c.x != CSP_NONE) {
		x_posted(r, csp_add_extremum(r->n, maximum, r->vars.at, r->vars.n, c.x));
		return;
	}
	uint32_t m = x_extremum(r, maximum);
	if (index)
		post_index(r, index, at, list ? x_start_index(r, list) : 0, m);
	if (condition)
		x_post_condition(r, csp_expr_var(r->n, m), &c);
}

const struct kind kind_maximum = {
	.propagate = propagate, .explain = explain, .holds = holds, .write = write_xml, .read = read_xml};
const struct kind kind_minimum = {
	.propagate = propagate, .explain = explain, .holds = holds, .write = write_xml, .read = read_xml};
