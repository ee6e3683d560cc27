/* The table of constraints in docs/xcsp3.md is what the reader knows. GRAMMAR=1 prints the table. */
#include "test.h"

#include "base/text.h"
#include "csp/xcsp3.h"

#include <string.h>

static void put_attributes(struct text *t, const char *s)
{
	for (; *s; s++) {
		if (*s == '=')
			text_puts(t, " = ");
		else if (*s == ' ')
			text_puts(t, ", ");
		else
			text_putc(t, *s);
	}
}

/* One child, such as list*(offset collect), as `list` ... (offset, collect) */
static const char *put_child(struct text *t, const char *s)
{
	size_t n = strcspn(s, " *(");
	text_printf(t, "`%.*s`", (int)n, s);
	s += n;
	if (*s == '*') {
		text_puts(t, " ...");
		s++;
	}
	if (*s == '(') {
		struct text inside = {0};
		size_t length = strcspn(s, ")");
		text_add(&inside, s + 1, length - 1);
		text_puts(t, " (");
		put_attributes(t, text_str(&inside));
		text_putc(t, ')');
		text_free(&inside);
		s += length + 1;
	}
	return s;
}

static void put_table(struct text *t)
{
	const char *name, *attributes, *children;
	text_puts(t, "| constraint | attributes | children |\n|---|---|---|\n");
	for (size_t i = 0; (name = x_grammar(i, &attributes, &children)); i++) {
		text_printf(t, "| `%s` | ", name);
		put_attributes(t, attributes);
		text_puts(t, *attributes ? " | " : "| ");
		bool first = true;
		while (*children) {
			if (!first)
				text_puts(t, ", ");
			first = false;
			if (*children == '.') {
				text_puts(t, "text, or");
				children += children[1] ? 2 : 1;
				text_putc(t, ' ');
				first = true;
				continue;
			}
			children = put_child(t, children);
			children += *children == ' ';
		}
		text_puts(t, " |\n");
	}
}

static void the_table_is_in_the_documentation(void **state)
{
	(void)state;
	char path[1000];
	struct text want = {0}, page = {0}, error = {0};
	put_table(&want);
	if (getenv("GRAMMAR"))
		puts(text_str(&want));
	snprintf(path, sizeof path, "%s/docs/xcsp3.md", getenv("MACAW_SOURCE") ? getenv("MACAW_SOURCE") : ".");
	assert_true(text_read_file(&page, path, 1 << 20, &error));
	if (!strstr(text_str(&page), text_str(&want)))
		fail_msg("docs/xcsp3.md does not have this table:\n%s", text_str(&want));
	text_free(&want);
	text_free(&page);
	text_free(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_table_is_in_the_documentation)};
	return RUN(tests);
}
