/* The JSON writer of json.h: commas and brackets by depth, strings made valid UTF-8. */
#include "base/json.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void json_quote(struct text *out, const char *s, size_t n)
{
	text_putc(out, '"');
	for (size_t i = 0, length; i < n; i += length) {
		unsigned char c = (unsigned char)s[i];
		length = utf8_length(s + i, n - i);
		if (!length) {
			text_putc(out, '?');
			length = 1;
		} else if (c == '"' || c == '\\') {
			text_printf(out, "\\%c", c);
		} else if (c == '\n') {
			text_puts(out, "\\n");
		} else if (c < 0x20) {
			text_printf(out, "\\u%04x", c);
		} else {
			text_add(out, s + i, length);
		}
	}
	text_putc(out, '"');
}

static void new_line(struct json_writer *w)
{
	text_putc(w->out, '\n');
	for (int i = 0; i < w->depth; i++)
		text_putc(w->out, ' ');
}

/* The comma before a value, and its key. */
static void begin(struct json_writer *w, const char *key)
{
	assert(w->depth == 0 || w->array[w->depth] == !key);
	if (w->filled[w->depth])
		text_putc(w->out, ',');
	w->filled[w->depth] = true;
	if (w->lines && w->depth)
		new_line(w);
	if (key) {
		json_quote(w->out, key, strlen(key));
		text_puts(w->out, w->lines ? ": " : ":");
	}
}

static void open(struct json_writer *w, const char *key, bool array)
{
	assert(w->depth < JSON_MAX_DEPTH);
	begin(w, key);
	text_putc(w->out, array ? '[' : '{');
	w->depth++;
	w->filled[w->depth] = false;
	w->array[w->depth] = array;
}

void jsonw_object(struct json_writer *w, const char *key)
{
	open(w, key, false);
}

void jsonw_array(struct json_writer *w, const char *key)
{
	open(w, key, true);
}

void jsonw_end(struct json_writer *w)
{
	assert(w->depth > 0);
	bool array = w->array[w->depth], filled = w->filled[w->depth];
	w->depth--;
	if (w->lines && filled)
		new_line(w);
	text_putc(w->out, array ? ']' : '}');
}

void jsonw_textn(struct json_writer *w, const char *key, const char *s, size_t n)
{
	begin(w, key);
	json_quote(w->out, s, n);
}

void jsonw_text(struct json_writer *w, const char *key, const char *s)
{
	if (s)
		jsonw_textn(w, key, s, strlen(s));
	else
		jsonw_null(w, key);
}

void jsonw_int(struct json_writer *w, const char *key, int64_t x)
{
	begin(w, key);
	text_printf(w->out, "%lld", (long long)x);
}

void jsonw_uint(struct json_writer *w, const char *key, uint64_t x)
{
	begin(w, key);
	text_printf(w->out, "%llu", (unsigned long long)x);
}

void jsonw_real(struct json_writer *w, const char *key, double x)
{
	char digits[40];
	if (!isfinite(x)) {
		jsonw_null(w, key);
		return;
	}
	begin(w, key);
	snprintf(digits, sizeof digits, "%.10g", x);
	text_puts(w->out, digits);
	if (!strpbrk(digits, ".e")) /* readers should see that it is a real number */
		text_puts(w->out, ".0");
}

void jsonw_bool(struct json_writer *w, const char *key, bool x)
{
	jsonw_raw(w, key, x ? "true" : "false");
}

void jsonw_null(struct json_writer *w, const char *key)
{
	jsonw_raw(w, key, "null");
}

void jsonw_raw(struct json_writer *w, const char *key, const char *json)
{
	begin(w, key);
	text_puts(w->out, json);
}
