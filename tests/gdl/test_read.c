/* What is read, in both forms, and where the complaints point. */
#include "rules.h"

static void reads(const char *text, const char *kif)
{
	struct read r = read_rules(text, strlen(text), false);
	struct text out = {0};
	for (size_t i = 0; i < r.rules->clauses.n; i++) {
		const struct gdl_clause *c = &r.rules->clauses.at[i];
		text_puts(&out, i ? " " : "");
		gdl_print_node(r.rules, c->head, GDL_KIF, &out);
		for (uint32_t k = 0; k < c->count; k++) {
			text_puts(&out, k ? " " : " <= ");
			gdl_print_node(r.rules, r.rules->kids.at[c->body + k], GDL_KIF, &out);
		}
	}
	if (r.d.errors)
		show_diags(&r.d, text, strlen(text));
	assert_string_equal(text_str(&out), kif);
	assert_int_equal(r.d.errors, 0);
	text_free(&out);
	free_rules(&r);
}

static void prefix_form(void **state)
{
	reads("(role x) ; a comment (\n(ROLE Y)", "(role x) (role Y)");
	reads("(<= (Next (cell ?x)) (TRUE (cell ?x)) (noT (P ?x)))", "(next (cell ?x)) <= (true (cell ?x)) (not (P ?x))");
	reads("(<= terminal (p))(q)", "terminal <= p q");
	reads("p\r\nq\r(r a;b\n)", "p q (r a)");
	reads("(<= p (and q (and r s) t))", "p <= q r s t");
	reads("(<= p (or (and q r) s))", "p <= (or (and q r) s)");
	reads("\xef\xbb\xbf(role \xc3\xa9)", "(role \xc3\xa9)");
	reads("(p 01 1 + - a.b 'c \"d\" |)", "(p 01 1 + - a.b 'c \"d\" |)");
}

static void infix_form(void **state)
{
	reads("role(x). role(o).", "(role x) (role o)");
	reads("% first a comment\nterminal :- p, q & ~r.", "terminal <= p q (not r)");
	reads("p <= q\np <- q\np \xe2\x86\x90 q", "p <= q p <= q p <= q");
	reads("p(X) :- q(X, _Y),\n  r(X)\ns.", "(p ?X) <= (q ?X ?_Y) (r ?X) s");
	reads("p :- q | r, s | ~t.", "p <= (or q (and r s) (not t))");
	reads("p :- (q | r), (s, t).", "p <= (or q r) s t");
	reads("p :- or(q, r & s), not(t).", "p <= (or q (and r s)) (not t)");
	reads("p :- ~(q, r).", "p <= (not (and q r))");
	reads("p(X) :- q(X,Y), X != f(Y), ~X \\= Y.", "(p ?X) <= (q ?X ?Y) (distinct ?X (f ?Y)) (not (distinct ?X ?Y))");
	reads("'Mark'('it\\'s', '+', x-1, 007). terminal().", "(Mark it's + x-1 007) terminal");
	reads("/* a\n comment */ p. % and another", "p");
	reads("p(a)\n  .", "(p a)");
}

static void keywords_have_their_numbers(void **state)
{
	const char *text = "(LEGAL Random Next)";
	struct read r = read_rules(text, strlen(text), false);
	node_t head = r.rules->clauses.at[0].head;
	assert_int_equal(r.rules->nodes.at[head].name, GDL_LEGAL);
	assert_int_equal(r.rules->nodes.at[gdl_arg(r.rules, head, 0)].name, GDL_RANDOM);
	assert_int_equal(r.rules->nodes.at[gdl_arg(r.rules, head, 1)].name, GDL_NEXT);
	free_rules(&r);
}

static void nodes_know_their_place(void **state)
{
	static const char *const texts[] = {"(role a)\n(<= (p ?x)\n (q (f ?x)))", "role(a).\np(X) :-\n q(f(X))."};
	for (int i = 0; i < 2; i++) {
		struct read r = read_rules(texts[i], strlen(texts[i]), false);
		const struct gdl_clause *c = &r.rules->clauses.at[1];
		node_t q = r.rules->kids.at[c->body];
		struct range at = r.rules->nodes.at[gdl_arg(r.rules, q, 0)].at;
		assert_int_equal(at.to - at.from, i ? 4 : 6);
		assert_memory_equal(texts[i] + at.from, i ? "f(X)" : "(f ?x)", at.to - at.from);
		assert_int_equal(c->at.from, 9);
		assert_int_equal(c->at.to, strlen(texts[i]));
		free_rules(&r);
	}
}

static void operators_have_their_place(void **state)
{
	const char *text = "p :- ~q(a), X != f(b).";
	struct read r = read_rules(text, strlen(text), false);
	static const char *const parts[] = {"~q(a)", "X != f(b)"};
	for (uint32_t i = 0; i < 2; i++) {
		struct range at = r.rules->nodes.at[r.rules->kids.at[r.rules->clauses.at[0].body + i]].at;
		assert_int_equal(at.to - at.from, strlen(parts[i]));
		assert_memory_equal(text + at.from, parts[i], at.to - at.from);
	}
	free_rules(&r);
}

/* A clause with a fault inside is left out, the others stay. */
static void faulty_clauses_are_left_out(void **state)
{
	static const char *const texts[] = {"(p a) (<= (q a) (r (s (?x b)))) (p (())) (t a)",
	                                    "p(a). q(a) :- r(s(, b)). p(b)) . t(a)."};
	for (int i = 0; i < 2; i++) {
		struct read r = read_rules(texts[i], strlen(texts[i]), false);
		assert_int_equal(r.d.errors, 2);
		assert_int_equal(r.rules->clauses.n, 2);
		free_rules(&r);
	}
}

/* An error of this code at this line and column, and as many errors in all. */
static void fails(const char *text, const char *code, uint32_t line, uint32_t column, size_t errors)
{
	assert_documented(code);
	struct read r = read_rules(text, strlen(text), false);
	const struct diag *g = find_diag(&r.d, code);
	struct place p = g ? diag_place(text, strlen(text), g->at.from) : (struct place){0, 0};
	if (!g || p.line != line || p.column != column || r.d.errors != errors) {
		fprintf(stderr, "%s\nexpected %s at %u:%u, and %zu errors\n", text, code, line, column, errors);
		show_diags(&r.d, text, strlen(text));
	}
	assert_non_null(g);
	assert_int_equal(p.line, line);
	assert_int_equal(p.column, column);
	assert_int_equal(r.d.errors, errors);
	free_rules(&r);
}

static void faults_in_prefix_form(void **state)
{
	fails("(p a))\n(q b)", "surplus-paren", 1, 6, 1);
	fails("(p a)\n(q b\n", "unterminated-list", 2, 1, 1);
	fails("(<= (p a)\n (q b)\n(r c)", "unterminated-list", 1, 1, 1);
	fails("(<= (p a) (q b)\n(<= (r c) (s d))\n(t", "rule-in-list", 2, 1, 2);
	fails("(p ())", "empty-list", 1, 4, 1);
	fails("()", "empty-list", 1, 1, 1);
	fails("(?x a)", "bad-name", 1, 2, 1);
	fails("((p) a)", "bad-name", 1, 2, 1);
	fails("(p ?)", "bad-variable", 1, 4, 1);
	fails("(<=)", "bad-rule", 1, 1, 1);
	fails("(p a <=)", "bad-rule", 1, 6, 1);
	fails("<= p", "bad-rule", 1, 1, 1);
	fails("", "no-rules", 1, 1, 1);
	fails(" ; nothing\n", "no-rules", 1, 1, 1);
	fails("(p \xff)", "bad-utf8", 1, 4, 1);
	fails("(p \x01\x01 a)", "bad-byte", 1, 4, 1);
}

static void faults_in_infix_form(void **state)
{
	fails("p(a.\nq(b).", "unterminated-list", 1, 1, 1);
	fails("p(a)).", "surplus-paren", 1, 5, 1);
	fails("p(a) q(b).", "syntax", 1, 6, 1);
	fails("p(a,).\nq(b).\nr(.", "syntax", 1, 5, 2);
	fails("p :- q,.", "syntax", 1, 8, 1);
	fails("p :- q :- r.", "syntax", 1, 8, 1);
	fails("p, q :- r.", "bad-head", 1, 1, 1);
	fails("p(X(a)).", "bad-name", 1, 3, 1);
	fails("p('a b').", "bad-name", 1, 3, 1);
	fails("p('').", "bad-name", 1, 3, 1);
	fails("p('a).\n", "bad-name", 1, 3, 2);
	fails("p. /* x", "unterminated-comment", 1, 4, 1);
	fails("p(a) ; comment", "syntax", 1, 6, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(prefix_form),
	                                   cmocka_unit_test(infix_form),
	                                   cmocka_unit_test(keywords_have_their_numbers),
	                                   cmocka_unit_test(nodes_know_their_place),
	                                   cmocka_unit_test(operators_have_their_place),
	                                   cmocka_unit_test(faulty_clauses_are_left_out),
	                                   cmocka_unit_test(faults_in_prefix_form),
	                                   cmocka_unit_test(faults_in_infix_form)};
	return RUN(tests);
}
