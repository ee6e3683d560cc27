/* The rounds of a puzzle, one after another, as clauses (sat_frames.h), in one solver
 * that keeps what it learns: iterative deepening on the number of rounds.
 *
 *   active[t]  the first t moves are legal ones, and no state before t is terminal
 *   end(v, t)  active[t], state t is terminal with a goal of v or more
 *
 * A question is "some end(v, t) with t in a window"; it is asked as an assumption.
 * Windows that are refuted stay so. When the last window reaches a state that is
 * terminal whatever was played, all of them refuted prove the bound v - 1. */
#include "puzzle/puzzle.h"

#include "analysis/commute.h"
#include "analysis/sat_frames.h"
#include "base/bits.h"
#include "circuit/unroll_loops.h"
#include "game/rules_view.h"
#include "puzzle/goal_states.h"

#include <stdlib.h>

#define STEPS_MOST 1000
#define LITERAL_BYTES 16                        /* that a literal of a clause takes, about */
#define CONFLICTS 2000                          /* for the first question; then four times as many, and so on */
#define CONFLICTS_MOST (4 * (int64_t)INT32_MAX) /* as many as it takes: there is no room for more rounds */
#define GOALS_APART 30                          /* goals kept apart pair by pair */

struct window {
	uint32_t from, to;
};

struct bmc {
	struct sat_frames f;
	struct game *g;
	const struct circuit *c;
	const struct puzzle_options *o;
	struct puzzle_result *r;
	enum commute commute;
	VEC(int) active;
	VEC(int *) ladders; /* by step and move: the move made is this one or one before it */
	VEC(struct window) windows;
	VEC(int) values;        /* goals, the best first */
	VEC(uint8_t) dead;      /* value * windows: refuted */
	bool ended;             /* no play goes beyond the last step */
	uint64_t most_literals; /* of all clauses */
};

/* The moves of all steps but the last are in order. The step just written is `t`:
 * so t - 2 and t - 1 are not the last when it is played. */
static void put_order(struct bmc *u, uint32_t t)
{
	if (u->commute == COMMUTE_NO || t < 2)
		return;
	const int *a = u->ladders.at[t - 2], *b = u->ladders.at[t - 1];
	uint32_t less = u->commute == COMMUTE_STRICTLY;
	for (uint32_t m = 0; m < u->c->moves; m++)
		SAT_FRAMES_CLAUSE(&u->f, -u->active.at[t + 1], -b[m], m < less ? -SAT_FRAMES_TRUE : a[m - less]);
}

/* The move from state t to t + 1. */
static void put_step(struct bmc *u)
{
	struct sat_frames *f = &u->f;
	const struct circuit *c = u->c;
	uint32_t t = (uint32_t)u->active.n - 1;
	int before = -SAT_FRAMES_TRUE, active = sat_frames_fresh(f), *ladder = mem_alloc(c->moves + 1, sizeof *ladder);
	VEC(int) some = {0};
	vec_push(&some, -active);
	for (uint32_t m = 0; m < c->moves; m++) {
		int legal = sat_frames_get(f, t, c->legal.at[m]), x = -SAT_FRAMES_TRUE;
		if (legal != -SAT_FRAMES_TRUE) {
			int s = sat_frames_fresh(f);
			x = sat_frames_fresh(f);
			SAT_FRAMES_CLAUSE(f, -x, legal);
			SAT_FRAMES_CLAUSE(f, -x, s);
			SAT_FRAMES_CLAUSE(f, -before, s);
			SAT_FRAMES_CLAUSE(f, -x, -before);
			before = s;
			vec_push(&some, x);
		}
		ladder[m] = before;
		sat_frames_set(f, t, circuit_move(c, m), x);
	}
	u->ended = some.n == 1;
	sat_frames_clause(f, some.n, some.at);
	SAT_FRAMES_CLAUSE(f, -active, u->active.at[t]);
	SAT_FRAMES_CLAUSE(f, -active, -sat_frames_get(f, t, c->terminal));
	vec_push(&u->active, active);
	vec_push(&u->ladders, ladder);
	put_order(u, t);
	vec_free(&some);
	sat_frames_add(f, t);
}

/* No two goals of different value: there would be none. */
static void put_apart(struct bmc *u, uint32_t t, int end)
{
	const int *value = game_rules_view(u->g)->goal_value;
	VEC(uint32_t) open = {0};
	for (uint32_t i = 0; i < u->c->goals.n; i++)
		if (sat_frames_get(&u->f, t, u->c->goals.at[i]) != -SAT_FRAMES_TRUE)
			vec_push(&open, i);
	for (size_t i = 0; i < open.n && open.n <= GOALS_APART; i++)
		for (size_t k = 0; k < i; k++)
			if (value[open.at[i]] != value[open.at[k]])
				SAT_FRAMES_CLAUSE(&u->f, -end, -sat_frames_get(&u->f, t, u->c->goals.at[open.at[i]]),
				                  -sat_frames_get(&u->f, t, u->c->goals.at[open.at[k]]));
	vec_free(&open);
}

/* end(v, t), or false. */
static int put_end(struct bmc *u, int v, uint32_t t)
{
	struct sat_frames *f = &u->f;
	const int *value = game_rules_view(u->g)->goal_value;
	int terminal = sat_frames_get(f, t, u->c->terminal), end = -SAT_FRAMES_TRUE;
	if (terminal == -SAT_FRAMES_TRUE)
		return end;
	VEC(int) some = {0};
	vec_push(&some, -sat_frames_fresh(f));
	for (uint32_t i = 0; i < u->c->goals.n; i++) {
		int l = value[i] >= v ? sat_frames_get(f, t, u->c->goals.at[i]) : -SAT_FRAMES_TRUE;
		if (l != -SAT_FRAMES_TRUE)
			vec_push(&some, l);
	}
	if (some.n > 1) {
		end = -some.at[0];
		sat_frames_clause(f, some.n, some.at);
		SAT_FRAMES_CLAUSE(f, -end, terminal);
		SAT_FRAMES_CLAUSE(f, -end, u->active.at[t]);
		put_apart(u, t, end);
	}
	vec_free(&some);
	return end;
}

/* False: it is no play, or no better one. */
static bool read_plan(struct bmc *u, const int *ends, const struct window *w)
{
	VEC(uint32_t) plan = {0};
	uint32_t t = w->from;
	while (t < w->to && (ends[t - w->from] == -SAT_FRAMES_TRUE || ccadical_val(u->f.sat, ends[t - w->from]) < 0))
		t++;
	for (uint32_t k = 0; k < t; k++)
		for (uint32_t m = 0; m < u->c->moves; m++) {
			int x = sat_frames_get(&u->f, k, circuit_move(u->c, m) * 2);
			if (x != -SAT_FRAMES_TRUE && ccadical_val(u->f.sat, x) > 0) {
				vec_push(&plan, m);
				break;
			}
		}
	bool better = puzzle_reached(u->o, u->r, puzzle_play(u->g, u->o->start, plan.at, plan.n));
	if (better) {
		vec_free(&u->r->plan);
		u->r->plan.at = plan.at;
		u->r->plan.n = plan.n;
		u->r->plan.cap = plan.cap;
	} else {
		vec_free(&plan);
	}
	return better;
}

/* 10: there is a plan, 20: there is none, 0: not known. */
static int ask(struct bmc *u, int v, const struct window *w, int conflicts)
{
	uint32_t n = w->to - w->from + 1;
	int *ends = mem_alloc(n + 1, sizeof *ends), answer = 20, some = sat_frames_fresh(&u->f);
	bool open = false;
	ends[n] = -some;
	for (uint32_t t = w->from; t <= w->to; t++) {
		ends[t - w->from] = put_end(u, v, t);
		open |= ends[t - w->from] != -SAT_FRAMES_TRUE;
	}
	if (open) {
		sat_frames_clause(&u->f, n + 1, ends);
		ccadical_limit(u->f.sat, "conflicts", conflicts);
		ccadical_assume(u->f.sat, some);
		answer = ccadical_solve(u->f.sat);
		if (answer == 10 && !read_plan(u, ends, w))
			answer = 0;                  /* goals contradict one another there */
		SAT_FRAMES_CLAUSE(&u->f, -some); /* the next question has a literal of its own */
	}
	mem_free(ends);
	return answer;
}

/* Another window, a fifth longer; false: there is no more to come, or no room. */
static bool put_window(struct bmc *u, uint32_t first)
{
	uint32_t from = u->windows.n ? vec_last(&u->windows).to + 1 : 0, to = u->windows.n ? from + from / 5 : first;
	if (u->ended)
		return false;
	for (uint32_t t = from; t <= to && !u->ended; t++) {
		if (t && (u->f.literals > u->most_literals || t > STEPS_MOST || limit_reached(&u->o->limit)))
			return false;
		if (t && u->active.n <= t) /* else it was put before the room ran out */
			put_step(u);
		if (u->ended) { /* the step could not be made */
			to = t - 1;
			break;
		}
		u->ended = sat_frames_get(&u->f, t, u->c->terminal) == SAT_FRAMES_TRUE;
		if (u->ended)
			to = t;
	}
	if (to < from || to == UINT32_MAX)
		return false;
	vec_push(&u->windows, (struct window){from, to});
	for (size_t k = 0; k < u->values.n; k++)
		vec_push(&u->dead, 0);
	return true;
}

static int better_first(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

static void list_values(struct bmc *u)
{
	for (uint32_t i = 0; i < u->c->goals.n; i++) {
		bool known = game_rules_view(u->g)->goal_value[i] == GOAL_NONE;
		for (size_t k = 0; k < u->values.n; k++)
			known |= u->values.at[k] == game_rules_view(u->g)->goal_value[i];
		if (!known)
			vec_push(&u->values, game_rules_view(u->g)->goal_value[i]);
	}
	if (u->values.n)
		qsort(u->values.at, u->values.n, sizeof(int), better_first);
}

/* Goals that no end can have, reachable or not. */
static void refute_values(struct bmc *u)
{
	uint64_t *state = NEW_ARRAY(uint64_t, u->g->words + 1);
	bool refuted = true;
	for (size_t k = 0; k < u->values.n && refuted && !limit_reached(&u->o->limit); k++) {
		VEC(lit_t) any = {0};
		for (uint32_t i = 0; i < u->c->goals.n; i++)
			if (game_rules_view(u->g)->goal_value[i] == u->values.at[k])
				vec_push(&any, u->c->goals.at[i]);
		struct goal_states *t = goal_states_new(u->c, puzzle_start(u->g, u->o), any.at, (uint32_t)any.n, &u->o->limit);
		goal_states_next(t, state);
		refuted = goal_states_refuted(t);
		if (refuted)
			u->r->bound = k + 1 < u->values.n ? u->values.at[k + 1] : GOAL_NONE;
		goal_states_free(t);
		vec_free(&any);
	}
	mem_free(state);
}

/* All windows with one goal; dead ones are skipped. True: it is decided. */
static bool ask_all(struct bmc *u, size_t k, uint32_t first, int conflicts)
{
	bool all = true;
	for (size_t w = 0; w < u->windows.n || put_window(u, first); w++) {
		uint8_t *dead = &u->dead.at[w * u->values.n + k];
		if (limit_reached(&u->o->limit))
			return false;
		if (*dead)
			continue;
		int answer = ask(u, u->values.at[k], &u->windows.at[w], conflicts);
		if (answer == 10)
			return true;
		for (size_t better = 0; better <= k && answer == 20; better++)
			u->dead.at[w * u->values.n + better] = 1;
		all &= answer == 20;
	}
	return all && u->ended;
}

static int floor_of(const struct bmc *u)
{
	int elsewhere = u->o->floor ? atomic_load(u->o->floor) : GOAL_NONE;
	return elsewhere > u->r->best ? elsewhere : u->r->best;
}

/* The best goal first; every other time, the least that improves on the best so far. */
static void deepen(struct bmc *u, uint32_t first)
{
	bool modest = false;
	for (int64_t conflicts = CONFLICTS;
	     conflicts <= CONFLICTS_MOST && !limit_reached(&u->o->limit) && u->r->bound > floor_of(u);) {
		size_t k = 0, last = u->values.n;
		while (k < last && u->values.at[k] > u->r->bound)
			k++;
		while (last > k && u->values.at[last - 1] <= floor_of(u))
			last--;
		if (k == last) { /* nothing in between */
			u->r->bound = k < u->values.n ? u->values.at[k] : GOAL_NONE;
			break;
		}
		size_t which = modest ? last - 1 : k;
		int before = u->r->best;
		bool decided = ask_all(u, which, first, conflicts < INT32_MAX ? (int)conflicts : INT32_MAX);
		if (decided && u->r->best == before)
			u->r->bound = which + 1 < u->values.n ? u->values.at[which + 1] : GOAL_NONE;
		else if (u->r->best == before && (modest || last - k == 1))
			conflicts *= 4;
		modest = !modest && u->r->best == before;
		if (u->f.literals > u->most_literals)
			break;
	}
}

static void begin(struct bmc *u)
{
	static const char *const off[] = {"phase", NULL}; /* most moves are not made */
	sat_frames_begin(&u->f, u->c, off);
	sat_frames_limit(&u->f, &u->o->limit);
	sat_frames_add(&u->f, 0);
	for (uint32_t x = 0; x < u->c->fluents; x++)
		sat_frames_set(&u->f, 0, circuit_fluent(u->c, x),
		               bits_has(puzzle_start(u->g, u->o), x) ? SAT_FRAMES_TRUE : -SAT_FRAMES_TRUE);
	vec_push(&u->active, SAT_FRAMES_TRUE);
}

static enum commute do_moves_commute(struct game *g, const struct limit *limit)
{
	struct limit some = limit_seconds_of(limit->clock, limit_left(limit) * 0.3 < 10 ? limit_left(limit) * 0.3 : 10);
	some.stop = limit->stop;
	return commute_of(g, &some);
}

void puzzle_bmc_sat(struct game *g, const struct puzzle_options *o, struct puzzle_result *r)
{
	double start = clock_now();
	struct circuit c;
	struct bmc u = {
		.c = &c, .g = g, .o = o, .r = r, .most_literals = (o->memory ? o->memory : (size_t)1 << 30) / LITERAL_BYTES};
	*r = (struct puzzle_result){.best = GOAL_NONE, .bound = 100, .by = "unrolled rounds"};
	if (!unroll_loops(&c, game_rules_view(g)->circuit, 2000000, &o->limit)) {
		r->why = limit_reached(&o->limit) ? "out of time" : "too large to be unrolled";
		return;
	}
	list_values(&u);
	refute_values(&u);
	u.commute = u.r->bound > floor_of(&u) ? do_moves_commute(g, &o->limit) : COMMUTE_NO;
	if (u.commute != COMMUTE_NO)
		r->by = "unrolled rounds, moves in order";
	begin(&u);
	deepen(&u, puzzle_longest(g, o));
	r->proved = r->best >= r->bound;
	r->depth = (uint32_t)u.active.n - 1;
	r->why = r->proved ? NULL : limit_reached(&o->limit) ? "out of time" : "too large to be unrolled further";
	r->seconds = clock_now() - start;
	for (size_t i = 0; i < u.ladders.n; i++)
		mem_free(u.ladders.at[i]);
	vec_free(&u.ladders);
	vec_free(&u.active);
	vec_free(&u.windows);
	vec_free(&u.values);
	vec_free(&u.dead);
	sat_frames_free(&u.f);
	circuit_free(&c);
}
