/* Every rulesheet of games/ played by chance a thousand times: all playouts end,
 * everybody always has a move, and everybody has one goal. */
#include "board.h"

#include <glob.h>
#include <string.h>

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
	{"guess_dice", "player", 10, 24}, /* one in six */
	{"hex", "red", 45, 62},
	{"kaseklau", "alice", 48, 65},
	{"latent_tictactoe", "x", 40, 62},
	{"mastermind", "player", 0, 5},      /* eight in 1296 */
	{"monty_hall", "candidate", 42, 58}, /* staying and switching in turn: one half */
	{"orchard", "alice", 54, 72},
	{"othello", "black", 38, 58},
	{"pacman", "pacman", 0, 6},
	{"pacman_gdl2", "pacman", 12, 24},
	{"pickomino", "alice", 40, 60},
	{"schnappt_hubi", "mouse", 4, 18},
	{"sheep_and_wolf", "ann", 1, 9},
	{"tictactoe", "x", 57, 73}, /* 58.5 % wins, 12.7 % draws: 64.8 */
	{"vacuum_cleaner", "robot", 15, 27},
	{"war", "alice", 42, 58},
	{"wumpus", "explorer", 5, 14},
	{"yahtzee", "alice", 42, 58},
};

static struct playout_result play(const char *name, uint64_t playouts)
{
	struct board b = board_open(name);
	struct playout_job job = {.playouts = playouts, .seed = 1};
	struct playout_result r = {0};
	game_playouts(b.game, &job, &r);
	if (r.playouts != playouts || r.unfinished || r.stuck || r.undefined)
		fail_msg("%s: of %lu playouts %lu ended, %lu did not, %lu were stuck; %lu goals undefined", name,
		         (unsigned long)playouts, (unsigned long)r.playouts, (unsigned long)r.unfinished,
		         (unsigned long)r.stuck, (unsigned long)r.undefined);
	board_close(&b);
	return r;
}

static void every_game_ends(void **state)
{
	char pattern[4096];
	glob_t files;
	snprintf(pattern, sizeof pattern, "%s/games/*.kif", getenv("MACAW_SOURCE"));
	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	assert_true(files.gl_pathc > 80);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		char *name = strrchr(files.gl_pathv[i], '/') + 1;
		name[strlen(name) - 4] = 0;
		struct playout_result r = play(name, test_sample() ? 20 : 1000);
		playout_result_free(&r);
	}
	globfree(&files);
}

static void means_are_plausible(void **state)
{
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		const struct expected *e = &games[i];
		struct board b = board_open(e->game);
		uint32_t role = game_find_role(b.game, e->role);
		board_close(&b);
		if (test_sample())
			continue;
		struct playout_result r = play(e->game, 1000);
		double mean = r.sum[role] / (double)r.playouts;
		playout_result_free(&r);
		if (mean < e->least || mean > e->most)
			fail_msg("%s: %s has %.1f on average, not %.0f to %.0f", e->game, e->role, mean, e->least, e->most);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(every_game_ends),
		cmocka_unit_test(means_are_plausible),
	};
	return RUN(cases);
}
