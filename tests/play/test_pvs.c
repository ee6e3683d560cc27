/* Principal variation search: what it proves against plain minimax over all positions, its values against minimax of
 * the same depth on the same evaluation, with reductions and without; states that are not searched because their
 * evaluation is outside the window; and the matches that choose a search. */
#include "minimax.h"

#include "play/alphabeta/pvs.h"
#include "play/trial.h"

#include <inttypes.h>
#include <math.h>

static const struct pvs_tuning standard = {PVS_TUNING(TUNING_STANDARD)};

/* The role that has a choice, or the first. */
static uint32_t mover_at(struct seat *s, const uint64_t *state)
{
	struct view v = game_look(s->worker, state);
	return v.start[2] - v.start[1] > 1;
}

/* ---- proofs ------------------------------------------------------------------------------------------ */

/* Of a position that is small enough to be searched to its end: what is said of the moves holds; where no evaluation
 * leaves states out, the move keeps the value, and a win or a loss is proved. */
static void check_end(struct memo *m, struct pvs *q, struct seat *s, const uint64_t *state, bool all)
{
	struct view v = game_look(s->worker, state);
	uint32_t count = v.start[m->role + 1] - v.start[m->role], joint[2];
	uint32_t *legal = mem_alloc(count, sizeof *legal);
	struct move_value *values = NEW_ARRAY(struct move_value, count);
	uint64_t *next = mem_alloc(m->words, sizeof *next);
	memcpy(legal, v.legal + v.start[m->role], count * sizeof *legal);
	joint[1 - m->role] = v.legal[v.start[1 - m->role]];
	for (uint32_t i = 0; i < count; i++)
		values[i] = (struct move_value){.move = legal[i], .value = -1, .high = 100};
	int value = minimax(m, state);
	struct pvs_result r = pvs_run(q, s, state, &(struct budget){.playouts = 100000});
	bool decided = value == 0 || value == 100, met = false;
	pvs_values(q, &(struct turn){.state = state, .legal = legal, .legal_count = count}, values);
	for (uint32_t i = 0; i < count && !m->full; i++) {
		joint[m->role] = legal[i];
		game_next(m->w, state, joint, next);
		int x = minimax(m, next);
		assert_true(values[i].low <= x && x <= values[i].high);
		met |= legal[i] == r.move;
		if (legal[i] == r.move && (all || r.proved))
			assert_int_equal(x, value);
	}
	if (!m->full) {
		assert_true(met);
		assert_true(!r.proved || (decided && (int)r.value == value));
		assert_true(!all || r.proved == decided);
	}
	mem_free(legal);
	mem_free(values);
	mem_free(next);
}

static void check_game(const char *name, uint32_t role, double reduce, uint32_t from, uint32_t to, uint32_t positions,
                       bool judge)
{
	struct made made = load_game_named(name);
	struct seat s = new_seat(made.game, role);
	struct pvs_tuning tune = standard;
	struct memo m;
	tune.reduce = reduce;
	tune.table = 1;
	struct pvs *q = pvs_new(&s, &tune, 1);
	assert_non_null(q);
	struct evaluation *e =
		judge ? evaluation_learn(made.game, &(struct evaluation_options){.seed = 3, .playouts = 500}) : NULL;
	pvs_judge(q, e);
	memo_make(&m, made.game, role);
	uint64_t *state = mem_alloc(m.words, sizeof *state);
	uint32_t checked = 0;
	for (uint32_t tries = 0; checked < positions && !m.full && tries < 100 * positions; tries++)
		if (walk(&s, from + rng_below(&s.rng, to - from + 1), state) && mover_at(&s, state) == role) {
			check_end(&m, q, &s, state, !e);
			checked += !m.full;
		}
	print_message("%s: %u positions, %u states\n", name, checked, m.count);
	assert_true(checked >= positions / 8);
	mem_free(state);
	memo_free(&m);
	pvs_free(q);
	evaluation_free(e);
	free_seat(&s);
	free_made(&made);
}

static void wins_and_losses_agree_with_minimax(void **state)
{
	static const struct {
		const char *name;
		uint32_t from, to, positions;
	} games[] = {
		{"tictactoe", 0, 8, 100},      {"nim", 0, 6, 100},
		{"chomp", 0, 6, 100},          {"connect_3x3_3", 0, 6, 100},
		{"connect_4x4_3", 6, 12, 100}, {"connect_5x5_4", 16, 22, 60},
		{"quarto", 26, 28, 30},        {"pentago", 66, 70, 60},
	};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		for (uint32_t role = 0; role < 2; role++) {
			uint32_t positions = test_sample() ? games[i].positions / 10 + 4 : games[i].positions;
			check_game(games[i].name, role, role ? 0 : standard.reduce, games[i].from, games[i].to, positions, false);
			check_game(games[i].name, role, standard.reduce, games[i].from, games[i].to, positions, true);
		}
}

/* ---- values at a horizon ---------------------------------------------------------------------------------- */

/* For the first role, as in pvs.h. */
static double plain(struct game *g, struct worker *w, const struct evaluation *e, const uint64_t *state, uint32_t depth)
{
	struct view v = game_look(w, state);
	float scores[2];
	if (v.terminal)
		return 50 + (v.goals[0] - v.goals[1]) / 2.0;
	if (!depth) {
		evaluation_batch(e, state, 1, scores);
		return 50 + 50 * (double)(scores[0] - scores[1]);
	}
	uint32_t n[2] = {v.start[1], v.start[2] - v.start[1]}, mover = n[1] > 1, joint[2];
	uint32_t *legal = mem_alloc(v.start[2], sizeof *legal), start = v.start[mover];
	uint64_t *next = mem_alloc(g->words, sizeof *next);
	double best = mover ? 101 : -1;
	memcpy(legal, v.legal, v.start[2] * sizeof *legal);
	joint[1 - mover] = legal[v.start[1 - mover]];
	for (uint32_t i = 0; i < n[mover]; i++) {
		joint[mover] = legal[start + i];
		game_next(w, state, joint, next);
		/* as the search does: where there is no choice the horizon moves on */
		double x = plain(g, w, e, next, n[mover] == 1 ? depth : depth - 1);
		best = mover ? fmin(best, x) : fmax(best, x);
	}
	mem_free(legal);
	mem_free(next);
	return best;
}

static void values_are_those_of_minimax_at_the_same_depth(void **state_)
{
	static const char *const names[] = {"breakthrough_suicide", "connect_four", "othello"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		struct made made = load_game_named(names[k]);
		struct seat s = new_seat(made.game, 0);
		struct evaluation *e =
			evaluation_learn(made.game, &(struct evaluation_options){.seed = 3, .playouts = 2000, .self_play = true});
		struct pvs_tuning tune = standard;
		tune.reduce = 0;
		tune.certain = 0;
		tune.depth = 3;
		tune.table = 4;
		uint64_t *state = mem_alloc(made.game->words, sizeof *state);
		assert_non_null(e);
		for (uint32_t i = 0; i < (test_sample() ? 3u : 20u); i++) {
			struct pvs *q =
				pvs_new(&s, &tune, 1); /* anew: deeper entries of earlier positions would be better than asked for */
			pvs_judge(q, e);
			if (walk(&s, rng_below(&s.rng, 30), state)) {
				struct pvs_result r = pvs_run(q, &s, state, &(struct budget){0});
				double v = plain(made.game, s.worker, e, state, 3);
				v = mover_at(&s, state) ? 100 - v : v;
				v = r.proved ? v : fmin(fmax(v, 2.5), 97.5); /* as estimates are held */
				assert_int_equal(r.depth, r.proved ? r.depth : 3);
				if (fabs(v - r.value) > 0.02)
					fail_msg("%s: value %g, by minimax %g", names[k], r.value, v);
			}
			pvs_free(q);
		}
		mem_free(state);
		evaluation_free(e);
		free_seat(&s);
		free_made(&made);
	}
}

/* To the same depth with fewer states, and the value is still about the same. */
static void certain_states_are_not_searched(void **state_)
{
	struct made made = load_game_named("othello");
	struct seat s = new_seat(made.game, 0);
	struct evaluation *e =
		evaluation_learn(made.game, &(struct evaluation_options){.seed = 3, .playouts = 4000, .self_play = true});
	uint64_t *state = mem_alloc(made.game->words, sizeof *state), nodes[2] = {0};
	double difference = 0, value[2];
	uint32_t positions = 0;
	struct pvs *q[2];
	assert_non_null(e);
	for (int k = 0; k < 2; k++) {
		struct pvs_tuning tune = standard;
		tune.certain = k ? standard.certain : 0;
		tune.depth = 6;
		q[k] = pvs_new(&s, &tune, 1);
		pvs_judge(q[k], e);
	}
	while (positions < 12) {
		if (!walk(&s, 10 + rng_below(&s.rng, 30), state))
			continue;
		for (int k = 0; k < 2; k++) {
			s.count.nodes = 0;
			value[k] = pvs_run(q[k], &s, state, &(struct budget){0}).value;
			nodes[k] += s.count.nodes;
		}
		difference += fabs(value[0] - value[1]);
		positions++;
	}
	print_message("nodes %" PRIu64 " and %" PRIu64 ", values differ by %.2f\n", nodes[0], nodes[1],
	              difference / positions);
	assert_true(4 * nodes[1] < 3 * nodes[0]);
	assert_true(difference / positions < 5);
	pvs_free(q[0]);
	pvs_free(q[1]);
	mem_free(state);
	evaluation_free(e);
	free_seat(&s);
	free_made(&made);
}

/* A look at another position, here one of the same role: the move held ready and the values are still of the first. */
static void a_look_aside_leaves_no_trace(void **state_)
{
	struct made made = load_game_named("pentago");
	struct seat s = new_seat(made.game, 0);
	_Atomic uint32_t ready = GAME_NONE;
	s.ready = &ready;
	struct pvs_tuning tune = standard;
	tune.depth = 2;
	struct pvs *q = pvs_new(&s, &tune, 1);
	struct view v = game_look(s.worker, made.game->initial);
	uint32_t count = v.start[1], joint[2] = {0, v.legal[v.start[1]]};
	uint32_t *legal = mem_alloc(count, sizeof *legal);
	struct move_value *values = NEW_ARRAY(struct move_value, 2 * (size_t)count);
	uint64_t *next = mem_alloc(made.game->words, sizeof *next);
	memcpy(legal, v.legal, count * sizeof *legal);
	struct turn turn = {.state = made.game->initial, .legal = legal, .legal_count = count};
	struct pvs_result r = pvs_run(q, &s, made.game->initial, &(struct budget){0});
	assert_int_equal(ready, r.move);
	assert_true(pvs_values(q, &turn, values));
	joint[0] = r.move;
	game_next(s.worker, made.game->initial, joint, next);
	assert_int_equal(mover_at(&s, next), 0);
	struct pvs_result look = pvs_look(q, &s, next, &(struct budget){0});
	assert_true(look.move != GAME_NONE && look.move != r.move);
	assert_int_equal(ready, r.move);
	assert_true(pvs_values(q, &turn, values + count));
	assert_memory_equal(values, values + count, count * sizeof *values);
	mem_free(legal);
	mem_free(values);
	mem_free(next);
	pvs_free(q);
	free_seat(&s);
	free_made(&made);
}

/* Positions of a game that soon ends, by the clock: what several threads prove together is so. */
static void threads_share_a_table(void **state_)
{
	struct made made = load_game_named("connect_5x5_4");
	struct seat s = new_seat(made.game, 0);
	struct pvs *q = pvs_new(&s, &standard, 4);
	struct memo m[2];
	uint64_t *state = mem_alloc(made.game->words, sizeof *state);
	uint32_t proved = 0;
	for (uint32_t r = 0; r < 2; r++)
		memo_make(&m[r], made.game, r);
	for (uint32_t i = 0; i < 12; i++) {
		if (!walk(&s, 14 + rng_below(&s.rng, 6), state))
			continue;
		uint32_t mover = mover_at(&s, state);
		struct pvs_result r = pvs_run(q, &s, state, &(struct budget){.limit = limit_seconds_of(CLOCK_OF_PROCESS, 0.4)});
		int value = minimax(&m[mover], state);
		assert_true(r.move != GAME_NONE);
		if (r.proved && !m[mover].full)
			assert_int_equal((int)r.value, value);
		proved += r.proved;
	}
	print_message("%u proved\n", proved);
	for (uint32_t r = 0; r < 2; r++)
		memo_free(&m[r]);
	mem_free(state);
	pvs_free(q);
	free_seat(&s);
	free_made(&made);
}

static void not_for_every_game(void **state)
{
	static const char *const names[] = {"connect_four_simultaneous", "backgammon", "kuhn_poker"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		struct made made = load_game_named(names[k]);
		struct seat s = new_seat(made.game, 0);
		assert_null(pvs_new(&s, &standard, 1));
		free_seat(&s);
		free_made(&made);
	}
}

/* ---- trials ------------------------------------------------------------------------------------------------ */

static uint32_t at_random(void *self, struct seat *s, const uint64_t *state, const struct budget *b)
{
	++*(uint32_t *)self;
	return GAME_NONE;
}

static uint32_t by_search(void *self, struct seat *s, const uint64_t *state, const struct budget *b)
{
	struct budget counted = {.playouts = 2000};
	return pvs_run(self, s, state, &counted).move;
}

/* Shares that together are more than the clock: learning goes first, the matches have what is left. */
static void shares_of_the_start_clock_may_be_large(void **state)
{
	static const char *const words[] = {"macaw:learn=0.9:trial=0.9", "macaw:learn=1:trial=1",
	                                    "macaw:learn=0.9:shape=alphabeta"};
	struct made made = load_game_named("tictactoe");
	struct worker *w = worker_new(made.game);
	for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
		struct text error = {0};
		struct player *p = player_make(made.game, 0, words[k], 1, &error);
		struct view v = game_look(w, made.game->initial);
		struct turn t = {.state = made.game->initial, .legal = v.legal, .legal_count = v.start[1]};
		struct budget clock = {.limit = limit_seconds_of(CLOCK_OF_PROCESS, 1), .margin = -1};
		assert_non_null(p);
		player_start(p, &clock);
		assert_true(limit_left(&clock.limit) > -1);
		clock.limit = limit_seconds_of(CLOCK_OF_PROCESS, 0.2);
		assert_true(turn_allows(&t, player_move(p, &t, &clock).move));
		player_free(p);
		text_free(&error);
	}
	worker_free(w);
	free_made(&made);
}

static void a_search_wins_trials_against_random_moves(void **state)
{
	struct made made = load_game_named("connect_four");
	struct seat s = new_seat(made.game, 0);
	struct limit limit = {0};
	struct pvs *q = pvs_new(&s, &standard, 1);
	uint32_t asked = 0;
	struct contender two[2] = {{at_random, &asked, 1}, {by_search, q, 1}};
	struct trial_plan plan = {.per_move = 1, .most = 20, .lead = 5, .random_moves = 4, .limit = &limit};
	struct trial_result r = trial_run(&s, two, &plan);
	assert_true(asked > 0);
	assert_true(r.points[1] >= r.points[0] + 5);
	assert_true(r.matches >= 6 && r.matches <= 40);
	assert_true(fabs(r.points[0] + r.points[1] - r.matches) < 1e-9);
	atomic_bool stop = true;
	limit.stop = &stop;
	assert_int_equal(trial_run(&s, two, &plan).matches, 0);
	pvs_free(q);
	free_seat(&s);
	free_made(&made);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(wins_and_losses_agree_with_minimax),
		cmocka_unit_test(values_are_those_of_minimax_at_the_same_depth),
		cmocka_unit_test(certain_states_are_not_searched),
		cmocka_unit_test(a_look_aside_leaves_no_trace),
		cmocka_unit_test(threads_share_a_table),
		cmocka_unit_test(not_for_every_game),
		cmocka_unit_test(shares_of_the_start_clock_may_be_large),
		cmocka_unit_test(a_search_wins_trials_against_random_moves),
	};
	return RUN(cases);
}
