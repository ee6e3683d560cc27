/* The search over common beliefs: bandits over decisions, expected utilities, exact values. */
#include "play/mac/mac_belief_internal.h"

#include "analysis/fragment.h"
#include "ground/ground.h"
#include "play/hidden/clairvoyant_bound.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MAX_DEPTH 512
#define MAX_STEPS 5000 /* of a playout */
#define WAIT 0.001     /* more that an open arm must promise than an exhausted one has */

struct mac_belief *mac_belief_new(struct seat *s, const struct mac_options *o)
{
	if (s->game->interpreter || !fragment_all_see_the_same(s->game))
		return NULL;
	struct mac_belief *x = NEW(struct mac_belief);
	x->o = o;
	x->g = s->game;
	if (game_players(x->g) == 1)
		x->bound = clairvoyant_bound_new();
	return x;
}

void mac_belief_free(struct mac_belief *x)
{
	if (!x)
		return;
	arena_free(&x->arena);
	model_round_free(&x->round);
	vec_free(&x->nodes);
	table_free(&x->table);
	vec_free(&x->keys);
	table_free(&x->told);
	vec_free(&x->ways);
	if (x->bound)
		clairvoyant_bound_free(x->bound);
	vec_free(&x->states);
	vec_free(&x->next);
	vec_free(&x->legal);
	vec_free(&x->seen);
	vec_free(&x->image);
	vec_free(&x->moves);
	vec_free(&x->arms);
	vec_free(&x->p);
	vec_free(&x->terminal);
	vec_free(&x->goals);
	vec_free(&x->classes);
	vec_free(&x->path);
	mem_free(x);
}

void mac_belief_symmetry(struct mac_belief *x, const struct symmetry *symmetry)
{
	x->symmetry = symmetry;
}

void mac_belief_solver(struct mac_belief *x, struct model *m, enum model_method method)
{
	x->model = m;
	x->method = method;
}

static void forget(struct mac_belief *x)
{
	arena_free(&x->arena);
	x->arena = (struct arena){0};
	vec_clear(&x->nodes);
	vec_clear(&x->keys);
	vec_clear(&x->ways);
	table_clear(&x->table);
	table_clear(&x->told);
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* The expected utility of a decision to a role, over what may be seen; `all`: everything below is exhausted. */
static double utility(const struct mac_belief *x, const struct belief_node *n, const struct decision *d, uint32_t role,
                      bool *all)
{
	assert(role < x->g->roles);
	double sum = 0, unknown = n->visits > 0 ? n->sum[role] / n->visits : 0.5;
	*all = d->at != NULL;
	for (uint32_t i = 0; i < d->count; i++) {
		const struct belief_node *c = d->at[i].node == BELIEF_NONE ? NULL : &x->nodes.at[d->at[i].node];
		*all &= !c || c->solved;
		sum += d->at[i].p * (!c              ? d->at[i].goals[role]
		                     : c->solved     ? c->value[role]
		                     : c->visits > 0 ? c->sum[role] / c->visits
		                                     : unknown);
	}
	return d->at ? sum : unknown;
}

/* A belief whose decisions are all exhausted is worth what the one who decides makes of it. */
static void settle(struct mac_belief *x, struct seat *s, uint32_t id)
{
	struct belief_node *n = &x->nodes.at[id];
	uint32_t best = 0;
	double top = -1;
	bool all = true;
	if (n->solved || n->movers > 1)
		return;
	assert(n->decisions && n->joint);
	for (uint32_t j = 0; j < n->joint && all; j++) {
		double u = utility(x, n, &n->decisions[j], n->mover, &all);
		if (u > top) {
			top = u;
			best = j;
		}
	}
	if (!all)
		return;
	for (uint32_t r = 0; r < x->g->roles; r++)
		n->value[r] = utility(x, n, &n->decisions[best], r, &all);
	n->solved = true;
	s->count.proven++;
}

static bool is_exhausted(const struct mac_belief *x, const struct decision *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		if (d->at[i].node != BELIEF_NONE && !x->nodes.at[d->at[i].node].solved)
			return false;
	return d->at != NULL;
}

/* UCB1. Where one role decides, its arms are the decisions: exhausted ones are left out while others are open. */
static uint32_t choose_arm(struct mac_belief *x, struct seat *s, const struct belief_node *n, uint32_t role)
{
	uint32_t count = n->start[role + 1] - n->start[role], best = rng_below(&s->rng, count);
	assert(count > 1 && (n->movers != 1 || n->joint == count));
	double top = -1, width = x->o->tree.c * sqrt(log(n->visits + 1));
	bool open = false;
	for (uint32_t a = 0; a < count && n->movers == 1; a++)
		open |= !is_exhausted(x, &n->decisions[a]);
	for (uint32_t i = 0, a = best; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
		const struct belief_arm *arm = &n->arms[n->start[role] + a];
		bool all = false;
		if (open && is_exhausted(x, &n->decisions[a]))
			continue; /* there is nothing to learn from it */
		double u = n->movers == 1    ? utility(x, n, &n->decisions[a], role, &all)
		           : arm->visits > 0 ? arm->sum / arm->visits
		                             : 0.5;
		u += all ? 0 : arm->visits > 0 ? width / sqrt(arm->visits) : 1 + width;
		if (u > top) {
			top = u;
			best = a;
		}
	}
	return best;
}

static uint32_t choose_joint(struct mac_belief *x, struct seat *s, const struct belief_node *n)
{
	uint32_t joint = 0;
	for (uint32_t r = 0; r < x->g->roles; r++) {
		uint32_t count = n->start[r + 1] - n->start[r];
		if (count)
			joint = joint * count + (count > 1 ? choose_arm(x, s, n, r) : 0);
	}
	assert(joint < n->joint);
	return joint;
}

/* ---- the search --------------------------------------------------------------------------------------------- */

/* Playouts from states of a belief, and for one role what it could reach if it saw the state. */
static bool evaluate(struct mac_belief *x, struct seat *s, uint32_t id, const struct budget *b, double *value)
{
	const struct belief_node *n = &x->nodes.at[id];
	uint32_t words = x->g->words, roles = x->g->roles;
	uint32_t most = (uint32_t)x->o->tune.belief_playouts;
	double began = clock_thread(), at = rng_unit(&s->rng) / most, sum = 0;
	uint32_t drawn = 0;
	vec_reserve(&x->next, (size_t)most * words + 1);
	for (uint32_t i = 0; i < n->count && drawn < most; i++)
		for (sum += n->weight[i]; at < sum && drawn < most; at += 1.0 / most)
			memcpy(x->next.at + (size_t)drawn++ * words, n->states + (size_t)i * words, words * sizeof *n->states);
	assert(drawn && drawn <= most);
	struct playout_job job = {.starts = x->next.at,
	                          .start_count = drawn,
	                          .playouts = drawn,
	                          .limit = b->limit,
	                          .threads = 1,
	                          .seed = rng_next(&s->rng),
	                          .max_steps = MAX_STEPS};
	struct playout_result r;
	game_playouts(x->g, &job, &r);
	for (uint32_t q = 0; q < roles; q++) {
		value[q] = 0;
		for (uint32_t i = 0; i < drawn; i++)
			value[q] += r.sum[(size_t)i * roles + q] / 100 / (double)(r.playouts ? r.playouts : 1);
	}
	bool any = r.playouts > 0;
	s->count.playouts += r.playouts;
	playout_result_free(&r);
	double bound = 0;
	for (uint32_t i = 0; i < drawn && x->bound && bound >= 0; i++) {
		double ahead = clairvoyant_bound_of(x->bound, s, x->next.at + (size_t)i * words);
		bound = ahead < 0 ? -1 : bound + ahead / drawn;
	}
	if (x->bound && bound >= 0)
		value[s->role] += x->o->tune.clairvoyant * (bound - value[s->role]);
	s->count.playout_seconds += clock_thread() - began;
	return any;
}

/* What a decision is worth after a walk is its expected utility, and not only what this walk has found. */
static void back_up(struct mac_belief *x, struct seat *s)
{
	uint32_t roles = x->g->roles, arms[GROUND_MAX_ROLES];
	for (size_t i = x->path.n; i-- > 0;) {
		struct belief_node *n = &x->nodes.at[x->path.at[i].node];
		mac_belief_arms(x, n, x->path.at[i].joint, arms);
		for (uint32_t r = 0; r < roles; r++) {
			bool all;
			double value = utility(x, n, &n->decisions[x->path.at[i].joint], r, &all);
			n->sum[r] += value;
			if (n->start[r + 1] == n->start[r])
				continue;
			n->arms[n->start[r] + arms[r]].visits++;
			n->arms[n->start[r] + arms[r]].sum += value;
		}
		n->visits++;
		settle(x, s, x->path.at[i].node);
	}
}

/* By their probabilities, of those that are not exhausted as long as there are such. */
static const struct outcome *draw(const struct mac_belief *x, struct seat *s, const struct decision *d)
{
	bool all = is_exhausted(x, d);
	double sum = 0, at = rng_unit(&s->rng);
	const struct outcome *last = d->at;
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < d->count; i++) {
			if (!all && (d->at[i].node == BELIEF_NONE || x->nodes.at[d->at[i].node].solved))
				continue;
			last = &d->at[i];
			if (!pass)
				sum += last->p;
			else if ((at -= last->p / sum) < 0)
				return last;
		}
	return last;
}

/* Down from the root to a belief that was not met before, or to an end. False: too late, or a secret. */
static bool walk(struct mac_belief *x, struct seat *s, uint32_t root, const struct budget *b)
{
	uint32_t id = root;
	double value[GROUND_MAX_ROLES];
	vec_clear(&x->path);
	for (;;) {
		struct belief_node *n = &x->nodes.at[id];
		if (n->solved || (id != root && n->visits <= 0) || x->path.n >= MAX_DEPTH)
			break;
		if (!n->decisions)
			mac_belief_open(x, s, id);
		if (x->secret)
			return false;
		struct step step = {id, choose_joint(x, s, &x->nodes.at[id])};
		if (!x->nodes.at[id].decisions[step.joint].at)
			mac_belief_solve(x, s, id, step.joint);
		if (x->secret)
			return false;
		vec_push(&x->path, step);
		const struct outcome *o = draw(x, s, &x->nodes.at[id].decisions[step.joint]);
		if (o->node == BELIEF_NONE) {
			back_up(x, s);
			return true;
		}
		id = o->node;
	}
	struct belief_node *n = &x->nodes.at[id];
	if (n->solved)
		memcpy(value, n->value, x->g->roles * sizeof *value);
	else if (!evaluate(x, s, id, b, value))
		return false;
	n = &x->nodes.at[id];
	n->visits++;
	for (uint32_t r = 0; r < x->g->roles; r++)
		n->sum[r] += value[r];
	back_up(x, s);
	return true;
}

static uint32_t find_root(struct mac_belief *x, struct seat *s, const struct belief *belief)
{
	size_t count = belief_count(belief);
	assert(count && count <= UINT32_MAX);
	uint32_t words = x->g->words, id;
	uint64_t *states = mem_alloc(count * words + 1, sizeof *states);
	double *weight = mem_alloc(count + 1, sizeof *weight);
	for (size_t i = 0; i < count; i++) {
		memcpy(states + i * words, belief_state(belief, i), words * sizeof *states);
		weight[i] = belief_weight(belief, i);
	}
	id = mac_belief_node(x, s, states, weight, (uint32_t)count, true);
	mem_free(states);
	mem_free(weight);
	mac_belief_thin_out(x, s, &x->nodes.at[id]);
	return id;
}

/* What an arm of the root is worth, and whether that is exact. */
static double arm_value(const struct mac_belief *x, const struct belief_node *n, uint32_t role, uint32_t arm,
                        bool *exact)
{
	const struct belief_arm *a = &n->arms[n->start[role] + arm];
	*exact = false;
	return n->movers == 1 ? utility(x, n, &n->decisions[arm], role, exact) : a->visits > 0 ? a->sum / a->visits : 0;
}

/* The arm visited most of those that are open; or the best of those that are exhausted, when that is worth as much:
 * what is left for later may not come in time. */
static uint32_t best_arm(const struct mac_belief *x, const struct belief_node *n, uint32_t role)
{
	uint32_t count = n->start[role + 1] - n->start[role], open = BELIEF_NONE, sure = BELIEF_NONE;
	double most = -1, hoped = -1, known = -1;
	for (uint32_t a = 0; a < count; a++) {
		bool exact;
		double u = arm_value(x, n, role, a, &exact), visits = n->arms[n->start[role] + a].visits;
		if (exact && u > known) {
			known = u;
			sure = a;
		}
		if (!exact && visits > most) {
			most = visits;
			hoped = u;
			open = a;
		}
	}
	assert(open != BELIEF_NONE || sure != BELIEF_NONE);
	return open == BELIEF_NONE || (sure != BELIEF_NONE && known >= hoped - WAIT) ? sure : open;
}

uint32_t mac_belief_move(struct mac_belief *x, struct seat *s, const struct turn *t, const struct belief *belief,
                         const struct budget *b, double *share)
{
	uint64_t before = s->count.playouts, walks = 0;
	if (x->secret || !belief_count(belief))
		return GAME_NONE;
	if (x->arena.total > (size_t)x->o->tree.memory << 19)
		forget(x);
	uint32_t root = x->root = find_root(x, s, belief), states = x->nodes.at[root].count;
	while (!limit_reached(&b->limit) && !x->nodes.at[root].solved && x->arena.total < (size_t)x->o->tree.memory << 20 &&
	       (!b->playouts || (s->count.playouts - before < b->playouts && walks < b->playouts))) {
		if (!walk(x, s, root, b))
			break;
		walks++;
		if (walks % 16 == 0)
			seat_ready(s, x->nodes.at[root]
			                  .arms[x->nodes.at[root].start[s->role] + best_arm(x, &x->nodes.at[root], s->role)]
			                  .move);
	}
	const struct belief_node *n = &x->nodes.at[root];
	if (x->secret || !n->decisions)
		return GAME_NONE;
	uint32_t best = best_arm(x, n, s->role);
	assert(best < n->start[s->role + 1] - n->start[s->role]);
	bool exact;
	double value = arm_value(x, n, s->role, best, &exact);
	for (uint32_t i = 0; i < t->legal_count; i++)
		for (uint32_t a = n->start[s->role]; a < n->start[s->role + 1]; a++)
			if (n->arms[a].move == t->legal[i])
				share[i] = n->arms[a].visits + (a - n->start[s->role] == best);
	text_printf(&s->why, "%s %.1f by rounds over common beliefs, %u of %zu states%s, %zu beliefs, %llu playouts",
	            n->solved ? "expected" : "mean", 100 * value, states, belief_count(belief),
	            belief_exact(belief) ? "" : " (sampled)", x->nodes.n, (unsigned long long)s->count.playouts);
	return n->arms[n->start[s->role] + best].move;
}

double mac_belief_value(const struct mac_belief *x, uint32_t role, bool *exact)
{
	assert(x->root < x->nodes.n && role < x->g->roles);
	const struct belief_node *n = &x->nodes.at[x->root];
	*exact = n->solved;
	return n->solved ? n->value[role] : n->visits > 0 ? n->sum[role] / n->visits : 0.5;
}
