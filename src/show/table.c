/* Tables, numbers and bars for a terminal. */
#include "show/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BAR = 40 };

void text_table_row(struct text_table *t)
{
	vec_push(&t->rows, t->cells.n);
}

void text_table_cell(struct text_table *t, const char *format, ...)
{
	char line[1024];
	struct text cell = {0};
	va_list ap;
	va_start(ap, format);
	vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	text_puts(&cell, line);
	vec_push(&t->cells, cell);
}

/* Characters, not bytes. */
static size_t width(const struct text *cell)
{
	size_t n = 0;
	for (size_t i = 0; i < cell->n; i++)
		n += ((unsigned char)cell->at[i] & 0xc0) != 0x80;
	return n;
}

static size_t row_end(const struct text_table *t, size_t row)
{
	return row + 1 < t->rows.n ? t->rows.at[row + 1] : t->cells.n;
}

static void pad(struct text *out, size_t n, char c)
{
	for (size_t i = 0; i < n; i++)
		text_putc(out, c);
}

void text_table_print(const struct text_table *t, struct text *out)
{
	VEC(size_t) widths = {0};
	size_t total = 0;
	for (size_t r = 0; r < t->rows.n; r++)
		for (size_t i = t->rows.at[r], c = 0; i < row_end(t, r); i++, c++) {
			size_t w = width(&t->cells.at[i]);
			if (c == widths.n)
				vec_push(&widths, 0);
			if (w > widths.at[c])
				widths.at[c] = w;
		}
	for (size_t c = 0; c < widths.n; c++)
		total += widths.at[c] + (c ? 2 : 0);
	for (size_t r = 0; r < t->rows.n; r++) {
		for (size_t i = t->rows.at[r], c = 0; i < row_end(t, r); i++, c++) {
			size_t space = widths.at[c] - width(&t->cells.at[i]);
			bool last = i + 1 == row_end(t, r);
			pad(out, c ? 2 + space : 0, ' ');
			text_puts(out, text_str(&t->cells.at[i]));
			pad(out, c || last ? 0 : space, ' ');
		}
		text_putc(out, '\n');
		if (!r && t->heading) {
			pad(out, total, '-');
			text_putc(out, '\n');
		}
	}
	vec_free(&widths);
}

void text_table_free(struct text_table *t)
{
	for (size_t i = 0; i < t->cells.n; i++)
		text_free(&t->cells.at[i]);
	vec_free(&t->cells);
	vec_free(&t->rows);
}

void number_grouped(struct text *out, uint64_t n)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text_putc(out, ',');
		text_putc(out, digits[i]);
	}
}

void number_short(struct text *out, double x)
{
	static const char *const units[] = {"", " k", " M", " G", " T"};
	int u = 0;
	while (fabs(x) >= 999.5 && u < 4) {
		x /= 1000;
		u++;
	}
	bool whole = x == floor(x) && !u;
	text_printf(out, "%.*f%s", whole || fabs(x) >= 99.95 ? 0 : fabs(x) >= 9.995 ? 1 : 2, x, units[u]);
}

/* A step that makes at most `rows` rows of `n` values: 1, 2, 5, 10, 20, ... */
static size_t round_step(size_t n, size_t rows)
{
	size_t step = 1;
	for (int i = 0; (n + step - 1) / step + 1 > rows && n > rows; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

void histogram_print(struct text *out, const uint64_t *counts, size_t n, uint64_t first, size_t rows, bool open)
{
	size_t step = round_step(n, rows);
	uint64_t skip = first % step, most = 0, total = 0;
	struct text_table t = {0};
	VEC(uint64_t) sums = {0};
	for (size_t i = 0; i < n; i++) {
		size_t row = (i + skip) / step;
		while (sums.n <= row)
			vec_push(&sums, 0);
		sums.at[row] += counts[i];
		total += counts[i];
	}
	for (size_t i = 0; i < sums.n; i++)
		most = sums.at[i] > most ? sums.at[i] : most;
	for (size_t i = 0; i < sums.n; i++) {
		uint64_t low = first - skip + i * step, high = low + step - 1;
		char bar[BAR + 1] = "";
		struct text range = {0};
		memset(bar, '#', (size_t)lround(most ? BAR * (double)sums.at[i] / (double)most : 0));
		text_table_row(&t);
		if (open && i + 1 == sums.n)
			text_printf(&range, "%llu and more", (unsigned long long)low);
		else if (step == 1)
			text_printf(&range, "%llu", (unsigned long long)low);
		else
			text_printf(&range, "%llu-%llu", (unsigned long long)low, (unsigned long long)high);
		text_table_cell(&t, "  %s", text_str(&range));
		text_free(&range);
		text_table_cell(&t, "%5.1f%%", total ? 100 * (double)sums.at[i] / (double)total : 0);
		text_table_cell(&t, "%-*s", BAR, sums.at[i] && !*bar ? ":" : bar);
	}
	struct text lines = {0};
	text_table_print(&t, &lines);
	for (size_t i = 0; i < lines.n; i++) { /* no blanks at the ends of lines */
		if (lines.at[i] == '\n')
			while (out->n && out->at[out->n - 1] == ' ')
				out->at[--out->n] = 0;
		text_putc(out, lines.at[i]);
	}
	text_free(&lines);
	text_table_free(&t);
	vec_free(&sums);
}
