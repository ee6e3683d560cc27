/* The chance part of rounds: which decisions are feasible whatever is drawn, and later which of them are worth going on
 * with.
 *
 * With the state injected, a round's draw is uniform over its legal values, and every decision goes with every draw:
 * this is what universal variables leave of the constraints with the draw. So rounds with equal numbers of decisions
 * and draws have equal chance parts, and each is solved once. What play teaches is put into it as a constraint on pairs
 * of a decision and a draw; forward checking then says which decisions still have enough draws (section 4.4 of "General
 * Game Playing with Stochastic CSP"). */
#include "play/mac/mac_internal.h"

#include "scsp/split.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_PAIRS 65536 /* of decisions and draws that are tested */

/* ---- lines 4 to 14 -------------------------------------------------------------------------- */

/* The round as a µSCSP: one decision, one draw; `allowed`: pairs of them, NULL: all. `draws`: by decision. */
static struct scsp *chance_problem(uint32_t decisions, const uint32_t *draws, const bool *allowed, double theta)
{
	assert(decisions && theta >= 0 && theta <= 1);
	struct csp *n = csp_new();
	uint32_t width = 1, a = csp_var_range(n, "decision", 0, (int32_t)decisions - 1);
	for (uint32_t i = 0; i < decisions; i++)
		width = draws[i] > width ? draws[i] : width;
	uint32_t y = csp_var_range(n, "draw", 0, (int32_t)width - 1);
	struct scsp *s = scsp_new(n, 1);
	VEC(struct scsp_p) p = {0};
	VEC(int32_t) given = {0}, tuples = {0};
	for (uint32_t i = 0; i < decisions; i++) {
		vec_push(&given, (int32_t)i);
		for (uint32_t d = 0; d < width; d++)
			vec_push(&p, d < draws[i] ? scsp_ratio(1, draws[i]) : scsp_ratio(0, 1));
		for (uint32_t d = 0; d < draws[i]; d++)
			if (!allowed || allowed[i * width + d]) {
				vec_push(&tuples, (int32_t)i);
				vec_push(&tuples, (int32_t)d);
			}
	}
	assert(p.n == (size_t)decisions * width);
	scsp_draw_given(s, y, &a, 1, given.at, decisions, p.at);
	csp_add_table(scsp_chance(s), (uint32_t[]){a, y}, 2, tuples.at, tuples.n / 2, true);
	scsp_threshold(s, 0, theta);
	vec_free(&p);
	vec_free(&given);
	vec_free(&tuples);
	return s;
}

/* SFC on the chance part: the decisions that reach the threshold, as bits of `feasible` (may be NULL). Returns their
 * number. */
static size_t forward_check(struct scsp *problem, bool *feasible)
{
	struct text error = {0};
	struct scsp *chance = scsp_chance_part(problem, &error);
	struct scsp_feasible f = {0};
	size_t rows = 0;
	if (chance && scsp_feasibility(chance, &f, NULL)) {
		rows = f.rows;
		for (size_t i = 0; i < f.rows && feasible; i++)
			feasible[f.tuples.at[i]] = true;
		scsp_feasible_free(&f);
	}
	if (chance)
		scsp_free(chance);
	text_free(&error);
	return rows;
}

bool mac_chance_part(struct mac_search *k, struct seat *s)
{
	const struct game *g = k->tree->g;
	uint32_t draws = 1, decisions = 1, it, id;
	if (g->random == g->roles)
		return true;
	for (uint32_t r = 0; r < g->roles; r++) {
		uint32_t count = k->first.at[r + 1] - k->first.at[r];
		if (r == g->random)
			draws = count;
		else if ((uint64_t)decisions * count <= MOST_PAIRS)
			decisions *= count;
	}
	assert(draws && decisions);
	uint64_t h = hash_join(hash_mix(decisions), draws);
	for (table_start(&k->solved, h, &it); (id = table_next(&k->solved, h, &it)) != TABLE_NONE;)
		if (k->shapes.at[id].decisions == decisions && k->shapes.at[id].draws == draws) {
			s->count.feasible += decisions;
			return k->shapes.at[id].feasible;
		}
	uint32_t *each = NEW_ARRAY(uint32_t, decisions);
	for (uint32_t i = 0; i < decisions; i++)
		each[i] = draws;
	struct scsp *problem = chance_problem(decisions, each, NULL, 1);
	struct chance_shape shape = {decisions, draws, forward_check(problem, NULL) == decisions};
	scsp_free(problem);
	mem_free(each);
	table_add(&k->solved, h, (uint32_t)k->shapes.n);
	vec_push(&k->shapes, shape);
	s->count.feasible += decisions;
	return shape.feasible;
}

/* ---- pruning ----------------------------------------------------------------------------------- */

/* The states after a decision, one for each draw: in this round, or, where chance draws alone, in the next. */
struct outcomes {
	const uint32_t *child;
	uint32_t first, step, count;
};

static struct outcomes outcomes_of(const struct tree *t, const struct node *n, uint32_t arm)
{
	assert(arm < arm_count(n, n->mover) && n->joint % arm_count(n, n->mover) == 0);
	uint32_t random = t->g->random, draws = n->joint / arm_count(n, n->mover);
	struct outcomes o = {n->child, arm, 1, 1};
	if (draws > 1) { /* the roles with one move do not count in joint_index() */
		bool inner = n->mover < random;
		return (struct outcomes){n->child, inner ? arm * draws : arm, inner ? 1 : arm_count(n, n->mover), draws};
	}
	const struct node *c = n->child[arm] == NODE_NONE ? NULL : &t->nodes.at[n->child[arm]];
	if (c && c->start && c->child && !c->movers && c->joint > 1)
		return (struct outcomes){c->child, 0, 1, c->joint};
	return o;
}

/* Below the threshold even with confidence? */
static bool is_below(const struct mac_search *k, uint32_t id, uint32_t role, double width)
{
	if (id == NODE_NONE)
		return false;
	const struct node *c = &k->tree->nodes.at[id];
	if ((double)c->high[role] < k->theta)
		return true;
	return c->visits > 0 && !c->solved && mac_value(c, role) + width / sqrt(c->visits) < k->theta;
}

static bool leave_out(struct mac_search *k, uint32_t id, uint32_t arm)
{
	struct node *n = &k->tree->nodes.at[id];
	assert(n->movers == 1 && arm < arm_count(n, n->mover));
	struct arm *a = &n->arms[n->start[n->mover] + arm];
	struct left_out x = {id, n->start[n->mover] + arm};
	if (a->infeasible || n->start[n->mover] + arm == node_best_arm(k->tree, n, n->mover))
		return false;
	a->infeasible = true;
	vec_push(&k->left_out, x);
	return true;
}

/* Solutions that are exhausted and worth less than the threshold. */
static void prune_exhausted(struct mac_search *k, struct seat *s, uint32_t id)
{
	const struct node *n = &k->tree->nodes.at[id];
	for (uint32_t a = 0; a < arm_count(n, n->mover); a++) {
		const struct arm *x = &n->arms[n->start[n->mover] + a];
		if (arm_proved(x) && (double)x->high < k->theta)
			s->count.pruned_theta += leave_out(k, id, a);
	}
}

/* Pairs of a decision and a draw that are below; decisions with too many of these are infeasible. */
static void prune_unlikely(struct mac_search *k, struct seat *s, uint32_t id)
{
	const struct tree *t = k->tree;
	const struct node *n = &t->nodes.at[id];
	uint32_t count = arm_count(n, n->mover), width = 1, *draws = NEW_ARRAY(uint32_t, count);
	double reach = t->o.c * sqrt(log(n->visits + 1));
	bool some = false;
	for (uint32_t a = 0; a < count; a++) {
		draws[a] = outcomes_of(t, n, a).count;
		width = draws[a] > width ? draws[a] : width;
	}
	if ((uint64_t)count * width <= MOST_PAIRS) {
		bool *allowed = NEW_ARRAY(bool, (size_t)count *width), *feasible = NEW_ARRAY(bool, count);
		for (uint32_t a = 0; a < count; a++) {
			struct outcomes o = outcomes_of(t, n, a);
			assert(o.count && o.count <= width);
			for (uint32_t d = 0; d < o.count; d++) {
				allowed[a * width + d] = !is_below(k, o.child[o.first + d * o.step], n->mover, reach);
				some |= !allowed[a * width + d];
			}
		}
		if (some) {
			struct scsp *problem = chance_problem(count, draws, allowed, k->o.draws);
			s->count.feasible += forward_check(problem, feasible);
			scsp_free(problem);
			for (uint32_t a = 0; a < count; a++)
				s->count.pruned_confidence += !feasible[a] && leave_out(k, id, a);
		}
		mem_free(allowed);
		mem_free(feasible);
	}
	mem_free(draws);
}

void mac_chance_prune(struct mac_search *k, struct seat *s, uint32_t id)
{
	const struct node *n = &k->tree->nodes.at[id];
	if (k->theta <= 0 || n->movers != 1 || !n->child || n->solved || n->terminal)
		return;
	while (k->check_at.n <= id)
		vec_push(&k->check_at, (float)k->o.tune.first_check);
	if (n->visits < (double)k->check_at.at[id])
		return;
	k->check_at.at[id] = (float)(2 * n->visits);
	if (k->o.theta)
		prune_exhausted(k, s, id);
	if (k->o.confidence)
		prune_unlikely(k, s, id);
}

void mac_chance_restore(struct mac_search *k)
{
	for (size_t i = 0; i < k->left_out.n; i++) {
		struct left_out x = k->left_out.at[i];
		const struct node *n = x.node < k->tree->nodes.n ? &k->tree->nodes.at[x.node] : NULL;
		if (n && n->start && x.arm < n->start[k->tree->g->roles]) /* the tree may have begun anew */
			n->arms[x.arm].infeasible = false;
	}
	vec_clear(&k->left_out);
	vec_clear(&k->check_at);
}
