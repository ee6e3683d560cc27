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
	expect(run_macaw("tournament", NULL), 2, "", "--db FILE");
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
	assert_null(strstr(text_str(&r.out), "holds"));
	assert_null(strstr(text_str(&r.out), "alice (say"));
	run_free(&r);
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(players_are_listed),          cmocka_unit_test(records_are_replayed),
		cmocka_unit_test(cases_are_counted),           cmocka_unit_test(tournaments_are_held),
		cmocka_unit_test(tournaments_refuse_nonsense), cmocka_unit_test(persons_may_leave),
		cmocka_unit_test(persons_see_what_they_may),
	};
	return cmocka_run_group_tests(all, set_up, tear_down);
}
