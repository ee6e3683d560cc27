/* The commands about players and matches, as their user meets them. */
#include "test.h"

#include "../cli/run.h"

#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/macaw-match-XXXXXX";
static char record[64], cases[64], db[64], wrong[64];

static void write_file(char to[64], const char *name, const char *text)
{
	snprintf(to, 64, "%s/%s", folder, name);
	if (!text)
		return;
	FILE *f = fopen(to, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	write_file(record, "record.json", NULL);
	write_file(db, "results.db", NULL);
	write_file(wrong, "wrong.jsonl", "{\"game\":\"tictactoe\",\"moves\":[],\"role\":\"z\",\"good\":[\"noop\"]}\n");
	write_file(cases, "cases.jsonl",
	           "{\"game\":\"tictactoe\",\"moves\":[{\"x\":\"(mark 1 1)\",\"o\":\"noop\"},{\"x\":\"noop\",\"o\":\"(mark "
	           "2 2)\"},"
	           "{\"x\":\"(mark 1 2)\",\"o\":\"noop\"}],\"role\":\"o\",\"good\":[\"(mark 1 3)\"]}\n\n"
	           "{\"game\":\"hanoi_3\",\"role\":\"robot\",\"good\":[\"(move 1 middle)\"]}\n");
	return 0;
}

static int tear_down(void **state)
{
	char line[128];
	snprintf(line, sizeof line, "rm -rf %s", folder);
	return system(line);
}

static void expect(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status || !strstr(text_str(&r.out), out) || !strstr(text_str(&r.err), err))
		fail_msg("status %d\nstdout: %s\nstderr: %s\nwanted %d, '%s', '%s'", r.status, text_str(&r.out),
		         text_str(&r.err), status, out, err);
	run_free(&r);
}

static void players_are_listed(void **state)
{
	expect(run_macaw("players", NULL), 0, "alphabeta ", "");
	expect(run_macaw("players", "uct", NULL), 0, "leaves=N ", "");
	expect(run_macaw("players", "--json", NULL), 0, "{\"players\":[{\"name\":\"random\"", "");
	expect(run_macaw("players", "nobody", NULL), 2, "", "nobody");
}

static void records_are_replayed(void **state)
{
	expect(run_macaw("match", "tictactoe", "-p", "macaw,random", "-n", "500", "-o", record, NULL), 0, "macaw", "");
	expect(run_macaw("replay", record, NULL), 0, "step 1: x (mark", "");
	expect(run_macaw("replay", record, "--quiet", NULL), 0, " steps: x ", "");
	expect(run_macaw("replay", cases, NULL), 1, "", "cases.jsonl");
	expect(run_macaw("replay", NULL), 2, "", "RECORD");
	/* a record that says what the rules do not */
	char line[200];
	snprintf(line, sizeof line, "sed -i 's/\"o\": \"noop\"/\"o\": \"(mark 1 1)\"/' %s", record);
	assert_int_equal(system(line), 0);
	expect(run_macaw("replay", record, "--quiet", NULL), 1, "", "step 1: (mark 1 1) of o is not legal");
	expect(run_macaw("match", "tictactoe", "-p", "legal,legal", "-o", "/no/such/folder/x", NULL), 3, "",
	       "cannot write");
}

static void cases_are_counted(void **state)
{
	expect(run_macaw("cases", cases, "-p", "alphabeta", "-n", "2000", NULL), 0, "found 1 of 2 (50%)", "");
	expect(run_macaw("cases", cases, "-n", "2000", "--least", "0.9", "--json", NULL), 1, "\"found\":1,\"share\":0.5",
	       "");
	expect(run_macaw("cases", wrong, NULL), 1, "", "wrong.jsonl:1: there is no such role");
	expect(run_macaw("cases", record, NULL), 1, "", "record.json:1:");
	expect(run_macaw("cases", NULL), 2, "", "FILE");
}

static void tournaments_are_held(void **state)
{
	const char *games = "tictactoe,hanoi_3", *who = "uct,random";
	expect(run_macaw("tournament", "-g", games, "-p", who, "-r", "2", "-n", "200", "--db", db, NULL), 0,
	       "8 of 8 matches, 8 played now", "");
	expect(run_macaw("tournament", "-g", games, "-p", who, "-r", "3", "-n", "200", "--db", db, "--plots", folder, NULL),
	       0, "12 of 12 matches, 4 played now", "");
	expect(run_macaw("tournament", "--db", db, "--report", "--csv", NULL), 0, "\nuct,9,", "");
	expect(run_macaw("tournament", "--db", db, "--report", "--json", NULL), 0, "{\"matches\":12,", "");
	expect(run_macaw("tournament", "-g", games, "-p", who, "-n", "300", "--db", db, NULL), 2, "",
	       "begun with playouts 200");
	char picture[96];
	snprintf(picture, sizeof picture, "%s/cross.svg", folder);
	assert_int_equal(access(picture, R_OK), 0);
}

static void tournaments_refuse_nonsense(void **state)
{
	expect(run_macaw("tournament", NULL), 2, "", "--games");
	expect(run_macaw("tournament", "--report", NULL), 2, "", "--db FILE");
	expect(run_macaw("tournament", "-g", "tictactoe", "-p", "uct", NULL), 2, "", "tictactoe is for 2 players");
	expect(run_macaw("tournament", "-g", "tictactoe", "-p", "uct,uct", NULL), 2, "", "uct is named twice");
	expect(run_macaw("tournament", "-g", "tictactoe", "-p", "uct,mc", "--plots", "/no/such/folder", NULL), 3, "",
	       "cannot make the folder");
	expect(run_macaw("tournament", "--db", db, NULL), 2, "", "--games");
	expect(run_macaw("tournament", "--db", "/no/such/x.db", "-g", "tictactoe", "-p", "uct,mc", NULL), 3, "",
	       "cannot open");
	expect(run_macaw("tournament", "--db", db, "-g", "tictactoe", "-p", "a,b,c", "--sprt", "0,5", NULL), 2, "",
	       "two players");
	expect(run_macaw("tournament", "--db", db, "-g", "tictactoe", "-p", "uct,mc", "-c", "fast", NULL), 2, "",
	       "not fast");
	expect(run_macaw("tournament", "--db", db, "-n", "200", "-g", "tictactoe", "-p", "uct,mcc", NULL), 1, "", "'mcc'");
	expect(run_macaw("tournament", "--db", db, "-g", "tictactoee", "-p", "uct,mc", NULL), 1, "",
	       "did you mean tictactoe");
}

/* A script can see that it was interrupted; what was played is kept. */
static void an_interrupt_is_told(void **state)
{
	char line[700];
	/* as soon as a match has its record, however long that takes; a shell lets what runs beside it ignore interrupts */
	snprintf(line, sizeof line,
	         "cd %s; env --default-signal=INT \"$MACAW\" tournament -g tictactoe -p uct,random -c 0.05 -r 5000 --db "
	         "long.db -o long & "
	         "n=0; until [ -n \"$(ls long 2>/dev/null)\" ] || [ $n -ge 1200 ]; do sleep 0.1; n=$((n + 1)); done; "
	         "kill -INT $!; wait $!",
	         folder);
	expect(run_words("sh", (char *[]){"sh", "-c", line, NULL}), 1, "interrupted: the same command goes on", "");
}

/* Nothing is kept, players that are named one by one are added, pictures have a folder made, and each match a record.
 */
static void tournaments_need_no_file(void **state)
{
	char plots[64], records[64], line[400];
	snprintf(plots, sizeof plots, "%s/plots", folder);
	snprintf(records, sizeof records, "%s/records", folder);
	expect(run_macaw("tournament", "-g", "tictactoe", "-p", "random", "-p", "legal", "-r", "2", "-n", "1", "--plots",
	                 plots, "-o", records, NULL),
	       0, "4 of 4 matches, 4 played now", "not kept");
	snprintf(line, sizeof line,
	         "test $(ls %s | wc -l) = 4 && for f in %s/*; do \"$MACAW\" replay -q \"$f\" || exit 1; done", records,
	         records);
	assert_int_equal(system(line), 0);
	struct run r =
		run_macaw("tournament", "-g", "tictactoe", "-p", "random,legal", "-r", "1", "-n", "1", "--json", NULL);
	assert_non_null(strstr(text_str(&r.out), "\"matches\":2,\"score\""));
	assert_null(strstr(text_str(&r.out), "e-1")); /* zero but for rounding */
	run_free(&r);
}

/* The labels of the axis stand below the points. */
static void rounds_stand_above_their_numbers(void **state)
{
	char path[96];
	struct text picture = {0};
	snprintf(path, sizeof path, "%s/plots/rounds.svg", folder);
	assert_true(text_read_file(&picture, path, 1 << 20, NULL));
	double first, last;
	const char *line = strstr(picture.at, "points=\"");
	assert_int_equal(sscanf(line, "points=\"%lf,%*f %lf,", &first, &last), 2);
	for (int i = 0; i < 2; i++) {
		char label[64];
		snprintf(label, sizeof label, "<text x=\"%.1f\" y=\"358.0\" text-anchor=\"middle\">%d<", i ? last : first,
		         i + 1);
		if (!strstr(picture.at, label))
			fail_msg("no %s in\n%s", label, picture.at);
	}
	text_free(&picture);
}

/* What was played is in the file, and can be had again. */
static void tournaments_keep_their_moves(void **state)
{
	char line[1000];
	snprintf(line, sizeof line,
	         "python3 - <<'END'\nimport sqlite3, json, subprocess, os\n"
	         "c = sqlite3.connect('%s')\n"
	         "game, seating, seed, moves, ended, version = c.execute('SELECT game, seating, seed, moves, ended, "
	         "version FROM matches "
	         "WHERE game = \"tictactoe\"').fetchone()\n"
	         "m = json.loads(subprocess.run([os.environ['MACAW'], 'match', game, '-p', seating, '-n', '200', '--seed', "
	         "str(seed), "
	         "'--json'], capture_output=True).stdout)\n"
	         "again = ' '.join('(%%s %%s)' %% (s['x'], s['o']) for s in m['moves'])\n"
	         "assert again == moves, (again, moves)\nassert ended and version\nEND",
	         db);
	assert_int_equal(system(line), 0);
}

static void records_come_in_many_forms(void **state)
{
	static const char theirs[] =
		"{\"matchId\":\"m\",\"gameMetaURL\":\"http://games.ggp.org/base/games/%s/v0/\",\"isCompleted\":true,"
		"\"moves\":[[\"( mark 1 1 )\",\"noop\"],[\"noop\",\"( mark 2 1 )\"],[\"( mark 1 2 )\",\"noop\"],"
		"[\"noop\",\"( mark 2 2 )\"],[\"( mark 1 3 "
		")\",\"noop\"]],\"goalValues\":[%d,0],\"playerNamesFromHost\":[\"a\",\"b\"]}\n";
	char both[64], unknown[64], lies[64], text[2000];
	snprintf(text, sizeof text, theirs, "ticTacToe", 100);
	size_t n = strlen(text);
	snprintf(text + n, sizeof text - n, theirs, "ticTacToe", 100);
	write_file(both, "both.json", text);
	snprintf(text, sizeof text, theirs, "noSuchGame", 100);
	write_file(unknown, "unknown.json", text);
	snprintf(text, sizeof text, theirs, "ticTacToe", 50);
	write_file(lies, "lies.json", text);
	expect(run_macaw("replay", both, NULL), 0, "match 2: tictactoe, x a, o b\n", "");
	expect(run_macaw("replay", both, "--match", "2", "--quiet", NULL), 0, "5 steps: x 100, o 0\n", "");
	expect(run_macaw("replay", both, "--match", "3", NULL), 1, "", "there are 2 matches");
	expect(run_macaw("replay", both, "--match", "1", "--step", "2", NULL), 0, "step 2: x noop, o (mark 2 1)", "");
	expect(run_macaw("replay", both, "--step", "6", NULL), 1, "", "only 5 steps");
	expect(run_macaw("replay", unknown, NULL), 1, "", "--game GAME");
	expect(run_macaw("replay", unknown, "--game", "tictactoe", "--quiet", NULL), 0, "5 steps: x 100", "");
	expect(run_macaw("replay", lies, "--quiet", NULL), 1, "", "the scores differ");
	expect(run_macaw("replay", "/no/such/file", NULL), 1, "", "cannot read /no/such/file");
	snprintf(text, sizeof text, "\"$MACAW\" replay - --quiet < %s", both);
	expect(run_words("sh", (char *[]){"sh", "-c", text, NULL}), 0, "5 steps: x 100, o 0", "");
}

/* A person at the terminal of a manager may ask for a hint; without input the moves are made at random. */
static void persons_of_a_manager_are_advised(void **state)
{
	char *script =
		"printf 'hint\\nmoves\\n2 2\\n' | \"$MACAW\" manage tictactoe human legal --start 0.01 --clock 20 --seed 1";
	expect(run_words("sh", (char *[]){"sh", "-c", script, NULL}), 1, "  hint: (mark ", "");
}

/* Nothing to read from: it ends at once, and says where one stands. */
static void persons_may_leave(void **state)
{
	expect(run_macaw("play", "tictactoe", "--as", "x", NULL), 0, "(mark 3 3)", "");
	expect(run_macaw("play", "tictactoe", "--as", "y", NULL), 2, "", "there are x o");
	expect(run_macaw("play", NULL), 2, "", "name one GAME");
}

/* What their role sees, and nothing of the others. */
static void persons_see_what_they_may(void **state)
{
	struct run r = run_macaw("play", "kuhn_poker", "--as", "bob", "--clock", "0.02", "--player", "random", NULL);
	assert_int_equal(r.status, 0);
	assert_non_null(strstr(text_str(&r.out), "you see: (your_card "));
	assert_null(strstr(text_str(&r.out), "deal"));
	assert_null(strstr(text_str(&r.out), "alice (say"));
	run_free(&r);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(players_are_listed),
		cmocka_unit_test(records_are_replayed),
		cmocka_unit_test(cases_are_counted),
		cmocka_unit_test(tournaments_are_held),
		cmocka_unit_test(an_interrupt_is_told),
		cmocka_unit_test(persons_of_a_manager_are_advised),
		cmocka_unit_test(tournaments_need_no_file),
		cmocka_unit_test(rounds_stand_above_their_numbers),
		cmocka_unit_test(tournaments_keep_their_moves),
		cmocka_unit_test(records_come_in_many_forms),
		cmocka_unit_test(tournaments_refuse_nonsense),
		cmocka_unit_test(persons_may_leave),
		cmocka_unit_test(persons_see_what_they_may),
	};
	return RUN_IN(all, set_up, tear_down);
}
