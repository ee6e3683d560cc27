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
