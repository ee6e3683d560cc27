/* Learning the evaluation. Playouts stop at regular steps to show their states, and the
 * score at their end is what all of these came to: samples from batches. Logistic
 * regression fits the weights: stochastic gradient with steps of its own for each weight
 * (AdaGrad: Duchi, Hazan and Singer 2011), averaged over the later part of the way
 * (Polyak and Juditsky 1992). */
#include "play/learn/linear_eval.h"

#include "base/bits.h"

#include <math.h>
#include <string.h>

#define BATCH 512
#define MOST_SAMPLES 65536
#define MOST_STEPS 5000
#define STRETCHES 6 /* of a walk with a sample after each */
#define EPOCHS 40
#define RATE 0.1
#define DECAY 1e-4 /* weights decay at each of their steps: those seen seldom stay small */

struct linear_eval {
	uint32_t fluents;
	double *weights; /* by role: one for each fluent, and a constant */
	double skill;
};

typedef VEC(uint32_t) walk_list;

/* States with the scores that followed, in 0..1 by role. */
struct school {
	struct game *g;
	struct rng rng;
	VEC(uint64_t) states; /* that walks have come to */
	walk_list came_from;  /* by state */
	walk_list sample_walk;
	VEC(float) scores;
	VEC(uint32_t) active; /* members of the states, one list after another */
	VEC(size_t) first;    /* where they begin; one more than there are samples */
	struct linear_eval *e;
};

static void collect(void *context, size_t start, const uint64_t *state, double *values)
{
	struct school *c = context;
	vec_extend(&c->states, c->g->words);
	memcpy(c->states.at + c->states.n - c->g->words, state, c->g->words * sizeof *state);
	vec_push(&c->came_from, (uint32_t)start);
	memset(values, 0, c->g->roles * sizeof *values);
}

/* Adds the states that walks have come to. */
static void note_states(struct school *c, const uint32_t *walk, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		BITS_EACH (f, c->states.at + i * c->g->words, c->g->fluents)
			vec_push(&c->active, (uint32_t)f);
		vec_push(&c->first, c->active.n);
		vec_push(&c->sample_walk, walk[i]);
	}
}

/* One stretch of the walks that are still under way: `steps` long (0: to the end). Those that
 * end have their outcome. */
static void stretch(struct school *c, walk_list *walks, uint32_t steps, float *outcome, const struct limit *limit)
{
	uint32_t roles = c->g->roles;
	size_t n = walks->n;
	struct playout_result r;
	VEC(uint64_t) from = {0};
	vec_extend(&from, c->states.n);
	memcpy(from.at, c->states.at, c->states.n * sizeof *from.at);
	vec_clear(&c->states);
	vec_clear(&c->came_from);
	game_playouts(c->g,
	              &(struct playout_job){.starts = from.at,
	                                    .start_count = n,
	                                    .playouts = n,
	                                    .limit = *limit,
	                                    .seed = rng_next(&c->rng),
	                                    .max_steps = MOST_STEPS,
	                                    .judge = steps ? collect : NULL,
	                                    .cut = steps,
	                                    .context = c},
	              &r);
	for (size_t i = 0; i < n; i++)
		for (uint32_t q = 0; q < roles && r.counts[i]; q++)
			outcome[walks->at[i] * roles + q] = (float)(r.sum[i * roles + q] / 100);
	for (size_t i = 0; i < c->came_from.n; i++) { /* under way: no outcome yet */
		c->came_from.at[i] = walks->at[c->came_from.at[i]];
		outcome[c->came_from.at[i] * roles] = -1;
	}
	vec_clear(walks);
	for (size_t i = 0; i < c->came_from.n; i++)
		vec_push(walks, c->came_from.at[i]);
	vec_free(&from);
	playout_result_free(&r);
}

/* Walks whose states are looked at after `offset` steps and then every `spacing`. */
static void gather(struct school *c, const uint64_t *from, uint32_t offset, uint32_t spacing, uint32_t count,
                   const struct limit *limit)
{
	uint32_t words = c->g->words, roles = c->g->roles;
	size_t samples = c->first.n - 1;
	walk_list walks = {0};
	float *outcome = mem_alloc((size_t)count * roles + 1, sizeof *outcome);
	vec_clear(&c->states);
	vec_clear(&c->sample_walk);
	for (uint32_t i = 0; i < count; i++) {
		vec_extend(&c->states, words);
		memcpy(c->states.at + c->states.n - words, from, words * sizeof *from);
		vec_push(&walks, i);
		outcome[i * roles] = -1;
	}
	for (uint32_t k = 0; k < STRETCHES && walks.n; k++) {
		stretch(c, &walks, k ? spacing : offset, outcome, limit);
		note_states(c, walks.at, walks.n);
	}
	if (walks.n)
		stretch(c, &walks, 0, outcome, limit);
	bool whole = true; /* not out of time */
	for (size_t i = 0; i < c->sample_walk.n; i++)
		whole &= outcome[c->sample_walk.at[i] * roles] >= 0;
	for (size_t i = 0; i < c->sample_walk.n && whole; i++)
		for (uint32_t q = 0; q < roles; q++)
			vec_push(&c->scores, outcome[c->sample_walk.at[i] * roles + q]);
	if (!whole) {
		c->first.n = samples + 1;
		c->active.n = c->first.at[samples];
	}
	vec_free(&walks);
	mem_free(outcome);
}

/* Offsets are spread evenly, by the golden section. */
static void gather_all(struct school *c, const uint64_t *from, size_t most, const struct limit *limit)
{
	struct playout_result r;
	game_playouts(c->g,
	              &(struct playout_job){.starts = from,
	                                    .playouts = most < BATCH ? most : BATCH,
	                                    .limit = *limit,
	                                    .seed = rng_next(&c->rng),
	                                    .max_steps = MOST_STEPS},
	              &r);
	double length = r.playouts ? (double)r.steps / (double)r.playouts : 0, at = 0;
	playout_result_free(&r);
	vec_push(&c->first, 0);
	uint32_t spacing = 1 + (uint32_t)(length / STRETCHES);
	for (size_t tried = 0; tried < most && c->first.n <= MOST_SAMPLES && length > 0 && !limit_reached(limit);
	     tried += BATCH) {
		at += 0.6180339887;
		at -= floor(at);
		gather(c, from, 1 + (uint32_t)(at * spacing), spacing, (uint32_t)(most - tried < BATCH ? most - tried : BATCH),
		       limit);
	}
}

static double sum_of(const double *w, uint32_t fluents, const uint32_t *f, const uint32_t *end)
{
	double sum = w[fluents];
	for (; f < end; f++)
		sum += w[*f];
	return sum;
}

static double logistic(double x)
{
	return 1 / (1 + exp(-x));
}

struct pupil {
	double *w, *squares, *mean; /* weights; squares of steps so far; averaged weights */
};

static void learn_sample(struct pupil *p, uint32_t fluents, const uint32_t *f, const uint32_t *end, double target)
{
	double error = target - logistic(sum_of(p->w, fluents, f, end)), square = error * error;
	for (const uint32_t *i = f; i <= end; i++) {
		uint32_t k = i == end ? fluents : *i;
		p->squares[k] += square;
		p->w[k] += RATE / sqrt(p->squares[k]) * (error - DECAY * p->w[k]);
	}
}

/* How much less a forecast errs than the mean does, in squares: over the samples from `from` on. */
static double skill_of(const struct school *c, const double *w, uint32_t role, size_t from)
{
	size_t n = c->first.n - 1;
	double mean = 0, spread = 0, left = 0;
	for (size_t i = from; i < n; i++)
		mean += (double)c->scores.at[i * c->g->roles + role] / (double)(n - from);
	for (size_t i = from; i < n; i++) {
		const uint32_t *f = c->active.at + c->first.at[i], *end = c->active.at + c->first.at[i + 1];
		double x = (double)c->scores.at[i * c->g->roles + role], miss = x - logistic(sum_of(w, c->g->fluents, f, end));
		spread += (x - mean) * (x - mean);
		left += miss * miss;
	}
	return spread > 0 ? 1 - left / spread : 0;
}

static void learn_role(struct school *c, uint32_t role, const struct limit *limit)
{
	uint32_t fluents = c->g->fluents, wide = fluents + 1, averaged = 0;
	size_t n = c->first.n - 1, train = n - n / 8;
	double *all = NEW_ARRAY(double, 3 * (size_t)wide);
	struct pupil p = {all, all + wide, all + 2 * (size_t)wide};
	double clock = limit_left(limit), began = limit_now(limit);
	for (uint32_t i = 0; i < wide; i++)
		p.squares[i] = 1;
	for (uint32_t epoch = 0; epoch < EPOCHS; epoch++) {
		for (size_t i = 0; i < train; i++)
			learn_sample(&p, fluents, c->active.at + c->first.at[i], c->active.at + c->first.at[i + 1],
			             (double)c->scores.at[i * c->g->roles + role]);
		bool late = limit->deadline > 0 && limit_now(limit) - began > 0.5 * clock;
		if (late || epoch >= EPOCHS / 2) {
			averaged++;
			for (uint32_t i = 0; i < wide; i++)
				p.mean[i] += (p.w[i] - p.mean[i]) / averaged;
		}
		if (limit_reached(limit) || (late && limit_now(limit) - began > 0.9 * clock))
			break;
	}
	memcpy(c->e->weights + (size_t)role * wide, averaged ? p.mean : p.w, wide * sizeof *p.w);
	double skill = skill_of(c, c->e->weights + (size_t)role * wide, role, train);
	c->e->skill = skill < c->e->skill ? skill : c->e->skill;
	mem_free(all);
}

struct linear_eval *linear_eval_learn(struct game *g, const uint64_t *from, uint64_t seed, const struct budget *b)
{
	if (g->engine != ENGINE_CIRCUIT || limit_reached(&b->limit))
		return NULL;
	struct school c = {.g = g, .rng = rng_seed(seed)};
	struct limit half = b->limit;
	if (half.deadline > 0)
		half.deadline -= limit_left(&b->limit) / 2;
	c.e = NEW(struct linear_eval);
	c.e->fluents = g->fluents;
	c.e->skill = 1;
	c.e->weights = NEW_ARRAY(double, (size_t)g->roles *(g->fluents + 1));
	gather_all(&c, from ? from : g->initial, b->playouts && b->playouts < MOST_SAMPLES ? b->playouts : MOST_SAMPLES,
	           &half);
	bool enough = c.first.n > 64;
	for (uint32_t r = 0, left = g->roles; r < g->roles && enough; r++, left--) {
		struct limit part = b->limit;
		if (r == g->random)
			continue;
		if (part.deadline > 0)
			part.deadline -= limit_left(&b->limit) * (left - 1) / left;
		learn_role(&c, r, &part);
	}
	vec_free(&c.states);
	vec_free(&c.came_from);
	vec_free(&c.sample_walk);
	vec_free(&c.scores);
	vec_free(&c.active);
	vec_free(&c.first);
	if (enough)
		return c.e;
	linear_eval_free(c.e);
	return NULL;
}

double linear_eval_of(const struct linear_eval *e, const uint64_t *state, uint32_t role)
{
	const double *w = e->weights + (size_t)role * (e->fluents + 1);
	double sum = w[e->fluents];
	BITS_EACH (f, state, e->fluents)
		sum += w[f];
	return 1 + 98 * logistic(sum);
}

double linear_eval_skill(const struct linear_eval *e)
{
	return e->skill;
}

void linear_eval_free(struct linear_eval *e)
{
	if (!e)
		return;
	mem_free(e->weights);
	mem_free(e);
}
