/* The neurons of an evaluation: what fluents mean together, where no weight of one or two of them can say it. Each is
 * the positive part of a sum of weights, one for each fluent that holds; their own weights depend on who is to move.
 * They learn by back-propagation (Rumelhart, Hinton and Williams 1986) from matches of the evaluation against itself,
 * as in TD-Gammon (Tesauro 1995), with a step of its own for each weight (AdaGrad). At first they say nothing. */
#include "base/vectors.h"
#include "play/learn/evaluation_internal.h"

#include <assert.h>

#define FIRST_SQUARES 0.01f /* of the steps of a weight */
#define MOST_WEIGHTS (1u << 22)
#define LARGEST 30.0f        /* weight in whole numbers */
#define LARGEST_SUM 32000.0f /* of them: no overflow, were all fluents to hold */

/* At random, but alike for fluents that have terms in common (groups): what one of them teaches holds for its kin.
 * Uniform, and as large as it takes for the sum over a state to have a variance of 2. */
static void begin_in(struct evaluation *e, struct rng *rng)
{
	struct neurons *n = &e->neurons;
	float size = (float)sqrt(6 / fmax(e->set, 1));
	float *kin = mem_alloc(e->groups.n * n->count + 1, sizeof *kin);
	for (size_t i = 0; i < e->groups.n * n->count; i++)
		kin[i] = (float)(2 * rng_unit(rng) - 1);
	memset(n->in + (size_t)e->fluents * n->count, 0, n->count * sizeof *n->in);
	for (uint32_t f = 0; f < e->fluents; f++) {
		assert(e->first_group[f] <= e->first_group[f + 1]);
		uint32_t groups = e->first_group[f + 1] - e->first_group[f];
		for (uint32_t k = 0; k < n->count; k++) {
			float sum = (float)(2 * rng_unit(rng) - 1);
			for (uint32_t i = e->first_group[f]; i < e->first_group[f + 1]; i++)
				sum += kin[(size_t)e->group_list.at[i] * n->count + k];
			n->in[(size_t)f * n->count + k] = size * sum / sqrtf((float)(1 + groups));
		}
	}
	mem_free(kin);
}

void neurons_begin(struct evaluation *e, struct rng *rng)
{
	struct neurons *n = &e->neurons;
	n->count = (uint32_t)e->tune.neurons / NEURON_BLOCK * NEURON_BLOCK;
	size_t in = (size_t)(e->fluents + 1) * n->count, out = (size_t)e->movers * e->outputs * n->count;
	if (in > MOST_WEIGHTS)
		n->count = 0;
	if (!n->count)
		return;
	assert(n->count <= MOST_NEURONS && !n->in);
	n->in = mem_alloc(in, sizeof *n->in);
	n->in_squares = mem_alloc(in, sizeof *n->in_squares);
	n->whole = mem_alloc(in, sizeof *n->whole);
	n->out = NEW_ARRAY(float, out);
	n->out_squares = mem_alloc(out, sizeof *n->out_squares);
	for (size_t i = 0; i < in; i++)
		n->in_squares[i] = FIRST_SQUARES;
	begin_in(e, rng);
	for (size_t i = 0; i < out; i++)
		n->out_squares[i] = FIRST_SQUARES;
}

void neurons_free(struct neurons *n)
{
	mem_free(n->in);
	mem_free(n->in_squares);
	mem_free(n->whole);
	mem_free(n->out);
	mem_free(n->out_squares);
}

void neurons_fold(struct evaluation *e)
{
	struct neurons *n = &e->neurons;
	float largest = fminf(LARGEST, LARGEST_SUM / (float)(e->fluents + 1));
	for (size_t i = 0; i < (size_t)(e->fluents + 1) * n->count; i++)
		n->whole[i] = (int32_t)(fmaxf(-largest, fminf(n->in[i], largest)) * NEURON_UNIT);
}

VECTOR_CLONES static void fire(const struct evaluation *e, uint32_t mover, const uint32_t *set, uint32_t set_count,
                               float *restrict fired, float *restrict sums)
{
	size_t count = e->neurons.count;
	const float *out = e->neurons.out + (size_t)mover * e->outputs * count;
	for (size_t k = 0; k < count; k += LANES) {
		const float *w = e->neurons.in + k;
		lane_reals x = *(const lane_reals *)(w + e->fluents * count);
		for (uint32_t i = 0; i < set_count; i++)
			x += *(const lane_reals *)(w + set[i] * count);
		*(lane_reals *)(fired + k) = (lane_reals)((lane_wholes)x & (x > 0));
	}
	for (uint32_t o = 0; o < e->outputs; o++, out += count) {
		lane_reals all = {0};
		for (size_t k = 0; k < count; k += LANES)
			all += *(const lane_reals *)(out + k) * *(const lane_reals *)(fired + k);
		sums[o] += lanes_sum(&all);
	}
}

void neurons_fire(const struct evaluation *e, uint32_t mover, const uint32_t *set, uint32_t set_count, float *fired,
                  float *sums)
{
	assert(mover < e->movers);
	fire(e, mover, set, set_count, fired, sums);
}

VECTOR_CLONES static void adjust(float *restrict w, float *restrict squares, const float *restrict errors,
                                 uint32_t count, float rate)
{
	for (uint32_t k = 0; k < count; k++) {
		squares[k] += errors[k] * errors[k];
		w[k] += rate * errors[k] / sqrtf(squares[k]);
	}
}

void neurons_learn(struct evaluation *e, uint32_t mover, const uint32_t *set, uint32_t set_count, const float *fired,
                   const float *errors, float rate)
{
	struct neurons *n = &e->neurons;
	float back[MOST_NEURONS] = {0}, steps[MOST_NEURONS];
	assert(n->count <= MOST_NEURONS && mover < e->movers);
	for (uint32_t o = 0; o < e->outputs; o++) {
		size_t at = ((size_t)mover * e->outputs + o) * n->count;
		for (uint32_t k = 0; k < n->count; k++) {
			back[k] += errors[o] * n->out[at + k] * (float)(fired[k] > 0);
			steps[k] = errors[o] * fired[k];
		}
		adjust(n->out + at, n->out_squares + at, steps, n->count, rate);
	}
	for (uint32_t i = 0; i <= set_count; i++) {
		size_t at = (size_t)(i < set_count ? set[i] : e->fluents) * n->count;
		adjust(n->in + at, n->in_squares + at, back, n->count, rate);
	}
}
