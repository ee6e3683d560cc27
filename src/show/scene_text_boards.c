/* Boards for a terminal: blocks of lines, side by side where they fit, in bands of columns where they do not. */
#include "show/scene_text_internal.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAP = 3, NAME_WIDTH = 12 };

/* Lines under construction, all to be padded to one width. */
struct block {
	VEC(struct text) lines;
	VEC(int) widths;
	int width;
};

/* ---- lines ---------------------------------------------------------------------------------- */

static void new_line(struct block *b)
{
	vec_push(&b->lines, (struct text){0});
	vec_push(&b->widths, 0);
}

static void put(struct block *b, const char *s)
{
	text_puts(&vec_last(&b->lines), s);
	vec_last(&b->widths) += columns_of(s);
	b->width = vec_last(&b->widths) > b->width ? vec_last(&b->widths) : b->width;
}

static void pad_to(struct block *b, int column)
{
	while (vec_last(&b->widths) < column)
		put(b, " ");
}

static void put_right(struct block *b, const char *s, int width)
{
	pad_to(b, vec_last(&b->widths) + width - columns_of(s));
	put(b, s);
}

static void block_free(struct block *b)
{
	for (size_t i = 0; i < b->lines.n; i++)
		text_free(&b->lines.at[i]);
	vec_free(&b->lines);
	vec_free(&b->widths);
}

/* ---- marks ---------------------------------------------------------------------------------- */

const char *painter_mark(const struct painter *p, uint32_t piece)
{
	const struct piece *k = &p->c->study->pieces.at[piece];
	bool glyph = p->style->unicode && *k->glyph && (p->style->colour || !p->shared.at[piece]);
	return glyph ? k->glyph : *k->plain ? k->plain : sym_text(&p->c->study->symbols, k->name);
}

static void find_shared_glyphs(struct painter *p)
{
	const struct study *s = p->c->study;
	for (size_t i = 0; i < s->pieces.n; i++) {
		vec_push(&p->shared, 0);
		vec_push(&p->shown, 0);
	}
	for (size_t i = 0; i < s->pieces.n; i++)
		for (size_t k = 0; k < i && s->pieces.at[i].board && *s->pieces.at[i].glyph; k++)
			if (s->pieces.at[k].board && !strcmp(s->pieces.at[i].glyph, s->pieces.at[k].glyph))
				p->shared.at[i] = p->shared.at[k] = 1;
}

struct painter painter_make(const struct scene *c, const struct text_style *style, const uint32_t *classes)
{
	struct painter p = {.c = c, .style = style, .classes = classes};
	find_shared_glyphs(&p);
	return p;
}

void painter_free(struct painter *p)
{
	vec_free(&p->shown);
	vec_free(&p->shared);
}

/* Colours of the 256 that terminals have; black and white are left to the terminal, whose ground may be either. */
static int terminal_colour(const char *hex)
{
	unsigned rgb = (unsigned)strtoul(hex + 1, NULL, 16), r = rgb >> 16, g = rgb >> 8 & 255, b = rgb & 255;
	unsigned high = r > g ? r : g, low = r < g ? r : g;
	high = b > high ? b : high;
	low = b < low ? b : low;
	return high - low < 24 ? -1 : (int)(16 + 36 * (r * 5 / 255) + 6 * (g * 5 / 255) + b * 5 / 255);
}

static void put_coloured(const struct painter *p, struct block *b, const char *mark, const char *hex, bool last)
{
	int colour = hex && p->style->colour ? terminal_colour(hex) : -1;
	bool strong = last && p->style->colour;
	char escape[24];
	if (colour >= 0) {
		snprintf(escape, sizeof escape, "\033[38;5;%dm", colour);
		text_puts(&vec_last(&b->lines), escape);
	}
	if (strong)
		text_puts(&vec_last(&b->lines), "\033[7m");
	put(b, mark);
	if (colour >= 0 || strong)
		text_puts(&vec_last(&b->lines), "\033[0m");
}

const struct scene_piece *painter_top(const struct scene *c, const struct scene_cell *cell)
{
	for (uint32_t i = cell->count; i-- > 0;)
		if (!c->pieces.at[cell->first + i].badge)
			return &c->pieces.at[cell->first + i];
	return cell->count ? &c->pieces.at[cell->first] : NULL;
}

static const char *class_mark(uint32_t class)
{
	static const char marks[] = "a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0k\0l\0m\0n\0o\0p\0q\0r\0s\0t\0u\0v\0w\0x\0y\0z\0"
								"A\0B\0C\0D\0E\0F\0G\0H\0I\0J\0K\0L\0M\0N\0O\0P\0Q\0R\0S\0T\0U\0V\0W\0X\0Y\0Z";
	return class == UINT32_MAX ? " " : class < 52 ? marks + class * 2 : "+";
}

/* What a cell shows; *piece: NULL when that is no piece. */
static const char *cell_mark(const struct painter *p, uint32_t cell, const struct scene_piece **piece)
{
	const struct scene_cell *x = &p->c->cells.at[cell];
	*piece = NULL;
	if (p->classes)
		return class_mark(p->classes[cell]);
	if (!x->exists)
		return " ";
	const struct scene_piece *top = painter_top(p->c, x);
	if (x->unknown && (!top || !top->sure))
		return "?";
	if (!top)
		return p->style->unicode ? "·" : ".";
	*piece = top;
	return painter_mark(p, top->piece);
}

static void put_cell(struct painter *p, struct block *b, uint32_t cell, int width)
{
	const struct scene_piece *piece;
	const char *mark = cell_mark(p, cell, &piece);
	pad_to(b, vec_last(&b->widths) + width - columns_of(mark));
	if (piece)
		p->shown.at[piece->piece] = 1;
	put_coloured(p, b, mark, piece ? scene_kind(p->c, piece)->colour : NULL, p->c->cells.at[cell].last && !p->classes);
}

/* ---- grids ---------------------------------------------------------------------------------- */

struct measures {
	int left;  /* names of rows */
	int cell;  /* a cell, without the blank before it */
	int names; /* of columns: cut to this */
};

static int widest(const char *const *names, uint32_t n)
{
	int w = 1;
	for (uint32_t i = 0; i < n; i++)
		w = columns_of(names[i]) > w ? columns_of(names[i]) : w;
	return w;
}

/* The widest mark that any piece of the board may have: boards keep their size from position to position. */
static int widest_mark(const struct painter *p, const struct scene_board *b)
{
	const struct study *s = p->c->study;
	int w = 1;
	for (size_t i = 0; i < s->families.n && !p->classes; i++) {
		const struct family *f = &s->families.at[i];
		for (size_t k = 0; k < f->members.n && f->shape == SHAPE_BOARD && f->layout == b->layout; k++) {
			uint32_t piece = s->parts.at[f->members.at[k]].piece;
			int n = s->pieces.at[piece].blank ? 1 : columns_of(painter_mark(p, piece));
			w = n > w ? n : w;
		}
	}
	return w > NAME_WIDTH ? NAME_WIDTH : w;
}

/* Numbers are cut before their last digits, words after their first letters. */
static void put_name(struct block *b, const char *name, int width)
{
	char cut[NAME_WIDTH * 4 + 1];
	size_t n = strlen(name);
	if (columns_of(name) > width && isdigit((unsigned char)name[n - 1])) {
		name += n - (size_t)width;
	} else if (columns_of(name) > width) {
		size_t i = 0;
		for (int k = 0; k < width; k++)
			do
				i++;
			while (utf8_continues(name[i]));
		snprintf(cut, sizeof cut, "%.*s", (int)i, name);
		name = cut;
	}
	put_right(b, name, width);
}

static struct measures measure(const struct painter *p, const struct scene_board *b)
{
	int left = widest(b->row_names, b->rows), names = widest(b->column_names, b->columns), marks = widest_mark(p, b);
	left = left > NAME_WIDTH ? NAME_WIDTH : left;
	names = names > NAME_WIDTH ? NAME_WIDTH : names;
	int room = (int)p->style->width - TEXT_INDENT - left - 2;
	bool fits = (names + 1) * (int)b->columns <= room;
	int cell = names > marks && fits ? names : marks;
	if (scene_layout(p->c, b)->kind == BOARD_HEX)
		cell |= 1; /* half of a cell and its blank is whole columns */
	return (struct measures){left, cell, names < cell ? names : cell};
}

static bool is_marked(const struct painter *p, const struct scene_board *b, uint32_t row, uint32_t column, uint32_t end)
{
	return column < end && !p->style->colour && !p->classes &&
	       p->c->cells.at[b->cells + row * b->columns + column].last;
}

static void put_row(struct painter *p, struct block *out, const struct scene_board *b, const struct measures *m,
                    uint32_t row, uint32_t from, uint32_t to)
{
	new_line(out);
	pad_to(out, TEXT_INDENT);
	put_name(out, b->row_names[row], m->left);
	put(out, " ");
	for (uint32_t i = from; i < to; i++) {
		bool before = i > from && is_marked(p, b, row, i - 1, to), now = is_marked(p, b, row, i, to);
		put(out, now && before ? "|" : now ? "[" : before ? "]" : " ");
		put_cell(p, out, b->cells + row * b->columns + i, m->cell);
	}
	if (is_marked(p, b, row, to - 1, to))
		put(out, "]");
}

static void put_column_names(struct block *out, const struct scene_board *b, const struct measures *m, uint32_t from,
                             uint32_t to)
{
	new_line(out);
	pad_to(out, TEXT_INDENT + m->left + 1);
	for (uint32_t i = from; i < to; i++) {
		put(out, " ");
		pad_to(out, vec_last(&out->widths) + m->cell - m->names);
		put_name(out, b->column_names[i], m->names);
	}
}

static void draw_grid(struct painter *p, struct block *out, const struct scene_board *b)
{
	struct measures m = measure(p, b);
	int room = (int)p->style->width - TEXT_INDENT - m.left - 2;
	uint32_t band = room / (m.cell + 1) > 1 ? (uint32_t)(room / (m.cell + 1)) : 1;
	for (uint32_t from = 0; from < b->columns; from += band) {
		uint32_t to = from + band < b->columns ? from + band : b->columns;
		for (uint32_t row = b->rows; row-- > 0;)
			put_row(p, out, b, &m, row, from, to);
		put_column_names(out, b, &m, from, to);
	}
}

/* ---- hexagons ------------------------------------------------------------------------------- */

static int hex_column(const struct layout *l, uint32_t cell, const struct measures *m, double left)
{
	return TEXT_INDENT + m->left + 2 + (int)lround((l->x.at[cell] - left) * (m->cell + 1));
}

static double hex_left(const struct scene *c, const struct scene_board *b)
{
	const struct layout *l = scene_layout(c, b);
	double left = INFINITY;
	for (uint32_t i = 0; i < b->columns * b->rows; i++)
		left = c->cells.at[b->cells + i].exists ? fmin(left, l->x.at[i]) : left;
	return left;
}

static bool hex_fits(const struct painter *p, const struct scene_board *b, const struct measures *m, double left)
{
	for (uint32_t i = 0; i < b->columns * b->rows; i++)
		if (p->c->cells.at[b->cells + i].exists &&
		    hex_column(scene_layout(p->c, b), i, m, left) + m->cell + 1 > (int)p->style->width)
			return false;
	return true;
}

/* The cell below the lowest of a column, down its slant, where its name goes: the row it is in, -1 below the board;
 * as many as there are rows: the column is empty. */
static int name_row(const struct scene *c, const struct scene_board *b, uint32_t column)
{
	for (uint32_t row = 0; row < b->rows; row++)
		if (c->cells.at[b->cells + row * b->columns + column].exists)
			return (int)row - 1;
	return (int)b->rows;
}

/* Names of columns that end just above this row, from the left up to a column of the terminal. */
static uint32_t put_slanted_names(struct painter *p, struct block *out, const struct scene_board *b,
                                  const struct measures *m, double left, int row, uint32_t from, int limit)
{
	const struct layout *l = scene_layout(p->c, b);
	for (; from < b->columns; from++) {
		if (name_row(p->c, b, from) != row)
			continue;
		int at = hex_column(l, (uint32_t)(row + 1) * b->columns + from, m, left) - l->slant * (m->cell + 1) / 2;
		if (at >= limit)
			break;
		int width = columns_of(b->column_names[from]), most = m->cell + 1;
		width = width < most ? width : most;
		pad_to(out, limit == INT_MAX ? at : at + m->cell - width);
		put_name(out, b->column_names[from], width);
	}
	return from;
}

static void draw_hexagons(struct painter *p, struct block *out, const struct scene_board *b)
{
	const struct layout *l = scene_layout(p->c, b);
	struct measures m = measure(p, b);
	double left = hex_left(p->c, b);
	m.cell = widest_mark(p, b) | 1;
	if (!hex_fits(p, b, &m, left)) {
		draw_grid(p, out, b);
		return;
	}
	for (int row = (int)b->rows - 1; row >= -1; row--) {
		new_line(out);
		pad_to(out, TEXT_INDENT);
		if (row >= 0)
			put_name(out, b->row_names[row], m.left);
		bool before = false;
		uint32_t named = 0;
		for (uint32_t i = 0; i < b->columns && row >= 0; i++) {
			uint32_t cell = (uint32_t)row * b->columns + i;
			if (!p->c->cells.at[b->cells + cell].exists)
				continue;
			int at = hex_column(l, cell, &m, left);
			named = put_slanted_names(p, out, b, &m, left, row, named, at);
			bool now = is_marked(p, b, (uint32_t)row, i, b->columns);
			if (before && vec_last(&out->widths) < at - 1)
				put(out, "]");
			pad_to(out, at - 1);
			if (vec_last(&out->widths) < at)
				put(out, now && before ? "|" : now ? "[" : before ? "]" : " ");
			put_cell(p, out, b->cells + cell, m.cell);
			before = now;
		}
		if (before)
			put(out, "]");
		put_slanted_names(p, out, b, &m, left, row, named, INT_MAX);
	}
}

/* ---- lines between cells -------------------------------------------------------------------- */

static const struct scene_link *link_between(const struct scene *c, const struct scene_board *b, uint32_t x, uint32_t y)
{
	for (uint32_t i = 0; i < b->link_count; i++) {
		const struct scene_link *l = &c->links.at[b->links + i];
		if ((l->tie.from == x && l->tie.to == y) || (l->tie.from == y && l->tie.to == x))
			return l;
	}
	return NULL;
}

/* A line, or the mark of what lies there. */
static void put_link(struct painter *p, struct block *out, const struct scene_link *l, bool across, int width)
{
	const char *line = across ? (p->style->unicode ? "─" : "-") : (p->style->unicode ? "│" : "|"), *mark = " ";
	const struct study *s = p->c->study;
	const struct scene_piece *piece = l && l->count ? &p->c->pieces.at[l->first] : NULL;
	bool drawn = piece && !s->families.at[s->parts.at[piece->fluent].family].content;
	if (l && l->unknown && !piece)
		mark = "?";
	else if (piece)
		mark = drawn ? line : painter_mark(p, piece->piece);
	if (piece && !drawn)
		p->shown.at[piece->piece] = 1;
	for (int i = 0; i < width; i++) {
		bool middle = i == width / 2;
		const char *side = l && l->last && !p->style->colour && across ? (i ? "]" : "[") : drawn && across ? line : " ";
		put_coloured(p, out, middle ? mark : side, piece ? scene_kind(p->c, piece)->colour : NULL,
		             l && l->last && middle);
	}
}

static void draw_lattice(struct painter *p, struct block *out, const struct scene_board *b)
{
	int left = widest(b->row_names, b->rows), cell = widest_mark(p, b);
	for (uint32_t row = b->rows; row-- > 0;) {
		new_line(out);
		pad_to(out, TEXT_INDENT);
		put_name(out, b->row_names[row], left);
		put(out, "  ");
		for (uint32_t i = 0; i < b->columns; i++) {
			uint32_t at = row * b->columns + i;
			const struct scene_cell *x = &p->c->cells.at[b->cells + at];
			if (!x->count && !x->unknown && !p->classes)
				put_right(out, "+", cell);
			else
				put_cell(p, out, b->cells + at, cell);
			if (i + 1 < b->columns)
				put_link(p, out, link_between(p->c, b, at, at + 1), true, 3);
		}
		if (!row)
			break;
		new_line(out);
		pad_to(out, TEXT_INDENT + left + 2);
		for (uint32_t i = 0; i < b->columns; i++) {
			uint32_t at = row * b->columns + i;
			pad_to(out, TEXT_INDENT + left + 2 + (int)i * (cell + 3) + cell - 1);
			put_link(p, out, link_between(p->c, b, at, at - b->columns), false, 1);
		}
	}
	new_line(out);
	pad_to(out, TEXT_INDENT + left + 2);
	for (uint32_t i = 0; i < b->columns; i++) {
		pad_to(out, TEXT_INDENT + left + 2 + (int)i * (cell + 3));
		put_name(out, b->column_names[i], cell);
	}
}

/* ---- strips ---------------------------------------------------------------------------------- */

/* Pieces of a cell from the top; the lowest line of an empty cell has a dot. */
static void put_stacked(struct painter *p, struct block *out, uint32_t cell, uint32_t level, int width)
{
	const struct scene_cell *x = &p->c->cells.at[cell];
	if (p->classes || (!level && !x->count)) {
		put_cell(p, out, cell, width);
	} else if (level >= x->count) {
		pad_to(out, vec_last(&out->widths) + width);
	} else {
		const struct scene_piece *piece = &p->c->pieces.at[x->first + level];
		const char *mark = piece->sure ? painter_mark(p, piece->piece) : "?";
		p->shown.at[piece->piece] |= piece->sure;
		pad_to(out, vec_last(&out->widths) + width - columns_of(mark));
		put_coloured(p, out, mark, scene_kind(p->c, piece)->colour, x->last);
	}
}

/* Cells from[0], from[1], … with their names below, or above. */
static void put_strip(struct painter *p, struct block *out, const struct scene_board *b, const uint32_t *cells,
                      uint32_t n, uint32_t skip, int width, bool names_above)
{
	uint32_t height = 1;
	for (uint32_t i = 0; i < n; i++)
		height =
			p->c->cells.at[b->cells + cells[i]].count > height ? p->c->cells.at[b->cells + cells[i]].count : height;
	for (uint32_t line = 0; line <= height; line++) {
		bool names = names_above ? line == 0 : line == height;
		uint32_t level = names_above ? height - line : height - 1 - line;
		new_line(out);
		pad_to(out, TEXT_INDENT + (int)skip * (width + 1));
		for (uint32_t i = 0; i < n; i++) {
			bool marked = !names && !level && is_marked(p, b, 0, cells[i], b->columns);
			bool before = i && !names && !level && is_marked(p, b, 0, cells[i - 1], b->columns);
			put(out, marked && before ? "|" : marked ? "[" : before ? "]" : " ");
			if (names)
				put_name(out, b->column_names[cells[i]], width);
			else
				put_stacked(p, out, b->cells + cells[i], level, width);
		}
		if (!names && !level && is_marked(p, b, 0, cells[n - 1], b->columns))
			put(out, "]");
	}
}

static void draw_strip(struct painter *p, struct block *out, const struct scene_board *b)
{
	uint32_t fold = scene_layout(p->c, b)->fold;
	int marks = widest_mark(p, b), names = widest(b->column_names, b->columns);
	int width = names > marks ? names : marks;
	width = width > NAME_WIDTH ? NAME_WIDTH : width;
	int room = ((int)p->style->width - TEXT_INDENT - 1) / (width + 1);
	uint32_t band = room > 1 ? (uint32_t)room : 1, skip = 0;
	number_list cells = {0};
	if (fold && fold <= band && b->columns - fold <= band) { /* a ring: the upper row goes back */
		for (uint32_t i = b->columns; i-- > fold;)
			vec_push(&cells, i);
		put_strip(p, out, b, cells.at, (uint32_t)cells.n, cells.n < fold ? fold - (uint32_t)cells.n : 0, width, true);
		skip = cells.n > fold ? (uint32_t)cells.n - fold : 0;
	} else {
		fold = b->columns;
	}
	vec_clear(&cells);
	for (uint32_t i = 0; i < fold; i++)
		vec_push(&cells, i);
	for (uint32_t i = 0; i < cells.n; i += band)
		put_strip(p, out, b, cells.at + i, cells.n - i < band ? (uint32_t)cells.n - i : band, skip, width, false);
	vec_free(&cells);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

static void draw_graph(struct painter *p, struct text *out, const struct scene_board *b)
{
	struct prose w = {.out = out, .width = (int)p->style->width, .indent = TEXT_INDENT};
	for (uint32_t i = 0; i < b->columns; i++) {
		const struct scene_piece *piece;
		struct text item = {0};
		const char *mark = cell_mark(p, b->cells + i, &piece);
		bool marked = is_marked(p, b, 0, i, b->columns);
		if (piece)
			p->shown.at[piece->piece] = 1;
		text_printf(&item, "%s%s:%s%s", marked ? "[" : "", b->column_names[i], mark, marked ? "]" : "");
		prose_item(&w, text_str(&item), 2);
		text_free(&item);
	}
	prose_end(&w);
}

/* ---- boards ---------------------------------------------------------------------------------- */

static void draw_board(struct painter *p, struct block *out, const struct scene_board *b)
{
	const struct layout *l = scene_layout(p->c, b);
	new_line(out);
	put(out, "  ");
	put(out, b->name);
	if (*b->part_name) {
		put(out, " ");
		put(out, b->part_name);
	}
	if (l->kind == BOARD_STRIP)
		draw_strip(p, out, b);
	else if (l->kind == BOARD_HEX)
		draw_hexagons(p, out, b);
	else if (l->ties.n && TEXT_INDENT + 4 + (int)b->columns * (widest_mark(p, b) + 3) <= (int)p->style->width)
		draw_lattice(p, out, b);
	else
		draw_grid(p, out, b);
}

typedef VEC(struct block) block_list;

/* Blocks side by side, their last lines level. */
static void put_blocks(block_list *row, struct text *out)
{
	size_t height = 0;
	for (size_t i = 0; i < row->n; i++)
		height = row->at[i].lines.n > height ? row->at[i].lines.n : height;
	for (size_t line = 0; line < height; line++) {
		int column = 0, start = 0;
		for (size_t i = 0; i < row->n; i++) {
			struct block *b = &row->at[i];
			if (line < b->lines.n && b->widths.at[line]) {
				for (; column < start; column++)
					text_putc(out, ' ');
				text_puts(out, text_str(&b->lines.at[line]));
				column += b->widths.at[line];
			}
			start += b->width + GAP;
		}
		while (out->n && out->at[out->n - 1] == ' ')
			out->at[--out->n] = 0;
		text_putc(out, '\n');
	}
	for (size_t i = 0; i < row->n; i++)
		block_free(&row->at[i]);
	vec_clear(row);
}

void painter_boards(struct painter *p, struct text *out)
{
	block_list row = {0};
	int width = 0;
	for (size_t i = 0; i < p->c->boards.n; i++) {
		const struct scene_board *b = &p->c->boards.at[i];
		if (scene_layout(p->c, b)->kind == BOARD_GRAPH) {
			put_blocks(&row, out);
			text_printf(out, "  %s\n", b->name);
			draw_graph(p, out, b);
			width = 0;
			continue;
		}
		struct block block = {0};
		draw_board(p, &block, b);
		if (row.n && width + GAP + block.width > (int)p->style->width) {
			put_blocks(&row, out);
			width = 0;
		}
		width += block.width + (row.n ? GAP : 0);
		vec_push(&row, block);
	}
	put_blocks(&row, out);
	vec_free(&row);
}
