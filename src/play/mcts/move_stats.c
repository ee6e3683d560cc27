/* What playouts say of moves, whenever they were made: all moves as first in the tree, and
 * which ones further playouts prefer. */
#include "play/mcts/round.h"

#include <math.h>
#include <string.h>

#define AMAF_SHARE 0.1  /* that statistics of moves must show to be used */
#define MOST_MOVE_BIAS 3 /* of a move's chance in playouts */
#define HABIT_KEPT 0.5f /* from one position to the next */

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
}

/* The moves of a playout, and of its walk from step `i` on, for the node at that step. */
static void add_record(struct tree *t, const struct record *r, const struct walk *w, uint32_t i)
{
	struct round *k = t->round;
	struct node *n = &t->nodes.at[k->steps.at[w->first_step + i].node];
	const float *goals = k->goals.at + r->goals;
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

/* ---- playouts that prefer what did well ---------------------------------------------------- */

void round_learn_moves(struct tree *t)
{
	struct round *k = t->round;
	for (size_t j = 0; j < k->records.n; j++) {
		if (k->amaf)
			learn_amaf(t, &k->records.at[j]);
		if (k->by_move)
			count_moves(t, &k->records.at[j], k->by_move);
	}
}

/* MAST (Björnsson and Finnsson 2009) for lanes: a move whose playouts ended worse than those
 * of the role's moves do on the whole is halved once for every `habit` standard deviations of these. */
static void form_habits(struct tree *t, uint32_t from, uint32_t to)
{
	struct round *k = t->round;
	double visits = 0, sum = 0, square = 0, known = 0;
	for (uint32_t m = from; m < to; m++) {
		double n = (double)k->by_move[m].visits, x = (double)k->by_move[m].sum;
		visits += n;
		sum += x;
		square += n > 0 ? x * x / n : 0;
		known += n > 0;
	}
	double mean = visits > 0 ? sum / visits : 0.5;
	/* variance of the means of moves, less what sampling noise makes of it in scores that are all or nothing */
	double chance = mean * (1 - mean),
		   spread = visits > 0 ? square / visits - mean * mean - known * chance / visits : 0;
	for (uint32_t m = from; m < to; m++) {
		double n = (double)k->by_move[m].visits, worse = 0;
		if (spread > 0 && n > 0)
			worse = (mean - (double)k->by_move[m].sum / n) * n / (n + chance / spread) / sqrt(spread);
		double move_bias = worse / t->o.habit;
		k->move_bias[m] = move_bias <= 0 ? 0 : move_bias > MOST_MOVE_BIAS ? MOST_MOVE_BIAS : (uint8_t)move_bias;
	}
}

void round_set_bias(struct tree *t)
{
	for (uint32_t q = 0; t->round->by_move && q < t->g->roles; q++)
		if (q != t->g->random)
			form_habits(t, t->g->first_move[q], t->g->first_move[q + 1]);
}

/* Positions change: what was learnt before counts less. */
void round_fade_bias(struct tree *t)
{
	struct round *k = t->round;
	for (uint32_t m = 0; k->by_move && m < t->g->moves; m++) {
		k->by_move[m].visits *= HABIT_KEPT;
		k->by_move[m].sum *= HABIT_KEPT;
	}
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
	k->amaf = k->common > AMAF_SHARE * k->spread;
}
