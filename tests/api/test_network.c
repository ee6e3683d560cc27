/* Games as networks through the public face: the solutions of a round are the legal joint moves with their successors,
 * the network as a stochastic problem, several rounds in one. */
#include "test.h"

#include <macaw/network.h>
#include <macaw/worker.h>

#include <math.h>
#include <string.h>

enum { MOST_ROLES = 4, MOST_WORDS = 64 };

static uint64_t joint_moves(const macaw_view *v, uint32_t roles)
{
	uint64_t n = 1;
	for (uint32_t r = 0; r < roles; r++)
		n *= v->start[r + 1] - v->start[r];
	return n;
}

/* A round by the network beside the game itself. */
static void compare(macaw_network *n, macaw_worker *w, const uint64_t *position, enum macaw_round_method method)
{
	macaw_game *g = macaw_network_game(n);
	uint32_t roles = macaw_game_roles(g);
	size_t words = macaw_position_words(g);
	macaw_round round;
	macaw_view v;
	assert_true(macaw_network_solve(n, method, position, &round));
	assert_true(macaw_look(w, position, &v));
	assert_int_equal(round.terminal, v.terminal);
	if (v.terminal) {
		for (uint32_t r = 0; r < roles; r++)
			if (v.goals[r] >= 0)
				assert_int_equal(round.goals[r], v.goals[r]);
		return;
	}
	assert_int_equal(round.count, joint_moves(&v, roles));
	for (size_t i = 0; i < round.count; i++) {
		uint64_t next[MOST_WORDS];
		const uint32_t *moves = round.moves + i * roles;
		for (uint32_t r = 0; r < roles; r++)
			assert_int_equal(macaw_game_role_of(g, moves[r]), r);
		assert_true(macaw_next(w, position, moves, next));
		assert_true(macaw_position_equal(g, next, round.next + i * words));
	}
}

static void rounds_are_those_of_the_game(void **state)
{
	static const char *const games[] = {"tictactoe", "connect_four", "rock_paper_scissors", "breakthrough_6x6"};
	int met = 0;
	for (size_t k = 0; k < sizeof games / sizeof *games; k++) {
		macaw_error e;
		macaw_game *g = macaw_game_load(games[k], NULL, &e);
		if (!g)
			continue;
		macaw_network *n = macaw_network_make(g, NULL, &e);
		if (!n)
			fail_msg("%s: %s", games[k], e.text);
		macaw_worker *w = macaw_worker_new(g, &e);
		uint64_t seed = 5, p[MOST_WORDS];
		size_t bytes = macaw_position_words(g) * sizeof *p;
		assert_true(macaw_position_words(g) <= MOST_WORDS && macaw_game_roles(g) <= MOST_ROLES);
		memcpy(p, macaw_position_initial(g), bytes);
		for (int step = 0; step < (test_sample() ? 20 : 100); step++) {
			uint32_t moves[MOST_ROLES];
			macaw_view v;
			compare(n, w, p, MACAW_ROUND_MAC);
			if (step % 10 == 0)
				compare(n, w, p, MACAW_ROUND_FC);
			assert_true(macaw_look(w, p, &v));
			if (v.terminal || !macaw_random_moves(g, &v, &seed, moves))
				memcpy(p, macaw_position_initial(g), bytes);
			else
				macaw_next(w, p, moves, p);
		}
		met++;
		macaw_worker_free(w);
		macaw_network_free(n);
		macaw_game_free(g);
	}
	assert_true(met >= 2);
}

static void variables_and_injection(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", NULL, &e);
	macaw_network *n = macaw_network_make(g, NULL, &e);
	const uint64_t *start = macaw_position_initial(g);
	macaw_csp *c = macaw_network_csp(n);
	macaw_network_stats s = macaw_network_statistics(n);
	assert_true(macaw_network_game(n) == g);
	assert_int_equal(s.variables, macaw_csp_variables(c));
	assert_int_equal(s.constraints, macaw_csp_constraints(c));
	assert_true(s.tuples > 100 && s.groups == macaw_network_groups(n) - s.booleans);
	assert_true(macaw_network_inject(n, start));
	assert_false(macaw_network_inject(n, start)); /* one at a time */
	assert_int_equal(macaw_network_error(n)->status, MACAW_USAGE);
	macaw_round round;
	assert_false(macaw_network_solve(n, MACAW_ROUND_MAC, start, &round));
	assert_null(macaw_network_print(n, &e));
	assert_int_equal(macaw_csp_min(c, macaw_network_terminal(n)), 0);
	assert_int_equal(macaw_csp_max(c, macaw_network_terminal(n)), 0);
	uint32_t x = macaw_network_action(n, 0);
	assert_int_equal(macaw_csp_size(c, x), 9);
	assert_int_equal(macaw_csp_size(c, macaw_network_action(n, 1)), 1);
	assert_int_equal(macaw_game_role_of(g, macaw_network_move(n, 0, macaw_csp_next_at(c, x, 0))), 0);
	for (uint32_t i = 0; i < macaw_network_groups(n); i++) {
		assert_int_equal(macaw_csp_size(c, macaw_network_now(n, i)), 1);
		assert_true(macaw_csp_size(c, macaw_network_after(n, i)) >= 1);
	}
	assert_true(macaw_csp_count(c, macaw_network_score(n, 0)) >= 2);
	assert_int_equal(macaw_network_chance_legal(n, 0), MACAW_NONE);
	assert_int_equal(macaw_network_action(n, 2), MACAW_NONE);
	assert_int_equal(macaw_network_score(n, 2), MACAW_NONE);
	assert_int_equal(macaw_network_now(n, 9999), MACAW_NONE);
	assert_int_equal(macaw_network_after(n, 9999), MACAW_NONE);
	macaw_network_release(n);
	assert_false(macaw_network_solve(n, 7, start, &round));
	assert_int_equal(macaw_network_error(n)->status, MACAW_USAGE);
	macaw_network_release(n);
	assert_int_equal(macaw_csp_level(c), 0);
	/* a position in which a square holds two marks */
	uint64_t broken[MOST_WORDS];
	memcpy(broken, start, macaw_position_words(g) * sizeof *broken);
	uint32_t f = macaw_game_find_fluent(g, "(cell 1 1 x)");
	assert_int_not_equal(f, MACAW_NONE);
	broken[f / 64] |= UINT64_C(1) << (f % 64);
	assert_false(macaw_network_inject(n, broken));
	assert_false(macaw_network_solve(n, MACAW_ROUND_MAC, broken, &round));
	assert_int_equal(macaw_network_error(n)->status, MACAW_INPUT);
	assert_true(macaw_network_solve(n, MACAW_ROUND_MAC, start, &round));
	assert_true(round.count == 9 && round.propagations > 0);
	char *text = macaw_network_print(n, &e);
	assert_non_null(text);
	assert_int_equal(strncmp(text, "variables\n", 10), 0);
	macaw_free(text);
	macaw_network_free(n);
	macaw_network_free(NULL);
	macaw_game_free(g);
}

static void as_stochastic_problems(void **state)
{
	static const char rules[] = "(role random) (role you) (init start) (<= (legal random (roll 1)) (true start)) (<= "
								"(legal random (roll 2)) (true start))"
								"(<= (legal random noop) (not (true start)))"
								"(<= (legal you (guess 1)) (true start)) (<= (legal you (guess 2)) (true start)) (<= "
								"(legal you noop) (not (true start)))"
								"(<= (next right) (does random (roll ?x)) (does you (guess ?x))) (<= (next wrong) "
								"(does random (roll ?x)) (does you (guess ?y)) (distinct ?x ?y))"
								"(<= terminal (true right)) (<= terminal (true wrong)) (<= (goal you 100) (true "
								"right)) (<= (goal you 0) (not (true right)))"
								"(goal random 0)";
	macaw_error e;
	macaw_game *g = macaw_game_parse(rules, strlen(rules), NULL, &e);
	if (!g)
		fail_msg("%s", e.text);
	macaw_network *n = macaw_network_make(g, &(macaw_network_options){.keep = true}, &e);
	if (!n)
		fail_msg("%s", e.text);
	assert_int_not_equal(macaw_network_chance_legal(n, 0), MACAW_NONE);
	assert_null(macaw_network_unroll(n, macaw_position_initial(g), 0, &e));
	macaw_scsp *s = macaw_network_unroll(n, macaw_position_initial(g), 1, &e);
	if (!s)
		fail_msg("%s", e.text);
	macaw_scsp_result *r = macaw_scsp_solve(s, &(macaw_scsp_options){.aim = MACAW_SCSP_BEST}, &e);
	assert_int_equal(macaw_scsp_status(r), MACAW_CSP_OPTIMUM);
	assert_float_equal(macaw_scsp_expected(r, macaw_scsp_policies(r) - 1)[0], 0.5, 1e-12);
	macaw_scsp_result_free(r);
	macaw_scsp_free(s);
	macaw_network_stats before = macaw_network_statistics(n), after;
	s = macaw_network_scsp(n, macaw_position_initial(g), &e);
	assert_non_null(s);
	assert_true(macaw_scsp_players(s) == 1 && macaw_scsp_stages(s) == 1);
	char *xml = macaw_scsp_write(s);
	assert_int_equal(macaw_xcsp3_type_of(xml, strlen(xml)), MACAW_XCSP3_SCSP);
	macaw_free(xml);
	/* nothing is left in the network but its numbers */
	macaw_round round;
	after = macaw_network_statistics(n);
	assert_true(before.tuples == after.tuples && before.variables == after.variables);
	assert_null(macaw_network_csp(n));
	assert_false(macaw_network_solve(n, MACAW_ROUND_MAC, macaw_position_initial(g), &round));
	assert_false(macaw_network_inject(n, macaw_position_initial(g)));
	assert_null(macaw_network_scsp(n, NULL, &e));
	assert_int_equal(e.status, MACAW_USAGE);
	macaw_scsp_free(s);
	macaw_network_free(n);
	macaw_game_free(g);
}

static void what_has_no_network(void **state)
{
	macaw_error e;
	macaw_game *g = macaw_game_load("tictactoe", &(macaw_game_options){.engine = MACAW_ENGINE_INTERPRETER}, &e);
	assert_non_null(g);
	assert_null(macaw_network_make(g, NULL, &e));
	assert_int_equal(e.status, MACAW_INPUT);
	assert_int_equal(strncmp(e.text, "the rules have no circuit", 25), 0);
	macaw_game_free(g);
	g = macaw_game_load("tictactoe", NULL, &e);
	assert_null(macaw_network_make(g, &(macaw_network_options){.memory = 100}, &e));
	assert_true(e.status == MACAW_INPUT && *e.text);
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_are_those_of_the_game),
		cmocka_unit_test(variables_and_injection),
		cmocka_unit_test(as_stochastic_problems),
		cmocka_unit_test(what_has_no_network),
	};
	return RUN(tests);
}
