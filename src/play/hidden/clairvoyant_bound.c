/* Breadth-first search for ends: all states of one depth are expanded in one pass, and answers are stored by state.
 * After several failures in a row it is not tried again. */
#include "play/hidden/clairvoyant_bound.h"

#include "base/bits.h"
#include "base/hash.h"

#include <assert.h>
#include <string.h>

#define MOST_STATES 1500 /* of one search */
#define MOST_ANSWERS 500000
#define STEP 0.001 /* what a step costs, of 0..1 */
#define FAILURES 8 /* in a row, and it is not asked any more */

struct answer {
	uint64_t hash;
	float value;
};

struct clairvoyant_bound {
	uint32_t failures;
	struct table table; /* of states met in this search */
	VEC(uint64_t) states, from, next, legal;
	VEC(uint64_t) here; /* legal moves where the search begins */
	VEC(uint32_t) moves, joint;
	VEC(uint8_t) terminal;
	VEC(int) goals;
	struct table known;
	VEC(struct answer) answers;
};

struct clairvoyant_bound *clairvoyant_bound_new(void)
{
	return NEW(struct clairvoyant_bound);
}

void clairvoyant_bound_free(struct clairvoyant_bound *f)
{
	table_free(&f->table);
	table_free(&f->known);
	vec_free(&f->states);
	vec_free(&f->from);
	vec_free(&f->next);
	vec_free(&f->legal);
	vec_free(&f->here);
	vec_free(&f->moves);
	vec_free(&f->joint);
	vec_free(&f->terminal);
	vec_free(&f->goals);
	vec_free(&f->answers);
	mem_free(f);
}

/* True: not met before, and now it is. */
static bool meet(struct clairvoyant_bound *f, const struct game *g, const uint64_t *state)
{
	uint64_t h = game_hash(g, state);
	uint32_t it = 0, id, words = g->words;
	for (table_start(&f->table, h, &it); (id = table_next(&f->table, h, &it)) != TABLE_NONE;)
		if (!memcmp(f->states.at + (size_t)id * words, state, words * sizeof *state))
			return false;
	assert(f->states.n % words == 0);
	table_add(&f->table, h, (uint32_t)(f->states.n / words));
	vec_extend(&f->states, words);
	memcpy(f->states.at + f->states.n - words, state, words * sizeof *state);
	return true;
}

/* Pairs of a state with each of the role's moves. False: chance decides. */
static bool put(struct clairvoyant_bound *f, struct seat *s, const uint64_t *state, const uint64_t *legal)
{
	const struct game *g = s->game;
	vec_reserve(&f->joint, g->roles);
	uint32_t *joint = f->joint.at;
	for (uint32_t r = 0; r < g->roles; r++) {
		size_t end = g->first_move[r + 1], first = bits_next(legal, end, g->first_move[r]);
		joint[r] = (uint32_t)first;
		if (first == end || (r != s->role && bits_next(legal, end, first + 1) < end))
			return false;
	}
	size_t end = g->first_move[s->role + 1];
	for (size_t m = joint[s->role]; m < end; m = bits_next(legal, end, m + 1)) {
		joint[s->role] = (uint32_t)m;
		for (uint32_t r = 0; r < g->roles; r++)
			vec_push(&f->moves, joint[r]);
		vec_extend(&f->from, g->words);
		memcpy(f->from.at + f->from.n - g->words, state, g->words * sizeof *state);
	}
	return true;
}

/* The pairs put down become the states of the next depth. */
static void advance(struct clairvoyant_bound *f, struct seat *s)
{
	const struct game *g = s->game;
	size_t n = f->moves.n / g->roles;
	assert(n && f->from.n == n * g->words);
	vec_clear(&f->next);
	vec_clear(&f->legal);
	vec_clear(&f->terminal);
	vec_clear(&f->goals);
	vec_extend(&f->next, n * g->words);
	vec_extend(&f->legal, n * game_legal_words(g));
	vec_extend(&f->terminal, n);
	vec_extend(&f->goals, n * g->roles);
	game_expand(s->worker, &(struct expansion){.states = f->from.at,
	                                           .moves = f->moves.at,
	                                           .count = n,
	                                           .next = f->next.at,
	                                           .terminal = f->terminal.at,
	                                           .goals = f->goals.at,
	                                           .legal = f->legal.at});
	vec_clear(&f->from);
	vec_clear(&f->moves);
}

static double search(struct clairvoyant_bound *f, struct seat *s, const uint64_t *state)
{
	const struct game *g = s->game;
	uint32_t legal_words = game_legal_words(g);
	double best = -1;
	table_clear(&f->table);
	vec_clear(&f->states);
	vec_clear(&f->from);
	vec_clear(&f->moves);
	struct view v = game_look(s->worker, state);
	vec_reserve(&f->here, legal_words);
	uint64_t *legal = f->here.at;
	memset(legal, 0, legal_words * sizeof *legal);
	for (uint32_t i = 0; i < v.start[g->roles]; i++)
		bits_add(legal, v.legal[i]);
	if (!put(f, s, state, legal))
		return -1;
	for (uint32_t depth = 1; f->moves.n; depth++) {
		double cost = STEP * depth;
		if (best >= 1 - cost) /* nothing better can come */
			break;
		advance(f, s);
		for (size_t i = 0; i < f->terminal.n; i++) {
			int goal = f->goals.at[i * g->roles + s->role];
			if (f->terminal.at[i])
				best = goal != GOAL_NONE && goal / 100.0 - cost > best ? goal / 100.0 - cost : best;
			else if (meet(f, g, f->next.at + i * g->words) &&
			         !put(f, s, f->next.at + i * g->words, f->legal.at + i * legal_words))
				return -1;
		}
		if (f->states.n / g->words > MOST_STATES)
			return best;
	}
	return best < 0 ? 0 : best;
}

double clairvoyant_bound_of(struct clairvoyant_bound *f, struct seat *s, const uint64_t *state)
{
	assert(s->role < s->game->roles);
	uint64_t h = game_hash(s->game, state);
	uint32_t it = 0, id;
	if (s->game->interpreter || f->failures >= FAILURES)
		return -1;
	for (table_start(&f->known, h, &it); (id = table_next(&f->known, h, &it)) != TABLE_NONE;)
		if (f->answers.at[id].hash == h)
			return (double)f->answers.at[id].value;
	if (f->answers.n >= MOST_ANSWERS) {
		vec_clear(&f->answers);
		table_clear(&f->known);
	}
	double value = search(f, s, state);
	f->failures = value < 0 ? f->failures + 1 : 0;
	table_add(&f->known, h, (uint32_t)f->answers.n);
	vec_push(&f->answers, (struct answer){h, (float)value});
	return value;
}
