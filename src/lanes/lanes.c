/* Which kernel suits this processor, squares of bits, and the memory of a choice of moves. */
#include "lanes/lanes.h"

#include "base/mem.h"
#include "base/processor.h"

extern const struct lane_kernel lanes_plain64, lanes_plain256, lanes_plain512;
#ifdef MACAW_AVX2
extern const struct lane_kernel lanes_avx256, lanes_avx512;
void lanes_transpose_avx2(uint64_t a[64]);
#endif

const struct lane_kernel *lanes_kernel(uint32_t width, bool plain)
{
	if (width == 64)
		return &lanes_plain64;
#ifdef MACAW_AVX2
	if (!plain && processor_vectors())
		return width == 256 ? &lanes_avx256 : &lanes_avx512;
#endif
	(void)plain;
	return width == 256 ? &lanes_plain256 : &lanes_plain512;
}

/* Hacker's Delight 7-3. */
static void transpose(uint64_t a[64])
{
	uint64_t m = 0x00000000ffffffff;
	for (int j = 32; j; j >>= 1, m ^= m << j)
		for (int k = 0; k < 64; k = ((k | j) + 1) & ~j) {
			uint64_t t = (a[k] >> j ^ a[k | j]) & m;
			a[k] ^= t << j;
			a[k | j] ^= t;
		}
}

void lanes_transpose(uint64_t a[64])
{
#ifdef MACAW_AVX2
	if (processor_vectors()) {
		lanes_transpose_avx2(a);
		return;
	}
#endif
	transpose(a);
}

void chooser_init(struct chooser *c, const struct lane_kernel *k, uint32_t most_moves, uint64_t seed)
{
	size_t planes = 3;
	for (uint32_t l = 2, n = (most_moves + 3) / 4; l <= chooser_levels(most_moves); l++, n = (n + 1) / 2)
		planes += (size_t)n * (l + 1);
	*c = (struct chooser){0};
	/* a tree for one block at a time, 256 lanes at most; leaves for all of them */
	c->planes = mem_align(planes, 32);
	c->room = most_moves + 4;
	c->leaves = mem_align((size_t)c->room * ((k->words + 3) / 4), 32);
	c->pick = mem_zalloc((size_t)c->room * ((k->words + 3) / 4), sizeof *c->pick);
	c->random = mem_align(k->words * 4, sizeof *c->random);
	for (uint32_t i = 0; i < k->words * 4; i++)
		c->random[i] = rng_split(&seed);
}

void chooser_free(struct chooser *c)
{
	mem_free(c->planes);
	mem_free(c->leaves);
	mem_free(c->pick);
	mem_free(c->random);
}
