/* macaw analyse and macaw replay --analyse, as their user meets them. */
#include "test.h"

#include "run.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

static void expect(struct run r, int status, const char *out, const char *err)
{
	if (r.status != status || !strstr(text_str(&r.out), out) || !strstr(text_str(&r.err), err))
		fail_msg("status %d\nstdout: %s\nstderr: %s\nwanted %d, '%s', '%s'", r.status, text_str(&r.out),
		         text_str(&r.err), status, out, err);
	run_free(&r);
}

/* The last of the lines, each of which is an object; how many there are. */
static json_t *last_line(const struct run *r, size_t *lines)
{
	json_t *last = NULL;
	*lines = 0;
	for (const char *from = text_str(&r->out); *from; ++*lines) {
		size_t n = strcspn(from, "\n");
		json_decref(last);
		last = json_loadb(from, n, 0, NULL);
		assert_non_null(last);
		from += n + 1;
	}
	return last;
}

static double number(const json_t *o, const char *key)
{
	const json_t *x = json_object_get(o, key);
	assert_true(json_is_number(x));
	return json_number_value(x);
}

static void all_moves_have_values(void **state)
{
	struct run r = run_macaw("analyse", "connect_four", "-p", "uct", "-n", "20000", NULL);
	size_t lines;
	assert_int_equal(r.status, 0);
	json_t *last = last_line(&r, &lines), *moves = json_object_get(last, "moves");
	assert_int_equal(lines, 7);
	assert_true(json_is_true(json_object_get(last, "last")));
	assert_string_equal(json_string_value(json_object_get(last, "role")), "red");
	assert_int_equal(json_array_size(moves), 7);
	for (size_t i = 0; i < 7; i++) {
		json_t *m = json_array_get(moves, i);
		assert_true(number(m, "low") <= number(m, "value") && number(m, "value") <= number(m, "high"));
		assert_true(number(m, "visits") > 0);
	}
	assert_true(json_array_size(json_object_get(last, "line")) > 0);
	json_decref(last);
	run_free(&r);
}

static void it_grows(void **state)
{
	struct run r = run_macaw("analyse", "breakthrough_6x6", "-n", "4000", NULL);
	double before = 0;
	for (const char *from = text_str(&r.out); *from;) {
		size_t n = strcspn(from, "\n");
		json_t *o = json_loadb(from, n, 0, NULL);
		assert_true(number(o, "playouts") >= before);
		before = number(o, "playouts");
		json_decref(o);
		from += n + 1;
	}
	assert_true(before >= 4000);
	run_free(&r);
}

/* x wins at once: known, and told so. */
static void a_win_is_proved(void **state)
{
	struct run r =
		run_macaw("analyse", "tictactoe", "-n", "5000", "--after", "mark 1 1; mark 2 1; mark 1 2; mark 2 2", NULL);
	size_t lines;
	json_t *last = last_line(&r, &lines);
	assert_string_equal(json_string_value(json_object_get(last, "move")), "(mark 1 3)");
	assert_true(json_is_true(json_object_get(last, "proved")));
	assert_true(number(json_array_get(json_object_get(last, "moves"), 0), "proved_low") == 100);
	json_decref(last);
	run_free(&r);
	expect(run_macaw("analyse", "tictactoe", "--text", "-n", "5000", "--after",
	                 "mark 1 1; mark 2 1; mark 1 2; mark 2 2", NULL),
	       0, "proved", "");
}

/* The equilibria of Kuhn poker (1950): the first player loses 1/18 of the ante, with a queen she checks, bob bets a
 * jack one time in three and calls with a queen one time in three, and she bets a king three times as often as a jack.
 */
static void kuhn_poker_is_solved(void **state)
{
	struct run r = run_macaw("analyse", "kuhn_poker", "--player", "cfr", "-n", "100000", NULL);
	size_t lines, checked = 0;
	json_t *last = last_line(&r, &lines), *sets = json_object_get(last, "sets"),
		   *roles = json_object_get(last, "roles");
	double jack = -1, king = -1;
	assert_int_equal(json_array_size(sets), 12);
	for (size_t i = 0; i < 12; i++) {
		json_t *set = json_array_get(sets, i), *moves = json_object_get(set, "moves");
		const char *who = json_string_value(json_object_get(set, "role")),
				   *knows = json_string_value(json_object_get(set, "knows"));
		double first = number(json_array_get(moves, 0), "share"), second = number(json_array_get(moves, 1), "share");
		assert_int_equal(json_array_size(moves), 2);
		assert_true(first + second > 0.999 && first + second < 1.001);
		bool bob = !strcmp(who, "bob"), opens = !bob && !strstr(knows, "did");
		if (opens && strstr(knows, "queen"))
			checked++, assert_true(first > 0.97);
		if (opens && strstr(knows, "jack"))
			jack = second;
		if (opens && strstr(knows, "king"))
			king = second;
		if (bob && strstr(knows, "jack") && strstr(knows, "check"))
			checked++, assert_true(second > 0.28 && second < 0.39);
		if (bob && strstr(knows, "queen") && strstr(knows, "alice bet"))
			checked++, assert_true(second > 0.28 && second < 0.39);
		if (bob && strstr(knows, "king"))
			checked++, assert_true(second > 0.97);
	}
	assert_int_equal(checked, 5);
	assert_true(king > 3 * jack - 0.1 && king < 3 * jack + 0.1);
	for (size_t i = 0; i < 2; i++) {
		json_t *role = json_array_get(roles, i);
		assert_true(number(role, "best_response") >= number(role, "value") - 1e-9);
		assert_true(number(role, "best_response") - number(role, "value") < 0.2); /* points */
	}
	assert_true(number(json_array_get(roles, 0), "value") > 48.5 && number(json_array_get(roles, 0), "value") < 48.7);
	json_decref(last);
	run_free(&r);
	expect(run_macaw("analyse", "kuhn_poker", "--player", "cfr", "-n", "1000", "--text", NULL), 0,
	       "alice 33.3%: saw (your_card queen)", "");
	expect(run_macaw("analyse", "phantom_tictactoe", "--player", "cfr", NULL), 1, "", "more than 60000 histories");
}

/* Bob knows his card and what alice said, and no more: with the jack he folds. */
static void hidden_games_by_what_the_role_knows(void **state)
{
	expect(run_macaw("analyse", "kuhn_poker", "-n", "20000", "--text", "--role", "bob", "--after",
	                 "deal king jack; say bet", NULL),
	       0, "for bob: (say fold)", "");
	expect(run_macaw("analyse", "kuhn_poker", NULL), 1, "", "chance moves first; try --after '(deal");
	expect(run_macaw("analyse", "phantom_tictactoe", "-n", "2000", "--after", "mark 1 1", NULL), 0, "\"role\":\"o\"",
	       "");
}

static void bad_words(void **state)
{
	expect(run_macaw("analyse", NULL), 2, "", "one GAME");
	expect(run_macaw("analyse", "tictactoe", "--json", "--text", NULL), 2, "", "not both");
	expect(run_macaw("analyse", "tictactoe", "-p", "utc", NULL), 2, "", "uct");
	expect(run_macaw("analyse", "tictactoe", "-r", "z", NULL), 1, "", "no role z");
	expect(run_macaw("analyse", "tictactoe", "--after", "mark 9 9", NULL), 1, "", "mark 9 9");
	expect(run_macaw("analyse", "tictactoe", "--after", "mark 1 1; mark 2 1; mark 1 2; mark 2 2; mark 1 3", NULL), 1,
	       "", "the game is over in this position: x 100 o 0");
}

static void turning_points(void **state)
{
	char record[] = "/tmp/macaw-analyse-XXXXXX";
	int file = mkstemp(record);
	assert_true(file >= 0);
	close(file);
	expect(run_macaw("match", "tictactoe", "-p", "legal,legal", "-n", "1", "--seed", "3", "-o", record, NULL), 0, "",
	       "");
	/* Both take the first free square, row by row: o loses by its answer in a corner's row. */
	expect(run_macaw("replay", record, "-q", "--analyse", "-n", "20000", NULL), 0, "gave away", "");
	expect(run_macaw("replay", record, "-q", "--analyse", "-n", "100", "-p", "random", NULL), 0,
	       "says nothing of the value", "");
	expect(run_macaw("replay", record, "-q", "--analyse", "-p", "nobody", NULL), 2, "", "nobody");
	unlink(record);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(all_moves_have_values),
		cmocka_unit_test(it_grows),
		cmocka_unit_test(a_win_is_proved),
		cmocka_unit_test(kuhn_poker_is_solved),
		cmocka_unit_test(hidden_games_by_what_the_role_knows),
		cmocka_unit_test(bad_words),
		cmocka_unit_test(turning_points),
	};
	return RUN(cases);
}
