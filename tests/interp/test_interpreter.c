/* The interpreter against hand-written rules and against recorded matches.
 *
 * The matches are in shared/games beside the source tree (MACAW_SOURCE, default
 * the working folder); without it they are skipped. MACAW_TEST_SAMPLE=1 replays the first match of every fifth
 * game; MACAW_TEST_GAME=NAME replays that one, and MACAW_TEST_TIMES=1 prints
 * processor seconds, steps and seconds of loading for every game. */
#include "interp/interpreter.h"
#include "work.h"

#include <cmocka.h>
#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(char *) string_list;

struct fixture {
	struct gdl_rules *rules;
	struct interpreter *in;
};

static struct fixture load(const char *text, size_t length)
{
	struct diags d = {0};
	struct text error = {0};
	struct fixture f = {.rules = gdl_read(text, length, &d)};
	assert_int_equal(d.errors, 0);
	f.in = interpreter_make(f.rules, (struct limit){0}, 0, &error);
	if (!f.in)
		fail_msg("%s", text_str(&error));
	text_free(&error);
	diag_free(&d);
	return f;
}

static void unload(struct fixture *f)
{
	interpreter_free(f->in);
	gdl_free(f->rules);
}

/* ---- sets of terms as text ------------------------------------------------- */

static char *print_term(struct fixture *f, term_t t)
{
	struct text out = {0};
	term_print(interpreter_terms(f->in), &f->rules->symbols, t, &out);
	for (size_t i = 0; i < out.n; i++)
		out.at[i] = (char)tolower((unsigned char)out.at[i]);
	return out.at;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void print_list(struct fixture *f, const term_list *list, string_list *out)
{
	for (size_t i = 0; i < list->n; i++)
		vec_push(out, print_term(f, list->at[i]));
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, compare_strings);
}

static void free_strings(string_list *s)
{
	for (size_t i = 0; i < s->n; i++)
		mem_free(s->at[i]);
	vec_free(s);
}

/* Sorted, joined by spaces. */
static char *join(struct fixture *f, const term_list *list)
{
	string_list s = {0};
	struct text out = {0};
	print_list(f, list, &s);
	text_puts(&out, "");
	for (size_t i = 0; i < s.n; i++)
		text_printf(&out, "%s%s", i ? " " : "", s.at[i]);
	free_strings(&s);
	return out.at;
}

static void expect(struct fixture *f, const term_list *list, const char *wanted)
{
	char *got = join(f, list);
	assert_null(interpreter_trouble(f->in));
	assert_string_equal(got ? got : "", wanted);
	mem_free(got);
}

/* ---- hand-written rules ------------------------------------------------------ */

/* What role r may do: the rules below give their answers as moves. */
static void check_legal(const char *rules, const char *wanted)
{
	struct fixture f = load(rules, strlen(rules));
	term_list state = {0}, out = {0};
	interpreter_initial(f.in, &state);
	interpreter_set(f.in, state.at, state.n, NULL);
	interpreter_legal(f.in, 0, &out);
	expect(&f, &out, wanted);
	vec_free(&state);
	vec_free(&out);
	unload(&f);
}

#define GRAPH "(role r) (edge a b) (edge b c) (edge c a) (edge c d) (edge e f) "

static void test_left_recursion(void **unused)
{
	check_legal(GRAPH "(<= (path ?x ?y) (path ?x ?z) (edge ?z ?y)) (<= (path ?x ?y) (edge ?x ?y))"
	                  "(<= (legal r ?x) (path b ?x))",
	            "a b c d");
	check_legal(GRAPH "(<= (path ?x ?y) (path ?x ?z) (edge ?z ?y)) (<= (path ?x ?y) (edge ?x ?y))"
	                  "(<= (legal r ?x) (path ?x f))",
	            "e");
}

static void test_right_recursion(void **unused)
{
	check_legal(GRAPH "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?y) (edge ?x ?z) (path ?z ?y))"
	                  "(<= (legal r ?x) (path b ?x))",
	            "a b c d");
	check_legal(GRAPH "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?y) (path ?x ?z) (path ?z ?y))"
	                  "(<= (legal r (from ?x)) (path ?x d))",
	            "(from a) (from b) (from c)");
	check_legal(GRAPH "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?y) (path ?x ?z) (path ?z ?y))"
	                  "(<= (legal r yes) (path a a) (not (path d a)) (path e f) (not (path a f)))",
	            "yes");
}

static void test_mutual_recursion(void **unused)
{
	const char *rules = "(role r) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (even 0)"
						"(<= (even ?y) (odd ?x) (succ ?x ?y)) (<= (odd ?y) (even ?x) (succ ?x ?y))"
						"(<= (legal r ?x) (even ?x)) (<= (legal r (odd ?x)) (succ ?y ?x) (odd ?x))";
	check_legal(rules, "(odd 1) (odd 3) 0 2 4");
}

/* A cycle of goals entered at several places; completion must wait for all. */
static void test_cycles(void **unused)
{
	check_legal("(role r) (a1 x) (<= (p ?x) (q ?x)) (<= (q ?x) (s ?x)) (<= (s ?x) (p ?x)) (<= (s ?x) (a1 ?x))"
	            "(<= (t ?x) (q ?x) (not (u ?x))) (<= (u ?x) (p ?x) (v ?x)) (v y)"
	            "(<= (legal r ?x) (t ?x))",
	            "x");
	check_legal("(role r) (<= p q) (<= q p) (<= (legal r no) p) (<= (legal r yes) (not q) (not p))", "yes");
	check_legal("(role r) b (<= p q) (<= q p) (<= q b) (<= (legal r no) (not p)) (<= (legal r yes) q p)", "yes");
}

static void test_negation(void **unused)
{
	check_legal(
		"(role r) (n 1) (n 2) (n 3) (init (at 2)) (<= busy (true (at ?x))) (<= (big ?x) (n ?x) (not (small ?x)))"
		"(small 1) (<= (legal r ?x) (big ?x) (not (true (at ?x)))) (<= (legal r idle) (not busy))",
		"3");
	check_legal("(role r) (init (box (at 2))) (n 1) (n 2) (<= (legal r ?x) (not (true (box (at ?x)))) (n ?x))", "1");
	/* A predicate that negates itself for other arguments. */
	check_legal("(role r) (<= (legal r 0) late) (<= (legal r 100) (not (legal r 0))) (<= late (true (clock 9)))",
	            "100");
	check_legal("(role r) (move a b) (move b c) (move c d) (move a d) (<= (win ?x) (move ?x ?y) (not (win ?y)))"
	            "(<= (legal r ?x) (move ?x ?y) (win ?x))",
	            "a c");
}

static void test_functions(void **unused)
{
	const char *rules =
		"(role r) (init (cell 1 (piece w k))) (init (cell 2 (piece b q))) (init (cell 3 empty))"
		"(<= (holds ?f) (true ?f)) (<= (owner ?c ?o) (holds (cell ?c (piece ?o ?k))))"
		"(<= (legal r (take ?c)) (owner ?c b)) (<= (legal r (is ?o (f ?p))) (holds (cell 1 ?p)) (owner 1 ?o))"
		"(<= (legal r same) (pair ?x ?x)) (pair (g 1 2) (g 1 2)) (<= (legal r wrong) (pair ?x (g ?y ?y)))";
	check_legal(rules, "(is w (f (piece w k))) (take 2) same");
	check_legal("(role r) (len nil 0) (succ 0 1) (succ 1 2) (<= (len (cons ?x ?l) ?n) (len ?l ?m) (succ ?m ?n))"
	            "(<= (legal r ?n) (len (cons a (cons b nil)) ?n))",
	            "2");
	check_legal("(role r) (<= (deep ?x) (good ?x)) (good (a (b (c (d (e (f 1)))))))"
	            "(<= (legal r ?x) (deep (a (b (c (d (e (f ?x))))))))",
	            "1");
}

/* Finitely many answers, though a question leads to one about a larger term. */
static void test_growing_questions(void **unused)
{
	check_legal("(role r) (init (n 1)) (init (n 2)) (init (q (f 2))) (<= (p ?x) (p (f ?x)) (true (n ?x))) (<= (p ?x) "
	            "(true (q ?x)))"
	            "(<= (legal r ?x) (true (n ?x)) (p ?x))",
	            "2");
	check_legal(
		"(role r) (init (n 1)) (init (q (f (f (f (f (f (f 1)))))))) (<= (p ?x) (p (f ?x))) (<= (p ?x) (true (q ?x)))"
		"(<= (legal r ?x) (true (n ?x)) (p ?x))",
		"1");
}

static void test_or_and_distinct(void **unused)
{
	check_legal("(role r) (n 1) (n 2) (n 3) (<= (legal r (p ?x ?y)) (n ?x) (n ?y) (or (distinct ?x 1) (distinct ?y 1))"
	            "(distinct ?x ?y) (or (n ?x) (n 9)) (not (or (n 7) (same ?x 3)))) (same 3 3)",
	            "(p 1 2) (p 1 3) (p 2 1) (p 2 3)");
	check_legal("(role r) (n (f 1)) (n (f 2)) (<= (legal r ?x) (n ?x) (distinct ?x (f 1)))", "(f 2)");
	check_legal("(role r) (<= (legal r ok) ready (not late)) ready (<= late (true (clock 9)))", "ok");
}

static void test_unsafe_head_patterns(void **unused)
{
	/* A head variable that only the caller binds. */
	check_legal("(role r) (n 1) (n 2) (<= (same ?x ?x) (n ?x)) (<= (legal r ?x) (n ?x) (same ?x 2))", "2");
	check_legal("(role r) (n 1) (n 2) (<= (same ?x ?x)) (<= (legal r ?x) (n ?x) (same ?x 2))", "2");
}

static void test_state_and_moves(void **unused)
{
	const char *rules =
		"(role r) (init (at 0)) (succ 0 1) (succ 1 2) (<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y))"
		"(<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at 2))) (<= (goal r 100) (true (at 2)))"
		"(<= (sees r (now ?x)) (does r (go ?x)))";
	struct fixture f = load(rules, strlen(rules));
	term_list state = {0}, out = {0};
	interpreter_initial(f.in, &state);
	for (int i = 0; i < 2; i++) {
		interpreter_set(f.in, state.at, state.n, NULL);
		assert_false(interpreter_terminal(f.in));
		interpreter_legal(f.in, 0, &out);
		assert_int_equal(out.n, 1);
		term_t move = out.at[0];
		interpreter_set(f.in, state.at, state.n, &move);
		interpreter_sees(f.in, 0, &out);
		expect(&f, &out, i ? "(now 2)" : "(now 1)");
		interpreter_goal(f.in, 0, &out);
		expect(&f, &out, "");
		interpreter_next(f.in, &state);
		expect(&f, &state, i ? "(at 2)" : "(at 1)");
	}
	interpreter_set(f.in, state.at, state.n, NULL);
	assert_true(interpreter_terminal(f.in));
	interpreter_goal(f.in, 0, &out);
	expect(&f, &out, "100");
	interpreter_next(f.in, &out);
	expect(&f, &out, "");
	vec_free(&state);
	vec_free(&out);
	unload(&f);
}

static const char *trouble_of(const char *rules, double seconds)
{
	struct fixture f = load(rules, strlen(rules));
	term_list out = {0};
	interpreter_limit(f.in, work_seconds(seconds));
	interpreter_set(f.in, NULL, 0, NULL);
	interpreter_legal(f.in, 0, &out);
	const char *trouble = interpreter_trouble(f.in);
	if (trouble)
		assert_int_equal(out.n, 0);
	interpreter_set(f.in, NULL, 0, NULL);
	assert_null(interpreter_trouble(f.in));
	vec_free(&out);
	unload(&f);
	return trouble;
}

static void test_trouble(void **unused)
{
	assert_non_null(trouble_of("(role r) (p 0) (<= (p (s ?x)) (p ?x)) (<= (legal r ?x) (p ?x))", 0.3));
	assert_non_null(trouble_of("(role r) (<= (legal r ?x) (not (p ?x))) (p 1)", 1));
	assert_non_null(trouble_of("(role r) (<= p (not q)) (<= q (not p)) (<= (legal r 1) p)", 1));
	struct text deep = {0};
	text_puts(&deep, "(role r) ");
	for (int i = 0; i < 20000; i++)
		text_printf(&deep, "(<= p%d p%d) ", i, i + 1);
	text_puts(&deep, "(<= p20000 (true on)) (<= (legal r 1) p0)");
	assert_non_null(trouble_of(deep.at, 10));
	text_free(&deep);
	/* As deep, but within a component: that is no trouble. */
	text_puts(&deep, "(role r) ");
	for (int i = 0; i < 20000; i++)
		text_printf(&deep, "(succ %d %d) ", i, i + 1);
	text_puts(&deep, "(<= (up 20000)) (<= (up ?x) (succ ?x ?y) (up ?y)) (<= (legal r 1) (up 0))");
	assert_null(trouble_of(deep.at, 10));
	text_free(&deep);
}

/* ---- recorded matches ----------------------------------------------------------- */

struct replay {
	struct fixture f;
	const char *game;
	term_list roles, state, moves;
	int steps, matches;
	double seconds;
};

static void complain(const struct replay *p, json_t *line, const char *what, const char *got, json_t *wanted)
{
	char *text = wanted ? json_dumps(wanted, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	fail_msg("%s, match %d, step %d: %s is %.2000s, recorded %.2000s", p->game,
	         (int)json_integer_value(json_object_get(line, "match")),
	         (int)json_integer_value(json_object_get(line, "step")), what, got, text ? text : "nothing");
}

static void compare(struct replay *p, json_t *line, const char *what, const term_list *got, json_t *wanted)
{
	string_list mine = {0}, theirs = {0};
	print_list(&p->f, got, &mine);
	for (size_t i = 0; i < json_array_size(wanted); i++) {
		struct text t = {0};
		text_puts(&t, json_string_value(json_array_get(wanted, i)));
		for (size_t k = 0; k < t.n; k++)
			t.at[k] = (char)tolower((unsigned char)t.at[k]);
		vec_push(&theirs, t.at);
	}
	if (theirs.n)
		qsort(theirs.at, theirs.n, sizeof *theirs.at, compare_strings);
	bool same = mine.n == theirs.n;
	for (size_t i = 0; same && i < mine.n; i++)
		same = !strcmp(mine.at[i], theirs.at[i]);
	if (!same)
		complain(p, line, what, join(&p->f, got), wanted);
	free_strings(&mine);
	free_strings(&theirs);
}

static void compare_goal(struct replay *p, json_t *line, const term_list *got, json_t *wanted)
{
	char *text = join(&p->f, got), *end = text;
	long value = got->n == 1 ? strtol(text, &end, 10) : 0;
	bool whole = got->n == 1 && end != text && !*end;
	if (whole ? !json_is_integer(wanted) || json_integer_value(wanted) != value : json_is_integer(wanted))
		complain(p, line, "goal", text, wanted);
	mem_free(text);
}

/* The move with this text. */
static term_t find_move(struct replay *p, const term_list *legal, const char *text)
{
	for (size_t i = 0; i < legal->n; i++) {
		char *s = print_term(&p->f, legal->at[i]);
		bool same = !strcasecmp(s, text);
		mem_free(s);
		if (same)
			return legal->at[i];
	}
	return TERM_NONE;
}

static void replay_line(struct replay *p, json_t *line)
{
	term_list out = {0}, next = {0};
	term_list *legal = NEW_ARRAY(term_list, p->roles.n);
	double start = clock_thread();
	if (!json_integer_value(json_object_get(line, "step")))
		interpreter_initial(p->f.in, &p->state);
	interpreter_set(p->f.in, p->state.at, p->state.n, NULL);
	bool terminal = interpreter_terminal(p->f.in);
	for (uint32_t r = 0; !terminal && r < p->roles.n; r++)
		interpreter_legal(p->f.in, r, &legal[r]);
	p->seconds += clock_thread() - start;
	p->steps++;
	compare(p, line, "state", &p->state, json_object_get(line, "state"));
	if (terminal != json_is_true(json_object_get(line, "terminal")))
		complain(p, line, "terminal", terminal ? "true" : "false", json_object_get(line, "terminal"));
	json_t *goals = json_object_get(line, "goals"), *move = json_object_get(line, "move");
	vec_clear(&p->moves);
	for (uint32_t r = 0; r < p->roles.n; r++) {
		char *role = print_term(&p->f, p->roles.at[r]);
		if (!terminal) {
			compare(p, line, "legal", &legal[r], json_object_get(json_object_get(line, "legal"), role));
			if (json_is_object(move)) {
				vec_push(&p->moves, find_move(p, &legal[r], json_string_value(json_object_get(move, role))));
				assert_int_not_equal(vec_last(&p->moves), TERM_NONE);
			}
		}
		if (json_is_object(goals)) {
			start = clock_thread();
			interpreter_goal(p->f.in, r, &out);
			p->seconds += clock_thread() - start;
			compare_goal(p, line, &out, json_object_get(goals, role));
		}
		mem_free(role);
	}
	if (p->moves.n) {
		start = clock_thread();
		interpreter_set(p->f.in, p->state.at, p->state.n, p->moves.at);
		interpreter_next(p->f.in, &next);
		p->seconds += clock_thread() - start;
		json_t *sees = json_object_get(line, "sees");
		for (uint32_t r = 0; json_is_object(sees) && r < p->roles.n; r++) {
			char *role = print_term(&p->f, p->roles.at[r]);
			interpreter_sees(p->f.in, r, &out);
			compare(p, line, "sees", &out, json_object_get(sees, role));
			mem_free(role);
		}
		vec_clear(&p->state);
		for (size_t i = 0; i < next.n; i++)
			vec_push(&p->state, next.at[i]);
	}
	if (interpreter_trouble(p->f.in))
		complain(p, line, "trouble", interpreter_trouble(p->f.in), NULL);
	for (uint32_t r = 0; r < p->roles.n; r++)
		vec_free(&legal[r]);
	mem_free(legal);
	vec_free(&out);
	vec_free(&next);
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);
	return n >= k && !strcmp(s + n - k, end);
}

static void replay_game(const char *folder, const char *name, bool sample)
{
	struct replay p = {.game = name};
	struct text path = {0}, rules = {0}, trace = {0};
	text_printf(&path, "%s/%s.kif", folder, name);
	assert_true(text_read_file(&rules, path.at, GDL_MAX_TEXT, NULL));
	vec_clear(&path);
	text_printf(&path, "%s/traces/%s.jsonl", folder, name);
	assert_true(text_read_file(&trace, path.at, GDL_MAX_TEXT, NULL));
	double start = clock_thread();
	p.f = load(rules.at, rules.n);
	interpreter_roles(p.f.in, &p.roles);
	double loaded = clock_thread() - start;
	int last = -1;
	for (char *at = trace.at, *end; at && *at; at = end) {
		end = strchr(at, '\n');
		end = end ? end + 1 : at + strlen(at);
		json_error_t error;
		json_t *line = json_loadb(at, (size_t)(end - at), 0, &error);
		assert_non_null(line);
		int match = (int)json_integer_value(json_object_get(line, "match"));
		p.matches += match != last;
		last = match;
		if (!sample || p.matches == 1)
			replay_line(&p, line);
		json_decref(line);
	}
	if (getenv("MACAW_TEST_TIMES"))
		fprintf(stderr, "time\t%s\t%.6f\t%d\t%.6f\n", name, p.seconds, p.steps, loaded);
	assert_true(p.steps > 0);
	vec_free(&p.roles);
	vec_free(&p.state);
	vec_free(&p.moves);
	unload(&p.f);
	text_free(&path);
	text_free(&rules);
	text_free(&trace);
}

static void replay_folder(const char *sub)
{
	const char *source = getenv("MACAW_SOURCE"), *only = getenv("MACAW_TEST_GAME");
	bool sample = getenv("MACAW_TEST_SAMPLE") && *getenv("MACAW_TEST_SAMPLE") == '1';
	struct text folder = {0};
	text_printf(&folder, "%s/../shared/%s", source ? source : ".", sub);
	struct dirent **list;
	int n = scandir(folder.at, &list, NULL, alphasort), seen = 0;
	if (n < 0) {
		printf("SKIPPED: no recorded matches at %s\n", folder.at);
		text_free(&folder);
		skip();
	}
	for (int i = 0; i < n; i++) {
		char *name = list[i]->d_name;
		if (ends_with(name, ".kif")) {
			name[strlen(name) - 4] = 0;
			struct text trace = {0};
			text_printf(&trace, "%s/traces/%s.jsonl", folder.at, name);
			FILE *file = fopen(trace.at, "r");
			if (file) {
				fclose(file);
				if ((!only || !strcmp(only, name)) && (!sample || seen % 5 == 0))
					replay_game(folder.at, name, sample);
				seen++;
			}
			text_free(&trace);
		}
		free(list[i]);
	}
	free(list);
	text_free(&folder);
	assert_true(seen > 0);
}

static void test_matches(void **unused)
{
	replay_folder("games");
}

static void test_matches_gdl2(void **unused)
{
	replay_folder("games/gdl2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_left_recursion),
		cmocka_unit_test(test_right_recursion),
		cmocka_unit_test(test_mutual_recursion),
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_negation),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_growing_questions),
		cmocka_unit_test(test_or_and_distinct),
		cmocka_unit_test(test_unsafe_head_patterns),
		cmocka_unit_test(test_state_and_moves),
		cmocka_unit_test(test_trouble),
		cmocka_unit_test(test_matches_gdl2),
		cmocka_unit_test(test_matches),
	};
	return RUN(tests);
}
