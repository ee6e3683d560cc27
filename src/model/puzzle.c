#include "model/puzzle.h"

#include "base/bits.h"
#include "game/engine.h"

#include <string.h>

#define BATCH 4096 /* children expanded at a time */

/* A state met: which one it came from, and by which move. */
struct met {
	uint32_t parent, move;
};

struct puzzle {
	struct game *g;
	struct worker *w;
	struct puzzle_result *r;
	const struct puzzle_options *o;
	uint64_t *mask;        /* fluents that tell states apart */
	VEC(uint64_t) states;  /* masked */
	VEC(uint64_t) legal;   /* legal moves of the states, as game_expand gives them */
	VEC(struct met) met;
	struct table index;
	uint32_t words, legal_words;
	uint32_t best; /* state of the best end */
	/* the batch */
	VEC(uint64_t) from;
	VEC(uint32_t) moves, parents;
	uint64_t *next, *next_legal;
	uint8_t *terminal;
	int *goals;
};

static const uint64_t *state_at(const struct puzzle *p, uint32_t i)
{
	return p->states.at + (size_t)i * p->words;
}

/* The number of a state, new or known; *fresh says which. */
static uint32_t meet(struct puzzle *p, const uint64_t *state, uint32_t parent, uint32_t move, bool *fresh)
{
	uint64_t h = hash_bytes(state, p->words * 8);
	uint32_t it, id;
	*fresh = false;
	for (table_start(&p->index, h, &it); (id = table_next(&p->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(state_at(p, id), state, p->words * 8))
			return id;
	id = (uint32_t)p->met.n;
	vec_extend(&p->states, p->words);
	memcpy(p->states.at + (size_t)id * p->words, state, p->words * 8);
	struct met m = {parent, move};
	vec_push(&p->met, m);
	table_add(&p->index, h, id);
	*fresh = true;
	return id;
}

/* An end with this goal; true when it cannot be bettered. */
static bool reached(struct puzzle *p, uint32_t state, int goal)
{
	if (goal > p->r->best) {
		p->r->best = goal;
		p->best = state;
	}
	return p->r->best == 100;
}

/* Expands what has been gathered; true: a best end was found. */
static bool flush(struct puzzle *p)
{
	struct game *g = p->g;
	struct expansion e = {.states = p->from.at, .moves = p->moves.at, .count = p->parents.n, .next = p->next,
	                      .terminal = p->terminal, .goals = p->goals, .legal = p->next_legal};
	bool done = false;
	if (!e.count)
		return false;
	game_expand(p->w, &e);
	p->r->expanded += e.count;
	for (size_t i = 0; i < e.count && !done; i++) {
		uint64_t *s = p->next + i * p->words;
		bool fresh;
		for (uint32_t k = 0; k < p->words; k++)
			s[k] &= p->mask[k];
		uint32_t id = meet(p, s, p->parents.at[i], p->moves.at[i * g->roles], &fresh);
		if (!fresh)
			continue;
		vec_extend(&p->legal, p->legal_words);
		uint64_t *legal = p->legal.at + (size_t)id * p->legal_words;
		memcpy(legal, p->next_legal + i * p->legal_words, p->legal_words * 8);
		if (p->terminal[i]) {
			memset(legal, 0, p->legal_words * 8); /* an end has no children */
			done = reached(p, id, p->goals[i * g->roles]);
		}
	}
	vec_clear(&p->from);
	vec_clear(&p->moves);
	vec_clear(&p->parents);
	return done;
}

static bool expand(struct puzzle *p, uint32_t id)
{
	bool done = false;
	for (uint32_t m = 0; m < p->g->moves && !done; m++) {
		if (!bits_has(p->legal.at + (size_t)id * p->legal_words, m))
			continue;
		vec_extend(&p->from, p->words);
		memcpy(p->from.at + p->from.n - p->words, state_at(p, id), p->words * 8);
		vec_push(&p->moves, m);
		vec_push(&p->parents, id);
		if (p->parents.n == BATCH)
			done = flush(p);
	}
	return done;
}

static size_t bytes(const struct puzzle *p)
{
	return p->met.n * ((p->words + p->legal_words) * 8 + sizeof(struct met) + 16);
}

static void search(struct puzzle *p)
{
	size_t memory = p->o->memory ? p->o->memory : (size_t)1 << 30;
	uint32_t layer_end = 1;
	bool done = false;
	for (uint32_t id = 0; !done; id++) {
		if (id == layer_end) {
			done = flush(p);
			if (done || p->met.n == layer_end)
				break;
			layer_end = (uint32_t)p->met.n;
			p->r->depth++;
		}
		if ((id & 255) == 0 && limit_reached(&p->o->limit))
			p->r->why = "out of time";
		if ((id & 255) == 0 && (bytes(p) > memory || p->met.n > UINT32_MAX / 2))
			p->r->why = "out of memory";
		if (p->r->why)
			return;
		done = done || expand(p, id);
	}
	p->r->proved = true;
}

/* The newest state first: no shortest plans, but an end soon. */
static void search_deep(struct puzzle *p)
{
	size_t memory = p->o->memory ? p->o->memory : (size_t)1 << 30;
	VEC(uint32_t) stack = {0};
	bool done = false;
	vec_push(&stack, 0);
	for (uint64_t turn = 0; stack.n && !done && !p->r->why; turn++) {
		uint32_t id = vec_pop(&stack), from = (uint32_t)p->met.n;
		done = expand(p, id) || flush(p);
		for (uint32_t k = from; k < p->met.n; k++)
			vec_push(&stack, k);
		if ((turn & 255) == 0 && limit_reached(&p->o->limit))
			p->r->why = "out of time";
		if ((turn & 255) == 0 && (bytes(p) > memory || p->met.n > UINT32_MAX / 2))
			p->r->why = "out of memory";
	}
	p->r->proved = !p->r->why;
	vec_free(&stack);
}

static void read_plan(struct puzzle *p)
{
	for (uint32_t id = p->best; id; id = p->met.at[id].parent)
		vec_push(&p->r->plan, p->met.at[id].move);
	for (size_t i = 0; i < p->r->plan.n / 2; i++) {
		uint32_t t = p->r->plan.at[i];
		p->r->plan.at[i] = p->r->plan.at[p->r->plan.n - 1 - i];
		p->r->plan.at[p->r->plan.n - 1 - i] = t;
	}
}

/* The first state; its legal moves come from a look. */
static bool begin(struct puzzle *p)
{
	struct game *g = p->g;
	bool fresh;
	uint64_t *s = mem_alloc(p->words + 1, 8);
	for (uint32_t k = 0; k < p->words; k++)
		s[k] = g->initial[k] & p->mask[k];
	meet(p, s, 0, 0, &fresh);
	mem_free(s);
	vec_extend(&p->legal, p->legal_words);
	memset(p->legal.at, 0, p->legal_words * 8);
	struct view v = game_look(p->w, g->initial);
	if (v.terminal)
		return reached(p, 0, v.goals[0]);
	for (uint32_t k = v.start[0]; k < v.start[1]; k++)
		bits_add(p->legal.at, v.legal[k]);
	return false;
}

void puzzle_space(struct game *g, const struct puzzle_options *o, bool deep, struct puzzle_result *r)
{
	struct puzzle p = {.g = g, .r = r, .o = o, .words = g->words};
	double start = clock_now();
	*r = (struct puzzle_result){.best = GOAL_NONE, .by = deep ? "state space, depth first" : "state space"};
	uint8_t *observable = mem_zalloc(g->fluents + 1, 1);
	circuit_observable(&g->circuit->circuit, observable);
	p.mask = NEW_ARRAY(uint64_t, g->words + 1);
	for (uint32_t f = 0; f < g->fluents; f++)
		if (observable[f])
			bits_add(p.mask, f);
	p.legal_words = game_legal_words(g);
	p.w = worker_new(g);
	p.next = NEW_ARRAY(uint64_t, (size_t)BATCH * g->words + 1);
	p.next_legal = NEW_ARRAY(uint64_t, (size_t)BATCH * p.legal_words + 1);
	p.terminal = NEW_ARRAY(uint8_t, BATCH);
	p.goals = NEW_ARRAY(int, BATCH);
	if (begin(&p))
		r->proved = true;
	else if (deep)
		search_deep(&p);
	else
		search(&p);
	if (r->best != GOAL_NONE)
		read_plan(&p);
	r->states = p.met.n;
	r->seconds = clock_now() - start;
	worker_free(p.w);
	mem_free(observable);
	mem_free(p.mask);
	mem_free(p.next);
	mem_free(p.next_legal);
	mem_free(p.terminal);
	mem_free(p.goals);
	vec_free(&p.states);
	vec_free(&p.legal);
	vec_free(&p.met);
	vec_free(&p.from);
	vec_free(&p.moves);
	vec_free(&p.parents);
	table_free(&p.index);
}

/* Keeps the better of two results in r. */
static void keep_better(struct puzzle_result *r, struct puzzle_result *other)
{
	if (other->proved || other->best > r->best) {
		puzzle_free(r);
		*r = *other;
	} else {
		puzzle_free(other);
	}
}

/* Breadth first, depth first, the unrolled rounds: a share of the time each. */
bool puzzle_solve(struct game *g, const struct puzzle_options *o, struct puzzle_result *r)
{
	double start = clock_now(), left = limit_left(&o->limit);
	struct puzzle_options part = *o;
	struct puzzle_result other;
	if (g->roles != 1 || g->engine != ENGINE_CIRCUIT)
		return false;
	left = left < 1e6 ? left : 60;
	part.limit = limit_seconds(left * 0.25);
	puzzle_space(g, &part, false, r);
	if (!r->proved) {
		part.limit = limit_seconds(left * 0.2);
		puzzle_space(g, &part, true, &other);
		keep_better(r, &other);
	}
	if (!r->proved && puzzle_unrolled(g, o, &other))
		keep_better(r, &other);
	r->seconds = clock_now() - start;
	return true;
}

void puzzle_free(struct puzzle_result *r)
{
	vec_free(&r->plan);
}
