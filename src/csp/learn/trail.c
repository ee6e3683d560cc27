/* Clause learning: the trail of events, and what was true when. */
#include "csp/learn/learn.h"

#include <assert.h>
#include <string.h>

void learn_start(struct csp *n)
{
	learn_stop(n);
	struct learn *l = n->learn = NEW(struct learn);
	size_t vars = n->vars.n, words = 0;
	l->low = mem_alloc(vars + 1, sizeof *l->low);
	l->high = mem_alloc(vars + 1, sizeof *l->high);
	l->root_low = mem_alloc(vars + 1, sizeof *l->root_low);
	l->root_high = mem_alloc(vars + 1, sizeof *l->root_high);
	l->last_low = mem_alloc(vars + 1, sizeof *l->last_low);
	l->last_high = mem_alloc(vars + 1, sizeof *l->last_high);
	l->hole_at = mem_alloc(vars + 1, sizeof *l->hole_at);
	for (uint32_t x = 0; x < vars; x++) {
		l->hole_at[x] = (uint32_t)words;
		words += n->vars.at[x].wide ? 0 : n->vars.at[x].words;
	}
	l->holes = mem_alloc(words + 1, sizeof *l->holes);
	l->hole_event = mem_alloc((size_t)n->literals + 1, sizeof *l->hole_event);
	memset(l->hole_event, 0xff, ((size_t)n->literals + 1) * sizeof *l->hole_event);
	l->watch = NEW_ARRAY(watchers, 4 * vars + 1);
	l->activity = NEW_ARRAY(double, vars + 1);
	l->phase = mem_alloc(vars + 1, sizeof *l->phase);
	l->bump = l->clause_bump = 1;
	l->asleep = NEW_ARRAY(bool, n->cons.n + 1);
	l->cause_clause = l->conflict_clause = CSP_NONE;
	for (uint32_t x = 0; x < vars; x++) {
		const struct var *v = &n->vars.at[x];
		l->low[x] = l->root_low[x] = dom_first(n, x);
		l->high[x] = l->root_high[x] = dom_last(n, x);
		l->last_low[x] = l->last_high[x] = l->phase[x] = CSP_NONE;
		if (!v->wide)
			memcpy(l->holes + l->hole_at[x], dom(n, v), v->words * sizeof(uint64_t));
	}
}

void learn_stop(struct csp *n)
{
	struct learn *l = n->learn;
	if (!l)
		return;
	for (uint32_t i = 0; i < 4 * n->vars.n; i++)
		vec_free(&l->watch[i]);
	vec_free(&l->events);
	vec_free(&l->levels);
	vec_free(&l->decisions);
	vec_free(&l->pool);
	vec_free(&l->learned);
	vec_free(&l->clause);
	vec_free(&l->reasons);
	void *const all[] = {l->root_low, l->root_high, l->low,        l->high,  l->last_low, l->last_high,
	                     l->holes,    l->hole_at,   l->hole_event, l->watch, l->mark,     l->marked,
	                     l->activity, l->heap,      l->heap_at,    l->phase, l->asleep};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		mem_free(all[i]);
	mem_free(l);
	n->learn = NULL;
}

/* ---- events ---- */

static void add_event(struct csp *n, enum event_kind kind, uint32_t x, uint32_t value, uint32_t old,
                      enum cause_kind why)
{
	assert(x < n->vars.n);
	struct learn *l = n->learn;
	uint32_t at = narrow32(l->events.n);
	struct event e = {
		.x = x, .value = value, .old = old, .level = narrow32(l->levels.n), .kind = (uint8_t)kind, .before = CSP_NONE};
	e.cause_kind = (uint8_t)why;
	e.cause = why == CAUSE_CLAUSE ? l->cause_clause : n->cause;
	if (kind == EVENT_LOW) {
		e.before = l->last_low[x];
		l->last_low[x] = at;
		l->low[x] = value;
		if (!e.level)
			l->root_low[x] = value;
	} else if (kind == EVENT_HIGH) {
		e.before = l->last_high[x];
		l->last_high[x] = at;
		l->high[x] = value;
		if (!e.level)
			l->root_high[x] = value;
	} else {
		bits_drop(l->holes + l->hole_at[x], value);
		l->hole_event[n->vars.at[x].lit + value] = at;
	}
	vec_push(&l->events, e);
}

/* x = i was decided: then the bounds are decided, too, holes or not. */
static bool is_decided(const struct learn *l, enum cause_kind why)
{
	return why == CAUSE_DECISION && l->decisions.n && atom_op(vec_last(&l->decisions)) == ATOM_EQ;
}

/* A bound has moved: to the first index that was not a hole before, as far as its cause can tell; the holes do the
 * rest. */
static void move_low(struct csp *n, uint32_t x, uint32_t low, enum cause_kind why)
{
	assert(x < n->vars.n);
	struct learn *l = n->learn;
	uint32_t said = low, old = l->low[x];
	if (!n->vars.at[x].wide)
		while (said - 1 > old && !bits_has(l->holes + l->hole_at[x], said - 1))
			said--;
	add_event(n, EVENT_LOW, x, said, old, why);
	if (said < low)
		add_event(n, EVENT_LOW, x, low, said, is_decided(l, why) ? why : CAUSE_HOLES);
}

static void move_high(struct csp *n, uint32_t x, uint32_t high, enum cause_kind why)
{
	assert(x < n->vars.n);
	struct learn *l = n->learn;
	uint32_t said = high, old = l->high[x];
	if (!n->vars.at[x].wide)
		while (said + 1 < old && !bits_has(l->holes + l->hole_at[x], said + 1))
			said++;
	add_event(n, EVENT_HIGH, x, said, old, why);
	if (said > high)
		add_event(n, EVENT_HIGH, x, high, said, is_decided(l, why) ? why : CAUSE_HOLES);
}

/* The domain of x has shrunk: called by var_changed. */
void csp_learn_changed(struct csp *n, uint32_t x)
{
	assert(x < n->vars.n);
	struct learn *l = n->learn;
	const struct var *v = &n->vars.at[x];
	enum cause_kind why = l->cause_clause != CSP_NONE ? CAUSE_CLAUSE
	                      : n->cause == CSP_NONE      ? CAUSE_DECISION
	                                                  : CAUSE_CONSTRAINT;
	uint32_t low = dom_first(n, x), high = dom_last(n, x);
	if (low > l->low[x])
		move_low(n, x, low, why);
	if (high < l->high[x])
		move_high(n, x, high, why);
	for (uint32_t w = low / 64; !v->wide && w <= high / 64; w++) {
		uint64_t gone = l->holes[l->hole_at[x] + w] & ~dom(n, v)[w];
		for (; gone; gone &= gone - 1) {
			uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(gone);
			if (i > low && i < high)
				add_event(n, EVENT_HOLE, x, i, i, why);
		}
	}
}

void learn_push(struct csp *n, struct atom decision)
{
	vec_push(&n->learn->levels, narrow32(n->learn->events.n));
	vec_push(&n->learn->decisions, decision);
	net_push(n);
}

void learn_pop(struct csp *n, uint32_t level)
{
	struct learn *l = n->learn;
	if (level >= l->levels.n)
		return;
	uint32_t to = l->levels.at[level];
	while (l->events.n > to) {
		struct event e = vec_pop(&l->events);
		if (l->low[e.x] == l->high[e.x]) {
			l->phase[e.x] = l->low[e.x];
			learn_order_put(n, e.x);
		}
		if (e.kind == EVENT_LOW) {
			l->low[e.x] = e.old;
			l->last_low[e.x] = e.before;
		} else if (e.kind == EVENT_HIGH) {
			l->high[e.x] = e.old;
			l->last_high[e.x] = e.before;
		} else {
			bits_add(l->holes + l->hole_at[e.x], e.value);
			l->hole_event[n->vars.at[e.x].lit + e.value] = CSP_NONE;
		}
	}
	csp_pop(n, csp_level(n) - (narrow32(l->levels.n) - level));
	l->levels.n = l->decisions.n = level;
	if (l->head > to)
		l->head = to;
}

/* ---- what was true when ---- */

uint32_t learn_low(const struct csp *n, uint32_t x, uint32_t time)
{
	assert(x < n->vars.n);
	const struct learn *l = n->learn;
	uint32_t low = l->low[x];
	for (uint32_t e = l->last_low[x]; e != CSP_NONE && e >= time; e = l->events.at[e].before)
		low = l->events.at[e].old;
	return low;
}

uint32_t learn_high(const struct csp *n, uint32_t x, uint32_t time)
{
	assert(x < n->vars.n);
	const struct learn *l = n->learn;
	uint32_t high = l->high[x];
	for (uint32_t e = l->last_high[x]; e != CSP_NONE && e >= time; e = l->events.at[e].before)
		high = l->events.at[e].old;
	return high;
}

static bool is_hole(const struct csp *n, uint32_t x, uint32_t i, uint32_t time)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	const struct learn *l = n->learn;
	const struct var *v = &n->vars.at[x];
	if (v->wide || bits_has(l->holes + l->hole_at[x], i))
		return false;
	uint32_t e = l->hole_event[v->lit + i];
	return e == CSP_NONE || e < time; /* without an event: since the beginning */
}

bool learn_has(const struct csp *n, uint32_t x, uint32_t i, uint32_t time)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	return i >= learn_low(n, x, time) && i <= learn_high(n, x, time) && !is_hole(n, x, i, time);
}

static uint32_t event_low(const struct learn *l, uint32_t x, uint32_t i)
{
	uint32_t e = l->last_low[x], found = CSP_NONE;
	while (e != CSP_NONE && l->events.at[e].value >= i) {
		found = e;
		e = l->events.at[e].before;
	}
	return found == CSP_NONE || l->events.at[found].old >= i ? CSP_NONE : found;
}

static uint32_t event_high(const struct learn *l, uint32_t x, uint32_t i)
{
	uint32_t e = l->last_high[x], found = CSP_NONE;
	while (e != CSP_NONE && l->events.at[e].value <= i) {
		found = e;
		e = l->events.at[e].before;
	}
	return found == CSP_NONE || l->events.at[found].old <= i ? CSP_NONE : found;
}

uint32_t learn_event(const struct csp *n, struct atom a)
{
	assert(atom_var(a) < n->vars.n);
	const struct learn *l = n->learn;
	uint32_t x = atom_var(a);
	switch (atom_op(a)) {
	case ATOM_GE: return event_low(l, x, a.i);
	case ATOM_LE: return event_high(l, x, a.i);
	case ATOM_NE: return l->hole_event[n->vars.at[x].lit + a.i];
	default: break;
	}
	uint32_t low = event_low(l, x, a.i), high = event_high(l, x, a.i);
	return low == CSP_NONE ? high : high == CSP_NONE ? low : low > high ? low : high;
}

struct atom learn_negation(struct atom a)
{
	switch (atom_op(a)) {
	case ATOM_GE: return atom(atom_var(a), ATOM_LE, a.i - 1);
	case ATOM_LE: return atom(atom_var(a), ATOM_GE, a.i + 1);
	case ATOM_NE: return atom(atom_var(a), ATOM_EQ, a.i);
	default: return atom(atom_var(a), ATOM_NE, a.i);
	}
}

struct atom learn_plain(const struct csp *n, struct atom a)
{
	assert(atom_var(a) < n->vars.n);
	uint32_t x = atom_var(a), last = n->vars.at[x].count - 1;
	bool eq = atom_op(a) == ATOM_EQ, ne = atom_op(a) == ATOM_NE;
	if (eq && a.i == 0)
		return atom(x, ATOM_LE, 0);
	if (eq && a.i == last)
		return atom(x, ATOM_GE, last);
	if (ne && a.i == 0)
		return atom(x, ATOM_GE, 1);
	if (ne && a.i == last)
		return atom(x, ATOM_LE, last - 1);
	return a;
}

enum expr_truth learn_truth(const struct csp *n, struct atom a)
{
	const struct learn *l = n->learn;
	uint32_t x = atom_var(a), low = l->low[x], high = l->high[x];
	switch (atom_op(a)) {
	case ATOM_GE: return low >= a.i ? EXPR_TRUE : high < a.i ? EXPR_FALSE : EXPR_OPEN;
	case ATOM_LE: return high <= a.i ? EXPR_TRUE : low > a.i ? EXPR_FALSE : EXPR_OPEN;
	default: break;
	}
	bool gone = a.i < low || a.i > high || (!n->vars.at[x].wide && !bits_has(l->holes + l->hole_at[x], a.i));
	bool fixed = low == high && low == a.i;
	if (atom_op(a) == ATOM_EQ)
		return gone ? EXPR_FALSE : fixed ? EXPR_TRUE : EXPR_OPEN;
	return gone ? EXPR_TRUE : fixed ? EXPR_FALSE : EXPR_OPEN;
}

/* ---- reasons ---- */

void reason_add(struct csp *n, struct atom a)
{
	assert(atom_var(a) < n->vars.n);
	vec_push(&n->learn->reasons, a);
}

void reason_low(struct csp *n, uint32_t x, uint32_t time)
{
	assert(x < n->vars.n);
	reason_add(n, atom(x, ATOM_GE, learn_low(n, x, time)));
}

void reason_high(struct csp *n, uint32_t x, uint32_t time)
{
	assert(x < n->vars.n);
	reason_add(n, atom(x, ATOM_LE, learn_high(n, x, time)));
}

void reason_fixed(struct csp *n, uint32_t x, uint32_t time)
{
	assert(x < n->vars.n);
	reason_add(n, atom(x, ATOM_EQ, learn_low(n, x, time)));
}

void reason_gone(struct csp *n, uint32_t x, uint32_t i, uint32_t time)
{
	assert(x < n->vars.n);
	assert(i < n->vars.at[x].count);
	if (is_hole(n, x, i, time))
		reason_add(n, atom(x, ATOM_NE, i));
	else if (learn_low(n, x, time) > i)
		reason_add(n, atom(x, ATOM_GE, i + 1));
	else
		reason_add(n, atom(x, ATOM_LE, i - 1));
}

void reason_domain(struct csp *n, uint32_t x, uint32_t time)
{
	assert(x < n->vars.n);
	uint32_t low = learn_low(n, x, time), high = learn_high(n, x, time);
	if (low == high) {
		reason_fixed(n, x, time);
		return;
	}
	reason_low(n, x, time);
	reason_high(n, x, time);
	for (uint32_t i = low + 1; !n->vars.at[x].wide && i < high; i++)
		if (n->learn->hole_event[n->vars.at[x].lit + i] < time)
			reason_add(n, atom(x, ATOM_NE, i));
}

void learn_explain_all(struct csp *n, const struct con *c, const struct question *q)
{
	assert(c->scope + c->arity <= n->scopes.n);
	for (uint32_t p = 0; p < c->arity; p++)
		reason_domain(n, con_scope(n, c)[p], q->time);
}
