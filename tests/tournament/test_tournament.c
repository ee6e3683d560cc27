/* Tournaments: nothing lost and nothing played twice, also after a kill; and the
 * figures drawn from results. */
#include "../play/make_game.h"

#include "tournament/standing.h"
#include "tournament/tournament.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[64];

static int set_up(void **state)
{
	snprintf(path, sizeof path, "/tmp/macaw-tournament-%d.db", (int)getpid());
	unlink(path);
	return 0;
}

static int tear_down(void **state)
{
	char journal[80];
	snprintf(journal, sizeof journal, "%s-journal", path);
	unlink(journal);
	unlink(path);
	return 0;
}

static const char *const players[] = {"uct", "random", "legal"};

/* Plays the tournament of these tests as far as it gets. */
static struct tournament_end run(struct game *g, uint64_t rounds, uint64_t playouts)
{
	struct text error = {0};
	struct tournament_game game = {"tictactoe", g};
	double clock = -(double)playouts;
	struct tournament t = {.games = &game,
	                       .game_count = 1,
	                       .players = players,
	                       .player_count = 3,
	                       .clocks = &clock,
	                       .clock_count = 1,
	                       .playouts = playouts,
	                       .rounds = rounds,
	                       .seed = 5,
	                       .jobs = 2,
	                       .max_steps = 100,
	                       .store = store_open(path, true, &error)};
	struct tournament_end end = {0};
	if (!t.store || !tournament_run(&t, &end, &error))
		fail_msg("%s", text_str(&error));
	store_close(t.store);
	text_free(&error);
	return end;
}

static uint64_t stored(void)
{
	struct text error = {0};
	struct standing s;
	struct store *store = store_open(path, false, &error);
	if (!store || !standing_make(&s, store, &error)) {
		text_free(&error);
		store_close(store);
		return 0;
	}
	uint64_t n = s.matches;
	standing_free(&s);
	store_close(store);
	return n;
}

static void tournaments_go_on_after_a_kill(void **state)
{
	struct made m = load_game_named("tictactoe");
	uint64_t rounds = 30, planned = rounds * 6;
	pid_t pid = fork();
	if (!pid) {
		run(m.game, rounds, 20000);
		_exit(0);
	}
	for (int i = 0; i < 20000 && stored() < 5; i++)
		usleep(5000);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	uint64_t before = stored();
	assert_true(before >= 5);
	struct tournament_end end = run(m.game, rounds, 20000);
	assert_int_equal(end.planned, planned);
	assert_int_equal(end.before, before);
	assert_int_equal(end.before + end.played, planned);
	assert_int_equal(stored(), planned);
	/* all over again: nothing to do; and more rounds only add */
	end = run(m.game, rounds, 20000);
	assert_int_equal(end.played, 0);
	end = run(m.game, rounds + 1, 20000);
	assert_int_equal(end.played, 6);
	free_made(&m);
}

static void standings_add_up(void **state)
{
	struct text error = {0}, picture = {0};
	struct standing s;
	struct store *store = store_open(path, false, &error);
	assert_non_null(store);
	assert_true(standing_make(&s, store, &error));
	assert_int_equal(s.players.n, 3);
	double wins = 0, losses = 0;
	for (size_t i = 0; i < 3; i++) {
		const struct standing_player *p = &s.players.at[i];
		wins += p->wins;
		losses += p->losses;
		assert_true(p->scores.n == p->wins + p->draws + p->losses);
		if (!strcmp(p->name, "uct")) {
			assert_true(p->losses == 0);
			assert_true(p->elo - p->elo_error > 0);
			assert_true(p->skill > 0);
		}
	}
	assert_true(wins == losses);
	standing_plot_cross(&s, &picture);
	standing_plot_rounds(&s, &picture);
	standing_plot_clocks(&s, &picture);
	assert_non_null(strstr(text_str(&picture), "<svg"));
	assert_null(strstr(text_str(&picture), "nan"));
	standing_free(&s);
	store_close(store);
	text_free(&error);
	text_free(&picture);
}

static void stores_refuse_what_is_there(void **state)
{
	struct text error = {0};
	struct store *s = store_open(path, true, &error);
	struct store_score score = {"r", "p", 100, 0, 0, 1};
	struct store_match m = {.game = "new", .seating = "p", .clock = 1, .scores = &score, .count = 1};
	assert_non_null(s);
	assert_false(store_has(s, &m));
	assert_true(store_add(s, &m, &error));
	assert_true(store_has(s, &m));
	assert_false(store_add(s, &m, &error)); /* twice */
	m.round = 1;
	assert_false(store_has(s, &m));
	assert_true(store_add(s, &m, &error)); /* it works on after a refusal */
	assert_true(store_setting(s, "k", "1", &error));
	assert_true(store_setting(s, "k", "1", &error));
	error.n = 0;
	assert_false(store_setting(s, "k", "2", &error));
	assert_non_null(strstr(text_str(&error), "begun with k 1"));
	store_close(s);
	assert_null(store_open("/no/such/folder/x.db", true, &error));
	text_free(&error);
}

/* ---- figures ----------------------------------------------------------------------------------- */

static void figures_are_right(void **state)
{
	struct interval w = stats_wilson(0.5, 100); /* textbook */
	assert_float_equal(w.low, 0.4038, 1e-3);
	assert_float_equal(w.high, 0.5962, 1e-3);
	w = stats_wilson(1, 10);
	assert_float_equal(w.low, 0.7225, 1e-3);
	assert_float_equal(w.high, 1, 1e-9);
	double points[4] = {0, 750, 250, 0}, elo[2], error[2];
	rating_elo(points, 2, elo, error);
	assert_float_equal((float)(elo[0] - elo[1]), 190.8F, 1);
	assert_float_equal(error[0] * 2, 24.8, 1); /* of the difference: 1.96 * 173.7 / sqrt(1000 * 0.75 * 0.25) */
	assert_true(rating_sprt(60, 20, 20, 0, 20) > SPRT_BOUND / 3);
	assert_true(rating_sprt(20, 20, 60, 0, 20) < -SPRT_BOUND / 3);
	assert_true(fabs(rating_sprt(0, 0, 0, 0, 20)) < 0.1);
}

/* Player 0 wins 3 of 4; the first role has an edge that must not count as skill. */
static void skill_and_ease_are_told_apart(void **state)
{
	struct rating_seat seats[800];
	size_t n = 0;
	for (uint32_t i = 0; i < 400; i++) {
		uint32_t first = i % 2;
		bool strong = i % 8 < 6, edge = i % 10 < 7;
		double score = (first == 0 ? strong : !strong) ? 0.7 : 0.3;
		score += edge ? 0.2 : -0.2;
		seats[n++] = (struct rating_seat){i, first, 0, score};
		seats[n++] = (struct rating_seat){i, !first, 1, 1 - score};
	}
	double skill[2], ease[2];
	rating_agon(seats, n, 2, 2, skill, ease);
	assert_true(skill[0] > skill[1] + 10);
	assert_true(ease[0] > ease[1] + 10);
	assert_float_equal((float)(skill[0] + skill[1]), 0, 1e-6F);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(tournaments_go_on_after_a_kill), cmocka_unit_test(standings_add_up),
		cmocka_unit_test(stores_refuse_what_is_there),    cmocka_unit_test(figures_are_right),
		cmocka_unit_test(skill_and_ease_are_told_apart),
	};
	return RUN_IN(cases, set_up, tear_down);
}
