/* Puzzles in which marks are set one by one and none is undone (Sudoku): the final state as one problem, the order of
 * the moves afterwards.
 *
 * What each move that is legal at the start does there is taken for what it does anywhere: fluents it sets and takes
 * away, moves it makes illegal. A final state is then a set of moves, no two of which exclude each other; fluents that
 * count the steps are known from the size of the set. The circuit says in one frame of clauses whether the game is over
 * there and what it is worth. A set that is found is ordered greedily and played: only what the game accepts counts, so
 * games that are not of this kind are at worst not solved here. There is no proof of less than 100. */
#include "puzzle/puzzle.h"

#include "analysis/sat_frames.h"
#include "analysis/step_counter.h"
#include "base/bits.h"
#include "circuit/unroll_loops.h"
#include "game/rules_view.h"

#include <stdlib.h>
#include <string.h>

#define MOVES_MOST 1500    /* pairs are looked at */
#define INPUTS_MOST 400000 /* of gates */
#define CONFLICTS 20000    /* for one question */
#define SIZES_MOST 16      /* of sets, where steps are counted */
#define TRIES_MOST 8       /* sets that cannot be ordered */

struct marks {
	struct game *g;
	const struct circuit *c;
	const struct puzzle_options *o;
	struct puzzle_result *r;
	struct worker *w;
	const uint64_t *start;
	uint64_t *counters; /* fluents that count steps */
	bool counted;
	VEC(uint32_t) moves; /* legal at the start */
	uint64_t *after;     /* their successors */
	uint64_t *legal;     /* moves legal there */
	uint32_t words, legal_words;
	uint32_t *group; /* by move: moves that take the same fluent away exclude each other */
	uint32_t groups;
};

/* ---- what moves do ---- */

static bool excludes(const struct marks *k, size_t a, size_t b)
{
	return !bits_has(k->legal + a * k->legal_words, k->moves.at[b]);
}

/* True: a move of the pair can only be made when the other is not made before it, both ways. */
static bool exclusive(const struct marks *k, size_t a, size_t b)
{
	return excludes(k, a, b) && excludes(k, b, a);
}

static bool try_moves(struct marks *k)
{
	struct view v = game_look(k->w, k->start);
	for (uint32_t i = v.start[0]; i < v.start[1] && !v.terminal; i++)
		vec_push(&k->moves, v.legal[i]);
	size_t n = k->moves.n;
	if (n < 2 || n > MOVES_MOST)
		return false;
	k->after = NEW_ARRAY(uint64_t, n * k->words + 1);
	k->legal = NEW_ARRAY(uint64_t, n * k->legal_words + 1);
	uint64_t *from = NEW_ARRAY(uint64_t, n * k->words + 1);
	for (size_t i = 0; i < n; i++)
		memcpy(from + i * k->words, k->start, k->words * sizeof *from);
	game_expand(k->w, &(struct expansion){
						  .states = from, .moves = k->moves.at, .count = n, .next = k->after, .legal = k->legal});
	mem_free(from);
	return true;
}

/* The first fluent besides counters that move i takes away; GAME_NONE: none. */
static uint32_t taken_away(const struct marks *k, size_t i)
{
	for (uint32_t j = 0; j < k->words; j++) {
		uint64_t gone = k->start[j] & ~k->after[i * k->words + j] & ~k->counters[j];
		if (gone)
			return j * 64 + (uint32_t)__builtin_ctzll(gone);
	}
	return GAME_NONE;
}

/* Each move gets into the group of its fluent if it excludes all that are there, else into one of its own. */
static void make_groups(struct marks *k)
{
	size_t n = k->moves.n;
	uint32_t *key = NEW_ARRAY(uint32_t, n + 1);
	k->group = NEW_ARRAY(uint32_t, n + 1);
	for (size_t i = 0; i < n; i++) {
		key[i] = taken_away(k, i);
		k->group[i] = GAME_NONE;
		for (size_t j = 0; j < i && key[i] != GAME_NONE && k->group[i] == GAME_NONE; j++)
			k->group[i] = key[j] == key[i] ? k->group[j] : GAME_NONE;
		for (size_t j = 0; j < i && k->group[i] != GAME_NONE; j++)
			if (k->group[j] == k->group[i] && !exclusive(k, i, j)) {
				k->group[i] = GAME_NONE;
				key[i] = GAME_NONE;
			}
		if (k->group[i] == GAME_NONE)
			k->group[i] = k->groups++;
	}
	mem_free(key);
}

/* ---- clauses ---- */

struct question {
	struct sat_frames f;
	int *made; /* by move of `moves` */
};

static void put_exclusions(const struct marks *k, struct question *q)
{
	for (size_t a = 0; a < k->moves.n; a++)
		for (size_t b = 0; b < a; b++)
			if (exclusive(k, a, b))
				SAT_FRAMES_CLAUSE(&q->f, -q->made[a], -q->made[b]);
}

/* Fluent x of a final state: it holds at the start and no move takes it away, or some move sets it. */
static int put_fluent(const struct marks *k, struct question *q, uint32_t x)
{
	bool held = bits_has(k->start, x);
	VEC(int) some = {0};
	for (size_t i = 0; i < k->moves.n; i++)
		if (bits_has(k->after + i * k->words, x) != held)
			vec_push(&some, q->made[i]);
	int changed = some.n ? sat_frames_fresh(&q->f) : -SAT_FRAMES_TRUE;
	for (size_t i = 0; i < some.n; i++)
		SAT_FRAMES_CLAUSE(&q->f, -some.at[i], changed);
	if (some.n) {
		vec_push(&some, -changed);
		sat_frames_clause(&q->f, some.n, some.at);
	}
	vec_free(&some);
	return held ? -changed : changed;
}

/* At least `size` groups have a move; more than `size` is not asked: the counters decide what is worth it. */
static void put_size(const struct marks *k, struct question *q, uint32_t size, int when)
{
	VEC(int) used = {0}, row = {0}, next = {0};
	for (uint32_t g = 0; g < k->groups; g++) {
		int any = sat_frames_fresh(&q->f);
		VEC(int) some = {0};
		for (size_t i = 0; i < k->moves.n; i++)
			if (k->group[i] == g)
				vec_push(&some, q->made[i]);
		for (size_t i = 0; i < some.n; i++)
			SAT_FRAMES_CLAUSE(&q->f, -some.at[i], any);
		vec_push(&some, -any);
		sat_frames_clause(&q->f, some.n, some.at);
		vec_push(&used, any);
		if (size == k->groups)
			SAT_FRAMES_CLAUSE(&q->f, -when, any);
		vec_free(&some);
	}
	/* row[j]: at least j + 1 of the groups so far; exactly `size` in the end */
	for (uint32_t g = 0; g < k->groups && size < k->groups; g++) {
		vec_clear(&next);
		for (uint32_t j = 0; j <= size && j <= g; j++) {
			int s = sat_frames_fresh(&q->f), before = j < row.n ? row.at[j] : -SAT_FRAMES_TRUE;
			int less = j ? row.at[j - 1] : SAT_FRAMES_TRUE;
			SAT_FRAMES_CLAUSE(&q->f, -before, s);
			SAT_FRAMES_CLAUSE(&q->f, -used.at[g], -less, s);
			SAT_FRAMES_CLAUSE(&q->f, -s, before, used.at[g]);
			SAT_FRAMES_CLAUSE(&q->f, -s, before, less);
			vec_push(&next, s);
		}
		vec_clear(&row);
		for (size_t j = 0; j < next.n; j++)
			vec_push(&row, next.at[j]);
	}
	if (size < k->groups) {
		SAT_FRAMES_CLAUSE(&q->f, -when, size ? row.at[size - 1] : SAT_FRAMES_TRUE);
		if (row.n > size)
			SAT_FRAMES_CLAUSE(&q->f, -when, -row.at[size]);
	}
	vec_free(&used);
	vec_free(&row);
	vec_free(&next);
}

/* The game is over in this frame with a goal of v or more: a literal, or false. */
static int put_end(const struct marks *k, struct question *q, uint32_t frame, int v)
{
	const int *value = game_rules_view(k->g)->goal_value;
	VEC(int) some = {0};
	int end = -SAT_FRAMES_TRUE, over = -SAT_FRAMES_TRUE;
	for (uint32_t i = 0; i < k->c->goals.n; i++) {
		int l = value[i] >= v ? sat_frames_get(&q->f, frame, k->c->goals.at[i]) : -SAT_FRAMES_TRUE;
		if (l != -SAT_FRAMES_TRUE)
			vec_push(&some, l);
	}
	if (some.n)
		over = sat_frames_get(&q->f, frame, k->c->terminal);
	if (over != -SAT_FRAMES_TRUE) {
		end = sat_frames_fresh(&q->f);
		SAT_FRAMES_CLAUSE(&q->f, -end, over);
		vec_push(&some, -end);
		sat_frames_clause(&q->f, some.n, some.at);
	}
	vec_free(&some);
	return end;
}

/* ---- from a set to a plan ---- */

/* Plays the moves of the set as they become legal, those first that make no other one of it illegal. */
static bool order(struct marks *k, const struct question *q)
{
	VEC(uint32_t) plan = {0};
	VEC(size_t) open = {0};
	uint64_t *s = NEW_ARRAY(uint64_t, k->words + 1), *legal = NEW_ARRAY(uint64_t, k->legal_words + 1);
	memcpy(s, k->start, k->words * sizeof *s);
	for (size_t i = 0; i < k->moves.n; i++)
		if (ccadical_val(q->f.sat, q->made[i]) > 0)
			vec_push(&open, i);
	for (bool more = true; more && open.n;) {
		size_t best = SIZE_MAX, harm = SIZE_MAX;
		uint8_t over;
		game_expand(k->w, &(struct expansion){.states = s, .count = 1, .terminal = &over, .legal = legal});
		for (size_t a = 0; a < open.n && !over && harm; a++) {
			size_t lost = 0;
			if (!bits_has(legal, k->moves.at[open.at[a]]))
				continue;
			for (size_t b = 0; b < open.n; b++)
				lost += b != a && excludes(k, open.at[a], open.at[b]);
			if (lost < harm) {
				harm = lost;
				best = a;
			}
		}
		more = best != SIZE_MAX;
		if (more) {
			uint32_t m = k->moves.at[open.at[best]];
			vec_push(&plan, m);
			game_next(k->w, s, &m, s);
			open.at[best] = open.at[--open.n];
		}
	}
	bool better = puzzle_reached(k->o, k->r, puzzle_play(k->g, k->o->start, plan.at, plan.n));
	if (better) {
		vec_free(&k->r->plan);
		k->r->plan.at = plan.at;
		k->r->plan.n = plan.n;
		k->r->plan.cap = plan.cap;
		k->r->depth = (uint32_t)plan.n;
	} else {
		vec_free(&plan);
	}
	vec_free(&open);
	mem_free(s);
	mem_free(legal);
	return better;
}

/* ---- questions ---- */

/* Sets that end there, one after another; true: one of them could be played. */
static bool ask(struct marks *k, struct question *q, int end)
{
	for (int i = 0; i < TRIES_MOST && !limit_reached(&k->o->limit); i++) {
		ccadical_assume(q->f.sat, end);
		ccadical_limit(q->f.sat, "conflicts", CONFLICTS);
		if (ccadical_solve(q->f.sat) != 10)
			return false;
		k->r->states++;
		if (order(k, q))
			return true;
		VEC(int) other = {0};
		for (size_t m = 0; m < k->moves.n; m++)
			if (ccadical_val(q->f.sat, q->made[m]) > 0)
				vec_push(&other, -q->made[m]);
		sat_frames_clause(&q->f, other.n, other.at);
		vec_free(&other);
	}
	return false;
}

/* A goal of v or more after `size` moves; *last: no play is longer. */
static int end_after(struct marks *k, struct question *q, uint32_t size, int v, const int *fluents, bool *last)
{
	uint32_t frame = sat_frames_add(&q->f, (uint32_t)q->f.all.n);
	for (uint32_t x = 0; x < k->c->fluents; x++)
		sat_frames_set(&q->f, frame, circuit_fluent(k->c, x),
		               bits_has(k->counters, x) ? sat_frames_get(&q->f, size, 2 * circuit_fluent(k->c, x))
		                                        : fluents[x]);
	*last = sat_frames_get(&q->f, frame, k->c->terminal) == SAT_FRAMES_TRUE;
	return put_end(k, q, frame, v);
}

/* The largest sets first, where steps are counted. */
static bool ask_sizes(struct marks *k, struct question *q, int v, const int *fluents)
{
	VEC(int) ends = {0};
	uint32_t asked = 0;
	bool last = false, found = false;
	for (uint32_t size = 1; size <= k->groups && !last && !limit_reached(&k->o->limit); size++)
		vec_push(&ends, end_after(k, q, size, v, fluents, &last));
	for (size_t size = ends.n; size && asked < SIZES_MOST && !found && !limit_reached(&k->o->limit); size--) {
		int end = ends.at[size - 1];
		if (end == -SAT_FRAMES_TRUE)
			continue;
		put_size(k, q, (uint32_t)size, end);
		asked++;
		found = ask(k, q, end);
	}
	vec_free(&ends);
	return found;
}

static bool question_value(struct marks *k, int v)
{
	static const char *const off[] = {"phase", NULL};
	struct question q = {0};
	sat_frames_begin(&q.f, k->c, off);
	sat_frames_limit(&q.f, &k->o->limit);
	q.made = NEW_ARRAY(int, k->moves.n + 1);
	for (size_t i = 0; i < k->moves.n; i++)
		q.made[i] = sat_frames_fresh(&q.f);
	put_exclusions(k, &q);
	int *fluents = NEW_ARRAY(int, k->c->fluents + 1);
	for (uint32_t x = 0; x < k->c->fluents; x++)
		fluents[x] = bits_has(k->counters, x) ? 0 : put_fluent(k, &q, x);
	for (uint32_t t = 0; t <= (k->counted ? k->groups : 0); t++) /* the beginning, step by step: for the counters */
		sat_frames_add(&q.f, t ? t - 1 : 0);
	for (uint32_t x = 0; x < k->c->fluents; x++)
		sat_frames_set(&q.f, 0, circuit_fluent(k->c, x), bits_has(k->start, x) ? SAT_FRAMES_TRUE : -SAT_FRAMES_TRUE);
	bool last;
	int end = k->counted ? -SAT_FRAMES_TRUE : end_after(k, &q, 0, v, fluents, &last);
	bool found = k->counted ? ask_sizes(k, &q, v, fluents) : end != -SAT_FRAMES_TRUE && ask(k, &q, end);
	sat_frames_free(&q.f);
	mem_free(q.made);
	mem_free(fluents);
	return found;
}

static int better_first(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

/* The best goals first, down to what is known. */
static void question_values(struct marks *k)
{
	const int *value = game_rules_view(k->g)->goal_value;
	VEC(int) values = {0};
	for (uint32_t i = 0; i < k->c->goals.n; i++)
		if (value[i] != GOAL_NONE)
			vec_push(&values, value[i]);
	qsort(values.at, values.n, sizeof(int), better_first);
	for (size_t i = 0; i < values.n && i < SIZES_MOST && !limit_reached(&k->o->limit); i++) {
		int known = k->o->floor ? atomic_load(k->o->floor) : GOAL_NONE;
		if (values.at[i] <= known || (i && values.at[i] == values.at[i - 1]))
			continue;
		if (question_value(k, values.at[i]))
			break;
	}
	vec_free(&values);
}

void puzzle_final_state(struct game *g, const struct puzzle_options *o, struct puzzle_result *r)
{
	double start = clock_now();
	struct circuit c;
	struct marks k = {.g = g,
	                  .c = &c,
	                  .o = o,
	                  .r = r,
	                  .start = puzzle_start(g, o),
	                  .words = g->words,
	                  .legal_words = game_legal_words(g)};
	*r = (struct puzzle_result){.best = GOAL_NONE, .bound = 100, .by = "the final state"};
	if (!unroll_loops(&c, game_rules_view(g)->circuit, INPUTS_MOST, &o->limit)) {
		r->why = limit_reached(&o->limit) ? "out of time" : "too large for one problem";
		return;
	}
	k.w = worker_new(g);
	k.counters = NEW_ARRAY(uint64_t, g->words + 1);
	k.counted = step_counter_fluents(g, k.counters);
	if (try_moves(&k)) {
		make_groups(&k);
		question_values(&k);
	}
	r->proved = r->best >= r->bound;
	r->why = r->proved                  ? NULL
	         : limit_reached(&o->limit) ? "out of time"
	                                    : "no final state was found that its moves lead to";
	r->seconds = clock_now() - start;
	worker_free(k.w);
	vec_free(&k.moves);
	mem_free(k.counters);
	mem_free(k.after);
	mem_free(k.legal);
	mem_free(k.group);
	circuit_free(&c);
}
