/* Tournaments and records as users of the library meet them: played, gone on with, read back. */
#include "games.h"

#include "macaw/match.h"
#include "macaw/record.h"
#include "macaw/tournament.h"

#include <math.h>
#include <unistd.h>

static char folder[] = "/tmp/macaw-api-XXXXXX";
static char file[64];
static macaw_game *games[2];

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(file, sizeof file, "%s/results", folder);
	games[0] = game_with("tictactoe", MACAW_ENGINE_AUTO);
	games[1] = game_with("hanoi_3", MACAW_ENGINE_AUTO);
	return 0;
}

static int tear_down(void **state)
{
	macaw_game_free(games[0]);
	macaw_game_free(games[1]);
	unlink(file);
	return rmdir(folder);
}

/* ---- tournaments ---- */

static const char *const players[] = {"uct", "random", "legal"};

static macaw_tournament small(uint64_t rounds)
{
	return (macaw_tournament){.games = games,
	                          .game_count = 2,
	                          .players = players,
	                          .player_count = 3,
	                          .playouts = 100,
	                          .rounds = rounds,
	                          .seed = 1,
	                          .jobs = 2};
}

static void count_progress(void *context, const char *what, double done, double total)
{
	assert_true(done <= total && what);
	++*(int *)context;
}

static void tournaments_go_on(void **state)
{
	macaw_error error;
	macaw_tournament_end end;
	int told = 0;
	macaw_tournament t = small(1);
	t.progress = count_progress;
	t.context = &told;
	if (!macaw_tournament_run(&t, file, &end, &error))
		fail_msg("%s", error.text);
	assert_int_equal(end.planned, 9); /* six ordered pairs, three alone */
	assert_int_equal(end.played, 9);
	assert_int_equal(end.before, 0);
	assert_true(told > 0 && !end.stopped && !end.decided);
	t = small(2);
	assert_true(macaw_tournament_run(&t, file, &end, &error));
	assert_int_equal(end.planned, 18);
	assert_int_equal(end.before, 9);
	assert_int_equal(end.played, 9);
	t.seed = 2;
	assert_false(macaw_tournament_run(&t, file, &end, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_non_null(strstr(error.text, "begun with seed 1"));
}

static void tournaments_refuse_nonsense(void **state)
{
	macaw_error error;
	macaw_tournament_end end;
	static const char *const wrong[] = {"uct", "mcc"};
	macaw_tournament t = {0};
	assert_false(macaw_tournament_run(&t, file, &end, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	t = small(9);
	t.players = wrong;
	t.player_count = 2;
	assert_false(macaw_tournament_run(&t, file, &end, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_non_null(strstr(error.text, "'mcc'"));
	t.players = players;
	assert_false(macaw_tournament_run(&t, "/no/such/folder/x", &end, &error));
	assert_int_equal(error.status, MACAW_MACHINE);
	t.sequential = true;
	t.player_count = 3;
	assert_false(macaw_tournament_run(&t, file, &end, &error));
	t.player_count = 2;
	assert_false(macaw_tournament_run(&t, file, &end, NULL));
	assert_null(macaw_standings_read("/no/such/folder/x", &error));
	assert_int_equal(error.status, MACAW_MACHINE);
}

static void tournaments_stop(void **state)
{
	macaw_tournament_end end;
	macaw_stop stop = {0};
	macaw_tournament t = small(50);
	macaw_stop_now(&stop);
	t.stop = &stop;
	assert_true(macaw_tournament_run(&t, file, &end, NULL));
	assert_true(end.stopped);
	assert_int_equal(end.played, 0);
}

static void sequential_tests_decide(void **state)
{
	macaw_tournament_end end;
	macaw_tournament t = small(1000);
	t.player_count = 2; /* uct against random, also in the matches played before */
	t.game_count = 1;
	t.sequential = true;
	t.elo0 = -400;
	t.elo1 = 0;
	assert_true(macaw_tournament_run(&t, file, &end, NULL));
	assert_true(end.decided && end.likelihood >= end.bound && end.bound > 2);
	assert_true(end.before + end.played < end.planned);
}

static void standings_are_data(void **state)
{
	macaw_error error;
	macaw_standings *s = macaw_standings_read(file, &error);
	if (!s)
		fail_msg("%s", error.text);
	assert_true(macaw_standings_matches(s) >= 18);
	assert_true(macaw_standings_rounds(s) >= 2);
	assert_int_equal(macaw_standings_players(s), 3);
	assert_int_equal(macaw_standings_games(s), 2);
	assert_int_equal(macaw_standings_roles(s), 3);
	assert_int_equal(macaw_standings_clocks(s), 1);
	assert_true(macaw_standings_clock(s, 0) == -100 && isnan(macaw_standings_clock(s, 1)));
	double before = 101, elo = 0;
	for (size_t i = 0; i < 3; i++) {
		macaw_standing p = macaw_standings_player(s, i);
		assert_true(p.name && p.matches > 0 && p.score <= before && p.score_low <= p.score && p.score <= p.score_high);
		assert_true(p.share >= p.share_low && p.share <= p.share_high && p.elo_error > 0 && p.moves > 0);
		assert_true(p.late == 0 && p.illegal == 0 && p.wins + p.draws + p.losses > 0 && isfinite(p.skill));
		for (size_t j = 0; j < 3; j++)
			assert_true(isnan(macaw_standings_versus(s, i, j)) == (i == j));
		for (size_t k = 0; k < 2; k++)
			assert_true(macaw_standings_by_game(s, i, k) >= 0);
		assert_true(macaw_standings_by_clock(s, i, 0) >= 0);
		before = p.score;
		elo += p.elo;
	}
	assert_true(fabs(elo) < 1e-3);
	assert_string_equal(macaw_standings_player(s, 0).name, "uct");
	assert_null(macaw_standings_player(s, 3).name);
	assert_true(isnan(macaw_standings_versus(s, 0, 3)) && isnan(macaw_standings_by_game(s, 0, 2)));
	assert_non_null(macaw_standings_game(s, 1));
	assert_null(macaw_standings_game(s, 2));
	assert_string_equal(macaw_standings_role(s, 0), "tictactoe x");
	assert_null(macaw_standings_role(s, 3));
	assert_true(isfinite(macaw_standings_ease(s, 0)) && isnan(macaw_standings_ease(s, 3)));
	static const enum macaw_plot plots[] = {MACAW_PLOT_CROSS, MACAW_PLOT_ROUNDS, MACAW_PLOT_CLOCKS};
	for (int i = 0; i < 3; i++) {
		char *picture = macaw_standings_plot(s, plots[i]);
		assert_true(!strncmp(picture, "<svg", 4) && strstr(picture, "</svg>"));
		macaw_free(picture);
	}
	macaw_standings_free(s);
	macaw_standings_free(NULL);
}

/* ---- records ---- */

static char *record_of(const char *words)
{
	macaw_match *m = macaw_match_words(games[0], words, &(macaw_match_options){.playouts = 50, .seed = 3}, NULL);
	char *text = macaw_match_record(m, true);
	macaw_match_free(m);
	return text;
}

static void records_make_the_round_trip(void **state)
{
	macaw_error error;
	macaw_match *m = macaw_match_words(games[0], "uct,random", &(macaw_match_options){.playouts = 50, .seed = 3}, NULL);
	char *text = macaw_match_record(m, true);
	macaw_record *r = macaw_record_parse(text, strlen(text), &error);
	if (!r)
		fail_msg("%s", error.text);
	macaw_game *g = macaw_record_game(r);
	assert_string_equal(macaw_record_name(r), "tictactoe");
	assert_string_equal(macaw_record_player(r, 0), "uct");
	assert_null(macaw_record_player(r, 2));
	assert_int_equal(macaw_record_steps(r), macaw_match_steps(m));
	assert_null(macaw_record_moves(r));
	assert_null(macaw_record_why(r, 0));
	assert_false(macaw_record_check(r, &error)); /* it is not there yet */
	for (uint32_t i = 0; i < macaw_match_steps(m); i++) {
		assert_true(macaw_record_step(r, &error));
		assert_int_equal(macaw_record_made(r), i + 1);
		for (uint32_t role = 0; role < 2; role++)
			assert_string_equal(macaw_game_move(g, macaw_record_moves(r)[role]),
			                    macaw_game_move(games[0], macaw_match_made(m, i, role).move));
		assert_string_equal(macaw_record_why(r, 0), macaw_match_made(m, i, 0).why);
		char *here = macaw_position_text(g, macaw_record_position(r)),
			 *there = macaw_position_text(games[0], macaw_match_position(m, i + 1));
		assert_string_equal(here, there);
		macaw_free(here);
		macaw_free(there);
	}
	assert_false(macaw_record_step(r, &error));
	assert_int_equal(error.status, MACAW_OK);
	assert_true(macaw_record_check(r, &error));
	assert_true(macaw_record_terminal(r));
	for (uint32_t role = 0; role < 2; role++)
		assert_int_equal(macaw_record_goal(r, role), macaw_match_goal(m, role));
	macaw_record_free(r);
	macaw_record_free(NULL);
	macaw_free(text);
	macaw_match_free(m);
}

static void wrong_records_are_found_out(void **state)
{
	macaw_error error;
	assert_null(macaw_record_parse("{", 1, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_null(macaw_record_parse("{}", 2, &error));
	assert_non_null(strstr(error.text, "no record"));
	static const char bad_rules[] = "{\"rules\": \"(role\", \"moves\": []}";
	assert_null(macaw_record_parse(bad_rules, strlen(bad_rules), &error));
	assert_null(macaw_record_read("/no/such/file", &error));
	assert_int_equal(error.status, MACAW_INPUT);
	char *text = record_of("legal,legal"), *move = strstr(text, "(mark 1 1)");
	assert_non_null(move);
	memcpy(move, "(mark 9 9)", 10);
	macaw_record *r = macaw_record_parse(text, strlen(text), &error);
	assert_non_null(r);
	assert_false(macaw_record_step(r, &error));
	assert_int_equal(error.status, MACAW_INPUT);
	assert_non_null(strstr(error.text, "step 1: (mark 9 9) of x is not legal"));
	macaw_record_free(r);
	macaw_free(text);
}

static void records_are_read_from_files(void **state)
{
	char *text = record_of("legal,legal"), path[96];
	snprintf(path, sizeof path, "%s/record.json", folder);
	FILE *f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	macaw_record *r = macaw_record_read(path, NULL);
	assert_non_null(r);
	while (macaw_record_step(r, NULL))
		;
	assert_true(macaw_record_check(r, NULL));
	macaw_record_free(r);
	macaw_free(text);
	unlink(path);
}

/* Played by somebody else, from the order alone. */
static char *play_elsewhere(void *context, const char *order)
{
	macaw_error error;
	macaw_tournament here = small(2);
	return macaw_tournament_play(context ? context : &here, order, &error);
}

static char *refuse(void *context, const char *order)
{
	return strdup("!nobody is there");
}

static void tournaments_are_played_elsewhere(void **state)
{
	macaw_error error;
	macaw_tournament_end end;
	macaw_tournament t = small(2);
	double score[3];
	char other[sizeof file + 16];
	snprintf(other, sizeof other, "%s-elsewhere", file);
	assert_true(macaw_tournament_run(&t, other, &end, &error));
	macaw_standings *s = macaw_standings_read(other, &error);
	for (size_t i = 0; i < 3; i++)
		score[i] = macaw_standings_player(s, i).score;
	macaw_standings_free(s);
	unlink(other);
	t.elsewhere = play_elsewhere;
	assert_true(macaw_tournament_run(&t, other, &end, &error));
	s = macaw_standings_read(other, &error);
	for (size_t i = 0; i < 3; i++)
		assert_true(score[i] == macaw_standings_player(s, i).score);
	macaw_standings_free(s);
	assert_null(macaw_tournament_play(&t, "tictactoe\n0x1p+0 1", &error));
	assert_int_equal(error.status, MACAW_INPUT);
	unlink(other);
	t.elsewhere = refuse;
	assert_false(macaw_tournament_run(&t, other, &end, &error));
	assert_non_null(strstr(error.text, "nobody is there"));
	unlink(other);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(tournaments_go_on),
		cmocka_unit_test(tournaments_refuse_nonsense),
		cmocka_unit_test(tournaments_are_played_elsewhere),
		cmocka_unit_test(tournaments_stop),
		cmocka_unit_test(sequential_tests_decide),
		cmocka_unit_test(standings_are_data),
		cmocka_unit_test(records_make_the_round_trip),
		cmocka_unit_test(wrong_records_are_found_out),
		cmocka_unit_test(records_are_read_from_files),
	};
	return RUN_IN(cases, set_up, tear_down);
}
