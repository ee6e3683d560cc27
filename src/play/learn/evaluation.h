/* An evaluation of states and a preference among moves, learnt from random play and,
 * later, from what a search has found.
 *
 * The expected score of a role is a logistic function of a sum of weights: one for each
 * fluent that holds, one for each of some pairs of fluents that hold together, and what
 * neurons say, which learn from better play than random. Weights depend on who is to move
 * and on how far the game has come, where that shows in the state. */
#ifndef PLAY_LEARN_EVALUATION_H
#define PLAY_LEARN_EVALUATION_H

#include "base/tuning.h"
#include "game/game.h"

/* clang-format off: one row each */
#define EVALUATION_TUNING(T, ...) \
	T(REAL, rate, "learn-rate", 0.04, 1e-6, 10, "evaluation: rate of learning at the beginning", __VA_ARGS__) \
	T(INT, epochs, "learn-epochs", 12, 1, 10000, "evaluation: how often the samples are gone through, at most", \
	  __VA_ARGS__) \
	T(REAL, spread, "learn-spread", 0.2, 1e-6, 100, "evaluation: expected size of the weights of fluents", \
	  __VA_ARGS__) \
	T(REAL, group_spread, "learn-groups", 0.5, 1e-6, 100, \
	  "evaluation: expected size of the weights of groups of fluents", __VA_ARGS__) \
	T(REAL, strict, "learn-strict", 4, 0, 1000, \
	  "evaluation: how much stricter weights of one mover or phase are held", __VA_ARGS__) \
	T(REAL, together, "learn-together", 0.5, 0, 1, "evaluation: share of the samples of a playout that count as one", \
	  __VA_ARGS__) \
	T(INT, candidates, "pair-fluents", 640, 2, 2048, "evaluation: fluents among which pairs are looked for", \
	  __VA_ARGS__) \
	T(INT, pairs, "pairs", 4096, 0, 1e6, "evaluation: pairs of fluents that have weights, for each mover, at most", \
	  __VA_ARGS__) \
	T(REAL, hits, "pair-hits", 64, 0, 1e6, "evaluation: pairs that hold in a state, in the mean, at most", \
	  __VA_ARGS__) \
	T(REAL, seen, "pair-seen", 30, 1, 1e9, "evaluation: samples in which a pair must hold", __VA_ARGS__) \
	T(REAL, pair_spread, "pair-spread", 0.15, 1e-6, 100, "evaluation: expected size of the weights of pairs", \
	  __VA_ARGS__) \
	T(INT, neurons, "neurons", 32, 0, 128, \
	  "evaluation: neurons that learn in matches against itself, in multiples of 32", __VA_ARGS__) \
	T(REAL, neuron_rate, "neuron-rate", 0.1, 1e-6, 10, "evaluation: rate of learning of neurons at the beginning", \
	  __VA_ARGS__) \
	T(REAL, self_share, "self-share", 0.8, 0, 1, "evaluation: share of the time for matches against itself", \
	  __VA_ARGS__) \
	T(REAL, self_rate, "self-rate", 0.03, 1e-6, 10, \
	  "evaluation: rate of learning of weights at the beginning of matches against itself", __VA_ARGS__) \
	T(REAL, lambda, "lambda", 0.5, 0, 1, \
	  "evaluation: TD(lambda): weight of what followed a state against the value of its best child", __VA_ARGS__) \
	T(REAL, temperature, "temperature", 0.35, 0.001, 100, \
	  "evaluation: temperature of moves against itself, in units of the spread among the children", __VA_ARGS__) \
	T(REAL, epsilon, "epsilon", 0.08, 0, 1, "evaluation: share of moves against itself that are made at random", \
	  __VA_ARGS__)
struct evaluation_tuning {
	EVALUATION_TUNING(TUNING_FIELD)
};
/* clang-format on */

struct evaluation;

/* By count: equal seeds and counts give equal evaluations. By time: a part of it goes into
 * playouts, the rest into fitting. */
struct evaluation_options {
	const uint64_t *from; /* random play begins there; NULL: where the game does */
	uint64_t seed;
	uint64_t playouts; /* to learn from; 0: by time */
	double seconds;    /* of processor time; 0: until the deadline of the limit */
	struct limit limit;
	const struct evaluation_tuning *tune; /* NULL: the defaults */
	bool self_play; /* a share of the time goes into matches against itself, which teach better play than random */
	bool plain;     /* no pairs, and the same weights whoever is to move: cheaper, and weaker */
};

/* NULL: nothing could be learnt (no time, hardly any state that is no end, or rules that the interpreter has to run).
 */
struct evaluation *evaluation_learn(struct game *g, const struct evaluation_options *o);
void evaluation_free(struct evaluation *e);

/* Expected scores in 0..1: out[i * roles + role]; 0 for `random`. Any number of threads at once. */
void evaluation_batch(const struct evaluation *e, const uint64_t *states, size_t n, float *out);
/* One state, from 1 to 99: never as good or as bad as an end. */
double evaluation_score(const struct evaluation *e, const uint64_t *state, uint32_t role);

/* How many random playouts of a state say as much about its expected score as the evaluation does, for the role where
 * this is least; 0: it knows no more than the mean of all states. Measured on states that it has not learnt from,
 * cautiously, and before matches against itself: these teach another kind of play. */
double evaluation_worth(const struct evaluation *e);
/* Likewise how much of the spread of scores of single playouts it explains: 1 is all. */
double evaluation_skill(const struct evaluation *e);

/* Goes on learning from states with better values than those of random play: values[i * roles + role] in 0..1, weights
 * by state (NULL: 1 each; a playout counts 1). Nobody may use the evaluation meanwhile. */
void evaluation_learn_more(struct evaluation *e, const uint64_t *states, const float *values, const float *weights,
                           size_t n);

/* How good moves are wherever they are legal, against the other moves of their state, in units of the spread among
 * these; 0: not known. Where the children are at hand, their evaluation says more. */
void move_prior(const struct evaluation *e, uint32_t role, const uint32_t *moves, uint32_t n, float *logits);
/* How much of the spread among the moves of a state (by the evaluation of the children) the prior explains. */
double move_prior_skill(const struct evaluation *e);

struct evaluation_facts {
	uint64_t playouts, samples, matches; /* learnt from */
	uint32_t fluents, groups, pairs, movers, phases;
	double length;         /* of a playout, in the mean */
	double set, pairs_set; /* fluents and pairs that hold in a state, in the mean */
};
struct evaluation_facts evaluation_facts(const struct evaluation *e);
/* The groups of fluents and the pairs that weigh most for the first player, `most` of each, one per line: weight, name.
 */
void evaluation_print(const struct evaluation *e, uint32_t most, struct text *out);

#endif
