/* The commands that play: info, simulate, perft, verify, match and show, as their
 * user meets them, with good and bad input. */
#include "test.h"

#include "run.h"
#include "small_game.h"

#include <string.h>
#include <unistd.h>

/* ---- files of our own ------------------------------------------------------------------ */

static char folder[] = "/tmp/macaw-play-XXXXXX";
static char game[64], trace[64], bad_trace[64], broken[64], lonely[64];

static void write_file(char path[64], const char *name, const char *text)
{
	snprintf(path, 64, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	write_file(game, "pile.kif", SMALL_GAME);
	write_file(trace, "pile.jsonl", STEP_0 STEP_1 STEP_2);
	write_file(bad_trace, "bad.jsonl", STEP_0 STEP_2);
	write_file(broken, "broken.kif", "(role a) (init (p 1)) (<= (legal a (m ?x)) (true (p ?y)))");
	/* the second state has no legal move and no end */
	write_file(lonely, "lonely.kif",
	           "(role a) (init s) (next t) (<= (legal a go) (true s)) (<= terminal (true u)) (goal a 50)\n");
	return 0;
}

static int tear_down(void **state)
{
	const char *const all[] = {game, trace, bad_trace, broken, lonely};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		unlink(all[i]);
	return rmdir(folder);
}

static void expect(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status || !strstr(text_str(&r.out), out) || !strstr(text_str(&r.err), err))
		fail_msg("status %d\nstdout: %s\nstderr: %s\nwanted %d, '%s', '%s'", r.status, text_str(&r.out),
		         text_str(&r.err), status, out, err);
	run_free(&r);
}

/* ---- every command ------------------------------------------------------------------------ */

static void bad_games_are_the_inputs_fault(void **state)
{
	static const char *const lines[][4] = {
		{"info"}, {"simulate", "-n1"}, {"match", "-prandom,random"}, {"show", "--ground"}};
	for (size_t i = 0; i < 4; i++) {
		expect(run_macaw(lines[i][0], "no/such/game.kif", lines[i][1], NULL), 1, "", "no/such/game.kif");
		expect(run_macaw(lines[i][0], broken, lines[i][1], NULL), 1, "", "broken.kif:1:");
		expect(run_macaw(lines[i][0], "/", lines[i][1], NULL), 1, "", "macaw");
		expect(run_macaw(lines[i][0], lines[i][1], NULL), 2, "", "name one GAME");
		expect(run_macaw(lines[i][0], game, game, lines[i][1], NULL), 2, "", "name one GAME");
	}
	expect(run_macaw("perft", "no/such/game.kif", "1", NULL), 1, "", "no/such/game.kif");
	expect(run_macaw("verify", "no/such/game.kif", trace, NULL), 1, "", "no/such/game.kif");
	expect(run_macaw("info", game, "--engine", "steam", NULL), 2, "", "interpreter");
}

static void a_bound_too_small_leaves_it_to_the_interpreter(void **state)
{
	char path[64];
	struct text rules = {0};
	text_puts(&rules, "(role a) (init s) (<= terminal (true s)) (goal a 1)"
	                  "(<= (legal a (m ?v ?w ?x)) (d ?v) (d ?w) (d ?x)) (<= (next ?v) (does a (m ?v ?w ?x)))\n");
	for (int i = 0; i < 24; i++)
		text_printf(&rules, "(d %d)", i);
	write_file(path, "wide.kif", text_str(&rules));
	expect(run_macaw("info", path, NULL), 0, "engine            circuit\n", "");
	expect(run_macaw("info", path, "--memory", "1", NULL), 0, "engine            interpreter: ", "");
	expect(run_macaw("info", path, "--memory", "1", "--engine", "circuit", NULL), 1, "", "wide.kif: ");
	unlink(path);
	text_free(&rules);
}

/* ---- info ------------------------------------------------------------------------------------ */

static void info_counts(void **state)
{
	expect(run_macaw("info", game, NULL), 0, "roles             left (3 moves), right (3 moves)\n", "");
	expect(run_macaw("info", game, "--json", NULL), 0,
	       "{\"game\":\"pile\",\"roles\":[\"left\",\"right\"],\"random\":false,", "");
	expect(run_macaw("info", game, "--json", NULL), 0,
	       "\"fluents\":6,\"constant_fluents\":0,\"variables\":6,\"moves\":6,", "");
	expect(run_macaw("info", game, "--json", NULL), 0, "\"fragment\":{\"chance\":false,\"shared_information\":true,",
	       "");
	expect(run_macaw("info", game, NULL), 0, "shared view       yes (nothing is hidden)\n", "");
	expect(run_macaw("info", game, "--engine", "interpreter", "--json", NULL), 0, "\"engine\":\"interpreter\"", "");
	expect(run_macaw("info", game, "--engine", "interpreter", NULL), 0, "engine            interpreter\n", "");
}

/* ---- simulate ---------------------------------------------------------------------------------- */

/* The value behind "key": as text up to the next comma or brace. */
static void value_of(const struct run *r, const char *key, char out[64])
{
	char quoted[64];
	snprintf(quoted, sizeof quoted, "\"%s\":", key);
	const char *at = strstr(text_str(&r->out), quoted);
	if (!at)
		fail_msg("no %s in %s", key, text_str(&r->out));
	at += strlen(quoted);
	snprintf(out, 64, "%.*s", (int)strcspn(at + 1, ",}") + 1, at);
}

static void simulate_keeps_its_contract(void **state)
{
	static const char *const keys[] = {"game",   "playouts", "seconds", "playouts_per_second", "avg_length",
	                                   "scores", "threads",  "engine",  "build_seconds"};
	struct run r = run_macaw("simulate", game, "-n", "1000", "--json", NULL);
	char value[64];
	assert_int_equal(r.status, 0);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		value_of(&r, keys[i], value);
	value_of(&r, "playouts", value);
	assert_string_equal(value, "1000");
	value_of(&r, "avg_length", value); /* 1/4 of 3 steps, 3/4 of 2 */
	double length = atof(value);
	assert_true(length > 2.15 && length < 2.35);
	value_of(&r, "left", value); /* wins when the match has 3 steps */
	assert_true(atof(value) > 15 && atof(value) < 35);
	run_free(&r);
}

static void equal_seeds_give_equal_playouts(void **state)
{
	static const char *const threads[] = {"1", "3"}, *const engines[] = {"circuit", "interpreter"};
	for (size_t i = 0; i < 4; i++) {
		const char *t = threads[i % 2], *e = engines[i / 2];
		struct run a = run_macaw("simulate", game, "-n777", "--seed", "5", "--threads", t, "--engine", e, "--json",
		                         NULL),
				   b = run_macaw("simulate", game, "-n777", "--seed", "5", "--threads", t, "--engine", e, "--json",
		                         NULL),
				   c = run_macaw("simulate", game, "-n777", "--seed", "6", "--threads", t, "--engine", e, "--json",
		                         NULL);
		const char *from_a = strstr(text_str(&a.out), "\"avg_length\""),
				   *from_b = strstr(text_str(&b.out), "\"avg_length\""),
				   *from_c = strstr(text_str(&c.out), "\"avg_length\"");
		assert_true(from_a && from_b && from_c);
		size_t n = (size_t)(strstr(from_a, "\"threads\"") - from_a);
		assert_int_equal(strncmp(from_a, from_b, n), 0);
		assert_int_not_equal(strncmp(from_a, from_c, n), 0);
		run_free(&a);
		run_free(&b);
		run_free(&c);
	}
}

static void simulate_tells_people(void **state)
{
	struct run r = run_macaw("simulate", game, "-t", "0.5", NULL);
	assert_int_equal(r.err.n, 0); /* no progress line: stderr is no terminal */
	assert_non_null(strstr(text_str(&r.out), "role   mean score"));
	assert_non_null(strstr(text_str(&r.out), "length     mean 2.2"));
	assert_non_null(strstr(text_str(&r.out), "branching  2.00 moves"));
	expect(r, 0, "####", "");
}

static void simulate_reports_broken_promises(void **state)
{
	expect(run_macaw("simulate", lonely, "-n", "64", NULL), 0, "64 playouts stuck", "");
	expect(run_macaw("simulate", game, "-n", "64", "--max-steps", "1", "--json", NULL), 0, "\"unfinished\":", "");
}

static void simulate_refuses_nonsense(void **state)
{
	expect(run_macaw("simulate", game, "-n", "0", NULL), 2, "", "--playouts must be between 1");
	expect(run_macaw("simulate", game, "-n", "-5", NULL), 2, "", "--playouts must be between 1");
	expect(run_macaw("simulate", game, "-n", "many", NULL), 2, "", "many");
	expect(run_macaw("simulate", game, "-t", "-1", NULL), 2, "", "--time must be between");
	expect(run_macaw("simulate", game, "--threads", "0", NULL), 2, "", "--threads must be between 1");
	expect(run_macaw("simulate", game, "--seed", "-1", NULL), 2, "", "--seed must be between 0");
}

/* ---- perft ------------------------------------------------------------------------------------- */

static void perft_counts(void **state)
{
	static const char *const engines[] = {"circuit", "interpreter"};
	for (int i = 0; i < 2; i++) {
		struct run r = run_macaw("perft", game, "9", "--engine", engines[i], "--json", NULL);
		const char *out = text_str(&r.out);
		assert_non_null(strstr(out, "{\"depth\":0,\"sequences\":1,\"states\":1,\"terminal\":0,\"stuck\":0,"));
		assert_non_null(strstr(out, "{\"depth\":1,\"sequences\":2,\"states\":2,\"terminal\":0,\"stuck\":0,"));
		assert_non_null(strstr(out, "{\"depth\":2,\"sequences\":3,\"states\":2,\"terminal\":1,\"stuck\":0,"));
		assert_non_null(strstr(out, "{\"depth\":3,\"sequences\":1,\"states\":1,\"terminal\":1,\"stuck\":0,"));
		assert_null(strstr(out, "\"depth\":4"));
		expect(r, 0, "\"complete\":true", "");
	}
	expect(run_macaw("perft", game, "0", NULL), 0, "    0                   1            1            0", "");
	expect(run_macaw("perft", lonely, "5", NULL), 0, "1 state without a legal move", "");
}

static void perft_refuses_nonsense(void **state)
{
	expect(run_macaw("perft", game, NULL), 2, "", "a DEPTH");
	expect(run_macaw("perft", game, "3", "4", NULL), 2, "", "a DEPTH");
	expect(run_macaw("perft", game, "deep", NULL), 2, "", "not deep");
	expect(run_macaw("perft", game, "3x", NULL), 2, "", "not 3x");
	expect(run_macaw("perft", game, "--", "-1", NULL), 2, "", "not -1");
	expect(run_macaw("perft", game, "99999999999999999999", NULL), 2, "", "not 9999");
}

/* ---- verify ------------------------------------------------------------------------------------ */

static void verify_replays(void **state)
{
	expect(run_macaw("verify", game, trace, NULL), 0, "ok: 1 match, 3 steps\n", "");
	expect(run_macaw("verify", game, trace, trace, "--engine", "interpreter", NULL), 0, "ok: 2 matches, 6 steps\n", "");
	expect(run_macaw("verify", game, trace, "--json", NULL), 0,
	       "\"ok\":true,\"matches\":1,\"steps\":3,\"difference\":null}", "");
	expect(run_macaw("verify", game, trace, bad_trace, NULL), 1, "", "bad.jsonl:2: step 2 of match 0 follows step 0");
	expect(run_macaw("verify", lonely, trace, NULL), 1, "pile.jsonl:1: match 0, step 0: the state differs", "");
	expect(run_macaw("verify", game, "no/such.jsonl", NULL), 1, "", "no/such.jsonl");
	expect(run_macaw("verify", game, "/dev/null", NULL), 1, "", "no step");
	expect(run_macaw("verify", game, game, NULL), 1, "", "pile.kif:1: this is no JSON");
	expect(run_macaw("verify", game, NULL), 2, "", "TRACE");
	expect(run_macaw("verify", NULL), 2, "", "GAME");
}

/* ---- match ------------------------------------------------------------------------------------- */

static void matches_are_played(void **state)
{
	expect(run_macaw("match", game, "--players", "legal,legal", "--json", NULL), 0,
	       "\"steps\":3,\"terminal\":true,\"stuck\":false,\"goals\":{\"left\":100,\"right\":0},\"moves\":[{\"left\":\"("
	       "Take 1)\","
	       "\"right\":\"noop\"},",
	       "");
	expect(run_macaw("match", game, "--players", "legal,legal", NULL), 0, "left    legal    100\n", "");
	expect(run_macaw("match", game, "--players", "legal,random", "--watch", NULL), 0,
	       "step 1: left (Take 1), right noop\n", "");
	expect(run_macaw("match", lonely, "--players", "legal", NULL), 0, "1 step; stuck", "");
	expect(run_macaw("match", game, "--players", "legal,legal", "--max-steps", "1", NULL), 0, "1 step; given up", "");
}

static void matches_need_players(void **state)
{
	expect(run_macaw("match", game, NULL), 2, "", "say who plays");
	expect(run_macaw("match", game, "--players", "random", NULL), 2, "",
	       "for 2 players (left, right), --players names 1");
	expect(run_macaw("match", game, "--players", "random,random,legal", NULL), 2, "", "--players names 3");
	expect(run_macaw("match", game, "--players", "random,randon", NULL), 2, "",
	       "no player 'randon' (did you mean 'random'?)");
	expect(run_macaw("match", game, "--players", "", NULL), 2, "", "Players:\n  random");
	expect(run_macaw("match", game, "--players", "random,", NULL), 2, "", "Players:\n  random");
}

static void boards_are_drawn(void **state)
{
	char path[64];
	write_file(path, "grid.kif",
	           "(role w) (role random) (succ 1 2) (succ 2 3)\n"
	           "(init (at blank 1 a)) (init (at blank 2 a)) (init (at blank 3 a))\n"
	           "(init (at (man red) 1 b)) (init (at rook 2 b)) (init (at blank 3 b)) (init (other 7))\n"
	           "(legal w go) (legal random stay) (goal w 50)\n"
	           "(<= (next ?f) (true ?f)) (next done) (<= terminal (true done))\n");
	expect(run_macaw("match", path, "-p", "legal", "--watch", NULL), 0,
	       "  at\n    3  . .\n    2  . r\n    1  . m\n       a b\n    m (man red)   r rook\n    other: 7\n", "");
	unlink(path);
}

/* ---- show -------------------------------------------------------------------------------------- */

static void stages_are_shown(void **state)
{
	expect(run_macaw("show", game, "--ground", NULL), 0, "(init (pile 3))", "");
	expect(run_macaw("show", game, "--circuit", NULL), 0, "\nterminal = (true (pile 0))\n", "");
	expect(run_macaw("show", game, "--circuit", "--dot", NULL), 0, "digraph circuit {", "");
	expect(run_macaw("show", game, "--dot", NULL), 2, "", "--dot goes with --circuit");
	expect(run_macaw("show", game, "--ground", "--circuit", NULL), 2, "", "choose one");
}

/* ---- play ---------------------------------------------------------------------------------- */

/* What macaw play says to somebody who types these lines. */
static struct run type(const char *lines, const char *arguments)
{
	struct text line = {0};
	text_printf(&line, "printf '%s' | \"${MACAW:-build/macaw}\" play %s", lines, arguments);
	struct run r = run_words("sh", (char *[]){"sh", "-c", unconst(text_str(&line)), NULL});
	text_free(&line);
	return r;
}

/* To switch is right in the belief of one who saw a door being opened; to one who knew
 * the car it would be wrong one time in three. Asked twice it says the same. */
static void hints_come_from_what_the_role_sees(void **state)
{
	static const char *const players[] = {"macaw", "ismcts"};
	for (int seed = 1; seed <= 4; seed++) {
		char arguments[100];
		snprintf(arguments, sizeof arguments, "monty_hall -c0.4 --seed %d --player %s", seed, players[seed % 2]);
		struct run r = type("point_at 1\\nhint\\nh\\nundo\\nhint\\nquit\\n", arguments);
		const char *at = text_str(&r.out);
		int hints = 0;
		assert_int_equal(r.status, 0);
		while ((at = strstr(at, "> ")) && (at = strstr(at, "  switch (")))
			hints++;
		if (hints != 3 || !strstr(text_str(&r.out), "you see: (open_door"))
			fail_msg("%s: %d hints to switch in\n%s", arguments, hints, text_str(&r.out));
		run_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(bad_games_are_the_inputs_fault),
		cmocka_unit_test(a_bound_too_small_leaves_it_to_the_interpreter),
		cmocka_unit_test(info_counts),
		cmocka_unit_test(simulate_keeps_its_contract),
		cmocka_unit_test(equal_seeds_give_equal_playouts),
		cmocka_unit_test(simulate_tells_people),
		cmocka_unit_test(simulate_reports_broken_promises),
		cmocka_unit_test(simulate_refuses_nonsense),
		cmocka_unit_test(perft_counts),
		cmocka_unit_test(perft_refuses_nonsense),
		cmocka_unit_test(verify_replays),
		cmocka_unit_test(matches_are_played),
		cmocka_unit_test(matches_need_players),
		cmocka_unit_test(boards_are_drawn),
		cmocka_unit_test(stages_are_shown),
		cmocka_unit_test(hints_come_from_what_the_role_sees),
	};
	return RUN_IN(cases, set_up, tear_down);
}
