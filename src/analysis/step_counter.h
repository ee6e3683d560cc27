/* Fluents that count rounds: they go their way whatever is played, and have no say in
 * what may be played or what comes of it; they only end the game, and the goal may
 * ask for them. Shown on the circuit, not by names.
 *
 * Without them a state is worth most when it is met first: whatever can be played
 * from it later can be played now. Only an end by the clock itself, and goals that
 * depend on it, are to be looked at apart. */
#ifndef ANALYSIS_STEP_COUNTER_H
#define ANALYSIS_STEP_COUNTER_H

#include "game/game.h"

#define STEP_COUNTER_NEVER UINT32_MAX

struct step_counter {
	uint64_t *mask;      /* the fluents */
	uint64_t *at;        /* by step: those that hold; then the last one stays */
	uint32_t words, steps;
	uint32_t horizon;    /* the step at which the clock ends the game; or STEP_COUNTER_NEVER */
	bool goals;          /* do goals depend on it? */
	int *top;            /* then, by step: no end at it or later is worth more; see step_counter_top */
};

/* False: there is no such clock, or it was not found in time. */
bool step_counter_find(struct step_counter *p, struct game *g, const struct limit *limit);
void step_counter_free(struct step_counter *p);

static inline const uint64_t *step_counter_at(const struct step_counter *p, uint32_t step)
{
	return p->at + (size_t)(step < p->steps ? step : p->steps - 1) * p->words;
}

static inline int step_counter_top(const struct step_counter *p, uint32_t step)
{
	return p->top[step < p->steps ? step : p->steps - 1];
}

#endif
