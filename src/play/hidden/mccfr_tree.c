/* The tree of all histories of a small game: external sampling on it, best responses,
 * values. */
#include "play/hidden/mccfr_internal.h"

#include <assert.h>
#include <string.h>

#define FEW 1000 /* histories; then chance is not sampled */

/* ---- writing it down ---------------------------------------------------------------------------- */

/* The histories of one depth, while the next is made. */
struct front {
	VEC(uint64_t) states, legal, views;
	VEC(uint8_t) terminal;
	VEC(int) goals;
	VEC(uint32_t) moves; /* that led there */
};

static void front_free(struct front *f)
{
	vec_free(&f->states);
	vec_free(&f->legal);
	vec_free(&f->views);
	vec_free(&f->terminal);
	vec_free(&f->goals);
	vec_free(&f->moves);
}

static uint32_t moves_of(const struct game *g, const uint64_t *legal, uint32_t role, uint32_t *moves)
{
	assert(role < g->roles);
	uint32_t n = 0;
	for (size_t m = bits_next(legal, g->first_move[role + 1], g->first_move[role]); m < g->first_move[role + 1];
	     m = bits_next(legal, g->first_move[role + 1], m + 1))
		moves[n++] = (uint32_t)m;
	return n;
}

/* History i of the front as a node, and its pairs with all joint moves. False: too many. */
static bool add_node(struct mccfr *c, struct seat *s, const struct front *f, size_t i, struct front *pairs,
                     uint32_t *scratch)
{
	struct game *g = c->g;
	uint32_t roles = g->roles;
	struct history h = {.roles = (uint32_t)c->set_of.n, .goals = (uint32_t)c->goals.n};
	double joint = 1;
	uint32_t *start = c->moves, n = 0;
	for (uint32_t r = 0; r < roles; r++) {
		uint32_t k = moves_of(g, f->legal.at + i * game_legal_words(g), r, scratch + n);
		bool chooses = k > 1 && r != g->random && !f->terminal.at[i];
		vec_push(&c->set_of, chooses ? mccfr_set(c, s, f->views.at[i * roles + r], k) : TABLE_NONE);
		vec_push(&c->count_of, k);
		start[r] = n;
		n += k;
		joint *= k;
	}
	start[roles] = n;
	for (uint32_t r = 0; r < roles; r++)
		vec_push(&c->goals, f->goals.at[i * roles + r]);
	h.joint = f->terminal.at[i] || joint > MCCFR_HISTORIES ? 0 : (uint32_t)joint;
	if (!f->terminal.at[i] && joint > MCCFR_HISTORIES)
		return false;
	vec_push(&c->nodes, h);
	if ((size_t)(pairs->states.n / g->words) + h.joint > MCCFR_HISTORIES)
		return false;
	for (uint32_t j = 0; j < h.joint; j++) {
		uint32_t rest = j;
		for (uint32_t r = 0; r < roles; r++) {
			uint32_t k = start[r + 1] - start[r];
			vec_push(&pairs->moves, scratch[start[r] + rest % k]);
			rest /= k;
			vec_push(&pairs->views, f->views.at[i * roles + r]);
		}
		vec_extend(&pairs->states, g->words);
		memcpy(pairs->states.at + pairs->states.n - g->words, f->states.at + i * g->words,
		       g->words * sizeof *pairs->states.at);
	}
	return true;
}

/* From one depth to the next. False: too many. */
static bool deepen(struct mccfr *c, struct seat *s, struct front *f)
{
	struct game *g = c->g;
	struct front next = {0};
	size_t count = f->states.n / g->words, first = c->nodes.n;
	uint32_t *scratch = NEW_ARRAY(uint32_t, g->moves + 1);
	bool fits = true;
	vec_push(&c->depth, (uint32_t)first);
	for (size_t i = 0; i < count && fits; i++)
		fits = c->nodes.n < MCCFR_HISTORIES && add_node(c, s, f, i, &next, scratch);
	size_t pairs = next.moves.n / g->roles;
	uint64_t *seen = NEW_ARRAY(uint64_t, pairs * g->roles + 1);
	uint32_t child = (uint32_t)(first + count);
	for (size_t i = first; i < c->nodes.n && fits; i++) {
		c->nodes.at[i].first = child;
		child += c->nodes.at[i].joint;
	}
	if (fits && pairs) {
		vec_extend(&next.legal, pairs * game_legal_words(g));
		vec_extend(&next.terminal, pairs);
		vec_extend(&next.goals, pairs * g->roles);
		game_expand(s->worker, &(struct expansion){.states = next.states.at,
		                                           .moves = next.moves.at,
		                                           .count = pairs,
		                                           .next = next.states.at,
		                                           .terminal = next.terminal.at,
		                                           .goals = next.goals.at,
		                                           .legal = next.legal.at,
		                                           .seen = seen});
		for (size_t i = 0; i < pairs * g->roles; i++)
			next.views.at[i] = view_after(next.views.at[i], next.moves.at[i], seen[i]);
	}
	front_free(f);
	*f = next;
	mem_free(seen);
	mem_free(scratch);
	return fits;
}

void mccfr_grow(struct mccfr *c, struct seat *s)
{
	assert(s->role < s->game->roles);
	struct game *g = c->g;
	struct front f = {0};
	bool fits = true;
	if (g->interpreter || !g->hidden)
		return;
	struct view v = game_look(s->worker, g->initial);
	vec_extend(&f.legal, game_legal_words(g));
	memset(f.legal.at, 0, f.legal.n * sizeof *f.legal.at);
	for (uint32_t i = 0; i < v.start[g->roles]; i++)
		bits_add(f.legal.at, v.legal[i]);
	for (uint32_t i = 0; i < g->words; i++)
		vec_push(&f.states, g->initial[i]);
	for (uint32_t r = 0; r < g->roles; r++) {
		vec_push(&f.views, view_start(r));
		vec_push(&f.goals, v.goals[r]);
	}
	vec_push(&f.terminal, v.terminal);
	while (f.states.n && fits)
		fits = deepen(c, s, &f);
	vec_push(&c->depth, (uint32_t)c->nodes.n);
	front_free(&f);
	if (fits)
		return;
	vec_clear(&c->nodes);
	vec_clear(&c->sets);
	table_clear(&c->table);
	arena_free(&c->arena);
	c->arena = (struct arena){0};
	s->count.nodes = 0;
}

bool mccfr_whole(const struct mccfr *c)
{
	return c->nodes.n;
}

/* ---- external sampling --------------------------------------------------------------------------- */

static void strategy(const struct infoset *set, double *sigma)
{
	double total = 0;
	for (uint32_t a = 0; a < set->actions; a++)
		total += set->regret[a] > 0 ? set->regret[a] : 0;
	for (uint32_t a = 0; a < set->actions; a++)
		sigma[a] = total <= 0 ? 1.0 / set->actions : set->regret[a] > 0 ? set->regret[a] / total : 0;
}

struct traversal {
	struct mccfr *c;
	struct seat *s;
	uint32_t learner;
	bool alone; /* there is nobody else to note what it does */
};

static uint32_t draw_action(struct traversal *x, const struct infoset *set, double weight)
{
	struct mccfr *c = x->c;
	double at = rng_unit(&x->s->rng);
	uint32_t chosen = set->actions - 1;
	vec_reserve(&c->sigma, set->actions);
	double *sigma = c->sigma.at;
	strategy(set, sigma);
	for (uint32_t a = 0; a < set->actions; a++)
		set->policy[a] += weight * sigma[a];
	for (uint32_t a = 0; a + 1 < set->actions; a++)
		if ((at -= sigma[a]) < 0) {
			chosen = a;
			break;
		}
	return chosen;
}

static double learn_at(struct traversal *x, uint32_t node, double reach, double weight, uint32_t joint, uint32_t mine);

/* The value for the learner, in -1..1. reach: the probability of its own moves;
 * weight: of what it learns here. In a small tree all moves of chance are looked at. */
static double traverse(struct traversal *x, uint32_t node, double reach, double weight)
{
	assert(node < x->c->nodes.n);
	assert(reach >= 0 && weight >= 0);
	struct mccfr *c = x->c;
	const struct history *h = &c->nodes.at[node];
	uint32_t roles = c->g->roles, joint = 0, factor = 1, mine = 0, chance = 1, chances = 0;
	if (!h->joint) {
		int goal = c->goals.at[h->goals + x->learner];
		return goal == GOAL_NONE ? 0 : (goal - 50) / 50.0;
	}
	for (uint32_t r = 0; r < roles; r++) {
		uint32_t n = c->count_of.at[h->roles + r], set = c->set_of.at[h->roles + r];
		if (r == x->learner) {
			mine = factor;
		} else if (r == c->g->random) {
			chance = factor;
			chances = n;
		} else if (n > 1) {
			joint += factor * draw_action(x, &c->sets.at[set], weight);
		}
		factor *= n;
	}
	if (chances <= 1)
		return learn_at(x, node, reach, weight, joint, mine);
	if (c->nodes.n > FEW)
		return learn_at(x, node, reach, weight, joint + chance * rng_below(&x->s->rng, chances), mine);
	double mean = 0;
	for (uint32_t k = 0; k < chances; k++)
		mean += learn_at(x, node, reach, weight / chances, joint + chance * k, mine) / chances;
	return mean;
}

/* All moves of the learner at a history, the others' being `joint`. */
static double learn_at(struct traversal *x, uint32_t node, double reach, double weight, uint32_t joint, uint32_t mine)
{
	assert(node < x->c->nodes.n);
	assert(reach >= 0 && weight >= 0);
	struct mccfr *c = x->c;
	const struct history *h = &c->nodes.at[node];
	uint32_t own = c->set_of.at[h->roles + x->learner];
	if (own == TABLE_NONE)
		return traverse(x, h->first + joint, reach, weight);
	const struct infoset *set = &c->sets.at[own];
	uint32_t actions = set->actions;
	size_t here = c->stack.n; /* it may move while deeper histories are visited */
	double mean = 0;
	vec_extend(&c->stack, 2 * (size_t)actions);
	strategy(set, c->stack.at + here);
	for (uint32_t a = 0; a < actions; a++) {
		double sigma = c->stack.at[here + a];
		double value = traverse(x, h->first + joint + a * mine, reach * sigma, weight);
		c->stack.at[here + actions + a] = value;
		mean += sigma * value;
	}
	const double *sigma = c->stack.at + here, *value = sigma + actions;
	for (uint32_t a = 0; a < actions; a++) {
		set->regret[a] += weight * (value[a] - mean);
		if (x->alone)
			set->policy[a] += weight * reach * sigma[a];
	}
	c->stack.n = here;
	return mean;
}

void mccfr_traverse(struct mccfr *c, struct seat *s, uint32_t learner)
{
	assert(s->role < s->game->roles);
	assert(learner < c->g->roles);
	struct traversal x = {c, s, learner, game_players(c->g) == 1};
	traverse(&x, 0, 1, (double)c->iterations);
}

/* ---- values --------------------------------------------------------------------------------------- */

/* What a role other than chance does at a history, on average; with a best response
 * asked for, that. */
static double probability(const struct mccfr *c, const struct history *h, uint32_t role, uint32_t action,
                          double *scratch)
{
	assert(role < c->g->roles);
	assert(action < c->count_of.at[h->roles + role]);
	uint32_t n = c->count_of.at[h->roles + role], set = c->set_of.at[h->roles + role];
	if (set == TABLE_NONE)
		return 1.0 / n; /* chance, or no choice */
	mccfr_policy(c, c->sets.at[set].view, n, scratch);
	return scratch[action];
}

/* For joint move j: the probability that all roles but one play their part, and the
 * action of that one. */
static double others(const struct mccfr *c, const struct history *h, uint32_t j, uint32_t but, uint32_t *action,
                     double *scratch)
{
	double p = 1;
	for (uint32_t r = 0; r < c->g->roles; r++) {
		uint32_t n = c->count_of.at[h->roles + r];
		if (r == but)
			*action = j % n;
		else
			p *= probability(c, h, r, j % n, scratch);
		j /= n;
	}
	return p;
}

static double goal_of(const struct mccfr *c, const struct history *h, uint32_t role)
{
	assert(role < c->g->roles);
	int goal = c->goals.at[h->goals + role];
	return goal == GOAL_NONE ? 0 : goal;
}

double mccfr_value(struct mccfr *c, uint32_t role)
{
	assert(role < c->g->roles);
	double *value = NEW_ARRAY(double, c->nodes.n), *scratch = NEW_ARRAY(double, c->g->moves + 1), root;
	uint32_t action;
	for (size_t i = c->nodes.n; i--;) {
		const struct history *h = &c->nodes.at[i];
		value[i] = h->joint ? 0 : goal_of(c, h, role);
		for (uint32_t j = 0; j < h->joint; j++)
			value[i] += others(c, h, j, c->g->roles, &action, scratch) * value[h->first + j];
	}
	root = value[0];
	mem_free(value);
	mem_free(scratch);
	return root;
}

/* From the deepest histories up: in an information set the action with the best sum
 * over its histories, each as likely as the others make it. All histories of a set
 * have the same depth, for a role remembers how often it was asked. */
static double respond(struct mccfr *c, uint32_t role)
{
	assert(role < c->g->roles);
	size_t n = c->nodes.n;
	double *reach = NEW_ARRAY(double, n), *value = NEW_ARRAY(double, n), *scratch = NEW_ARRAY(double, c->g->moves + 1);
	size_t *first = NEW_ARRAY(size_t, c->sets.n + 1), cells = 0;
	uint32_t action = 0;
	for (size_t i = 0; i < c->sets.n; i++) {
		first[i] = cells;
		cells += c->sets.at[i].actions;
	}
	double *gain = NEW_ARRAY(double, cells + 1);
	reach[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < c->nodes.at[i].joint; j++)
			reach[c->nodes.at[i].first + j] = reach[i] * others(c, &c->nodes.at[i], j, role, &action, scratch);
	for (size_t d = c->depth.n - 1; d--;) {
		for (size_t i = c->depth.at[d]; i < c->depth.at[d + 1]; i++) {
			const struct history *h = &c->nodes.at[i];
			uint32_t set = c->set_of.at[h->roles + role];
			for (uint32_t j = 0; j < h->joint && set != TABLE_NONE; j++) {
				double p = others(c, h, j, role, &action, scratch);
				gain[first[set] + action] += reach[i] * p * value[h->first + j];
			}
		}
		for (size_t i = c->depth.at[d]; i < c->depth.at[d + 1]; i++) {
			const struct history *h = &c->nodes.at[i];
			uint32_t set = c->set_of.at[h->roles + role], best = 0;
			value[i] = h->joint ? 0 : goal_of(c, h, role);
			for (uint32_t a = 1; set != TABLE_NONE && a < c->sets.at[set].actions; a++)
				best = gain[first[set] + a] > gain[first[set] + best] ? a : best;
			if (set != TABLE_NONE)
				c->sets.at[set].best = best;
			for (uint32_t j = 0; j < h->joint; j++) {
				double p = others(c, h, j, role, &action, scratch);
				if (set == TABLE_NONE || action == best)
					value[i] += p * value[h->first + j];
			}
		}
	}
	double root = value[0];
	mem_free(reach);
	mem_free(value);
	mem_free(scratch);
	mem_free(first);
	mem_free(gain);
	return root;
}

double mccfr_best_response(struct mccfr *c, uint32_t role)
{
	assert(role < c->g->roles);
	double value = respond(c, role);
	for (size_t i = 0; i < c->sets.n; i++)
		c->sets.at[i].best = TABLE_NONE;
	return value;
}

double mccfr_solve(struct mccfr *c, uint32_t role)
{
	assert(role < c->g->roles);
	return respond(c, role);
}
