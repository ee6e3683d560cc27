/* Matches as users of the library meet them: own players beside those of the library, faults, watching, records. */
#include "games.h"

#include "macaw/match.h"

#include <unistd.h>

/* ---- own players ---- */

/* Notes what it is told and takes the move with this number, as far as there are so many. */
struct own {
	macaw_game *game;
	uint32_t role, number;
	int starts, moves, hidden;
	bool dawdles, errs;
};

static void own_start(void *self, macaw_game *g, uint32_t role, const macaw_budget *b)
{
	struct own *o = self;
	o->game = g;
	o->role = role;
	o->starts++;
	assert_true(b->stop != NULL);
}

static uint32_t own_move(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	struct own *o = self;
	o->moves++;
	o->hidden += !t->position;
	assert_true(t->game && t->legal_count >= 1);
	assert_true(t->step ? t->own_last != MACAW_NONE && t->seen : t->own_last == MACAW_NONE && !t->seen && !t->last);
	assert_true(!t->position == macaw_game_hidden(t->game));
	while (o->dawdles && !__atomic_load_n(&b->stop->flag, __ATOMIC_SEQ_CST))
		usleep(1000);
	if (o->errs)
		return t->step ? macaw_game_moves(t->game) : MACAW_NONE; /* no such move; nothing at all */
	snprintf(why, room, "number %u of %u", o->number, t->legal_count);
	return t->legal[o->number < t->legal_count ? o->number : t->legal_count - 1];
}

static macaw_seat seat_of(struct own *o)
{
	return (macaw_seat){.name = "mine", .self = o, .start = own_start, .move = own_move};
}

static macaw_match *play(macaw_game *g, const macaw_seat *seats, size_t count, const macaw_match_options *o)
{
	macaw_error error;
	macaw_match *m = macaw_match_play(g, seats, count, o, &error);
	if (!m)
		fail_msg("%s", error.text);
	assert_int_equal(error.status, MACAW_OK);
	return m;
}

static void own_players_take_seats(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	struct own mine = {.number = 0};
	macaw_seat seats[] = {seat_of(&mine), {.word = "uct"}};
	macaw_match *m = play(g, seats, 2, &(macaw_match_options){.playouts = 300, .start = 0.1, .seed = 4});
	uint32_t steps = macaw_match_steps(m);
	assert_ptr_equal(macaw_match_game(m), g);
	assert_true(steps >= 5 && steps <= 9);
	assert_int_equal(mine.starts, 1);
	assert_int_equal(mine.moves, steps);
	assert_int_equal(mine.hidden, 0);
	assert_ptr_equal(mine.game, g);
	assert_int_equal(macaw_match_ending(m), MACAW_TERMINAL);
	assert_null(macaw_match_trouble(m));
	assert_string_equal(macaw_match_player(m, 0), "mine");
	assert_string_equal(macaw_match_player(m, 1), "uct");
	assert_null(macaw_match_player(m, 2));
	assert_int_equal(macaw_match_goal(m, 0) + macaw_match_goal(m, 1), 100);
	assert_int_equal(macaw_match_goal(m, 2), MACAW_NO_GOAL);
	assert_int_equal(macaw_match_counters(m, 0).moves, 0);
	assert_int_equal(macaw_match_counters(m, 1).moves, steps);
	macaw_made made = macaw_match_made(m, 0, 0);
	assert_string_equal(macaw_game_move(g, made.move), "(mark 1 1)");
	assert_string_equal(made.why, "number 0 of 9");
	assert_int_equal(made.fault, MACAW_FINE);
	assert_int_equal(macaw_match_made(m, steps, 0).move, MACAW_NONE);
	macaw_match_free(m);
	macaw_match_free(NULL);
	macaw_game_free(g);
}

/* The positions are those that the moves lead to. */
static void positions_follow_the_moves(void **state)
{
	macaw_game *g = game_with("connect_5x5_4", MACAW_ENGINE_AUTO);
	macaw_match *m = macaw_match_words(g, "random,mc", &(macaw_match_options){.playouts = 50, .seed = 1}, NULL);
	macaw_worker *w = macaw_worker_new(g, NULL);
	uint64_t *p = copy_of(g, macaw_position_initial(g));
	for (uint32_t i = 0; i < macaw_match_steps(m); i++) {
		uint32_t joint[] = {macaw_match_made(m, i, 0).move, macaw_match_made(m, i, 1).move};
		assert_true(macaw_position_equal(g, p, macaw_match_position(m, i)));
		assert_true(macaw_next(w, p, joint, p));
	}
	assert_true(macaw_position_equal(g, p, macaw_match_position(m, macaw_match_steps(m))));
	assert_null(macaw_match_position(m, macaw_match_steps(m) + 1));
	free(p);
	macaw_worker_free(w);
	macaw_match_free(m);
	macaw_game_free(g);
}

static void faults_are_replaced_and_counted(void **state)
{
	macaw_game *g = game_with("connect_5x5_4", MACAW_ENGINE_AUTO);
	struct own late = {.dawdles = true}, wrong = {.errs = true};
	macaw_seat seats[] = {seat_of(&late), seat_of(&wrong)};
	macaw_match_options o = {.clock = 0.02, .grace = 0.01, .max_steps = 3, .seed = 1};
	macaw_match *m = play(g, seats, 2, &o);
	while (macaw_match_late(m, 1) > 1 && o.clock < 10) { /* the machine is too busy for such a clock */
		macaw_match_free(m);
		o.clock *= 10;
		m = play(g, seats, 2, &o);
	}
	assert_int_equal(macaw_match_steps(m), 3);
	assert_int_equal(macaw_match_ending(m), MACAW_CUT);
	assert_true(macaw_match_late(m, 0) >= 2); /* the third may be its answer to the second */
	assert_int_equal(macaw_match_late(m, 1), 1);
	assert_int_equal(macaw_match_illegal(m, 1), 2);
	assert_int_equal(macaw_match_illegal(m, 9), 0);
	assert_int_equal(macaw_match_late(m, 9), 0);
	assert_int_equal(macaw_match_made(m, 0, 0).fault, MACAW_LATE);
	assert_int_equal(macaw_match_made(m, 0, 1).fault, MACAW_LATE);
	assert_int_equal(macaw_match_made(m, 1, 1).fault, MACAW_ILLEGAL);
	assert_true(macaw_match_made(m, 0, 0).seconds >= 0.02);
	macaw_match_free(m);
	macaw_game_free(g);
}

/* ---- watching and stopping ---- */

struct watching {
	uint32_t seen;
	macaw_stop stop;
	uint32_t until; /* 0: to the end */
};

static void watch(void *context, const macaw_match *m)
{
	struct watching *w = context;
	assert_int_equal(macaw_match_steps(m), w->seen);
	assert_int_equal(macaw_match_ending(m), MACAW_UNDER_WAY);
	assert_int_equal(macaw_match_goal(m, 0), MACAW_NO_GOAL);
	assert_non_null(macaw_match_position(m, w->seen));
	if (w->seen)
		assert_int_not_equal(macaw_match_made(m, w->seen - 1, 0).move, MACAW_NONE);
	w->seen++;
	if (w->until && w->seen > w->until)
		macaw_stop_now(&w->stop);
}

static void matches_are_watched_and_stopped(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	struct watching all = {0}, some = {.until = 2};
	macaw_match_options o = {.playouts = 20, .seed = 1, .watch = watch, .context = &all};
	macaw_match *m = macaw_match_words(g, "random,random", &o, NULL);
	assert_int_equal(all.seen, macaw_match_steps(m) + 1);
	macaw_match_free(m);
	o.context = &some;
	o.stop = &some.stop;
	m = macaw_match_words(g, "random,random", &o, NULL);
	assert_int_equal(macaw_match_steps(m), 2);
	assert_int_equal(macaw_match_ending(m), MACAW_CUT);
	macaw_match_free(m);
	macaw_game_free(g);
}

/* ---- words ---- */

static void wrong_seats_are_refused(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	macaw_error error;
	macaw_seat empty[2] = {{0}};
	assert_null(macaw_match_words(g, "uct", NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_non_null(strstr(error.text, "for 2 players (x, o), 1 are named"));
	assert_null(macaw_match_words(g, "uct,utc", NULL, &error));
	assert_non_null(strstr(error.text, "did you mean 'uct'?"));
	assert_null(macaw_match_words(g, "", NULL, NULL));
	assert_null(macaw_match_play(g, empty, 2, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	macaw_game_free(g);
}

static char *moves_of(macaw_game *g, const char *words, const macaw_match_options *o)
{
	macaw_error error;
	macaw_match *m = macaw_match_words(g, words, o, &error);
	if (!m)
		fail_msg("%s", error.text);
	char *record = macaw_match_record(m, false), *from = strstr(record, "\"moves\":"),
		 *to = strstr(record, "\"late\":");
	assert_true(from && to);
	*to = 0;
	char *moves = strdup(from);
	macaw_free(record);
	macaw_match_free(m);
	return moves;
}

/* By playouts; in processes of their own; together. */
static void equal_seeds_make_equal_matches(void **state)
{
	macaw_game *g = game_with("connect_5x5_4", MACAW_ENGINE_AUTO);
	macaw_match_options o = {.playouts = 200, .seed = 5};
	char *one = moves_of(g, "uct,grave", &o), *two = moves_of(g, "uct,grave", &o);
	assert_string_equal(one, two);
	free(two);
	o.isolated = o.together = true;
	two = moves_of(g, "uct,grave", &o);
	assert_string_equal(one, two);
	free(two);
	o.seed = 6;
	two = moves_of(g, "uct,grave", &o);
	assert_string_not_equal(one, two);
	free(one);
	free(two);
	macaw_game_free(g);
}

static void processes_are_for_circuits(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_INTERPRETER);
	macaw_error error;
	assert_null(macaw_match_words(g, "random,random", &(macaw_match_options){.isolated = true}, &error));
	assert_non_null(strstr(error.text, "interpreted"));
	macaw_match *m = macaw_match_words(g, "random,random", &(macaw_match_options){.playouts = 1}, &error);
	assert_int_equal(macaw_match_ending(m), MACAW_TERMINAL);
	macaw_match_free(m);
	macaw_game_free(g);
}

static void hidden_matches_tell_percepts_only(void **state)
{
	macaw_game *g = game_with("kuhn_poker", MACAW_ENGINE_AUTO);
	struct own mine = {.number = 1};
	macaw_seat seats[] = {seat_of(&mine), {.word = "cfr"}};
	macaw_match *m = play(g, seats, 2, &(macaw_match_options){.playouts = 100, .seed = 1});
	assert_int_equal(macaw_match_ending(m), MACAW_TERMINAL);
	assert_int_equal(mine.hidden, mine.moves);
	for (uint32_t r = 0; r < macaw_game_roles(g); r++)
		assert_string_equal(macaw_match_player(m, r), r == macaw_game_random(g) ? "chance"
		                                              : r == mine.role          ? "mine"
		                                                                        : "cfr");
	macaw_match_free(m);
	macaw_game_free(g);
}

static void a_role_without_moves_ends_it(void **state)
{
	static const char rules[] =
		"(role a) (init start) (<= (legal a go) (true start)) (<= terminal (true never)) (goal a 7)";
	macaw_game *g = macaw_game_parse(rules, strlen(rules), NULL, NULL);
	macaw_match *m = macaw_match_words(g, "random", NULL, NULL);
	assert_int_equal(macaw_match_ending(m), MACAW_STUCK);
	assert_int_equal(macaw_match_steps(m), 1);
	macaw_match_free(m);
	macaw_game_free(g);
}

static void whole_records_hold_the_rules(void **state)
{
	macaw_game *g = game_with("tictactoe", MACAW_ENGINE_AUTO);
	macaw_match *m = macaw_match_words(g, "random,random", &(macaw_match_options){.playouts = 1}, NULL);
	char *brief = macaw_match_record(m, false), *whole = macaw_match_record(m, true);
	assert_null(strstr(brief, "\"rules\""));
	assert_null(strchr(brief, '\n'));
	assert_non_null(strstr(whole, "\"rules\": "));
	assert_non_null(strstr(whole, "\"states\": "));
	macaw_free(brief);
	macaw_free(whole);
	macaw_match_free(m);
	macaw_game_free(g);
}

/* In the thread of a seat, where a player thinks, and at the referee's. */
static void matches_run_out_of_memory(void **state)
{
	static const size_t limits[] = {1000, 20000, 300000, 3000000};
	macaw_game *g = game_with("connect_four", MACAW_ENGINE_AUTO);
	for (size_t i = 0; i < 4; i++)
		for (int together = 0; together < 2; together++) {
			macaw_error error;
			macaw_memory_limit(limits[i]);
			macaw_match *m = macaw_match_words(
				g, "uct,grave", &(macaw_match_options){.playouts = 300000, .together = together}, &error);
			macaw_memory_limit(0);
			assert_null(m);
			assert_int_equal(error.status, MACAW_MEMORY);
		}
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(own_players_take_seats),          cmocka_unit_test(positions_follow_the_moves),
		cmocka_unit_test(faults_are_replaced_and_counted), cmocka_unit_test(matches_are_watched_and_stopped),
		cmocka_unit_test(wrong_seats_are_refused),         cmocka_unit_test(equal_seeds_make_equal_matches),
		cmocka_unit_test(processes_are_for_circuits),      cmocka_unit_test(hidden_matches_tell_percepts_only),
		cmocka_unit_test(a_role_without_moves_ends_it),    cmocka_unit_test(whole_records_hold_the_rules),
		cmocka_unit_test(matches_run_out_of_memory),
	};
	return RUN(cases);
}
