/* Flat Monte Carlo: rounds of playouts, dealt to the moves by a bandit or evenly. */
#include "play/mcts/flat.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct flat_arm {
	double visits, sum;
};

struct flat {
	VEC(struct flat_arm) arms; /* by legal move of the last turn */
};

void *flat_make(struct seat *s)
{
	assert(s->role < s->game->roles);
	return NEW(struct flat);
}

void flat_release(void *flat)
{
	vec_free(&((struct flat *)flat)->arms);
	mem_free(flat);
}

/* The state after our move `m` and moves of the others drawn at random. False: an
 * end, with our score in *score. `moves` is scratch, by role. */
static bool start_from(struct seat *s, const struct turn *t, uint32_t m, uint32_t *moves, uint64_t *into, double *score)
{
	assert(t->legal_count && t->legal);
	struct view v = game_look(s->worker, t->state);
	if (!game_random_move(s->game, &v, &s->rng, moves))
		return false;
	moves[s->role] = m;
	game_next(s->worker, t->state, moves, into);
	v = game_look(s->worker, into);
	if (v.terminal)
		*score = v.goals[s->role] == GOAL_NONE ? 0 : v.goals[s->role];
	return !v.terminal;
}

/* UCB1 (Auer, Cesa-Bianchi and Fischer 2002); or the arm with the fewest visits. */
static uint32_t next_arm(const struct flat_arm *arms, uint32_t n, double c)
{
	uint32_t best = 0;
	double total = 0, score = -1e9;
	for (uint32_t i = 0; i < n; i++)
		total += arms[i].visits;
	for (uint32_t i = 0; i < n; i++) {
		double x = arms[i].visits <= 0 ? 1e9
		           : c < 0             ? -arms[i].visits
		                               : arms[i].sum / arms[i].visits / 100 + c * sqrt(log(total) / arms[i].visits);
		if (x > score) {
			score = x;
			best = i;
		}
	}
	return best;
}

/* One round: every start gets a share of the batch; arms are chosen one after the
 * other as if the shares given before had brought their present means. */
static uint64_t round_of(struct seat *s, const struct flat_options *o, const struct turn *t, const struct budget *b,
                         struct flat_arm *arms, uint64_t batch)
{
	assert(t->legal_count && t->legal);
	enum { STARTS = 32 };
	struct game *g = s->game;
	uint32_t which[STARTS], n = 0;
	uint64_t *starts = NEW_ARRAY(uint64_t, (size_t)STARTS * g->words), share = (batch + STARTS - 1) / STARTS, ends = 0;
	struct flat_arm *ahead = mem_alloc(t->legal_count, sizeof *ahead);
	uint32_t *moves = NEW_ARRAY(uint32_t, g->roles);
	memcpy(ahead, arms, t->legal_count * sizeof *ahead);
	for (uint32_t i = 0; i < STARTS; i++) {
		uint32_t a = next_arm(ahead, t->legal_count, o->c);
		double score = 50, mean = ahead[a].visits > 0 ? ahead[a].sum / ahead[a].visits : 50;
		if (start_from(s, t, t->legal[a], moves, starts + (size_t)n * g->words, &score)) {
			which[n++] = a;
		} else {
			arms[a].visits += (double)share;
			arms[a].sum += (double)share * (mean = score);
			ends += share;
		}
		ahead[a].visits += (double)share;
		ahead[a].sum += (double)share * mean;
	}
	struct playout_result r = {0};
	if (n) {
		game_playouts(g,
		              &(struct playout_job){.starts = starts,
		                                    .start_count = n,
		                                    .playouts = share * n,
		                                    .limit = b->limit,
		                                    .seed = rng_next(&s->rng),
		                                    .max_steps = 5000},
		              &r);
		for (uint32_t i = 0; i < n; i++) {
			arms[which[i]].visits += (double)r.counts[i];
			arms[which[i]].sum += r.sum[(size_t)i * g->roles + s->role];
		}
		s->count.playouts += r.playouts;
		s->count.playout_seconds += r.seconds;
		playout_result_free(&r);
	}
	mem_free(moves);
	mem_free(ahead);
	mem_free(starts);
	return r.playouts + ends;
}

uint32_t flat_move(struct flat *k, struct seat *s, const struct flat_options *o, const struct turn *t,
                   const struct budget *b)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	if (t->legal_count == 1)
		return t->legal[0];
	vec_clear(&k->arms);
	vec_extend(&k->arms, t->legal_count);
	struct flat_arm *arms = memset(k->arms.at, 0, t->legal_count * sizeof *arms);
	uint32_t best = 0;
	for (uint64_t spent = 0; !limit_reached(&b->limit) && (!b->playouts || spent < b->playouts);) {
		uint64_t batch = (uint64_t)o->batch;
		if (b->playouts && b->playouts - spent < batch)
			batch = b->playouts - spent;
		uint64_t more = round_of(s, o, t, b, arms, batch);
		spent += more ? more : 1;
		s->count.rounds++;
		for (uint32_t i = 0; i < t->legal_count; i++)
			if (arms[i].visits > 0 &&
			    (arms[best].visits <= 0 || arms[i].sum / arms[i].visits > arms[best].sum / arms[best].visits))
				best = i;
		seat_ready(s, t->legal[best]);
	}
	text_printf(&s->why, "mean %.1f of %.0f playouts, best of %u moves",
	            arms[best].visits > 0 ? arms[best].sum / arms[best].visits : 50, arms[best].visits, t->legal_count);
	return t->legal[best];
}

bool flat_values(void *flat, struct seat *s, const struct turn *t, struct move_value *out)
{
	assert(s->role < s->game->roles);
	assert(t->legal_count && t->legal);
	const struct flat *k = flat;
	if (k->arms.n != t->legal_count)
		return false;
	for (uint32_t i = 0; i < t->legal_count; i++) {
		const struct flat_arm *a = &k->arms.at[i];
		out[i].visits = a->visits;
		out[i].value = a->visits > 0 ? a->sum / a->visits : -1;
	}
	return true;
}
