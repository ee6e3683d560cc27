/* Text under construction. All-zero is empty and ready; .at is always
 * NUL-terminated once anything was added. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/vec.h"

#include <stdbool.h>

struct text {
	char *at;
	size_t n, cap;
};

void text_add(struct text *t, const char *s, size_t n);
void text_puts(struct text *t, const char *s);
void text_putc(struct text *t, char c);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What a stranger wrote, fit to be shown: no control characters, `max` bytes at most. */
void text_plain(struct text *t, const char *s, size_t max);
const char *text_str(const struct text *t); /* never NULL */
void text_free(struct text *t);
char *text_copy(const char *s, size_t n); /* for mem_free() */

/* The whole of a file, `max` bytes at most, in the place of what was there. False: `error` (may be NULL) gets a message
 * that can be shown ("cannot read x: Permission denied"). */
bool text_read_file(struct text *t, const char *path, size_t max, struct text *error);

#endif
