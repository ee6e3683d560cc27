/* The competition player from outside: what it must answer, and what it must survive. */
#include "machine.h"

#include "server.h"

#include "base/clock.h"
#include "base/rng.h"

#include <dirent.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define AVAILABLE "((name macaw) (status available))"

static void start_match(const struct server *s, const char *id, const char *game, const char *role, const char *clocks)
{
	assert_string_equal(server_post(s, "(START %s %s (%s) %s)", id, role, server_rules(game), clocks), "ready");
}

/* With a player that uses up its start clock: one as short as the machine can keep. */
static void start_thinker(const struct server *s, const char *id, const char *role, double start, double play)
{
	bool ready = false;
	for (; !ready && start < 200; start *= 5)
		ready = !strcmp(server_post(s, "(start %s %s (%s) %g %g)", id, role, server_rules("connect_four"), start, play),
		                "ready");
	assert_true(ready);
}

static void a_match_from_start_to_stop(void **state)
{
	struct server s = server_start("--player", "legal", NULL);
	assert_string_equal(server_post(&s, "( INFO )"), AVAILABLE);
	start_match(&s, "Local.x.1", "tictactoe", "x", "60 30");
	assert_string_equal(server_post(&s, "(info)"), "((name macaw) (status busy))");
	assert_string_equal(server_post(&s, "(start other x (%s) 60 30)", server_rules("tictactoe")), "busy");
	assert_string_equal(server_post(&s, "(play Local.x.1 nil)"), "(mark 1 1)");
	assert_string_equal(server_post(&s, "(play Local.x.1 nil)"), "(mark 1 1)"); /* sent again */
	assert_string_equal(server_post(&s, "( PLAY Local.x.1 ( ( mark 1 1 ) (noop) ) )"), "noop");
	assert_string_equal(server_post(&s, "(play Local.x.1 ((noop) (mark 2 2)))"), "(mark 1 2)");
	assert_string_equal(server_post(&s, "(stop Local.x.1 ((mark 1 2) noop))"), "done");
	assert_string_equal(server_post(&s, "(stop Local.x.1 ((mark 1 2) noop))"), "done");
	assert_string_equal(server_post(&s, "(play Local.x.1 nil)"), "busy");
	assert_string_equal(server_post(&s, "(info)"), AVAILABLE);
	assert_int_equal(server_stop(&s, NULL), 0);
}

static void nonsense_is_refused_and_survived(void **state)
{
	struct server s = server_start("--player", "legal", NULL);
	static const char *const bad[] = {"",
	                                  "(",
	                                  ")",
	                                  "((((",
	                                  "(frob)",
	                                  "()",
	                                  "(start)",
	                                  "(start m x)",
	                                  "(start m x (a) 1)",
	                                  "(start m x () 1 1)",
	                                  "(start m x ((role x)) 1 1)",
	                                  "(start m zz (%s) 1 1)",
	                                  "(play)",
	                                  "(play m 1 2)",
	                                  "(play m x)",
	                                  "(start (m) x () 1 1)",
	                                  "(play m nil) (info)"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *reply = server_post(&s, "%s", bad[i]);
		if (server_status() != 400 || strncmp(reply, "(error \"", 8))
			fail_msg("%s: status %d, %s", bad[i], server_status(), reply);
	}
	assert_string_equal(server_post(&s, "(play m nil)"), "busy");
	start_match(&s, "m", "tictactoe", "x", "60 30");
	/* wrong numbers of moves, illegal and unknown ones: a legal move all the same */
	assert_string_equal(server_post(&s, "(play m (noop noop noop))"), "(mark 1 1)");
	assert_string_equal(server_post(&s, "(play m (noop noop))"), "(mark 1 1)");
	assert_string_equal(server_post(&s, "(play m ((mark 9 9) noop))"), "(mark 1 1)");
	assert_string_equal(server_post(&s, "(play m ((mark 1 1) noop))"), "noop");
	assert_string_equal(server_post(&s, "(abort m)"), "aborted");
	assert_string_equal(server_post(&s, "(info)"), AVAILABLE);
	assert_int_equal(server_stop(&s, NULL), 0);
}

/* Valid messages with bytes changed, cut and doubled. */
static void mangled_messages_do_no_harm(void **state)
{
	struct server s = server_start("--player", "legal", "--matches", "1000", NULL);
	struct rng rng = rng_seed(7);
	struct text message = {0};
	for (int i = 0; i < (test_sample() ? 100 : 600); i++) {
		message.n = 0;
		text_printf(&message, i % 3 ? "(play m (noop (mark 1 1)))" : "(start m%d x (%s) 0.02 0.02)", i,
		            server_rules("rock_paper_scissors"));
		for (uint32_t k = rng_below(&rng, 4); k; k--)
			message.at[rng_below(&rng, (uint32_t)message.n)] = "() ?;m\n\0\xff%"[rng_below(&rng, 10)];
		message.n -= rng_below(&rng, 3);
		char head[80];
		int fd = server_connect(&s),
			n = snprintf(head, sizeof head, "POST / HTTP/1.0\r\nContent-Length: %zu\r\n\r\n", message.n);
		server_send(fd, head, (size_t)n);
		server_send(fd, message.at, message.n);
		struct text reply = {0};
		int status = server_receive(fd, &reply);
		assert_true(status == 200 || status == 400);
		text_free(&reply);
	}
	text_free(&message);
	assert_string_equal(server_post(&s, "(info)"), AVAILABLE);
	assert_int_equal(server_stop(&s, NULL), 0);
}

static int raw(const struct server *s, const char *text, struct text *reply)
{
	int fd = server_connect(s);
	server_send(fd, text, strlen(text));
	return server_receive(fd, reply);
}

static void http_of_many_kinds(void **state)
{
	struct server s = server_start("--player", "legal", NULL);
	struct text reply = {0};
	assert_int_equal(raw(&s, "POST / HTTP/1.0\nHost: x\nReceiver:\nContent-Length: 6\n\n(info)", &reply), 200);
	assert_non_null(strstr(reply.at, "available"));
	assert_int_equal(raw(&s,
	                     "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
	                     "3\r\n(in\r\n3\r\nfo)\r\n0\r\n\r\n",
	                     &reply),
	                 200);
	assert_non_null(strstr(reply.at, "available"));
	assert_int_equal(raw(&s, "GET /%28info%29 HTTP/1.0\r\n\r\n", &reply), 200);
	assert_non_null(strstr(reply.at, "available"));
	assert_int_equal(raw(&s, "OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", &reply), 200);
	assert_non_null(strstr(reply.at, "Access-Control-Allow-Methods: POST, GET, OPTIONS"));
	assert_int_equal(raw(&s, "DELETE / HTTP/1.0\r\n\r\n", &reply), 405);
	assert_int_equal(raw(&s, "POST / HTTP/1.0\r\nContent-Length: -5\r\n\r\n(info)", &reply), 400);
	assert_int_equal(raw(&s, "POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n(info)", &reply), 413);
	assert_true(raw(&s, "\x16\x03\x01 no HTTP at all\r\n\r\n", &reply) != 200);
	text_free(&reply);
	assert_int_equal(server_stop(&s, NULL), 0);
}

/* A message of a given length: blanks do not matter. */
static const char *post_long(const struct server *s, size_t length)
{
	char *blanks = mem_alloc(length + 1, 1);
	memset(blanks, ' ', length);
	memcpy(blanks + length - 6, "(info)", 6);
	blanks[length] = 0;
	const char *reply = server_post(s, "%s", blanks);
	mem_free(blanks);
	return reply;
}

static void long_bodies_up_to_the_limit(void **state)
{
	struct server s = server_start("--player", "legal", NULL);
	assert_string_equal(post_long(&s, 1000000), AVAILABLE);
	assert_string_equal(post_long(&s, 10 << 20), AVAILABLE);
	post_long(&s, (10 << 20) + 1);
	assert_int_equal(server_status(), 413);
	assert_string_equal(server_post(&s, "(info)"), AVAILABLE);
	assert_int_equal(server_stop(&s, NULL), 0);
}

/* More half-open connections than there are places: who has something to say is heard. */
static void half_open_connections_keep_nobody_out(void **state)
{
	enum { MANY = 900 };
	struct server s = server_start("--player", "legal", NULL);
	int fd[MANY];
	for (int i = 0; i < MANY; i++) {
		fd[i] = server_connect(&s);
		server_send(fd[i], "POST / HTTP/1.0\r\nContent-Le", (size_t)(i % 27 + 1));
	}
	assert_string_equal(server_post(&s, "(info)"), AVAILABLE);
	start_match(&s, "m", "tictactoe", "x", "60 30");
	assert_string_equal(server_post(&s, "(play m nil)"), "(mark 1 1)");
	for (int i = 0; i < MANY; i++)
		close(fd[i]);
	assert_int_equal(server_stop(&s, NULL), 0);
}

/* Sends PLAY, and waits until it is thought about (or answered): the socket that will have the answer. */
static int begin_to_think(const struct server *s, const char *id)
{
	char play[100];
	int fd = server_connect(s),
		n = snprintf(play, sizeof play, "POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(play %s nil)", id);
	server_send(fd, play, (size_t)n);
	while (!server_says(s, "\"doing\":\"thinking\"") && !poll(&(struct pollfd){fd, POLLIN, 0}, 1, 5))
		;
	return fd;
}

static bool are_on_time(double factor)
{
	struct server s = server_start("--player", "uct", "--ponder", "--matches", "2", NULL);
	start_thinker(&s, "a", "red", 1, 0.6 * factor);
	start_thinker(&s, "b", "yellow", 1, 0.6 * factor);
	double began = clock_now();
	int fd = begin_to_think(&s, "a");
	double asked = clock_now();
	bool busy = !strcmp(server_post(&s, "(info)"), "((name macaw) (status busy))");
	bool soon = clock_now() - asked < 0.25 * factor;
	struct text reply = {0};
	assert_int_equal(server_receive(fd, &reply), 200);
	bool in_time = clock_now() - began < 0.6 * factor;
	assert_non_null(strstr(reply.at, "\r\n\r\n(drop "));
	text_free(&reply);
	assert_string_equal(server_post(&s, "(play b nil)"), "noop");
	assert_string_equal(server_post(&s, "(stop a nil)"), "done");
	in_time = in_time && server_figure(&s, "late") == 0;
	assert_int_equal(server_stop(&s, NULL), 0);
	return busy && soon && in_time;
}

static void answers_are_on_time_and_info_at_once(void **state)
{
	assert_on_time(are_on_time);
}

/* STOP while a thought is under way: nobody wants it any more. */
static void stop_ends_the_thought(void **state)
{
	struct server s = server_start("--player", "uct", NULL);
	start_thinker(&s, "a", "red", 1, 1000);
	int fd = begin_to_think(&s, "a");
	assert_string_equal(server_post(&s, "(stop a nil)"), "done");
	struct text reply = {0};
	double began = clock_now();
	assert_int_equal(server_receive(fd, &reply), 200);
	assert_non_null(strstr(reply.at, "(drop "));
	while (server_figure(&s, "matches_leaving") > 0)
		assert_true(clock_now() - began < 100);
	text_free(&reply);
	assert_int_equal(server_stop(&s, NULL), 0);
}

static bool ends_within_a_second(double factor)
{
	struct server s = server_start("--player", "uct", NULL);
	start_thinker(&s, "a", "red", 1, 1000);
	int fd = begin_to_think(&s, "a");
	double seconds;
	assert_int_equal(server_stop(&s, &seconds), 0);
	struct text reply = {0};
	assert_int_equal(server_receive(fd, &reply), 200); /* even then a move, if there was time to find one */
	bool moved = strstr(reply.at, "(drop ");
	text_free(&reply);
	return moved && seconds < (test_sample() ? 3 : 1) * factor;
}

static void it_ends_within_a_second(void **state)
{
	assert_on_time(ends_within_a_second);
}

/* A manager that has gone: from before one test to after it, which passes the time. */
static struct server left;
static double left_at, given_up_at;

static void a_manager_leaves(void **state)
{
	left = server_start("--player", "legal", NULL);
	start_match(&left, "m", "tictactoe", "x", "5 0.1");
	int fd = server_connect(&left);
	server_send(fd, "POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n(play m nil)", 51);
	close(fd); /* and does not wait for the answer */
	left_at = clock_now();
}

static bool is_given_up(void)
{
	if (!given_up_at && !strcmp(server_post(&left, "(info)"), AVAILABLE))
		given_up_at = clock_now();
	return given_up_at > 0;
}

static void a_silent_manager_is_given_up(void **state)
{
	while (!is_given_up()) {
		assert_true(clock_now() - left_at < 120);
		nanosleep(&(struct timespec){0, 200000000}, NULL);
	}
	assert_true(given_up_at - left_at > 3);
	assert_int_equal(server_stop(&left, NULL), 0);
}

static void many_matches_leave_nothing_behind(void **state)
{
	int matches = test_sample() ? 24 : 500;
	struct server s = server_start("--player", "random", NULL);
	double before = 0;
	for (int i = 0; i < matches; i++) {
		start_match(&s, "m", "tictactoe", "x", "60 30");
		assert_true(strncmp(server_post(&s, "(play m nil)"), "(mark ", 6) == 0);
		assert_string_equal(server_post(&s, "(stop m nil)"), "done");
		if (i % 50 == 0)
			is_given_up();
		if (i == matches / 4)
			before = server_figure(&s, "resident");
	}
	double after = server_figure(&s, "resident");
	if (after > before * 1.15 + 4e6 && !test_sample())
		fail_msg("%.1f MB after a quarter of %d matches, %.1f MB at the end", before / 1e6, matches, after / 1e6);
	assert_int_equal((int)server_figure(&s, "matches_begun"), matches);
	assert_int_equal(server_stop(&s, NULL), 0);
}

static void records_keep_inside_their_folder(void **state)
{
	char folder[] = "/tmp/macaw-test-XXXXXX";
	assert_non_null(mkdtemp(folder));
	struct server s = server_start("--player", "legal", "--record", folder, NULL);
	start_match(&s, "../../%s%n$x", "tictactoe", "x", "60 30");
	server_post(&s, "(play ../../%%s%%n$x (\xff\xfe))"); /* no UTF-8, and written down all the same */
	server_post(&s, "(abort ../../%%s%%n$x)");
	start_match(&s, "..%2f..%2fetc", "rock_paper_scissors", "alice", "60 30");
	assert_int_equal(server_stop(&s, NULL), 0);
	DIR *d = opendir(folder);
	int files = 0, odd = 0;
	for (struct dirent *e; (e = readdir(d));) {
		if (e->d_name[0] == '.')
			continue;
		struct text path = {0}, json = {0};
		text_printf(&path, "%s/%s", folder, e->d_name);
		assert_int_equal(strspn(e->d_name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."),
		                 strlen(e->d_name));
		assert_true(text_read_file(&json, path.at, (size_t)1 << 20, NULL));
		assert_non_null(strstr(json.at, "\"messages\""));
		odd += strstr(json.at, "(?"
		                       "?)") != NULL;
		unlink(path.at);
		files++;
		text_free(&path);
		text_free(&json);
	}
	closedir(d);
	assert_int_equal(files, 2);
	assert_int_equal(odd, 1);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_match_from_start_to_stop),
		cmocka_unit_test(nonsense_is_refused_and_survived),
		cmocka_unit_test(mangled_messages_do_no_harm),
		cmocka_unit_test(http_of_many_kinds),
		cmocka_unit_test(long_bodies_up_to_the_limit),
		cmocka_unit_test(half_open_connections_keep_nobody_out),
		cmocka_unit_test(answers_are_on_time_and_info_at_once),
		cmocka_unit_test(stop_ends_the_thought),
		cmocka_unit_test(it_ends_within_a_second),
		cmocka_unit_test(a_manager_leaves),
		cmocka_unit_test(many_matches_leave_nothing_behind),
		cmocka_unit_test(a_silent_manager_is_given_up),
		cmocka_unit_test(records_keep_inside_their_folder),
	};
	return RUN(cases);
}
