/* The wide kernels again, compiled for processors with AVX2; and the squares of bits that these turn over. */
#include "lanes/lanes.h"
#include "lanes/program.h"

typedef uint64_t wide __attribute__((vector_size(32)));
typedef long long wide_signed __attribute__((vector_size(32)));
#define V wide
#define ANY(x) (!__builtin_ia32_ptestz256((wide_signed)(x), (wide_signed)(x)))

#define KERNEL avx256
#define NV 1
#include "lanes/kernel.inc"

#define KERNEL avx512
#define NV 2
#include "lanes/kernel.inc"

/* ---- squares of bits ------------------------------------------------------------- */

void lanes_transpose_avx2(uint64_t a[64]);

/* Bits of `a` that are `by` places further up change places with those of `b`. */
#define SWAP(a, b, by, mask) \
	do { \
		V t_ = ((a) >> (by) ^ (b)) & (mask); \
		(a) ^= t_ << (by); \
		(b) ^= t_; \
	} while (0)

/* As in lanes.c, four rows at a time; rows that are closer than that are brought apart first. */
void lanes_transpose_avx2(uint64_t a[64])
{
	static const uint64_t masks[4] = {0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff, 0x0f0f0f0f0f0f0f0f};
	typedef uint64_t loose __attribute__((vector_size(32), aligned(8), may_alias));
	loose *row = (loose *)a;
	V v[16], zero = {0};
	for (int i = 0; i < 16; i++)
		v[i] = row[i];
	for (int s = 0, j = 8; s < 4; s++, j /= 2) {
		V mask = zero + masks[s];
		for (int k = 0; k < 16; k = ((k | j) + 1) & ~j)
			SWAP(v[k], v[k | j], 4 * j, mask);
	}
	for (int k = 0; k < 16; k += 2) {
		V low = __builtin_shufflevector(v[k], v[k + 1], 0, 1, 4, 5);
		V high = __builtin_shufflevector(v[k], v[k + 1], 2, 3, 6, 7);
		SWAP(low, high, 2, zero + 0x3333333333333333);
		V even = __builtin_shufflevector(low, high, 0, 4, 2, 6), odd = __builtin_shufflevector(low, high, 1, 5, 3, 7);
		SWAP(even, odd, 1, zero + 0x5555555555555555);
		row[k] = __builtin_shufflevector(even, odd, 0, 4, 1, 5);
		row[k + 1] = __builtin_shufflevector(even, odd, 2, 6, 3, 7);
	}
}
