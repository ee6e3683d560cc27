/* Boards drawn with letters: one letter per piece, chosen by its name, and a legend for those whose letter does
 * not say it all. */
#include "show/board_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- marks ------------------------------------------------------------------------------ */

static bool mark_taken(const struct board *b, const char *mark)
{
	for (size_t i = 0; i < b->pieces.n; i++)
		if (!strcmp(b->pieces.at[i].mark, mark))
			return true;
	return false;
}

/* Pieces of two words, colour and kind: the kind gives the letter, the colour its
 * case, as chess players write it. False when the letter is taken. */
static bool mark_by_kind(struct board *b, const char *name, char mark[8])
{
	size_t n = strcspn(name, " _");
	if (!name[n] || !name[n + 1])
		return false;
	const char *kind = name + n + 1;
	sym_t owner = sym_put(&b->symbols, name, n);
	bool white = n == 5 && !strncmp(name, "white", n), black = n == 5 && !strncmp(name, "black", n);
	if (b->lower == SYM_NONE && !white)
		b->lower = owner;
	int c = !strcmp(kind, "knight") ? 'n' : tolower((unsigned char)*kind);
	snprintf(mark, 8, "%c", black || owner == b->lower ? c : toupper(c));
	return c < 128 && isalnum(c) && !mark_taken(b, mark);
}

/* One character: the name itself, one of its letters, else any letter. */
static void choose_mark(struct board *b, const char *name, char mark[8])
{
	size_t n = strlen(name);
	strcpy(mark, ".");
	if (board_is_blank(b, name) && !mark_taken(b, mark))
		return;
	if (mark_by_kind(b, name, mark))
		return;
	for (size_t i = 0; i < n; i++)
		for (int up = 0; up < 2; up++) {
			unsigned char c = (unsigned char)name[i];
			snprintf(mark, 8, "%c", up ? toupper(c) : c);
			if (c < 128 && isalnum(c) && !mark_taken(b, mark))
				return;
		}
	for (char c = '!'; c < 127; c++) {
		snprintf(mark, 8, "%c", c);
		if (c != '.' && c != '*' && !mark_taken(b, mark))
			return;
	}
	strcpy(mark, "?");
}

static const char *mark_of(struct board *b, sym_t content)
{
	for (size_t i = 0; i < b->pieces.n; i++)
		if (b->pieces.at[i].content == content)
			return b->pieces.at[i].mark;
	struct piece p = {.content = content};
	choose_mark(b, sym_text(&b->symbols, content), p.mark);
	vec_push(&b->pieces, p);
	return vec_last(&b->pieces).mark;
}

/* ---- drawing ------------------------------------------------------------------------------ */

enum { LINE_WIDTH = 100, NAME_WIDTH = 12, CELL_WIDTH = 3 };

static int widest(const char *const *names, uint32_t n, int most)
{
	size_t w = 1;
	for (uint32_t i = 0; i < n; i++)
		if (strlen(names[i]) > w)
			w = strlen(names[i]);
	return w > (size_t)most ? most : (int)w;
}

/* One line per row from the top, then the names of the columns. */
static void draw_grid(const struct board_grid *g, const char *(*mark)(void *, size_t cell), void *context,
                      struct text *out)
{
	int left = widest(g->row_names, g->rows, NAME_WIDTH), width = widest(g->column_names, g->columns, CELL_WIDTH);
	text_printf(out, "  %s\n", g->name);
	for (uint32_t j = g->rows; j-- > 0;) {
		text_printf(out, "    %*.*s ", left, left, g->row_names[j]);
		for (uint32_t i = 0; i < g->columns; i++)
			text_printf(out, " %*s", width, mark(context, (size_t)j * g->columns + i));
		text_putc(out, '\n');
	}
	text_printf(out, "    %*s ", left, "");
	for (uint32_t i = 0; i < g->columns; i++)
		text_printf(out, " %*.*s", width, width, g->column_names[i]);
	text_putc(out, '\n');
}

/* ---- a position ---- */

struct pieces_job {
	struct board *b;
	const struct grid *g;
	sym_list met; /* contents in the order of drawing */
};

static const char *piece_mark(void *context, size_t cell)
{
	struct pieces_job *j = context;
	sym_t content = j->g->contents.at[cell];
	if (content == SYM_NONE)
		return !j->g->cells.at[cell] ? " " : j->g->counts.at[cell] ? "*" : ".";
	for (size_t i = 0; i < j->met.n; i++)
		if (j->met.at[i] == content)
			return mark_of(j->b, content);
	vec_push(&j->met, content);
	return mark_of(j->b, content);
}

static void draw_legend(struct board *b, const sym_list *met, struct text *out)
{
	bool first = true;
	for (size_t i = 0; i < met->n; i++) {
		const char *mark = mark_of(b, met->at[i]), *name = sym_text(&b->symbols, met->at[i]);
		if (!strcmp(mark, name))
			continue;
		text_printf(out, "%s%s %s", first ? "    " : ", ", mark, name);
		first = false;
	}
	if (!first)
		text_putc(out, '\n');
}

/* Wrapped between fluents. */
static void draw_rest(const struct board *b, struct text *out)
{
	size_t column = 0, n;
	const uint32_t *rest = board_rest(b, &n);
	for (size_t i = 0; i < n; i++) {
		struct text t = {0};
		game_print_fluent(b->g, rest[i], &t);
		if (column && column + t.n + 1 > LINE_WIDTH) {
			text_putc(out, '\n');
			column = 0;
		}
		text_puts(out, column ? " " : "    ");
		text_puts(out, text_str(&t));
		column += t.n + (column ? 1 : 4);
		text_free(&t);
	}
	if (column)
		text_putc(out, '\n');
}

void board_draw(struct board *b, const uint64_t *state, struct text *out)
{
	board_look(b, state);
	for (size_t i = 0; i < b->grids.n; i++) {
		struct pieces_job j = {.b = b, .g = &b->grids.at[i]};
		draw_grid(&j.g->seen, piece_mark, &j, out);
		draw_legend(b, &j.met, out);
		vec_free(&j.met);
	}
	draw_rest(b, out);
}

/* ---- classes of squares ---- */

struct classes_job {
	const uint32_t *least; /* by cell: its class; UINT32_MAX: no square */
	VEC(uint32_t) met;     /* in the order of drawing */
};

static const char *class_mark(void *context, size_t cell)
{
	static const char marks[][2] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
	                                "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
	                                "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M",
	                                "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z"};
	struct classes_job *j = context;
	size_t k = 0;
	if (j->least[cell] == UINT32_MAX)
		return " ";
	while (k < j->met.n && j->met.at[k] != j->least[cell])
		k++;
	if (k == j->met.n)
		vec_push(&j->met, j->least[cell]);
	return k < sizeof marks / sizeof *marks ? marks[k] : "+";
}

static void draw_classes(struct board *b, const struct grid *g, const uint32_t *label, struct text *out)
{
	uint32_t *least = mem_alloc(g->cells.n, sizeof *least);
	memset(least, 0xff, g->cells.n * sizeof *least);
	for (size_t i = 0; i < b->parts.n; i++) {
		size_t cell = b->parts.at[i].family == g->family ? board_cell(b, g, &b->parts.at[i]) : SIZE_MAX;
		if (cell != SIZE_MAX && label[i] < least[cell])
			least[cell] = label[i];
	}
	struct classes_job j = {.least = least};
	draw_grid(&g->seen, class_mark, &j, out);
	vec_free(&j.met);
	mem_free(least);
}

bool board_draw_classes(struct board *b, const uint32_t *label, struct text *out)
{
	board_lay_out(b);
	for (size_t i = 0; i < b->grids.n; i++)
		draw_classes(b, &b->grids.at[i], label, out);
	return b->grids.n > 0;
}
