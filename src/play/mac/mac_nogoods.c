/* Moves of the root that are below the threshold: what the articles add to the network of
 * a round before they look for its symmetries.
 *
 * The root has mostly no children yet when this is asked, since its own state need not be
 * the one that stands for it in the tree. So the states after its moves are looked up:
 * earlier searches have met them, or equals of theirs. */
#include "play/mac/mac_internal.h"

#include <math.h>

#define MOST_JOINT 4096 /* joint moves that are looked at */

struct round_moves {
	uint32_t roles, mover, random; /* random: no role, or the one that draws */
	uint32_t decisions, draws;
	VEC(uint32_t) legal, start;
	VEC(uint32_t) after; /* by decision and draw: a node, or NODE_NONE */
};

/* False: more than one role has a choice, or none. */
static bool list_moves(struct round_moves *m, const struct game *g, const struct view *v)
{
	uint32_t movers = 0;
	m->roles = g->roles;
	m->random = g->random;
	m->decisions = m->draws = 1;
	for (uint32_t r = 0; r <= g->roles; r++)
		vec_push(&m->start, v->start[r]);
	for (uint32_t i = 0; i < v->start[g->roles]; i++)
		vec_push(&m->legal, v->legal[i]);
	for (uint32_t r = 0; r < g->roles; r++) {
		uint32_t count = v->start[r + 1] - v->start[r];
		if (!count)
			return false;
		if (r == g->random) {
			m->draws = count;
		} else if (count > 1) {
			movers++;
			m->mover = r;
			m->decisions = count;
		}
	}
	return movers == 1 && (uint64_t)m->decisions * m->draws <= MOST_JOINT;
}

static void joint_move(const struct round_moves *m, uint32_t a, uint32_t d, uint32_t *joint)
{
	for (uint32_t r = 0; r < m->roles; r++)
		joint[r] = m->legal.at[m->start.at[r] + (r == m->mover ? a : r == m->random ? d : 0)];
}

static void look_up_states(struct mac_search *k, struct seat *s, struct round_moves *m)
{
	const struct game *g = k->tree->g;
	uint64_t *next = mem_alloc(g->words + 1, sizeof *next);
	uint32_t *joint = NEW_ARRAY(uint32_t, g->roles);
	for (uint32_t a = 0; a < m->decisions; a++)
		for (uint32_t d = 0; d < m->draws; d++) {
			joint_move(m, a, d, joint);
			game_next(s->worker, k->tree->nodes.at[k->tree->root].state, joint, next);
			vec_push(&m->after, node_known(k->tree, next));
		}
	mem_free(joint);
	mem_free(next);
}

static const struct node *node_after(const struct mac_search *k, const struct round_moves *m, uint32_t a, uint32_t d)
{
	uint32_t id = m->after.at[a * m->draws + d];
	return id == NODE_NONE ? NULL : &k->tree->nodes.at[id];
}

/* What a role has after a decision by the best that is known, over the draws; negative: not known. */
static double best_after(const struct mac_search *k, const struct round_moves *m, uint32_t a, uint32_t role)
{
	double sum = 0;
	for (uint32_t d = 0; d < m->draws; d++) {
		const struct node *c = node_after(k, m, a, d);
		if (!c)
			return -1;
		sum += mac_value(c, role) / m->draws;
	}
	return sum;
}

/* The least that a role has after the mover's best decision. */
static double threshold(const struct mac_search *k, const struct round_moves *m)
{
	double top = -1, theta = 0;
	for (uint32_t a = 0; a < m->decisions; a++) {
		double own = best_after(k, m, a, m->mover);
		if (own <= top)
			continue;
		top = theta = own;
		for (uint32_t r = 0; r < m->roles; r++)
			if (r != m->random)
				theta = fmin(theta, best_after(k, m, a, r));
	}
	return theta;
}

/* The value of a decision to the mover, with confidence; 1 where it is not known. */
static double upper_bound(const struct mac_search *k, const struct round_moves *m, uint32_t a, double width)
{
	double sum = 0;
	for (uint32_t d = 0; d < m->draws; d++) {
		const struct node *c = node_after(k, m, a, d);
		if (!c)
			return 1;
		double x = mac_value(c, m->mover) + (c->solved ? 0 : width / sqrt(c->visits + 1));
		sum += fmin(x, (double)c->high[m->mover]) / m->draws;
	}
	return sum;
}

size_t mac_search_nogoods(struct mac_search *k, struct seat *s, uint32_t *joint, size_t most)
{
	struct round_moves m = {0};
	size_t count = 0;
	struct view v = game_look(s->worker, k->tree->nodes.at[k->tree->root].state);
	if (!v.terminal && list_moves(&m, k->tree->g, &v)) {
		look_up_states(k, s, &m);
		double visits = 1, theta = threshold(k, &m);
		for (size_t i = 0; i < m.after.n; i++)
			visits += m.after.at[i] == NODE_NONE ? 0 : k->tree->nodes.at[m.after.at[i]].visits;
		double width = k->o.tree.c * sqrt(log(visits));
		for (uint32_t a = 0; a < m.decisions; a++)
			for (uint32_t d = 0; upper_bound(k, &m, a, width) < theta && d < m.draws && count < most; d++)
				joint_move(&m, a, d, joint + count++ * m.roles);
	}
	vec_free(&m.legal);
	vec_free(&m.start);
	vec_free(&m.after);
	return count;
}
