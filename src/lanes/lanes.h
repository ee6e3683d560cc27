/* Evaluation of a program for many states at once, and the random choice of
 * moves, both bit-sliced: everything is a word operation over whole slots.
 *
 * One text (kernel.inc) is compiled for several widths and instruction sets;
 * lanes_kernel() picks the best that this processor runs. */
#ifndef LANES_LANES_H
#define LANES_LANES_H

#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>

/* One random generator per 64 lanes, and room for the choice among the moves of a role. */
struct chooser {
	uint64_t *random; /* sfc64 state, four words per 64 lanes */
	uint64_t *leaves; /* moves that are legal in some lane */
	uint32_t *pick;   /* which moves these are */
	uint32_t room;    /* leaves of one block of lanes */
	uint64_t *planes; /* the tree of counts over them */
};

struct lane_kernel {
	const char *name;
	uint32_t lanes, words; /* words = lanes / 64: of one slot */
	/* Runs code over the slots. */
	void (*run)(const uint32_t *code, const uint32_t *end, uint64_t *slots);
	/* moves: the slots of one role's moves, holding what is legal; leaves in each
	 * lane exactly one of them, each with the same probability. *has: lanes in
	 * which there was a legal move at all. */
	void (*choose)(struct chooser *c, uint64_t *moves, uint32_t count, uint64_t *has);
	/* The same slots before choose: those of move which[i] keep each lane with a chance of
	 * 1/2 per unit of its bias, but no lane is left without a move that had one. */
	void (*filter_by_bias)(struct chooser *c, uint64_t *moves, uint32_t count, const uint32_t *which,
	                       const uint8_t *move_bias);
	/* state[i] = next[i] in the lanes of `where`, for slots live[0..n). */
	void (*advance)(uint64_t *slots, const uint32_t *live, uint32_t n, const uint64_t *next, const uint64_t *where);
	/* Slot i gets bit i of `state` in the lanes of `where`, for i < n. */
	void (*refill)(uint64_t *slots, uint32_t n, const uint64_t *state, const uint64_t *where);
	/* Lanes in both. */
	uint64_t (*count)(const uint64_t *a, const uint64_t *b);
};

/* width: 64, 256 or 512 lanes. `plain`: the portable one, whatever the processor. */
const struct lane_kernel *lanes_kernel(uint32_t width, bool plain);

/* 64 words as a square of bits, turned over its diagonal. */
void lanes_transpose(uint64_t a[64]);

void chooser_init(struct chooser *c, const struct lane_kernel *k, uint32_t most_moves, uint64_t seed);
void chooser_free(struct chooser *c);

/* Levels of a tree with one leaf per move. */
static inline uint32_t chooser_levels(uint32_t moves)
{
	uint32_t l = 0;
	while ((UINT32_C(1) << l) < moves)
		l++;
	return l;
}

#define CHOOSER_MAX_LEVELS 26

#endif
