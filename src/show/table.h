/* What commands show on a terminal: small aligned tables, bars, numbers. */
#ifndef SHOW_TABLE_H
#define SHOW_TABLE_H

#include "base/text.h"

#include <stdbool.h>

/* Cells row by row. The first column stands left, the others right; the first row
 * is the heading when `heading` is set. All-zero is an empty table. */
struct text_table {
	VEC(struct text) cells;
	VEC(size_t) rows; /* where each begins */
	bool heading;
};

void text_table_row(struct text_table *t);
void text_table_cell(struct text_table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_table_print(const struct text_table *t, struct text *out);
void text_table_free(struct text_table *t);

/* 1234567 as "1,234,567". */
void number_grouped(struct text *out, uint64_t n);
/* 1234567 as "1.23 M". */
void number_short(struct text *out, double x);

/* Counts of the values first, first + 1, ... in at most `rows` rows, several values
 * to a row when they are many. `open`: the last value stands for larger ones too. */
void histogram_print(struct text *out, const uint64_t *counts, size_t n, uint64_t first, size_t rows, bool open);

#endif
