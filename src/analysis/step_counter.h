/* Fluents that count steps: they evolve independently of the moves and influence neither
 * legality nor other fluents; they only end the game, and goals may depend on them. All of
 * this is proved on the circuit, not guessed from names. (What alternates with the steps,
 * such as whose turn it is, is found while the circuit is built: lanes/phases.h.)
 *
 * Without them a state is worth most when it is met first: whatever can be played from
 * it later can be played now. Only an end by the counter itself, and goals that depend
 * on it, need separate treatment. */
#ifndef ANALYSIS_STEP_COUNTER_H
#define ANALYSIS_STEP_COUNTER_H

#include "game/game.h"

#define STEP_COUNTER_NEVER UINT32_MAX

struct step_counter {
	uint64_t *mask;   /* the fluents, as bits of a state */
	uint64_t *at;     /* by step: those that hold; then the last one stays */
	uint64_t *own;    /* the fluents that the counter depends on, itself among them */
	uint64_t *own_at; /* the same of these */
	uint32_t words, steps;
	uint32_t horizon; /* the step at which the counter ends the game; or STEP_COUNTER_NEVER */
	bool goals;       /* do goals depend on it? */
	int *top;         /* then, by step: no end at it or later is worth more; see step_counter_top */
};

/* The counter with all its steps, from the initial state on, of a game with a circuit and one role.
 * False: there is none whose end can be separated from other ends, or it was not found in time. */
bool step_counter_find(struct step_counter *p, struct game *g, const struct limit *limit);
void step_counter_free(struct step_counter *p);

/* The same, kept with the game (facts.h); NULL: there is none, or it was not found in time. */
const struct step_counter *step_counter_of(struct game *g, const struct limit *limit);

/* The step at which a state stands; STEP_COUNTER_NEVER: it is not on the way from the initial state. */
uint32_t step_counter_step(const struct step_counter *p, const uint64_t *state);

static inline const uint64_t *step_counter_at(const struct step_counter *p, uint32_t step)
{
	return p->at + (size_t)(step < p->steps ? step : p->steps - 1) * p->words;
}

static inline int step_counter_top(const struct step_counter *p, uint32_t step)
{
	return p->top[step < p->steps ? step : p->steps - 1];
}

/* The fluents alone, added to `mask`. However the end asks for them: two states that differ in nothing else have
 * the same moves, and successors that differ in nothing else. False: there are none (or no circuit). */
bool step_counter_fluents(const struct game *g, uint64_t *mask);

/* Counters that only make it later: no percept and no goal asks for them, and the end by them is worth the least
 * there is to the role. Between two situations that differ in nothing else, the earlier one is worth no less:
 * what can be done later can be done now. The fluents are added to `mask`. False: there is no such counter. */
bool step_counter_late(const struct game *g, uint32_t role, uint64_t *mask);

#endif
