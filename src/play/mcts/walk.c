/* Down the tree: an arm for every role at each node, until something new is met. */
#include "play/mcts/round.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MAX_DEPTH 2000

/* ---- choosing an arm -------------------------------------------------------------------- */

/* Proved to be no better than what the role has already. */
static bool pruned(const struct tree *t, const struct node *n, uint32_t role, const struct arm *a)
{
	assert(role < t->g->roles);
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	return t->o.solve && (a->high < n->low[role] || (a->high <= n->low[role] && n->low[role] < n->high[role]));
}

/* The estimate of an arm: its mean with virtual losses counted, mixed with the
 * statistics of the same move later in playouts (Gelly and Silver 2011; the
 * ancestor's where the node is young: Cazenave 2015). */
static double estimate(const struct tree *t, const struct amaf *amaf, const struct arm *a, double first)
{
	double visits = a->visits + (double)a->pending;
	double lost = a->visits + (1 - t->o.mild) * (double)a->pending;
	double mean = lost > 0 ? a->sum / lost : first;
	if (!amaf || amaf[a->move].visits <= 0)
		return mean;
	double k = (double)amaf[a->move].visits, beta = k / (k + visits + t->o.bias * k * visits);
	return mean + beta * ((double)amaf[a->move].sum / k - mean);
}

/* UCB1 (Auer, Cesa-Bianchi and Fischer 2002) over the arms that can still show something:
 * those whose value is proved are left out while others are open. */
static uint32_t choose_ucb(struct tree *t, struct seat *s, const struct node *n, const struct amaf *amaf, uint32_t role)
{
	assert(role < t->g->roles);
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	assert(n->start && role < s->game->roles);
	const struct arm *arms = n->arms + n->start[role];
	uint32_t count = arm_count(n, role), best = rng_below(&s->rng, count);
	double total = 1, score = -1e9;
	bool open = false, feasible = false;
	for (uint32_t a = 0; a < count; a++) {
		total += arms[a].visits + (double)arms[a].pending;
		bool may_show = !arms[a].twin && !arm_proved(&arms[a]) && !pruned(t, n, role, &arms[a]);
		open |= may_show;
		feasible |= may_show && !arms[a].infeasible; /* else what is infeasible is all there is to learn from */
	}
	open &= t->o.solve;
	double width = t->o.c * sqrt(log(total)), first = n->visits > 0 ? n->sum[role] / n->visits : 0.5;
	for (uint32_t i = 0, a = best; i < count; i++, a = a + 1 == count ? 0 : a + 1) {
		if (arms[a].twin || (feasible && arms[a].infeasible) || pruned(t, n, role, &arms[a]) ||
		    (open && arm_proved(&arms[a])))
			continue;
		double visits = arms[a].visits + (double)arms[a].pending, x;
		x = t->o.solve && arm_proved(&arms[a]) ? (double)arms[a].low : estimate(t, amaf, &arms[a], first);
		x += visits > 0 ? width / sqrt(visits) : width + 0.5 * t->o.c;
		if (x > score) {
			score = x;
			best = a;
		}
	}
	return best;
}

/* Regret matching (Hart and Mas-Colell 2000) with some exploration. */
static uint32_t choose_regret(struct seat *s, const struct node *n, uint32_t role)
{
	assert(n->start && role < s->game->roles);
	struct arm *arms = n->arms + n->start[role];
	uint32_t count = arm_count(n, role);
	double total = 0, gamma = 0.1;
	for (uint32_t a = 0; a < count; a++)
		total += arms[a].regret > 0 ? arms[a].regret : 0;
	double at = rng_unit(&s->rng);
	uint32_t chosen = count - 1;
	bool found = false;
	for (uint32_t a = 0; a < count; a++) {
		double p = total > 0 ? (arms[a].regret > 0 ? arms[a].regret / total : 0) : 1.0 / count;
		arms[a].policy += (float)p;
		at -= (1 - gamma) * p + gamma / count;
		if (at < 0 && !found) {
			chosen = a;
			found = true;
		}
	}
	return chosen;
}

static void choose_joint(struct tree *t, struct seat *s, const struct node *n, const struct amaf *amaf, uint32_t *arms)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	for (uint32_t r = 0; r < t->g->roles; r++) {
		uint32_t count = arm_count(n, r);
		if (count == 1)
			arms[r] = 0;
		else if (r == t->g->random)
			arms[r] = rng_below(&s->rng, count);
		else if (t->o.regret && n->movers > 1)
			arms[r] = choose_regret(s, n, r);
		else
			arms[r] = choose_ucb(t, s, n, amaf, r);
	}
}

/* ---- walking down --------------------------------------------------------------------------- */

static uint32_t first_of_steps(struct round *k, uint32_t node, uint32_t roles)
{
	struct path_step step = {node, (uint32_t)k->chosen.n};
	vec_push(&k->steps, step);
	vec_extend(&k->chosen, roles);
	return step.first_arm;
}

void round_pending(struct tree *t, const struct walk *w, float by)
{
	if (w->steps)
		node_pending(t, t->round->steps.at + w->first_step, w->steps, t->round->chosen.at, by);
}

/* Is the child's proof ahead of the bounds stored in its parent? */
static bool is_ahead(const struct tree *t, const struct node *n, const uint32_t *arms, uint32_t child)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	assert(child < t->nodes.n);
	const struct arm *a = &n->arms[n->start[n->mover] + arms[n->mover]];
	const struct node *c = &t->nodes.at[child];
	return n->movers == 1 && n->joint == arm_count(n, n->mover) &&
	       (a->low < c->low[n->mover] || a->high > c->high[n->mover]);
}

/* The child that the arms lead to; NODE_NONE: it will be made together with others. */
static uint32_t walk_to(struct tree *t, struct seat *s, uint32_t id, const uint32_t *arms)
{
	assert(id < t->nodes.n);
	const struct node *n = &t->nodes.at[id];
	if (t->solver)
		return node_child(t, s, id, arms);
	if (!n->child || t->g->engine != ENGINE_CIRCUIT) {
		id = node_child(t, s, id, arms);
		node_open(t, s, id);
		return id;
	}
	return n->child[joint_index(t, n, arms)];
}

/* All children of a node: at once, or where playouts are from single leaves together with
 * the leaves of the round. */
static void want_children(struct tree *t, struct seat *s, uint32_t id)
{
	assert(id < t->nodes.n);
	struct node *n = &t->nodes.at[id];
	if (t->o.spread || !t->o.expand || t->g->engine != ENGINE_CIRCUIT) {
		node_expand(t, s, id);
	} else if (n->joint <= NODE_EXPAND) {
		n->expanded = true;
		vec_push(&t->round->wanted, id);
	}
}

bool round_walk(struct tree *t, struct seat *s)
{
	assert(s->role < s->game->roles);
	struct round *k = t->round;
	struct walk w = {.first_step = (uint32_t)k->steps.n};
	uint32_t id = t->root;
	const struct amaf *amaf = NULL;
	for (;;) {
		const struct node *n = &t->nodes.at[id];
		if (n->terminal || (n->solved && t->o.solve) || w.steps == MAX_DEPTH)
			break;
		if (!n->start && t->solver) {
			if (!t->solver(t->solver_context, s, id, w.steps ? &k->steps.at[k->steps.n - 1] : NULL))
				break;
			w.stale_bounds = true;
			continue; /* it may be an end */
		}
		if (!n->start) {
			w.closed = true;
			break;
		}
		/* fresh: nothing is known of its children yet */
		if (!t->solver && id != t->root && (t->o.spread && n->joint <= NODE_EXPAND ? !n->expanded : n->visits <= 0))
			break;
		if (!t->solver && !n->expanded && n->visits >= (double)t->o.expand)
			want_children(t, s, id);
		n = &t->nodes.at[id];
		if (k->amaf && n->amaf && n->amaf_visits >= t->o.ref)
			amaf = n->amaf;
		uint32_t arms = first_of_steps(k, id, t->g->roles);
		choose_joint(t, s, n, amaf, k->chosen.at + arms);
		w.steps++;
		id = walk_to(t, s, id, k->chosen.at + arms);
		if (id == NODE_NONE) {
			w.closed = true;
			break;
		}
		w.stale_bounds |=
			t->o.solve && is_ahead(t, &t->nodes.at[k->steps.at[k->steps.n - 1].node], k->chosen.at + arms, id);
	}
	w.leaf = id;
	round_pending(t, &w, 1);
	vec_push(&k->walks, w);
	return w.steps > 0;
}

static void add_pair(struct tree *t, const struct node *n, const uint32_t *arms)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	uint32_t words = t->g->words;
	vec_extend(&t->from, words);
	memcpy(t->from.at + t->from.n - words, n->state, words * sizeof *n->state);
	for (uint32_t r = 0; r < t->g->roles; r++)
		vec_push(&t->moves, n->arms[n->start[r] + arms[r]].move);
}

/* The successor number `pair` of the pass as a child of `id`. */
static uint32_t take_child(struct tree *t, struct seat *s, uint32_t id, uint32_t index, size_t pair)
{
	assert(id < t->nodes.n);
	uint32_t c =
		node_find(t, s, t->next.at + pair * t->g->words, t->terminal.at[pair], t->goals.at + pair * t->g->roles);
	t->nodes.at[id].child[index] = c;
	return c;
}

/* The successors that are wanted: each leaf is that of its walk's last step; then the children of nodes. */
static void gather_pairs(struct tree *t)
{
	struct round *k = t->round;
	uint32_t *arms = t->scratch.open;
	vec_clear(&t->moves);
	vec_clear(&t->from);
	for (size_t i = 0; i < k->walks.n; i++) {
		const struct walk *w = &k->walks.at[i];
		if (!w->closed)
			continue;
		const struct path_step *p = &k->steps.at[w->first_step + w->steps - 1];
		add_pair(t, &t->nodes.at[p->node], k->chosen.at + p->first_arm);
	}
	for (size_t i = 0; i < k->wanted.n; i++) {
		const struct node *n = &t->nodes.at[k->wanted.at[i]];
		for (uint32_t j = 0; j < n->joint; j++)
			if (n->child[j] == NODE_NONE) {
				joint_arms(t, n, j, arms);
				add_pair(t, n, arms);
			}
	}
}

/* All of them in one pass. False: there are none. */
static bool expand_pairs(struct tree *t, struct seat *s)
{
	uint32_t roles = t->g->roles;
	size_t count = t->moves.n / roles;
	if (!count)
		return false;
	vec_reserve(&t->next, count * t->g->words);
	vec_reserve(&t->legal, count * game_legal_words(t->g));
	vec_reserve(&t->terminal, count);
	vec_reserve(&t->goals, count * roles);
	game_expand(s->worker, &(struct expansion){.states = t->from.at,
	                                           .moves = t->moves.at,
	                                           .count = count,
	                                           .next = t->next.at,
	                                           .terminal = t->terminal.at,
	                                           .goals = t->goals.at,
	                                           .legal = t->legal.at});
	return true;
}

static void take_wanted(struct tree *t, struct seat *s, size_t pair)
{
	struct round *k = t->round;
	for (size_t i = 0; i < k->wanted.n; i++) {
		uint32_t id = k->wanted.at[i];
		for (uint32_t j = 0; j < t->nodes.at[id].joint; j++)
			if (t->nodes.at[id].child[j] == NODE_NONE)
				take_child(t, s, id, j, pair++);
		node_twins(t, id);
		if (t->o.solve)
			node_bound(t, s, id);
	}
}

static void take_leaves(struct tree *t, struct seat *s)
{
	struct round *k = t->round;
	uint32_t roles = t->g->roles, row = game_legal_words(t->g);
	size_t pair = 0;
	for (size_t i = 0; i < k->walks.n; i++) {
		struct walk *w = &k->walks.at[i];
		if (!w->closed)
			continue;
		const struct path_step *p = &k->steps.at[w->first_step + w->steps - 1];
		uint32_t index = joint_index(t, &t->nodes.at[p->node], k->chosen.at + p->first_arm);
		w->leaf = take_child(t, s, p->node, index, pair);
		node_open_row(t, s, w->leaf, t->legal.at + pair * row, t->goals.at + pair * roles);
		pair++;
	}
}

/* Children first: leaves may be among them, and are then found again. */
void round_open(struct tree *t, struct seat *s)
{
	assert(s->role < s->game->roles);
	size_t leaves = 0;
	for (size_t i = 0; i < t->round->walks.n; i++)
		leaves += t->round->walks.at[i].closed;
	gather_pairs(t);
	if (!expand_pairs(t, s))
		return;
	take_wanted(t, s, leaves);
	take_leaves(t, s);
}
