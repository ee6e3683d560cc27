/* The wide kernels again, compiled for processors with AVX2. */
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
