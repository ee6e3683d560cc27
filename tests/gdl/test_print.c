/* Printing and reading again gives the same rules, in both forms and across. */
#include "rules.h"

#include "corpus.h"

#include "base/rng.h"

/* Prints, reads again, complains when something changed. */
static struct gdl_rules *again(const struct gdl_rules *r, enum gdl_form form, const char *name)
{
	struct text t = {0};
	gdl_print(r, form, &t);
	struct read back = read_rules(text_str(&t), t.n, false);
	bool fine = !back.d.errors && gdl_equal(r, back.rules) && gdl_equal(back.rules, r) && back.rules->form == form;
	if (!fine) {
		fprintf(stderr, "%s in form %d reads back otherwise:\n%.2000s\n", name, form, text_str(&t));
		show_diags(&back.d, text_str(&t), t.n);
	}
	assert_true(fine || !r->clauses.n);
	diag_free(&back.d);
	text_free(&t);
	return back.rules;
}

static void round_trips(const struct gdl_rules *r, const char *name)
{
	struct gdl_rules *kif = again(r, GDL_KIF, name), *infix = again(r, GDL_INFIX, name);
	struct gdl_rules *across = again(infix, GDL_KIF, name), *back = again(kif, GDL_INFIX, name);
	assert_true(gdl_equal(r, across));
	assert_true(gdl_equal(r, back));
	gdl_free(kif);
	gdl_free(infix);
	gdl_free(across);
	gdl_free(back);
}

static void round_trip_file(const char *name, const struct text *t, void *data)
{
	struct read r = read_rules(t->at, t->n, false);
	round_trips(r.rules, name);
	free_rules(&r);
}

static void test_corpus(void **state)
{
	size_t n = 0;
	static const char *const subs[] = {"", "gdl2", "slow", "invalid"};
	for (size_t i = 0; i < 4; i++)
		n += corpus_each(subs[i], round_trip_file, NULL);
	if (!n)
		SKIP("no public rulesheets here");
	fprintf(stderr, "%zu rulesheets\n", n);
}

/* --- generated rules ------------------------------------------------------------ */

static void generate_name(struct rng *g, struct text *t)
{
	static const char *const names[] = {"a",    "Mark",   "+",        "x-1", "100",  "01",  "TRUE", "it's",
	                                    "%",    "~",      ":-",       "a.b", "_",    "_x",  ".",    "\\",
	                                    "é",    "p,q",    "|",        "f_2", "not_", "x/y", "'",    "X",
	                                    "cell", "random", "distinct", "/*",  "\"",   "<",   "=>",   "?a"};
	size_t n = sizeof names / sizeof *names - 1; /* the last is no name */
	text_puts(t, names[rng_below(g, (uint32_t)n)]);
}

static void generate_term(struct rng *g, struct text *t, int depth)
{
	static const char *const variables[] = {"?x", "?X", "?x_2", "?x-2", "?1", "?_", "?é", "??", "?_.1", "?V1"};
	uint32_t kind = rng_below(g, depth > 0 ? 4 : 2);
	if (kind == 0) {
		text_puts(t, variables[rng_below(g, 10)]);
	} else if (kind == 1) {
		generate_name(g, t);
	} else {
		text_putc(t, '(');
		generate_name(g, t);
		for (uint32_t i = rng_below(g, 4); i > 0; i--) {
			text_putc(t, ' ');
			generate_term(g, t, depth - 1);
		}
		text_putc(t, ')');
	}
}

static void generate_formula(struct rng *g, struct text *t, int depth)
{
	static const char *const connectives[] = {"(not", "(or", "(and", "(distinct", "(NOT", "(Or"};
	if (!depth || rng_below(g, 2)) {
		generate_term(g, t, 2);
		return;
	}
	text_puts(t, connectives[rng_below(g, 6)]);
	for (uint32_t i = rng_below(g, 4); i > 0; i--) {
		text_putc(t, ' ');
		generate_formula(g, t, depth - 1);
	}
	text_putc(t, ')');
}

static void test_generated(void **state)
{
	struct rng g = rng_seed(2024);
	for (int round = 0; round < (test_sample() ? 300 : 5000); round++) {
		struct text t = {0};
		for (uint32_t c = 1 + rng_below(&g, 5); c > 0; c--) {
			if (rng_below(&g, 3)) {
				text_puts(&t, "(<= ");
				generate_term(&g, &t, 3);
				for (uint32_t i = rng_below(&g, 5); i > 0; i--) {
					text_putc(&t, ' ');
					generate_formula(&g, &t, 3);
				}
				text_puts(&t, ")\n");
			} else {
				text_puts(&t, "(");
				generate_name(&g, &t);
				text_putc(&t, ' ');
				generate_term(&g, &t, 3);
				text_puts(&t, ")\n");
			}
		}
		struct read r = read_rules(text_str(&t), t.n, false);
		if (r.d.errors)
			show_diags(&r.d, text_str(&t), t.n);
		assert_int_equal(r.d.errors, 0);
		round_trips(r.rules, "generated");
		free_rules(&r);
		text_free(&t);
	}
}

/* --- equality ---------------------------------------------------------------------- */

static bool equal(const char *a, const char *b)
{
	struct read x = read_rules(a, strlen(a), false), y = read_rules(b, strlen(b), false);
	assert_int_equal(x.d.errors + y.d.errors, 0);
	bool same = gdl_equal(x.rules, y.rules);
	assert_int_equal(same, gdl_equal(y.rules, x.rules));
	free_rules(&x);
	free_rules(&y);
	return same;
}

static void test_equal(void **state)
{
	assert_true(equal("(<= (p ?x ?y) (q ?x ?y))", "(<= (p ?a ?b) (q ?a ?b))"));
	assert_true(equal("(p a) (p ?x)", "(p a)\n(p ?y)"));
	assert_true(equal("(<= (p ?x))", "(p ?x)"));
	assert_true(equal("(terminal)", "terminal"));
	assert_true(equal("(<= (p) (and (q) (and r s)))", "(<= p q r s)"));
	assert_true(equal("(<= (p ?x) (q ?x) (not (r ?x)))", "p(X) :- q(X), ~r(X)."));
	assert_true(equal("(<= (p ?x) (or (q ?x) (and (r ?x) s)))", "p(X) <- (q(X) | r(X) & s)"));
	assert_true(equal("(<= p (distinct ?x a))", "p :- X != a."));
	assert_true(equal("(<= p (q ?x ?y))", "p \xe2\x86\x90 q(_, _)."));
	assert_true(equal("(Mark + 1)", "'Mark'('+', 1)."));
	assert_false(equal("(<= (p ?x ?y) (q ?x ?y))", "(<= (p ?a ?b) (q ?b ?a))"));
	assert_false(equal("(<= (p ?x ?y) (q ?x ?y))", "(<= (p ?a ?a) (q ?a ?a))"));
	assert_false(equal("(<= (p ?a ?a) (q ?a ?a))", "(<= (p ?x ?y) (q ?x ?y))"));
	assert_false(equal("(p x)", "(p ?x)"));
	assert_false(equal("(p ?Role ?role)", "(p ?x ?x)")); /* variables are no keywords */
	assert_false(equal("p(Role, _role).", "(p ?x ?x)"));
	assert_false(equal("(p x)", "(p X)"));
	assert_false(equal("(p x)", "(p x) (p x)"));
	assert_false(equal("(p (f x))", "(p f x)"));
}

/* --- single terms -------------------------------------------------------------------- */

static void term_is(struct gdl_rules *r, const char *text, const char *kif)
{
	node_t n;
	struct text error = {0}, out = {0};
	bool ok = gdl_read_term(r, text, strlen(text), &n, &error);
	if (ok)
		gdl_print_node(r, n, GDL_KIF, &out);
	if (ok != (kif != NULL))
		fprintf(stderr, "%s: %s\n", text, text_str(&error));
	assert_int_equal(ok, kif != NULL);
	assert_string_equal(text_str(&out), kif ? kif : "");
	assert_int_equal(error.n == 0, ok);
	text_free(&error);
	text_free(&out);
}

static void test_terms(void **state)
{
	struct read r = read_rules("(role x)", 8, false);
	size_t clauses = r.rules->clauses.n;
	term_is(r.rules, "noop", "noop");
	term_is(r.rules, " Mark ", "Mark");
	term_is(r.rules, "(mark 1 2)", "(mark 1 2)");
	term_is(r.rules, "( mark (f ?x)  b ) ; a comment", "(mark (f ?x) b)");
	term_is(r.rules, "mark(1, f(b))", "(mark 1 (f b))");
	term_is(r.rules, "mark(X)", "(mark ?X)");
	term_is(r.rules, "'Mark'(1)", "(Mark 1)");
	term_is(r.rules, "", NULL);
	term_is(r.rules, "   ", NULL);
	term_is(r.rules, "(", NULL);
	term_is(r.rules, ")", NULL);
	term_is(r.rules, "()", NULL);
	term_is(r.rules, "a b", NULL);
	term_is(r.rules, "(a) (b)", NULL);
	term_is(r.rules, "(a b", NULL);
	term_is(r.rules, "mark(1", NULL);
	term_is(r.rules, "mark(1))", NULL);
	term_is(r.rules, "mark(1,)", NULL);
	term_is(r.rules, "(<= a b)", NULL);
	assert_int_equal(r.rules->clauses.n, clauses);
	free_rules(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_equal), cmocka_unit_test(test_terms),
	                                   cmocka_unit_test(test_generated), cmocka_unit_test(test_corpus)};
	return RUN(tests);
}
