/* The skeleton of a network.
 *
 * Why it suffices: take a possible position of the whole network in which it is the side's turn. The skeleton has a
 * solution with a value for the side's variable in which all state variables that were open are well-chosen. A
 * constraint of the rest holds in it: it has an open variable, whose value satisfies it together with any others; or
 * all its variables had one value left, and then it holds because the position is possible. Variables outside the
 * skeleton have one such constraint each and follow it. And a value that is possible in the whole network is possible
 * in the skeleton, so no play is overlooked. */
#include "qcsp/skeleton.h"

#include "base/rng.h"

#include <string.h>

#define MOST_CHOSEN 64
/* Positions of the skeleton that may be looked at: so many, and so many more for each position of the search. */
#define WORK_AT_LEAST 500
#define WORK_PER_NODE 4

/* ---- which constraints ---- */

/* State variables next to the quantified variables before `end`. */
static void mark_inside(struct skeleton *k, const struct qcsp *q)
{
	struct csp *n = q->n;
	memset(k->inside, 0, csp_variables(n) * sizeof *k->inside);
	for (uint32_t c = 0; c < csp_constraints(n); c++) {
		bool touches = false;
		for (uint32_t j = 0; j < csp_arity(n, c); j++)
			touches = touches || q->place[csp_scope(n, c)[j]] < k->end;
		for (uint32_t j = 0; touches && j < csp_arity(n, c); j++)
			k->inside[csp_scope(n, c)[j]] = true;
	}
}

/* Existential variables after the last universal one belong to it, too, if they share a state variable with it: the
 * last moves. What comes after them is the goal. */
static uint32_t last_to_share(const struct skeleton *k, const struct qcsp *q)
{
	struct csp *n = q->n;
	uint32_t end = k->end;
	for (uint32_t c = 0; c < csp_constraints(n); c++) {
		bool shares = false;
		for (uint32_t j = 0; j < csp_arity(n, c); j++)
			shares = shares || (k->inside[csp_scope(n, c)[j]] && q->place[csp_scope(n, c)[j]] == CSP_NONE);
		for (uint32_t j = 0; shares && j < csp_arity(n, c); j++) {
			uint32_t at = q->place[csp_scope(n, c)[j]];
			end = at != CSP_NONE && at + 1 > end ? at + 1 : end;
		}
	}
	return end;
}

static void divide(struct skeleton *k, const struct qcsp *q)
{
	struct csp *n = q->n;
	uint32_t cons = csp_constraints(n), rest = 0;
	k->inside = NEW_ARRAY(bool, csp_variables(n) + 1);
	k->rest = NEW_ARRAY(bool, cons + 1);
	for (uint32_t before = CSP_NONE; before != k->end;) {
		before = k->end;
		mark_inside(k, q);
		k->end = last_to_share(k, q);
	}
	for (uint32_t c = 0; c < cons; c++) {
		for (uint32_t j = 0; j < csp_arity(n, c); j++)
			k->rest[c] = k->rest[c] || !k->inside[csp_scope(n, c)[j]];
		rest += k->rest[c];
	}
	k->usable = rest > 0 && rest < cons;
}

void skeleton_make(struct skeleton *k, struct search_state *s, uint32_t tail)
{
	uint64_t seed = 11;
	*k = (struct skeleton){.s = s, .end = tail};
	if (!s->q->strategic || !tail)
		return;
	divide(k, s->q);
	if (!k->usable)
		return;
	compiled_make(&k->d, s->q, k->rest);
	k->usable = k->d.own && position_start(&k->p, k->d.q, &k->d, &s->o->limit);
	restriction_make(&k->r, &k->d, &k->p);
	k->mark = mem_alloc(2 * (size_t)k->r.items + 2, sizeof *k->mark);
	for (size_t i = 0; i < 2 * (size_t)k->r.items; i++)
		k->mark[i] = rng_split(&seed);
	k->need = NEW_ARRAY(uint64_t, k->d.vars + 1);
	k->users = NEW_ARRAY(uint32_t, k->d.vars + 1);
	for (uint32_t x = 0; x < k->d.vars; x++) /* sets of values are words */
		k->usable = k->usable && (csp_count(k->d.q->n, x) <= 64 || !k->inside[x]);
}

void skeleton_free(struct skeleton *k)
{
	if (k->d.q) {
		if (k->p.n)
			position_free(&k->p);
		restriction_free(&k->r);
		compiled_free(&k->d);
	}
	for (size_t i = 0; i < k->chosen.n; i++)
		mem_free(k->chosen.at[i].values);
	mem_free(k->inside);
	mem_free(k->rest);
	mem_free(k->mark);
	mem_free(k->need);
	mem_free(k->users);
	vec_free(&k->chosen);
	vec_free(&k->known);
	table_free(&k->index);
}

/* ---- what the rest asks for ---- */

/* The skeleton in the same position as the whole network. */
static bool follow(struct skeleton *k, const struct position *whole)
{
	uint32_t same = 0;
	while (same < whole->depth && same < k->p.depth) {
		uint32_t x = k->d.q->sequence.at[same];
		if (csp_next_at(whole->n, x, 0) != csp_next_at(k->p.n, x, 0))
			break;
		same++;
	}
	while (k->p.depth > same)
		position_undo(&k->p);
	bool ok = true;
	while (ok && k->p.depth < whole->depth)
		ok = position_set(&k->p, csp_next_at(whole->n, whole->q->sequence.at[k->p.depth], 0));
	if (!ok)
		position_undo(&k->p);
	return ok;
}

/* Classes left at position p of c in the whole network. */
static uint64_t classes_left(const struct position *whole, const struct compiled *d, uint32_t c, uint32_t p)
{
	struct csp *n = whole->n;
	uint32_t x = csp_scope(n, c)[p];
	uint64_t left = 0;
	for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1))
		left |= UINT64_C(1) << classes_of(&d->classes, c, p)[i];
	return left;
}

/* Value indices at position p whose class is in the set. */
static uint64_t values_of(const struct compiled *d, uint32_t c, uint32_t p, uint64_t classes)
{
	uint32_t x = csp_scope(d->q->n, c)[p];
	uint64_t values = 0;
	for (uint32_t i = 0; i < csp_count(d->q->n, x); i++)
		if (classes >> classes_of(&d->classes, c, p)[i] & 1)
			values |= UINT64_C(1) << i;
	return values;
}

/* A constraint of the rest with variables of the skeleton: it holds anyhow, or each of these has values that are
 * enough. */
static bool ask(struct skeleton *k, const struct position *whole, const struct compiled *d, uint32_t c)
{
	const struct shape *s = &d->shapes[c];
	uint32_t arity = csp_arity(whole->n, c), last = arity;
	uint64_t left[SHAPE_MOST_ARITY];
	if (!s->sizes)
		return false;
	for (uint32_t p = 0; p < arity; p++) {
		uint32_t x = csp_scope(whole->n, c)[p];
		left[p] = classes_left(whole, d, c, p);
		if (k->inside[x] && csp_size(k->p.n, x) > 1)
			k->need[x] &= values_of(d, c, p, left[p]); /* the skeleton may have values that the whole has lost */
		if (k->inside[x] || csp_size(whole->n, x) == 1)
			continue;
		if (last != arity || k->users[x] > 1)
			return false; /* it cannot follow this one alone */
		last = p;
	}
	if (shape_always(s, arity, last, left))
		return true;
	for (uint32_t p = 0; p < arity; p++) {
		uint32_t x = csp_scope(whole->n, c)[p];
		uint64_t all = left[p], enough = 0;
		if (!k->inside[x] || csp_size(k->p.n, x) == 1)
			continue;
		for (uint64_t m = all; m; m &= m - 1) {
			left[p] = m & -m;
			enough |= shape_always(s, arity, last, left) ? m & -m : 0;
		}
		left[p] = all;
		k->need[x] &= values_of(d, c, p, enough);
		if (!k->need[x])
			return false;
	}
	return true;
}

/* Only variables outside the skeleton: it must hold whatever they are. */
static bool settled(const struct position *whole, const struct compiled *d, uint32_t c)
{
	struct csp *n = whole->n;
	uint32_t arity = csp_arity(n, c);
	uint64_t left[SHAPE_MOST_ARITY];
	const struct shape *s = &d->shapes[c];
	if (s->sizes) {
		for (uint32_t p = 0; p < arity; p++)
			left[p] = classes_left(whole, d, c, p);
		return shape_always(s, arity, arity, left);
	}
	return compiled_cannot_fail(d, c);
}

static bool mixed(const struct skeleton *k, const struct csp *n, uint32_t c)
{
	for (uint32_t j = 0; j < csp_arity(n, c); j++)
		if (k->inside[csp_scope(n, c)[j]])
			return true;
	return false;
}

/* Fills `need`; false: the rest asks for too much. */
static bool ask_the_rest(struct skeleton *k, const struct position *whole, const struct compiled *d)
{
	struct csp *n = whole->n;
	for (uint32_t c = 0; c < d->cons; c++) /* the cheapest reason against it first */
		if (k->rest[c] && whole->depth_of[c] <= whole->depth && !mixed(k, n, c) && !settled(whole, d, c))
			return false;
	if (!follow(k, whole))
		return false;
	memset(k->users, 0, d->vars * sizeof *k->users);
	memset(k->need, 0xff, d->vars * sizeof *k->need);
	for (uint32_t c = 0; c < d->cons; c++)
		for (uint32_t j = 0; k->rest[c] && mixed(k, n, c) && j < csp_arity(n, c); j++)
			k->users[csp_scope(n, c)[j]]++;
	for (uint32_t c = 0; c < d->cons; c++) {
		if (!k->rest[c] || whole->depth_of[c] > k->end)
			continue;
		if (whole->depth_of[c] > whole->depth || (mixed(k, n, c) && !ask(k, whole, d, c)))
			return false;
	}
	return true;
}

/* ---- well-chosen values ---- */

static bool fits(const struct skeleton *k, const struct well_chosen *w)
{
	for (uint32_t x = 0; x < k->d.vars; x++)
		if (k->inside[x] && csp_size(k->p.n, x) > 1 && (w->values[x] & ~k->need[x]))
			return false;
	return true;
}

/* Variables that nothing is asked of get the integers that all others have, if those are the same: then the choice
 * serves for more positions. */
static void spread(const struct skeleton *k, uint64_t *values)
{
	struct csp *n = k->p.n;
	uint32_t model = CSP_NONE;
	for (uint32_t x = 0; x < k->d.vars && model == CSP_NONE; x++)
		if (k->inside[x] && values[x] != UINT64_MAX)
			model = x;
	for (uint32_t x = 0; x < k->d.vars && model != CSP_NONE; x++) {
		if (!k->inside[x] || values[x] != UINT64_MAX || k->d.q->place[x] != CSP_NONE)
			continue;
		uint64_t same = 0;
		for (uint32_t i = 0; i < csp_count(n, x); i++) {
			uint32_t j = csp_index(n, model, csp_value(n, x, i));
			same |= j != CSP_NONE && values[model] >> j & 1 ? UINT64_C(1) << i : 0;
		}
		values[x] = same ? same : UINT64_MAX;
	}
}

static const struct well_chosen *choose(struct skeleton *k)
{
	for (size_t i = 0; i < k->chosen.n; i++)
		if (fits(k, &k->chosen.at[i]))
			return &k->chosen.at[i];
	if (k->chosen.n == MOST_CHOSEN)
		return NULL;
	struct well_chosen w = {NEW_ARRAY(uint64_t, k->d.vars + 1), k->chosen.n};
	memcpy(w.values, k->need, k->d.vars * sizeof *w.values);
	spread(k, w.values);
	vec_push(&k->chosen, w);
	return &k->chosen.at[k->chosen.n - 1];
}

/* ---- playing ---- */

/* Open state variables keep well-chosen values only; a level is open afterwards in either case. */
static bool restrict_open(struct skeleton *k, const struct well_chosen *w)
{
	struct csp *n = k->p.n;
	csp_push(n);
	for (uint32_t x = 0; x < k->d.vars; x++) {
		if (!k->inside[x] || k->d.q->place[x] != CSP_NONE || csp_size(n, x) == 1)
			continue;
		for (uint32_t i = csp_next_at(n, x, 0); i != CSP_NONE; i = csp_next_at(n, x, i + 1))
			if (!(w->values[x] >> i & 1) && !csp_forbid_at(n, x, i))
				return false;
	}
	return csp_propagate(n);
}

static bool has_value(struct skeleton *k, const struct well_chosen *w, const uint32_t *list, uint32_t count)
{
	uint32_t level = csp_level(k->p.n);
	bool found = false, alive = restrict_open(k, w);
	for (uint32_t i = 0; i < count && alive && !found; i++) {
		found = position_set(&k->p, list[i]);
		position_undo(&k->p);
	}
	csp_pop(k->p.n, level);
	return found;
}

static void key_of(struct skeleton *k, const struct well_chosen *w, bool forall, uint64_t key[2])
{
	restriction_look(&k->r, k->end);
	key[0] = hash_mix(4 * (uint64_t)k->p.depth + 2 * forall + 1) + hash_mix(w->number + 1);
	key[1] = hash_mix(key[0]);
	for (size_t i = 0; i < k->r.seen.n; i++) {
		key[0] += k->mark[2 * (size_t)k->r.seen.at[i]];
		key[1] += k->mark[2 * (size_t)k->r.seen.at[i] + 1];
	}
}

/* In every play from here on, does the side always have a well-chosen value? */
static bool always_moves(struct skeleton *k, const struct well_chosen *w, bool forall)
{
	uint32_t i = k->p.depth, count, it = 0, id;
	uint64_t key[2];
	if (i == k->end)
		return true;
	k->tired = k->tired || k->s->r->skeleton_nodes > WORK_AT_LEAST + WORK_PER_NODE * k->s->r->nodes;
	if (qcsp_limit(k->s) || k->tired)
		return false;
	key_of(k, w, forall, key);
	for (table_start(&k->index, key[0], &it); (id = table_next(&k->index, key[0], &it)) != TABLE_NONE;)
		if (k->known.at[3 * id] == key[0] && k->known.at[3 * id + 1] == key[1])
			return k->known.at[3 * id + 2];
	uint32_t *list = mem_alloc(csp_count(k->p.n, k->d.q->sequence.at[i]) + 1, sizeof *list);
	k->s->r->skeleton_nodes++;
	count = position_values(&k->p, list);
	bool ok = k->d.q->forall.at[i] != forall || has_value(k, w, list, count);
	for (uint32_t j = 0; j < count && ok; j++) {
		ok = !position_set(&k->p, list[j]) || always_moves(k, w, forall);
		position_undo(&k->p);
	}
	mem_free(list);
	if (k->s->stop || k->tired)
		return false;
	table_add(&k->index, key[0], (uint32_t)(k->known.n / 3));
	vec_push(&k->known, key[0]);
	vec_push(&k->known, key[1]);
	vec_push(&k->known, ok);
	return ok;
}

bool skeleton_suffices(struct skeleton *k, const struct position *whole, const struct compiled *d, bool forall)
{
	if (!k->usable || whole->depth >= k->end || !ask_the_rest(k, whole, d))
		return false;
	const struct well_chosen *w = choose(k);
	k->tired = false;
	return w && always_moves(k, w, forall);
}
