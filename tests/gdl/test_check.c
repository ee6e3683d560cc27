/* Verdicts: on small rulesheets made for one fault each, and on the public ones. */
#include "rules.h"

#include "corpus.h"

/* A complete little game; a case adds its own lines to it. */
#define GAME \
	"(role a) (role b) (init (s 1)) (base (s 1)) (base (s 2)) (<= (input ?r go) (role ?r))\n" \
	"(<= (legal ?r go) (role ?r)) (<= (next (s 2)) (true (s 1))) (<= terminal (true (s 2)))\n" \
	"(<= (goal ?r 100) (role ?r))\n"

/* The lines begin with line 4. `code` NULL: nothing at all is reported. */
static void verdict(enum severity s, const char *lines, const char *code, uint32_t line, uint32_t column,
                    const char *words)
{
	struct text t = {0};
	if (code)
		assert_documented(code);
	text_puts(&t, GAME);
	text_puts(&t, lines);
	struct read r = read_rules(t.at, t.n, true);
	const struct diag *g = code ? find_diag(&r.d, code) : NULL;
	struct place p = g ? diag_place(t.at, t.n, g->at.from) : (struct place){0, 0};
	bool fine = code ? g && g->severity == s && p.line == line && p.column == column &&
	                       (!words || strstr(g->message, words) || (g->help && strstr(g->help, words)))
	                 : !r.d.all.n;
	if (s == DIAG_WARNING)
		fine = fine && !r.d.errors;
	if (!fine) {
		fprintf(stderr, "%s\nexpected %s at %u:%u with \"%s\", found:\n", lines, code ? code : "nothing", line, column,
		        words ? words : "");
		show_diags(&r.d, t.at, t.n);
	}
	assert_true(fine);
	free_rules(&r);
	text_free(&t);
}

#define ERROR(lines, code, line, column, words) verdict(DIAG_ERROR, lines, code, line, column, words)
#define WARNING(lines, code, line, column, words) verdict(DIAG_WARNING, lines, code, line, column, words)
#define FINE(lines) verdict(DIAG_WARNING, lines, NULL, 0, 0, NULL)

static void places_of_keywords(void **state)
{
	FINE("");
	ERROR("(<= (next (f true)) (true (s 1)))", "keyword-in-term", 4, 14, "true");
	ERROR("(<= terminal (true (does a b)))", "keyword-in-term", 4, 20, "does");
	ERROR("(true (s 1))", "bad-head", 4, 1, "init");
	ERROR("(<= (does a go) (role a))", "bad-head", 4, 5, "legal");
	ERROR("(<= (not p) (role a))", "bad-head", 4, 5, NULL);
	ERROR("(<= ?x (role ?x))", "bad-head", 4, 5, NULL);
	ERROR("(<= terminal (next (s 1)))", "keyword-in-body", 4, 14, "true");
	ERROR("(<= terminal (init (s 1)))", "keyword-in-body", 4, 14, NULL);
	ERROR("(<= (legal a) (role a))", "keyword-arity", 4, 5, "2 arguments");
	ERROR("(<= terminal (true s 1))", "keyword-arity", 4, 14, "1 argument,");
	ERROR("(<= (terminal x) (true (s 1)))", "keyword-arity", 4, 5, "0 arguments");
	ERROR("(<= terminal (distinct a))", "keyword-arity", 4, 14, NULL);
	ERROR("(<= terminal ?x)", "variable-as-condition", 4, 14, "?x");
	ERROR("(<= terminal (or))", "empty-connective", 4, 14, NULL);
	WARNING("(<= terminal (true (s ?x)) (alleq ?x 2))", "alleq", 4, 28, "the same");
	FINE("(alleq 1 1) (<= terminal (true (s ?x)) (alleq ?x 1))");
	ERROR("(<= (role ?x) (true (s ?x)))", "role-rule", 4, 5, NULL);
	ERROR("(role ?x)", "role-rule", 4, 7, NULL);
	WARNING("(<= terminal (sees a b))", "sees-in-body", 4, 14, NULL);
	FINE("(role random) (<= (sees a b) (does random go))");
}

static void negation(void **state)
{
	ERROR("(<= terminal (not (or (true (s 1)) (true (s 2)))))", "bad-negation", 4, 14, "(not a) (not b)");
	ERROR("(<= terminal (not (not (true (s 1)))))", "bad-negation", 4, 14, "another `not`");
	ERROR("(<= terminal (role ?x) (not (distinct ?x a)))", "bad-negation", 4, 24, "distinct");
	ERROR("(<= terminal (not (and (true (s 1)) (true (s 2)))))", "bad-negation", 4, 14, "(or (not a) (not b))");
	ERROR("(<= terminal (not ?x))", "bad-negation", 4, 14, NULL);
	FINE("(<= terminal (or (true (s 1))))");
	WARNING("(<= terminal (and (true (s 1)) (true (s 2))))", "and", 4, 14, NULL);
	WARNING("(<= terminal (or (true (s 2)) (and (true (s 1)) (true (s 2)))))", "and", 4, 31, NULL);
}

static void stratification(void **state)
{
	ERROR("(<= terminal p) (<= p (not p))", "not-stratified", 4, 28, "p -> not p");
	ERROR("(<= terminal p) (<= p (not q)) (<= q r) (<= r p)", "not-stratified", 4, 28, "p -> not q -> r -> p");
	ERROR("(<= terminal (p a)) (<= (p ?x) (role ?x) (not (q ?x))) (<= (q ?x) (role ?x) (or (true (s 1)) (not (p ?x))))",
	      "not-stratified", 4, 47, NULL);
	FINE("(<= terminal p) (<= p (not q)) (<= q (not r)) (<= r (true (s 1)))");
	WARNING("(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))", "locally-stratified", 4, 32, "goal");
	ERROR("(<= (goal ?r 0) (role ?r) (not (goal ?r 0)))", "not-stratified", 4, 32, "goal");
	ERROR("(<= (goal ?r 0) (role ?r) (not (goal ?r 1))) (<= (goal ?r 1) (role ?r) (not (goal ?r 0)))", "not-stratified",
	      4, 32, "goal");
}

static void dependence_on_moves_and_states(void **state)
{
	ERROR("(<= (legal a x) (does b go))", "depends-on-does", 4, 17, "legal -> does");
	ERROR("(<= (goal a 5) (p ?x)) (<= (p ?x) (q ?x)) (<= (q ?x) (does a ?x))", "depends-on-does", 4, 16,
	      "goal -> p -> q -> does");
	ERROR("(<= terminal (not p)) (<= p (does a go))", "depends-on-does", 4, 19, "terminal -> not p -> does");
	ERROR("(<= (init (s 2)) (does a go))", "depends-on-does", 4, 18, NULL);
	ERROR("(<= (init (s 2)) (true (s 1)))", "depends-on-true", 4, 18, NULL);
	ERROR("(<= (base (s ?x)) (true (s ?x)))", "depends-on-true", 4, 19, NULL);
	FINE("(base (t go)) (<= (next (t ?x)) (p ?x)) (<= (p ?x) (does a ?x) (legal a ?x))");
}

static void safety(void **state)
{
	ERROR("(<= (next (s ?y)) (true (s ?x)))", "unsafe-variable", 4, 14, "?y");
	ERROR("(<= (next (s ?colum)) (true (s ?column)))", "unsafe-variable", 4, 14, "did you mean ?column?");
	ERROR("(<= terminal (not (true (s ?x))))", "unsafe-variable", 4, 28, "negated");
	ERROR("(<= terminal (role ?x) (distinct ?x ?y))", "unsafe-variable", 4, 37, "distinct");
	ERROR("(base ?x)", "unsafe-variable", 4, 7, NULL);
	ERROR("(<= (next ?x) (or (true ?x) (role a)))", "unsafe-variable", 4, 11, "every branch");
	FINE("(<= (next ?x) (or (true ?x) (role ?x)))");
	FINE("(<= (next ?x) (or (true (s ?x)) (or (role ?x) (does a ?x))))");
	FINE("(<= terminal (true (s ?x)) (or (distinct ?x 1) (not (role ?x))))");
	FINE("(<= terminal (or (true (s 2)) (or (role a))))");
	ERROR("(<= terminal (or (true (s ?x)) (not (role ?x))))", "unsafe-variable", 4, 43, NULL);
	ERROR("(<= (next ?x) (or (or (true ?x) (role b)) (role ?x)))", "unsafe-variable", 4, 11, NULL);
	FINE("(<= (next ?x) (or (or (true ?x) (role ?x))) (or (role ?y) (true ?y)) (distinct ?x ?y))");
}

static void recursion(void **state)
{
	FINE("(<= terminal (p a b)) (<= (p ?x ?y) (e ?x ?y)) (<= (p ?x ?z) (e ?x ?y) (p ?y ?z)) (e a b)");
	ERROR("(<= terminal (p a)) (p a) (<= (p (f ?x)) (p ?x))", "recursion", 4, 45, "?x");
	ERROR("(<= terminal (p a)) (p a) (<= (p ?x) (p (f ?x)))", "recursion", 4, 41, "(f ?x)");
	ERROR("(<= terminal (p a)) (p a) (<= (p ?x) (q ?x ?y) (p ?x)) (<= (q ?x ?y) (p ?x) (p ?y))", "recursion", 4, 44,
	      "?y");
	FINE("(<= terminal (p a)) (p (f a)) (<= (p ?x) (role ?x) (role ?y) (p (f ?y)))");
	FINE("(init (t a b)) (base (t a b)) (<= terminal (p a)) (p a) (<= (p ?x) (true (t ?x ?y)) (p ?y))");
	FINE("(<= terminal (p a)) (p a) (<= (p ?x) (role ?x) (or (role ?y) (true ?y)) (p ?y))");
	ERROR("(<= terminal (p a)) (p a) (<= (p ?x) (role ?x) (or (role ?y) (true a)) (p ?y))", "recursion", 4, 75, "?y");
}

static void vocabulary(void **state)
{
	ERROR("(<= terminal (foo Bar)) (foo bar)", "case", 4, 30, "bar");
	FINE("(<= terminal (foo ?X)) (<= (foo ?x) (role ?x))");
	WARNING("(<= terminal (p a) (p a b)) (p a) (p a b)", "two-arities", 4, 35, "p/2 and p/1");
	WARNING("(<= terminal (true (f a)) (true (f a b)))", "two-arities", 4, 33, "f");
	WARNING("(<= terminal (p a b)) (p a)", "wrong-arity", 4, 14, "only p/1");
	WARNING("(<= terminal (heigth 1)) (height 1)", "undefined-relation", 4, 14, "did you mean height?");
	WARNING("(foo 1)", "unused-relation", 4, 1, "foo");
	ERROR("(<= (legl ?r go) (role ?r))", "misspelt-keyword", 4, 5, "legal");
	ERROR("(<= terminl (true (s 1)))", "misspelt-keyword", 4, 5, "terminal");
	ERROR("(<= (nxt (s 1)) (true (s 2)))", "misspelt-keyword", 4, 5, "next");
	ERROR("(<= terminal (treu (s 1)))", "misspelt-keyword", 4, 14, "true");
	ERROR("(<= (next ?x) (role ?x) (distnict ?x a))", "misspelt-keyword", 4, 25, "distinct");
	WARNING("(int 1) (int 2)", "unused-relation", 4, 1, NULL);
	WARNING("(role c) (<= (goal d 5) (true (s 1)))", "unknown-role", 4, 20, "d");
	ERROR("(<= (goal a 101) (true (s 1)))", "goal-value", 4, 13, "101");
	ERROR("(<= (goal a -1) (true (s 1)))", "goal-value", 4, 13, "-1");
	ERROR("(<= (goal a x) (true (s 1)))", "goal-value", 4, 13, NULL);
	FINE("(init (v 5)) (base (v 5)) (<= (goal a ?x) (true (v ?x)))");
}

static void conditions_that_never_hold(void **state)
{
	WARNING("(<= terminal (true (step 2)))", "never-true", 4, 20, "step is never true");
	WARNING("(init (control a)) (base (control a)) (<= terminal (true (contorl a)))", "never-true", 4, 58, "`control`");
	WARNING("(<= terminal (not (true (t 1))))", "never-true", 4, 25, "t is never true");
	WARNING("(<= terminal (true (s 3)))", "never-here", 4, 23, "what stands there: 1, 2");
	WARNING("(init (turn alice)) (base (turn alice)) (<= terminal (true (turn alcie)))", "never-here", 4, 66,
	        "`alice`");
	WARNING("(<= (next (s 1)) (does a jump))", "no-such-move", 4, 26, "jump is never done");
	WARNING("(<= (next (s 1)) (does c go))", "never-here", 4, 24, "what stands there: a, b");
	WARNING("(p 1) (<= terminal (p 2))", "never-here", 4, 23, "the relation p");
	/* by a variable, through rules, through another realm */
	FINE("(p 1) (p 2) (<= (q ?x) (p ?x)) (<= terminal (q 2))");
	FINE("(p (t 5)) (base (t 5)) (<= (next ?x) (p ?x)) (<= terminal (true (t 5)))");
	FINE("(p 1) (r 2) (<= (q ?x) (or (p ?x) (r ?x))) (<= terminal (q 2))");
	WARNING("(p 1) (p 2) (r 2) (<= (q ?x) (p ?x) (r ?x)) (<= terminal (q 1))", "never-here", 4, 61, "stands there: 2");
	FINE("(<= terminal (true (s 1)) (distinct a c))");
}

static void declarations(void **state)
{
	WARNING("(<= (next (s 3)) (true (s 2)))", "not-in-base", 4, 14, "`base` has: 1, 2");
	WARNING("(init (t 1))", "not-in-base", 4, 7, "`init` gives (t 1)");
	WARNING("(legal a noop)", "not-in-input", 4, 10, "`legal` gives noop");
	FINE("(<= (next ?x) (true ?x))");
}

static void names_that_look_misspelt(void **state)
{
	WARNING("(col left) (col right) (<= terminal (col left)) (<= terminal (true (s 1)) (distinct lfet left))",
	        "single-name", 4, 85, "`left`");
	FINE("(p king) (p kings) (<= terminal (p king)) (<= terminal (p kings))");
	WARNING("(p a b) (<= terminal (p ?player ?plaeyr) (role ?player))", "single-variable", 4, 33, "?player");
	FINE("(p a b) (<= terminal (p ?xany ?yany))");
	WARNING("(init (t z)) (base (t z)) (<= (next (t (f ?x))) (true (t ?x)))", "growing-term", 4, 40,
	        "no end of states");
	FINE("(init (t z)) (base (t z)) (base (t (f z))) (<= (next (t (f z))) (true (t z)))");
	WARNING("(<= terminal (true (s (+ 1 1))))", "arithmetic", 4, 23, "succ");
}

static void roles_that_cannot_begin(void **state)
{
	const char *text =
		"(role a) (role b) (init (turn a)) (base (turn a)) (input a go) (input b go)\n"
		"(<= (legal ?r go) (true (tunr ?r))) (<= (next ?x) (true ?x)) (<= terminal (true (turn a))) (<= (goal ?r 5) "
		"(role ?r))";
	struct read r = read_rules(text, strlen(text), true);
	const struct diag *g = find_diag(&r.d, "no-first-move");
	assert_documented("no-first-move");
	assert_non_null(g);
	assert_int_equal(g->at.from, 9); /* b: a is taken to have its turn */
	assert_non_null(strstr(g->help, "noop"));
	assert_non_null(find_diag(&r.d, "never-true"));
	assert_int_equal(r.d.warnings, 2);
	free_rules(&r);
}

static void what_is_missing(void **state)
{
	const char *text = "(role a) (role b) (<= (goal a 5) (role a))";
	struct read r = read_rules(text, strlen(text), true);
	assert_int_equal(r.d.errors, 2);   /* legal, terminal */
	assert_int_equal(r.d.warnings, 7); /* init, next, base, input; no goal for b, no legal for both */
	const struct diag *g = find_diag(&r.d, "role-without-goal");
	assert_non_null(g);
	assert_int_equal(g->at.from, 9);
	free_rules(&r);
}

/* What was read in spite of syntax errors is still looked at, but nothing is
 * said about absence. */
static void after_syntax_errors(void **state)
{
	const char *text = "(role a) (())\n(<= (next ?y) (foo ?x))\n";
	struct read r = read_rules(text, strlen(text), true);
	assert_non_null(find_diag(&r.d, "empty-list"));
	assert_non_null(find_diag(&r.d, "unsafe-variable"));
	assert_null(find_diag(&r.d, "missing-relation"));
	assert_null(find_diag(&r.d, "undefined-relation"));
	free_rules(&r);
	/* A surplus `)` loses nothing. */
	text = "(role a))\n(<= (next ?y) (foo ?x))\n";
	r = read_rules(text, strlen(text), true);
	assert_non_null(find_diag(&r.d, "surplus-paren"));
	assert_non_null(find_diag(&r.d, "unsafe-variable"));
	assert_non_null(find_diag(&r.d, "missing-relation"));
	assert_non_null(find_diag(&r.d, "undefined-relation"));
	free_rules(&r);
}

static void infix_hints(void **state)
{
	static const struct {
		const char *text, *help;
	} cases[] = {{"terminal :- not true(p).", "`~`"},
	             {"terminal :- true(n(N)), N > 0.", "does not compute"},
	             {"next(n(N - 1)) :- true(n(N)).", "does not compute"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct read r = read_rules(cases[i].text, strlen(cases[i].text), true);
		const struct diag *g = find_diag(&r.d, "syntax");
		assert_non_null(g);
		assert_non_null(g->help);
		assert_non_null(strstr(g->help, cases[i].help));
		free_rules(&r);
	}
}

static void infix_messages(void **state)
{
	const char *text = "role(a).\nnext(p(X)) :- true(q(Y)).\n";
	struct read r = read_rules(text, strlen(text), true);
	const struct diag *g = find_diag(&r.d, "unsafe-variable");
	assert_non_null(g);
	assert_non_null(strstr(g->message, "variable X "));
	free_rules(&r);
}

/* --- the public rulesheets ------------------------------------------------------------ */

static void accept(const char *name, const struct text *t, void *data)
{
	struct read r = read_rules(t->at, t->n, true);
	if (r.d.errors) {
		fprintf(stderr, "%s is refused:\n", name);
		show_diags(&r.d, t->at, t->n);
		(*(size_t *)data)++;
	}
	free_rules(&r);
}

static void valid_rulesheets_are_accepted(void **state)
{
	size_t refused = 0, n = corpus_each("", accept, &refused) + corpus_each("gdl2", accept, &refused);
	n += corpus_each("slow", accept, &refused);
	if (!n)
		SKIP("no public rulesheets here");
	fprintf(stderr, "%zu rulesheets\n", n);
	assert_int_equal(refused, 0);
}

static const struct {
	const char *name, *code;
	uint32_t line; /* of the first error with that code */
} invalid[] = {
	{"Corridor.kif", "recursion", 923},
	{"Corridor.kif", "unsafe-variable", 882},
	{"DresdenSinglePlayer1.kif", "unsafe-variable", 22},
	{"DresdenSinglePlayer2.kif", "unsafe-variable", 157},
	{"Modified-ticTacToe2.kif", "bad-negation", 59},
	{"axioms1.kif", "unsafe-variable", 43},
	{"axioms1.kif", "depends-on-does", 81},
	{"axioms2.kif", "unsafe-variable", 1},
	{"axioms3.kif", "recursion", 1},
	{"bonaparte.kif", "unsafe-variable", 24},
	{"bonaparte.kif", "recursion", 735},
	{"chessAlex.kif", "case", 151},
	{"output1.kif", "bad-name", 8},
	{"output2.kif", "unterminated-list", 6},
	{"output3.kif", "bad-name", 6},
	{"simultaneousTicTacToe.kif", "unsafe-variable", 81},
	{"test_case_3b.kif", "unsafe-variable", 13},
	{"test_case_3e.kif", "unsafe-variable", 8},
	{"test_case_3f.kif", "unsafe-variable", 11},
	{"test_clean_not_distinct.kif", "bad-negation", 12},
};

static void refuse(const char *name, const struct text *t, void *data)
{
	struct read r = read_rules(t->at, t->n, true);
	size_t known = 0;
	for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
		if (strcmp(invalid[i].name, name))
			continue;
		known++;
		const struct diag *g = find_diag(&r.d, invalid[i].code);
		uint32_t line = g ? diag_place(t->at, t->n, g->at.from).line : 0;
		if (!g || g->severity != DIAG_ERROR || line != invalid[i].line) {
			fprintf(stderr, "%s: expected %s in line %u, found it in %u\n", name, invalid[i].code, invalid[i].line,
			        line);
			(*(size_t *)data)++;
		}
	}
	if (!known || !r.d.errors) {
		fprintf(stderr, "%s: %zu errors, %zu expected here\n", name, r.d.errors, known);
		(*(size_t *)data)++;
	}
	free_rules(&r);
}

static void invalid_rulesheets_are_refused(void **state)
{
	size_t wrong = 0;
	if (!corpus_each("invalid", refuse, &wrong))
		SKIP("no public rulesheets here");
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_of_keywords),
		cmocka_unit_test(negation),
		cmocka_unit_test(stratification),
		cmocka_unit_test(dependence_on_moves_and_states),
		cmocka_unit_test(safety),
		cmocka_unit_test(recursion),
		cmocka_unit_test(vocabulary),
		cmocka_unit_test(conditions_that_never_hold),
		cmocka_unit_test(declarations),
		cmocka_unit_test(names_that_look_misspelt),
		cmocka_unit_test(roles_that_cannot_begin),
		cmocka_unit_test(what_is_missing),
		cmocka_unit_test(after_syntax_errors),
		cmocka_unit_test(infix_messages),
		cmocka_unit_test(infix_hints),
		cmocka_unit_test(valid_rulesheets_are_accepted),
		cmocka_unit_test(invalid_rulesheets_are_refused),
	};
	return RUN(tests);
}
