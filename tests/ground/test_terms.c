/* Terms: walks without recursion, shared parts, copies between stores, bounds. */
#include "test.h"

#include "ground/ground.h"

#include <string.h>

#define DEEP 1000000

struct store {
	struct symbols names;
	struct terms terms;
	sym_t f, a;
	term_t atom;
};

static void open_store(struct store *s)
{
	*s = (struct store){0};
	s->f = sym_put(&s->names, "f", 1);
	s->a = sym_put(&s->names, "a", 1);
	s->atom = term_put(&s->terms, s->a, 0, NULL);
}

static void close_store(struct store *s)
{
	sym_free(&s->names);
	term_free(&s->terms);
}

/* f of f of ... a; with both arguments the same, so that the text doubles at each level, when `twice`. */
static term_t nest(struct store *s, size_t levels, bool twice)
{
	term_t t = s->atom;
	for (size_t i = 0; i < levels; i++) {
		term_t args[2] = {t, t};
		t = term_put(&s->terms, s->f, twice ? 2 : 1, args);
	}
	return t;
}

static void printing_follows_any_depth(void **state)
{
	struct store s;
	struct text out = {0};
	open_store(&s);
	term_t t = nest(&s, DEEP, false);
	term_print(&s.terms, &s.names, t, &out);
	assert_int_equal(out.n, DEEP * 4 + 1);
	assert_memory_equal(out.at, "(f (f (f ", 9);
	assert_int_equal(out.at[DEEP * 3], 'a');
	out.n = 0;
	term_print(&s.terms, &s.names, nest(&s, 2, true), &out);
	assert_string_equal(text_str(&out), "(f (f a a) (f a a))");
	text_free(&out);
	close_store(&s);
}

static void depth_and_size_are_counted(void **state)
{
	struct store s;
	open_store(&s);
	term_t t = nest(&s, 2, true);
	assert_int_equal(s.terms.all.at[t].depth, 3);
	assert_int_equal(s.terms.all.at[t].size, 7);
	assert_false(term_is_large(&s.terms, nest(&s, TERM_MAX_DEPTH - 1, false)));
	assert_true(term_is_large(&s.terms, nest(&s, TERM_MAX_DEPTH, false)));
	assert_false(term_is_large(&s.terms, nest(&s, 19, true)));
	assert_true(term_is_large(&s.terms, nest(&s, 20, true)));
	assert_true(term_is_large(&s.terms, nest(&s, 500, true))); /* 2^500 names: the count stays at its end */
	close_store(&s);
}

static void copies_share_as_the_originals_do(void **state)
{
	struct store from, to;
	struct term_copies c = {0};
	open_store(&from);
	open_store(&to);
	term_t t = nest(&from, 500, true), u = nest(&from, DEEP, false);
	assert_int_equal(term_copy(&c, &from.terms, t, &to.terms), nest(&to, 500, true));
	assert_int_equal(to.terms.all.n, 501);
	assert_int_equal(term_copy(&c, &from.terms, u, &to.terms), nest(&to, DEEP, false));
	assert_int_equal(to.terms.all.n, from.terms.all.n);
	assert_int_equal(term_copy(&c, &from.terms, t, &to.terms), nest(&to, 500, true));
	term_copies_free(&c);
	close_store(&from);
	close_store(&to);
}

static term_t of_text(struct store *s, const char *text, bool add)
{
	struct gdl_rules *read = gdl_empty(GDL_KIF);
	struct text error = {0};
	node_t n;
	term_t t = TERM_NONE;
	if (gdl_read_term(read, text, strlen(text), &n, &error))
		t = term_of_node(&s->terms, &s->names, read, n, 3, add);
	text_free(&error);
	gdl_free(read);
	return t;
}

static void nodes_become_terms(void **state)
{
	struct store s;
	open_store(&s);
	assert_int_equal(of_text(&s, "a", false), s.atom);
	assert_int_equal(of_text(&s, "(f (f a))", false), TERM_NONE);
	term_t t = of_text(&s, "(f (f a a) (f a a))", true);
	assert_int_equal(t, nest(&s, 2, true));
	assert_int_equal(of_text(&s, "(f (f a a) (f a a))", false), t);
	assert_int_equal(of_text(&s, "(f (f a a) (f a))", false), TERM_NONE);
	size_t before = s.terms.all.n;
	static const char *const no[] = {"b",      "(f b)",       "(f a b)",           "?x",
	                                 "(f ?x)", "(f a a a a)", "(f (f a a a a) a)", "(b a)"};
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		assert_int_equal(of_text(&s, no[i], true), TERM_NONE);
	assert_int_equal(s.terms.all.n, before);
	close_store(&s);
}

/* Rules whose terms grow end the grounding at the bound, long before memory does. */
static void grounding_stops_at_large_terms(void **state)
{
	static const char *const growing[] = {"(s ?x)", "(s ?x ?x)", "(s (s (s ?x)))"};
	for (size_t i = 0; i < 3; i++) {
		struct text rules = {0}, error = {0};
		struct diags d = {0};
		text_printf(&rules, "(role r) (init (n z)) (<= (next (n %s)) (true (n ?x))) (legal r a)", growing[i]);
		struct gdl_rules *r = gdl_read(rules.at, rules.n, &d);
		assert_null(ground_make(r, &(struct ground_options){0}, &error));
		assert_string_equal(text_str(&error), TERM_TOO_LARGE);
		text_free(&rules);
		text_free(&error);
		diag_free(&d);
		gdl_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(printing_follows_any_depth),       cmocka_unit_test(depth_and_size_are_counted),
		cmocka_unit_test(copies_share_as_the_originals_do), cmocka_unit_test(nodes_become_terms),
		cmocka_unit_test(grounding_stops_at_large_terms),
	};
	return RUN(cases);
}
