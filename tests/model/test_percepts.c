/* Percepts in the network: what MAC says is seen with a solution is what the rules say, in every hidden game, by both
 * translations and all methods. */
#include "../play/make_game.h"

#include "base/rng.h"
#include "model/model.h"
#include "scsp/scsp.h"

static void compare_rounds(const char *name, enum model_translation translation, enum model_method method,
                           unsigned passes)
{
	struct made made = load_game_named(name);
	struct game *g = made.game;
	struct text error = {0};
	struct model *m =
		model_make(g, &(struct model_options){.translation = translation, .sees = true, .passes = passes}, &error);
	if (!m)
		fail_msg("%s: %s", name, text_str(&error));
	struct worker *w = worker_new(g), *other = worker_new(g);
	struct model_round r = {0};
	struct rng rng = rng_seed(11);
	uint64_t *at = mem_alloc(g->words + 1, 8);
	uint32_t joint[8];
	size_t solutions = 0, seen = 0;
	memcpy(at, g->initial, g->words * 8);
	for (int step = 0; step < 12; step++) {
		struct view v = game_look(w, at);
		if (v.terminal || !game_random_move(g, &v, &rng, joint))
			break;
		assert_true(model_solve(m, method, at, &r));
		assert_int_equal(r.seen.n, r.count * g->roles);
		for (size_t i = 0; i < r.count; i++) {
			struct percepts p = game_sees(other, at, r.moves.at + i * g->roles);
			for (uint32_t q = 0; q < g->roles; q++) {
				assert_true(r.seen.at[i * g->roles + q] ==
				            game_seen_hash(p.seen + p.start[q], p.start[q + 1] - p.start[q]));
				seen += p.start[q + 1] > p.start[q];
			}
		}
		solutions += r.count;
		game_next(other, at, joint, at);
	}
	assert_true(solutions > 0);
	printf("%s: %zu solutions, something seen in %zu\n", name, solutions, seen);
	model_round_free(&r);
	model_free(m);
	mem_free(at);
	worker_free(w);
	worker_free(other);
	text_free(&error);
	free_made(&made);
}

static void the_network_sees_what_the_rules_say(void **state)
{
	(void)state;
	static const char *const games[] = {
		"guess_dice",    "kuhn_poker",     "mastermind",     "monty_hall", "phantom_tictactoe",
		"schnappt_hubi", "sheep_and_wolf", "vacuum_cleaner", "war",        "wumpus"};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		compare_rounds(games[i], MODEL_GATES, MODEL_MAC, 0);
	compare_rounds("monty_hall", MODEL_GATES, MODEL_FC, 0);
	compare_rounds("monty_hall", MODEL_RULES, MODEL_MAC, 0);
	compare_rounds("war", MODEL_RULES, MODEL_MAC_ANEW, 0);
	compare_rounds("schnappt_hubi", MODEL_GATES, MODEL_MAC_ANEW, (1u << SCSP_PASS_COUNT) - 1);
	compare_rounds("vacuum_cleaner", MODEL_GATES, MODEL_MAC, (1u << SCSP_PASS_COUNT) - 1);
}

/* Percepts follow from the draw: in the stochastic network they come after it. */
static void percepts_have_variables(void **state)
{
	(void)state;
	struct made made = load_game_named("monty_hall");
	struct text error = {0};
	struct model *m = model_make(made.game, &(struct model_options){.sees = true}, &error),
				 *plain = model_make(made.game, &(struct model_options){0}, &error);
	uint32_t count = 0;
	for (uint32_t i = 0; i < made.game->percepts; i++) {
		count += model_percept(m, i) != CSP_NONE;
		assert_true(model_percept(plain, i) == CSP_NONE);
	}
	assert_true(count > 0);
	assert_true(model_stats(m).variables >= model_stats(plain).variables + count);
	struct scsp *s = model_scsp(m, made.game->initial, &error);
	assert_non_null(s);
	scsp_free(s);
	model_free(m);
	model_free(plain);
	text_free(&error);
	free_made(&made);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(the_network_sees_what_the_rules_say),
		cmocka_unit_test(percepts_have_variables),
	};
	return RUN(cases);
}
