/* What moves are worth wherever they are legal: children of sampled states are evaluated,
 * and a move is as good as the mean of its lead over other moves of the same role and
 * state. Moves that were seen seldom stay close to 0. */
#include "play/learn/evaluation_internal.h"

#include <assert.h>

#define AT_ONCE 64   /* states */
#define SIBLINGS 12  /* moves tried in a state */
#define COUNTED 4096 /* states, by count */
#define MOST 65536
#define DOUBT 4.0 /* leads of 0 that every move begins with */

struct prior {
	struct evaluation *e;
	struct game *g;
	struct worker *w;
	struct rng *rng;
	uint32_t legal_words;
	uint64_t *legal, *states, *next;
	uint32_t *moves, *role; /* by child: a joint move, and whose move is tried */
	uint8_t *terminal;
	int *goals;
	float *values;
	size_t children;
	double *sum, *count;        /* by move: leads */
	double spread, left, tried; /* of leads; what the prior leaves of it */
	bool test;
};

/* A random legal move of the role, and how many there are. */
static uint32_t draw(const struct prior *x, const uint64_t *legal, uint32_t role, uint32_t *count)
{
	uint32_t from = x->g->first_move[role], to = x->g->first_move[role + 1], n = 0, pick = GAME_NONE;
	for (size_t m = bits_next(legal, to, from); m < to; m = bits_next(legal, to, m + 1))
		if (!rng_below(x->rng, ++n))
			pick = (uint32_t)m;
	*count = n;
	return pick;
}

static void push_child(struct prior *x, const uint64_t *state, const uint32_t *joint, uint32_t role, uint32_t move)
{
	size_t k = x->children++;
	memcpy(x->states + k * x->g->words, state, x->g->words * sizeof *state);
	memcpy(x->moves + k * x->g->roles, joint, x->g->roles * sizeof *joint);
	x->moves[k * x->g->roles + role] = move;
	x->role[k] = role;
}

/* Some moves of one role that has a choice, beside one joint move of the others. */
static void push_children(struct prior *x, const uint64_t *state, const uint64_t *legal, uint32_t *joint)
{
	uint32_t choosers = 0, role = GAME_NONE, count, tried = 0, left = 0;
	for (uint32_t q = 0; q < x->g->roles; q++) {
		joint[q] = draw(x, legal, q, &count);
		if (!count)
			return;
		if (count > 1 && q != x->g->random && !rng_below(x->rng, ++choosers)) {
			role = q;
			left = count;
		}
	}
	if (role == GAME_NONE)
		return;
	uint32_t to = x->g->first_move[role + 1];
	for (size_t m = bits_next(legal, to, x->g->first_move[role]); m < to; m = bits_next(legal, to, m + 1), left--)
		if (rng_below(x->rng, left) < SIBLINGS - tried) {
			push_child(x, state, joint, role, (uint32_t)m);
			tried++;
		}
}

static void note_siblings(struct prior *x, size_t from, size_t to)
{
	uint32_t roles = x->g->roles, role = x->role[from];
	double mean = 0, guess = 0, n = (double)(to - from);
	for (size_t k = from; k < to; k++) {
		uint32_t move = x->moves[k * roles + role];
		mean += (double)x->values[k * roles + role] / n;
		guess += x->sum[move] / (x->count[move] + DOUBT) / n;
	}
	for (size_t k = from; k < to; k++) {
		uint32_t move = x->moves[k * roles + role];
		double lead = (double)x->values[k * roles + role] - mean, miss;
		x->spread += lead * lead;
		x->tried++;
		miss = lead - (x->sum[move] / (x->count[move] + DOUBT) - guess);
		x->left += miss * miss;
		if (x->test)
			continue;
		x->sum[move] += lead;
		x->count[move]++;
	}
}

/* Children of some states: expanded, evaluated, compared with their siblings. */
static void look_at(struct prior *x, const struct samples *s, size_t at, size_t n)
{
	assert(at <= s->n);
	assert(n <= s->n);
	uint32_t roles = x->g->roles, words = x->g->words;
	uint32_t *joint = mem_alloc(roles, sizeof *joint);
	size_t *first = mem_alloc(n + 1, sizeof *first);
	const uint64_t *states = s->states.at + at * words;
	game_expand(x->w, &(struct expansion){.states = states, .count = n, .legal = x->legal});
	x->children = 0;
	for (size_t i = 0; i < n; i++) {
		first[i] = x->children;
		push_children(x, states + i * words, x->legal + i * x->legal_words, joint);
	}
	first[n] = x->children;
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
	for (size_t i = 0; i < n; i++)
		if (first[i + 1] - first[i] > 1)
			note_siblings(x, first[i], first[i + 1]);
	mem_free(joint);
	mem_free(first);
}

static void set_prior(struct prior *x)
{
	double unit = x->tried > 0 ? sqrt(x->spread / x->tried) : 0;
	x->e->prior = NEW_ARRAY(float, x->g->moves + 1);
	for (uint32_t m = 0; m < x->g->moves && unit > 1e-9; m++)
		x->e->prior[m] = (float)(x->sum[m] / (x->count[m] + DOUBT) / unit);
}

/* The last fifth of the states tests what the others have taught. */
static void look_at_all(struct prior *x, const struct samples *s, const struct pace *pace)
{
	size_t most = s->n < MOST ? s->n : MOST, teach, at = 0;
	double from = pace_used(pace);
	if (pace->seconds <= 0 && most > COUNTED)
		most = COUNTED;
	teach = most - most / 5;
	for (; at + AT_ONCE <= teach && pace_used(pace) < from + 0.8 * (1 - from); at += AT_ONCE)
		look_at(x, s, at, AT_ONCE);
	set_prior(x);
	x->test = true;
	x->spread = x->left = x->tried = 0;
	for (size_t end = at + at / 4; at + AT_ONCE <= end && at + AT_ONCE <= s->n && pace_used(pace) < 1; at += AT_ONCE)
		look_at(x, s, at, AT_ONCE);
	x->e->prior_skill = x->spread > 0 ? 1 - x->left / x->spread : 0;
}

void prior_learn(struct evaluation *e, struct game *g, const struct samples *s, struct rng *rng,
                 const struct pace *pace)
{
	size_t most = (size_t)AT_ONCE * SIBLINGS, roles = g->roles;
	struct prior x = {.e = e, .g = g, .w = worker_new(g), .rng = rng, .legal_words = game_legal_words(g)};
	x.legal = mem_alloc((size_t)AT_ONCE * x.legal_words, sizeof *x.legal);
	x.states = mem_alloc(most * g->words, sizeof *x.states);
	x.next = mem_alloc(most * g->words, sizeof *x.next);
	x.moves = mem_alloc(most * roles, sizeof *x.moves);
	x.role = mem_alloc(most, sizeof *x.role);
	x.terminal = mem_alloc(most, sizeof *x.terminal);
	x.goals = mem_alloc(most * roles, sizeof *x.goals);
	x.values = mem_alloc(most * roles, sizeof *x.values);
	x.sum = NEW_ARRAY(double, g->moves + 1);
	x.count = NEW_ARRAY(double, g->moves + 1);
	look_at_all(&x, s, pace);
	mem_free(x.legal);
	mem_free(x.states);
	mem_free(x.next);
	mem_free(x.moves);
	mem_free(x.role);
	mem_free(x.terminal);
	mem_free(x.goals);
	mem_free(x.values);
	mem_free(x.sum);
	mem_free(x.count);
	worker_free(x.w);
}

void move_prior(const struct evaluation *e, uint32_t role, const uint32_t *moves, uint32_t n, float *logits)
{
	assert(role < e->roles);
	(void)role; /* the number of a move says whose it is */
	for (uint32_t i = 0; i < n; i++)
		logits[i] = e->prior[moves[i]];
}

double move_prior_skill(const struct evaluation *e)
{
	return e->prior_skill;
}
