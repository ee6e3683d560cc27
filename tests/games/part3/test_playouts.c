/* Every game ends, whatever is played, with one goal for each role. */
#include "../part1/board.h"

static const char *const games[] = {
	"amazons_torus_10x10", "breakthrough", "breakthrough_6x6", "breakthrough_suicide",
	"buttons_and_lights_10", "buttons_and_lights_3", "buttons_and_lights_7", "chomp", "connect_2x2_2",
	"connect_3x3_2", "connect_3x3_3", "connect_4x4_3", "connect_4x4_4", "connect_5x5_2",
	"connect_5x5_3", "connect_5x5_4", "connect_6x6_2", "connect_6x6_3", "connect_6x6_4",
	"connect_7x7_2", "connect_four", "connect_four_20x20", "connect_four_7x7",
	"connect_four_simultaneous", "connect_four_suicide", "dots_and_boxes", "dots_and_boxes_suicide",
	"eight_puzzle", "english_draughts", "hanoi_3", "hanoi_5", "hanoi_7", "joint_buttons_and_lights_25",
	"joint_connect_four", "joint_connect_four_7x7", "knights_tour_5x5", "knights_tour_6x6",
	"knights_tour_8x8", "knightthrough", "kuhn_poker", "lights_out_3x3", "lights_out_5x5", "majorities",
	"matching_pennies", "matching_pennies_cooperative", "nim", "nim_misere", "pentago",
	"phantom_tictactoe", "prisoners_dilemma", "quarto", "reversi_suicide", "rock_paper_scissors",
	"skirmish", "sudoku", "sudoku_4x4", "tictactoe_2x2", "token_game_5", "token_game_8",
};

static void every_game_ends(void **state)
{
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct board b = board_open(games[i]);
		struct playout_job job = {.playouts = test_sample() ? 20 : 1000, .seed = i + 1};
		struct playout_result r = {0};
		game_playouts(b.game, &job, &r);
		if (r.playouts != job.playouts || r.unfinished || r.stuck || r.undefined)
			fail_msg("%s: of %lu playouts %lu ended, %lu did not, %lu were stuck; %lu goals undefined", games[i],
			         (unsigned long)job.playouts, (unsigned long)r.playouts, (unsigned long)r.unfinished,
			         (unsigned long)r.stuck, (unsigned long)r.undefined);
		playout_result_free(&r);
		board_close(&b);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {cmocka_unit_test(every_game_ends)};
	return RUN(cases);
}
