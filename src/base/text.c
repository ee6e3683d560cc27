/* Text that grows, and whole files as text. */
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void text_add(struct text *t, const char *s, size_t n)
{
	vec_reserve(t, t->n + n + 1);
	if (n)
		memcpy(t->at + t->n, s, n);
	t->at[t->n += n] = 0;
}

void text_puts(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void text_putc(struct text *t, char c)
{
	text_add(t, &c, 1);
}

void text_printf(struct text *t, const char *format, ...)
{
	va_list ap, again;
	va_start(ap, format);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (n > 0) {
		vec_reserve(t, t->n + (size_t)n + 1);
		vsnprintf(t->at + t->n, (size_t)n + 1, format, again);
		t->n += (size_t)n;
	}
	va_end(again);
}

void text_plain(struct text *t, const char *s, size_t max)
{
	size_t n = 0;
	for (; s[n] && n < max; n++)
		text_putc(t, (unsigned char)s[n] < ' ' || s[n] == 0x7f ? '?' : s[n]);
	if (s[n])
		text_puts(t, "...");
}

const char *text_str(const struct text *t)
{
	return t->at ? t->at : "";
}

char *text_copy(const char *s, size_t n)
{
	char *copy = mem_alloc(n + 1, 1);
	memcpy(copy, s, n);
	copy[n] = 0;
	return copy;
}

void text_free(struct text *t)
{
	vec_free(t);
}

static void close_file(void *f)
{
	fclose(f);
}

/* A little more than `max` bytes at most. */
static void read_all(struct text *t, FILE *f, size_t max)
{
	size_t got;
	struct mem_cleanup no_memory;
	mem_cleanup_push(&no_memory, close_file, f);
	vec_clear(t);
	do {
		vec_reserve(t, t->n + 65536);
		got = fread(t->at + t->n, 1, t->cap - t->n - 1, f);
		t->n += got;
	} while (got && t->n <= max);
	t->at[t->n] = 0;
	mem_cleanup_pop(&no_memory);
}

/* Says why in `error`, which may be NULL; false. */
static bool refuse(struct text *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(struct text *error, const char *format, ...)
{
	char message[512];
	va_list ap;
	va_start(ap, format);
	vsnprintf(message, sizeof message, format, ap);
	va_end(ap);
	if (error)
		text_puts(error, message);
	return false;
}

bool text_read_file(struct text *t, const char *path, size_t max, struct text *error)
{
	struct stat st;
	FILE *f = fopen(path, "rb");
	if (!f)
		return refuse(error, "cannot read %.400s: %s", path, strerror(errno));
	int trouble = fstat(fileno(f), &st) ? errno : 0;
	bool folder = !trouble && S_ISDIR(st.st_mode);
	if (!trouble && !folder) {
		read_all(t, f, max);
		trouble = ferror(f) ? errno : 0;
	}
	fclose(f);
	if (folder)
		return refuse(error, "%.400s is a directory, not a file", path);
	if (trouble)
		return refuse(error, "cannot read %.400s: %s", path, strerror(trouble));
	return t->n <= max || refuse(error, "%.400s is larger than %zu MB", path, max >> 20);
}
