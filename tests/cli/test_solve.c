/* macaw solve as its user meets it: examples with the judge on, packed files, standard input, foreign formats, options
 * that do not apply, interrupts, documents that want to grow without end. */
#include "test.h"

#include "run.h"

#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
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
	           {"australia", "SOLUTIONS 18\n", true},
	           {"queens8", "SOLUTIONS 92\n", true},
	           {"send_more_money", "SOLUTIONS 1\n", true},
	           {"cross_roads_danger", "SOLUTIONS 1\n", true},
	           {"base_ball_games", "SOLUTIONS 1\n", true},
	           {"two_two_four", "SOLUTIONS 7\n", true},
	           {"sudoku", "SOLUTIONS 1\n", true},
	           {"nonogram", "SOLUTIONS 1\n", true},
	           {"exams", "o 4\ns OPTIMUM", false},
	           {"warehouses", "o 123\ns OPTIMUM", false},
	           {"stamps", "o 9\ns OPTIMUM", false},
	           {"water", "o 54\ns OPTIMUM", false},
	           {"league", "SOLUTIONS 6\n", true},
	           {"knights_tour", "s SATISFIABLE", false},
	           {"pirates", "o 35\ns OPTIMUM", false},
	           {"lights_out", "o 15\ns OPTIMUM", false},
	           {"word_square", "SOLUTIONS 18\n", true},
	           {"musicians", "SOLUTIONS 1\n", true}};
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
	expect(run_macaw("solve", file_of("a.mzn", "include \"globals.mzn\";\nsolve satisfy;\n"), NULL), 1, "",
	       "a.mzn:1:1: error: ");
	snprintf(command, sizeof command, "gzip -c %s > %s", example("australia"), gz);
	if (!system(command))
		expect(run_macaw("solve", "--count", gz, NULL), 0, "SOLUTIONS 18\n", "");
	snprintf(command, sizeof command, "command -v xz > /dev/null && xz --format=lzma -c %s > %s", example("australia"),
	         lzma);
	if (!system(command))
		expect(run_macaw("solve", "--count", lzma, NULL), 0, "SOLUTIONS 18\n", "");
	snprintf(command, sizeof command, "%s solve --count - < %s | grep -q 'SOLUTIONS 18'", getenv("MACAW"),
	         example("australia"));
	assert_int_equal(system(command), 0);
}

static void flatzinc(void **state)
{
	static const char best[] =
		"var 1..3: x :: output_var;\nvar 0..9: c :: output_var;\nconstraint int_lin_le([1,2],[c,x],9);\n"
		"solve maximize c;\n";
	(void)state;
	expect(run_macaw("solve", file_of("a.fzn", "var 1..3: x :: output_var;\nsolve satisfy;\n"), NULL), 0,
	       "x = 1;\n----------\n", "");
	expect(run_macaw("solve", "--all", file_of("a.fzn", "var 1..2: x :: output_var;\nsolve satisfy;\n"), NULL), 0,
	       "x = 1;\n----------\nx = 2;\n----------\n==========\n", "");
	expect(run_macaw("solve", file_of("a", "var 1..2: x;\nconstraint int_le(3,x);\nsolve satisfy;\n"), NULL), 0,
	       "=====UNSATISFIABLE=====\n", "");
	expect(run_macaw("solve", file_of("a.fzn", best), NULL), 0, "x = 1;\nc = 7;\n----------\n==========\n", "");
	expect(run_macaw("solve", "--json", file_of("a.fzn", best), NULL), 0, "\"instantiations\":[{\"x\":1,\"c\":7}]", "");
	expect(run_macaw("solve", "--statistics", "--check", file_of("a.fzn", best), NULL), 0, "%%%mzn-stat: objective=7\n",
	       "");
	expect(run_macaw("solve", file_of("a.fzn", "var 1..2: x;\nconstraint int_lee(3,x);\nsolve satisfy;\n"), NULL), 1,
	       "", "a.fzn:2:12: error: constraint int_lee is not known; did you mean int_le?");
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
		{"knapsack",
	     "items=5; limits=2; worth=[9,7,5,4,3]; pieces=[2,1,3,2,4]; size=[|5,4,3,2,1|3,4,2,3,1|]; room=[17,14];"},
		{"travelling_salesman", "towns=5; distance=[|0,3,9,8,4|3,0,5,7,6|9,5,0,2,8|8,7,2,0,4|4,6,8,4,0|];"},
		{"job_shop", "jobs=3; machines=3; machine=[|1,2,3|1,3,2|2,1,3|]; length=[|3,2,2|2,1,4|4,3,1|];"},
		{"rcpsp",
	     "tasks=5; resources=1; length=[3,2,4,1,3]; capacity=[4]; need=[|2,3,2,1,3|]; arcs=2; before=[|1,3|2,5|];"},
		{"nurses", "nurses=3; days=4; wish=[|1,2,3,3|2,2,2,1|3,3,3,3|]; by_day=1; by_night=1;"},
		{"open_stacks", "patterns=4; orders=3; needs=[|1,0,1,0|0,1,0,1|1,1,0,0|];"},
	};
	(void)state;
	if (system("command -v minizinc fzn-gecode > /dev/null"))
		SKIP("minizinc and fzn-gecode are not installed");
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		char *ours = answer("macaw", runs[i].model, runs[i].data),
			 *theirs = answer("gecode", runs[i].model, runs[i].data);
		if (strcmp(ours, theirs) || !strstr(ours, "=========="))
			fail_msg("%s: %s and Gecode says %s", runs[i].model, ours, theirs);
		mem_free(ours);
		mem_free(theirs);
	}
}

/* Learning, MAC and the two by turns agree on what they judge alike. */
static void examples_by_each_search(void **state)
{
	static const struct {
		const char *name, *says;
	} all[] = {{"warehouses", "o 123\ns OPTIMUM"}, {"stamps", "o 9\ns OPTIMUM"},      {"water", "o 54\ns OPTIMUM"},
	           {"pirates", "o 35\ns OPTIMUM"},     {"lights_out", "o 15\ns OPTIMUM"}, {"exams", "o 4\ns OPTIMUM"}};
	static const char *const searches[] = {"mac", "lcg"};
	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (size_t k = 0; k < sizeof searches / sizeof *searches; k++)
			expect(run_macaw("solve", "--check", example(all[i].name), "-a", searches[k], NULL), 0, all[i].says, "");
}

/* However many search: the same status and the same best cost. */
static void several_threads(void **state)
{
	static const struct {
		const char *name, *says;
	} all[] = {{"warehouses", "o 123\ns OPTIMUM"},
	           {"golomb", "o 25\ns OPTIMUM"},
	           {"job_shop", "o 11\ns OPTIMUM"},
	           {"sudoku", "s SATISFIABLE"},
	           {"photo", "o 5\ns OPTIMUM"}};
	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		expect(run_macaw("solve", "--check", "-p", i % 2 ? "2" : "5", example(all[i].name), NULL), 0, all[i].says, "");
	expect(run_macaw("solve", "--check", "-a", "lns", example("warehouses"), NULL), 0, "o 123\ns OPTIMUM", "");
	expect(
		run_macaw("solve", "--threads", "3", file_of("a.fzn", "var 1..9: x :: output_var;\nsolve maximize x;\n"), NULL),
		0, "x = 9;\n----------\n==========\n", "");
	expect(run_macaw("solve", "-p", "2", "--count", example("australia"), NULL), 1, "", "not for all");
	expect(run_macaw("solve", "-p", "2", "-a", "mac", example("australia"), NULL), 1, "", "with auto only");
	expect(run_macaw("solve", "-a", "lns", example("australia"), NULL), 1, "", "there is no objective");
	expect(run_macaw("solve", "-p", "2", "tictactoe", NULL), 2, "", "--threads does not apply to a game");
}

static void words_for_people(void **state)
{
	static const char head[] =
		"<instance format=\"XCSP3\" type=\"CSP\">\n<variables>\n<var id=\"x\"> 0..3 </var>\n</variables>\n";
	struct text t = {0};
	(void)state;
	text_printf(&t, "%s<constraints>\n\n<allDiferent> x </allDiferent>\n</constraints>\n</instance>\n", head);
	expect(run_macaw("solve", file_of("typo.xml", text_str(&t)), NULL), 1, "",
	       "typo.xml:7: error: the constraint allDiferent is not supported; did you mean allDifferent?");
	expect(run_macaw("solve", "--algoritm", "mac", example("australia"), NULL), 2, "", "did you mean --algorithm?");
	expect(run_macaw("solve", "-v", example("exams"), NULL), 0,
	       "c variables 9\nc hidden 1\nc constraints 17\no 4\nc after ", "");
	expect(run_macaw("solve", "--json", "--count", example("australia"), NULL), 0,
	       "\"status\":\"SATISFIABLE\",\"complete\":true,\"solutions\":18", "");
	/* The kind of a document is that of its root element, however long the comment before it. */
	t.n = 0;
	text_puts(&t, "<!-- ");
	for (int i = 0; i < 20000; i++)
		text_putc(&t, 'x');
	text_puts(&t,
	          " type=\"CSP\" -->\n<instance format=\"XCSP3\" type=\"SCSP\">\n<variables>\n<var id=\"x\"> 0 1 </var>\n"
	          "<var id=\"y\" type=\"stochastic\"> 0:1/3 1:2/3 </var>\n</variables>\n<constraints>\n<intension> eq(x,y) "
	          "</intension>\n"
	          "</constraints>\n</instance>\n");
	const char *path = file_of("late.xml", text_str(&t));
	expect(run_macaw("solve", "--best", path, NULL), 0, "policy: x=1", "");
	expect(run_macaw("solve", "--best", "--json", path, NULL), 0, "\"policies\":[[\"policy: x=1\"", "");
	expect(run_macaw("solve", "--write", "-", path, NULL), 0, " 0:1/3 1:2/3 ", "");
	struct run r = run_macaw("solve", "--json", path, NULL);
	const char *first = strstr(text_str(&r.out), "\"policies\"");
	assert_non_null(first);
	assert_null(strstr(first + 1, "\"policies\"")); /* one member of that name */
	run_free(&r);
	text_free(&t);
}

/* An identifier of any length comes back as it was. */
static void long_names(void **state)
{
	struct text t = {0}, id = {0};
	(void)state;
	for (int i = 0; i < 500; i++)
		text_puts(&id, "long");
	text_printf(&t,
	            "<instance format=\"XCSP3\" type=\"CSP\"><variables><var id=\"%s\"> 0 1 </var></variables></instance>",
	            text_str(&id));
	expect(run_macaw("solve", "--write", "-", file_of("long.xml", text_str(&t)), NULL), 0, text_str(&id), "");
	expect(run_macaw("solve", file_of("long.xml", text_str(&t)), NULL), 0, text_str(&id), "");
	text_free(&id);
	text_free(&t);
}

static const char *hard_ruler(void)
{
	struct text t = {0};
	text_puts(&t, "<instance format=\"XCSP3\" type=\"COP\"><variables><array id=\"m\" size=\"[13]\"> 0..300 "
	              "</array></variables><constraints>"
	              "<ordered case=\"strictlyIncreasing\"> m[] </ordered><allDifferent>");
	for (int i = 0; i < 13; i++)
		for (int j = i + 1; j < 13; j++)
			text_printf(&t, " sub(m[%d],m[%d])", j, i);
	text_puts(&t, " </allDifferent></constraints><objectives><minimize> m[12] </minimize></objectives></instance>");
	const char *path = file_of("golomb.xml", text_str(&t));
	text_free(&t);
	return path;
}

/* On a terminal a line says how far it is; it is wiped before a cost is printed. */
static void terminals_see_progress(void **state)
{
	const char *path = hard_ruler();
	struct text seen = {0};
	char piece[4000];
	int fd;
	(void)state;
	pid_t child = forkpty(&fd, NULL, NULL, NULL);
	assert_true(child >= 0);
	if (!child) {
		setenv("TERM", "xterm", 1);
		execl(getenv("MACAW"), "macaw", "solve", path, (char *)NULL);
		_exit(127);
	}
	for (ssize_t n; !(strstr(text_str(&seen), "solving ") && strstr(text_str(&seen), " nodes, best ")) &&
	                (n = read(fd, piece, sizeof piece)) > 0;)
		text_add(&seen, piece, (size_t)n);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(fd);
	assert_non_null(strstr(text_str(&seen), " nodes, best "));
	text_free(&seen);
}

static void options_that_do_not_apply(void **state)
{
	(void)state;
	expect(run_macaw("solve", example("australia"), "--method", "mac", NULL), 2, "", "--method does not apply");
	expect(run_macaw("solve", example("golomb"), "--count", NULL), 2, "", "--any");
	expect(run_macaw("solve", example("golomb"), "--count", "--any", "--nodes", "100", NULL), 0, "d FOUND", "");
}

/* Seconds of processors, of all programs that were run. */
static double work_of_children(void)
{
	struct rusage u;
	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
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
		fprintf(f, "<!ENTITY a%d \"&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;&a%d;\">", i, i - 1, i - 1, i - 1, i - 1, i - 1,
		        i - 1, i - 1, i - 1);
	fputs("]>\n<instance format=\"XCSP3\" type=\"CSP\" note=\"&a11;\"/>\n", f);
	fclose(f);
	double start = work_of_children();
	expect(run_macaw("solve", path, NULL), 1, "", ":2: error: document type declarations are not accepted");
	assert_true(work_of_children() - start < 10);
	remove(path);
	expect(run_macaw("solve", "--memory", "200",
	                 file_of("large.xml", "<instance format=\"XCSP3\" type=\"CSP\">\n<variables>\n<array id=\"x\" "
	                                      "size=\"[4000000]\"> 0..60 </array>\n"
	                                      "</variables>\n</instance>\n"),
	                 NULL),
	       1, "", "large.xml:3: error: 4000000 variables x with 61 values");
}

/* SIGTERM: the best solution so far is shown. */
static void interrupts(void **state)
{
	char command[3000];
	const char *path = hard_ruler();
	(void)state;
	/* as soon as there is one, however long that takes */
	for (int threads = 1; threads <= 2; threads++) {
		struct text out = {0};
		snprintf(command, sizeof command,
		         "%s solve -p %d %s > %s.out & n=0; until grep -q '^o ' %s.out || [ $n -ge 1200 ]; do sleep 0.1; "
		         "n=$((n + 1)); done; "
		         "kill -TERM $!; wait $!",
		         getenv("MACAW"), threads, path, path, path);
		assert_int_not_equal(system(command), -1);
		snprintf(command, sizeof command, "%s.out", path);
		assert_true(text_read_file(&out, command, 1 << 20, NULL));
		assert_non_null(strstr(text_str(&out), "o "));
		assert_non_null(strstr(text_str(&out), "s SATISFIABLE\nv <instantiation type=\"solution\" cost="));
		text_free(&out);
	}
}

/* Who wins, from the start and from elsewhere, and a strategy that can be followed. */
static void games_of_two_roles(void **state)
{
	const char *file = scratch("strategy");
	expect(run_macaw("solve", "tictactoe", NULL), 0, "s SOLVED\no x 50\no o 50\nd drawn with best play, 50 to 50\n",
	       "");
	expect(run_macaw("solve", "tictactoe", "--after", "mark 1 1; mark 1 2", NULL), 0,
	       "d x wins with best play, 100 to 0\n", "");
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
	r = run_macaw("solve", "tictactoe", "--strategy", "/no/such/folder/x", NULL); /* said before the work */
	assert_non_null(strstr(text_str(&r.err), "cannot write /no/such/folder/x"));
	assert_string_equal(text_str(&r.out), "");
	run_free(&r);
	expect(run_macaw("solve", "hanoi", "--strategy", file, NULL), 2, "",
	       "--strategy does not apply to a game of one role");
	expect(run_macaw("solve", "tictactoe", "--puzzle", "sat", NULL), 2, "",
	       "--puzzle does not apply to a game of several roles");
	expect(run_macaw("solve", "--role", "x", example("australia"), NULL), 2, "", "--role does not apply");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_have_their_answers),
		cmocka_unit_test(files_of_all_sorts),
		cmocka_unit_test(flatzinc),
		cmocka_unit_test(the_same_optima_as_gecode),
		cmocka_unit_test(options_that_do_not_apply),
		cmocka_unit_test(examples_by_each_search),
		cmocka_unit_test(several_threads),
		cmocka_unit_test(words_for_people),
		cmocka_unit_test(long_names),
		cmocka_unit_test(terminals_see_progress),
		cmocka_unit_test(bombs),
		cmocka_unit_test(interrupts),
		cmocka_unit_test(games_of_two_roles),
	};
	return RUN(tests);
}
