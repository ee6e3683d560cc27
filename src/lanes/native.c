/* Programs as machine code: for AVX2 one template per kind of operation, for every vector of a slot; AVX-512 is in
 * native_avx512.c. */
#include "lanes/native.h"

#include "base/processor.h"
#include "lanes/native_internal.h"

#include <string.h>

#if defined(MACAW_AVX2)

#include <sys/mman.h>

/* Registers: rdi holds the slots. Vector k of a slot is worked on in ymm(2k) with
 * ymm(2k+1) as a helper; ymm14 collects what has changed in a fixpoint block,
 * ymm15 is all ones. */
enum { CHANGED = 14, ONES = 15 };
enum { LOAD = 0x6f, STORE = 0x7f, AND = 0xdb, ANDN = 0xdf, OR = 0xeb, XOR = 0xef, SAME = 0x76 };

struct native_code {
	uint8_t *memory;
	size_t size;
	struct mem_resource *owned;
};

/* op reg, source, [rdi + slot * size + k * 32]; source 0 for moves */
static void memory(struct emitter *e, uint32_t op, uint32_t reg, uint32_t source, uint32_t slot, uint32_t k)
{
	bool move = op == LOAD || op == STORE;
	emit_byte(e, 0xc5);
	emit_byte(e, (reg < 8 ? 0x80 : 0) | (move ? 15u : 15u ^ source) << 3 | 5); /* 256 bits, prefix 66 */
	emit_byte(e, op);
	emit_byte(e, 0x80 | (reg & 7) << 3 | 7);
	emit_word(e, slot * e->vectors * 32 + k * 32);
}

/* op reg, source, other */
static void registers(struct emitter *e, uint32_t op, uint32_t reg, uint32_t source, uint32_t other)
{
	if (other < 8) {
		emit_byte(e, 0xc5);
		emit_byte(e, (reg < 8 ? 0x80 : 0) | (15u ^ source) << 3 | 5);
	} else {
		emit_byte(e, 0xc4);
		emit_byte(e, (reg < 8 ? 0x80 : 0) | 0x40 | 1);
		emit_byte(e, (15u ^ source) << 3 | 5);
	}
	emit_byte(e, op);
	emit_byte(e, 0xc0 | (reg & 7) << 3 | (other & 7));
}

/* Loads the first of a list and joins the others to it. */
static void join(struct emitter *e, uint32_t op, uint32_t reg, const uint32_t *list, uint32_t n, uint32_t k)
{
	memory(e, LOAD, reg, 0, list[0], k);
	for (uint32_t i = 1; i < n; i++)
		memory(e, op, reg, reg, list[i], k);
}

static void emit_and(struct emitter *e, uint32_t dst, const uint32_t *pos, uint32_t p, const uint32_t *neg, uint32_t n)
{
	for (uint32_t k = 0; k < e->vectors; k++) {
		uint32_t r = 2 * k;
		if (n) { /* not (a or b ...), and then the others */
			join(e, OR, r, neg, n, k);
			if (p)
				memory(e, ANDN, r, r, pos[0], k);
			else
				registers(e, XOR, r, r, ONES);
			for (uint32_t i = 1; i < p; i++)
				memory(e, AND, r, r, pos[i], k);
		} else if (p) {
			join(e, AND, r, pos, p, k);
		} else {
			memory(e, STORE, ONES, 0, dst, k);
			continue;
		}
		memory(e, STORE, r, 0, dst, k);
	}
}

static void emit_or(struct emitter *e, uint32_t dst, const uint32_t *pos, uint32_t p, const uint32_t *neg, uint32_t n)
{
	for (uint32_t k = 0; k < e->vectors; k++) {
		uint32_t r = 2 * k;
		if (n) { /* not (a and b ...), or the others */
			join(e, AND, r, neg, n, k);
			registers(e, XOR, r, r, ONES);
			for (uint32_t i = 0; i < p; i++)
				memory(e, OR, r, r, pos[i], k);
		} else if (p) {
			join(e, OR, r, pos, p, k);
		} else {
			registers(e, XOR, r, r, r);
		}
		memory(e, STORE, r, 0, dst, k);
	}
}

static void emit_grow(struct emitter *e, uint32_t dst, uint32_t src, bool negated)
{
	for (uint32_t k = 0; k < e->vectors; k++) {
		uint32_t r = 2 * k, old = r + 1;
		memory(e, LOAD, old, 0, dst, k);
		if (negated) { /* more = not (old or src) */
			memory(e, OR, r, old, src, k);
			registers(e, XOR, r, r, ONES);
		} else {
			memory(e, ANDN, r, old, src, k);
		}
		registers(e, OR, CHANGED, CHANGED, r);
		registers(e, OR, old, old, r);
		memory(e, STORE, old, 0, dst, k);
	}
}

static void emit_code(struct emitter *e, const uint32_t *pc, const uint32_t *end);

/* Clears `changed`, runs the sweep, and leaves zero set when nothing changed. */
static void emit_sweep(struct emitter *e, const uint32_t *from, const uint32_t *to)
{
	registers(e, XOR, CHANGED, CHANGED, CHANGED);
	emit_code(e, from, to);
	static const uint8_t test[] = {0xc4, 0x42, 0x7d, 0x17, 0xf6}; /* vptest ymm14, ymm14 */
	for (size_t i = 0; i < sizeof test; i++)
		emit_byte(e, test[i]);
}

size_t native_jump(struct emitter *e, uint32_t condition)
{
	emit_byte(e, 0x0f);
	emit_byte(e, condition);
	emit_word(e, 0);
	return e->code.n;
}

void native_aim(struct emitter *e, size_t jump, size_t target)
{
	int32_t distance = (int32_t)((int64_t)target - (int64_t)jump);
	memcpy(e->code.at + jump - 4, &distance, 4);
}

static void emit_loop(struct emitter *e, const uint32_t *forward, const uint32_t *backward, const uint32_t *end)
{
	size_t top = e->code.n;
	emit_sweep(e, forward, backward);
	size_t out = native_jump(e, IF_ZERO);
	emit_sweep(e, backward, end);
	native_aim(e, native_jump(e, IF_NOT_ZERO), top);
	native_aim(e, out, e->code.n);
}

static void emit_code(struct emitter *e, const uint32_t *pc, const uint32_t *end)
{
	while (pc < end) {
		uint32_t p = op_pos(pc[0]), n = op_neg(pc[0]);
		switch (pc[0] & 15) {
		case OP_AND:
		case OP_AND2:
		case OP_AND3:
		case OP_ANDN:
			emit_and(e, pc[1], pc + 2, p, pc + 2 + p, n);
			pc += 2 + p + n;
			break;
		case OP_OR:
		case OP_OR2:
		case OP_OR3:
			emit_or(e, pc[1], pc + 2, p, pc + 2 + p, n);
			pc += 2 + p + n;
			break;
		case OP_GROW:
			emit_grow(e, pc[1], pc[2], n > 0);
			pc += 3;
			break;
		case OP_LOOP:
			emit_loop(e, pc + 3, pc + 3 + pc[1], pc + 3 + pc[1] + pc[2]);
			pc += 3 + pc[1] + pc[2];
			break;
		}
	}
}

static size_t emit_function(struct emitter *e, const uint32_t *from, const uint32_t *to)
{
	size_t start = e->code.n;
	/* all ones: vpcmpeqd ymm15, ymm15, ymm15 */
	registers(e, SAME, ONES, ONES, ONES);
	emit_code(e, from, to);
	static const uint8_t end[] = {0xc5, 0xf8, 0x77, 0xc3}; /* vzeroupper; ret */
	for (size_t i = 0; i < sizeof end; i++)
		emit_byte(e, end[i]);
	return start;
}

static void unmap(void *context)
{
	struct native_code *c = context;
	munmap(c->memory, c->size);
}

static struct native_code *make_executable(const uint8_t *code, size_t n)
{
	struct native_code *c = NEW(struct native_code);
	uint8_t *m = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m != MAP_FAILED) {
		memcpy(m, code, n);
		if (!mprotect(m, n, PROT_READ | PROT_EXEC)) {
			*c = (struct native_code){.memory = m, .size = n};
			c->owned = mem_own(unmap, c);
			return c;
		}
		munmap(m, n);
	}
	mem_free(c);
	return NULL;
}

bool native_make_for(struct native *n, const struct program *p, uint32_t words, bool wide)
{
	struct emitter e = {.vectors = words / 4};
	*n = (struct native){0};
	if (!processor_vectors() || (wide && !native_wide()) || (uint64_t)p->slots * words * 8 > INT32_MAX)
		return false;
	vec_reserve(&e.code, p->code.n * 10 * e.vectors + 64);
	size_t first, second;
	if (wide) {
		native_emit_avx512(&e, p, words, &first, &second);
	} else {
		first = emit_function(&e, p->code.at, p->code.at + p->second);
		second = emit_function(&e, p->code.at + p->second, p->code.at + p->code.n);
	}
	n->code = make_executable(e.code.at, e.code.n);
	if (n->code) {
		uint8_t *entry = n->code->memory + first;
		memcpy(&n->first, &entry, sizeof entry);
		entry = n->code->memory + second;
		memcpy(&n->second, &entry, sizeof entry);
	}
	vec_free(&e.code);
	return n->code;
}

void native_free(struct native *n)
{
	if (n->code) {
		mem_disown(n->code->owned);
		unmap(n->code);
		mem_free(n->code);
	}
	*n = (struct native){0};
}

#else

bool native_make_for(struct native *n, const struct program *p, uint32_t words, bool wide)
{
	(void)p;
	(void)words;
	(void)wide;
	*n = (struct native){0};
	return false;
}

void native_free(struct native *n)
{
	(void)n;
}

#endif

bool native_make(struct native *n, const struct program *p, uint32_t words)
{
	return native_make_for(n, p, words, native_wide());
}
