/* Canonical states by the symmetries of the rules. */
#include "play/mac/symmetry_table.h"

#include "base/hash.h"
#include "base/rng.h"

#include <assert.h>
#include <string.h>

#define SAMPLE 400 /* states of random matches */

struct symmetry_table {
	struct symmetry *s;
	const uint32_t *swap; /* an element that moves roles, where that is of use; or NULL */
	uint32_t *roles;      /* where it puts them */
	uint64_t *scratch;
	struct rounds *rounds; /* NULL: too large, or there was no time */
	uint16_t *among;       /* elements that canonical states are looked for among */
	size_t among_count;
};

/* Canonical states met so far. */
struct met_states {
	const struct game *game;
	struct table table;
	VEC(uint64_t) all;
};

static bool is_met(const struct met_states *m, const uint64_t *state)
{
	uint64_t h = hash_mix(game_hash(m->game, state));
	size_t words = m->game->words;
	uint32_t it, id;
	for (table_start(&m->table, h, &it); (id = table_next(&m->table, h, &it)) != TABLE_NONE;)
		if (!memcmp(m->all.at + id * words, state, words * sizeof *state))
			return true;
	return false;
}

static void meet(struct met_states *m, const uint64_t *state)
{
	size_t words = m->game->words, id = m->all.n / words;
	assert(m->all.n % words == 0);
	vec_extend(&m->all, words);
	memcpy(m->all.at + id * words, state, words * sizeof *state);
	table_add(&m->table, hash_mix(game_hash(m->game, state)), (uint32_t)id);
}

static void take_swap(struct symmetry_table *x, const uint32_t *element)
{
	struct symmetry *s = x->s;
	x->swap = element;
	for (uint32_t r = 0; r < s->game->roles; r++)
		x->roles[r] = element[s->first_role + r] - s->first_role;
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
	struct met_states states = {.game = g};
	bool met = false;
	memcpy(at, g->initial, g->words * sizeof *at);
	for (int i = 0; i < SAMPLE && !met && !limit_reached(limit); i++) {
		symmetry_canonical(x->s, at, SYMMETRY_HOME, own);
		symmetry_apply(x->s, x->swap, own, x->scratch);
		symmetry_canonical(x->s, x->scratch, SYMMETRY_HOME, twin);
		meet(&states, own);
		met = is_met(&states, twin);
		struct view v = game_look(w, at);
		if (v.terminal || !game_random_move(g, &v, &rng, moves))
			memcpy(at, g->initial, g->words * sizeof *at);
		else
			game_next(w, at, moves, at);
	}
	table_free(&states.table);
	vec_free(&states.all);
	worker_free(w);
	mem_free(moves);
	mem_free(at);
	return met;
}

/* An element that moves roles, if possible one that leaves the initial state as it is. */
static void find_swap(struct symmetry_table *x, const struct limit *limit)
{
	struct symmetry *s = x->s;
	assert(s->scope[SYMMETRY_STEADY] <= s->element_count);
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
	x->among = NEW_ARRAY(uint16_t, SYMMETRY_ELEMENTS);
	x->among_count = x->s->scope[SYMMETRY_HOME] ? x->s->scope[SYMMETRY_HOME] : 1;
	for (size_t i = 0; i < x->among_count; i++)
		x->among[i] = (uint16_t)i;
	find_swap(x, limit);
	if (!x->s->skipped && !limit_reached(limit))
		x->rounds = rounds_new(g, 0, limit);
	return x;
}

void symmetry_table_free(struct symmetry_table *x)
{
	if (!x)
		return;
	symmetry_free(x->s);
	mem_free(x->roles);
	mem_free(x->scratch);
	mem_free(x->among);
	rounds_free(x->rounds);
	mem_free(x);
}

const struct symmetry *symmetry_table_of(const struct symmetry_table *x)
{
	return x->s;
}

bool symmetry_table_useful(const struct symmetry_table *x)
{
	return x->s->scope[SYMMETRY_HOME] > 1 || x->swap;
}

/* ---- rounds -------------------------------------------------------------------------- */

struct rounds *symmetry_table_rounds(const struct symmetry_table *x)
{
	return x->rounds;
}

void symmetry_table_root(struct symmetry_table *x, const uint64_t *state)
{
	if (!x->s->skipped && x->s->scope[SYMMETRY_HOME] > 1)
		x->among_count = symmetry_fixing(x->s, state, SYMMETRY_HOME, x->scratch, x->among);
	assert(x->among_count >= 1 && x->among_count <= SYMMETRY_ELEMENTS && !x->among[0]); /* the identity */
}

/* ---- the hook -------------------------------------------------------------------------- */

const uint32_t *symmetry_table_canonical(void *context, const uint64_t *state, uint64_t *own, uint64_t *twin)
{
	struct symmetry_table *x = context;
	symmetry_canonical_among(x->s, state, x->among, x->among_count, own);
	if (!x->swap)
		return NULL;
	symmetry_apply(x->s, x->swap, own, x->scratch);
	symmetry_canonical_among(x->s, x->scratch, x->among, x->among_count, twin);
	return x->roles;
}
