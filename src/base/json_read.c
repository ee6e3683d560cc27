/* JSON by recursive descent, to a fixed depth. */
#include "base/json_read.h"

#include "base/json.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	struct arena *arena;
	const char *text;
	size_t length, at;
	uint32_t line;
	int depth;
	struct text *error;
	bool failed;
};

static void *fail(struct reader *r, const char *what)
{
	if (!r->failed)
		text_printf(r->error, "line %u: %s", r->line, what);
	r->failed = true;
	return NULL;
}

static int peek(struct reader *r)
{
	while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at])
		r->line += r->text[r->at++] == '\n';
	return r->at < r->length ? (unsigned char)r->text[r->at] : -1;
}

static bool take(struct reader *r, char c)
{
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

static void put_utf8(struct text *t, uint32_t c)
{
	if (c < 0x80) {
		text_putc(t, (char)c);
	} else if (c < 0x800) {
		text_putc(t, (char)(0xc0 | c >> 6));
		text_putc(t, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		text_putc(t, (char)(0xe0 | c >> 12));
		text_putc(t, (char)(0x80 | (c >> 6 & 0x3f)));
		text_putc(t, (char)(0x80 | (c & 0x3f)));
	} else {
		text_putc(t, (char)(0xf0 | c >> 18));
		text_putc(t, (char)(0x80 | (c >> 12 & 0x3f)));
		text_putc(t, (char)(0x80 | (c >> 6 & 0x3f)));
		text_putc(t, (char)(0x80 | (c & 0x3f)));
	}
}

/* Four hexadecimal digits; UINT32_MAX: they are not there. */
static uint32_t read_hex(struct reader *r)
{
	uint32_t x = 0;
	for (int i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdefABCDEF", *d;
		if (r->at >= r->length || !r->text[r->at] || !(d = strchr(digits, r->text[r->at])))
			return UINT32_MAX;
		uint32_t v = (uint32_t)(d - digits);
		x = x * 16 + (v < 16 ? v : v - 6);
		r->at++;
	}
	return x;
}

static bool read_escape(struct reader *r, struct text *t)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	char c = r->at < r->length ? r->text[r->at++] : 0;
	const char *plain = c ? strchr(from, c) : NULL;
	if (plain) {
		text_putc(t, to[plain - from]);
		return true;
	}
	uint32_t x = c == 'u' ? read_hex(r) : UINT32_MAX;
	if (x >= 0xd800 && x < 0xdc00 && r->at + 1 < r->length && r->text[r->at] == '\\' && r->text[r->at + 1] == 'u') {
		r->at += 2;
		uint32_t low = read_hex(r);
		x = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((x - 0xd800) << 10) + (low - 0xdc00) : UINT32_MAX;
	}
	if (x == UINT32_MAX || !x || (x >= 0xd800 && x < 0xe000))
		return false;
	put_utf8(t, x);
	return true;
}

static const char *read_text(struct reader *r)
{
	struct text t = {0};
	const char *result = NULL;
	bool fine = true;
	while (fine && r->at < r->length && r->text[r->at] != '"') {
		size_t n = utf8_length(r->text + r->at, r->length - r->at);
		if (r->text[r->at] == '\\') {
			r->at++;
			fine = read_escape(r, &t);
		} else if (!n || (unsigned char)r->text[r->at] < ' ') {
			fine = false;
		} else {
			text_add(&t, r->text + r->at, n);
			r->at += n;
		}
	}
	if (fine && r->at < r->length)
		result = arena_text(r->arena, text_str(&t), t.n);
	text_free(&t);
	r->at++;
	return result ? result : fail(r, "a text in quotes does not end, or has a character that may not stand in it");
}

static struct json *read_value(struct reader *r);

/* Members of an object or elements of an array, after the bracket. */
static bool read_inside(struct reader *r, struct json *j, char end)
{
	struct json **last = &j->first;
	if (take(r, end))
		return true;
	do {
		const char *key = NULL;
		if (j->type == JSON_IS_OBJECT) {
			if (!take(r, '"'))
				return fail(r, "the name of a member is expected, in quotes");
			key = read_text(r);
			if (!r->failed && !take(r, ':'))
				fail(r, "`:` is expected after the name of a member");
		}
		*last = r->failed ? NULL : read_value(r);
		if (!*last)
			return false;
		(*last)->key = key;
		last = &(*last)->next;
	} while (take(r, ','));
	return take(r, end) || fail(r, end == '}' ? "`,` or `}` is expected" : "`,` or `]` is expected");
}

static bool take_word(struct reader *r, const char *word)
{
	size_t n = strlen(word);
	if (r->length - r->at < n || strncmp(r->text + r->at, word, n) != 0)
		return false;
	r->at += n;
	return true;
}

static bool read_number(struct reader *r, struct json *j)
{
	char digits[64];
	size_t n = 0;
	while (r->at + n < r->length && n + 1 < sizeof digits && r->text[r->at + n] &&
	       strchr("+-.0123456789eE", r->text[r->at + n]))
		n++;
	memcpy(digits, r->text + r->at, n);
	digits[n] = 0;
	char *end;
	j->number = strtod(digits, &end);
	r->at += n;
	return n && !*end;
}

static struct json *read_value(struct reader *r)
{
	int c = peek(r);
	struct json *j = arena_alloc(r->arena, sizeof *j);
	*j = (struct json){.line = r->line};
	if (++r->depth > JSON_MAX_DEPTH)
		return fail(r, "too many brackets inside one another");
	bool fine = true;
	if (c == '{' || c == '[') {
		r->at++;
		j->type = c == '{' ? JSON_IS_OBJECT : JSON_IS_ARRAY;
		fine = read_inside(r, j, c == '{' ? '}' : ']');
	} else if (c == '"') {
		r->at++;
		j->type = JSON_IS_TEXT;
		j->text = read_text(r);
		fine = j->text;
	} else if (c == 't' || c == 'f') {
		j->type = JSON_IS_BOOL;
		j->yes = c == 't';
		fine = take_word(r, c == 't' ? "true" : "false");
	} else if (c != 'n' || !take_word(r, "null")) {
		j->type = JSON_IS_NUMBER;
		fine = c >= 0 && read_number(r, j);
	}
	r->depth--;
	return fine ? j : fail(r, "a value is expected");
}

const struct json *json_read(struct arena *a, const char *text, size_t length, struct text *error)
{
	struct reader r = {.arena = a, .text = text, .length = length, .line = 1, .error = error};
	const struct json *j = read_value(&r);
	if (j && peek(&r) >= 0)
		return fail(&r, "nothing more is expected after the value");
	return j;
}

const struct json *json_member(const struct json *object, const char *key)
{
	for (const struct json *m = object && object->type == JSON_IS_OBJECT ? object->first : NULL; m; m = m->next)
		if (!strcmp(m->key, key))
			return m;
	return NULL;
}
