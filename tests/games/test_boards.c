/* Games without chance, move by move: what makes each of them itself. */
#include "board.h"

/* ---- chess -------------------------------------------------------------------- */

static void chess_captures_en_passant(void **state)
{
	struct board b = board_open("chess");
	board_play(&b, "(move e 2 e 4)", "(move a 7 a 6)", "(move e 4 e 5)", "(move d 7 d 5)", NULL);
	assert_true(board_legal(&b, "white", "(en_passant e 5 d 6)"));
	assert_false(board_legal(&b, "white", "(en_passant e 5 f 6)"));
	board_play(&b, "(en_passant e 5 d 6)", NULL);
	assert_holds(&b, "(cell d 5 empty)");
	assert_holds(&b, "(cell e 5 empty)");
	assert_holds(&b, "(cell d 6 white_pawn)");
	/* only at once */
	board_reset(&b);
	board_play(&b, "(move e 2 e 4)", "(move a 7 a 6)", "(move e 4 e 5)", "(move d 7 d 5)", "(move h 2 h 3)",
	           "(move h 7 h 6)", NULL);
	assert_false(board_legal(&b, "white", "(en_passant e 5 d 6)"));
	board_close(&b);
}

static void chess_castles(void **state)
{
	struct board b = board_open("chess");
	board_play(&b, "(move g 1 f 3)", "(move b 8 c 6)", "(move g 2 g 3)", "(move d 7 d 6)", "(move f 1 g 2)",
	           "(move c 8 e 6)", NULL);
	assert_true(board_legal(&b, "white", "(castle kingside)"));
	assert_false(board_legal(&b, "white", "(castle queenside)"));
	board_play(&b, "(castle kingside)", "(move d 8 d 7)", NULL);
	assert_holds(&b, "(cell g 1 white_king)");
	assert_holds(&b, "(cell f 1 white_rook)");
	assert_holds(&b, "(cell e 1 empty)");
	assert_holds(&b, "(cell h 1 empty)");
	board_play(&b, "(move a 2 a 3)", NULL);
	assert_true(board_legal(&b, "black", "(castle queenside)"));
	assert_false(board_legal(&b, "black", "(castle kingside)"));
	/* a rook that moved and came back has lost the right */
	board_play(&b, "(move a 8 b 8)", "(move a 3 a 4)", "(move b 8 a 8)", "(move a 4 a 5)", NULL);
	assert_false(board_legal(&b, "black", "(castle queenside)"));
	board_close(&b);
}

static void chess_does_not_castle_through_an_attack(void **state)
{
	struct board b = board_open("chess");
	board_play(&b, "(move e 2 e 4)", "(move b 7 b 6)", "(move g 1 f 3)", "(move c 8 a 6)", "(move g 2 g 3)",
	           "(move h 7 h 6)", "(move f 1 h 3)", "(move h 6 h 5)", NULL);
	assert_holds(&b, "(may_castle white kingside)");
	assert_false(board_legal(&b, "white", "(castle kingside)")); /* the bishop on a6 looks at f1 */
	board_play(&b, "(move d 2 d 3)", "(move h 5 h 4)", NULL);
	assert_true(board_legal(&b, "white", "(castle kingside)"));
	board_close(&b);
}

static void chess_promotes(void **state)
{
	struct board b = board_open("chess");
	board_play(&b, "(move a 2 a 4)", "(move b 7 b 5)", "(move a 4 b 5)", "(move a 7 a 6)", "(move b 5 a 6)",
	           "(move c 8 b 7)", "(move a 6 b 7)", "(move h 7 h 6)", NULL);
	assert_true(board_legal(&b, "white", "(promote b 7 a 8 queen)"));
	assert_true(board_legal(&b, "white", "(promote b 7 a 8 knight)"));
	assert_false(board_legal(&b, "white", "(promote b 7 b 8 queen)"));
	assert_false(board_legal(&b, "white", "(promote b 7 c 8 queen)"));
	board_play(&b, "(promote b 7 a 8 knight)", NULL);
	assert_holds(&b, "(cell a 8 white_knight)");
	assert_holds(&b, "(cell b 7 empty)");
	board_close(&b);
}

static void chess_ends_with_mate(void **state)
{
	struct board b = board_open("chess");
	board_play(&b, "(move f 2 f 3)", "(move e 7 e 5)", "(move g 2 g 4)", "(move d 8 h 4)", NULL);
	assert_true(board_terminal(&b));
	assert_int_equal(board_goal(&b, "white"), 0);
	assert_int_equal(board_goal(&b, "black"), 100);
	board_close(&b);
}

static void chess_keeps_pinned_pieces(void **state)
{
	struct board b = board_open("chess");
	board_play(&b, "(move d 2 d 4)", "(move e 7 e 6)", "(move b 1 c 3)", "(move f 8 b 4)", NULL);
	assert_false(board_legal(&b, "white", "(move c 3 d 5)")); /* pinned by the bishop on b4 */
	assert_true(board_legal(&b, "white", "(move c 1 d 2)"));
	board_play(&b, "(move e 2 e 3)", "(move b 4 c 3)", NULL);
	/* check: take the bishop, block, or move the king */
	assert_true(board_legal(&b, "white", "(move b 2 c 3)"));
	assert_true(board_legal(&b, "white", "(move c 1 d 2)"));
	assert_true(board_legal(&b, "white", "(move e 1 e 2)"));
	assert_int_equal(board_choices(&b, "white"), 4); /* and the queen to d2 */
	board_close(&b);
}

/* ---- checkers, othello, hex ----------------------------------------------------- */

static void checkers_must_capture_and_go_on(void **state)
{
	struct board b = board_open("checkers");
	board_play(&b, "(move 3 3 4 4)", "(move 6 6 5 5)", NULL);
	assert_int_equal(board_choices(&b, "black"), 1);
	board_play(&b, "(jump 4 4 6 6)", NULL);
	assert_holds(&b, "(cell 5 5 empty)");
	assert_holds(&b, "(cell 6 6 black_man)");
	assert_holds(&b, "(control white)");
	assert_int_equal(board_choices(&b, "white"), 2); /* either neighbour takes back */
	board_play(&b, "(jump 7 7 5 5)", NULL);
	assert_holds(&b, "(control black)");
	board_close(&b);
}

static void checkers_jumps_twice(void **state)
{
	struct board b = board_open("checkers");
	board_play(&b, "(move 3 3 2 4)", "(move 8 6 7 5)", "(move 5 3 6 4)", "(jump 7 5 5 3)", "(jump 4 2 6 4)",
	           "(move 6 6 7 5)", "(jump 6 4 8 6)", "(move 2 6 3 5)", "(move 5 1 4 2)", "(move 1 7 2 6)",
	           "(move 2 4 1 5)", "(move 7 7 6 6)", "(move 2 2 3 3)", "(move 3 5 2 4)", "(jump 1 3 3 5)", NULL);
	assert_holds(&b, "(control black)");
	assert_holds(&b, "(jumping 3 5)");
	assert_int_equal(board_choices(&b, "black"), 1);
	board_play(&b, "(jump 3 5 1 7)", NULL);
	assert_holds(&b, "(control white)");
	assert_holds(&b, "(cell 2 4 empty)");
	assert_holds(&b, "(cell 2 6 empty)");
	board_close(&b);
}

static void othello_turns_discs(void **state)
{
	struct board b = board_open("othello");
	board_play(&b, "(put 3 4)", NULL);
	assert_holds(&b, "(cell 3 4 black)");
	assert_holds(&b, "(cell 4 4 black)");
	assert_int_equal(board_choices(&b, "white"), 3);
	/* the shortest game there is: after nine moves no white disc is left */
	board_reset(&b);
	board_play(&b, "(put 5 6)", "(put 6 4)", "(put 5 3)", "(put 6 6)", "(put 7 5)", "(put 4 6)", "(put 5 7)",
	           "(put 6 5)", NULL);
	assert_false(board_terminal(&b));
	board_play(&b, "(put 3 5)", NULL);
	assert_true(board_terminal(&b));
	assert_int_equal(board_goal(&b, "black"), 100);
	assert_int_equal(board_goal(&b, "white"), 0);
	board_close(&b);
}

static void hex_knows_a_chain(void **state)
{
	struct board b = board_open("hex");
	board_play(&b, "(put 5 1)", "(put 1 1)", "(put 5 2)", "(put 1 2)", "(put 5 3)", "(put 1 3)", "(put 5 4)",
	           "(put 1 4)", "(put 5 5)", "(put 1 5)", "(put 5 6)", "(put 1 6)", "(put 4 7)", "(put 1 7)", "(put 4 8)",
	           "(put 1 8)", NULL);
	assert_false(board_terminal(&b));
	board_play(&b, "(put 4 9)", NULL);
	assert_true(board_terminal(&b)); /* 5 6 touches 4 7 */
	assert_int_equal(board_goal(&b, "red"), 100);
	assert_int_equal(board_goal(&b, "blue"), 0);
	board_close(&b);
}

/* ---- awale ---------------------------------------------------------------------- */

static void awale_sows_and_captures(void **state)
{
	struct board b = board_open("awale");
	board_play(&b, "(sow 3)", "(sow 11)", "(sow 6)", "(sow 8)", "(sow 2)", NULL);
	assert_holds(&b, "(seeds 9 6)");
	assert_holds(&b, "(seeds 2 0)");
	assert_holds(&b, "(seeds 3 2)");
	board_play(&b, "(sow 9)", NULL); /* 10 11 12 1 2 3: the third seed of house 3 */
	assert_holds(&b, "(seeds 9 0)");
	assert_holds(&b, "(seeds 2 1)");
	assert_holds(&b, "(seeds 3 0)");
	assert_holds(&b, "(captured north 3)");
	assert_holds(&b, "(captured south 0)");
	board_close(&b);
}

/* ---- bomberman ------------------------------------------------------------------ */

static void bomberman_bombs(void **state)
{
	struct board b = board_open("bomberman");
	const char *drift = "(drift west east)", *back = "(drift east west)";
	char both[100];
	snprintf(both, sizeof both, "red: (go east) & blue: wait & %s", drift);
	board_play(&b, both, NULL);
	snprintf(both, sizeof both, "red: lay_bomb & blue: wait & %s", back);
	board_play(&b, both, NULL);
	assert_holds(&b, "(bomb red 2 1 3)");
	assert_false(board_legal(&b, "red", "lay_bomb"));
	snprintf(both, sizeof both, "red: (go west) & blue: wait & %s", drift);
	board_play(&b, both, NULL);
	snprintf(both, sizeof both, "red: (go south) & blue: wait & %s", back);
	board_play(&b, both, NULL);
	assert_holds(&b, "(bomb red 2 1 1)");
	assert_holds(&b, "(crate 3 1)");
	snprintf(both, sizeof both, "red: wait & blue: wait & %s", drift);
	board_play(&b, both, NULL);
	assert_false(board_terminal(&b)); /* round the corner is safe */
	assert_false(board_holds(&b, "(crate 3 1)"));
	assert_holds(&b, "(crate 4 1)"); /* the first crate stops the fire */
	board_close(&b);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(chess_captures_en_passant),
		cmocka_unit_test(chess_castles),
		cmocka_unit_test(chess_does_not_castle_through_an_attack),
		cmocka_unit_test(chess_promotes),
		cmocka_unit_test(chess_ends_with_mate),
		cmocka_unit_test(chess_keeps_pinned_pieces),
		cmocka_unit_test(checkers_must_capture_and_go_on),
		cmocka_unit_test(checkers_jumps_twice),
		cmocka_unit_test(othello_turns_discs),
		cmocka_unit_test(hex_knows_a_chain),
		cmocka_unit_test(awale_sows_and_captures),
		cmocka_unit_test(bomberman_bombs),
	};
	return RUN(cases);
}
