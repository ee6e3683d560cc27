/* Games of dice: what chance may do, and how scores are counted, on worked
 * examples. */
#include "board.h"

#include "base/mem.h"

#include <string.h>

/* ---- rolls ---------------------------------------------------------------------- */

/* Makes every legal move of chance and checks that the 36 of them lead to 21
 * states: six of them once (doubles), fifteen twice. */
static void rolls_come_out(struct board *b)
{
	uint32_t roles = b->game->roles, words = b->game->words, n = 0, once = 0, twice = 0;
	struct view v = game_look(b->worker, b->state);
	assert_int_equal(v.start[b->game->random + 1] - v.start[b->game->random], 36);
	uint32_t *moves = NEW_ARRAY(uint32_t, 36 * roles), times[36] = {0};
	for (uint32_t i = 0; i < 36; i++)
		for (uint32_t r = 0; r < roles; r++)
			moves[i * roles + r] = v.legal[v.start[r] + (r == b->game->random ? i : 0)];
	uint64_t *states = NEW_ARRAY(uint64_t, 37 * words);
	for (uint32_t i = 0; i < 36; i++) {
		uint64_t *next = states + n * words;
		uint32_t j = 0;
		game_next(b->worker, b->state, moves + i * roles, next);
		while (memcmp(states + j * words, next, words * sizeof *next))
			j++;
		times[j]++;
		n += j == n;
	}
	for (uint32_t j = 0; j < n; j++) {
		once += times[j] == 1;
		twice += times[j] == 2;
	}
	assert_int_equal(n, 21);
	assert_int_equal(once, 6);
	assert_int_equal(twice, 15);
	mem_free(states);
	mem_free(moves);
}

static void backgammon_has_21_rolls(void **state)
{
	struct board b = board_open("backgammon");
	/* to begin, white and black have rolled one die each, so that there is no double */
	assert_int_equal(board_choices(&b, "random"), 30);
	board_play(&b, "(open 2 5)", NULL);
	assert_holds(&b, "(turn black)"); /* the higher one begins, and plays both */
	assert_holds(&b, "(die 2 1)");
	assert_holds(&b, "(die 5 1)");
	board_play(&b, "(play 13 5)", "(play 13 2)", NULL);
	assert_holds(&b, "(turn white)");
	rolls_come_out(&b);
	board_close(&b);
}

static void kaseklau_has_21_rolls(void **state)
{
	struct board b = board_open("kaseklau");
	rolls_come_out(&b);
	board_close(&b);
}

/* ---- backgammon ------------------------------------------------------------------- */

static void backgammon_plays_both_dice(void **state)
{
	struct board b = board_open("backgammon");
	board_play(&b, "(open 2 1)", NULL);
	assert_holds(&b, "(die 1 1)");
	assert_holds(&b, "(die 2 1)");
	board_play(&b, "(play 6 1)", "(play 13 2)", NULL);
	assert_holds(&b, "(turn black)");
	assert_holds(&b, "(men white 5 1)");
	assert_holds(&b, "(men white 11 1)");
	/* black hits the man on white's 5, which is black's 20: from 24 with a four */
	board_play(&b, "(roll 4 4)", NULL);
	assert_holds(&b, "(die 4 4)");
	board_play(&b, "(play 24 4)", NULL);
	assert_holds(&b, "(men white 5 0)");
	assert_holds(&b, "(men white 25 1)");
	assert_holds(&b, "(die 4 3)");
	board_play(&b, "(play 24 4)", "(play 8 4)", "(play 8 4)", "(roll 6 5)", NULL);
	/* white must enter, and cannot with the six: black holds its own six-point */
	assert_int_equal(board_choices(&b, "white"), 1);
	board_play(&b, "(play 25 5)", NULL);
	assert_holds(&b, "(men white 20 1)");
	assert_true(board_choices(&b, "white") > 1);
	board_close(&b);
}

/* ---- yahtzee ------------------------------------------------------------------------ */

static void roll_dice(struct board *b, const char *dice)
{
	for (; *dice; dice++) {
		char move[] = "(roll 0)";
		move[6] = *dice;
		board_play(b, move, NULL);
	}
}

/* Alice rolls these dice and scores at once; so many points. */
static void yahtzee_points(struct board *b, const char *dice, const char *category, int points)
{
	char text[60];
	board_reset(b);
	roll_dice(b, dice);
	snprintf(text, sizeof text, "(score %s)", category);
	board_play(b, text, NULL);
	snprintf(text, sizeof text, "(tens alice %d)", points / 10);
	assert_holds(b, text);
	snprintf(text, sizeof text, "(units alice %d)", points % 10);
	assert_holds(b, text);
	snprintf(text, sizeof text, "(open alice %s)", category);
	assert_false(board_holds(b, text));
	assert_holds(b, "(turn bob)");
}

static void yahtzee_scores(void **state)
{
	struct board b = board_open("yahtzee");
	yahtzee_points(&b, "11345", "ones", 2);
	yahtzee_points(&b, "12345", "sixes", 0);
	yahtzee_points(&b, "66616", "sixes", 24);
	yahtzee_points(&b, "55545", "fives", 20);
	yahtzee_points(&b, "44423", "three_of_a_kind", 17);
	yahtzee_points(&b, "44233", "three_of_a_kind", 0);
	yahtzee_points(&b, "66665", "three_of_a_kind", 29);
	yahtzee_points(&b, "22226", "four_of_a_kind", 14);
	yahtzee_points(&b, "22266", "four_of_a_kind", 0);
	yahtzee_points(&b, "33553", "full_house", 25);
	yahtzee_points(&b, "33333", "full_house", 0);
	yahtzee_points(&b, "33354", "full_house", 0);
	yahtzee_points(&b, "31246", "small_straight", 30);
	yahtzee_points(&b, "33456", "small_straight", 30);
	yahtzee_points(&b, "12356", "small_straight", 0);
	yahtzee_points(&b, "65432", "large_straight", 40);
	yahtzee_points(&b, "12345", "large_straight", 40);
	yahtzee_points(&b, "12346", "large_straight", 0);
	yahtzee_points(&b, "12345", "small_straight", 30);
	yahtzee_points(&b, "44444", "yahtzee", 50);
	yahtzee_points(&b, "44445", "yahtzee", 0);
	yahtzee_points(&b, "66666", "chance", 30);
	yahtzee_points(&b, "12346", "chance", 16);
	board_close(&b);
}

static void yahtzee_keeps_dice(void **state)
{
	struct board b = board_open("yahtzee");
	roll_dice(&b, "66123");
	assert_false(board_legal(&b, "alice", "(keep 0 0 0 0 0 3)"));
	board_play(&b, "(keep 0 0 0 0 0 2)", NULL);
	assert_holds(&b, "(falling 3)");
	assert_holds(&b, "(dice 6 2)");
	assert_holds(&b, "(dice 1 0)");
	roll_dice(&b, "661");
	assert_holds(&b, "(dice 6 4)");
	board_play(&b, "(keep 0 0 0 0 0 4)", NULL);
	roll_dice(&b, "6");
	assert_int_equal(board_choices(&b, "alice"), 13); /* no third roll: score now */
	board_play(&b, "(score yahtzee)", NULL);
	assert_holds(&b, "(tens alice 5)");
	board_close(&b);
}

/* Three of each face in the upper section are exactly 63: 35 points more. */
static void yahtzee_pays_the_bonus(void **state)
{
	static const char *const upper[] = {"ones", "twos", "threes", "fours", "fives", "sixes"};
	static const char *const lower[] = {"three_of_a_kind", "four_of_a_kind", "full_house", "small_straight",
	                                    "large_straight",  "yahtzee",        "chance"};
	static const char *const dice[] = {"11123", "22213", "33312", "44412", "55512", "66612"};
	struct board b = board_open("yahtzee");
	char move[60];
	for (int i = 0; i < 6; i++) {
		roll_dice(&b, dice[i]);
		snprintf(move, sizeof move, "(score %s)", upper[i]);
		board_play(&b, move, NULL);
		roll_dice(&b, "11111"); /* bob: 5 points from the ones, and no more above */
		board_play(&b, move, NULL);
		if (i == 4) {
			assert_holds(&b, "(tens alice 4)");
			assert_holds(&b, "(units alice 5)");
		}
	}
	assert_holds(&b, "(upper_sum alice 63)");
	assert_holds(&b, "(tens alice 9)"); /* 63 + 35 */
	assert_holds(&b, "(units alice 8)");
	assert_holds(&b, "(upper_sum bob 5)");
	for (int i = 0; i < 7; i++) {
		assert_false(board_terminal(&b));
		snprintf(move, sizeof move, "(score %s)", lower[i]);
		roll_dice(&b, "11246"); /* nothing but 14 for the chance */
		board_play(&b, move, NULL);
		roll_dice(&b, "66666"); /* 30 + 30 + 50 + 30 and the 5 */
		board_play(&b, move, NULL);
	}
	assert_true(board_terminal(&b));
	assert_holds(&b, "(tens alice 11)");
	assert_holds(&b, "(units alice 2)");
	assert_holds(&b, "(tens bob 14)");
	assert_holds(&b, "(units bob 5)");
	assert_int_equal(board_goal(&b, "alice"), 0);
	assert_int_equal(board_goal(&b, "bob"), 100);
	board_close(&b);
}

/* ---- can't stop ---------------------------------------------------------------------- */

static void throw_dice(struct board *b, const char *dice)
{
	for (; *dice; dice++) {
		char move[] = "(throw 0)";
		move[7] = *dice;
		board_play(b, move, NULL);
	}
}

static void cant_stop_parts_the_dice(void **state)
{
	struct board b = board_open("cant_stop");
	throw_dice(&b, "1234"); /* 3+7, 4+6, 5+5 */
	assert_int_equal(board_choices(&b, "red"), 3);
	assert_true(board_legal(&b, "red", "(climb 3 7)"));
	assert_true(board_legal(&b, "red", "(climb 4 6)"));
	assert_true(board_legal(&b, "red", "(climb 5 5)"));
	board_play(&b, "(climb 5 5)", NULL);
	assert_holds(&b, "(runner 5 2)");
	assert_holds(&b, "(runners_left 2)");
	board_play(&b, "go_on", NULL);
	throw_dice(&b, "1111"); /* 2+2 */
	assert_int_equal(board_choices(&b, "red"), 1);
	board_play(&b, "(climb 2 2)", "go_on", NULL);
	assert_holds(&b, "(runner 2 2)");
	assert_holds(&b, "(runners_left 1)");
	throw_dice(&b, "6634"); /* 12+7: one runner for two columns; 9+10 likewise */
	assert_int_equal(board_choices(&b, "red"), 4);
	assert_false(board_legal(&b, "red", "(climb 7 12)"));
	assert_true(board_legal(&b, "red", "(climb_one 7)"));
	assert_true(board_legal(&b, "red", "(climb_one 12)"));
	assert_true(board_legal(&b, "red", "(climb_one 9)"));
	assert_true(board_legal(&b, "red", "(climb_one 10)"));
	board_play(&b, "(climb_one 12)", "stop", NULL);
	assert_holds(&b, "(turn blue)");
	assert_holds(&b, "(marker red 12 1)");
	assert_holds(&b, "(marker red 5 2)");
	assert_holds(&b, "(marker red 2 2)");
	assert_holds(&b, "(marker blue 2 0)");
	assert_holds(&b, "(runners_left 3)");
	board_close(&b);
}

static void cant_stop_loses_a_bust(void **state)
{
	struct board b = board_open("cant_stop");
	throw_dice(&b, "1111");
	board_play(&b, "(climb 2 2)", "go_on", NULL);
	throw_dice(&b, "6666");
	board_play(&b, "(climb 12 12)", "go_on", NULL);
	throw_dice(&b, "1212"); /* 3+3, or 2+4: the last runner climbs 3, or 2 and 4 */
	board_play(&b, "(climb 3 3)", "go_on", NULL);
	assert_holds(&b, "(runners_left 0)");
	throw_dice(&b, "3344"); /* 6+8, 7+7: nothing */
	assert_int_equal(board_choices(&b, "red"), 1);
	board_play(&b, "bust", NULL);
	assert_holds(&b, "(turn blue)");
	assert_holds(&b, "(marker red 2 0)");
	assert_holds(&b, "(marker red 3 0)");
	assert_holds(&b, "(marker red 12 0)");
	board_close(&b);
}

static void cant_stop_closes_columns(void **state)
{
	struct board b = board_open("cant_stop");
	throw_dice(&b, "1111");
	board_play(&b, "(climb 2 2)", "go_on", NULL);
	throw_dice(&b, "1111"); /* one step is left of three: it is enough */
	board_play(&b, "(climb 2 2)", NULL);
	assert_holds(&b, "(runner 2 3)");
	board_play(&b, "go_on", NULL);
	throw_dice(&b, "6666");
	board_play(&b, "(climb 12 12)", "go_on", NULL);
	throw_dice(&b, "6666");
	board_play(&b, "(climb 12 12)", "stop", NULL);
	assert_holds(&b, "(marker red 2 3)");
	assert_holds(&b, "(marker red 12 3)");
	throw_dice(&b, "1111"); /* blue: both are closed */
	board_play(&b, "bust", NULL);
	throw_dice(&b, "1212"); /* red: 3+3, or the 4 alone, as 2 is closed */
	assert_int_equal(board_choices(&b, "red"), 2);
	assert_true(board_legal(&b, "red", "(climb_one 4)"));
	board_play(&b, "(climb 3 3)", "go_on", NULL);
	throw_dice(&b, "1212");
	board_play(&b, "(climb 3 3)", "go_on", NULL);
	throw_dice(&b, "1212");
	board_play(&b, "(climb 3 3)", NULL);
	assert_holds(&b, "(runner 3 5)");
	assert_false(board_terminal(&b)); /* not before the player stops */
	board_play(&b, "stop", NULL);
	assert_true(board_terminal(&b));
	assert_int_equal(board_goal(&b, "red"), 100);
	assert_int_equal(board_goal(&b, "blue"), 0);
	board_close(&b);
}

/* ---- pickomino -------------------------------------------------------------------------- */

static void roll_worms(struct board *b, const char *dice) /* w: a worm */
{
	for (; *dice; dice++) {
		char move[20];
		if (*dice == 'w')
			snprintf(move, sizeof move, "(roll worm)");
		else
			snprintf(move, sizeof move, "(roll %c)", *dice);
		board_play(b, move, NULL);
	}
}

static void fail_turn(struct board *b) /* eight ones: no worm among them */
{
	roll_worms(b, "11111111");
	board_play(b, "(set_aside 1)", NULL);
	assert_int_equal(board_choices(b, board_holds(b, "(turn alice)") ? "alice" : "bob"), 1);
	board_play(b, "fail", NULL);
}

static void pickomino_takes_and_steals(void **state)
{
	struct board b = board_open("pickomino");
	roll_worms(&b, "www55123");
	assert_int_equal(board_choices(&b, "alice"), 5);
	board_play(&b, "(set_aside worm)", NULL);
	assert_holds(&b, "(total 15)");
	assert_holds(&b, "(left 5)");
	assert_int_equal(board_choices(&b, "alice"), 1); /* 15 is no tile */
	board_play(&b, "roll_again", NULL);
	roll_worms(&b, "55w43");
	assert_false(board_legal(&b, "alice", "(set_aside worm)")); /* once only */
	board_play(&b, "(set_aside 5)", NULL);
	assert_holds(&b, "(total 25)");
	assert_int_equal(board_choices(&b, "alice"), 2);
	assert_true(board_legal(&b, "alice", "roll_again"));
	board_play(&b, "(take 25)", NULL);
	assert_holds(&b, "(owner 25 alice)");
	assert_holds(&b, "(top alice 25)");
	assert_false(board_holds(&b, "(on_grill 25)"));

	/* bob reaches 25 too: steal it, or take the next smaller one */
	roll_worms(&b, "wwwww123");
	board_play(&b, "(set_aside worm)", NULL);
	assert_int_equal(board_choices(&b, "bob"), 3);
	assert_true(board_legal(&b, "bob", "(take 24)"));
	board_play(&b, "(steal 25)", NULL);
	assert_holds(&b, "(owner 25 bob)");
	assert_holds(&b, "(top bob 25)");
	assert_false(board_holds(&b, "(owner 25 alice)"));
	assert_false(board_holds(&b, "(top alice 25)"));

	/* alice fails without a tile: the highest is turned over */
	fail_turn(&b);
	assert_false(board_holds(&b, "(on_grill 36)"));
	assert_holds(&b, "(on_grill 35)");

	/* bob puts 21 on his stack, then fails: it goes back, 35 is turned over */
	roll_worms(&b, "wwww1234");
	board_play(&b, "(set_aside worm)", "roll_again", NULL);
	roll_worms(&b, "1234");
	board_play(&b, "(set_aside 1)", NULL);
	assert_holds(&b, "(total 21)");
	board_play(&b, "(take 21)", NULL);
	assert_holds(&b, "(lies_on 21 25)");
	fail_turn(&b); /* alice: 35 */
	assert_false(board_holds(&b, "(on_grill 35)"));
	fail_turn(&b);
	assert_holds(&b, "(on_grill 21)");
	assert_holds(&b, "(top bob 25)");
	assert_false(board_holds(&b, "(on_grill 34)"));
	board_close(&b);
}

static void pickomino_spares_the_tile_put_back(void **state)
{
	struct board b = board_open("pickomino");
	roll_worms(&b, "wwwwwwww"); /* 40: the highest tile there is */
	board_play(&b, "(set_aside worm)", NULL);
	assert_int_equal(board_choices(&b, "alice"), 1);
	board_play(&b, "(take 36)", NULL);
	roll_worms(&b, "wwwwwwww"); /* bob cannot steal 36 with 40 */
	board_play(&b, "(set_aside worm)", "(take 35)", NULL);
	fail_turn(&b); /* alice gives 36 back, the highest: nothing is turned over */
	assert_holds(&b, "(on_grill 36)");
	assert_holds(&b, "(on_grill 34)");
	fail_turn(&b); /* bob gives 35 back: 36 is turned over */
	assert_holds(&b, "(on_grill 35)");
	assert_false(board_holds(&b, "(on_grill 36)"));
	board_close(&b);
}

static void pickomino_counts_worms(void **state)
{
	struct board b = board_open("pickomino");
	for (int i = 0; i < 8; i++) {
		assert_false(board_terminal(&b));
		roll_worms(&b, "wwwwwwww");
		char take[20];
		snprintf(take, sizeof take, "(take %d)", 36 - 2 * i);
		board_play(&b, "(set_aside worm)", take, NULL);
		fail_turn(&b);
	}
	assert_true(board_terminal(&b)); /* alice has 36, 34, ... 22; the others are out */
	assert_holds(&b, "(lies_on 22 24)");
	assert_int_equal(board_goal(&b, "alice"), 100);
	assert_int_equal(board_goal(&b, "bob"), 0);
	board_close(&b);
}

/* ---- the others --------------------------------------------------------------------------- */

static void orchard_fills_baskets(void **state)
{
	struct board b = board_open("orchard");
	assert_int_equal(board_choices(&b, "random"), 6);
	board_play(&b, "(roll apple)", NULL);
	assert_holds(&b, "(fruits apple 9)");
	assert_holds(&b, "(turn bob)");
	board_play(&b, "(roll basket)", NULL);
	assert_int_equal(board_choices(&b, "bob"), 4);
	assert_int_equal(board_choices(&b, "alice"), 1);
	board_play(&b, "bob: (pick plum)", "bob: (pick apple)", NULL);
	assert_holds(&b, "(fruits plum 9)");
	assert_holds(&b, "(fruits apple 8)");
	assert_holds(&b, "(turn alice)");
	for (int i = 0; i < 9; i++)
		board_play(&b, "(roll raven_piece)", NULL);
	assert_true(board_terminal(&b));
	assert_int_equal(board_goal(&b, "alice"), 0);
	assert_int_equal(board_goal(&b, "bob"), 0);
	board_close(&b);
}

static void kaseklau_moves_mouse_and_cat(void **state)
{
	struct board b = board_open("kaseklau");
	board_play(&b, "(roll 4 1)", NULL);
	assert_holds(&b, "(dice 1 4)");
	assert_int_equal(board_choices(&b, "alice"), 2);
	board_play(&b, "(run 1 4)", NULL); /* mouse to 2, cat to 14 */
	assert_holds(&b, "(mouse 2)");
	assert_holds(&b, "(cat 14)");
	assert_holds(&b, "(slices alice 1)");
	assert_false(board_holds(&b, "(cheese 2)"));
	assert_false(board_holds(&b, "(cheese 14)"));         /* the cat eats too */
	board_play(&b, "(roll 6 6)", "bob: (run 6 6)", NULL); /* mouse to 8, cat to 2 */
	assert_holds(&b, "(slices bob 1)");
	board_play(&b, "(roll 1 6)", "alice: (run 1 6)", NULL); /* mouse 9, cat 8 */
	assert_holds(&b, "(slices alice 2)");
	board_play(&b, "(roll 2 3)", "bob: (run 2 3)", NULL); /* both on 11 */
	assert_holds(&b, "(mouse 11)");
	assert_holds(&b, "(cat 11)");
	assert_holds(&b, "(cheese 11)");
	assert_holds(&b, "(slices bob 0)");
	assert_holds(&b, "(slices alice 3)");
	board_close(&b);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(backgammon_has_21_rolls),
		cmocka_unit_test(kaseklau_has_21_rolls),
		cmocka_unit_test(backgammon_plays_both_dice),
		cmocka_unit_test(yahtzee_scores),
		cmocka_unit_test(yahtzee_keeps_dice),
		cmocka_unit_test(yahtzee_pays_the_bonus),
		cmocka_unit_test(cant_stop_parts_the_dice),
		cmocka_unit_test(cant_stop_loses_a_bust),
		cmocka_unit_test(cant_stop_closes_columns),
		cmocka_unit_test(pickomino_takes_and_steals),
		cmocka_unit_test(pickomino_spares_the_tile_put_back),
		cmocka_unit_test(pickomino_counts_worms),
		cmocka_unit_test(orchard_fills_baskets),
		cmocka_unit_test(kaseklau_moves_mouse_and_cat),
	};
	return RUN(cases);
}
