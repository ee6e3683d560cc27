/* Inside of an evaluation, for the files that learn it. */
#ifndef PLAY_LEARN_EVALUATION_INTERNAL_H
#define PLAY_LEARN_EVALUATION_INTERNAL_H

#include "base/bits.h"
#include "base/rng.h"
#include "base/vec.h"
#include "play/learn/evaluation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_MOVERS 4
#define MOST_PHASES 3
#define MOST_PLAYERS 64

/* How much of a budget is used, from 0 to 1. By count: 0 until the limit is reached. */
struct pace {
	double began, seconds;
	bool processor; /* seconds of it */
	struct limit limit;
};
double pace_used(const struct pace *p);

/* States with the scores that followed, in 0..1 by role. */
struct samples {
	uint32_t words, roles;
	size_t n;
	VEC(uint64_t) states;
	VEC(float) scores;
	VEC(uint8_t) stage; /* when in its playout a state was seen: 0, 1, … */
};

struct gathering {
	struct game *g;
	const uint64_t *from;
	struct rng rng;
	const struct pace *pace;
	uint64_t walks; /* at most; 0: by time */
	double share;   /* of the time: for playouts and for learning from them */
	double until;   /* share of the time */
	struct samples train, held;
	uint64_t played;
	double length; /* of a playout, in the mean */
};
void samples_gather(struct gathering *c);
void samples_free(struct samples *s);

/* Pairs of fluents: the partners of fluent f with higher numbers are the bits of
 * entries [first[f], first[f + 1]), numbered through. */
struct pair_entry {
	uint64_t mask;
	uint32_t word, base;
};
struct pairs {
	uint32_t n;
	uint32_t *first;
	VEC(struct pair_entry) entries;
	uint64_t *members;  /* fluents that have an entry */
	float *w, *squares; /* by output and pair */
	float *doubt;       /* by pair; see below */
	float *flat;        /* by pair and output */
};

#define MOST_NEURONS 128
#define NEURON_BLOCK 32 /* their number is a multiple of this */

/* A hidden layer beside the weights: see neurons.c. */
struct neurons {
	uint32_t count;           /* 0: none */
	float *in, *in_squares;   /* by fluent (the last: a constant) and neuron */
	int32_t *whole;           /* the same in whole numbers */
	float *out, *out_squares; /* by mover, output and neuron */
};

struct group {
	uint32_t relation, position, value, last; /* fluents of this relation with these terms; TERM_NONE: any */
	float mean, scale;                        /* of the number that hold: mean, 1 / deviation */
	uint32_t members;
};

struct evaluation {
	const struct game *g;
	struct evaluation_tuning tune;
	uint32_t fluents, words, roles;
	uint64_t *live;                         /* fluents that have a weight */
	uint32_t players, player[MOST_PLAYERS]; /* roles that are evaluated */
	bool opposed;                           /* two players whose scores add up to 1: the first one's is learnt */
	uint32_t outputs;                       /* number of scores that are learnt */
	float *frequency;                       /* by fluent */

	/* Who is to move, as far as it shows: fluents of which one holds in every state. */
	uint32_t movers, mover[MOST_MOVERS];
	/* How far the game has come: by the number of these fluents that hold. */
	uint64_t *phase_mask;
	uint32_t phases, phase_from[MOST_PHASES];
	uint32_t contexts; /* movers * phases */

	/* Groups share a weight that stands beside those of their members, so that few samples are enough. */
	VEC(struct group) groups;
	uint32_t *first_group; /* by fluent */
	VEC(uint32_t) group_list;

	/* Learnt, by output and then by context, the first of these for all: fluents, a constant, groups. */
	uint32_t width;
	float *w, *squares;
	/* How strongly the weight of a fluent (the last: of a group) is pulled towards 0 at each of its steps: the less,
	 * the more often it is seen. In a context, this number of times as strongly. */
	float *doubt, context_doubt;
	double together; /* samples that count as one, since they are of the same walk */
	struct pairs pairs[MOST_MOVERS];
	struct neurons neurons;

	/* Summed up, for evaluation: by context, fluent (the last: a constant), output; the same by byte of the state. */
	float *flat, *bytes;
	uint32_t byte_count;

	float *prior; /* by move */
	double prior_skill, skill, worth, pairs_set, set, length;
	uint64_t playouts, samples, self_matches;
};

static inline float logistic(float x)
{
	return 1 / (1 + expf(-x));
}

static inline uint32_t mover_of(const struct evaluation *e, const uint64_t *state)
{
	uint32_t m = 0;
	while (m + 1 < e->movers && !bits_has(state, e->mover[m]))
		m++;
	return m;
}

static inline uint32_t context_of(const struct evaluation *e, const uint64_t *state, uint32_t mover)
{
	assert(mover < MOST_MOVERS);
	uint32_t count = 0, phase = 0;
	for (uint32_t i = 0; i < e->words && e->phases > 1; i++)
		count += (uint32_t)__builtin_popcountll(state[i] & e->phase_mask[i]);
	while (phase + 1 < e->phases && count >= e->phase_from[phase + 1])
		phase++;
	return mover * e->phases + phase;
}

/* Adds up the weights of the pairs that hold. */
static inline void pairs_sum(const struct pairs *p, const uint64_t *state, uint32_t words, uint32_t outputs, float *sum)
{
	for (uint32_t i = 0; i < words; i++)
		for (uint64_t set = p->members[i] & state[i]; set; set &= set - 1) {
			const uint32_t *first = p->first + i * 64 + (uint32_t)__builtin_ctzll(set);
			for (const struct pair_entry *n = p->entries.at + first[0], *end = p->entries.at + first[1]; n < end; n++)
				for (uint64_t hits = n->mask & state[n->word]; hits; hits &= hits - 1) {
					uint64_t below = (hits & -hits) - 1;
					const float *w =
						p->flat + (size_t)(n->base + (uint32_t)__builtin_popcountll(n->mask & below)) * outputs;
					for (uint32_t o = 0; o < outputs; o++)
						sum[o] += w[o];
				}
		}
}

/* Vectors whose lanes are added up in one order, whatever the processor's are. */
#define LANES 8
typedef float lane_reals __attribute__((vector_size(4 * LANES), aligned(4)));
typedef int32_t lane_wholes __attribute__((vector_size(4 * LANES), aligned(4)));

static inline __attribute__((always_inline)) float lanes_sum(const lane_reals *x)
{
	const float *p = (const float *)x;
	return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

#define NEURON_UNIT 65536.0f /* one, in whole numbers */

/* What neurons add to an output, by the positive parts of their sums in whole numbers. */
static inline __attribute__((always_inline)) float neurons_say(const struct evaluation *e, uint32_t mover,
                                                               uint32_t output, const int32_t *sums)
{
	const struct neurons *n = &e->neurons;
	const float *w = n->out + ((size_t)mover * e->outputs + output) * n->count;
	lane_reals all = {0};
	for (uint32_t k = 0; k < n->count; k += LANES) {
		lane_wholes x = *(const lane_wholes *)(sums + k);
		all += *(const lane_reals *)(w + k) * __builtin_convertvector(x & (x > 0), lane_reals);
	}
	return lanes_sum(&all) * (1 / NEURON_UNIT);
}

static inline __attribute__((always_inline)) void neurons_add(int32_t *restrict sum, const int32_t *restrict w)
{
	for (size_t k = 0; k < NEURON_BLOCK; k++)
		sum[k] += w[k];
}

static inline __attribute__((always_inline)) void neurons_take(int32_t *restrict sum, const int32_t *restrict w)
{
	for (size_t k = 0; k < NEURON_BLOCK; k++)
		sum[k] -= w[k];
}

/* Sums of neurons in whole numbers, which are the same whichever way they come about: from those of another state
 * (NULL: of none) by the fluents in which the two differ. */
static inline __attribute__((always_inline)) void neurons_follow(const struct evaluation *e, const uint64_t *before,
                                                                 const uint64_t *state, int32_t *sums)
{
	const struct neurons *n = &e->neurons;
	if (!before)
		memcpy(sums, n->whole + (size_t)e->fluents * n->count, n->count * sizeof *sums);
	for (uint32_t block = 0; block < n->count; block += NEURON_BLOCK) {
		int32_t sum[NEURON_BLOCK];
		memcpy(sum, sums + block, sizeof sum);
		for (uint32_t i = 0; i < e->words; i++) {
			uint64_t old = before ? before[i] & e->live[i] : 0, now = state[i] & e->live[i];
			const int32_t *w = n->whole + (size_t)i * 64 * n->count + block;
			for (uint64_t set = now & ~old; set; set &= set - 1)
				neurons_add(sum, w + (size_t)__builtin_ctzll(set) * n->count);
			for (uint64_t set = old & ~now; set; set &= set - 1)
				neurons_take(sum, w + (size_t)__builtin_ctzll(set) * n->count);
		}
		memcpy(sums + block, sum, sizeof sum);
	}
}

/* While learning: the positive parts of the sums of a state in which these fluents hold, and what they add to `sums`.
 */
void neurons_fire(const struct evaluation *e, uint32_t mover, const uint32_t *set, uint32_t set_count, float *fired,
                  float *sums);
void neurons_fold(struct evaluation *e);                   /* for evaluation */
void neurons_begin(struct evaluation *e, struct rng *rng); /* they add nothing yet */
void neurons_free(struct neurons *n);
/* From a state in which these fluents hold: what they said to it, and by output what the evaluation missed. */
void neurons_learn(struct evaluation *e, uint32_t mover, const uint32_t *set, uint32_t set_count, const float *fired,
                   const float *errors, float rate);

void features_find(struct evaluation *e, const struct samples *s, bool plain);
void features_free(struct evaluation *e);

void pairs_find(struct evaluation *e, const struct samples *s, const struct pace *pace, double until);
void pairs_begin(struct evaluation *e, struct pairs *p); /* empty */
void pairs_free(struct pairs *p);

struct fit {
	double rate;     /* of learning, at the beginning */
	double until;    /* share of the time */
	uint32_t epochs; /* at most */
};
void fit_samples(struct evaluation *e, const struct samples *train, const struct samples *held, const struct pace *pace,
                 const struct fit *f);
/* The sums before the logistic function, by output: without the tables for evaluation. */
struct pupil *pupil_new(struct evaluation *e);
void pupil_free(struct pupil *p);
const float *pupil_look(struct pupil *p, const uint64_t *state);
void pupil_learn(struct pupil *p, const float *scores, float weight, float rate); /* from the state looked at */

/* How strongly a weight of this spread is pulled towards 0 at each of the steps that so many samples bring. */
static inline float doubt_of(const struct evaluation *e, double spread, double seen)
{
	return (float)fmin(e->together / (spread * spread * fmax(seen, 1)), 1);
}

struct self_play_plan {
	uint32_t opening; /* random steps at the beginning of a match, at most */
	double until;     /* share of the time */
	uint64_t steps;   /* of all matches at a time, at most */
};
void self_play(struct evaluation *e, struct game *g, const uint64_t *from, const struct self_play_plan *plan,
               struct rng *rng, const struct pace *pace);

void evaluation_fold(struct evaluation *e);

void prior_learn(struct evaluation *e, struct game *g, const struct samples *s, struct rng *rng,
                 const struct pace *pace);

#endif
