/* Positions worked out by hand. */
#include "board.h"

#define PLAY(b, ...) board_play(b, __VA_ARGS__, NULL)

static void goals(struct board *b, const char *one, int points, const char *other, int others)
{
	assert_true(board_terminal(b));
	assert_int_equal(board_goal(b, one), points);
	assert_int_equal(board_goal(b, other), others);
}

static void saw_only(struct board *b, const char *role, const char *percept)
{
	assert_true(board_saw(b, role, percept));
	assert_int_equal(board_percepts(b, role), 1);
}

static void connect_four(void **state)
{
	struct board b = board_open("connect_four");
	PLAY(&b, "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)");
	assert_false(board_terminal(&b));
	PLAY(&b, "(drop 1)"); /* up */
	assert_true(board_terminal(&b));
	goals(&b, "red", 100, "yellow", 0);
	board_reset(&b);
	PLAY(&b, "(drop 1)", "(drop 2)", "(drop 2)", "(drop 3)", "(drop 4)", "(drop 3)", "(drop 3)", "(drop 4)", "(drop 5)",
	     "(drop 4)", "(drop 4)");
	goals(&b, "red", 100, "yellow", 0); /* rising from 1 1 to 4 4 */
	board_close(&b);

	b = board_open("connect_four_suicide");
	PLAY(&b, "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)", "(drop 1)");
	goals(&b, "red", 0, "yellow", 100);
	board_close(&b);

	b = board_open("joint_connect_four");
	PLAY(&b, "(drop left 1)", "(drop right 2)", "(drop left 1)", "(drop right 2)", "(drop left 1)", "(drop right 2)",
	     "(drop left 1)");
	assert_false(board_terminal(&b));
	assert_false(board_legal(&b, "yellow", "(drop left 5)")); /* that board is won */
	PLAY(&b, "(drop right 2)");
	assert_true(board_terminal(&b));
	goals(&b, "red", 50, "yellow", 50);
	board_close(&b);
}

static void simultaneous(void **state)
{
	struct board b = board_open("connect_four_simultaneous");
	/* they change boards after every step */
	PLAY(&b, "red: (drop left 1) & yellow: (drop right 1)", "red: (drop right 2) & yellow: (drop left 2)");
	assert_holds(&b, "(cell left 2 1 yellow)");
	assert_holds(&b, "(cell right 2 1 red)");
	for (int i = 0; i < 2; i++)
		PLAY(&b, "red: (drop left 1) & yellow: (drop right 1)", "red: (drop right 3) & yellow: (drop left 3)");
	assert_false(board_terminal(&b));
	PLAY(&b, "red: (drop left 1) & yellow: (drop right 1)");
	assert_true(board_terminal(&b)); /* two lines at once, one on each board */
	goals(&b, "red", 50, "yellow", 50);
	board_close(&b);
}

static void breakthrough(void **state)
{
	struct board b = board_open("breakthrough_6x6");
	PLAY(&b, "(move 6 2 5 3)", "(move 3 5 3 4)", "(move 5 3 4 4)", "(move 2 5 2 4)", "(move 4 4 3 5)");
	assert_false(board_legal(&b, "black", "(move 3 6 3 5)")); /* no capture straight ahead */
	assert_true(board_legal(&b, "black", "(move 4 6 3 5)"));
	PLAY(&b, "(move 3 4 2 3)", "(move 3 5 2 6)");
	goals(&b, "white", 100, "black", 0);
	board_close(&b);
}

static void draughts(void **state)
{
	struct board b = board_open("english_draughts");
	PLAY(&b, "(move 3 3 4 4)", "(move 6 6 5 5)");
	assert_false(board_legal(&b, "black", "(move 1 3 2 4)")); /* who can capture must */
	PLAY(&b, "(jump 4 4 6 6)");
	assert_holds(&b, "(cell 5 5 empty)");
	assert_holds(&b, "(control white)");
	PLAY(&b, "(jump 5 7 7 5)");
	assert_holds(&b, "(cell 7 5 white_man)");
	board_close(&b);
}

static void draughts_chain(void **state)
{
	struct board b = board_open("english_draughts");
	PLAY(&b, "(move 1 3 2 4)", "(move 4 6 5 5)", "(move 5 3 6 4)", "(move 8 6 7 5)", "(jump 6 4 4 6)",
	     "(jump 5 7 3 5)");
	assert_holds(&b, "(jumping 3 5)"); /* the same piece goes on, and nothing else is allowed */
	assert_int_equal(board_choices(&b, "white"), 1);
	PLAY(&b, "(jump 3 5 1 3)");
	assert_holds(&b, "(cell 2 4 empty)");
	assert_holds(&b, "(control black)");
	board_close(&b);
}

static void draughts_king(void **state)
{
	struct board b = board_open("english_draughts");
	PLAY(&b, "(move 5 3 4 4)", "(move 6 6 7 5)", "(move 4 2 5 3)", "(move 7 7 6 6)", "(move 5 3 6 4)", "(jump 7 5 5 3)",
	     "(move 3 1 4 2)", "(jump 5 3 3 1)");
	assert_holds(&b, "(cell 3 1 white_king)");
	assert_holds(&b, "(cell 4 2 empty)");
	assert_holds(&b, "(control black)");
	board_close(&b);
}

static void amazons(void **state)
{
	struct board b = board_open("amazons_torus_10x10");
	assert_true(board_legal(&b, "white", "(move 1 4 10 5)")); /* over the left edge */
	assert_true(board_legal(&b, "white", "(move 4 1 3 10)")); /* over the lower edge */
	assert_true(board_legal(&b, "white", "(move 4 1 4 9)"));
	assert_false(board_legal(&b, "white", "(move 4 1 7 1)")); /* an own amazon is there */
	PLAY(&b, "(move 4 1 4 8)");
	assert_true(board_legal(&b, "white", "(shoot 4 1)")); /* back to where it came from */
	assert_holds(&b, "(control white)");
	PLAY(&b, "(shoot 4 3)");
	assert_holds(&b, "(cell 4 3 closed)");
	assert_holds(&b, "(control black)");
	assert_false(board_legal(&b, "black", "(move 4 10 4 8)"));
	board_close(&b);
}

static void reversi(void **state)
{
	struct board b = board_open("reversi_suicide");
	PLAY(&b, "(place 6 5)");
	assert_holds(&b, "(cell 5 5 black)");
	assert_holds(&b, "(cell 6 5 black)");
	assert_holds(&b, "(cell 4 4 white)");
	PLAY(&b, "(place 6 4)");
	assert_holds(&b, "(cell 5 4 white)");
	assert_holds(&b, "(cell 5 5 black)");
	/* the shortest game: black takes all white discs, and so loses */
	board_reset(&b);
	PLAY(&b, "(place 5 6)", "(place 6 4)", "(place 5 3)", "(place 6 6)", "(place 7 5)", "(place 4 6)", "(place 5 7)",
	     "(place 6 5)", "(place 3 5)");
	goals(&b, "black", 0, "white", 100);
	board_close(&b);
}

static void dots(void **state)
{
	struct board b = board_open("dots_and_boxes_suicide");
	/* all sides of boxes 1 1 and 2 1 but the one between them */
	PLAY(&b, "(draw across 1 1)", "(draw across 1 2)", "(draw up 1 1)", "(draw across 2 1)", "(draw across 2 2)",
	     "(draw up 3 1)");
	assert_holds(&b, "(control red)");
	PLAY(&b, "(draw up 2 1)");
	assert_holds(&b, "(score red 2)");
	assert_holds(&b, "(score blue 0)");
	assert_holds(&b, "(control red)"); /* draws again */
	PLAY(&b, "(draw up 5 5)");
	assert_holds(&b, "(control blue)");
	board_close(&b);
}

static void pentago(void **state)
{
	struct board b = board_open("pentago");
	PLAY(&b, "(put 1 3)", "(twist left lower clockwise)"); /* upper left to upper right */
	assert_holds(&b, "(cell 3 3 white)");
	assert_holds(&b, "(cell 1 3 empty)");
	assert_holds(&b, "(control black)");
	PLAY(&b, "(put 4 4)", "(twist right upper anticlockwise)"); /* lower left to lower right */
	assert_holds(&b, "(cell 6 4 black)");
	board_close(&b);
}

static void quarto(void **state)
{
	struct board b = board_open("quarto");
	PLAY(&b, "(give dtrs)", "(put 1 1)", "(give dtrh)", "(put 2 1)", "(give dsqs)", "(put 3 1)", "(give dsqh)");
	assert_holds(&b, "(control alice)"); /* bob put the third and gave the fourth */
	PLAY(&b, "(put 4 1)");
	goals(&b, "alice", 100, "bob", 0); /* four dark ones */
	board_close(&b);
}

static void skirmish(void **state)
{
	struct board b = board_open("skirmish");
	PLAY(&b, "(move 5 2 5 4)", "(move 4 7 4 5)", "(move 5 4 4 5)");
	assert_holds(&b, "(captures white 1)");
	PLAY(&b, "(move 4 8 4 5)"); /* the queen takes back */
	assert_holds(&b, "(captures black 1)");
	assert_holds(&b, "(cell 4 5 bq)");
	PLAY(&b, "(move 2 1 3 3)", "(move 4 5 4 2)"); /* check would matter in chess */
	assert_true(board_legal(&b, "white", "(move 1 2 1 3)"));
	/* a pawn that walks through becomes a queen */
	board_reset(&b);
	PLAY(&b, "(move 1 2 1 4)", "(move 2 7 2 5)", "(move 1 4 2 5)", "(move 8 7 8 6)", "(move 2 5 2 6)", "(move 8 6 8 5)",
	     "(move 2 6 3 7)", "(move 8 5 8 4)", "(move 3 7 2 8)");
	assert_holds(&b, "(cell 2 8 wq)");
	assert_holds(&b, "(captures white 3)");
	board_close(&b);
}

static void kuhn(void **state)
{
	struct board b = board_open("kuhn_poker");
	PLAY(&b, "(deal queen king)");
	saw_only(&b, "alice", "(your_card queen)");
	saw_only(&b, "bob", "(your_card king)");
	PLAY(&b, "(say check)");
	saw_only(&b, "bob", "(said alice check)");
	PLAY(&b, "(say bet)", "(say fold)");
	goals(&b, "alice", 25, "bob", 75);
	board_reset(&b);
	PLAY(&b, "(deal king jack)", "(say bet)", "(say call)");
	goals(&b, "alice", 100, "bob", 0);
	board_reset(&b);
	PLAY(&b, "(deal jack queen)", "(say check)", "(say check)");
	goals(&b, "alice", 25, "bob", 75);
	board_close(&b);
}

static void phantom(void **state)
{
	struct board b = board_open("phantom_tictactoe");
	PLAY(&b, "(mark 2 2)");
	saw_only(&b, "o", "accepted"); /* and nothing of where */
	PLAY(&b, "(mark 2 2)");
	saw_only(&b, "x", "refused");
	assert_holds(&b, "(control o)");
	assert_false(board_legal(&b, "o", "(mark 2 2)"));
	assert_holds(&b, "(cell 2 2 x)");
	PLAY(&b, "(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 3)");
	assert_true(board_terminal(&b));
	goals(&b, "x", 100, "o", 0);
	board_close(&b);
}

static void payoffs(void **state)
{
	struct board b = board_open("prisoners_dilemma");
	PLAY(&b, "alice: silent & bob: confess");
	goals(&b, "alice", 0, "bob", 100);
	board_close(&b);
	b = board_open("rock_paper_scissors");
	PLAY(&b, "alice: (show paper) & bob: (show rock)");
	goals(&b, "alice", 100, "bob", 0);
	board_close(&b);
	b = board_open("matching_pennies");
	PLAY(&b, "j1: (turn heads) & j2: (turn heads)");
	goals(&b, "j1", 100, "j2", 0);
	board_close(&b);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(connect_four), cmocka_unit_test(simultaneous),   cmocka_unit_test(breakthrough),
		cmocka_unit_test(draughts),     cmocka_unit_test(draughts_chain), cmocka_unit_test(draughts_king),
		cmocka_unit_test(amazons),      cmocka_unit_test(reversi),        cmocka_unit_test(dots),
		cmocka_unit_test(pentago),      cmocka_unit_test(quarto),         cmocka_unit_test(skirmish),
		cmocka_unit_test(kuhn),         cmocka_unit_test(phantom),        cmocka_unit_test(payoffs),
	};
	return RUN(cases);
}
