/* Games of two roles solved through the public face, against plain minimax, and strategies followed against everything.
 */
#include "test.h"

#include <macaw/outcome.h>
#include <macaw/worker.h>

#include <string.h>

#define FOREVER ((macaw_limit){.seconds = 300})
#define MOST_WORDS 64

static macaw_game *load(const char *name)
{
	macaw_error e;
	macaw_game *g = macaw_game_load(name, NULL, &e);
	if (!g)
		fail_msg("%s", e.text);
	return g;
}

static macaw_game *parse(const char *text)
{
	macaw_error e;
	macaw_game *g = macaw_game_parse(text, strlen(text), NULL, &e);
	if (!g)
		fail_msg("%s", e.text);
	return g;
}

struct looked {
	bool terminal;
	uint32_t mover, count, moves[256], other;
	int goals[2];
};

static struct looked look(macaw_worker *w, const uint64_t *at)
{
	macaw_view v;
	struct looked l = {0};
	assert_true(macaw_look(w, at, &v));
	l.terminal = v.terminal;
	l.goals[0] = v.goals[0];
	l.goals[1] = v.goals[1];
	if (v.terminal)
		return l;
	l.mover = v.start[2] - v.start[1] > 1;
	l.count = v.start[l.mover + 1] - v.start[l.mover];
	l.other = v.legal[v.start[!l.mover]];
	memcpy(l.moves, v.legal + v.start[l.mover], l.count * sizeof *l.moves);
	return l;
}

static void make(macaw_worker *w, const uint64_t *at, const struct looked *l, uint32_t move, uint64_t *next)
{
	uint32_t joint[2];
	joint[l->mover] = move;
	joint[!l->mover] = l->other;
	assert_true(macaw_next(w, at, joint, next));
}

/* What `role` is sure of when the other one wants it to have as little as possible. */
static int minimax(macaw_worker *w, const uint64_t *at, uint32_t role)
{
	uint64_t next[MOST_WORDS];
	struct looked l = look(w, at);
	if (l.terminal)
		return l.goals[role];
	int best = -1;
	for (uint32_t i = 0; i < l.count; i++) {
		make(w, at, &l, l.moves[i], next);
		int v = minimax(w, next, role);
		if (best < 0 || (l.mover == role ? v > best : v < best))
			best = v;
	}
	return best;
}

/* A random position so many plies after the start; false: the play ended before. */
static bool wander(macaw_worker *w, const macaw_game *g, uint32_t plies, uint64_t *seed, uint64_t *at)
{
	macaw_view v;
	uint32_t joint[2];
	memcpy(at, macaw_position_initial(g), macaw_position_words(g) * sizeof *at);
	for (uint32_t i = 0; i < plies; i++) {
		assert_true(macaw_look(w, at, &v));
		if (v.terminal)
			return false;
		assert_true(macaw_random_moves(g, &v, seed, joint));
		assert_true(macaw_next(w, at, joint, at));
	}
	assert_true(macaw_look(w, at, &v));
	return !v.terminal;
}

static void compare(macaw_game *g, uint32_t plies, uint32_t wanted)
{
	uint64_t at[MOST_WORDS], next[MOST_WORDS], seed = 7;
	macaw_worker *w = macaw_worker_new(g, NULL);
	macaw_outcome *o = macaw_outcome_new(g, (size_t)8 << 20, NULL);
	uint32_t compared = 0;
	assert_true(macaw_position_words(g) <= MOST_WORDS);
	assert_non_null(o);
	for (uint32_t tries = 0; tries < 50 * wanted && compared < wanted; tries++) {
		if (!wander(w, g, plies, &seed, at))
			continue;
		struct looked l = look(w, at);
		uint32_t move;
		assert_true(macaw_outcome_solve(o, at, FOREVER));
		for (uint32_t r = 0; r < 2; r++) {
			macaw_score_bounds b = macaw_outcome_bounds(o, at, r);
			assert_int_equal(b.low, b.high);
			assert_int_equal(b.low, minimax(w, at, r));
		}
		assert_true(macaw_outcome_move(o, at, l.mover, FOREVER, &move));
		make(w, at, &l, move, next);
		assert_int_equal(minimax(w, next, l.mover), minimax(w, at, l.mover));
		compared++;
	}
	assert_int_equal(compared, wanted);
	macaw_outcome_free(o);
	macaw_worker_free(w);
}

static void values_are_those_of_minimax(void **state)
{
	static const struct {
		const char *name;
		uint32_t plies;
	} games[] = {{"tictactoe", 3}, {"connect_four", 36}, {"quarto", 27}};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		macaw_game *g = load(games[i].name);
		compare(g, games[i].plies, test_sample() ? 6 : 20);
		macaw_game_free(g);
	}
}

/* Each of two takes one or two of seven stones; who takes the last one has 60, the other 10 if it took two in its last
 * turn, else 30: nothing adds up. */
static const char stones[] =
	"(role a) (role b) (init (left 7)) (init (turn a)) (other a b) (other b a)"
	"(minus 7 1 6) (minus 6 1 5) (minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0)"
	"(minus 7 2 5) (minus 6 2 4) (minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)"
	"(<= (legal ?r (take ?n)) (true (turn ?r)) (true (left ?m)) (minus ?m ?n ?k)) (<= (legal ?r wait) (other ?r ?q) "
	"(true (turn ?q)))"
	"(<= (next (left ?k)) (true (turn ?r)) (does ?r (take ?n)) (true (left ?m)) (minus ?m ?n ?k))"
	"(<= (next (turn ?q)) (true (turn ?r)) (other ?r ?q)) (<= (next (took ?r ?n)) (does ?r (take ?n)))"
	"(<= (next (took ?r ?n)) (does ?r wait) (true (took ?r ?n))) (<= terminal (true (left 0)))"
	"(<= (goal ?r 60) (true (left 0)) (other ?r ?q) (true (turn ?q)))"
	"(<= (goal ?r 10) (true (left 0)) (true (turn ?r)) (true (took ?r 2)))"
	"(<= (goal ?r 30) (true (left 0)) (true (turn ?r)) (not (true (took ?r 2))))"
	"(<= (goal ?r 0) (role ?r) (not (true (left 0))))";

static void scores_need_not_add_up(void **state)
{
	int sum;
	macaw_game *g = parse(stones);
	macaw_outcome *o = macaw_outcome_new(g, 0, NULL);
	assert_non_null(o);
	assert_false(macaw_outcome_constant_sum(o, &sum));
	macaw_outcome_free(o);
	compare(g, 0, 1);
	compare(g, 2, 4);
	macaw_game_free(g);
}

/* All that the other role may do: never less than what is sure. */
static void follow(macaw_worker *w, macaw_outcome *o, const uint64_t *at, uint32_t role, int sure)
{
	uint64_t next[MOST_WORDS];
	uint32_t move;
	struct looked l = look(w, at);
	if (l.terminal) {
		assert_true(l.goals[role] >= sure);
		return;
	}
	if (l.mover == role) {
		assert_true(macaw_outcome_move(o, at, role, FOREVER, &move));
		make(w, at, &l, move, next);
		follow(w, o, next, role, sure);
		return;
	}
	for (uint32_t i = 0; i < l.count; i++) {
		make(w, at, &l, l.moves[i], next);
		follow(w, o, next, role, sure);
	}
}

static void a_strategy_keeps_its_promise(void **state)
{
	macaw_game *g = load("tictactoe");
	macaw_worker *w = macaw_worker_new(g, NULL);
	macaw_outcome *o = macaw_outcome_new(g, 0, NULL);
	const uint64_t *start = macaw_position_initial(g);
	assert_true(macaw_outcome_solve(o, start, FOREVER));
	follow(w, o, start, 0, 50);
	follow(w, o, start, 1, 50);
	assert_true(macaw_outcome_positions(o) > 0);
	macaw_outcome_free(o);
	macaw_worker_free(w);
	macaw_game_free(g);
}

static void games_of_other_kinds_are_refused(void **state)
{
	static const struct {
		const char *name, *why;
	} games[] = {{"rock_paper_scissors", "both roles choose at the same time"},
	             {"backgammon", "it has chance moves"},
	             {"hanoi", "it is not a game of two roles"},
	             {"phantom_tictactoe", "hides"}};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		macaw_error e;
		macaw_game *g = load(games[i].name);
		assert_null(macaw_outcome_new(g, 0, &e));
		assert_int_equal(e.status, MACAW_INPUT);
		if (!strstr(e.text, games[i].why))
			fail_msg("%s: %s", games[i].name, e.text);
		macaw_game_free(g);
	}
}

/* It stops when told, says what it knows, and goes on from there. */
static void work_can_be_stopped(void **state)
{
	macaw_game *g = load("connect_four");
	macaw_outcome *o = macaw_outcome_new(g, (size_t)4 << 20, NULL);
	macaw_stop stop = {0};
	macaw_stop_now(&stop);
	assert_false(macaw_outcome_solve(o, macaw_position_initial(g), (macaw_limit){.stop = &stop}));
	assert_int_equal(macaw_outcome_error(o)->status, MACAW_OK);
	assert_false(macaw_outcome_in_vain(o));
	macaw_score_bounds b = macaw_outcome_bounds(o, macaw_position_initial(g), 0);
	assert_true(b.low < b.high);
	macaw_outcome_free(o);
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_those_of_minimax),  cmocka_unit_test(scores_need_not_add_up),
		cmocka_unit_test(a_strategy_keeps_its_promise), cmocka_unit_test(games_of_other_kinds_are_refused),
		cmocka_unit_test(work_can_be_stopped),
	};
	return RUN(tests);
}
