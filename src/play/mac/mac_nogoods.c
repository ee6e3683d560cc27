/* Nogoods: joint moves of a state that are below the threshold, with confidence. The articles put them into the network
 * of a round, as a constraint, before they look for its symmetries.
 *
 * A nogood remembers the upper confidence bound that made it one. Once the threshold has fallen to that bound or below,
 * it is none; between moves, such ones are dropped. */
#include "play/mac/mac_internal.h"

#include <assert.h>
#include <math.h>

#define MOST_JOINT 4096  /* joint moves of a round that are looked at */
#define MOST_NOGOODS 4e6 /* kept at a time */

static uint32_t *list_of(struct mac_search *k, uint32_t node)
{
	struct mac_nogoods *x = &k->nogoods;
	while (x->last.n <= node) {
		vec_push(&x->last, 0);
		vec_push(&x->look_at, (float)k->o.tune.first_look);
	}
	assert(x->last.n == x->look_at.n);
	return &x->last.at[node];
}

static bool holds(const struct mac_search *k, const struct nogood *g)
{
	return (double)g->upper < k->theta;
}

static struct nogood *find(const struct mac_search *k, uint32_t node, uint32_t joint)
{
	const struct mac_nogoods *x = &k->nogoods;
	for (uint32_t i = node < x->last.n ? x->last.at[node] : 0; i; i = x->all.at[i - 1].before)
		if (x->all.at[i - 1].joint == joint)
			return &x->all.at[i - 1];
	return NULL;
}

void mac_nogoods_keep(struct mac_search *k, struct seat *s, uint32_t node, uint32_t joint, float upper)
{
	struct mac_nogoods *x = &k->nogoods;
	assert(node < k->tree->nodes.n);
	uint32_t *last = list_of(k, node);
	struct nogood *known = find(k, node, joint);
	if (known)
		known->upper = upper;
	if (known || (double)x->all.n >= MOST_NOGOODS)
		return;
	struct nogood g = {.node = node, .joint = joint, .before = *last, .upper = upper};
	vec_push(&x->all, g);
	assert(g.before < x->all.n); /* the way through a list ends */
	*last = (uint32_t)x->all.n;
	s->count.nogoods++;
}

/* What the role that is worst off among those that choose can have in a state, with confidence. */
static double upper_bound(const struct tree *t, const struct node *n, const struct node *c, double width)
{
	double least = 1;
	for (uint32_t r = 0; r < t->g->roles; r++) {
		if (r == t->g->random || arm_count(n, r) == 1)
			continue;
		double high = (double)c->high[r], x = mac_value(c, r) + width / sqrt(c->visits);
		least = fmin(least, c->visits > 0 && !c->solved ? fmin(x, high) : high);
	}
	return least;
}

void mac_nogoods_look(struct mac_search *k, struct seat *s, uint32_t id)
{
	const struct tree *t = k->tree;
	const struct node *n = &t->nodes.at[id];
	if (!k->rounds || k->theta <= 0 || !n->child || !n->expanded || !n->movers || n->joint > MOST_JOINT)
		return;
	list_of(k, id);
	if (n->visits < (double)k->nogoods.look_at.at[id])
		return;
	k->nogoods.look_at.at[id] = (float)(2 * n->visits);
	double width = t->o.c * sqrt(log(n->visits + 1));
	for (uint32_t i = 0; i < n->joint; i++) {
		double upper = n->child[i] == NODE_NONE ? 1 : upper_bound(t, n, &t->nodes.at[n->child[i]], width);
		if (upper < k->theta)
			mac_nogoods_keep(k, s, id, i, (float)upper);
	}
}

/* Between moves. */
void mac_nogoods_drop(struct mac_search *k)
{
	struct mac_nogoods *x = &k->nogoods;
	size_t kept = 0;
	for (size_t i = 0; i < x->last.n; i++)
		x->last.at[i] = 0;
	for (size_t i = 0; i < x->all.n; i++) {
		struct nogood g = x->all.at[i];
		assert(g.node < x->last.n);
		if (!holds(k, &g))
			continue;
		g.before = x->last.at[g.node];
		x->all.at[kept++] = g;
		x->last.at[g.node] = (uint32_t)kept;
	}
	x->all.n = kept;
}

void mac_nogoods_forget(struct mac_search *k)
{
	vec_clear(&k->nogoods.all);
	vec_clear(&k->nogoods.last);
	vec_clear(&k->nogoods.look_at);
}

/* The number of a joint move by its moves; n->joint: it is none of this round. */
static uint32_t joint_of(const struct tree *t, const struct node *n, const uint32_t *moves)
{
	uint32_t index = 0;
	for (uint32_t r = 0; r < t->g->roles; r++) {
		uint32_t a = 0;
		while (a < arm_count(n, r) && n->arms[n->start[r] + a].move != moves[r])
			a++;
		if (a == arm_count(n, r))
			return n->joint;
		index = index * arm_count(n, r) + a;
	}
	assert(index < n->joint);
	return index;
}

void mac_nogoods_carry(struct mac_search *k, struct seat *s, uint32_t from, uint32_t to, const uint32_t *move_to)
{
	const struct tree *t = k->tree;
	const struct node *a = &t->nodes.at[from], *b = &t->nodes.at[to];
	uint32_t roles = t->g->roles, *arms = t->scratch.leaf;
	for (uint32_t i = from < k->nogoods.last.n ? k->nogoods.last.at[from] : 0; i && a->start && b->start;) {
		struct nogood g = k->nogoods.all.at[i - 1];
		assert(g.node == from && g.before < i);
		joint_arms(t, a, g.joint, arms);
		for (uint32_t r = 0; r < roles; r++)
			arms[r] = move_to[a->arms[a->start[r] + arms[r]].move];
		uint32_t joint = joint_of(t, b, arms);
		if (joint < b->joint)
			mac_nogoods_keep(k, s, to, joint, g.upper);
		i = g.before;
	}
}

size_t mac_nogoods_of(const struct mac_search *k, uint32_t id, uint32_t *joint, size_t most)
{
	const struct tree *t = k->tree;
	const struct node *n = &t->nodes.at[id];
	const struct mac_nogoods *x = &k->nogoods;
	size_t count = 0;
	for (uint32_t i = id < x->last.n ? x->last.at[id] : 0; i && count < most; i = x->all.at[i - 1].before) {
		if (!holds(k, &x->all.at[i - 1]))
			continue;
		uint32_t *to = joint + count++ * t->g->roles;
		joint_arms(t, n, x->all.at[i - 1].joint, to);
		for (uint32_t r = 0; r < t->g->roles; r++)
			to[r] = n->arms[n->start[r] + to[r]].move;
	}
	return count;
}
