/* From gates to code. Order by depth-first search from the outputs, so that a value is used soon
 * after it was made; then slots by liveness over that order. A fixpoint block is
 * one item of the order: what it needs from outside comes before it, and the
 * gates between its members stand in its sweeps. */
#include "lanes/program.h"

#include "base/check.h"

#include <string.h>

#define NO_SLOT UINT32_MAX

enum item_kind { ITEM_GATE, ITEM_BLOCK, ITEM_OUTPUT };

struct item {
	enum item_kind kind;
	uint32_t what;
};

struct block {
	VEC(uint32_t) body; /* gates between the members, ascending */
};

struct planner {
	const struct circuit *c;
	struct program *p;
	const struct program_output *out[2];
	size_t count[2];
	uint32_t *owner; /* by node: block + 1 of whose body it is part */
	struct block *blocks;
	uint8_t *state; /* by node, then by block: 0 new, 1 open, 2 done */
	VEC(uint32_t) stack;
	VEC(struct item) order;
	uint32_t boundary; /* first item of the second phase */
	uint32_t *last;    /* by node: item that uses it last */
	uint32_t *slot, *home;
	VEC(uint32_t) freed;
	uint32_t *stamp, sweep;
	VEC(uint32_t) reached; /* scratch of find_body */
};

static bool is_gate(const struct circuit *c, uint32_t node)
{
	return c->gates.at[node].kind == GATE_AND || c->gates.at[node].kind == GATE_OR;
}

/* ---- fixpoint blocks ------------------------------------------------------- */

/* Marks a gate above `low` and keeps it for later. */
static void reach(struct planner *p, uint32_t node, uint32_t low)
{
	if (node <= low || p->state[node] || !is_gate(p->c, node))
		return;
	p->state[node] = 1;
	vec_push(&p->reached, node);
}

/* Gates made after the block's first member, reached from the definitions, that
 * depend on a member: ascending numbers are a topological order. The work is that of the
 * gates reached, since a game may have thousands of blocks. */
static void find_body(struct planner *p, uint32_t b)
{
	const struct circuit *c = p->c;
	uint32_t from = c->loops.at[b], to = c->loops.at[b + 1], low = UINT32_MAX;
	vec_clear(&p->reached);
	for (uint32_t k = from; k < to; k++)
		low = c->members.at[k].node < low ? c->members.at[k].node : low;
	for (uint32_t k = from; k < to; k++)
		reach(p, c->members.at[k].definition / 2, low);
	for (size_t i = 0; i < p->reached.n; i++) {
		const struct gate *g = &c->gates.at[p->reached.at[i]];
		for (uint32_t k = 0; k < g->n; k++)
			reach(p, c->inputs.at[g->in + k] / 2, low);
	}
	sort_numbers(p->reached.at, p->reached.n);
	for (size_t i = 0; i < p->reached.n; i++) {
		uint32_t g = p->reached.at[i];
		bool depends = false;
		p->state[g] = 0;
		for (uint32_t k = 0; k < c->gates.at[g].n && !depends; k++) {
			uint32_t x = c->inputs.at[c->gates.at[g].in + k] / 2;
			depends = p->owner[x] == b + 1 || (c->gates.at[x].kind == GATE_LOOP && c->gates.at[x].n == b);
		}
		if (depends) {
			p->owner[g] = b + 1;
			vec_push(&p->blocks[b].body, g);
		}
	}
}

/* ---- order ------------------------------------------------------------------ */

/* The item a node is computed by: itself, or the block it belongs to. */
static uint32_t item_of(const struct planner *p, uint32_t node)
{
	const struct gate *g = &p->c->gates.at[node];
	if (g->kind == GATE_LOOP)
		return narrow32(p->c->gates.n) + g->n;
	return p->owner[node] ? narrow32(p->c->gates.n) + p->owner[node] - 1 : node;
}

static void want(struct planner *p, lit_t l)
{
	uint32_t item = item_of(p, l / 2);
	if ((item >= p->c->gates.n || is_gate(p->c, item)) && !p->state[item])
		vec_push(&p->stack, item);
}

static void want_inputs(struct planner *p, uint32_t gate)
{
	const struct gate *g = &p->c->gates.at[gate];
	for (uint32_t k = g->n; k-- > 0;)
		want(p, p->c->inputs.at[g->in + k]);
}

static void open_item(struct planner *p, uint32_t item)
{
	const struct circuit *c = p->c;
	p->state[item] = 1;
	if (item < c->gates.n) {
		want_inputs(p, item);
		return;
	}
	uint32_t b = item - narrow32(c->gates.n);
	for (size_t i = 0; i < p->blocks[b].body.n; i++)
		want_inputs(p, p->blocks[b].body.at[i]);
	for (uint32_t k = c->loops.at[b]; k < c->loops.at[b + 1]; k++)
		want(p, c->members.at[k].definition);
}

static void add_item(struct planner *p, enum item_kind kind, uint32_t what)
{
	struct item i = {kind, what};
	vec_push(&p->order, i);
}

static void visit(struct planner *p, lit_t l)
{
	want(p, l);
	while (p->stack.n) {
		uint32_t item = vec_last(&p->stack);
		if (p->state[item] == 0) {
			open_item(p, item);
			continue;
		}
		p->stack.n--;
		if (p->state[item] == 2)
			continue;
		p->state[item] = 2;
		if (item < p->c->gates.n)
			add_item(p, ITEM_GATE, item);
		else
			add_item(p, ITEM_BLOCK, item - narrow32(p->c->gates.n));
	}
}

static void order_items(struct planner *p)
{
	for (int phase = 0; phase < 2; phase++) {
		for (size_t i = 0; i < p->count[phase]; i++) {
			visit(p, p->out[phase][i].value);
			add_item(p, ITEM_OUTPUT, (uint32_t)(i * 2 + (size_t)phase));
		}
		if (!phase)
			p->boundary = narrow32(p->order.n);
	}
}

/* ---- liveness ---------------------------------------------------------------- */

static void use_inputs(struct planner *p, uint32_t gate, uint32_t at)
{
	const struct gate *g = &p->c->gates.at[gate];
	for (uint32_t k = 0; k < g->n; k++)
		p->last[p->c->inputs.at[g->in + k] / 2] = at;
}

static const struct program_output *output_of(const struct planner *p, uint32_t what)
{
	return &p->out[what & 1][what >> 1];
}

static void find_last_uses(struct planner *p)
{
	const struct circuit *c = p->c;
	for (uint32_t at = 0; at < p->order.n; at++) {
		struct item i = p->order.at[at];
		if (i.kind == ITEM_GATE) {
			use_inputs(p, i.what, at);
		} else if (i.kind == ITEM_OUTPUT) {
			p->last[output_of(p, i.what)->value / 2] = at;
		} else {
			for (size_t k = 0; k < p->blocks[i.what].body.n; k++)
				use_inputs(p, p->blocks[i.what].body.at[k], at);
			for (uint32_t k = c->loops.at[i.what]; k < c->loops.at[i.what + 1]; k++)
				p->last[c->members.at[k].definition / 2] = p->last[c->members.at[k].node] = at;
		}
	}
}

/* A gate that is an output as it stands is computed right where it is wanted,
 * unless that place is overwritten (moves) before its last use. */
static void find_homes(struct planner *p)
{
	for (int phase = 0; phase < 2; phase++)
		for (size_t i = 0; i < p->count[phase]; i++) {
			lit_t l = p->out[phase][i].value;
			uint32_t node = l / 2;
			if (!(l & 1) && is_gate(p->c, node) && !p->owner[node] && p->home[node] == NO_SLOT &&
			    (phase || p->last[node] < p->boundary))
				p->home[node] = p->out[phase][i].slot;
		}
}

/* ---- slots and code ------------------------------------------------------------ */

static uint32_t take_slot(struct planner *p)
{
	return p->freed.n ? vec_pop(&p->freed) : p->p->slots++;
}

static void release(struct planner *p, uint32_t node, uint32_t at)
{
	if (p->last[node] == at && p->slot[node] != NO_SLOT && p->home[node] == NO_SLOT &&
	    p->c->gates.at[node].kind >= GATE_AND) {
		vec_push(&p->freed, p->slot[node]);
		p->slot[node] = NO_SLOT;
	}
}

static void put(struct planner *p, uint32_t word)
{
	vec_push(&p->p->code, word);
}

static enum op_kind shape(enum op_kind kind, uint32_t pos, uint32_t neg)
{
	if (neg == 0 && pos == 2)
		return kind == OP_AND ? OP_AND2 : OP_OR2;
	if (neg == 0 && pos == 3)
		return kind == OP_AND ? OP_AND3 : OP_OR3;
	if (kind == OP_AND && pos == 1 && neg == 1)
		return OP_ANDN;
	return kind;
}

/* One operation over a list of literals, split when it is too wide. */
static void emit(struct planner *p, enum op_kind kind, uint32_t dst, const lit_t *l, uint32_t n)
{
	for (uint32_t from = 0; from < n || !from; from += OP_WIDEST) {
		uint32_t to = n - from > OP_WIDEST ? from + OP_WIDEST : n;
		uint32_t pos = from > 0, neg = 0;
		for (uint32_t k = from; k < to; k++)
			*(l[k] & 1 ? &neg : &pos) += 1;
		put(p, op_header(shape(kind, pos, neg), pos, neg));
		put(p, dst);
		if (from)
			put(p, dst);
		for (int sign = 0; sign < 2; sign++)
			for (uint32_t k = from; k < to; k++)
				if ((int)(l[k] & 1) == sign)
					put(p, p->slot[l[k] / 2]);
		p->p->operations++;
		p->p->operands += pos + neg;
	}
}

static void emit_gate(struct planner *p, uint32_t node)
{
	const struct gate *g = &p->c->gates.at[node];
	emit(p, g->kind == GATE_AND ? OP_AND : OP_OR, p->slot[node], p->c->inputs.at + g->in, g->n);
}

static void emit_output(struct planner *p, const struct program_output *o)
{
	uint32_t node = o->value / 2;
	if (node && p->home[node] == o->slot)
		return;
	if (node == 0) /* a constant: an empty OR is false, an empty AND is true */
		emit(p, o->value & 1 ? OP_AND : OP_OR, o->slot, NULL, 0);
	else
		emit(p, OP_OR, o->slot, &o->value, 1);
}

/* Gates of the body that `l` needs, once per sweep. */
static void sweep_to(struct planner *p, uint32_t b, lit_t l)
{
	size_t base = p->stack.n;
	vec_push(&p->stack, l / 2 * 2);
	while (p->stack.n > base) {
		uint32_t node = vec_last(&p->stack) / 2;
		bool opened = vec_last(&p->stack) & 1;
		if (p->owner[node] != b + 1 || p->stamp[node] == p->sweep) {
			p->stack.n--;
			continue;
		}
		if (opened) {
			p->stack.n--;
			p->stamp[node] = p->sweep;
			emit_gate(p, node);
			continue;
		}
		vec_last(&p->stack) |= 1;
		const struct gate *g = &p->c->gates.at[node];
		for (uint32_t k = 0; k < g->n; k++)
			vec_push(&p->stack, p->c->inputs.at[g->in + k] / 2 * 2);
	}
}

static void emit_sweep(struct planner *p, uint32_t b, bool backward)
{
	const struct circuit *c = p->c;
	uint32_t from = c->loops.at[b], count = c->loops.at[b + 1] - from;
	p->sweep++;
	for (uint32_t i = 0; i < count; i++) {
		struct loop_member m = c->members.at[from + (backward ? count - 1 - i : i)];
		sweep_to(p, b, m.definition);
		if (m.definition / 2 == 0) /* a constant, set before the loop */
			continue;
		put(p, op_header(OP_GROW, !(m.definition & 1), m.definition & 1));
		put(p, p->slot[m.node]);
		put(p, p->slot[m.definition / 2]);
	}
}

static void emit_block(struct planner *p, uint32_t b)
{
	const struct circuit *c = p->c;
	for (size_t i = 0; i < p->blocks[b].body.n; i++)
		p->slot[p->blocks[b].body.at[i]] = take_slot(p);
	for (uint32_t k = c->loops.at[b]; k < c->loops.at[b + 1]; k++) {
		struct program_output o = {c->members.at[k].definition, p->slot[c->members.at[k].node] = take_slot(p)};
		if (o.value / 2)
			o.value = LIT_FALSE;
		emit_output(p, &o);
	}
	put(p, op_header(OP_LOOP, 0, 0));
	size_t at = p->p->code.n;
	put(p, 0);
	put(p, 0);
	emit_sweep(p, b, false);
	size_t middle = p->p->code.n;
	emit_sweep(p, b, true);
	p->p->code.at[at] = (uint32_t)(middle - at - 2);
	p->p->code.at[at + 1] = (uint32_t)(p->p->code.n - middle);
}

static void release_inputs(struct planner *p, uint32_t gate, uint32_t at)
{
	const struct gate *g = &p->c->gates.at[gate];
	for (uint32_t k = 0; k < g->n; k++)
		release(p, p->c->inputs.at[g->in + k] / 2, at);
}

static void emit_items(struct planner *p)
{
	const struct circuit *c = p->c;
	for (uint32_t at = 0; at < p->order.n; at++) {
		struct item i = p->order.at[at];
		if (at == p->boundary)
			p->p->second = narrow32(p->p->code.n);
		if (i.kind == ITEM_GATE) {
			p->slot[i.what] = p->home[i.what] != NO_SLOT ? p->home[i.what] : take_slot(p);
			emit_gate(p, i.what);
			release_inputs(p, i.what, at);
		} else if (i.kind == ITEM_OUTPUT) {
			emit_output(p, output_of(p, i.what));
			release(p, output_of(p, i.what)->value / 2, at);
		} else {
			emit_block(p, i.what);
			for (size_t k = 0; k < p->blocks[i.what].body.n; k++)
				release_inputs(p, p->blocks[i.what].body.at[k], at);
			for (uint32_t k = c->loops.at[i.what]; k < c->loops.at[i.what + 1]; k++) {
				release(p, c->members.at[k].node, at);
				release(p, c->members.at[k].definition / 2, at);
			}
		}
	}
	if (p->boundary == p->order.n)
		p->p->second = narrow32(p->p->code.n);
}

void program_make(struct program *prog, const struct circuit *c, const struct program_plan *plan)
{
	size_t nodes = c->gates.n, blocks = c->loops.n - 1;
	struct planner p = {.c = c, .p = prog, .out = {plan->first, plan->second}};
	p.count[0] = plan->first_count;
	p.count[1] = plan->second_count;
	*prog = (struct program){.slots = plan->fixed, .fixed = plan->fixed};
	p.owner = NEW_ARRAY(uint32_t, nodes);
	p.blocks = NEW_ARRAY(struct block, blocks);
	p.state = NEW_ARRAY(uint8_t, nodes + blocks);
	p.last = NEW_ARRAY(uint32_t, nodes);
	p.stamp = NEW_ARRAY(uint32_t, nodes);
	p.slot = mem_alloc(nodes, sizeof *p.slot);
	p.home = mem_alloc(nodes, sizeof *p.home);
	memset(p.slot, 0xff, nodes * sizeof *p.slot);
	memset(p.home, 0xff, nodes * sizeof *p.home);
	for (uint32_t f = 0; f < c->fluents; f++)
		p.slot[circuit_fluent(c, f)] = f;
	for (uint32_t m = 0; m < c->moves; m++)
		p.slot[circuit_move(c, m)] = plan->move_slots ? plan->move_slots[m] : c->fluents + m;
	for (uint32_t b = 0; b < blocks; b++)
		find_body(&p, b);
	order_items(&p);
	find_last_uses(&p);
	find_homes(&p);
	emit_items(&p);
	for (size_t b = 0; b < blocks; b++)
		vec_free(&p.blocks[b].body);
	mem_free(p.owner);
	mem_free(p.blocks);
	mem_free(p.state);
	mem_free(p.last);
	mem_free(p.stamp);
	mem_free(p.slot);
	mem_free(p.home);
	vec_free(&p.reached);
	vec_free(&p.stack);
	vec_free(&p.order);
	vec_free(&p.freed);
	CHECK(program_check(prog));
}

/* One operation; returns where the next one begins. Loops are followed by what they repeat, which is looked at once. */
static const uint32_t *check_operation(const struct program *p, const uint32_t *pc, uint8_t *written)
{
	enum op_kind kind = (enum op_kind)(pc[0] & 15);
	assert(kind <= OP_OR3);
	if (kind == OP_LOOP) {
		assert(pc + 3 + pc[1] + pc[2] <= p->code.at + p->code.n);
		return pc + 3;
	}
	uint32_t sources = op_pos(pc[0]) + op_neg(pc[0]);
	assert(pc + 2 + sources <= p->code.at + p->code.n);
	assert(pc[1] < p->slots);
	if (kind == OP_GROW)
		assert(written[pc[1]] && sources == 1);
	for (uint32_t k = 0; k < sources; k++)
		assert(pc[2 + k] < p->slots && written[pc[2 + k]]);
	written[pc[1]] = true;
	return pc + 2 + sources;
}

void program_check(const struct program *p)
{
	uint8_t *written = NEW_ARRAY(uint8_t, p->slots + 1);
	const uint32_t *pc = p->code.at, *end = pc + p->code.n;
	assert(p->fixed <= p->slots && p->second <= p->code.n);
	memset(written, true, p->fixed); /* the caller's */
	while (pc < end)
		pc = check_operation(p, pc, written);
	assert(pc == end);
	mem_free(written);
}

void program_free(struct program *p)
{
	vec_free(&p->code);
}
