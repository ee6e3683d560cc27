/* The answer of the tree search: what is known at the root, the move to make there,
 * and why. */
#include "play/mcts/node.h"

#include <string.h>

struct tree_value tree_value(const struct tree *t, uint32_t role)
{
	const struct node *n = &t->nodes.at[t->root];
	return (struct tree_value){.mean = n->visits > 0 ? 100 * n->sum[role] / n->visits : 50,
	                           .low = 100 * (double)n->low[role],
	                           .high = 100 * (double)n->high[role],
	                           .visits = n->visits};
}

static uint32_t sample_policy(struct seat *s, const struct node *n)
{
	double total = 0, at;
	for (uint32_t i = n->start[s->role]; i < n->start[s->role + 1]; i++)
		total += n->arms[i].policy;
	at = rng_unit(&s->rng) * total;
	for (uint32_t i = n->start[s->role]; i < n->start[s->role + 1]; i++)
		if ((at -= n->arms[i].policy) < 0)
			return i;
	return n->start[s->role];
}

/* Of two moves with the same proved value: a win as soon as possible, a loss as late. */
static bool nearer(const struct tree *t, const struct node *n, uint32_t role, uint32_t i, uint32_t j)
{
	uint32_t x = node_sole_child(t, n, role, i - n->start[role]), y = node_sole_child(t, n, role, j - n->start[role]);
	if (x == NODE_NONE || y == NODE_NONE || t->nodes.at[x].distance == t->nodes.at[y].distance)
		return n->arms[i].visits > n->arms[j].visits;
	return (t->nodes.at[x].distance < t->nodes.at[y].distance) == (n->arms[i].low > 0);
}

uint32_t node_best_arm(const struct tree *t, const struct node *n, uint32_t role)
{
	uint32_t open = NODE_NONE, sure = NODE_NONE;
	for (uint32_t i = n->start[role]; i < n->start[role + 1]; i++) {
		const struct arm *a = &n->arms[i], *b = sure == NODE_NONE ? NULL : &n->arms[sure];
		if (t->o.solve && arm_proved(a)) {
			if (!b || a->low > b->low + 1e-5f || (a->low > b->low - 1e-5f && nearer(t, n, role, i, sure)))
				sure = i;
			continue;
		}
		b = open == NODE_NONE ? NULL : &n->arms[open];
		if (!b || a->low >= b->high ||
		    (a->high > b->low && (a->visits != b->visits ? a->visits > b->visits : a->sum > b->sum)))
			open = i;
	}
	if (open == NODE_NONE || sure == NODE_NONE)
		return open == NODE_NONE ? sure : open;
	const struct arm *a = &n->arms[open];
	return a->high > n->arms[sure].low && a->visits > 0 && a->sum / a->visits > (double)n->arms[sure].low ? open : sure;
}

uint32_t tree_choose(struct tree *t, struct seat *s)
{
	const struct node *n = &t->nodes.at[t->root];
	if (!n->start)
		return GAME_NONE;
	uint32_t best = n->start[s->role];
	if (t->o.regret && n->movers > 1) {
		best = sample_policy(s, n);
		double total = 1e-9;
		for (uint32_t i = n->start[s->role]; i < n->start[s->role + 1]; i++)
			total += n->arms[i].policy;
		text_printf(&s->why, "drawn with probability %.2f", n->arms[best].policy / total);
	} else {
		best = node_best_arm(t, n, s->role);
		const struct arm *a = &n->arms[best];
		if (t->o.solve && n->low[s->role] >= n->high[s->role])
			text_printf(&s->why, "proved: %.0f", 100 * (double)n->low[s->role]);
		else
			text_printf(&s->why, "mean %.1f in %.0f of %.0f visits", a->visits > 0 ? 100 * a->sum / a->visits : 50,
			            a->visits, n->visits);
	}
	text_printf(&s->why, ", %zu states, %llu playouts", t->nodes.n, (unsigned long long)s->count.playouts);
	return n->arms[best].move;
}

/* ---- analysis --------------------------------------------------------------------------------- */

static bool is_root(const struct tree *t, const struct turn *turn)
{
	return t->root != NODE_NONE && t->nodes.at[t->root].start && turn->state &&
	       !memcmp(t->nodes.at[t->root].state, turn->state, t->g->words * sizeof *turn->state);
}

static uint32_t arm_of(const struct node *n, uint32_t role, uint32_t move)
{
	for (uint32_t i = n->start[role]; i < n->start[role + 1]; i++)
		if (n->arms[i].move == move)
			return i;
	return NODE_NONE;
}

static void value_of(const struct tree *t, const struct arm *a, double policy, struct move_value *out)
{
	if (t->o.solve) {
		out->low = 100 * (double)a->low;
		out->high = 100 * (double)a->high;
	}
	out->visits = a->visits;
	out->value = a->visits > 0 ? 100 * a->sum / a->visits : -1;
	if (t->o.solve && arm_proved(a))
		out->value = out->low;
	else if (a->visits > 0)
		out->value = out->value < out->low ? out->low : out->value > out->high ? out->high : out->value;
	if (policy > 0)
		out->share = (double)a->policy / policy;
}

bool tree_values(void *tree, struct seat *s, const struct turn *turn, struct move_value *out)
{
	struct tree *t = tree;
	if (!is_root(t, turn))
		return false;
	const struct node *n = &t->nodes.at[t->root];
	double policy = 0;
	for (uint32_t i = n->start[s->role]; i < n->start[s->role + 1] && t->o.regret && n->movers > 1; i++)
		policy += (double)n->arms[i].policy;
	for (uint32_t i = 0; i < turn->legal_count; i++) {
		uint32_t a = arm_of(n, s->role, turn->legal[i]);
		if (a != NODE_NONE)
			value_of(t, &n->arms[a], policy, &out[i]);
	}
	return true;
}

/* The arms that are expected at a node, by role. False: too little is known there. */
static bool expect(const struct tree *t, const struct node *n, uint32_t *arms)
{
	for (uint32_t r = 0; r < t->g->roles; r++) {
		uint32_t a = node_best_arm(t, n, r);
		if (arm_count(n, r) > 1 && n->arms[a].visits <= 0 && !(t->o.solve && arm_proved(&n->arms[a])))
			return false;
		arms[r] = a - n->start[r];
	}
	return true;
}

static void push_joint(const struct tree *t, const struct node *n, const uint32_t *arms, struct move_line *out)
{
	for (uint32_t r = 0; r < t->g->roles; r++)
		vec_push(out, n->arms[n->start[r] + arms[r]].move);
}

/* Where symmetric states share a node its moves may belong to another state: there it ends. */
void tree_line(void *tree, struct seat *s, const struct turn *turn, uint32_t move, struct move_line *out)
{
	struct tree *t = tree;
	size_t words = t->g->words;
	uint32_t id = t->root, roles = t->g->roles;
	if (!is_root(t, turn) || arm_of(&t->nodes.at[id], s->role, move) == NODE_NONE)
		return;
	uint64_t *state = memcpy(mem_alloc(words + 1, sizeof *state), turn->state, words * sizeof *state);
	uint32_t *arms = NEW_ARRAY(uint32_t, roles);
	for (uint32_t step = 0; step < PLAY_LINE_STEPS && id != NODE_NONE; step++) {
		const struct node *n = &t->nodes.at[id];
		if (!n->start || n->terminal || memcmp(n->state, state, words * sizeof *state) || !expect(t, n, arms))
			break;
		if (!step)
			arms[s->role] = arm_of(n, s->role, move) - n->start[s->role];
		push_joint(t, n, arms, out);
		id = n->child ? n->child[joint_index(t, n, arms)] : NODE_NONE;
		game_next(s->worker, state, out->at + out->n - roles, state);
	}
	mem_free(arms);
	mem_free(state);
}

/* Where symmetric states share a node only the moves of the root are its own. */
bool tree_children(void *tree, struct seat *s, const struct turn *turn, uint32_t node, struct tree_children *out)
{
	struct tree *t = tree;
	if (!is_root(t, turn))
		return false;
	const struct node *n = &t->nodes.at[node == TREE_ROOT ? t->root : node];
	if (!n->start || !n->child || n->terminal || (t->canonical && node != TREE_ROOT))
		return true;
	uint32_t *arms = NEW_ARRAY(uint32_t, t->g->roles);
	struct move_line joint = {0};
	for (uint32_t k = 0; k < n->joint; k++) {
		const struct node *c = n->child[k] == NODE_NONE ? NULL : &t->nodes.at[n->child[k]];
		if (!c || c->visits <= 0)
			continue;
		joint_arms(t, n, k, arms);
		bool single = n->joint == arm_count(n, n->mover);
		struct tree_node child = {.value = 100 * c->sum[s->role] / c->visits, .high = 100};
		child.visits = single ? n->arms[n->start[n->mover] + arms[n->mover]].visits : c->visits;
		if (t->o.solve) {
			child.low = 100 * (double)c->low[s->role];
			child.high = 100 * (double)c->high[s->role];
		}
		child.value = child.value < child.low ? child.low : child.value > child.high ? child.high : child.value;
		joint.n = 0;
		push_joint(t, n, arms, &joint);
		vec_push(&out->nodes, child);
		vec_push(&out->ids, n->child[k]);
		for (uint32_t r = 0; r < t->g->roles; r++)
			vec_push(&out->moves, joint.at[r]);
	}
	vec_free(&joint);
	mem_free(arms);
	return true;
}

/* ---- a player that is no more than a tree ------------------------------------------------------- */

uint32_t tree_move(void *tree, struct seat *s, const struct turn *turn, const struct budget *b)
{
	tree_root(tree, s, turn->state);
	if (turn->legal_count > 1)
		tree_run(tree, s, b);
	return tree_choose(tree, s);
}

void *tree_make(struct seat *s)
{
	return tree_new(s, s->options);
}

void tree_release(void *tree)
{
	tree_free(tree);
}

void tree_start(void *tree, struct seat *s, const struct budget *b)
{
	if (s->game->random == s->role)
		return;
	tree_root(tree, s, s->game->initial);
	tree_run(tree, s, b);
}
