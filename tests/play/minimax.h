/* Plain minimax over all positions of small games, for the tests of proofs and of alpha-beta. */
#ifndef TESTS_PLAY_MINIMAX_H
#define TESTS_PLAY_MINIMAX_H

#include "make_game.h"

#include "play/player.h"

static inline struct seat new_seat(struct game *g, uint32_t role)
{
	return (struct seat){.game = g, .role = role, .worker = worker_new(g), .rng = rng_seed(7)};
}

static inline void free_seat(struct seat *s)
{
	worker_free(s->worker);
	text_free(&s->why);
}

/* ---- minimax, remembering whole states --------------------------------------------------------------- */

#define MEMO (1u << 19)
#define TOO_MANY (MEMO / 2)

struct memo {
	struct game *g;
	struct worker *w;
	uint32_t role, words;
	uint64_t *states;
	int *values; /* below 0: empty */
	uint32_t count;
	bool full;
};

static inline void memo_make(struct memo *m, struct game *g, uint32_t role)
{
	*m = (struct memo){.g = g, .w = worker_new(g), .role = role, .words = g->words};
	m->states = mem_alloc((size_t)MEMO * g->words, sizeof *m->states);
	m->values = mem_alloc(MEMO, sizeof *m->values);
	for (uint32_t i = 0; i < MEMO; i++)
		m->values[i] = -1;
}

static inline void memo_free(struct memo *m)
{
	worker_free(m->w);
	mem_free(m->states);
	mem_free(m->values);
}

static inline uint32_t memo_place(const struct memo *m, const uint64_t *state)
{
	uint32_t i = (uint32_t)game_hash(m->g, state) & (MEMO - 1);
	while (m->values[i] >= 0 && memcmp(m->states + (size_t)i * m->words, state, m->words * sizeof *state) != 0)
		i = (i + 1) & (MEMO - 1);
	return i;
}

static inline int minimax(struct memo *m, const uint64_t *state);

/* Over the joint moves; one of the roles has one move only. */
static inline int minimax_of_moves(struct memo *m, const struct view *v, const uint64_t *state)
{
	uint32_t count[2] = {v->start[1] - v->start[0], v->start[2] - v->start[1]}, n = count[0] * count[1], joint[2];
	uint32_t *legal = mem_alloc(v->start[2], sizeof *legal), second = v->start[1];
	uint64_t *next = mem_alloc(m->words, sizeof *next);
	bool max = count[1 - m->role] == 1;
	int best = max ? -1 : 101;
	memcpy(legal, v->legal, v->start[2] * sizeof *legal);
	assert_true(count[0] == 1 || count[1] == 1);
	for (uint32_t i = 0; i < n && !m->full; i++) {
		joint[0] = legal[i % count[0]];
		joint[1] = legal[second + i / count[0]];
		game_next(m->w, state, joint, next);
		int x = minimax(m, next);
		best = max ? x > best ? x : best : x < best ? x : best;
	}
	mem_free(legal);
	mem_free(next);
	return best;
}

/* For the role, the other one against it. No cycles. */
static inline int minimax(struct memo *m, const uint64_t *state)
{
	uint32_t at = memo_place(m, state);
	if (m->values[at] >= 0)
		return m->values[at];
	if (m->full || m->count > TOO_MANY) {
		m->full = true;
		return 0;
	}
	struct view v = game_look(m->w, state);
	int value = v.terminal ? v.goals[m->role] : minimax_of_moves(m, &v, state);
	if (m->full)
		return 0;
	at = memo_place(m, state);
	memcpy(m->states + (size_t)at * m->words, state, m->words * sizeof *state);
	m->values[at] = value;
	m->count++;
	return value;
}

/* A position some random steps from the start; false: it is over. */
static inline bool walk(struct seat *s, uint32_t steps, uint64_t *state)
{
	uint32_t joint[2];
	memcpy(state, s->game->initial, s->game->words * sizeof *state);
	for (;; steps--) {
		struct view v = game_look(s->worker, state);
		if (v.terminal || !game_random_move(s->game, &v, &s->rng, joint))
			return false;
		if (!steps)
			return true;
		game_next(s->worker, state, joint, state);
	}
}

#endif
