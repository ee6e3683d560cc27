/* Restricted networks.
 *
 * What is left out of a position: constraints with one open variable (propagation has turned them into its domain),
 * constraints that hold whatever comes, and state variables with a single constraint left that can follow all others
 * (the flag of a line, once it does not matter any more which lines are complete), together with that constraint. */
#include "qcsp/restrict.h"

#include <string.h>

#define MOST_SUMMARY 1024

/* ---- what still matters ---- */

/* Which classes the values left at position p of c belong to. */
static uint64_t classes_left(const struct restriction *r, uint32_t c, uint32_t p)
{
	struct csp *n = r->d->q->n;
	uint32_t x = csp_scope(n, c)[p];
	const uint32_t *of = classes_of(&r->d->classes, c, p);
	uint64_t mask = 0,
			 all = r->d->shapes[c].sizes[p] < 64 ? (UINT64_C(1) << r->d->shapes[c].sizes[p]) - 1 : ~UINT64_C(0);
	for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE && mask != all; i = csp_next_at(n, x, i + 1))
		mask |= UINT64_C(1) << of[i];
	return mask;
}

/* A row of a table that fits whatever comes. */
static bool row_always_fits(struct csp *n, uint32_t c)
{
	const struct csp_table t = csp_table(n, c);
	const uint32_t *scope = csp_scope(n, c);
	for (uint32_t r = 0; t.any && t.positive && r < t.rows; r++) {
		bool fits = true;
		for (uint32_t p = 0; p < t.arity && fits; p++) {
			uint32_t cell = t.cells[(size_t)r * t.arity + p];
			fits = cell == CSP_CELL_ANY || (csp_size(n, scope[p]) == 1 && csp_has_at(n, scope[p], cell));
		}
		if (fits)
			return true;
	}
	return false;
}

/* Can nothing that is left violate c? False when that is not obvious. */
static bool settled(const struct restriction *r, uint32_t c, const uint64_t *left)
{
	struct csp *n = r->d->q->n;
	if (r->d->shapes[c].sizes)
		return shape_always(&r->d->shapes[c], csp_arity(n, c), csp_arity(n, c), left);
	if (csp_kind(n, c) == CSP_INTENSION)
		return compiled_cannot_fail(r->d, c);
	return row_always_fits(n, c);
}

static bool extremum(const struct restriction *r, uint32_t c)
{
	return r->summary[c] != CSP_NONE;
}

/* The greatest (least) value among the fixed ones of a list, and whether no open one can be beyond it. */
static bool summarise(const struct restriction *r, uint32_t c, int32_t *best)
{
	struct csp *n = r->d->q->n;
	bool max = csp_kind(n, c) == CSP_MAXIMUM, any = false, final = true;
	for (uint32_t p = 0; p + 1 < csp_arity(n, c); p++) {
		uint32_t x = csp_scope(n, c)[p];
		if (csp_size(n, x) > 1)
			continue;
		int32_t v = csp_min(n, x);
		*best = !any || (max ? v > *best : v < *best) ? v : *best;
		any = true;
	}
	for (uint32_t p = 0; any && p + 1 < csp_arity(n, c); p++) {
		uint32_t x = csp_scope(n, c)[p];
		final = final && (max ? csp_max(n, x) <= *best : csp_min(n, x) >= *best);
	}
	if (any)
		return final;
	*best = INT32_MIN;
	return false;
}

bool restriction_final(const struct restriction *r, uint32_t c, int32_t *best)
{
	return c < r->d->cons && extremum(r, c) && summarise(r, c, best);
}

/* ---- a position ---- */

static bool is_open(const struct restriction *r, uint32_t x)
{
	return csp_size(r->d->q->n, x) > 1;
}

static void use(struct restriction *r, uint32_t c, int32_t by)
{
	struct csp *n = r->d->q->n;
	for (uint32_t p = 0; p < csp_arity(n, c); p++)
		r->users[csp_scope(n, c)[p]] += (uint32_t)by;
}

static void look_at_extremum(struct restriction *r, uint32_t c)
{
	struct csp *n = r->d->q->n;
	int32_t best;
	uint32_t last = csp_arity(n, c) - 1, m = csp_scope(n, c)[last];
	bool final = summarise(r, c, &best);
	if (best != INT32_MIN)
		vec_push(&r->seen, r->summary[c] + (uint32_t)(best - r->low[c]));
	if (!is_open(r, m))
		vec_push(&r->seen,
		         r->class[r->d->classes.start[c] + last] + classes_of(&r->d->classes, c, last)[csp_next_at(n, m, 0)]);
	for (uint32_t p = 0; p < last; p++)
		r->users[csp_scope(n, c)[p]] += !final;
	r->users[m]++;
}

static void look_at(struct restriction *r, uint32_t c, bool asleep)
{
	struct csp *n = r->d->q->n;
	uint32_t arity = csp_arity(n, c), open = 0;
	uint64_t left[SHAPE_MOST_ARITY];
	for (uint32_t p = 0; p < arity; p++)
		open += is_open(r, csp_scope(n, c)[p]);
	if (!asleep && open <= 1)
		return;
	if (extremum(r, c)) {
		look_at_extremum(r, c);
		return;
	}
	for (uint32_t p = 0; !asleep && r->d->shapes[c].sizes && p < arity; p++)
		left[p] = classes_left(r, c, p);
	if (!asleep && settled(r, c, left))
		return;
	vec_push(&r->active, c);
	use(r, c, 1);
}

/* A state variable of c that no other constraint needs and that can follow the others, or CSP_NONE. */
static uint32_t follower(const struct restriction *r, uint32_t c)
{
	struct csp *n = r->d->q->n;
	uint32_t arity = csp_arity(n, c);
	uint64_t left[SHAPE_MOST_ARITY];
	bool filled = false;
	if (!r->d->shapes[c].sizes || r->p->depth_of[c] > r->p->depth)
		return CSP_NONE;
	for (uint32_t p = 0; p < arity; p++) {
		uint32_t x = csp_scope(n, c)[p];
		if (r->users[x] != 1 || r->d->q->place[x] != CSP_NONE)
			continue;
		for (uint32_t k = 0; !filled && k < arity; k++)
			left[k] = classes_left(r, c, k);
		filled = true;
		if (shape_always(&r->d->shapes[c], arity, p, left))
			return x;
	}
	return CSP_NONE;
}

static void drop_followers(struct restriction *r)
{
	for (bool again = true; again;) {
		size_t kept = 0;
		again = false;
		for (size_t i = 0; i < r->active.n; i++) {
			uint32_t c = r->active.at[i], x = follower(r, c);
			if (x == CSP_NONE) {
				r->active.at[kept++] = c;
				continue;
			}
			r->dropped[x] = true;
			use(r, c, -1);
			again = true;
		}
		r->active.n = kept;
	}
}

static void list_items(struct restriction *r)
{
	struct csp *n = r->d->q->n;
	for (uint32_t x = 0; x < r->d->vars; x++) {
		bool ahead = r->d->q->place[x] != CSP_NONE && r->d->q->place[x] >= r->p->depth;
		if ((!is_open(r, x) && !ahead) || r->dropped[x])
			continue; /* what it was set to shows in its constraints, if at all */
		if (ahead && r->d->q->strategic)
			continue; /* untouched: nothing awake mentions it */
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1))
			vec_push(&r->seen, r->literal[x] + i);
	}
	for (size_t i = 0; i < r->active.n; i++) {
		uint32_t c = r->active.at[i];
		const uint32_t *scope = csp_scope(n, c), *class = r->class + r->d->classes.start[c];
		for (uint32_t p = 0; p < csp_arity(n, c); p++)
			if (!is_open(r, scope[p]))
				vec_push(&r->seen, class[p] + classes_of(&r->d->classes, c, p)[csp_next_at(n, scope[p], 0)]);
	}
}

void restriction_look(struct restriction *r, uint32_t end)
{
	struct position *p = r->p;
	vec_clear(&r->seen);
	vec_clear(&r->active);
	memset(r->users, 0, r->d->vars * sizeof *r->users);
	memset(r->dropped, 0, r->d->vars * sizeof *r->dropped);
	for (size_t i = 0; i < r->state_part.n; i++)
		if (p->depth_of[r->state_part.at[i]] <= p->depth)
			look_at(r, r->state_part.at[i], false);
	for (uint32_t i = p->woken_at[p->depth + 1]; i < p->woken_at[r->d->q->sequence.n + 1]; i++)
		if (p->depth_of[p->woken[i]] <= end)
			look_at(r, p->woken[i], true);
	drop_followers(r);
	list_items(r);
}

/* ---- making ---- */

static void number_summary(struct restriction *r, uint32_t c)
{
	struct csp *n = r->d->q->n;
	int64_t low = INT64_MAX, high = INT64_MIN;
	for (uint32_t p = 0; p + 1 < csp_arity(n, c); p++) {
		uint32_t x = csp_scope(n, c)[p];
		int32_t a = csp_value(n, x, 0), b = csp_value(n, x, csp_count(n, x) - 1);
		low = a < low ? a : low;
		high = b > high ? b : high;
	}
	if (high - low >= MOST_SUMMARY)
		return;
	r->low[c] = (int32_t)low;
	r->summary[c] = r->items;
	r->items += (uint32_t)(high - low + 1);
}

static void number_items(struct restriction *r)
{
	struct csp *n = r->d->q->n;
	const struct classes *k = &r->d->classes;
	uint32_t positions = 0;
	r->literal = NEW_ARRAY(uint32_t, r->d->vars + 1);
	for (uint32_t x = 0; x < r->d->vars; x++) {
		r->literal[x] = r->items;
		r->items += csp_count(n, x);
	}
	for (uint32_t c = 0; c < r->d->cons; c++)
		positions += csp_arity(n, c);
	r->class = NEW_ARRAY(uint32_t, positions + 1);
	r->summary = NEW_ARRAY(uint32_t, r->d->cons + 1);
	r->low = NEW_ARRAY(int32_t, r->d->cons + 1);
	for (uint32_t c = 0; c < r->d->cons; c++) {
		for (uint32_t p = 0; p < csp_arity(n, c); p++) {
			uint32_t x = csp_scope(n, c)[p], most = 0;
			for (uint32_t i = 0; i < csp_count(n, x); i++)
				most = classes_of(k, c, p)[i] > most ? classes_of(k, c, p)[i] : most;
			r->class[k->start[c] + p] = r->items;
			r->items += most + 1;
		}
		r->summary[c] = CSP_NONE;
		if (csp_kind(n, c) == CSP_MAXIMUM || csp_kind(n, c) == CSP_MINIMUM)
			number_summary(r, c);
	}
}

void restriction_make(struct restriction *r, const struct compiled *d, struct position *p)
{
	struct csp *n = d->q->n;
	*r = (struct restriction){.d = d, .p = p};
	number_items(r);
	r->users = NEW_ARRAY(uint32_t, d->vars + 1);
	r->dropped = NEW_ARRAY(bool, d->vars + 1);
	for (uint32_t c = 0; c < d->cons; c++) {
		uint32_t state = 0;
		for (uint32_t j = 0; j < csp_arity(n, c); j++)
			state += !d->q->strategic || d->q->place[csp_scope(n, c)[j]] == CSP_NONE;
		if (state > 1 && !(d->ignored && d->ignored[c]))
			vec_push(&r->state_part, c);
	}
}

void restriction_free(struct restriction *r)
{
	mem_free(r->literal);
	mem_free(r->class);
	mem_free(r->summary);
	mem_free(r->low);
	mem_free(r->users);
	mem_free(r->dropped);
	vec_free(&r->state_part);
	vec_free(&r->seen);
	vec_free(&r->active);
}
