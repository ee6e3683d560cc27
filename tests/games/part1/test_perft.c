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
	/* Backgammon: who begins, then 36 rolls, then the first man that moves. */
	{"backgammon", {2, 2 * 36, 2 * 220}},
	/* three doors, three choices; two goats to show when the choice was right */
	{"monty_hall", {3, 9, 12, 24}},
	{"guess_dice", {6, 36}},
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
