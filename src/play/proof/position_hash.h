/* What a position is told apart by in the tables of proofs: the fluents that matter, and two hashes of them. */
#ifndef PLAY_PROOF_POSITION_HASH_H
#define PLAY_PROOF_POSITION_HASH_H

#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"
#include "game/rules_view.h"

/* The fluents that have any influence, as a mask of states; to be freed. */
static inline uint64_t *position_live(const struct game *g)
{
	const struct rules_view *rules = game_rules_view(g);
	uint64_t *live = NEW_ARRAY(uint64_t, g->words);
	for (uint32_t i = 0; i < rules->live_count; i++)
		bits_add(live, rules->live[i]);
	return live;
}

/* Two hashes that have nothing to do with each other: together they stand for the position. No check is 0. */
static inline void position_hash(const uint64_t *live, uint32_t words, const uint64_t *state, uint64_t *key,
                                 uint64_t *check)
{
	uint64_t x = 0x243f6a8885a308d3u, y = 0x13198a2e03707344u;
	for (uint32_t i = 0; i < words; i++) {
		uint64_t w = state[i] & live[i];
		x = hash_mix((x ^ w) + 0x9e3779b97f4a7c15u);
		y = (y ^ (w << 32 | w >> 32)) * 0xa4093822299f31d1u;
		y = (y ^ y >> 29) * 0x082efa98ec4e6c89u;
		y ^= y >> 32;
	}
	*key = x;
	*check = y >> 8 ? y >> 8 : 1;
}

#endif
