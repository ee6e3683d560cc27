/* Cells, formats, settings and the matches in a file, as users of the library meet them. */
#include "games.h"

#include "macaw/record.h"
#include "macaw/tournament.h"

#include <math.h>
#include <unistd.h>

static char file[] = "/tmp/macaw-laboratory-XXXXXX";
static macaw_game *games[2];

static int set_up(void **state)
{
	int f = mkstemp(file);
	games[0] = game_with("tictactoe", MACAW_ENGINE_AUTO);
	games[1] = game_with("hanoi_3", MACAW_ENGINE_AUTO);
	return f < 0 ? -1 : close(f);
}

static int tear_down(void **state)
{
	macaw_game_free(games[0]);
	macaw_game_free(games[1]);
	return unlink(file);
}

static const char *const players[] = {"uct", "random", "legal"};

static macaw_tournament small(void)
{
	return (macaw_tournament){.games = games,
	                          .game_count = 2,
	                          .players = players,
	                          .player_count = 3,
	                          .playouts = 50,
	                          .rounds = 2,
	                          .seed = 1,
	                          .jobs = 1,
	                          .command = "a test"};
}

static void cells_are_data(void **state)
{
	macaw_error error;
	macaw_tournament t = small();
	assert_true(macaw_tournament_run(&t, file, NULL, &error));
	macaw_standings *s = macaw_standings_read(file, &error);
	assert_non_null(s);
	assert_int_equal(macaw_standings_cells(s), 3 + 3);
	double matches = 0;
	for (size_t i = 0; i < 6; i++) {
		macaw_pairing c = macaw_standings_cell(s, i);
		matches += c.matches;
		assert_true(c.clock == -50);
		assert_int_equal(!c.second, i >= 3); /* hanoi_3 is for one */
		assert_true(i < 3 ? c.wins + c.draws + c.losses == c.matches : isnan(c.share));
		assert_true(isnan(c.likelihood));
		if (!strcmp(c.first, "uct"))
			assert_true(c.work[0].playouts > 0 && c.work[0].moves > 0);
	}
	assert_true(matches == (double)macaw_standings_matches(s));
	assert_string_equal(macaw_standings_cell(s, 0).first, "uct"); /* named first */
	assert_null(macaw_standings_cell(s, 6).game);
	assert_string_equal(macaw_standings_setting(s, "format"), "round-robin");
	assert_string_equal(macaw_standings_setting(s, "setting"), "shipped");
	assert_null(macaw_standings_setting(s, "until"));
	assert_null(macaw_standings_setting(s, NULL));
	assert_int_equal(macaw_standings_swiss(s), 0);
	assert_null(macaw_standings_swiss_row(s, 0).player);
	assert_int_equal(macaw_standings_duels(s), 0);
	assert_null(macaw_standings_duel(s, 0).players[0]);
	assert_null(macaw_standings_rank(s, 0));
	macaw_standings_free(s);
}

static void matches_are_data(void **state)
{
	macaw_error error;
	macaw_results *r = macaw_results_read(file, &error);
	assert_non_null(r);
	assert_int_equal(macaw_results_count(r), 12 + 6);
	assert_int_equal(macaw_results_at(r, 18).match, 0);
	macaw_result first = macaw_results_at(r, 0);
	assert_string_equal(first.command, "a test");
	assert_string_equal(first.version, macaw_version());
	assert_true(*first.host && *first.ended && first.recorded);
	for (size_t i = 0; i < 18; i += 5) {
		macaw_result m = macaw_results_at(r, i);
		char *text = macaw_results_record(r, m.match, &error);
		if (!text)
			fail_msg("%s", error.text);
		macaw_record *record = macaw_record_parse(text, strlen(text), &error);
		assert_non_null(record);
		assert_int_equal(macaw_record_steps(record), m.steps);
		while (macaw_record_step(record, &error))
			;
		assert_true(macaw_record_check(record, &error));
		macaw_record_free(record);
		macaw_free(text);
	}
	assert_null(macaw_results_record(r, 99, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	macaw_results_free(r);
	assert_null(macaw_results_read("", &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_results_read("/no/such/file", &error));
	assert_int_equal(error.status, MACAW_MACHINE);
}

static void what_does_not_go_together_is_refused(void **state)
{
	macaw_error error;
	macaw_tournament t = small();
	t.setting = MACAW_PUBLISHED;
	t.playouts = 0;
	assert_false(macaw_tournament_run(&t, file, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	t = small();
	t.setting = MACAW_PUBLISHED; /* the file has another */
	assert_false(macaw_tournament_run(&t, file, NULL, &error));
	assert_non_null(strstr(error.text, "setting shipped, not published"));
	t = small();
	t.format = MACAW_SWISS;
	t.until = 5;
	assert_false(macaw_tournament_run(&t, file, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	t = small();
	t.format = (enum macaw_format)77;
	assert_false(macaw_tournament_run(&t, file, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	t = small();
	t.players = (const char *const[]){"./no_such_player.so", "random"};
	t.player_count = 2;
	assert_false(macaw_tournament_run(&t, file, NULL, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_non_null(strstr(error.text, "no_such_player.so"));
	macaw_seat seats[] = {{.word = "./no_such_player.so"}, {.word = "random"}};
	assert_null(macaw_match_play(games[0], seats, 2, NULL, &error));
	assert_non_null(strstr(error.text, "no_such_player.so"));
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(cells_are_data),
		cmocka_unit_test(matches_are_data),
		cmocka_unit_test(what_does_not_go_together_is_refused),
	};
	return RUN_IN(cases, set_up, tear_down);
}
