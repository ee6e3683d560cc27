/* The screen that text is for: its width, and text broken at blanks to fit it. */
#ifndef SHOW_SCREEN_H
#define SHOW_SCREEN_H

#include "base/text.h"

#include <stdint.h>

/* Columns of the terminal on standard output: $COLUMNS, or what the terminal says; 80 where there is none. 20 at least.
 */
int screen_columns(void);
/* The same for lines that programs read too: very many where there is no terminal. */
int screen_columns_of_lines(void);

/* One paragraph in lines of at most `width` columns; `column` is where the first word stands, `indent` where later
 * lines begin. Blanks and newlines are gaps between words; ends with a newline. */
void screen_wrap(const char *s, size_t length, int indent, int column, int width, struct text *out);
/* Something at a column, and in the lines from `column` on what there is to say of it; below it where there is no room.
 */
void screen_row(int indent, int column, const char *left, const char *right, int width, struct text *out);
/* Cells of equal width side by side, as many as fit; read line by line. */
void screen_columns_of(const char *const *cells, size_t count, int indent, int width, struct text *out);

#endif
