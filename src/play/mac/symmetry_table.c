/* Canonical states by the symmetries of the rules, or by a table of what equivalent joint moves lead to. */
#include "play/mac/symmetry_table.h"

#include "base/hash.h"
#include "base/rng.h"

#include <string.h>

#define MAX_JOINT 4096   /* joint moves of a round that are looked at */
#define SAMPLE 400       /* states of random matches */
#define MAX_STORED 65536 /* states in the table before it is emptied */

struct symmetry_table {
	struct symmetry *s;
	const uint32_t *swap; /* an element that moves roles, where that is of use; or NULL */
	uint32_t *roles;      /* where it puts them */
	uint64_t *scratch;
	/* states after equivalent joint moves: state i stands for itself as leader[i] */
	struct table table;
	VEC(uint64_t) stored;
	VEC(uint32_t) leader;
};

static uint32_t stored_at(const struct symmetry_table *x, const uint64_t *state)
{
	uint64_t h = hash_mix(game_hash(x->s->game, state));
	size_t words = x->s->game->words;
	uint32_t it, id;
	for (table_start(&x->table, h, &it); (id = table_next(&x->table, h, &it)) != TABLE_NONE;)
		if (!memcmp(x->stored.at + id * words, state, words * sizeof *state))
			return id;
	return TABLE_NONE;
}

static void store(struct symmetry_table *x, const uint64_t *state, uint32_t leader)
{
	size_t words = x->s->game->words;
	if (stored_at(x, state) != TABLE_NONE)
		return;
	uint32_t id = (uint32_t)x->leader.n;
	vec_extend(&x->stored, words);
	memcpy(x->stored.at + id * words, state, words * sizeof *state);
	vec_push(&x->leader, leader == TABLE_NONE ? id : leader);
	table_add(&x->table, hash_mix(game_hash(x->s->game, state)), id);
}

static void take_swap(struct symmetry_table *x, const uint32_t *element)
{
	struct symmetry *s = x->s;
	x->swap = element;
	for (uint32_t r = 0; r < s->game->roles; r++)
		x->roles[r] = element[s->first_role + r] - s->first_role;
}

static void forget(struct symmetry_table *x)
{
	table_clear(&x->table);
	vec_clear(&x->stored);
	vec_clear(&x->leader);
}

/* Are states met in random matches twins of one another? In most games that are
 * played in turn the twin, with the other one to move, is a state that never comes. */
static bool twins_are_met(struct symmetry_table *x, const struct limit *limit)
{
	struct game *g = x->s->game;
	struct worker *w = worker_new(g);
	struct rng rng = rng_seed(1);
	uint64_t *at = mem_alloc(3 * (size_t)g->words + 1, sizeof *at), *own = at + g->words, *twin = own + g->words;
	uint32_t *moves = NEW_ARRAY(uint32_t, g->roles);
	bool met = false;
	memcpy(at, g->initial, g->words * sizeof *at);
	for (int i = 0; i < SAMPLE && !met && !limit_reached(limit); i++) {
		symmetry_canonical(x->s, at, SYMMETRY_HOME, own);
		symmetry_apply(x->s, x->swap, own, x->scratch);
		symmetry_canonical(x->s, x->scratch, SYMMETRY_HOME, twin);
		store(x, own, TABLE_NONE);
		met = stored_at(x, twin) != TABLE_NONE;
		struct view v = game_look(w, at);
		if (v.terminal || !game_random_move(g, &v, &rng, moves))
			memcpy(at, g->initial, g->words * sizeof *at);
		else
			game_next(w, at, moves, at);
	}
	forget(x);
	worker_free(w);
	mem_free(moves);
	mem_free(at);
	return met;
}

/* An element that moves roles, best one that leaves the initial state as it is. */
static void find_swap(struct symmetry_table *x, const struct limit *limit)
{
	struct symmetry *s = x->s;
	for (size_t i = s->scope[SYMMETRY_STEADY]; i < s->element_count; i++) {
		const uint32_t *e = s->elements.at + i * s->points;
		symmetry_apply(s, e, s->game->initial, x->scratch);
		bool home = symmetry_same(s, x->scratch, s->game->initial);
		if (!x->swap || home)
			take_swap(x, e);
		if (home)
			return;
	}
	if (x->swap && !twins_are_met(x, limit))
		x->swap = NULL;
}

struct symmetry_table *symmetry_table_new(struct game *g, const struct limit *limit)
{
	struct symmetry_table *x = NEW(struct symmetry_table);
	x->s = symmetry_find(g, &(struct symmetry_options){.limit = *limit, .checks = 8});
	x->roles = NEW_ARRAY(uint32_t, g->roles + 1);
	x->scratch = NEW_ARRAY(uint64_t, g->words + 1);
	find_swap(x, limit);
	return x;
}

void symmetry_table_free(struct symmetry_table *x)
{
	if (!x)
		return;
	symmetry_free(x->s);
	mem_free(x->roles);
	mem_free(x->scratch);
	table_free(&x->table);
	vec_free(&x->stored);
	vec_free(&x->leader);
	mem_free(x);
}

const struct symmetry *symmetry_table_of(const struct symmetry_table *x)
{
	return x->s;
}

bool symmetry_table_useful(const struct symmetry_table *x)
{
	return x->s->scope[SYMMETRY_HOME] > 1 || x->swap || !x->s->all;
}

/* ---- the round ---------------------------------------------------------------------- */

struct joint_moves {
	const struct symmetry *s;
	VEC(uint32_t) legal, start, place; /* place: by move, among its role's legal ones */
	uint32_t count;
};

/* Number of a joint move, roles counted like digits. */
static uint32_t number_of(const struct joint_moves *j, const uint32_t *moves)
{
	uint32_t n = 0;
	for (uint32_t r = j->s->game->roles; r-- > 0;)
		n = n * (j->start.at[r + 1] - j->start.at[r]) + j->place.at[moves[r]];
	return n;
}

static void moves_of(const struct joint_moves *j, uint32_t n, uint32_t *moves)
{
	for (uint32_t r = 0; r < j->s->game->roles; r++) {
		uint32_t c = j->start.at[r + 1] - j->start.at[r];
		moves[r] = j->legal.at[j->start.at[r] + n % c];
		n /= c;
	}
}

static bool list_joint(struct joint_moves *j, const struct view *v)
{
	const struct game *g = j->s->game;
	uint64_t count = !v->terminal;
	for (uint32_t m = 0; m < g->moves; m++)
		vec_push(&j->place, 0);
	for (uint32_t r = 0; r <= g->roles; r++)
		vec_push(&j->start, v->start[r]);
	for (uint32_t r = 0; r < g->roles && count <= MAX_JOINT; r++)
		for (uint32_t i = v->start[r]; i < v->start[r + 1]; i++) {
			j->place.at[v->legal[i]] = i - v->start[r];
			vec_push(&j->legal, v->legal[i]);
			count *= i == v->start[r] ? v->start[r + 1] - v->start[r] : 1;
		}
	j->count = (uint32_t)count;
	return count > 1 && count <= MAX_JOINT && j->legal.n == v->start[g->roles];
}

static bool keeps_roles(const struct symmetry *s, const uint32_t *image)
{
	for (uint32_t p = s->first_role; p < s->first_percept; p++)
		if (image[p] != p)
			return false;
	return true;
}

/* orbit[i]: the smallest joint move equivalent to joint move i. Walks through what
 * the generators reach from each. */
static void joint_orbits(const struct joint_moves *j, const struct symmetry_group *group, uint32_t *orbit)
{
	const struct symmetry *s = j->s;
	uint32_t roles = s->game->roles, *moves = NEW_ARRAY(uint32_t, 2 * (size_t)roles), *image = moves + roles;
	VEC(uint32_t) todo = {0};
	for (uint32_t i = 0; i < j->count; i++)
		orbit[i] = TABLE_NONE;
	for (uint32_t i = 0; i < j->count; i++) {
		if (orbit[i] != TABLE_NONE)
			continue;
		orbit[i] = i;
		vec_push(&todo, i);
		while (todo.n) {
			moves_of(j, vec_pop(&todo), moves);
			for (size_t k = 0; k < group->generators; k++) {
				const uint32_t *e = group->images.at + k * s->points;
				if (!keeps_roles(s, e))
					continue;
				for (uint32_t r = 0; r < roles; r++)
					image[r] = e[s->first_move + moves[r]] - s->first_move;
				uint32_t n = number_of(j, image);
				if (orbit[n] != TABLE_NONE)
					continue;
				orbit[n] = i;
				vec_push(&todo, n);
			}
		}
	}
	vec_free(&todo);
	mem_free(moves);
}

static size_t store_orbits(struct symmetry_table *x, struct worker *w, const struct joint_moves *j, const uint32_t *orbit,
                           const uint64_t *state)
{
	uint32_t *moves = NEW_ARRAY(uint32_t, x->s->game->roles);
	size_t shared = 0;
	for (uint32_t i = 0; i < j->count; i++) {
		uint32_t leader = TABLE_NONE;
		if (orbit[i] != i) {
			moves_of(j, orbit[i], moves);
			game_next(w, state, moves, x->scratch);
			leader = stored_at(x, x->scratch);
			leader = leader == TABLE_NONE ? leader : x->leader.at[leader];
			shared++;
		}
		moves_of(j, i, moves);
		game_next(w, state, moves, x->scratch);
		store(x, x->scratch, leader);
	}
	mem_free(moves);
	return shared;
}

bool symmetry_table_by_round(const struct symmetry_table *x)
{
	return !x->s->all && !x->s->skipped;
}

size_t symmetry_table_round(struct symmetry_table *x, struct worker *w, const uint64_t *state, const uint32_t *nogoods,
                       size_t count, const struct limit *limit)
{
	struct symmetry_group group = {0};
	struct joint_moves j = {.s = x->s};
	size_t shared = 0;
	if (!symmetry_table_by_round(x))
		return 0;
	if (x->leader.n > MAX_STORED)
		forget(x);
	struct view v = game_look(w, state);
	if (list_joint(&j, &v) && symmetry_stabiliser(x->s, state, nogoods, count, limit, &group) && group.generators) {
		uint32_t *orbit = mem_alloc(j.count, sizeof *orbit);
		joint_orbits(&j, &group, orbit);
		shared = store_orbits(x, w, &j, orbit, state);
		mem_free(orbit);
	}
	symmetry_group_free(&group);
	vec_free(&j.legal);
	vec_free(&j.start);
	vec_free(&j.place);
	return shared;
}

/* ---- the hook -------------------------------------------------------------------------- */

const uint32_t *symmetry_table_canonical(void *context, const uint64_t *state, uint64_t *own, uint64_t *twin)
{
	struct symmetry_table *x = context;
	uint32_t at = x->leader.n ? stored_at(x, state) : TABLE_NONE;
	if (at != TABLE_NONE)
		state = x->stored.at + (size_t)x->leader.at[at] * x->s->game->words;
	symmetry_canonical(x->s, state, SYMMETRY_HOME, own);
	if (!x->swap)
		return NULL;
	symmetry_apply(x->s, x->swap, own, x->scratch);
	symmetry_canonical(x->s, x->scratch, SYMMETRY_HOME, twin);
	return x->roles;
}
