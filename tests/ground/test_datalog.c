/* Terms that are stored once, and rules as Datalog. */
#include "test.h"

#include "base/clock.h"
#include "ground/datalog.h"

#include <string.h>

/* ---- terms ------------------------------------------------------------------------ */

static term_t name(struct terms *t, struct symbols *s, const char *text)
{
	return term_put(t, sym_put(s, text, strlen(text)), 0, NULL);
}

static void equal_terms_equal_numbers(void **state)
{
	struct terms t = {0};
	struct symbols s = {0};
	sym_t f = sym_put(&s, "f", 1), a = sym_put(&s, "a", 1);
	term_t x = name(&t, &s, "a"), y = name(&t, &s, "b");
	assert_int_equal(name(&t, &s, "a"), x);
	assert_int_not_equal(x, y);
	term_t xy[2] = {x, y}, yx[2] = {y, x};
	term_t fxy = term_put(&t, f, 2, xy), fyx = term_put(&t, f, 2, yx), fx = term_put(&t, f, 1, xy);
	assert_int_equal(term_put(&t, f, 2, xy), fxy);
	assert_true(fxy != fyx && fxy != fx && fyx != fx);
	assert_int_not_equal(term_put(&t, a, 1, xy), x); /* a constant and a function of one name */
	assert_int_equal(term_find(&t, f, 2, yx), fyx);
	assert_int_equal(term_find(&t, a, 2, yx), TERM_NONE);
	assert_int_equal(term_args(&t, fyx)[0], y);
	term_free(&t);
	sym_free(&s);
}

static void terms_are_printed(void **state)
{
	struct terms t = {0};
	struct symbols s = {0};
	struct text out = {0};
	term_t a = name(&t, &s, "a"), pair[2] = {a, name(&t, &s, "42")};
	pair[1] = term_put(&t, sym_put(&s, "g", 1), 2, pair);
	term_print(&t, &s, term_put(&t, sym_put(&s, "f", 1), 2, pair), &out);
	assert_string_equal(out.at, "(f a (g a 42))");
	text_free(&out);
	term_free(&t);
	sym_free(&s);
}

static void many_terms(void **state)
{
	struct terms t = {0};
	struct symbols s = {0};
	term_t some[300];
	for (int i = 0; i < 300; i++) {
		char text[16];
		snprintf(text, sizeof text, "c%d", i);
		some[i] = name(&t, &s, text);
	}
	sym_t f = sym_put(&s, "f", 1);
	for (int i = 0; i < 300; i++)
		for (int k = 0; k < 300; k++)
			term_put(&t, f, 2, (term_t[]){some[i], some[k]});
	assert_int_equal(t.all.n, 300 + 90000);
	for (int i = 0; i < 300; i++)
		for (int k = 0; k < 300; k += 7) {
			term_t x = term_find(&t, f, 2, (term_t[]){some[i], some[k]});
			assert_int_not_equal(x, TERM_NONE);
			assert_true(term_args(&t, x)[0] == some[i] && term_args(&t, x)[1] == some[k]);
		}
	term_free(&t);
	sym_free(&s);
}

/* ---- Datalog ------------------------------------------------------------------------ */

struct reading {
	struct gdl_rules *rules;
	struct datalog dl;
};

static void read_rules(struct reading *r, const char *text, bool project)
{
	struct diags d = {0};
	struct text error = {0};
	r->rules = gdl_read(text, strlen(text), &d);
	assert_int_equal(d.errors, 0);
	if (!datalog_make(&r->dl, r->rules, project, NULL, &error))
		fail_msg("%s", text_str(&error));
	diag_free(&d);
	text_free(&error);
}

static void free_rules(struct reading *r)
{
	datalog_free(&r->dl);
	gdl_free(r->rules);
}

static uint32_t pred(const struct reading *r, const char *text, uint32_t argc)
{
	return datalog_find_pred(&r->dl, sym_find(&r->rules->symbols, text, strlen(text)), argc);
}

static void expect_rules(const char *text, bool project, const char *wanted)
{
	struct reading r;
	struct text got = {0};
	read_rules(&r, text, project);
	text_puts(&got, "");
	for (size_t i = 0; i < r.dl.rules.n; i++)
		datalog_print_rule(&r.dl, &r.dl.rules.at[i], &got);
	assert_string_equal(got.at, wanted);
	text_free(&got);
	free_rules(&r);
}

static void clauses_become_rules(void **state)
{
	expect_rules("(p a) (<= (q ?x) (p ?x) (not (r ?x b)) (distinct ?x (f ?x)))", false,
	             "(<= (p a))\n(<= (q ?0) (p ?0) (not (r ?0 b)) (distinct ?0 (f ?0)))\n");
	/* one rule a disjunct; negation is pushed inwards */
	expect_rules("(<= p (or q (and r s)) (not (or t u)))", false,
	             "(<= (p) (q) (not (t)) (not (u)))\n(<= (p) (r) (s) (not (t)) (not (u)))\n");
	expect_rules("(<= p (not (and q (not r))))", false, "(<= (p) (not (q)))\n(<= (p) (r))\n");
}

static void predicates_are_marked(void **state)
{
	struct reading r;
	read_rules(&r,
	           "(role x) (edge a b) (<= (far ?x ?y) (edge ?x ?y)) (<= (near ?x) (true (at ?x)))"
	           "(<= (legal x ?y) (near ?x) (far ?x ?y)) (<= (moved ?x) (does x ?x)) (<= (next (at ?x)) (moved ?x))"
	           "(<= idle (true (at ?x))) (edge a b c)",
	           false);
	assert_false(r.dl.preds.at[pred(&r, "edge", 2)].dynamic);
	assert_false(r.dl.preds.at[pred(&r, "far", 2)].dynamic);
	assert_true(r.dl.preds.at[pred(&r, "near", 1)].dynamic);
	assert_true(r.dl.preds.at[pred(&r, "moved", 1)].dynamic);
	assert_true(r.dl.preds.at[pred(&r, "far", 2)].needed);
	assert_false(r.dl.preds.at[pred(&r, "idle", 0)].needed);
	assert_int_not_equal(pred(&r, "edge", 3), pred(&r, "edge", 2));
	assert_int_equal(pred(&r, "edge", 1), TABLE_NONE);
	free_rules(&r);
}

/* A predicate's component comes after all that it depends on. */
static void components_are_ordered(void **state)
{
	struct reading r;
	read_rules(
		&r, "(role x) (<= a b) (<= b a) (<= b c) (<= c (not d)) d (<= (legal x y) a) (init z) (<= (next z) (does x y))",
		false);
	const struct datalog *dl = &r.dl;
	assert_int_equal(dl->preds.at[pred(&r, "a", 0)].component, dl->preds.at[pred(&r, "b", 0)].component);
	assert_true(dl->preds.at[pred(&r, "c", 0)].component < dl->preds.at[pred(&r, "a", 0)].component);
	assert_true(dl->preds.at[pred(&r, "d", 0)].component < dl->preds.at[pred(&r, "c", 0)].component);
	assert_true(dl->preds.at[pred(&r, "legal", 2)].component < dl->preds.at[pred(&r, "does", 2)].component);
	assert_true(dl->preds.at[pred(&r, "does", 2)].component < dl->preds.at[pred(&r, "next", 1)].component);
	assert_true(dl->preds.at[pred(&r, "next", 1)].component <= dl->preds.at[pred(&r, "true", 1)].component);
	for (size_t i = 0; i < dl->rules.n; i++)
		for (uint32_t k = 0; k < dl->rules.at[i].count; k++) {
			const struct literal *l = &dl->literals.at[dl->rules.at[i].body + k];
			if (l->kind != LITERAL_DISTINCT)
				assert_true(dl->preds.at[l->pred].component <= dl->preds.at[dl->rules.at[i].head.pred].component);
		}
	free_rules(&r);
}

/* No rule of the rewritten program joins more variables than it must. */
static void projection_narrows_rules(void **state)
{
	const char *rules =
		"(role r) (<= terminal (true (at ?a ?b)) (true (at ?b ?c)) (true (at ?c ?d)) (true (at ?d ?e)))";
	struct reading r;
	read_rules(&r, rules, true);
	assert_true(r.dl.rules.n >= 4);
	for (size_t i = 0; i < r.dl.rules.n; i++) {
		uint64_t vars = r.dl.rules.at[i].head.vars;
		for (uint32_t k = 0; k < r.dl.rules.at[i].count; k++)
			vars |= r.dl.literals.at[r.dl.rules.at[i].body + k].vars;
		assert_true(__builtin_popcountll(vars) <= 2);
	}
	free_rules(&r);
	read_rules(&r, rules, false);
	assert_int_equal(r.dl.rules.n, 2);
	free_rules(&r);
}

/* Names that rewriting makes up do not meet names of the rules. */
static void made_names_are_new(void **state)
{
	struct reading r;
	read_rules(&r,
	           "(role r) ($1 a) (<= ($2 ?x) (true (at ?x $1)))"
	           "(<= terminal (true (at ?a ?b)) (true (at ?b ?c)) (true (at ?c ?d)) ($2 ?d))",
	           true);
	uint32_t made = 0;
	for (size_t i = 0; i < r.dl.preds.n; i++)
		if (r.dl.preds.at[i].made) {
			const char *text = sym_text(&r.rules->symbols, r.dl.preds.at[i].name);
			assert_true(strcmp(text, "$1") && strcmp(text, "$2"));
			made++;
		}
	assert_true(made > 0);
	free_rules(&r);
}

/* Bodies and chains of any length take time in proportion; the processor time is that of a slow machine. */
static void long_rules_take_linear_time(void **state)
{
	struct text t = {0};
	struct reading r;
	double began = clock_thread();
	text_puts(&t, "(role r) (<= (next p) (or (true a) (true b))");
	for (int i = 0; i < 100000; i++)
		text_puts(&t, " (true c)");
	text_puts(&t, ") q0");
	for (int i = 0; i < 100000; i++)
		text_printf(&t, "(<= q%d q%d) ", i + 1, i);
	read_rules(&r, t.at, true);
	assert_int_equal(r.dl.rules.at[1].count, 100001);
	assert_int_equal(r.dl.rules.at[2].count, 100001);
	assert_true(clock_thread() - began < 5);
	free_rules(&r);
	text_free(&t);
}

static void reading_ends_with_its_limit(void **state)
{
	struct text error = {0};
	struct diags d = {0};
	struct datalog dl;
	atomic_bool stop = true;
	static const char rules[] = "(role r) (<= (next p) (true p))";
	struct gdl_rules *r = gdl_read(rules, sizeof rules - 1, &d);
	assert_false(datalog_make(&dl, r, true, &(struct limit){.stop = &stop}, &error));
	assert_string_equal(text_str(&error), DATALOG_LATE);
	datalog_free(&dl);
	gdl_free(r);
	diag_free(&d);
	text_free(&error);
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(long_rules_take_linear_time),
		cmocka_unit_test(reading_ends_with_its_limit),
		cmocka_unit_test(equal_terms_equal_numbers),
		cmocka_unit_test(terms_are_printed),
		cmocka_unit_test(many_terms),
		cmocka_unit_test(clauses_become_rules),
		cmocka_unit_test(predicates_are_marked),
		cmocka_unit_test(components_are_ordered),
		cmocka_unit_test(projection_narrows_rules),
		cmocka_unit_test(made_names_are_new),
	};
	return RUN(cases);
}
