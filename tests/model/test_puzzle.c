/* Games of one role: the best goal is found and proved, by either search. */
#include "../game/play.h"

#include "model/puzzle.h"

/* Reach 5 from 0 by steps of 1 or 2; only an even number of steps is worth 100. */
static const char stairs[] =
	"(role r) (init (at 0)) (init even)"
	"(up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5)"
	"(<= (legal r one) (true (at ?x)) (up ?x ?y))"
	"(<= (legal r two) (true (at ?x)) (up ?x ?y) (up ?y ?z))"
	"(<= (next (at ?y)) (does r one) (true (at ?x)) (up ?x ?y))"
	"(<= (next (at ?z)) (does r two) (true (at ?x)) (up ?x ?y) (up ?y ?z))"
	"(<= (next even) (not (true even)))"
	"(<= terminal (true (at 5)))"
	"(<= (goal r 100) (true (at 5)) (true even)) (<= (goal r 10) (not (true even))) (<= (goal r 0) (true even) (not (true (at 5))))";

/* The best that can be had is 40, and that must be shown. */
static const char modest[] = "(role r) (init start)"
			     "(<= (legal r a) (true start)) (<= (legal r b) (true start))"
			     "(<= (next (got ?x)) (does r ?x)) (<= terminal (not (true start)))"
			     "(<= (goal r 40) (true (got b))) (<= (goal r 20) (true (got a)))"
			     "(<= (goal r 100) (true (got c))) (<= (legal r c) (true (got c)))";

static void space(void **state)
{
	(void)state;
	struct play p = play_make(stairs, ENGINE_CIRCUIT, true);
	struct puzzle_options o = {0};
	struct puzzle_result r;
	puzzle_space(p.g, &o, false, &r);
	assert_int_equal(r.best, 100);
	assert_true(r.proved);
	assert_int_equal(r.plan.n, 4);
	puzzle_free(&r);
	puzzle_space(p.g, &o, true, &r);
	assert_int_equal(r.best, 100);
	assert_true(r.proved);
	puzzle_free(&r);
	play_free(&p);
}

static void unrolled(void **state)
{
	(void)state;
	struct play p = play_make(stairs, ENGINE_CIRCUIT, true);
	struct puzzle_options o = {.limit = limit_seconds(20)};
	struct puzzle_result r;
	assert_true(puzzle_unrolled(p.g, &o, &r));
	assert_int_equal(r.best, 100);
	assert_int_equal(r.plan.n, 4);
	puzzle_free(&r);
	play_free(&p);
}

static void less_than_all(void **state)
{
	(void)state;
	struct play p = play_make(modest, ENGINE_CIRCUIT, true);
	struct puzzle_options o = {.limit = limit_seconds(20)};
	struct puzzle_result r;
	assert_true(puzzle_solve(p.g, &o, &r));
	assert_int_equal(r.best, 40);
	assert_true(r.proved);
	assert_int_equal(r.plan.n, 1);
	puzzle_free(&r);
	play_free(&p);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(space),
		cmocka_unit_test(unrolled),
		cmocka_unit_test(less_than_all),
	};
	return RUN(cases);
}
