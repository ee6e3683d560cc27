/* Programs as machine code: x86-64 with AVX2 or AVX-512, by template. Each operation becomes
 * a few loads, ANDs and ORs on the slots and a store; there is nothing else to
 * decide at run time. Where it cannot be had (another processor, no executable
 * memory), programs are interpreted by the kernels of lanes.h. */
#ifndef LANES_NATIVE_H
#define LANES_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

typedef void native_function(uint64_t *slots);

struct native {
	struct native_code *code;        /* NULL: nothing was made */
	native_function *first, *second; /* the two parts of a program */
};

struct program;

/* words: of a slot, 4 or 8. */
bool native_make(struct native *n, const struct program *p, uint32_t words);
/* For AVX-512 or for AVX2, whatever suits this processor best; false: it has not got that. */
bool native_make_for(struct native *n, const struct program *p, uint32_t words, bool wide);
void native_free(struct native *n);
/* Is 512 lanes what one register holds on this processor? */
bool native_wide(void);

#endif
