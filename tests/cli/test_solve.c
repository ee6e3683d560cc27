/* macaw solve as its user meets it: examples with the judge on, packed files, standard input, foreign formats, options that
 * do not apply, interrupts, documents that want to grow without end. */
#include "test.h"

#include "base/clock.h"
#include "run.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *scratch(const char *name)
{
	static char path[4][200];
	static int next;
	char *p = path[next++ % 4];
	snprintf(p, sizeof path[0], "/tmp/macaw_solve_%d_%s", (int)getpid(), name);
	return p;
}

static char *file_of(const char *name, const char *text)
{
	char *path = scratch(name);
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

static const char *example(const char *name)
{
	static char path[1000];
	snprintf(path, sizeof path, "%s/examples/csp/%s.xml", getenv("MACAW_SOURCE"), name);
	return path;
}

static void expect(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status || !strstr(text_str(&r.out), out) || !strstr(text_str(&r.err), err))
		fail_msg("status %d\n%s\n%s", r.status, text_str(&r.out), text_str(&r.err));
	run_free(&r);
}

static void examples_have_their_answers(void **state)
{
	static const struct {
		const char *name, *says;
		bool count;
	} all[] = {{"travelling_salesman", "o 91\ns OPTIMUM", false},
	           {"building_site", "o 12\ns OPTIMUM", false},
	           {"nurse", "SOLUTIONS 7248", true},
	           {"knapsack", "o 80\ns OPTIMUM", false},
	           {"boxes", "o 3\ns OPTIMUM", false},
	           {"golomb", "o 25\ns OPTIMUM", false},
	           {"magic_square", "SOLUTIONS 8\n", true},
	           {"quasigroup", "SOLUTIONS 56\n", true},
	           {"car_sequencing", "SOLUTIONS 126\n", true},
	           {"photo", "o 5\ns OPTIMUM", false},
	           {"job_shop", "o 11\ns OPTIMUM", false},
	           {"car_assembly", "type=\"optimum\" cost=\"24\"", false},
	           {"australia", "SOLUTIONS 18\n", true}};
	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct run r = run_macaw("solve", "--check", example(all[i].name), all[i].count ? "--count" : NULL, NULL);
		assert_non_null(strstr(text_str(&r.out), "d VERIFIED"));
		expect(r, 0, all[i].says, "");
	}
}

static void files_of_all_sorts(void **state)
{
	char command[3000], *gz = scratch("a.xml.gz"), *lzma = scratch("a.xml.lzma");
	(void)state;
	expect(run_macaw("solve", file_of("a.cnf", "c a formula\np cnf 1 1\n1 0\n"), NULL), 1, "", "p cnf");
	expect(run_macaw("solve", file_of("a.mzn", "include \"globals.mzn\";\nsolve satisfy;\n"), NULL), 1, "", "a.mzn:1:1: error: ");
	snprintf(command, sizeof command, "gzip -c %s > %s", example("australia"), gz);
	if (!system(command))
		expect(run_macaw("solve", "--count", gz, NULL), 0, "SOLUTIONS 18\n", "");
	snprintf(command, sizeof command, "command -v xz > /dev/null && xz --format=lzma -c %s > %s", example("australia"), lzma);
	if (!system(command))
		expect(run_macaw("solve", "--count", lzma, NULL), 0, "SOLUTIONS 18\n", "");
	snprintf(command, sizeof command, "%s solve --count - < %s | grep -q 'SOLUTIONS 18'", getenv("MACAW"), example("australia"));
	assert_int_equal(system(command), 0);
}

static void flatzinc(void **state)
{
	static const char best[] = "var 1..3: x :: output_var;\nvar 0..9: c :: output_var;\nconstraint int_lin_le([1,2],[c,x],9);\n"
							   "solve maximize c;\n";
	(void)state;
	expect(run_macaw("solve", file_of("a.fzn", "var 1..3: x :: output_var;\nsolve satisfy;\n"), NULL), 0, "x = 1;\n----------\n", "");
	expect(run_macaw("solve", "--all", file_of("a.fzn", "var 1..2: x :: output_var;\nsolve satisfy;\n"), NULL), 0,
	       "x = 1;\n----------\nx = 2;\n----------\n==========\n", "");
	expect(run_macaw("solve", file_of("a", "var 1..2: x;\nconstraint int_le(3,x);\nsolve satisfy;\n"), NULL), 0,
	       "=====UNSATISFIABLE=====\n", "");
	expect(run_macaw("solve", file_of("a.fzn", best), NULL), 0, "x = 1;\nc = 7;\n----------\n==========\n", "");
	expect(run_macaw("solve", "--json", file_of("a.fzn", best), NULL), 0, "\"instantiations\":[{\"x\":1,\"c\":7}]", "");
	expect(run_macaw("solve", "--statistics", "--check", file_of("a.fzn", best), NULL), 0, "%%%mzn-stat: objective=7\n", "");
	expect(run_macaw("solve", file_of("a.fzn", "var 1..2: x;\nconstraint int_lee(3,x);\nsolve satisfy;\n"), NULL), 1, "",
	       "a.fzn:2:12: error: constraint int_lee is not known; did you mean int_le?");
	expect(run_macaw("solve", "--free", example("australia"), NULL), 2, "", "--free does not apply");
}

/* The last solution that a solver prints for a model of ours: what the objective, or any number that is printed, is. */
static char *answer(const char *solver, const char *model, const char *data)
{
	char command[2000];
	struct text out = {0};
	char *path = scratch("answer");
	snprintf(command, sizeof command,
	         "MZN_SOLVER_PATH=$(dirname \"$MACAW\") minizinc --solver %s --output-mode item --output-objective -D '%s' "
	         "\"$MACAW_SOURCE\"/examples/minizinc/%s.mzn 2>/dev/null | grep -E '^_objective|^=====' > %s",
	         solver, data, model, path);
	if (system(command))
		printf("minizinc --solver %s %s: no answer\n", solver, model);
	text_read_file(&out, path, 1 << 20, NULL);
	remove(path);
	return out.at ? out.at : text_copy("", 0);
}

static void the_same_optima_as_gecode(void **state)
{
	static const struct {
		const char *model, *data;
	} runs[] = {
		{"golomb", "n=6;"},
		{"knapsack", "items=5; limits=2; worth=[9,7,5,4,3]; pieces=[2,1,3,2,4]; size=[|5,4,3,2,1|3,4,2,3,1|]; room=[17,14];"},
		{"travelling_salesman", "towns=5; distance=[|0,3,9,8,4|3,0,5,7,6|9,5,0,2,8|8,7,2,0,4|4,6,8,4,0|];"},
		{"job_shop", "jobs=3; machines=3; machine=[|1,2,3|1,3,2|2,1,3|]; length=[|3,2,2|2,1,4|4,3,1|];"},
		{"rcpsp", "tasks=5; resources=1; length=[3,2,4,1,3]; capacity=[4]; need=[|2,3,2,1,3|]; arcs=2; before=[|1,3|2,5|];"},
		{"nurses", "nurses=3; days=4; wish=[|1,2,3,3|2,2,2,1|3,3,3,3|]; by_day=1; by_night=1;"},
		{"open_stacks", "patterns=4; orders=3; needs=[|1,0,1,0|0,1,0,1|1,1,0,0|];"},
	};
	(void)state;
	if (system("command -v minizinc fzn-gecode > /dev/null"))
		SKIP("minizinc and fzn-gecode are not installed");
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		char *ours = answer("macaw", runs[i].model, runs[i].data), *theirs = answer("gecode", runs[i].model, runs[i].data);
		if (strcmp(ours, theirs) || !strstr(ours, "=========="))
			fail_msg("%s: %s and Gecode says %s", runs[i].model, ours, theirs);
		mem_free(ours);
		mem_free(theirs);
	}
}

static void options_that_do_not_apply(void **state)
{
	(void)state;
	expect(run_macaw("solve", example("australia"), "--method", "mac", NULL), 2, "", "--method does not apply");
	expect(run_macaw("solve", example("golomb"), "--count", NULL), 2, "", "--any");
	expect(run_macaw("solve", example("golomb"), "--count", "--any", "--nodes", "100", NULL), 0, "d FOUND", "");
}

/* Nested entities, in a document large enough to switch the parser's own guards off. */
static void bombs(void **state)
{
	char *path = scratch("bomb.xml");
	FILE *f = fopen(path, "wb");
	(void)state;
	fputs("<!-- ", f);
	for (int i = 0; i < 9 << 20; i++)
		fputc('x', f);
	fputs(" -->\n<!DOCTYPE instance [<!ENTITY a0 \"aaaaaaaaaa\">", f);
	for (int i = 1; i < 12; i++)
		fprintf(f, "<!ENTITY a%d \"&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;\">", i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	fputs("]>\n<instance format=\"XCSP3\" type=\"CSP\" note=\"&a11;\"/>\n", f);
	fclose(f);
	double start = clock_now();
	expect(run_macaw("solve", path, NULL), 1, "", ":2: error: document type declarations are not accepted");
	assert_true(clock_now() - start < 10);
	remove(path);
	expect(run_macaw("solve", "--memory", "200",
	                 file_of("large.xml", "<instance format=\"XCSP3\" type=\"CSP\">\n<variables>\n<array id=\"x\" size=\"[4000000]\"> 0..60 </array>\n"
	                                      "</variables>\n</instance>\n"),
	                 NULL),
	       1, "", "large.xml:3: error: 4000000 variables x with 61 values");
}

/* SIGTERM: the best solution so far is shown. */
static void interrupts(void **state)
{
	struct text t = {0};
	char command[3000];
	(void)state;
	text_puts(&t, "<instance format=\"XCSP3\" type=\"COP\"><variables><array id=\"m\" size=\"[13]\"> 0..300 </array></variables><constraints>"
	              "<ordered case=\"strictlyIncreasing\"> m[] </ordered><allDifferent>");
	for (int i = 0; i < 13; i++)
		for (int j = i + 1; j < 13; j++)
			text_printf(&t, " sub(m[%d],m[%d])", j, i);
	text_puts(&t, " </allDifferent></constraints><objectives><minimize> m[12] </minimize></objectives></instance>");
	char *path = file_of("golomb.xml", text_str(&t));
	snprintf(command, sizeof command, "timeout -s TERM 3 %s solve %s > %s.out", getenv("MACAW"), path, path);
	assert_int_not_equal(system(command), -1);
	struct text out = {0};
	snprintf(command, sizeof command, "%s.out", path);
	assert_true(text_read_file(&out, command, 1 << 20, NULL));
	assert_non_null(strstr(text_str(&out), "o "));
	assert_non_null(strstr(text_str(&out), "s SATISFIABLE\nv <instantiation type=\"solution\" cost="));
	text_free(&out);
	text_free(&t);
}

/* Who wins, from the start and from elsewhere, and a strategy that can be followed. */
static void games_of_two_roles(void **state)
{
	const char *file = scratch("strategy");
	expect(run_macaw("solve", "tictactoe", NULL), 0, "s SOLVED\no x 50\no o 50\nd drawn with best play, 50 to 50\n", "");
	expect(run_macaw("solve", "tictactoe", "--after", "mark 1 1; mark 1 2", NULL), 0, "d x wins with best play, 100 to 0\n", "");
	expect(run_macaw("solve", "tictactoe", "--after", "mark 1 1; mark 1 2", "--json", NULL), 0,
	       "\"winner\":\"x\",\"roles\":[{\"role\":\"x\",\"low\":100,\"high\":100}", "");
	expect(run_macaw("solve", "tictactoe", "--strategy", file, "--role", "o", NULL), 0, "d strategy of o: ", "");
	struct run r = run_macaw("solve", "tictactoe", "--strategy", "-", "--role", "o", NULL);
	assert_non_null(strstr(text_str(&r.out), "; tictactoe: o is sure of 50 by this\n"));
	assert_non_null(strstr(text_str(&r.out), "\n(mark 2 2) => (mark "));
	run_free(&r);
	unlink(file);
	expect(run_macaw("solve", "tictactoe", "--role", "z", NULL), 2, "", "tictactoe has no role z");
	expect(run_macaw("solve", "connect_four", "--time", "0.2", NULL), 0, "s UNKNOWN\n", "");
	expect(run_macaw("solve", "connect_four", "--time", "0.2", "--strategy", file, NULL), 1, "", "is not solved");
	expect(run_macaw("solve", "rock_paper_scissors", NULL), 1, "", "both roles choose at the same time");
	expect(run_macaw("solve", "hanoi", "--strategy", file, NULL), 2, "", "--strategy does not apply to a game of one role");
	expect(run_macaw("solve", "tictactoe", "--puzzle", "sat", NULL), 2, "", "--puzzle does not apply to a game of several roles");
	expect(run_macaw("solve", "--role", "x", example("australia"), NULL), 2, "", "--role does not apply");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_have_their_answers), cmocka_unit_test(files_of_all_sorts), cmocka_unit_test(flatzinc), cmocka_unit_test(the_same_optima_as_gecode), cmocka_unit_test(options_that_do_not_apply),
		cmocka_unit_test(bombs),                       cmocka_unit_test(interrupts), cmocka_unit_test(games_of_two_roles),
	};
	return RUN(tests);
}
