/* Learning the evaluation. Playouts cut at random lengths give states, one playout from
 * each gives the score that follows: independent samples, all from batches. Logistic
 * regression fits the weights: stochastic gradient with steps of its own for each weight
 * (AdaGrad: Duchi, Hazan and Singer 2011), averaged over the later part of the way
 * (Polyak and Juditsky 1992). */
#include "play/evaluate.h"

#include "base/bits.h"

#include <math.h>
#include <string.h>

#define BATCH 512
#define MOST_SAMPLES 32768
#define MOST_STEPS 5000
#define EPOCHS 40
#define RATE 0.1
#define DECAY 1e-4 /* of weights at each of their steps: those seen seldom stay small */

struct evaluation {
	uint32_t fluents;
	double *weights; /* by role: one for each fluent, and a constant */
	double skill;
};

/* States with the scores that followed, in 0..1 by role. */
struct school {
	struct game *g;
	struct rng rng;
	VEC(uint64_t) states;
	VEC(float) scores;
	VEC(uint32_t) active; /* members of the states, one list after another */
	VEC(size_t) first;    /* where they begin; one more than there are samples */
	struct evaluation *e;
};

static void collect(void *context, size_t start, const uint64_t *state, double *values)
{
	struct school *c = context;
	(void)start;
	vec_extend(&c->states, c->g->words);
	memcpy(c->states.at + c->states.n - c->g->words, state, c->g->words * sizeof *state);
	memset(values, 0, c->g->roles * sizeof *values);
}

/* Adds samples of states `length` steps from the start. */
static void gather(struct school *c, const uint64_t *from, uint32_t length, uint32_t count, const struct limit *limit)
{
	uint32_t words = c->g->words, roles = c->g->roles;
	struct playout_result r;
	vec_clear(&c->states);
	game_playouts(c->g,
	              &(struct playout_job){.starts = from,
	                                    .playouts = count,
	                                    .limit = *limit,
	                                    .seed = rng_next(&c->rng),
	                                    .judge = collect,
	                                    .cut = length,
	                                    .context = c},
	              &r);
	playout_result_free(&r);
	size_t n = c->states.n / words;
	if (!n)
		return;
	game_playouts(c->g,
	              &(struct playout_job){.starts = c->states.at,
	                                    .start_count = n,
	                                    .playouts = n,
	                                    .limit = *limit,
	                                    .seed = rng_next(&c->rng),
	                                    .max_steps = MOST_STEPS},
	              &r);
	for (size_t i = 0; i < n; i++) {
		if (!r.counts[i])
			continue;
		for (uint32_t q = 0; q < roles; q++)
			vec_push(&c->scores, (float)(r.sum[i * roles + q] / (double)r.counts[i] / 100));
		BITS_EACH (f, c->states.at + i * words, c->g->fluents)
			vec_push(&c->active, (uint32_t)f);
		vec_push(&c->first, c->active.n);
	}
	playout_result_free(&r);
}

/* Lengths are spread evenly over a playout's, by the golden section. */
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
	for (size_t tried = 0; tried < most && length > 0 && !limit_reached(limit); tried += BATCH) {
		at += 0.6180339887;
		at -= floor(at);
		gather(c, from, (uint32_t)(at * length), (uint32_t)(most - tried < BATCH ? most - tried : BATCH), limit);
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
	double clock = limit_left(limit), began = clock_now();
	for (uint32_t i = 0; i < wide; i++)
		p.squares[i] = 1;
	for (uint32_t epoch = 0; epoch < EPOCHS; epoch++) {
		for (size_t i = 0; i < train; i++)
			learn_sample(&p, fluents, c->active.at + c->first.at[i], c->active.at + c->first.at[i + 1],
			             (double)c->scores.at[i * c->g->roles + role]);
		bool late = limit->deadline > 0 && clock_now() - began > 0.5 * clock;
		if (late || epoch >= EPOCHS / 2) {
			averaged++;
			for (uint32_t i = 0; i < wide; i++)
				p.mean[i] += (p.w[i] - p.mean[i]) / averaged;
		}
		if (limit_reached(limit) || (late && clock_now() - began > 0.9 * clock))
			break;
	}
	memcpy(c->e->weights + (size_t)role * wide, averaged ? p.mean : p.w, wide * sizeof *p.w);
	double skill = skill_of(c, c->e->weights + (size_t)role * wide, role, train);
	c->e->skill = skill < c->e->skill ? skill : c->e->skill;
	mem_free(all);
}

struct evaluation *evaluation_learn(struct game *g, const uint64_t *from, uint64_t seed, const struct budget *b)
{
	if (g->engine != ENGINE_CIRCUIT || limit_reached(&b->limit))
		return NULL;
	struct school c = {.g = g, .rng = rng_seed(seed)};
	struct limit half = b->limit;
	if (half.deadline > 0)
		half.deadline -= limit_left(&b->limit) / 2;
	c.e = NEW(struct evaluation);
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
	vec_free(&c.scores);
	vec_free(&c.active);
	vec_free(&c.first);
	if (enough)
		return c.e;
	evaluation_free(c.e);
	return NULL;
}

double evaluation_of(const struct evaluation *e, const uint64_t *state, uint32_t role)
{
	const double *w = e->weights + (size_t)role * (e->fluents + 1);
	double sum = w[e->fluents];
	BITS_EACH (f, state, e->fluents)
		sum += w[f];
	return 1 + 98 * logistic(sum);
}

double evaluation_skill(const struct evaluation *e)
{
	return e->skill;
}

void evaluation_free(struct evaluation *e)
{
	if (!e)
		return;
	mem_free(e->weights);
	mem_free(e);
}
