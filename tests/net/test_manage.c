/* A tournament among players on the network, and what a manager must say about bad ones. */
#include "machine.h"

#include "../cli/run.h"
#include "server.h"

#include "base/clock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often a text occurs in another. */
static int count(const char *text, const char *what)
{
	int n = 0;
	for (const char *p = text; (p = strstr(p, what)); p++)
		n++;
	return n;
}

/* Everybody meets everybody and sits on both chairs, on games with and without secrets. */
static bool is_without_an_error(double factor)
{
	static const char *const players[] = {"macaw", "uct", "random"};
	static const char *const games[] = {"tictactoe", "connect_4x4_3", "kuhn_poker", "rock_paper_scissors"};
	char folder[] = "/tmp/macaw-test-XXXXXX";
	struct server s[3];
	struct text plan = {0}, path = {0}, record = {0}, lines = {0}, start = {0}, play = {0};
	int matches = 0;
	assert_non_null(mkdtemp(folder));
	for (int i = 0; i < 3; i++)
		s[i] = server_start("--player", players[i], NULL);
	text_puts(&plan, "# who meets whom\n");
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			if (k == (i + 1) % 3)
				for (int g = 0; g < 4; g += test_sample() ? 2 : 1, matches++)
					text_printf(&plan, "%s %s %s\n", games[g], s[i].address, s[k].address);
	text_printf(&path, "%s/plan", folder);
	text_printf(&record, "%s/record", folder);
	text_printf(&start, "%g", (test_sample() ? 1 : 0.4) * factor);
	text_printf(&play, "%g", (test_sample() ? 0.5 : 0.15) * factor);
	test_write_file(path.at, plan.at, plan.n);
	struct run r = run_macaw("manage", "--schedule", path.at, "--start", start.at, "--play", play.at, "--grace", "20",
	                         "--scramble", "--seed", "3", "--record", record.at, "--json", NULL);
	struct text head = {0};
	text_printf(&head, "{\"played\":%d,\"errors\":0,", matches);
	bool good = !r.status && !strncmp(text_str(&r.out), head.at, head.n);
	assert_int_equal(count(r.out.at, "\"terminal\":true"), matches);
	assert_true(text_read_file(&lines, record.at, (size_t)64 << 20, NULL));
	assert_int_equal(count(lines.at, "\n"), matches);
	for (int i = 0; i < 3; i++) {
		assert_int_equal((int)server_figure(&s[i], "errors"), 0);
		good = good && server_figure(&s[i], "late") == 0;
		assert_int_equal(server_stop(&s[i], NULL), 0);
	}
	if (!good)
		print_error("status %d\n%s%s", r.status, text_str(&r.out), text_str(&r.err));
	unlink(path.at);
	unlink(record.at);
	assert_int_equal(rmdir(folder), 0);
	run_free(&r);
	text_free(&plan);
	text_free(&path);
	text_free(&record);
	text_free(&lines);
	text_free(&start);
	text_free(&play);
	text_free(&head);
	return good;
}

static void a_tournament_without_an_error(void **state)
{
	assert_on_time(is_without_an_error);
}

static void nobody_there_is_an_error(void **state)
{
	struct run r = run_macaw("manage", "tictactoe", "127.0.0.1:1", "legal", "--start", "1", "--play", "0.1", NULL);
	assert_int_equal(r.status, 1);
	assert_non_null(strstr(text_str(&r.err), "start"));
	run_free(&r);
}

static void a_busy_player_is_an_error(void **state)
{
	struct server s = server_start("--player", "legal", NULL);
	struct run r = run_macaw("manage", "rock_paper_scissors", s.address, s.address, "--start", "60", "--play", "30",
	                         "--json", NULL);
	assert_int_equal(r.status, 1);
	assert_non_null(strstr(text_str(&r.out), "busy"));
	run_free(&r);
	assert_int_equal(server_stop(&s, NULL), 0);
}

static void the_record_can_be_replayed(void **state)
{
	char path[] = "/tmp/macaw-test-XXXXXX";
	struct server s = server_start("--player", "random", NULL);
	close(mkstemp(path));
	struct run r = run_macaw("manage", "connect_4x4_3", s.address, "random", "--start", "60", "--play", "30",
	                         "--record", path, NULL);
	assert_int_equal(r.status, 0);
	run_free(&r);
	r = run_macaw("replay", "--quiet", path, NULL);
	assert_int_equal(r.status, 0);
	run_free(&r);
	unlink(path);
	assert_int_equal(server_stop(&s, NULL), 0);
}

static void wrong_words_are_told(void **state)
{
	struct run r = run_macaw("manage", "tictactoe", NULL);
	assert_int_equal(r.status, 2);
	run_free(&r);
	r = run_macaw("manage", "tictactoe", "macw", "random", NULL);
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(text_str(&r.err), "did you mean 'macaw'"));
	run_free(&r);
	r = run_macaw("manage", "tictactoe", "random", NULL);
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(text_str(&r.err), "(x, o), 1 is named"));
	run_free(&r);
	static const char *const addresses[] = {"localhost", "127.0.0.1", "127.0.0.1:99999", "host.example:http"};
	for (size_t i = 0; i < 4; i++) {
		r = run_macaw("manage", "tictactoe", "random", addresses[i], NULL);
		assert_int_equal(r.status, 2);
		assert_non_null(strstr(text_str(&r.err), "is no HOST:PORT"));
		run_free(&r);
	}
	r = run_macaw("manage", "tictactoe", "human", "random", "--json", NULL);
	assert_int_equal(r.status, 2);
	assert_non_null(strstr(text_str(&r.err), "terminal"));
	run_free(&r);
	r = run_macaw("manage", "tictactoe", "random", "random", "--json", "--watch", NULL);
	assert_int_equal(r.status, 2);
	run_free(&r);
	r = run_macaw("serve", "--player", "uctt", NULL);
	assert_int_equal(r.status, 2);
	run_free(&r);
	r = run_macaw("serve", "--listen", "nowhere", NULL);
	assert_int_equal(r.status, 2);
	run_free(&r);
	r = run_macaw("serve", "--record", "/no/such/folder", NULL);
	assert_int_equal(r.status, 3);
	run_free(&r);
}

/* Ctrl-C in the middle of a long clock: the players are told, and it is over. */
static void an_interrupted_match_ends_at_once(void **state)
{
	struct server s = server_start("--player", "uct", NULL);
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		const char *program = getenv("MACAW");
		alarm(300);
		int nowhere = open("/dev/null", O_WRONLY);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
		execlp(program ? program : "build/macaw", "macaw", "manage", "connect_four", s.address, "uct", "--start", "2",
		       "--play", "1000", (char *)NULL);
		_exit(127);
	}
	double began = clock_now();
	while (server_figure(&s, "messages") < 2) /* START, PLAY */
		assert_true(clock_now() - began < 120);
	began = clock_now();
	kill(pid, SIGINT);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	assert_true(clock_now() - began < 100); /* of the 1000 seconds for the move */
	assert_string_equal(server_post(&s, "(info)"), "((name macaw) (status available))");
	assert_int_equal(server_stop(&s, NULL), 0);
}

/* The event stream has a match from its start to its end, also for spectators who come late. */
static void spectators_see_the_match(void **state)
{
	int out[2];
	char line[64] = "";
	assert_int_equal(pipe(out), 0);
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		const char *program = getenv("MACAW");
		alarm(300);
		dup2(out[1], STDOUT_FILENO);
		execlp(program ? program : "build/macaw", "macaw", "manage", "tictactoe", "uct", "uct", "--start", "0.2",
		       "--play", "0.1", "--listen", "127.0.0.1:0", (char *)NULL);
		_exit(127);
	}
	close(out[1]);
	assert_true(read(out[0], line, sizeof line - 1) > 0);
	struct server s = {.port = atoi(strrchr(line, ':') + 1)};
	struct text events = {0};
	int fd = server_connect(&s), status;
	server_send(fd, "GET /events HTTP/1.0\r\n\r\n", 24);
	assert_int_equal(server_receive(fd, &events), 200);
	assert_non_null(strstr(events.at, "Content-Type: text/event-stream"));
	assert_int_equal(count(events.at, "event: start\n"), 1);
	assert_int_equal(count(events.at, "event: end\n"), 1);
	assert_true(count(events.at, "event: state\n") >= 6);
	assert_non_null(strstr(events.at, "\"step\":1,\"moves\":[\"(mark "));
	text_free(&events);
	close(out[0]);
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_tournament_without_an_error), cmocka_unit_test(nobody_there_is_an_error),
		cmocka_unit_test(a_busy_player_is_an_error),     cmocka_unit_test(the_record_can_be_replayed),
		cmocka_unit_test(wrong_words_are_told),          cmocka_unit_test(an_interrupted_match_ends_at_once),
		cmocka_unit_test(spectators_see_the_match),
	};
	return RUN(cases);
}
