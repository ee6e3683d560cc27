/* macaw perft on several ranks. Every state belongs to one rank, by its hash. A rank expands its own states, without
 * looking at where they lead, and sends each successor with its ways to the rank it belongs to; that one enters it into
 * its part of the next level and, when the level is complete, looks at what is new. So every state is stored and looked
 * at once, and the counts of a level are the sums over the ranks. */
#include "cli/perft.h"

#include <stdio.h>
#include <string.h>

static uint32_t owner_of(const struct perft *p, uint64_t hash)
{
	return (uint32_t)((hash_mix(hash ^ 0x72616e6b) >> 32) % cluster_ranks(p->cluster));
}

bool perft_ranks_owns(const struct perft *p, const uint64_t *state)
{
	return !p->cluster || owner_of(p, perft_hash(p, state)) == cluster_rank(p->cluster);
}

/* From another rank. Letters are not aligned. */
static void take(void *context, const void *records, size_t count)
{
	struct perft *p = context;
	size_t bytes = (p->words + 1) * sizeof *p->record;
	vec_clear(&p->hashes);
	for (size_t i = 0; i < count; i++) {
		memcpy(p->record, (const char *)records + i * bytes, bytes);
		vec_push(&p->hashes, perft_hash(p, p->record));
	}
	for (size_t i = 0; i < count; i++) {
		perft_prefetch(p, p->into, i);
		memcpy(p->record, (const char *)records + i * bytes, bytes);
		p->into->sequences = perft_add(p->into->sequences, p->record[p->words]);
		perft_enter(p, p->into, p->record, p->hashes.at[i], p->record[p->words]);
	}
}

/* States and moves have the same numbers in all ranks when the circuit is the same. */
static uint64_t fingerprint(const macaw_game *g)
{
	uint64_t h = hash_join(macaw_game_moves(g), macaw_position_words(g));
	for (uint32_t m = 0; m < macaw_game_moves(g); m++) {
		const char *name = macaw_game_move(g, m);
		h = hash_join(h, hash_bytes(name, strlen(name)));
	}
	return hash_join(h, macaw_position_hash(g, macaw_position_initial(g)));
}

bool perft_ranks_open(struct perft *p, struct cluster *c)
{
	p->cluster = c;
	if (!c)
		return true;
	if (macaw_game_engine(p->g) != MACAW_ENGINE_CIRCUIT) {
		fprintf(stderr, "macaw perft: --mpi needs the circuit: the interpreter numbers fluents and moves as it meets "
		                "them, differently in each rank\n");
		return false;
	}
	p->record = NEW_ARRAY(uint64_t, p->words + 1);
	p->exchange = exchange_open(c, (p->words + 1) * sizeof(uint64_t), take, p);
	return cluster_agree(c, fingerprint(p->g), "the game");
}

void perft_ranks_close(struct perft *p)
{
	if (p->exchange)
		exchange_close(p->exchange);
	mem_free(p->record);
}

/* Own states too are collected, so that they can be entered many at a time. */
static void deliver(struct perft *p, const uint64_t *state, uint64_t ways)
{
	memcpy(p->record, state, p->words * sizeof *state);
	p->record[p->words] = ways;
	exchange_put(p->exchange, owner_of(p, perft_hash(p, state)), p->record);
}

void perft_ranks_flush(struct perft *p, struct level *next)
{
	macaw_batch b = {.positions = p->states, .moves = p->moves, .count = p->filled, .next = p->next};
	p->into = next;
	p->trouble = !macaw_look_many(p->w, &b);
	for (size_t i = 0; i < p->filled && !p->trouble; i++) {
		const uint64_t *state = p->next + i * p->words;
		if (p->symmetry) {
			macaw_symmetries_canonical(p->symmetry, state, MACAW_KEEP_START, p->canonical);
			state = p->canonical;
		}
		deliver(p, state, p->ways[i]);
	}
	exchange_poll(p->exchange);
}

/* Ends, and the moves of the others. */
static void look_at(struct perft *p, struct level *l, size_t first, size_t count)
{
	macaw_batch b = {
		.positions = l->states.at + first * p->words, .count = count, .terminal = p->terminal, .legal = p->legal};
	p->trouble = !macaw_look_many(p->w, &b);
	for (size_t i = 0; i < count && !p->trouble; i++) {
		l->terminal += p->terminal[i];
		perft_put_bits(p, l, p->legal + i * p->legal_words, p->terminal[i]);
		l->stuck += !p->terminal[i] && !perft_joint_moves(l, p->roles, p->last ? 0 : first + i);
		if (p->last)
			l->legal.n = l->start.n = 0;
	}
}

void perft_ranks_finish(struct perft *p, struct level *next)
{
	p->into = next;
	p->stopped = !exchange_finish(p->exchange);
	for (size_t i = 0; i < next->ways.n && !p->stopped && !p->trouble && !p->full; i += p->batch) {
		size_t left = next->ways.n - i;
		look_at(p, next, i, left < p->batch ? left : p->batch);
		p->full = perft_level_bytes(next) > p->memory;
	}
}

bool perft_ranks_sum(struct perft *p, bool interrupted, uint64_t *sequences, uint64_t *states, uint64_t *terminal,
                     uint64_t *stuck)
{
	uint64_t sums[] = {*sequences, *states, *terminal, *stuck, p->full, p->trouble, interrupted};
	if (!p->cluster)
		return true;
	if (p->stopped || !cluster_sum(p->cluster, sums, sizeof sums / sizeof *sums)) {
		p->stopped = true;
		return false;
	}
	*sequences = sums[0];
	*states = sums[1];
	*terminal = sums[2];
	*stuck = sums[3];
	p->full = sums[4];
	p->trouble = sums[5];
	p->stopped = sums[4] || sums[5] || sums[6];
	return !p->stopped;
}
