/* Positions of the solver for simultaneous moves, and the table of their values. All that can come after a position is
 * made in one pass of the circuit: ends, scores and moves come with it. */
#include "base/bits.h"
#include "play/proof/position_hash.h"
#include "play/proof/simultaneous_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct value_bucket) == 64, "one line of the cache");

/* ---- the table -------------------------------------------------------------------------------------------- */

void value_table_make(struct value_table *t, size_t bytes)
{
	size_t n = 64;
	while (n * 2 * sizeof *t->buckets <= bytes)
		n *= 2;
	t->memory = mem_zalloc(n + 1, sizeof *t->buckets); /* pages that are never touched cost nothing */
	t->buckets = (struct value_bucket *)(((uintptr_t)t->memory + 63) & ~(uintptr_t)63);
	t->mask = n - 1;
	assert(!(n & t->mask));
}

void value_table_free(struct value_table *t)
{
	mem_free(t->memory);
}

struct value_entry *value_table_find(const struct value_table *t, uint64_t key, uint64_t check)
{
	assert(check);
	struct value_bucket *b = &t->buckets[key & t->mask];
	for (uint32_t i = 0; i < VALUE_BUCKET; i++)
		if (b->entries[i].check == check)
			return &b->entries[i];
	return NULL;
}

static int worth(const struct value_table *t, const struct value_entry *e)
{
	return e->check ? e->work - 12 * ((t->age - e->age) & 3) : -1000;
}

struct value_entry *value_table_place(struct value_table *t, uint64_t key)
{
	struct value_bucket *b = &t->buckets[key & t->mask];
	struct value_entry *least = b->entries;
	for (uint32_t i = 1; i < VALUE_BUCKET; i++)
		if (worth(t, &b->entries[i]) < worth(t, least))
			least = &b->entries[i];
	return least;
}

struct value_entry *recall(struct simultaneous *q, uint32_t at)
{
	assert(at < q->p.top);
	struct value_entry *e = value_table_find(&q->table, q->p.key[at], q->p.check[at]);
	if (e) {
		q->p.low[at] = fmax(q->p.low[at], (double)e->low / PARTS);
		q->p.high[at] = fmin(q->p.high[at], (double)e->high / PARTS);
	}
	return e;
}

/* ---- positions -------------------------------------------------------------------------------------------------- */

/* What the last pass says of a position, which was its number i. An end has no key. */
static void read_position(struct simultaneous *q, uint32_t at, uint32_t i)
{
	assert(at < q->p.capacity);
	struct positions *p = &q->p;
	p->low[at] = q->least;
	p->high[at] = q->most;
	p->shut[at] = false;
	p->check[at] = 0;
	if (!q->terminal[i]) {
		position_hash(q->live, q->words, p->state + (size_t)at * q->words, &p->key[at], &p->check[at]);
		__builtin_prefetch(&q->table.buckets[p->key[at] & q->table.mask]);
		return;
	}
	const int *goals = q->goals + (size_t)i * 2;
	if (goals[0] == GOAL_NONE || goals[0] + goals[1] != 100)
		q->misfit = q->spent = true;
	else
		p->low[at] = p->high[at] = goals[0];
}

bool positions_root(struct simultaneous *q, struct seat *s, const uint64_t *state)
{
	memcpy(q->p.state, state, q->words * sizeof *state);
	vec_clear(&q->moves);
	q->p.top = 1;
	game_expand(s->worker,
	            &(struct expansion){
					.states = q->p.state, .count = 1, .terminal = q->terminal, .goals = q->goals, .legal = q->p.legal});
	read_position(q, 0, 0);
	return !q->terminal[0];
}

static uint32_t list_moves(struct simultaneous *q, const uint64_t *legal, uint32_t role)
{
	assert(role < 2);
	const uint32_t *first = q->game->first_move;
	uint32_t n = 0;
	for (size_t m = bits_next(legal, first[role + 1], first[role]); m < first[role + 1];
	     m = bits_next(legal, first[role + 1], m + 1), n++)
		vec_push(&q->moves, (uint32_t)m);
	return n;
}

bool spot_open(struct simultaneous *q, struct seat *s, uint32_t at, struct spot *n)
{
	struct positions *p = &q->p;
	assert(at < p->top && p->check[at]);
	const uint64_t *legal = p->legal + (size_t)at * q->legal_words;
	*n = (struct spot){.at = at, .first = p->top, .moves = (uint32_t)q->moves.n};
	n->rows = list_moves(q, legal, 0);
	n->columns = list_moves(q, legal, 1);
	uint64_t count = (uint64_t)n->rows * n->columns;
	if (!count || count > MOST_JOINT || count > p->capacity - p->top) {
		q->moves.n = n->moves;
		return false;
	}
	const uint32_t *row = q->moves.at + n->moves, *column = row + n->rows;
	for (uint32_t k = 0; k < count; k++) {
		q->joint[2 * k] = row[k / n->columns];
		q->joint[2 * k + 1] = column[k % n->columns];
	}
	game_expand(s->worker, &(struct expansion){.states = p->state + (size_t)at * q->words,
	                                           .one_state = true,
	                                           .moves = q->joint,
	                                           .count = count,
	                                           .next = p->state + (size_t)p->top * q->words,
	                                           .terminal = q->terminal,
	                                           .goals = q->goals,
	                                           .goals_of_ends = true,
	                                           .legal = p->legal + (size_t)p->top * q->legal_words});
	p->top += (uint32_t)count;
	q->count.nodes += count;
	q->count.visits++;
	for (uint32_t k = 0; k < count; k++)
		read_position(q, n->first + k, k);
	for (uint32_t k = 0; k < count; k++)
		if (p->check[n->first + k])
			recall(q, n->first + k);
	return true;
}

void spot_close(struct simultaneous *q, const struct spot *n)
{
	assert(n->first <= q->p.top && n->moves <= q->moves.n);
	q->p.top = n->first;
	q->moves.n = n->moves;
}

/* ---- bounds -------------------------------------------------------------------------------------------------------
 */

#define ROUNDING 1e-9 /* of a sum of products */

static bool is_pure(const double *share, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (share[i] > 0)
			return share[i] >= 1;
	return false;
}

/* Rounded to the safe side, where it is a sum of products. */
double spot_low(struct simultaneous *q, const struct spot *n)
{
	assert(n->rows && n->columns);
	struct matrix_game low = {q->p.low + n->first, n->rows, n->columns};
	double x = matrix_game_solve(&q->room, &low, q->low_row, q->low_column).low;
	bool pure = is_pure(q->low_row, n->rows);
	q->count.matrices += !pure;
	return pure ? x : floor((x - ROUNDING) * PARTS) / PARTS;
}

double spot_high(struct simultaneous *q, const struct spot *n)
{
	assert(n->rows && n->columns);
	struct matrix_game high = {q->p.high + n->first, n->rows, n->columns};
	double x = matrix_game_solve(&q->room, &high, q->high_row, q->high_column).high;
	bool pure = is_pure(q->high_column, n->columns);
	q->count.matrices += !pure;
	return pure ? x : ceil((x + ROUNDING) * PARTS) / PARTS;
}
