/* Learning from better play than random: matches in which players look one move ahead with
 * the evaluation so far, many at a time. What a state comes to is a mixture of the score at
 * the end and of the values of the best children on the way (TD(λ): Sutton 1988); what follows
 * a move made at random says nothing about the states before it (Watkins 1989). */
#include "play/learn/evaluation_internal.h"

#include <assert.h>

#define MATCHES 64       /* at a time */
#define MOST_CHILDREN 48 /* looked at in a state */
#define MOST_STEPS 400

/* One match under way. */
struct course {
	VEC(uint64_t) states;
	VEC(float) backed;    /* by state and role: the value of its best child */
	VEC(uint8_t) strayed; /* by state: what was played is another one, made at random */
	uint32_t steps;
	uint32_t random_steps; /* at the beginning */
	size_t first, count;   /* its children in the batch */
	uint32_t role;         /* that chooses; GAME_NONE: nobody has a choice */
	bool erratic;          /* it chooses at random */
};

struct self_play {
	struct evaluation *e;
	struct game *g;
	struct worker *w;
	struct rng rng;
	uint32_t legal_words, opening;
	struct course course[MATCHES];
	uint64_t *now, *legal, *states, *next;
	uint32_t *moves;
	uint8_t *terminal;
	int *goals;
	float *values, *targets;
	size_t children;
	struct pupil *pupil;
	uint64_t matches, learnt;
};

static void begin(struct self_play *x, struct course *c, const uint64_t *from)
{
	c->states.n = c->backed.n = c->strayed.n = 0;
	c->steps = 0;
	c->random_steps = rng_below(&x->rng, x->opening + 1);
	vec_extend(&c->states, x->g->words);
	memcpy(c->states.at, from, x->g->words * sizeof *from);
}

/* A joint move at random; the role with a choice (one of several at random) and the number of its moves. False: stuck.
 */
static bool draw(struct self_play *x, const uint64_t *legal, uint32_t *joint, uint32_t *role, uint32_t *left)
{
	uint32_t choosers = 0;
	*role = GAME_NONE;
	for (uint32_t q = 0; q < x->g->roles; q++) {
		uint32_t to = x->g->first_move[q + 1], n = 0;
		for (size_t m = bits_next(legal, to, x->g->first_move[q]); m < to; m = bits_next(legal, to, m + 1))
			if (!rng_below(&x->rng, ++n))
				joint[q] = (uint32_t)m;
		if (!n)
			return false;
		if (n > 1 && q != x->g->random && !rng_below(&x->rng, ++choosers)) {
			*role = q;
			*left = n;
		}
	}
	assert(*role == GAME_NONE || *left > 1);
	return true;
}

static void push_child(struct self_play *x, const uint64_t *state, const uint32_t *joint)
{
	size_t k = x->children++;
	assert(k < (size_t)MATCHES * MOST_CHILDREN);
	memcpy(x->states + k * x->g->words, state, x->g->words * sizeof *state);
	memcpy(x->moves + k * x->g->roles, joint, x->g->roles * sizeof *joint);
}

/* The children that a match may go on to. */
static bool push_children(struct self_play *x, struct course *c, const uint64_t *state, const uint64_t *legal,
                          uint32_t *joint)
{
	uint32_t left = 0, taken = 0;
	if (!draw(x, legal, joint, &c->role, &left))
		return false;
	c->first = x->children;
	c->erratic = rng_unit(&x->rng) < x->e->tune.epsilon;
	if (c->role == GAME_NONE || c->steps < c->random_steps)
		push_child(x, state, joint);
	else {
		uint32_t to = x->g->first_move[c->role + 1];
		for (size_t m = bits_next(legal, to, x->g->first_move[c->role]); m < to;
		     m = bits_next(legal, to, m + 1), left--)
			if (rng_below(&x->rng, left) < MOST_CHILDREN - taken) {
				joint[c->role] = (uint32_t)m;
				push_child(x, state, joint);
				taken++;
			}
	}
	c->count = x->children - c->first;
	assert(c->count && c->count <= MOST_CHILDREN);
	return true;
}

static size_t best_child(const struct self_play *x, const struct course *c)
{
	assert(c->count && c->role < x->g->roles);
	size_t best = c->first;
	for (size_t k = c->first + 1; k < c->first + c->count; k++)
		if (x->values[k * x->g->roles + c->role] > x->values[best * x->g->roles + c->role])
			best = k;
	return best;
}

/* The child to go on with: better ones more often. */
static size_t choose(struct self_play *x, const struct course *c, float best)
{
	uint32_t roles = x->g->roles;
	float mean = 0, squares = 0, total = 0, weight[MOST_CHILDREN];
	if (c->count == 1 || c->erratic)
		return c->first + rng_below(&x->rng, (uint32_t)c->count);
	for (size_t k = c->first; k < c->first + c->count; k++) {
		float v = x->values[k * roles + c->role];
		mean += v / (float)c->count;
		squares += v * v / (float)c->count;
	}
	float temperature = (float)x->e->tune.temperature * sqrtf(fmaxf(squares - mean * mean, 1e-8f));
	for (size_t k = 0; k < c->count; k++)
		total += weight[k] = expf((x->values[(c->first + k) * roles + c->role] - best) / temperature);
	assert(total > 0);
	float pick = (float)rng_unit(&x->rng) * total;
	size_t k = 0;
	while (k + 1 < c->count && (pick -= weight[k]) > 0)
		k++;
	return c->first + k;
}

/* Teaches what the states of a match came to, the last one first. */
static void teach(struct self_play *x, struct course *c, const float *scores, float rate)
{
	uint32_t roles = x->g->roles;
	float *target = x->targets, lambda = (float)x->e->tune.lambda;
	assert(c->states.n == (size_t)(c->steps + 1) * x->g->words && c->strayed.n == c->steps + 1);
	memcpy(target, scores, roles * sizeof *scores);
	for (uint32_t i = c->steps + 1; i-- > c->random_steps;) {
		const float *backed = c->backed.at + (size_t)i * roles;
		for (uint32_t q = 0; q < roles; q++)
			target[q] = c->strayed.at[i] ? backed[q] : lambda * target[q] + (1 - lambda) * backed[q];
		pupil_look(x->pupil, c->states.at + (size_t)i * x->g->words);
		pupil_learn(x->pupil, target, 1, rate);
		x->learnt++;
	}
	x->matches++;
}

static void advance(struct self_play *x, struct course *c, const uint64_t *from, float rate)
{
	uint32_t roles = x->g->roles, words = x->g->words;
	size_t best = c->role == GAME_NONE ? c->first : best_child(x, c),
		   k = c->role == GAME_NONE ? best : choose(x, c, x->values[best * roles + c->role]);
	vec_extend(&c->backed, roles);
	memcpy(c->backed.at + c->backed.n - roles, x->values + best * roles, roles * sizeof *x->values);
	vec_push(&c->strayed, c->erratic && k != best);
	if (x->terminal[k]) {
		teach(x, c, x->values + k * roles, rate);
		begin(x, c, from);
		return;
	}
	c->steps++;
	vec_extend(&c->states, words);
	memcpy(c->states.at + c->states.n - words, x->next + k * words, words * sizeof *x->next);
	if (c->steps >= MOST_STEPS)
		begin(x, c, from);
}

/* One step of all matches. */
static void step(struct self_play *x, const uint64_t *from, float rate)
{
	uint32_t roles = x->g->roles, words = x->g->words;
	for (uint32_t i = 0; i < MATCHES; i++)
		memcpy(x->now + (size_t)i * words, x->course[i].states.at + (size_t)x->course[i].steps * words,
		       words * sizeof *x->now);
	game_expand(x->w, &(struct expansion){.states = x->now, .count = MATCHES, .legal = x->legal});
	x->children = 0;
	uint32_t *joint = mem_alloc(roles, sizeof *joint);
	for (uint32_t i = 0; i < MATCHES; i++)
		if (!push_children(x, &x->course[i], x->now + (size_t)i * words, x->legal + (size_t)i * x->legal_words,
		                   joint)) {
			begin(x, &x->course[i], from);
			x->course[i].count = 0;
		}
	mem_free(joint);
	game_expand(x->w, &(struct expansion){.states = x->states,
	                                      .moves = x->moves,
	                                      .count = x->children,
	                                      .next = x->next,
	                                      .terminal = x->terminal,
	                                      .goals = x->goals});
	evaluation_batch(x->e, x->next, x->children, x->values);
	for (size_t k = 0; k < x->children * roles; k++)
		if (x->terminal[k / roles])
			x->values[k] = x->goals[k] == GOAL_NONE ? 0 : (float)x->goals[k] / 100;
	for (uint32_t i = 0; i < MATCHES; i++)
		if (x->course[i].count)
			advance(x, &x->course[i], from, rate);
}

static void open_memory(struct self_play *x)
{
	size_t most = (size_t)MATCHES * MOST_CHILDREN, words = x->g->words, roles = x->g->roles;
	x->now = mem_alloc(MATCHES * words, sizeof *x->now);
	x->legal = mem_alloc((size_t)MATCHES * x->legal_words, sizeof *x->legal);
	x->states = mem_alloc(most * words, sizeof *x->states);
	x->next = mem_alloc(most * words, sizeof *x->next);
	x->moves = mem_alloc(most * roles, sizeof *x->moves);
	x->terminal = mem_alloc(most, sizeof *x->terminal);
	x->goals = mem_alloc(most * roles, sizeof *x->goals);
	x->values = mem_alloc(most * roles, sizeof *x->values);
	x->targets = mem_alloc(roles, sizeof *x->targets);
}

static void free_memory(struct self_play *x)
{
	for (uint32_t i = 0; i < MATCHES; i++) {
		vec_free(&x->course[i].states);
		vec_free(&x->course[i].backed);
		vec_free(&x->course[i].strayed);
	}
	mem_free(x->now);
	mem_free(x->legal);
	mem_free(x->states);
	mem_free(x->next);
	mem_free(x->moves);
	mem_free(x->terminal);
	mem_free(x->goals);
	mem_free(x->values);
	mem_free(x->targets);
}

void self_play(struct evaluation *e, struct game *g, const uint64_t *from, const struct self_play_plan *plan,
               struct rng *rng, const struct pace *pace)
{
	struct self_play *x = NEW(struct self_play);
	double began = pace_used(pace), progress = 0;
	uint64_t folded = 0;
	x->e = e;
	x->g = g;
	x->w = worker_new(g);
	x->rng = rng_seed(rng_next(rng));
	x->legal_words = game_legal_words(g);
	x->opening = plan->opening;
	neurons_begin(e, &x->rng);
	neurons_fold(e);
	x->pupil = pupil_new(e);
	open_memory(x);
	for (uint32_t i = 0; i < MATCHES; i++)
		begin(x, &x->course[i], from);
	for (uint64_t steps = 0; progress < 1 && steps < plan->steps && pace_used(pace) < 1; steps++) {
		step(x, from, (float)(e->tune.self_rate * (1 - 0.8 * progress)));
		if (x->matches >= folded + MATCHES / 2) {
			evaluation_fold(e);
			folded = x->matches;
		}
		progress = pace->seconds > 0 ? (pace_used(pace) - began) / fmax(plan->until - began, 1e-6)
		                             : (double)steps / (double)plan->steps;
	}
	evaluation_fold(e);
	e->self_matches = x->matches;
	pupil_free(x->pupil);
	worker_free(x->w);
	free_memory(x);
	mem_free(x);
}
