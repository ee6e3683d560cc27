/* What playouts say of moves, whenever they were made: all moves as first in the tree. */
#include "play/mcts/round.h"

#include <assert.h>
#include <string.h>

#define MOST_COUNTED 1e6f /* before the past is halved: a float cannot count much further */

static void count_amaf(struct amaf *a, float value)
{
	if (a->visits > MOST_COUNTED) {
		a->visits /= 2;
		a->sum /= 2;
	}
	a->visits += 1;
	a->sum += value;
}

/* The moves of a playout, whatever state they were made in. */
static void count_moves(const struct tree *t, const struct record *r, struct amaf *into)
{
	const struct round *k = t->round;
	const float *goals = k->goals.at + r->goals;
	const uint32_t *m = k->played.at + r->first, *end = m + r->count;
	for (uint32_t q = 0; q < t->g->roles; q++)
		for (; m < end && *m < t->g->first_move[q + 1]; m++)
			count_amaf(&into[*m], goals[q]);
	assert(m == end);
}

/* The moves of a playout, and of its walk from step `i` on, for the node at that step. */
static void add_record(struct tree *t, const struct record *r, const struct walk *w, uint32_t i)
{
	struct round *k = t->round;
	struct node *n = &t->nodes.at[k->steps.at[w->first_step + i].node];
	const float *goals = k->goals.at + r->goals;
	assert(n->amaf && i < w->steps);
	count_moves(t, r, n->amaf);
	for (; i < w->steps; i++) {
		const struct path_step *p = &k->steps.at[w->first_step + i];
		const struct node *at = &t->nodes.at[p->node];
		for (uint32_t q = 0; q < t->g->roles; q++)
			count_amaf(&n->amaf[at->arms[at->start[q] + k->chosen.at[p->first_arm + q]].move], goals[q]);
	}
	n->amaf_visits += 1;
}

/* Nodes begin to keep the statistics when they have been visited a few times: there are
 * few such, and the young ones use an ancestor's anyway. */
static void learn_amaf(struct tree *t, const struct record *r)
{
	struct round *k = t->round;
	const struct walk *w = &k->walks.at[r->walk];
	for (uint32_t i = 0; i < w->steps; i++) {
		struct node *n = &t->nodes.at[k->steps.at[w->first_step + i].node];
		if (!n->amaf) {
			if (n->visits < t->o.ref && i)
				break;
			n->amaf = arena_alloc(&t->arena, t->g->moves * sizeof *n->amaf);
			memset(n->amaf, 0, t->g->moves * sizeof *n->amaf);
		}
		add_record(t, r, w, i);
	}
}

void round_learn_moves(struct tree *t)
{
	struct round *k = t->round;
	for (size_t j = 0; k->amaf && j < k->records.n; j++)
		learn_amaf(t, &k->records.at[j]);
}

/* ---- trust ---------------------------------------------------------------------------------- */

/* Do they separate good moves from bad ones? Of the differences between the means of the root's
 * moves, the share that the statistics show too, over all searches so far. Playouts in which
 * a move is worth something only at once, or harms only its own side, show nothing. */
void round_trust_amaf(struct tree *t)
{
	struct round *k = t->round;
	const struct node *n = &t->nodes.at[t->root];
	double count = 0, mean = 0, other = 0, square = 0, product = 0;
	if (!k->amaf || !n->amaf || n->movers != 1)
		return;
	for (uint32_t i = n->start[n->mover]; i < n->start[n->mover + 1]; i++) {
		const struct arm *a = &n->arms[i];
		const struct amaf *m = &n->amaf[a->move];
		if (a->visits < 8 || m->visits < 8)
			continue;
		double x = a->sum / a->visits, y = (double)m->sum / (double)m->visits;
		count++;
		mean += x;
		other += y;
		square += x * x;
		product += x * y;
	}
	if (count < 3)
		return;
	k->spread += square / count - mean / count * mean / count;
	k->common += product / count - mean / count * other / count;
	k->amaf = k->common > t->o.tune.amaf_share * k->spread;
}
