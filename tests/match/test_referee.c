/* The referee: what is late or illegal is replaced and counted, the match goes on,
 * and with playouts instead of clocks the record depends on the seed alone. */
#include "../play/make_game.h"

#include "match/record.h"

#include <jansson.h>

#include <signal.h>
#include <unistd.h>

/* Both count to five at once. */
#define COUNT \
	"(role a) (role b) (init (at 0)) (<= (legal ?r up) (role ?r)) (<= (legal ?r (say ?n)) (role ?r) (true (at ?n)))\n" \
	"(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= terminal (true (at 5))) (<= (goal ?r 50) (role ?r))\n" \
	"(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)\n"

/* ---- contestants of ill repute ------------------------------------------------------------------- */

static uint32_t first_move(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	text_puts(why, "first");
	return t->legal[0];
}

static uint32_t illegal_move(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	return t->step % 2 ? GAME_NONE : t->legal[t->legal_count - 1] + 1000;
}

/* Sleeps through the clock, but hears when it is told to stop. */
static uint32_t late_move(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	int *stopped = self;
	struct limit stop = {.stop = b->limit.stop};
	double began = clock_now();
	while (!limit_reached(&stop) && clock_now() - began < 200)
		usleep(1000);
	*stopped += limit_reached(&stop);
	return t->legal[0];
}

static uint32_t always_ready(void *self)
{
	return *(uint32_t *)self;
}

static uint32_t late_but_ready(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	int ignored = 0;
	return late_move(&ignored, t, b, why);
}

/* ---- tests ------------------------------------------------------------------------------------------ */

static void fair_matches_have_no_faults(void **state)
{
	struct made m = make_game(COUNT);
	struct contestant both[2] = {{.move = first_move}, {.move = first_move}};
	struct match r;
	referee_play(&r, m.game, both, &(struct referee_options){.clock = 30, .max_steps = 100, .seed = 1});
	assert_true(r.terminal && !r.cut && !r.stuck);
	assert_int_equal(r.steps, 5);
	assert_int_equal(r.goals[0], 50);
	assert_int_equal(r.late[0] + r.late[1] + r.illegal[0] + r.illegal[1], 0);
	assert_string_equal(r.moves.at[0].why, "first");
	assert_int_equal(r.states.n, 6 * m.game->words);
	match_free(&r);
	free_made(&m);
}

static void illegal_moves_are_replaced(void **state)
{
	struct made m = make_game(COUNT);
	struct contestant both[2] = {{.move = illegal_move}, {.move = first_move}};
	struct match r;
	referee_play(&r, m.game, both, &(struct referee_options){.playouts = 1, .max_steps = 100, .seed = 1});
	assert_true(r.terminal);
	assert_int_equal(r.illegal[0], 5);
	assert_int_equal(r.illegal[1], 0);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(r.moves.at[i * 2].fault, MOVE_ILLEGAL);
		assert_int_equal(game_role_of(m.game, r.moves.at[i * 2].move), 0);
	}
	match_free(&r);
	free_made(&m);
}

static void late_moves_are_replaced(void **state)
{
	struct made m = make_game(COUNT);
	int stopped = 0;
	struct contestant both[2] = {{.self = &stopped, .move = late_move}, {.move = first_move}};
	struct match r;
	double began = clock_now();
	referee_play(&r, m.game, both, &(struct referee_options){.clock = 0.05, .max_steps = 3, .seed = 1});
	assert_true(r.cut);
	assert_int_equal(r.late[0], 3);
	assert_int_equal(r.illegal[0], 0);
	assert_true(stopped >= 1);              /* it was told */
	assert_true(clock_now() - began < 100); /* of the 200 seconds that it would wait */
	match_free(&r);
	free_made(&m);
}

/* Waits longer than its clock, and works longer when it is asked to. */
static uint32_t slow_move(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	nanosleep(&(struct timespec){.tv_nsec = 40000000}, NULL);
	while (self && !limit_reached(&(struct limit){.stop = b->limit.stop}))
		;
	return t->legal[0];
}

static void processor_time_is_used_by_work_alone(void **state)
{
	struct made m = make_game(COUNT);
	struct contestant both[2] = {{.move = slow_move, .processor = CLOCK_OF_PROCESS},
	                             {.move = first_move, .processor = CLOCK_OF_PROCESS}};
	struct referee_options o = {.clock = 0.03, .max_steps = 2, .seed = 1, .processor_time = true};
	struct match r;
	referee_play(&r, m.game, both, &o);
	assert_int_equal(r.late[0] + r.late[1], 0);
	assert_true(r.moves.at[0].seconds < 0.03);
	match_free(&r);
	both[0].self = &o;
	referee_play(&r, m.game, both, &o);
	assert_int_equal(r.late[0], 2);
	match_free(&r);
	both[0] = (struct contestant){.move = slow_move}; /* has no such clock */
	referee_play(&r, m.game, both, &o);
	assert_int_equal(r.late[0], 2);
	match_free(&r);
	free_made(&m);
}

/* Players here and in processes: within their clock, which the record names. */
static void players_count_processor_time(void **state)
{
	struct made m = load_game_named("connect_5x5_4");
	struct referee_options o = {.clock = 0.05, .start = 0.02, .max_steps = 4, .seed = 1, .processor_time = true};
	for (int apart = 0; apart < 2; apart++) {
		struct seats s;
		struct text error = {0}, record = {0};
		struct match r;
		assert_true(seats_make(&s, m.game, "uct,macaw", apart, 1, &error));
		referee_play(&r, m.game, s.by_role, &o);
		for (uint32_t i = 0; i < r.steps; i++)
			assert_true(r.moves.at[i * 2 + i % 2].seconds > 0.01);
		if (!test_sample()) /* checking invariants after a search takes longer than any margin */
			assert_int_equal(r.late[0] + r.late[1], 0);
		record_write(&r, &s, &(struct record_options){.game = "x", .engine = "circuit", .referee = &o}, &record);
		assert_non_null(strstr(text_str(&record), "\"clock_of\":\"cpu\""));
		text_free(&record);
		match_free(&r);
		seats_free(&s);
	}
	free_made(&m);
}

static void what_is_ready_is_taken(void **state)
{
	struct made m = make_game(COUNT);
	uint32_t up = game_find_move(m.game, 0, "up");
	struct contestant both[2] = {{.self = &up, .move = late_but_ready, .ready = always_ready}, {.move = first_move}};
	struct match r;
	referee_play(&r, m.game, both, &(struct referee_options){.clock = 0.1, .max_steps = 1, .seed = 1});
	assert_int_equal(r.late[0], 0);
	assert_int_equal(r.moves.at[0].move, up);
	match_free(&r);
	free_made(&m);
}

static json_t *record_with(struct game *g, const char *players, bool apart, uint64_t seed)
{
	struct seats s;
	struct text error = {0};
	struct match r;
	struct referee_options o = {.playouts = 300, .max_steps = 1000, .seed = seed};
	if (!seats_make(&s, g, players, apart, seed, &error))
		fail_msg("%s", text_str(&error));
	referee_play(&r, g, s.by_role, &o);
	struct text record = {0};
	record_write(&r, &s, &(struct record_options){.game = "x", .engine = "circuit", .referee = &o, .full = true},
	             &record);
	json_t *j = json_loads(text_str(&record), 0, NULL);
	assert_non_null(j);
	text_free(&record);
	/* how long it took is not a matter of the seed */
	const char *role;
	json_t *counters;
	json_object_del(j, "times");
	json_object_foreach(json_object_get(j, "counters"), role, counters)
	{
		json_object_del(counters, "seconds");
		json_object_del(counters, "playout_seconds");
		json_object_del(counters, "solve_seconds");
		json_object_del(counters, "symmetry_seconds");
	}
	match_free(&r);
	seats_free(&s);
	return j;
}

static void equal_seeds_make_equal_records(void **state)
{
	static const char *const players[] = {"uct,grave", "macaw,alphabeta", "random,cfr"};
	struct made m = load_game_named("connect_5x5_4"), coins = make_game(COINS);
	for (int i = 0; i < 3; i++) {
		struct game *g = i == 1 ? coins.game : m.game;
		json_t *one = record_with(g, players[i], false, 11), *two = record_with(g, players[i], i < 2, 11),
			   *three = record_with(g, players[i], false, 12);
		assert_true(json_equal(one, two));
		json_object_set(three, "seed", json_object_get(one, "seed"));
		assert_false(json_equal(one, three));
		assert_non_null(json_object_get(one, "rules"));
		assert_int_equal(json_array_size(json_object_get(one, "states")),
		                 json_integer_value(json_object_get(one, "steps")) + 1);
		json_decref(one);
		json_decref(two);
		json_decref(three);
	}
	free_made(&m);
	free_made(&coins);
}

/* Processes of players that come to harm: killed, or stopped in the middle of a thought. False: the other one could
 * not answer within the clock, either. */
static bool match_with_harm_within(double clock, int sent, const char *said, bool processor_time)
{
	struct made m = load_game_named("connect_5x5_4");
	struct seats s;
	struct text error = {0};
	struct match r;
	assert_true(seats_make(&s, m.game, "random,random", true, 1, &error));
	int status = kill(isolated_id(s.isolated[0]), sent);
	assert_int_equal(status, 0);
	struct referee_options o = {.clock = clock, .max_steps = 4, .seed = 1, .processor_time = processor_time};
	referee_play(&r, m.game, s.by_role, &o);
	assert_int_equal(r.steps, 4);
	assert_int_equal(r.illegal[1], 0);
	assert_true(r.late[0] + r.illegal[0] >= 3);
	if (said)
		assert_string_equal(r.moves.at[0].why, said);
	bool in_time = !r.late[1];
	match_free(&r);
	seats_free(&s);
	free_made(&m);
	return in_time;
}

static void match_with_harm(int sent, const char *said, bool processor_time)
{
	/* a large process needs processor time even to end, and a busy machine lets all of them wait */
	double clock = processor_time ? 1 : 0.02;
	while (!match_with_harm_within(clock, sent, said, processor_time)) {
		clock *= 10;
		assert_true(clock < 30);
	}
}

static void a_match_outlives_its_players(void **state)
{
	match_with_harm(SIGKILL, "the player's process has ended", false);
	match_with_harm(SIGKILL, "the player's process has ended", true);
	match_with_harm(SIGSTOP, NULL, false);
}

static void processes_tell_what_is_wrong(void **state)
{
	struct made m = load_game_named("connect_5x5_4");
	struct seats s;
	struct text error = {0};
	assert_false(seats_make(&s, m.game, "random,utc", true, 1, &error));
	assert_non_null(strstr(text_str(&error), "did you mean 'uct'?"));
	text_free(&error);
	free_made(&m);
}

/* What hidden players are told: percepts, not the state. */
static uint32_t spy(void *self, const struct turn *t, const struct budget *b, struct text *why)
{
	*(int *)self += t->state || t->last;
	assert_true(t->step ? t->own_last != GAME_NONE : t->own_last == GAME_NONE);
	return t->legal[0];
}

static void hidden_states_stay_hidden(void **state)
{
	struct made m = load_game_named("kuhn_poker");
	int leaks = 0;
	struct contestant all[3] = {
		{.self = &leaks, .move = spy}, {.self = &leaks, .move = spy}, {.self = &leaks, .move = spy}};
	struct match r;
	assert_true(m.game->roles <= 3);
	referee_play(&r, m.game, all, &(struct referee_options){.playouts = 1, .max_steps = 100, .seed = 3});
	assert_true(r.terminal);
	assert_int_equal(leaks, 0);
	match_free(&r);
	struct seats s;
	struct text error = {0};
	assert_true(seats_make(&s, m.game, "cfr,macaw", false, 1, &error));
	referee_play(&r, m.game, s.by_role,
	             &(struct referee_options){.playouts = 500, .start = 1, .max_steps = 100, .seed = 3});
	assert_true(r.terminal);
	match_free(&r);
	seats_free(&s);
	free_made(&m);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(fair_matches_have_no_faults),
		cmocka_unit_test(illegal_moves_are_replaced),
		cmocka_unit_test(late_moves_are_replaced),
		cmocka_unit_test(what_is_ready_is_taken),
		cmocka_unit_test(equal_seeds_make_equal_records),
		cmocka_unit_test(hidden_states_stay_hidden),
		cmocka_unit_test(a_match_outlives_its_players),
		cmocka_unit_test(processes_tell_what_is_wrong),
		cmocka_unit_test(processor_time_is_used_by_work_alone),
		cmocka_unit_test(players_count_processor_time),
	};
	return RUN(cases);
}
