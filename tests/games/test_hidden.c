/* Games with hidden information: who sees what, and what nobody sees. */
#include "board.h"

#define assert_saw(b, role, percept) \
	do { \
		if (!board_saw(b, role, percept)) \
			fail_msg("%s: %s did not see %s", (b)->name, role, percept); \
	} while (0)

static void monty_hall_opens_a_door(void **state)
{
	struct board b = board_open("monty_hall");
	board_play(&b, "(hide_car 2)", NULL);
	assert_int_equal(board_percepts(&b, "candidate"), 0); /* the car is hidden */
	board_play(&b, "(point_at 1)", NULL);
	assert_int_equal(board_choices(&b, "random"), 1); /* not 1, not 2 */
	board_play(&b, "(open 3)", NULL);
	assert_int_equal(board_percepts(&b, "candidate"), 1);
	assert_saw(&b, "candidate", "(open_door 3)");
	board_play(&b, "switch", NULL);
	assert_true(board_terminal(&b));
	assert_holds(&b, "(chosen 2)");
	assert_int_equal(board_goal(&b, "candidate"), 100);
	board_reset(&b);
	board_play(&b, "(hide_car 1)", "(point_at 1)", NULL);
	assert_int_equal(board_choices(&b, "random"), 2);
	board_play(&b, "(open 2)", "switch", NULL);
	assert_saw(&b, "candidate", "(car_behind 1)");
	assert_int_equal(board_goal(&b, "candidate"), 0);
	board_close(&b);
}

static void guess_dice_is_blind(void **state)
{
	struct board b = board_open("guess_dice");
	board_play(&b, "(roll 5)", NULL);
	assert_int_equal(board_percepts(&b, "player"), 0);
	assert_int_equal(board_choices(&b, "player"), 6);
	board_play(&b, "(guess 5)", NULL);
	assert_saw(&b, "player", "(shows 5)");
	assert_int_equal(board_goal(&b, "player"), 100);
	board_close(&b);
}

static void mastermind_row(struct board *b, const char *a, const char *c, const char *d, const char *e, int black,
                           int white)
{
	const char *const colours[] = {a, c, d, e};
	char text[40];
	for (int i = 0; i < 4; i++) {
		snprintf(text, sizeof text, "(put %d %s)", i + 1, colours[i]);
		board_play(b, text, NULL);
		assert_int_equal(board_percepts(b, "player"), 0);
	}
	board_play(b, "-", NULL);
	assert_int_equal(board_percepts(b, "player"), 2);
	snprintf(text, sizeof text, "(black_pins %d)", black);
	assert_saw(b, "player", text);
	snprintf(text, sizeof text, "(white_pins %d)", white);
	assert_saw(b, "player", text);
}

static void mastermind_answers(void **state)
{
	struct board b = board_open("mastermind");
	board_play(&b, "(hide 1 red)", "(hide 2 red)", "(hide 3 green)", "(hide 4 blue)", NULL);
	assert_int_equal(board_percepts(&b, "player"), 0);
	mastermind_row(&b, "yellow", "yellow", "white", "black", 0, 0);
	mastermind_row(&b, "red", "green", "green", "yellow", 2, 0);
	mastermind_row(&b, "green", "red", "red", "black", 1, 2);
	mastermind_row(&b, "blue", "green", "red", "red", 0, 4);
	mastermind_row(&b, "green", "green", "green", "green", 1, 0);
	assert_false(board_terminal(&b));
	mastermind_row(&b, "red", "red", "green", "blue", 4, 0);
	assert_true(board_terminal(&b));
	assert_int_equal(board_goal(&b, "player"), 100);
	board_close(&b);
}

static void vacuum_cleaner_feels(void **state)
{
	struct board b = board_open("vacuum_cleaner");
	board_play(&b, "(drop_dirt 1 1)", "(drop_dirt 4 4)", "(drop_dirt 4 3)", "(drop_dirt 3 3)", "(drop_dirt 2 4)", NULL);
	assert_int_equal(board_percepts(&b, "robot"), 0);
	board_play(&b, "(drop_dirt 2 1)", NULL);
	assert_saw(&b, "robot", "dirty"); /* on 1 1, where it stands */
	board_play(&b, "suck", NULL);
	assert_int_equal(board_percepts(&b, "robot"), 0);
	assert_holds(&b, "(cleaned 1)");
	board_play(&b, "(drive west)", NULL);
	assert_int_equal(board_percepts(&b, "robot"), 1);
	assert_saw(&b, "robot", "bump");
	board_play(&b, "(drive east)", NULL);
	assert_int_equal(board_percepts(&b, "robot"), 1);
	assert_saw(&b, "robot", "dirty");
	board_play(&b, "suck", "(drive north)", NULL);
	assert_int_equal(board_percepts(&b, "robot"), 0);
	board_play(&b, "(drive north)", "(drive east)", "suck", "(drive east)", "suck", "(drive north)", "suck",
	           "(drive west)", "(drive west)", NULL);
	assert_saw(&b, "robot", "dirty");
	board_play(&b, "suck", NULL);
	assert_saw(&b, "robot", "all_clean");
	assert_int_equal(board_goal(&b, "robot"), 100);
	board_close(&b);
}

static void wumpus_is_smelled(void **state)
{
	struct board b = board_open("wumpus");
	board_play(&b, "(put first_pit 4 4)", "(put second_pit 3 1)", "(put gold 2 2)", NULL);
	assert_int_equal(board_percepts(&b, "explorer"), 0);
	assert_int_equal(board_choices(&b, "random"), 12); /* fifteen rooms less three */
	board_play(&b, "(put wumpus 1 3)", NULL);
	assert_int_equal(board_percepts(&b, "explorer"), 0);
	board_play(&b, "(go east)", NULL);
	assert_int_equal(board_percepts(&b, "explorer"), 1);
	assert_saw(&b, "explorer", "breeze");
	assert_false(board_legal(&b, "explorer", "climb"));
	board_play(&b, "(go south)", NULL);
	assert_saw(&b, "explorer", "bump");
	assert_saw(&b, "explorer", "breeze");
	board_play(&b, "(go north)", NULL);
	assert_int_equal(board_percepts(&b, "explorer"), 1);
	assert_saw(&b, "explorer", "glitter");
	board_play(&b, "grab", NULL);
	assert_int_equal(board_percepts(&b, "explorer"), 0);
	board_play(&b, "(go west)", NULL);
	assert_saw(&b, "explorer", "stench");
	board_play(&b, "(shoot north)", NULL);
	assert_saw(&b, "explorer", "scream");
	assert_saw(&b, "explorer", "stench");
	assert_false(board_legal(&b, "explorer", "(shoot south)")); /* one arrow */
	board_play(&b, "(go north)", NULL);                         /* over the dead Wumpus */
	assert_false(board_terminal(&b));
	board_play(&b, "(go south)", "(go south)", "climb", NULL);
	assert_true(board_terminal(&b));
	assert_int_equal(board_goal(&b, "explorer"), 100);
	board_reset(&b);
	board_play(&b, "(put first_pit 2 1)", "(put second_pit 3 1)", "(put gold 2 2)", "(put wumpus 1 3)", "(go east)",
	           NULL);
	assert_true(board_terminal(&b));
	assert_int_equal(board_goal(&b, "explorer"), 0);
	board_close(&b);
}

/* Whatever one player sees, the other sees too. */
static void assert_shared(struct board *b, const char *p, const char *q, const char *percept)
{
	assert_saw(b, p, percept);
	assert_saw(b, q, percept);
	assert_int_equal(board_percepts(b, p), board_percepts(b, q));
}

static void pacman_sees_along_corridors(void **state)
{
	struct board b = board_open("pacman_gdl2");
	board_play(&b, "pacman: (go east) & blinky: (go west) & (roam north east)", NULL);
	assert_shared(&b, "pacman", "blinky", "(went pacman east)");
	assert_shared(&b, "pacman", "blinky", "(went blinky west)");
	assert_int_equal(board_percepts(&b, "pacman"), 2); /* neither ghost */
	/* Pac-Man to 3 8, Clyde from 6 6 to 5 6, Inky from 5 2 to 5 1: nothing in row 8 */
	board_play(&b, "pacman: (go east) & blinky: (go south) & (roam north west)", NULL);
	assert_int_equal(board_percepts(&b, "pacman"), 2);
	/* Pac-Man to 4 8, Clyde to 4 6: column 4 is open from 6 to 8 */
	board_play(&b, "pacman: (go east) & blinky: (go north) & (roam west west)", NULL);
	assert_shared(&b, "pacman", "blinky", "(spotted clyde 4 6)");
	assert_int_equal(board_percepts(&b, "pacman"), 3); /* Inky, on 4 1, is behind the walls */
	board_close(&b);
}

static void pacman_is_touched(void **state)
{
	struct board b = board_open("pacman");
	/* Pac-Man walks to 4 8 and up to 4 7, Inky comes down from 4 6 */
	board_play(&b, "(go east) & (roam north north west east)", "(go east) & (roam north north east west)",
	           "(go east) & (roam west east west east)", NULL);
	assert_false(board_terminal(&b));
	assert_false(board_holds(&b, "(food 3 8)"));
	assert_holds(&b, "(pac 4 8)");
	board_play(&b, "(go north) & (roam east west east west)", NULL);
	assert_holds(&b, "(pac 4 7)");
	assert_holds(&b, "(ghost inky 4 6)");
	board_play(&b, "(go north) & (roam west east south east)", NULL); /* they change places */
	assert_true(board_terminal(&b));
	assert_int_equal(board_goal(&b, "pacman"), 0);
	board_close(&b);
}

static void sheep_bleat(void **state)
{
	struct board b = board_open("sheep_and_wolf");
	assert_int_equal(board_choices(&b, "random"), 4);
	board_play(&b, "(den 4 8)", NULL);
	assert_int_equal(board_percepts(&b, "ann"), 0);
	board_play(&b, "(drive molly up_right)", NULL); /* 3 1 to 4 2 */
	assert_shared(&b, "ann", "ben", "(goes molly 4 2)");
	board_play(&b, "(prowl down_left)", NULL); /* 3 7 */
	assert_int_equal(board_percepts(&b, "ben"), 0);
	board_play(&b, "(drive polly up_right)", "(prowl down_right)", "(drive molly up_left)", "(prowl down_left)",
	           "(drive polly up_right)", NULL);
	/* molly 3 3, wolf 3 5, and it comes to 4 4 */
	board_play(&b, "(prowl down_right)", NULL);
	assert_int_equal(board_percepts(&b, "ann"), 1);
	assert_shared(&b, "ann", "ben", "(bleats molly)");
	assert_true(board_legal(&b, "ann", "(drive molly up_right)")); /* she cannot know */
	board_play(&b, "(drive molly up_right)", NULL);
	assert_shared(&b, "ann", "ben", "(stamps molly)");
	assert_holds(&b, "(sheep molly 3 3)");
	board_close(&b);
}

static void latent_marks_are_found(void **state)
{
	struct board b = board_open("latent_tictactoe");
	board_play(&b, "x: (try 1 1)", NULL);
	assert_shared(&b, "x", "o", "(mark x 1 1)");
	assert_false(board_legal(&b, "x", "noop") && board_legal(&b, "o", "(try 1 1)"));
	board_play(&b, "o: (try 2 2)", "(put x 5 5)", NULL);
	assert_int_equal(board_percepts(&b, "x"), 0);
	assert_int_equal(board_percepts(&b, "o"), 0);
	board_play(&b, "x: (try 9 9)", NULL);
	assert_true(board_legal(&b, "o", "(try 5 5)"));
	board_play(&b, "o: (try 5 5)", NULL);
	assert_shared(&b, "x", "o", "(mark x 5 5)"); /* it is taken */
	assert_holds(&b, "(cell 5 5 x)");
	board_play(&b, "(put x 5 6)", "x: (try 5 7)", "o: (try 1 2)", "(put x 5 8)", "x: (try 5 9)", NULL);
	assert_true(board_terminal(&b)); /* 5 5 to 5 9, two of them latent */
	assert_int_equal(board_goal(&b, "x"), 100);
	assert_int_equal(board_goal(&b, "o"), 0);
	board_close(&b);
}

static void war_keeps_a_card_closed(void **state)
{
	struct board b = board_open("war");
	assert_int_equal(board_choices(&b, "random"), 24);
	board_play(&b, "(deal 3 1)", NULL);
	assert_shared(&b, "alice", "bob", "(gets alice left 3)");
	assert_int_equal(board_choices(&b, "random"), 23);
	assert_false(board_legal(&b, "random", "(deal 3 4)")); /* three threes are left */
	board_play(&b, "(deal 5 1)", "(deal 6 1)", NULL);
	assert_shared(&b, "alice", "bob", "(gets_closed alice)");
	assert_int_equal(board_percepts(&b, "alice"), 1);
	board_play(&b, "(deal 3 1)", "(deal 1 1)", "(deal 2 1)", NULL);
	board_play(&b, "alice: (play left) & bob: (play left)", NULL); /* three against three: war */
	assert_shared(&b, "alice", "bob", "(played bob left 3)");
	assert_holds(&b, "(table 2)");
	assert_holds(&b, "(taken alice 0)");
	board_play(&b, "(deal 4 1)", "(deal 4 1)", "alice: (play closed) & bob: (play closed)", NULL);
	assert_shared(&b, "alice", "bob", "(played alice closed 6)");
	assert_holds(&b, "(taken alice 4)");
	assert_holds(&b, "(table 0)");
	board_close(&b);
}

static void hubi_is_heard(void **state)
{
	struct board b = board_open("schnappt_hubi");
	board_play(&b, "(hide 1 3)", NULL);
	assert_shared(&b, "mouse", "rabbit", "(hubi_on_floor 3)");
	assert_int_equal(board_percepts(&b, "mouse"), 1);
	board_play(&b, "mouse: (go up)", NULL);
	assert_holds(&b, "(turn mouse)");
	assert_int_equal(board_choices(&b, "random"), 4);
	board_play(&b, "(find window 1)", NULL); /* too narrow for the mouse */
	assert_shared(&b, "mouse", "rabbit", "(wall_is window)");
	assert_holds(&b, "(at mouse 1 1)");
	assert_holds(&b, "(turn rabbit)");
	board_play(&b, "rabbit: (go left)", "(find door 2)", NULL);
	assert_holds(&b, "(at rabbit 3 4)");
	board_play(&b, "(float down)", NULL); /* to 1 2 */
	assert_shared(&b, "mouse", "rabbit", "(hubi_on_floor 2)");
	assert_false(board_legal(&b, "mouse", "(go up)")); /* known not to fit */
	board_play(&b, "mouse: (go right)", "(find hole 1)", "rabbit: wait", "(float down)", NULL);
	assert_holds(&b, "(hubi 1 1)");
	board_play(&b, "mouse: (go left)", NULL); /* through the hole, back to 1 1 */
	assert_holds(&b, "(at mouse 1 1)");
	assert_shared(&b, "mouse", "rabbit", "(giggle mouse)");
	assert_false(board_terminal(&b)); /* both must be there */
	board_close(&b);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(monty_hall_opens_a_door), cmocka_unit_test(guess_dice_is_blind),
		cmocka_unit_test(mastermind_answers),      cmocka_unit_test(vacuum_cleaner_feels),
		cmocka_unit_test(wumpus_is_smelled),       cmocka_unit_test(pacman_sees_along_corridors),
		cmocka_unit_test(pacman_is_touched),       cmocka_unit_test(sheep_bleat),
		cmocka_unit_test(latent_marks_are_found),  cmocka_unit_test(war_keeps_a_card_closed),
		cmocka_unit_test(hubi_is_heard),
	};
	return RUN(cases);
}
