/* Linear constraints: sum of coefficient times variable, compared with a number.
 * Bounds consistency for <=, >= and =; for != the last open variable loses one
 * value. */
#include "csp/globals/globals_internal.h"
#include "csp/learn/learn.h"
#include "csp/symmetry/symmetry_graph.h"
#include "csp/xcsp3/xcsp3_internal.h"

#include <assert.h>

struct sum {
	enum csp_relation relation;
	int64_t k;
	int64_t coeffs[]; /* one per variable */
};

static struct sum *make(struct csp *n, const int64_t *coeffs, size_t arity, enum csp_relation r, int64_t k)
{
	struct sum *s = arena_alloc(&n->records, sizeof *s + arity * sizeof *s->coeffs);
	s->relation = r;
	s->k = k;
	memcpy(s->coeffs, coeffs, arity * sizeof *coeffs);
	return s;
}

/* |sum| stays below 2^61 whatever the values, so plain int64 arithmetic is safe. */
static bool fits(const struct csp *n, const uint32_t *scope, const int64_t *coeffs, size_t arity, int64_t k)
{
	__int128 total = k < 0 ? -(__int128)k : k;
	for (size_t i = 0; i < arity; i++) {
		const struct var *v = &n->vars.at[scope[i]];
		__int128 low = var_value(n, v, 0), high = var_value(n, v, v->count - 1), c = coeffs[i];
		low = low < 0 ? -low : low;
		high = high < 0 ? -high : high;
		total += (c < 0 ? -c : c) * (low > high ? low : high);
		if (total >= (__int128)1 << 61)
			return false;
	}
	return true;
}

uint32_t csp_add_sum(struct csp *n, const uint32_t *scope, const int64_t *coeffs, size_t arity, enum csp_relation r,
                     int64_t k)
{
	if (!net_scope_ok(n, scope, arity))
		return CSP_NONE;
	if (!fits(n, scope, coeffs, arity, k))
		return net_refuse(n, "sum: arithmetic overflow is possible");
	return net_add(n, CSP_SUM, scope, arity, make(n, coeffs, arity, r, k));
}

void sum_set_bound(struct csp *n, uint32_t c, int64_t k)
{
	assert(c < n->cons.n);
	((struct sum *)n->cons.at[c].record)->k = k;
}

void *sum_copy(struct csp *to, const struct con *c)
{
	const struct sum *s = c->record;
	return make(to, s->coeffs, c->arity, s->relation, s->k);
}

/* ---- expressions that are linear ---- */

/* Adds factor*expr to the coefficients; false when it is not linear. */
static bool collect(struct csp *n, uint32_t e, int64_t factor, const uint32_t *scope, uint32_t arity, int64_t *coeffs,
                    int64_t *k)
{
	assert(e < n->nodes.n);
	struct node d = n->nodes.at[e];
	const uint32_t *args = n->args.at + d.args;
	switch (d.op) {
	case CSP_OP_CONST:
		return !__builtin_mul_overflow(factor, d.value, &d.value) && !__builtin_add_overflow(*k, d.value, k);
	case CSP_OP_VAR:
		for (uint32_t p = 0; p < arity; p++)
			if (scope[p] == (uint32_t)d.value)
				return !__builtin_add_overflow(coeffs[p], factor, &coeffs[p]);
		return false;
	case CSP_OP_NEG: return collect(n, args[0], -factor, scope, arity, coeffs, k);
	case CSP_OP_ADD:
		for (uint32_t i = 0; i < d.count; i++)
			if (!collect(n, args[i], factor, scope, arity, coeffs, k))
				return false;
		return true;
	case CSP_OP_SUB:
		return collect(n, args[0], factor, scope, arity, coeffs, k) &&
		       collect(n, args[1], -factor, scope, arity, coeffs, k);
	case CSP_OP_MUL:
		for (int i = 0; i < 2 && d.count == 2; i++)
			if (n->nodes.at[args[i]].op == CSP_OP_CONST)
				return !__builtin_mul_overflow(factor, n->nodes.at[args[i]].value, &factor) &&
				       collect(n, args[!i], factor, scope, arity, coeffs, k);
		return false;
	default: return false;
	}
}

const struct sum *sum_of_intension(struct csp *n, uint32_t ci)
{
	assert(ci < n->cons.n);
	static const enum csp_relation relation[] = {CSP_LT, CSP_LE, CSP_GE, CSP_GT, CSP_NE, CSP_EQ};
	const struct con *c = &n->cons.at[ci];
	struct node d = n->nodes.at[csp_root(n, ci)];
	if (d.op < CSP_OP_LT || d.op > CSP_OP_EQ || d.count != 2)
		return NULL;
	int64_t *coeffs = NEW_ARRAY(int64_t, c->arity), k = 0;
	const uint32_t *scope = con_scope(n, c);
	bool ok = collect(n, n->args.at[d.args], 1, scope, c->arity, coeffs, &k) &&
	          collect(n, n->args.at[d.args + 1], -1, scope, c->arity, coeffs, &k) &&
	          fits(n, scope, coeffs, c->arity, -k);
	struct sum *s = ok ? make(n, coeffs, c->arity, relation[d.op - CSP_OP_LT], -k) : NULL;
	mem_free(coeffs);
	return s;
}

/* ---- propagation ---- */

struct reach {
	int64_t low, high;
};

static struct reach term(const struct csp *n, uint32_t x, int64_t coeff)
{
	assert(x < n->vars.n);
	int64_t a = coeff * dom_min(n, x), b = coeff * dom_max(n, x);
	return coeff < 0 ? (struct reach){b, a} : (struct reach){a, b};
}

static int64_t floor_div(int64_t a, int64_t b)
{
	int64_t q = a / b;
	return q - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t ceil_div(int64_t a, int64_t b)
{
	return -floor_div(-a, b);
}

/* coeff*x must lie in [low, high] */
static bool restrict_term(struct csp *n, uint32_t x, int64_t coeff, int64_t low, int64_t high)
{
	assert(x < n->vars.n);
	if (coeff > 0)
		return dom_at_least(n, x, ceil_div(low, coeff)) && dom_at_most(n, x, floor_div(high, coeff));
	return dom_at_least(n, x, ceil_div(-high, -coeff)) && dom_at_most(n, x, floor_div(-low, -coeff));
}

static bool differs(struct csp *n, const uint32_t *scope, uint32_t arity, const int64_t *coeffs, int64_t k)
{
	uint32_t open = CSP_NONE;
	for (uint32_t p = 0; p < arity; p++) {
		if (!coeffs[p])
			continue;
		if (dom_size(n, scope[p]) == 1)
			k -= coeffs[p] * dom_min(n, scope[p]);
		else if (open == CSP_NONE)
			open = p;
		else
			return true;
	}
	if (open == CSP_NONE)
		return k != 0;
	return k % coeffs[open] != 0 || dom_drop_value(n, scope[open], k / coeffs[open]);
}

static struct reach reach(const struct csp *n, const struct con *c, const int64_t *coeffs)
{
	assert(c->scope + c->arity <= n->scopes.n);
	struct reach all = {0, 0};
	for (uint32_t p = 0; p < c->arity; p++) {
		struct reach t = term(n, con_scope(n, c)[p], coeffs[p]);
		all.low += t.low;
		all.high += t.high;
	}
	return all;
}

#define FEW_VALUES 256 /* of x, when x = y + k and the like are kept up value by value */

/* Each value of x needs its partner in y, where a x + b y = k and both factors are 1 or -1. */
static bool pair_up(struct csp *n, uint32_t x, uint32_t y, int64_t a, int64_t b, int64_t k)
{
	assert(x < n->vars.n);
	assert(y < n->vars.n);
	if (csp_wide(n, x) || csp_wide(n, y) || dom_size(n, x) > FEW_VALUES || dom_size(n, y) > FEW_VALUES)
		return true;
	DOM_EACH (i, n, x)
		if (!has_value(n, y, b * (k - a * csp_value(n, x, (uint32_t)i))) && !dom_drop(n, x, (uint32_t)i))
			return false;
	return true;
}

static bool is_unit(int64_t c)
{
	return c == 1 || c == -1;
}

static bool propagate_as(struct csp *n, const struct con *c, const int64_t *coeffs, enum csp_relation relation,
                         int64_t k)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const uint32_t *scope = con_scope(n, c);
	int64_t low = -((int64_t)1 << 62), high = -low;
	switch (relation) {
	case CSP_LT: high = k - 1; break;
	case CSP_LE: high = k; break;
	case CSP_GE: low = k; break;
	case CSP_GT: low = k + 1; break;
	case CSP_EQ: low = high = k; break;
	case CSP_NE: return differs(n, scope, c->arity, coeffs, k);
	}
	bool pair = relation == CSP_EQ && c->arity == 2 && is_unit(coeffs[0]) && is_unit(coeffs[1]) && scope[0] != scope[1];
	if (pair && (!pair_up(n, scope[0], scope[1], coeffs[0], coeffs[1], k) ||
	             !pair_up(n, scope[1], scope[0], coeffs[1], coeffs[0], k)))
		return false;
	struct reach all = reach(n, c, coeffs);
	if (all.low > high || all.high < low)
		return false;
	if (all.low >= low && all.high <= high)
		return true;
	for (uint32_t p = 0; p < c->arity; p++) {
		if (!coeffs[p] || dom_size(n, scope[p]) == 1)
			continue;
		struct reach t = term(n, scope[p], coeffs[p]);
		int64_t rest_low = all.low - t.low, rest_high = all.high - t.high;
		if (low - rest_high <= t.low && high - rest_low >= t.high)
			continue;
		if (!restrict_term(n, scope[p], coeffs[p], low - rest_high, high - rest_low))
			return false;
		struct reach now = term(n, scope[p], coeffs[p]);
		all.low += now.low - t.low;
		all.high += now.high - t.high;
	}
	return true;
}

bool sum_propagate(struct csp *n, const struct con *c, const struct sum *s)
{
	assert(c->scope + c->arity <= n->scopes.n);
	return propagate_as(n, c, s->coeffs, s->relation, s->k);
}

/* ---- as part of another constraint ---- */

/* Do two variables have a value in common? Asked where they are few. */
static bool share_value(const struct csp *n, uint32_t x, uint32_t y)
{
	assert(x < n->vars.n);
	assert(y < n->vars.n);
	if (csp_wide(n, x) || csp_wide(n, y))
		return true;
	DOM_EACH (i, n, x)
		if (has_value(n, y, csp_value(n, x, (uint32_t)i)))
			return true;
	return false;
}

/* Is the sum surely not k, although k is within its bounds? Seen for one variable, and for x = y. */
static bool misses(const struct csp *n, const struct con *c, const struct sum *s)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const uint32_t *x = con_scope(n, c);
	if (c->arity == 1 && s->coeffs[0])
		return s->k % s->coeffs[0] || !has_value(n, x[0], s->k / s->coeffs[0]);
	return c->arity == 2 && !s->k && s->coeffs[0] == -s->coeffs[1] && s->coeffs[0] && dom_size(n, x[0]) <= 64 &&
	       !share_value(n, x[0], x[1]);
}

static enum expr_truth truth(struct csp *n, const struct con *c)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct sum *s = c->record;
	struct reach all = reach(n, c, s->coeffs);
	bool low = compare_values(all.low, s->relation, s->k), high = compare_values(all.high, s->relation, s->k);
	if (s->relation != CSP_EQ && s->relation != CSP_NE)
		return low == high ? low ? EXPR_TRUE : EXPR_FALSE : EXPR_OPEN;
	bool apart = all.low > s->k || all.high < s->k || (all.low != all.high && misses(n, c, s));
	if (!apart && all.low != all.high)
		return EXPR_OPEN;
	return apart == (s->relation == CSP_NE) ? EXPR_TRUE : EXPR_FALSE;
}

static const enum csp_relation opposite[] = {CSP_GE, CSP_GT, CSP_LT, CSP_LE, CSP_EQ, CSP_NE};

static bool deny(struct csp *n, const struct con *c)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct sum *s = c->record;
	return propagate_as(n, c, s->coeffs, opposite[s->relation], s->k);
}

static bool propagate(struct csp *n, uint32_t c)
{
	assert(c < n->cons.n);
	return sum_propagate(n, &n->cons.at[c], n->cons.at[c].record);
}

/* ---- checking, symmetry, XCSP3 ---- */

static bool holds(struct csp *n, const struct con *c, const uint32_t *at)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct sum *s = c->record;
	int64_t sum = 0;
	for (uint32_t p = 0; p < c->arity; p++)
		sum += s->coeffs[p] * value_at(n, c, at, p);
	return compare_values(sum, s->relation, s->k);
}

void sum_graph(struct symmetry_graph *m, const struct con *c, const struct sum *s)
{
	assert(c->scope + c->arity <= m->n->scopes.n);
	symmetry_graph_sum(m, con_scope(m->n, c), s->coeffs, c->arity, WEIGH_SUM, s->relation, s->k);
}

static bool graph(struct symmetry_graph *m, const struct con *c, bool once)
{
	assert(c->scope + c->arity <= m->n->scopes.n);
	sum_graph(m, c, c->record);
	return true;
}

static void write_xml(const struct csp *n, const struct con *c, struct text *out)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct sum *s = c->record;
	xml_list(n, "list", con_scope(n, c), c->arity, out);
	xml_numbers("coeffs", s->coeffs, c->arity, out);
	xml_condition(n, s->relation, s->k, CSP_NONE, out);
}

/* Coefficients that are variables: products take their places. */
static void weigh_by_variables(struct xcsp *r, xmlNode *coeffs)
{
	x_refs(r, x_text(r, coeffs), &r->more);
	vec_clear(&r->ints);
	if (r->more.n != r->vars.n)
		x_fail(r, "sum: %zu variables, %zu coefficients", r->vars.n, r->more.n);
	uint32_t *by = arena_copy(&r->text, r->more.at, r->more.n * sizeof *by);
	for (size_t i = 0; i < r->vars.n; i++) {
		uint32_t args[2] = {csp_expr_var(r->n, by[i]), csp_expr_var(r->n, r->vars.at[i])};
		r->vars.at[i] = x_define(r, csp_expr(r->n, CSP_OP_MUL, args, 2));
		vec_push(&r->ints, 1);
	}
}

/* Numbers may be written 3x5; a word that begins with a letter is a variable. */
static bool names_variables(const char *s)
{
	for (bool inside = false; *s; s++) {
		bool blank = strchr(" \t\r\n", *s) != NULL;
		if (!inside && !blank && !strchr("0123456789+-", *s))
			return true;
		inside = !blank;
	}
	return false;
}

static void read_xml(struct xcsp *r, xmlNode *e)
{
	assert(e->type == XML_ELEMENT_NODE);
	xmlNode *coeffs = x_child(e, "coeffs");
	struct condition c = x_condition(r, e);
	x_refs(r, x_text(r, x_need(r, e, "list")), &r->vars);
	if (!r->vars.n)
		x_fail(r, "sum over no variable");
	if (coeffs && names_variables(x_text(r, coeffs)))
		weigh_by_variables(r, coeffs);
	else
		x_coefficients(r, coeffs);
	if (r->ints.n != r->vars.n)
		x_fail(r, "sum: %zu variables, %zu coefficients", r->vars.n, r->ints.n);
	x_post_sum(r, &c);
}

/* ---- explanations ---- */

bool sum_linear(const struct con *c, struct linear *out)
{
	const struct sum *s = c->record;
	if (c->kind != CSP_SUM)
		return false;
	*out = (struct linear){s->coeffs, s->relation, s->k};
	return true;
}

/* The sum is seen as one of terms sign * coeff * x that must be at most k: why was that too much? */
struct account {
	struct csp *n;
	const uint32_t *scope;
	const int64_t *coeffs;
	uint32_t arity, skip; /* position of the variable that is asked about, or CSP_NONE */
	int sign;
	uint32_t time;
};

/* The least index that the term can have had at the time (a greatest one, where the coefficient is negative), or at the
 * root. */
static uint32_t end_index(const struct account *a, uint32_t p, bool root)
{
	assert(p < a->arity);
	uint32_t x = a->scope[p];
	bool low = (a->sign * a->coeffs[p]) > 0;
	if (root)
		return low ? a->n->learn->root_low[x] : a->n->learn->root_high[x];
	return low ? learn_low(a->n, x, a->time) : learn_high(a->n, x, a->time);
}

static int64_t least_term(const struct account *a, uint32_t p, bool root)
{
	assert(p < a->arity);
	return a->sign * a->coeffs[p] * csp_value(a->n, a->scope[p], end_index(a, p, root));
}

/* A bound weaker by what the slack allows. */
static void weaken(const struct account *a, uint32_t p, int64_t *slack)
{
	assert(p < a->arity);
	int64_t c = a->sign * a->coeffs[p], v = csp_value(a->n, a->scope[p], end_index(a, p, false));
	uint32_t x = a->scope[p], i = end_index(a, p, false);
	int64_t room = *slack / (c < 0 ? -c : c);
	if (room && a->n->vars.at[x].vals == CSP_NONE) {
		i = (uint32_t)(c > 0 ? i - room : i + room);
		*slack -= room * (c < 0 ? -c : c);
	} else if (room) {
		uint32_t next = c > 0 ? i - 1 : i + 1;
		int64_t step = csp_value(a->n, x, next) - v;
		if ((step < 0 ? -step : step) <= room) {
			i = next;
			*slack -= (step < 0 ? -step : step) * (c < 0 ? -c : c);
		}
	}
	reason_add(a->n, atom(x, c > 0 ? ATOM_GE : ATOM_LE, i));
}

/* Bounds whose terms add up to more than is needed by the slack: what it covers is left out. */
static void account_for(const struct account *a, int64_t slack)
{
	uint32_t first = CSP_NONE;
	for (uint32_t p = 0; p < a->arity; p++) {
		if (p == a->skip || !a->coeffs[p])
			continue;
		int64_t gain = least_term(a, p, false) - least_term(a, p, true);
		if (gain <= slack)
			slack -= gain;
		else if (first == CSP_NONE)
			first = p;
		else
			reason_add(a->n,
			           atom(a->scope[p], (a->sign * a->coeffs[p]) > 0 ? ATOM_GE : ATOM_LE, end_index(a, p, false)));
	}
	if (first != CSP_NONE)
		weaken(a, first, &slack);
}

/* All terms but one at their least are more than k; 0: what is asked about is the failure. */
static bool too_much(struct account *a, int64_t k, int64_t own)
{
	int64_t sum = own;
	for (uint32_t p = 0; p < a->arity; p++)
		if (p != a->skip)
			sum += least_term(a, p, false);
	if (sum <= k)
		return false;
	account_for(a, sum - k - 1);
	return true;
}

/* x differs from the one value that the others leave it, or all are fixed and miss the relation. */
static bool all_fixed(struct csp *n, const struct account *a, const struct question *q)
{
	for (uint32_t p = 0; p < a->arity; p++) {
		if (p == a->skip || !a->coeffs[p])
			continue;
		if (learn_low(n, a->scope[p], q->time) != learn_high(n, a->scope[p], q->time))
			return false;
		reason_fixed(n, a->scope[p], q->time);
	}
	if (a->skip != CSP_NONE && atom_op(q->what) != ATOM_NE) /* a bound has moved by one */
		reason_add(n, atom(a->scope[a->skip], atom_op(q->what), q->old));
	return true;
}

/* At which position is the variable asked about? False: at several. */
static bool position_of(const struct csp *n, const struct con *c, uint32_t x, uint32_t *found)
{
	assert(x < n->vars.n);
	assert(c->scope + c->arity <= n->scopes.n);
	*found = CSP_NONE;
	for (uint32_t p = 0; p < c->arity; p++)
		if (con_scope(n, c)[p] == x) {
			if (*found != CSP_NONE)
				return false;
			*found = p;
		}
	return *found != CSP_NONE;
}

/* a x + b y = k value by value: those of x that are gone had no partner. */
static bool explain_pair(struct csp *n, const struct account *a, int64_t k, const struct question *q)
{
	uint32_t p = a->skip, x = a->scope[p], y = a->scope[!p];
	enum atom_op op = atom_op(q->what);
	uint32_t from = op == ATOM_GE ? q->old : op == ATOM_LE ? q->what.i + 1 : q->what.i;
	uint32_t to = op == ATOM_GE ? q->what.i - 1 : op == ATOM_LE ? q->old : q->what.i;
	if (csp_wide(n, x) || csp_wide(n, y) || to - from > FEW_VALUES)
		return false;
	for (uint32_t i = from; i <= to && to != UINT32_MAX; i++) {
		int64_t v = a->coeffs[!p] * (k - a->coeffs[p] * csp_value(n, x, i));
		uint32_t j = csp_index(n, y, v);
		if (j != CSP_NONE && learn_has(n, y, j, q->time)) {
			if (learn_has(n, x, i, q->time))
				return false;
			reason_gone(n, x, i, q->time);
		} else if (j != CSP_NONE) {
			reason_gone(n, y, j, q->time);
		}
	}
	if (op != ATOM_NE)
		reason_add(n, atom(x, op, q->old));
	return true;
}

static bool explain_as(struct csp *n, const struct con *c, const int64_t *coeffs, enum csp_relation r, int64_t k,
                       const struct question *q)
{
	assert(c->scope + c->arity <= n->scopes.n);
	struct account a = {n, con_scope(n, c), coeffs, c->arity, CSP_NONE, 1, q->time};
	size_t mark = n->learn->reasons.n;
	if (!q->failure && !position_of(n, c, atom_var(q->what), &a.skip))
		return false;
	if (r == CSP_NE)
		return all_fixed(n, &a, q);
	if (r == CSP_EQ && !q->failure && c->arity == 2 && is_unit(coeffs[0]) && is_unit(coeffs[1]) &&
	    explain_pair(n, &a, k, q))
		return true;
	n->learn->reasons.n = mark;
	int64_t high = r == CSP_LT ? k - 1 : k, low = r == CSP_GT ? k + 1 : k;
	bool up = r == CSP_LT || r == CSP_LE || r == CSP_EQ, down = r == CSP_GT || r == CSP_GE || r == CSP_EQ;
	if (q->failure) {
		if (up && too_much(&a, high, 0))
			return true;
		a.sign = -1;
		return down && too_much(&a, -low, 0);
	}
	enum atom_op op = atom_op(q->what);
	int64_t coeff = coeffs[a.skip];
	uint32_t x = atom_var(q->what);
	if (op == ATOM_NE || !coeff)
		return false;
	bool upper = (coeff > 0) == (op == ATOM_LE);
	int64_t beyond = csp_value(n, x, op == ATOM_LE ? q->what.i + 1 : q->what.i - 1); /* what is excluded */
	a.sign = upper ? 1 : -1;
	if (upper ? !up : !down)
		return false;
	return too_much(&a, upper ? high : -low, a.sign * coeff * beyond);
}

bool sum_explain(struct csp *n, const struct con *c, bool denied, const struct question *q)
{
	assert(c->scope + c->arity <= n->scopes.n);
	const struct sum *s = c->record;
	return explain_as(n, c, s->coeffs, denied ? opposite[s->relation] : s->relation, s->k, q);
}

bool sum_explain_linear(struct csp *n, const struct con *c, const struct sum *s, const struct question *q)
{
	assert(c->scope + c->arity <= n->scopes.n);
	return explain_as(n, c, s->coeffs, s->relation, s->k, q);
}

static bool explain(struct csp *n, const struct con *c, const struct question *q)
{
	assert(c->scope + c->arity <= n->scopes.n);
	return sum_explain(n, c, false, q);
}

const struct kind kind_sum = {.propagate = propagate,
                              .holds = holds,
                              .truth = truth,
                              .deny = deny,
                              .explain = explain,
                              .write = write_xml,
                              .read = read_xml,
                              .graph = graph};
