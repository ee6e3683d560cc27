/* Recognising the positional form. See positional.h for what is looked for. */
#include "qcsp/positional.h"

#include <string.h>

struct look {
	struct qcsp *q;
	struct csp *n;
	struct classes k;
	struct pos_form *f;
	uint32_t moves;
	uint32_t *cell; /* variable -> cell, or CSP_NONE */
	uint32_t *flag; /* variable -> flag, or CSP_NONE */
	uint32_t var_of[POS_CELLS];
	int32_t *rank;        /* t_i */
	uint8_t *role;        /* of a constraint */
	uint32_t *value_cell; /* [move * cells + value index] */
	VEC(uint32_t) flags;  /* variables */
	VEC(uint32_t) trailing;
};
enum { ROLE_NONE, ROLE_CHANNEL, ROLE_ORDER, ROLE_FLAG, ROLE_TOP };

static bool check2(struct look *l, uint32_t c, uint32_t a, uint32_t b)
{
	return csp_check_at(l->n, c, (uint32_t[]){a, b});
}

/* The value whose class has no other member, while all others share one; CSP_NONE: not so. */
static uint32_t lone_value(struct look *l, uint32_t c, uint32_t p)
{
	const uint32_t *of = classes_of(&l->k, c, p);
	uint32_t count = csp_count(l->n, csp_scope(l->n, c)[p]), lone = CSP_NONE;
	if (count < 2)
		return CSP_NONE;
	uint32_t common = of[0] == of[1] ? of[0] : count > 2 ? of[2] : of[1];
	for (uint32_t i = 0; i < count; i++)
		if (of[i] != common) {
			if (lone != CSP_NONE)
				return CSP_NONE;
			lone = i;
		}
	return lone;
}

/* P = v <-> X = t? Classes make four checks enough. */
static bool channel(struct look *l, uint32_t c, uint32_t *move, uint32_t *state, uint32_t *v, uint32_t *t)
{
	if (csp_arity(l->n, c) != 2)
		return false;
	const uint32_t *s = csp_scope(l->n, c);
	uint32_t side = l->q->place[s[0]] == CSP_NONE; /* where the move is */
	if (l->q->place[s[side]] == CSP_NONE || l->q->place[s[!side]] != CSP_NONE)
		return false;
	uint32_t a = lone_value(l, c, 0), b = lone_value(l, c, 1);
	if (a == CSP_NONE || b == CSP_NONE)
		return false;
	uint32_t other_a = !a, other_b = !b;
	if (!check2(l, c, a, b) || check2(l, c, other_a, b) || check2(l, c, a, other_b) || !check2(l, c, other_a, other_b))
		return false;
	*move = l->q->place[s[side]];
	*state = s[!side];
	*v = side ? b : a;
	*t = side ? a : b;
	return true;
}

static const char *find_channels(struct look *l)
{
	uint32_t move = 0, x = 0, v = 0, t = 0;
	struct pos_form *f = l->f;
	for (uint32_t c = 0; c < csp_constraints(l->n); c++) {
		if (!channel(l, c, &move, &x, &v, &t))
			continue;
		l->role[c] = ROLE_CHANNEL;
		if (l->cell[x] == CSP_NONE) {
			if (f->cells == POS_CELLS)
				return "more than 64 cells";
			l->var_of[f->cells] = x;
			l->cell[x] = f->cells++;
		}
		if (move >= l->moves)
			l->moves = move + 1;
	}
	if (!f->cells || l->moves != f->cells)
		return "no moves bound to as many cells";
	l->rank = NEW_ARRAY(int32_t, l->moves);
	l->value_cell = mem_alloc(f->cells * l->moves, sizeof *l->value_cell);
	memset(l->value_cell, 0xff, (size_t)f->cells * l->moves * sizeof *l->value_cell);
	for (uint32_t i = 0; i < l->moves; i++)
		if (csp_count(l->n, l->q->sequence.at[i]) != f->cells)
			return "the values of a move are not those of the cells";
	bool *seen = NEW_ARRAY(bool, f->cells * l->moves), *ranked = NEW_ARRAY(bool, l->moves);
	const char *fault = NULL;
	for (uint32_t c = 0; c < csp_constraints(l->n) && !fault; c++) {
		if (l->role[c] != ROLE_CHANNEL)
			continue;
		channel(l, c, &move, &x, &v, &t);
		int32_t rank = csp_value(l->n, x, t);
		uint32_t *to = &l->value_cell[move * f->cells + v];
		if (ranked[move] && l->rank[move] != rank)
			fault = "a move has several ranks";
		ranked[move] = true;
		l->rank[move] = rank;
		if ((*to != CSP_NONE && *to != l->cell[x]) || seen[move * f->cells + l->cell[x]])
			fault = "a move's values and the cells are no bijection";
		seen[move * f->cells + l->cell[x]] = true;
		*to = l->cell[x];
	}
	for (uint32_t i = 0; i < f->cells * l->moves && !fault; i++)
		if (l->value_cell[i] == CSP_NONE || !seen[i])
			fault = "a move is not bound to every cell";
	for (uint32_t i = 1; i < l->moves && !fault; i++)
		if (l->rank[i] <= l->rank[i - 1])
			fault = "ranks do not grow with the moves";
	mem_free(seen);
	mem_free(ranked);
	return fault;
}

/* X_a < X_b, or the other way round, by trying all pairs of values. */
static bool ordering(struct look *l, uint32_t c, uint32_t *first, uint32_t *second)
{
	const uint32_t *s = csp_scope(l->n, c);
	if (csp_arity(l->n, c) != 2 || l->cell[s[0]] == CSP_NONE || l->cell[s[1]] == CSP_NONE)
		return false;
	bool less = true, more = true;
	for (uint32_t i = 0; i < csp_count(l->n, s[0]) && (less || more); i++)
		for (uint32_t j = 0; j < csp_count(l->n, s[1]) && (less || more); j++) {
			bool holds = check2(l, c, i, j);
			less = less && holds == (csp_value(l->n, s[0], i) < csp_value(l->n, s[1], j));
			more = more && holds == (csp_value(l->n, s[0], i) > csp_value(l->n, s[1], j));
		}
	*first = l->cell[s[less ? 0 : 1]];
	*second = l->cell[s[less ? 1 : 0]];
	return less || more;
}

/* The length of the longest chain of `before`, 0 when it has a cycle. */
static uint32_t height(const struct pos_form *f)
{
	uint64_t done = 0, all = f->cells == 64 ? ~UINT64_C(0) : (UINT64_C(1) << f->cells) - 1;
	uint32_t h = 0;
	while (done != all) {
		uint64_t next = done;
		for (uint32_t v = 0; v < f->cells; v++)
			if (!(f->before[v] & ~done))
				next |= UINT64_C(1) << v;
		if (next == done)
			return 0;
		done = next;
		h++;
	}
	return h;
}

/* Every constraint gets its role; flags are numbered. */
static const char *sort_constraints(struct look *l)
{
	for (uint32_t c = 0; c < csp_constraints(l->n); c++) {
		uint32_t a, b, others = CSP_NONE, states = 0, cells = 0;
		if (l->role[c] == ROLE_CHANNEL)
			continue;
		if (ordering(l, c, &a, &b)) {
			l->f->before[b] |= UINT64_C(1) << a;
			l->role[c] = ROLE_ORDER;
			continue;
		}
		for (uint32_t j = 0; j < csp_arity(l->n, c); j++) {
			uint32_t x = csp_scope(l->n, c)[j];
			if (l->q->place[x] != CSP_NONE && l->q->place[x] < l->moves)
				return "a constraint other than a binding mentions a move";
			if (l->cell[x] != CSP_NONE) {
				cells++;
			} else if (l->q->place[x] == CSP_NONE) {
				states++;
				others = x;
			}
		}
		l->role[c] = cells ? ROLE_FLAG : ROLE_TOP;
		if (!cells)
			continue;
		if (states != 1 || cells + 1 != csp_arity(l->n, c) || cells > 8)
			return "a constraint on cells that defines no flag";
		if (l->flag[others] != CSP_NONE)
			return "a flag with two definitions";
		l->flag[others] = narrow32(l->flags.n);
		vec_push(&l->flags, others);
	}
	return l->flags.n ? NULL : "no flags";
}

/* Value index of the cell's variable that stands for "taken by this side": the rank of one of its moves. */
static uint32_t taken_by(struct look *l, uint32_t x, int side)
{
	for (uint32_t i = 0; i < l->moves; i++)
		if (l->f->side[i] == side)
			return csp_index(l->n, x, l->rank[i]);
	return CSP_NONE;
}

/* In flag constraint c the values of position p have two meanings, one per side. */
static const char *two_sided(struct look *l, uint32_t c, uint32_t p)
{
	uint32_t x = csp_scope(l->n, c)[p];
	const uint32_t *of = classes_of(&l->k, c, p);
	for (uint32_t i = 0; i < l->moves; i++) {
		uint32_t at = csp_index(l->n, x, l->rank[i]), like = taken_by(l, x, l->f->side[i]);
		if (at == CSP_NONE || of[at] != of[like])
			return "a flag distinguishes moves of one side";
	}
	return NULL;
}

/* The values of a cell after the last rank: blocks with both sides, one for each cell of the longest chain. */
static const char *enough_later(struct look *l, uint32_t v, uint32_t high)
{
	uint32_t x = l->var_of[v], blocks = 0, seen = 0;
	int32_t last = l->rank[l->moves - 1];
	for (uint32_t at = 0; at < csp_count(l->n, x); at++) {
		int32_t value = csp_value(l->n, x, at);
		if (value <= last) {
			bool rank = false;
			for (uint32_t i = 0; i < l->moves && !rank; i++)
				rank = l->rank[i] == value;
			if (!rank)
				return "a cell has a value between the ranks";
			continue;
		}
		uint32_t sides = 3;
		for (uint32_t c = 0; c < csp_constraints(l->n); c++)
			for (uint32_t p = 0; l->role[c] == ROLE_FLAG && p < csp_arity(l->n, c); p++)
				if (csp_scope(l->n, c)[p] == x) {
					const uint32_t *of = classes_of(&l->k, c, p);
					sides &= (uint32_t)(of[at] == of[taken_by(l, x, 0)]) | (uint32_t)(of[at] == of[taken_by(l, x, 1)])
					                                                           << 1;
				}
		seen |= sides;
		if (seen == 3) {
			blocks++;
			seen = 0;
		}
	}
	return blocks >= high ? NULL : "cells not taken yet are not free to go to either side";
}

/* ---- terms ---- */

/* Flag constraint c: for every pattern of sides exactly one value of the flag; a value
 * of a relevant group must stand for one pattern, all cells on one side. */
static const char *read_flag(struct look *l, uint32_t c, const int32_t *group_value, uint32_t groups)
{
	uint32_t arity = csp_arity(l->n, c), at[9], cells = arity - 1, pos = CSP_NONE, hits[POS_GROUPS] = {0},
			 pattern[POS_GROUPS];
	const uint32_t *s = csp_scope(l->n, c);
	uint64_t mask = 0;
	for (uint32_t p = 0; p < arity; p++)
		if (l->cell[s[p]] == CSP_NONE)
			pos = p;
		else
			mask |= UINT64_C(1) << l->cell[s[p]];
	if ((uint32_t)__builtin_popcountll(mask) != cells)
		return "a flag names a cell twice";
	for (uint32_t m = 0; m < 1u << cells; m++) {
		uint32_t values = 0, k = 0;
		for (uint32_t p = 0; p < arity; p++)
			if (p != pos)
				at[p] = taken_by(l, s[p], (int)(m >> k++ & 1));
		for (at[pos] = 0; at[pos] < csp_count(l->n, s[pos]); at[pos]++) {
			if (!csp_check_at(l->n, c, at))
				continue;
			values++;
			for (uint32_t g = 0; g < groups; g++)
				if (csp_value(l->n, s[pos], at[pos]) == group_value[g]) {
					hits[g]++;
					pattern[g] = m;
				}
		}
		if (values != 1)
			return "a flag is not a function of its cells";
	}
	for (uint32_t g = 0; g < groups; g++) {
		if (!hits[g])
			continue;
		if (hits[g] != 1 || (pattern[g] != 0 && pattern[g] != (1u << cells) - 1))
			return "a flag's value is no conjunction of one side's cells";
		uint8_t side = pattern[g] != 0;
		if (l->f->group_side[g] != 255 && l->f->group_side[g] != side)
			return "a flag's value stands for both sides";
		l->f->group_side[g] = side;
		vec_push(&l->f->terms, (struct pos_term){mask, (uint8_t)g});
	}
	return NULL;
}

/* ---- top constraints, as functions of the set of values present ---- */

/* or(eq(F1,k), eq(F2,k), ...) over all flags: k; and(ne(...)): the same, op says which. CSP_NONE: neither. */
static bool presence(struct look *l, uint32_t e, enum csp_operator outer, enum csp_operator inner, int64_t *k)
{
	const struct csp *n = l->n;
	const struct csp_node d = csp_expr_node(n, e);
	if (d.op != outer || d.count != l->flags.n)
		return false;
	bool *seen = NEW_ARRAY(bool, l->flags.n), ok = true;
	for (uint32_t i = 0; i < d.count && ok; i++) {
		const struct csp_node a = csp_expr_node(n, d.args[i]);
		ok = a.op == inner && a.count == 2;
		if (!ok)
			break;
		struct csp_node x = csp_expr_node(n, a.args[0]), v = csp_expr_node(n, a.args[1]);
		if (x.op == CSP_OP_CONST) {
			const struct csp_node swap = x;
			x = v;
			v = swap;
		}
		ok = x.op == CSP_OP_VAR && v.op == CSP_OP_CONST && l->flag[x.value] != CSP_NONE && !seen[l->flag[x.value]] &&
		     (i == 0 || v.value == *k);
		if (ok) {
			seen[l->flag[x.value]] = true;
			*k = v.value;
		}
	}
	mem_free(seen);
	return ok;
}

/* The truth of an expression for a set of present values (bit i: the i-th value of the flags). -1: not known. */
static int truth(struct look *l, uint32_t e, uint32_t present, const int64_t *values)
{
	struct csp *n = l->n;
	const struct csp_node d = csp_expr_node(n, e);
	int64_t k, v;
	if (presence(l, e, CSP_OP_OR, CSP_OP_EQ, &k) || presence(l, e, CSP_OP_AND, CSP_OP_NE, &k)) {
		uint32_t at = csp_index(n, l->flags.at[0], k);
		bool in = at != CSP_NONE && (present >> at & 1);
		return in == (d.op == CSP_OP_OR);
	}
	int a[8] = {0};
	if (d.op == CSP_OP_NOT || d.op == CSP_OP_AND || d.op == CSP_OP_OR || d.op == CSP_OP_IMP || d.op == CSP_OP_IFF) {
		if (d.count > 8 || (d.op == CSP_OP_IFF && d.count != 2))
			return -1;
		for (uint32_t i = 0; i < d.count; i++)
			if ((a[i] = truth(l, d.args[i], present, values)) < 0)
				return -1;
		if (d.op == CSP_OP_NOT)
			return !a[0];
		if (d.op == CSP_OP_IMP)
			return !a[0] || a[1];
		for (uint32_t i = 1; i < d.count; i++)
			a[0] = d.op == CSP_OP_AND ? a[0] && a[i] : d.op == CSP_OP_OR ? a[0] || a[i] : a[0] == a[i];
		return a[0];
	}
	for (uint32_t i = 0; i < d.count; i++) { /* trailing variables and numbers only */
		const struct csp_node x = csp_expr_node(n, d.args[i]);
		if (x.op == CSP_OP_VAR ? l->q->place[x.value] == CSP_NONE : x.op != CSP_OP_CONST)
			return -1;
	}
	return csp_expr_eval(n, e, values, &v) ? v != 0 : 0;
}

static bool mentions_flag(struct look *l, uint32_t c)
{
	for (uint32_t j = 0; j < csp_arity(l->n, c); j++)
		if (l->flag[csp_scope(l->n, c)[j]] != CSP_NONE)
			return true;
	return false;
}

/* Top constraint c for a set of present values and values of the trailing variables (now: value indices). */
static int top_holds(struct look *l, uint32_t c, uint32_t present, const uint32_t *now)
{
	struct csp *n = l->n;
	uint32_t arity = csp_arity(n, c);
	const uint32_t *s = csp_scope(n, c);
	int result = -1;
	if (!mentions_flag(l, c)) {
		uint32_t *at = mem_alloc(arity, sizeof *at);
		for (uint32_t j = 0; j < arity; j++)
			at[j] = now[s[j]];
		result = csp_check_at(n, c, at);
		mem_free(at);
	} else if (csp_kind(n, c) == CSP_INTENSION) {
		int64_t *values = NEW_ARRAY(int64_t, arity);
		for (uint32_t j = 0; j < arity; j++)
			values[j] = l->flag[s[j]] == CSP_NONE ? csp_value(n, s[j], now[s[j]]) : 0;
		result = truth(l, csp_root(n, c), present, values);
		mem_free(values);
	} else if ((csp_kind(n, c) == CSP_MAXIMUM || csp_kind(n, c) == CSP_MINIMUM) && arity == l->flags.n + 1 &&
	           l->flag[s[arity - 1]] == CSP_NONE) {
		bool *seen = NEW_ARRAY(bool, l->flags.n), all = true;
		for (uint32_t j = 0; j + 1 < arity; j++) {
			all = all && l->flag[s[j]] != CSP_NONE && !seen[l->flag[s[j]]];
			if (all)
				seen[l->flag[s[j]]] = true;
		}
		mem_free(seen);
		int best = csp_kind(n, c) == CSP_MAXIMUM ? 31 - __builtin_clz(present) : __builtin_ctz(present);
		if (all)
			result = csp_value(n, l->flags.at[0], (uint32_t)best) == csp_value(n, s[arity - 1], now[s[arity - 1]]);
	}
	return result;
}

/* S: the constraints without trailing variables hold; G: they all do, for some values of the trailing ones. -1: not
 * known. */
static bool tops(struct look *l, uint32_t present, bool *s, bool *g)
{
	struct csp *n = l->n;
	uint32_t *now = NEW_ARRAY(uint32_t, csp_variables(n) + 1);
	bool known = true, more = true;
	*g = false;
	*s = true;
	while (more && known) {
		bool soft = true;
		for (uint32_t c = 0; c < csp_constraints(n) && known; c++) {
			if (l->role[c] != ROLE_TOP)
				continue;
			bool trailing = false;
			for (uint32_t j = 0; j < csp_arity(n, c); j++)
				trailing = trailing || l->q->place[csp_scope(n, c)[j]] != CSP_NONE;
			int t = top_holds(l, c, present, now);
			known = t >= 0;
			if (!trailing)
				*s = *s && t > 0;
			soft = soft && t > 0;
		}
		*g = *g || soft;
		more = false;
		for (size_t i = l->trailing.n; i-- && !more;) {
			uint32_t x = l->trailing.at[i];
			more = ++now[x] < csp_count(n, x);
			if (!more)
				now[x] = 0;
		}
	}
	mem_free(now);
	return known;
}

/* ---- what a state of the groups means ---- */

struct truths {
	bool s[1 << POS_GROUPS], g[1 << POS_GROUPS]; /* by the groups present */
};

/* Is `t` unchanged or better when a cell goes to `side`? Over the groups in `open`, the others as in `has`. */
static bool monotone(const struct pos_form *f, const bool *t, uint32_t open, uint32_t has, int side)
{
	for (uint32_t sub = open;; sub = (sub - 1) & open) {
		for (uint32_t k = 0; k < f->groups; k++)
			if (sub >> k & 1) {
				bool with = t[has | sub], without = t[(has | sub) & ~(1u << k)];
				if (f->group_side[k] == side ? without && !with : with && !without)
					return false;
			}
		if (!sub)
			return true;
	}
}

static bool for_all(const bool *t, uint32_t open, uint32_t has, bool wanted)
{
	for (uint32_t sub = open;; sub = (sub - 1) & open) {
		if (t[has | sub] != wanted)
			return false;
		if (!sub)
			return true;
	}
}

static enum pos_status judge(const struct pos_form *f, const struct truths *t, uint32_t open, uint32_t has)
{
	bool equal = true, consistent = false;
	if (for_all(t->s, open, has, false))
		return POS_IMPOSSIBLE;
	for (int side = 0; side < 2; side++) { /* everything left to one side */
		uint32_t mine = 0;
		for (uint32_t k = 0; k < f->groups; k++)
			if (f->group_side[k] == side)
				mine |= open & 1u << k;
		consistent = consistent || for_all(t->s, mine, has, true);
	}
	if (!consistent)
		return POS_UNPROVED;
	for (uint32_t sub = open;; sub = (sub - 1) & open) {
		equal = equal && t->s[has | sub] == t->g[has | sub];
		if (!sub)
			break;
	}
	if (equal && monotone(f, t->s, open, has, 0))
		return POS_WON;
	if (for_all(t->g, open, has, false) && monotone(f, t->s, open, has, 1))
		return POS_LOST;
	return POS_PLAY;
}

static bool same_values(const struct csp *n, uint32_t x, uint32_t y)
{
	if (csp_count(n, x) != csp_count(n, y))
		return false;
	for (uint32_t v = 0; v < csp_count(n, x); v++)
		if (csp_value(n, x, v) != csp_value(n, y, v))
			return false;
	return true;
}

static const char *read_tops(struct look *l)
{
	struct csp *n = l->n;
	struct pos_form *f = l->f;
	uint32_t values = csp_count(n, l->flags.at[0]);
	bool s[64], g[64];
	int32_t group_value[POS_GROUPS];
	uint32_t group_bit[POS_GROUPS];
	if (values > 6)
		return "flags with more than six values";
	for (size_t i = 1; i < l->flags.n; i++)
		if (!same_values(n, l->flags.at[i], l->flags.at[0]))
			return "flags with different values";
	for (uint32_t m = 1; m < 1u << values; m++)
		if (!tops(l, m, &s[m], &g[m]))
			return "a constraint on flags that counts more than which values occur";
	for (uint32_t v = 0; v < values; v++) {
		bool matters = false;
		for (uint32_t m = 1; m < 1u << values && !matters; m++)
			matters = (m & ~(1u << v)) && (s[m] != s[m & ~(1u << v)] || g[m] != g[m & ~(1u << v)]);
		if (!matters)
			continue;
		if (f->groups == POS_GROUPS)
			return "too many values of the flags matter";
		group_bit[f->groups] = v;
		group_value[f->groups] = csp_value(n, l->flags.at[0], v);
		f->group_side[f->groups++] = 255;
	}
	uint32_t rest = 0; /* values that do not matter may all be present */
	for (uint32_t v = 0; v < values; v++)
		rest |= 1u << v;
	for (uint32_t k = 0; k < f->groups; k++)
		rest &= ~(1u << group_bit[k]);
	if (!rest)
		return "every value of the flags matters";
	for (uint32_t c = 0; c < csp_constraints(n); c++)
		if (l->role[c] == ROLE_FLAG) {
			const char *fault = read_flag(l, c, group_value, f->groups);
			if (fault)
				return fault;
		}
	struct truths t;
	for (uint32_t m = 0; m < 1u << f->groups; m++) {
		uint32_t present = rest;
		for (uint32_t k = 0; k < f->groups; k++)
			present |= (m >> k & 1) << group_bit[k];
		t.s[m] = s[present];
		t.g[m] = f->final[m] = g[present];
	}
	for (uint32_t k = 0; k < f->groups; k++)
		if (f->group_side[k] == 255)
			f->group_side[k] = 0; /* no term at all: never present */
	uint32_t states = 1;
	for (uint32_t i = 0; i < f->groups; i++)
		states *= 3;
	for (uint32_t i = 0; f->groups && i < states; i++) {
		uint32_t open = 0, has = 0;
		for (uint32_t k = 0, r = i; k < f->groups; k++, r /= 3) {
			open |= (uint32_t)(r % 3 == POS_OPEN) << k;
			has |= (uint32_t)(r % 3 == POS_HAS) << k;
		}
		f->status[i] = (uint8_t)judge(f, &t, open, has);
	}
	return f->groups ? NULL : "nothing depends on the flags";
}

static const char *recognise(struct look *l)
{
	struct qcsp *q = l->q;
	struct pos_form *f = l->f;
	const char *fault = find_channels(l);
	if (fault)
		return fault;
	bool both[2] = {false, false};
	for (uint32_t i = 0; i < q->sequence.n; i++) {
		if (i >= l->moves && q->forall.at[i])
			return "a universal variable after the moves";
		if (i >= l->moves)
			vec_push(&l->trailing, q->sequence.at[i]);
		else
			both[f->side[i] = q->forall.at[i]] = true;
	}
	double cases = 1;
	for (size_t i = 0; i < l->trailing.n; i++)
		cases *= csp_count(l->n, l->trailing.at[i]);
	if (cases > 1000 || !both[0] || !both[1])
		return "not two sides in turn";
	if ((fault = sort_constraints(l)))
		return fault;
	for (uint32_t x = 0; x < csp_variables(l->n); x++)
		if (q->place[x] == CSP_NONE && l->cell[x] == CSP_NONE && l->flag[x] == CSP_NONE)
			return "a state variable that is neither cell nor flag";
	uint32_t high = height(f);
	if (!high)
		return "cells wait for one another in a circle";
	for (uint32_t c = 0; c < csp_constraints(l->n) && !fault; c++)
		for (uint32_t p = 0; l->role[c] == ROLE_FLAG && p < csp_arity(l->n, c) && !fault; p++)
			if (l->cell[csp_scope(l->n, c)[p]] != CSP_NONE)
				fault = two_sided(l, c, p);
	for (uint32_t v = 0; v < f->cells && !fault; v++)
		fault = enough_later(l, v, high);
	return fault ? fault : read_tops(l);
}

const char *pos_recognise(struct qcsp *q, struct pos_form *f)
{
	struct look l = {.q = q, .n = q->n, .f = f};
	*f = (struct pos_form){0};
	if (!q->strategic)
		return "not strategic";
	bool late;
	mem_free(qcsp_depths(q, &late));
	if (late)
		return "a constraint in several parts";
	size_t vars = csp_variables(q->n) + 1;
	l.cell = mem_alloc(vars, sizeof *l.cell);
	l.flag = mem_alloc(vars, sizeof *l.flag);
	l.role = NEW_ARRAY(uint8_t, csp_constraints(q->n) + 1);
	memset(l.cell, 0xff, vars * sizeof *l.cell);
	memset(l.flag, 0xff, vars * sizeof *l.flag);
	classes_build(&l.k, q->n);
	const char *fault = recognise(&l);
	f->cell_of = l.value_cell;
	classes_free(&l.k);
	mem_free(l.cell);
	mem_free(l.flag);
	mem_free(l.role);
	mem_free(l.rank);
	vec_free(&l.flags);
	vec_free(&l.trailing);
	if (!fault)
		pos_symmetries(f);
	return fault;
}

void pos_free(struct pos_form *f)
{
	mem_free(f->cell_of);
	vec_free(&f->terms);
}
