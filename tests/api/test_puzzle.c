/* Puzzles through the public face: plans are played to see that they are what they claim. */
#include "test.h"

#include <macaw/puzzle.h>
#include <macaw/worker.h>

#include <string.h>

static int play(macaw_game *g, const macaw_plan *p)
{
	macaw_worker *w = macaw_worker_new(g, NULL);
	size_t words = macaw_position_words(g);
	uint64_t *at = calloc(words, sizeof *at);
	macaw_view v;
	memcpy(at, macaw_position_initial(g), words * sizeof *at);
	for (size_t i = 0; i < p->steps; i++) {
		bool legal = false;
		assert_true(macaw_look(w, at, &v) && !v.terminal);
		for (uint32_t k = v.start[0]; k < v.start[1]; k++)
			legal |= v.legal[k] == p->moves[i];
		assert_true(legal);
		assert_true(macaw_next(w, at, &p->moves[i], at));
	}
	assert_true(macaw_look(w, at, &v) && v.terminal);
	int goal = v.goals[0];
	macaw_worker_free(w);
	free(at);
	return goal;
}

static void plans_reach_their_goal(void **state)
{
	static const char *const games[] = {"hanoi", "hanoi_5", "eight_puzzle", "lightsout", "lights_out"};
	int solved = 0;
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		macaw_error e;
		macaw_game *g = macaw_game_load(games[i], NULL, &e);
		if (!g)
			continue;
		macaw_plan *p = macaw_puzzle_solve(g, &(macaw_puzzle_options){.limit.seconds = 30}, &e);
		assert_non_null(p);
		assert_true(p->best >= 0 && p->best <= p->bound);
		assert_int_equal(p->proved, p->best == p->bound);
		assert_int_equal(play(g, p), p->best);
		assert_non_null(p->by);
		assert_true(p->proved || p->why);
		solved += p->proved;
		macaw_plan_free(p);
		macaw_game_free(g);
	}
	assert_true(solved >= 2);
}

/* To switch three lamps one after another; two steps are too few for a fourth. */
static const char lamps[] =
	"(role you) (lamp a) (lamp b) (lamp c) (init (step 0)) (succ 0 1) (succ 1 2)"
	"(<= (legal you (light ?l)) (lamp ?l)) (<= (next (on ?l)) (does you (light ?l))) (<= (next (on ?l)) (true (on ?l)))"
	"(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 2)))"
	"(<= (goal you 100) (true (on a)) (true (on b)) (true (on c))) (<= (goal you 60) (true (on a)) (true (on b)) (not "
	"(true (on c))))"
	"(<= (goal you 10) (not (true (on a)))) (<= (goal you 10) (true (on a)) (not (true (on b))))";

struct told {
	int times;
};

static void tell(void *context, const char *what, double done, double total)
{
	struct told *t = context;
	assert_non_null(what);
	t->times++;
}

static void every_method(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_parse(lamps, strlen(lamps), NULL, &e);
	if (!g)
		fail_msg("%s", e.text);
	for (int m = 0; macaw_puzzle_method_name(m); m++) {
		struct told told = {0};
		macaw_puzzle_options o = {.method = m, .limit.seconds = 20, .progress = tell, .context = &told};
		macaw_plan *p = macaw_puzzle_solve(g, &o, &e);
		assert_non_null(p);
		assert_int_equal(p->best, 60);
		assert_int_equal(play(g, p), 60);
		if (m == MACAW_PUZZLE_AUTO || m == MACAW_PUZZLE_SPACE)
			assert_true(p->proved && p->steps == 2 && p->states > 0);
		macaw_plan_free(p);
	}
	macaw_plan *p = macaw_puzzle_solve(g, NULL, NULL);
	assert_int_equal(p->best, 60);
	macaw_plan_free(p);
	assert_string_equal(macaw_puzzle_method_name(MACAW_PUZZLE_MAC), "mac");
	assert_string_equal(macaw_puzzle_method_name(MACAW_PUZZLE_FINAL), "final");
	assert_null(macaw_puzzle_method_name(MACAW_PUZZLE_FINAL + 1));
	assert_null(macaw_puzzle_solve(g, &(macaw_puzzle_options){.method = 77}, &e));
	assert_int_equal(e.status, MACAW_USAGE);
	macaw_game_free(g);
	macaw_plan_free(NULL);
}

static void several_roles_are_refused(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &e);
	assert_null(macaw_puzzle_solve(g, NULL, &e));
	assert_int_equal(e.status, MACAW_INPUT);
	assert_string_equal(e.text, "only games of one role with a circuit can be solved");
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plans_reach_their_goal),
		cmocka_unit_test(every_method),
		cmocka_unit_test(several_roles_are_refused),
	};
	return RUN(tests);
}
