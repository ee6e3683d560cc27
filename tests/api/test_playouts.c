/* Playouts as users of the library ask for them: numbers, starts, threads, callbacks, the end before the end. */
#include "games.h"

#include "macaw/playouts.h"

#include <math.h>
#include <pthread.h>
#include <time.h>

static macaw_playout_result *play(macaw_game *g, const macaw_playout_job *job)
{
	macaw_error error;
	macaw_playout_result *r = macaw_playouts(g, job, &error);
	if (!r)
		fail_msg("%s", error.text);
	assert_null(macaw_playout_trouble(r));
	return r;
}

static void sums_agree(void **state)
{
	for (int engine = MACAW_ENGINE_CIRCUIT; engine <= MACAW_ENGINE_INTERPRETER; engine++) {
		macaw_game *g = game_with("tictactoe", (enum macaw_engine)engine);
		uint64_t n = engine == MACAW_ENGINE_CIRCUIT ? 5000 : 40, games = 0, by_value = 0;
		macaw_playout_result *r = play(g, &(macaw_playout_job){.playouts = n, .seed = 1});
		macaw_playout_totals t = macaw_playout_sum(r);
		assert_int_equal(t.playouts, n);
		assert_true(t.shortest >= 5 && t.longest <= 9 && t.steps >= 5 * n && t.seconds > 0);
		assert_int_equal(t.unfinished + t.stuck + t.undefined, 0);
		size_t cells;
		const uint64_t *lengths = macaw_playout_lengths(r, &cells);
		for (size_t l = 0; l < cells; l++)
			games += lengths[l];
		for (int v = 0; v <= 100; v++)
			by_value += macaw_playout_values(r, 0, v);
		assert_int_equal(games, n);
		assert_int_equal(by_value, n);
		macaw_score s = macaw_playout_score(r, 0, 0);
		assert_int_equal(s.playouts, n);
		assert_int_equal(s.wins, macaw_playout_values(r, 0, 100));
		assert_true(s.low <= s.mean && s.mean <= s.high && s.deviation > 0);
		macaw_playout_result_free(r);
		macaw_game_free(g);
	}
}

/* Shares of a job, packed and added up, are what as many threads play. */
static void shares_make_the_whole(void **state)
{
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_CIRCUIT);
	macaw_playout_result *whole = play(g, &(macaw_playout_job){.playouts = 5003, .seed = 7, .threads = 6});
	macaw_playout_job job = {.playouts = 5003, .seed = 7, .threads = 2, .shares = 3};
	macaw_playout_result *sum = play(g, &job);
	for (job.share = 1; job.share < 3; job.share++) {
		size_t size;
		macaw_playout_result *part = play(g, &job);
		char *bytes = macaw_playout_pack(part, &size);
		assert_non_null(bytes);
		assert_true(macaw_playout_add(sum, bytes, size));
		assert_false(macaw_playout_add(sum, bytes, size - 1));
		assert_false(macaw_playout_add(sum, bytes, 3));
		macaw_free(bytes);
		macaw_playout_result_free(part);
	}
	macaw_playout_totals a = macaw_playout_sum(whole), b = macaw_playout_sum(sum);
	assert_int_equal(a.playouts, b.playouts);
	assert_int_equal(a.steps, b.steps);
	assert_int_equal(a.shortest, b.shortest);
	assert_int_equal(a.longest, b.longest);
	for (int v = 0; v <= 100; v++)
		assert_int_equal(macaw_playout_values(whole, 1, v), macaw_playout_values(sum, 1, v));
	assert_true(macaw_playout_score(whole, 0, 0).mean == macaw_playout_score(sum, 0, 0).mean);
	assert_null(macaw_playouts(g, &(macaw_playout_job){.playouts = 10, .share = 3, .shares = 3}, NULL));
	macaw_playout_result_free(whole);
	macaw_playout_result_free(sum);
	macaw_game_free(g);
}

static void wrong_jobs(void **state)
{
	macaw_error error;
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	assert_null(macaw_playouts(g, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_playouts(g, &(macaw_playout_job){0}, NULL));
	assert_null(macaw_playouts(g, &(macaw_playout_job){.playouts = 1, .threads = 100000}, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_playouts(g, &(macaw_playout_job){.playouts = 1, .start_count = 2}, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	macaw_playout_result *r = play(g, &(macaw_playout_job){.playouts = 1});
	assert_int_equal(macaw_playout_score(r, 1, 0).playouts, 0);
	assert_true(isnan(macaw_playout_score(r, 0, 2).mean));
	assert_true(isnan(macaw_playout_score(r, 0, 0).deviation));
	assert_int_equal(macaw_playout_values(r, 0, 101), 0);
	assert_int_equal(macaw_playout_values(r, 2, 0), 0);
	assert_int_equal(macaw_playout_values(r, 0, -1), 0);
	assert_non_null(macaw_playout_lengths(r, NULL));
	macaw_playout_result_free(r);
	macaw_playout_result_free(NULL);
	macaw_game_free(g);
}

static void the_same_seed_and_threads_give_the_same(void **state)
{
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_CIRCUIT);
	for (uint32_t threads = 1; threads <= 3; threads++) {
		double mean[2];
		uint64_t steps[2];
		for (int i = 0; i < 2; i++) {
			macaw_playout_job job = {.playouts = 3000, .threads = threads, .seed = 42};
			macaw_playout_result *r = play(g, &job);
			mean[i] = macaw_playout_score(r, 0, 0).mean;
			steps[i] = macaw_playout_sum(r).steps;
			macaw_playout_result_free(r);
		}
		assert_true(mean[0] == mean[1] && steps[0] == steps[1]);
	}
	macaw_game_free(g);
}

static void several_starts(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	size_t n = macaw_position_words(g);
	uint64_t *starts = calloc(2 * n, sizeof *starts);
	memcpy(starts, macaw_position_initial(g), n * sizeof *starts);
	/* x has won here */
	assert_true(macaw_position_parse(g,
	                                 "(cell 1 1 x) (cell 1 2 x) (cell 1 3 x) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b) "
	                                 "(cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control o)",
	                                 starts + n, NULL));
	macaw_playout_result *r =
		play(g, &(macaw_playout_job){.starts = starts, .start_count = 2, .playouts = 1000, .threads = 2});
	assert_int_equal(macaw_playout_score(r, 0, 0).playouts, 500);
	assert_int_equal(macaw_playout_score(r, 1, 0).wins, 500);
	assert_true(macaw_playout_score(r, 1, 1).mean == 0);
	macaw_playout_result_free(r);
	free(starts);
	macaw_game_free(g);
}

static void decisive_players_win_more(void **state)
{
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_CIRCUIT);
	macaw_playout_result *plain = play(g, &(macaw_playout_job){.playouts = 2000, .max_steps = 1000});
	macaw_playout_result *decisive = play(g, &(macaw_playout_job){.playouts = 2000, .decisive = true, .threads = 2});
	assert_true(macaw_playout_sum(decisive).steps < macaw_playout_sum(plain).steps);
	macaw_playout_result_free(plain);
	macaw_playout_result_free(decisive);
	macaw_game_free(g);
}

static void long_playouts_are_given_up(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	macaw_playout_result *r = play(g, &(macaw_playout_job){.playouts = 100, .max_steps = 2});
	assert_int_equal(macaw_playout_sum(r).unfinished, 100);
	assert_int_equal(macaw_playout_sum(r).shortest, 0);
	macaw_playout_result_free(r);
	macaw_game_free(g);
}

/* ---- callbacks ---- */

struct heard {
	macaw_game *game;
	uint64_t reports, steps, sum, others;
	int inside; /* more than one thread at a time is wrong */
	bool clash;
	macaw_stop stop;
	uint64_t stop_at;
};

static void hear(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	struct heard *h = context;
	h->clash |= __atomic_fetch_add(&h->inside, 1, __ATOMIC_SEQ_CST) != 0;
	uint32_t roles = macaw_game_roles(h->game);
	for (uint32_t i = 0; i < steps * roles; i++)
		h->others += macaw_game_role_of(h->game, moves[i]) != i % roles;
	h->others += start != 0;
	h->reports++;
	h->steps += steps;
	h->sum += (uint64_t)(goals[0] > 0 ? goals[0] : 0);
	if (h->stop_at && h->reports >= h->stop_at)
		macaw_stop_now(&h->stop);
	__atomic_fetch_sub(&h->inside, 1, __ATOMIC_SEQ_CST);
}

static void *hear_one_game(void *context)
{
	struct heard *h = context;
	macaw_playout_job job = {.playouts = 3000, .threads = 2, .report = hear, .context = h};
	macaw_playout_result *r = macaw_playouts(h->game, &job, NULL);
	macaw_score s = macaw_playout_score(r, 0, 0);
	h->clash |= s.playouts != h->reports || fabs(s.mean - (double)h->sum / (double)h->reports) > 1e-9;
	h->clash |= macaw_playout_sum(r).steps != h->steps;
	macaw_playout_result_free(r);
	return NULL;
}

static void two_jobs_report_at_once(void **state)
{
	struct heard h[2] = {{.game = game_with("tictactoe", MACAW_ENGINE_CIRCUIT)},
	                     {.game = game_with("connect_4x4_3", MACAW_ENGINE_CIRCUIT)}};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hear_one_game, &h[i]), 0);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(h[i].reports, 3000);
		assert_int_equal(h[i].others, 0);
		assert_false(h[i].clash);
		macaw_game_free(h[i].game);
	}
}

/* A job may be started from the callback of another. */
static void play_inside(void *context, size_t start, const uint32_t *moves, uint32_t steps, const int *goals)
{
	macaw_game *g = context;
	macaw_playout_result *r = macaw_playouts(g, &(macaw_playout_job){.playouts = 10}, NULL);
	assert_int_equal(macaw_playout_sum(r).playouts, 10);
	macaw_playout_result_free(r);
}

static void jobs_within_jobs(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_CIRCUIT);
	macaw_playout_job job = {.playouts = 5, .report = play_inside, .context = g};
	macaw_playout_result_free(play(g, &job));
	macaw_game_free(g);
}

static void *stop_soon(void *context)
{
	nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	macaw_stop_now(context);
	return NULL;
}

static void jobs_end_when_stopped(void **state)
{
	for (int engine = MACAW_ENGINE_CIRCUIT; engine <= MACAW_ENGINE_INTERPRETER; engine++) {
		macaw_game *g = game_with("connect_four", (enum macaw_engine)engine);
		macaw_stop stop = {0};
		pthread_t thread;
		assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
		macaw_playout_result *r = play(g, &(macaw_playout_job){.limit.stop = &stop, .threads = 2});
		pthread_join(thread, NULL);
		assert_true(macaw_playout_sum(r).seconds < 20);
		macaw_playout_result_free(r);
		r = play(g, &(macaw_playout_job){.limit.seconds = 0.02});
		assert_true(macaw_playout_sum(r).seconds < 20);
		macaw_playout_result_free(r);
		macaw_game_free(g);
	}
}

static void a_callback_may_stop_its_job(void **state)
{
	struct heard h = {.game = game_with("tictactoe", MACAW_ENGINE_CIRCUIT), .stop_at = 100};
	macaw_playout_job job = {.limit.stop = &h.stop, .report = hear, .context = &h};
	macaw_playout_result_free(play(h.game, &job));
	assert_true(h.reports >= 100);
	macaw_game_free(h.game);
}

static void note_progress(void *context, const char *what, double done, double total)
{
	assert_string_equal(what, "playouts");
	assert_true(done >= 0 && total == 0);
	++*(int *)context;
}

static void progress_is_told(void **state)
{
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_CIRCUIT);
	int calls = 0;
	macaw_playout_job job = {.limit.seconds = 0.3, .threads = 2, .progress = note_progress, .context = &calls};
	macaw_playout_result_free(play(g, &job));
	assert_true(calls > 0);
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(sums_agree),
		cmocka_unit_test(shares_make_the_whole),
		cmocka_unit_test(wrong_jobs),
		cmocka_unit_test(the_same_seed_and_threads_give_the_same),
		cmocka_unit_test(several_starts),
		cmocka_unit_test(decisive_players_win_more),
		cmocka_unit_test(long_playouts_are_given_up),
		cmocka_unit_test(two_jobs_report_at_once),
		cmocka_unit_test(jobs_within_jobs),
		cmocka_unit_test(jobs_end_when_stopped),
		cmocka_unit_test(a_callback_may_stop_its_job),
		cmocka_unit_test(progress_is_told),
	};
	return RUN(cases);
}
