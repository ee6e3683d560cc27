/* Positions on a command line: --after, --state, --record with --step, the same for every command. */
#include "test.h"

#include "run.h"

#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/macaw-where-XXXXXX", record[64], state[64];

static void expect(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status || !strstr(text_str(&r.out), out) || !strstr(text_str(&r.err), err))
		fail_msg("status %d\nstdout: %s\nstderr: %s\nwanted %d, '%s', '%s'", r.status, text_str(&r.out),
		         text_str(&r.err), status, out, err);
	run_free(&r);
}

/* x in the corner, o in the middle, x to move: by moves, by fluents, by a record. */
static int set_up(void **unused)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(record, sizeof record, "%s/match.json", folder);
	snprintf(state, sizeof state, "%s/state.txt", folder);
	FILE *f = fopen(state, "w");
	fputs("; a position\n(cell 1 1 x) (true (cell 2 2 o)) cell(1, 2, b) true(cell(1, 3, b))\n"
	      "(cell 2 1 b) (cell 2 3 b) (cell 3 1 b) (cell 3 2 b) (cell 3 3 b)\n(control x)\n",
	      f);
	fclose(f);
	struct run r = run_macaw("match", "tictactoe", "-p", "legal,legal", "--after", "1 1; 2 2", "-o", record, NULL);
	int status = r.status;
	run_free(&r);
	return status;
}

static int tear_down(void **unused)
{
	char line[64];
	snprintf(line, sizeof line, "rm -r %s", folder);
	return system(line);
}

/* What a command says of the position in its three ways must be the same. */
static void says_the_same(char **words)
{
	struct run r[4];
	char *ways[4][4] = {{"--after", "mark 1 1, noop; noop, mark 2 2"},
	                    {"--after", "11;(mark 2 2)"},
	                    {"--state", state},
	                    {"--record", record, "--step", "2"}};
	for (int i = 0; i < 4; i++) {
		char *all[16] = {"macaw"};
		size_t n = 1;
		for (char **w = words; *w; w++)
			all[n++] = *w;
		for (int k = 0; k < 4 && ways[i][k]; k++)
			all[n++] = ways[i][k];
		r[i] = run_words(getenv("MACAW"), all);
		assert_int_equal(r[i].status, 0);
		if (i && strcmp(text_str(&r[0].out), text_str(&r[i].out)))
			fail_msg("%s: %s\nsays\n%s\nand by --after\n%s", words[0], ways[i][0], text_str(&r[i].out),
			         text_str(&r[0].out));
	}
	for (int i = 0; i < 4; i++)
		run_free(&r[i]);
}

/* Without the times that a command tells. */
static void every_command_finds_it(void **unused)
{
	char script[400];
	snprintf(script, sizeof script, "%s/run", folder);
	FILE *f = fopen(script, "w");
	fprintf(f, "#!/bin/sh\n\"%s\" \"$@\" | sed 's/[0-9]*[.][0-9]* s,.*//; s/  *[0-9.]*$//; s/seconds.*//'\n",
	        getenv("MACAW"));
	fclose(f);
	assert_int_equal(setenv("PATH_OF_MACAW", getenv("MACAW"), 1), 0);
	snprintf(script, sizeof script, "chmod +x %s/run", folder);
	assert_int_equal(system(script), 0);
	snprintf(script, sizeof script, "%s/run", folder);
	assert_int_equal(setenv("MACAW", script, 1), 0);
	says_the_same((char *[]){"simulate", "tictactoe", "-n", "1000", NULL});
	says_the_same((char *[]){"perft", "tictactoe", "4", NULL});
	says_the_same((char *[]){"symmetries", "tictactoe", NULL});
	says_the_same((char *[]){"info", "tictactoe", NULL});
	says_the_same((char *[]){"info", "tictactoe", "--json", NULL});
	says_the_same((char *[]){"network", "tictactoe", "-o", "-", NULL});
	assert_int_equal(setenv("MACAW", getenv("PATH_OF_MACAW"), 1), 0);
}

/* The levels of a position are the later levels of what leads to it: 9 first moves, each with its own. */
static void counts_add_up(void **unused)
{
	uint64_t sum = 0, whole = 0;
	struct run r = run_macaw("perft", "tictactoe", "6", "--json", NULL);
	assert_int_equal(
		sscanf(strstr(text_str(&r.out), "\"depth\":6,\"sequences\":"), "\"depth\":6,\"sequences\":%lu", &whole), 1);
	run_free(&r);
	for (int i = 0; i < 9; i++) {
		char move[16];
		uint64_t part = 0;
		snprintf(move, sizeof move, "%d %d", i / 3 + 1, i % 3 + 1);
		r = run_macaw("perft", "tictactoe", "5", "--json", "--after", move, NULL);
		assert_int_equal(
			sscanf(strstr(text_str(&r.out), "\"depth\":5,\"sequences\":"), "\"depth\":5,\"sequences\":%lu", &part), 1);
		sum += part;
		run_free(&r);
	}
	assert_int_equal(sum, whole);
}

static void matches_begin_there(void **unused)
{
	expect(run_macaw("match", "tictactoe", "-p", "legal,legal", "--state", state, "--watch", NULL), 0,
	       "    2  . o .\n    1  x . .\n", "");
	expect(run_macaw("match", "tictactoe", "-p", "legal,legal", "--record", record, "--step", "3", "--json", NULL), 0,
	       "\"made_before\":3", "");
	/* the record of a match from a position holds that position */
	char again[80];
	snprintf(again, sizeof again, "%s/again.json", folder);
	expect(run_macaw("match", "tictactoe", "-p", "legal,legal", "--state", state, "-o", again, NULL), 0, "step", "");
	expect(run_macaw("replay", again, "--step", "0", NULL), 0, "    2  . o .\n    1  x . .\n", "");
	expect(run_macaw("replay", again, "--quiet", NULL), 0, "steps: x", "");
	/* where information is hidden: the moves are known, a position is not enough */
	expect(
		run_macaw("match", "kuhn_poker", "-p", "macaw,macaw", "-n", "50", "--after", "deal jack king", "--watch", NULL),
		0, "alice jack", "");
	expect(run_macaw("match", "kuhn_poker", "-p", "macaw,macaw", "--state", state, NULL), 2, "", "name the moves");
}

static void mistakes_are_told(void **unused)
{
	expect(run_macaw("simulate", "tictactoe", "--after", "1 1; 1 1", NULL), 1, "",
	       "step 2: '1 1' is no legal move of o there");
	expect(run_macaw("simulate", "tictactoe", "--after", "mark", NULL), 1, "", "'mark' may be (mark 1 1), (mark 1 2)");
	expect(run_macaw("simulate", "tictactoe", "--after", "1 1, noop, 2 2", NULL), 1, "",
	       "names 3 moves; there are 2 roles");
	expect(run_macaw("simulate", "tictactoe", "--after", "1 1;1 2;2 2;1 3;3 3;3 1", NULL), 1, "", "the game is over");
	expect(run_macaw("simulate", "tictactoe", "--record", record, "--step", "99", NULL), 1, "", "only");
	expect(run_macaw("simulate", "tictactoe", "--step", "2", NULL), 2, "", "--record FILE");
	expect(run_macaw("simulate", "tictactoe", "--record", record, "--state", state, NULL), 2, "", "choose one");
	expect(run_macaw("simulate", "connect_four", "--record", record, NULL), 1, "", "is not legal in this game");
	expect(run_macaw("simulate", "connect_four", "--state", state, NULL), 1, "",
	       "(cell 1 1 x) is no fluent of this game");
	expect(run_macaw("simulate", "tictactoe", "--state", "/no/such/file", NULL), 1, "", "/no/such/file");
	expect(run_macaw("simulate", "tictactoe", "--record", "/no/such/file", NULL), 1, "", "/no/such/file");
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(every_command_finds_it),
		cmocka_unit_test(counts_add_up),
		cmocka_unit_test(matches_begin_there),
		cmocka_unit_test(mistakes_are_told),
	};
	return RUN_IN(cases, set_up, tear_down);
}
