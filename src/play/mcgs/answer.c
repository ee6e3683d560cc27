/* The answer of the search: what is known at the root, the move to make there, and why. */
#include "play/mcgs/mcgs_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct mcgs_value mcgs_value(const struct mcgs *t, uint32_t role)
{
	assert(role < t->roles);
	const struct vertex *n = vertex_at(t, t->root);
	return (struct mcgs_value){.mean = 100 * (double)get(&vertex_value(t, n)[role]),
	                           .low = 100 * (double)get(&vertex_low(t, n)[role]),
	                           .high = 100 * (double)get(&vertex_high(t, n)[role]),
	                           .visits = n->visits};
}

/* What is known of an arm of a role. */
struct arm_view {
	double mean, low, high, visits;
	uint32_t distance;
};

static struct arm_view view_arm(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t role,
                                uint32_t arm)
{
	assert(role < t->roles);
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	assert(arm < a->start[t->roles]);
	uint32_t i = a->start[role] + arm, c = vertex_sole_child(a, role, arm);
	struct arm_view v = {.mean = (double)get(&a->mean[i]), .high = 1, .visits = a->visits[i]};
	if (c != NONE) {
		const struct vertex *to = vertex_at(t, c);
		v.low = (double)get(&vertex_low(t, to)[role]);
		v.high = (double)get(&vertex_high(t, to)[role]);
		v.distance = to->distance;
		if (v.mean <= (double)ARM_SHUT)
			v.mean = (double)get(&vertex_value(t, to)[role]);
	}
	v.mean = v.mean < v.low ? v.low : v.mean > v.high ? v.high : v.mean;
	return v;
}

static bool is_proved(const struct arm_view *v)
{
	return v->high - v->low < 1e-5;
}

/* Of two moves with the same proved value: a win as soon as possible, a loss as late. */
static bool is_nearer(const struct arm_view *x, const struct arm_view *y)
{
	if (x->distance == y->distance)
		return x->visits > y->visits;
	return (x->distance < y->distance) == (x->low > 0);
}

/* The most visited of those that are open, as the search has gone there again and again; or the best of those
 * that are proved, when that is worth as much. */
uint32_t best_arm(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t role)
{
	assert(role < t->roles);
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	double most = (double)get(&vertex_high(t, n)[role]);
	struct arm_view open = {0}, sure = {0};
	uint32_t open_arm = NONE32, sure_arm = NONE32;
	for (uint32_t i = 0; i < arm_count(a, role); i++) {
		struct arm_view v = view_arm(t, n, a, role, i);
		if (is_proved(&v)) {
			if (sure_arm == NONE32 || v.low > sure.low + 1e-5 || (v.low > sure.low - 1e-5 && is_nearer(&v, &sure))) {
				sure = v;
				sure_arm = i;
			}
		} else if (open_arm == NONE32 || v.low >= open.high ||
		           (v.high > open.low && (v.visits != open.visits ? v.visits > open.visits : v.mean > open.mean))) {
			open = v;
			open_arm = i;
		}
	}
	if (open_arm == NONE32 || sure_arm == NONE32)
		return a->start[role] + (open_arm == NONE32 ? sure_arm : open_arm);
	return a->start[role] + ((open.high < most ? open.high : most) > sure.low && open.visits > 0 && open.mean > sure.low
	                             ? open_arm
	                             : sure_arm);
}

/* ---- mixed strategies ----------------------------------------------------------------------------- */

#define MATRIX_MOST 200000 /* numbers in the matrix of a node: joint moves times roles */
#define MATRIX_WORK 2e6    /* numbers looked at for an equilibrium */
#define MATRIX_DOUBT 2.0   /* visits that the mean of an arm counts for beside those of a joint move */

/* What all joint moves of a node are worth, by joint move and role: what is known of the child, and of the arm as long
 * as that is little. */
static double *matrix_of(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t *chosen)
{
	double *value = NEW_ARRAY(double, (size_t)a->joint * t->roles);
	for (uint32_t k = 0; k < a->joint; k++) {
		uint32_t c = a->child[k];
		const struct vertex *to = c == NONE || c == CLAIMED ? NULL : vertex_at(t, c);
		double visits = !to ? 0 : vertex_flags(to) & VERTEX_SOLVED ? HUGE_VAL : to->visits;
		joint_arms(t, a, k, chosen);
		for (uint32_t r = 0; r < t->roles; r++) {
			double arm = (double)get(&a->mean[a->start[r] + chosen[r]]);
			if (arm < 0)
				arm = (double)get(&vertex_value(t, n)[r]);
			double known = to ? (double)get(&vertex_value(t, to)[r]) : arm,
				   doubt = MATRIX_DOUBT / (visits + MATRIX_DOUBT);
			value[(size_t)k * t->roles + r] = (1 - doubt) * known + doubt * arm;
		}
	}
	return value;
}

/* Regrets that were below zero begin again at zero; all others become the next strategy. */
static void match_regrets(const struct arms *a, uint32_t role, double *regret, double *strategy)
{
	double total = 0;
	for (uint32_t i = a->start[role]; i < a->start[role + 1]; i++) {
		regret[i] = regret[i] > 0 ? regret[i] : 0;
		total += regret[i];
	}
	for (uint32_t i = a->start[role]; i < a->start[role + 1]; i++)
		strategy[i] = total > 0 ? regret[i] / total : 1.0 / arm_count(a, role);
}

/* What each arm is worth while the others play their strategies. */
static void expect_arms(const struct mcgs *t, const struct arms *a, const double *value, const double *strategy,
                        uint32_t *chosen, double *worth)
{
	memset(worth, 0, a->start[t->roles] * sizeof *worth);
	for (uint32_t k = 0; k < a->joint; k++) {
		joint_arms(t, a, k, chosen);
		for (uint32_t r = 0; r < t->roles; r++) {
			double p = 1;
			for (uint32_t q = 0; q < t->roles; q++)
				p *= q == r ? 1 : strategy[a->start[q] + chosen[q]];
			worth[a->start[r] + chosen[r]] += p * value[(size_t)k * t->roles + r];
		}
	}
}

/* An equilibrium of the matrix of a node, nearly: regret matching that forgets what is below zero, with an average in
 * which later rounds count more (Tammelin 2014). */
static void equilibrium(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t role,
                        double *share)
{
	uint32_t arms = a->start[t->roles], *chosen = NEW_ARRAY(uint32_t, t->roles);
	double *value = matrix_of(t, n, a, chosen), *regret = NEW_ARRAY(double, 3 * (size_t)arms);
	double *strategy = regret + arms, *worth = strategy + arms;
	memset(share, 0, arm_count(a, role) * sizeof *share);
	double rounds = fmin(MATRIX_WORK / ((double)a->joint * t->roles), 2000);
	for (uint32_t i = 0; i < rounds; i++) {
		for (uint32_t r = 0; r < t->roles; r++)
			match_regrets(a, r, regret, strategy);
		expect_arms(t, a, value, strategy, chosen, worth);
		for (uint32_t r = 0; r < t->roles; r++) {
			double mean = 0;
			for (uint32_t k = a->start[r]; k < a->start[r + 1]; k++)
				mean += strategy[k] * worth[k];
			for (uint32_t k = a->start[r]; k < a->start[r + 1] && r != t->g->random; k++)
				regret[k] += worth[k] - mean;
		}
		for (uint32_t k = 0; k < arm_count(a, role); k++)
			share[k] += i * strategy[a->start[role] + k];
	}
	mem_free(chosen);
	mem_free(value);
	mem_free(regret);
}

/* An optimal strategy at a node whose value is proved by those of its children. Where nothing is to be had, all are:
 * then the means say what to try. */
static bool exact_strategy(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t role,
                           double *share)
{
	double value = (double)get(&vertex_low(t, n)[role]);
	if (!(vertex_flags(n) & VERTEX_SOLVED) || !t->opposed || t->roles != 2 || !a->joint || value <= 0)
		return false;
	uint32_t own = arm_count(a, role), other = arm_count(a, 1 - role), chosen[2];
	double *low = NEW_ARRAY(double, (size_t)a->joint + other);
	for (uint32_t k = 0; k < a->joint; k++) {
		uint32_t c = a->child[k];
		joint_arms(t, a, k, chosen);
		low[chosen[role] * other + chosen[1 - role]] =
			c == NONE || c == CLAIMED ? 0 : (double)get(&vertex_low(t, vertex_at(t, c))[role]);
	}
	struct matrix_room room = {0};
	double sure = matrix_game_solve(&room, &(struct matrix_game){low, own, other}, share, low + a->joint).low;
	matrix_room_free(&room);
	mem_free(low);
	return sure > value - 1e-4;
}

/* Where scores do not add up to 100, two equilibria can mix to something bad for both: there the most visited move. */
static bool is_mixed(const struct mcgs *t, const struct vertex *n, const struct arms *a)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	return n->movers > 1 && (t->o.mixed == MIXED_TREE || (t->o.mixed == MIXED_ROOT && t->opposed && a->joint &&
	                                                      (double)a->joint * t->roles <= MATRIX_MOST));
}

/* The probability of each arm of the role, its tail cut off where it is not exact: what is improbable against the most
 * probable move is not played (Ganzfried, Sandholm and Waugh 2012). */
static double *mixed_strategy(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t role)
{
	uint32_t count = arm_count(a, role);
	double *share = NEW_ARRAY(double, count), most = 0, total = 0;
	if (exact_strategy(t, n, a, role, share))
		return share;
	if (t->o.mixed == MIXED_ROOT)
		equilibrium(t, n, a, role, share);
	for (uint32_t i = 0; i < count && t->o.mixed == MIXED_TREE; i++)
		share[i] = (double)get(&a->policy[a->start[role] + i]);
	for (uint32_t i = 0; i < count; i++)
		most = share[i] > most ? share[i] : most;
	for (uint32_t i = 0; i < count; i++) {
		share[i] = share[i] < t->o.tune.tail * most ? 0 : share[i];
		total += share[i];
	}
	for (uint32_t i = 0; i < count; i++)
		share[i] = total > 0 ? share[i] / total : 1.0 / count;
	return share;
}

/* ---- the move ------------------------------------------------------------------------------------- */

uint32_t mcgs_choose(struct mcgs *t, struct seat *s)
{
	assert(s->role < s->game->roles);
	const struct vertex *n = vertex_at(t, t->root);
	struct arms a;
	if (!vertex_arms(t, n, &a))
		return GAME_NONE;
	uint32_t first = a.start[s->role], end = a.start[s->role + 1], best;
	if (is_mixed(t, n, &a) && end - first > 1) {
		double *share = mixed_strategy(t, n, &a, s->role), at = rng_unit(&s->rng);
		for (best = first; best + 1 < end && (at -= share[best - first]) >= 0;)
			best++;
		text_printf(&s->why, "drawn with probability %.2f, mean %.1f of %.0f visits", share[best - first],
		            100 * (double)get(&vertex_value(t, n)[s->role]), (double)n->visits);
		mem_free(share);
	} else {
		best = best_arm(t, n, &a, s->role);
		struct arm_view v = view_arm(t, n, &a, s->role, best - first);
		if (get(&vertex_low(t, n)[s->role]) >= get(&vertex_high(t, n)[s->role]))
			text_printf(&s->why, "proved: %.0f", 100 * (double)get(&vertex_low(t, n)[s->role]));
		else
			text_printf(&s->why, "mean %.1f in %.0f of %.0f visits", 100 * v.mean, v.visits, (double)n->visits);
	}
	text_printf(&s->why, ", %llu states, %llu playouts", (unsigned long long)t->entries,
	            (unsigned long long)s->count.playouts);
	return a.move[best];
}

/* ---- analysis ------------------------------------------------------------------------------------- */

static bool is_root(const struct mcgs *t, const struct turn *turn)
{
	return t->root != NONE && vertex_at(t, t->root)->arms != NONE && turn->state &&
	       !memcmp(vertex_at(t, t->root)->state, turn->state, t->words * sizeof *turn->state);
}

static uint32_t arm_of(const struct arms *a, uint32_t role, uint32_t move)
{
	for (uint32_t i = a->start[role]; i < a->start[role + 1]; i++)
		if (a->move[i] == move)
			return i;
	return NONE32;
}

bool mcgs_values(struct mcgs *t, struct seat *s, const struct turn *turn, struct move_value *out)
{
	assert(s->role < s->game->roles);
	assert(turn->legal_count && turn->legal);
	struct arms a;
	if (!is_root(t, turn))
		return false;
	const struct vertex *n = vertex_at(t, t->root);
	vertex_arms(t, n, &a);
	uint32_t first = a.start[s->role];
	double *share = is_mixed(t, n, &a) ? mixed_strategy(t, n, &a, s->role) : NULL;
	for (uint32_t i = 0; i < turn->legal_count; i++) {
		uint32_t arm = arm_of(&a, s->role, turn->legal[i]);
		if (arm == NONE32)
			continue;
		struct arm_view v = view_arm(t, n, &a, s->role, arm - first);
		out[i].low = 100 * v.low;
		out[i].high = 100 * v.high;
		out[i].visits = v.visits;
		if (is_proved(&v) || v.visits > 0)
			out[i].value = 100 * (v.mean < v.low ? v.low : v.mean > v.high ? v.high : v.mean);
		if (share)
			out[i].share = share[arm - first];
	}
	mem_free(share);
	return true;
}

/* The arms that are expected at a node, by role. False: too little is known there. */
static bool expect(const struct mcgs *t, const struct vertex *n, const struct arms *a, uint32_t *chosen)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	assert(a->start[t->roles]);
	for (uint32_t r = 0; r < t->roles; r++) {
		uint32_t best = best_arm(t, n, a, r) - a->start[r];
		struct arm_view v = view_arm(t, n, a, r, best);
		if (arm_count(a, r) > 1 && v.visits <= 0 && !is_proved(&v))
			return false;
		chosen[r] = best;
	}
	return true;
}

void mcgs_line(struct mcgs *t, struct seat *s, const struct turn *turn, uint32_t move, struct move_line *out)
{
	assert(s->role < s->game->roles);
	assert(turn->legal_count && turn->legal);
	struct arms a;
	uint32_t id = t->root, *chosen = NEW_ARRAY(uint32_t, t->roles);
	for (uint32_t step = 0; is_root(t, turn) && step < PLAY_LINE_STEPS && id != NONE && id != CLAIMED; step++) {
		const struct vertex *n = vertex_at(t, id);
		if (!vertex_arms(t, n, &a) || !a.joint || !expect(t, n, &a, chosen))
			break;
		if (!step && arm_of(&a, s->role, move) == NONE32)
			break;
		if (!step)
			chosen[s->role] = arm_of(&a, s->role, move) - a.start[s->role];
		for (uint32_t r = 0; r < t->roles; r++)
			vec_push(out, a.move[a.start[r] + chosen[r]]);
		id = a.child[joint_index(t, &a, chosen)];
	}
	mem_free(chosen);
}

bool mcgs_children(struct mcgs *t, struct seat *s, const struct turn *turn, uint32_t node, struct tree_children *out)
{
	struct arms a;
	if (!is_root(t, turn))
		return false;
	const struct vertex *n = vertex_at(t, node == TREE_ROOT ? t->root : node);
	if (!vertex_arms(t, n, &a))
		return true;
	uint32_t *chosen = NEW_ARRAY(uint32_t, t->roles);
	for (uint32_t k = 0; k < a.joint; k++) {
		uint32_t c = a.child[k];
		if (c == NONE || c == CLAIMED)
			continue;
		const struct vertex *to = vertex_at(t, c);
		uint32_t visits = is_single(n, &a) ? a.visits[a.start[vertex_mover(n)] + k] : to->visits;
		if (!visits)
			continue;
		struct tree_node child = {.value = 100 * (double)get(&vertex_value(t, to)[s->role]),
		                          .low = 100 * (double)get(&vertex_low(t, to)[s->role]),
		                          .high = 100 * (double)get(&vertex_high(t, to)[s->role]),
		                          .visits = visits};
		vec_push(&out->nodes, child);
		vec_push(&out->ids, c);
		joint_arms(t, &a, k, chosen);
		for (uint32_t r = 0; r < t->roles; r++)
			vec_push(&out->moves, a.move[a.start[r] + chosen[r]]);
	}
	mem_free(chosen);
	return true;
}
