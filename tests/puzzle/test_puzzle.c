/* Games of one role: the best goal is found and proved, by every search; what they
 * say is held against an exhaustive search written here, and plans are played. */
#include "../game/play.h"
#include "work.h"

#include "analysis/commute.h"
#include "analysis/step_counter.h"
#include "circuit/unroll_loops.h"
#include "game/rules_view.h"
#include "puzzle/goal_states.h"
#include "puzzle/puzzle.h"

/* Reach 5 from 0 by steps of 1 or 2; only an even number of steps is worth 100. */
static const char stairs[] = "(role r) (init (at 0)) (init even)"
							 "(up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5)"
							 "(<= (legal r one) (true (at ?x)) (up ?x ?y))"
							 "(<= (legal r two) (true (at ?x)) (up ?x ?y) (up ?y ?z))"
							 "(<= (next (at ?y)) (does r one) (true (at ?x)) (up ?x ?y))"
							 "(<= (next (at ?z)) (does r two) (true (at ?x)) (up ?x ?y) (up ?y ?z))"
							 "(<= (next even) (not (true even)))"
							 "(<= terminal (true (at 5)))"
							 "(<= (goal r 100) (true (at 5)) (true even)) (<= (goal r 10) (not (true even))) (<= (goal "
							 "r 0) (true even) (not (true (at 5))))";

/* The best that can be had is 40, and that must be shown. */
static const char modest[] = "(role r) (init start)"
							 "(<= (legal r a) (true start)) (<= (legal r b) (true start))"
							 "(<= (next (got ?x)) (does r ?x)) (<= terminal (not (true start)))"
							 "(<= (goal r 40) (true (got b))) (<= (goal r 20) (true (got a)))"
							 "(<= (goal r 100) (true (got c))) (<= (legal r c) (true (got c)))";

/* Four marks in any order, on the clock; each row and each column wants one. */
static const char marks[] =
	"(role r) (n 1) (n 2) (n 3) (succ 1 2) (succ 2 3) (succ 3 4) (init (step 1))"
	"(<= (legal r (mark ?x ?y)) (n ?x) (n ?y) (not (true (at ?x ?y))))"
	"(<= (next (at ?x ?y)) (does r (mark ?x ?y))) (<= (next (at ?x ?y)) (true (at ?x ?y)))"
	"(<= (next (step ?b)) (true (step ?a)) (succ ?a ?b)) (<= terminal (true (step 4)))"
	"(<= (row ?x) (true (at ?x ?y))) (<= (col ?y) (true (at ?x ?y)))"
	"(<= all (row 1) (row 2) (row 3) (col 1) (col 2) (col 3)) (<= (goal r 100) all) (<= (goal r 0) (not all))";

/* A token on a ring of five, the clock stops it after six steps. It is worth most (90)
 * to stop by oneself on 3 late, which the state without its clock does not show. */
static const char late[] =
	"(role r) (init (at 0)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"
	"(ring 0 1) (ring 1 2) (ring 2 3) (ring 3 4) (ring 4 0)"
	"(<= (legal r go) (not (true stopped))) (<= (legal r back) (not (true stopped)))"
	"(<= (legal r stop) (true (at 3)))"
	"(<= (next (at ?y)) (does r go) (true (at ?x)) (ring ?x ?y))"
	"(<= (next (at ?y)) (does r back) (true (at ?x)) (ring ?y ?x))"
	"(<= (next (at ?x)) (does r stop) (true (at ?x))) (<= (next stopped) (does r stop))"
	"(<= (next (step ?b)) (true (step ?a)) (succ ?a ?b))"
	"(<= terminal (true stopped)) (<= terminal (true (step 6)))"
	"(<= (goal r 90) (true stopped) (true (step 5))) (<= (goal r 50) (true stopped) (not (true (step 5))))"
	"(<= (goal r 20) (not (true stopped)))";

/* There and back: the state that is worth something is the first one, when the clock
 * ends the game in it. */
static const char back[] =
	"(role r) (init home) (init (step 0)) (<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))"
	"(<= (legal r go) (true home)) (<= (legal r come) (not (true home))) (<= (legal r rest) (not (true home)))"
	"(<= (next home) (does r come)) (<= terminal (true (step 2)))"
	"(<= (goal r 80) (true home)) (<= (goal r 10) (not (true home)))";

/* A legal move asks for a step of the clock, so only what comes after it is left out;
 * until then that stands still. */
static const char asked[] =
	"(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (<= (next (step ?y)) (true (step ?x)) (succ "
	"?x ?y))"
	"(legal r a) (<= (legal r b) (not (true (step 1)))) (<= (next got) (does r b)) (<= (next got) (true got))"
	"(<= terminal (true (step 4))) (<= (goal r 70) (true got)) (<= (goal r 0) (not (true got)))";

/* Six rows and columns, five marks: too many states for a moment. */
static const char crowded[] = "(role r) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 "
							  "5) (succ 5 6) (init (step 1))"
							  "(<= (legal r (mark ?x ?y)) (n ?x) (n ?y) (not (true (at ?x ?y))))"
							  "(<= (next (at ?x ?y)) (does r (mark ?x ?y))) (<= (next (at ?x ?y)) (true (at ?x ?y)))"
							  "(<= (next (step ?b)) (true (step ?a)) (succ ?a ?b)) (<= terminal (true (step 6)))"
							  "(<= (row ?x) (true (at ?x ?y))) (<= (col ?y) (true (at ?x ?y))) (<= cols (col 1) (col "
							  "2) (col 3) (col 4) (col 5) (col 6))"
							  "(<= most (row 1) (row 2) (row 3) (row 4) (row 5)) (<= all most (row 6) cols)"
							  "(<= (goal r 100) all) (<= (goal r 50) most (not all)) (<= (goal r 0) (not most))";

/* Of all plays, by trying every one. */
static int exhaust(struct play *p, const uint64_t *state, uint32_t left)
{
	struct view v = game_look(p->w, state);
	if (v.terminal)
		return v.goals[0];
	uint32_t moves[64], n = 0;
	int best = GOAL_NONE;
	uint64_t *next = mem_alloc(p->g->words + 1, 8);
	for (uint32_t k = v.start[0]; k < v.start[1]; k++)
		moves[n++] = v.legal[k];
	for (uint32_t k = 0; k < n && left; k++) {
		game_next(p->w, state, &moves[k], next);
		int goal = exhaust(p, next, left - 1);
		best = goal > best ? goal : best;
	}
	mem_free(next);
	return best;
}

static const struct {
	const char *name, *text;
	int best;
} puzzles[] = {{"stairs", stairs, 100}, {"modest", modest, 40}, {"marks", marks, 100},
               {"late", late, 90},      {"back", back, 80},     {"asked", asked, 70}};

static void check(struct play *p, const struct puzzle_result *r, int best, const char *name, const char *way)
{
	if (r->best != best || r->bound < best || !r->proved)
		fail_msg("%s by %s: %d, bound %d, wanted %d, %s", name, way, r->best, r->bound, best,
		         r->why ? r->why : "proved");
	assert_int_equal(puzzle_play(p->g, NULL, r->plan.at, r->plan.n), best);
}

static void every_search(void **state)
{
	(void)state;
	static const char *const ways[] = {"auto", "space", "sat", "mac"};
	for (size_t i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
		struct play p = play_make(puzzles[i].text, ENGINE_CIRCUIT, true);
		assert_int_equal(exhaust(&p, p.g->initial, 10), puzzles[i].best);
		for (int way = PUZZLE_AUTO; way <= PUZZLE_MAC; way++) {
			struct puzzle_options o = {.limit = work_seconds(20), .method = (enum puzzle_method)way};
			struct puzzle_result r;
			assert_true(puzzle_solve(p.g, &o, &r));
			check(&p, &r, puzzles[i].best, puzzles[i].name, ways[way]);
			puzzle_free(&r);
		}
		play_free(&p);
	}
}

/* Every order of the state space; what has no proof must have a true bound. */
static void orders(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof puzzles / sizeof *puzzles; i++)
		for (int order = SPACE_BREADTH; order <= SPACE_UNTIMED; order++) {
			struct play p = play_make(puzzles[i].text, ENGINE_CIRCUIT, true);
			struct puzzle_options o = {.limit = work_seconds(order == SPACE_BEAM ? 0.1 : 20)};
			struct puzzle_result r;
			puzzle_state_space(p.g, &o, (enum space_order)order, &r);
			assert_true(r.bound >= puzzles[i].best);
			assert_true(r.best <= puzzles[i].best);
			if (order == SPACE_BREADTH || order == SPACE_DEPTH)
				check(&p, &r, puzzles[i].best, puzzles[i].name, r.by);
			puzzle_free(&r);
			play_free(&p);
		}
}

/* Two threads at work. */
static void side_by_side(void **state)
{
	(void)state;
	struct play p = play_make(crowded, ENGINE_CIRCUIT, true);
	struct puzzle_options o = {.limit = work_seconds(100)};
	struct puzzle_result r;
	assert_true(puzzle_solve(p.g, &o, &r));
	check(&p, &r, 50, "crowded", "auto");
	puzzle_free(&r);
	play_free(&p);
}

/* Whoever runs out of time says so soon. */
static void in_time(void **state)
{
	(void)state;
	struct play p = play_make(crowded, ENGINE_CIRCUIT, true);
	for (int way = PUZZLE_AUTO; way <= PUZZLE_MAC; way++) {
		struct puzzle_options o = {.limit = work_seconds(0.05), .method = (enum puzzle_method)way};
		struct puzzle_result r;
		assert_true(puzzle_solve(p.g, &o, &r));
		assert_true(r.seconds < 4);
		assert_true(r.proved ? r.best == 50 : r.best <= 50 && r.bound >= 50);
		puzzle_free(&r);
	}
	play_free(&p);
}

static void shortest_plan(void **state)
{
	(void)state;
	struct play p = play_make(stairs, ENGINE_CIRCUIT, true);
	struct puzzle_options o = {0};
	struct puzzle_result r;
	puzzle_state_space(p.g, &o, SPACE_BREADTH, &r);
	assert_int_equal(r.plan.n, 4);
	puzzle_free(&r);
	play_free(&p);
}

static void clocks(void **state)
{
	(void)state;
	struct play p = play_make(late, ENGINE_CIRCUIT, true);
	struct step_counter counter;
	assert_true(step_counter_find(&counter, p.g, NULL));
	assert_int_equal(counter.horizon, 6);
	assert_true(counter.goals);
	assert_int_equal(step_counter_top(&counter, 6), 50); /* stopped by the last move, or not at all */
	assert_int_equal(step_counter_top(&counter, 5), 90);
	assert_int_equal(step_counter_top(&counter, 0), 90);
	assert_false(bits_has(counter.mask, game_find_fluent(p.g, "(at 3)")));
	assert_true(bits_has(counter.mask, game_find_fluent(p.g, "(step 4)")));
	/* where a state stands on its way */
	uint64_t *s = mem_alloc(p.g->words + 1, 8);
	struct view v = game_look(p.w, p.g->initial);
	uint32_t move = v.legal[0];
	assert_int_equal(step_counter_step(&counter, p.g->initial), 0);
	game_next(p.w, p.g->initial, &move, s);
	assert_int_equal(step_counter_step(&counter, s), 1);
	memset(s, 0, p.g->words * 8);
	assert_int_equal(step_counter_step(&counter, s), STEP_COUNTER_NEVER);
	mem_free(s);
	/* the fluents alone are the same */
	uint64_t *mask = NEW_ARRAY(uint64_t, p.g->words + 1);
	assert_true(step_counter_fluents(p.g, mask));
	assert_memory_equal(mask, counter.mask, p.g->words * 8);
	mem_free(mask);
	/* kept with the game */
	assert_non_null(step_counter_of(p.g, NULL));
	assert_ptr_equal(step_counter_of(p.g, NULL), step_counter_of(p.g, NULL));
	step_counter_free(&counter);
	play_free(&p);
	p = play_make(stairs, ENGINE_CIRCUIT, true); /* `even` goes its way, but no end asks it alone */
	if (step_counter_find(&counter, p.g, NULL)) {
		assert_int_equal(counter.horizon, STEP_COUNTER_NEVER);
		step_counter_free(&counter);
	}
	play_free(&p);
}

static enum commute commutes(const char *text)
{
	struct play p = play_make(text, ENGINE_CIRCUIT, true);
	struct circuit flat;
	struct limit none = {0};
	uint8_t *all = mem_alloc(p.g->fluents + 1, 1);
	memset(all, 1, p.g->fluents + 1);
	assert_true(unroll_loops(&flat, game_rules_view(p.g)->circuit, 100000, NULL));
	enum commute answer = commute_prove(&flat, all, &none);
	circuit_free(&flat);
	mem_free(all);
	play_free(&p);
	return answer;
}

/* On the ring, stopping does not commute with going, but it is a last move. */
static void commuting(void **state)
{
	(void)state;
	static const char ordered[] =
		"(role r) (init (at a)) (<= (legal r x) (true (at a))) (<= (legal r y) (true (at b)))"
		"(<= (legal r z) (true (at ?p))) (<= (next (at b)) (does r x)) (<= (next (at a)) (does r y))"
		"(<= (next (at c)) (does r z)) (<= terminal (true (at d))) (goal r 50)";
	assert_int_equal(commutes(marks), COMMUTE_STRICTLY);
	assert_int_equal(commutes(ordered), COMMUTE_NO);
}

/* Ends to head for: they are ends with that goal, all different; and where no state is
 * one, that is told, and proves a bound however long the game may last. */
static void targets(void **state)
{
	(void)state;
	static const char hopeless[] =
		"(role r) (init (on a)) (l a) (l b) (l c) (l d)"
		"(<= (legal r (push ?x)) (l ?x)) (<= (next (on ?x)) (does r (push ?x)) (not (true (on ?x))))"
		"(<= (next (on ?x)) (true (on ?x)) (not (does r (push ?x))))"
		"(<= terminal (true (on a)) (true (on b)) (true (on c)))"
		"(<= (goal r 100) (not (true (on b)))) (<= (goal r 30) (true (on b)))";
	struct play p = play_make(marks, ENGINE_CIRCUIT, true);
	struct circuit flat;
	uint64_t *end = NEW_ARRAY(uint64_t, p.g->words + 1), *last = NEW_ARRAY(uint64_t, p.g->words + 1);
	assert_true(unroll_loops(&flat, game_rules_view(p.g)->circuit, 100000, NULL));
	lit_t all = LIT_NONE;
	for (uint32_t i = 0; i < flat.goals.n; i++)
		all = game_rules_view(p.g)->goal_value[i] == 100 ? flat.goals.at[i] : all;
	struct limit none = {0};
	struct goal_states *t = goal_states_new(&flat, p.g->initial, &all, 1, &none);
	for (int i = 0; i < 20; i++) {
		assert_true(goal_states_next(t, end));
		struct view v = game_look(p.w, end);
		assert_true(v.terminal);
		assert_int_equal(v.goals[0], 100);
		assert_memory_not_equal(end, last, p.g->words * 8);
		memcpy(last, end, p.g->words * 8);
	}
	assert_false(goal_states_refuted(t));
	goal_states_free(t);
	circuit_free(&flat);
	mem_free(end);
	mem_free(last);
	play_free(&p);
	p = play_make(hopeless, ENGINE_CIRCUIT, true);
	struct puzzle_options o = {.limit = work_seconds(20), .method = PUZZLE_SAT};
	struct puzzle_result r;
	assert_true(puzzle_solve(p.g, &o, &r));
	check(&p, &r, 30, "hopeless", "sat");
	puzzle_free(&r);
	play_free(&p);
}

/* From every state that one move leads to, by every method. */
static void from_later_states(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
		struct play p = play_make(puzzles[i].text, ENGINE_CIRCUIT, true);
		uint64_t *at = mem_alloc(p.g->words + 1, 8);
		struct view v = game_look(p.w, p.g->initial);
		uint32_t moves[64], n = 0;
		for (uint32_t k = v.start[0]; k < v.start[1]; k++)
			moves[n++] = v.legal[k];
		for (uint32_t k = 0; k < n; k++) {
			game_next(p.w, p.g->initial, &moves[k], at);
			int best = exhaust(&p, at, 10);
			for (int way = PUZZLE_AUTO; way <= PUZZLE_MAC; way++) {
				struct puzzle_options o = {.start = at, .limit = work_seconds(20), .method = (enum puzzle_method)way};
				struct puzzle_result r;
				assert_true(puzzle_solve(p.g, &o, &r));
				assert_true(r.proved);
				assert_int_equal(r.best, best);
				assert_int_equal(best == GOAL_NONE ? GOAL_NONE : puzzle_play(p.g, at, r.plan.at, r.plan.n), best);
				puzzle_free(&r);
			}
		}
		mem_free(at);
		play_free(&p);
	}
}

/* What was reached before is no news; that there is no more is. */
static void above_a_floor(void **state)
{
	(void)state;
	struct play p = play_make(modest, ENGINE_CIRCUIT, true);
	for (int floor = 30; floor <= 40; floor += 10) {
		atomic_int known;
		atomic_init(&known, floor);
		struct puzzle_options o = {.limit = work_seconds(20), .floor = &known};
		struct puzzle_result r;
		assert_true(puzzle_solve(p.g, &o, &r));
		assert_int_equal(r.bound, 40);
		assert_true(floor == 40 || r.best == 40);
		puzzle_free(&r);
	}
	play_free(&p);
}

/* Somebody else's flag stops both searches. */
static void stopped(void **state)
{
	(void)state;
	struct play p = play_make(crowded, ENGINE_CIRCUIT, true);
	atomic_bool stop = true;
	struct puzzle_options o = {.limit = {.stop = &stop}};
	struct puzzle_result r;
	assert_true(puzzle_solve(p.g, &o, &r));
	assert_true(r.seconds < 4);
	puzzle_free(&r);
	play_free(&p);
}

/* Three switches: a locks b, so b has to be thrown first; c is free and spoils all; two throws are wanted, counted by a
 * clock that decides the goal. */
static const char switches[] = "(role r) (switch a) (switch b) (switch c) (init (clock 0)) (after 0 1) (after 1 2)"
							   "(<= (legal r (throw ?s)) (switch ?s) (not (true (on ?s))) (not (locked ?s)))"
							   "(<= (locked b) (true (on a)))"
							   "(<= (next (on ?s)) (does r (throw ?s))) (<= (next (on ?s)) (true (on ?s)))"
							   "(<= (next (clock ?n)) (true (clock ?m)) (after ?m ?n))"
							   "(<= terminal (true (clock 2)))"
							   "(<= good (true (on a)) (true (on b)) (not (true (on c))))"
							   "(<= (goal r 100) good (true (clock 2))) (<= (goal r 10) (not good))";

static void final_states(void **state)
{
	(void)state;
	struct play p = play_make(switches, ENGINE_CIRCUIT, true);
	struct puzzle_options o = {.method = PUZZLE_FINAL};
	struct puzzle_result r;
	assert_true(puzzle_solve(p.g, &o, &r));
	check(&p, &r, 100, "switches", "final");
	assert_int_equal(r.plan.n, 2);
	assert_int_equal(r.plan.at[0], game_find_move(p.g, 0, "(throw b)"));
	puzzle_free(&r);
	play_free(&p);
}

/* One problem, one final state, and the moves in some order. */
static void sudoku(void **state)
{
	(void)state;
	struct text path = {0}, text = {0};
	const char *root = getenv("MACAW_SOURCE");
	text_printf(&path, "%s/games/sudoku.kif", root ? root : ".");
	assert_true(text_read_file(&text, text_str(&path), 1 << 20, NULL));
	struct play p = play_make(text_str(&text), ENGINE_CIRCUIT, true);
	for (int way = 0; way < 2; way++) {
		struct puzzle_options o = {.limit = work_seconds(100), .method = way ? PUZZLE_AUTO : PUZZLE_FINAL};
		struct puzzle_result r;
		assert_true(puzzle_solve(p.g, &o, &r));
		check(&p, &r, 100, "sudoku", "final");
		assert_int_equal(r.plan.n, 52);
		assert_true(r.states < 10);
		puzzle_free(&r);
	}
	play_free(&p);
	text_free(&path);
	text_free(&text);
}

static void not_a_plan(void **state)
{
	(void)state;
	struct play p = play_make(stairs, ENGINE_CIRCUIT, true);
	uint32_t one = game_find_move(p.g, 0, "one"), two = game_find_move(p.g, 0, "two");
	assert_int_equal(puzzle_play(p.g, NULL, (uint32_t[]){one, one, one, two}, 4), 100);
	assert_int_equal(puzzle_play(p.g, NULL, (uint32_t[]){one, two, two}, 3), 10);
	assert_int_equal(puzzle_play(p.g, NULL, (uint32_t[]){one, one, one}, 3), GOAL_NONE);      /* not at the end */
	assert_int_equal(puzzle_play(p.g, NULL, (uint32_t[]){two, two, two}, 3), GOAL_NONE);      /* not legal */
	assert_int_equal(puzzle_play(p.g, NULL, (uint32_t[]){one, two, two, one}, 4), GOAL_NONE); /* beyond the end */
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(side_by_side),  cmocka_unit_test(in_time),
		cmocka_unit_test(every_search),  cmocka_unit_test(orders),
		cmocka_unit_test(shortest_plan), cmocka_unit_test(clocks),
		cmocka_unit_test(commuting),     cmocka_unit_test(not_a_plan),
		cmocka_unit_test(targets),       cmocka_unit_test(from_later_states),
		cmocka_unit_test(above_a_floor), cmocka_unit_test(stopped),
		cmocka_unit_test(final_states),  cmocka_unit_test(sudoku),
	};
	return RUN(cases);
}
