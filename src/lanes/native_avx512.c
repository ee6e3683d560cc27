/* Machine code for processors with AVX-512: 32 registers, each a whole slot, and operations of any function of three
 * values. What a program keeps in temporary slots stays in registers as long as there is room: the next use of every
 * value is known beforehand, and the value that is not needed for longest has to go. */
#include "lanes/native.h"

#include "base/processor.h"
#include "lanes/native_internal.h"

#include <string.h>

#if defined(MACAW_AVX2)

enum { REGISTERS = 32, NO_REGISTER = 255 };
enum { OP_MOVE_IN = 0x6f, OP_MOVE_OUT = 0x7f, OP_PAND = 0xdb, OP_PANDN = 0xdf, OP_POR = 0xeb };
#define NEVER UINT32_MAX

/* A value that an operation reads, from its register or from memory. */
struct operand {
	uint32_t slot, next; /* next: where in the code it is read again, or NEVER */
	uint8_t reg;
	bool negated;
};

struct allocator {
	const struct program *p;
	const uint32_t *next; /* by word of the code that names a slot: where the value is read again */
	uint8_t *where;       /* by slot */
	uint32_t held[REGISTERS], needed[REGISTERS]; /* slot, and where it is read next (NEVER: the register is free) */
	bool dirty[REGISTERS];                       /* not in memory so far */
	bool pinned[REGISTERS];                      /* part of the operation that is being written */
	uint32_t words;
	VEC(struct operand) operands[2]; /* of the operation that is being written: in memory, in registers */
};

bool native_wide(void)
{
	return processor_wide_vectors();
}

/* ---- instructions ---------------------------------------------------------------------- */

/* Prefix, operation and the byte that names registers; map: 1 for 0f, 2 for 0f38, 3 for 0f3a. */
static void instruction(struct emitter *e, uint32_t map, uint32_t op, uint32_t reg, uint32_t source, uint32_t other,
                        uint32_t mode)
{
	uint32_t length = e->registers->words == 8 ? 2 : 1;
	const uint8_t bytes[6] = {
		0x62,
		(uint8_t)((~reg >> 3 & 1) << 7 | (~other >> 4 & 1) << 6 | (~other >> 3 & 1) << 5 | (~reg >> 4 & 1) << 4 | map),
		(uint8_t)(0x80 | (~source & 15) << 3 | 4 | 1),
		(uint8_t)(length << 5 | (~source >> 4 & 1) << 3),
		(uint8_t)op,
		(uint8_t)(mode | (reg & 7) << 3 | (other & 7)),
	};
	vec_extend(&e->code, sizeof bytes);
	memcpy(e->code.at + e->code.n - sizeof bytes, bytes, sizeof bytes);
}

/* op reg, source, [rdi + slot] */
static void with_memory(struct emitter *e, uint32_t map, uint32_t op, uint32_t reg, uint32_t source, uint32_t slot)
{
	uint32_t distance = slot * e->registers->words * 8;
	instruction(e, map, op, reg, source, 7, 0x80);
	vec_extend(&e->code, sizeof distance);
	memcpy(e->code.at + e->code.n - sizeof distance, &distance, sizeof distance);
}

/* op reg, source, other */
static void with_register(struct emitter *e, uint32_t map, uint32_t op, uint32_t reg, uint32_t source, uint32_t other)
{
	instruction(e, map, op, reg, source, other, 0xc0);
}

static void with_operand(struct emitter *e, uint32_t map, uint32_t op, uint32_t reg, uint32_t source,
                         const struct operand *o)
{
	if (o->reg == NO_REGISTER)
		with_memory(e, map, op, reg, source, o->slot);
	else
		with_register(e, map, op, reg, source, o->reg);
}

static void load(struct emitter *e, uint32_t reg, uint32_t slot)
{
	with_memory(e, 1, OP_MOVE_IN, reg, 0, slot);
}

static void store(struct emitter *e, uint32_t reg, uint32_t slot)
{
	with_memory(e, 1, OP_MOVE_OUT, reg, 0, slot);
}

/* reg = any function of reg, b and c, given as a table with bit (reg << 2 | b << 1 | c). */
static void any_function(struct emitter *e, uint32_t reg, uint32_t b, const struct operand *c, uint32_t table)
{
	with_operand(e, 3, 0x25, reg, b, c);
	emit_byte(e, table);
}

/* The table of an AND or OR of values of which some are negated; b: NULL, it does not count. */
static uint32_t table_of(bool all, bool a_negated, const struct operand *b, const struct operand *c)
{
	uint32_t table = 0;
	for (uint32_t i = 0; i < 8; i++) {
		bool x = (i >> 2 & 1) ^ a_negated, y = b ? (i >> 1 & 1) ^ b->negated : all, z = (i & 1) ^ c->negated;
		table |= (uint32_t)(all ? x & y & z : x | y | z) << i;
	}
	return table;
}

/* ---- registers -------------------------------------------------------------------------- */

static void drop(struct allocator *a, uint32_t reg)
{
	if (a->needed[reg] != NEVER)
		a->where[a->held[reg]] = NO_REGISTER;
	a->needed[reg] = NEVER;
	a->dirty[reg] = false;
}

static void hold(struct allocator *a, uint32_t reg, uint32_t slot, uint32_t next, bool dirty)
{
	if (next == NEVER) {
		drop(a, reg);
		return;
	}
	a->held[reg] = slot;
	a->needed[reg] = next;
	a->dirty[reg] = dirty;
	a->where[slot] = (uint8_t)reg;
}

/* The register that is free, or whose value is not needed for longest. */
static uint32_t least_needed(const struct allocator *a)
{
	uint32_t best = NO_REGISTER;
	for (uint32_t r = 0; r < REGISTERS; r++)
		if (!a->pinned[r] && (best == NO_REGISTER || a->needed[r] > a->needed[best]))
			best = r;
	return best;
}

static void write_back(struct emitter *e, uint32_t reg)
{
	struct allocator *a = e->registers;
	if (a->needed[reg] != NEVER && a->dirty[reg])
		store(e, reg, a->held[reg]);
	a->dirty[reg] = false;
}

static uint32_t take_register(struct emitter *e)
{
	uint32_t r = least_needed(e->registers);
	write_back(e, r);
	drop(e->registers, r);
	e->registers->pinned[r] = true;
	return r;
}

/* All that is needed later goes to memory. */
static void empty_registers(struct emitter *e)
{
	for (uint32_t r = 0; r < REGISTERS; r++) {
		write_back(e, r);
		drop(e->registers, r);
	}
}

/* ---- operations ------------------------------------------------------------------------- */

#define MOST_PINNED 24

/* Is it worth a register to have this value at hand when it is read again? */
static bool worth_loading(const struct allocator *a, const struct operand *o)
{
	return o->next != NEVER && a->where[o->slot] == NO_REGISTER && a->needed[least_needed(a)] > o->next;
}

/* Finds out where the values are. With `keep`, those that are needed again before others are loaded to stay. */
static void read_operands(struct emitter *e, const uint32_t *pc, uint32_t pos, uint32_t neg, bool keep)
{
	struct allocator *a = e->registers;
	size_t at = (size_t)(pc - a->p->code.at);
	vec_clear(&a->operands[false]);
	vec_clear(&a->operands[true]);
	for (uint32_t i = 0; i < pos + neg; i++) {
		struct operand o = {pc[i], a->next[at + i], a->where[pc[i]], i >= pos};
		if (o.reg != NO_REGISTER && a->operands[true].n == MOST_PINNED) {
			write_back(e, o.reg);
			o.reg = NO_REGISTER;
		}
		if (o.reg != NO_REGISTER)
			a->pinned[o.reg] = true;
		vec_push(&a->operands[o.reg != NO_REGISTER], o);
	}
	for (size_t i = a->operands[false].n; keep && i-- > 0 && a->operands[true].n < MOST_PINNED;) {
		struct operand o = a->operands[false].at[i];
		if (!worth_loading(a, &o))
			continue;
		o.reg = (uint8_t)take_register(e);
		load(e, o.reg, o.slot);
		hold(a, o.reg, o.slot, o.next, false);
		a->operands[false].at[i] = vec_pop(&a->operands[false]);
		vec_push(&a->operands[true], o);
	}
}

static struct operand take_operand(struct allocator *a, bool in_register, size_t i)
{
	struct operand o = a->operands[in_register].at[i];
	a->operands[in_register].at[i] = vec_last(&a->operands[in_register]);
	a->operands[in_register].n--;
	return o;
}

/* An operand that is in a register or not, as asked for; or else any. */
static struct operand prefer(struct allocator *a, bool in_register)
{
	in_register ^= !a->operands[in_register].n;
	return take_operand(a, in_register, a->operands[in_register].n - 1);
}

static size_t operands_left(const struct allocator *a)
{
	return a->operands[false].n + a->operands[true].n;
}

/* The first operand that is not negated, but not number `but` of those in registers. */
static bool find_plain(const struct allocator *a, size_t but, bool *in_register, size_t *at)
{
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < a->operands[k].n && i < MOST_PINNED; i++)
			if (!a->operands[k].at[i].negated && (!k || i != but)) {
				*in_register = k;
				*at = i;
				return true;
			}
	return false;
}

/* Joins two operands in a fresh register where one instruction can do that; NO_REGISTER: none can. */
static uint32_t join_two(struct emitter *e, bool all)
{
	struct allocator *a = e->registers;
	for (size_t i = 0; i < a->operands[true].n; i++) {
		struct operand x = a->operands[true].at[i], y;
		size_t k;
		bool in_register;
		if ((x.negated && !all) || !find_plain(a, i, &in_register, &k))
			continue;
		if (in_register && k > i) { /* the last one first, since it moves */
			y = take_operand(a, true, k);
			take_operand(a, true, i);
		} else {
			take_operand(a, true, i);
			y = take_operand(a, in_register, k);
		}
		uint32_t r = take_register(e);
		with_operand(e, 1, x.negated ? OP_PANDN : all ? OP_PAND : OP_POR, r, x.reg, &y);
		return r;
	}
	return NO_REGISTER;
}

/* A register that holds the first operand or the first two, and may be changed; *negated: it holds the contrary. */
static uint32_t begin_gate(struct emitter *e, bool all, bool *negated)
{
	struct allocator *a = e->registers;
	*negated = false;
	for (size_t i = 0; i < a->operands[true].n; i++)
		if (a->operands[true].at[i].next == NEVER) {
			struct operand o = take_operand(a, true, i);
			drop(a, o.reg);
			*negated = o.negated;
			return o.reg;
		}
	uint32_t r = operands_left(a) > 1 ? join_two(e, all) : NO_REGISTER;
	if (r != NO_REGISTER)
		return r;
	struct operand o = prefer(a, false);
	r = take_register(e);
	with_operand(e, 1, OP_MOVE_IN, r, 0, &o);
	*negated = o.negated;
	return r;
}

/* Joins what is left to register r. */
static void finish_gate(struct emitter *e, bool all, uint32_t r, bool negated)
{
	struct allocator *a = e->registers;
	while (operands_left(a)) {
		struct operand b = prefer(a, true);
		if (operands_left(a) && b.reg != NO_REGISTER) {
			struct operand c = prefer(a, false);
			any_function(e, r, b.reg, &c, table_of(all, negated, &b, &c));
		} else if (!negated && !b.negated) {
			with_operand(e, 1, all ? OP_PAND : OP_POR, r, r, &b);
		} else {
			any_function(e, r, r, &b, table_of(all, negated, NULL, &b));
		}
		negated = false;
	}
	if (negated) {
		struct operand self = {.reg = (uint8_t)r};
		any_function(e, r, r, &self, 0x0f);
	}
}

/* Registers whose values are not read again are free. */
static void update_needs(struct allocator *a, const uint32_t *sources, uint32_t n)
{
	size_t at = (size_t)(sources - a->p->code.at);
	memset(a->pinned, 0, sizeof a->pinned);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t r = a->where[sources[i]];
		if (r == NO_REGISTER)
			continue;
		if (a->next[at + i] == NEVER)
			drop(a, r);
		else
			a->needed[r] = a->next[at + i];
	}
}

/* One AND or OR; `kept`: its value may stay in a register. */
static void emit_gate(struct emitter *e, const uint32_t *pc, bool all, bool kept)
{
	struct allocator *a = e->registers;
	uint32_t pos = op_pos(pc[0]), neg = op_neg(pc[0]), dst = pc[1], r;
	bool negated = false;
	read_operands(e, pc + 2, pos, neg, kept);
	if (pos + neg) {
		r = begin_gate(e, all, &negated);
		a->pinned[r] = true;
		finish_gate(e, all, r, negated);
	} else {
		r = take_register(e);
		struct operand self = {.reg = (uint8_t)r};
		any_function(e, r, r, &self, all ? 0xff : 0);
	}
	update_needs(a, pc + 2, pos + neg);
	if (a->where[dst] != NO_REGISTER)
		drop(a, a->where[dst]);
	bool output = !kept || dst < a->p->fixed;
	if (output)
		store(e, r, dst);
	hold(a, r, dst, kept ? a->next[pc + 1 - a->p->code.at] : NEVER, !output);
}

/* ---- fixpoints: everything in memory --------------------------------------------------- */

enum { CHANGED = 31 };

static void emit_grow(struct emitter *e, uint32_t dst, uint32_t src, bool negated)
{
	struct operand source = {.slot = src, .reg = NO_REGISTER, .negated = negated}, more = {.reg = 1};
	load(e, 0, dst);
	with_register(e, 1, OP_MOVE_IN, 1, 0, 0);
	any_function(e, 1, 1, &source, table_of(true, true, NULL, &source)); /* not there so far */
	with_operand(e, 1, OP_POR, CHANGED, CHANGED, &more);
	with_operand(e, 1, OP_POR, 0, 0, &more);
	store(e, 0, dst);
}

static void emit_memory_code(struct emitter *e, const uint32_t *pc, const uint32_t *end)
{
	while (pc < end) {
		uint32_t kind = pc[0] & 15;
		if (kind == OP_GROW) {
			emit_grow(e, pc[1], pc[2], op_neg(pc[0]) > 0);
			pc += 3;
			continue;
		}
		e->registers->pinned[CHANGED] = true;
		emit_gate(e, pc, kind == OP_AND || kind == OP_AND2 || kind == OP_AND3 || kind == OP_ANDN, false);
		pc += 2 + op_pos(pc[0]) + op_neg(pc[0]);
	}
}

/* Clears `changed`, runs the sweep, and leaves zero set when nothing changed. */
static void emit_sweep(struct emitter *e, const uint32_t *from, const uint32_t *to)
{
	struct operand self = {.reg = CHANGED};
	any_function(e, CHANGED, CHANGED, &self, 0);
	emit_memory_code(e, from, to);
	with_register(e, 2, 0x27, 1, CHANGED, CHANGED);         /* vptestmq k1, changed, changed */
	static const uint8_t test[] = {0xc5, 0xf8, 0x98, 0xc9}; /* kortestw k1, k1 */
	for (size_t i = 0; i < sizeof test; i++)
		emit_byte(e, test[i]);
}

static void emit_loop(struct emitter *e, const uint32_t *forward, const uint32_t *backward, const uint32_t *end)
{
	empty_registers(e);
	size_t top = e->code.n;
	emit_sweep(e, forward, backward);
	size_t out = native_jump(e, IF_ZERO);
	emit_sweep(e, backward, end);
	native_aim(e, native_jump(e, IF_NOT_ZERO), top);
	native_aim(e, out, e->code.n);
	memset(e->registers->pinned, 0, sizeof e->registers->pinned);
}

/* ---- programs ---------------------------------------------------------------------------- */

static uint32_t op_length(const uint32_t *pc)
{
	uint32_t kind = pc[0] & 15;
	return kind == OP_LOOP ? 3 : kind == OP_GROW ? 3 : 2 + op_pos(pc[0]) + op_neg(pc[0]);
}

/* For every slot that an operation names: which word of the code reads the same value next. Backwards, for only the
 * end knows that nothing follows. */
static uint32_t *find_next_reads(const struct program *p)
{
	VEC(uint32_t) starts = {0};
	uint32_t *next = NEW_ARRAY(uint32_t, p->code.n + 1), *read = mem_alloc((size_t)p->slots + 1, sizeof *read);
	memset(read, 0xff, ((size_t)p->slots + 1) * sizeof *read); /* NEVER */
	for (uint32_t at = 0; at < p->code.n; at += op_length(p->code.at + at))
		vec_push(&starts, at);
	for (size_t i = starts.n; i-- > 0;) {
		const uint32_t at = starts.at[i], *pc = p->code.at + at, n = op_length(pc);
		if ((pc[0] & 15) == OP_LOOP)
			continue;
		next[at + 1] = read[pc[1]];
		read[pc[1]] = (pc[0] & 15) == OP_GROW ? at : NEVER;
		for (uint32_t k = 2; k < n; k++)
			next[at + k] = read[pc[k]];
		for (uint32_t k = 2; k < n; k++)
			read[pc[k]] = at;
	}
	vec_free(&starts);
	mem_free(read);
	return next;
}

static size_t emit_part(struct emitter *e, const uint32_t *pc, const uint32_t *end)
{
	size_t start = e->code.n;
	while (pc < end) {
		uint32_t kind = pc[0] & 15;
		if (kind == OP_LOOP) {
			emit_loop(e, pc + 3, pc + 3 + pc[1], pc + 3 + pc[1] + pc[2]);
			pc += 3 + pc[1] + pc[2];
			continue;
		}
		emit_gate(e, pc, kind == OP_AND || kind == OP_AND2 || kind == OP_AND3 || kind == OP_ANDN, true);
		pc += op_length(pc);
	}
	empty_registers(e);
	static const uint8_t back[] = {0xc5, 0xf8, 0x77, 0xc3}; /* vzeroupper; ret */
	for (size_t i = 0; i < sizeof back; i++)
		emit_byte(e, back[i]);
	return start;
}

void native_emit_avx512(struct emitter *e, const struct program *p, uint32_t words, size_t *first, size_t *second)
{
	struct allocator a = {.p = p, .words = words};
	uint32_t *next = find_next_reads(p);
	a.next = next;
	a.where = mem_alloc((size_t)p->slots + 1, 1);
	memset(a.where, NO_REGISTER, (size_t)p->slots + 1);
	memset(a.needed, 0xff, sizeof a.needed);
	e->registers = &a;
	*first = emit_part(e, p->code.at, p->code.at + p->second);
	*second = emit_part(e, p->code.at + p->second, p->code.at + p->code.n);
	e->registers = NULL;
	vec_free(&a.operands[false]);
	vec_free(&a.operands[true]);
	mem_free(a.where);
	mem_free(next);
}

#else

bool native_wide(void)
{
	return false;
}

#endif
