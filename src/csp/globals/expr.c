/* Expression trees: building, exact evaluation, and evaluation over intervals.
 *
 * Intervals are sound for every operator, and exact once all variables have one
 * value. An interval with low > high means undefined (division by zero, relational
 * semantics: the nearest comparison is false). */
#include "csp/csp_internal.h"

#include <assert.h>

#define HUGE_VALUE ((int64_t)1 << 61)

static const struct {
	const char *name;
	uint32_t least, most;
} operators[] = {
#define X(id, name, least, most) {name, least, most},
	CSP_OPERATORS(X)
#undef X
};

/* ---- building ---- */

#define MAX_DEPTH 10000 /* trees are walked on the stack */

uint32_t csp_expr_const(struct csp *n, int64_t value)
{
	if (value == INT64_MIN)
		return net_refuse(n, "a constant is out of range");
	vec_push(&n->nodes, (struct node){.op = CSP_OP_CONST, .value = value});
	return narrow32(n->nodes.n) - 1;
}

uint32_t csp_expr_var(struct csp *n, uint32_t x)
{
	if (x >= n->vars.n)
		return net_refuse(n, "no variable number %u", x);
	vec_push(&n->nodes, (struct node){.op = CSP_OP_VAR, .value = x});
	return narrow32(n->nodes.n) - 1;
}

uint32_t csp_expr(struct csp *n, enum csp_operator op, const uint32_t *args, size_t count)
{
	if (op <= CSP_OP_VAR || op >= CSP_OP_COUNT)
		return net_refuse(n, "no such operator");
	if (count < operators[op].least || (operators[op].most && count > operators[op].most))
		return net_refuse(n, "%s with %zu arguments", operators[op].name, count);
	uint16_t depth = 0;
	for (size_t i = 0; i < count; i++) {
		if (args[i] >= n->nodes.n)
			return net_refuse(n, "there is no such expression");
		bool set = n->nodes.at[args[i]].op == CSP_OP_SET, wants = (op == CSP_OP_IN || op == CSP_OP_NOTIN) && i == 1;
		if (set != wants)
			return net_refuse(n, "%s: %s", operators[op].name, set ? "a set is out of place" : "a set is needed");
		if (n->nodes.at[args[i]].depth >= depth)
			depth = n->nodes.at[args[i]].depth + 1;
	}
	if (depth > MAX_DEPTH)
		return net_refuse(n, "an expression that is more than %d deep", MAX_DEPTH);
	struct node d = {.op = (uint16_t)op, .depth = depth, .count = (uint32_t)count, .args = narrow32(n->args.n)};
	for (size_t i = 0; i < count; i++)
		vec_push(&n->args, args[i]);
	vec_push(&n->nodes, d);
	return narrow32(n->nodes.n) - 1;
}

/* ---- exact evaluation ---- */

static int64_t power(int64_t b, int64_t e)
{
	int64_t r = 1;
	while (e-- > 0)
		if (__builtin_mul_overflow(r, b, &r))
			return b < 0 && e % 2 == 0 ? -HUGE_VALUE : HUGE_VALUE;
	return r;
}

static bool in_set(struct csp *n, uint32_t set, const int64_t *values, int64_t v)
{
	struct node d = n->nodes.at[set];
	for (uint32_t i = 0; i < d.count; i++) {
		int64_t w;
		if (csp_expr_eval(n, n->args.at[d.args + i], values, &w) && w == v)
			return true;
	}
	return false;
}

static bool eval_binary(uint16_t op, int64_t a, int64_t b, int64_t *out)
{
	switch (op) {
	case CSP_OP_SUB: *out = a - b; return true;
	case CSP_OP_DIV: return b && (*out = a / b, true);
	case CSP_OP_MOD: return b && (*out = a % b, true);
	case CSP_OP_POW: return b >= 0 && (*out = power(a, b), true);
	default: *out = a > b ? a - b : b - a; return true; /* DIST */
	}
}

static bool eval_compare(struct csp *n, const struct node *d, const int64_t *values)
{
	assert(d->args + d->count <= n->args.n);
	int64_t a, b;
	for (uint32_t i = 0; i + 1 < d->count; i++) {
		if (!csp_expr_eval(n, n->args.at[d->args + i], values, &a) ||
		    !csp_expr_eval(n, n->args.at[d->args + i + 1], values, &b))
			return false;
		bool ok = d->op == CSP_OP_LT   ? a < b
		          : d->op == CSP_OP_LE ? a <= b
		          : d->op == CSP_OP_GE ? a >= b
		          : d->op == CSP_OP_GT ? a > b
		          : d->op == CSP_OP_NE ? a != b
		                               : a == b;
		if (!ok)
			return false;
	}
	return true;
}

static bool is_logic(uint16_t op)
{
	return op == CSP_OP_AND || op == CSP_OP_OR || op == CSP_OP_XOR || op == CSP_OP_IFF;
}

/* Operators of any number of arguments, from left to right. */
static bool eval_fold(struct csp *n, const struct node *d, const int64_t *values, int64_t *out)
{
	assert(d->args + d->count <= n->args.n);
	int64_t a = 0, b = 0;
	bool all_alike = true;
	for (uint32_t i = 0; i < d->count; i++) {
		if (!csp_expr_eval(n, n->args.at[d->args + i], values, &a))
			return false;
		if (is_logic(d->op))
			a = a != 0;
		if (!i) {
			b = a;
			continue;
		}
		switch (d->op) {
		case CSP_OP_ADD: b += a; break;
		case CSP_OP_MUL: b *= a; break;
		case CSP_OP_MIN: b = a < b ? a : b; break;
		case CSP_OP_MAX: b = a > b ? a : b; break;
		case CSP_OP_AND: b &= a; break;
		case CSP_OP_OR: b |= a; break;
		case CSP_OP_XOR: b ^= a; break;
		default: all_alike = all_alike && a == b; break; /* IFF */
		}
	}
	*out = d->op == CSP_OP_IFF ? all_alike : b;
	return true;
}

bool csp_expr_eval(struct csp *n, uint32_t root, const int64_t *values, int64_t *out)
{
	assert(root < n->nodes.n);
	const struct node d = n->nodes.at[root];
	const uint32_t *args = n->args.at + d.args;
	int64_t a = 0, b = 0;
	switch ((enum csp_operator)d.op) {
	case CSP_OP_CONST: *out = d.value; return true;
	case CSP_OP_VAR: *out = values[d.position]; return true;
	case CSP_OP_NEG: return csp_expr_eval(n, args[0], values, &a) && (*out = -a, true);
	case CSP_OP_ABS: return csp_expr_eval(n, args[0], values, &a) && (*out = a < 0 ? -a : a, true);
	case CSP_OP_SQR: return csp_expr_eval(n, args[0], values, &a) && (*out = a * a, true);
	case CSP_OP_NOT: return csp_expr_eval(n, args[0], values, &a) && (*out = !a, true);
	case CSP_OP_SUB:
	case CSP_OP_DIV:
	case CSP_OP_MOD:
	case CSP_OP_POW:
	case CSP_OP_DIST:
		return csp_expr_eval(n, args[0], values, &a) && csp_expr_eval(n, args[1], values, &b) &&
		       eval_binary(d.op, a, b, out);
	case CSP_OP_LT:
	case CSP_OP_LE:
	case CSP_OP_GE:
	case CSP_OP_GT:
	case CSP_OP_NE:
	case CSP_OP_EQ: *out = eval_compare(n, &d, values); return true;
	case CSP_OP_IMP:
		if (!csp_expr_eval(n, args[0], values, &a) || !csp_expr_eval(n, args[1], values, &b))
			return false;
		*out = !a || b;
		return true;
	case CSP_OP_IF: return csp_expr_eval(n, args[0], values, &a) && csp_expr_eval(n, args[a ? 1 : 2], values, out);
	case CSP_OP_IN:
	case CSP_OP_NOTIN:
		*out = csp_expr_eval(n, args[0], values, &a) && in_set(n, args[1], values, a) == (d.op == CSP_OP_IN);
		return true;
	case CSP_OP_ADD:
	case CSP_OP_MUL:
	case CSP_OP_MIN:
	case CSP_OP_MAX:
	case CSP_OP_AND:
	case CSP_OP_OR:
	case CSP_OP_XOR:
	case CSP_OP_IFF: return eval_fold(n, &d, values, out);
	default: return false;
	}
}

/* ---- intervals ---- */

static const struct csp_bounds nothing = {1, 0}, truth = {1, 1}, falsity = {0, 0}, either = {0, 1};

static bool undefined(struct csp_bounds b)
{
	return b.low > b.high;
}

static int64_t clamp(__int128 v)
{
	return v > HUGE_VALUE ? HUGE_VALUE : v < -HUGE_VALUE ? -HUGE_VALUE : (int64_t)v;
}

static struct csp_bounds span(__int128 a, __int128 b)
{
	return (struct csp_bounds){clamp(a < b ? a : b), clamp(a < b ? b : a)};
}

static struct csp_bounds hull(struct csp_bounds a, struct csp_bounds b)
{
	if (undefined(a) || undefined(b))
		return undefined(a) ? b : a;
	return (struct csp_bounds){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static struct csp_bounds times(struct csp_bounds a, struct csp_bounds b)
{
	return hull(span((__int128)a.low * b.low, (__int128)a.low * b.high),
	            span((__int128)a.high * b.low, (__int128)a.high * b.high));
}

static struct csp_bounds divide(struct csp_bounds a, struct csp_bounds b)
{
	struct csp_bounds r = nothing; /* the divisor's positive and negative parts apart */
	if (b.high > 0) {
		int64_t low = b.low > 1 ? b.low : 1;
		r = hull(span(a.low / low, a.low / b.high), span(a.high / low, a.high / b.high));
	}
	if (b.low < 0) {
		int64_t high = b.high < -1 ? b.high : -1;
		r = hull(r, hull(span(a.low / high, a.low / b.low), span(a.high / high, a.high / b.low)));
	}
	return r;
}

static struct csp_bounds modulo(struct csp_bounds a, struct csp_bounds b)
{
	if (b.low == 0 && b.high == 0)
		return nothing;
	if (a.low == a.high && b.low == b.high)
		return (struct csp_bounds){a.low % b.low, a.low % b.low};
	int64_t m = -b.low > b.high ? -b.low : b.high; /* |result| < m, sign of a */
	struct csp_bounds r = {a.low < 0 ? -(m - 1) : 0, a.high > 0 ? m - 1 : 0};
	r.low = r.low < a.low ? (a.low < 0 ? a.low : 0) : r.low;
	r.high = r.high > a.high ? (a.high > 0 ? a.high : 0) : r.high;
	return r;
}

static struct csp_bounds raise(struct csp_bounds a, struct csp_bounds b)
{
	if (b.high < 0)
		return nothing;
	int64_t e0 = b.low < 0 ? 0 : b.low, e1 = b.high > 64 ? 64 : b.high;
	if (a.low == a.high && e0 == b.high && e0 == e1)
		return (struct csp_bounds){power(a.low, e0), power(a.low, e0)};
	struct csp_bounds r =
		hull(hull(span(power(a.low, e0), power(a.high, e0)), span(power(a.low, e1), power(a.high, e1))), either);
	int64_t m = r.high > -r.low ? r.high : -r.low;
	return a.low < 0 ? (struct csp_bounds){-m, m} : r;
}

static struct csp_bounds logic(bool can_false, bool can_true)
{
	return can_false && can_true ? either : can_true ? truth : can_false ? falsity : nothing;
}

static bool may_true(struct csp_bounds b)
{
	return !undefined(b) && (b.low != 0 || b.high != 0);
}

static bool may_false(struct csp_bounds b)
{
	return !undefined(b) && b.low <= 0 && b.high >= 0;
}

static struct csp_bounds compare(uint16_t op, struct csp_bounds a, struct csp_bounds b)
{
	switch (op) {
	case CSP_OP_LT: return logic(a.high >= b.low, a.low < b.high);
	case CSP_OP_LE: return logic(a.high > b.low, a.low <= b.high);
	case CSP_OP_GE: return logic(a.low < b.high, a.high >= b.low);
	case CSP_OP_GT: return logic(a.low <= b.high, a.high > b.low);
	default: {
		bool can_equal = a.low <= b.high && b.low <= a.high;
		bool can_differ = a.low != a.high || b.low != b.high || a.low != b.low;
		return op == CSP_OP_EQ ? logic(can_differ, can_equal) : logic(can_equal, can_differ);
	}
	}
}

struct probe { /* x is assumed in [low, high]; the others are where they are */
	uint32_t x;
	struct csp_bounds at;
	bool initial; /* bounds of the domains when created, not now */
	bool overflow;
};

static struct csp_bounds bounds_of(struct csp *n, uint32_t e, struct probe *k);

/* A division by zero inside may or may not happen: is the value sure to exist? */
static bool surely_defined(struct csp *n, uint32_t e, struct probe *k)
{
	assert(e < n->nodes.n);
	struct node d = n->nodes.at[e];
	if (d.op >= CSP_OP_LT && d.op <= CSP_OP_EQ)
		return true;
	if (d.op == CSP_OP_DIV || d.op == CSP_OP_MOD || d.op == CSP_OP_POW) {
		struct csp_bounds b = bounds_of(n, n->args.at[d.args + 1], k);
		if (d.op == CSP_OP_POW ? b.low < 0 : b.low <= 0 && b.high >= 0)
			return false;
	}
	for (uint32_t i = 0; i < d.count; i++)
		if (!surely_defined(n, n->args.at[d.args + i], k))
			return false;
	return true;
}

static struct csp_bounds bounds_compare(struct csp *n, const struct node *d, struct probe *k)
{
	assert(d->args + d->count <= n->args.n);
	bool can_true = true, can_false = false;
	for (uint32_t i = 0; i + 1 < d->count; i++) {
		uint32_t a = n->args.at[d->args + i], b = n->args.at[d->args + i + 1];
		struct csp_bounds l = bounds_of(n, a, k), r = bounds_of(n, b, k);
		if (undefined(l) || undefined(r))
			return falsity;
		struct csp_bounds v = compare(d->op, l, r);
		can_true &= may_true(v);
		can_false |= may_false(v) || !surely_defined(n, a, k) || !surely_defined(n, b, k);
	}
	return logic(can_false, can_true);
}

static struct csp_bounds bounds_in(struct csp *n, const struct node *d, struct probe *k)
{
	assert(d->args + d->count <= n->args.n);
	struct csp_bounds a = bounds_of(n, n->args.at[d->args], k);
	struct node set = n->nodes.at[n->args.at[d->args + 1]];
	if (undefined(a))
		return falsity;
	bool can_in = false, can_out = a.low != a.high || !set.count, sure = false;
	for (uint32_t i = 0; i < set.count; i++) {
		struct csp_bounds b = bounds_of(n, n->args.at[set.args + i], k);
		can_in |= !undefined(b) && a.low <= b.high && b.low <= a.high;
		sure |= !undefined(b) && a.low == a.high && b.low == b.high && a.low == b.low;
	}
	can_out = !sure;
	bool maybe_undefined = !surely_defined(n, n->args.at[d->args], k);
	return d->op == CSP_OP_IN ? logic(can_out || maybe_undefined, can_in) : logic(can_in || maybe_undefined, can_out);
}

/* Folds of two intervals. */
static struct csp_bounds join(uint16_t op, struct csp_bounds a, struct csp_bounds b)
{
	switch (op) {
	case CSP_OP_ADD: return span((__int128)a.low + b.low, (__int128)a.high + b.high);
	case CSP_OP_MUL: return times(a, b);
	case CSP_OP_MIN: return (struct csp_bounds){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
	case CSP_OP_MAX: return (struct csp_bounds){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
	case CSP_OP_AND: return logic(may_false(a) || may_false(b), may_true(a) && may_true(b));
	case CSP_OP_OR: return logic(may_false(a) && may_false(b), may_true(a) || may_true(b));
	case CSP_OP_XOR:
		return logic((may_true(a) && may_true(b)) || (may_false(a) && may_false(b)),
		             (may_true(a) && may_false(b)) || (may_false(a) && may_true(b)));
	default: return nothing;
	}
}

/* iff: all arguments are true, or all are false. */
static struct csp_bounds bounds_iff(struct csp *n, const struct node *d, struct probe *k)
{
	assert(d->args + d->count <= n->args.n);
	bool all_true = true, all_false = true, some_true = false, some_false = false;
	for (uint32_t i = 0; i < d->count; i++) {
		struct csp_bounds a = bounds_of(n, n->args.at[d->args + i], k);
		if (undefined(a))
			return nothing;
		all_true &= may_true(a);
		all_false &= may_false(a);
		some_true |= may_true(a);
		some_false |= may_false(a);
	}
	return logic(some_true && some_false, all_true || all_false);
}

static struct csp_bounds bounds_of2(struct csp *n, const struct node *d, struct probe *k)
{
	assert(d->args + d->count <= n->args.n);
	const uint32_t *args = n->args.at + d->args;
	struct csp_bounds a = bounds_of(n, args[0], k), b = bounds_of(n, args[1], k);
	if (undefined(a) || undefined(b))
		return nothing;
	switch (d->op) {
	case CSP_OP_SUB: return span((__int128)a.low - b.high, (__int128)a.high - b.low);
	case CSP_OP_DIV: return divide(a, b);
	case CSP_OP_MOD: return modulo(a, b);
	case CSP_OP_POW: return raise(a, b);
	case CSP_OP_IMP: return logic(may_true(a) && may_false(b), may_false(a) || may_true(b));
	default: { /* DIST */
		struct csp_bounds s = span((__int128)a.low - b.high, (__int128)a.high - b.low);
		int64_t low = s.low > 0 ? s.low : s.high < 0 ? -s.high : 0;
		return (struct csp_bounds){low, s.high > -s.low ? s.high : -s.low};
	}
	}
}

static struct csp_bounds bounds_var(struct csp *n, uint32_t x, struct probe *k)
{
	assert(x < n->vars.n);
	const struct var *v = &n->vars.at[x];
	if (x == k->x)
		return k->at;
	if (k->initial)
		return (struct csp_bounds){var_value(n, v, 0), var_value(n, v, v->count - 1)};
	return (struct csp_bounds){dom_min(n, x), dom_max(n, x)};
}

static struct csp_bounds magnitude(struct csp_bounds a)
{
	if (undefined(a) || a.low >= 0)
		return a;
	return a.high <= 0 ? (struct csp_bounds){-a.high, -a.low}
	                   : (struct csp_bounds){0, -a.low > a.high ? -a.low : a.high};
}

static struct csp_bounds square(struct csp_bounds a)
{
	if (undefined(a))
		return a;
	struct csp_bounds low = {a.low, a.low}, high = {a.high, a.high};
	return a.low <= 0 && a.high >= 0 ? hull(falsity, hull(times(low, low), times(high, high))) : times(a, a);
}

static struct csp_bounds bounds_if(struct csp *n, const uint32_t *args, struct probe *k)
{
	struct csp_bounds a = bounds_of(n, args[0], k), r = nothing;
	if (may_true(a))
		r = hull(r, bounds_of(n, args[1], k));
	if (may_false(a))
		r = hull(r, bounds_of(n, args[2], k));
	return r;
}

static struct csp_bounds bounds_fold(struct csp *n, const struct node *d, struct probe *k)
{
	assert(d->args + d->count <= n->args.n);
	struct csp_bounds r = nothing;
	for (uint32_t i = 0; i < d->count; i++) {
		struct csp_bounds a = bounds_of(n, n->args.at[d->args + i], k);
		if (undefined(a))
			return nothing;
		if (is_logic(d->op))
			a = logic(may_false(a), may_true(a));
		r = i ? join(d->op, r, a) : a;
	}
	return r;
}

static struct csp_bounds bounds_node(struct csp *n, const struct node *d, struct probe *k)
{
	assert(d->args + d->count <= n->args.n);
	const uint32_t *args = n->args.at + d->args;
	struct csp_bounds a;
	switch ((enum csp_operator)d->op) {
	case CSP_OP_CONST: return (struct csp_bounds){d->value, d->value};
	case CSP_OP_VAR: return bounds_var(n, (uint32_t)d->value, k);
	case CSP_OP_NEG: a = bounds_of(n, args[0], k); return undefined(a) ? a : (struct csp_bounds){-a.high, -a.low};
	case CSP_OP_ABS: return magnitude(bounds_of(n, args[0], k));
	case CSP_OP_SQR: return square(bounds_of(n, args[0], k));
	case CSP_OP_NOT: a = bounds_of(n, args[0], k); return logic(may_true(a), may_false(a));
	case CSP_OP_LT:
	case CSP_OP_LE:
	case CSP_OP_GE:
	case CSP_OP_GT:
	case CSP_OP_NE:
	case CSP_OP_EQ: return bounds_compare(n, d, k);
	case CSP_OP_IN:
	case CSP_OP_NOTIN: return bounds_in(n, d, k);
	case CSP_OP_IF: return bounds_if(n, args, k);
	case CSP_OP_IFF: return bounds_iff(n, d, k);
	case CSP_OP_SUB:
	case CSP_OP_DIV:
	case CSP_OP_MOD:
	case CSP_OP_POW:
	case CSP_OP_DIST:
	case CSP_OP_IMP: return bounds_of2(n, d, k);
	default: break;
	}
	return bounds_fold(n, d, k);
}

static struct csp_bounds bounds_of(struct csp *n, uint32_t e, struct probe *k)
{
	assert(e < n->nodes.n);
	struct node d = n->nodes.at[e];
	struct csp_bounds b = bounds_node(n, &d, k);
	if (!undefined(b) && (b.low <= -HUGE_VALUE || b.high >= HUGE_VALUE))
		k->overflow = true;
	return b;
}

bool expr_safe(struct csp *n, uint32_t root)
{
	assert(root < n->nodes.n);
	struct probe k = {.x = CSP_NONE, .initial = true};
	bounds_of(n, root, &k);
	return !k.overflow;
}

bool expr_total(struct csp *n, uint32_t root)
{
	assert(root < n->nodes.n);
	struct probe k = {.x = CSP_NONE, .initial = true};
	return surely_defined(n, root, &k);
}

struct csp_bounds csp_expr_bounds(struct csp *n, uint32_t e)
{
	assert(e < n->nodes.n);
	struct probe k = {.x = CSP_NONE};
	return bounds_of(n, e, &k);
}

bool expr_can_hold(struct csp *n, uint32_t root, uint32_t x, int64_t low, int64_t high)
{
	assert(x < n->vars.n);
	assert(root < n->nodes.n);
	struct probe k = {.x = x, .at = {low, high}};
	return may_true(bounds_of(n, root, &k));
}

enum expr_truth expr_truth(struct csp *n, uint32_t root)
{
	struct probe k = {.x = CSP_NONE};
	struct csp_bounds all = bounds_of(n, root, &k);
	if (!may_true(all))
		return EXPR_FALSE;
	return !may_false(all) && surely_defined(n, root, &k) ? EXPR_TRUE : EXPR_OPEN;
}

struct csp_node csp_expr_node(const struct csp *n, uint32_t e)
{
	assert(e < n->nodes.n);
	const struct node *d = &n->nodes.at[e];
	return (struct csp_node){d->op, d->value, d->position, d->count, n->args.at + d->args};
}
