/* macaw games, and the names by which games are found. */
#include "test.h"

#include "run.h"

#include <string.h>
#include <unistd.h>

static void expect(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status || !strstr(text_str(&r.out), out) || !strstr(text_str(&r.err), err))
		fail_msg("status %d\nstdout: %s\nstderr: %s\nwanted %d, '%s', '%s'", r.status, text_str(&r.out),
		         text_str(&r.err), status, out, err);
	run_free(&r);
}

static size_t lines(const char *s)
{
	size_t n = 0;
	for (; *s; s++)
		n += *s == '\n';
	return n;
}

static void games_are_listed(void **state)
{
	struct run all = run_macaw("games", NULL), two = run_macaw("games", "2", NULL),
			   hidden = run_macaw("games", "hidden", NULL);
	assert_int_equal(all.status, 0);
	assert_true(lines(text_str(&all.out)) > 80);
	assert_true(lines(text_str(&two.out)) < lines(text_str(&all.out)));
	assert_true(lines(text_str(&hidden.out)) < lines(text_str(&two.out)));
	assert_non_null(strstr(text_str(&hidden.out), "\nkuhn_poker "));
	assert_null(strstr(text_str(&hidden.out), "\nchess "));
	run_free(&all);
	run_free(&two);
	run_free(&hidden);
	expect(run_macaw("games", "3", NULL), 0, "chinese_checkers", "");
	expect(run_macaw("games", "puzzle", "hanoi", NULL), 0, "The towers of Hanoi, 3", "");
	expect(run_macaw("games", "connect4", NULL), 0, "connect_four ", "");
	expect(run_macaw("games", "nosuchgame", NULL), 1, "", "no such game");
	expect(run_macaw("games", "tictactoe_2x2", "--json", NULL), 0,
	       "{\"games\":[{\"name\":\"tictactoe_2x2\",\"title\":\"", "");
	expect(run_macaw("games", "tictactoe_2x2", "--full", "--json", NULL), 0, "\"fluents\":", "");
}

/* Any spelling, and names that others use. */
static void games_are_found_by_other_names(void **state)
{
	static const char *const names[][2] = {{"connect4", "connect_four"},
	                                       {"Connect-Four", "connect_four"},
	                                       {"connectFour", "connect_four"},
	                                       {"tic-tac-toe", "tictactoe"},
	                                       {"TicTacToe", "tictactoe"},
	                                       {"Reversi", "othello"},
	                                       {"kuhnPoker", "kuhn_poker"},
	                                       {"oware", "awale"},
	                                       {"ttt", "tictactoe"},
	                                       {"8-puzzle", "eight_puzzle"},
	                                       {"Rock Paper Scissors", "rock_paper_scissors"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct text game = {0};
		text_printf(&game, "\"game\":\"%s\"", names[i][1]);
		expect(run_macaw("info", names[i][0], "--json", NULL), 0, game.at, "");
		text_free(&game);
	}
	expect(run_macaw("info", "conect_four", NULL), 1, "", "did you mean connect_four?");
	expect(run_macaw("info", "qqqq", NULL), 1, "", "`macaw games` lists");
}

/* Other names lead to games that are there. */
static void other_names_lead_somewhere(void **state)
{
	struct text path = {0}, table = {0};
	const char *source = getenv("MACAW_SOURCE");
	text_printf(&path, "%s/src/gdl/other_names.inc", source ? source : ".");
	assert_true(text_read_file(&table, path.at, 1 << 20, NULL));
	int count = 0;
	for (const char *at = table.at; (at = strstr(at, "\nN(\"")); at++) {
		char other[60], name[60], file[200];
		assert_int_equal(sscanf(at, "\nN(\"%59[^\"]\", \"%59[^\"]\")", other, name), 2);
		snprintf(file, sizeof file, "%s/games/%s.kif", source ? source : ".", name);
		if (access(file, R_OK))
			fail_msg("%s leads to %s, which is not there", other, name);
		count++;
	}
	assert_true(count > 10);
	text_free(&path);
	text_free(&table);
}

/* $MACAW_GAMES comes first. */
static void a_folder_of_ones_own(void **state)
{
	char folder[] = "/tmp/macaw-games-XXXXXX";
	assert_non_null(mkdtemp(folder));
	struct text line = {0};
	text_printf(&line,
	            "cd %s && printf '; My own.\\n(role a) (legal a x) (goal a 1) terminal' > my_own.kif && "
	            "MACAW_GAMES=%s \"$MACAW\" games own && MACAW_GAMES=%s \"$MACAW\" check MyOwn; s=$?; rm -r %s; exit $s",
	            folder, folder, folder, folder);
	expect(run_words("sh", (char *[]){"sh", "-c", line.at, NULL}), 0, "my_own.kif: ok", "");
	text_free(&line);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(games_are_listed),
		cmocka_unit_test(games_are_found_by_other_names),
		cmocka_unit_test(other_names_lead_somewhere),
		cmocka_unit_test(a_folder_of_ones_own),
	};
	return RUN(cases);
}
