/* Width of the terminal, lines and columns that fit it. */
#include "show/screen.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL = 80, LEAST = 20, MOST = 1000 };

int screen_columns(void)
{
	struct winsize w;
	const char *given = getenv("COLUMNS");
	char *end;
	long wide = given ? strtol(given, &end, 10) : 0;
	if (wide <= 0 || *end)
		wide = isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : USUAL;
	return wide < LEAST ? LEAST : wide > MOST ? MOST : (int)wide;
}

int screen_columns_of_lines(void)
{
	return isatty(STDOUT_FILENO) ? screen_columns() : MOST;
}

void screen_wrap(const char *s, size_t length, int indent, int column, int width, struct text *out)
{
	const char *end = s + length;
	bool first = true; /* of a line */
	for (s += strspn(s, " \n"); s < end;) {
		size_t n = strcspn(s, " \n");
		n = s + n > end ? (size_t)(end - s) : n;
		int wide = utf8_columns(s, n);
		if (!first && column + 1 + wide > width) {
			text_printf(out, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			text_putc(out, ' ');
			column++;
		}
		text_add(out, s, n);
		column += wide;
		first = false;
		s += n + strspn(s + n, " \n");
	}
	text_putc(out, '\n');
}

void screen_row(int indent, int column, const char *left, const char *right, int width, struct text *out)
{
	int n = utf8_columns(left, strlen(left));
	text_printf(out, "%*s%s", indent, "", left);
	if (indent + n + 1 > column)
		text_printf(out, "\n%*s", column, "");
	else
		text_printf(out, "%*s", column - indent - n, "");
	screen_wrap(right, strlen(right), column, column, width, out);
}

void screen_columns_of(const char *const *cells, size_t count, int indent, int width, struct text *out)
{
	enum { GAP = 2 };
	int wide = 0;
	for (size_t i = 0; i < count; i++) {
		int n = utf8_columns(cells[i], strlen(cells[i]));
		wide = n > wide ? n : wide;
	}
	size_t fit = width - indent > wide ? (size_t)((width - indent + GAP) / (wide + GAP)) : 1;
	for (size_t i = 0; i < count; i++) {
		bool last = (i + 1) % fit == 0 || i + 1 == count;
		text_printf(out, "%*s%s", i % fit ? 0 : indent, "", cells[i]);
		text_printf(out, "%*s", last ? 0 : wide + GAP - utf8_columns(cells[i], strlen(cells[i])), "");
		if (last)
			text_putc(out, '\n');
	}
}
