/* Reading rules in tests, and saying what was found. */
#ifndef TESTS_GDL_RULES_H
#define TESTS_GDL_RULES_H

#include "test.h"

#include "gdl/gdl.h"

#include <string.h>

struct read {
	struct gdl_rules *rules;
	struct diags d;
};

static inline struct read read_rules(const char *text, size_t length, bool check)
{
	struct read r = {0};
	r.rules = gdl_read(text, length, &r.d);
	if (check)
		gdl_check(r.rules, &r.d);
	diag_sort(&r.d);
	return r;
}

static inline void free_rules(struct read *r)
{
	gdl_free(r->rules);
	diag_free(&r->d);
}

static inline const struct diag *find_diag(const struct diags *d, const char *code)
{
	for (size_t i = 0; i < d->all.n; i++)
		if (!strcmp(d->all.at[i].code, code))
			return &d->all.at[i];
	return NULL;
}

/* docs/gdl.md names every code. */
static inline void assert_documented(const char *code)
{
	static struct text page; /* kept to the end */
	char path[4096], quoted[64];
	const char *source = getenv("MACAW_SOURCE");
	snprintf(path, sizeof path, "%s/docs/gdl.md", source ? source : ".");
	snprintf(quoted, sizeof quoted, "`%s`", code);
	if (!page.n)
		assert_true(text_read_file(&page, path, (size_t)1 << 20, NULL));
	if (!strstr(page.at, quoted))
		fprintf(stderr, "%s is not in docs/gdl.md\n", code);
	assert_non_null(strstr(page.at, quoted));
}

static inline void show_diags(const struct diags *d, const char *text, size_t length)
{
	struct text out = {0};
	diag_print(d, "test", text, length, false, &out);
	fprintf(stderr, "%s", text_str(&out));
	text_free(&out);
}

#endif
