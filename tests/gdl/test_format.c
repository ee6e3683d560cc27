/* The formatter: rules stay the same, comments stay, and what was laid out stays as it is. */
#include "rules.h"

#include "base/rng.h"
#include "corpus.h"
#include "gdl/format.h"
#include "gdl/format_comments.h"

static void lay_out(const char *text, size_t length, struct format_options o, struct text *out)
{
	struct read r = read_rules(text, length, false);
	if (!gdl_format(r.rules, text, length, &o, out))
		fail_msg("cannot be laid out: %.2000s", text);
	free_rules(&r);
}

/* The bytes of all comments one after another, without what stands around them. */
static void comments_of(const char *text, size_t length, struct text *out)
{
	struct read r = read_rules(text, length, false);
	struct format_comments all = {0};
	format_find_comments(r.rules->form, text, length, &all);
	for (size_t i = 0; i < all.n; i++) {
		text_add(out, text + all.at[i].from, all.at[i].to - all.at[i].from);
		text_putc(out, '\n');
	}
	vec_free(&all);
	free_rules(&r);
}

static void check_text(const char *name, const struct text *t, struct format_options o)
{
	struct text once = {0}, twice = {0}, before = {0}, after = {0};
	struct read r = read_rules(text_str(t), t->n, false), back;
	if (!r.d.errors) {
		lay_out(text_str(t), t->n, o, &once);
		back = read_rules(text_str(&once), once.n, false);
		if (!gdl_equal(r.rules, back.rules))
			fail_msg("%s: other rules", name);
		lay_out(text_str(&once), once.n, o, &twice);
		if (strcmp(text_str(&once), text_str(&twice)))
			fail_msg("%s: not stable", name);
		comments_of(text_str(t), t->n, &before);
		comments_of(text_str(&once), once.n, &after);
		if (!memchr(text_str(t), '\r', t->n) && strcmp(text_str(&before), text_str(&after)))
			fail_msg("%s: other comments", name);
		free_rules(&back);
	}
	free_rules(&r);
	text_free(&once);
	text_free(&twice);
	text_free(&before);
	text_free(&after);
}

static void check_widths(const char *name, const struct text *t, void *data)
{
	size_t *count = data;
	check_text(name, t, (struct format_options){0});
	check_text(name, t, (struct format_options){40, 2});
	++*count;
}

/* A comment wherever there is a blank, now and then: no place may lose it. */
static void check_with_comments(const char *name, const struct text *t, struct rng *rng)
{
	struct text torn = {0};
	struct format_comments all = {0};
	format_find_comments(GDL_KIF, text_str(t), t->n, &all);
	for (size_t i = 0, c = 0; i < t->n; i++) {
		if (c < all.n && i == all.at[c].from) {
			text_add(&torn, t->at + i, all.at[c].to - i);
			i = all.at[c++].to - 1;
			continue;
		}
		text_putc(&torn, t->at[i]);
		if ((t->at[i] == ' ' || t->at[i] == '(') && !rng_below(rng, 30))
			text_puts(&torn, rng_below(rng, 2) ? "; here\n" : "\n  ; alone\n");
	}
	check_text(name, &torn, (struct format_options){0});
	vec_free(&all);
	text_free(&torn);
}

/* The same rules in infix form. */
static void check_infix(const char *name, const struct text *t)
{
	struct read r = read_rules(text_str(t), t->n, false);
	struct text infix = {0};
	gdl_print(r.rules, GDL_INFIX, &infix);
	check_text(name, &infix, (struct format_options){60, 0});
	free_rules(&r);
	text_free(&infix);
}

static int is_rulesheet(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');
	return dot && !strcmp(dot, ".kif");
}

static void our_games_are_laid_out(void **state)
{
	char folder[4096], path[8192];
	const char *source = getenv("MACAW_SOURCE");
	struct rng rng = rng_seed(7);
	struct dirent **list;
	snprintf(folder, sizeof folder, "%s/games", source ? source : ".");
	int n = scandir(folder, &list, is_rulesheet, alphasort);
	assert_true(n > 50);
	for (int i = 0; i < n; i++) {
		struct text t = {0}, once = {0};
		snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
		assert_true(text_read_file(&t, path, (size_t)1 << 24, NULL));
		check_text(list[i]->d_name, &t, (struct format_options){40, 2});
		lay_out(text_str(&t), t.n, (struct format_options){0}, &once);
		if (strcmp(text_str(&t), text_str(&once)))
			fail_msg("%s: `macaw format --write` would change it", list[i]->d_name);
		check_with_comments(list[i]->d_name, &t, &rng);
		check_infix(list[i]->d_name, &t);
		text_free(&t);
		text_free(&once);
		free(list[i]);
	}
	free(list);
}

static void public_rulesheets_stay_the_same(void **state)
{
	size_t count = 0;
	if (!corpus_each("", check_widths, &count))
		SKIP("no public rulesheets");
	printf("%zu rulesheets\n", count);
}

static void expect(const char *text, const char *wanted)
{
	struct text out = {0};
	lay_out(text, strlen(text), (struct format_options){40, 2}, &out);
	assert_string_equal(text_str(&out), wanted);
	text_free(&out);
}

static void by_hand(void **state)
{
	expect("(role a)\n\n\n\n( role   b )", "(role a)\n\n(role b)\n");
	expect("(p 1) (p 2)\n(p 3)", "(p 1) (p 2)\n(p 3)\n");
	expect("(<= p\n q (r ?x))", "(<= p\n  q (r ?x))\n");
	expect("(<= p q)", "(<= p q)\n");
	expect("(<= (p ?x) (true (f ?x)) (true (g ?x)) (true (h ?x)))",
	       "(<= (p ?x)\n  (true (f ?x)) (true (g ?x))\n  (true (h ?x)))\n");
	expect("(<= (p ?x)\n (or (true (ffffffffffff ?x)) (true (gggggggggggg ?x))))",
	       "(<= (p ?x)\n  (or (true (ffffffffffff ?x))\n    (true (gggggggggggg ?x))))\n");
	expect("; top\n(p) ; behind\n(<= q ; head\n (p)\n ; own\n r ) ; end",
	       "; top\n(p) ; behind\n(<= q ; head\n  (p)\n  ; own\n  r) ; end\n");
	expect("(TRUE_ONE) (<= (NEXT ?X) (TRUE ?X))", "(TRUE_ONE) (<= (NEXT ?X) (TRUE ?X))\n");
	expect("role(a).p:-q,r.", "role(a). p :- q & r.\n");
	expect("p :-\n  (q | r), ~s, X!=_, 'It-is'(X).", "p :-\n  (q | r) & ~s & X != _ & 'It-is'(X).\n");
}

int main(void)
{
	const struct CMUnitTest cases[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(our_games_are_laid_out),
		cmocka_unit_test(public_rulesheets_stay_the_same),
	};
	return RUN(cases);
}
