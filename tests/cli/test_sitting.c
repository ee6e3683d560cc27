/* macaw play as somebody meets it whose lines come through a pipe: what may be typed, what is shown, what is kept. The
 * keys of a terminal are tested by screens.py. */
#include "test.h"

#include "run.h"

#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/macaw-sitting-XXXXXX";

static int set_up(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	char line[64];
	snprintf(line, sizeof line, "rm -r %s", folder);
	return system(line);
}

/* What macaw play says to somebody who types these lines; %s in them is the folder. */
static struct run type(const char *arguments, const char *lines)
{
	struct text line = {0};
	text_printf(&line, "cd %s; printf '%s' | COLUMNS=80 \"$MACAW\" play %s", folder, lines, arguments);
	struct run r = run_words("sh", (char *[]){"sh", "-c", unconst(text_str(&line)), NULL});
	text_free(&line);
	return r;
}

/* All of the parts must follow one another in the output. */
static void shows(const char *arguments, const char *lines, const char *const *parts)
{
	struct run r = type(arguments, lines);
	const char *at = text_str(&r.out);
	if (r.status)
		fail_msg("play %s: status %d\n%s%s", arguments, r.status, at, text_str(&r.err));
	for (; *parts; parts++) {
		const char *found = strstr(at, *parts);
		if (!found)
			fail_msg("play %s: no '%s' after %zu characters of\n%s%s", arguments, *parts,
			         (size_t)(at - text_str(&r.out)), text_str(&r.out), text_str(&r.err));
		at = found + strlen(*parts);
	}
	run_free(&r);
}

#define SHOWS(arguments, lines, ...) shows(arguments, lines, (const char *const[]){__VA_ARGS__, NULL})

static void the_first_screen_tells(void **state)
{
	SHOWS("tictactoe -p legal --as o", "quit\\n", "You are o in tictactoe; x is played by legal", "`help`",
	      "x (mark 1 1)", "o> ", "You left after 1 step. Seed ");
	SHOWS("kuhn_poker", "", "; chance plays", "Not everything is seen");
}

static void moves_are_typed_in_many_ways(void **state)
{
	static const char *const ways[] = {"(mark 2 3)", "mark(2,3)", "MARK 2 3", "2 3", "23", "6", "2-3"};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct text lines = {0};
		text_printf(&lines, "%s\\nquit\\n", ways[i]);
		SHOWS("tictactoe -p legal", text_str(&lines), "x>   x (mark 2 3)\n");
		text_free(&lines);
	}
	SHOWS("chess -p legal", "e2e4\\nquit\\n", "white (move e 2 e 4)");
	SHOWS("chess -p legal", "d2\\ne4\\nquit\\n", "That may be (move d 2 d 4), (move d 2 d 3)", "white (move e 2 e 4)");
	SHOWS("tictactoe -p legal", "mark 1\\nmark 9 9\\nquit\\n", "That may be (mark 1 1), (mark 1 2), (mark 1 3)",
	      "That is no legal move here");
}

static void words_do_what_they_say(void **state)
{
	SHOWS("tictactoe -p legal", "help\\nquit\\n", "history", "undo", "save FILE", "auto [N]", "quit",
	      "A move is typed");
	SHOWS("tictactoe -p legal", "moves 3 \\nquit\\n", "x> ", "(mark 1 3)", "(mark 2 3)", "(mark 3 1)", "x> ");
	SHOWS("tictactoe -p legal", "2 2\\nhistory\\nquit\\n", "   1  x (mark 2 2)\n   2  o (mark 1 1)\n");
	SHOWS("tictactoe -p legal", "hint\\nquit\\n", "x>   (mark 1 1) (");
	SHOWS("tictactoe -p legal", "swap\\nhistory\\nquit\\n", "You are o now.", "x (mark 1 1)", "o> ");
	SHOWS("tictactoe -p legal", "swap q\\nswap x\\nquit\\n", "no such role", "That is what you are");
	SHOWS("tictactoe -p legal", "auto 1\\nquit\\n", "x (mark 1 1)\n  o (mark 1 2)\n", "x> ");
	SHOWS("tictactoe -p legal", "auto\\n", "You win.\nx (you): 100\no (legal): 0\nSeed ");
	SHOWS("tictactoe -p legal", "/nothing\\n/quit\\n", "There is no such word", "You left");
}

/* Back, and forth again, as often as one likes; another move makes another course. */
static void moves_are_taken_back(void **state)
{
	SHOWS("tictactoe -p legal", "undo\\nredo\\nquit\\n", "This is the start.", "Nothing was taken back.");
	SHOWS("tictactoe -p legal", "2 2\\n3 3\\nundo\\nundo\\nredo\\nredo\\nhistory\\nquit\\n",
	      "   1  x (mark 2 2)\n   2  o (mark 1 1)\n   3  x (mark 3 3)\n   4  o (mark 1 2)\n", "You left after 4 steps");
	SHOWS("tictactoe -p legal", "2 2\\n3 3\\nundo\\nundo\\n1 2\\nredo\\nhistory\\nquit\\n", "Nothing was taken back.",
	      "   1  x (mark 1 2)\n   2  o (mark 1 1)\n", "You left after 2 steps");
	SHOWS("kuhn_poker -p legal", "undo\\nswap\\n", "cannot be unseen", "what is hidden from you");
}

static void matches_are_saved_and_gone_on_with(void **state)
{
	SHOWS("tictactoe -p legal", "2 2\\nsave a.json\\nquit\\n", "Saved; `load a.json`");
	SHOWS("tictactoe -p legal", "load a.json\\nhistory\\nquit\\n", "   1  x (mark 2 2)\n   2  o (mark 1 1)\n",
	      "after 2 steps");
	SHOWS("tictactoe -p legal --record a.json --step 1 --as o", "history\\nquit\\n", "   1  x (mark 2 2)\n");
	SHOWS("tictactoe -p legal", "record b.json\\n2 2\\nquit\\n", "after every step", "The match is in b.json.");
	SHOWS("tictactoe -p legal -o c.json", "2 2\\n1 2\\n3 2\\n", "You win.", "The match is in c.json.");
	SHOWS("tictactoe -p legal", "load nothing.json\\nload\\nsave\\nsave /no/folder/x\\nquit\\n", "Say which",
	      "Say where");
	/* one that began elsewhere, with a piece of each on the board */
	struct run made = run_words(
		"sh", (char *[]){"sh", "-c",
	                     "cd \"$0\"; printf '(cell 1 1 x)(cell 1 2 b)(cell 1 3 b)"
	                     "(cell 2 1 b)(cell 2 2 o)(cell 2 3 b)(cell 3 1 b)(cell 3 2 b)(cell 3 3 b)(control x)' >s.txt",
	                     folder, NULL});
	assert_int_equal(made.status, 0);
	run_free(&made);
	SHOWS("tictactoe -p legal --state s.txt", "3 3\\nsave d.json\\nquit\\n", "Saved");
	SHOWS("tictactoe -p legal", "2 3\\nload d.json\\nhistory\\nundo\\nquit\\n",
	      "   1  x (mark 3 3)\n   2  o (mark 1 2)\n", "You left after 0 steps");
	struct run r = run_words("sh", (char *[]){"sh", "-c", "cd \"$0\"; \"$MACAW\" replay c.json -q", folder, NULL});
	assert_int_equal(r.status, 0);
	assert_string_equal(text_str(&r.out), "5 steps: x 100, o 0\n");
	run_free(&r);
	/* a game with hidden information: what was seen is known again */
	SHOWS("kuhn_poker -p legal --seed 5", "save k.json\\nquit\\n", "Saved");
	SHOWS("kuhn_poker -p legal --record k.json", "quit\\n", "So far:", "saw (your_card", "2 positions are possible");
}

/* By counting: two cards that another may hold; 6^4 codes; 8 cells where an o may lie. */
static void what_follows_is_shown(void **state)
{
	SHOWS("kuhn_poker -p legal", "quit\\n", "(? is open: 2 positions are possible)");
	SHOWS("mastermind -p legal", "quit\\n", "(? is open: 1,296 positions are possible)");
	SHOWS("phantom_tictactoe -p legal", "2 2\\nquit\\n", "all there is to know",
	      "(? is open: 8 positions are possible)", "? x ?");
	SHOWS("monty_hall -p legal", "1\\nquit\\n", "3 positions are possible", "you see: (open_door",
	      "2 positions are possible");
}

/* Nothing that is shown depends on what is hidden: equal cards of one's own give equal screens. */
static void what_is_hidden_stays_hidden(void **state)
{
	struct text seen[3] = {0};
	static const char *const cards[] = {"jack", "queen", "king"};
	int met = 0;
	for (int seed = 1; seed <= 24; seed++) {
		char arguments[80], mine[40];
		snprintf(arguments, sizeof arguments, "kuhn_poker -p legal --seed %d", seed);
		struct run r = type(arguments, "quit\\n");
		*strstr(text_str(&r.out), "You left") = 0;
		for (int c = 0; c < 3; c++) {
			snprintf(mine, sizeof mine, "you see: (your_card %s)", cards[c]);
			if (!strstr(text_str(&r.out), mine))
				continue;
			if (seen[c].n)
				assert_string_equal(text_str(&r.out), text_str(&seen[c]));
			met += seen[c].n == 0;
			text_free(&seen[c]);
			text_puts(&seen[c], text_str(&r.out));
		}
		run_free(&r);
	}
	assert_int_equal(met, 3); /* and the cards differ from seed to seed */
	for (int c = 0; c < 3; c++)
		text_free(&seen[c]);
}

/* At the end the truth is told. */
static void the_end_tells_everything(void **state)
{
	SHOWS("kuhn_poker -p legal", "say check\\n1\\n1\\n", "What was hidden:", "random (deal ", "holds: alice ",
	      "alice (you): ", "bob (legal): ", "--seed ");
}

static void seeds_are_new_each_time(void **state)
{
	struct run a = type("kuhn_poker -p legal", "quit\\n"), b = type("kuhn_poker -p legal", "quit\\n"),
			   c = type("kuhn_poker -p legal", "quit\\n");
	const char *x = strstr(text_str(&a.out), "Seed "), *y = strstr(text_str(&b.out), "Seed "),
			   *z = strstr(text_str(&c.out), "Seed ");
	assert_true(x && y && z);
	assert_false(!strcmp(x, y) && !strcmp(y, z));
	run_free(&a);
	run_free(&b);
	run_free(&c);
	SHOWS("kuhn_poker -p legal --seed 77", "quit\\n", "Seed 77");
}

/* Seconds of both roles in the first step, when you wait for two before your move. */
static void first_times(const char *options, double *you, double *other)
{
	struct text line = {0};
	text_printf(&line,
	            "cd %s; { sleep 2; printf '1\\nquit\\n'; } | "
	            "\"$MACAW\" play connect_four --clock 0.1 %s -o along.json >&2; cat along.json",
	            folder, options);
	struct run r = run_words("sh", (char *[]){"sh", "-c", unconst(text_str(&line)), NULL});
	const char *at = strstr(text_str(&r.out), "\"times\"");
	assert_non_null(at);
	assert_int_equal(sscanf(at, "\"times\": [ { \"red\": %lf, \"yellow\": %lf", you, other), 2);
	assert_true(*you > 0);
	run_free(&r);
	text_free(&line);
}

/* Whoever has nothing to choose thinks until you have chosen, unless that is switched off. */
static void players_think_while_you_do(void **state)
{
	(void)state;
	double you, other;
	first_times("", &you, &other);
	assert_true(other > you / 2);
	first_times("--no-ponder", &you, &other);
	assert_true(other < you / 2);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(the_first_screen_tells),
		cmocka_unit_test(moves_are_typed_in_many_ways),
		cmocka_unit_test(words_do_what_they_say),
		cmocka_unit_test(moves_are_taken_back),
		cmocka_unit_test(matches_are_saved_and_gone_on_with),
		cmocka_unit_test(what_follows_is_shown),
		cmocka_unit_test(what_is_hidden_stays_hidden),
		cmocka_unit_test(the_end_tells_everything),
		cmocka_unit_test(seeds_are_new_each_time),
		cmocka_unit_test(players_think_while_you_do),
	};
	return RUN_IN(cases, set_up, tear_down);
}
