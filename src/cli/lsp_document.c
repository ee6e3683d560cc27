/* Open texts. The protocol counts characters in UTF-16 units, we in bytes. */
#include "cli/lsp.h"

#include <string.h>

struct lsp_document *lsp_find(struct lsp_documents *d, const char *uri)
{
	for (size_t i = 0; i < d->all.n; i++)
		if (!strcmp(d->all.at[i].uri, uri))
			return &d->all.at[i];
	return NULL;
}

static bool ends_line(const char *s, size_t n, size_t i)
{
	return s[i] == '\n' || (s[i] == '\r' && (i + 1 == n || s[i + 1] != '\n'));
}

static void find_lines(struct lsp_document *x)
{
	size_t n;
	const char *s = macaw_rules_source(x->rules, &n);
	x->ascii = true;
	vec_clear(&x->lines);
	vec_push(&x->lines, 0);
	for (size_t i = 0; i < n; i++) {
		x->ascii &= (unsigned char)s[i] < 0x80;
		if (ends_line(s, n, i))
			vec_push(&x->lines, i + 1);
	}
}

bool lsp_set(struct lsp_documents *d, const char *uri, const char *text, size_t length)
{
	const char *name = strrchr(uri, '/');
	macaw_rules *r = macaw_rules_parse(text, length, name ? name + 1 : uri, NULL);
	if (!r)
		return false;
	struct lsp_document *x = lsp_find(d, uri);
	if (!x) {
		vec_push(&d->all, ((struct lsp_document){.uri = text_copy(uri, strlen(uri))}));
		x = &vec_last(&d->all);
	}
	macaw_rules_free(x->rules);
	x->rules = r;
	find_lines(x);
	return true;
}

static void release(struct lsp_document *x)
{
	macaw_rules_free(x->rules);
	mem_free(x->uri);
	vec_free(&x->lines);
}

void lsp_close(struct lsp_documents *d, const char *uri)
{
	struct lsp_document *x = lsp_find(d, uri);
	if (!x)
		return;
	release(x);
	*x = vec_last(&d->all);
	d->all.n--;
}

void lsp_close_all(struct lsp_documents *d)
{
	for (size_t i = 0; i < d->all.n; i++)
		release(&d->all.at[i]);
	vec_free(&d->all);
}

/* ---- places ---- */

/* Units of the character that begins with this byte; 0: it goes on with one. */
static size_t units(char c)
{
	unsigned char u = (unsigned char)c;
	return (u & 0xc0) == 0x80 ? 0 : u >= 0xf0 ? 2 : 1;
}

static size_t number(const json_t *object, const char *key)
{
	json_int_t x = json_integer_value(json_object_get(object, key));
	return x < 0 ? 0 : (size_t)x;
}

size_t lsp_offset(const struct lsp_document *d, const json_t *position)
{
	size_t n, line = number(position, "line"), left = number(position, "character");
	const char *s = macaw_rules_source(d->rules, &n);
	size_t i = line < d->lines.n ? d->lines.at[line] : n;
	for (; i < n && left && s[i] != '\n' && s[i] != '\r'; i++)
		left -= units(s[i]) < left ? units(s[i]) : left;
	while (i < n && units(s[i]) == 0) /* not into the middle of a character */
		i++;
	return i;
}

static json_t *position_of(const struct lsp_document *d, size_t at)
{
	size_t low = 0, high = d->lines.n, n, character = 0;
	const char *s = macaw_rules_source(d->rules, &n);
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (d->lines.at[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	if (d->ascii)
		character = at - d->lines.at[low];
	for (size_t i = d->lines.at[low]; !d->ascii && i < at && i < n; i++)
		character += units(s[i]);
	return json_pack("{s:I, s:I}", "line", (json_int_t)low, "character", (json_int_t)character);
}

json_t *lsp_range(const struct lsp_document *d, size_t from, size_t to)
{
	return json_pack("{s:o, s:o}", "start", position_of(d, from), "end", position_of(d, to));
}

json_t *lsp_location(const struct lsp_document *d, size_t from, size_t to)
{
	return json_pack("{s:s, s:o}", "uri", d->uri, "range", lsp_range(d, from, to));
}
