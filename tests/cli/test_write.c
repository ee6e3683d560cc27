/* For those who write rules: explain, check --play, format, as their user meets them. */
#include "test.h"

#include "run.h"

#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/macaw-write-XXXXXX";
static char race[64], faults[64], endless[64];

/* Three slips: contorl, alcie, and no move for the one who waits. */
static const char race_text[] =
	"; Two walkers in turn; who comes to 3 first wins.\n"
	"(role alice)\n(role bob)\n(succ 0 1)\n(succ 1 2)\n(succ 2 3)\n"
	"(init (at alice 0))\n(init (at bob 0))\n(init (control alice))\n"
	"(<= (legal ?p step)\n    (true (contorl ?p)))\n"
	"(<= (next (at ?p ?y))\n    (does ?p step)\n    (true (at ?p ?x))\n    (succ ?x ?y))\n"
	"(<= (next (at ?p ?x))\n    (true (at ?p ?x))\n    (not (walks ?p)))\n"
	"(<= (walks ?p)\n    (does ?p step))\n"
	"(<= (next (control bob))\n    (true (control alcie)))\n"
	"(<= (next (control alice))\n    (true (control bob)))\n"
	"(<= terminal\n    (true (at ?p 3)))\n(<= (goal ?p 100)\n    (true (at ?p 3)))\n"
	"(<= (goal alice 0)\n    (true (at bob 3)))\n(<= (goal bob 0)\n    (true (at alice 3)))\n";

/* At the end a has two goals and b none; 3 is not in base, wait not in input. `stay` makes longer ways. */
static const char faults_text[] =
	"(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n(base (n 0)) (base (n 1)) (base (n 2))\n"
	"(input a go) (input b go) (input a stay) (legal a go) (legal a stay) (legal b go) (legal b wait)\n"
	"(<= (next (n ?y)) (true (n ?x)) (does a go) (succ ?x ?y))\n(<= (next (n ?x)) (true (n ?x)) (does a stay))\n"
	"(<= terminal (true (n 3)))\n(<= (goal a 100) (true (n 3)))\n(<= (goal a 50) (true (n 3)))\n(<= (goal b 50) (true "
	"(n 2)))\n";

static const char endless_text[] = "(role a) (init (n 0)) (legal a go) (<= (next (n 0)) (true (n 0)))\n"
								   "(<= (next (n 1)) (true (n 1)) (role a))\n(<= terminal (true (n 1)))\n(goal a 50)\n";

static void write_file(char path[64], const char *name, const char *text)
{
	snprintf(path, 64, "%s/%s", folder, name);
	test_write_file(path, text, strlen(text));
}

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	write_file(race, "race.kif", race_text);
	write_file(faults, "faults.kif", faults_text);
	write_file(endless, "endless.kif", endless_text);
	return 0;
}

static int tear_down(void **state)
{
	unlink(race);
	unlink(faults);
	unlink(endless);
	return rmdir(folder);
}

/* Each of the words, ended by NULL, is in what was said on both streams. */
static void expect(struct run r, int status, const char *const *words)
{
	for (; r.status == status && *words; words++)
		if (!strstr(text_str(&r.out), *words) && !strstr(text_str(&r.err), *words))
			break;
	if (r.status != status || *words)
		fail_msg("status %d, wanted %d\nmissing: %s\nstdout: %s\nstderr: %s", r.status, status, *words ? *words : "-",
		         text_str(&r.out), text_str(&r.err));
	run_free(&r);
}

#define EXPECT(r, status, ...) expect(r, status, (const char *const[]){__VA_ARGS__, NULL})

/* ---- check --play ---- */

#define SLIPS \
	"contorl is never true", "did you mean `control`?", "alcie never stands in this place of the fluent control", \
		"did you mean `alice`?", "the role bob has no legal move in the first state", "often called noop"

static void the_slips_of_a_race_are_named(void **state)
{
	EXPECT(run_macaw("check", race, NULL), 0, SLIPS);
	EXPECT(run_macaw("check", "--play", race, NULL), 1, SLIPS, "alice has no legal move in the initial position",
	       "(true (contorl alice))  fails in line 11: `contorl` is never true; did you mean `control`?", "2 defects");
}

static void defects_come_with_the_shortest_way(void **state)
{
	EXPECT(run_macaw("check", "--play", "-n", "200", faults, NULL), 1,
	       "a move is left out by `input`: (input b wait) does not hold in the initial position",
	       "a fluent is left out by `base`: (base (n 3)) does not hold",
	       "a has several goals at the end after 3 steps: go,", "by faults.kif:7", "by faults.kif:8",
	       "b has no goal at the end after 3 steps", "(true (n 2))  fails in line 9: what holds now: (n 3)",
	       "200 playouts, 4 defects");
	EXPECT(run_macaw("check", "--play", "-n", "3", endless, NULL), 1, "the game does not end after 10000 steps",
	       "(true (n 1))  fails in line 3: what holds now: (n 0)");
	EXPECT(run_macaw("check", "--play", "-n", "50", "tictactoe", NULL), 0, "50 playouts, no defects");
	EXPECT(run_macaw("check", "--play", "--json", "-n", "20", faults, NULL), 1, "\"defects\":4",
	       "\"kind\":\"goal-manifold\"",
	       "\"role\":\"a\",\"playouts\":20,\"steps\":3,\"shortest\":true,\"moves\":[[\"go\",");
}

/* ---- explain ---- */

static void derivations(void **state)
{
	EXPECT(run_macaw("explain", "tictactoe", "--why", "(legal x (mark 1 1))", NULL), 0,
	       "(legal x (mark 1 1))    by tictactoe.kif:45\n"
	       "├─ (true (control x))   in the position\n"
	       "└─ (true (cell 1 1 b))  in the position\n");
	EXPECT(run_macaw("explain", "tictactoe", "-m", "mark 2 2", "(next (cell 2 2 x))", NULL), 0,
	       "(does x (mark 2 2))  a move made");
	EXPECT(run_macaw("explain", "tictactoe", "(legal x ?m)", NULL), 0, "(and 8 more instances hold)");
	EXPECT(run_macaw("explain", "tictactoe", "legal(x, mark(1, 1))", NULL), 0, "by tictactoe.kif:45");
	EXPECT(run_macaw("explain", "monty_hall", "-m", "hide_car 1", "(sees candidate ?what)", NULL), 0, "does not hold");
	EXPECT(run_macaw("explain", "tictactoe", "--why", "terminal", "--json", NULL), 1, "\"holds\":false",
	       "\"reason\":\"rule-fails\"", "terminal does not hold");
	EXPECT(run_macaw("explain", "hex", "terminal", "--steps", "5", NULL), 0, "there are more steps");
}

static void failures(void **state)
{
	EXPECT(run_macaw("explain", "tictactoe", "--after", "mark 1 1", "--why-not", "(legal o (mark 1 1))", NULL), 0,
	       "could come from tictactoe.kif:45 (1 of 2 conditions hold), but:",
	       "(true (cell 1 1 b))  fails in line 47: what holds now: (cell 1 1 x)");
	EXPECT(run_macaw("explain", "tictactoe", "-m", "mark 2 2", "--why-not", "(next (cell 2 2 b))", NULL), 0,
	       "(not (marked 2 2))         fails in line 58: what is negated holds", "(does x (mark 2 2))  a move made");
	EXPECT(run_macaw("explain", "tictactoe", "--why-not", "(next (control o))", NULL), 1, "does hold");
	EXPECT(run_macaw("explain", "tictactoe", "(goal x 75)", NULL), 1, "`75` is no name in these rules");
	EXPECT(run_macaw("explain", "tictactoe", "(goal x mark)", NULL), 0, "`mark` never stands there");
	EXPECT(run_macaw("explain", "tictactoe", "(lien x)", NULL), 1, "did you mean line?");
	EXPECT(run_macaw("explain", "tictactoe", "(line x x)", NULL), 0, "no rule gives `line` with 2 arguments");
	EXPECT(run_macaw("explain", "tictactoe", "(not terminal)", NULL), 1, "one statement");
	EXPECT(run_macaw("explain", "tictactoe", "(next (cell 1 1 x))", NULL), 0, "no joint move is given");
	EXPECT(run_macaw("explain", "tictactoe", NULL), 2, "--why-not STATEMENT");
	EXPECT(run_macaw("explain", "tictactoe", "terminal", "--why", "terminal", NULL), 2, "one of --why");
	EXPECT(run_macaw("explain", "tictactoe", "-m", "mark 1 1; mark 2 2", "terminal", NULL), 2, "one joint move");
	EXPECT(run_macaw("explain", "tictactoe", "(legal x", NULL), 1, "macaw explain: (legal x: ");
}

/* ---- format ---- */

static void layout(void **state)
{
	char untidy[64];
	write_file(untidy, "untidy.kif", "; top\n(role   a)   ; behind\n\n\n(<= (p ?x)\n(q ?x))");
	EXPECT(run_macaw("format", untidy, NULL), 0, "; top\n(role a)     ; behind\n\n(<= (p ?x)\n\t(q ?x))\n");
	EXPECT(run_macaw("format", "--indent", "2", untidy, NULL), 0, "\n  (q ?x))\n");
	EXPECT(run_macaw("format", "--check", untidy, NULL), 1, "untidy.kif\n");
	EXPECT(run_macaw("format", "--write", untidy, NULL), 0, "untidy.kif\n");
	EXPECT(run_macaw("format", "--check", untidy, NULL), 0, "");
	EXPECT(run_macaw("format", "--check", "--write", untidy, NULL), 2, "not both");
	EXPECT(run_macaw("format", NULL), 2, "name a GAME");
	EXPECT(run_macaw("format", "-w", "-", NULL), 2, "standard input cannot be written");
	write_file(untidy, "untidy.kif", "(role a");
	EXPECT(run_macaw("format", "-w", untidy, NULL), 1, "never closed", "the text has errors");
	unlink(untidy);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(the_slips_of_a_race_are_named),
		cmocka_unit_test(defects_come_with_the_shortest_way),
		cmocka_unit_test(derivations),
		cmocka_unit_test(failures),
		cmocka_unit_test(layout),
	};
	return RUN_IN(cases, set_up, tear_down);
}
