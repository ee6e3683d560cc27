/* What the headers promise where a caller is careless or unlucky: missing texts and numbers that are not there, errors
 * that do not fit, one game in many threads, and objects that run out of memory beside others of the same game. */
#include "games.h"

#include "macaw/macaw.h"

#include <pthread.h>

static const enum macaw_engine engines[] = {MACAW_ENGINE_CIRCUIT, MACAW_ENGINE_INTERPRETER};

static void assert_failed(const macaw_error *e, enum macaw_status status)
{
	size_t n = strlen(e->text);
	assert_int_equal(e->status, status);
	assert_true(n > 0);
	assert_int_not_equal(e->text[n - 1], '\n');
}

/* ---- missing texts ---- */

static void test_texts_that_are_null(void **state)
{
	macaw_error e;
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	assert_null(macaw_game_load(NULL, NULL, &e));
	assert_failed(&e, MACAW_INPUT);
	assert_null(macaw_game_parse(NULL, 0, NULL, &e));
	assert_failed(&e, MACAW_INPUT);
	assert_null(macaw_player_new(g, 0, NULL, 0, &e));
	assert_failed(&e, MACAW_USAGE);
	assert_null(macaw_match_words(g, NULL, NULL, &e));
	assert_failed(&e, MACAW_USAGE);
	assert_null(macaw_csp_load(NULL, &e));
	assert_failed(&e, MACAW_INPUT);
	assert_null(macaw_scsp_load(NULL, &e));
	assert_failed(&e, MACAW_INPUT);
	assert_null(macaw_qcsp_load(NULL, &e));
	assert_failed(&e, MACAW_INPUT);
	assert_null(macaw_csp_load("/", &e));
	assert_failed(&e, MACAW_INPUT);
	assert_int_equal(macaw_xcsp3_type_of_file(NULL), MACAW_XCSP3_CSP);
	assert_int_equal(macaw_xcsp3_type_of_file("/"), MACAW_XCSP3_CSP);
	assert_int_equal(macaw_game_find_role(g, NULL), MACAW_NONE);
	macaw_game_free(g);
}

static void test_networks_that_are_null(void **state)
{
	macaw_error e;
	assert_null(macaw_scsp_new(NULL, 1, &e));
	assert_failed(&e, MACAW_USAGE);
	assert_null(macaw_qcsp_new(NULL, true, &e));
	assert_failed(&e, MACAW_USAGE);
	assert_false(macaw_stopped(NULL));
	macaw_stop_now(NULL);
	macaw_stop_clear(NULL);
}

/* ---- errors that do not fit ---- */

static void test_errors_end_with_a_whole_character(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	uint64_t *p = copy_of(g, macaw_position_initial(g));
	char text[3001];
	macaw_error e;
	for (size_t shift = 0; shift < 3; shift++) {
		size_t n = 0;
		while (n < shift)
			text[n++] = 'x';
		while (n + 3 < sizeof text) {
			memcpy(text + n, "\xe2\x82\xac", 3);
			n += 3;
		}
		text[n] = 0;
		assert_false(macaw_position_parse(g, text, p, &e));
		assert_failed(&e, MACAW_INPUT);
		assert_non_null(strstr(e.text, "\xe2\x82\xac` is no fluent"));
		assert_null(macaw_csp_load(text, &e));
		assert_failed(&e, MACAW_INPUT);
		assert_true(strlen(e.text) > sizeof e.text - 5);
		assert_memory_equal(e.text + strlen(e.text) - 3, "\xe2\x82\xac", 3);
	}
	free(p);
	macaw_game_free(g);
}

/* ---- numbers that are not there ---- */

static void test_a_player_refuses_news_of_other_games(void **state)
{
	macaw_game *g = game_with("kuhn_poker", MACAW_ENGINE_CIRCUIT);
	macaw_error e;
	macaw_player *p = macaw_player_new(g, macaw_game_random(g) == 0 ? 1 : 0, "uct", 1, &e);
	uint32_t own = 0, wrong[] = {UINT32_MAX};
	macaw_thought t;
	assert_non_null(p);
	assert_true(macaw_player_think(p, &(macaw_budget){.playouts = 10}, &t));
	own = t.move;
	assert_false(macaw_player_inform_seen(p, UINT32_MAX, NULL, 0, &own, 1));
	assert_failed(macaw_player_error(p), MACAW_INPUT);
	assert_false(macaw_player_inform_seen(p, own, NULL, 0, wrong, 1));
	assert_failed(macaw_player_error(p), MACAW_INPUT);
	assert_false(macaw_player_inform_seen(p, own, wrong, 1, &own, 1));
	assert_failed(macaw_player_error(p), MACAW_INPUT);
	assert_true(macaw_player_inform_seen(p, own, NULL, 0, &own, 1));
	macaw_player_free(p);
	macaw_game_free(g);
}

static void test_boards_moves_and_scopes_that_are_not_there(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	const uint64_t *initial = macaw_position_initial(g);
	macaw_error e;
	macaw_drawing *d = macaw_drawing_new(g, &e);
	assert_null(macaw_drawing_board(d, 0).cells); /* nothing was looked at */
	uint32_t boards = macaw_drawing_look(d, initial);
	assert_non_null(macaw_drawing_board(d, boards - 1).cells);
	assert_null(macaw_drawing_board(d, boards).cells);
	macaw_drawing_rest(d, NULL);
	macaw_drawing_free(d);
	macaw_network *n = macaw_network_make(g, NULL, &e);
	assert_int_equal(macaw_game_role_of(g, macaw_network_move(n, 1, 0)), 1);
	assert_int_equal(macaw_network_move(n, 0, 99999), MACAW_NONE);
	assert_int_equal(macaw_network_move(n, 99, 0), MACAW_NONE);
	assert_null(macaw_network_unroll(n, NULL, 1, &e));
	assert_failed(&e, MACAW_USAGE);
	macaw_network_free(n);
	macaw_symmetries *s = macaw_symmetries_find(g, (macaw_limit){0}, &e);
	uint64_t *p = copy_of(g, initial);
	assert_null(macaw_symmetries_canonical(s, initial, (enum macaw_scope)77, p));
	macaw_symmetries_free(s);
	free(p);
	macaw_game_free(g);
}

static void test_fluents_that_nobody_has_met(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		macaw_game *g = game_with("tictactoe", engines[i]);
		uint64_t *p = copy_of(g, macaw_position_initial(g));
		macaw_error e;
		macaw_worker *w = macaw_worker_new(g, &e);
		macaw_view v;
		for (uint32_t f = 0; f < macaw_game_fluents(g); f++)
			p[f / 64] |= UINT64_C(1) << f % 64;
		assert_true(macaw_look(w, p, &v));
		assert_true(macaw_look(w, macaw_position_initial(g), &v));
		assert_false(v.terminal);
		macaw_worker_free(w);
		free(p);
		macaw_game_free(g);
	}
}

static void refused(macaw_csp *n, uint32_t made, const char *why)
{
	assert_int_equal(made, MACAW_NONE);
	assert_failed(macaw_csp_error(n), MACAW_USAGE);
	assert_non_null(strstr(macaw_csp_error(n)->text, why));
}

static void test_builders_refuse(void **state)
{
	macaw_error e;
	macaw_csp *n = macaw_csp_new(&e);
	uint32_t x[] = {macaw_csp_var_range(n, "x", 0, 3), macaw_csp_var_range(n, "y", 0, 3)}, wrong[] = {99};
	int64_t one[] = {1, 1};
	enum macaw_csp_relation none = (enum macaw_csp_relation)77;
	refused(n, macaw_csp_var_values(n, "z", NULL, 0), "empty");
	refused(n, macaw_csp_add_sum(n, x, one, 2, none, 1), "relation");
	refused(n, macaw_csp_add_count(n, x, 2, NULL, 0, none, 1, MACAW_NONE), "relation");
	refused(n, macaw_csp_add_ordered(n, x, 2, NULL, none), "relation");
	refused(n, macaw_csp_add_lex(n, x, x, 2, none), "relation");
	refused(n, macaw_csp_add_intension(n, 99), "no such expression");
	refused(n, macaw_csp_expr(n, MACAW_CSP_OP_NEG, wrong, 1), "no such expression");
	refused(n, macaw_csp_expr_const(n, INT64_MIN), "out of range");
	macaw_csp_hide(n, 99);
	assert_int_equal(macaw_csp_find(n, NULL), MACAW_NONE);
	assert_int_equal(macaw_csp_solve(n, &(macaw_csp_options){.branch = wrong, .branch_count = 1}, NULL),
	                 MACAW_CSP_UNKNOWN);
	assert_failed(macaw_csp_error(n), MACAW_USAGE);
	uint32_t deep = macaw_csp_expr_var(n, x[0]), last = deep;
	while ((deep = macaw_csp_expr(n, MACAW_CSP_OP_NEG, &deep, 1)) != MACAW_NONE)
		last = deep;
	refused(n, deep, "deep");
	assert_int_not_equal(macaw_csp_add_intension(n, last), MACAW_NONE);
	assert_int_equal(macaw_csp_solve(n, NULL, NULL), MACAW_CSP_SAT);
	macaw_csp_free(macaw_csp_simplify(n, 0, NULL, &e));
	macaw_csp_free(n);
}

static void test_a_refused_soft_constraint_leaves_nothing_behind(void **state)
{
	macaw_error e;
	macaw_csp *n = macaw_csp_new(&e);
	uint32_t scope[] = {macaw_csp_var_range(n, "x", 0, 3), 99};
	macaw_scsp *s = macaw_scsp_new(n, 1, &e);
	assert_false(macaw_scsp_soft(s, scope, 2, (int32_t[]){0, 0}, 1, (double[]){1}));
	assert_failed(macaw_scsp_error(s), MACAW_USAGE);
	macaw_scsp_free(s);
}

/* ---- memory that one object lacks ---- */

/* Whatever workers, players and matches of a game ran out of memory, the game is as good as before. */
static void test_a_game_survives_its_objects(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		macaw_game *g = game_with("tictactoe", engines[i]);
		macaw_error e;
		macaw_view v;
		for (size_t bytes = 1000; bytes < 4000000; bytes += bytes / 3) {
			macaw_memory_limit(bytes);
			macaw_worker_free(macaw_worker_new(g, &e));
			macaw_player *p = macaw_player_new(g, 0, "macaw", 1, &e);
			macaw_thought t;
			if (p && !macaw_player_think(p, &(macaw_budget){.playouts = 20}, &t))
				assert_failed(macaw_player_error(p), MACAW_MEMORY);
			else if (!p)
				assert_failed(&e, MACAW_MEMORY);
			macaw_player_free(p);
		}
		macaw_memory_limit(0);
		macaw_worker *w = macaw_worker_new(g, &e);
		assert_non_null(w);
		assert_true(macaw_look(w, macaw_position_initial(g), &v));
		for (uint32_t k = v.start[0]; k < v.start[1]; k++)
			assert_non_null(macaw_game_move(g, v.legal[k]));
		macaw_worker_free(w);
		macaw_game_free(g);
	}
}

/* ---- threads ---- */

static void *use_all(void *context)
{
	macaw_game *g = context;
	const char *words[] = {"macaw", "mac-ucb-sym", "uct"};
	macaw_error e;
	uint64_t *p = copy_of(g, macaw_position_initial(g)), seed = 1;
	uint32_t moves[2];
	macaw_worker *w = macaw_worker_new(g, &e);
	do {
		macaw_view v;
		assert_true(macaw_look(w, p, &v));
		for (uint32_t i = 0; i < v.start[2]; i++)
			assert_int_equal(macaw_game_find_move(g, i >= v.start[1], macaw_game_move(g, v.legal[i])), v.legal[i]);
		char *text = macaw_position_text(g, p);
		assert_true(macaw_position_parse(g, text, p, &e));
		macaw_free(text);
	} while (random_step(w, p, moves, &seed));
	for (size_t i = 0; i < 3; i++) {
		macaw_player *player = macaw_player_new(g, 0, words[i], 1, &e);
		macaw_thought t;
		assert_true(macaw_player_think(player, &(macaw_budget){.playouts = 20}, &t));
		macaw_player_free(player);
	}
	macaw_free(macaw_rules_print(macaw_game_rules(g), true));
	macaw_symmetries_free(macaw_symmetries_find(g, (macaw_limit){0}, &e));
	macaw_network_free(macaw_network_make(g, NULL, &e));
	macaw_playout_result_free(macaw_playouts(g, &(macaw_playout_job){.playouts = 100, .threads = 2}, &e));
	macaw_worker_free(w);
	free(p);
	return NULL;
}

static void test_four_threads_use_one_game(void **state)
{
	for (size_t i = 0; i < 2; i++) {
		macaw_game *g = game_with("tictactoe", engines[i]);
		pthread_t threads[4];
		for (int t = 0; t < 4; t++)
			assert_int_equal(pthread_create(&threads[t], NULL, use_all, g), 0);
		for (int t = 0; t < 4; t++)
			pthread_join(threads[t], NULL);
		macaw_game_free(g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts_that_are_null),
		cmocka_unit_test(test_networks_that_are_null),
		cmocka_unit_test(test_errors_end_with_a_whole_character),
		cmocka_unit_test(test_a_player_refuses_news_of_other_games),
		cmocka_unit_test(test_boards_moves_and_scopes_that_are_not_there),
		cmocka_unit_test(test_fluents_that_nobody_has_met),
		cmocka_unit_test(test_builders_refuse),
		cmocka_unit_test(test_a_refused_soft_constraint_leaves_nothing_behind),
		cmocka_unit_test(test_a_game_survives_its_objects),
		cmocka_unit_test(test_four_threads_use_one_game),
	};
	return RUN(tests);
}
