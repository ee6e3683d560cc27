/* The line is made in memory, cut to the width of the terminal (a line that
 * wraps could not be wiped) and written at once. */
#include "base/progress.h"

#include "base/clock.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 24 };

struct progress progress_start(const char *what, bool quiet)
{
	const char *term = getenv("TERM");
	bool dumb = term && !strcmp(term, "dumb");
	return (struct progress){.what = what, .started = clock_now(), .on = !quiet && !dumb && isatty(STDERR_FILENO)};
}

struct progress progress_to(const char *what, progress_report *report, void *context)
{
	return (struct progress){
		.what = what, .started = clock_now(), .on = report != NULL, .report = report, .context = context};
}

static void put_bar(struct text *line, double part)
{
	int full = (int)(part * BAR);
	text_putc(line, '[');
	for (int i = 0; i < BAR; i++)
		text_putc(line, i < full ? '#' : '.');
	text_printf(line, "] %3.0f%%", part * 100);
}

static size_t columns(void)
{
	struct winsize w;
	return !ioctl(STDERR_FILENO, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : 80;
}

/* The bytes of `line` that fill at most `width` columns, one column per character. */
static size_t fitting(const struct text *line, size_t width)
{
	size_t n = 0;
	for (size_t seen = 0; n < line->n; n++)
		if (((unsigned char)line->at[n] & 0xc0) != 0x80 && seen++ == width)
			break;
	return n;
}

void progress_step(struct progress *p, double done, double total, const char *note)
{
	double now = p->on ? clock_now() : 0;
	if (!p->on || now - p->drawn < 0.1)
		return;
	p->drawn = now;
	if (p->report) {
		p->report(p->context, note ? note : p->what, done, total);
		return;
	}
	struct text line = {0};
	text_printf(&line, "%s ", p->what);
	if (total > 0) {
		double part = done < 0 ? 0 : done > total ? 1 : done / total, spent = now - p->started;
		put_bar(&line, part);
		if (part > 0.01 && spent > 1)
			text_printf(&line, " %.0f s left", spent * (1 - part) / part);
	} else {
		text_printf(&line, "%.0f", done);
	}
	if (note)
		text_printf(&line, "  %s", note);
	fprintf(stderr, "\r\033[K%.*s", (int)fitting(&line, columns() - 1), text_str(&line));
	fflush(stderr);
	text_free(&line);
}

void progress_wipe(struct progress *p)
{
	if (!p->on || p->drawn <= 0 || p->report)
		return;
	fprintf(stderr, "\r\033[K");
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	progress_wipe(p);
	p->on = false;
}
