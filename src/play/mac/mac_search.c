/* Solving rounds under the tree search: which leaf is solved, by whom, and for how long.
 *
 * A walk that meets a µSCSP which is not solved yet asks solve_leaf(). Either all its
 * solutions become children, and the walk goes on to one of them, or it is left a leaf and
 * is played from once more: when it has not been played from often enough, or when solving has had
 * its share of the clock. With `ahead` a part of that share goes to the list (mac_list.c).
 *
 * Invariant: nothing in the tree depends on who solved a round, because arms are ordered
 * by move and children by joint move. */
#include "play/mac/mac_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define DUE_STEP 0.02 /* how fast the visits change after which a leaf is solved */
#define LOOKS 16      /* at the time of the last look, before the clock is looked at again */

static bool solve_leaf(void *context, struct seat *s, uint32_t id, const struct path_step *last);

struct mac_search *mac_search_new(struct seat *s, const struct mac_options *o)
{
	struct mac_search *k = NEW(struct mac_search);
	k->o = *o;
	k->o.tree.solve = true;
	k->tree = tree_new(s, &k->o.tree);
	k->tree->solver = solve_leaf;
	k->tree->solver_context = k;
	return k;
}

void mac_search_free(struct mac_search *k)
{
	tree_free(k->tree);
	model_round_free(&k->round);
	vec_free(&k->next);
	vec_free(&k->legal);
	vec_free(&k->first);
	vec_free(&k->arms);
	vec_free(&k->list);
	vec_free(&k->up);
	table_free(&k->solved);
	vec_free(&k->shapes);
	vec_free(&k->check_at);
	vec_free(&k->left_out);
	vec_free(&k->nogoods.all);
	vec_free(&k->nogoods.last);
	vec_free(&k->nogoods.look_at);
	vec_free(&k->symmetry.looked);
	mem_free(k);
}

void mac_search_solver(struct mac_search *k, struct model *m, enum model_method method)
{
	k->model = m;
	k->method = method;
}

void mac_search_symmetry(struct mac_search *k, void *context,
                         const uint32_t *(*canonical)(void *, const uint64_t *, uint64_t *, uint64_t *))
{
	k->tree->canonical = canonical;
	k->tree->canonical_context = context;
}

void mac_search_rounds(struct mac_search *k, struct rounds *rounds)
{
	k->rounds = rounds;
}

void mac_search_root(struct mac_search *k, struct seat *s, const uint64_t *state)
{
	size_t nodes = k->tree->nodes.n;
	mac_chance_restore(k);
	mac_nogoods_drop(k);
	vec_clear(&k->list);
	tree_root(k->tree, s, state);
	if (k->tree->nodes.n < nodes) { /* the tree has begun anew */
		mac_nogoods_forget(k);
		mac_symmetry_forget(k);
	}
	k->theta = 0;
}

/* ---- solving ------------------------------------------------------------------------------ */

/* The moves of each role in the solutions, ascending, as in a view. False: the solutions
 * are not all combinations of these, so this is no round of a game. */
static bool read_moves(struct mac_search *k)
{
	const struct game *g = k->tree->g;
	const struct model_round *r = &k->round;
	uint64_t joint = 1;
	vec_clear(&k->legal);
	vec_clear(&k->first);
	for (uint32_t q = 0; q < g->roles; q++) {
		size_t from = k->legal.n;
		vec_push(&k->first, (uint32_t)from);
		for (size_t i = 0; i < r->count; i++) {
			uint32_t move = r->moves.at[i * g->roles + q];
			size_t at = k->legal.n;
			while (at > from && k->legal.at[at - 1] > move)
				at--;
			if (at > from && k->legal.at[at - 1] == move)
				continue;
			vec_push(&k->legal, move);
			memmove(k->legal.at + at + 1, k->legal.at + at, (k->legal.n - 1 - at) * sizeof move);
			k->legal.at[at] = move;
		}
		joint *= k->legal.n - from;
	}
	vec_push(&k->first, (uint32_t)k->legal.n);
	assert(k->first.n == g->roles + 1);
	return r->count && joint == r->count;
}

static uint32_t place_of(const struct mac_search *k, uint32_t role, uint32_t move)
{
	uint32_t a = k->first.at[role], b = k->first.at[role + 1];
	while (b - a > 1) {
		uint32_t m = (a + b) / 2;
		if (k->legal.at[m] <= move)
			a = m;
		else
			b = m;
	}
	assert(k->legal.at[a] == move);
	return a - k->first.at[role];
}

/* By the network. False: it has no answer for this state. */
static bool solve_by_network(struct mac_search *k, struct seat *s, uint32_t id)
{
	struct tree *t = k->tree;
	uint32_t roles = t->g->roles, words = t->g->words;
	struct model_round *r = &k->round;
	r->removed = 0;
	if (!model_solve(k->model, k->method, t->nodes.at[id].state, r))
		return false;
	s->count.sac += r->removed;
	if (r->terminal) {
		node_settle(t, s, &t->nodes.at[id], r->goals);
		return true;
	}
	if (!read_moves(k) || (k->o.split && !mac_chance_part(k, s)))
		return false;
	node_moves(t, id, k->legal.at, k->first.at);
	if (r->count > (uint64_t)k->o.tune.wide)
		return true;
	vec_reserve(&k->next, r->count * words + 1);
	vec_reserve(&k->arms, roles);
	uint32_t *arms = k->arms.at;
	for (size_t i = 0; i < r->count; i++) {
		for (uint32_t q = 0; q < roles; q++)
			arms[q] = place_of(k, q, r->moves.at[i * roles + q]);
		assert(joint_index(t, &t->nodes.at[id], arms) < r->count);
		memcpy(k->next.at + (size_t)joint_index(t, &t->nodes.at[id], arms) * words, r->next.at + i * words,
		       words * sizeof *k->next.at);
	}
	node_children(t, s, id, k->next.at);
	return true;
}

/* ---- which round is solved ---------------------------------------------------------------- */

double mac_value(const struct node *n, uint32_t role)
{
	double x = n->visits > 0 ? n->sum[role] / n->visits : 0.5, low = (double)n->low[role], high = (double)n->high[role];
	return x < low ? low : x > high ? high : x;
}

/* The least that a role has by the best policy known: after the best move of the root where one role chooses, else at
 * the root as play has been there. */
static double least_reward(const struct tree *t)
{
	const struct node *n = &t->nodes.at[t->root];
	uint32_t c = NODE_NONE;
	if (!n->start || n->visits <= 0)
		return 0;
	if (n->movers == 1)
		c = node_sole_child(t, n, n->mover, node_best_arm(t, n, n->mover) - n->start[n->mover]);
	double least = 1;
	for (uint32_t r = 0; r < t->g->roles; r++)
		if (r != t->g->random)
			least = fmin(least, mac_value(c == NODE_NONE ? n : &t->nodes.at[c], r));
	return least;
}

/* On the clock of the move; of the processor where playouts are counted. */
double mac_seconds(const struct mac_search *k)
{
	return k->budget && !k->budget->playouts ? limit_now(&k->budget->limit) : clock_thread();
}

/* To look at the clock takes about as long as a step of a walk. */
bool mac_has_time(struct mac_search *k, double spent, double share)
{
	if (++k->looks > LOOKS) {
		k->now = mac_seconds(k);
		k->looks = 0;
	}
	return spent <= share * (k->now - k->began);
}

void mac_solve_round(struct mac_search *k, struct seat *s, uint32_t id)
{
	struct tree *t = k->tree;
	if (k->model && solve_by_network(k, s, id)) {
		s->count.by_network++;
	} else {
		node_open(t, s, id);
		const struct node *n = &t->nodes.at[id];
		if (n->start && n->joint <= k->o.tune.wide)
			node_children(t, s, id, NULL);
		s->count.by_circuit++;
	}
	s->count.rounds++;
	s->count.by_list += k->o.search == MAC_LIST;
	mac_symmetry_look(k, s, id);
	if (k->o.search == MAC_TREE && k->o.ahead > 0 && k->budget && !k->budget->playouts)
		mac_list_add_children(k, id);
}

void mac_count_solving(struct mac_search *k, struct seat *s, double began)
{
	k->now = mac_seconds(k);
	k->looks = 0;
	double spent = k->now - began;
	k->solving += spent;
	s->count.solve_seconds += spent;
}

void mac_set_threshold(struct mac_search *k)
{
	k->theta = k->o.theta || k->o.confidence ? least_reward(k->tree) : 0;
}

/* By the clock, the visits after which a leaf is solved are so many that solving has its share: the rounds that are
 * visited most are solved, not those that happen to be met while there is time for it. */
static bool is_due(struct mac_search *k, const struct node *n)
{
	double least = (double)k->tree->o.expand;
	if (!k->budget || k->budget->playouts)
		return n->visits >= least;
	assert(k->due >= least);
	bool time = mac_has_time(k, k->solving, k->o.solve);
	if (n->visits >= k->due && !time)
		k->due += DUE_STEP * (k->due + 1);
	else if (n->visits < k->due && n->visits >= least && time)
		k->due -= DUE_STEP * (k->due - least);
	return n->visits >= k->due && time && !limit_reached(&k->budget->limit);
}

static bool solve_leaf(void *context, struct seat *s, uint32_t id, const struct path_step *last)
{
	struct mac_search *k = context;
	struct tree *t = k->tree;
	assert(id < t->nodes.n);
	mac_set_threshold(k);
	if (last) {
		mac_chance_prune(k, s, last->node);
		mac_nogoods_look(k, s, last->node);
		mac_symmetry_look(k, s, last->node);
		mac_list_solve_ahead(k, s);
		if (t->nodes.at[id].start || t->nodes.at[id].terminal) /* the list has had it */
			return true;
	}
	if (last && !is_due(k, &t->nodes.at[id]))
		return false;
	double began = mac_seconds(k);
	mac_solve_round(k, s, id);
	mac_count_solving(k, s, began);
	return true;
}

/* ---- the search ----------------------------------------------------------------------------- */

void mac_search_run(struct mac_search *k, struct seat *s, const struct budget *b)
{
	mac_symmetry_begin(k, s);
	if (k->o.search == MAC_LIST) {
		mac_list_run(k, s, b);
		return;
	}
	k->budget = b;
	k->began = k->now = limit_now(&b->limit);
	k->solving = k->solving_ahead = 0;
	k->due = fmax(k->due, (double)k->o.tree.expand);
	tree_run(k->tree, s, b);
	k->budget = NULL;
}

struct tree_value mac_search_value(const struct mac_search *k, uint32_t role)
{
	return tree_value(k->tree, role);
}

uint32_t mac_search_choose(struct mac_search *k, struct seat *s)
{
	uint32_t best = tree_choose(k->tree, s); /* with the reason */
	return k->o.search == MAC_LIST && best != GAME_NONE ? mac_list_choose(k, s) : best;
}

bool mac_search_values(struct mac_search *k, struct seat *s, const struct turn *t, struct move_value *out)
{
	return tree_values(k->tree, s, t, out);
}

void mac_search_line(struct mac_search *k, struct seat *s, const struct turn *t, uint32_t move, struct move_line *out)
{
	tree_line(k->tree, s, t, move, out);
}
