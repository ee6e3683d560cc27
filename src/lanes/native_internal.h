/* Private to this room: how machine code is written down, for both instruction sets. */
#ifndef LANES_NATIVE_INTERNAL_H
#define LANES_NATIVE_INTERNAL_H

#include "lanes/program.h"

struct emitter {
	VEC(uint8_t) code;
	uint32_t vectors;            /* of a slot: AVX2 */
	struct allocator *registers; /* AVX-512 */
};

static inline void emit_byte(struct emitter *e, uint32_t b)
{
	vec_push(&e->code, (uint8_t)b);
}

static inline void emit_word(struct emitter *e, uint32_t w)
{
	for (int i = 0; i < 4; i++)
		emit_byte(e, w >> (8 * i) & 255);
}

enum { IF_ZERO = 0x84, IF_NOT_ZERO = 0x85 };

/* A jump with its distance still to be filled in; returns where that is. */
size_t native_jump(struct emitter *e, uint32_t condition);
void native_aim(struct emitter *e, size_t jump, size_t target);

/* Writes both parts of a program for slots of `words` words (4 or 8), for processors with AVX-512; where they
 * begin is returned in `first` and `second`. */
void native_emit_avx512(struct emitter *e, const struct program *p, uint32_t words, size_t *first, size_t *second);

#endif
