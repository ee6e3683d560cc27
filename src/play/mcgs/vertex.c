/* Nodes of the graph: made once for each state, opened when first walked into, with bounds that
 * only ever narrow. */
#include "play/mcgs/mcgs_internal.h"

#include "base/bits.h"
#include "base/hash.h"
#include "play/learn/evaluation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- arms ------------------------------------------------------------------------------------- */

size_t arms_bytes(const struct mcgs *t, const uint32_t *start, uint32_t joint, bool several)
{
	size_t n = start[t->roles], words = t->roles + 2 + (several ? 5 : 3) * n + joint;
	return words * sizeof(uint32_t) + n * sizeof(uint16_t);
}

void arms_at(const struct mcgs *t, uint32_t block, bool several, struct arms *out)
{
	assert(block != NONE && block != CLAIMED);
	uint32_t *at = block_at(t, block), n = at[t->roles];
	out->start = at;
	out->joint = at[t->roles + 1];
	at += t->roles + 2;
	out->visits = (_Atomic uint32_t *)at;
	out->mean = (_Atomic float *)(at + n);
	out->move = at + 2 * (size_t)n;
	at += 3 * (size_t)n;
	out->regret = several ? (_Atomic float *)at : NULL;
	out->policy = several ? (_Atomic float *)(at + n) : NULL;
	at += several ? 2 * (size_t)n : 0;
	out->child = (_Atomic uint32_t *)at;
	out->pending = (_Atomic uint16_t *)(at + out->joint);
}

bool vertex_arms(const struct mcgs *t, const struct vertex *n, struct arms *out)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	uint32_t block = atomic_load_explicit(&n->arms, memory_order_acquire);
	if (block == NONE)
		return false;
	arms_at(t, block, n->movers > 1, out);
	return true;
}

uint32_t joint_index(const struct mcgs *t, const struct arms *a, const uint32_t *chosen)
{
	assert(a->start[t->roles]);
	uint32_t i = 0;
	for (uint32_t r = 0; r < t->roles; r++)
		i = i * arm_count(a, r) + chosen[r];
	return i;
}

void joint_arms(const struct mcgs *t, const struct arms *a, uint32_t index, uint32_t *chosen)
{
	assert(a->joint && a->start[t->roles]);
	for (uint32_t r = t->roles; r--;) {
		chosen[r] = index % arm_count(a, r);
		index /= arm_count(a, r);
	}
}

/* ---- nodes ------------------------------------------------------------------------------------- */

void vertex_doubt(struct mcgs *t)
{
	if (t->opposed)
		t->stale = true;
	t->opposed = false;
}

static void set_flags(struct vertex *n, uint8_t flags)
{
	atomic_fetch_or_explicit(&n->flags, flags, RELAXED);
}

static void settle(struct mcgs *t, struct walker *w, struct vertex *n, const int *goals)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	float sum = 0;
	for (uint32_t r = 0; r < t->roles; r++) {
		float x = goals[r] == GOAL_NONE ? 0 : (float)goals[r] / 100;
		put(&vertex_value(t, n)[r], x);
		put(&vertex_low(t, n)[r], x);
		put(&vertex_high(t, n)[r], x);
		sum += r == t->g->random ? 0 : x;
	}
	if (sum < 0.999f || sum > 1.001f)
		vertex_doubt(t);
	set_flags(n, VERTEX_TERMINAL | VERTEX_SOLVED);
	w->proven++;
}

uint32_t vertex_find(struct mcgs *t, struct walker *w, const uint64_t *state, bool terminal, const int *goals,
                     const struct vertex *like)
{
	uint64_t hash = hash_mix(game_hash(t->g, state));
	uint32_t id = states_find(t, hash, state);
	if (id != NONE) {
		w->hits++;
		return id;
	}
	id = block_new(t, w, t->vertex_bytes);
	if (id == NONE)
		return NONE;
	struct vertex *n = vertex_at(t, id);
	memcpy(n->state, state, t->words * sizeof *state);
	for (uint32_t r = 0; r < t->roles; r++) {
		put(&vertex_value(t, n)[r], like ? get(&vertex_value(t, like)[r]) : 0.5f);
		put(&vertex_high(t, n)[r], 1);
	}
	if (terminal)
		settle(t, w, n, goals);
	w->nodes++;
	return states_enter(t, hash, id);
}

/* Arms for the moves in w->list, role by role from w->start on. */
static bool make_arms(struct mcgs *t, struct walker *w, struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	const uint32_t *start = w->start;
	uint64_t joint = 1;
	uint16_t movers = 0, mover = 0;
	for (uint32_t r = 0; r < t->roles; r++) {
		uint32_t count = start[r + 1] - start[r];
		joint *= count;
		joint = joint > MOST_JOINT ? MOST_JOINT + 1 : joint;
		if (r != t->g->random && count > 1) {
			movers++;
			mover = (uint16_t)r;
		}
	}
	if (!movers && t->g->random < t->roles)
		mover = (uint16_t)t->g->random;
	uint32_t kept = joint > MOST_JOINT ? 0 : (uint32_t)joint;
	uint32_t block = block_new(t, w, arms_bytes(t, start, kept, movers > 1));
	if (block == NONE)
		return false;
	uint32_t *at = block_at(t, block);
	struct arms a;
	memcpy(at, start, (t->roles + 1) * sizeof *start);
	at[t->roles + 1] = kept;
	arms_at(t, block, movers > 1, &a);
	memcpy(a.move, w->list.at, start[t->roles] * sizeof *a.move);
	for (uint32_t i = 0; i < start[t->roles]; i++)
		put(&a.mean[i], ARM_NEW);
	/* Two threads may come here with the same state: both write the same movers, and the first one's arms stay. */
	atomic_store_explicit(&n->movers, movers, RELAXED);
	atomic_store_explicit(&n->mover, mover, RELAXED);
	uint32_t none = NONE;
	atomic_compare_exchange_strong_explicit(&n->arms, &none, block, memory_order_release, RELAXED);
	return true;
}

static void list_row(struct mcgs *t, struct walker *w, const uint64_t *row)
{
	const uint32_t *first = t->g->first_move;
	vec_clear(&w->list);
	for (uint32_t r = 0; r < t->roles; r++) {
		w->start[r] = (uint32_t)w->list.n;
		for (size_t m = bits_next(row, first[r + 1], first[r]); m < first[r + 1];
		     m = bits_next(row, first[r + 1], m + 1))
			vec_push(&w->list, (uint32_t)m);
	}
	w->start[t->roles] = (uint32_t)w->list.n;
}

bool vertex_open(struct mcgs *t, struct walker *w, uint32_t id, const uint64_t *row)
{
	struct vertex *n = vertex_at(t, id);
	bool stuck = false;
	if (n->arms != NONE || vertex_flags(n) & VERTEX_TERMINAL)
		return true;
	if (row) {
		list_row(t, w, row);
	} else {
		struct view v = game_look(w->worker, n->state);
		stuck = v.terminal || worker_trouble(w->worker);
		vec_set(&w->list, v.legal, v.start[t->roles]);
		memcpy(w->start, v.start, (t->roles + 1) * sizeof *w->start);
	}
	for (uint32_t r = 0; r < t->roles; r++)
		stuck |= w->start[r] == w->start[r + 1];
	if (stuck) { /* a role without a move: it counts as an end */
		settle(t, w, n, game_look(w->worker, n->state).goals);
		return true;
	}
	return make_arms(t, w, n);
}

uint32_t vertex_sole_child(const struct arms *a, uint32_t role, uint32_t arm)
{
	if (a->joint != arm_count(a, role))
		return NONE;
	uint32_t c = atomic_load_explicit(&a->child[arm], memory_order_acquire);
	return c == CLAIMED ? NONE : c;
}

/* Two roles who share 100 points share them here too. */
void vertex_judge(struct mcgs *t, const uint64_t *state, float *out)
{
	float sum = 0;
	evaluation_batch(t->evaluation, state, 1, out);
	for (uint32_t r = 0; r < t->roles; r++)
		sum += r == t->g->random ? 0 : out[r];
	for (uint32_t r = 0; t->opposed && sum > 0 && r < t->roles; r++)
		out[r] /= sum;
}

bool vertex_twins(struct mcgs *t, struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	struct arms a;
	bool any = false;
	if (n->movers != 1 || !vertex_arms(t, n, &a) || !is_single(n, &a))
		return false;
	uint32_t stamp = atomic_fetch_add_explicit(&t->stamp, 1, RELAXED) + 1;
	for (uint32_t i = 0; i < a.joint; i++) {
		uint32_t c = vertex_sole_child(&a, n->mover, i);
		if (c != NONE && atomic_exchange_explicit(&vertex_at(t, c)->met, stamp, RELAXED) == stamp) {
			put(&a.mean[a.start[vertex_mover(n)] + i], ARM_SHUT);
			any = true;
		}
	}
	return any;
}

/* ---- bounds ------------------------------------------------------------------------------------ */

static float low_of(const struct mcgs *t, uint32_t c, uint32_t role)
{
	assert(role < t->roles);
	return c == NONE || c == CLAIMED ? 0 : get(&vertex_low(t, vertex_at(t, c))[role]);
}

static float high_of(const struct mcgs *t, uint32_t c, uint32_t role)
{
	assert(role < t->roles);
	return c == NONE || c == CLAIMED ? 1 : get(&vertex_high(t, vertex_at(t, c))[role]);
}

typedef float bound_of(const struct mcgs *, uint32_t, uint32_t);

/* The mean of a bound over the moves of `random`, everybody else's being fixed. */
static float expected(const struct mcgs *t, const struct arms *a, uint32_t *chosen, uint32_t role, bound_of *bound)
{
	assert(role < t->roles);
	assert(a->joint && a->start[t->roles]);
	uint32_t random = t->g->random;
	if (random == t->roles)
		return bound(t, a->child[joint_index(t, a, chosen)], role);
	float sum = 0;
	uint32_t count = arm_count(a, random);
	for (chosen[random] = 0; chosen[random] < count; chosen[random]++)
		sum += bound(t, a->child[joint_index(t, a, chosen)], role);
	chosen[random] = 0;
	return sum / (float)count;
}

/* Bounds of one arm of the mover, for a role. */
static void arm_bounds(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t *chosen,
                       uint32_t arm, uint32_t role, float *low, float *high)
{
	assert(role < t->roles);
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->joint && a->start[t->roles]);
	assert(arm < a->start[t->roles]);
	if (is_single(n, a)) {
		*low = low_of(t, a->child[arm], role);
		*high = high_of(t, a->child[arm], role);
		return;
	}
	if (n->movers)
		chosen[vertex_mover(n)] = arm;
	*low = expected(t, a, chosen, role, low_of);
	*high = expected(t, a, chosen, role, high_of);
}

/* The mover's arms that can bring nothing more are shut: those proved, and those not better than what is sure. */
static void shut_arms(struct mcgs *t, struct walker *w, const struct vertex *n, const struct arms *a, const float *low,
                      const float *high)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->joint && a->start[t->roles]);
	uint32_t r = n->mover;
	memset(w->joint, 0, t->roles * sizeof *w->joint);
	for (uint32_t i = 0; i < arm_count(a, r); i++) {
		float l, h;
		arm_bounds(t, n, a, w->joint, i, r, &l, &h);
		if (h - l < 1e-5f || h < low[r] || (h <= low[r] && low[r] < high[r]))
			put(&a->mean[a->start[r] + i], ARM_SHUT);
	}
}

/* The others' scores lie between the extremes over the moves that may still be the mover's best. */
static void bound_single(struct mcgs *t, struct walker *w, const struct vertex *n, const struct arms *a, float *low,
                         float *high)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->joint && a->start[t->roles]);
	uint32_t roles = t->roles, r = n->mover, *chosen = w->joint;
	uint32_t count = n->movers ? arm_count(a, r) : 1;
	float l, h;
	memset(chosen, 0, roles * sizeof *chosen);
	if (!n->movers) { /* only chance, or nobody: the means */
		for (uint32_t q = 0; q < roles; q++) {
			low[q] = expected(t, a, chosen, q, low_of);
			high[q] = expected(t, a, chosen, q, high_of);
		}
		return;
	}
	low[r] = high[r] = 0;
	for (uint32_t i = 0; i < count; i++) {
		arm_bounds(t, n, a, chosen, i, r, &l, &h);
		low[r] = l > low[r] ? l : low[r];
		high[r] = h > high[r] ? h : high[r];
	}
	for (uint32_t q = 0; q < roles; q++) {
		if (q == r)
			continue;
		if (t->opposed && q != t->g->random) {
			low[q] = 1 - high[r];
			high[q] = 1 - low[r];
			continue;
		}
		low[q] = 1;
		high[q] = 0;
		for (uint32_t i = 0; i < count; i++) {
			arm_bounds(t, n, a, chosen, i, r, &l, &h);
			if (h < low[r])
				continue;
			arm_bounds(t, n, a, chosen, i, q, &l, &h);
			low[q] = l < low[q] ? l : low[q];
			high[q] = h > high[q] ? h : high[q];
		}
	}
}

/* Several choose at once: what a role can force with one move of its own, and the
 * best that any joint move could bring. */
static void bound_joint(struct mcgs *t, struct walker *w, const struct arms *a, float *low, float *high)
{
	assert(a->joint && a->start[t->roles]);
	uint32_t roles = t->roles, *chosen = w->joint;
	for (uint32_t q = 0; q < roles; q++) {
		vec_reserve(&w->score, arm_count(a, q));
		float *worst = w->score.at;
		for (uint32_t i = 0; i < arm_count(a, q); i++)
			worst[i] = 1;
		low[q] = high[q] = 0;
		for (uint32_t i = 0; i < a->joint; i++) {
			joint_arms(t, a, i, chosen);
			if (t->g->random < roles && chosen[t->g->random])
				continue; /* expected() runs over these */
			float l = expected(t, a, chosen, q, low_of), h = expected(t, a, chosen, q, high_of);
			worst[chosen[q]] = l < worst[chosen[q]] ? l : worst[chosen[q]];
			high[q] = h > high[q] ? h : high[q];
		}
		for (uint32_t i = 0; i < arm_count(a, q); i++)
			low[q] = worst[i] > low[q] ? worst[i] : low[q];
	}
}

#define MATRIX_SIDE 32u /* arms of a role at a node whose matrix game is solved, at most */

/* Is it worth the time to look for mixed strategies? The children are all proved. */
static bool children_solved(const struct mcgs *t, const struct arms *a)
{
	for (uint32_t i = 0; i < a->joint; i++) {
		uint32_t c = atomic_load_explicit(&a->child[i], memory_order_acquire);
		if (c == NONE || c == CLAIMED || !(vertex_flags(vertex_at(t, c)) & VERTEX_SOLVED))
			return false;
	}
	return true;
}

/* Two choose at once and share 100 points: what one can force the other does not get, and where pure strategies leave
 * it open, the matrix game of the children says. */
static void bound_opposed(struct mcgs *t, struct walker *w, const struct arms *a, float *low, float *high)
{
	assert(t->roles == 2 && a->joint == arm_count(a, 0) * arm_count(a, 1));
	uint32_t rows = arm_count(a, 0), columns = arm_count(a, 1);
	if (1 - low[0] - low[1] >= 1e-5f && rows <= MATRIX_SIDE && columns <= MATRIX_SIDE && children_solved(t, a)) {
		vec_reserve(&w->matrix, (size_t)a->joint + rows + columns);
		double *strategy = w->matrix.at + a->joint;
		for (uint32_t i = 0; i < a->joint; i++)
			w->matrix.at[i] = (double)low_of(t, a->child[i], 0);
		struct matrix_value v =
			matrix_game_solve(&w->room, &(struct matrix_game){w->matrix.at, rows, columns}, strategy, strategy + rows);
		low[0] = fmaxf(low[0], (float)v.low);
		low[1] = fmaxf(low[1], (float)(1 - v.high));
	}
	for (uint32_t q = 0; q < 2; q++)
		high[q] = fmaxf(fminf(high[q], 1 - low[1 - q]), low[q]);
}

/* How far the end is on the way that proves what the mover has: the nearest way to the best, to
 * rank wins; where all is lost, the longest. */
static uint16_t find_distance(const struct mcgs *t, const struct vertex *n, const struct arms *a, float low, float high)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->joint && a->start[t->roles]);
	assert(low <= high);
	uint32_t best = 0;
	for (uint32_t i = 0; n->movers == 1 && i < arm_count(a, n->mover); i++) {
		uint32_t c = vertex_sole_child(a, n->mover, i);
		if (c == NONE || low_of(t, c, n->mover) < low)
			continue;
		uint32_t d = vertex_at(t, c)->distance + 1u;
		if (!best || (high <= 0 ? d > best : d < best))
			best = d;
	}
	return (uint16_t)(best > UINT16_MAX ? UINT16_MAX : best ? best : 1);
}

#define MOST_BOUNDED 4096u /* joint moves */

bool vertex_bound(struct mcgs *t, struct walker *w, struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	struct arms a;
	if (vertex_flags(n) & VERTEX_SOLVED || !vertex_arms(t, n, &a) || !a.joint || a.joint > MOST_BOUNDED)
		return false;
	float *low = w->low, *high = w->high;
	if (n->movers < 2)
		bound_single(t, w, n, &a, low, high);
	else
		bound_joint(t, w, &a, low, high);
	if (n->movers == 2 && t->opposed && t->roles == 2)
		bound_opposed(t, w, &a, low, high);
	bool solved = true, changed = false;
	for (uint32_t r = 0; r < t->roles; r++) {
		if (r == t->g->random)
			continue; /* it wants nothing */
		_Atomic float *l = &vertex_low(t, n)[r], *h = &vertex_high(t, n)[r];
		changed |= low[r] > get(l) || high[r] < get(h);
		if (low[r] > get(l))
			put(l, low[r]);
		if (high[r] < get(h))
			put(h, high[r]);
		solved &= get(h) - get(l) < 1e-5f;
		low[r] = get(l);
		high[r] = fmaxf(get(h), low[r]); /* they may cross by rounding where they meet */
		put(&vertex_value(t, n)[r], within(get(&vertex_value(t, n)[r]), low[r], high[r]));
	}
	if (n->movers == 1)
		shut_arms(t, w, n, &a, low, high);
	n->distance = find_distance(t, n, &a, low[vertex_mover(n)], high[vertex_mover(n)]);
	if (solved) {
		for (uint32_t r = 0; r < t->roles; r++)
			put(&vertex_value(t, n)[r], get(&vertex_low(t, n)[r]));
		set_flags(n, VERTEX_SOLVED);
		w->proven++;
	}
	return changed || solved;
}
