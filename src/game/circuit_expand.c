/* Lists of states: hundreds of them in the lanes of one pass, as machine code where there is some. */
#include "game/circuit_internal.h"

#include <assert.h>
#include <string.h>

#define EXPANDER_BYTES ((size_t)800 << 10) /* of slots that the second cache still holds */

/* ---- the programs ---- */

/* Two programs over the same slots: fluents, moves made, legal moves, terminal, next, percepts. */
static void make_expander(void *engine)
{
	struct circuit_engine *e = engine;
	const struct circuit *c = &e->circuit;
	struct expander *x = NEW(struct expander);
	output_list look = {0}, step = {0};
	x->legal = c->fluents + c->moves;
	x->terminal = x->legal + c->moves;
	x->next = x->terminal + 1;
	x->percepts = x->next + c->fluents;
	uint32_t fixed = x->percepts + narrow32(c->percepts.n);
	add_outputs(&look, c->legal.at, c->legal.n, x->legal);
	add_outputs(&look, &c->terminal, 1, x->terminal);
	add_outputs(&step, c->next.at, c->next.n, x->next);
	add_outputs(&step, c->percepts.at, c->percepts.n, x->percepts);
	program_make(&x->look, c, &(struct program_plan){fixed, NULL, look.at, NULL, look.n, 0});
	program_make(&x->step, c, &(struct program_plan){fixed, NULL, NULL, step.at, 0, step.n});
	x->slots = larger(larger(x->look.slots, x->step.slots), larger(e->goals.slots, fixed));
	/* with AVX2 twice as many lanes cost twice as much */
	x->lanes = native_wide() && (size_t)x->slots * 64 <= EXPANDER_BYTES ? 512 : 256;
	if (!e->plain) {
		native_make(&x->look_native, &x->look, x->lanes / 64);
		native_make(&x->step_native, &x->step, x->lanes / 64);
		native_make(&x->goals_native, &e->goals, x->lanes / 64);
	}
	vec_free(&look);
	vec_free(&step);
	e->expander = x;
}

/* Made when first asked for. */
static const struct expander *find_expander(struct circuit_engine *e)
{
	if (!e->expander) {
		struct mem_scope *previous = mem_scope_enter(e->scope);
		thread_lock(&e->later_lock);
		if (!e->expander)
			mem_whole(make_expander, e);
		thread_unlock(&e->later_lock);
		mem_scope_leave(previous);
	}
	return e->expander;
}

void expander_free(struct expander *x)
{
	if (!x)
		return;
	program_free(&x->look);
	program_free(&x->step);
	native_free(&x->look_native);
	native_free(&x->step_native);
	native_free(&x->goals_native);
	mem_free(x);
}

/* ---- rows and lanes ---- */

/* Slots [first, first + n) of 64 lanes, those of word `at`, to or from rows of `words` words, one row per lane. */
static void lanes_from_rows(const struct lane_group *l, uint32_t at, uint32_t first, uint32_t n, const uint64_t *rows,
                            uint32_t words, size_t count)
{
	assert(count <= l->kernel->lanes);
	uint64_t square[64];
	for (uint32_t w = 0; w * 64 < n; w++) {
		uint64_t *to = lane_slot(l, first + w * 64) + at;
		for (size_t i = 0; i < 64; i++)
			square[i] = i < count ? rows[i * words + w] : 0;
		lanes_transpose(square);
		for (uint32_t b = 0; b < 64 && w * 64 + b < n; b++, to += l->words)
			*to = square[b];
	}
}

static void rows_from_lanes(const struct lane_group *l, uint32_t at, uint32_t first, uint32_t n, uint64_t *rows,
                            uint32_t words, size_t count)
{
	assert(count <= l->kernel->lanes);
	uint64_t square[64];
	for (uint32_t w = 0; w < words; w++) { /* a row has a word even when it holds nothing */
		const uint64_t *from = lane_slot(l, first + w * 64) + at;
		uint64_t any = 0;
		for (uint32_t b = 0; b < 64; b++)
			any |= square[b] = w * 64 + b < n ? from[(size_t)b * l->words] : 0;
		if (any) /* of the moves most are legal nowhere */
			lanes_transpose(square);
		for (size_t i = 0; i < count; i++)
			rows[i * words + w] = square[i];
	}
}

/* Percept by percept: few are perceived at a time. */
static void lanes_seen(const struct circuit_worker *w, const struct lane_group *l, uint32_t at, uint64_t *seen,
                       size_t count)
{
	assert(count <= l->kernel->lanes);
	const struct ground *ground = w->e->ground;
	uint32_t roles = w->g->roles;
	memset(seen, 0, count * roles * sizeof *seen);
	for (uint32_t r = 0; r < roles; r++)
		for (uint32_t i = ground->percepts.start.at[r]; i < ground->percepts.start.at[r + 1]; i++) {
			uint64_t lanes = lane_slot(l, w->expander->percepts + i)[at], h = lanes ? game_seen_hash(&i, 1) : 0;
			lanes &= count < 64 ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0);
			for (; lanes; lanes &= lanes - 1)
				seen[(size_t)__builtin_ctzll(lanes) * roles + r] ^= h;
		}
}

/* ---- an expansion ---- */

/* Some states of an expansion, in the lanes of a group: `count` of them from number `from` on. */
struct batch {
	const struct expansion *e;
	const struct lane_group *lanes;
	size_t from, count;
};

/* 64 lanes at a time: they hold `some` states from number `first` of the expansion on, in word `at` of every slot. */
#define EACH_WORD(b, at, first, some) \
	for (size_t at = 0, first = (b)->from, some; \
	     at * 64 < (b)->count && (some = (b)->count - at * 64 < 64 ? (b)->count - at * 64 : 64, true); \
	     at++, first += 64)

static void load_states(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	if (b->e->one_state) {
		uint64_t *to = lane_slot(b->lanes, 0);
		for (uint32_t f = 0; f < g->fluents; f++)
			for (uint32_t at = 0; at < b->lanes->words; at++)
				*to++ = -(b->e->states[f / 64] >> f % 64 & 1);
		return;
	}
	EACH_WORD(b, at, first, some)
	lanes_from_rows(b->lanes, (uint32_t)at, 0, g->fluents, b->e->states + first * g->words, g->words, some);
}

/* The lanes that make each move; the slots of moves hold nothing otherwise. */
static void load_moves(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	for (size_t i = 0; i < b->count; i++)
		for (uint32_t r = 0; r < g->roles; r++)
			lane_slot(b->lanes, g->fluents + b->e->moves[(b->from + i) * g->roles + r])[i / 64] |= UINT64_C(1)
			                                                                                       << i % 64;
}

static void clear_moves(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	for (size_t i = 0; i < b->count; i++)
		for (uint32_t r = 0; r < g->roles; r++)
			lane_slot(b->lanes, g->fluents + b->e->moves[(b->from + i) * g->roles + r])[i / 64] = 0;
}

/* The whole program, as machine code where there is some for these lanes. */
static void run_program(const struct circuit_worker *w, const struct lane_group *l, const struct program *p,
                        const struct native *n)
{
	if (n->code && l->kernel->lanes == w->expander->lanes) {
		if (p->second)
			n->first(l->slots);
		if (p->second < p->code.n)
			n->second(l->slots);
	} else {
		l->kernel->run(p->code.at, p->code.at + p->code.n, l->slots);
	}
}

/* From the states in the slots of the fluents to their successors in those of `next`. */
static void step_lanes(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	const struct expansion *e = b->e;
	const struct expander *x = w->expander;
	load_moves(w, b);
	run_program(w, b->lanes, &x->step, &x->step_native);
	clear_moves(w, b);
	EACH_WORD(b, at, first, some)
	{
		if (e->next)
			rows_from_lanes(b->lanes, (uint32_t)at, x->next, g->fluents, e->next + first * g->words, g->words, some);
		if (e->seen)
			lanes_seen(w, b->lanes, (uint32_t)at, e->seen + first * g->roles, some);
	}
}

/* Legal moves and ends of the states in the slots of the fluents, when they are asked for. Returns whether one is an
 * end. */
static bool look_at_lanes(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	const struct expansion *e = b->e;
	const struct expander *x = w->expander;
	uint32_t legal_words = game_legal_words(g);
	const uint64_t *terminal = lane_slot(b->lanes, x->terminal);
	uint64_t any = 0;
	run_program(w, b->lanes, &x->look, &x->look_native);
	for (size_t i = 0; i < b->count; i++) {
		uint64_t end = terminal[i / 64] >> i % 64 & 1;
		any |= end;
		if (e->terminal)
			e->terminal[b->from + i] = (uint8_t)end;
	}
	EACH_WORD(b, at, first, some)
	if (e->legal)
		rows_from_lanes(b->lanes, (uint32_t)at, x->legal, g->moves, e->legal + first * legal_words, legal_words, some);
	return any;
}

/* The goals have a program of their own, which writes over the slots of moves. */
static void read_lane_goals(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct game *g = w->g;
	uint32_t used = w->e->goals.slots - g->fluents;
	run_program(w, b->lanes, &w->e->goals, &w->expander->goals_native);
	for (size_t i = 0; i < b->count; i++)
		lane_goals(w, b->lanes, w->e->goals_out, (uint32_t)i, b->e->goals + (b->from + i) * g->roles);
	memset(lane_slot(b->lanes, g->fluents), 0,
	       (size_t)(used < g->moves ? used : g->moves) * b->lanes->words * sizeof *b->lanes->slots);
}

static void expand_batch(const struct circuit_worker *w, const struct batch *b)
{
	assert(b->count && b->count <= b->lanes->kernel->lanes);
	const struct expansion *e = b->e;
	bool look = e->terminal || e->legal || (e->goals && e->goals_of_ends), ends = true;
	load_states(w, b);
	if (e->moves)
		step_lanes(w, b);
	if (e->moves && (look || e->goals))
		memcpy(b->lanes->slots, lane_slot(b->lanes, w->expander->next),
		       (size_t)w->g->fluents * b->lanes->words * sizeof *b->lanes->slots);
	if (look)
		ends = look_at_lanes(w, b);
	if (e->goals && (ends || !e->goals_of_ends))
		read_lane_goals(w, b);
	else if (e->goals)
		memset(e->goals + b->from * w->g->roles, 0xff, b->count * w->g->roles * sizeof *e->goals); /* GOAL_NONE */
}

/* Machine code is there for one number of lanes. Without it a few states are cheaper in few lanes. */
static const struct lane_group *lanes_for(struct circuit_worker *w, size_t count)
{
	const struct expander *x = w->expander;
	bool few = !x->look_native.code && count <= 64;
	struct lane_group *l = few ? &w->few : &w->many;
	if (!l->slots)
		*l = lane_group_new(w->e, few ? 64 : x->lanes, x->slots);
	return l;
}

void circuit_expand(struct circuit_worker *w, const struct expansion *e)
{
	if (!w->expander)
		w->expander = find_expander(w->e);
	for (size_t from = 0; from < e->count;) {
		size_t left = e->count - from;
		const struct lane_group *lanes = lanes_for(w, left);
		size_t room = (size_t)lanes->words * 64;
		struct batch b = {e, lanes, from, left < room ? left : room};
		expand_batch(w, &b);
		from += b.count;
	}
}
