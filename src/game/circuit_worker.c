/* Questions about one state, which runs in one lane of the program of everything. */
#include "game/circuit_internal.h"

#include <assert.h>
#include <string.h>

struct lane_group lane_group_new(const struct circuit_engine *e, uint32_t lanes, uint32_t slots)
{
	struct lane_group l = {.kernel = lanes_kernel(lanes, e->plain)};
	l.words = l.kernel->words;
	l.slots = mem_align(((size_t)slots + 1) * l.words, sizeof *l.slots);
	return l;
}

struct circuit_worker *circuit_worker_new(const struct game *g)
{
	struct circuit_worker *w = NEW(struct circuit_worker);
	w->g = g;
	w->e = g->circuit;
	w->narrow = lane_group_new(w->e, 64, w->e->full.slots);
	w->goals = NEW_ARRAY(int, g->roles + 1);
	return w;
}

void circuit_worker_free(struct circuit_worker *w)
{
	mem_free(w->narrow.slots);
	mem_free(w->few.slots);
	mem_free(w->many.slots);
	mem_free(w->goals);
	vec_free(&w->legal.items);
	vec_free(&w->legal.start);
	vec_free(&w->seen.items);
	vec_free(&w->seen.start);
	mem_free(w);
}

static void load(struct circuit_worker *w, const uint64_t *state)
{
	for (uint32_t f = 0; f < w->g->fluents; f++)
		w->narrow.slots[f] = bits_has(state, f);
}

static void run_first(const struct circuit_worker *w)
{
	const struct program *p = &w->e->full;
	w->narrow.kernel->run(p->code.at, p->code.at + p->second, w->narrow.slots);
}

static void run_second(const struct circuit_worker *w)
{
	const struct program *p = &w->e->full;
	w->narrow.kernel->run(p->code.at + p->second, p->code.at + p->code.n, w->narrow.slots);
}

void lane_goals(const struct circuit_worker *w, const struct lane_group *l, uint32_t first, uint32_t lane, int *out)
{
	assert(lane < l->kernel->lanes);
	const struct ground *ground = w->e->ground;
	for (uint32_t r = 0; r < w->g->roles; r++) {
		uint32_t found = 0;
		out[r] = GOAL_NONE;
		for (uint32_t i = ground->goals.start.at[r]; i < ground->goals.start.at[r + 1]; i++)
			if (lane_slot(l, first + i)[lane / 64] >> lane % 64 & 1) {
				out[r] = w->e->goal_value[i];
				found++;
			}
		if (found != 1)
			out[r] = GOAL_NONE;
	}
}

struct view circuit_look(struct circuit_worker *w, const uint64_t *state)
{
	const struct game *g = w->g;
	load(w, state);
	run_first(w);
	vec_clear(&w->legal.items);
	vec_clear(&w->legal.start);
	for (uint32_t r = 0; r < g->roles; r++) {
		vec_push(&w->legal.start, narrow32(w->legal.items.n));
		for (uint32_t m = g->first_move[r]; m < g->first_move[r + 1]; m++)
			if (w->narrow.slots[g->fluents + m] & 1)
				vec_push(&w->legal.items, m);
	}
	vec_push(&w->legal.start, narrow32(w->legal.items.n));
	lane_goals(w, &w->narrow, w->e->full_goals, 0, w->goals);
	return (struct view){w->narrow.slots[w->e->full_terminal] & 1, w->legal.items.at, w->legal.start.at, w->goals};
}

/* Both phases for one state in lane 0. */
static void step_one(struct circuit_worker *w, const uint64_t *state, const uint32_t *moves)
{
	load(w, state);
	run_first(w);
	memset(w->narrow.slots + w->g->fluents, 0, w->g->moves * sizeof *w->narrow.slots);
	for (uint32_t r = 0; r < w->g->roles; r++)
		w->narrow.slots[w->g->fluents + moves[r]] = 1;
	run_second(w);
}

void circuit_next(struct circuit_worker *w, const uint64_t *state, const uint32_t *moves, uint64_t *next)
{
	step_one(w, state, moves);
	memset(next, 0, w->g->words * sizeof *next);
	for (uint32_t f = 0; f < w->g->fluents; f++)
		if (w->narrow.slots[w->e->full_next + f] & 1)
			bits_add(next, f);
}

struct percepts circuit_sees(struct circuit_worker *w, const uint64_t *state, const uint32_t *moves)
{
	const struct ground *ground = w->e->ground;
	step_one(w, state, moves);
	vec_clear(&w->seen.items);
	vec_clear(&w->seen.start);
	for (uint32_t r = 0; r < w->g->roles; r++) {
		vec_push(&w->seen.start, narrow32(w->seen.items.n));
		for (uint32_t i = ground->percepts.start.at[r]; i < ground->percepts.start.at[r + 1]; i++)
			if (w->narrow.slots[w->e->full_percepts + i] & 1)
				vec_push(&w->seen.items, i);
	}
	vec_push(&w->seen.start, narrow32(w->seen.items.n));
	return (struct percepts){w->seen.items.at, w->seen.start.at};
}
