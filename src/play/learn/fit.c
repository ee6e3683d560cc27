/* Fitting the weights: logistic regression by stochastic gradient with steps of its own for
 * each weight (AdaGrad: Duchi, Hazan and Singer 2011) that shrink towards the end. The
 * weights that did best on samples kept apart are the ones that stay. */
#include "play/learn/evaluation_internal.h"

#include <assert.h>

#define JUDGED 16384   /* samples kept apart that are looked at */
#define LAP 4096       /* samples between two looks at the clock */
#define LOOKS 4        /* at the samples kept apart, evenly spread */
#define CLEARLY 0.997  /* earlier weights stay when they miss less than this part of what the last ones do */
#define LAST_RATE 0.05 /* of the first */

struct pupil {
	struct evaluation *e;
	uint32_t mover, context, count, hit_count;
	uint32_t *set, *hits; /* fluents and pairs that hold */
	float *groups;        /* standardised numbers */
	float *sums, *errors; /* by output */
	float fired[MOST_NEURONS];
};

struct pupil *pupil_new(struct evaluation *e)
{
	struct pupil *p = NEW(struct pupil);
	uint32_t most = 0;
	for (uint32_t m = 0; m < e->movers; m++)
		most = e->pairs[m].n > most ? e->pairs[m].n : most;
	p->e = e;
	p->set = mem_alloc(e->fluents + 1, sizeof *p->set);
	p->hits = mem_alloc(most + 1, sizeof *p->hits);
	p->groups = mem_alloc(e->groups.n + 1, sizeof *p->groups);
	p->sums = NEW_ARRAY(float, e->outputs);
	p->errors = NEW_ARRAY(float, e->outputs);
	return p;
}

void pupil_free(struct pupil *p)
{
	mem_free(p->set);
	mem_free(p->hits);
	mem_free(p->groups);
	mem_free(p->sums);
	mem_free(p->errors);
	mem_free(p);
}

/* Which fluents and pairs hold, and the numbers of groups. */
static void find_set(struct pupil *p, const uint64_t *state)
{
	const struct evaluation *e = p->e;
	const struct pairs *q = &e->pairs[p->mover];
	p->count = p->hit_count = 0;
	memset(p->groups, 0, e->groups.n * sizeof *p->groups);
	for (uint32_t i = 0; i < e->words; i++)
		for (uint64_t set = state[i] & e->live[i]; set; set &= set - 1) {
			uint32_t f = i * 64 + (uint32_t)__builtin_ctzll(set);
			p->set[p->count++] = f;
			for (uint32_t k = e->first_group[f]; k < e->first_group[f + 1]; k++)
				p->groups[e->group_list.at[k]]++;
			for (uint32_t k = q->first[f]; k < q->first[f + 1]; k++) {
				const struct pair_entry *n = &q->entries.at[k];
				for (uint64_t hits = n->mask & state[n->word]; hits; hits &= hits - 1)
					p->hits[p->hit_count++] = n->base + (uint32_t)__builtin_popcountll(n->mask & ((hits & -hits) - 1));
			}
		}
	for (size_t k = 0; k < e->groups.n; k++)
		p->groups[k] = (p->groups[k] - e->groups.at[k].mean) * e->groups.at[k].scale;
	assert(p->count <= e->fluents && p->hit_count <= q->n);
}

static float weighed(const struct pupil *p, const float *w)
{
	const struct evaluation *e = p->e;
	float sum = w[e->fluents];
	for (uint32_t i = 0; i < p->count; i++)
		sum += w[p->set[i]];
	w += e->fluents + 1;
	for (size_t k = 0; k < e->groups.n; k++)
		sum += w[k] * p->groups[k];
	return sum;
}

static size_t block(const struct evaluation *e, uint32_t output, uint32_t context)
{
	assert(context <= e->contexts);
	assert(output <= e->outputs);
	return (size_t)(output * (e->contexts + 1) + context) * e->width;
}

const float *pupil_look(struct pupil *p, const uint64_t *state)
{
	const struct evaluation *e = p->e;
	p->mover = mover_of(e, state);
	p->context = context_of(e, state, p->mover);
	assert(p->mover < e->movers && p->context < e->contexts);
	find_set(p, state);
	for (uint32_t o = 0; o < e->outputs; o++) {
		const float *w = e->pairs[p->mover].w + (size_t)o * e->pairs[p->mover].n;
		p->sums[o] = weighed(p, e->w + block(e, o, 0));
		if (e->contexts > 1)
			p->sums[o] += weighed(p, e->w + block(e, o, p->context + 1));
		for (uint32_t i = 0; i < p->hit_count; i++)
			p->sums[o] += w[p->hits[i]];
	}
	if (e->neurons.count)
		neurons_fire(e, p->mover, p->set, p->count, p->fired, p->sums);
	return p->sums;
}

/* `decay`: weights are pulled towards 0, as if this was one sample's part of a penalty on their squares. */
static inline void step(float *w, float *squares, float error, float decay, float rate)
{
	*squares += error * error;
	*w += rate / sqrtf(*squares) * (error - decay * *w);
}

static void correct(const struct pupil *p, size_t at, float error, float doubt, float rate)
{
	const struct evaluation *e = p->e;
	float *w = e->w + at, *squares = e->squares + at;
	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t f = p->set[i];
		step(w + f, squares + f, error, doubt * e->doubt[f], rate);
	}
	step(w + e->fluents, squares + e->fluents, error, 0, rate);
	w += e->fluents + 1;
	squares += e->fluents + 1;
	doubt *= e->doubt[e->fluents];
	for (size_t k = 0; k < e->groups.n; k++)
		step(w + k, squares + k, error * p->groups[k], doubt, rate);
}

void pupil_learn(struct pupil *p, const float *scores, float weight, float rate)
{
	struct evaluation *e = p->e;
	struct pairs *q = &e->pairs[p->mover];
	for (uint32_t o = 0; o < e->outputs; o++) {
		float error = p->errors[o] = weight * (scores[e->player[o]] - logistic(p->sums[o]));
		correct(p, block(e, o, 0), error, 1, rate);
		if (e->contexts > 1)
			correct(p, block(e, o, p->context + 1), error, e->context_doubt, rate);
		for (uint32_t i = 0; i < p->hit_count; i++) {
			size_t k = (size_t)o * q->n + p->hits[i];
			step(q->w + k, q->squares + k, error, q->doubt[p->hits[i]], rate);
		}
	}
	if (e->neurons.count)
		neurons_learn(e, p->mover, p->set, p->count, p->fired, p->errors,
		              rate * (float)(e->tune.neuron_rate / e->tune.self_rate));
}

/* Mean square of what is missed. */
static double missed(struct pupil *p, const struct samples *s)
{
	const struct evaluation *e = p->e;
	size_t n = s->n < JUDGED / 16 ? s->n : s->n / 2 < JUDGED ? s->n / 2 : JUDGED;
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		size_t at = i * (s->n / n);
		const float *x = pupil_look(p, s->states.at + at * s->words);
		for (uint32_t o = 0; o < e->outputs; o++) {
			double miss = (double)(s->scores.at[at * s->roles + e->player[o]] - logistic(x[o]));
			sum += miss * miss;
		}
	}
	return n ? sum / (double)n : 0;
}

/* All weights, one after another, to be kept and brought back. */
static void copy_weights(struct evaluation *e, float *kept, bool back)
{
	size_t n = block(e, e->outputs, 0);
	memcpy(back ? e->w : kept, back ? kept : e->w, n * sizeof *kept);
	for (uint32_t m = 0; m < e->movers; m++) {
		struct pairs *q = &e->pairs[m];
		kept += n;
		n = (size_t)q->n * e->outputs;
		if (n)
			memcpy(back ? q->w : kept, back ? kept : q->w, n * sizeof *kept);
	}
}

static size_t weight_count(const struct evaluation *e)
{
	size_t n = block(e, e->outputs, 0);
	for (uint32_t m = 0; m < e->movers; m++)
		n += (size_t)e->pairs[m].n * e->outputs;
	return n;
}

/* Samples in an order that jumps about, without one being seen twice before all are. */
static size_t stride_of(size_t n)
{
	assert(n);
	size_t stride = (size_t)((double)n * 0.6180339887) | 1, a, b;
	do {
		stride += 2;
		for (a = n, b = stride; b;) {
			size_t rest = a % b;
			a = b;
			b = rest;
		}
	} while (a != 1);
	return stride % n;
}

static void lap(struct pupil *p, const struct samples *s, size_t *at, size_t stride, size_t n, float rate)
{
	assert(n <= s->n);
	for (size_t i = 0; i < n; i++) {
		*at = *at + stride < s->n ? *at + stride : *at + stride - s->n;
		assert(*at < s->n);
		__builtin_prefetch(s->states.at + (*at + stride < s->n ? *at + stride : *at + stride - s->n) * s->words);
		pupil_look(p, s->states.at + *at * s->words);
		pupil_learn(p, s->scores.at + *at * s->roles, 1, rate);
	}
}

void fit_samples(struct evaluation *e, const struct samples *s, const struct samples *held, const struct pace *pace,
                 const struct fit *f)
{
	struct pupil *p = pupil_new(e);
	float *kept = mem_alloc(weight_count(e) + 1, sizeof *kept);
	double from = pace_used(pace), least = missed(p, held), now = least, progress = 0;
	size_t total = s->n * f->epochs, at = 0, stride = stride_of(s->n), n = s->n < LAP ? s->n : LAP;
	copy_weights(e, kept, false);
	for (size_t done = 0, looks = 1; done < total && progress < 1;) {
		lap(p, s, &at, stride, n, (float)(f->rate * (LAST_RATE + (1 - LAST_RATE) * (1 - progress))));
		done += n;
		progress = (double)done / (double)total;
		if (pace->seconds > 0)
			progress = fmax(progress, f->until > from ? (pace_used(pace) - from) / (f->until - from) : 1);
		if (progress * LOOKS < (double)looks)
			continue;
		looks++;
		now = missed(p, held);
		if (now * CLEARLY < least) {
			least = fmin(now, least);
			copy_weights(e, kept, false);
		}
	}
	copy_weights(e, kept, true);
	mem_free(kept);
	pupil_free(p);
}
