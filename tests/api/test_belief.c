/* Beliefs against an oracle: all courses of the game, played out by hand, of which those that look the same are kept.
 */
#include "games.h"

#include "macaw/belief.h"
#include "macaw/match.h"
#include "macaw/worker.h"

#include <math.h>
#include <stdlib.h>

static const uint32_t *moves_of(const macaw_view *v, uint32_t role, uint32_t *count)
{
	*count = v->start[role + 1] - v->start[role];
	return v->legal + v->start[role];
}

/* Kuhn poker: chance deals two of three cards. What alice saw leaves two deals, each with one half. */
static void a_deal_leaves_two_positions(void **state)
{
	macaw_error error;
	macaw_game *g = game_with("kuhn_poker", MACAW_ENGINE_AUTO);
	macaw_worker *w = macaw_worker_new(g, NULL);
	uint32_t alice = macaw_game_find_role(g, "alice"), random = macaw_game_random(g), deals, joint[3];
	size_t words = macaw_position_words(g);
	uint64_t *next = calloc(words, sizeof *next);
	macaw_view v;
	assert_true(macaw_look(w, macaw_position_initial(g), &v));
	moves_of(&v, random, &deals);
	assert_int_equal(deals, 6);
	for (uint32_t i = 0; i < deals; i++) {
		macaw_belief *b = macaw_belief_new(g, alice, 1, &error);
		macaw_seen seen;
		uint32_t count, *percepts, *legal;
		assert_non_null(b);
		assert_int_equal(macaw_belief_count(b), 1);
		assert_true(macaw_position_equal(g, macaw_belief_position(b, 0), macaw_position_initial(g)));
		assert_true(macaw_look(w, macaw_position_initial(g), &v));
		for (uint32_t r = 0; r < 3; r++)
			joint[r] = moves_of(&v, r, &count)[r == random ? i : 0];
		assert_true(macaw_sees(w, macaw_position_initial(g), joint, &seen));
		size_t percept_count = seen.start[alice + 1] - seen.start[alice];
		percepts = malloc((percept_count + 1) * sizeof *percepts);
		memcpy(percepts, seen.percepts + seen.start[alice], percept_count * sizeof *percepts);
		assert_true(macaw_next(w, macaw_position_initial(g), joint, next));
		assert_true(macaw_look(w, next, &v));
		const uint32_t *now = moves_of(&v, alice, &count);
		legal = malloc((count + 1) * sizeof *legal);
		memcpy(legal, now, count * sizeof *legal);
		assert_true(macaw_belief_observe(b, joint[alice], percepts, percept_count, legal, count, (macaw_limit){0}));
		assert_true(macaw_belief_exact(b));
		assert_int_equal(macaw_belief_count(b), 2);
		bool true_one = false;
		for (size_t k = 0; k < 2; k++) {
			assert_true(fabs(macaw_belief_weight(b, k) - 0.5) < 1e-9);
			true_one |= macaw_position_equal(g, macaw_belief_position(b, k), next);
		}
		assert_true(true_one);
		assert_null(macaw_belief_position(b, 2));
		/* nobody is dealt two cards */
		assert_false(macaw_belief_observe(b, joint[alice], percepts, percept_count, legal, count, (macaw_limit){0}));
		assert_int_equal(macaw_belief_error(b)->status, MACAW_INPUT);
		macaw_belief_free(b);
		free(percepts);
		free(legal);
	}
	assert_null(macaw_belief_new(g, random, 1, &error));
	assert_null(macaw_belief_new(g, 99, 1, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	free(next);
	macaw_worker_free(w);
	macaw_game_free(g);
}

/* A match retold from its moves is written down as the match itself. */
static void a_match_is_retold(void **state)
{
	macaw_error error;
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	macaw_match *m = macaw_match_words(g, "random,random", &(macaw_match_options){.playouts = 1, .seed = 3}, &error);
	uint32_t steps = macaw_match_steps(m);
	macaw_made *made = calloc(2 * steps, sizeof *made);
	const char *players[] = {"ann", NULL};
	for (uint32_t i = 0; i < 2 * steps; i++)
		made[i] = macaw_match_made(m, i / 2, i % 2);
	macaw_match *again = macaw_match_of(g, players, made, steps, &error);
	assert_non_null(again);
	assert_int_equal(macaw_match_ending(again), MACAW_TERMINAL);
	assert_int_equal(macaw_match_steps(again), steps);
	assert_string_equal(macaw_match_player(again, 0), "ann");
	for (uint32_t r = 0; r < 2; r++)
		assert_int_equal(macaw_match_goal(again, r), macaw_match_goal(m, r));
	for (uint32_t i = 0; i <= steps; i++)
		assert_true(macaw_position_equal(g, macaw_match_position(again, i), macaw_match_position(m, i)));
	char *record = macaw_match_record(again, true);
	assert_non_null(strstr(record, "\"ann\""));
	macaw_free(record);
	macaw_match_free(again);
	made[0].move = made[1].move;
	assert_null(macaw_match_of(g, players, made, steps, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	free(made);
	macaw_match_free(m);
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deal_leaves_two_positions),
		cmocka_unit_test(a_match_is_retold),
	};
	return RUN(tests);
}
