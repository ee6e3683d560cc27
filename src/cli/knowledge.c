/* Keeps the set of positions that a role cannot tell from the true one.
 *
 * One step: every position of the set, with every joint move in which the role's own move is the one it made, goes
 * through macaw_look_many() beside the true one; those stay whose percepts (by their hash), legal moves of the role and
 * end agree with the true ones. */
#include "cli/knowledge.h"

#include "show/terminal.h"

#include <string.h>

enum { MOST_STATES = 20000, MOST_PAIRS = 400000, BATCH = 2048 };

struct knowledge {
	macaw_game *game;
	macaw_worker *worker;
	uint32_t role, roles;
	size_t words, legal_words, count;
	bool lost; /* there were too many */
	VEC(uint64_t) states, later;
	struct table index; /* of `later` */
	uint64_t *own;      /* the moves of the role, one bit each */
	uint64_t *certain, *possible;
	/* a batch: the true step first */
	VEC(uint64_t) positions;
	VEC(uint32_t) moves;
	size_t pairs; /* of this step */
};

static void give_up(struct knowledge *k)
{
	k->lost = true;
	k->count = 0;
	vec_clear(&k->states);
}

/* What holds in all, and in some. */
static void sum_up(struct knowledge *k)
{
	for (size_t w = 0; w < k->words; w++) {
		k->certain[w] = k->count ? UINT64_MAX : 0;
		k->possible[w] = 0;
	}
	for (size_t i = 0; i < k->count * k->words; i++) {
		k->certain[i % k->words] &= k->states.at[i];
		k->possible[i % k->words] |= k->states.at[i];
	}
}

struct knowledge *knowledge_new(macaw_game *g, uint32_t role)
{
	struct knowledge *k = NEW(struct knowledge);
	*k = (struct knowledge){.game = g,
	                        .worker = macaw_worker_new(g, NULL),
	                        .role = role,
	                        .roles = macaw_game_roles(g),
	                        .words = macaw_position_words(g),
	                        .legal_words = macaw_legal_words(g),
	                        .count = 1};
	k->own = NEW_ARRAY(uint64_t, k->legal_words + 1);
	k->certain = NEW_ARRAY(uint64_t, k->words + 1);
	k->possible = NEW_ARRAY(uint64_t, k->words + 1);
	vec_set(&k->states, macaw_position_initial(g), k->words);
	sum_up(k);
	/* the interpreter numbers moves as it meets them */
	if (!k->worker || macaw_game_engine(g) != MACAW_ENGINE_CIRCUIT)
		give_up(k);
	for (uint32_t m = 0; m < macaw_game_moves(g); m++)
		if (macaw_game_role_of(g, m) == role)
			bits_add(k->own, m);
	return k;
}

void knowledge_free(struct knowledge *k)
{
	if (!k)
		return;
	macaw_worker_free(k->worker);
	vec_free(&k->states);
	vec_free(&k->later);
	vec_free(&k->positions);
	vec_free(&k->moves);
	table_free(&k->index);
	mem_free(k->own);
	mem_free(k->certain);
	mem_free(k->possible);
	mem_free(k);
}

static void keep(struct knowledge *k, const uint64_t *state)
{
	uint64_t h = hash_mix(macaw_position_hash(k->game, state));
	uint32_t it, id;
	for (table_start(&k->index, h, &it); (id = table_next(&k->index, h, &it)) != TABLE_NONE;)
		if (!memcmp(k->later.at + (size_t)id * k->words, state, k->words * sizeof *state))
			return;
	table_add(&k->index, h, (uint32_t)(k->later.n / k->words));
	vec_extend(&k->later, k->words);
	memcpy(k->later.at + k->later.n - k->words, state, k->words * sizeof *state);
}

/* Does step i of the batch look like the first to the role? */
static bool looks_alike(const struct knowledge *k, const macaw_batch *b, size_t i)
{
	bool same = b->terminal[i] == b->terminal[0] && b->seen[i * k->roles + k->role] == b->seen[k->role];
	for (size_t w = 0; w < k->legal_words && same; w++)
		same = !((b->legal[i * k->legal_words + w] ^ b->legal[w]) & k->own[w]);
	return same;
}

/* Tries the steps that were put down; the true one stays for the next batch. */
static void flush(struct knowledge *k)
{
	size_t n = k->moves.n / k->roles;
	macaw_batch b = {.positions = k->positions.at,
	                 .moves = k->moves.at,
	                 .count = n,
	                 .next = NEW_ARRAY(uint64_t, n * k->words + 1),
	                 .terminal = NEW_ARRAY(uint8_t, n + 1),
	                 .legal = NEW_ARRAY(uint64_t, n * k->legal_words + 1),
	                 .seen = NEW_ARRAY(uint64_t, n * k->roles + 1)};
	if (!macaw_look_many(k->worker, &b))
		give_up(k);
	for (size_t i = 0; i < n && !k->lost; i++)
		if (looks_alike(k, &b, i))
			keep(k, b.next + i * k->words);
	if (k->later.n / k->words > MOST_STATES)
		give_up(k);
	k->positions.n = k->words;
	k->moves.n = k->roles;
	mem_free(b.next);
	mem_free(b.terminal);
	mem_free(b.legal);
	mem_free(b.seen);
}

static void put(struct knowledge *k, const uint64_t *state, const uint32_t *joint)
{
	vec_extend(&k->positions, k->words);
	memcpy(k->positions.at + k->positions.n - k->words, state, k->words * sizeof *state);
	vec_extend(&k->moves, k->roles);
	memcpy(k->moves.at + k->moves.n - k->roles, joint, k->roles * sizeof *joint);
	if (++k->pairs > MOST_PAIRS)
		give_up(k);
	else if (k->moves.n / k->roles == BATCH)
		flush(k);
}

/* All joint moves of a state with the role's own move, as an odometer over the others' lists. */
static void expand(struct knowledge *k, const uint64_t *state, uint32_t own, uint32_t *joint, uint32_t *at)
{
	macaw_view v;
	bool legal = false;
	if (!macaw_look(k->worker, state, &v) || v.terminal)
		return;
	for (uint32_t r = 0; r < k->roles; r++) {
		if (v.start[r] == v.start[r + 1])
			return;
		at[r] = v.start[r];
	}
	for (uint32_t i = v.start[k->role]; i < v.start[k->role + 1]; i++)
		legal |= v.legal[i] == own;
	/* macaw_look_many() makes the arrays of the view its own */
	uint32_t total = v.start[k->roles], *moves = NEW_ARRAY(uint32_t, total + k->roles + 2), *start = moves + total;
	memcpy(moves, v.legal, total * sizeof *moves);
	memcpy(start, v.start, (k->roles + 1) * sizeof *start);
	for (uint32_t r = 0; legal && r < k->roles && !k->lost;) {
		for (uint32_t i = 0; i < k->roles; i++)
			joint[i] = i == k->role ? own : moves[at[i]];
		put(k, state, joint);
		for (r = 0; r < k->roles && (r == k->role || ++at[r] == start[r + 1]); r++)
			at[r] = start[r];
	}
	mem_free(moves);
}

void knowledge_step(struct knowledge *k, const uint64_t *position, const uint32_t *joint)
{
	uint32_t *other = NEW_ARRAY(uint32_t, k->roles), *at = NEW_ARRAY(uint32_t, k->roles);
	k->pairs = 0;
	vec_clear(&k->positions);
	vec_clear(&k->moves);
	if (!k->lost)
		put(k, position, joint);
	for (size_t i = 0; i < k->count && !k->lost; i++)
		expand(k, k->states.at + i * k->words, joint[k->role], other, at);
	if (!k->lost)
		flush(k);
	if (!k->lost) {
		vec_set(&k->states, k->later.at, k->later.n);
		k->count = k->states.n / k->words;
	}
	vec_clear(&k->later);
	table_free(&k->index);
	k->index = (struct table){0};
	sum_up(k);
	mem_free(other);
	mem_free(at);
}

size_t knowledge_count(const struct knowledge *k)
{
	return k->count;
}

const uint64_t *knowledge_certain(const struct knowledge *k)
{
	return k->certain;
}

const uint64_t *knowledge_possible(const struct knowledge *k)
{
	return k->possible;
}
