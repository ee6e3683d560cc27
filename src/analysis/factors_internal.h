/* Inside the search for factors: what belongs together, and how it is written down (factor_rules.c). */
#ifndef ANALYSIS_FACTORS_INTERNAL_H
#define ANALYSIS_FACTORS_INTERNAL_H

#include "analysis/factors.h"
#include "ground/ground.h"

typedef VEC(uint32_t) atoms_t;

struct factor_finder {
	const struct game *g;
	const struct ground *rules;
	uint32_t fluents, leaves; /* the atoms below `leaves` are fluents and moves */
	uint8_t *moved;           /* by atom: it depends on moves, now or later */
	uint32_t *parent;         /* by atom: of the same component, nearer to its root */
	uint32_t *factor;         /* by fluent and move: its factor; GAME_NONE: none */
	uint32_t count;
};

/* The rules of a factor as text. */
void factor_write(const struct factor_finder *x, uint32_t factor, struct text *out);

#endif
