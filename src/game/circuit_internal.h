/* Private to the files of the circuit's engine: what they make of one another's parts. */
#ifndef GAME_CIRCUIT_INTERNAL_H
#define GAME_CIRCUIT_INTERNAL_H

#include "game/engine_internal.h"

/* ---- making programs ---- */

typedef VEC(struct program_output) output_list;

/* These values, into slots one after another. */
static inline void add_outputs(output_list *to, const lit_t *values, size_t n, uint32_t slot)
{
	for (size_t i = 0; i < n; i++) {
		struct program_output o = {values[i], slot + (uint32_t)i};
		vec_push(to, o);
	}
}

static inline uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* c: the circuit, specialised to the phase when there is one; known: what is known of the moves then (NULL: any state).
 * Returns the slots that the program needs. */
uint32_t rollout_make(const struct circuit_engine *e, struct rollout *r, const struct circuit *c, const uint8_t *known);
void rollout_free(struct rollout *r);
void rollouts_make(struct circuit_engine *e); /* those of the engine */

void decisive_rollouts_free(struct decisive_rollouts *a, uint32_t count);
void expander_free(struct expander *x);

/* ---- running them ---- */

/* The slots of some lanes, and what runs programs over them; slot i has `words` words from i * words on. */
struct lane_group {
	const struct lane_kernel *kernel;
	uint64_t *slots;
	uint32_t words;
};

struct lane_group lane_group_new(const struct circuit_engine *e, uint32_t lanes, uint32_t slots);

static inline uint64_t *lane_slot(const struct lane_group *l, uint32_t i)
{
	return l->slots + (size_t)i * l->words;
}

struct circuit_worker {
	const struct game *g;
	struct circuit_engine *e;
	struct lane_group narrow;        /* 64 lanes, the full program */
	const struct expander *expander; /* NULL until there is a list of states */
	struct lane_group few, many;     /* for lists of states; without slots until there is one */
	struct role_list legal, seen;
	int *goals;
};

/* Goals of one lane, which stand from slot `first` on. */
void lane_goals(const struct circuit_worker *w, const struct lane_group *l, uint32_t first, uint32_t lane, int *out);

#endif
