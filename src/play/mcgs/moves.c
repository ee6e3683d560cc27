/* What playouts say of moves, whenever they were made: all-moves-as-first statistics at nodes that
 * are visited often (GRAVE: Cazenave 2015), preferences for the playouts themselves (MAST: Björnsson
 * and Finnsson 2009), and first values of new arms. */
#include "play/mcgs/mcgs_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_AMAF 4096     /* moves of a game for which nodes keep a table */
#define MOST_COUNTED 65536 /* moves of a game for which they are counted at all */

void moves_init(struct mcgs *t, struct walker *w)
{
	uint32_t moves = t->g->moves;
	if (t->g->engine != ENGINE_CIRCUIT || moves > MOST_COUNTED)
		return;
	if (t->o.habit > 0 || t->o.prior > 0)
		w->by_move = NEW_ARRAY(struct move_stat, moves + 1);
	if (t->o.habit > 0)
		w->move_bias = NEW_ARRAY(uint8_t, moves + 1);
	if (t->o.prior > 0)
		w->prior = NEW_ARRAY(float, moves + 1);
	if (t->o.bias > 0 && moves <= MOST_AMAF) {
		w->stamp = NEW_ARRAY(uint32_t, moves + 1);
		t->amaf = true;
		t->amaf_spread = 0.001; /* optimistic prior */
		t->amaf_common = 0.0003;
	}
}

void moves_free(struct walker *w)
{
	mem_free(w->by_move);
	mem_free(w->move_bias);
	mem_free(w->prior);
	mem_free(w->stamp);
}

/* ---- at nodes ---------------------------------------------------------------------------------- */

static void count_amaf(struct amaf *table, uint32_t move, float goal)
{
	struct amaf *m = &table[move];
	float n = get(&m->visits) + 1;
	put(&m->visits, n);
	put(&m->mean, get(&m->mean) + (goal - get(&m->mean)) / n);
}

static struct amaf *table_of(struct mcgs *t, struct walker *w, struct vertex *n)
{
	assert(n->mover < t->roles && n->movers <= t->roles);
	uint32_t block = atomic_load_explicit(&n->amaf, memory_order_acquire), none = NONE;
	if (block != NONE || n->visits < t->o.ref || t->narrow)
		return block == NONE ? NULL : block_at(t, block);
	block = block_new(t, w, t->g->moves * sizeof(struct amaf));
	if (block == NONE || !atomic_compare_exchange_strong(&n->amaf, &none, block))
		return NULL;
	return block_at(t, block);
}

/* A move with what its role had of the playout, once for each playout. */
static void note_move(struct walker *w, uint32_t move, float goal)
{
	assert(move < w->t->g->moves);
	if (w->stamp[move] == w->stamp_now)
		return;
	w->stamp[move] = w->stamp_now;
	vec_push(&w->list, move);
	vec_push(&w->score, goal);
}

static float goal_of(const int *goals, uint32_t role)
{
	return goals[role] == GOAL_NONE ? 0 : (float)goals[role] / 100;
}

/* The moves that a step of the walk has chosen. */
static void note_step(struct mcgs *t, struct walker *w, const struct flight *f, const struct path_step *p,
                      const int *goals)
{
	struct arms a;
	const struct vertex *n = vertex_at(t, p->node);
	vertex_arms(t, n, &a);
	if (is_single(n, &a)) {
		note_move(w, a.move[a.start[vertex_mover(n)] + p->arm], goal_of(goals, n->mover));
		return;
	}
	for (uint32_t r = 0; r < t->roles; r++)
		if (arm_count(&a, r) > 1)
			note_move(w, a.move[a.start[r] + f->chosen.at[p->arm + r]], goal_of(goals, r));
}

/* The moves of the playout, then those of the walk below the node; each once. At some of the nodes only: the walk is
 * long and the statistics of the upper ones are rich. */
static void learn_amaf(struct mcgs *t, struct walker *w, const struct flight *f)
{
	uint32_t depth = (uint32_t)f->steps.n, nodes = (uint32_t)t->o.tune.amaf_nodes;
	assert(w->list.n == w->score.n);
	for (uint32_t i = depth; i--;) {
		const struct path_step *p = &f->steps.at[i];
		note_step(t, w, f, p, w->goals_now);
		if (depth > nodes && rng_below(&w->rng, depth) >= nodes)
			continue;
		struct amaf *table = table_of(t, w, vertex_at(t, p->node));
		for (size_t k = 0; table && k < w->list.n; k++)
			count_amaf(table, w->list.at[k], w->score.at[k]);
	}
}

void moves_played(void *walker, uint32_t tag, const uint32_t *moves, uint32_t count, const int *goals)
{
	struct walker *w = walker;
	struct mcgs *t = w->t;
	bool amaf = t->amaf && w->stamp;
	vec_clear(&w->list);
	vec_clear(&w->score);
	w->stamp_now++;
	w->goals_now = goals;
	for (uint32_t i = 0, r = 0; i < count; i++) {
		while (moves[i] >= t->g->first_move[r + 1])
			r++;
		assert(r < t->roles);
		float goal = goal_of(goals, r);
		if (amaf)
			note_move(w, moves[i], goal);
		if (!w->by_move)
			continue;
		w->by_move[moves[i]].visits += 1;
		w->by_move[moves[i]].sum += goal;
	}
	if (amaf)
		learn_amaf(t, w, &w->flights.at[tag]);
}

/* ---- preferences --------------------------------------------------------------------------------- */

/* Of a role's moves: a move whose playouts ended worse than those of the role's moves do on the whole is halved
 * once for every `habit` standard deviations of these, but differences of less than `habit-least` are no reason: in
 * games where it is the position that makes a move good, all moves are worth about the same. */
static void learn_role(struct mcgs *t, struct walker *w, uint32_t from, uint32_t to)
{
	double visits = 0, sum = 0, square = 0, known = 0;
	for (uint32_t m = from; m < to; m++) {
		double n = (double)w->by_move[m].visits, x = (double)w->by_move[m].sum;
		visits += n;
		sum += x;
		square += n > 0 ? x * x / n : 0;
		known += n > 0;
	}
	double mean = visits > 0 ? sum / visits : 0.5, most = (double)t->o.tune.habit_most;
	/* variance of the means of moves, less what sampling noise makes of it in scores that are all or nothing */
	double chance = mean * (1 - mean),
		   spread = visits > 0 ? square / visits - mean * mean - known * chance / visits : 0;
	double worse = spread > 0 ? fmax(t->o.habit * sqrt(spread), t->o.tune.habit_least) : 0;
	for (uint32_t m = from; m < to; m++) {
		double n = (double)w->by_move[m].visits, better = 0;
		if (spread > 0 && n > 0)
			better = ((double)w->by_move[m].sum / n - mean) * n / (n + chance / spread);
		double halvings = worse > 0 && t->o.habit > 0 ? -better / worse : 0;
		if (w->move_bias)
			w->move_bias[m] = (uint8_t)(halvings <= 0 ? 0 : halvings > most ? most : halvings);
		if (w->prior)
			w->prior[m] = (float)better;
	}
}

void moves_learn(struct mcgs *t, struct walker *w)
{
	for (uint32_t q = 0; w->by_move && q < t->roles; q++)
		if (q != t->g->random)
			learn_role(t, w, t->g->first_move[q], t->g->first_move[q + 1]);
}

/* Positions change: what was learnt before counts less. */
void moves_fade(struct mcgs *t, struct walker *w)
{
	float kept = (float)t->o.tune.habit_kept;
	for (uint32_t m = 0; w->by_move && m < t->g->moves; m++) {
		w->by_move[m].visits *= kept;
		w->by_move[m].sum *= kept;
	}
}

/* ---- trust -------------------------------------------------------------------------------------- */

/* Do the statistics separate good moves from bad ones? Of the differences between the means of the root's
 * moves, the share that the statistics show too, over all searches so far. Playouts in which
 * a move is worth something only at once, or harms only its own side, show nothing. */
void moves_trust(struct mcgs *t)
{
	const struct vertex *n = vertex_at(t, t->root);
	double count = 0, mean = 0, other = 0, square = 0, product = 0;
	struct arms a;
	if (!t->amaf || n->amaf == NONE || n->movers != 1 || !vertex_arms(t, n, &a))
		return;
	const struct amaf *table = block_at(t, n->amaf);
	for (uint32_t i = a.start[vertex_mover(n)]; i < a.start[n->mover + 1]; i++) {
		const struct amaf *m = &table[a.move[i]];
		if (a.visits[i] < 8 || get(&m->visits) < 8 || get(&a.mean[i]) < 0)
			continue;
		double x = (double)get(&a.mean[i]), y = (double)get(&m->mean);
		count++;
		mean += x;
		other += y;
		square += x * x;
		product += x * y;
	}
	if (count < 3)
		return;
	t->amaf_spread += square / count - mean / count * mean / count;
	t->amaf_common += product / count - mean / count * other / count;
	t->amaf = t->amaf_common > t->o.tune.amaf_share * t->amaf_spread;
}
