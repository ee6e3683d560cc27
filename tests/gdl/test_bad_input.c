/* Texts that are no rulesheets, and very large or very deep ones: a message, in
 * time and memory that grow no faster than the text. */
#include "rules.h"

#include "base/clock.h"

#define MB ((size_t)1 << 20)
#define WIDE 60 /* seconds */

struct found {
	size_t errors, clauses;
	double seconds;
	char code[32];
};

/* Reads, checks, prints all messages, and takes the time: that of the processor, since the machine may be busy. What
 * grows faster than the text would take hours, so the bounds are wide enough for a slow machine. */
static struct found read_text(const char *text, size_t length)
{
	double start = clock_thread();
	struct read r = read_rules(text, length, true);
	struct text out = {0};
	diag_print(&r.d, "bad", text, length, false, &out);
	assert_true(out.n < 2 * MB);
	text_free(&out);
	struct found f = {r.d.errors, r.rules->clauses.n, clock_thread() - start, ""};
	for (size_t i = 0; i < r.d.all.n && !f.code[0]; i++)
		if (r.d.all.at[i].severity == DIAG_ERROR)
			snprintf(f.code, sizeof f.code, "%s", r.d.all.at[i].code);
	free_rules(&r);
	return f;
}

/* The text `before`, then `part` again and again up to about `size` bytes, then `after`. */
static struct found repeated(const char *before, const char *part, size_t size, const char *after)
{
	struct text t = {0};
	text_puts(&t, before);
	size_t step = strlen(part);
	vec_reserve(&t, size + step + 64);
	for (size_t n = 0; n < size; n += step)
		text_add(&t, part, step);
	text_puts(&t, after);
	struct found f = read_text(t.at, t.n);
	text_free(&t);
	return f;
}

static void refused(struct found f, const char *code)
{
	if (!f.errors || strcmp(f.code, code))
		fprintf(stderr, "expected %s, found %zu errors, first %s\n", code, f.errors, f.code);
	assert_documented(code);
	assert_true(f.errors > 0);
	assert_string_equal(f.code, code);
}

static size_t scale(size_t bytes)
{
	return test_sample() ? bytes / 10 : bytes;
}

static void no_text(void **state)
{
	refused(read_text("", 0), "no-rules");
	refused(read_text("\xef\xbb\xbf", 3), "no-rules");
	refused(read_text("\0\0\0", 3), "bad-byte");
	refused(read_text("\xff\xfe(\0r\0", 6), "bad-utf8");
	refused(read_text("\x7f"
	                  "ELF\2\1\1\0\0\0\0",
	                  11),
	        "bad-byte");
}

/* Binary bytes of all kinds, after beginnings that make it either form. */
static void binary(void **state)
{
	static const char *const beginnings[] = {"", "(", "p(", "'"};
	for (size_t b = 0; b < 4; b++) {
		struct text t = {0};
		text_puts(&t, beginnings[b]);
		uint32_t x = 12345;
		for (size_t i = 0; i < scale(1 * MB); i++) {
			x = x * 1664525 + 1013904223;
			text_putc(&t, (char)(x >> 24));
		}
		struct found f = read_text(t.at, t.n);
		assert_true(f.errors > 0);
		assert_true(f.seconds < WIDE);
		text_free(&t);
	}
}

static void only_parentheses(void **state)
{
	struct found f = repeated("", "(", scale(100 * MB), "");
	refused(f, "too-deep");
	assert_true(f.seconds < WIDE);
	f = repeated("", ")", scale(100 * MB), "");
	refused(f, "surplus-paren");
	assert_int_equal(f.errors, 101);
	assert_true(f.seconds < WIDE);
	refused(repeated("", "() ", scale(20 * MB), ""), "empty-list");
	refused(repeated("p", "(", scale(20 * MB), ""), "too-deep");
	refused(repeated("", "p(", scale(20 * MB), ""), "too-deep");
	refused(repeated("p :- ", "~", scale(20 * MB), "q."), "too-deep");
}

static void deep_terms(void **state)
{
	refused(repeated("(p ", "(f ", 3000000, "a"), "too-deep"); /* a million deep */
	/* The deepest that is read goes through every recursive function. */
	struct text t = {0};
	text_puts(&t, "(<= (next ");
	for (int i = 0; i < GDL_MAX_DEPTH - 10; i++)
		text_puts(&t, "(f ");
	text_puts(&t, "?x");
	for (int i = 0; i < GDL_MAX_DEPTH - 10; i++)
		text_puts(&t, ")");
	text_puts(&t, ") (true ?x))");
	struct read r = read_rules(t.at, t.n, true);
	assert_null(find_diag(&r.d, "too-deep"));
	assert_int_equal(r.rules->clauses.n, 1);
	struct text infix = {0};
	gdl_print(r.rules, GDL_INFIX, &infix);
	struct read back = read_rules(infix.at, infix.n, false);
	assert_int_equal(back.d.errors, 0);
	assert_true(gdl_equal(r.rules, back.rules));
	free_rules(&r);
	free_rules(&back);
	text_free(&t);
	text_free(&infix);
}

static void deep_formulas(void **state)
{
	static const char *const parts[] = {"(or (p ?x) (and ", "(or ", "(and (p ?x) ", "(or (p ?x) (p ?y) "};
	for (size_t k = 0; k < 4; k++) {
		struct text t = {0};
		int levels = k ? GDL_MAX_DEPTH - 10 : GDL_MAX_DEPTH / 2 - 10;
		text_puts(&t, "(<= (next ?x) (true ?x) ");
		for (int i = 0; i < levels; i++)
			text_puts(&t, parts[k]);
		text_puts(&t, "(q ?x ?y)");
		for (int i = 0; i < levels * (k ? 1 : 2); i++)
			text_puts(&t, ")");
		text_puts(&t, ")");
		struct found f = read_text(t.at, t.n);
		assert_int_equal(f.clauses, 1);
		assert_true(f.seconds < WIDE);
		text_free(&t);
	}
}

static void long_names(void **state)
{
	struct found f = repeated("(p ", "a", 10 * MB, ")");
	refused(f, "too-long");
	assert_true(f.seconds < WIDE);
	refused(repeated("(p ?", "a", 10 * MB, ")"), "too-long");
	refused(repeated("p(", "a", 10 * MB, ")."), "too-long");
	refused(repeated("p(A", "a", 10 * MB, ")."), "too-long");
	refused(repeated("p('", "a", 10 * MB, "')."), "too-long");
	assert_int_equal(repeated("(p a) ", "\xff", 10 * MB, "").errors, 2);
}

/* Twice the text may take little more than twice the time. */
static void growth(const char *before, const char *part, const char *after)
{
	size_t size = scale(1 * MB);
	struct found small = repeated(before, part, size, after), large = repeated(before, part, size * 4, after);
	if (large.seconds > small.seconds * 12 + 0.2)
		fprintf(stderr, "%s: %.3f s, then %.3f s\n", part, small.seconds, large.seconds);
	assert_true(large.seconds <= small.seconds * 12 + 0.2);
}

static void linear_time(void **state)
{
	growth("", "(p a)\n", "");
	growth("", "a ", "");
	growth("(<= (p ?x)", " (q ?x)", ")");
	growth("(<= (p ?x) (or", " (q ?x)", "))");
	growth("(<= (p ?x) ", "(or (q ?x ?y) (r ?y ?x))", ")");
	growth("(p", " ?x", ")");
	growth("(p", " (f ?x a)", ")");
	growth("(<= (p ?x) (not (q", " ?x", ")))");
	growth("(<= (p ?x) (p", " (f ?x)", "))");
	growth("", "(<= (p ?x) (not (p ?x)))\n", "");
	growth("", "(<= (p ?x) (q ?x) (not (q ?y)))", "");
	growth("", "p(X) :- q(X), ~r(Y).\n", "");
	growth("p(", "a,", "b).");
	growth("p :- ", "q | ", "r.");
}

/* Many different names: relations, variables, spellings. */
static void many_names(void **state)
{
	static const char *const formats[] = {"(p%zu a) ", "(<= (a%zu ?x) (b%zu ?x)) ", "(legal%zu a b) ", "(p ?x%zu) ",
	                                      "(<= (p%zu ?x) (not (p%zu ?x))) "};
	for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
		struct text t = {0};
		for (size_t i = 0; t.n < scale(2 * MB); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			text_printf(&t, formats[k], i, i);
#pragma GCC diagnostic pop
		}
		struct found f = read_text(t.at, t.n);
		if (f.seconds >= WIDE)
			fprintf(stderr, "%s: %.3f s\n", formats[k], f.seconds);
		assert_true(f.errors > 0);
		assert_true(f.seconds < WIDE);
		text_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_text),     cmocka_unit_test(binary),        cmocka_unit_test(only_parentheses),
		cmocka_unit_test(deep_terms),  cmocka_unit_test(deep_formulas), cmocka_unit_test(long_names),
		cmocka_unit_test(linear_time), cmocka_unit_test(many_names),
	};
	return RUN(tests);
}
