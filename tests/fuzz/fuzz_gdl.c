/* Any bytes as rules: reading and checking must end well, messages must point
 * into the text, and what was read without errors must print and read back as
 * the same rules in both forms. */
#include "base/utf8.h"
#include "gdl/gdl.h"

#include "fuzz/mutate.h"

static void messages(struct diags *d, const char *text, size_t size)
{
	struct text out = {0};
	diag_sort(d);
	diag_print(d, "fuzz", text, size, true, &out);
	for (size_t i = 0; i < d->all.n; i++) {
		const struct diag *g = &d->all.at[i];
		MUST(g->at.from <= g->at.to && g->at.to <= size && g->also.to <= size);
	}
	/* Whatever the text holds, the messages are clean UTF-8 without control bytes. */
	for (size_t i = 0; i < out.n;) {
		size_t n = utf8_length(out.at + i, out.n - i);
		MUST(n > 0 && ((unsigned char)out.at[i] >= ' ' || out.at[i] == '\n' || out.at[i] == '\033'));
		i += n;
	}
	text_free(&out);
}

static void round_trip(const struct gdl_rules *r, enum gdl_form form)
{
	struct text t = {0};
	struct diags d = {0};
	gdl_print(r, form, &t);
	struct gdl_rules *back = gdl_read(text_str(&t), t.n, &d);
	MUST(!d.errors);
	MUST(back->form == form);
	MUST(gdl_equal(r, back));
	diag_free(&d);
	gdl_free(back);
	text_free(&t);
}

static void term(const char *text, size_t size)
{
	struct diags d = {0};
	struct gdl_rules *r = gdl_read("(role x)", 8, &d);
	struct text error = {0};
	node_t n;
	bool ok = gdl_read_term(r, text, size, &n, &error);
	MUST(ok == !error.n);
	MUST(r->clauses.n == 1);
	if (ok)
		gdl_print_node(r, n, GDL_INFIX, &error);
	text_free(&error);
	gdl_free(r);
	diag_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct diags d = {0};
	struct gdl_rules *r = gdl_read(text, size, &d);
	size_t faults = d.errors;
	gdl_check(r, &d);
	messages(&d, text, size);
	if (!faults) {
		round_trip(r, GDL_KIF);
		round_trip(r, GDL_INFIX);
	}
	gdl_free(r);
	diag_free(&d);
	term(text, size);
	return 0;
}

#ifndef MACAW_LIBFUZZER
int main(int argc, char **argv)
{
	static const char *const words[] = {
		"(<= ", "(not ", "(or ", "(and ", "(distinct ", "(true ",       "(does ",     "(next ",
		"?x",   " :- ",  "not(", "or(",   " & ",        "terminal ",    "(goal a 5)", "(role ",
		"'",    "!=",    "((((", "))))",  "/*",         "\xe2\x86\x90", "\xc3",       NULL};
	return mutate_main(argc, argv, words, "fuzz_gdl-failed");
}
#endif
