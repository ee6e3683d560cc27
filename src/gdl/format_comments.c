/* Comments of both forms: from `;` or `%` to the end of the line, and between slash and star in infix form. */
#include "gdl/format_comments.h"

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || ends_line(c);
}

static size_t end_of_quote(const char *text, size_t length, size_t at)
{
	for (at++; at < length && text[at] != '\'' && !ends_line(text[at]); at++)
		at += text[at] == '\\' && at + 1 < length;
	return at < length ? at + 1 : length;
}

static size_t end_of_block(const char *text, size_t length, size_t at)
{
	for (at += 2; at + 1 < length; at++)
		if (text[at] == '*' && text[at + 1] == '/')
			return at + 2;
	return length;
}

static size_t end_of_comment(enum gdl_form form, const char *text, size_t length, size_t at)
{
	if (form == GDL_INFIX && text[at] == '/' && at + 1 < length && text[at + 1] == '*')
		return end_of_block(text, length, at);
	if (text[at] != (form == GDL_KIF ? ';' : '%'))
		return at;
	while (at < length && !ends_line(text[at]))
		at++;
	return at;
}

void format_find_comments(enum gdl_form form, const char *text, size_t length, struct format_comments *out)
{
	bool code = false; /* on this line, before us */
	for (size_t i = 0; i < length;) {
		size_t end = end_of_comment(form, text, length, i), trimmed = end;
		if (end > i) {
			while (is_blank(text[trimmed - 1]))
				trimmed--;
			vec_push(out, ((struct format_comment){(uint32_t)i, (uint32_t)trimmed, code}));
			code = true; /* another one behind a block comment is behind it */
			i = end;
		} else if (form == GDL_INFIX && text[i] == '\'') {
			i = end_of_quote(text, length, i);
			code = true;
		} else {
			code = ends_line(text[i]) ? false : code || !is_blank(text[i]);
			i++;
		}
	}
}
