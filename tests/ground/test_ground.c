/* Ground programs of small rulesheets, line by line (in any order), and the bounds. */
#include "work.h"

#include "base/clock.h"
#include "ground/ground.h"

#include <string.h>

static struct ground *make(const char *text, struct gdl_rules **rules, const struct ground_options *o,
                           struct text *error)
{
	struct diags d = {0};
	*rules = gdl_read(text, strlen(text), &d);
	assert_int_equal(d.errors, 0);
	diag_free(&d);
	return ground_make(*rules, o, error);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The lines of a text, sorted, without those that are empty. */
static void sort_lines(const char *text, struct text *out)
{
	VEC(char *) lines = {0};
	char *copy = strdup(text), *rest = copy;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (*line)
			vec_push(&lines, line);
	if (lines.n)
		qsort(lines.at, lines.n, sizeof *lines.at, by_text);
	for (size_t i = 0; i < lines.n; i++)
		text_printf(out, "%s\n", lines.at[i]);
	text_puts(out, "");
	vec_free(&lines);
	free(copy);
}

/* What the header promises of any ground program. */
static void check_shape(const struct ground *g)
{
	assert_int_equal(g->first.n, g->atoms + 1);
	assert_int_equal(g->first.at[g->atoms] + 1, g->rule.n);
	assert_int_equal(g->instances + 1, g->rule.n);
	assert_int_equal(g->names.n, g->atoms);
	assert_int_equal(g->next.n, g->fluents.n);
	for (size_t i = 0; i < g->fluents.n + g->moves.n; i++) /* the given ones have no rules */
		assert_int_equal(g->first.at[i], g->first.at[i + 1]);
	for (size_t i = 0; i < g->body.n; i++)
		assert_true(g->body.at[i] / 2 < g->atoms);
	const struct ground_outputs *all[] = {&g->moves, &g->goals, &g->percepts};
	for (int k = 0; k < 3; k++) {
		assert_int_equal(all[k]->start.n, g->roles.n + 1);
		for (uint32_t r = 0; r < g->roles.n; r++)
			for (uint32_t i = all[k]->start.at[r]; i < all[k]->start.at[r + 1]; i++) {
				assert_int_equal(all[k]->at[i].role, r);
				assert_true(all[k]->at[i].atom < g->atoms || all[k]->at[i].atom == ATOM_NONE);
			}
	}
	assert_true(g->random <= g->roles.n);
}

static void expect(const char *rules, const char *wanted)
{
	struct gdl_rules *r;
	struct text error = {0}, got = {0}, x = {0}, y = {0};
	struct ground_options o = {0};
	struct ground *g = make(rules, &r, &o, &error);
	if (!g)
		fail_msg("%s", text_str(&error));
	check_shape(g);
	ground_print(g, &got);
	sort_lines(text_str(&got), &x);
	sort_lines(wanted, &y);
	if (strcmp(x.at, y.at))
		fail_msg("%s\ngives\n%s\nand not\n%s", rules, x.at, y.at);
	text_free(&error);
	text_free(&got);
	text_free(&x);
	text_free(&y);
	ground_free(g);
	gdl_free(r);
}

static void a_small_game(void **state)
{
	expect("(role r) (init (at 0)) (succ 0 1) (succ 1 2)"
	       "(<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y)) (<= (next (at ?x)) (does r (go ?x)))"
	       "(<= terminal (true (at 2))) (<= (goal r 100) (true (at 2))) (<= (goal r 0) (not (true (at 2))))",
	       "(<= (goal r 0) (not (true (at 2))))\n"
	       "(<= (goal r 100) (true (at 2)))\n"
	       "(<= (legal r (go 1)) (true (at 0)))\n"
	       "(<= (legal r (go 2)) (true (at 1)))\n"
	       "(<= (next (at 1)) (does r (go 1)))\n"
	       "(<= (next (at 2)) (does r (go 2)))\n"
	       "(<= terminal (true (at 2)))\n"
	       "(init (at 0))\n");
}

static void static_conditions_vanish(void **state)
{
	/* Positive, negative and distinct conditions on static relations are decided. */
	expect("(role r) (n 1) (n 2) (n 3) (small 1) (init (on 1)) (init (on 2)) (init (on 3))"
	       "(<= (big ?x) (n ?x) (not (small ?x)))"
	       "(<= (legal r ?x) (true (on ?x)) (big ?x) (distinct ?x 3))",
	       "(<= (legal r 2) (true (on 2)))\n"
	       "(init (on 1))\n"
	       "(init (on 2))\n"
	       "(init (on 3))\n");
}

static void negation_of_what_never_holds_vanishes(void **state)
{
	/* `never` has no instance, `later` can hold. */
	expect("(role r) (init a) (<= never (true b)) (<= later (true c))"
	       "(<= (legal r one) (not never)) (<= (legal r two) (not later) (true a))"
	       "(<= (next c) (does r one)) (<= (next a) (true a))",
	       "(<= (legal r one))\n"
	       "(<= (legal r two) (not later) (true a))\n"
	       "(<= (next a) (true a))\n"
	       "(<= (next c) (does r one))\n"
	       "(<= later (true c))\n"
	       "(init a)\n");
}

static void recursion_stays(void **state)
{
	expect("(role r) (init (link a b)) (init (link b c)) (legal r wait) (<= (next (link ?x ?y)) (true (link ?x ?y)))"
	       "(<= (path ?x ?y) (true (link ?x ?y))) (<= (path ?x ?z) (path ?x ?y) (true (link ?y ?z)))"
	       "(<= terminal (path a c))",
	       "(<= (legal r wait))\n"
	       "(<= (next (link a b)) (true (link a b)))\n"
	       "(<= (next (link b c)) (true (link b c)))\n"
	       "(<= (path a b) (true (link a b)))\n"
	       "(<= (path a c) (path a b) (true (link b c)))\n"
	       "(<= (path b c) (true (link b c)))\n"
	       "(<= terminal (path a c))\n"
	       "(init (link a b))\n"
	       "(init (link b c))\n");
}

static void static_recursion_is_evaluated(void **state)
{
	expect("(role r) (succ 0 1) (succ 1 2) (succ 2 3) (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) "
	       "(less ?y ?z))"
	       "(init (level 1)) (init (level 3)) (<= (next (level ?x)) (true (level ?x)))"
	       "(<= (legal r (below ?y)) (true (level ?x)) (less ?y ?x))",
	       "(<= (legal r (below 0)) (true (level 1)))\n"
	       "(<= (legal r (below 0)) (true (level 3)))\n"
	       "(<= (legal r (below 1)) (true (level 3)))\n"
	       "(<= (legal r (below 2)) (true (level 3)))\n"
	       "(<= (next (level 1)) (true (level 1)))\n"
	       "(<= (next (level 3)) (true (level 3)))\n"
	       "(init (level 1))\n"
	       "(init (level 3))\n");
}

static void base_and_input_bound_the_endless(void **state)
{
	/* Without bounds the counter would not end. */
	expect("(role r) (base (step z)) (base (step (s z))) (base (step (s (s z))))"
	       "(input r (go z)) (input r (go (s z))) (init (step z))"
	       "(<= (next (step (s ?x))) (true (step ?x)))"
	       "(<= (legal r (go ?x)) (true (step ?x)))",
	       "(<= (legal r (go (s z))) (true (step (s z))))\n"
	       "(<= (legal r (go z)) (true (step z)))\n"
	       "(<= (next (step (s (s z)))) (true (step (s z))))\n"
	       "(<= (next (step (s z))) (true (step z)))\n"
	       "(init (step z))\n");
}

static void nested_terms_are_terms(void **state)
{
	expect("(role r) (init (cell 1 (piece w (kind k)))) (init (cell 2 empty))"
	       "(<= (next (cell ?c ?p)) (true (cell ?c ?p)))"
	       "(<= (legal r (take ?c (kind ?k))) (true (cell ?c (piece ?o (kind ?k)))))"
	       "(<= (owns ?o) (true (cell ?c (piece ?o ?k)))) (<= terminal (owns w))",
	       "(<= (legal r (take 1 (kind k))) (true (cell 1 (piece w (kind k)))))\n"
	       "(<= (next (cell 1 (piece w (kind k)))) (true (cell 1 (piece w (kind k)))))\n"
	       "(<= (next (cell 2 empty)) (true (cell 2 empty)))\n"
	       "(<= (owns w) (true (cell 1 (piece w (kind k)))))\n"
	       "(<= terminal (owns w))\n"
	       "(init (cell 1 (piece w (kind k))))\n"
	       "(init (cell 2 empty))\n");
}

static void disjunction_becomes_rules(void **state)
{
	expect("(role r) (init a) (init b) (init c) (<= (next a) (true a)) (<= (next b) (true b)) (<= (next c) (true c)) "
	       "(init d) (<= (next d) (true d)) (legal r x)"
	       "(<= terminal (or (true a) (and (true b) (not (true c)))) (true d))",
	       "(<= (legal r x))\n"
	       "(<= (next a) (true a))\n"
	       "(<= (next b) (true b))\n"
	       "(<= (next c) (true c))\n"
	       "(<= (next d) (true d))\n"
	       "(<= terminal (true a) (true d))\n"
	       "(<= terminal (true b) (not (true c)) (true d))\n"
	       "(init a)\n"
	       "(init b)\n"
	       "(init c)\n"
	       "(init d)\n");
	expect("(role r) (init a) (init b) (<= (next a) (true a)) (<= (next b) (true b)) (legal r x)"
	       "(<= terminal (not (or (true a) (true b))))",
	       "(<= (legal r x))\n"
	       "(<= (next a) (true a))\n"
	       "(<= (next b) (true b))\n"
	       "(<= terminal (not (true a)) (not (true b)))\n"
	       "(init a)\n"
	       "(init b)\n");
}

static void facts_where_rules_are_usual(void **state)
{
	expect("(role r) (legal r wait) (next tick) (goal r 50) terminal (init tock)", "(<= (goal r 50))\n"
	                                                                               "(<= (legal r wait))\n"
	                                                                               "(<= (next tick))\n"
	                                                                               "(<= terminal)\n"
	                                                                               "(init tock)\n");
}

static void negation_inside_goal(void **state)
{
	expect("(role p) (role q) (init (won p)) (<= (next (won ?r)) (true (won ?r))) (legal p x) (legal q x)"
	       "(<= (goal ?r 100) (true (won ?r))) (<= (goal ?r 0) (role ?r) (not (true (won ?r))))",
	       "(<= (goal p 0) (not (true (won p))))\n"
	       "(<= (goal p 100) (true (won p)))\n"
	       "(<= (goal q 0))\n"
	       "(<= (legal p x))\n"
	       "(<= (legal q x))\n"
	       "(<= (next (won p)) (true (won p)))\n"
	       "(init (won p))\n");
}

static void unreachable_heads_are_dropped(void **state)
{
	expect("(role r) (init a) (<= (legal r x) (true a)) (<= (legal r y) (true nowhere)) (<= (next b) (does r y))"
	       "(<= (next a) (does r x)) (<= (goal r 100) (true b)) (<= useless (true a))",
	       "(<= (legal r x) (true a))\n"
	       "(<= (next a) (does r x))\n"
	       "(init a)\n");
}

static void percepts(void **state)
{
	expect("(role p) (role random) (init a) (legal p x) (legal random y) (legal random z) (<= (next a) (true a))"
	       "(<= (sees p ?m) (does random ?m)) (<= (sees p (own ?m)) (does p ?m) (true a))",
	       "(<= (legal p x))\n"
	       "(<= (legal random y))\n"
	       "(<= (legal random z))\n"
	       "(<= (next a) (true a))\n"
	       "(<= (sees p (own x)) (does p x) (true a))\n"
	       "(<= (sees p y) (does random y))\n"
	       "(<= (sees p z) (does random z))\n"
	       "(init a)\n");
}

static void moves_of_strangers(void **state)
{
	/* `s` is no role: what it may do is nobody's move. */
	expect("(role r) (init a) (legal r x) (legal s y) (<= (next a) (does s y)) (<= (next b) (does r x))",
	       "(<= (legal r x))\n"
	       "(<= (next b) (does r x))\n"
	       "(init a)\n");
}

static void roles_may_come_last(void **state)
{
	expect("(init a) (legal me x) (<= (next b) (does me x)) (<= terminal (not (true a))) (<= (goal me 100) (true b)) "
	       "(role me)",
	       "(init a)\n(<= (legal me x))\n(<= (next b) (does me x))\n(<= terminal (not (true a)))\n"
	       "(<= (goal me 100) (true b))\n");
}

/* ---- projection -------------------------------------------------------------------- */

static struct ground *make_or_fail(const char *rules, struct gdl_rules **r)
{
	struct text error = {0};
	struct ground_options o = {0};
	struct ground *g = make(rules, r, &o, &error);
	if (!g)
		fail_msg("%s", text_str(&error));
	text_free(&error);
	check_shape(g);
	return g;
}

/* A chain of k hidden variables over n values costs about k n^2 instances, not n^k. */
static void projection_keeps_joins_small(void **state)
{
	struct text t = {0};
	struct gdl_rules *r;
	text_puts(&t, "(role r) (legal r wait) (<= (next (at ?x ?y)) (true (at ?x ?y)))\n");
	for (int i = 0; i < 12; i++)
		for (int k = 0; k < 12; k++)
			text_printf(&t, "(init (at %d %d))", i, k);
	text_puts(
		&t, "(<= terminal (true (at ?a ?b)) (true (at ?b ?c)) (true (at ?c ?d)) (true (at ?d ?e)) (true (at ?e ?f)))");
	struct ground *g = make_or_fail(t.at, &r);
	assert_true(g->instances < 5 * 144 + 144 + 100);
	ground_free(g);
	gdl_free(r);
	text_free(&t);
}

/* Projected or not, a rule holds in the same states: all 2^9 of them. */
static bool holds(const struct ground *g, atom_t wanted, uint32_t fluents)
{
	bool v[256] = {0};
	assert_true(g->atoms < 256);
	for (uint32_t f = 0; f < g->fluents.n; f++)
		v[f] = fluents >> f & 1;
	for (bool again = true; again;) { /* no negation here */
		again = false;
		for (atom_t a = 0; a < g->atoms; a++)
			for (uint32_t i = g->first.at[a]; i < g->first.at[a + 1] && !v[a]; i++) {
				bool all = true;
				for (uint32_t k = g->rule.at[i]; k < g->rule.at[i + 1]; k++)
					all &= v[g->body.at[k] / 2];
				if (all)
					v[a] = again = true;
			}
	}
	return v[wanted];
}

static void projection_keeps_the_meaning(void **state)
{
	struct gdl_rules *r;
	struct ground *g = make_or_fail(
		"(role r) (legal r wait) (n 0) (n 1) (n 2) (<= (init (at ?x ?y)) (n ?x) (n ?y))"
		"(<= (next (at ?x ?y)) (true (at ?x ?y)))"
		"(<= terminal (true (at ?a ?b)) (true (at ?b ?c)) (distinct ?a ?c) (true (at ?c ?d)) (distinct ?d ?b))",
		&r);
	assert_int_equal(g->fluents.n, 9);
	uint32_t held = 0;
	for (uint32_t s = 0; s < 512; s++) {
		bool at[3][3], wanted = false;
		for (uint32_t f = 0; f < 9; f++) {
			const term_t *args = term_args(&g->datalog.terms, g->fluents.at[f]);
			int x = atoi(sym_text(&r->symbols, g->datalog.terms.all.at[args[0]].name));
			int y = atoi(sym_text(&r->symbols, g->datalog.terms.all.at[args[1]].name));
			at[x][y] = s >> f & 1;
		}
		for (int a = 0; a < 3; a++)
			for (int b = 0; b < 3; b++)
				for (int c = 0; c < 3; c++)
					for (int d = 0; d < 3; d++)
						wanted |= at[a][b] && at[b][c] && a != c && at[c][d] && d != b;
		assert_int_equal(holds(g, g->terminal, s), wanted);
		held += wanted;
	}
	assert_true(held > 50 && held < 512);
	ground_free(g);
	gdl_free(r);
}

/* ---- outputs ------------------------------------------------------------------------- */

static void outputs_are_found(void **state)
{
	struct gdl_rules *r;
	struct ground *g =
		make_or_fail("(role p) (role random) (init a) (legal p x) (legal p y) (<= (legal random z) (true a))"
	                 "(<= (next a) (does p x)) (<= (next b) (does p y)) (<= (goal p 10) (true b)) (goal random 0)"
	                 "(<= (sees p got) (does p x))",
	                 &r);
	assert_int_equal(g->roles.n, 2);
	assert_int_equal(g->random, 1);
	assert_true(g->hidden);
	assert_int_equal(g->fluents.n, 2);
	assert_int_equal(g->moves.n, 3);
	assert_int_equal(g->moves.start.at[1], 2);
	assert_int_equal(g->goals.n, 2);
	assert_int_equal(g->percepts.n, 1);
	assert_int_equal(g->terminal, ATOM_NONE);
	assert_int_equal(bits_count(g->initial.at, 1), 1);
	assert_int_equal(g->outside, 0);
	ground_free(g);
	gdl_free(r);
}

/* Rules that lead out of the declarations are counted, and kept when asked for. */
static void rules_outside_base_are_told(void **state)
{
	struct gdl_rules *r;
	struct ground *g = make_or_fail("(role r) (base a) (base b) (input r x) (init a) (legal r x) (legal r y)"
	                                "(<= (next b) (true a)) (<= (next c) (true a))",
	                                &r);
	assert_int_equal(g->fluents.n, 2);
	assert_int_equal(g->moves.n, 1);
	assert_int_equal(g->outside, 2);
	ground_free(g);
	struct text error = {0};
	struct ground_options o = {.undeclared = true};
	g = ground_make(r, &o, &error);
	assert_non_null(g);
	assert_int_equal(g->fluents.n, 3);
	assert_int_equal(g->moves.n, 2);
	assert_int_equal(g->outside, 0);
	assert_int_equal(g->strays.n, 5);
	assert_int_equal(g->strays.at[0] + g->strays.at[1] + g->strays.at[2], 1);
	assert_int_equal(g->strays.at[3] + g->strays.at[4], 1);
	ground_free(g);
	gdl_free(r);
}

/* ---- bounds ---------------------------------------------------------------------------- */

static void refuse(const char *rules, size_t max, struct limit limit, const char *why)
{
	struct gdl_rules *r;
	struct text error = {0};
	struct ground_options o = {.max_instances = max, .limit = limit};
	double began = clock_thread();
	struct ground *g = make(rules, &r, &o, &error);
	assert_null(g);
	if (!strstr(text_str(&error), why))
		fail_msg("\"%s\" says nothing of \"%s\"", text_str(&error), why);
	assert_true(clock_thread() - began < 20);
	text_free(&error);
	gdl_free(r);
}

#define MANY "(n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)"
#define WIDE "(role r) " MANY "(<= (init (at ?a ?b ?c ?d ?e ?f)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f)) (legal r x)"

static void too_many_instances(void **state)
{
	refuse(WIDE, 1000, (struct limit){0}, "too large");
	refuse(WIDE "(<= (next (at ?a ?b ?c ?d ?e ?f)) (true (at ?a ?b ?c ?d ?e ?f)))", 100000, (struct limit){0},
	       "too large");
}

/* Terms that grow for ever, one fact from each: no join is ever wide. */
static void endless_terms(void **state)
{
	refuse("(role r) (init (n 0)) (legal r x) (<= (next (n (s ?x))) (true (n ?x)))", 10000, (struct limit){0},
	       "too large");
	refuse("(role r) (p 0) (<= (p (s ?x)) (p ?x)) (<= (legal r ?x) (p ?x))", 10000, (struct limit){0}, "too large");
	refuse("(role r) (init (n 0)) (<= (legal r (go ?x)) (true (n ?x))) (<= (next (n ?x)) (does r ?x))", 10000,
	       (struct limit){0}, "too large");
	refuse("(role r) (init (n 0)) (legal r x) (<= (next (n (s ?x ?y))) (true (n ?x)) (true (n ?y)))", (size_t)1 << 40,
	       work_seconds(0.2), "time");
}

static void out_of_time(void **state)
{
	refuse(WIDE "(<= terminal (true (at ?a ?b ?c ?d ?e ?f)) (true (at ?b ?a ?d ?c ?f ?e)))", (size_t)1 << 40,
	       work_seconds(0.1), "time");
	atomic_bool stop = true;
	refuse(WIDE, (size_t)1 << 40, (struct limit){.stop = &stop}, "time");
}

static void too_large_to_read(void **state)
{
	struct text t = {0};
	text_puts(&t, "(role r) (legal r x) (<= terminal");
	for (int i = 0; i < 20; i++)
		text_printf(&t, " (or (true a%d) (true b%d) (true c%d))", i, i, i);
	text_puts(&t, ")");
	refuse(t.at, 0, (struct limit){0}, "too large");
	text_free(&t);
	text_puts(&t, "(role r) (legal r x) (init (p");
	for (int i = 0; i < 200; i++)
		text_printf(&t, " %d", i);
	text_puts(&t, "))");
	refuse(t.at, 0, (struct limit){0}, "too large");
	text_free(&t);
	text_puts(&t, "(role r) (legal r x) (<= terminal");
	for (int i = 0; i < 70; i++)
		text_printf(&t, " (true (p ?v%d))", i);
	text_puts(&t, ")");
	refuse(t.at, 0, (struct limit){0}, "too large");
	text_free(&t);
	text_puts(&t, "(role r) (legal r x) (init a) (<= terminal");
	for (int i = 0; i < 300; i++)
		text_printf(&t, " (true a)");
	text_puts(&t, ")");
	refuse(t.at, 0, (struct limit){0}, "too long");
	text_free(&t);
}

/* Rules that the checker would not let through. */
static void unsafe_rules(void **state)
{
	refuse("(role r) (legal r x) (n 1) (<= terminal (not (n ?x)))", 0, (struct limit){0}, "bound");
	refuse("(role r) (legal r x) (n 1) (<= terminal (n ?x) (distinct ?x ?y))", 0, (struct limit){0}, "bound");
	refuse("(role r) (legal r x) (n 1) (<= (p ?x ?y) (n ?x)) (<= terminal (p 1 2))", 0, (struct limit){0}, "bound");
	refuse("(role r) (legal r x) (<= (same ?x ?x)) (<= terminal (same a a))", 0, (struct limit){0}, "bound");
	refuse("(role r) (legal r x) (init (f ?x))", 0, (struct limit){0}, "bound");
	refuse("(role r) (init a) (legal r x) (<= (next (f ?x)) (true a))", 0, (struct limit){0}, "bound");
}

static void nothing_at_all(void **state)
{
	struct gdl_rules *r;
	struct ground *g = make_or_fail("(n 1)", &r);
	assert_int_equal(g->roles.n, 0);
	assert_int_equal(g->atoms, 0);
	ground_free(g);
	gdl_free(r);
	g = make_or_fail("(role r)", &r);
	assert_int_equal(g->roles.n, 1);
	assert_int_equal(g->fluents.n + g->moves.n + g->goals.n, 0);
	ground_free(g);
	gdl_free(r);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(a_small_game),
		cmocka_unit_test(static_conditions_vanish),
		cmocka_unit_test(negation_of_what_never_holds_vanishes),
		cmocka_unit_test(recursion_stays),
		cmocka_unit_test(static_recursion_is_evaluated),
		cmocka_unit_test(base_and_input_bound_the_endless),
		cmocka_unit_test(nested_terms_are_terms),
		cmocka_unit_test(disjunction_becomes_rules),
		cmocka_unit_test(facts_where_rules_are_usual),
		cmocka_unit_test(negation_inside_goal),
		cmocka_unit_test(unreachable_heads_are_dropped),
		cmocka_unit_test(percepts),
		cmocka_unit_test(moves_of_strangers),
		cmocka_unit_test(roles_may_come_last),
		cmocka_unit_test(projection_keeps_joins_small),
		cmocka_unit_test(projection_keeps_the_meaning),
		cmocka_unit_test(outputs_are_found),
		cmocka_unit_test(rules_outside_base_are_told),
		cmocka_unit_test(too_many_instances),
		cmocka_unit_test(out_of_time),
		cmocka_unit_test(too_large_to_read),
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(unsafe_rules),
		cmocka_unit_test(endless_terms),
	};
	return RUN(cases);
}
