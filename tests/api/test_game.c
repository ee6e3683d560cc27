/* Rules, games and positions as users of the library meet them; also when they use it wrongly. */
#include "games.h"

#include <pthread.h>

static const char small[] = "(role a) (role b) (init (left 2)) (succ 0 1) (succ 1 2)\n"
							"(<= (legal a (take 1)) (true (left ?n)) (distinct ?n 0)) (legal b wait)\n"
							"(<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))\n"
							"(<= terminal (true (left 0))) (goal a 100) (goal b 0)\n";

/* ---- rules ---- */

static void rules_by_name_and_text(void **state)
{
	macaw_error error;
	macaw_rules *r = macaw_rules_load("tictactoe", &error);
	assert_non_null(r);
	assert_string_equal(macaw_rules_name(r), "tictactoe");
	assert_non_null(strstr(macaw_rules_file(r), "tictactoe.kif"));
	assert_int_equal(macaw_rules_roles(r), 2);
	assert_string_equal(macaw_rules_role(r, 0), "x");
	assert_null(macaw_rules_role(r, 2));
	assert_int_equal(macaw_rules_errors(r), 0);
	assert_false(macaw_rules_infix(r));
	size_t length;
	const char *source = macaw_rules_source(r, &length);
	assert_int_equal(strlen(source), length);
	assert_non_null(macaw_rules_source(r, NULL));
	macaw_rules_free(r);

	char *path = macaw_rules_path("tictactoe", &error);
	assert_non_null(path);
	assert_non_null(strstr(path, "tictactoe.kif"));
	macaw_free(path);
	assert_null(macaw_rules_path("tictacto", &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_non_null(strstr(error.text, "did you mean tictactoe?"));
	assert_null(macaw_rules_path("tictacto", NULL));
	assert_null(macaw_rules_load("no/such/file", &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_null(macaw_rules_load("", &error));
	assert_null(macaw_rules_load(NULL, &error));
	assert_null(macaw_rules_path(NULL, &error));
	macaw_rules_free(NULL);
}

static void rules_print_and_read_back(void **state)
{
	macaw_rules *r = macaw_rules_parse(small, strlen(small), "folder/small.kif", NULL);
	assert_string_equal(macaw_rules_name(r), "small");
	assert_int_equal(macaw_rules_count(r), 11);
	for (int infix = 0; infix < 2; infix++) {
		char *text = macaw_rules_print(r, infix);
		macaw_rules *again = macaw_rules_parse(text, strlen(text), NULL, NULL);
		assert_int_equal(macaw_rules_errors(again), 0);
		assert_int_equal(macaw_rules_infix(again), infix);
		char *twice = macaw_rules_print(again, infix);
		assert_string_equal(text, twice);
		macaw_rules_free(again);
		macaw_free(text);
		macaw_free(twice);
	}
	macaw_rules_free(r);
}

static void rules_with_faults(void **state)
{
	static const char text[] = "(role a)\n(<= (next (p ?x)) (true q))\n(legal a b) (unused 1)\n";
	macaw_rules *r = macaw_rules_parse(text, strlen(text), "faulty", NULL);
	assert_true(macaw_rules_errors(r) > 0);
	assert_int_equal(macaw_rules_unreadable(r), 0);
	size_t n = macaw_rules_diagnostics(r);
	assert_int_equal(n, macaw_rules_errors(r) + macaw_rules_warnings(r));
	bool unsafe = false;
	for (size_t i = 0; i < n; i++) {
		macaw_diagnostic d = macaw_rules_diagnostic(r, i);
		assert_true(d.at.line >= 1 && d.at.column >= 1 && d.at.from <= d.at.to && d.at.to <= strlen(text));
		assert_true(*d.message && *d.code);
		if (!strcmp(d.code, "unsafe-variable")) {
			unsafe = true;
			assert_int_equal(d.severity, MACAW_ERROR);
			assert_int_equal(d.at.line, 2);
		}
	}
	assert_true(unsafe);
	assert_null(macaw_rules_diagnostic(r, n).message);

	char *all = macaw_rules_report(r, MACAW_REPORT_ALL, 0, false),
		 *one = macaw_rules_report(r, MACAW_REPORT_ALL, 1, true);
	char *unreadable = macaw_rules_report(r, MACAW_REPORT_UNREADABLE, 0, false);
	char *errors = macaw_rules_report(r, MACAW_REPORT_ERRORS, 0, false);
	assert_non_null(strstr(all, "faulty:2:"));
	assert_non_null(strstr(one, "more not shown"));
	assert_non_null(strstr(one, "\033["));
	assert_string_equal(unreadable, "");
	assert_null(strstr(errors, "warning:"));
	macaw_free(all);
	macaw_free(one);
	macaw_free(unreadable);
	macaw_free(errors);

	macaw_error error;
	assert_null(macaw_game_make(r, NULL, &error)); /* takes the rules over */
	assert_int_equal(error.status, MACAW_INPUT);
	assert_non_null(strstr(error.text, "faulty:2:"));
}

static void rules_that_cannot_be_read(void **state)
{
	static const char text[] = "(role a (";
	macaw_rules *r = macaw_rules_parse(text, strlen(text), NULL, NULL);
	assert_true(macaw_rules_unreadable(r) > 0);
	char *report = macaw_rules_report(r, MACAW_REPORT_UNREADABLE, 0, false);
	assert_non_null(strstr(report, "error:"));
	macaw_free(report);
	macaw_rules_free(r);
	r = macaw_rules_parse(NULL, 7, NULL, NULL);
	assert_int_equal(macaw_rules_count(r), 0);
	assert_int_equal(macaw_rules_errors(r), 1);
	macaw_rules_free(r);
}

/* ---- games ---- */

static void games_are_made(void **state)
{
	macaw_error error;
	macaw_game *g = macaw_game_parse(small, strlen(small), NULL, NULL);
	assert_non_null(g);
	assert_int_equal(macaw_game_engine(g), MACAW_ENGINE_CIRCUIT);
	assert_string_equal(macaw_game_why_interpreted(g), "");
	assert_int_equal(macaw_game_roles(g), 2);
	assert_int_equal(macaw_game_players(g), 2);
	assert_int_equal(macaw_game_random(g), MACAW_NONE);
	assert_false(macaw_game_hidden(g));
	assert_int_equal(macaw_game_percepts(g), 0);
	macaw_game_info info = macaw_game_information(g);
	assert_int_equal(info.fluents, macaw_game_fluents(g));
	assert_int_equal(info.moves, macaw_game_moves(g));
	assert_true(info.memory > 0 && info.seconds > 0 && info.period >= 1);
	macaw_game_free(g);
	macaw_game_free(NULL);

	assert_null(macaw_game_load("tictactoe", &(macaw_game_options){.engine = (enum macaw_engine)7}, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_game_make(NULL, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_game_load("no_such_game", NULL, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_null(macaw_game_parse("x", 1, NULL, NULL));

	/* too small a memory for the circuit */
	macaw_game_options narrow = {.memory = 1};
	g = macaw_game_load("tictactoe", &narrow, NULL);
	assert_int_equal(macaw_game_engine(g), MACAW_ENGINE_INTERPRETER);
	assert_true(*macaw_game_why_interpreted(g));
	assert_int_equal(macaw_game_information(g).gates, 0);
	macaw_game_free(g);
	narrow.engine = MACAW_ENGINE_CIRCUIT;
	assert_null(macaw_game_load("tictactoe", &narrow, &error));
	assert_int_equal(error.status, MACAW_INPUT);
}

static void roles_of_chance_and_percepts(void **state)
{
	macaw_game *g = game_with("kuhn_poker", MACAW_ENGINE_AUTO);
	uint32_t chance = macaw_game_random(g);
	assert_true(chance < macaw_game_roles(g));
	assert_string_equal(macaw_game_role(g, chance), "random");
	assert_int_equal(macaw_game_players(g), macaw_game_roles(g) - 1);
	assert_true(macaw_game_hidden(g));
	assert_true(macaw_game_percepts(g) > 0);
	uint32_t found = 0;
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		for (uint32_t i = 0; i < macaw_game_percepts(g); i++)
			found += macaw_game_find_percept(g, r, macaw_game_percept(g, i)) == i;
	assert_int_equal(found, macaw_game_percepts(g));
	assert_int_equal(macaw_game_find_percept(g, 99, "x"), MACAW_NONE);
	macaw_game_free(g);
}

static void texts_and_numbers(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	const char *first = macaw_game_move(g, 0), *second = macaw_game_move(g, 1); /* both held at once */
	assert_string_not_equal(first, second);
	assert_ptr_equal(first, macaw_game_move(g, 0));
	for (uint32_t m = 0; m < macaw_game_moves(g); m++) {
		uint32_t role = macaw_game_role_of(g, m);
		assert_int_equal(macaw_game_find_move(g, role, macaw_game_move(g, m)), m);
	}
	for (uint32_t f = 0; f < macaw_game_fluents(g); f++)
		assert_int_equal(macaw_game_find_fluent(g, macaw_game_fluent(g, f)), f);
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		assert_int_equal(macaw_game_find_role(g, macaw_game_role(g, r)), r);
	assert_int_equal(macaw_game_find_move(g, 0, "mark( 1 , 1 )"), macaw_game_find_move(g, 0, " (mark  1 1) "));
	assert_int_equal(macaw_game_find_move(g, 0, "(mark 1 9)"), MACAW_NONE);
	assert_int_equal(macaw_game_find_move(g, 9, "(mark 1 1)"), MACAW_NONE);
	assert_int_equal(macaw_game_find_move(g, 0, "(never heard of)"), MACAW_NONE);
	assert_int_equal(macaw_game_find_fluent(g, ""), MACAW_NONE);
	assert_int_equal(macaw_game_find_fluent(g, "((("), MACAW_NONE);
	assert_int_equal(macaw_game_find_fluent(g, "(cell ?x 1 b)"), MACAW_NONE);
	assert_int_equal(macaw_game_find_role(g, "z"), MACAW_NONE);
	assert_int_equal(macaw_game_find_role(g, NULL), MACAW_NONE);
	assert_int_equal(macaw_game_find_fluent(g, NULL), MACAW_NONE);
	assert_int_equal(macaw_game_find_move(g, 0, NULL), MACAW_NONE);
	assert_null(macaw_game_role(g, 2));
	assert_null(macaw_game_fluent(g, macaw_game_fluents(g)));
	assert_null(macaw_game_move(g, MACAW_NONE));
	assert_null(macaw_game_percept(g, 0));
	assert_int_equal(macaw_game_role_of(g, MACAW_NONE), MACAW_NONE);
	assert_string_equal(macaw_rules_name(macaw_game_rules(g)), macaw_game_name(g));
	macaw_game_free(g);
}

static void the_interpreter_knows_what_it_met(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_INTERPRETER);
	assert_null(macaw_game_move(g, 0));
	assert_int_equal(macaw_game_role_of(g, 0), MACAW_NONE);
	assert_int_equal(macaw_game_find_move(g, 0, "(mark 2 2)"), MACAW_NONE);
	macaw_worker *w = macaw_worker_new(g, NULL);
	macaw_view v;
	assert_true(macaw_look(w, macaw_position_initial(g), &v));
	uint32_t middle = macaw_game_find_move(g, 0, "(mark 2 2)");
	assert_string_equal(macaw_game_move(g, middle), "(mark 2 2)");
	assert_int_equal(macaw_game_role_of(g, middle), 0);
	assert_int_equal(macaw_game_find_fluent(g, "(unheard of)"), MACAW_NONE);
	macaw_worker_free(w);
	macaw_error error;
	assert_null(macaw_game_print(g, MACAW_STAGE_CIRCUIT, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	macaw_game_free(g);
}

static void stages_are_printed(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	static const char *const parts[] = {"(cell 1 1 b)", "terminal", "digraph"};
	for (int stage = MACAW_STAGE_GROUND; stage <= MACAW_STAGE_CIRCUIT_DOT; stage++) {
		char *text = macaw_game_print(g, (enum macaw_stage)stage, NULL);
		assert_non_null(text);
		assert_non_null(strstr(text, parts[stage]));
		macaw_free(text);
	}
	macaw_game_free(g);
}

static void count_calls(void *context, const char *what, double done, double total)
{
	assert_true(*what && done >= 0 && total >= 0);
	++*(int *)context;
}

static void building_can_be_stopped_and_watched(void **state)
{
	macaw_error error;
	macaw_stop stop = {0};
	int calls = 0;
	macaw_game_options o = {
		.engine = MACAW_ENGINE_CIRCUIT, .limit.stop = &stop, .progress = count_calls, .context = &calls};
	macaw_stop_now(&stop);
	assert_null(macaw_game_load("chess", &o, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_non_null(strstr(error.text, "out of time"));
	macaw_stop_clear(&stop);
	macaw_game *g = macaw_game_load("tictactoe", &o, &error);
	assert_non_null(g);
	macaw_game_free(g);
}

/* ---- positions ---- */

static void positions_are_plain_words(void **state)
{
	for (int engine = MACAW_ENGINE_CIRCUIT; engine <= MACAW_ENGINE_INTERPRETER; engine++) {
		macaw_game *g = game_with("connect_four", (enum macaw_engine)engine);
		macaw_worker *w = macaw_worker_new(g, NULL);
		uint64_t *p = copy_of(g, macaw_position_initial(g)), *q = copy_of(g, p), seed = 5;
		uint32_t moves[2];
		assert_true(macaw_position_equal(g, p, q));
		for (int i = 0; i < 10 && random_step(w, p, moves, &seed); i++) {
			assert_false(macaw_position_equal(g, p, q));
			char *text = macaw_position_text(g, p);
			assert_non_null(text);
			assert_true(macaw_position_parse(g, text, q, NULL));
			assert_true(macaw_position_equal(g, p, q));
			assert_int_equal(macaw_position_hash(g, p), macaw_position_hash(g, q));
			macaw_free(text);
		}
		for (uint32_t f = 0; f < macaw_game_fluents(g); f++)
			assert_true(!macaw_position_has(p, f) || macaw_game_fluent(g, f));
		free(p);
		free(q);
		macaw_worker_free(w);
		macaw_game_free(g);
	}
}

static void positions_from_text(void **state)
{
	macaw_error error;
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	uint64_t *p = copy_of(g, macaw_position_initial(g));
	assert_true(macaw_position_parse(g, "  cell(1, 1, x)\n(control o)", p, &error));
	char *text = macaw_position_text(g, p);
	assert_non_null(strstr(text, "(cell 1 1 x)"));
	assert_int_equal(strlen(text), strlen("(cell 1 1 x) (control o)"));
	macaw_free(text);
	assert_false(macaw_position_parse(g, "(control o) (cell 9 9 x)", p, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_non_null(strstr(error.text, "(cell 9 9 x)"));
	assert_false(macaw_position_parse(g, ") (", p, NULL));
	assert_true(macaw_position_parse(g, "", p, NULL));
	text = macaw_position_text(g, p);
	assert_string_equal(text, "");
	macaw_free(text);
	free(p);
	macaw_game_free(g);
}

static void hashes_are_the_same_in_games_made_apart(void **state)
{
	for (int engine = MACAW_ENGINE_CIRCUIT; engine <= MACAW_ENGINE_INTERPRETER; engine++) {
		macaw_game *a = game_with("nim", (enum macaw_engine)engine), *b = game_with("nim", (enum macaw_engine)engine);
		macaw_worker *w = macaw_worker_new(a, NULL);
		uint64_t *p = copy_of(a, macaw_position_initial(a)), *q = copy_of(b, macaw_position_initial(b)), seed = 1;
		uint32_t moves[2];
		do {
			char *text = macaw_position_text(a, p);
			assert_true(macaw_position_parse(b, text, q, NULL));
			assert_int_equal(macaw_position_hash(a, p), macaw_position_hash(b, q));
			macaw_free(text);
		} while (random_step(w, p, moves, &seed));
		free(p);
		free(q);
		macaw_worker_free(w);
		macaw_game_free(a);
		macaw_game_free(b);
	}
}

/* ---- threads ---- */

static void *ask_for_texts(void *context)
{
	macaw_game *g = context;
	size_t wrong = 0;
	for (uint32_t f = 0; f < macaw_game_fluents(g); f++) {
		const char *text = macaw_game_fluent(g, f);
		wrong += macaw_game_find_fluent(g, text) != f || text != macaw_game_fluent(g, f);
	}
	for (uint32_t m = 0; m < macaw_game_moves(g); m++)
		wrong += macaw_game_find_move(g, macaw_game_role_of(g, m), macaw_game_move(g, m)) != m;
	return (void *)wrong;
}

static void texts_by_several_threads(void **state)
{
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_CIRCUIT);
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_for_texts, g), 0);
	for (int i = 0; i < 4; i++) {
		void *wrong;
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	macaw_game_free(g);
}

static void the_version_is_known(void **state)
{
	assert_true(*macaw_version() >= '0' && *macaw_version() <= '9');
	macaw_free(NULL);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(rules_by_name_and_text),
		cmocka_unit_test(rules_print_and_read_back),
		cmocka_unit_test(rules_with_faults),
		cmocka_unit_test(rules_that_cannot_be_read),
		cmocka_unit_test(games_are_made),
		cmocka_unit_test(roles_of_chance_and_percepts),
		cmocka_unit_test(texts_and_numbers),
		cmocka_unit_test(the_interpreter_knows_what_it_met),
		cmocka_unit_test(stages_are_printed),
		cmocka_unit_test(building_can_be_stopped_and_watched),
		cmocka_unit_test(positions_are_plain_words),
		cmocka_unit_test(positions_from_text),
		cmocka_unit_test(hashes_are_the_same_in_games_made_apart),
		cmocka_unit_test(texts_by_several_threads),
		cmocka_unit_test(the_version_is_known),
	};
	return RUN(cases);
}
