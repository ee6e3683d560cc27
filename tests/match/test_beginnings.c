/* Matches that begin elsewhere than at the start: in a position, or after moves; and their records, read back. */
#include "test.h"

#include "macaw/match.h"
#include "macaw/record.h"
#include "macaw/worker.h"

#include <string.h>

static macaw_game *load(const char *name)
{
	macaw_error e;
	macaw_game *g = macaw_game_load(name, NULL, &e);
	if (!g)
		fail_msg("%s", e.text);
	return g;
}

/* A seat that plays its first legal move and writes down what it was told. */
struct notes {
	uint32_t asked, first_step, percepts;
	uint32_t own_last[8];
};

static uint32_t take_note(void *self, const macaw_turn *t, const macaw_budget *b, char *why, size_t room)
{
	struct notes *n = self;
	if (!n->asked)
		n->first_step = t->step;
	if (n->asked < 8)
		n->own_last[n->asked] = t->own_last;
	n->asked++;
	n->percepts += t->seen_count;
	return t->legal[0];
}

static uint32_t move_of(const macaw_game *g, uint32_t role, const char *text)
{
	uint32_t m = macaw_game_find_move(g, role, text);
	assert_true(m != MACAW_NONE);
	return m;
}

static void a_match_goes_on_after_moves(void **state)
{
	macaw_game *g = load("tictactoe");
	struct notes notes[2] = {0};
	macaw_seat seats[] = {{.self = &notes[0], .move = take_note}, {.self = &notes[1], .move = take_note}};
	uint32_t made[] = {move_of(g, 0, "(mark 3 3)"), move_of(g, 1, "noop"), move_of(g, 0, "noop"),
	                   move_of(g, 1, "(mark 2 2)")};
	macaw_match *m =
		macaw_match_play(g, seats, 2, &(macaw_match_options){.playouts = 1, .made = made, .made_steps = 2}, NULL);
	assert_int_equal(macaw_match_ending(m), MACAW_TERMINAL);
	assert_int_equal(macaw_match_made(m, 0, 0).move, made[0]);
	assert_int_equal(macaw_match_made(m, 1, 1).move, made[3]);
	assert_int_equal(notes[0].first_step, 2);
	assert_int_equal(notes[0].own_last[0], made[2]);
	assert_int_equal(notes[0].asked, macaw_match_steps(m) - 2);
	assert_true(macaw_position_equal(g, macaw_match_position(m, 0), macaw_position_initial(g)));
	/* the record has all of it */
	char *text = macaw_match_record(m, true);
	macaw_record *r = macaw_record_parse(text, strlen(text), NULL);
	macaw_error e;
	while (macaw_record_step(r, &e))
		;
	assert_int_equal(e.status, MACAW_OK);
	assert_int_equal(macaw_record_made(r), macaw_match_steps(m));
	assert_true(macaw_record_check(r, &e));
	macaw_record_free(r);
	macaw_free(text);
	macaw_match_free(m);
	macaw_game_free(g);
}

static void a_match_begins_in_a_position(void **state)
{
	macaw_game *g = load("tictactoe");
	macaw_error e;
	uint64_t *position = calloc(macaw_position_words(g), sizeof *position);
	assert_true(macaw_position_parse(g,
	                                 "(cell 1 1 x) (cell 1 2 x) (cell 1 3 b) (cell 2 1 o) (cell 2 2 o) (cell 2 3 b) "
	                                 "(cell 3 1 b) (cell 3 2 b) (cell 3 3 b) (control x)",
	                                 position, &e));
	macaw_match *m =
		macaw_match_words(g, "legal,legal", &(macaw_match_options){.playouts = 1, .position = position}, &e);
	assert_int_equal(macaw_match_steps(m), 1);
	assert_int_equal(macaw_match_goal(m, 0), 100);
	char *text = macaw_match_record(m, true);
	macaw_record *r = macaw_record_parse(text, strlen(text), &e);
	assert_non_null(r);
	char *there = macaw_position_text(macaw_record_game(r), macaw_record_position(r)),
		 *here = macaw_position_text(g, position);
	assert_string_equal(there, here);
	assert_true(macaw_record_step(r, &e));
	assert_true(macaw_record_check(r, &e));
	macaw_free(there);
	macaw_free(here);
	macaw_record_free(r);
	macaw_free(text);
	macaw_match_free(m);
	free(position);
	macaw_game_free(g);
}

/* Where information is hidden, everybody sees what there was to see. */
static void hidden_steps_are_seen_again(void **state)
{
	macaw_game *g = load("kuhn_poker");
	struct notes notes[2] = {0};
	macaw_error e;
	macaw_seat seats[] = {{.self = &notes[0], .move = take_note}, {.self = &notes[1], .move = take_note}};
	uint32_t random = macaw_game_random(g);
	uint32_t made[] = {move_of(g, 0, "noop"), move_of(g, 1, "noop"), move_of(g, random, "(deal jack king)")};
	assert_int_equal(random, 2);
	macaw_match *m =
		macaw_match_play(g, seats, 2, &(macaw_match_options){.playouts = 1, .made = made, .made_steps = 1}, &e);
	assert_int_equal(macaw_match_ending(m), MACAW_TERMINAL);
	assert_int_equal(macaw_match_made(m, 0, random).move, made[2]);
	assert_int_equal(notes[0].first_step, 0);
	assert_int_equal(notes[0].asked, macaw_match_steps(m));
	assert_true(notes[0].percepts >= 1 && notes[1].percepts >= 1);
	macaw_match_free(m);
	assert_null(macaw_match_play(g, seats, 2, &(macaw_match_options){.position = macaw_position_initial(g)}, &e));
	assert_int_equal(e.status, MACAW_USAGE);
	/* players by a word follow as well */
	m = macaw_match_words(g, "macaw,ismcts", &(macaw_match_options){.playouts = 20, .made = made, .made_steps = 1}, &e);
	assert_int_equal(macaw_match_ending(m), MACAW_TERMINAL);
	macaw_match_free(m);
	macaw_game_free(g);
}

static void illegal_moves_are_told(void **state)
{
	macaw_game *g = load("tictactoe");
	uint32_t made[] = {move_of(g, 0, "noop"), move_of(g, 1, "noop")};
	macaw_match *m =
		macaw_match_words(g, "legal,legal", &(macaw_match_options){.playouts = 1, .made = made, .made_steps = 1}, NULL);
	assert_int_equal(macaw_match_ending(m), MACAW_TROUBLE);
	assert_non_null(strstr(macaw_match_trouble(m), "not legal"));
	macaw_match_free(m);
	macaw_game_free(g);
}

/* What a watcher is told is of the present: a record made there agrees with the rules. */
static void check_record(void *context, const macaw_match *m)
{
	macaw_error e;
	uint32_t *seen = context;
	char *text = macaw_match_record(m, true);
	macaw_record *r = macaw_record_parse(text, strlen(text), &e);
	assert_non_null(r);
	while (macaw_record_step(r, &e))
		;
	if (!macaw_record_check(r, &e))
		fail_msg("after %u steps: %s", macaw_match_steps(m), e.text);
	macaw_record_free(r);
	macaw_free(text);
	++*seen;
}

static void records_of_matches_under_way_are_right(void **state)
{
	macaw_game *g = load("tictactoe");
	uint32_t seen = 0;
	macaw_match *m = macaw_match_words(
		g, "legal,legal", &(macaw_match_options){.playouts = 1, .watch = check_record, .context = &seen}, NULL);
	assert_int_equal(seen, macaw_match_steps(m) + 1);
	macaw_match_free(m);
	macaw_game_free(g);
}

static void several_records_in_a_text(void **state)
{
	static const char one[] =
		"{\"game\":\"t\",\"rules\":\"(role a) (legal a x) (goal a 7) (init f) terminal\",\"moves\":[]}";
	char text[400];
	snprintf(text, sizeof text, " %s\n\n%s\n  {\"moves\":[]} ", one, one);
	macaw_error e;
	size_t at = 0, used;
	for (int i = 0; i < 2; i++) {
		macaw_record *r = macaw_record_next(text + at, strlen(text) - at, &used, NULL, &e);
		assert_non_null(r);
		assert_string_equal(macaw_record_name(r), "t");
		macaw_record_free(r);
		at += used;
	}
	assert_null(macaw_record_next(text + at, strlen(text) - at, &used, NULL, &e));
	assert_int_equal(e.status, MACAW_INPUT);
	assert_true(used > 0);
	assert_null(macaw_record_next(" \n ", 3, &used, NULL, &e));
	assert_int_equal(e.status, MACAW_OK);
	assert_null(macaw_record_next("{\"moves\":", 9, &used, NULL, &e));
	assert_int_equal(e.status, MACAW_INPUT);
	macaw_record *r = macaw_record_next("{\"moves\":[[\"(mark 1 1)\",\"noop\"]]}", 33, &used, "Tic-Tac-Toe", &e);
	assert_non_null(r);
	assert_true(macaw_record_step(r, &e));
	assert_int_equal(macaw_record_goal(r, 0), MACAW_NO_GOAL);
	assert_true(macaw_record_check(r, &e)); /* it says nothing that could be wrong */
	macaw_record_free(r);
}

static void installed_games_have_names(void **state)
{
	char *all = macaw_games(), *other = macaw_game_other_names("othello"), *none = macaw_game_other_names("chess");
	assert_non_null(strstr(all, "\ntictactoe\n"));
	assert_string_equal(other, "reversi\n");
	assert_string_equal(none, "");
	macaw_free(all);
	macaw_free(other);
	macaw_free(none);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_match_goes_on_after_moves),
		cmocka_unit_test(a_match_begins_in_a_position),
		cmocka_unit_test(hidden_steps_are_seen_again),
		cmocka_unit_test(illegal_moves_are_told),
		cmocka_unit_test(records_of_matches_under_way_are_right),
		cmocka_unit_test(several_records_in_a_text),
		cmocka_unit_test(installed_games_have_names),
	};
	return RUN(cases);
}
