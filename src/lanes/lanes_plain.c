/* Kernels for any processor: 64 lanes in a word, 256 and 512 in vectors that the
 * compiler breaks down to what there is. */
#include "lanes/lanes.h"
#include "lanes/program.h"

#define ANY(x) ((x) != 0)
#define V uint64_t
#define KERNEL plain64
#define NV 1
#include "lanes/kernel.inc"
#undef V
#undef ANY

typedef uint64_t wide __attribute__((vector_size(32)));
#define V wide
#define ANY(x) (((x)[0] | (x)[1] | (x)[2] | (x)[3]) != 0)

#define KERNEL plain256
#define NV 1
#include "lanes/kernel.inc"

#define KERNEL plain512
#define NV 2
#include "lanes/kernel.inc"
