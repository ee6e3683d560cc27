#include "base/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24 };

struct progress progress_start(const char *what, bool quiet)
{
	const char *term = getenv("TERM");
	bool dumb = term && !strcmp(term, "dumb");
	return (struct progress){.what = what, .started = clock_now(), .on = !quiet && !dumb && isatty(STDERR_FILENO)};
}

static void draw_bar(double part)
{
	char bar[BAR + 1];
	int full = (int)(part * BAR);
	memset(bar, '.', BAR);
	memset(bar, '#', (size_t)full);
	bar[BAR] = 0;
	fprintf(stderr, "[%s] %3.0f%%", bar, part * 100);
}

void progress_step(struct progress *p, double done, double total, const char *note)
{
	double now = p->on ? clock_now() : 0;
	if (!p->on || now - p->drawn < 0.1)
		return;
	p->drawn = now;
	fprintf(stderr, "\r\033[K%s ", p->what);
	if (total > 0) {
		double part = done < 0 ? 0 : done > total ? 1 : done / total;
		draw_bar(part);
		if (part > 0.01 && now - p->started > 1)
			fprintf(stderr, " %.0f s left", (now - p->started) * (1 - part) / part);
	} else {
		fprintf(stderr, "%.0f", done);
	}
	fprintf(stderr, "%s%s", note ? "  " : "", note ? note : "");
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->on && p->drawn > 0)
		fprintf(stderr, "\r\033[K");
	fflush(stderr);
	p->on = false;
}
