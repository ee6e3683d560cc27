/* Positions in the making. All children of several nodes come from one pass of the circuit, which costs little more
 * for 64 than for one; with them come ends, scores and moves. */
#include "base/bits.h"
#include "play/proof/position_hash.h"
#include "play/proof/proof_internal.h"

#include <assert.h>
#include <string.h>

#define PER_WORD 1e-8           /* seconds, until it is measured */
#define LARGE ((size_t)1 << 16) /* words of a pass that is measured */

size_t stack_words(const struct node_stack *a, size_t nodes)
{
	return nodes * (a->words + a->legal_words);
}

void stack_make(struct node_stack *a, struct seat *s, size_t bytes)
{
	assert(s->role < s->game->roles);
	const struct game *g = s->game;
	a->game = s->game;
	a->role = s->role;
	a->words = g->words;
	a->legal_words = game_legal_words(g);
	size_t each = (a->words + a->legal_words) * sizeof(uint64_t) + sizeof(struct node), n = bytes / each;
	a->capacity = n < 4 * PASS ? 4 * PASS : n > 1 << 20 ? 1 << 20 : (uint32_t)n;
	a->nodes = mem_alloc(a->capacity, sizeof *a->nodes);
	a->states = mem_alloc((size_t)a->capacity * a->words, sizeof *a->states);
	a->legal = mem_alloc((size_t)a->capacity * a->legal_words, sizeof *a->legal);
	a->from = mem_alloc((size_t)PASS * a->words, sizeof *a->from);
	a->moves = mem_alloc(PASS * 2, sizeof *a->moves);
	a->terminal = mem_alloc(PASS, 1);
	a->goals = mem_alloc(PASS * 2, sizeof *a->goals);
	a->per_word = PER_WORD;
	a->live = position_live(g);
}

void stack_free(struct node_stack *a)
{
	mem_free(a->nodes);
	mem_free(a->states);
	mem_free(a->legal);
	mem_free(a->from);
	mem_free(a->moves);
	mem_free(a->terminal);
	mem_free(a->goals);
	mem_free(a->live);
}

void stack_hash(const struct node_stack *a, const uint64_t *state, uint64_t *key, uint64_t *check)
{
	position_hash(a->live, a->words, state, key, check);
}

/* ---- moves -------------------------------------------------------------------------------------- */

/* How many of the first `bits` moves of the game are legal. */
static uint32_t count_below(const uint64_t *legal, uint32_t bits)
{
	uint32_t n = (uint32_t)bits_count(legal, bits / 64);
	return bits % 64 ? n + (uint32_t)__builtin_popcountll(legal[bits / 64] << (64 - bits % 64)) : n;
}

/* Who moves, and how many moves there are. */
static void classify(const struct node_stack *a, uint32_t at)
{
	assert(at < a->capacity);
	struct node *n = &a->nodes[at];
	const uint64_t *legal = a->legal + (size_t)at * a->legal_words;
	uint32_t all = (uint32_t)bits_count(legal, a->legal_words), count[2];
	count[0] = count_below(legal, a->game->first_move[1]);
	count[1] = all - count[0];
	uint32_t own = count[a->role], theirs = count[1 - a->role];
	n->max = theirs == 1;
	n->count = n->max ? own : theirs;
	n->stopped = !own || !theirs || (own > 1 && theirs > 1) || n->count > PASS;
}

uint32_t stack_move(const struct node_stack *a, uint32_t node, uint32_t k)
{
	assert(node < a->top);
	const uint64_t *legal = a->legal + (size_t)node * a->legal_words;
	uint32_t mover = a->nodes[node].max ? a->role : 1 - a->role;
	size_t m = bits_next(legal, a->game->moves, a->game->first_move[mover]);
	while (k--)
		m = bits_next(legal, a->game->moves, m + 1);
	return (uint32_t)m;
}

/* The pairs of one parent, from number `to` on. */
static void write_pairs(struct node_stack *a, uint32_t parent, uint32_t to)
{
	assert(parent < a->top);
	const struct node *n = &a->nodes[parent];
	const uint64_t *state = a->states + (size_t)parent * a->words, *legal = a->legal + (size_t)parent * a->legal_words;
	uint32_t mover = n->max ? a->role : 1 - a->role, moves = a->game->moves;
	size_t other = bits_next(legal, moves, a->game->first_move[1 - mover]);
	size_t m = bits_next(legal, moves, a->game->first_move[mover]);
	for (uint32_t k = to; k < to + n->count; k++, m = bits_next(legal, moves, m + 1)) {
		a->moves[k * 2 + mover] = (uint32_t)m;
		a->moves[k * 2 + 1 - mover] = (uint32_t)other;
		memcpy(a->from + (size_t)k * a->words, state, a->words * sizeof *state);
	}
}

/* ---- passes -------------------------------------------------------------------------------------- */

/* What the last pass says of the node, which was its number i. */
static void read_node(struct node_stack *a, uint32_t at, uint32_t i)
{
	assert(at < a->capacity);
	struct node *n = &a->nodes[at];
	*n = (struct node){.first = NO_NODE, .is = {0, 100, 0, 0}, .fresh = true};
	if (a->terminal[i]) {
		int goal = a->goals[i * 2 + a->role];
		n->is.low = n->is.high = goal == GOAL_NONE ? 0 : (uint8_t)goal;
		return;
	}
	classify(a, at);
	stack_hash(a, a->states + (size_t)at * a->words, &n->key, &n->check);
}

void stack_root(struct node_stack *a, struct seat *s, const uint64_t *state)
{
	assert(s->role < s->game->roles);
	memcpy(a->states, state, a->words * sizeof *state);
	a->top = 1;
	game_expand(s->worker,
	            &(struct expansion){
					.states = a->states, .count = 1, .terminal = a->terminal, .goals = a->goals, .legal = a->legal});
	read_node(a, 0, 0);
}

bool stack_expand(struct node_stack *a, struct seat *s, const uint32_t *parents, uint32_t count)
{
	assert(s->role < s->game->roles);
	uint32_t total = 0, first = a->top;
	for (uint32_t i = 0; i < count; i++)
		total += a->nodes[parents[i]].count;
	if (total > PASS || total > a->capacity - first)
		return false;
	for (uint32_t i = 0, to = 0; i < count; i++) {
		write_pairs(a, parents[i], to);
		a->nodes[parents[i]].first = first + to;
		to += a->nodes[parents[i]].count;
	}
	bool large = stack_words(a, total) >= LARGE;
	double began = large ? clock_thread() : 0;
	game_expand(s->worker, &(struct expansion){.states = a->from,
	                                           .moves = a->moves,
	                                           .count = total,
	                                           .next = a->states + (size_t)first * a->words,
	                                           .terminal = a->terminal,
	                                           .goals = a->goals,
	                                           .legal = a->legal + (size_t)first * a->legal_words});
	a->top += total;
	a->made += total;
	for (uint32_t i = 0; i < total; i++)
		read_node(a, first + i, i);
	if (large)
		a->per_word += (((clock_thread() - began) / (double)stack_words(a, total)) - a->per_word) / 4;
	return true;
}
