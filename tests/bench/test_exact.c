/* The exact solver of bench/ against plain minimax. */
#include "../../bench/exact.h"
#include "../play/make_game.h"

#define WALKS 12

/* The value to role 0, by the definition. */
static int minimax(const struct game *g, struct worker *w, const uint64_t *state)
{
	struct view v = game_look(w, state);
	if (v.terminal)
		return v.goals[0];
	uint64_t *next = NEW_ARRAY(uint64_t, g->words);
	uint32_t n = v.start[2], joint[2], begin[3] = {v.start[0], v.start[1], v.start[2]};
	uint32_t *legal = mem_alloc(n + 1, sizeof *legal);
	memcpy(legal, v.legal, n * sizeof *legal);
	bool second = begin[2] - begin[1] > 1;
	int best = second ? 101 : -1;
	for (uint32_t i = begin[second]; i < begin[second + 1]; i++) {
		joint[second] = legal[i];
		joint[!second] = legal[begin[!second]];
		game_next(w, state, joint, next);
		int value = minimax(g, w, next);
		best = second ? (value < best ? value : best) : value > best ? value : best;
	}
	mem_free(legal);
	mem_free(next);
	return best;
}

static void check_moves(struct game *g, struct worker *w, const uint64_t *state, const uint32_t *passive,
                        const struct exact_answer *a)
{
	uint64_t *next = NEW_ARRAY(uint64_t, g->words);
	for (size_t i = 0; i < a->moves.n; i++) {
		uint32_t joint[2] = {passive[0], passive[1]};
		joint[a->role] = a->moves.at[i].move;
		game_next(w, state, joint, next);
		int value = minimax(g, w, next);
		value = a->role ? 100 - value : value;
		assert_true(value <= a->value);
		assert_int_equal(a->moves.at[i].keeps, value == a->value);
	}
	mem_free(next);
}

static void compare(const char *name, uint32_t plies, int least)
{
	struct made m = load_game_named(name);
	struct exact *x = exact_new(m.game);
	struct worker *w = worker_new(m.game);
	uint64_t *state = NEW_ARRAY(uint64_t, m.game->words);
	uint32_t joint[200];
	int solved = 0;
	for (uint64_t seed = 0; seed < WALKS; seed++) {
		struct rng rng = rng_seed(seed);
		struct exact_answer a = {0};
		if (exact_walk(x, &rng, plies, state, joint) && exact_solve(x, state, 10000000, &a) == EXACT_SOLVED) {
			struct view v = game_look(w, state);
			uint32_t passive[2] = {v.legal[v.start[0]], v.legal[v.start[1]]};
			assert_false(v.terminal);
			assert_int_equal(a.moves.n, v.start[a.role + 1] - v.start[a.role]);
			check_moves(m.game, w, state, passive, &a);
			solved++;
		}
		vec_free(&a.moves);
	}
	assert_true(solved >= least);
	mem_free(state);
	worker_free(w);
	exact_free(x);
	free_made(&m);
}

static void values_are_those_of_minimax(void **state)
{
	compare("tictactoe", 2, 10);
	compare("connect_4x4_3", 6, 1);
	compare("connect_4x4_4", 8, 8);
	compare("quarto", 25, 1);
	compare("othello", 56, 1);
}

static void what_does_not_fit_is_refused(void **state)
{
	struct made m = load_game_named("rock_paper_scissors"), four = load_game_named("connect_four");
	struct exact *x = exact_new(m.game), *large = exact_new(four.game);
	struct exact_answer a = {0};
	assert_int_equal(exact_solve(x, m.game->initial, 1000, &a), EXACT_UNFIT);
	assert_int_equal(exact_solve(large, four.game->initial, 1000, &a), EXACT_TOO_LARGE);
	vec_free(&a.moves);
	exact_free(x);
	exact_free(large);
	free_made(&m);
	free_made(&four);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(values_are_those_of_minimax),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};
	return RUN(cases);
}
