/* macaw network as its user meets it: states, horizons, passes, and what it refuses. */
#include "test.h"

#include "run.h"

#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/macaw-network-XXXXXX";
static char prefix[64], infix[64], typo[64];

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
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	write_file(prefix, "prefix",
	           "; after x has marked the corner\n((true (control o)) (cell 1 1 x) (cell 1 2 b) (cell 1 3 b)\n"
	           "(cell 2 1 b) (cell 2 2 b) (cell 2 3 b) (cell 3 1 b) (cell 3 2 b) (cell 3 3 b))\n");
	write_file(infix, "infix",
	           "control(o). cell(1,1,x). cell(1, 2, b). cell(1,3,b). true(cell(2,1,b)).\n% the rest\n"
	           "cell(2,2,b), cell(2,3,b), cell(3,1,b), cell(3,2,b), cell(3,3,b)\n");
	write_file(typo, "typo", "(control o)\n(cell 1 1 xx)\n");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(prefix);
	unlink(infix);
	unlink(typo);
	return rmdir(folder);
}

static const char *game(const char *name)
{
	static char path[4096];
	const char *source = getenv("MACAW_SOURCE");
	snprintf(path, sizeof path, "%s/games/%s.kif", source ? source : ".", name);
	return path;
}

static void check_run(struct run *r, int status, const char *out, const char *err)
{
	if (r->status != status)
		fail_msg("exit status %d, not %d: %s", r->status, status, text_str(&r->err));
	if (out && !strstr(text_str(&r->out), out))
		fail_msg("no '%s' in: %s", out, text_str(&r->out));
	if (err && !strstr(text_str(&r->err), err))
		fail_msg("no '%s' in: %s", err, text_str(&r->err));
	run_free(r);
}

/* A state from moves, and the same from fluents in either form, is the same network. */
static void states(void **state)
{
	(void)state;
	struct run a = run_macaw("network", game("tictactoe"), "--after", "(mark 1 1),noop", "-o", "-", NULL);
	struct run b = run_macaw("network", game("tictactoe"), "--state", prefix, "-o", "-", NULL);
	struct run c = run_macaw("network", game("tictactoe"), "--state", infix, "-o", "-", NULL);
	assert_true(a.out.n > 1000);
	assert_string_equal(text_str(&a.out), text_str(&b.out));
	assert_string_equal(text_str(&a.out), text_str(&c.out));
	run_free(&a);
	run_free(&b);
	run_free(&c);
	struct run r = run_macaw("network", game("tictactoe"), "--state", typo, "-o", "-", NULL);
	check_run(&r, 1, NULL, ":2: (cell 1 1 xx) is no fluent of this game");
	r = run_macaw("network", game("tictactoe"), "--state", "/nowhere", NULL);
	check_run(&r, 1, NULL, "/nowhere");
	r = run_macaw("network", game("tictactoe"), "--state", prefix, "--after", "noop", NULL);
	check_run(&r, 1, NULL, "'noop' is no legal move of o");
	a = run_macaw("network", game("tictactoe"), "--after", "1 1; 2 2", "-o", "-", NULL);
	b = run_macaw("network", game("tictactoe"), "--state", prefix, "--after", "2 2", "-o", "-", NULL);
	assert_string_equal(text_str(&a.out), text_str(&b.out));
	run_free(&a);
	run_free(&b);
}

static void horizons(void **state)
{
	(void)state;
	struct run r = run_macaw("network", game("matching_pennies"), "--horizon", "2", "-o", "-", NULL);
	check_run(&r, 0, "terminal_at_2", NULL);
	r = run_macaw("network", game("matching_pennies"), "--horizon", "2", NULL);
	check_run(&r, 2, NULL, "-o FILE");
}

static void passes(void **state)
{
	(void)state;
	struct run r = run_macaw("network", game("tictactoe"), "--stats", NULL);
	check_run(&r, 0, "pass universal", NULL);
	r = run_macaw("network", game("tictactoe"), "--passes", "merge,sac", "--json", NULL);
	check_run(&r, 0, "\"passes\":[{\"pass\":\"merge\"", NULL);
	r = run_macaw("network", game("tictactoe"), "--passes", "marge", NULL);
	check_run(&r, 2, NULL, "merge, unary, universal, sac");
}

/* Games that hide something have a variable for each percept; others are as they were. */
static void percepts(void **state)
{
	(void)state;
	struct run r = run_macaw("network", game("monty_hall"), NULL);
	check_run(&r, 0, "percepts     6, a variable each", NULL);
	r = run_macaw("network", game("monty_hall"), "--json", NULL);
	check_run(&r, 0, "\"percepts\":6", NULL);
	r = run_macaw("network", game("monty_hall"), "--table", NULL);
	check_run(&r, 0, "sees_candidate_open_door_1 {0, 1}", NULL);
	r = run_macaw("network", game("monty_hall"), "--translation", "rules", "--initial", "-o", "-", NULL);
	check_run(&r, 0, "sees_candidate_car_behind_3", NULL);
	r = run_macaw("network", game("monty_hall"), "--horizon", "2", "-o", "-", NULL);
	check_run(&r, 0, "terminal_at_2", NULL);
	r = run_macaw("network", game("tictactoe"), "--json", NULL);
	check_run(&r, 0, "\"percepts\":0", NULL);
}

/* Too large for the memory: said so, with what was too large; and still a game. */
static void too_large(void **state)
{
	(void)state;
	struct run r = run_macaw("network", game("breakthrough_6x6"), "--memory", "1", NULL);
	check_run(&r, 1, NULL, "next: the tables would not fit the memory");
	r = run_macaw("network", game("hex"), "--memory", "1", NULL);
	check_run(&r, 1, NULL, "recursion inside a state, written out, would not fit the memory: (");
	r = run_macaw("perft", game("breakthrough_6x6"), "1", NULL);
	check_run(&r, 0, "16", NULL);
}

/* Both translations, and what they say where the network does not fit: the rule and its line. */
static void translations(void **state)
{
	struct run r = run_macaw("network", game("tictactoe"), "--translation", "rules", "--json", NULL);
	check_run(&r, 0, "\"relations\":12,\"max_relation\":27,\"rules\":18", NULL);
	r = run_macaw("network", game("tictactoe"), "--translation", "rules", "--table", NULL);
	check_run(&r, 0, "next_cell_1_1_by_rule_1", NULL);
	r = run_macaw("network", game("tictactoe"), "--translation", "roles", NULL);
	check_run(&r, 2, NULL, "gates, rules");
	r = run_macaw("network", game("breakthrough_6x6"), "--memory", "1", NULL);
	check_run(&r, 1, NULL, ", line ");
	r = run_macaw("network", game("connect_four"), "--simplify", "--json", NULL);
	check_run(&r, 0, "\"template_passes\":[{\"pass\":\"merge\"", NULL);
	r = run_macaw("network", game("connect_four"), "--simplify", "--table", NULL);
	check_run(&r, 2, NULL, "cannot be unrolled or printed");
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(states),   cmocka_unit_test(horizons),     cmocka_unit_test(passes),
		cmocka_unit_test(percepts), cmocka_unit_test(translations), cmocka_unit_test(too_large),
	};
	return RUN_IN(cases, set_up, tear_down);
}
