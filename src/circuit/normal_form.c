/* Writes a circuit anew with flat AND gates: an OR is the negation of an AND, and an input that is itself a plain AND
 * is replaced by its inputs, from the leaves upwards. */
#include "circuit/normal_form.h"

struct flattener {
	const struct circuit *from;
	struct circuit *to;
	lit_t *map; /* by node of `from` */
	VEC(lit_t) in;
	uint32_t widest; /* gates with more inputs are not opened */
	size_t max;
	const struct limit *limit;
};

static lit_t mapped(const struct flattener *f, lit_t l)
{
	return f->map[l / 2] ^ (l & 1);
}

/* An input of a gate to be: itself, or what it is made of. */
static void open_input(struct flattener *f, lit_t l)
{
	const struct gate *g = &f->to->gates.at[l / 2];
	if (!(l & 1) && g->kind == GATE_AND && g->n <= f->widest)
		for (uint32_t k = 0; k < g->n; k++)
			vec_push(&f->in, f->to->inputs.at[g->in + k]);
	else
		vec_push(&f->in, l);
}

static lit_t flat_gate(struct flattener *f, const struct gate *g)
{
	lit_t negate = g->kind == GATE_OR;
	vec_clear(&f->in);
	for (uint32_t k = 0; k < g->n; k++)
		open_input(f, mapped(f, f->from->inputs.at[g->in + k]) ^ negate);
	return circuit_gate(f->to, GATE_AND, f->in.at, narrow32(f->in.n)) ^ negate;
}

static bool flat_gates(struct flattener *f, const uint8_t *fluents, const uint8_t *moves)
{
	const struct circuit *c = f->from;
	uint32_t first = 1 + c->fluents + c->moves;
	circuit_begin(f->to, c->fluents, c->moves);
	f->map[0] = LIT_FALSE;
	for (uint32_t i = 1; i < first; i++) {
		uint8_t k = i <= c->fluents ? fluents[i - 1] : moves ? moves[i - 1 - c->fluents] : OPEN;
		f->map[i] = k == OPEN ? i * 2 : k == YES ? LIT_TRUE : LIT_FALSE;
	}
	for (uint32_t i = first; i < c->gates.n; i++) {
		const struct gate *g = &c->gates.at[i];
		f->map[i] = g->kind == GATE_LOOP ? circuit_loop_node(f->to, g->n) : flat_gate(f, g);
		if (f->to->inputs.n > f->max || (i % 1024 == 0 && limit_reached(f->limit)))
			return false;
	}
	return true;
}

#define MAP_LIST(f, list) \
	for (size_t i_ = 0; i_ < (f)->from->list.n; i_++) \
	vec_push(&(f)->to->list, mapped(f, (f)->from->list.at[i_]))

static void flat_outputs(struct flattener *f)
{
	const struct circuit *c = f->from;
	for (size_t b = 0; b + 1 < c->loops.n; b++) {
		for (uint32_t k = c->loops.at[b]; k < c->loops.at[b + 1]; k++) {
			struct loop_member x = c->members.at[k];
			x = (struct loop_member){f->map[x.node] / 2, mapped(f, x.definition)};
			vec_push(&f->to->members, x);
		}
		vec_push(&f->to->loops, narrow32(f->to->members.n));
	}
	MAP_LIST(f, next);
	MAP_LIST(f, legal);
	MAP_LIST(f, goals);
	MAP_LIST(f, percepts);
	f->to->terminal = mapped(f, c->terminal);
}

bool normal_form_make(struct circuit *to, const struct circuit *from, const uint8_t *fluents, const uint8_t *moves,
                      size_t max_inputs, const struct limit *limit)
{
	static const uint32_t widths[] = {UINT32_MAX, 256, 32, 8, 0};
	struct flattener f = {.from = from, .to = to, .max = max_inputs, .limit = limit};
	bool ok = false;
	f.map = NEW_ARRAY(lit_t, from->gates.n + 1);
	for (size_t i = 0; i < sizeof widths / sizeof *widths && !ok && !limit_reached(limit); i++) {
		f.widest = widths[i];
		ok = flat_gates(&f, fluents, moves);
		if (!ok)
			circuit_free(to);
	}
	if (ok)
		flat_outputs(&f);
	else
		*to = (struct circuit){0};
	mem_free(f.map);
	vec_free(&f.in);
	return ok;
}
