/* Alpha-beta search, depth first to the end of the game. A node is expanded in one pass, which gives successors, ends,
 * goals and legal moves; where games end early, a second pass over the successors of all successors finds those in
 * which the opponent wins at once, without a visit to each.
 *
 * Values are those of role 0 in the table, and those of the mover, 0 to 100, inside a node. */
#include "exact.h"

#include "base/bits.h"
#include "base/mem.h"

#include <string.h>

#define TABLE_BITS 22
#define AHEAD_PAIRS 2048 /* successors of successors in one pass, at most */
#define AHEAD_TRIAL 500  /* nodes after which it is known whether the second pass pays */
#define AHEAD_SHARE 0.1  /* of the successors that it must decide */
#define HISTORY_MOST 100000

struct entry {
	uint64_t key;
	uint8_t low, high; /* bounds of the value to role 0 */
};

/* The successors of the node at one depth. */
struct level {
	VEC(uint32_t) moves;  /* joint */
	VEC(uint64_t) states; /* the node's, once per move */
	VEC(uint64_t) next, legal;
	VEC(uint8_t) ends;
	VEC(int) goals, value; /* value: to the mover; below 0: not known */
	VEC(double) score;     /* the order in which they are searched */
	VEC(uint64_t) key;
	uint32_t mover;
};

struct exact {
	struct game *g;
	struct worker *worker;
	uint32_t legal_words;
	struct entry *table;
	uint32_t *history; /* by move: how often it was good enough */
	VEC(struct level *) levels;
	struct level ahead;
	uint64_t nodes, most, seen_ahead, decided_ahead;
	bool gave_up, unfit;
};

struct exact *exact_new(struct game *g)
{
	struct exact *x = NEW(struct exact);
	x->g = g;
	x->worker = worker_new(g);
	x->legal_words = game_legal_words(g);
	x->table = NEW_ARRAY(struct entry, (size_t)1 << TABLE_BITS);
	x->history = NEW_ARRAY(uint32_t, g->moves);
	return x;
}

static void level_free(struct level *l)
{
	vec_free(&l->moves);
	vec_free(&l->states);
	vec_free(&l->next);
	vec_free(&l->legal);
	vec_free(&l->ends);
	vec_free(&l->goals);
	vec_free(&l->value);
	vec_free(&l->score);
	vec_free(&l->key);
}

void exact_free(struct exact *x)
{
	for (size_t i = 0; i < x->levels.n; i++) {
		level_free(x->levels.at[i]);
		mem_free(x->levels.at[i]);
	}
	level_free(&x->ahead);
	vec_free(&x->levels);
	mem_free(x->table);
	mem_free(x->history);
	worker_free(x->worker);
	mem_free(x);
}

uint64_t exact_nodes(const struct exact *x)
{
	return x->nodes;
}

static struct level *level_at(struct exact *x, uint32_t depth)
{
	while (x->levels.n <= depth) {
		struct level *l = NEW(struct level);
		vec_push(&x->levels, l);
	}
	return x->levels.at[depth];
}

/* ---- moves ------------------------------------------------------------------------------- */

static size_t count_moves(const struct exact *x, const uint64_t *legal, uint32_t role)
{
	size_t n = 0, end = x->g->first_move[role + 1];
	for (size_t i = bits_next(legal, end, x->g->first_move[role]); i < end; i = bits_next(legal, end, i + 1))
		n++;
	return n;
}

/* Who has a choice; role 0 when nobody has. */
static uint32_t mover_of(struct exact *x, const uint64_t *legal)
{
	bool first = count_moves(x, legal, 0) > 1, second = count_moves(x, legal, 1) > 1;
	x->unfit |= first && second;
	return second;
}

/* Appends the joint moves of a state, and the state once for each. */
static void add_moves(struct exact *x, struct level *l, const uint64_t *state, const uint64_t *legal, uint32_t mover)
{
	const uint32_t *first = x->g->first_move;
	uint32_t words = x->g->words, joint[2];
	joint[!mover] = (uint32_t)bits_next(legal, first[!mover + 1], first[!mover]);
	size_t end = first[mover + 1];
	for (size_t i = bits_next(legal, end, first[mover]); i < end; i = bits_next(legal, end, i + 1)) {
		joint[mover] = (uint32_t)i;
		vec_push(&l->moves, joint[0]);
		vec_push(&l->moves, joint[1]);
		vec_extend(&l->states, words);
		memcpy(l->states.at + l->states.n - words, state, words * sizeof *state);
	}
}

static void clear(struct level *l)
{
	vec_clear(&l->moves);
	vec_clear(&l->states);
	vec_clear(&l->ends);
	vec_clear(&l->goals);
}

static int goal_of(struct exact *x, const struct level *l, size_t i, uint32_t role)
{
	const int *both = l->goals.at + i * 2;
	x->unfit |= both[0] + both[1] != 100;
	return both[role];
}

/* All successors in one pass; `value` of those that end the game. */
static size_t expand(struct exact *x, struct level *l, const uint64_t *state, const uint64_t *legal)
{
	clear(l);
	vec_clear(&l->next);
	vec_clear(&l->legal);
	vec_clear(&l->value);
	vec_clear(&l->score);
	vec_clear(&l->key);
	l->mover = mover_of(x, legal);
	add_moves(x, l, state, legal, l->mover);
	size_t n = l->moves.n / 2;
	vec_extend(&l->next, n * x->g->words);
	vec_extend(&l->legal, n * x->legal_words);
	vec_extend(&l->ends, n);
	vec_extend(&l->goals, n * 2);
	vec_extend(&l->value, n);
	vec_extend(&l->score, n);
	vec_extend(&l->key, n);
	game_expand(x->worker, &(struct expansion){.states = l->states.at,
	                                           .moves = l->moves.at,
	                                           .count = n,
	                                           .next = l->next.at,
	                                           .terminal = l->ends.at,
	                                           .goals = l->goals.at,
	                                           .legal = l->legal.at});
	for (size_t i = 0; i < n; i++)
		l->value.at[i] = l->ends.at[i] ? goal_of(x, l, i, l->mover) : -1;
	x->nodes++;
	return n;
}

/* ---- the second pass ------------------------------------------------------------------------ */

/* Successors in which the next mover wins at once: their value is known. */
static void look_ahead(struct exact *x, struct level *l, size_t n)
{
	struct level *a = &x->ahead;
	clear(a);
	for (size_t i = 0; i < n && a->moves.n / 2 <= AHEAD_PAIRS; i++)
		if (l->value.at[i] < 0) {
			const uint64_t *legal = l->legal.at + i * x->legal_words;
			add_moves(x, a, l->next.at + i * x->g->words, legal, mover_of(x, legal));
		}
	size_t count = a->moves.n / 2, at = 0;
	if (count > AHEAD_PAIRS)
		return;
	vec_extend(&a->ends, count);
	vec_extend(&a->goals, count * 2);
	game_expand(x->worker, &(struct expansion){.states = a->states.at,
	                                           .moves = a->moves.at,
	                                           .count = count,
	                                           .terminal = a->ends.at,
	                                           .goals = a->goals.at});
	for (size_t i = 0; i < n; i++) {
		if (l->value.at[i] >= 0)
			continue;
		const uint64_t *legal = l->legal.at + i * x->legal_words;
		uint32_t next = mover_of(x, legal);
		x->seen_ahead++;
		for (size_t k = count_moves(x, legal, next); k; k--, at++)
			if (a->ends.at[at] && goal_of(x, a, at, next) == 100 && l->value.at[i] < 0) {
				l->value.at[i] = next == l->mover ? 100 : 0;
				x->decided_ahead++;
			}
	}
}

static bool ahead_pays(const struct exact *x)
{
	return x->seen_ahead < AHEAD_TRIAL || (double)x->decided_ahead >= AHEAD_SHARE * (double)x->seen_ahead;
}

/* ---- the search ---------------------------------------------------------------------------- */

static struct entry *entry_of(struct exact *x, uint64_t key)
{
	return &x->table[key >> (64 - TABLE_BITS)];
}

static void remember(struct exact *x, uint64_t key, int low, int high)
{
	struct entry *e = entry_of(x, key);
	if (e->key == key) { /* what was known still holds */
		low = low > e->low ? low : e->low;
		high = high < e->high ? high : e->high;
	}
	*e = (struct entry){key, (uint8_t)low, (uint8_t)high};
}

/* Bounds to the mover of what the table knows. */
static void look_up(struct exact *x, uint64_t key, uint32_t mover, int *low, int *high)
{
	const struct entry *e = entry_of(x, key);
	bool known = e->key == key;
	int least = known ? e->low : 0, most = known ? e->high : 100;
	*low = mover ? 100 - most : least;
	*high = mover ? 100 - least : most;
}

static void swap(struct level *l, const struct exact *x, size_t i, size_t j)
{
#define SWAP(list, width) \
	for (size_t k = 0; k < (width); k++) { \
		__typeof__(*l->list.at) one = l->list.at[i * (width) + k]; \
		l->list.at[i * (width) + k] = l->list.at[j * (width) + k]; \
		l->list.at[j * (width) + k] = one; \
	}
	SWAP(moves, 2)
	SWAP(next, x->g->words)
	SWAP(legal, x->legal_words)
	SWAP(value, 1)
	SWAP(score, 1)
	SWAP(key, 1)
#undef SWAP
}

/* Brings the most promising of those from i on to place i. */
static void choose_next(struct level *l, const struct exact *x, size_t i, size_t n)
{
	size_t best = i;
	for (size_t j = i + 1; j < n; j++)
		if (l->score.at[j] > l->score.at[best])
			best = j;
	if (best != i)
		swap(l, x, i, best);
}

/* What the table says of successors whose value is not known; they get their order. The best that is sure. */
static int look_up_all(struct exact *x, struct level *l, size_t n, int best)
{
	for (size_t i = 0; i < n; i++) {
		int low = 0, high = 100;
		l->key.at[i] = 0;
		if (l->value.at[i] < 0) {
			l->key.at[i] = game_hash(x->g, l->next.at + i * x->g->words);
			look_up(x, l->key.at[i], l->mover, &low, &high);
			if (low == high)
				l->value.at[i] = low;
		}
		if (l->value.at[i] >= 0)
			low = l->value.at[i];
		best = low > best && (low > 0 || l->value.at[i] >= 0) ? low : best;
		size_t replies = bits_count(l->legal.at + i * x->legal_words, x->legal_words);
		l->score.at[i] = (double)(low + high) * 1000 + __builtin_log2(1 + x->history[l->moves.at[i * 2 + l->mover]]) -
		                 0.5 * (double)replies;
	}
	return best;
}

static void reward(struct exact *x, uint32_t move)
{
	if (++x->history[move] < HISTORY_MOST)
		return;
	for (uint32_t i = 0; i < x->g->moves; i++)
		x->history[i] /= 2;
}

/* The value to role 0 when it lies between the bounds; else something beyond the bound that it passes. */
static int search(struct exact *x, uint32_t depth, const uint64_t *state, const uint64_t *legal, uint64_t key,
                  int alpha, int beta)
{
	if (x->nodes >= x->most)
		x->gave_up = true;
	if (x->gave_up || x->unfit)
		return 0;
	struct level *l = level_at(x, depth);
	size_t n = expand(x, l, state, legal);
	bool flip = l->mover;
	int low = flip ? 100 - beta : alpha, high = flip ? 100 - alpha : beta, best = -1;
	for (size_t i = 0; i < n; i++)
		best = l->value.at[i] > best ? l->value.at[i] : best;
	if (best < high && best < 100) {
		if (ahead_pays(x))
			look_ahead(x, l, n);
		best = look_up_all(x, l, n, best);
	}
	for (size_t i = 0; i < n && best < high && best < 100; i++) {
		choose_next(l, x, i, n);
		int v = l->value.at[i];
		if (v < 0) {
			int floor = best > low ? best : low;
			v = search(x, depth + 1, l->next.at + i * x->g->words, l->legal.at + i * x->legal_words, l->key.at[i],
			           flip ? 100 - high : floor, flip ? 100 - floor : high);
			v = flip ? 100 - v : v;
		}
		if (x->gave_up || x->unfit)
			return 0;
		best = v > best ? v : best;
		if (best >= high)
			reward(x, l->moves.at[i * 2 + l->mover]);
	}
	int least = best > low ? best : 0, most = best < high ? best : 100;
	remember(x, key, flip ? 100 - most : least, flip ? 100 - least : most);
	return flip ? 100 - best : best;
}

/* Move after move against the best so far; who falls below it does not keep the value. */
static void solve_moves(struct exact *x, struct level *l, size_t n, struct exact_answer *out)
{
	bool flip = l->mover;
	out->value = -1;
	for (size_t i = 0; i < n && !x->gave_up && !x->unfit; i++) {
		int v = l->value.at[i], floor = out->value - 1;
		uint64_t key = game_hash(x->g, l->next.at + i * x->g->words);
		if (v < 0) {
			v = search(x, 1, l->next.at + i * x->g->words, l->legal.at + i * x->legal_words, key, flip ? -1 : floor,
			           flip ? 100 - floor : 101);
			v = flip ? 100 - v : v;
		}
		struct exact_move m = {l->moves.at[i * 2 + l->mover], v >= out->value};
		for (size_t k = 0; k < out->moves.n && v > out->value; k++)
			out->moves.at[k].keeps = false;
		out->value = v > out->value ? v : out->value;
		vec_push(&out->moves, m);
	}
}

bool exact_walk(struct exact *x, struct rng *rng, uint32_t plies, uint64_t *state, uint32_t *joint)
{
	struct level *l = level_at(x, 0);
	uint64_t *legal = NEW_ARRAY(uint64_t, x->legal_words);
	uint32_t ply = 0, words = x->g->words;
	memcpy(state, x->g->initial, words * sizeof *state);
	game_expand(x->worker, &(struct expansion){.states = state, .count = 1, .legal = legal});
	for (; ply < plies; ply++) {
		size_t n = expand(x, l, state, legal), left = 0;
		look_ahead(x, l, n);
		for (size_t i = 0; i < n; i++)
			if (l->value.at[i] < 0)
				swap(l, x, i, left++);
		if (!left)
			break;
		size_t i = rng_below(rng, (uint32_t)left);
		memcpy(state, l->next.at + i * words, words * sizeof *state);
		memcpy(legal, l->legal.at + i * x->legal_words, x->legal_words * sizeof *legal);
		memcpy(joint + ply * 2, l->moves.at + i * 2, 2 * sizeof *joint);
	}
	mem_free(legal);
	return ply == plies;
}

enum exact_result exact_solve(struct exact *x, const uint64_t *state, uint64_t most, struct exact_answer *out)
{
	struct level *l = level_at(x, 0);
	uint8_t ended;
	uint64_t *legal = NEW_ARRAY(uint64_t, x->legal_words);
	x->gave_up = x->unfit = false;
	x->unfit = x->g->roles != 2 || !x->g->first_move;
	x->most = x->nodes + most;
	vec_clear(&out->moves);
	game_expand(x->worker, &(struct expansion){.states = state, .count = 1, .terminal = &ended, .legal = legal});
	size_t n = ended || x->unfit ? 0 : expand(x, l, state, legal);
	out->role = l->mover;
	for (size_t i = 0; i < l->value.n && n; i++)
		n = l->value.at[i] == 100 ? 0 : n;
	if (n > 1)
		solve_moves(x, l, n, out);
	mem_free(legal);
	return x->unfit ? EXACT_UNFIT : x->gave_up ? EXACT_TOO_LARGE : n > 1 ? EXACT_SOLVED : EXACT_NO_CHOICE;
}
