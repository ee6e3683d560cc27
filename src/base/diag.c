/* Places are found in one sweep over the source: the offsets that are needed are
 * sorted first, so a hundred megabytes of one line with a thousand complaints
 * are read once. Lines are shown through a window, and bytes a terminal would
 * act on are replaced. */
#include "base/diag.h"

#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEPT 1000
#define WINDOW 100 /* characters of a source line that are shown */

static const char *format_text(struct diags *d, const char *format, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, format, ap);
	size_t size = n > 0 ? (size_t)n + 1 : 1;
	char *out = arena_alloc(&d->text, size);
	out[0] = 0;
	vsnprintf(out, size, format, again);
	va_end(again);
	return out;
}

const char *diag_text(struct diags *d, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	const char *out = format_text(d, format, ap);
	va_end(ap);
	return out;
}

struct diag *diag_addv(struct diags *d, enum severity s, struct range at, const char *code, const char *format,
                       va_list ap)
{
	if (s == DIAG_ERROR)
		d->errors++;
	else
		d->warnings++;
	bool full = d->all.n >= (d->max ? d->max : MAX_KEPT);
	if (full && (s == DIAG_WARNING || !d->kept_warnings))
		return NULL;
	struct diag new = {.severity = s, .at = at, .code = code, .message = format_text(d, format, ap)};
	d->kept_warnings += s == DIAG_WARNING;
	if (!full) {
		vec_push(&d->all, new);
		return &vec_last(&d->all);
	}
	size_t i = d->all.n - 1; /* an error takes the place of a warning */
	while (d->all.at[i].severity == DIAG_ERROR)
		i--;
	d->all.at[i] = new;
	d->kept_warnings--;
	return &d->all.at[i];
}

struct diag *diag_add(struct diags *d, enum severity s, struct range at, const char *code, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	struct diag *g = diag_addv(d, s, at, code, format, ap);
	va_end(ap);
	return g;
}

static int by_place(const void *pa, const void *pb)
{
	const struct diag *a = pa, *b = pb;
	if (a->at.from != b->at.from)
		return a->at.from < b->at.from ? -1 : 1;
	if (a->severity != b->severity)
		return a->severity < b->severity ? -1 : 1;
	int c = strcmp(a->code, b->code);
	return c ? c : strcmp(a->message, b->message);
}

void diag_sort(struct diags *d)
{
	if (d->all.n)
		qsort(d->all.at, d->all.n, sizeof *d->all.at, by_place);
}

void diag_drop_warnings(struct diags *d)
{
	size_t n = 0;
	for (size_t i = 0; i < d->all.n; i++)
		if (d->all.at[i].severity == DIAG_ERROR)
			d->all.at[n++] = d->all.at[i];
	d->all.n = n;
	d->warnings = d->kept_warnings = 0;
}

void diag_free(struct diags *d)
{
	arena_free(&d->text);
	vec_free(&d->all);
	d->errors = d->warnings = d->kept_warnings = 0;
}

/* --- places ------------------------------------------------------------- */

struct spot {
	uint32_t offset, start; /* of the line it is in */
	struct place place;
};

struct spots {
	VEC(struct spot) all;
};

static void sweep(struct spot *s, size_t count, const char *source, size_t length)
{
	struct place at = {1, 1};
	uint32_t i = 0, start = 0;
	for (size_t k = 0; k < count; k++) {
		for (; i < s[k].offset && i < length; i++)
			if (source[i] == '\n' || (source[i] == '\r' && (i + 1 == length || source[i + 1] != '\n'))) {
				at.line++;
				at.column = 1;
				start = i + 1;
			} else if (!utf8_continues(source[i])) {
				at.column++;
			}
		s[k].place = at;
		s[k].start = start;
	}
}

struct place diag_place(const char *source, size_t length, uint32_t offset)
{
	struct spot s = {.offset = offset};
	sweep(&s, 1, source, length);
	return s.place;
}

static int by_offset(const void *pa, const void *pb)
{
	const struct spot *a = pa, *b = pb;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static struct spots find_spots(const struct diags *d, const char *source, size_t length)
{
	struct spots s = {0};
	for (size_t i = 0; i < d->all.n; i++) {
		const struct diag *g = &d->all.at[i];
		const uint32_t wanted[] = {g->at.from, g->at.to, g->also.from, g->also.to};
		for (size_t k = 0; k < 4; k++)
			vec_push(&s.all, (struct spot){.offset = wanted[k]});
	}
	if (s.all.n)
		qsort(s.all.at, s.all.n, sizeof *s.all.at, by_offset);
	sweep(s.all.at, s.all.n, source, length);
	return s;
}

static const struct spot *spot_of(const struct spots *s, uint32_t offset)
{
	return bsearch(&(struct spot){.offset = offset}, s->all.at, s->all.n, sizeof *s->all.at, by_offset);
}

void diag_places(const struct diags *d, const char *source, size_t length, struct place *places)
{
	struct spots s = find_spots(d, source, length);
	for (size_t i = 0; i < d->all.n; i++) {
		const struct diag *g = &d->all.at[i];
		const uint32_t wanted[] = {g->at.from, g->at.to, g->also.from, g->also.to};
		for (size_t k = 0; k < 4; k++)
			places[4 * i + k] = spot_of(&s, wanted[k])->place;
	}
	vec_free(&s.all);
}

/* --- for people ---------------------------------------------------------- */

static const char *colour_of(bool colour, const char *code)
{
	return colour ? code : "";
}

/* The source line around a spot and a caret under the range. */
static void show_line(const struct spot *at, struct range range, const char *source, size_t length, bool colour,
                      struct text *out)
{
	size_t from = at->start, skip = at->place.column > WINDOW * 3 / 4 ? at->place.column - WINDOW / 2 : 0;
	if (skip) /* walk back from the spot instead of forth from a line start far away */
		for (size_t back = from = at->offset, n = 0; back > at->start && n < WINDOW / 2; from = back)
			if (!utf8_continues(source[--back]))
				n++;
	struct text line = {0}, caret = {0};
	if (skip)
		text_puts(&line, "..."), text_puts(&caret, "   ");
	size_t i = from, shown = 0, marks = 0;
	for (; i < length && source[i] != '\n' && source[i] != '\r' && shown < WINDOW; shown++) {
		size_t n = utf8_length(source + i, length - i);
		bool plain = n && (unsigned char)source[i] >= 0x20 && source[i] != 0x7f;
		if (source[i] == '\t')
			text_putc(&line, ' ');
		else if (plain)
			text_add(&line, source + i, n);
		else
			text_puts(&line, "\xef\xbf\xbd");
		if (i < range.from)
			text_putc(&caret, ' ');
		else if (i == range.from || i < range.to)
			text_putc(&caret, marks++ ? '~' : '^');
		i += n ? n : 1;
	}
	if (i < length && source[i] != '\n' && source[i] != '\r')
		text_puts(&line, "...");
	if (!marks)
		text_putc(&caret, '^');
	text_printf(out, "%6u | %s\n", at->place.line, text_str(&line));
	text_printf(out, "       | %s%s%s\n", colour_of(colour, "\033[1;32m"), text_str(&caret),
	            colour_of(colour, "\033[0m"));
	text_free(&line);
	text_free(&caret);
}

static void head_line(const char *file, struct place p, const char *kind, const char *colour_code, const char *message,
                      const char *code, bool colour, struct text *out)
{
	const char *bold = colour_of(colour, "\033[1m"), *off = colour_of(colour, "\033[0m");
	text_printf(out, "%s%s:%u:%u:%s %s%s:%s %s", bold, file, p.line, p.column, off, colour_of(colour, colour_code),
	            kind, off, message);
	if (code)
		text_printf(out, " [%s]", code);
	text_putc(out, '\n');
}

void diag_print(const struct diags *d, const char *file, const char *source, size_t length, bool colour,
                struct text *out)
{
	struct spots spots = find_spots(d, source, length);
	for (size_t i = 0; i < d->all.n; i++) {
		const struct diag *g = &d->all.at[i];
		const struct spot *at = spot_of(&spots, g->at.from);
		bool error = g->severity == DIAG_ERROR;
		head_line(file, at->place, error ? "error" : "warning", error ? "\033[1;31m" : "\033[1;35m", g->message,
		          g->code, colour, out);
		show_line(at, g->at, source, length, colour, out);
		if (g->help)
			text_printf(out, "       = help: %s\n", g->help);
		if (g->also.to > 0) {
			at = spot_of(&spots, g->also.from);
			head_line(file, at->place, "note", "\033[1;36m", g->also_message ? g->also_message : "see here", NULL,
			          colour, out);
			show_line(at, g->also, source, length, colour, out);
		}
	}
	size_t hidden = d->errors + d->warnings - d->all.n;
	if (hidden)
		text_printf(out, "%s: %zu more not shown\n", file, hidden);
	vec_free(&spots.all);
}
