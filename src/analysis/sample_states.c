/* States to try a permutation on (sample_states.h): from walks, from mixtures, and made to measure. */
#include "analysis/sample_states.h"

#include "base/bits.h"
#include "base/rng.h"
#include "game/rules_view.h"

#include <string.h>

enum { WALKED = 48, MIXED = 24, MADE = 16, MOST_MADE = 400 };

struct maker {
	struct sample_states *to;
	struct game *g;
	struct worker *w;
	struct rng rng;
	uint64_t *at;    /* of the walk */
	uint32_t *joint; /* its next move */
	VEC(lit_t) todo;
	lit_t *definition; /* by LOOP node */
	uint8_t *wanted;   /* by node: 1 + polarity that is being made */
};

static uint64_t *add_state(struct maker *m, const uint64_t *from)
{
	size_t words = m->g->words;
	vec_extend(&m->to->at, words);
	uint64_t *state = m->to->at.at + m->to->count++ * words;
	memcpy(state, from, words * sizeof *state);
	return state;
}

static void walk_on(struct maker *m, uint32_t steps)
{
	for (; steps; steps--) {
		struct view v = game_look(m->w, m->at);
		if (v.terminal || !game_random_move(m->g, &v, &m->rng, m->joint))
			memcpy(m->at, m->g->initial, m->g->words * sizeof *m->at);
		else
			game_next(m->w, m->at, m->joint, m->at);
	}
}

static void turn(uint64_t *state, uint32_t fluent)
{
	state[fluent / 64] ^= UINT64_C(1) << fluent % 64;
}

static void add_mixture(struct maker *m)
{
	uint32_t other = rng_below(&m->rng, (uint32_t)m->to->count), words = m->g->words;
	uint64_t *state = add_state(m, m->at);
	const uint64_t *with = m->to->at.at + (size_t)other * words;
	for (uint32_t f = 0; f < m->g->fluents; f++)
		if (bits_has(state, f) != bits_has(with, f) && rng_below(&m->rng, 2))
			turn(state, f);
	for (int k = 0; k < 4 && m->g->fluents; k++)
		turn(state, rng_below(&m->rng, m->g->fluents));
}

/* What makes this gate true (or false): all inputs, or one. */
static void want_inputs(struct maker *m, const struct gate *g, bool value)
{
	const struct circuit *c = game_rules_view(m->g)->circuit;
	bool all = (g->kind == GATE_AND) == value;
	uint32_t one = rng_below(&m->rng, g->n);
	for (uint32_t k = 0; k < g->n; k++)
		if (all || k == one)
			vec_push(&m->todo, c->inputs.at[g->in + k] ^ !value);
}

/* Turns fluents of the state so that the literal holds, if nothing contradicts. */
static void make_true(struct maker *m, lit_t l, uint64_t *state)
{
	const struct circuit *c = game_rules_view(m->g)->circuit;
	memset(m->wanted, 0, c->gates.n);
	vec_clear(&m->todo);
	vec_push(&m->todo, l);
	while (m->todo.n) {
		l = vec_pop(&m->todo);
		const struct gate *g = &c->gates.at[l / 2];
		bool value = !(l & 1);
		if (m->wanted[l / 2])
			continue;
		m->wanted[l / 2] = 1;
		if (g->kind == GATE_FLUENT && bits_has(state, l / 2 - 1) != value)
			turn(state, l / 2 - 1);
		else if (g->kind == GATE_LOOP)
			vec_push(&m->todo, m->definition[l / 2] ^ !value);
		else if (g->kind == GATE_AND || g->kind == GATE_OR)
			want_inputs(m, g, value);
	}
}

static void add_made(struct maker *m, lit_t l, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		bool bare = i % 2; /* from nothing: what is wanted rests on nothing else */
		if (!bare)
			walk_on(m, 1 + rng_below(&m->rng, 4));
		uint64_t *state = add_state(m, m->at);
		if (bare)
			memset(state, 0, m->g->words * sizeof *state);
		make_true(m, i % 8 >= 6 ? l ^ 1 : l, state);
	}
}

bool sample_states_make(struct sample_states *s, struct game *g, const struct limit *limit)
{
	const struct circuit *c = game_rules_view(g)->circuit;
	struct maker m = {.to = s, .g = g, .w = worker_new(g), .rng = rng_seed(11)};
	m.at = mem_alloc(g->words + 1, sizeof *m.at);
	m.joint = NEW_ARRAY(uint32_t, g->roles);
	m.definition = NEW_ARRAY(lit_t, c->gates.n);
	m.wanted = NEW_ARRAY(uint8_t, c->gates.n);
	memcpy(m.at, g->initial, g->words * sizeof *m.at);
	for (size_t k = 0; k < c->members.n; k++)
		m.definition[c->members.at[k].node] = c->members.at[k].definition;
	*s = (struct sample_states){0};
	bool late = false;
	for (int i = 0; i < WALKED && !(late = limit_reached(limit)); i++) {
		add_state(&m, m.at);
		walk_on(&m, 1 + rng_below(&m.rng, 4));
	}
	for (int i = 0; i < MIXED && !late && !(late = limit_reached(limit)); i++) {
		add_mixture(&m);
		walk_on(&m, 1 + rng_below(&m.rng, 4));
	}
	for (size_t i = 0; i <= c->goals.n && s->count < MOST_MADE && !late && !(late = limit_reached(limit)); i++)
		add_made(&m, i ? c->goals.at[i - 1] : c->terminal, MADE);
	worker_free(m.w);
	mem_free(m.at);
	mem_free(m.joint);
	mem_free(m.definition);
	mem_free(m.wanted);
	vec_free(&m.todo);
	return !late;
}
