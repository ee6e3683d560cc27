/* The competition network through the public header: servers, managers and spectators in one process. */
#include "test.h"

#include "macaw/server.h"
#include "macaw/worker.h"
#include "server.h"

#include "base/clock.h"
#include "base/mem.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define LOOPBACK "127.0.0.1:0"

static macaw_error error;

static macaw_game *load(const char *name)
{
	struct text path = {0};
	const char *root = getenv("MACAW_SOURCE");
	text_printf(&path, "%s/games/%s.kif", root ? root : ".", name);
	macaw_game *g = macaw_game_load(path.at, NULL, &error);
	if (!g)
		fail_msg("%s", error.text);
	text_free(&path);
	return g;
}

static macaw_server *start(const char *player)
{
	macaw_server *s = macaw_server_start(&(macaw_server_options){.listen = LOOPBACK, .player = player}, &error);
	if (!s)
		fail_msg("%s", error.text);
	return s;
}

/* ---- servers ---- */

static struct server by_address(const macaw_server *s)
{
	const char *address = macaw_server_address(s);
	assert_int_equal(strncmp(address, "127.0.0.1:", 10), 0);
	return (struct server){.port = atoi(address + 10)};
}

static void count_line(void *context, const char *line, size_t length)
{
	assert_int_equal(line[length - 1], '\n');
	++*(int *)context;
}

static void a_server_listens_answers_and_stops(void **state)
{
	int lines = 0;
	macaw_server *s = macaw_server_start(
		&(macaw_server_options){
			.listen = LOOPBACK, .player = "random", .name = "tester", .log_line = count_line, .context = &lines},
		&error);
	assert_non_null(s);
	assert_int_equal(error.status, MACAW_OK);
	struct server by = by_address(s);
	assert_string_equal(server_post(&by, "(info)"), "((name tester) (status available))");
	char *status = macaw_server_status(s);
	assert_non_null(strstr(status, "\"player\":\"random\""));
	macaw_free(status);
	assert_false(macaw_server_wait(s, 0.05));
	macaw_server_stop(s);
	assert_true(macaw_server_wait(s, 100));
	macaw_server_free(s);
	assert_int_equal(lines, 1);
}

/* As soon as it thinks about a move; after some minutes in any case. */
static void *stop_soon(void *server)
{
	bool thinks = false;
	for (int i = 0; !thinks && i < 40000; i++, usleep(5000)) {
		char *status = macaw_server_status(server);
		thinks = strstr(status, "\"doing\":\"thinking\"");
		macaw_free(status);
	}
	macaw_server_stop(server);
	return NULL;
}

/* One thread waits without a bound, another one stops it in the middle of a match. */
static void a_match_under_way_ends_with_the_server(void **state)
{
	pthread_t thread;
	macaw_server *s = start("macaw");
	struct server by = by_address(s);
	assert_string_equal(server_post(&by, "(start m1 red (%s) 1 1000)", server_rules("connect_four")),
	                    "ready"); /* not solved soon */
	int fd = server_connect(&by);
	server_send(fd, "POST / HTTP/1.0\r\nContent-Length: 13\r\n\r\n(play m1 nil)", 52);
	double began = clock_now();
	assert_int_equal(pthread_create(&thread, NULL, stop_soon, s), 0);
	assert_true(macaw_server_wait(s, 0));
	assert_true(clock_now() - began < 300); /* of the 1000 seconds that it could think */
	pthread_join(thread, NULL);
	struct text reply = {0};
	macaw_server_free(s);
	assert_int_equal(server_receive(fd, &reply), 200);
	assert_non_null(strstr(reply.at, "drop"));
	text_free(&reply);
}

/* The same program that is tested elsewhere; one that cannot be run costs the match and nothing else. */
static void matches_in_processes_of_a_program(void **state)
{
	const char *program = getenv("MACAW");
	macaw_server_options o = {.listen = LOOPBACK, .player = "random", .program = program ? program : "build/macaw"};
	macaw_server *s = macaw_server_start(&o, &error);
	assert_non_null(s);
	struct server by = by_address(s);
	assert_string_equal(server_post(&by, "(start m1 x (%s) 2 2)", server_rules("tictactoe")), "ready");
	assert_non_null(strstr(server_post(&by, "(play m1 nil)"), "(mark "));
	assert_string_equal(server_post(&by, "(stop m1 nil)"), "done");
	macaw_server_free(s);
	o.program = "/nowhere";
	s = macaw_server_start(&o, &error);
	by = by_address(s);
	assert_string_equal(server_post(&by, "(start m1 x (%s) 0.3 0.3)", server_rules("tictactoe")), "ready");
	assert_string_equal(server_post(&by, "(play m1 nil)"), "nil");
	assert_string_equal(server_post(&by, "(abort m1)"), "aborted");
	assert_string_equal(server_post(&by, "(info)"), "((name macaw) (status available))");
	macaw_server_free(s);
}

static void whose_fault_it_is(void **state)
{
	macaw_server *s = start(NULL);
	static const char *const addresses[] = {"nowhere", "127.0.0.1:", "127.0.0.1:99999", ""};
	for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
		assert_null(macaw_server_start(&(macaw_server_options){.listen = addresses[i]}, &error));
		assert_int_equal(error.status, MACAW_USAGE);
		assert_null(macaw_spectators_open(addresses[i], &error));
		assert_int_equal(error.status, MACAW_USAGE);
	}
	assert_null(macaw_server_start(&(macaw_server_options){.listen = LOOPBACK, .player = "nobody"}, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(
		macaw_server_start(&(macaw_server_options){.listen = LOOPBACK, .player = "random", .threads = 4}, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_server_start(&(macaw_server_options){.listen = LOOPBACK, .name = "two words"}, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_server_start(&(macaw_server_options){.listen = macaw_server_address(s)}, &error));
	assert_int_equal(error.status, MACAW_MACHINE);
	assert_null(macaw_spectators_open(macaw_server_address(s), &error));
	assert_int_equal(error.status, MACAW_MACHINE);
	assert_null(macaw_server_start(&(macaw_server_options){.listen = LOOPBACK, .log = "/no/such/folder/log"}, &error));
	assert_int_equal(error.status, MACAW_MACHINE);
	assert_null(macaw_server_start(&(macaw_server_options){.listen = LOOPBACK, .record = "/no/such/folder"}, NULL));
	assert_true(macaw_manage_knows("127.0.0.1:1", &error) && macaw_manage_knows("uct:c=0.6", &error));
	assert_false(macaw_manage_knows("ut", &error));
	assert_int_equal(error.status, MACAW_USAGE);
	macaw_server_free(s);
	macaw_server_free(NULL);
}

/* ---- managers ---- */

/* Plays its first legal move, or nothing at all. */
struct own {
	bool silent;
	uint32_t moves, starts;
};

static void own_start(void *self, macaw_game *g, uint32_t role, const macaw_budget *b)
{
	((struct own *)self)->starts++;
}

static uint32_t own_move(void *self, const macaw_turn *turn, const macaw_budget *b, char *why, size_t room)
{
	struct own *o = self;
	o->moves++;
	snprintf(why, room, "the first");
	return o->silent ? MACAW_NONE : turn->legal[0];
}

static void count_steps(void *context, const macaw_match *m)
{
	uint32_t *steps = context;
	assert_int_equal(macaw_match_steps(m), *steps);
	assert_non_null(macaw_match_position(m, *steps));
	++*steps;
}

static void a_match_between_a_server_and_functions(void **state)
{
	macaw_game *g = load("tictactoe");
	macaw_server *s = start("random");
	struct own own = {0};
	uint32_t steps = 0;
	macaw_seat seats[] = {{.word = macaw_server_address(s)},
	                      {.name = "mine", .self = &own, .start = own_start, .move = own_move}};
	macaw_managed *m = macaw_manage(
		g, seats, 2,
		&(macaw_manage_options){.start = 20, .play = 20, .scramble = true, .watch = count_steps, .context = &steps},
		&error);
	assert_non_null(m);
	const macaw_match *match = macaw_managed_match(m);
	assert_int_equal(macaw_match_ending(match), MACAW_TERMINAL);
	assert_int_equal(steps, macaw_match_steps(match) + 1);
	assert_int_equal(own.starts, 1);
	assert_int_equal(macaw_managed_errors(m), 0);
	for (uint32_t r = 0; r < 2; r++) {
		macaw_managed_role role = macaw_managed_role_of(m, r);
		assert_int_equal(role.goal, macaw_match_goal(match, r));
		assert_int_equal(role.errors, 0);
		assert_null(role.trouble);
		assert_true(role.longest <= role.seconds);
		assert_string_equal(role.player, r ? "mine" : macaw_server_address(s));
	}
	char *line = macaw_managed_record(m, MACAW_MANAGED_LINE), *brief = macaw_managed_record(m, MACAW_MANAGED_BRIEF);
	assert_null(strchr(line, '\n'));
	assert_non_null(strstr(line, "\"rules\":"));
	assert_null(strstr(brief, "\"rules\":"));
	assert_non_null(strstr(brief, "\"scrambled\":true"));
	macaw_free(line);
	macaw_free(brief);
	macaw_managed_free(m);
	macaw_server_free(s);
	macaw_game_free(g);
}

static void silence_is_late_and_nobody_there_is_trouble(void **state)
{
	macaw_game *g = load("tictactoe");
	struct own own = {.silent = true};
	macaw_server *s = start("random");
	struct text gone = {0};
	text_puts(&gone, macaw_server_address(s));
	macaw_server_free(s); /* nobody listens there any more */
	macaw_seat seats[] = {{.self = &own, .move = own_move}, {.word = gone.at}};
	macaw_managed *m = macaw_manage(g, seats, 2, &(macaw_manage_options){.start = 0.5, .play = 0.2}, &error);
	assert_non_null(m);
	macaw_managed_role silent = macaw_managed_role_of(m, 0), absent = macaw_managed_role_of(m, 1);
	assert_string_equal(silent.player, "own");
	assert_true(silent.late > 0 && silent.errors == silent.late && !silent.trouble);
	assert_true(absent.errors > absent.late && absent.trouble);
	assert_int_equal(macaw_managed_errors(m), silent.errors + absent.errors);
	macaw_managed_free(m);
	text_free(&gone);
	macaw_game_free(g);
}

static void seats_that_do_not_fit(void **state)
{
	macaw_game *g = load("tictactoe");
	macaw_seat seats[] = {{.word = "random"}, {.word = "nobody"}, {0}};
	assert_null(macaw_manage(g, seats, 1, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_manage(g, seats, 2, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	assert_null(macaw_manage(g, seats + 1, 2, NULL, &error));
	assert_int_equal(error.status, MACAW_USAGE);
	macaw_game_free(g);
}

/* ---- spectators ---- */

static void spectators_outlive_matches(void **state)
{
	macaw_game *g = load("tictactoe");
	macaw_spectators *s = macaw_spectators_open(LOOPBACK, &error);
	assert_non_null(s);
	struct server by = {.port = atoi(strrchr(macaw_spectators_address(s), ':') + 1)};
	macaw_seat seats[] = {{.word = "random"}, {.word = "random"}};
	for (int i = 0; i < 2; i++) {
		macaw_managed *m = macaw_manage(
			g, seats, 2, &(macaw_manage_options){.start = 0.1, .play = 1, .seed = 3, .spectators = s}, &error);
		assert_non_null(m);
		macaw_managed_free(m);
	}
	struct text events = {0};
	int fd = server_connect(&by);
	server_send(fd, "GET /events HTTP/1.0\r\n\r\n", 24);
	assert_int_equal(poll(&(struct pollfd){fd, POLLIN, 0}, 1, 100000), 1); /* it is heard */
	macaw_spectators_close(s);
	assert_int_equal(server_receive(fd, &events), 200);
	assert_non_null(strstr(events.at, "event: start\n"));
	assert_non_null(strstr(events.at, "event: end\n"));
	text_free(&events);
	macaw_game_free(g);
}

/* ---- memory ---- */

/* Whichever allocation fails, the match fails as a whole, and the spectators can see the next one. */
static void running_out_of_memory_is_an_error(void **state)
{
	macaw_game *g = load("tictactoe");
	macaw_spectators *s = macaw_spectators_open(LOOPBACK, &error);
	macaw_server *remote =
		macaw_server_start(&(macaw_server_options){.listen = LOOPBACK, .player = "random", .matches = 1000}, &error);
	macaw_seat seats[] = {{.word = "random"}, {.word = macaw_server_address(remote)}};
	macaw_manage_options o = {.start = 0.05, .play = 0.2, .seed = 1, .max_steps = 2, .spectators = s};
	size_t failed = 0, step = test_sample() ? 37 : 7;
	bool struck = true;
	for (size_t n = 1; struck; n += step) {
		struct mem_fault fault;
		mem_fail_after(&fault, n);
		macaw_managed *m = macaw_manage(g, seats, 2, &o, &error);
		struck = !fault.left;
		mem_fail_after(&fault, 0);
		assert_true(m || (struck && error.status == MACAW_MEMORY));
		failed += !m;
		macaw_managed_free(m);
	}
	assert_true(failed > 3);
	macaw_spectators_close(s);
	macaw_server_free(remote);
	macaw_game_free(g);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_server_listens_answers_and_stops),
		cmocka_unit_test(a_match_under_way_ends_with_the_server),
		cmocka_unit_test(matches_in_processes_of_a_program),
		cmocka_unit_test(whose_fault_it_is),
		cmocka_unit_test(a_match_between_a_server_and_functions),
		cmocka_unit_test(silence_is_late_and_nobody_there_is_trouble),
		cmocka_unit_test(seats_that_do_not_fit),
		cmocka_unit_test(spectators_outlive_matches),
		cmocka_unit_test(running_out_of_memory_is_an_error),
	};
	return RUN(cases);
}
