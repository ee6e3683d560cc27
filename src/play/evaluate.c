/* Learning the evaluation: 64 random walks at a time give states with the scores
 * that followed; normalised least mean squares (Widrow and Hoff 1960) fits weights. */
#include "play/evaluate.h"

#include "base/bits.h"

#include <string.h>

#define WALKS 64
#define MOST_WALKS 8192
#define MOST_STEPS 1000

struct evaluation {
	uint32_t fluents;
	double *weights; /* by role: one for each fluent, and a constant */
};

/* Lanes of random play, and the states met on the way. */
struct school {
	struct game *g;
	struct worker *w;
	struct rng rng;
	uint64_t *states, *next, *legal;
	uint32_t *moves;
	uint8_t *terminal;
	int *goals;
	VEC(uint64_t) seen;     /* states, lane by lane as they come */
	VEC(uint8_t) seen_lane; /* of each */
	struct evaluation *e;
};

/* A random legal joint move for each lane, from rows of bits. False: none. */
static bool draw_moves(struct school *c)
{
	const struct game *g = c->g;
	uint32_t words = game_legal_words(g);
	for (size_t i = 0; i < WALKS; i++) {
		const uint64_t *row = c->legal + i * words;
		for (uint32_t r = 0; r < g->roles; r++) {
			uint32_t n = 0, pick = GAME_NONE;
			for (size_t m = bits_next(row, g->first_move[r + 1], g->first_move[r]); m < g->first_move[r + 1];
			     m = bits_next(row, g->first_move[r + 1], m + 1))
				if (!rng_below(&c->rng, ++n))
					pick = (uint32_t)m;
			if (!n)
				return false;
			c->moves[i * g->roles + r] = pick;
		}
	}
	return true;
}

static void learn_state(struct evaluation *e, const struct game *g, const uint64_t *state, const int *goals,
                        double rate)
{
	size_t n = bits_count(state, g->words) + 1;
	for (uint32_t r = 0; r < g->roles; r++) {
		double *w = e->weights + (size_t)r * (e->fluents + 1), sum = w[e->fluents];
		BITS_EACH (f, state, e->fluents)
			sum += w[f];
		double by = rate * ((goals[r] == GOAL_NONE ? 0 : goals[r]) - sum) / (double)n;
		BITS_EACH (f, state, e->fluents)
			w[f] += by;
		w[e->fluents] += by;
	}
}

/* One lesson: 64 walks to their ends. Lanes at their end stay there. */
static bool lesson(struct school *c, double rate, const struct budget *b)
{
	const struct game *g = c->g;
	size_t bytes = g->words * sizeof *c->states;
	bool done[WALKS] = {false};
	int goals[WALKS][g->roles];
	vec_clear(&c->seen);
	vec_clear(&c->seen_lane);
	struct view v = game_look(c->w, g->initial);
	memset(c->legal, 0, WALKS * game_legal_words(g) * sizeof *c->legal);
	for (size_t i = 0; i < WALKS; i++) {
		memcpy(c->states + i * g->words, g->initial, bytes);
		for (uint32_t k = 0; k < v.start[g->roles]; k++)
			bits_add(c->legal + i * game_legal_words(g), v.legal[k]);
	}
	size_t open = WALKS;
	for (uint32_t step = 0; open && step < MOST_STEPS && !limit_reached(&b->limit); step++) {
		if (!draw_moves(c))
			return step > 0;
		game_expand(c->w, &(struct expansion){.states = c->states,
		                                      .moves = c->moves,
		                                      .count = WALKS,
		                                      .next = c->next,
		                                      .terminal = c->terminal,
		                                      .goals = c->goals,
		                                      .legal = c->legal});
		for (size_t i = 0; i < WALKS; i++) {
			if (done[i])
				continue;
			if (c->terminal[i]) {
				memcpy(goals[i], c->goals + i * g->roles, sizeof goals[i]);
				done[i] = true;
				open--;
			} else {
				vec_extend(&c->seen, g->words);
				memcpy(c->seen.at + c->seen.n - g->words, c->next + i * g->words, bytes);
				vec_push(&c->seen_lane, (uint8_t)i);
			}
		}
		/* lanes at their end play on from the start, unheard */
		for (size_t i = 0; i < WALKS; i++) {
			memcpy(c->states + i * g->words, done[i] ? g->initial : c->next + i * g->words, bytes);
			for (uint32_t k = 0; done[i] && k < game_legal_words(g); k++)
				c->legal[i * game_legal_words(g) + k] = 0;
			for (uint32_t k = 0; done[i] && k < v.start[g->roles]; k++)
				bits_add(c->legal + i * game_legal_words(g), v.legal[k]);
		}
	}
	for (size_t k = 0; k < c->seen_lane.n; k++)
		if (done[c->seen_lane.at[k]])
			learn_state(c->e, g, c->seen.at + k * g->words, goals[c->seen_lane.at[k]], rate);
	return true;
}

struct evaluation *evaluation_learn(struct game *g, uint64_t seed, const struct budget *b)
{
	if (g->engine != ENGINE_CIRCUIT || limit_reached(&b->limit))
		return NULL;
	struct school c = {.g = g, .w = worker_new(g), .rng = rng_seed(seed)};
	size_t most = b->playouts && b->playouts < MOST_WALKS ? (size_t)b->playouts : MOST_WALKS;
	c.e = NEW(struct evaluation);
	c.e->fluents = g->fluents;
	c.e->weights = NEW_ARRAY(double, (size_t)g->roles *(g->fluents + 1));
	c.states = NEW_ARRAY(uint64_t, (size_t)WALKS * g->words);
	c.next = NEW_ARRAY(uint64_t, (size_t)WALKS * g->words);
	c.legal = NEW_ARRAY(uint64_t, (size_t)WALKS * game_legal_words(g));
	c.moves = NEW_ARRAY(uint32_t, (size_t)WALKS * g->roles);
	c.terminal = NEW_ARRAY(uint8_t, WALKS);
	c.goals = NEW_ARRAY(int, (size_t)WALKS * g->roles);
	for (size_t walks = 0; walks < most && !limit_reached(&b->limit); walks += WALKS)
		if (!lesson(&c, 0.5 / (1 + (double)walks / 512), b))
			break;
	vec_free(&c.seen);
	vec_free(&c.seen_lane);
	mem_free(c.states);
	mem_free(c.next);
	mem_free(c.legal);
	mem_free(c.moves);
	mem_free(c.terminal);
	mem_free(c.goals);
	worker_free(c.w);
	return c.e;
}

double evaluation_of(const struct evaluation *e, const uint64_t *state, uint32_t role)
{
	const double *w = e->weights + (size_t)role * (e->fluents + 1);
	double sum = w[e->fluents];
	BITS_EACH (f, state, e->fluents)
		sum += w[f];
	return sum < 1 ? 1 : sum > 99 ? 99 : sum;
}

void evaluation_free(struct evaluation *e)
{
	if (!e)
		return;
	mem_free(e->weights);
	mem_free(e);
}
