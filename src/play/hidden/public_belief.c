/* The table of beliefs, and the step from one to the next. */
#include "play/hidden/public_belief.h"

#include "analysis/fragment.h"
#include "analysis/step_counter.h"
#include "base/bits.h"
#include "game/rules_view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST_PAIRS 20000  /* of a state and a move of chance, for one belief */
#define PAIRS_A_VISIT 256 /* four passes of the circuit */
#define GRAIN 1e6         /* weights closer than one part in this number are equal */
#define MOST_BYTES ((size_t)128 << 20)

struct known {
	uint64_t key, content, timeless; /* timeless: the content without the clock */
	size_t first;                    /* row */
	uint32_t rows;
	double pairs; /* what a step from here costs at most */
};

struct way {
	uint64_t key;
	uint64_t moves; /* of the roles, where it is about them */
	uint32_t visits, belief;
	bool sure; /* nothing else can be seen after these moves, and it is not the end */
};

struct public_belief {
	struct game *g;
	uint32_t role, words, legal_words, stride;
	bool secret;            /* met one */
	bool timed;             /* there is a step counter that only makes it later (step_counter.h) */
	uint64_t *clock, *bare; /* its fluents; a state without them */
	uint64_t merged;
	VEC(struct known) all;
	VEC(uint64_t) rows; /* a state and the legal moves there */
	VEC(double) weight;
	struct table by_content, by_key, in_step;
	VEC(struct way) ways;
	/* scratch of one step */
	VEC(uint64_t) states, next, legal, seen;
	VEC(uint32_t) moves;
	VEC(double) p;
	VEC(uint8_t) terminal;
};

static bool chooses(const struct game *g, uint32_t r)
{
	return r != g->random;
}

static bool alone(const struct game *g)
{
	return game_players(g) == 1;
}

struct public_belief *public_belief_new(struct game *g, uint32_t role)
{
	assert(role < g->roles);
	if (g->interpreter || !fragment_all_see_the_same(g))
		return NULL;
	struct public_belief *x = NEW(struct public_belief);
	x->g = g;
	x->role = role;
	x->words = g->words;
	x->legal_words = game_legal_words(g);
	x->stride = x->words + x->legal_words;
	x->clock = NEW_ARRAY(uint64_t, x->words);
	x->timed = alone(g) && step_counter_late(g, role, x->clock);
	x->bare = NEW_ARRAY(uint64_t, x->words);
	return x;
}

void public_belief_free(struct public_belief *x)
{
	vec_free(&x->all);
	vec_free(&x->rows);
	vec_free(&x->weight);
	table_free(&x->by_content);
	table_free(&x->by_key);
	table_free(&x->in_step);
	vec_free(&x->ways);
	vec_free(&x->states);
	vec_free(&x->next);
	vec_free(&x->legal);
	vec_free(&x->seen);
	vec_free(&x->moves);
	vec_free(&x->p);
	vec_free(&x->terminal);
	mem_free(x->clock);
	mem_free(x->bare);
	mem_free(x);
}

void public_belief_forget(struct public_belief *x)
{
	vec_clear(&x->all);
	vec_clear(&x->rows);
	vec_clear(&x->weight);
	vec_clear(&x->ways);
	table_clear(&x->by_content);
	table_clear(&x->by_key);
}

size_t public_belief_bytes(const struct public_belief *x)
{
	return x->rows.cap * sizeof *x->rows.at + x->weight.cap * sizeof *x->weight.at + x->ways.cap * sizeof *x->ways.at;
}

bool public_belief_holds(const struct public_belief *x)
{
	return !x->secret;
}

uint64_t public_belief_merged(const struct public_belief *x)
{
	return x->merged;
}

/* ---- beliefs ------------------------------------------------------------------------------------ */

/* The roles' moves must be the same in both rows: that one can go on in one's own way
 * is no secret. */
static void compare_legal(struct public_belief *x, const uint64_t *a, const uint64_t *b)
{
	const struct game *g = x->g;
	for (uint32_t r = 0; r < g->roles && !x->secret; r++)
		for (size_t m = g->first_move[r]; chooses(g, r) && m < g->first_move[r + 1]; m++)
			x->secret |= bits_has(a, m) != bits_has(b, m);
}

/* The moves of chance in a state: what a step of the belief costs there. */
static double chances(const struct public_belief *x, const uint64_t *legal)
{
	const struct game *g = x->g;
	double n = 0;
	if (g->random == g->roles)
		return 1;
	for (size_t end = g->first_move[g->random + 1], m = bits_next(legal, end, g->first_move[g->random]); m < end;
	     m = bits_next(legal, end, m + 1))
		n++;
	return n;
}

static uint64_t hash_bare(struct public_belief *x, const uint64_t *state)
{
	for (uint32_t i = 0; i < x->words; i++)
		x->bare[i] = state[i] & ~x->clock[i];
	return hash_bytes(x->bare, x->words * sizeof *state);
}

/* The rows from `first` on are a belief: finds an equal one, which stays in their place,
 * or keeps them with this key (0: that of the content). */
static uint32_t settle(struct public_belief *x, size_t first, uint64_t key)
{
	size_t n = x->weight.n - first;
	struct known new = {.first = first, .rows = (uint32_t)n, .content = 1};
	double total = 0;
	assert(x->rows.n == x->weight.n * x->stride);
	for (size_t i = first; i < x->weight.n; i++)
		total += x->weight.at[i];
	assert(!n || total > 0);
	for (size_t i = first; i < x->weight.n; i++) {
		const uint64_t *row = x->rows.at + i * x->stride;
		x->weight.at[i] /= total;
		uint64_t part = (uint64_t)llrint(x->weight.at[i] * GRAIN);
		new.content += hash_join(hash_bytes(row, x->words * sizeof *row), part);
		new.timeless += x->timed ? hash_join(hash_bare(x, row), part) : 0;
		new.pairs += chances(x, row + x->words);
		compare_legal(x, x->rows.at + first * x->stride + x->words, row + x->words);
	}
	uint32_t it = 0, id;
	for (table_start(&x->by_content, new.content, &it);
	     (id = table_next(&x->by_content, new.content, &it)) != TABLE_NONE;)
		if (x->all.at[id].content == new.content && x->all.at[id].rows == n) {
			x->merged += key && key != x->all.at[id].key;
			x->weight.n = first;
			x->rows.n = first * x->stride;
			return id;
		}
	new.key = key ? key : hash_mix(new.content);
	id = (uint32_t)x->all.n;
	table_add(&x->by_content, new.content, id);
	vec_push(&x->all, new);
	return id;
}

/* Adds a row to those from `first` on, or its weight to an equal one. */
static void add_row(struct public_belief *x, size_t first, const uint64_t *state, const uint64_t *legal, double weight)
{
	assert(weight >= 0 && weight <= 1 + 1e-9);
	size_t bytes = x->words * sizeof *state;
	uint64_t h = hash_bytes(state, bytes);
	uint32_t it = 0, id;
	for (table_start(&x->in_step, h, &it); (id = table_next(&x->in_step, h, &it)) != TABLE_NONE;)
		if (!memcmp(x->rows.at + (first + id) * x->stride, state, bytes)) {
			x->weight.at[first + id] += weight;
			return;
		}
	table_add(&x->in_step, h, (uint32_t)(x->weight.n - first));
	vec_push(&x->weight, weight);
	vec_extend(&x->rows, x->stride);
	uint64_t *row = x->rows.at + x->rows.n - x->stride;
	memcpy(row, state, bytes);
	memcpy(row + x->words, legal, x->legal_words * sizeof *row);
}

struct public_belief_point public_belief_at(struct public_belief *x, const struct belief *b, uint64_t key)
{
	size_t first = x->weight.n;
	table_clear(&x->in_step);
	for (size_t i = 0; i < belief_count(b); i++)
		add_row(x, first, belief_state(b, i), belief_legal(b, i), belief_weight(b, i));
	uint32_t id = settle(x, first, key);
	return (struct public_belief_point){x->all.at[id].key, id, false};
}

/* ---- a step ------------------------------------------------------------------------------------- */

/* Every state of the belief with every move of chance and these moves of the roles. */
static void put_pairs(struct public_belief *x, const struct known *from, const uint32_t *joint)
{
	const struct game *g = x->g;
	vec_clear(&x->states);
	vec_clear(&x->moves);
	vec_clear(&x->p);
	for (size_t i = from->first; i < from->first + from->rows; i++) {
		const uint64_t *row = x->rows.at + i * x->stride, *legal = row + x->words;
		double n = chances(x, legal);
		size_t end = g->random < g->roles ? g->first_move[g->random + 1] : 1;
		size_t m = g->random < g->roles ? bits_next(legal, end, g->first_move[g->random]) : 0;
		while (m < end) {
			for (uint32_t r = 0; r < g->roles; r++)
				vec_push(&x->moves, r == g->random ? (uint32_t)m : joint[r]);
			vec_extend(&x->states, x->words);
			memcpy(x->states.at + x->states.n - x->words, row, x->words * sizeof *row);
			vec_push(&x->p, x->weight.at[i] / n);
			m = g->random < g->roles ? bits_next(legal, end, m + 1) : end;
		}
	}
	assert(x->states.n == x->p.n * x->words && x->moves.n == x->p.n * g->roles);
}

/* The belief after these moves and this sight. PUBLIC_BELIEF_NONE: no state agrees. sure: all do. */
static uint32_t compute(struct public_belief *x, struct worker *w, uint32_t from, uint64_t key, const uint32_t *joint,
                        uint64_t seen, bool *sure)
{
	assert(from < x->all.n);
	uint32_t roles = x->g->roles;
	put_pairs(x, &x->all.at[from], joint);
	size_t n = x->p.n, first = x->weight.n;
	vec_clear(&x->next);
	vec_clear(&x->legal);
	vec_clear(&x->seen);
	vec_clear(&x->terminal);
	vec_extend(&x->next, n * x->words);
	vec_extend(&x->legal, n * x->legal_words);
	vec_extend(&x->seen, n * roles);
	vec_extend(&x->terminal, n);
	game_expand(w, &(struct expansion){.states = x->states.at,
	                                   .moves = x->moves.at,
	                                   .count = n,
	                                   .next = x->next.at,
	                                   .terminal = x->terminal.at,
	                                   .legal = x->legal.at,
	                                   .seen = x->seen.at});
	table_clear(&x->in_step);
	*sure = true;
	for (size_t i = 0; i < n; i++)
		if (!x->terminal.at[i] && x->seen.at[i * roles + x->role] == seen)
			add_row(x, first, x->next.at + i * x->words, x->legal.at + i * x->legal_words, x->p.at[i]);
		else
			*sure = false;
	return x->weight.n > first ? settle(x, first, key) : PUBLIC_BELIEF_NONE;
}

static struct way *find_way(struct public_belief *x, uint64_t key)
{
	uint32_t it = 0, id;
	for (table_start(&x->by_key, key, &it); (id = table_next(&x->by_key, key, &it)) != TABLE_NONE;)
		if (x->ways.at[id].key == key)
			return &x->ways.at[id];
	table_add(&x->by_key, key, (uint32_t)x->ways.n);
	vec_push(&x->ways, (struct way){.key = key, .belief = PUBLIC_BELIEF_NONE});
	return &vec_last(&x->ways);
}

/* Under this key stand the moves that go with a sight. */
static uint64_t sight_key(uint64_t from, uint64_t seen)
{
	return hash_join(from ^ UINT64_C(0x5ec7e7), seen);
}

static uint64_t way_key(uint64_t from, uint64_t moves, uint64_t seen)
{
	return hash_join(hash_join(from, moves), seen);
}

/* What is seen must give away everybody's moves. */
static void look_for_secrets(struct public_belief *x, uint64_t from, uint64_t moves, uint64_t seen)
{
	if (alone(x->g)) /* alone one has no secrets */
		return;
	struct way *w = find_way(x, sight_key(from, seen));
	x->secret |= w->visits && w->moves != moves;
	w->visits = 1;
	w->moves = moves;
}

struct public_belief_point public_belief_after(struct public_belief *x, struct worker *w,
                                               struct public_belief_point from, const uint32_t *joint, uint64_t seen)
{
	uint64_t moves = 1;
	for (uint32_t r = 0; r < x->g->roles; r++)
		if (chooses(x->g, r))
			moves = hash_join(moves, joint[r]);
	look_for_secrets(x, from.key, moves, seen);
	struct public_belief_point to = {way_key(from.key, moves, seen), PUBLIC_BELIEF_NONE, false};
	if (from.belief == PUBLIC_BELIEF_NONE || x->secret)
		return to;
	assert(from.belief < x->all.n);
	struct way *way = find_way(x, to.key);
	double pairs = x->all.at[from.belief].pairs;
	way->visits++;
	if (way->belief == PUBLIC_BELIEF_NONE && pairs <= MOST_PAIRS && way->visits * (double)PAIRS_A_VISIT >= pairs &&
	    public_belief_bytes(x) < MOST_BYTES)
		way->belief = compute(x, w, from.belief, to.key, joint, seen, &way->sure);
	if (way->belief != PUBLIC_BELIEF_NONE) {
		assert(way->belief < x->all.n);
		const struct known *now = &x->all.at[way->belief], *before = &x->all.at[from.belief];
		to = (struct public_belief_point){now->key, way->belief,
		                                  x->timed && way->sure && now->rows == before->rows &&
		                                      now->timeless == before->timeless};
	}
	return to;
}

uint64_t public_belief_way(struct public_belief *x, uint64_t from, uint32_t own_move, uint64_t seen)
{
	if (alone(x->g))
		return way_key(from, hash_join(1, own_move), seen);
	const struct way *w = find_way(x, sight_key(from, seen));
	return w->visits ? way_key(from, w->moves, seen) : 0;
}
