/* Sequences of moves from the beginning, counted. */
#include "board.h"

static const struct perft {
	const char *game;
	uint64_t counts[8]; /* depth 1, 2, ...; 0 ends */
} games[] = {
	/* known from the literature */
	{"tictactoe", {9, 72, 504, 3024, 15120, 54720}},
	{"othello", {4, 12, 56, 244, 1396, 8200}},
	{"checkers", {7, 49, 302, 1469, 7361, 36768}},
	{"chess", {20, 400, 8902, 197281}},
	{"connect_four", {7, 49, 343, 2401, 16807, 117649}},
	{"breakthrough", {22, 484, 11132, 256036}},
	{"english_draughts", {7, 49, 302, 1469, 7361, 36768}},
	{"reversi_suicide", {4, 12, 56, 244, 1396, 8200}},
	/* 81 cells, then one less each time */
	{"hex", {81, 81 * 80, 81 * 80 * 79}},
	{"latent_tictactoe", {100, 100 * 99, 100 * 99 * 196}},
	/* Awale: a house is playable when it is not empty. No house is empty for north;
     * south has emptied one, which north's four or five seeds refill or not. */
	{"awale", {6, 36, 190}},
	/* Chinese checkers: six steps of the front marbles and four jumps over them;
     * after a jump one can stop or jump back. */
	{"chinese_checkers", {10, 6 * 10 + 4 * 2}},
	/* Kaseklau: 36 rolls, 30 of them with a choice; */
	{"kaseklau", {36, 6 + 30 * 2, 66 * 36}},
	/* Backgammon: two different dice, one each, then the first man that moves. Without doubles: of the 220 first moves
     * after 36 rolls 3 + 4 + 4 + 4 + 2 + 3 follow doubles. */
	{"backgammon", {30, 220 - 20}},
	/* three doors, three choices; two goats to show when the choice was right */
	{"monty_hall", {3, 9, 12, 24}},
	{"guess_dice", {6, 36}},
	/* as chess, before the first check matters */
	{"skirmish", {20, 400, 8902}},
	/* counted by programs of their own, without GDL */
	{"breakthrough_6x6", {16, 256, 4308, 71478}},
	{"knightthrough", {40, 1600, 63520}},
	{"amazons_torus_10x10", {124, 3872}},
	{"sudoku", {166}},
	/* by hand: no column is full yet */
	{"connect_four_7x7", {7, 49, 343, 2401}},
	{"connect_four_20x20", {20, 400, 8000}},
	{"connect_four_suicide", {7, 49, 343, 2401}},
	{"connect_four_simultaneous", {64, 4096}},
	{"joint_connect_four", {14, 196, 2744}},
	{"joint_connect_four_7x7", {14, 196, 2744}},
	{"breakthrough_suicide", {22, 484, 11132}},
	/* one edge, place, hole or cell less each time */
	{"dots_and_boxes", {60, 60 * 59, 60 * 59 * 58}},
	{"dots_and_boxes_suicide", {60, 60 * 59, 60 * 59 * 58}},
	{"majorities", {55, 55 * 54, 55 * 54 * 53}},
	{"pentago", {36, 36 * 8, 36 * 8 * 35}},
	{"quarto", {16, 16 * 16, 16 * 16 * 15, 16 * 16 * 15 * 15}},
	{"token_game_8", {8, 6 * 7}},      /* not after a 3 or a 6 */
	{"phantom_tictactoe", {9, 9 * 9}}, /* the taken cell may be named too */
	/* from the middle of a side: two corners, or the centre */
	{"eight_puzzle", {3, 2 + 2 + 4, 2 * (3 + 3) + 4 * 3}},
	/* the smallest disk may go anywhere, the next only where it is not */
	{"hanoi_3", {2, 6, 2 * (2 + 3 + 3)}},
	/* six deals, check or bet, two answers, and after check and bet two more */
	{"kuhn_poker", {6, 12, 24, 12}},
	{"nim", {3 + 4 + 5}},
	{"nim_misere", {1 + 3 + 5 + 7}},
	/* a bite takes a rectangle, of one to four columns and one to three rows */
	{"chomp", {12, 12 * 12 - (1 + 2 + 3 + 4) * (1 + 2 + 3)}},
	{"knights_tour_8x8", {2, 10}},
	{"matching_pennies", {4}},
	{"matching_pennies_cooperative", {4, 8}},
	{"rock_paper_scissors", {9}},
	{"prisoners_dilemma", {4}},
	{"tictactoe_2x2", {3, 6}},
};

static void counts_are_right(void **state)
{
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct board b = board_open(games[i].game);
		for (uint32_t d = 0; d < 8 && games[i].counts[d]; d++) {
			if (test_sample() && games[i].counts[d] > 10000)
				break;
			uint64_t n = board_perft(&b, d + 1);
			if (n != games[i].counts[d])
				fail_msg("%s, depth %u: %llu, not %llu", games[i].game, d + 1, (unsigned long long)n,
				         (unsigned long long)games[i].counts[d]);
		}
		board_close(&b);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(counts_are_right),
	};
	return RUN(cases);
}
