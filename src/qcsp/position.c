/* A position in a quantified sequence. Constraints that mention a later
 * quantified variable sleep; when its last one is set a constraint wakes. What
 * is awake is propagated, and whether a value is really possible is settled by a
 * solution, the witness.
 *
 * The witness satisfies all constraints awake at the position at hand, hence at those before it, where fewer are awake.
 * So one step has to look only at the constraints that wake and at those of variables whose value is gone; where they
 * fail one variable is changed to suit all of its constraints, and if that does not help a search finds a new witness.
 */
#include "qcsp/compile.h"

#include <string.h>

#define MOST_REPAIRS 64

/* Not propagated: others stand for it, or it takes no part. */
static bool idle(const struct position *p, uint32_t c)
{
	return p->d && c < p->cons && (p->d->replaced[c] || (p->d->ignored && p->d->ignored[c]));
}

static bool asked(const struct position *p, uint32_t c)
{
	return c < p->cons && !(p->d && p->d->ignored && p->d->ignored[c]);
}

/* Constraints by the depth from which on they take part; those that others stand for are asked, not propagated. */
static void sort_constraints(struct position *p)
{
	struct qcsp *q = p->q;
	uint32_t all = csp_constraints(p->n), m = narrow32(q->sequence.n);
	p->first = NEW_ARRAY(uint32_t, m + 3);
	p->by_depth = mem_alloc(all + 1, sizeof *p->by_depth);
	p->depth_of = qcsp_depths(q, NULL);
	for (uint32_t c = 0; c < all; c++)
		p->first[p->depth_of[c] + 2] += !idle(p, c);
	for (uint32_t d = 2; d < m + 3; d++)
		p->first[d] += p->first[d - 1];
	for (uint32_t c = 0; c < all; c++)
		if (!idle(p, c))
			p->by_depth[p->first[p->depth_of[c] + 1]++] = c;
	p->woken_at = NEW_ARRAY(uint32_t, m + 3);
	p->woken = mem_alloc(p->cons + 1, sizeof *p->woken);
	for (uint32_t c = 0; c < p->cons; c++)
		p->woken_at[p->depth_of[c] + 2] += asked(p, c);
	for (uint32_t d = 2; d < m + 3; d++)
		p->woken_at[d] += p->woken_at[d - 1];
	for (uint32_t c = 0; c < p->cons; c++)
		if (asked(p, c))
			p->woken[p->woken_at[p->depth_of[c] + 1]++] = c;
}

/* ---- the witness ---- */

static bool holds(struct position *p, uint32_t c)
{
	uint32_t at[64], arity = csp_arity(p->n, c), *a = arity <= 64 ? at : mem_alloc(arity, sizeof *a);
	const uint32_t *scope = csp_scope(p->n, c);
	for (uint32_t j = 0; j < arity; j++)
		a[j] = p->witness[scope[j]];
	bool small = p->d && c < p->cons && p->d->shapes[c].sizes;
	bool ok = small ? shape_holds(p->d, c, arity, a) : csp_check_at(p->n, c, a);
	if (a != at)
		mem_free(a);
	return ok;
}

static void change(struct position *p, uint32_t x, uint32_t at)
{
	vec_push(&p->changes, x);
	vec_push(&p->changes, p->witness[x]);
	p->witness[x] = at;
}

static void take_back(struct position *p)
{
	while (p->changes.n) {
		p->witness[p->changes.at[p->changes.n - 2]] = p->changes.at[p->changes.n - 1];
		p->changes.n -= 2;
	}
}

/* All constraints of x that are awake. */
static bool suits(struct position *p, uint32_t x)
{
	for (uint32_t i = 0, degree = csp_degree(p->n, x); i < degree; i++) {
		uint32_t c = csp_constraint_of(p->n, x, i);
		if (asked(p, c) && p->depth_of[c] <= p->depth && !holds(p, c))
			return false;
	}
	return true;
}

/* Another value for some variable of c, so that all constraints of that variable hold. */
static bool repair(struct position *p, uint32_t c)
{
	for (uint32_t j = csp_arity(p->n, c); j--;) {
		uint32_t x = csp_scope(p->n, c)[j], old = p->witness[x];
		if (p->q->place[x] != CSP_NONE || csp_size(p->n, x) == 1)
			continue;
		for (uint32_t at = csp_next_at(p->n, x, 0); at != CSP_NONE; at = csp_next_at(p->n, x, at + 1)) {
			p->witness[x] = at;
			if (at != old && holds(p, c) && suits(p, x)) {
				p->witness[x] = old;
				change(p, x, at);
				return true;
			}
		}
		p->witness[x] = old;
	}
	return false;
}

static bool keep(void *user, const struct csp *n, const int32_t *values)
{
	struct position *p = user;
	memcpy(p->found, values, csp_variables(n) * sizeof *values);
	return false;
}

static bool search(struct position *p)
{
	struct csp *n = p->n;
	struct csp_options o = csp_defaults;
	struct csp_stats st;
	o.solution = keep;
	o.user = p;
	o.limit = p->limit;
	o.branch = p->state.at;
	o.branch_count = p->state.n;
	p->searches++;
	/* most questions are easy, but the smallest values may be a bad guess: a few quick runs with random ones first */
	o.values = CSP_VALUE_RANDOM;
	o.max_nodes = 2 * p->state.n + 20;
	enum csp_status status = CSP_UNKNOWN;
	for (o.seed = 1; o.seed <= 8 && status == CSP_UNKNOWN; o.seed++)
		status = csp_solve(n, &o, &st);
	if (status == CSP_UNKNOWN) {
		o.max_nodes = 0;
		o.restarts = CSP_RESTART_LUBY;
		status = csp_solve(n, &o, &st);
	}
	p->stopped = p->stopped || status == CSP_UNKNOWN;
	if (status != CSP_SAT)
		return false;
	for (size_t i = 0; i < p->state.n; i++)
		change(p, p->state.at[i], csp_index(n, p->state.at[i], p->found[p->state.at[i]]));
	return true;
}

/* The constraint, or what it takes to make it hold. */
static bool settle(struct position *p, uint32_t c, uint32_t *repairs)
{
	return holds(p, c) || (++*repairs <= MOST_REPAIRS && repair(p, c));
}

static bool possible(struct position *p)
{
	struct csp *n = p->n;
	uint32_t repairs = 0;
	bool ok = true;
	vec_clear(&p->changes);
	for (size_t i = 0; i < p->state.n; i++)
		if (!csp_has_at(n, p->state.at[i], p->witness[p->state.at[i]]))
			change(p, p->state.at[i], csp_next_at(n, p->state.at[i], 0));
	if (p->depth) {
		uint32_t y = p->q->sequence.at[p->depth - 1];
		change(p, y, csp_next_at(n, y, 0));
	}
	for (size_t i = 0; i < p->changes.n && ok; i += 2) { /* repairs add to the list */
		uint32_t x = p->changes.at[i];
		for (uint32_t k = 0, degree = csp_degree(n, x); k < degree && ok; k++) {
			uint32_t c = csp_constraint_of(n, x, k);
			ok = !asked(p, c) || p->depth_of[c] > p->depth || settle(p, c, &repairs);
		}
	}
	for (uint32_t i = p->woken_at[p->depth]; i < p->woken_at[p->depth + 1] && ok; i++)
		ok = settle(p, p->woken[i], &repairs);
	/* a repair for a constraint that wakes has not been followed up, but it suits all constraints of its variable */
	if (!ok)
		ok = search(p);
	if (!ok)
		take_back(p);
	return ok;
}

/* ---- from the state to the next variable ---- */

static bool pair_holds(struct position *p, uint32_t c, uint32_t a, uint32_t b)
{
	bool small = p->d && c < p->cons && p->d->shapes[c].sizes;
	return small ? shape_holds(p->d, c, 2, (uint32_t[]){a, b}) : csp_check_at(p->n, c, (uint32_t[]){a, b});
}

/* Which values of z go with which of the quantified variable, for constraints on these two: one word per value. */
static void make_supports(struct position *p)
{
	size_t words = 0;
	p->support_at = NEW_ARRAY(size_t, csp_constraints(p->n) + 1);
	p->support_of = NEW_ARRAY(uint32_t, csp_constraints(p->n) + 1);
	for (uint32_t i = p->first[1]; i < p->first[p->q->sequence.n + 1]; i++) {
		uint32_t c = p->by_depth[i], y = p->q->sequence.at[p->depth_of[c] - 1];
		const uint32_t *scope = csp_scope(p->n, c);
		p->support_of[c] = CSP_NONE;
		if (csp_arity(p->n, c) != 2 || (scope[0] != y && scope[1] != y))
			continue;
		uint32_t z = scope[scope[0] == y];
		if (csp_count(p->n, z) > 64)
			continue;
		p->support_of[c] = z;
		p->support_at[c] = words;
		words += csp_count(p->n, y);
	}
	p->supports = NEW_ARRAY(uint64_t, words + 1);
	for (uint32_t i = p->first[1]; i < p->first[p->q->sequence.n + 1]; i++) {
		uint32_t c = p->by_depth[i], z = p->support_of[c], y = p->q->sequence.at[p->depth_of[c] - 1];
		bool second = csp_scope(p->n, c)[0] == y;
		for (uint32_t a = 0; z != CSP_NONE && a < csp_count(p->n, y); a++)
			for (uint32_t b = 0; b < csp_count(p->n, z); b++)
				if (pair_holds(p, c, second ? a : b, second ? b : a))
					p->supports[p->support_at[c] + a] |= UINT64_C(1) << b;
	}
}

static uint64_t domain(const struct position *p, uint32_t z)
{
	uint64_t left = 0;
	for (uint32_t b = csp_next_at(p->n, z, 0); b != CSP_NONE; b = csp_next_at(p->n, z, b + 1))
		left |= UINT64_C(1) << b;
	return left;
}

uint32_t position_values(struct position *p, uint32_t *list)
{
	struct csp *n = p->n;
	uint32_t y = p->q->sequence.at[p->depth], count = 0;
	for (uint32_t a = csp_next_at(n, y, 0); a != CSP_NONE; a = csp_next_at(n, y, a + 1))
		list[count++] = a;
	for (uint32_t i = p->first[p->depth + 1]; p->q->strategic && i < p->first[p->depth + 2]; i++) {
		uint32_t c = p->by_depth[i], z = p->support_of[c], kept = 0;
		uint64_t left = z != CSP_NONE ? domain(p, z) : 0;
		for (uint32_t k = 0; z != CSP_NONE && k < count; k++)
			if (p->supports[p->support_at[c] + list[k]] & left)
				list[kept++] = list[k];
		count = z != CSP_NONE ? kept : count;
	}
	return count;
}

/* ---- moving ---- */

bool position_start(struct position *p, struct qcsp *q, const struct compiled *d, const struct limit *l)
{
	uint32_t vars = d ? d->vars : csp_variables(q->n), cons = d ? d->cons : csp_constraints(q->n);
	*p = (struct position){.q = q, .n = q->n, .d = d, .base = csp_level(q->n), .cons = cons};
	if (l)
		p->limit = *l;
	sort_constraints(p);
	for (uint32_t x = 0; x < vars; x++)
		if (q->place[x] == CSP_NONE)
			vec_push(&p->state, x);
	p->witness = NEW_ARRAY(uint32_t, vars + 1);
	p->found = NEW_ARRAY(int32_t, csp_variables(p->n) + 1);
	make_supports(p);
	for (uint32_t c = 0; c < cons; c++)
		if (idle(p, c))
			csp_sleep(p->n, c);
	for (uint32_t i = p->first[1]; i < p->first[q->sequence.n + 1]; i++)
		csp_sleep(p->n, p->by_depth[i]);
	return csp_propagate(p->n) && possible(p);
}

bool position_set(struct position *p, uint32_t at)
{
	uint32_t x = p->q->sequence.at[p->depth++];
	csp_push(p->n);
	if (!csp_assign_at(p->n, x, at))
		return false;
	for (uint32_t i = p->first[p->depth]; i < p->first[p->depth + 1]; i++)
		csp_wake(p->n, p->by_depth[i]);
	return csp_propagate(p->n) && (!p->q->strategic || possible(p));
}

void position_undo(struct position *p)
{
	csp_pop(p->n, csp_level(p->n) - 1);
	for (uint32_t i = p->first[p->depth]; i < p->first[p->depth + 1]; i++)
		csp_sleep(p->n, p->by_depth[i]);
	p->depth--;
}

void position_free(struct position *p)
{
	while (p->depth)
		position_undo(p);
	for (uint32_t i = p->first[1]; i < p->first[p->q->sequence.n + 1]; i++)
		csp_wake(p->n, p->by_depth[i]);
	mem_free(p->by_depth);
	mem_free(p->first);
	mem_free(p->depth_of);
	mem_free(p->woken);
	mem_free(p->woken_at);
	mem_free(p->witness);
	mem_free(p->found);
	mem_free(p->support_at);
	mem_free(p->support_of);
	mem_free(p->supports);
	vec_free(&p->state);
	vec_free(&p->changes);
}
