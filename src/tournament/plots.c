/* Pictures of a tournament as SVG: no library, a few shapes. */
#include "tournament/standing.h"

#include <math.h>
#include <stdio.h>

static const char *const colours[] = {"#1b6ca8", "#c8553d", "#3a7d44", "#8e5ea2", "#b8860b",
                                      "#2a9d8f", "#6b705c", "#d1495b", "#5f0f40", "#33658a"};

static void escape(struct text *out, const char *s)
{
	for (; *s; s++)
		if (*s == '<')
			text_puts(out, "&lt;");
		else if (*s == '&')
			text_puts(out, "&amp;");
		else
			text_putc(out, *s);
}

static void open_picture(struct text *out, int width, int height, const char *title)
{
	text_printf(
		out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
		"font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
		"<text x=\"12\" y=\"20\" font-size=\"14\" font-weight=\"bold\">%s</text>\n",
		width, height, width, height, title);
}

static void label(struct text *out, double x, double y, const char *anchor, const char *words)
{
	text_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	escape(out, words);
	text_puts(out, "</text>\n");
}

void standing_plot_cross(const struct standing *s, struct text *out)
{
	size_t n = s->players.n;
	int cell = 64, left = 170, top = 60;
	open_picture(out, left + (int)n * cell + 20, top + (int)n * cell + 20, "Mean score of the row against the column");
	for (size_t i = 0; i < n; i++) {
		label(out, left - 8, top + ((double)i + 0.5) * cell + 4, "end", s->players.at[i].name);
		label(out, left + ((double)i + 0.5) * cell, top - 8, "middle", s->players.at[i].name);
		for (size_t j = 0; j < n; j++) {
			double mean = tally_mean(&s->versus[i * n + j]), x = left + (double)j * cell, y = top + (double)i * cell;
			int red = 235, green = 235, blue = 235;
			char words[16] = "";
			if (!isnan(mean)) { /* red below 50, green above */
				double d = (mean - 50) / 50;
				red = (int)(235 - (d > 0 ? 150 * d : 0));
				green = (int)(235 + (d < 0 ? 130 * d : -40 * d));
				blue = (int)(235 - 140 * fabs(d));
				snprintf(words, sizeof words, "%.0f", mean);
			}
			text_printf(
				out,
				"<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"rgb(%d,%d,%d)\" stroke=\"white\"/>\n", x,
				y, cell, cell, red, green, blue);
			label(out, x + cell / 2.0, y + cell / 2.0 + 4, "middle", words);
		}
	}
	text_puts(out, "</svg>\n");
}

/* The frame of a line chart: scores 0..100 upwards. */
enum { LEFT = 50, TOP = 40, WIDE = 520, HIGH = 300, LEGEND = 170 };

static void open_chart(struct text *out, const char *title, const char *below)
{
	open_picture(out, LEFT + WIDE + LEGEND, TOP + HIGH + 60, title);
	for (int y = 0; y <= 100; y += 25) {
		char words[8];
		snprintf(words, sizeof words, "%d", y);
		text_printf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, LEFT + WIDE,
		            TOP + HIGH - y * HIGH / 100.0, TOP + HIGH - y * HIGH / 100.0);
		label(out, LEFT - 6, TOP + HIGH - y * HIGH / 100.0 + 4, "end", words);
	}
	label(out, LEFT + WIDE / 2.0, TOP + HIGH + 45, "middle", below);
}

static void legend(const struct standing *s, size_t i, struct text *out)
{
	const char *colour = colours[i % (sizeof colours / sizeof *colours)];
	text_printf(out, "<rect x=\"%d\" y=\"%zu\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", LEFT + WIDE + 14,
	            TOP + i * 20, colour);
	label(out, LEFT + WIDE + 32, (double)(TOP + i * 20) + 11, "start", s->players.at[i].name);
}

static void begin_line(struct text *out, size_t i)
{
	text_printf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
	            colours[i % (sizeof colours / sizeof *colours)]);
}

/* Where a round stands, in the middle of its part of the axis. */
static double round_at(const struct standing *s, uint64_t round)
{
	return LEFT + ((double)round + 0.5) * WIDE / (double)s->rounds;
}

/* Labels of rounds, not more than a dozen. */
static void label_rounds(const struct standing *s, struct text *out)
{
	enum { MOST = 12 };
	uint64_t every = (s->rounds + MOST - 1) / MOST;
	for (uint64_t r = 0; r < s->rounds; r += every) {
		char words[32];
		snprintf(words, sizeof words, "%llu", (unsigned long long)r + 1);
		label(out, round_at(s, r), TOP + HIGH + 18, "middle", words);
	}
}

void standing_plot_rounds(const struct standing *s, struct text *out)
{
	open_chart(out, "Mean score up to each round", "round");
	for (size_t i = 0; i < s->players.n; i++) {
		struct tally sum = {0};
		begin_line(out, i);
		for (uint64_t r = 0; r < s->rounds; r++) {
			const struct tally *t = &s->by_round[i * s->rounds + r];
			sum.n += t->n;
			sum.sum += t->sum;
			if (sum.n > 0)
				text_printf(out, "%.1f,%.1f ", round_at(s, r), TOP + HIGH - tally_mean(&sum) * HIGH / 100);
		}
		text_puts(out, "\"/>\n");
		legend(s, i, out);
	}
	label_rounds(s, out);
	text_puts(out, "</svg>\n");
}

/* Clocks stand evenly, in the order of their length. */
void standing_plot_clocks(const struct standing *s, struct text *out)
{
	size_t n = s->clocks.n, *order = NEW_ARRAY(size_t, n + 1);
	for (size_t i = 0; i < n; i++) {
		size_t j = i;
		for (; j && s->clocks.at[order[j - 1]] > s->clocks.at[i]; j--)
			order[j] = order[j - 1];
		order[j] = i;
	}
	open_chart(out, "Mean score against the clock", "seconds a move");
	for (size_t k = 0; k < n; k++) {
		char words[32];
		double clock = s->clocks.at[order[k]];
		snprintf(words, sizeof words, clock < 0 ? "%g playouts" : "%g", fabs(clock));
		label(out, LEFT + ((double)k + 0.5) * WIDE / (double)n, TOP + HIGH + 18, "middle", words);
	}
	for (size_t i = 0; i < s->players.n; i++) {
		begin_line(out, i);
		for (size_t k = 0; k < n; k++) {
			const struct tally *t = &s->by_clock[i * n + order[k]];
			if (t->n > 0)
				text_printf(out, "%.1f,%.1f ", LEFT + ((double)k + 0.5) * WIDE / (double)n,
				            TOP + HIGH - tally_mean(t) * HIGH / 100);
		}
		text_puts(out, "\"/>\n");
		legend(s, i, out);
	}
	mem_free(order);
	text_puts(out, "</svg>\n");
}
