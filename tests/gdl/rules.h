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

static inline void show_diags(const struct diags *d, const char *text, size_t length)
{
	struct text out = {0};
	diag_print(d, "test", text, length, false, &out);
	fprintf(stderr, "%s", text_str(&out));
	text_free(&out);
}

#endif
