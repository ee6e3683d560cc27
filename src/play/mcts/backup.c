/* Up the tree: what playouts and ends are worth to the nodes on the way. */
#include "play/mcts/round.h"

#include <assert.h>
#include <string.h>

/* The value of a walk's leaf, in `v`; and the first statistics of the leaf's arms
 * when its children were played from. False: too late, nothing was played. */
static bool leaf_value(struct tree *t, const struct walk *w, double *v)
{
	struct round *k = t->round;
	struct node *n = &t->nodes.at[w->leaf];
	uint32_t roles = t->g->roles, *arms = t->scratch.leaf, start = w->first_start;
	double weight = 0, *x = t->scratch.part;
	memset(v, 0, roles * sizeof *v);
	if (n->solved && (t->o.solve || n->terminal)) {
		for (uint32_t r = 0; r < roles; r++)
			v[r] = (double)n->low[r];
		return true;
	}
	for (uint32_t i = 0; i < (w->spread ? n->joint : 1); i++) {
		struct node *from = w->spread ? &t->nodes.at[n->child[i]] : n;
		if (!from->terminal && k->count.at[start] <= 0) {
			start++;
			continue;
		}
		for (uint32_t r = 0; r < roles; r++)
			x[r] = from->terminal ? (double)from->low[r] : k->value.at[(size_t)start * roles + r];
		start += !from->terminal;
		weight++;
		for (uint32_t r = 0; r < roles; r++)
			v[r] += x[r];
		if (!w->spread)
			continue;
		if (from->visits <= 0 && !from->terminal)
			for (uint32_t r = 0; r < roles; r++)
				from->sum[r] += x[r];
		from->visits += from->visits <= 0;
		joint_arms(t, n, i, arms);
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + arms[r]];
			double share = (double)arm_count(n, r) / n->joint;
			a->visits += share;
			a->sum += share * x[r];
		}
	}
	for (uint32_t r = 0; r < roles; r++)
		v[r] /= weight > 0 ? weight : 1;
	return weight > 0;
}

static void learn_regret(struct tree *t, struct node *n, const uint32_t *chosen, const double *v)
{
	assert(n->mover < t->g->roles && n->movers <= t->g->roles);
	uint32_t roles = t->g->roles, *arms = t->scratch.regret;
	memcpy(arms, chosen, roles * sizeof *arms);
	for (uint32_t r = 0; r < roles; r++) {
		if (r == t->g->random || arm_count(n, r) == 1 || !n->child)
			continue;
		for (uint32_t a = 0; a < arm_count(n, r); a++) {
			arms[r] = a;
			uint32_t c = n->child[joint_index(t, n, arms)];
			const struct node *to = c == NODE_NONE ? NULL : &t->nodes.at[c];
			double x = a == chosen[r] || !to ? v[r]
			           : to->solved          ? (double)to->low[r]
			           : to->visits > 0      ? to->sum[r] / to->visits
			                                 : v[r];
			n->arms[n->start[r] + a].regret += (float)(x - v[r]);
		}
		arms[r] = chosen[r];
	}
}

void round_back_up(struct tree *t, struct seat *s, size_t walk)
{
	assert(s->role < s->game->roles);
	struct round *k = t->round;
	struct walk *w = &k->walks.at[walk];
	uint32_t roles = t->g->roles;
	double *v = t->scratch.value;
	round_pending(t, w, -1);
	bool known = leaf_value(t, w, v);
	struct node *leaf = &t->nodes.at[w->leaf];
	if (known) {
		leaf->visits += 1;
		for (uint32_t r = 0; r < roles; r++)
			leaf->sum[r] += v[r];
	}
	bool changed = leaf->solved || leaf->expanded;
	for (uint32_t i = w->steps; i--;) {
		const struct path_step *p = &k->steps.at[w->first_step + i];
		struct node *n = &t->nodes.at[p->node];
		if (t->o.solve && (changed || w->stale_bounds))
			changed = node_bound(t, s, p->node);
		if (!known)
			continue;
		n->visits += 1;
		if (t->o.regret && n->movers > 1) /* by what the joint move is worth, not the node */
			learn_regret(t, n, k->chosen.at + p->first_arm, v);
		for (uint32_t r = 0; r < roles; r++) {
			struct arm *a = &n->arms[n->start[r] + k->chosen.at[p->first_arm + r]];
			a->visits += 1;
			a->sum += v[r];
			/* a worse move than the proved one was only tried, not chosen */
			if (t->o.solve)
				v[r] = v[r] < (double)n->low[r]    ? (double)n->low[r]
				       : v[r] > (double)n->high[r] ? (double)n->high[r]
				                                   : v[r];
			n->sum[r] += v[r];
		}
	}
}
