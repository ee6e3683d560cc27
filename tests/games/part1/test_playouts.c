/* Every game played by chance a thousand times: all of them end, everybody always
 * has a move, and everybody has a goal. */
#include "board.h"

static const struct expected {
	const char *game, *role;
	double least, most; /* mean goal of the role: a wide net around the true one */
} games[] = {
	{"awale", "south", 40, 60},
	{"backgammon", "white", 40, 60},
	{"bomberman", "red", 40, 60},
	{"cant_stop", "red", 45, 65},
	{"checkers", "black", 40, 60},
	{"chess", "white", 45, 55},
	{"chinese_checkers", "red", 10, 25},
	{"guess_dice", "player", 10, 24},         /* one in six */
	{"hex", "red", 45, 62},
	{"kaseklau", "alice", 48, 65},
	{"latent_tictactoe", "x", 40, 62},
	{"mastermind", "player", 0, 5},           /* eight in 1296 */
	{"monty_hall", "candidate", 42, 58},      /* staying and switching in turn: one half */
	{"orchard", "alice", 54, 72},
	{"othello", "black", 38, 58},
	{"pacman", "pacman", 10, 20},
	{"pacman_gdl2", "pacman", 12, 24},
	{"pickomino", "alice", 40, 60},
	{"schnappt_hubi", "mouse", 4, 18},
	{"sheep_and_wolf", "ann", 1, 9},
	{"tictactoe", "x", 57, 73},               /* 58.5 % wins, 12.7 % draws: 64.8 */
	{"vacuum_cleaner", "robot", 15, 27},
	{"war", "alice", 42, 58},
	{"wumpus", "explorer", 5, 14},
	{"yahtzee", "alice", 42, 58},
};

static void all_end_well(void **state)
{
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		const struct expected *e = &games[i];
		struct board b = board_open(e->game);
		struct playout_result r = {0};
		game_playouts(b.game, &(struct playout_job){.playouts = test_sample() ? 200 : 1000, .seed = 1}, &r);
		uint32_t role = game_find_role(b.game, e->role);
		double mean = r.sum[role] / (double)r.playouts;
		if (r.unfinished || r.stuck || r.undefined)
			fail_msg("%s: %llu unfinished, %llu stuck, %llu goals undefined", e->game, (unsigned long long)r.unfinished,
			         (unsigned long long)r.stuck, (unsigned long long)r.undefined);
		if (!test_sample() && (mean < e->least || mean > e->most))
			fail_msg("%s: %s has %.1f on average, not %.0f to %.0f", e->game, e->role, mean, e->least, e->most);
		playout_result_free(&r);
		board_close(&b);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(all_end_well),
	};
	return RUN(cases);
}
