/* Pairs of fluents that pay: where two fluents hold together, what the weights of single
 * fluents miss must have the same sign more often than chance would allow. */
#include "play/learn/evaluation_internal.h"

#include <assert.h>

#define LOOKED_AT ((size_t)1 << 21) /* samples */
#define STREAK 1024                 /* samples between two looks at the clock */

struct search_pairs {
	struct evaluation *e;
	uint32_t *candidate, *number; /* by number; by fluent (UINT32_MAX: none) */
	uint32_t n;
	float *sum, *seen; /* by mover, pair: what is missed; samples */
	double *square;    /* by mover: what is missed, squared, in the mean */
	size_t *samples;   /* by mover */
	float *gain;
};

struct found {
	float gain, share;
	uint32_t a, b;
};

static int by_gain(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	return x->gain != y->gain ? (x->gain < y->gain) - (x->gain > y->gain)
	       : x->a != y->a     ? (x->a > y->a) - (x->a < y->a)
	                          : (x->b > y->b) - (x->b < y->b);
}

/* Fluents by how much they change. */
static void choose_candidates(struct search_pairs *x)
{
	const struct evaluation *e = x->e;
	size_t most = (size_t)e->tune.candidates;
	VEC(struct found) all = {0};
	for (uint32_t f = 0; f < e->fluents; f++) {
		float share = e->frequency[f], spread = share * (1 - share);
		x->number[f] = UINT32_MAX;
		bool mover = false;
		for (uint32_t m = 0; m < e->movers && e->movers > 1; m++)
			mover |= e->mover[m] == f;
		if (bits_has(e->live, f) && spread > 1e-3f && !mover)
			vec_push(&all, (struct found){spread, share, f, 0});
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_gain);
	x->n = (uint32_t)(all.n < most ? all.n : most); /* those that change most */
	for (uint32_t i = 0; i < x->n; i++)
		x->number[all.at[i].a] = 0;
	uint32_t k = 0;
	for (uint32_t f = 0; f < e->fluents; f++) /* ascending, so that neighbours stay neighbours */
		if (x->number[f] != UINT32_MAX) {
			x->candidate[k] = f;
			x->number[f] = k++;
		}
	assert(k == x->n);
	vec_free(&all);
}

static void note(struct search_pairs *x, uint32_t mover, const uint32_t *set, uint32_t count, float miss)
{
	assert(mover < MOST_MOVERS);
	size_t wide = x->n, table = wide * wide * mover;
	for (uint32_t i = 0; i < count; i++) {
		float *sum = x->sum + table + wide * set[i], *seen = x->seen + table + wide * set[i];
		for (uint32_t j = i + 1; j < count; j++) {
			sum[set[j]] += miss;
			seen[set[j]]++;
		}
	}
	x->samples[mover]++;
	x->square[mover] += (double)(miss * miss);
}

/* What the weights so far miss, by pair. */
static void look_at(struct search_pairs *x, const struct samples *s, uint32_t output, const struct pace *pace,
                    double until)
{
	struct evaluation *e = x->e;
	struct pupil *p = pupil_new(e);
	uint32_t *set = mem_alloc(x->n + 1, sizeof *set);
	size_t most = s->n < LOOKED_AT ? s->n : LOOKED_AT;
	for (size_t i = 0; i < most && (i % STREAK || pace_used(pace) < until); i++) {
		const uint64_t *state = s->states.at + i * (s->n / most) * s->words;
		float score = s->scores.at[i * (s->n / most) * s->roles + e->player[output]];
		uint32_t count = 0;
		float miss = score - logistic(pupil_look(p, state)[output]);
		BITS_EACH (f, state, e->fluents)
			if (x->number[f] != UINT32_MAX)
				set[count++] = x->number[f];
		note(x, mover_of(e, state), set, count, miss);
	}
	mem_free(set);
	pupil_free(p);
}

static void add_gains(struct search_pairs *x)
{
	float least = (float)x->e->tune.seen;
	size_t wide = (size_t)x->n * x->n;
	for (uint32_t m = 0; m < x->e->movers; m++)
		for (size_t i = 0; i < wide && x->samples[m]; i++) {
			float *sum = x->sum + wide * m + i, seen = x->seen[wide * m + i];
			if (seen >= least && (float)x->samples[m] - seen >= least)
				x->gain[wide * m + i] +=
					*sum * *sum / (seen * (float)(x->e->together * x->square[m] / (double)x->samples[m]));
		}
}

static int by_fluents(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

void pairs_begin(struct evaluation *e, struct pairs *p)
{
	p->first = NEW_ARRAY(uint32_t, (size_t)e->words * 64 + 2);
	p->members = NEW_ARRAY(uint64_t, e->words);
}

void pairs_free(struct pairs *p)
{
	mem_free(p->first);
	mem_free(p->members);
	mem_free(p->w);
	mem_free(p->squares);
	mem_free(p->doubt);
	mem_free(p->flat);
	vec_free(&p->entries);
}

/* Builds the table of pairs sorted by fluents. */
static void build(struct evaluation *e, struct pairs *p, const struct found *at, size_t n)
{
	size_t i = 0;
	for (uint32_t f = 0; f < e->words * 64; f++) {
		p->first[f] = (uint32_t)p->entries.n;
		for (; i < n && at[i].a == f; i++) {
			uint32_t word = at[i].b / 64;
			if (p->entries.n == p->first[f] || vec_last(&p->entries).word != word)
				vec_push(&p->entries, (struct pair_entry){0, word, (uint32_t)i});
			vec_last(&p->entries).mask |= UINT64_C(1) << at[i].b % 64;
			bits_add(p->members, f);
		}
	}
	assert(i == n); /* they came in the order of the fluents */
	p->first[e->words * 64] = p->first[e->words * 64 + 1] = (uint32_t)p->entries.n;
	p->n = (uint32_t)n;
	p->w = NEW_ARRAY(float, n * e->outputs + 1);
	p->squares = NEW_ARRAY(float, n * e->outputs + 1);
	for (size_t k = 0; k < n * e->outputs; k++)
		p->squares[k] = 1;
	p->flat = NEW_ARRAY(float, n * e->outputs + 1);
	p->doubt = NEW_ARRAY(float, n + 1);
	for (size_t k = 0; k < n; k++)
		p->doubt[k] = doubt_of(e, e->tune.pair_spread, (double)at[k].share * (double)e->samples / e->movers);
}

/* A gain is the square of a normal deviate, for each output, where there is nothing in a pair: beyond this number
 * hardly one of all pairs comes by chance. */
static double least_gain(const struct search_pairs *x)
{
	return 2 * log(1 + (double)x->n * x->n / 2 * x->e->movers) * x->e->outputs;
}

static void choose(struct search_pairs *x, uint32_t mover)
{
	assert(mover < MOST_MOVERS);
	const struct evaluation_tuning *tune = &x->e->tune;
	VEC(struct found) all = {0};
	size_t wide = (size_t)x->n * x->n, kept = 0;
	double hits = 0, samples = (double)x->samples[mover], least = least_gain(x);
	for (uint32_t i = 0; i < x->n; i++)
		for (uint32_t j = i + 1; j < x->n; j++) {
			size_t k = wide * mover + (size_t)i * x->n + j;
			if ((double)x->gain[k] > least)
				vec_push(&all, (struct found){x->gain[k], (float)((double)x->seen[k] / samples), x->candidate[i],
				                              x->candidate[j]});
		}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_gain);
	assert(samples > 0 || !all.n);
	while (kept < all.n && kept < (size_t)tune->pairs && hits < tune->hits)
		hits += (double)all.at[kept++].share;
	if (kept)
		qsort(all.at, kept, sizeof *all.at, by_fluents);
	build(x->e, &x->e->pairs[mover], all.at, kept);
	x->e->pairs_set += hits / x->e->movers;
	vec_free(&all);
}

void pairs_find(struct evaluation *e, const struct samples *s, const struct pace *pace, double until)
{
	struct search_pairs x = {.e = e};
	double from = pace_used(pace);
	x.candidate = mem_alloc(e->fluents + 1, sizeof *x.candidate);
	x.number = mem_alloc(e->fluents + 1, sizeof *x.number);
	choose_candidates(&x);
	size_t cells = (size_t)x.n * x.n * e->movers + 1;
	x.sum = mem_alloc(cells, sizeof *x.sum);
	x.seen = mem_alloc(cells, sizeof *x.seen);
	x.gain = NEW_ARRAY(float, cells);
	x.square = NEW_ARRAY(double, e->movers);
	x.samples = NEW_ARRAY(size_t, e->movers);
	for (uint32_t o = 0; o < e->outputs; o++) {
		memset(x.sum, 0, cells * sizeof *x.sum);
		memset(x.seen, 0, cells * sizeof *x.seen);
		memset(x.square, 0, e->movers * sizeof *x.square);
		memset(x.samples, 0, e->movers * sizeof *x.samples);
		look_at(&x, s, o, pace, from + (until - from) * (o + 1) / e->outputs);
		add_gains(&x);
	}
	for (uint32_t m = 0; m < e->movers; m++)
		choose(&x, m);
	mem_free(x.candidate);
	mem_free(x.number);
	mem_free(x.sum);
	mem_free(x.seen);
	mem_free(x.gain);
	mem_free(x.square);
	mem_free(x.samples);
}
