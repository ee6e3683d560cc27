/* Games that consist of several: a factor goes its way as the whole does, and what cannot be played one by one is
 * one game. */
#include "../game/play.h"

#include "analysis/factors.h"

/* Two rows of three cells; the roles take a cell each at once, one in either row, and change rows with every step. Who
 * has two neighbouring cells has a pair. ENDS says what a pair is worth. */
#define ROWS \
	"(role x) (role o) (init (turn x left)) (init (turn o right))\n" \
	"(row left) (row right) (cell 1) (cell 2) (cell 3) (near 1 2) (near 2 3) (other x o) (other o x)\n" \
	"(<= (taken ?r ?c) (true (has ?p ?r ?c))) (<= (open ?r ?c) (row ?r) (cell ?c) (not (taken ?r ?c)))\n" \
	"(<= (legal ?p (take ?r ?c)) (true (turn ?p ?r)) (open ?r ?c))\n" \
	"(<= (legal ?p noop) (true (turn ?p ?r)) (full ?r))\n" \
	"(<= (full ?r) (taken ?r 1) (taken ?r 2) (taken ?r 3))\n" \
	"(<= (next (has ?p ?r ?c)) (does ?p (take ?r ?c))) (<= (next (has ?p ?r ?c)) (true (has ?p ?r ?c)))\n" \
	"(<= (next (turn ?p ?r)) (true (turn ?q ?r)) (other ?q ?p))\n" \
	"(<= (pair ?p ?r) (role ?p) (true (has ?p ?r ?c)) (near ?c ?d) (true (has ?p ?r ?d)))\n" \
	"(<= any_open (open ?r ?c))\n"

#define FIRST_PAIR_WINS \
	"(<= (some ?p) (pair ?p ?r)) (<= terminal (some ?p)) (<= terminal (not any_open))\n" \
	"(<= (goal ?p 100) (some ?p) (other ?p ?q) (not (some ?q))) (<= (goal ?p 0) (some ?q) (other ?p ?q) (not (some " \
	"?p)))\n" \
	"(<= (goal ?p 50) (role ?p) (some x) (some o)) (<= (goal ?p 50) (role ?p) (not (some x)) (not (some o)))\n"

#define BOTH_PAIRS_WIN \
	"(<= terminal (not any_open)) (<= (both ?p) (pair ?p left) (pair ?p right))\n" \
	"(<= (goal ?p 100) (both ?p)) (<= (goal ?p 0) (other ?p ?q) (both ?q))\n" \
	"(<= (goal ?p 50) (role ?p) (not (both x)) (not (both o)))\n"

/* Nobody is bound to a row: a role chooses where it plays. */
#define CHOICE_OF_ROWS \
	"(role x) (role o) (init (turn x)) (row left) (row right) (cell 1) (cell 2) (other x o) (other o x)\n" \
	"(<= (taken ?r ?c) (true (has ?p ?r ?c))) (<= (open ?r ?c) (row ?r) (cell ?c) (not (taken ?r ?c)))\n" \
	"(<= (legal ?p (take ?r ?c)) (true (turn ?p)) (open ?r ?c)) (<= (legal ?p noop) (role ?p) (not (true (turn " \
	"?p))))\n" \
	"(<= (next (has ?p ?r ?c)) (does ?p (take ?r ?c))) (<= (next (has ?p ?r ?c)) (true (has ?p ?r ?c)))\n" \
	"(<= (next (turn ?p)) (true (turn ?q)) (other ?q ?p))\n" \
	"(<= (full ?r) (row ?r) (not (open ?r 1)) (not (open ?r 2))) (<= (two ?p) (true (has ?p ?r 1)) (true (has ?p ?r " \
	"2)))\n" \
	"(<= terminal (two ?p)) (<= terminal (full left) (full right)) (<= (goal ?p 100) (two ?p))\n" \
	"(<= (goal ?p 0) (two ?q) (other ?p ?q)) (<= (goal ?p 50) (role ?p) (not (two x)) (not (two o)))\n"

/* One factor beside the whole: as long as both go on, the same state. */
static void follow(struct play *p, const struct factor *f, struct worker *w, uint64_t *part, struct rng *rng)
{
	uint32_t joint[2], own[2];
	uint64_t *expected = NEW_ARRAY(uint64_t, f->game->words + 1);
	play_restart(p);
	memcpy(part, f->game->initial, f->game->words * sizeof *part);
	for (;;) {
		struct view v = game_look(p->w, p->state);
		factor_state(f, p->state, expected);
		assert_memory_equal(expected, part, f->game->words * sizeof *part);
		if (v.terminal)
			break;
		assert_true(game_random_move(p->g, &v, rng, joint));
		struct view here = game_look(w, part);
		for (uint32_t r = 0; r < 2; r++) {
			own[r] = GAME_NONE;
			for (uint32_t i = here.start[r]; i < here.start[r + 1]; i++)
				if (f->move[here.legal[i]] == joint[r] || f->move[here.legal[i]] == GAME_NONE)
					own[r] = here.legal[i];
			assert_true(own[r] != GAME_NONE);
		}
		game_next(p->w, p->state, joint, p->state);
		game_next(w, part, own, part);
	}
	mem_free(expected);
}

static void check_factors(struct play *p, uint32_t count)
{
	const struct factors *x = factors_of(p->g, NULL);
	struct rng rng = rng_seed(3);
	assert_non_null(x);
	assert_int_equal(x->count, count);
	assert_ptr_equal(x, factors_of(p->g, NULL));
	for (uint32_t k = 0; k < count; k++) {
		const struct factor *f = &x->at[k];
		struct worker *w = worker_new(f->game);
		uint64_t *part = NEW_ARRAY(uint64_t, f->game->words + 1);
		for (uint32_t i = 0; i < 50; i++)
			follow(p, f, w, part, &rng);
		for (uint32_t m = 0; m < f->game->moves; m++)
			assert_true(f->move[m] == GAME_NONE || x->of_move[f->move[m]] == k);
		worker_free(w);
		mem_free(part);
	}
	play_free(p);
}

static void boards_are_factors(void **state)
{
	(void)state;
	struct play p = play_named("connect_four_simultaneous"),
				rows = play_make(ROWS FIRST_PAIR_WINS, ENGINE_CIRCUIT, true);
	check_factors(&p, 2);
	check_factors(&rows, 2);
}

/* A row that is full without a pair is a draw in its factor, whatever the other row does. */
static void a_factor_that_is_over_is_a_draw(void **state)
{
	(void)state;
	struct play p = play_make(ROWS FIRST_PAIR_WINS, ENGINE_CIRCUIT, true);
	const struct factors *x = factors_of(p.g, NULL);
	assert_non_null(x);
	uint32_t draws = 0, wins = 0;
	struct worker *w = worker_new(x->at[0].game);
	uint64_t *part = NEW_ARRAY(uint64_t, x->at[0].game->words + 1);
	struct rng rng = rng_seed(5);
	for (uint32_t i = 0; i < 200; i++) {
		uint32_t joint[2];
		memcpy(part, x->at[0].game->initial, x->at[0].game->words * sizeof *part);
		struct view v = game_look(w, part);
		while (!v.terminal && game_random_move(x->at[0].game, &v, &rng, joint)) {
			game_next(w, part, joint, part);
			v = game_look(w, part);
		}
		assert_int_equal(v.goals[0] + v.goals[1], 100);
		draws += v.goals[0] == 50;
		wins += v.goals[0] == 100;
	}
	assert_true(draws && wins && draws + wins < 201);
	worker_free(w);
	mem_free(part);
	play_free(&p);
}

static void what_cannot_be_played_one_by_one_is_one_game(void **state)
{
	(void)state;
	struct play together = play_make(ROWS BOTH_PAIRS_WIN, ENGINE_CIRCUIT, true);
	struct play choice = play_make(CHOICE_OF_ROWS, ENGINE_CIRCUIT, true);
	assert_null(factors_of(together.g, NULL));
	assert_null(factors_of(choice.g, NULL));
	play_free(&together);
	play_free(&choice);
	static const char *const one[] = {"tictactoe",          "connect_four", "hex",          "nim",
	                                  "joint_connect_four", "kaseklau",     "eight_puzzle", "kuhn_poker"};
	for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
		struct play p = play_named(one[i]);
		assert_null(factors_of(p.g, NULL));
		play_free(&p);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(boards_are_factors),
	                                   cmocka_unit_test(a_factor_that_is_over_is_a_draw),
	                                   cmocka_unit_test(what_cannot_be_played_one_by_one_is_one_game)};
	return RUN(cases);
}
